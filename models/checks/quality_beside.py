"""What groundwater quality is judged with beside single results: background, other wells, later samples, acts.

It says from which day a well is to be judged again when any of these has changed, adds the indicator results of
Table 3, and completes each finding with its basis, its context, its confirmation and the acts that contest it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from models.checks.quality_comparison import Comparison, key_of
from models.checks.quality_context import ROUND, Surroundings, context, with_context
from models.checks.quality_indicators import TOGETHER, Backgrounds, lacking, with_basis
from models.checks.quality_results import Terms
from models.checks.quality_setting import Setting
from models.checks.quality_standing import contested_since, contesting, standing, with_standing
from models.finding import Finding, Scope
from models.nr140.contested import Contested
from models.nr140.indicators import COMPUTED
from models.question import Judged, Question
from models.rules import GroundwaterQuality
from models.site import Well
from models.standards import law_of
from models.verdict import NOTABLE

History = Mapping[tuple[str, str], Sequence[Comparison]]


class Beside:
    """One rule's view of what stands beside the results of a night."""

    def __init__(self, rule: GroundwaterQuality, question: Question, contested: Sequence[Contested]) -> None:
        self.rule, self.question, self.contested = rule, question, contested
        self.setting = Setting.of(question)
        self.backgrounds = Backgrounds(self.setting, law_of(rule.standards))
        self._around: dict[str, Surroundings] = {}

    def since(self, terms: Terms, well: Well) -> date | None:
        """The first day of a well to judge again, or None where nothing that bears on it is new."""
        changed, began = self.question.changed, self.question.began
        days = (
            changed.since(well.id, terms.law.parameters, began),
            self.backgrounds.since(terms, changed, well),
            contested_since(self.contested, self._standing(), well.id, began),
            self._across(terms, well),
        )
        return min((day for day in days if day is not None), default=None)

    def due(self, terms: Terms, one: Comparison, history: History, since: date) -> bool:
        """Whether a comparison is told again: it is new, or a new sample speaks to it, or one that did has changed."""
        if one.row.day >= since:
            return True
        if one.row.day < self.question.began:
            return False
        found = standing(terms, one, history[key_of(one)])
        decided = found is not None and found.status != "awaits" and found.by >= since
        return decided or self._was_decided(one, since)

    def told(self, terms: Terms, well: Well, finding: Finding, one: Comparison, history: History) -> Finding:
        """The finding with everything that stands beside it."""
        same = history[key_of(one)]
        if one.standard.note == COMPUTED:
            pals = self.backgrounds.tested(terms, well).pals
            finding = with_basis(finding, pals[finding.parameter], self.question.on)
        if finding.verdict in NOTABLE:
            finding = with_context(finding, context(self._surroundings(terms, well), well, one, same))
        return with_standing(finding, standing(terms, one, same), contesting(self.contested, one))

    def of_the_site(self, judged: Sequence[tuple[Terms, Well]]) -> Judged:
        """What is said once, not for each result: which background well lacks how many results."""
        if not judged:
            return Judged()
        terms, began = judged[0][0], self.question.began
        found = [self.backgrounds.tested(each, well) for each, well in judged]
        wells = sorted({id for one in self.setting.site.background for id in one.wells})
        return Judged(
            tuple(lacking(terms, self.setting, found)), tuple(Scope(self.rule.id, id, began, TOGETHER) for id in wells)
        )

    def _standing(self) -> list[Finding]:
        return [one for one in self.question.standing if one.rule == self.rule.id]

    def _was_decided(self, one: Comparison, since: date) -> bool:
        return any(
            (each.station, each.parameter, each.start) == (one.row.station, one.standard.parameter, one.row.day)
            and each.facts.get("confirmation") in {"confirmed", "not_reproduced"}
            and date.fromisoformat(each.facts["confirmation_by"]) >= since
            for each in self._standing()
        )

    def _across(self, terms: Terms, well: Well) -> date | None:
        """A result of an upgradient well is told beside those of its round."""
        if well.gradient in {None, "upgradient"}:
            return None
        changed, began = self.question.changed, self.question.began
        names = (*terms.law.parameters, *self.backgrounds.names(terms))
        others = [one for one in self.setting.site.well if one.gradient == "upgradient"]
        days = [day for one in others if (day := changed.since(one.id, names, began)) is not None]
        return max(min(days) - ROUND, began) if days else None

    def _surroundings(self, terms: Terms, well: Well) -> Surroundings:
        return self._around.setdefault(well.id, Surroundings(self.setting, terms))


def by_standard(found: Sequence[Comparison]) -> History:
    """Comparisons by substance and standard, in their order."""
    history: dict[tuple[str, str], list[Comparison]] = {}
    for one in found:
        history.setdefault(key_of(one), []).append(one)
    return history
