"""The written cases of the shortfall semantics, and how each is put to the program.

``data/shortfall_cases.csv`` is the published part, ``data/shortfall_cases_more.csv`` holds a case for each decision
that had none, ``situations/shortfall.toml`` those that need readings within a day or a whole night. Every case answers
with what the program says, so that it can be compared with what is written.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from models.checks import base_flow
from models.streamflow import daily_mean, revision, shortfall
from models.streamflow.day_states import DailyFlow, day_state
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.threshold import Threshold
from tests.record_in_memory import BASE_FLOW, BEGAN, Record, ask, rule, site, stream
from tests.situations import tables

DATA = Path(__file__).parent / "data"
JULY = date(2025, 7, 1)
CHICAGO = ZoneInfo("America/Chicago")
OPERATORS = {"<": "lt", "<=": "le"}
CELL = re.compile(r"(?P<value>NA|ICE|-?[\d.]+?)(?P<mark>[PAIE]?)(@(?P<share>[\d.]+)%)?(x(?P<times>\d+))?")
SEPARATOR = {"revision": "||", "multi": "|"}


def rows(name: str) -> list[dict[str, str]]:
    """The cases of a csv, each a row."""
    return list(csv.DictReader((DATA / name).read_text("utf-8").splitlines()))


PUBLISHED = rows("shortfall_cases.csv")
MORE = rows("shortfall_cases_more.csv")
INSTANTS = tables("shortfall.toml", "instants")
NIGHTS = tables("shortfall.toml", "night")


# The grammar of the cells ---------------------------------------------------------------------------------------------


def record(text: str, start: date = JULY, origin: str = "computed") -> list[DailyFlow]:
    """Days from cells ``value[P|A|I|E][@coverage]xN``; NA and ICE carry no value, E is the hydrographer's estimate."""
    days: list[DailyFlow] = []
    for cell in text.split():
        found = CELL.fullmatch(cell)
        assert found, cell
        days += [_day(found, start + timedelta(days=len(days) + k), origin) for k in range(int(found["times"] or 1))]
    return days


def _day(found: re.Match[str], day: date, origin: Any) -> DailyFlow:
    missing = found["value"] in ("NA", "ICE")
    ice = found["value"] == "ICE" or found["mark"] == "I"
    codes = ("Ice",) if ice else ("e", "Ice") if found["mark"] == "E" else ()
    return DailyFlow(
        day,
        None if missing else Decimal(found["value"]),
        "published" if found["mark"] == "E" else origin,
        codes,
        found["mark"].strip("IE"),
        Decimal(found["share"]) / 100 if found["share"] else None,
    )


def threshold_of(text: str) -> Threshold:
    """One base flow, or ``M:06=6.00;07=5.00``."""
    if not text.startswith("M:"):
        return Threshold.constant(Decimal(text))
    return Threshold.monthly({int(m): Decimal(v) for m, v in (one.split("=") for one in text[2:].split(";"))})


def written(found: shortfall.Shortfall) -> tuple[str, str, str]:
    """Spells, trigger dates and first indeterminate dates as the tables write them."""
    if found.status != "EVALUATED":
        return found.status, "", ""
    spells = [f"{s.start}..{s.end}/{s.known_below_days}/{s.possible_days}/{s.status}" for s in found.spells]
    triggers = [str(s.trigger_date) for s in found.spells if s.trigger_date]
    doubts = [str(s.indeterminate_from) for s in found.spells if s.indeterminate_from]
    return " ".join(spells), " ".join(triggers), " ".join(doubts)


def marks(spell: shortfall.Spell) -> str:
    """What is said beside a spell, as the second table writes it."""
    said = [
        "provisional" if spell.provisional else "",
        spell.confidence or "",
        "THRESHOLD_STEP" if spell.threshold_step else "",
        "estimated" if any("estimated:" in one for one in spell.reasons) else "",
    ]
    return " ".join(one for one in said if one)


# A row of a csv -------------------------------------------------------------------------------------------------------


def options(case: dict[str, str]) -> dict[str, Any]:
    """The question a row puts."""
    quantity = "stage" if case["kind"] == "stage" else "discharge"
    days = int(re.fullmatch(r">(\d+) days", case["duration_rule"])[1])  # type: ignore[index]
    return {"operator": OPERATORS[case["operator"]], "more_than_days": days, "quantity": quantity}


def parts(case: dict[str, str]) -> list[tuple[str, list[DailyFlow], Threshold]]:
    """(label, days, base flow) of each gauge or revision of a case."""
    series, base, start = case["daily_series"], case["base_flow"], date.fromisoformat(case["start_date"])
    if case["kind"] == "multi":
        bases = dict(one.split(":") for one in base.split("|"))
        labelled = (one.split(":") for one in series.split("|"))
        return [(name.strip(), record(cells, start), threshold_of(bases[name.strip()])) for name, cells in labelled]
    if case["kind"] == "revision":
        return [(f"v{k}", record(one, start), threshold_of(base)) for k, one in enumerate(series.split("||"), 1)]
    return [("", record(series, start), threshold_of(base))]


def expected(text: str, label: str, separator: str) -> str:
    """The part of an expectation cell that belongs to one gauge or revision; ``-`` is none."""
    if not label:
        return text
    labelled = dict(one.strip().split(" ", 1) for one in text.split(separator) if one.strip())
    return labelled.get(label, "").removeprefix("-")


