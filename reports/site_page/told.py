"""Every figure in words and in a table, for a reader who does not see it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from reports.site_map import Place, beyond, places
from reports.site_page.record import SiteRecord, StreamRecord, WellRecord
from reports.site_page.table import Cell, Table, row
from reports.stream_days import StreamDays, stream_days


def stream_words(record: StreamRecord) -> str:
    """How long, how much is known, the latest and lowest day, and days below base flow."""
    days = stream_days(record.frame, record.base_flow)
    if not days.known.any():
        return "No day has a value."
    unit = "cfs" if record.gauge.judged == "discharge" else "ft"
    known = np.flatnonzero(days.known)
    last, lowest = known[-1], known[np.argmin(days.value[known])]
    says = [
        f"{len(days.day)} days from {days.day[0]} to {days.day[-1]}: {known.size} known, {_unknown(days)}.",
        f"Latest {days.value[last]:g} {unit} on {days.day[last]} ({_approval(days, int(last))});",
        f"lowest {days.value[lowest]:g} {unit} on {days.day[lowest]}.",
    ]
    return " ".join([*says, _below_words(days)]).strip()


def _unknown(days: StreamDays) -> str:
    ice = int(days.ice.sum())
    return f"{int(days.unknown.sum())} without a value{f' ({ice} ice)' if ice else ''}"


def _approval(days: StreamDays, at: int) -> str:
    return "approved" if days.approved[at] else "provisional"


def _below_words(days: StreamDays) -> str:
    judged = np.isfinite(days.base_flow)
    if not judged.any():
        return "No base flow is signed for this gauge."
    base = days.base_flow[judged][-1]
    return f"{int(days.below.sum())} days since {days.day[judged][0]} below base flow, {base:g} cfs now."


def stream_table(record: StreamRecord) -> Table:
    """By month: days known, lowest, mean, highest, days below base flow."""
    days = stream_days(record.frame, record.base_flow)
    judged = np.isfinite(days.base_flow)
    frame = pd.DataFrame(
        {"value": days.value, "below": days.below, "judged": judged}, index=days.day.astype("datetime64[M]").astype(str)
    )
    rows = [
        row(
            month,
            int(one["value"].count()),
            *_low_mean_high(one["value"]),
            int(one["below"].sum()) if one["judged"].any() else "not judged",
        )
        for month, one in frame.groupby(level=0)
    ]
    unit = "cfs" if record.gauge.judged == "discharge" else "ft"
    names = ("Lowest", "Mean", "Highest")
    columns = ("Month", "Days known", *(f"{name}, {unit}" for name in names), "Days below base flow")
    return Table(f"{record.gauge.id} by month", columns, rows)


def _low_mean_high(values: pd.Series) -> list[Cell]:
    found = (values.min(), values.mean(), values.max()) if values.count() else ()
    texts = (np.format_float_positional(one, 3, fractional=False, trim="-") for one in found)
    return [Cell(text, "number") for text in texts] or [Cell("")] * 3


def level_words(record: WellRecord) -> str:
    """How many readings, the latest, the shallowest and the deepest."""
    frame = record.frame
    known = frame[frame["depth_ft"].notna()]
    counts = ", ".join(f"{len(group)} {_kind(str(kind))}" for kind, group in known.groupby("kind"))
    dry = int(frame["dry"].sum())
    if known.empty:
        return f"No depth is known; {dry} dry readings."
    last, depth = known.iloc[-1], known["depth_ft"]
    says = f"{counts}{f', {dry} dry' if dry else ''}. Latest {last['depth_ft']:.2f} ft below land on {last['day']};"
    return f"{says} shallowest {depth.min():.2f} ft, deepest {depth.max():.2f} ft."


def _kind(kind: str) -> str:
    return {"hand": "readings by hand", "logger": "logger readings", "daily": "daily values"}.get(kind, kind)


def level_table(record: WellRecord) -> Table:
    """By month: readings, shallowest, deepest, dry readings."""
    months = np.array(record.frame["day"].tolist(), dtype="datetime64[M]")
    rows = [
        row(str(month)[:7], int(one["depth_ft"].count()), *_low_high(one["depth_ft"]), int(one["dry"].sum()))
        for month, one in record.frame.groupby(months)
    ]
    columns = ("Month", "Readings", "Shallowest, ft", "Deepest, ft", "Dry readings")
    return Table(f"{record.well.id} by month", columns, rows)


def _low_high(depths: pd.Series) -> list[Cell]:
    found = (depths.min(), depths.max()) if depths.count() else ()
    return [Cell(f"{one:.2f}", "number") for one in found] or [Cell("")] * 2


def quality_words(frame: pd.DataFrame) -> str:
    """How many results in how many wells, and how many were not detected."""
    results = _distinct(frame)
    hidden = int(results["value"].isna().sum())
    wells = results["station"].nunique()
    return f"{len(results)} results in {wells} wells, {hidden} of them not detected (hollow, at the LOD)."


def quality_table(frame: pd.DataFrame, name: str) -> Table:
    """By well: results, not detected, lowest and highest quantity, latest result."""
    results = _distinct(frame).sort_values(["station", "sampled"])
    rows = []
    for well, one in results.groupby("station"):
        last = one.iloc[-1]
        latest = f"{last['value_text']} {last['unit']} on {last['sampled']}"
        low, _, high = _low_mean_high(one["value"])
        rows.append(row(well, len(one), int(one["value"].isna().sum()), low, high, latest))
    return Table(f"{name} by well", ("Well", "Results", "Not detected", "Lowest", "Highest", "Latest"), rows)


def _distinct(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.drop_duplicates(["station", "sampled", "value_text", "row_id"])


def map_words(record: SiteRecord) -> str:
    """What stands outside the first view."""
    far = beyond(record.site)
    named = ", ".join(f"{one.id} ({_kind_only(one)})" for one in far)
    return f"Further out and reached by zooming: {named}." if far else ""


def _kind_only(place: Place) -> str:
    return place.kind.partition(" (")[0].lower()


def map_table(record: SiteRecord) -> Table:
    """Everything on the map with its coordinates; a private well with those of its quarter-quarter's centre."""
    rows = [
        row(one.id, _kind_only(one), f"{one.position[0]:,.0f}", f"{one.position[1]:,.0f}", one.where)
        for one in places(record.site)
    ]
    columns = ("Id", "What", "Easting, ft", "Northing, ft", "How well its place is known")
    return Table(f"Places on the map ({record.site.crs})", columns, rows)


def cone_words(record: SiteRecord) -> str:
    """What the contours are, from which model, and what it leaves out."""
    cone = record.cone
    if cone is None:
        return "No cone of depression is drawn: no aquifer, no stream or no metered pumping is on record."
    levels = cone.levels_ft()
    shown = f"contours at {', '.join(f'{one:g}' for one in levels)} ft" if levels else "under 0.1 ft, none is drawn"
    return f"Modelled drawdown of the water table at the end of {cone.on}: {shown}. {cone.model}"
