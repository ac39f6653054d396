"""Water-level elevations on one datum: NGVD29 and NAVD88 differ by a foot or so that depends on the place."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

import numpy as np
import pandas as pd

from ingest.cells import counted
from models.observation import Flags, Reject

NGVD29, NAVD88 = "water_elevation_ngvd29", "water_elevation_navd88"
AGREE_FT = 0.1
"""Two conversions of one reading differ by their rounding and their grid, hardly by more."""


def on_navd88(
    rows: pd.DataFrame, offsets_ft: Mapping[str, Decimal], file: str
) -> tuple[pd.DataFrame, int, list[Reject]]:
    """Elevations [ft] on NAVD88: those on NGVD29 with the station's stated offset added, the fact ``raw`` kept.

    A file may give one reading on both datums; then the NAVD88 one stands and the other repeats it, unless they
    disagree by more than ``AGREE_FT``, which is left to be disputed. Without an offset nobody can tell whether they do.

    Parameters
    ----------
    offsets_ft : NAVD88 less NGVD29 by station [ft]; a station without one has its NGVD29 rows refused, in one reject.

    Returns
    -------
    The rows, how many repeated another, and the rejects.
    """
    old = rows["parameter"] == NGVD29
    if not old.any():
        return rows, 0, []
    offset = rows["station"].map({station: float(one) for station, one in offsets_ft.items()}).astype(float)
    repeats = old & _said_on_navd88(rows, offset)
    known = offset.notna()
    refused = [_refused(file, str(station), one) for station, one in rows[old & ~known & ~repeats].groupby("station")]
    moved = [_moved(one, offsets_ft[str(station)]) for station, one in rows[old & known & ~repeats].groupby("station")]
    return pd.concat([rows[~old], *moved]).sort_index(), int(repeats.sum()), refused


def _said_on_navd88(rows: pd.DataFrame, offset: pd.Series[float]) -> pd.Series[bool]:
    """Rows whose station and instant the table also holds on NAVD88, as near as two conversions come."""
    same = ["station", "clock", "time_ms"]
    there = rows[rows["parameter"] == NAVD88].drop_duplicates(same).set_index(same)["value"]
    other = there.reindex(pd.MultiIndex.from_frame(rows[same])).to_numpy(dtype=float)
    near: pd.Series[bool] = (rows["value"] + offset - other).abs() <= AGREE_FT
    return near


def _refused(file: str, station: str, rows: pd.DataFrame) -> Reject:
    reason = (
        f"elevation on NGVD29, and heights here are on NAVD88: give {station} its ngvd29_to_navd88_ft in site.toml; "
        f"{counted(len(rows), 'row')} left out"
    )
    return Reject(file, int(rows["row"].iloc[0]), NGVD29, str(rows["value_text"].iloc[0]), reason, len(rows))


def _moved(rows: pd.DataFrame, offset: Decimal) -> pd.DataFrame:
    texts = [_raised(text, offset) for text in rows["value_text"]]
    exact = np.array([float(text) if text else np.nan for text in texts])
    plain = rows["value"].to_numpy(dtype=float) + float(offset)
    pairs = zip(rows["flags"], rows["value_text"], strict=True)
    return rows.assign(
        parameter=NAVD88,
        value=np.where(np.isnan(exact) | np.isnan(plain), plain, exact),
        value_text=pd.array(texts, dtype="str"),
        flags=pd.array([_with_raw(flags, text) for flags, text in pairs], dtype="str"),
    )


def _raised(text: str, offset: Decimal) -> str:
    try:
        return format(Decimal(text) + offset, "f")
    except InvalidOperation:
        return ""


def _with_raw(text: str, raw: str) -> str:
    """What the file said; a unit converted before has noted it already."""
    flags = Flags.parse(text)
    if not raw:
        return text
    return Flags(flags.approval, flags.qualifiers, {"raw": f"{raw} ft", **flags.facts, "from": "NGVD29"}).text()
