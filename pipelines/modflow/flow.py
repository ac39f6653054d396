"""A numerical model as a Prefect flow, for runs by hand from the page that `serve` offers.

What anybody may see is written to a folder of the site; the line of a run says where, and holds no figure.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from models.errors import BadQuestion, HeadwaterError
from models.modflow.calendar import Rhythm
from pipelines.modflow.ask import Asked, Question, asked, stepping_of
from pipelines.modflow.told_files import public_files
from pipelines.static_folder import replace_folder
from reports.shown_units import shown

if TYPE_CHECKING:
    from prefect import Flow
    from prefect.client.schemas.objects import State

LONGEST_S = 2 * 3600
OUT = "numerical"


def numerical_model(
    site: str,
    on: date | None = None,
    scenario: str | None = None,
    pumping: Literal["metered", "maximum"] = "metered",
    stops: date | None = None,
    periods: Rhythm = "monthly",
    newton: bool = True,
    again: bool = False,
    paths: bool = False,
    fine_m: float | None = None,
    growth: float | None = None,
    reach: float | None = None,
    first_step_d: float | None = None,
    step_growth: float | None = None,
    out: str = OUT,
) -> State[None]:
    """Ask a site, or a scenario file in its folder, through MODFLOW 6.

    Parameters
    ----------
    on : the end of this day; of a site None is its last reading.
    scenario : name of a TOML file in the site's folder; None asks the site's own pumping.
    paths : follow particles too; needs the aquifer's porosity.
    fine_m, growth, reach, first_step_d, step_growth : the remedies a failed gate names, as `modflow run` has them:
        metres, days.
    out : folder of the site that the answer is written to.
    """
    from prefect.states import Completed, Failed

    folder = Path(site)
    try:
        path = None if scenario is None else folder / _plain("scenario", scenario)
        target = folder / _plain("out", out)
        question = Question(
            path, folder, pumping, on, stops, periods, fine_m=fine_m, growth=growth, reach=reach,
            stepping=stepping_of(first_step_d, step_growth), newton=newton, again=again, paths=paths,
        )  # fmt: skip
        found = asked(question, datetime.now(UTC))
        units = shown(found.answer.scenario.unit == "m")
        files, left_out = public_files(found, units)
        replace_folder(target, files)
    except (HeadwaterError, OSError) as caught:
        return Failed(message=str(caught))
    return Completed(message="; ".join([_line(found, target), *left_out]))


def _plain(key: str, name: str) -> str:
    """A form on a web page names nothing outside the site's folder."""
    if Path(name).name != name or name in {"", ".", ".."}:
        raise BadQuestion("a plain name inside the site's folder", key=key, found=name)
    return name


def _line(found: Asked, out: Path) -> str:
    told = found.answer.quantities
    now = f"{found.done} runs now" if found.done else "nothing was run"
    runs = f"{now}, {found.taken} kept before"
    paths = "" if found.particles is None else f", {len(found.particles.paths)} particle paths"
    return f"{len(told.drawdown)} places, {len(told.depletion)} streams{paths}, the gate passed; {runs}; see {out}"


def modflow_flow() -> Flow[..., Any]:
    """`numerical_model` as Prefect sees it."""
    from prefect import flow

    made = flow(name="numerical model", timeout_seconds=LONGEST_S, persist_result=False, validate_parameters=True)
    return made(numerical_model)
