"""Whether rows of two deliveries say the same of one sample, and what one of them then lacks.

Rows of one class are judged once. They have one value, and a limit that only some of them state completes the others
where that leaves the amount quantified, or the non-detect with the limit it is below. Limits that would make less of a
result than it is without them (a value below the LOQ, or below the LOD) complete nothing.

Which laboratory a row is from is not stored. Two sample numbers of one form (``A1`` and ``A2``: the same but for their
digits) are taken for numbers of one laboratory, and so for two samples, in one file or in two; so are unlike numbers in
two files of one format, as of two laboratories that split a sample: a state and a portal write two. What was analysed
at two times was found twice, however alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from models.errors import BadUnit
from models.fractions import Fraction, fraction_of, is_another
from models.holding_time import span_of
from models.nr140.result import Result, read_result, void_limit
from models.observation import Flags
from models.qualifiers import DOUBTED_IN_TEXT, said_by, unknown_words
from models.question import StoredRow
from models.sample_types import kind_of, not_groundwater
from models.units import convert

UNSURE = {"rejected", "unclear"}
LIMIT_FACTS = ("lod", "loq", "limit", "limit_is")
_UNIT = "ug/L"
_DIGITS = re.compile(r"[0-9]+")
Below = tuple[bool, Decimal]
"""Of a non-detect: whether a detect may hide below the limit, and the limit."""


@dataclass(frozen=True, eq=False)
class One:
    """A row of a day on which two deliveries speak of its substance."""

    place: int
    row: StoredRow
    sample: str
    substance: str

    @cached_property
    def flags(self) -> Flags:
        return Flags.parse(self.row.flags)

    @cached_property
    def said(self) -> Result | None:
        """What it says, whether or not that is judged; None of what is no plain sample of the place's groundwater."""
        facts = self.flags.facts
        plain = kind_of(facts.get("activity", "")) == "water" and not is_another(self._fraction_text)
        plain &= not (facts.get("medium") or facts.get("statistic_base") or not_groundwater(facts.get("activity", "")))
        found = read_result(self.row.value_text, self.row.unit, self.flags) if plain else None
        return None if found is None or void_limit(found, self.flags) else found

    @cached_property
    def compared(self) -> Result:
        """The same in one unit of all that convert; what says nothing is like a non-detect without a limit."""
        return _comparable(self.said or Result(None, self.row.unit))

    @cached_property
    def unsure(self) -> bool:
        """Rejected, or perhaps: it is never the same as anything."""
        return bool(said_by(self.flags.qualifiers) & UNSURE)

    @cached_property
    def in_doubt(self) -> bool:
        """Judged, and left open by a word or a text beside it: it never stands for one that is not."""
        return DOUBTED_IN_TEXT in self.flags.qualifiers or bool(unknown_words(self.flags.qualifiers))

    @cached_property
    def fraction(self) -> Fraction | None:
        return fraction_of(self._fraction_text, self.row.series.partition(":")[0])

    @property
    def _fraction_text(self) -> str:
        return self.flags.facts.get("fraction", "")

    @cached_property
    def source(self) -> str:
        return source_of(self.row)

    @cached_property
    def format(self) -> str:
        """The format of its delivery, ``""`` where nobody says."""
        return str(getattr(self.row, "format", ""))

    @property
    def visit(self) -> tuple[str, str]:
        """A sample of a delivery."""
        return self.source, self.sample

    @cached_property
    def numbering(self) -> str:
        """The form of its sample number, ``""`` where its laboratory gave it none."""
        return _DIGITS.sub("#", self.sample.casefold()) if self.flags.facts.get("sample") else ""


Group = list[One]


def source_of(row: StoredRow) -> str:
    """The delivery of a stored row: what its id has before the colon; a file's own rows have none."""
    source, colon, _ = row.row_id.partition(":")
    return source if colon else ""


def classes(rows: Sequence[One]) -> list[Group]:
    """Rows of one station, day, parameter and fraction, by what is judged once; whatever their order."""
    values: dict[tuple[object, ...], Group] = {}
    for one in sorted(rows, key=_matching):
        values.setdefault((one.in_doubt, *_value(one)), []).append(one)
    return [group for each in values.values() for group in _of_value(each)]


def two_samples(one: One, other: One) -> bool:
    """Two of one delivery, or two numbers of one laboratory."""
    if one.source == other.source:
        return True
    return one.sample != other.sample and "" != one.numbering == other.numbering


def apart(one: One, other: One) -> str:
    """Why two rows are of two samples, or two analyses, whatever they state; ``""`` where they may be one."""
    if two_samples(one, other):
        return "under two numbers of one laboratory"
    if one.sample != other.sample and one.numbering and other.numbering and "" != one.format == other.format:
        return "under two numbers in two files of one format"
    return "" if _analysed_at_once(one, other) else "analysed at two times"


def _analysed_at_once(one: One, other: One) -> bool:
    """Whether the times of analysis that both state can be one."""
    own, theirs = (span_of(each.flags.facts.get("analysed", "")) for each in (one, other))
    return own is None or theirs is None or (own[0] <= theirs[1] and theirs[0] <= own[1])


