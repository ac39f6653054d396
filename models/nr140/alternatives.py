"""Alternative concentration limits of a well in place of what they replace, day by day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from models.alternative_limit import AlternativeLimit
from models.errors import BadSite, BadUnit
from models.standards import Standard, Standards

VERIFICATION = "decision"
"""How far such a value was verified: it stands in a decision, which the finding names."""


def with_alternatives(law: Standards, limits: Sequence[AlternativeLimit], well: str) -> Standards:
    """A set of standards with the alternative limits of one well in place of what they replace, day by day.

    Raises
    ------
    BadSite : a limit replaces no standard of the set, or more than one, or in a unit that is not its own.
    """
    held = [one for one in limits if one.holds_at(well)]
    rows: Iterable[Standard] = law.rows
    for one in sorted(held, key=lambda limit: limit.since):
        rows = tuple(_replaced(tuple(rows), one))
    return law.replaced(rows) if held else law


def _replaced(rows: Sequence[Standard], limit: AlternativeLimit) -> Iterator[Standard]:
    tables = {one.table for one in rows if _meant(one, limit)}
    if len(tables) != 1:
        reason = "stands in two tables: name one" if tables else "replaces no standard of the set"
        raise BadSite(reason, file="site.toml", key="alternative_limit", found=f"{limit.substance} {limit.kind}",
                      allowed=sorted(tables) or None)  # fmt: skip
    for one in rows:
        yield from _beside(one, limit) if _meant(one, limit) else (one,)


def _meant(one: Standard, limit: AlternativeLimit) -> bool:
    same = (one.parameter, one.kind) == (limit.substance, limit.kind)
    return same and limit.table in {"", one.table}


def _beside(one: Standard, limit: AlternativeLimit) -> Iterator[Standard]:
    """The table's row before and after, the alternative in between, each only where it is ever in force."""
    alternative = replace(
        one, value=limit.value, unit=limit.unit, effective=limit.since, repealed=_earlier(one.repealed, limit.until),
        citation=f"alternative concentration limit: {limit.decision}", verification=VERIFICATION, detection_only=False,
        note=f"replaces {one.value} {one.unit} of {one.citation}",
    )  # fmt: skip
    try:
        alternative.in_unit(one.unit)
    except BadUnit as bad:
        raise bad.at(file="site.toml", key="alternative_limit.unit") from None
    before = replace(one, repealed=_earlier(one.repealed, limit.since))
    after = () if limit.until is None else (replace(one, effective=limit.until),)
    yield from (each for each in (before, alternative, *after) if _ever(each))


def _earlier(one: date | None, other: date | None) -> date | None:
    days = [day for day in (one, other) if day is not None]
    return min(days, default=None)


def _ever(one: Standard) -> bool:
    return one.effective is None or one.repealed is None or one.effective < one.repealed
