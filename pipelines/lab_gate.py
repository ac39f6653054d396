"""The gate for a laboratory before it submits: a deliverable read and held against the rules of ``models.lab_gate``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from ingest.formats import read
from ingest.laboratory.mapped import TableMap
from ingest.reading import CUT, LAST_LINE, Reading, Told
from models.errors import BadFile
from models.lab_gate import Broken, Fault, count, grouped, of_reject
from models.lab_gate_pair import of_samples
from models.lab_gate_result import Delivered, Terms, delivered, is_of_a_laboratory, of_dates, of_result
from models.lab_gate_sample import SampleBalance, balances, of_balances
from models.lab_gate_site import of_site, stations_by_name
from models.observation import TIDY, tidy
from models.policy import Policy, default_policy
from models.question import stored_rows
from models.site import Site
from models.standards import law_of
from pipelines.site_folder import open_site

STANDARDS = "nr140"
"""Only for the names of its substances and its PALs, which a LOD should lie below."""
UNDATED = "undated"
APART = ("quality_control", "field_duplicates", "not_water")


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
    """What the gate says of one deliverable. ``apart``: rows set apart, by why; ``balances``: of each full analysis."""

    reading: Reading
    results: int
    apart: Mapping[str, int]
    broken: tuple[Broken, ...]
    balances: tuple[SampleBalance, ...]

    @property
    def accepted(self) -> bool:
        return count(self.broken, "error") == 0


def against(site_dir: Path | None) -> Against:
    """The site's own terms on its own day; without one the defaults. No clock of the world is a day ahead of UTC.

    Raises
    ------
    BadSite, BadLaw : the site cannot be read.
    """
    if site_dir is None:
        return Against(default_policy(), datetime.now(UTC).date() + timedelta(days=1))
    folder = open_site(site_dir)
    zone = ZoneInfo(folder.law.zone)
    return Against(folder.policy, datetime.now(zone).date(), folder.site, zone)


def gate(
    path: Path, what: Against, *, format: str | None = None, told: Told, table_map: TableMap | None = None
) -> Gate:
    """Read a deliverable and say what keeps it from being taken. Stores nothing.

    Raises
    ------
    BadFile : it cannot be read.
    """
    reading = read(path, format=format, told=told, table_map=table_map)
    results = delivered(stored_rows(_rows(reading)), what.zone)
    found = balances(results, what.policy)
    faults = [*_of_file(reading, results), *_of_results(reading, results, what), *of_balances(found)]
    apart = {name: len(reading.tables[name]) for name in APART if name in reading.tables}
    return Gate(reading, len(results), apart, grouped(faults), tuple(found))


def _rows(reading: Reading) -> pd.DataFrame:
    rows = _of_text(reading.tables[UNDATED]) if UNDATED in reading.tables else reading.observations
    return rows.assign(row_id=rows["row"].astype(str), day=None)


def _of_text(table: pd.DataFrame) -> pd.DataFrame:
    """A table of text back as tidy rows."""
    numbers = pd.to_numeric(table["value"], errors="coerce")  # blank where there is none
    return tidy({name: numbers if name == "value" else table[name].to_numpy() for name in TIDY})


def _of_file(reading: Reading, results: Sequence[Delivered]) -> Iterator[Fault]:
    yield from map(of_reject, reading.rejects)
    if not any(map(is_of_a_laboratory, results)):
        yield Fault("nothing-to-judge", 0, f"{reading.format}: {len(results)} rows")
    if UNDATED in reading.tables and results:
        yield Fault("not-dated", 0, f"{len(results)} results")
    if unread := reading.facts.get("columns_not_read"):
        yield Fault("columns-not-read", 0, unread)
    if LAST_LINE in reading.facts:
        yield Fault("cut-short", 0, CUT)


def _of_results(reading: Reading, results: Sequence[Delivered], what: Against) -> Iterator[Fault]:
    law, site = law_of(STANDARDS), what.site
    known = frozenset() if site is None else frozenset(stations_by_name(site))
    terms = Terms(law, what.latest, UNDATED not in reading.tables, known)
    for one in results:
        yield from of_result(terms, one)
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
        "set_apart": dict(found.apart), "rules": [_rule(one) for one in found.broken],
        "charge_balances": [_balance(one) for one in found.balances],
    }  # fmt: skip


def not_read(error: BadFile) -> dict[str, Any]:
    """The answer for a file that cannot be read at all."""
    return {
        "file": error.file, "format": None, "sha256": None, "verdict": "not read", "error": str(error), "results": 0,
        "errors": 1, "warnings": 0, "set_apart": {}, "rules": [], "charge_balances": [],
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
