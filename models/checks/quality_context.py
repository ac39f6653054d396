"""What stands beside a finding of groundwater quality, so that a board can weigh it; none of it is a finding of cause.

How far the result is over its standard, whether the well's results rise, what the well said before mining began, what
the background wells say, and what the upgradient wells said in the same round of sampling. A finding is told with what
was sampled up to its own day, at other wells up to `ROUND` later: a later sample does not reword it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from models.background import BackgroundRecord, background_of
from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Reported, Terms, taken
from models.checks.quality_setting import Setting
from models.finding import Evidence, Finding
from models.nr140.context import Dated, trend
from models.nr140.context_told import trend_facts, trend_words
from models.nr140.indicators import COMPUTED, NO_AMOUNT, worth
from models.nr140.measured import measured
from models.question import stored_rows
from models.site import Well
from models.statistics.background import Measured, as_sample
from models.statistics.censored import Insufficient
from models.statistics.kaplan_meier import kaplan_meier

ROUND = timedelta(days=30)
"""Samples of different wells no further apart than this belong to one round of sampling."""
PERCENT_FIGURES = 3
WHOLE = Decimal(100)


@dataclass(frozen=True)
class Context:
    """Lines of evidence, and the same as facts."""

    lines: tuple[Evidence, ...]
    facts: Mapping[str, Any]


@dataclass
class Surroundings:
    """What is known of the other wells, each well and substance read once; ``told`` of each background likewise."""

    setting: Setting
    terms: Terms
    told: dict[tuple[BackgroundRecord, str, str], Context] = field(default_factory=dict)
    _read: dict[tuple[str, str], list[Reported]] = field(default_factory=dict)

    def results(self, well: Well, substance: str) -> list[Reported]:
        """Judged results of a well by its own fraction, in the order they were sampled; not what is only summed up."""
        key = (well.id, substance)
        if key not in self._read:
            names = [substance, *(one.reported for one in self.terms.law.header.form if one.substance == substance)]
            rows = stored_rows(self.setting.observations.rows([well.id], names, None, self.setting.on))
            found, _ = taken(replace(self.terms, fraction=self.terms.fraction or well.fraction), rows)
            self._read[key] = sorted(found, key=lambda one: (one.row.day, one.row.time_ms, one.row.series))
        return self._read[key]


def context(around: Surroundings, well: Well, one: Comparison, history: Sequence[Comparison]) -> Context:
    """The context of one comparison.

    Parameters
    ----------
    history : every comparison of the well with the same substance and standard.
    """
    unit = one.standard.unit
    own = [each for each in history if each.row.day <= one.row.day]
    parts = [
        _percent(one),
        _trend(around, own, unit),
        _before_mining(around, own, unit),
        _background(around, well, one, unit),
        _across(around, well, one, unit),
    ]
    lines = tuple(line for part in parts for line in part.lines)
    return Context(lines, {name: fact for part in parts for name, fact in part.facts.items()})


def with_context(finding: Finding, found: Context) -> Finding:
    """The finding with its context behind what it rests on."""
    return replace(finding, evidence=(*finding.evidence, *found.lines), facts={**finding.facts, **found.facts})


def percent_of_standard(one: Comparison) -> Decimal | None:
    """100 x / S [%], never rounded onto 100; None without a number, or where the limit is no amount of anything."""
    value, law = one.result.value, one.standard
    if value is None or law.detection_only or (law.note == COMPUTED and law.unit in NO_AMOUNT):
        return None
    limit = law.in_unit(one.result.unit)
    if not limit:
        return None
    return worth(100 * value / limit, [WHOLE], PERCENT_FIGURES)


def _percent(one: Comparison) -> Context:
    percent = percent_of_standard(one)
    facts = {"percent_of_standard": None if percent is None else float(percent)}
    says = f"{percent.normalize():f} % of the {one.standard.kind}" if percent is not None else ""
    return Context((Evidence("percent of standard", says, "context"),) if says else (), facts)


def _trend(around: Surroundings, own: Sequence[Comparison], unit: str) -> Context:
    rule = around.terms.law.header.confirmation
    alpha = None if rule is None else rule.alpha
    dated = tuple(_dated(own, unit))
    found = trend(dated)
    without = len(own) - len(dated)
    more = f"; {without} without a number or a limit not counted" if without else ""
    line = Evidence("trend", f"{trend_words(found, unit, alpha)}{more}", "context")
    return Context((line,), {"trend": trend_facts(found, unit, alpha)})


def _dated(own: Sequence[Comparison], unit: str) -> Iterator[Dated]:
    for one in own:
        number = measured(one.result, unit)
        if number is not None:
            yield Dated(one.row.day, float(number.value), number.censored)


def _before_mining(around: Surroundings, own: Sequence[Comparison], unit: str) -> Context:
    """The range of the well's own results before mining began."""
    numbers = [measured(one.result, unit) for one in own if one.row.day < around.setting.began]
    known = [one for one in numbers if one is not None]
    if not known:
        return Context((Evidence("before mining", "no result of this well", "silent"),), {"before_mining": {"n": 0}})
    says = f"{len(known)} result{'s' * (len(known) != 1)} of this well, {_range(known, unit)}"
    return Context((Evidence("before mining", says, "context"),), {"before_mining": {"n": len(known), "says": says}})


