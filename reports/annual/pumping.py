"""Chapter 4: actual pumping rates and times from the meters, what was reported beside them, and discharges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.pumping_days import HOUR_MS, MS_IN_A_MINUTE, Share, apportioned, midnight_ms, whole_gallons
from reports.annual import discharges
from reports.annual.pumped_days import days_table, methods_table, months
from reports.annual.record import AnnualRecord, Pumping
from reports.annual.table import Chapter, Column, Row, Section, Table, row_span
from reports.annual.withdrawal_form import form_table

ROWS = Column("Rows", "rows")

SAYS = (
    "The meters are read now and then, not continuously: the volume between two readings is known, the hour at which "
    "a pump ran inside it is not. A month's volume is its share, by time, of each interval; the months add up "
    "exactly to the readings. Days with pumping are days inside intervals in which the register moved: the pump ran "
    "on at most so many.",
    "What was reported for a month stands beside the metered volume with the difference. The two are not averaged. A "
    "reading taken during a day moves the hours before or after it into the neighbouring month; that alone makes "
    "small differences.",
)


def chapter(record: AnnualRecord) -> Chapter:
    """Months by meter, months against reports by well, every interval, discharges."""
    pumping = Section("Pumping rates and times", (), (_by_month(record), _against_reports(record), _intervals(record)))
    form = Section("Withdrawal report", (), (form_table(record, "4.4"),))
    beside = Section("Records beside each other", (), (methods_table(record, "4.5"), days_table(record, "4.6")))
    return Chapter(4, "Pumping and discharge", SAYS, (pumping, form, beside, discharges.section(record)))


def monthly(record: AnnualRecord, one: Pumping) -> list[Share]:
    """One meter's volumes by calendar month of the ordinance's zone."""
    edges = [_midnight_ms(record, day) for day in months(record)]
    return apportioned(one.intervals, edges)


def _midnight_ms(record: AnnualRecord, day: date) -> int:
    return midnight_ms(record.zone, day)


def _by_month(record: AnnualRecord) -> Table:
    columns = (
        Column("Meter", "id"), Column("Well", "id"), Column("Month", "id"), Column("Metered volume [gal]", "count"),
        Column("Mean rate over metered time [gpm]", "number", 1), Column("Days with pumping, at most", "number", 1),
        Column("Time not metered [h]", "number", 1), ROWS,
    )  # fmt: skip
    rows = [row for one in record.pumping for row in _month_rows(record, one)]
    return Table("4.1", "Metered pumping by month", "Pumping by month", columns, rows, empty="no meter was read")


def _month_rows(record: AnnualRecord, one: Pumping) -> Iterator[Row]:
    shares = monthly(record, one)
    gallons = whole_gallons(shares)
    for first, share, volume in zip(months(record), shares, gallons, strict=False):
        yield _month_row(one, f"{first:%Y-%m}", share, volume)
    year = apportioned(one.intervals, [shares[0].start_ms, shares[-1].end_ms])[0]
    yield _month_row(one, f"{record.year}, all", year, sum(gallons))


def _month_row(one: Pumping, name: str, share: Share, volume: int) -> Row:
    return (
        one.meter.id, one.meter.well, name, volume if share.metered_ms else None, share.mean_gpm,
        share.running_ms / DAY_MS, share.not_metered_ms / HOUR_MS, row_span(share.rows),
    )  # fmt: skip


def _against_reports(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("Month", "id"), Column("Metered [gal]", "count"),
        Column("Reported [gal]", "count"), Column("Reported less metered [gal]", "count"),
        Column("Of metered [%]", "number", 1), ROWS,
    )  # fmt: skip
    metered = _metered_by_well(record)
    reported = {(one.well, one.month): one for one in record.reported}
    wells = sorted({*metered, *(one.well for one in record.reported)})
    rows = []
    for well in wells:
        for k, first in enumerate(months(record)[:-1]):
            volume = metered[well][k] if well in metered else None
            told = reported.get((well, first))
            rows.append(
                _beside(well, f"{first:%Y-%m}", volume, told.volume_gal if told else None, told.row if told else "")
            )
    note = "Metered: all meters of the well. A month without metered time is blank, not zero."
    return Table("4.2", "Reported beside metered volumes", "Reported and metered", columns, rows, (note,))


def _metered_by_well(record: AnnualRecord) -> dict[str, list[int | None]]:
    found: dict[str, list[list[int | None]]] = defaultdict(list)
    for one in record.pumping:
        shares = monthly(record, one)
        whole = whole_gallons(shares)
        found[one.meter.well].append([v if s.metered_ms else None for s, v in zip(shares, whole, strict=True)])
    return {well: [_total(column) for column in zip(*meters, strict=True)] for well, meters in found.items()}


def _total(volumes: Sequence[int | None]) -> int | None:
    known = [one for one in volumes if one is not None]
    return sum(known) if known else None


def _beside(well: str, month: str, metered: int | None, reported: float | None, row: str) -> Row:
    if metered is None or reported is None:
        return well, month, metered, reported, None, None, row
    difference = reported - metered
    return well, month, metered, reported, difference, 100 * difference / metered if metered else None, row


def _intervals(record: AnnualRecord) -> Table:
    columns = (
        Column("Meter", "id"), Column(f"From ({record.law.zone})", "instant"),
        Column(f"To ({record.law.zone})", "instant"), Column("Volume [gal]", "count"),
        Column("Mean rate [gpm]", "number", 1), Column("Remark"), ROWS,
    )  # fmt: skip
    first, last = _midnight_ms(record, months(record)[0]), _midnight_ms(record, months(record)[-1])
    rows = [
        _interval_row(record, one.meter.id, interval)
        for one in record.pumping
        for interval in one.intervals
        if interval.end_ms > first and interval.start_ms < last
    ]
    note = "Rows: the reading that ends the interval. An interval over the turn of a year is shown whole."
    return Table("4.3", "Every interval between readings", "Meter intervals", columns, rows, (note,))


def _interval_row(record: AnnualRecord, meter: str, one: Interval) -> Row:
    minutes = (one.end_ms - one.start_ms) / MS_IN_A_MINUTE
    rate = one.volume_gal / minutes if one.volume_gal is not None and minutes else None
    start, end = record.local(one.start_ms), record.local(one.end_ms)
    return meter, start, end, one.volume_gal, rate, one.note, one.row
