"""The verdict on an episode: attained only where both limbs of the clause were observed.

One limb alone, or a drop that the index well shares, needs confirmation; where nothing can be compared, the program
cannot tell, and says what would settle it.
"""

from __future__ import annotations

from models.checks.level_band import Status
from models.checks.level_band_told import cannot_tell
from models.checks.water_level_episodes import Episode
from models.checks.water_level_tables import Tables
from models.place import Nearness
from models.site import Well
from models.verdict import Verdict

RANK: tuple[Status, ...] = ("shown", "unknown", "shared", "none", "no baseline")
SHOWN = "the water table dropped below its baseline and the well could not supply water"


def drop_status(episode: Episode) -> Status | None:
    """What the levels of an episode show of the drop, the most that any of them does; None where none was read."""
    return min((drop.status for _, drop in episode.levels), key=RANK.index, default=None)


def verdict(episode: Episode, tables: Tables, near: Nearness, well: Well) -> tuple[Verdict, str]:
    """The clause status of an episode, and why."""
    if not episode.adverse:
        return _drop_alone(episode, tables, well)
    said = "impact observed" if episode.impacts else "signs of an impact"
    if not tables.has_baseline:
        return "indeterminate", f"{said}, but no baseline level at this well: a drop cannot be shown"
    if (why := _no_drop(episode, tables)) or not episode.impacts:
        return "needs_confirmation", why or _signs(episode)
    if near.within == "uncertain":
        return "needs_confirmation", "the well's position accuracy crosses the line the clause draws: survey it"
    return "attained", f"{SHOWN} ({', '.join(dict.fromkeys(one.line for one in episode.impacts))})"


def _no_drop(episode: Episode, tables: Tables) -> str:
    """Why the levels show no drop; empty where they do."""
    status = drop_status(episode)
    if status == "shown":
        return ""
    if status == "shared":
        return f"the water table is below its baseline, but {_as_low(tables)}"
    if status == "unknown":
        return f"the water table is below its baseline; {_unknown(episode)}"
    return "impact reported; no reading yet shows the water table below its baseline: take a level"


def _unknown(episode: Episode) -> str:
    """Why the last level that is low tells no more."""
    last = next(one for one, drop in reversed(episode.levels) if drop.status == "unknown")
    return "" if last.table is None else cannot_tell(last.table, last.day)


def _signs(episode: Episode) -> str:
    words = ", ".join(dict.fromkeys(one.line for one in episode.adverse))
    return (
        f"the water table dropped below its baseline; {words} tells signs of a failing supply and no failure: starts "
        "of the pump counted over a whole day, or the owner's word on whether water stays away, would settle it"
    )


def _drop_alone(episode: Episode, tables: Tables, well: Well) -> tuple[Verdict, str]:
    what = "the owner's word on the supply" if well.pump_intake_ft is not None else "the depth of the pump intake"
    other = "a level at the well itself" if well.pump_intake_ft is not None else "the owner's word on the supply"
    unknown = f"whether the well still supplies water is not known: {what} or {other} would settle it"
    if any(one.short for one in episode.seen):
        unknown = (
            "what is left above the pump intake puts the well at risk, and whether it still supplies water when the "
            f"pump draws is not known: {what} would settle it"
        )
    if drop_status(episode) == "shown":
        return "needs_confirmation", f"the water table dropped below its baseline; {unknown}"
    return "indeterminate", f"{_no_drop(episode, tables)}; {unknown}"


def _as_low(tables: Tables) -> str:
    return f"the index well is as low ({_index(tables)}): the season or the year explains it"


def _index(tables: Tables) -> str:
    ids = dict.fromkeys(one.index.id for one in tables.all if one.index is not None)
    return f"index well {', '.join(ids)}" if ids else "the index well"
