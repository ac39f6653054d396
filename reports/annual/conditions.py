"""Chapter 6: conditions observed and, apart from them, duties and dates. No word of anybody's fault."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from models.parameters import parameters
from reports.annual.quality import STATUS
from reports.annual.record import AnnualRecord, Duty
from reports.annual.streamflow import SPELL
from reports.annual.table import Chapter, Column, Row, Section, Table, row_span

ROWS = Column("Rows", "rows")
COLUMNS = (
    Column("Clause", "id"), Column("Station", "id"), Column("Measured", "long"), Column("From", "date"),
    Column("To", "date"), Column("Observed", "long"), Column("Limit", "long"), Column("Verdict"), Column("Status"),
    Column("Data"), Column("Before mining"), Column("Reason", "long"), ROWS,
)  # fmt: skip
STANDING = {
    "open": "to be done, no time stated", "running": "running", "overdue": "not done by the statutory date",
    "done": "done", "done_late": "done after the statutory date", "window_open": "window open",
    "window_passed": "window passed", "one_missing": "one receipt not recorded",
    "paused": "standing still by a recorded act",
}  # fmt: skip

SAYS = (
    "A condition is what was measured against what a clause says. It states no cause and nobody's responsibility. "
    "The verdict is the clause's own reading: attained, needs confirmation, cannot tell; the reason says what would "
    "settle it.",
)
DUTIES = (
    "A duty runs only from a recorded act, never from a condition or from the night that found it. Plain is the day "
    "to plan by; statutory is the day computed by the ordinance's rule, the later of the two. Cases about a "
    "household's supply are named by their clause and a number alone.",
)


def chapter(record: AnnualRecord) -> Chapter:
    """Conditions that stand, information, what was withdrawn; then duties."""
    tables = (_standing(record), _information(record), _withdrawn(record))
    duties = Section("Duties and dates", DUTIES, (_duties(record),), apart=True)
    return Chapter(6, "Conditions and duties", SAYS, (Section("Conditions observed", (), tables), duties))


def _of_year(record: AnnualRecord) -> list[Mapping[str, Any]]:
    """Findings whose period touches the year; one going on has no end."""
    return [
        _discreet(record, one)
        for one in record.findings
        if date.fromisoformat(one["start"]) <= record.end
        and (one["end"] is None or date.fromisoformat(one["end"]) >= record.start)
    ]


NOT_PUBLIC = "in the town's own record"


def _discreet(record: AnnualRecord, one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of a private well only laboratory results are told: a modelled number or a day may give away place and people."""
    private = {well.id for well in record.site.wells("private")}
    known = {station.id for station in record.site.stations()}
    laboratory = one["parameter"] != "depth_to_water"
    if laboratory or (one["station"] in known and one["station"] not in private):
        return one
    hidden = dict.fromkeys(("measured", "limit", "reason"), NOT_PUBLIC)
    return {**one, **hidden, "start": f"{one['start'][:4]}-01-01", "end": None, "evidence": []}


def _standing(record: AnnualRecord) -> Table:
    gone = {"retracted", "superseded"}
    found = [one for one in _of_year(record) if not one["information"] and one["change"] not in gone]
    rows = [_row(one) for one in _in_order(found)]
    return Table("6.1", "Conditions observed", "Conditions", COLUMNS, rows, empty="no condition observed")


def _information(record: AnnualRecord) -> Table:
    gone = {"retracted", "superseded"}
    found = [one for one in _of_year(record) if one["information"] and one["change"] not in gone]
    note = "For information: these clauses state no number of days and open no duty."
    rows = [_row(one) for one in _in_order(found)]
    return Table("6.2", "For information", "Information", COLUMNS, rows, (note,))


def _withdrawn(record: AnnualRecord) -> Table:
    found = [one for one in _of_year(record) if one["change"] == "retracted"]
    note = "Told during the year on the data of that day, and withdrawn after new or revised data. They do not stand."
    rows = [_row(one) for one in _in_order(found)]
    return Table("6.3", "Withdrawn after revised data", "Withdrawn", COLUMNS, rows, (note,), "none withdrawn")


def _in_order(found: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(found, key=lambda one: (one["clause"], one["station"], one["start"], one["parameter"], one["aspect"]))


def _row(one: Mapping[str, Any]) -> Row:
    before = {True: "attained", False: "not attained", None: ""}[one["attained_in_baseline"]]
    end = None if one["end"] is None else date.fromisoformat(one["end"])
    rows = [id for line in one["evidence"] for id in line["rows"]]
    measured = " ".join(part for part in (_subject(one), one["aspect"].partition(" [")[0]) if part)
    discreet = one["measured"] == NOT_PUBLIC
    return (
        one["clause"], one["station"], measured, None if discreet else date.fromisoformat(one["start"]), end,
        one["measured"], one["limit"],
        STATUS.get(one["verdict"], one["verdict"]), _status(one["status"]),
        "provisional" if one["provisional"] else "", before, one["reason"], row_span(rows),
    )  # fmt: skip


def _subject(one: Mapping[str, Any]) -> str:
    """What was measured, or the dated duty by its title."""
    known = parameters().get(one["parameter"])
    return known.name if known else str(one["facts"].get("title", one["parameter"].replace("_", " ")))


def _status(word: str) -> str:
    known = {**STATUS, **SPELL, "INFORMATION": "information"}
    return known.get(word, word.replace("_", " ").lower() if word.isupper() else word)


def _duties(record: AnnualRecord) -> Table:
    columns = (
        Column("Case", "long"), Column("Clause", "id"), Column("Duty or step", "long"), Column("Who"),
        Column("Runs from"), Column("Since", "date"), Column("Plain due", "date"), Column("Statutory due", "date"),
        Column("Done by"), Column("Done on", "date"), Column("Standing"), Column("Case is"),
    )  # fmt: skip
    rows = [_duty_row(record, one) for one in record.duties if _touches(record, one)]
    note = f"As recorded up to {record.on}. Acts carry no measured rows; they stand in the town's record of acts."
    return Table("6.4", "Duties and dates", "Duties", columns, rows, (note,), "no duty was opened")


def _touches(record: AnnualRecord, one: Duty) -> bool:
    started, done = one.deadline.started_at, one.deadline.done_at
    return _day(record, started) <= record.end and (done is None or _day(record, done) >= record.start)


def _day(record: AnnualRecord, instant: datetime) -> date:
    return instant.astimezone(record.zone).date()


def _duty_row(record: AnnualRecord, one: Duty) -> Row:
    owed = one.deadline
    return (
        one.case, owed.clause, owed.title, owed.who, owed.started_by.replace("_", " "),
        _day(record, owed.started_at), owed.due_day(owed.plain, record.zone), owed.due_day(owed.statutory, record.zone),
        (owed.done_by or "").replace("_", " "), _day(record, owed.done_at) if owed.done_at else None,
        STANDING[owed.standing] + (" (its finding was withdrawn)" if owed.withdrawn else ""), one.status,
    )  # fmt: skip