def one_moment(one: One, other: One) -> bool:
    """Whether two rows of a day can be of one moment; a day is any moment of it."""
    return one.row.time_ms == other.row.time_ms or "day" in (one.row.clock, other.row.clock)


def one_value(one: One, other: One) -> bool:
    """Whether two rows of one parameter state one amount."""
    return _value(one) == _value(other)


def alike(one: One, other: One) -> bool:
    """Whether two rows state one amount, with limits that contradict nothing."""
    return one_value(one, other) and _agree([one, other])


def completed(one: One, others: Sequence[One]) -> str:
    """Its flags with the limits that only others of its class state, in its unit."""
    facts = dict(one.flags.facts)
    bare = not any(facts.get(name) for name in LIMIT_FACTS[:3]) and one.said is not None and not one.said.detected
    for other in others:
        for name, text in _limits_in(other, one.row.unit):
            if text and (name in ("lod", "loq") or bare):
                facts[name] = facts.get(name) or text
    if facts == one.flags.facts:
        return one.row.flags
    return Flags(one.flags.approval, one.flags.qualifiers, facts).text()


def _matching(one: One) -> tuple[object, ...]:
    """Moments before days and stated limits before none, so that what is open takes what they leave.

    Nothing here knows which came first.
    """
    said, row = one.compared, one.row
    unknown = [said.lod, said.loq, said.limit].count(None)
    return row.clock == "day", unknown, row.time_ms, one.sample, row.series, row.row_id


def _value(one: One) -> tuple[object, ...]:
    """What it says but for limits: the amount in the unit of its kind, or that there is none."""
    said = one.compared
    return (said.said or "not detected",) if said.value is None else (said.unit, said.value.normalize())


def _of_value(rows: Sequence[One]) -> list[Group]:
    """Each with rows that may be the same sample and whose limits agree: its number, moment, limits go first."""
    found: list[Group] = []
    for one in rows:
        open_to = [group for group in found if all(_may_be(one, other) for other in group) and _agree([*group, one])]
        if open_to:
            max(open_to, key=lambda group: _nearness(one, group)).append(one)
        else:
            found.append([one])
    return found


def _nearness(one: One, group: Group) -> tuple[bool, bool, bool]:
    row = one.row
    return (
        any(one.sample == other.sample for other in group),
        any((row.clock, row.time_ms) == (other.row.clock, other.row.time_ms) for other in group),
        any(_limits(one) == _limits(other) for other in group),
    )


def _may_be(one: One, other: One) -> bool:
    sources = bool(one.source and other.source)
    return sources and not apart(one, other) and one_moment(one, other)


def _limits(one: One) -> tuple[object, ...]:
    said = one.compared
    return said.unit, said.lod, said.loq, said.limit, said.limit_is_reporting, said.below_lod


def _comparable(said: Result) -> Result:
    """In the unit in which rows are compared, where it converts."""
    try:
        value, limit, lod, loq = (
            None if number is None else convert(number, said.unit, _UNIT).normalize()
            for number in (said.value, said.limit, said.lod, said.loq)
        )
    except BadUnit:
        return said
    return replace(said, unit=_UNIT, value=value, limit=limit, lod=lod, loq=loq)


def _agree(rows: Sequence[One]) -> bool:
    """Whether limits that only some state contradict no other's and take nothing from what the others say."""
    said = [one.compared for one in rows]
    if any(one.said for one in said):
        return len({_limits(one) for one in rows}) == 1
    loqs = {one.loq for one in said} - {None}
    if said[0].value is None:
        belows = {found for one in said if (found := _below(one)) is not None}
        return len(belows) <= 1 and len(loqs) <= 1 and all(_keeps(one, rows) for one in rows)
    lods = {one.lod for one in said} - {None}
    whole = len({(one.lod, one.loq) for one in said}) == 1
    quantified = all(limit <= said[0].value for limit in (lods | loqs) if limit is not None)
    return len(lods) <= 1 and len(loqs) <= 1 and (whole or quantified)


def _below(said: Result) -> Below | None:
    """None where no limit is stated."""
    hides = said.limit_is_reporting and not said.below_lod
    floor = said.lod if said.below_lod or said.limit is None else said.limit
    return None if floor is None else (hides, floor)


def _keeps(one: One, rows: Sequence[One]) -> bool:
    """Whether a non-detect that others complete stays below what it, or what they, are below."""
    flags = Flags.parse(completed(one, rows))
    full = read_result(one.row.value_text, one.row.unit, flags)
    told = next((found for each in (one, *rows) if (found := _below(each.compared)) is not None), None)
    return full is not None and not full.detected and _below(_comparable(full)) == told


def _limits_in(one: One, unit: str) -> Iterator[tuple[str, str]]:
    """Its limits in another unit; of a number behind a mark also what kind of limit it is."""
    said = one.said
    if said is None:
        return
    for name, number in (("lod", said.lod), ("loq", said.loq), ("limit", said.limit)):
        if number is not None:
            yield name, f"{convert(number, said.unit, unit):f}"
    if said.limit is not None:
        yield "limit_is", "rl" if said.limit_is_reporting else one.flags.facts.get("limit_is", "")
