"""The spell machine: one state per day in, spells out, constant work per day (shortfall semantics, section 3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Literal

from models.streamflow.day_states import DayState
from models.streamflow.practice import PRACTICE, Practice


@dataclass(frozen=True)
class Spell:
    """One fall of the stream below its base flow.

    Parameters
    ----------
    start, end : first and last day known to be below.
    earliest_start, latest_end : outer bounds with the linked unknown days; None beside an outage. ``latest_end`` of
        an open spell is the last day seen, and no recovery.
    known_below_days, possible_days : days certainly below, and the longest the spell may be [d].
    status, verdict : words of the semantics, sections 1 and 6.
    trigger_date : the day that completed the shortfall; not knowable before the following midnight (decision 4).
    indeterminate_from : the first day on which the spell could be a shortfall, and could be none (decision 10).
    provisional : at least one of its days below is provisional (decision 12).
    confidence : of a triggered spell (decision 15).
    threshold_step : the spell exists only because the base flow steps at a month's end (decision 18).
    below_days, unknown_days : the days, in order.
    reasons : what a reader must know, in plain words.
    """

    start: date
    end: date
    earliest_start: date | None
    latest_end: date | None
    known_below_days: int
    possible_days: int
    status: str
    verdict: str
    trigger_date: date | None
    indeterminate_from: date | None
    provisional: bool
    confidence: Literal["BEYOND_UNCERTAINTY", "WITHIN_UNCERTAINTY"] | None
    threshold_step: bool
    below_days: tuple[date, ...]
    unknown_days: tuple[date, ...]
    reasons: tuple[str, ...]


class Ending(StrEnum):
    """What ended a spell, as the suffix of its status."""

    RECOVERED = "CLOSED"
    OUTAGE = "CENSORED"
    NOT_YET = "OPEN"


@dataclass
class Run:
    """One spell as the machine builds it.

    Parameters
    ----------
    below, unknown : its known days below, and the unknown days that may belong to it, both in order.
    left_censored : an outage came just before, so its beginning is not known.
    certain : known consecutive days below up to now.
    trigger : the first day that completed a certain run of the length needed.
    doubted : the first day the spell was indeterminate.
    ending : why it ended.
    """

    below: list[date]
    unknown: list[date]
    left_censored: bool
    certain: int = 0
    trigger: date | None = None
    doubted: date | None = None
    ending: Ending = Ending.NOT_YET

    @property
    def possible(self) -> int:
        """The longest the spell may be [d]."""
        return len(self.below) + len(self.unknown)

    @property
    def earliest_start(self) -> date | None:
        """The first day that may belong to it; None after an outage."""
        return None if self.left_censored else min([self.below[0], *self.unknown[:1]])

    @property
    def latest_end(self) -> date | None:
        """The last day that may belong to it; None before an outage."""
        return None if self.ending is Ending.OUTAGE else max([self.below[-1], *self.unknown[-1:]])


@dataclass
class SpellMachine:
    """Folds days into spells; `advance` once per calendar day, no day left out.

    Parameters
    ----------
    more_than_days : number of the law: a shortfall lasts more than this many days [d].
    """

    more_than_days: int
    practice: Practice = PRACTICE
    ended: list[Run] = field(default_factory=list)
    current: Run | None = None
    hole: list[date] = field(default_factory=list)
    after_outage: bool = False

    def advance(self, day: date, state: DayState) -> None:
        """Take the next calendar day. O(1)."""
        if state is DayState.BELOW:
            self._below(day)
        elif state is DayState.UNKNOWN:
            self._unknown(day)
        else:
            self._not_below()

    def spells(self) -> list[Run]:
        """All spells so far, the open one last."""
        return [*self.ended, *([self.current] if self.current else [])]

    def status(self, run: Run) -> str:
        """Status word of a spell (section 1)."""
        if run.trigger:
            return f"TRIGGERED_{run.ending}"
        doubtful = self._may_be_long(run)
        if doubtful and len(run.below) >= self.practice.indeterminate_known_days:
            return "INDETERMINATE_OPEN" if run.ending is Ending.NOT_YET else "INDETERMINATE"
        if run.ending is Ending.NOT_YET:
            return "WATCH"
        return "MINOR_CENSORED" if doubtful else "MINOR"

    def _not_below(self) -> None:
        self._end(Ending.RECOVERED)
        self.hole, self.after_outage = [], False

    def _below(self, day: date) -> None:
        run = self.current or self._begin()
        run.below.append(day)
        run.certain += 1
        if run.trigger is None and run.certain > self.more_than_days:
            run.trigger = day
        self.hole = []
        self._doubt(run, day)

    def _unknown(self, day: date) -> None:
        if self.after_outage and self.current is None:
            return
        self.hole.append(day)
        if len(self.hole) > self.practice.longest_linking_gap_days:
            self._outage(day)
        elif self.current:
            self.current.certain = 0
            self.current.unknown.append(day)
            self._doubt(self.current, day)

    def _begin(self) -> Run:
        self.current = Run([], [] if self.after_outage else list(self.hole), self.after_outage)
        return self.current

    def _outage(self, day: date) -> None:
        """A hole too long to link: its days are taken back and both neighbours are censored (decision 9)."""
        run = self.current
        self._end(Ending.OUTAGE)
        if run:
            del run.unknown[len(run.unknown) - len(self.hole) + 1 :]
            self._doubt(run, day)
        self.hole, self.after_outage = [], True

    def _end(self, ending: Ending) -> None:
        if self.current:
            self.current.ending = ending
            self.ended.append(self.current)
        self.current = None

    def _doubt(self, run: Run, day: date) -> None:
        known = len(run.below) >= self.practice.indeterminate_known_days
        if run.trigger is None and run.doubted is None and known and self._may_be_long(run):
            run.doubted = day

    def _may_be_long(self, run: Run) -> bool:
        return run.possible > self.more_than_days or run.left_censored or run.ending is Ending.OUTAGE
