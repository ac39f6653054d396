"""Monthly pumping: twelve columns to a row of a year, or a row to a month (``monthly-volumes``).

Wide: ``well,year,Jan_gal,…,Dec_gal,annual_gal``, as Wisconsin's high-capacity well reports are (``wi-monthly-volumes``:
``Jan_wdrl_total_gallons``). Long: ``well,month,volume_gal`` with months as 2024-05, or ``year`` and ``month``; a row
whose month is ``annual`` or ``total`` is the sum of its year. The unit stands in the names, in a column ``unit``, or is
told; ``ingest.month_unit`` says what is never guessed. A year's number only checks its months.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial

from ingest.cells import BadCell, clipped, not_negative
from ingest.month_unit import RATE, SETTLE, Units, is_volume, unit_in
from ingest.monthly_layout import Layout, is_total, layout_of, month_of, year_of
from ingest.number_locale import localised
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, Table, header_of, in_order, read_table, take_rows
from ingest.times import civil_day
from models.errors import BadFile
from models.observation import Flags, Reject

UNITS = ("gal", "kgal", "MG", "acre-ft", "ft3", "m3", "gpm", "gpd", "MGD", "or no unit, and --unit")
Year = tuple[str, int]
"""A station and a year."""


def sniff_wisconsin(head: str) -> bool:
    return {"site_no", "year", "Jan_wdrl_total_gallons"} <= set(header_of(head))


def sniff(head: str) -> bool:
    return not sniff_wisconsin(head) and layout_of(header_of(head)) is not None


def parse(source: Source) -> Parts:
    """A value for each month; a blank is no report.

    Raises
    ------
    BadFile : other columns, or a unit that contradicts what the numbers are.
    """
    source, unreadable = localised(source)
    table = read_table(source)
    layout = layout_of(table.header)
    if layout is None:
        raise source.bad("the header lacks twelve months and their year, or a month and one value")
    parts = _wide(source, table, layout) if layout.months else _long(source, table, layout)
    return replace(parts, rejects=in_order((*parts.rejects, *unreadable)))


def _wide(source: Source, table: Table, layout: Layout) -> Parts:
    named = {_named(source, column, behind_a_month=True) for column in layout.months}
    if len(named) > 1:
        raise source.bad("the months are in different units", found=", ".join(sorted(named)))
    unit = named.pop()
    if layout.annual and unit and not is_volume(unit) and not source.told.unit:
        _refuse_rates_that_add_up(source, table, layout, unit)
    units = Units(source, layout.unit, unit)
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_in_column, source, units, layout, month, column) for month, column in enumerate(layout.months, 1)
    ]
    return take_rows(source, table, *takers, checks=[partial(_annual, layout, units)] if layout.annual else [])


def _named(source: Source, column: str, *, behind_a_month: bool = False) -> str:
    try:
        return unit_in(column, behind_a_month=behind_a_month)
    except BadCell as bad:
        raise BadFile(bad.reason, file=source.file, found=column, allowed=UNITS) from None


def _in_column(source: Source, units: Units, layout: Layout, month: int, column: str, row: Row) -> Observation | None:
    if not row.text(column):
        return None
    return _observation(source, units, layout, row, (row.read(layout.year, year_of), month), column)


def _observation(
    source: Source, units: Units, layout: Layout, row: Row, month: tuple[int, int], column: str
) -> Observation:
    measure, shown, value = units.of(row), row.text(column), row.read(column, not_negative)
    text, facts = shown, dict[str, str]()
    if measure.times != 1:
        exact = Decimal(shown) * measure.times
        value, text, facts = float(exact), f"{exact:f}", {"reported": f"{shown} x{measure.times:f} {measure.unit}"}
    return (
        _station(source, layout, row), measure.parameter, measure.statistic, "", civil_day(*month, 1), "month", value,
        text, measure.unit, Flags(facts=facts).text(), row.number,
    )  # fmt: skip


def _station(source: Source, layout: Layout, row: Row) -> str:
    return row.required(layout.station) if layout.station else source.told.station


def _annual(layout: Layout, units: Units, row: Row) -> None:
    """The months load either way; a total that differs is said beside them. Rates have no total."""
    if not row.text(layout.annual) or units.of(row).parameter == RATE:
        return
    row.read(layout.annual, not_negative)
    try:
        total = _sum(row, layout.months)
    except BadCell:
        return  # a month was refused already, and the sum with it
    if total != Decimal(row.text(layout.annual)):
        raise BadCell(f"months add to {total:f}, annual says {row.text(layout.annual)}", layout.annual)


def _sum(row: Row, columns: Iterable[str]) -> Decimal:
    return sum((row.read(column, _decimal) for column in columns), Decimal(0))


def _decimal(text: str) -> Decimal:
    not_negative(text or "0")
    return Decimal(text or "0")


def _refuse_rates_that_add_up(source: Source, table: Table, layout: Layout, named: str) -> None:
    """Months called a rate whose year is their sum are volumes by their numbers, and rates by their name."""
    for row in table.rows:
        if _adds_up(layout, row):
            reason = f"the months are called {named}, and {layout.annual} is their sum, as of volumes; {SETTLE}"
            raise source.bad(reason, row=row.number, found=clipped(row.text(layout.annual)))


def _adds_up(layout: Layout, row: Row) -> bool:
    try:
        pumped = sum(row.read(column, _decimal) > 0 for column in layout.months)
        return pumped > 1 and _sum(row, layout.months) == row.read(layout.annual, _decimal)
    except BadCell:
        return False  # told when the row is taken


def _long(source: Source, table: Table, layout: Layout) -> Parts:
    units = Units(source, layout.unit, _named(source, layout.value))
    totals = [row for row in table.rows if is_total(layout, row)]
    months = replace(table, rows=tuple(row for row in table.rows if not is_total(layout, row)))
    added: defaultdict[Year, Decimal] = defaultdict(Decimal)
    parts = take_rows(source, months, partial(_in_row, source, units, layout, added))
    wrong = list(_wrong_totals(source, layout, units, added, totals)) if not parts.rejects else []
    return replace(parts, rejects=in_order((*parts.rejects, *wrong)))


def _in_row(
    source: Source, units: Units, layout: Layout, added: defaultdict[Year, Decimal], row: Row
) -> Observation | None:
    month = month_of(layout, row)
    if not row.text(layout.value):
        return None
    found = _observation(source, units, layout, row, month, layout.value)
    added[str(found[0]), month[0]] += Decimal(row.text(layout.value))
    return found


def _wrong_totals(
    source: Source, layout: Layout, units: Units, added: Mapping[Year, Decimal], totals: Sequence[Row]
) -> Iterator[Reject]:
    """Rows of a year's total that its months do not add up to, or that name no year; no value is lost with one."""
    for row in totals:
        try:
            if layout.year and units.of(row).parameter != RATE:
                key = (_station(source, layout, row), row.read(layout.year, year_of))
                _compare(added.get(key, Decimal(0)), row.read(layout.value, _decimal), layout.value)
        except BadCell as bad:
            yield source.reject(row.number, bad.column, row.text(bad.column), bad.reason, 0)


def _compare(total: Decimal, said: Decimal, column: str) -> None:
    if total != said:
        raise BadCell(f"months add to {total:f}, the year says {said:f}", column)
