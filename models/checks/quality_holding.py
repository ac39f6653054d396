"""Results analysed after their holding time, or perhaps: none is void, and each is told beside its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from models.holding_time import Held, held, holding_time, span_of
from models.observation import Flags
from models.question import StoredRow


@dataclass(frozen=True)
class Late:
    """A result and how long it was kept; ``kept`` None: its date of analysis cannot be read."""

    row: StoredRow
    analysed: str
    kept: Held | None

    @property
    def standing(self) -> str:
        return "unknown" if self.kept is None else self.kept.standing

    def told(self) -> dict[str, Any]:
        """As plain data."""
        row, kept = self.row, self.kept
        return {
            "station": row.station, "sample": Flags.parse(row.flags).facts.get("sample", ""),
            "parameter": row.parameter, "sampled": row.day.isoformat(), "analysed": self.analysed,
            "standing": self.standing, "hours": None if kept is None else [float(kept.shortest), float(kept.longest)],
            "says": self.says(), "row_id": row.row_id,
        }  # fmt: skip

    def says(self) -> str:
        """For print."""
        if self.kept is None:
            return "its date of analysis is not written like a day of sampling: nobody can tell, ask the laboratory"
        return f"{'perhaps too late: ' * (self.standing == 'unknown')}{self.kept.says()}"


def late(rows: Sequence[StoredRow], zone: ZoneInfo | None = None) -> Iterator[Late]:
    """Results that give a date of analysis and were not surely analysed in time.

    Parameters
    ----------
    zone : of the place, by whose clock a laboratory's own is read; None: rows carry that clock as it is.
    """
    for row in rows:
        flags = Flags.parse(row.flags)
        analysed = flags.facts.get("analysed", "")
        if not analysed or holding_time(row.parameter, row.day) is None:
            continue
        kept = held(row.parameter, *_on_the_clock(row, zone), flags)
        if (kept is None and span_of(analysed) is None) or (kept is not None and kept.standing != "kept"):
            yield Late(row, analysed, kept)


def _on_the_clock(row: StoredRow, zone: ZoneInfo | None) -> tuple[str, int]:
    """Clock and time of sampling as its place read them, of a day its midnight."""
    if zone is None:
        return row.clock, row.time_ms
    wall = datetime.fromtimestamp(row.time_ms / 1000, zone).replace(tzinfo=UTC)
    return "naive" if row.clock == "utc" else row.clock, round(wall.timestamp() * 1000)
