"""One result against one standard, with both statuses: forms, limits that depend on another result, 140.14(3)(b)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from models.checks.quality_disputes import Elsewhere
from models.checks.quality_results import Reported, Terms
from models.checks.quality_rows import ids_of
from models.nr140.decision import UNSUPPORTED, Support, clause_verdict, compare, left_open
from models.nr140.decision import Comparison as Decided
from models.nr140.result import Result
from models.observation import Flags
from models.question import StoredRow
from models.standard_set import Dependence
from models.standards import Standard
from models.verdict import Verdict

NEEDS_SUPPORT = "140.14(3)(b)"


@dataclass(frozen=True)
class Computed:
    """A sum of several results of one sample: its bounds as text, its value where exact, and what it consists of."""

    result: Result
    measured: str
    members: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Said:
    """What one case says against one standard, whichever of its results it is; ``computed`` of a sum.

    ``reading``: what the clause makes of equality, ``""`` where that plays no part; ``noted``: a form is named beside.
    """

    standard: Standard
    nr140: Decided
    verdict: Verdict
    reading: str = ""
    noted: bool = True
    computed: Computed | None = None

    @property
    def needs_support(self) -> bool:
        return self.nr140.paragraph == NEEDS_SUPPORT and self.nr140.status == "needs_confirmation"


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
    elsewhere : what other sources state of it, or of a member.
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
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def reason(self) -> str:
        """Everything that is to be said of it, in one line."""
        others = [one.says() for one in self.elsewhere]
        return "; ".join(part for part in (self.nr140.reason, self.note, self.reading, *others) if part)


def key_of(one: Comparison) -> tuple[str, str]:
    """Substance and standard of a comparison, whatever the standard's number was on its day."""
    return one.standard.parameter, one.standard.name()


def limits(terms: Terms, substance: str, day: date) -> list[Standard]:
    """Standards of a substance that the clause names and that were law on the day of a sample, in every table."""
    on = terms.law_on(day)
    found = [one for one in terms.law.of(substance) if one.kind in terms.rule.limits and one.in_force(on)]
    return sorted(found, key=lambda one: (one.table, one.kind))


def not_in_force(terms: Terms, substance: str, day: date) -> str:
    """Why a substance that the set has standards for is compared with none on a day; else ``""``."""
    law = [one for one in terms.law.of(substance) if one.kind in terms.rule.limits]
    on = terms.law_on(day)
    if not law or any(one.in_force(on) for one in law):
        return ""
    begins = [one for one in law if one.effective is not None and one.effective > on]
    if not begins:
        last = max(one.repealed for one in law if one.repealed is not None)
        return f"no standard of the set was law on {on}: the last ended on {last}"
    first = min(begins, key=lambda one: one.effective or date.max)
    how = first.effective_verification or first.verification
    return f"no standard of the set was law on {on}: the first from {first.effective} ({how})"


def dependence(terms: Terms, standard: Standard) -> Dependence | None:
    """The other result on which a limit depends, where it does."""
    own = terms.law.header.dependence
    return next((one for one in own if (one.parameter, one.kind) == (standard.parameter, standard.kind)), None)


def said(terms: Terms, one: Reported, standard: Standard, support: Support = UNSUPPORTED) -> Said:
    """One result against one standard; what every reading of a report gives, and where they differ nobody can tell."""
    readings = [_said(terms, result, standard, support, one.doubt) for result in one.readings()]
    first = readings[0]
    if len({each.nr140.status for each in readings}) > 1:
        says, form = "{}: the status hangs on it, ask the laboratory", _note(one, as_reported(one, standard))
        unknown = Decided("indeterminate", first.nr140.paragraph, says, named=form)
        return Said(standard, unknown, "indeterminate", noted=False)
    if len({each.verdict for each in readings}) > 1:
        return replace(first, verdict="needs_confirmation")
    return first


def said_of_dependent(terms: Terms, one: Reported, standard: Standard, own: Dependence, x: Decimal | None) -> Said:
    """The same where the limit grows with another result of the sample."""
    if x is None:
        why = f"the limit depends on {own.on}, of which this sample gives no one number: none, or several that differ"
        return Said(standard, Decided("indeterminate", standard.citation, why), "indeterminate")
    return said(terms, one, replace(standard, value=own.limit(standard.value, x)))


def comparison(one: Reported, found: Said, confirms: date | None) -> Comparison:
    """A result with what its case says, to be shown."""
    measured = as_reported(one, found.standard)
    note = _note(one, measured) if found.noted else ""
    measured = measured if one.form is None else f"{measured} {one.form.words}"
    return Comparison(
        found.standard, one.readings()[0], found.nr140, found.verdict, found.reading, one.row, one.sample,
        ids_of(one.row), measured, note, confirms=confirms,
    )  # fmt: skip


def comparison_of_sum(
    found: Said, computed: Computed, parts: Sequence[StoredRow], sample: str, confirms: date | None
) -> Comparison:
    """A computed sum with what its case says, to be shown."""
    return Comparison(
        found.standard, computed.result, found.nr140, found.verdict, found.reading, parts[0], sample,
        tuple(dict.fromkeys(id for row in parts for id in ids_of(row))), computed.measured,
        f"computed from {', '.join(computed.members)}", computed.members, computed.missing, confirms,
    )  # fmt: skip


def as_reported(one: Reported, standard: Standard) -> str:
    """Value and unit; of a count that stands for presence the count itself."""
    raw = Flags.parse(one.row.flags).facts.get("raw", "") if standard.detection_only else ""
    return raw or f"{one.row.value_text} {one.row.unit}"


def _said(terms: Terms, result: Result, standard: Standard, support: Support, doubt: str) -> Said:
    found = left_open(compare(result, standard, support), doubt)
    verdict, reading = clause_verdict(terms.rule, found.status, result, standard)
    return Said(standard, found, verdict, reading)


def _note(one: Reported, measured: str) -> str:
    return "" if one.form is None else f"reported as {measured} {one.form.words}"