def wanted(case: dict[str, str]) -> list[tuple[str, ...]]:
    """What a row says must come out."""
    cells = [case["expected_spells"], case["expected_trigger_dates"], case["expected_indeterminate_from"]]
    separator = SEPARATOR.get(case["kind"], "|")
    each = [tuple(expected(text, label, separator) for text in cells) for label, _, _ in parts(case)]
    beside = [(case[name],) for name in ("expected_marks", "expected_changes") if case.get(name)]
    return [*each, *([(case["day_states"],)] if case["day_states"] else []), *beside]


def said(case: dict[str, str], practice: Practice = PRACTICE) -> list[tuple[str, ...]]:
    """What the program says of a row, in the same form."""
    whole, asked = parts(case), options(case)
    found = [shortfall.judge(days, threshold, **asked, practice=practice) for _, days, threshold in whole]
    answer: list[tuple[str, ...]] = [written(one) for one in found]
    if case["day_states"]:
        ((_, days, threshold),) = whole
        states = [day_state(one, threshold.at(one.day), asked["operator"], asked["quantity"], practice) for one in days]
        answer.append(("".join(states),))
    if case.get("expected_marks"):
        answer.append((" / ".join(marks(spell) for one in found for spell in one.spells),))
    if case.get("expected_changes"):
        changes = revision.changes(whole[0][1], found[0], whole[1][1], found[1])
        answer.append((" ".join(f"{one.kind}:{len(one.changed_days)}" for one in changes),))
    return answer


# Readings within a day, and whole nights ------------------------------------------------------------------------------


def said_of_instants(case: dict[str, Any], practice: Practice = PRACTICE) -> str:
    """Spells of readings at even steps of local time, averaged to civil days."""
    start = round(datetime.fromisoformat(case["start"]).replace(tzinfo=CHICAGO).timestamp() * 1000)
    values = [None if one.value is None else float(one.value) for one in record(case["values"])]
    times = [start + k * case["step_minutes"] * 60_000 for k in range(len(values))]
    kept = [(time, value) for time, value in zip(times, values, strict=True) if value is not None]
    means = daily_mean.daily_means(*zip(*kept, strict=True), CHICAGO, practice=practice)
    days = [
        DailyFlow(
            one.day, None if one.mean is None else Decimal(repr(one.mean)), "computed", coverage=one.coverage,
            hole_too_long=one.hole_too_long,
        )
        for one in means
    ]  # fmt: skip
    return written(shortfall.judge(days, threshold_of(case["base_flow"]), practice=practice))[0]


def said_of_night(case: dict[str, Any]) -> list[str]:
    """What one rule finds on the last day given: ``gauge status opened_on`` and what it cannot evaluate."""
    law, start = rule(case["rule"]), date.fromisoformat(case.get("start", BEGAN.isoformat()))
    flows = {one["id"]: record(one["days"], start, "published") for one in case["gauge"] if "days" in one}
    on = max((days[-1].day for days in flows.values()), default=start)
    for one in case["gauge"]:
        before = record(one.get("baseline", ""), date(2020, 1, 1), "published")
        flows[one["id"]] = before + flows.get(one["id"], [])
    gauges = [{key: value for key, value in one.items() if key not in ("days", "baseline")} for one in case["gauge"]]
    signed = [{**BASE_FLOW, **one} for one in case.get("base_flow", [{}])]
    store = Record(flows)
    for visit in case.get("visit", []):
        store.add(visit["gauge"], "discharge", date.fromisoformat(visit["day"]), visit["cfs"], "cfs", series="field")
    question = ask(store, on, at=site(stream=[{**stream(base_flow=None), "base_flow": signed}], gauge=gauges))
    found = base_flow.check(law, question).findings
    lines = [f"{one.station} {one.status} {one.opened_on}{_beside(one, case)}" for one in found]
    return [*lines, *base_flow.not_evaluable(law, question)]


def _beside(finding: Any, case: dict[str, Any]) -> str:
    """The words a case asks for, where they are said."""
    lines = [f"{one.line}: {one.says}" for one in finding.evidence]
    said = "\n".join([finding.reason, finding.confidence, finding.limit, finding.measured, *lines])
    return "".join(f" + {one}" for one in case.get("says", []) if one in said)


# All of them ----------------------------------------------------------------------------------------------------------


def failing(ids: list[str], practice: Practice | None = None) -> list[str]:
    """Which of the named cases do not come out as written."""
    return [id for id in ids if not _holds(id, practice or PRACTICE)]


def _holds(id: str, practice: Practice) -> bool:
    for case in (*PUBLISHED, *MORE):
        if case["case_id"] == id:
            return said(case, practice) == wanted(case)
    for one in INSTANTS:
        if one["case_id"] == id:
            return said_of_instants(one, practice) == one["expected_spells"]
    (night,) = [one for one in NIGHTS if one["case_id"] == id]
    return said_of_night(night) == night["expected"]


def every_id() -> Iterator[str]:
    """All cases, in order."""
    yield from (case["case_id"] for case in (*PUBLISHED, *MORE, *INSTANTS, *NIGHTS))


def practice(**changed: Any) -> Practice:
    """The adopted practice with one number of it changed."""
    return replace(PRACTICE, **changed)
