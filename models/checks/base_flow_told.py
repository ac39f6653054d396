"""A shortfall in words: each day with the base flow, the version, the signer and the stream that are its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

from models.base_flow import BaseFlow
from models.checks.signed_flow import threshold, version_on, versions_of
from models.finding import Evidence
from models.question import Question
from models.rules import BaseFlowRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow
from models.streamflow.spells import Spell

Signed = Sequence[BaseFlow]


@dataclass(frozen=True)
class Stretch:
    """Days in a row, in the order given, under one base flow [cfs] of one version."""

    base: Decimal
    version: BaseFlow
    days: tuple[DailyFlow, ...]


def stretches(signed: Signed, days: Iterable[DailyFlow]) -> list[Stretch]:
    """Days in order, parted wherever the base flow or its version changes."""
    by_day = threshold(signed)
    runs = groupby(days, lambda one: (by_day.at(one.day), version_on(signed, one.day).version))
    parts = [(base, tuple(run)) for (base, _), run in runs]
    return [Stretch(base, version_on(signed, run[0].day), run) for base, run in parts]


def limit(signed: Signed, days: Sequence[date]) -> str:
    """The base flow in force on some days [cfs]: one, from the first to the second, or the range of several."""
    by_day = threshold(signed)
    bases = list(dict.fromkeys(by_day.at(day) for day in days))
    if len(bases) < 3:
        return f"{' to '.join(map(str, bases))} cfs"
    return f"{spread(bases)} cfs"


def spread(values: Sequence[Decimal]) -> str:
    """One number, or the lowest and the highest of several."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


def signers(versions: Signed) -> str:
    """Who answers for the base flows in use."""
    if len(versions) == 1:
        return f"signed by {versions[0].signed_by}, {versions[0].licence_kind}"
    return "; ".join(f"version {one.version} signed by {one.signed_by}, {one.licence_kind}" for one in versions)


def marks(day: DailyFlow) -> str:
    """Approval, codes and note of a day in brackets."""
    said = [mark for mark in (day.approval, *day.qualifiers, day.note) if mark]
    return f" [{':'.join(said)}]" if said else ""


def evidence(rule: BaseFlowRule, signed: Signed, days: Sequence[DailyFlow], spell: Spell) -> Evidence:
    """The days of a spell, each beside the base flow it is compared with."""
    known = {one.day: one for one in days}
    below = set(spell.below_days)
    every = [known.get(day, DailyFlow(day, None)) for day in sorted((*spell.below_days, *spell.unknown_days))]
    rows = tuple(known[day].version for day in spell.below_days if known[day].version)
    return Evidence("daily mean discharge", compared(rule, signed, every, below), "supports", rows)


def compared(rule: BaseFlowRule, signed: Signed, days: Sequence[DailyFlow], below: set[date]) -> str:
    """Days against their base flow; those not in ``below`` are unknown."""
    sign, parts = ("<" if rule.operator == "lt" else "<="), stretches(signed, days)
    several = len({one.version.version for one in parts}) > 1
    return "; ".join(
        f"{sign} {part.base} cfs{f' (version {part.version.version})' if several else ''}: "
        + ", ".join(
            f"{one.day} {one.value} cfs{marks(one)}" if one.day in below else f"{one.day} unknown" for one in part.days
        )
        for part in parts
    )


def sentence(
    question: Question, gauge: Gauge, rule: BaseFlowRule, signed: Signed, days: Sequence[DailyFlow], spell: Spell
) -> str:
    """The condition in one neutral sentence (semantics, section 5); empty before the rule is met."""
    if spell.trigger_date is None:
        return ""
    last, over = spell.trigger_date, rule.more_than_days or 0
    first = last - timedelta(days=over)
    met = [one for one in days if first <= one.day <= last]
    parts = stretches(signed, met)
    was = f"{_flow_of(question, gauge, met)} was {'below' if rule.operator == 'lt' else 'at or below'} the established"
    when = f"on each of the {over + 1} days {first} to {last}{' [provisional]' if spell.provisional else ''}"
    if len(parts) == 1:
        return f"{was} base flow ({parts[0].base} cfs, {_established(parts[0].version)}) {when}"
    versions = versions_of(signed, [one.day for one in met])
    stated = "; ".join(f"version {one.version}: {_established(one)}" for one in versions)
    return f"{was} base flow {when}: {', '.join(_against(part) for part in parts)}; {stated}"


def _against(part: Stretch) -> str:
    first, last = part.days[0].day, part.days[-1].day
    when = f"{first}" if first == last else f"{first} to {last}"
    return f"{_values(part.days)} cfs on {when} against {part.base} cfs (version {part.version.version})"


def _flow_of(question: Question, gauge: Gauge, days: Sequence[DailyFlow]) -> str:
    """Whose flow was judged: a surrogate's is that of its stream, and both numbers are said."""
    stream = question.site.stream_of(gauge)
    if gauge.transfer_ratio is None or stream is None or not days:
        return f"mean daily flow at {gauge.id}"
    own = question.observations.daily(gauge.id, "discharge", days[0].day, days[-1].day)
    return (
        f"mean daily flow of {stream.name}, {_values(days)} cfs, transferred from {gauge.id}, {_values(own)} cfs, "
        f"times {gauge.transfer_ratio},"
    )


def _values(days: Iterable[DailyFlow]) -> str:
    return spread([one.value for one in days if one.value is not None])


def _established(base: BaseFlow) -> str:
    error = "" if base.uncertainty_percent is None else f", uncertainty {base.uncertainty_percent} %"
    return f"{base.method}, record {base.record_from} to {base.record_to}{error}, signed by {base.signed_by}"
