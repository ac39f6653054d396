"""The figures of the annual withdrawal report to the DNR (NR 856.30(2)), a line for each well as the form has them."""

from __future__ import annotations

from calendar import month_abbr
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from models.checks.withdrawal_form import SourceYear, UseYear, by_use, form_of
from models.checks.withdrawal_sources import Source
from models.known_volumes import speaking
from models.logged_volumes import CONTRADICT
from models.pumping_days import midnight_ms
from models.volume_bounds import VolumeRecord
from reports.annual.record import AnnualRecord
from reports.annual.table import Column, Row, Table

NOTE = (
    "Whole gallons; a volume read over the turn of a month is shared by time, and the months add up to the year. A "
    "month in which nothing was measured is blank, not zero. Uses are those of the site file."
)


def form_table(record: AnnualRecord, number: str) -> Table:
    """The form of the year covered."""
    months = [Column(f"{month_abbr[month]} [gal]", "count") for month in range(1, 13)]
    columns = (
        Column("Well", "id"), Column("Uses"), Column("Measured by"), *months, Column("Year [gal]", "count"),
        Column("Not measured [h]", "number", 1),
    )  # fmt: skip
    sources = _sources(record)
    lines = form_of(record.zone, sources, record.year)
    rows = [_row(one) for one in lines]
    notes = (NOTE, *_contradictions(record, sources), *_use_notes(by_use(lines, record.site.water_loss, record.year)))
    title = "Figures of the annual withdrawal report (NR 856.30(2))"
    return Table(number, title, "Withdrawal report", columns, rows, notes, empty="no production well")


def _contradictions(record: AnnualRecord, sources: Sequence[Source]) -> Iterator[str]:
    """What the blank of a month hides: reports of it that cannot both be right."""
    first, last = (midnight_ms(record.zone, date(record.year + k, 1, 1)) for k in (0, 1))
    for one in sources:
        for each in (each for every in one.records for each in every.found if each.note.startswith(CONTRADICT)):
            if each.start_ms < last and each.end_ms > first:
                since = datetime.fromtimestamp(each.start_ms / 1000, record.zone).date()
                yield f"{one.well.id}, from {since}: {each.note}; neither is taken."


def _use_notes(found: Sequence[UseYear]) -> Iterator[str]:
    """Volume of each use, and the water lost by it as stated (NR 856.30(2)(b), (e), (f))."""
    volumes = [f"{_named(one.uses)} {_gal(one.gallons)}" for one in found if one.gallons is not None]
    if volumes:
        yield f"Volume by use, several together where they are not metered apart: {'; '.join(volumes)}."
    losses = [
        f"{(loss.use or 'all uses').replace('_', ' ')} {_gal(gallons)}, {loss.known_as}, by {loss.method} ({loss.by})"
        for one in found
        for loss, gallons in one.losses
    ]
    yield f"Water lost by consumptive use: {'; '.join(losses) or 'not stated ([[water_loss]])'}."


def _named(uses: Sequence[str] | None) -> str:
    if uses is None:
        return "all together"
    return " and ".join(one.replace("_", " ") for one in uses) or "uses not stated"


def _gal(gallons: int | None) -> str:
    return "not known" if gallons is None else f"{gallons:,} gal"


def _sources(record: AnnualRecord) -> list[Source]:
    """Each well by the record that speaks."""
    found = []
    for well in record.site.wells("production"):
        speaks = speaking(record.known.get(well.id, ()), well.volumes_by)
        records = tuple(VolumeRecord(one) for one in speaks.records) if speaks else ()
        found.append(Source(well, "all", records, speaks.says if speaks else "", None))
    return found


def _row(one: SourceYear) -> Row:
    missing = sum(month.not_measured_h for month in one.months)
    uses = ", ".join(use.replace("_", " ") for use in one.uses) or "not stated"
    return one.well, uses, one.method or "not measured", *(month.gallons for month in one.months), one.gallons, missing
