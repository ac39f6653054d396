"""Shapefiles (.shp with .dbf and .prj), read by GDAL through pyogrio: alone beside their parts, or packed in a zip."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from ingest.decoding import MAX_BYTES, bytes_of
from ingest.packed.archive import member
from ingest.places.features import Feature, Frame, places_and_areas
from ingest.places.place import Places
from ingest.reading import Source
from models.errors import BadFile, EnvironmentFailed

MAGIC = b"\x00\x00\x27\x0a"
NEEDED, PARTS = ("shp", "dbf"), ("shp", "shx", "dbf", "prj", "cpg")
MOST_FEATURES = 250_000
_NAME = "layer"


def layers(names: list[str]) -> list[str]:
    """The shapefiles among the members of a zip, by the name of their .shp."""
    return [one for one in names if one.casefold().endswith(".shp") and not one.startswith("__MACOSX/")]


def read_zipped(archive: ZipFile, source: Source, told: Mapping[str, str]) -> Places:
    """The one shapefile of an archive that was looked at before (``ingest.packed.archive``).

    Raises
    ------
    BadFile : several shapefiles, or one without its parts.
    """
    names = archive.namelist()
    found = layers(names)
    if len(found) > 1:
        raise source.bad("several shapefiles: deliver them one by one", found=len(found))
    stem = found[0][:-4]
    parts = {one.rsplit(".", 1)[1].casefold(): one for one in names if one.rsplit(".", 1)[0] == stem and "." in one}
    return _read({part: member(archive, parts[part], source.file) for part in PARTS if part in parts}, source, told)


def read_beside(path: Path, source: Source, told: Mapping[str, str]) -> Places:
    """A .shp with its parts beside it, under the same name.

    Raises
    ------
    BadFile : a part is missing.
    """
    beside = {one.suffix[1:].casefold(): one for one in path.parent.iterdir() if one.stem == path.stem and one.suffix}
    return _read({part: bytes_of(beside[part], source.file) for part in PARTS if part in beside}, source, told)


def _read(parts: Mapping[str, bytes], source: Source, told: Mapping[str, str]) -> Places:
    if missing := [one for one in NEEDED if one not in parts]:
        raise source.bad(f"a shapefile without its .{', .'.join(missing)}")
    if sum(map(len, parts.values())) > MAX_BYTES:
        raise source.bad(f"a shapefile of more than {MAX_BYTES} bytes")
    if importlib.util.find_spec("pyogrio") is None:
        raise EnvironmentFailed(
            "a shapefile is read by pyogrio: install headwater[gis], or give it as GeoJSON", file=source.file
        )
    with tempfile.TemporaryDirectory(prefix="headwater-shp-") as folder:
        for part, data in parts.items():
            (Path(folder) / f"{_NAME}.{part}").write_bytes(data)
        meta, wkb, columns = _layer(Path(folder), source)
    frame = _frame(str(meta["crs"] or ""), source)
    names = [str(one) for one in meta["fields"]]
    return places_and_areas(source, list(_features(names, wkb, columns)), frame, told)


def _layer(folder: Path, source: Source) -> tuple[dict[str, Any], Any, Any]:
    from pyogrio import raw
    from pyogrio.errors import DataLayerError, DataSourceError, FieldError, GeometryError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            meta, _, wkb, columns = raw.read(folder / f"{_NAME}.shp", max_features=MOST_FEATURES + 1)
    except (DataLayerError, DataSourceError, FieldError, GeometryError, UnicodeError, ValueError) as failed:
        raise source.bad("a broken shapefile", found=type(failed).__name__) from None
    if wkb is None or len(wkb) > MOST_FEATURES:
        raise source.bad("a table without shapes" if wkb is None else f"more than {MOST_FEATURES} features")
    return meta, wkb, columns


def _frame(crs: str, source: Source) -> Frame:
    if not crs:
        return Frame("", False)
    try:
        return Frame(crs, CRS.from_user_input(crs).is_geographic)
    except CRSError:
        raise source.bad("a .prj that names no coordinate system that is known", found=crs[:80]) from None


def _features(names: list[str], wkb: Any, columns: Any) -> Iterator[Feature]:
    shapes = shapely.from_wkb(wkb, on_invalid="ignore")
    for place, shape in enumerate(shapes):
        cells = {name: _text(column[place]) for name, column in zip(names, columns, strict=True)}
        yield Feature(place + 1, cells, None if shape is None else shapely.force_2d(shape))


def _text(cell: Any) -> str:
    """A cell as text: numbers of a .dbf come as binary, whole ones without their ``.0``."""
    if cell is None or cell != cell:  # NaN: a blank number
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def file_name(path: Path) -> str:
    """The name of a file as text, whatever its bytes."""
    return os.fsencode(path.name).decode("utf-8", "replace")


def broken(path: Path) -> BadFile:
    """The refusal of a file that is only a part of a shapefile."""
    return BadFile("a part of a shapefile: name its .shp, or the zip of all", file=file_name(path))
