"""One question to a numerical model, from Python as from the command line.

>>> from pipelines.modflow import ask
>>> answer = ask.numerical("summer.toml", on="2025-09-01")
>>> told = answer.quantities
>>> print({place: drawdown[-1] for place, drawdown in told.drawdown.items()})  # metres
>>> print({stream: lost[-1] for stream, lost in told.depletion.items()})  # m3/d
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from math import inf
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from models.errors import BadQuestion, EnvironmentFailed
from models.modflow.answer import Answer
from models.modflow.build import Choices, first_stress
from models.modflow.calendar import RHYTHMS, Rhythm, Stepping
from models.modflow.path_groups import Particles
from models.modflow.stated_places import with_places
from models.scenario.kinds import stopped
from models.scenario.noun import KINDS, Kind, Scenario, civil_day, day_number
from pipelines.aquifer.cone_source import ConeSource, from_file, from_site, record_ends
from pipelines.database import reading
from pipelines.modflow.observed import Observed, observed
from pipelines.modflow.program import AT_ONCE, program
from pipelines.modflow.weather import with_recharge
from pipelines.schema import observation
from pipelines.terminal import site_store

Say = Callable[[str], None]
HOW = {"again", "at_once", "paths", "site"}
"""Of a question, what decides no number of a run."""
LONGEST_D = 36_525.0
"""A century: what is pumped then is anybody's guess, and its stress periods take hours."""


@dataclass(frozen=True)
class Question:
    """What is asked.

    Parameters
    ----------
    scenario : a TOML file; None asks the site.
    site : folder of ``site.toml``. Runs are kept in it; a file's are kept there too, by default the current folder.
    on : the end of this day; of a site None is its last reading.
    stops : every pump rests from this day.
    fine_m, growth : width of a well's cell [m] and of neighbouring cells; None is the model's own.
    reach : half the grid in units of sqrt(T t / S); None is the model's own.
    stepping : None follows the nearest place asked about.
    again : what is kept is run once more, and must give the same numbers.
    at_once : so many mf6 at a time, though no more than there are cores.
    paths : particles are followed too, which takes the aquifer's porosity.
    """

    scenario: Path | None = None
    site: Path = field(default_factory=Path)
    kind: Kind = "metered"
    on: date | None = None
    stops: date | None = None
    periods: Rhythm = "monthly"
    permitted: Mapping[str, str] = field(default_factory=dict)
    fine_m: float | None = None
    growth: float | None = None
    reach: float | None = None
    stepping: Stepping | None = None
    newton: bool = True
    again: bool = False
    paths: bool = False
    at_once: int = AT_ONCE


@dataclass(frozen=True, eq=False)
class Asked:
    """A question, its answer, where the scenario comes from, and how many runs it took and found kept in ``home``.

    ``particles`` : None where nobody asked for paths.
    """

    question: Question
    source: ConeSource
    answer: Answer
    home: Path
    done: int
    taken: int
    particles: Particles | None = None
    observed: Observed | None = None


def numerical(scenario: str | Path | None = None, *, site: str | Path = ".", **options: Any) -> Answer:
    """The answer of a numerical model to a scenario file, or to a site's own pumping.

    Parameters
    ----------
    options : the other fields of `Question`; ``on`` and ``stops`` may be text, YYYY-MM-DD.

    Raises
    ------
    GateFailed : a check failed: no figure leaves.
    HeadwaterError : bad input, or the environment failed; one line.
    """
    for name in ("on", "stops"):
        if isinstance(options.get(name), str):
            options[name] = _day(name, options[name])
    path = None if scenario is None else Path(scenario)
    return asked(Question(path, Path(site), **options), datetime.now(UTC)).answer


