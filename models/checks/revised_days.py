"""Days that a finding rested on and that read differently now (shortfall semantics, decision 13)."""

from __future__ import annotations

from collections.abc import Mapping

from models.finding import Finding

DAYS = "days"
"""The fact of a finding that holds what each of its days said when it was judged."""
UNKNOWN = "unknown"


def changed_days(previous: Finding, now: Mapping[str, str]) -> tuple[str, ...]:
    """Days of a finding that say something else than when it was judged; a day not in ``now`` is unknown."""
    said: Mapping[str, str] = previous.facts.get(DAYS, {})
    return tuple(
        f"{day} {before} is now {now.get(day, UNKNOWN)}"
        for day, before in said.items()
        if now.get(day, UNKNOWN) != before
    )
