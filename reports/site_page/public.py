"""What the public may read: findings, clocks, stations and results, without a household and without its exact place.

Of a private well only its id and quarter-quarter section are told. Numbers computed at its exact place
(a modelled drawdown, a distance) or taken from the household's own log stay out: of its findings only
laboratory results carry a measured value. A case about a property appears without its subject.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pandas as pd

from models.case import CaseId
from models.clock import Deadline
from models.finding import Finding
from models.parameters import parameters
from models.rules import Ordinance
from models.site import Site, Well
from reports.information import information_counts
from reports.site_page.record import SiteRecord, StationRecord
from reports.site_page.table import Cell, Table, Tone, row

RECENT_DAYS = 366
"""A finding that is over is listed this long; older ones are counted."""
NOT_PUBLIC = "not public"
HOUSEHOLD = "a household (not named)"
_TONES: dict[str, Tone] = {
    "attained": "alert", "needs_confirmation": "doubt", "indeterminate": "doubt", "overdue": "alert",
    "one_missing": "doubt", "running": "doubt", "open": "doubt", "window_open": "doubt",
}  # fmt: skip


def words(name: str) -> str:
    """A status or id as words."""
    return name.replace("_", " ")


def substance(id: str) -> str:
    """A parameter's name in print."""
    known = parameters().get(id)
    return known.name if known else words(id)


def private_well(site: Site, station: str) -> Well | None:
    """The private well of this id, if it is one."""
    return next((one for one in site.wells("private") if one.id == station), None)


def is_private(site: Site, station: str) -> bool:
    """Whether a station is private, or is no more in the site file and may have been."""
    return station not in {one.id for one in site.stations()} or private_well(site, station) is not None


def station_words(site: Site, station: str) -> str:
    """A station's id; for a private well with the quarter-quarter section it stands in."""
    well = private_well(site, station)
    return station if well is None else f"{station} (private well, {well.quarter_quarter or 'place not stated'})"


def listed(record: SiteRecord) -> list[Finding]:
    """Findings that go on, or came to be within ``RECENT_DAYS``; newest first. Information is left to the reports,
    but for a gauge that is silent now: who reads of no shortfall must know that nobody could see one.
    """
    since = record.on - timedelta(days=RECENT_DAYS)
    found = [one for one in record.findings if not one.information and (one.ongoing or one.opened_on >= since)]
    found += [one for one in record.findings if one.status == "OUTAGE" and one.ongoing]
    return sorted(found, key=lambda one: (one.ongoing, one.opened_on, one.key), reverse=True)


def older(record: SiteRecord) -> int:
    """How many findings stand on record and are not listed."""
    shown = {one.key for one in listed(record)}
    return len([one for one in record.findings if not one.information and one.key not in shown])


def findings_table(record: SiteRecord) -> Table:
    """Rule, clause, station, period, measured, limit, verdict."""
    columns = (
        "Condition",
        "Clause",
        "Station",
        "What",
        "Period",
        "Measured",
        "Limit",
        "Verdict",
        "Why, and what the data are",
    )
    rows = [_finding_row(one, record) for one in listed(record)]
    shown = information_counts(record.findings)
    none = "No condition under the ordinance stands on record."
    if shown:
        none = f"No condition that opens a duty stands on record. Under clauses that are information: {shown}."
    return Table("Findings", columns, rows, none)


def _finding_row(one: Finding, record: SiteRecord) -> list[Cell]:
    rule = record.law.rule_of(one.rule)
    private = is_private(record.site, one.station)
    told = not private or rule.kind == "groundwater_quality"
    measured, limit = (one.measured, one.limit) if told else (NOT_PUBLIC, NOT_PUBLIC)
    aspect = one.aspect.partition(" [")[0]
    what = f"{substance(one.parameter)}{f', {aspect}' if aspect and told else ''}"
    return row(
        rule.title, _clause(one.clause), station_words(record.site, one.station), what, _period(one, told=told),
        measured, limit,
        Cell(words(one.verdict), _TONES.get(one.verdict, "")), _why(one, _reason(one, private=private, told=told)),
    )  # fmt: skip


def _clause(clause: str) -> Cell:
    return Cell(clause.replace(", ", ",\n"), "brief")


def _period(one: Finding, *, told: bool) -> Cell:
    """At a private well the days may be the household's own words, and only the year is told."""
    if not told:
        return Cell(f"since {one.start.year}" if one.ongoing else f"in {one.start.year}", "brief")
    if one.ongoing:
        return Cell(f"{one.start}\nto now", "brief")
    return Cell(str(one.start) if one.end in (None, one.start) else f"{one.start}\nto {one.end}", "brief")


def _reason(one: Finding, *, private: bool, told: bool) -> str:
    """At a private well a reason may speak of the exact place, and is not told."""
    return one.reason if not private else "" if told else NOT_PUBLIC


def _why(one: Finding, reason: str) -> str:
    """The reason, and whether the data may still change."""
    marks = ["provisional" if one.provisional and "provisional" not in reason else "", words(one.confidence).lower()]
    marks += ["the same standard was attained before mining" if one.attained_in_baseline else "", reason]
    return "; ".join(mark for mark in marks if mark) or "as reported"


def clocks_table(record: SiteRecord) -> Table:
    """Clause, step, whose it is, where it stands and both due days; of a household's case never whose it is."""
    columns = ("Clause", "Step", "About", "Who acts", "Standing", "Due (plain)", "Due (statutory)")
    ended = {"done", "done_late", "window_passed"}
    ordered = sorted(record.deadlines, key=lambda one: (one.standing in ended, one.case, one.started_at))
    rows = [_clock_row(one, record) for one in ordered]
    return Table("Clocks", columns, rows, "No clock is running.")