def _day(key: str, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadQuestion("not a day", key=key, found=text, allowed=["YYYY-MM-DD"]) from None


def asked(question: Question, now: datetime, say: Say = lambda _: None) -> Asked:
    """Answer a question.

    Parameters
    ----------
    now : for the record of the runs; no number depends on it.

    Raises
    ------
    GateFailed, HeadwaterError : as `numerical`.
    """
    _check(question)
    found = program()
    source = _source(question)
    scenario = with_places(source.scenario)
    if question.stops is not None:
        scenario = stopped(scenario, question.stops)
    choices, said = with_recharge(
        scenario, _choices(question, scenario, source.latest), None if question.scenario else question.site
    )
    said += tuple(_beyond_the_record(question, source, choices.ends, now))
    rests_on = _rests_on(question, scenario, source, now)
    answered, runs_in, followed = _work()
    follow = followed(source.scenario, found) if question.paths else None
    with runs_in(question.site, found, rests_on, say, again=question.again, at_once=question.at_once) as runs:
        answer = answered(scenario, choices, runs, said)
        particles = None if follow is None else follow(answer, runs)
        levels = observed(question.site, answer) if _is_what_happened(question) else None
        return Asked(question, source, answer, runs.home, runs.done, runs.taken, particles, levels)


def _is_what_happened(question: Question) -> bool:
    """Levels are measured under a site's own pumping, and under no other."""
    return question.scenario is None and question.kind == "metered" and question.stops is None


def stepping_of(first: float | None, growth: float | None) -> Stepping | None:
    """How time is cut, where somebody says so: the first step of each period [d], and by how much each is longer."""
    if first is None and growth is None:
        return None
    if first is None or growth is None:
        missing = "--first-step" if first is None else "--step-growth"
        raise BadQuestion("the length of the first step and the growth belong together", key=missing)
    return Stepping(first, growth)


def _check(question: Question) -> None:
    for key, found, allowed in (("kind", question.kind, KINDS), ("periods", question.periods, RHYTHMS)):
        if found not in allowed:
            raise BadQuestion("not one of them", key=key, found=found, allowed=allowed)
    step = question.stepping or Stepping(1.0, 1.0)
    for name, value, above, most in (
        ("--fine", question.fine_m, 0.0, inf), ("--growth", question.growth, 1.0, 2.0),
        ("--reach", question.reach, 0.0, 100.0), ("--first-step", step.first, 0.0, inf),
    ):  # fmt: skip
        if value is not None and not above < value <= most:
            words = f"above {above:g}" if most == inf else f"above {above:g}, up to {most:g}"
            raise BadQuestion("outside what a grid or a step may be", key=name, found=value, allowed=[words])
    if not 1 <= step.growth <= 2:
        raise BadQuestion("steps cannot grow so", key="--step-growth", found=step.growth, allowed=["1 to 2"])


def _work() -> tuple[Any, Any, Any]:
    """FloPy takes a second to import, and is an extra."""
    try:
        from pipelines.modflow.answering import answered
        from pipelines.modflow.paths import followed
        from pipelines.modflow.runs import runs_in
    except ModuleNotFoundError as caught:
        if caught.name != "flopy":
            raise
        raise EnvironmentFailed("FloPy is not installed; a numerical model needs headwater[modflow]") from None
    return answered, runs_in, followed


def _source(question: Question) -> ConeSource:
    if question.scenario is not None:
        return from_file(question.scenario, question.kind, question.permitted)
    return from_site(question.site, question.kind, question.permitted, question.on)


def _choices(question: Question, scenario: Scenario, latest: float | None) -> Choices:
    given = {"fine_m": question.fine_m, "growth": question.growth, "reach": question.reach}
    told: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    ends = _ends(question.on, scenario, latest)
    return Choices(ends, question.periods, stepping=question.stepping, newton=question.newton, **told)


def _ends(on: date | None, scenario: Scenario, latest: float | None) -> float:
    """The end of the day, or of the record where that is earlier."""
    if on is None and latest is None:
        raise BadQuestion("say the day to answer for", key="--on", allowed=["YYYY-MM-DD"])
    ends = [day_number(on) + 1] if on is not None else []
    end, begins = min([*ends, *([] if latest is None else [latest])]), first_stress(scenario)
    if end <= begins:
        raise BadQuestion("nothing is pumped or drained before the end of that day", key="--on", found=str(on))
    if end > begins + LONGEST_D:
        most = f"up to {civil_day(begins + LONGEST_D - 1)}, a century after the first pumping"
        raise BadQuestion("no forecast reaches so far", key="--on", found=str(on), allowed=[most])
    return end


def _beyond_the_record(question: Question, source: ConeSource, ends: float, now: datetime) -> Iterator[str]:
    """That a record ends, as `cone` says it; that an answer is a forecast, and of what."""
    yield from record_ends(source, ends)
    if source.latest is None and ends > day_number(now.date()) + 1:
        held = "at the permitted rates" if question.kind == "maximum" else "as the scenario states"
        yield f"the day lies after today, {now:%Y-%m-%d}: a forecast, for which pumping goes on {held}"


def _rests_on(question: Question, scenario: Scenario, source: ConeSource, now: datetime) -> dict[str, Any]:
    """The record of a run; places and names of private wells are not in it."""
    text = scenario.model_dump_json()
    public = json.loads(text)
    for point in public["point"]:
        if point["kind"] == "private":
            point.update(position=None, name="")
    return {
        "created": f"{now:%Y-%m-%dT%H:%M:%SZ}", "scenario_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "scenario": public, "asked": _asked_for(question),
        "data": {"last_meter_reading_day": source.latest, **_newest(question)},
    }  # fmt: skip


def _asked_for(question: Question) -> dict[str, Any]:
    """All options that decide numbers and are no default's."""
    usual = asdict(Question())
    told = {name: value for name, value in asdict(question).items() if value != usual[name] and name not in HOW}
    return {name: str(value) if isinstance(value, date | Path) else value for name, value in told.items()}


def _newest(question: Question) -> dict[str, Any]:
    if question.scenario is not None:
        content = question.scenario.read_bytes()
        return {"file": question.scenario.name, "file_sha256": hashlib.sha256(content).hexdigest()}
    with site_store(question.site) as (folder, engine), reading(engine) as connection:
        newest = connection.execute(select(func.max(observation.c.known_at))).scalar()
        return {"newest_observation_known_at_ms": newest, "site_digest": folder.digest}
