"""A laboratory file as rows to judge, without a store: results, field duplicates, and what was set apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd

from ingest.arrival import once
from ingest.cells import counted
from ingest.formats import read
from ingest.packed.table_notes import table_notes
from ingest.reading import Reading, Told
from models.observation import TIDY, tidy
from models.question import StoredRow, stored_rows

QUALITY_CONTROL, NOT_WATER = "quality_control", "not_water"
DUPLICATES, UNDATED = "field_duplicates", "undated"


@dataclass(frozen=True)
class LabFile:
    """``rows`` as a check is given them; ``undated``: the file states no day of sampling.

    ``control``, ``not_water``: rows of quality control and of other media, as written.
    """

    rows: pd.DataFrame
    duplicates: tuple[tuple[StoredRow, str], ...]
    undated: bool
    control: tuple[Mapping[str, str], ...]
    not_water: tuple[Mapping[str, str], ...]
    rejects: tuple[Any, ...]
    warnings: tuple[str, ...]


def open_lab_file(path: Path, format: str | None, told: Told, on: date) -> LabFile:
    """Read a laboratory file.

    Parameters
    ----------
    on : day of sampling where the file states none.

    Raises
    ------
    BadFile : it cannot be read.
    """
    found = read(path, format=format, told=told)
    undated = UNDATED in found.tables
    rows = _observations(found.tables[UNDATED]) if undated else found.observations
    rows, again, disputed = once(rows, found.file)
    pairs = found.tables.get(DUPLICATES)
    return LabFile(
        _stored(rows, on if undated else None), _duplicates(pairs, on if undated else None), undated,
        tuple(_plain(found.tables.get(QUALITY_CONTROL))), tuple(_plain(found.tables.get(NOT_WATER))),
        (*found.rejects, *disputed), tuple(_warnings(found, again)),
    )  # fmt: skip


def _observations(table: pd.DataFrame) -> pd.DataFrame:
    """A table of text back as tidy rows."""
    numbers = pd.to_numeric(table["value"], errors="coerce")  # blank where there is none
    return tidy({name: numbers if name == "value" else table[name].to_numpy() for name in TIDY})


def _stored(rows: pd.DataFrame, day: date | None) -> pd.DataFrame:
    days = pd.to_datetime(rows["time_ms"], unit="ms").dt.date if day is None else day
    return rows.assign(day=days, row_id=rows["row"].astype(str))


def _duplicates(table: pd.DataFrame | None, day: date | None) -> tuple[tuple[StoredRow, str], ...]:
    if table is None:
        return ()
    return tuple(zip(stored_rows(_stored(_observations(table), day)), table["parent"], strict=True))


def _plain(table: pd.DataFrame | None) -> list[dict[str, str]]:
    rows = [] if table is None else table.to_dict("records")
    return [{str(key): str(cell) for key, cell in row.items()} for row in rows]


def _warnings(found: Reading, again: int) -> list[str]:
    """Ids that look like a duplicate's under a type that says otherwise, columns and sheets nobody read, repeats."""
    repeats = [f"{counted(again, 'row')} repeated exactly: judged once"] if again else []
    return [*table_notes(found.facts), *repeats]
