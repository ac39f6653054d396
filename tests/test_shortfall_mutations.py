"""Every decision of the shortfall semantics has a written case that fails when the decision is broken.

Each mutation breaks one decision in the program and names the cases that must notice. All cases hold unbroken.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from models.checks import base_flow, base_flow_context, gauge_days, gauge_watch
from models.streamflow import annotation, daily_mean, day_states, revision, shortfall
from models.streamflow.practice import Practice
from models.streamflow.spells import Ending, Run, SpellMachine
from models.streamflow.threshold import Threshold
from tests.shortfall_tables import every_id, failing, practice

Patch = Callable[[pytest.MonkeyPatch], None]


def none(_: pytest.MonkeyPatch) -> None:
    """Nothing is patched: the practice alone is another."""


@dataclass(frozen=True)
class Mutation:
    """One decision broken in one way. ``caught_by``: cases that must fail under it."""

    decision: int
    how: str
    caught_by: list[str]
    patch: Patch = none
    practice: Practice = field(default_factory=practice)


def to(owner: Any, name: str, new: Any) -> Patch:
    """Replace one attribute."""
    return lambda patch: patch.setattr(owner, name, new)


# The ways to break them -----------------------------------------------------------------------------------------------


def never_ends(machine: SpellMachine) -> None:
    """A recovery no longer ends a spell: days below add up."""


def ends_nothing_certain(machine: SpellMachine) -> None:
    """A recovery of one day is passed over, and the certain run goes on after it: pooled for the trigger."""
    machine.hole = []


def unknown_is_recovery(machine: SpellMachine, day: date) -> None:
    machine._not_below()


def unknown_is_below(machine: SpellMachine, day: date) -> None:
    machine._below(day)


def unknown_interrupts_nothing(machine: SpellMachine, day: date) -> None:
    """The certain run goes on across an unknown day."""
    if machine.current:
        machine.current.unknown.append(day)


def trigger_after(extra: int) -> Patch:
    whole = SpellMachine.__init__

    def begin(machine: SpellMachine, more_than_days: int, *rest: Any) -> None:
        whole(machine, more_than_days + extra, *rest)

    return to(SpellMachine, "__init__", begin)


def closes_on(is_break: Callable[[date], bool]) -> Patch:
    advance = SpellMachine.advance

    def broken(machine: SpellMachine, day: date, state: Any) -> None:
        if is_break(day):
            machine._not_below()
        advance(machine, day, state)

    return to(SpellMachine, "advance", broken)


def leaves_out(is_left_out: Callable[[date], bool]) -> Patch:
    advance = SpellMachine.advance

    def broken(machine: SpellMachine, day: date, state: Any) -> None:
        if not is_left_out(day):
            advance(machine, day, state)

    return to(SpellMachine, "advance", broken)


def ended_at_the_end(machine: SpellMachine) -> list[Run]:
    """The end of the record counts as a recovery."""
    if machine.current:
        machine.current.ending = Ending.RECOVERED
    return [*machine.ended, *([machine.current] if machine.current else [])]


def daily(change: Callable[[daily_mean.DailyMean], daily_mean.DailyMean]) -> Patch:
    whole = daily_mean.daily_means
    return to(daily_mean, "daily_means", lambda *a, **k: [change(one) for one in whole(*a, **k)])


def lowest_of_the_day(patch: pytest.MonkeyPatch) -> None:
    """The lowest reading of a day in place of its mean."""
    integrate = daily_mean._integrate

    def low(times: Any, values: Any, midnights: Any, step: Any) -> Any:
        weight, _ = integrate(times, values, midnights, step)
        day = daily_mean._day_of(times, midnights)
        lowest = [values[day == k].min(initial=1e9) for k in range(len(weight))]
        return weight, weight * lowest

    patch.setattr(daily_mean, "_integrate", low)


def standard_time(patch: pytest.MonkeyPatch) -> None:
    """Days of local standard time all year."""
    whole = daily_mean._civil_days
    patch.setattr(
        daily_mean, "_civil_days", lambda first, last, zone: whole(first, last, timezone(timedelta(hours=-6)))
    )


def days_of_24_hours(one: daily_mean.DailyMean) -> daily_mean.DailyMean:
    """Coverage of the day of 23 hours over 24."""
    return replace(one, coverage=one.coverage * 23 / 24) if one.day == date(2025, 3, 9) else one


def voids(keep: str) -> Patch:
    """One reason why a day is unknown is dropped."""
    whole = day_states._why_void
    return to(day_states, "_why_void", lambda *a: "" if (why := whole(*a)) == keep else why)


def swapped(operator: str) -> Patch:
    other = {"lt": "le", "le": "lt"}[operator]
    return lambda patch: patch.setitem(day_states.IS_BELOW, operator, day_states.IS_BELOW[other])


def estimated(_: Any) -> bool:
    return False


def everywhere(name: str, new: Any, *owners: Any) -> Patch:
    def patch_all(patch: pytest.MonkeyPatch) -> None:
        for owner in owners:
            patch.setattr(owner, name, new)

    return patch_all


def as_it_stands(value: Decimal, *_: Any) -> Decimal:
    return value


def half_even(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(day_states, "_ROUNDING", decimal.Context(prec=1000, rounding=decimal.ROUND_HALF_EVEN))


def lowest_gauge(patch: pytest.MonkeyPatch) -> None:
    """Each day takes the lowest of all gauges."""
    whole = gauge_days.daily

    def lowest(question: Any, gauge: Any, start: Any, end: Any) -> Any:
        each = [whole(question, one, start, end) for one in question.site.gauge]
        return [min(days, key=lambda one: one.value) for days in zip(*each, strict=True)]

    patch.setattr(gauge_days, "daily", lowest)


def chained(patch: pytest.MonkeyPatch) -> None:
    """Every gauge is judged against the base flow of the first."""
    whole = base_flow.signed_versions
    patch.setattr(
        base_flow, "signed_versions", lambda s, gauge, *a: whole(s, gauge.model_copy(update={"id": "G-1"}), *a)
    )


def first_month_only(threshold: Threshold, day: date) -> Decimal | None:
    return threshold.months[0][1]


def hardly_zero(patch: pytest.MonkeyPatch) -> None:
    """A base flow of zero is taken for a very small one."""
    whole = Threshold.at
    patch.setattr(Threshold, "at", lambda self, day: whole(self, day) or Decimal("1e-9"))


def judged_as_spells(patch: pytest.MonkeyPatch) -> None:
    """The effect clause goes through the machine of the trigger clause."""
    patch.setattr(base_flow, "_day_findings", base_flow._spell_findings)


def any_record(stream: Any, gauge: Any, began: date, on: date) -> Any:
    return [one for one in stream.base_flow if one.gauge == gauge.id]


def without(line: str) -> Patch:
    whole = base_flow_context.lines
    return to(base_flow_context, "lines", lambda *a: [one for one in whole(*a) if one.line != line])


def nothing(*_: Any, **__: Any) -> tuple[()]:
    return ()


MUTATIONS = [
    Mutation(1, "days below add up over recoveries", ["C07", "C03"], to(SpellMachine, "_not_below", never_ends)),
    Mutation(1, "the cumulative count is not told", ["N01"], without("days below")),
    Mutation(2, "the lowest reading of a day judges it", ["I02", "I05"], lowest_of_the_day),
    Mutation(3, "equality is below", ["C03"], swapped("lt")),
    Mutation(3, "to or below leaves equality out", ["C04", "C06"], swapped("le")),
    Mutation(4, "five days suffice", ["C01", "C46", "D19"], trigger_after(-1)),
    Mutation(4, "the seventh day triggers", ["C16", "C10", "D04"], trigger_after(1)),
    Mutation(5, "120 hours suffice", ["I05"], trigger_after(-1)),
    Mutation(6, "days of standard time", ["I06a"], standard_time),
    Mutation(6, "every day has 24 hours", ["I06b"], daily(days_of_24_hours)),
    Mutation(7, "half a day is a day", ["C31"], practice=practice(minimum_coverage=Decimal("0.5"))),
    Mutation(7, "a thin day is never certain", ["C32"], to(day_states, "_certainly_not_below", lambda *_: False)),
    Mutation(7, "a long hole in a day is passed over", ["I07"], practice=practice(longest_hole_ms=6 * 3_600_000)),
    Mutation(8, "an unknown day is a recovery", ["C09", "C20", "D08"],
             to(SpellMachine, "_unknown", unknown_is_recovery)),
    Mutation(8, "an unknown day is below", ["C31", "C20", "D08"], to(SpellMachine, "_unknown", unknown_is_below)),
    Mutation(8, "an unknown day does not break the certain run", ["C31", "C29"],
             to(SpellMachine, "_unknown", unknown_interrupts_nothing)),
    Mutation(9, "a hole of any length links", ["C22", "C44"], practice=practice(longest_linking_gap_days=99)),
    Mutation(9, "five unknown days do not link", ["D09", "C20"], practice=practice(longest_linking_gap_days=4)),
    Mutation(9, "an outage is not told", ["N09"], to(gauge_watch, "OUTAGE", "NOTHING")),
    Mutation(10, "one known day raises doubt", ["C44", "D10"], practice=practice(indeterminate_known_days=1)),
    Mutation(10, "doubt needs four known days", ["C22", "C46"], practice=practice(indeterminate_known_days=4)),
    Mutation(10, "the duty is not told", ["N10"], everywhere("_missing", lambda *_: "", annotation)),
    Mutation(11, "the end of the record is a recovery", ["C12", "C14", "D11"],
             to(SpellMachine, "spells", ended_at_the_end)),
    Mutation(12, "nothing is provisional", ["D12", "N12"],
             everywhere("is_provisional", estimated, annotation, shortfall)),
    Mutation(13, "a revision unmakes nothing", ["D13a", "D13b"], to(revision, "_triggered", nothing)),
    Mutation(13, "a shortfall that moved is another one", ["D13b"], to(revision, "_overlap", lambda *_: False)),
    Mutation(14, "a raw value under ice counts", ["C20"], practice=practice(void_qualifiers=frozenset())),
    Mutation(14, "an estimate under ice does not count", ["D14"],
             to(day_states.DailyFlow, "is_estimated", property(estimated))),
    Mutation(15, "no error of measurement", ["D12", "D15"], everywhere("_margin", lambda *_: Decimal(0), shortfall)),
    Mutation(15, "a margin is built into the trigger", ["C34", "D15"],
             to(day_states, "IS_BELOW", {"lt": lambda v, b: v * Decimal("1.08") < b, "le": lambda v, b: v <= b})),
    Mutation(15, "the rating's own error is passed over", ["N15"], to(gauge_days, "_rated", lambda day, _: day)),
    Mutation(16, "days of two gauges are chained", ["N16"], lowest_gauge),
    Mutation(16, "one base flow for two gauges", ["N16"], chained),
    Mutation(17, "a surrogate speaks untransferred", ["N17a"], to(gauge_days, "transferred", lambda day, _: day)),
    Mutation(17, "a surrogate is not flagged", ["N17a"], to(gauge_days, "surrogate", lambda _: "")),
    Mutation(17, "a surrogate needs no ratio", ["N17b"], to(gauge_days, "why_not", lambda _: "")),
    Mutation(18, "one month for all", ["C23", "D18"], to(Threshold, "find", first_month_only)),
    Mutation(18, "the count begins anew with a month", ["C25"], closes_on(lambda day: day.day == 1)),
    Mutation(18, "the step is not told", ["D18"], everywhere("threshold_step", lambda *_: False, shortfall)),
    Mutation(19, "a day of recovery is passed over", ["D19", "C03"],
             to(SpellMachine, "_not_below", ends_nothing_certain)),
    Mutation(20, "to or below nothing is judged", ["C28"], hardly_zero),
    Mutation(20, "a dry stream is unknown", ["C26"],
             to(day_states, "_why_void", lambda day, *_: "" if day.value else "no flow")),
    Mutation(20, "a sensor out of water reads zero", ["D20"], lambda patch: patch.setattr(
        shortfall, "explain", lambda day, *a: day_states.explain(replace(day, value=day.value or Decimal(0)), *a))),
    Mutation(21, "negative flow is a low flow", ["C29"], voids("negative flow")),
    Mutation(22, "our own means are not rounded", ["C37"], to(day_states, "to_record_precision", as_it_stands)),
    Mutation(22, "half goes to even", ["D22"], half_even),
    Mutation(23, "29 February is left out", ["C48"], leaves_out(lambda day: (day.month, day.day) == (2, 29))),
    Mutation(23, "a spell ends with the year", ["C49"], closes_on(lambda day: (day.month, day.day) == (1, 1))),
    Mutation(24, "a reading stands until the next", ["I24"],
             to(daily_mean, "_steps", lambda times, *_: np.full(times.size, 24 * 3_600_000))),
    Mutation(24, "a low visit is not told", ["N24"], to(gauge_watch, "_low_visits", nothing)),
    Mutation(25, "a stage is taken for flow", ["N25"], to(gauge_days, "why_not", lambda _: "")),
    Mutation(26, "ice voids a lake's stage", ["D26"], practice=practice(stage_keeps=frozenset())),
    Mutation(26, "a stage has no error", ["D26"], practice=practice(stage_uncertainty_ft=Decimal("0.03"))),
    Mutation(27, "the effect clause has a duration", ["N27"], judged_as_spells),
    Mutation(28, "the natural rate is not told", ["N28"], without("natural rate")),
    Mutation(29, "days of mining make a base flow", ["N29"], to(base_flow, "signed_versions", any_record)),
    Mutation(30, "a correction reaches back", ["N30"],
             to(base_flow, "threshold", lambda versions: versions[-1].threshold())),
    Mutation(30, "versions are not shown", ["N30"], without("base flow versions")),
]  # fmt: skip


def test_every_case_holds() -> None:
    assert failing(list(every_id())) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: f"{one.decision} {one.how}")
def test_a_broken_decision_fails_its_cases(mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    mutation.patch(monkeypatch)
    assert failing(mutation.caught_by, mutation.practice) == mutation.caught_by


def test_every_decision_is_broken_at_least_once() -> None:
    assert {one.decision for one in MUTATIONS} == set(range(1, 31))
