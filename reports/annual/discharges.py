"""Where pumped water went in the year, and how much: every discharge of the site file, by month as it was measured."""

from __future__ import annotations

from collections.abc import Iterator

from models.discharge import Discharge
from models.known_volumes import KnownVolumes, speaking
from models.pumping_days import HOUR_MS, Share, apportioned, midnight_ms, whole_gallons
from reports.annual.pumped_days import months
from reports.annual.record import AnnualRecord
from reports.annual.table import Column, Row, Section, Table, row_span

NONE = (
    "Discharge locations: none recorded.",
    "Discharge quantities: none recorded. The record holds no discharge point and no discharge measurement for this "
    "site; that says nothing about whether water was discharged.",
)
SAYS = (
    "Where pumped water leaves or is put to use, as the site file declares it. A month's quantity is its share, by "
    "time, of what was measured; time nobody measured is given in hours, and is not a time without discharge.",
)


def section(record: AnnualRecord) -> Section:
    """The discharges, or that none is recorded."""
    if not record.site.discharge:
        return Section("Discharge", NONE)
    return Section("Discharge", SAYS, (_locations(record), _by_month(record)))


def _locations(record: AnnualRecord) -> Table:
    columns = (
        Column("Discharge", "id"), Column("Name"), Column("To"), Column("Water", "id"), Column("Wells", "id"),
        Column("x", "number", 0), Column("y", "number", 0), Column("Measured by"), Column("Permit"),
    )  # fmt: skip
    rows: list[Row] = [
        (one.id, one.name, one.to, one.water or "", ", ".join(one.wells) or "all", *one.position, _method(record, one),
         one.permit)
        for one in record.site.discharge
    ]  # fmt: skip
    note = f"Positions in {record.site.crs}, its own unit."
    return Table("4.7", "Discharge locations", "Discharge locations", columns, rows, (note,))


def _speaks(record: AnnualRecord, one: Discharge) -> KnownVolumes | None:
    return speaking(record.discharged.get(one.id, ()), one.volumes_by)


def _method(record: AnnualRecord, one: Discharge) -> str:
    known = _speaks(record, one)
    return known.says if known else "not measured"


def _by_month(record: AnnualRecord) -> Table:
    columns = (
        Column("Discharge", "id"), Column("Month", "id"), Column("Volume [gal]", "count"),
        Column("Not measured [h]", "number", 1), Column("Rows", "rows"),
    )  # fmt: skip
    rows = [row for one in record.site.discharge for row in _rows(record, one)]
    return Table("4.8", "Discharge by month", "Discharge by month", columns, rows, empty="no discharge was measured")


def _rows(record: AnnualRecord, one: Discharge) -> Iterator[Row]:
    known, firsts = _speaks(record, one), months(record)
    edges = [midnight_ms(record.zone, day) for day in firsts]
    shares = apportioned(known.records[0] if known else (), edges)
    for first, share, gallons in zip(firsts, shares, whole_gallons(shares), strict=False):
        yield _row(one.id, f"{first:%Y-%m}", share, gallons)


def _row(id: str, month: str, share: Share, gallons: int) -> Row:
    missing = share.not_metered_ms / HOUR_MS
    return id, month, gallons if share.metered_ms else None, missing, row_span(share.rows)
