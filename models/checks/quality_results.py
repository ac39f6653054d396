"""Which results of a station are judged, and which are only shown: nothing is dropped silently.

A rejected result, a quality-control sample, the fraction a well is not judged by, and a row that says nothing are shown
with the reason. A word or a text that leaves a result open is told with it, and what it attains needs confirmation. The
same result delivered twice is one result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from models.checks.quality_rows import Rows, rows_of, sample_name
from models.fractions import FILTER_MATTERS, Fraction, fraction_of, is_another
from models.nr140.confirmation import Resampling
from models.nr140.result import Result, read_result, void_limit
from models.observation import Flags
from models.qualifiers import DOUBTED_IN_TEXT, REJECTED_IN_TEXT, said_by, unknown_words
from models.question import StoredRow
from models.rules import GroundwaterQuality
from models.sample_types import kind_of, not_groundwater
from models.standard_set import Form
from models.standards import Standards

OF_SAMPLE = {
    "duplicate": "quality control, a field duplicate: {}",
    "quality_control": "quality control: {}",
    "unknown": "sample type {} is not known: ask whether it is plain water of this place",
}
"""Why a sample is not judged, by its kind."""


@dataclass(frozen=True)
class Terms:
    """What a station's results are judged by: the clause, the set of standards in force there, and its fraction.

    ``law_day``: judge by the law of this day; None: of each sample's own. ``began``: the first day of mining, where it
    is known; ``confirmation_window`` [d]: the longest time over which a second sample confirms a first.
    ``duplicates``: take a field duplicate too, for what is said of its pair.
    """

    rule: GroundwaterQuality
    law: Standards
    fraction: Fraction | None = None
    law_day: date | None = None
    began: date | None = None
    confirmation_window: int | None = None
    duplicates: bool = False

    @property
    def resampling(self) -> Resampling | None:
        """When samples confirm each other; None: the set has no rule of it."""
        rule = self.law.header.confirmation
        return None if rule is None else Resampling(rule.resample_days, self.confirmation_window, self.began)

    @property
    def of_groundwater(self) -> bool:
        """Whether the set is read as NR 140 is; another may be of any water."""
        return self.law.header.detection_rule == "nr140.14"

    def law_on(self, sampled: date) -> date:
        """The day whose law judges a sample."""
        return self.law_day or sampled


@dataclass(frozen=True)
class Reported:
    """One result that is judged. ``result`` is as reported; ``form`` says how it becomes the ``substance``.

    ``doubt``: what stands beside the number and leaves it open, so that it attains nothing for sure.
    """

    row: StoredRow
    sample: str
    substance: str
    result: Result
    fraction: Fraction | None
    form: Form | None = None
    doubt: str = ""

    def readings(self) -> list[Result]:
        """The amount of the substance, by every factor that the report leaves open."""
        return [self.result] if self.form is None else [self.result.scaled(factor) for factor in self.form.factors]


@dataclass(frozen=True)
class Shown:
    """A result that is not judged, and why."""

    station: str
    parameter: str
    sampled: str
    sample: str
    value_text: str
    unit: str
    reason: str
    rows: tuple[str, ...]


def taken(terms: Terms, rows: Sequence[StoredRow]) -> tuple[list[Reported], list[Shown]]:
    """Results to judge, and the others with the reason; in one order whatever the order of the rows."""
    ordered = rows_of(rows, terms.law.counts_as, terms.law.of_samples)
    found = [reported(terms, row) for row in ordered.stored(range(len(ordered)))]
    aside = [one for one in found if isinstance(one, Shown)]
    return [one for one in found if isinstance(one, Reported)], aside + second_sources(ordered)


def second_sources(rows: Rows) -> list[Shown]:
    """Results that stand beside the same one of another source, which is judged."""
    twins = rows.once.twins
    ours, theirs = rows.at_places([one.place for one in twins]), rows.at_places([one.of for one in twins])
    return [
        shown(row, Flags.parse(row.flags), f"the same result as {kept.row_id} of another source: judged once")
        for row, kept in zip(ours, theirs, strict=True)
    ]


def reported(terms: Terms, row: StoredRow) -> Reported | Shown:
    """One row as it is judged, or why it is not."""
    flags = Flags.parse(row.flags)
    fraction = fraction_of(flags.facts.get("fraction", ""), row.series.partition(":")[0])
    reason = _not_judged(terms, flags, fraction)
    if reason:
        return shown(row, flags, reason)
    result = read_result(row.value_text, row.unit, flags)
    if result is None:
        return shown(row, flags, "says neither an amount nor whether anything was detected: ask the laboratory")
    if void_limit(result, flags):
        return shown(row, flags, "not detected, but the detection limit is zero: not compared")
    sample = sample_name(row.flags, row.series, row.time_ms)
    substance = terms.law.counts_as.get(row.parameter, row.parameter)
    doubt = "; ".join(filter(None, (doubt_of(flags), _unfiltered_perhaps(terms, substance, fraction))))
    return Reported(row, sample, substance, result, fraction, terms.law.forms.get(row.parameter), doubt)


def doubt_of(flags: Flags) -> str:
    """What a word or a text beside a result leaves open of it, ``""`` where nothing does."""
    words = ", ".join(unknown_words(flags.qualifiers))
    said = [f"qualifier {words}: not known here, or of two meanings"] if words else []
    if DOUBTED_IN_TEXT in flags.qualifiers:
        text = flags.facts.get("told", "")
        said.append(f'"{text}" may say that this is quality control, or that it is taken back')
    return f"{'; '.join(said)}: ask the laboratory" if said else ""


def _unfiltered_perhaps(terms: Terms, substance: str, fraction: Fraction | None) -> str:
    """Why a result may be of whole water where the dissolved part judges; the other way round whole water holds it."""
    if fraction is None and terms.fraction == "dissolved" and substance in FILTER_MATTERS:
        return "no fraction is stated, and this station is judged by the dissolved one: ask whether it was filtered"
    return ""


def shown(row: StoredRow, flags: Flags, reason: str) -> Shown:
    return Shown(
        row.station, row.parameter, row.day.isoformat(), flags.facts.get("sample", ""), row.value_text, row.unit,
        reason, (row.row_id,),
    )  # fmt: skip


def taken_back_by(flags: Flags) -> str:
    """The codes by which a result was taken back, or the text that does."""
    text = flags.facts.get("told", "")
    return " ".join(f'"{text}"' if one == REJECTED_IN_TEXT else one for one in flags.qualifiers)


def _other_water(flags: Flags) -> str:
    return next((flags.facts[one] for one in ("medium", "activity") if not_groundwater(flags.facts.get(one, ""))), "")


def _not_judged(terms: Terms, flags: Flags, fraction: Fraction | None) -> str:
    if "rejected" in said_by(flags.qualifiers):
        return f"rejected ({taken_back_by(flags)})"
    activity = flags.facts.get("activity", "")
    kind = kind_of(activity)
    if kind in OF_SAMPLE and not (terms.duplicates and kind == "duplicate"):
        return OF_SAMPLE[kind].format(activity)
    if is_another(flags.facts.get("fraction", "")):
        return f"fraction {flags.facts['fraction']}: not known as dissolved or total"
    if terms.of_groundwater and (other := _other_water(flags)):
        return f"{other}: no groundwater, and the standards are of groundwater"
    if flags.facts.get("statistic_base"):
        return f"{flags.facts['statistic_base']} of several results: not one sample's, ask for the results"
    if terms.fraction is not None and fraction not in (None, terms.fraction):
        return f"{fraction}: this station is judged by the {terms.fraction} fraction"
    return ""
