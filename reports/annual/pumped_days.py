"""Days and months of the year as each method has them: side by side, the one that speaks marked, nothing averaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction

from models.known_volumes import KnownVolumes, speaking
from models.pumped_water import most_gpd
from models.pumping_days import HOUR_MS, DailyVolumes, Share, apportioned, daily, midnight_ms
from models.site import Well
from reports.annual.record import AnnualRecord
from reports.annual.table import Column, Row, Table

Known = tuple[Well, KnownVolumes, bool]
"""A well, one of its methods, and whether it speaks."""


def months(record: AnnualRecord) -> list[date]:
    """The first days of the months told, and the day after the last one."""
    firsts = [date(record.year, month, 1) for month in range(1, 13) if date(record.year, month, 1) <= record.end]
    return [*firsts, record.end + timedelta(days=1)]


def known_methods(record: AnnualRecord) -> Iterator[Known]:
    """Every method of every production well, the one that speaks first."""
    for well in record.site.wells("production"):
        known = record.known.get(well.id, ())
        speaks = speaking(known, well.volumes_by)
        yield from ((well, one, True) for one in (speaks,) if one is not None)
        yield from ((well, one, False) for one in known if one is not speaks)


def methods_table(record: AnnualRecord, number: str) -> Table:
    """Months of the wells that two methods or more tell of."""
    columns = (
        Column("Well", "id"), Column("Month", "id"), Column("By"), Column("Speaks", "id"),
        Column("Volume [gal]", "number", 0), Column("Not measured [h]", "number", 1),
    )  # fmt: skip
    found = list(known_methods(record))
    several = {well.id for well, _, speaks in found if not speaks}
    rows = [row for one in found if one[0].id in several for row in _months(record, one)]
    note = "Each record as it is; none is averaged. Speaks: stated by the site file, or the first there is."
    title = "Two records of one well, month by month"
    return Table(number, title, "Records beside", columns, rows, (note,), empty="no well has two records")


def _months(record: AnnualRecord, one: Known) -> Iterator[Row]:
    well, known, speaks = one
    firsts = months(record)
    edges = [midnight_ms(record.zone, day) for day in firsts]
    every = zip(*(apportioned(each, edges) for each in known.records), strict=True)
    for first, shares in zip(firsts, every, strict=False):
        missing = max(share.not_metered_ms for share in shares) / HOUR_MS
        yield well.id, f"{first:%Y-%m}", known.says, "yes" if speaks else "", _total(shares), missing


def _total(shares: Sequence[Share]) -> float | None:
    volume = sum((share.volume_gal for share in shares), Fraction(0))
    return float(volume) if any(share.metered_ms for share in shares) else None


def days_table(record: AnnualRecord, number: str) -> Table:
    """Every day by the record that speaks: evenly spread, and how little or much can have fallen on it."""
    columns = (
        Column("Well", "id"), Column("By"), Column("Day", "date"), Column("Volume, evenly spread [gal]", "number", 1),
        Column("At least [gal]", "number", 1), Column("At most [gal]", "number", 1),
        Column("Mean rate over metered time [gpm]", "number", 2), Column("Not measured [h]", "number", 1),
    )  # fmt: skip
    rows = [row for well, known, speaks in known_methods(record) if speaks for row in _days(record, well, known)]
    notes = (
        "A volume read over several days is spread evenly by time; on which of them it fell is not known. At most is "
        "blank where nothing bounds it. The days add up to the readings.",
    )
    return Table(number, "Daily volumes", "Daily volumes", columns, rows, notes, in_page=False)


def _days(record: AnnualRecord, well: Well, known: KnownVolumes) -> Iterator[Row]:
    most = most_gpd(well.pump, record.end)
    for each in known.records:
        found = daily(each, record.zone, record.start, record.end, most)
        yield from (_day(well, known, found, k) for k in range(len(found.days)) if found.metered_ms[k])


def _day(well: Well, known: KnownVolumes, found: DailyVolumes, k: int) -> Row:
    rate, most = found.rate_gpd[k], found.high_gal[k]
    return (
        well.id, known.says, found.days[k], float(found.volume_gal[k]), found.low_gal[k],
        None if most == float("inf") else most, None if rate is None else rate / 1440,
        (found.length_ms[k] - found.metered_ms[k]) / HOUR_MS,
    )  # fmt: skip