def _clock_row(one: Deadline, record: SiteRecord) -> list[Cell]:
    plain, statutory = (one.due_day(when, record.zone) for when in (one.plain, one.statutory))
    said = words(one.standing) + (" (its finding was withdrawn)" if one.withdrawn else "")
    standing = Cell(said, _TONES.get(one.standing, "faint"))
    due = ("no time is stated", "") if plain is None and statutory is None else (plain, statutory)
    return row(_clause(one.clause), one.title, _about(one.case, record.law), one.who, standing, *due)


def _about(case: str, law: Ordinance) -> str:
    id = CaseId.parse(case)
    kind = law.case_kind(id.kind)
    return id.subject if kind is not None and kind.subject == "gauge" else HOUSEHOLD


def cases_table(record: SiteRecord) -> Table:
    """Counts by kind of case."""
    rows = [row(one.title, one.clause, one.open, one.closed) for one in record.cases]
    return Table("Cases", ("Kind of case", "Clause", "Open", "Closed"), rows, "No case is on record.")


def stations_table(record: SiteRecord) -> Table:
    """Last known day and freshness of every station."""
    columns = ("Station", "What", "Name", "Last known day", "Days ago", "Values shown here", "Standing")
    rows = [_station_row(one, record) for one in record.stations]
    return Table("Stations", columns, rows, "The site has no station.")


def _station_row(one: StationRecord, record: SiteRecord) -> list[Cell]:
    age = None if one.last_day is None else (record.on - one.last_day).days
    last = one.last_day or f"none since {record.since}"
    return row(one.id, one.kind, one.name, last, "" if age is None else age, one.n, freshness(one, record))


def freshness(one: StationRecord, record: SiteRecord) -> Cell:
    """Whether a station that reports daily has fallen silent under ``policy.stale_after``."""
    if one.last_day is None:
        return Cell("no value", "doubt")
    if not one.daily:
        return Cell("read on rounds", "faint")
    stale = (record.on - one.last_day).days > record.policy.stale_after.value
    return Cell("stale", "alert") if stale else Cell("current", "calm")


def exceedance_table(record: SiteRecord) -> Table:
    """Results since mining began that attain a standard of NR 140, or need confirmation under the clause."""
    columns = (
        "Well", "Substance", "Sampled", "Result", "Standard", "Kind", "NR 140 status", "Under the clause",
        "Before mining", "Row",
    )  # fmt: skip
    rows = [_exceedance_row(one, record.site) for one in record.attained.to_dict("records")]
    caption = "Results at or over a standard since mining began"
    return Table(caption, columns, rows, "No result since mining began attains a standard.")


def _exceedance_row(one: dict[str, object] | dict[object, object], site: Site) -> list[Cell]:
    text: Callable[[str], str] = lambda name: str(one[name])  # noqa: E731
    status, verdict = text("nr140_status"), text("verdict")
    return row(
        station_words(site, text("station")), substance(text("substance")), text("sampled"),
        f"{text('value_text')} {text('unit')}", text("standard_text"), f"{text('kind')}, Table {text('table')}",
        Cell(words(status), _TONES.get(status, "")), Cell(words(verdict), _TONES.get(verdict, "")),
        "already attained" if one["in_baseline"] else "not attained", text("row_id"),
    )  # fmt: skip


def drawdown_table(record: SiteRecord) -> Table:
    """The model at monitoring wells, to 0.1 ft, with its range."""
    rows = [row(one.well, f"{one.best:.1f}", f"{one.low:.1f} to {one.high:.1f}", one.on) for one in record.drawdowns]
    columns = ("Well", "Drawdown, ft", "Range, ft", "At the end of")
    return Table("Modelled drawdown at monitoring wells", columns, rows, "Nothing is modelled.")


def depletion_table(record: SiteRecord) -> Table:
    """The model at each stream, to two figures, with its range. The numbers are not added up."""
    rows = [row(one.stream, f"{one.best:.2g}", f"{one.low:.2g} to {one.high:.2g}", one.on) for one in record.depletions]
    columns = ("Stream", "Depletion by metered pumping, cfs", "Range, cfs", "At the end of")
    return Table("Modelled depletion of streams, each as if alone", columns, rows, "Nothing is modelled.")


def glance(record: SiteRecord) -> list[tuple[int, str]]:
    """The page in five numbers."""
    shown = listed(record)
    standing = [freshness(one, record).text for one in record.stations]
    clocks = [one.standing for one in record.deadlines]
    running = {"open", "running", "window_open", "one_missing"}
    return [
        (sum(one.ongoing for one in shown), "going on now"),
        (len(shown), "findings in the past year"),
        (sum(one in running for one in clocks), "clocks and duties open"),
        (clocks.count("overdue"), "overdue"),
        (standing.count("stale") + standing.count("no value"), "stations silent"),
    ]


def sampled_since(frame: pd.DataFrame, began: date) -> pd.DataFrame:
    """Results at or over a standard, or to be confirmed, sampled since mining began; baseline attainment beside.

    Parameters
    ----------
    frame : columns ``station substance sampled kind table nr140_status verdict``, the whole record.
    """
    if frame.empty:
        return frame.assign(in_baseline=[])
    keys = ["station", "substance", "kind", "table"]
    before = frame["sampled"] < began.isoformat()
    attained = frame["nr140_status"] == "attained"
    known = set(frame.loc[before & attained, keys].itertuples(index=False, name=None))
    shown = frame[~before & (attained | (frame["verdict"] == "needs_confirmation"))]
    flags = [key in known for key in shown[keys].itertuples(index=False, name=None)]
    ordered = shown.assign(in_baseline=flags).sort_values(["sampled", *keys], ascending=[False, *[True] * 4])
    return ordered.reset_index(drop=True)
