"""Readings in order of time as episodes, from a sign that a limb of the clause is met to the reading that ends it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from models.checks.level_band import Drop
from models.checks.water_level_readings import ADVERSE, OWNER, Reading


@dataclass(frozen=True)
class Episode:
    """``seen``: its readings; ``end``: the one that showed water again; ``before``: a low level read shortly before."""

    seen: tuple[Reading, ...]
    end: Reading | None
    before: Reading | None

    @property
    def ongoing(self) -> bool:
        return self.end is None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All of them in order."""
        return tuple(one for one in (self.before, *self.seen, self.end) if one is not None)

    @property
    def levels(self) -> tuple[tuple[Reading, Drop], ...]:
        """Readings that state a level, and how it stands against the water table before mining."""
        stated = (one for one in (self.before, *self.seen) if one is not None)
        return tuple((one, one.drop) for one in stated if one.drop is not None)

    @property
    def impacts(self) -> tuple[Reading, ...]:
        """Readings that say the well could not supply."""
        return tuple(one for one in self.seen if one.says == "impact")

    @property
    def adverse(self) -> tuple[Reading, ...]:
        """Those and the signs of it."""
        return tuple(one for one in self.seen if one.says in ADVERSE)


def episodes(found: Iterable[Reading], intake_known: bool, speaks_for: timedelta) -> list[Episode]:
    """The episodes of one well.

    Parameters
    ----------
    found : its readings in order of time.
    intake_known : a level then tells whether water stands above the pump.
    speaks_for : a reading speaks for the well this long, until another.
    """
    walk = _Walk(intake_known, speaks_for)
    for one in found:
        walk.take(one)
    return walk.finished()


@dataclass
class _Walk:
    """Where the reading of a record has come to.

    ``last_level``: the last level read; ``last_symptom``, ``water_seen``: the last that spoke of trouble, or of water
    above the intake; ``restored``: the owner said that water came back, and no level has been back at its baseline yet.
    """

    intake_known: bool
    speaks_for: timedelta
    done: list[Episode] = field(default_factory=list)
    current: list[Reading] = field(default_factory=list)
    before: Reading | None = None
    last_level: Reading | None = None
    last_symptom: Reading | None = None
    water_seen: Reading | None = None
    restored: bool = False

    def take(self, one: Reading) -> None:
        if self.current:
            self._go_on(one)
        else:
            self._look(one)
        if one.says in {"level", "table"}:
            self.last_level = one
        if one.says == "level" and self.intake_known:
            self.water_seen = one

    def finished(self) -> list[Episode]:
        return self.done + ([Episode(tuple(self.current), None, self.before)] if self.current else [])

    def _go_on(self, one: Reading) -> None:
        if not self._ends(one):
            self.current.append(one)
            return
        self.done.append(Episode(tuple(self.current), one, self.before))
        self.current, self.before, self.last_symptom = [], None, None
        self.restored = one.says == "restored" and one.line == OWNER

    def _ends(self, one: Reading) -> bool:
        troubled = any(each.says in ADVERSE for each in self.current)
        if one.says == "level":
            return not one.low or (self.intake_known and not troubled and not one.short)
        return one.says == "restored" or (one.says == "table" and not troubled and not one.low)

    def _look(self, one: Reading) -> None:
        if one.says in {"impact", "sign"}:
            self._begin([one], self._low_before(one))
        elif one.says == "symptom":
            self.last_symptom = one
            if low := self._low_before(one):
                self._begin([one], low)
        elif one.says in {"level", "table"}:
            self._look_at_level(one)
        elif one.says == "restored":
            self.last_symptom, self.restored = None, one.line == OWNER

    def _look_at_level(self, one: Reading) -> None:
        if self._speaks(self.last_symptom, one) and one.low:
            self._begin([each for each in (self.last_symptom, one) if each is not None], None)
        elif self.restored:
            self.restored = one.low
        elif self._supply_unknown(one) and one.drop is not None and one.drop.status in {"shown", "unknown"}:
            self._begin([one], None)

    def _supply_unknown(self, one: Reading) -> bool:
        """A level above a known intake is water, unless little of it is left; beside it, one that was read lately."""
        if one.says == "level":
            return one.short or not self.intake_known
        return not self._speaks(self.water_seen, one)

    def _low_before(self, one: Reading) -> Reading | None:
        last = self.last_level
        return last if last is not None and self._speaks(last, one) and last.low else None

    def _speaks(self, earlier: Reading | None, now: Reading) -> bool:
        return earlier is not None and now.day - earlier.day <= self.speaks_for

    def _begin(self, readings: list[Reading], before: Reading | None) -> None:
        self.current, self.before, self.restored = readings, before, False
