"""USGS Water Data OGC API answers as CSV (``usgs-ogc-csv``): the properties of each feature as one row.

The first columns may be ``x,y,id``. A CSV page names no next page: whether it is the whole answer cannot be seen.
"""

from __future__ import annotations

from ingest.ogc.records import Record, kind_of, parse_records
from ingest.reading import Parts, Source
from ingest.table import header_of, in_order, read_table

_NAMED = {"monitoring_location_id", "monitoring_location_number"}


def sniff(head: str) -> bool:
    header = set(header_of(head))
    return bool(header & _NAMED) and kind_of(header) is not None


def parse(source: Source) -> Parts:
    """Observations, or the table ``sites`` or ``time_series``.

    Raises
    ------
    BadFile : no usable header, or a collection that is not read.
    """
    table = read_table(source)
    kind = kind_of(set(table.header))
    if kind is None:
        raise source.bad("a CSV of a collection that is not read", found=",".join(table.header)[:80])
    records = [Record(row.number, row.cells) for row in table.rows]
    parts = parse_records(source, records, {})
    rejects = in_order((*table.rejects, *parts.rejects))
    return Parts(parts.observations, rejects, parts.facts, parts.timezone, parts.datum, parts.tables)
