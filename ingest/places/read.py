"""One file that says where things are, by its content: a shapefile, GeoJSON, a site file, a table in any packing."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ingest.decoding import MAX_BYTES, bytes_of, load
from ingest.packed import archive, workbook
from ingest.packed.delivery import Sheet, delivery_of
from ingest.places import geojson, shapefile, tables
from ingest.places.place import Places
from ingest.reading import Source
from models.errors import BadFile

_KNOWN = f"{tables.WANTED}; GeoJSON; a shapefile (.shp, or a zip of its parts)"


def read_places(path: Path, told: Mapping[str, str]) -> tuple[Places, ...]:
    """What a file says of places; a workbook or a zip may hold several tables of them.

    Parameters
    ----------
    told : heading by role (``ingest.places.columns.ROLES``), as a person says it.

    Raises
    ------
    BadFile : it cannot be read, or nothing in it is a list of places.
    """
    magic = _magic(path)
    if magic.startswith(shapefile.MAGIC):
        return (shapefile.read_beside(path, _named(path, bytes_of(path, shapefile.file_name(path))), told),)
    if magic.startswith(archive.MAGIC) and (found := _zipped_shapefile(path, told)) is not None:
        return (found,)
    delivery = delivery_of(path)
    if delivery is None:
        return (_of_text(load(path), told),)
    sheets = [found for sheet in delivery.sheets if (found := _of_sheet(sheet, told)) is not None]
    if not sheets:
        raise BadFile("no table of it is a list of places", file=delivery.file, allowed=[_KNOWN])
    return tuple(replace(one, part=part) for part, one in enumerate(sheets))


def _magic(path: Path) -> bytes:
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as handle:
            return handle.read(len(archive.MAGIC))
    except (OSError, ValueError):
        return b""  # said by ``load``, which opens the same file


def _named(path: Path, data: bytes) -> Source:
    return Source(shapefile.file_name(path), "", hashlib.sha256(data).hexdigest(), "binary")


def _zipped_shapefile(path: Path, told: Mapping[str, str]) -> Places | None:
    data = bytes_of(path, shapefile.file_name(path), MAX_BYTES)
    zipped = archive.opened(data, shapefile.file_name(path))
    if workbook.is_workbook(zipped) or not shapefile.layers(zipped.namelist()):
        return None
    return shapefile.read_zipped(zipped, _named(path, data), told)


def _of_text(source: Source, told: Mapping[str, str]) -> Places:
    if geojson.sniff(source.text):
        return geojson.read_geojson(source, told)
    found = tables.read_places(source, told)
    if found is None:
        raise BadFile("not a list of places", file=source.file, allowed=[_KNOWN])
    return found


def _of_sheet(sheet: Sheet, told: Mapping[str, str]) -> Places | None:
    if geojson.sniff(sheet.source.text):
        return geojson.read_geojson(sheet.source, told)
    return tables.read_places(sheet.source, told)
