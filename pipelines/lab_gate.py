"""The gate for a laboratory before it submits: a deliverable read and held against the rules of ``models.lab_gate``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from ingest.arrival import DUPLICATES, FLAGS, UNDATED, VALUES, field_duplicates, once, place, with_duplicates
from ingest.canonical import converted
from ingest.cells import clipped
from ingest.formats import read
from ingest.laboratory.mapped import TableMap
from ingest.message import safe_name
from ingest.packed.members import Member, is_document
from ingest.packed.unread import REASON as SHEET_LEFT_OUT
from ingest.reading import CUT, LAST_LINE, Reading, Told
from models.errors import BadFile
from models.household import Households
from models.lab_gate import Broken, Fault, count, grouped, of_reject
from models.lab_gate_pair import of_samples, with_disputes
from models.lab_gate_result import Delivered, Terms, delivered, is_of_a_laboratory, of_dates, of_result
from models.lab_gate_sample import SampleBalance, balances, of_balances, of_columns, of_words
from models.lab_gate_site import of_site, stations_by_name
from models.observation import TIDY, Reject, tidy
from models.policy import Policy, default_policy
from models.question import stored_rows
from models.site import Site
from models.standards import law_of
from pipelines import inbox, parcels
from pipelines.site_folder import open_site

STANDARDS = "nr140"
"""Only for the names of its substances and its PALs, which a LOD should lie below."""
FACTS = {
    "columns-not-read": ("columns_not_read",), "sheets-not-read": ("sheets_not_read", "not_read"),
    "sample-without-results": ("samples_without_results",),
}  # fmt: skip
"""Facts of a reading that break a rule, which name what breaks it."""
STRANGER = "station-unknown"
UNPLACED = {"unit-unknown", "parameter-unknown", "parameter-asked-unknown"}
CONTROL = "quality_control"
APART = (CONTROL, "not_water")
DOCUMENT = "document"
"""Verdict on a report or a picture beside the data: kept with its delivery, and not read."""


@dataclass(frozen=True)
class Against:
    """What a deliverable is held against: a site where one is known, the thresholds, and the last day there can be.

    ``zone``: the clock of the site, by which an instant in UTC has its day.
    """

    policy: Policy
    latest: date
    site: Site | None = None
    zone: ZoneInfo | None = None


@dataclass(frozen=True)
class Gate:
    """What the gate says of one deliverable.

    ``apart``: rows set apart, by why; ``balances``: of each full analysis; ``not_taken``: values left out.
    """

    reading: Reading
    results: int
    apart: Mapping[str, int]
    broken: tuple[Broken, ...]
    balances: tuple[SampleBalance, ...]
    not_taken: int = 0

    @property
    def accepted(self) -> bool:
        return count(self.broken, "error") == 0


def against(site_dir: Path | None, now: datetime) -> Against:
    """The site's own terms on its own day; without one the defaults. No clock of the world is a day ahead of UTC.

    Raises
    ------
    BadSite, BadLaw : the site cannot be read.
    """
    if site_dir is None:
        return Against(default_policy(), now.astimezone(UTC).date() + timedelta(days=1))
    folder = open_site(site_dir)
    zone = ZoneInfo(folder.law.zone)
    return Against(folder.policy, now.astimezone(zone).date(), folder.site, zone)


def gates(
    path: Path, what: Against, *, format: str | None = None, told: Told, table_map: TableMap | None = None
) -> Iterator[dict[str, Any]]:
    """The answer for a file, or for each of the deliveries that a zip or a folder holds for ``ingest``."""
    terms = partial(_answered, what=what, format=format, told=told, table_map=table_map)
    for file in list(inbox.waiting(path)) if path.is_dir() else [path]:
        name = f"{path.name}/{file.name}" if path.is_dir() else path.name
        inside = parcels.members(file)
        if inside is None:
            yield terms(file, name)
        for one in () if inside is None else inside.files:
            yield _of_member(one, f"{name}/{parcels.member_name(one, Households())}", terms)


def _of_member(one: Member, name: str, answered: Callable[[Path, str], dict[str, Any]]) -> dict[str, Any]:
    if one.reason:
        return not_read(BadFile(one.reason, file=name))
    if is_document(one.content):
        return _unjudged(name, DOCUMENT)
    with TemporaryDirectory(prefix=parcels.LAID_OUT) as folder:
        path = Path(folder) / safe_name(name, one.content)
        path.write_bytes(one.content)
        return answered(path, name)


def _answered(
    path: Path, name: str, what: Against, format: str | None, told: Told, table_map: TableMap | None
) -> dict[str, Any]:  # fmt: skip
    try:
        found = gate(path, what, format=format, told=told, table_map=table_map)
    except BadFile as caught:
        return not_read(BadFile(caught.reason, file=name, row=caught.row, key=caught.key, found=caught.found,
                                allowed=caught.allowed))  # fmt: skip
    return answer(found) | {"file": name}


def gate(
    path: Path, what: Against, *, format: str | None = None, told: Told, table_map: TableMap | None = None
) -> Gate:
    """Read one delivery and say what keeps it from being taken. Stores nothing.

    Raises
    ------
    BadFile : it cannot be read.
    """
    reading = read(path, format=format, told=told, table_map=table_map)
    results = delivered(stored_rows(_rows(reading)), what.zone)
    found = balances(results, what.policy)
    placing = _placing(reading, what)
    faults = [*_of_file(reading, results), *_of_results(reading, results, what), *of_balances(found)]
    not_taken = sum(one.rows for one in (*reading.rejects, *placing))
    faults += _of_placing([one for one in placing if not _disputes(one)], faults)
    broken = grouped(with_disputes(faults, [one for one in placing if _disputes(one)], results))
    return Gate(reading, len(results), _apart(reading), broken, tuple(found), not_taken)


def _placing(reading: Reading, what: Against) -> list[Reject]:
    """What ``ingest`` would leave out of what was read: at a site all that it would; without one, but for the clock."""
    if what.site is not None and what.zone is not None:
        before = set(reading.rejects)
        return [one for one in place(reading, what.site, what.zone).rejects if one not in before]
    rows, unmeasured = converted(with_duplicates(reading), reading.file)
    return [*unmeasured, *once(rows, reading.file)[2]]


def _disputes(one: Reject) -> bool:
    return one.reason.startswith((VALUES, FLAGS))


def _of_placing(placing: Sequence[Reject], faults: Sequence[Fault]) -> Iterator[Fault]:
    """What is left out when rows are placed and no rule has told yet: a rule names every row, placing one of many."""
    told = {one.row for one in faults if one.rule in UNPLACED}
    strangers = {clipped(one.station) for one in faults if one.rule == STRANGER}
    for one in placing:
        if one.column == "station":
            if one.raw not in strangers:
                yield of_reject(one, STRANGER)
        elif one.row not in told:
            yield of_reject(one, "time-not-told" if one.column == "time" else "")


def _apart(reading: Reading) -> dict[str, int]:
    """Rows set apart, each counted once and as ``ingest`` counts them: a duplicate that is kept is no other control."""
    kept = field_duplicates(reading)
    counts = {name: len(reading.tables[name]) for name in APART if name in reading.tables}
    among = kept["row"].nunique() if len(kept) else 0
    counts = {**counts, CONTROL: counts.get(CONTROL, 0) - among, DUPLICATES: len(kept)}
    return {name: n for name, n in counts.items() if n}


def _rows(reading: Reading) -> pd.DataFrame:
    rows = _of_text(reading.tables[UNDATED]) if UNDATED in reading.tables else reading.observations
    return rows.assign(row_id=rows["row"].astype(str), day=None)


def _of_text(table: pd.DataFrame) -> pd.DataFrame:
    """A table of text back as tidy rows."""
    numbers = pd.to_numeric(table["value"], errors="coerce")  # blank where there is none
    return tidy({name: numbers if name == "value" else table[name].to_numpy() for name in TIDY})


def _of_file(reading: Reading, results: Sequence[Delivered]) -> Iterator[Fault]:
    for one in reading.rejects:
        yield of_reject(one, "sheet-with-results-not-read" if one.reason == SHEET_LEFT_OUT else "")
    if not any(map(is_of_a_laboratory, results)):
        yield Fault("nothing-to-judge", 0, f"{reading.format}: {len(results)} rows")
    if UNDATED in reading.tables and results:
        yield Fault("not-dated", 0, f"{len(results)} results")
    for rule, facts in FACTS.items():
        if told := ", ".join(filter(None, (reading.facts.get(name, "") for name in facts))):
            yield Fault(rule, 0, told)
    if LAST_LINE in reading.facts:
        yield Fault("cut-short", 0, CUT)


def _of_results(reading: Reading, results: Sequence[Delivered], what: Against) -> Iterator[Fault]:
    law, site = law_of(STANDARDS), what.site
    known = frozenset() if site is None else frozenset(stations_by_name(site))
    terms = Terms(law, what.latest, UNDATED not in reading.tables, known)
    for one in results:
        yield from of_result(terms, one)
    yield from of_words(terms, results)
    yield from of_columns(results)
    yield from of_samples(results, what.policy, law.forms)
    if terms.dated:
        yield from of_dates(results)
    if site is not None and terms.dated:
        yield from of_site(results, site, law.counts_as)


def answer(found: Gate) -> dict[str, Any]:
    """The gate's answer as plain data."""
    return {
        "file": found.reading.file, "format": found.reading.format, "sha256": found.reading.sha256,
        "verdict": "accepted" if found.accepted else "rejected", "results": found.results,
        "errors": count(found.broken, "error"), "warnings": count(found.broken, "warning"),
        "not_taken": found.not_taken,
        "set_apart": dict(found.apart), "rules": [_rule(one) for one in found.broken],
        "charge_balances": [_balance(one) for one in found.balances],
    }  # fmt: skip


