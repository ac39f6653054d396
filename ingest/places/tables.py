"""Lists of wells as tables: csv, a sheet of a workbook, a USGS site file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ingest.number_locale import localised, with_commas
from ingest.places.columns import Columns, refuse_readings, understood
from ingest.places.place import Places
from ingest.places.wells import places_of
from ingest.rdb import site as rdb_site
from ingest.reading import Source
from ingest.table import Row, Table, header_of, in_order, read_table
from models.errors import BadFile
from models.observation import Reject

HEADERS = 25
"""Lines of a sheet among which its header is looked for."""
HEAD = 200_000
EITHER_MARK = "a comma that may be a decimal mark or one of thousands: write numbers with a point"
OTHER_MARK = "a number that is not valid with the decimal mark of the file"
WANTED = "a column that names the well (well_id, site_no, …) beside latitude and longitude, or x and y"


def read_places(source: Source, told: Mapping[str, str]) -> Places | None:
    """The places of a table; None where it has no column of numbers beside columns of positions.

    Raises
    ------
    BadFile : a table of places that cannot be read, or one of readings that gives a position beside each.
    """
    if rdb_site.sniff(source.text[:HEAD]):
        return _of_site_file(source, told)
    return _of_table(source, told)


def _of_site_file(source: Source, told: Mapping[str, str]) -> Places:
    parts = rdb_site.parse(source)
    sites = parts.tables["sites"]
    names = [str(name) for name in sites.columns if name != "row"]
    columns = understood(names, told)
    if not columns.names_places:
        raise source.bad("a site file without decimal coordinates (dec_lat_va, dec_long_va)")
    rows = [Row(int(one["row"]), {name: str(one[name]) for name in names}) for one in sites.to_dict("records")]
    return _places(source, columns, rows, parts.rejects)


def _of_table(source: Source, told: Mapping[str, str]) -> Places | None:
    plain = with_commas(source)
    skip = next((place for place in _candidates(plain.text) if _header(plain, place, told).names_places), None)
    if skip is None:
        return None
    read, rejects = _localised(_from(plain, skip))
    table = _table(read)
    refuse_readings(source, table.header)
    columns = understood(table.header, told)
    return _places(source, columns, table.rows, (*rejects, *table.rejects))


def _localised(source: Source) -> tuple[Source, tuple[Reject, ...]]:
    """As ``localised``, which repeats a number that it refuses: here it may be where somebody's well stands."""
    try:
        read, rejects = localised(source)
    except BadFile as bad:
        raise source.bad(bad.reason if bad.row is None else EITHER_MARK, row=bad.row) from None
    return read, tuple(replace(one, raw="", reason=OTHER_MARK) for one in rejects)


def _table(source: Source) -> Table:
    """As ``read_table``, without the names of columns, which may be anybody's, where it refuses them."""
    try:
        return read_table(source)
    except BadFile as bad:
        raise source.bad(bad.reason, row=bad.row) from None


def _places(source: Source, columns: Columns, rows: tuple[Row, ...] | list[Row], rejects: tuple[Reject, ...]) -> Places:
    taken = places_of(source, columns, rows)
    refused = in_order((*rejects, *taken.rejects))
    return Places(source.file, source.sha256, taken.places, (), refused, columns.unread)


def _header(source: Source, place: int, told: Mapping[str, str]) -> Columns:
    return understood(header_of(source.text[:HEAD], place), told)


def _candidates(text: str) -> Iterator[int]:
    filled = [place for place, line in enumerate(text[:HEAD].split("\n")) if line.strip()]
    yield from filled[:HEADERS]


def _from(source: Source, place: int) -> Source:
    """The text from a line on, rows counted as in the whole."""
    return replace(source, text="\n" * place + "\n".join(source.text.split("\n")[place:])) if place else source
