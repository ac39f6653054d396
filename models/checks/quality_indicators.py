"""Indicator parameters at a well (NR 140.20): every result against the PAL that the background wells of the site set.

Where the site declares no background for a well nothing is compared (``NO_BACKGROUND``). Where background results
are missing there is no PAL: one finding for each background well says what it lacks, not one for each result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from models.background import BackgroundRecord, background_of
from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Reported, Terms, taken
from models.checks.quality_rows import ids_of
from models.checks.quality_setting import Setting
from models.checks.quality_standing import confirming
from models.finding import Evidence, Finding
from models.nr140.decision import clause_verdict, left_open
from models.nr140.indicators import BACKGROUND_PARAGRAPH, IndicatorPal, Sampled, compare_indicator, indicator_pal
from models.nr140.indicators_told import basis, basis_facts, missing
from models.nr140.indicators_told import rows as basis_rows
from models.nr140.measured import measured
from models.parameters import parameter
from models.question import Changed, StoredRow, stored_rows
from models.site import Well
from models.standards import Indicator, Standards

NO_BACKGROUND = "site.toml declares no [[background]] for this well: there is no PAL of indicator parameters to compare"
TOGETHER = "indicator_parameters"
"""What a finding is about that speaks of all indicators at once."""


@dataclass(frozen=True)
class Tested:
    """The indicator results of one well: those compared, those whose PAL does not exist yet, and the PALs by name."""

    comparisons: tuple[Comparison, ...] = ()
    waiting: tuple[Reported, ...] = ()
    pals: Mapping[str, IndicatorPal] = field(default_factory=dict)


class Backgrounds:
    """The background results of a site under one set of standards; each record is read once."""

    def __init__(self, setting: Setting, law: Standards) -> None:
        self.setting, self.law = setting, law
        self._read: dict[BackgroundRecord, list[StoredRow]] = {}
        self._tested: dict[str, Tested] = {}

    @cached_property
    def indicators(self) -> Mapping[str, Indicator]:
        """By parameter; empty where the set has none."""
        return {one.parameter: one for one in self.law.indicators}

    def record(self, well: Well) -> BackgroundRecord | None:
        return background_of(self.setting.site.background, well.id)

    def names(self, terms: Terms) -> tuple[str, ...]:
        """What is looked at under a clause: nothing where it judges no PAL."""
        only = terms.rule.substances or tuple(self.indicators)
        return tuple(one for one in self.indicators if one in only) if "PAL" in terms.rule.limits else ()

    def since(self, terms: Terms, changed: Changed, well: Well) -> date | None:
        """The first day to judge again at a well: all of it where the results it is held against have changed."""
        record, names = self.record(well), self.names(terms)
        if record is None:
            return None
        days = [changed.first_day.get((id, name)) for id in record.wells for name in names]
        if any(day is not None and day <= record.last for day in days):
            return self.setting.began
        return changed.since(well.id, names, self.setting.began)

    def pals(self, terms: Terms, record: BackgroundRecord) -> dict[str, IndicatorPal]:
        """The PAL of every indicator, from results of the fraction that is judged."""
        wells = [one for one in self.setting.site.well if one.id in record.wells]
        results = {well.id: self._results(terms, well, record) for well in wells}
        return {name: self._pal(one, record, results) for name, one in self.indicators.items()}

    def tested(self, terms: Terms, well: Well) -> Tested:
        """Every indicator result of a well against the PAL of its background; nothing where none is declared.

        Raises
        ------
        BadUnit : a result in a unit that does not measure its indicator.
        """
        if well.id not in self._tested:
            self._tested[well.id] = self._test(terms, well)
        return self._tested[well.id]

    def _test(self, terms: Terms, well: Well) -> Tested:
        record, names = self.record(well), self.names(terms)
        if record is None or not names:
            return Tested()
        rows = self.setting.observations.rows([well.id], names, None, self.setting.on)
        reported, _ = taken(terms, stored_rows(rows))
        own = [one for one in reported if one.form is None]
        pals = self.pals(terms, record) if own else {}
        found = [(one, _compared(terms, pals[one.substance], one)) for one in own]
        judged = [comparison for _, comparison in found if comparison is not None]
        waiting = tuple(one for one, comparison in found if comparison is None)
        return Tested(tuple(confirming(terms, judged)), waiting, pals)

    def _pal(self, one: Indicator, record: BackgroundRecord, results: Mapping[str, Sequence[Reported]]) -> IndicatorPal:
        own = {well: [each for each in found if each.substance == one.parameter] for well, found in results.items()}
        sampled = {well: [_sampled(each, one.unit) for each in found] for well, found in own.items()}
        counted = {well: tuple(each for each in found if each is not None) for well, found in sampled.items()}
        left_out = (
            f"{well} {each.row.day} {each.row.value_text}"
            for well, found in own.items()
            for each in found
            if _sampled(each, one.unit) is None
        )
        return indicator_pal(self.law.header, one, record, counted, tuple(left_out))

    def _results(self, terms: Terms, well: Well, record: BackgroundRecord) -> list[Reported]:
        """One result of each sample and indicator: the dissolved where a well states no fraction and both are there."""
        own = replace(terms, fraction=terms.fraction or well.fraction)
        reported, _ = taken(own, [row for row in self._rows(record) if row.station == well.id])
        return _one_a_sample(one for one in reported if one.form is None)

    def _rows(self, record: BackgroundRecord) -> list[StoredRow]:
        if record not in self._read:
            last = min(record.last, self.setting.on)
            read = self.setting.observations.rows(record.wells, tuple(self.indicators), record.first, last)
            self._read[record] = stored_rows(read)
        return self._read[record]


def with_basis(finding: Finding, pal: IndicatorPal, on: date) -> Finding:
    """A finding of Table 3 with the background its limit was computed from."""
    line = Evidence("indicator PAL", basis(pal, on), "context", basis_rows(pal))
    topic = {"topic": f"{parameter(finding.parameter).name} beyond its PAL"} if pal.indicator.two_sided else {}
    facts = {**finding.facts, **topic, "indicator_pal": basis_facts(pal)}
    return replace(finding, evidence=(*finding.evidence, line), facts=facts)


def lacking(terms: Terms, setting: Setting, found: Iterable[Tested]) -> Iterator[Finding]:
    """One finding for each background well that lacks results of an indicator some well was sampled for."""
    rule, began = terms.rule, setting.began
    for well, parts in _lacks(setting, found).items():
        yield Finding(
            rule=rule.id, clause=rule.clause, station=well, parameter=TOGETHER, aspect="background", start=began,
            end=None, opened_on=began, verdict="indeterminate", status="indeterminate",
            measured="no PAL from the background", limit="PAL of NR 140.20(2)", unit="", reason="; ".join(parts),
            ongoing=True, lapses=True, information=rule.information,
            facts={"topic": "background of indicator parameters", "lacking": parts, "paragraph": BACKGROUND_PARAGRAPH},
        )  # fmt: skip


def _lacks(setting: Setting, found: Iterable[Tested]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for one in found:
        wanted = sorted({each.substance for each in one.waiting if each.row.day >= setting.began})
        for name in wanted:
            for well, words in missing(one.pals[name]).items():
                said.setdefault(well, []).append(words)
    return {well: list(dict.fromkeys(parts)) for well, parts in sorted(said.items())}


def _compared(terms: Terms, pal: IndicatorPal, one: Reported) -> Comparison | None:
    found = compare_indicator(terms.law.header, pal, one.result)
    if found is None:
        return None
    standard, said = found[0], left_open(found[1], one.doubt)
    verdict, reading = clause_verdict(terms.rule, said.status, one.result, standard)
    text = f"{one.row.value_text} {one.row.unit}"
    return Comparison(standard, one.result, said, verdict, reading, one.row, one.sample, ids_of(one.row), text)


def _one_a_sample(reported: Iterable[Reported]) -> list[Reported]:
    found: dict[tuple[str, date, str], Reported] = {}
    for one in sorted(reported, key=lambda one: (one.row.day, one.row.time_ms, one.fraction or "", one.row.series)):
        found.setdefault((one.substance, one.row.day, one.sample), one)
    return list(found.values())


def _sampled(one: Reported, unit: str) -> Sampled | None:
    """A background result in the unit of its indicator; None of one in doubt, and without an amount or a limit."""
    number = None if one.doubt else measured(one.result, unit)
    return None if number is None else Sampled(one.row.day, one.row.row_id, number)
