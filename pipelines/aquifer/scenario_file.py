"""Read a scenario TOML, and the tables of rates beside it, into the noun."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path

from models.errors import BadFile, BadQuestion, BadSite
from models.quantity import RATE, Quantity, read_quantity
from models.scenario.checks import check_scenario
from models.scenario.kinds import NO_RATE, of_kind
from models.scenario.noun import Kind, PumpedWell, Scenario, Step
from models.toml_file import parse_toml, validate

MOST_BYTES = 20_000_000
BEGINS = ("date", "day", "start_day", "start_date")
ENDS = ("end_date", "end_day")
COLUMNS = ["date or day", "rate, or rate_gpm (the unit in the name)", "end_date or end_day where pumping pauses"]


def open_scenario(path: Path, kind: Kind = "metered", permitted: Mapping[str, str] | None = None) -> Scenario:
    """A scenario file, its rate files read, checked, and of the kind asked for.

    Parameters
    ----------
    permitted : well -> rate with its unit, over what the file says.

    Raises
    ------
    BadSite : the scenario breaks its schema or is impossible; names file and key.
    BadFile : a table of rates cannot be read; names file, row and column.
    BadQuestion : the kind cannot be had.
    """
    noun = validate(Scenario, parse_toml(_text(path), file=path.name, error=BadSite), file=path.name, error=BadSite)
    if made := next((well.id for well in noun.well if well.spans), None):
        raise BadSite("of a site's own record, never written", file=path.name, key=f"well[{made}].spans")
    wells = tuple(_with_rates(well, path) for well in noun.well)
    return finished(noun.model_copy(update={"well": wells}), kind, permitted or {}, path.name)


def finished(scenario: Scenario, kind: Kind, permitted: Mapping[str, str], file: str) -> Scenario:
    """A scenario with the permitted rates said by hand, checked, and of a kind.

    Raises
    ------
    BadSite, BadQuestion : as `open_scenario`.
    """
    known = [well.id for well in scenario.well]
    if unknown := [name for name in permitted if name not in known]:
        raise BadQuestion("no such well", key="--permitted", found=unknown[0], allowed=known)
    scenario = scenario.model_copy(update={"well": tuple(_permit(well, permitted) for well in scenario.well)})
    check_scenario(scenario, file)
    try:
        return of_kind(scenario, kind)
    except BadQuestion as caught:
        raise caught.at(file=file) from None


def _permit(well: PumpedWell, permitted: Mapping[str, str]) -> PumpedWell:
    if well.id not in permitted:
        return well
    try:
        return well.model_copy(update={"permitted": read_quantity(permitted[well.id], RATE)})
    except BadQuestion as caught:
        raise caught.at(key="--permitted") from None


@dataclass(frozen=True)
class RateRow:
    """One row of a table of rates: from when, until when (None: the next), and the rate."""

    row: int
    since: Decimal | date | datetime
    until: Decimal | date | datetime | None
    rate: Quantity


def read_rates(path: Path) -> list[RateRow]:
    """A table of rates: ``date`` or ``day``, and ``rate_gpm`` (unit in the name) or ``rate`` ("350 gpm").

    Raises
    ------
    BadFile : a table of other columns, or a cell that cannot be read. A rate left out would change every answer, so
        that one bad row refuses the file.
    """
    reader = csv.DictReader(io.StringIO(_text(path), newline=""), restkey="?")
    heads = [name.strip() for name in reader.fieldnames or ()]
    begin, end = _one_of(BEGINS, heads), _one_of(ENDS, heads)
    rates = [name for name in heads if name == "rate" or name.startswith("rate_")]
    if begin is None or not rates:
        raise BadFile("not a table of rates", file=path.name, row=1, found=",".join(heads), allowed=COLUMNS)
    _check_once(path, heads, rates)
    rate = rates[0]
    rows = [_row(path, reader.line_num, cells, (begin, end, rate)) for cells in reader]
    if not rows:
        raise BadFile("no rate in it", file=path.name)
    if len({isinstance(one.since, Decimal) for one in rows}) > 1:
        raise BadFile("days and dates are mixed", file=path.name, key=begin)
    return rows


def _check_once(path: Path, heads: Sequence[str], rates: Sequence[str]) -> None:
    """One column for the rate, and one for each end of its time: a second would go unread."""
    for what, columns in (("rate", rates), ("begin", BEGINS), ("end", ENDS)):
        found = [name for name in heads if name in columns]
        if len(found) > 1:
            listed = ", ".join(found)
            raise BadFile(f"more than one column for the {what}", file=path.name, row=1, found=listed, allowed=["one"])


def steps_of(rows: Sequence[RateRow], file: str) -> Iterator[tuple[Decimal | date | datetime, Quantity]]:
    """The rows as rates held until the next; a row that ends before the next is followed by rest.

    Raises
    ------
    BadFile : rows out of order or overlapping.
    """
    for number, one in enumerate(rows):
        following = rows[number + 1].since if number + 1 < len(rows) else None
        if one.until is not None and not _before(one.since, one.until):
            raise BadFile("ends before it begins", file=file, row=one.row, found=str(one.until))
        if following is not None and (not _before(one.since, following) or _over(one.until, following)):
            raise BadFile(
                "out of order, or over the row before", file=file, row=rows[number + 1].row, found=str(following)
            )
        yield one.since, one.rate
        if one.until is not None and one.until != following:
            yield one.until, NO_RATE


def _over(until: Decimal | date | datetime | None, following: Decimal | date | datetime) -> bool:
    return until is not None and _before(following, until)


def _before(one: Decimal | date | datetime, other: Decimal | date | datetime) -> bool:
    return _sortable(one) < _sortable(other)


def _sortable(moment: Decimal | date | datetime) -> tuple[Decimal, str]:
    """Days by number; dates by their text, a plain date as its midnight."""
    if isinstance(moment, Decimal):
        return moment, ""
    return Decimal(0), moment.isoformat() if isinstance(moment, datetime) else f"{moment.isoformat()}T00:00:00"


def _with_rates(well: PumpedWell, path: Path) -> PumpedWell:
    if not well.rates_file:
        return well
    table = path.parent / well.rates_file
    rows = read_rates(table)
    if isinstance(rows[0].since, Decimal):
        raise BadFile("a scenario's rates need dates", file=table.name, key="day", allowed=["a column date"])
    steps = [Step.model_validate({"since": since, "rate": rate}) for since, rate in steps_of(rows, table.name)]
    return well.model_copy(update={"rates_file": "", "rates": tuple(steps)})


def _one_of(names: Sequence[str], heads: Sequence[str]) -> str | None:
    return next((name for name in heads if name in names), None)


def _row(path: Path, number: int, cells: dict[str, str], columns: tuple[str, str | None, str]) -> RateRow:
    begin, end, rate = columns
    texts = {str(name).strip(): text.strip() for name, text in cells.items() if isinstance(text, str)}
    if "?" in cells or any(name not in texts for name in (begin, rate)):
        raise BadFile("more or fewer cells than columns", file=path.name, row=number)
    until = _moment(path, number, end, texts[end]) if end and texts.get(end) else None
    return RateRow(number, _moment(path, number, begin, texts[begin]), until, _rate(path, number, rate, texts[rate]))


def _rate(path: Path, number: int, column: str, text: str) -> Quantity:
    unit = column.removeprefix("rate").removeprefix("_").replace("_per_", "/")
    try:
        return read_quantity(f"{text} {unit}".strip(), RATE)
    except BadQuestion as caught:
        raise BadFile(
            caught.reason, file=path.name, row=number, key=column, found=text, allowed=caught.allowed
        ) from None


def _moment(path: Path, number: int, column: str, text: str) -> Decimal | date | datetime:
    try:
        if column.endswith("day"):
            return _day(text)
        return _civil(text)
    except (ValueError, InvalidOperation):
        allowed = "a number of days" if column.endswith("day") else "civil time, YYYY-MM-DD or YYYY-MM-DDTHH:MM"
        raise BadFile("not a moment", file=path.name, row=number, key=column, found=text, allowed=[allowed]) from None


def _civil(text: str) -> date | datetime:
    """A moment of civil time: an offset from UTC says another clock, and is refused."""
    if "T" not in text and ":" not in text:
        return date.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        raise ValueError(text)
    return moment


def _day(text: str) -> Decimal:
    day = Decimal(text)
    if not day.is_finite() or abs(day) > 10**6:
        raise ValueError(text)
    return day


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as caught:
        raise BadFile(f"cannot be read: {caught.strerror}", file=path.name) from None
    if len(content) > MOST_BYTES:
        raise BadFile("too large", file=path.name, allowed=[f"{MOST_BYTES} bytes"])
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as caught:
        raise BadFile(f"not UTF-8 text: {caught.reason}", file=path.name) from None
