"""Discharge from the readings of a town's own stage recorder, by the ratings of ``site.toml`` and their files."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from ingest.formats import read
from ingest.reading import Reading
from models.errors import BadFile, BadQuestion, HeadwaterError
from models.rating_in_force import Rating, rated
from models.site import Gauge
from models.streamflow.rating import EXPANSIONS, RatingTable, rating_table

FORMAT = "nwis-rdb-rating"
STORED = "*"
_MOST_OFFSETS = 9


def fingerprint(folder: Path, gauge: Gauge) -> str:
    """What the discharge of a gauge rests on beside its stage: its ratings and the content of their files."""
    if not gauge.rating:
        return ""
    total = hashlib.sha256()
    for one in gauge.rating:
        total.update(one.model_dump_json().encode())
        total.update(_content(folder / one.table) if one.table else b"")
    return total.hexdigest()


def rating_tables(folder: Path, gauge: Gauge) -> dict[str, RatingTable | str]:
    """The table of each rating that names a file, by the rating's id; a text is why it cannot be used."""
    return {one.id: _table(folder, one) for one in gauge.rating if one.table is not None}


def rated_rows(rows: pd.DataFrame, gauge: Gauge, tables: dict[str, RatingTable | str], zone: ZoneInfo) -> pd.DataFrame:
    """Stage readings with discharge [cfs] as ``value``, beside it ``stage``, ``rating``, ``shift`` and ``unrated``."""
    found = rated(gauge.rating, tables, rows["time_ms"].to_numpy(), rows["value"].to_numpy(), zone)
    return rows.assign(
        stage=rows["value"], value=found.flow, rating=found.rating, shift=found.shift, unrated=found.reason
    )


def says(day: pd.DataFrame) -> str:
    """How the discharge of a day came to be: mean stage, rating, shift, and readings that have none."""
    known = day[day["value"].notna()]
    parts = [f"stage {known['stage'].mean():.2f} ft" if len(known) else ""]
    parts += [
        f"rating {' then '.join(dict.fromkeys(one for one in day['rating'] if one))}" if any(day["rating"]) else ""
    ]
    low, high = day["shift"].min(), day["shift"].max()
    parts += [f"shift {low:+.2f}{f' to {high:+.2f}' if round(high - low, 2) else ''} ft" if low or high else ""]
    whys = Counter(one for one in day["unrated"] if one)
    parts += [f"{count} of {len(day)} readings unrated: {why.replace(',', '')}" for why, count in whys.items()]
    return " | ".join(part for part in parts if part)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _table(folder: Path, rating: Rating) -> RatingTable | str:
    """A file that is no rating leaves the days without discharge, with the reason; the rest of the night goes on."""
    file = str(rating.table)
    try:
        return table_of(read(folder / file, format=FORMAT))
    except HeadwaterError as caught:
        return f"rating {rating.id} cannot be used: {caught}"


def table_of(reading: Reading) -> RatingTable:
    """The rating table of a file.

    Raises
    ------
    BadQuestion, BadFile : the file holds no rating of discharge, or one that cannot be.
    """
    frame, facts = reading.tables["rating"], reading.facts
    if "DEP" not in frame:
        raise BadFile(
            "no rating of discharge", file=reading.file, found=", ".join(frame.columns), allowed=["INDEP, DEP"]
        )
    expansion = facts.get("rating_expansion", EXPANSIONS[0]).lower()
    if expansion not in EXPANSIONS:
        raise BadQuestion("no such expansion", key="EXPANSION", found=expansion, allowed=EXPANSIONS)
    stored = frame["STOR"].str.strip().eq(STORED).to_numpy() if "STOR" in frame else None
    return rating_table(
        _numbers(frame["INDEP"]),
        _numbers(frame["DEP"]),
        stored=stored,
        shift=_numbers(frame["SHIFT"]) if "SHIFT" in frame else None,
        expansion="linear" if expansion == "linear" else "logarithmic",
        offsets=_numbered(facts, "rating_offset") or (0.0,),
        breakpoints=_numbered(facts, "rating_breakpoint"),
    )


def _numbers(column: pd.Series) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(pd.to_numeric(column.replace("", "nan")), np.float64)


def _numbered(facts: Mapping[str, str], name: str) -> tuple[float, ...]:
    """OFFSET1, OFFSET2 … in order."""
    texts = [facts[key] for key in (f"{name}{k}" for k in range(1, _MOST_OFFSETS + 1)) if key in facts]
    try:
        return tuple(float(text) for text in texts)
    except ValueError:
        raise BadQuestion("not a number", key=name.upper(), found=" | ".join(texts)) from None