def _range(numbers: Sequence[Measured], unit: str) -> str:
    ordered = sorted(numbers, key=lambda one: (one.value, not one.censored))
    low, high = (_text(one) for one in (ordered[0], ordered[-1]))
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def _text(one: Measured) -> str:
    return f"{'<' if one.censored else ''}{worth(one.value, ()):f}"


def _background(around: Surroundings, well: Well, one: Comparison, unit: str) -> Context:
    """What the declared background wells said in their period, of any substance."""
    record = background_of(around.setting.site.background, well.id)
    if record is None or one.standard.note == COMPUTED:
        return Context((), {})
    key = (record, one.standard.parameter, unit)
    if key not in around.told:
        around.told[key] = _of_record(around, record, one.standard.parameter, unit)
    return around.told[key]


def _of_record(around: Surroundings, record: BackgroundRecord, substance: str, unit: str) -> Context:
    wells = [each for each in around.setting.site.well if each.id in record.wells]
    found = [
        (each, number)
        for at in wells
        for each in around.results(at, substance)
        if record.covers(each.row.day) and (number := measured(each.readings()[0], unit)) is not None
    ]
    where = f"{', '.join(record.wells)}, {record.first} to {record.last}"
    if not found:
        return Context((Evidence("background", f"no result at {where}", "silent"),), {"background": {"n": 0}})
    says, facts = _mean([number for _, number in found], unit)
    rows = tuple(each.row.row_id for each, _ in found)
    line = Evidence("background", f"{says} at {where}", "context", rows)
    return Context((line,), {"background": {**facts, "wells": list(record.wells)}})


def _mean(numbers: Sequence[Measured], unit: str) -> tuple[str, dict[str, Any]]:
    """Mean by Kaplan-Meier (of detects alone the arithmetic mean) and range; of too few detects the range alone."""
    hidden = sum(one.censored for one in numbers)
    said = f"{len(numbers)} results{f' ({hidden} not detected)' if hidden else ''}, {_range(numbers, unit)}"
    facts: dict[str, Any] = {"n": len(numbers), "n_censored": hidden, "unit": unit, "mean": None}
    estimate = kaplan_meier(as_sample(numbers))
    if isinstance(estimate, Insufficient):
        return said, facts
    method = f" ({estimate.method})" if hidden else ""
    mean = worth(Decimal(f"{estimate.mean:.12g}"), ())
    return f"{said}, mean {mean} {unit}{method}", facts | {"mean": estimate.mean}


def _across(around: Surroundings, well: Well, one: Comparison, unit: str) -> Context:
    """The nearest result of every upgradient well in the same round; of an upgradient well that it is one."""
    if well.gradient is None:
        return Context((), {})
    if well.gradient == "upgradient":
        says = "this well lies upgradient: water reaches it before it reaches the site"
        return Context((Evidence("gradient", says, "against"),), {"gradient": "upgradient"})
    others = [each for each in around.setting.site.well if each.gradient == "upgradient" and each.id != well.id]
    same_round = [near for each in others if (near := _nearest(around, each, one, unit)) is not None]
    if not same_round:
        says = f"this well lies {well.gradient}; no upgradient result of the same round"
        return Context((Evidence("gradient", says, "silent"),), {"gradient": well.gradient, "upgradient": []})
    said = "; ".join(f"{row.row.station} {row.row.day} {_text(number)} {unit}" for row, number in same_round)
    line = Evidence(
        "gradient", f"this well lies {well.gradient}; upgradient in the same round: {said}", "context",
        tuple(row.row.row_id for row, _ in same_round),
    )  # fmt: skip
    values = [
        {"station": row.row.station, "sampled": row.row.day.isoformat(), "value": float(number.value),
         "censored": number.censored, "unit": unit}
        for row, number in same_round
    ]  # fmt: skip
    return Context((line,), {"gradient": well.gradient, "upgradient": values})


def _nearest(around: Surroundings, other: Well, one: Comparison, unit: str) -> tuple[Reported, Measured] | None:
    near = [each for each in around.results(other, one.standard.parameter) if abs(each.row.day - one.row.day) <= ROUND]
    for each in sorted(near, key=lambda each: abs(each.row.day - one.row.day)):
        number = measured(each.readings()[0], unit)
        if number is not None:
            return each, number
    return None
