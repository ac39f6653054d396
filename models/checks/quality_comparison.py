"""One result against one standard, with both statuses: forms, limits that depend on another result, 140.14(3)(b)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from models.checks.quality_results import Reported, Terms
from models.nr140.confirmation import statistically_above
from models.nr140.decision import Comparison as Decided
from models.nr140.decision import Support, clause_verdict, compare
from models.nr140.result import Result
from models.observation import Flags
from models.parameters import parameter
from models.question import StoredRow
from models.standard_set import Dependence
from models.standards import Standard
from models.units import factor
from models.verdict import Verdict

NEEDS_SUPPORT = "140.14(3)(b)"


@dataclass(frozen=True)
class Comparison:
    """One result, or a computed sum, against one standard.

    Parameters
    ----------
    result : as compared: the amount of the standard's substance; of a sum its value where it is exact.
    reading : what the clause makes of equality, ``""`` where that plays no part.
    row : the row it rests on, of a sum the first; ``rows`` are all of them.
    measured : as reported, or the bounds of a sum.
    members : of a sum what it consists of; ``missing`` what was not measured of them.
    confirms : the day of an earlier attained sample that this one, far enough from it, confirms.
    """

    standard: Standard
    result: Result
    nr140: Decided
    verdict: Verdict
    reading: str
    row: StoredRow
    sample: str
    rows: tuple[str, ...]
    measured: str
    note: str = ""
    members: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    confirms: date | None = None

    @property
    def reason(self) -> str:
        """Everything that is to be said of it, in one line."""
        return "; ".join(part for part in (self.nr140.reason, self.note, self.reading) if part)


@dataclass(frozen=True)
class Known:
    """What else is known of a station when one result is compared: every judged result, by substance and by sample."""

    by_substance: Mapping[str, Sequence[Reported]]
    by_sample: Mapping[tuple[date, str], Sequence[Reported]]

    @staticmethod
    def of(reported: Sequence[Reported]) -> Known:
        by_substance: dict[str, list[Reported]] = {}
        by_sample: dict[tuple[date, str], list[Reported]] = {}
        for one in reported:
            by_substance.setdefault(one.substance, []).append(one)
            by_sample.setdefault((one.row.day, one.sample), []).append(one)
        return Known(by_substance, by_sample)


def limits(terms: Terms, substance: str, day: date) -> list[Standard]:
    """Standards of a substance that the clause names and that were law on the day of a sample, in every table."""
    on = terms.law_day or day
    return [one for one in terms.law.of(substance) if one.kind in terms.rule.limits and one.in_force(on)]


def compared(terms: Terms, one: Reported, known: Known) -> Iterator[Comparison]:
    """One result against each of its standards."""
    for standard in limits(terms, one.substance, one.row.day):
        yield _against(terms, one, standard, known)


def _against(terms: Terms, one: Reported, standard: Standard, known: Known) -> Comparison:
    own = _dependence(terms, standard)
    if own is not None:
        x = _other_result(own, known.by_sample[one.row.day, one.sample])
        if x is None:
            why = f"the limit depends on {own.on}, which this sample lacks"
            said = Decided("indeterminate", standard.citation, why)
            return _comparison(one, standard, one.result, said, "indeterminate")
        standard = replace(standard, value=own.limit(standard.value, x))
    return _agreed([_decided(terms, one, result, standard, known) for result in _readings(one)])


def _decided(terms: Terms, one: Reported, result: Result, standard: Standard, known: Known) -> Comparison:
    said = compare(result, standard)
    if said.paragraph == NEEDS_SUPPORT and said.status == "needs_confirmation":
        said = compare(result, standard, _support(terms, one, result, standard, known))
    verdict, reading = clause_verdict(terms.rule, said.status, result, standard)
    return _comparison(one, standard, result, said, verdict, reading)


def _comparison(
    one: Reported, standard: Standard, result: Result, said: Decided, verdict: Verdict, reading: str = ""
) -> Comparison:
    measured = _as_reported(one, standard)
    note = "" if one.form is None else f"reported as {measured} {one.form.words}"
    if one.form is not None:
        measured = f"{measured} {one.form.words}"
    return Comparison(standard, result, said, verdict, reading, one.row, one.sample, (one.row.row_id,), measured, note)


def _as_reported(one: Reported, standard: Standard) -> str:
    """Value and unit; of a count that stands for presence the count itself."""
    raw = Flags.parse(one.row.flags).facts.get("raw", "") if standard.detection_only else ""
    return raw or f"{one.row.value_text} {one.row.unit}"


def _readings(one: Reported) -> list[Result]:
    return [one.result] if one.form is None else [one.result.scaled(factor) for factor in one.form.factors]


def _agreed(readings: list[Comparison]) -> Comparison:
    """What every reading of a report gives; where they differ nobody can tell."""
    first = readings[0]
    if len({one.nr140.status for one in readings}) > 1:
        says = f"{first.note}: the status hangs on it, ask the laboratory"
        return replace(first, nr140=Decided("indeterminate", first.nr140.paragraph, says), verdict="indeterminate",
                       note="", reading="")  # fmt: skip
    if len({one.verdict for one in readings}) > 1:
        return replace(first, verdict="needs_confirmation")
    return first


def _dependence(terms: Terms, standard: Standard) -> Dependence | None:
    own = terms.law.header.dependence
    return next((one for one in own if (one.parameter, one.kind) == (standard.parameter, standard.kind)), None)


def _other_result(own: Dependence, sample: Sequence[Reported]) -> Decimal | None:
    """The number a limit depends on; two different ones in a sample are none."""
    found = {
        one.result.value * factor(one.result.unit, parameter(own.on).canonical_unit)
        for one in sample
        if one.row.parameter == own.on and one.result.value is not None
    }
    return found.pop() if len(found) == 1 else None


def _support(terms: Terms, one: Reported, result: Result, standard: Standard, known: Known) -> Support:
    """140.14(3)(b): a detect of another analysis of the same sample, and the samples of this station so far."""
    again = any(
        other.row.parameter == one.row.parameter and other.row.series != one.row.series and other.result.detected
        for other in known.by_sample[one.row.day, one.sample]
    )
    rule = terms.law.header.confirmation
    if rule is None:
        return Support(again, statistical=False)
    so_far = [each for each in known.by_substance[one.substance] if each.row.day <= one.row.day]
    limit = standard.in_unit(result.unit)
    return Support(again, statistically_above(_one_a_sample(so_far, result.unit), limit, rule.alpha))


def _one_a_sample(reported: Sequence[Reported], unit: str) -> list[Decimal | None]:
    """The least number of each sample in one unit; None where any result of it has no number."""
    samples: dict[tuple[date, str], list[Decimal | None]] = {}
    for one in reported:
        value = _readings(one)[-1].value
        number = None if value is None else value * factor(one.result.unit, unit)
        samples.setdefault((one.row.day, one.sample), []).append(number)
    return [_least(values) for values in samples.values()]


def _least(values: Sequence[Decimal | None]) -> Decimal | None:
    numbers = [one for one in values if one is not None]
    return min(numbers) if len(numbers) == len(values) else None
