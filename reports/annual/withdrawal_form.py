"""The figures of the annual withdrawal report to the DNR (NR 856.30(2)), a line for each well as the form has them."""

from __future__ import annotations

from calendar import month_abbr
from collections import defaultdict

from models.checks.withdrawal_form import SourceYear, form_of
from models.checks.withdrawal_sources import Source
from models.checks.withdrawal_volumes import VolumeRecord
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
    rows = [_row(one) for one in form_of(record.zone, _sources(record), record.year)]
    title = "Figures of the annual withdrawal report (NR 856.30(2))"
    return Table(number, title, "Withdrawal report", columns, rows, (NOTE,), empty="no production well")


def _sources(record: AnnualRecord) -> list[Source]:
    metered: defaultdict[str, list[VolumeRecord]] = defaultdict(list)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for one in record.pumping:
        kept = tuple(part for part in one.intervals if part.end_ms > part.start_ms)
        metered[one.meter.well].append(VolumeRecord(kept))
        names[one.meter.well].append(one.meter.id)
    return [
        Source(well, "all", tuple(metered[well.id]), f"totalizing meter {', '.join(names[well.id])}"
               if metered[well.id] else "", None)
        for well in record.site.wells("production")
    ]  # fmt: skip


def _row(one: SourceYear) -> Row:
    missing = sum(month.not_measured_h for month in one.months)
    uses = ", ".join(use.replace("_", " ") for use in one.uses) or "not stated"
    return one.well, uses, one.method or "not measured", *(month.gallons for month in one.months), one.gallons, missing