def not_read(error: BadFile) -> dict[str, Any]:
    """The answer for a file that cannot be read at all."""
    return _unjudged(error.file, "not read") | {"error": str(error), "errors": 1}


def _unjudged(file: str | None, verdict: str) -> dict[str, Any]:
    return {
        "file": file, "format": None, "sha256": None, "verdict": verdict, "results": 0, "errors": 0, "warnings": 0,
        "not_taken": 0, "set_apart": {}, "rules": [], "charge_balances": [],
    }  # fmt: skip


def _rule(one: Broken) -> dict[str, Any]:
    rule = {("rule" if name == "id" else name): text for name, text in asdict(one.rule).items()}
    faults = [{name: cell for name, cell in vars(fault).items() if name != "rule"} for fault in one.faults]
    return rule | {"count": len(faults), "faults": faults}


def _balance(one: SampleBalance) -> dict[str, Any]:
    found = one.found
    sums = {"cations_meq_l": found.cations, "anions_meq_l": found.anions, "difference_percent": found.percent}
    return {
        "row": one.row, "station": one.station, "sample": one.sample, "sampled": one.sampled, "fraction": one.fraction,
        "standing": found.standing, "says": found.says(), "limit": found.limit, "used": list(found.used),
        "missing": list(found.missing),
        **{name: None if ends is None else [float(end) for end in ends] for name, ends in sums.items()},
    }  # fmt: skip
