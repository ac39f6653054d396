"""Baseline quality, 2.08(2)(b): results from before mining began in private supplies and in each sector, and enough.

A site of at least so many acres has a sector for every so many acres: whatever the division, no fewer wells than the
quotient rounded up can serve them. Where enough have results, only the sectors of the plan tell whether each has one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import shapely

from models.checks.network_answer import Answer, Gap
from models.checks.network_reach import Around, says
from models.checks.network_results import Days, indicator_names, sampled
from models.inventory import Outline, WellRecord
from models.network_rule import BackgroundAsked, BaselineAsked, Reach, SectorsAsked
from models.place import Nearness, nearness
from models.question import Question
from models.site import Point, Well
from models.standards import law_of

SQUARE_FEET_IN_AN_ACRE = 43560
ACRES_OF_ARITHMETIC = 1e-6
NEVER = "no result from before mining began is on file"
LOAD = "load its results, where there are any"


def baseline(asked: BaselineAsked, question: Question) -> Answer:
    """Every private supply in reach has results, or its owner refused access before mining began."""
    reached = sorted(Around(question, asked).wells(["private"]), key=lambda pair: pair[0].id)
    results = sampled(question, question.site.wells("private"), asked.standards)
    records = {one.well: one for one in question.site.inventory.well}
    lacking = [(well, near) for well, near in reached if not results.get(well.id)]
    excused = {well.id: one for well, _ in lacking if (one := _refused(records.get(well.id), question))}
    gaps = tuple(_unsampled(well, near, records.get(well.id)) for well, near in lacking if well.id not in excused)
    measured = f"{len(reached) - len(lacking)} of {len(reached)} private supplies within the distance have results"
    notes = [f"{id}: access refused on {one.access_refused} ({one.document})" for id, one in excused.items()]
    return Answer(asked, gaps, measured, notes=(*notes, *_told(reached, results)))


def _refused(record: WellRecord | None, question: Question) -> WellRecord | None:
    """A refusal on record that explains why nothing was sampled before mining began."""
    refused = record.access_refused if record else None
    return record if refused is not None and refused < question.began else None


def _unsampled(well: Well, near: Nearness, record: WellRecord | None) -> Gap:
    """A refusal after mining began says nothing of the time before: the town has to find out."""
    late = record.access_refused if record else None
    more = f"; access was refused on {late}, after mining began" if late else ""
    do = f'{LOAD}; or [[inventory.well]] well = "{well.id}", access_refused, document'
    return Gap(well.id, f"{NEVER}{says(near, private=True)}{more}", do, sure=near.within == "inside" and not late)


def _told(reached: Sequence[tuple[Well, Nearness]], results: Mapping[str, Days]) -> Iterator[str]:
    for well, _ in reached:
        if found := results.get(well.id):
            last = max(days[-1] for days in found.values())
            yield f"{well.id}: {len(found)} substances, last on {last}"


@dataclass(frozen=True)
class OnSite:
    """A well on the site with results from before mining began; ``sure``: not only perhaps on it."""

    well: Well
    place: Point
    accuracy_ft: float
    sure: bool


def wells_on_site(question: Question, set_id: str) -> list[OnSite]:
    """Every well on the site, of any use, that has such results."""
    around = Around(question, Reach())
    reached = list(around.wells(["monitoring", "private", "production", "index"]))
    results = sampled(question, [well for well, _ in reached], set_id)
    return [
        OnSite(well, *question.position(well), near.within == "inside")
        for well, near in reached
        if results.get(well.id)
    ]


def acres(corners: Sequence[Point]) -> float:
    """Area in the county's coordinate system [acre of 43,560 square feet of its own foot]."""
    return float(shapely.Polygon(corners).area) / SQUARE_FEET_IN_AN_ACRE


def wells_needed(asked: SectorsAsked, site_acres: float) -> int:
    """The least number of wells that can serve every sector of a site."""
    return math.ceil(site_acres / _sector_acres(asked, site_acres) - ACRES_OF_ARITHMETIC)


def _sector_acres(asked: SectorsAsked, site_acres: float) -> float:
    return float(asked.acres if site_acres >= float(asked.from_acres) - ACRES_OF_ARITHMETIC else asked.acres_below)


def sectors(asked: SectorsAsked, question: Question) -> Answer:
    """Enough wells with results, and one in each sector of the plan."""
    area = acres(question.site.boundary)
    needed, wells = wells_needed(asked, area), wells_on_site(question, asked.standards)
    measured = f"{len(wells)} wells with results on {area:.2f} acres; {needed} needed"
    plan = question.site.inventory.outlines(question.on, "sector")
    doubt = _doubt(asked, question, plan, area)
    gaps = [*_too_few(wells, needed), *(() if doubt else _empty(plan, wells))]
    return Answer(asked, tuple(gaps), measured, unknown=doubt)


def _too_few(wells: Sequence[OnSite], needed: int) -> Iterator[Gap]:
    if len([one for one in wells if one.sure]) < needed:
        lacks = f"{len(wells)} wells on the site have results from before mining began, of {needed} needed"
        yield Gap("", lacks, LOAD, sure=len(wells) < needed)


def _doubt(asked: SectorsAsked, question: Question, plan: Sequence[Outline], area: float) -> str:
    """Why the sectors on file do not tell where each well belongs; "" where they do."""
    if not plan:
        return 'the sectors of the plan are not on file ([[inventory.outline]] what = "sector"): which has a well?'
    most = _sector_acres(asked, area)
    large = [one.id for one in plan if acres(one.outline) > most * (1 + ACRES_OF_ARITHMETIC)]
    if large:
        return f"sectors on file are larger than {most:g} acres: {', '.join(large)}"
    whole = shapely.union_all([shapely.Polygon(one.outline) for one in plan])
    left = shapely.difference(shapely.Polygon(question.site.boundary), whole).area / SQUARE_FEET_IN_AN_ACRE
    return f"the sectors on file leave {left:.2f} acres of the site out" if left > area * ACRES_OF_ARITHMETIC else ""


def _empty(plan: Sequence[Outline], wells: Sequence[OnSite]) -> Iterator[Gap]:
    for sector in plan:
        words = {_within(sector, one) for one in wells}
        if "inside" not in words:
            perhaps = "; one may stand there, by the accuracy of its position" if "uncertain" in words else ""
            lacks = f"no well in it has results from before mining began{perhaps}"
            yield Gap(sector.id, lacks, LOAD, sure="uncertain" not in words)


def _within(sector: Outline, one: OnSite) -> str:
    shape, place = shapely.Polygon(sector.outline), shapely.Point(one.place)
    distance = float(shapely.distance(shape, place)) or -float(shapely.distance(shape.exterior, place))
    return nearness(distance, one.accuracy_ft + float(sector.accuracy_ft), Decimal(0)).within


def background(asked: BackgroundAsked, question: Question) -> Answer:
    """Enough results of each indicator parameter in every well of the baseline."""
    head = law_of(asked.standards).header.indicators
    if head is None:
        return Answer(asked, not_judged=f"{asked.standards} has no indicator parameters")
    wells = wells_on_site(question, asked.standards)
    if not wells:
        return Answer(asked, (Gap("", f"no well on the site: {NEVER}", LOAD),), "no well with results")
    found = sampled(question, [one.well for one in wells], asked.standards)
    results = {one.well.id: found.get(one.well.id, {}) for one in wells}
    return _background(asked, question, wells, results, head.minimum_results)


def _background(
    asked: BackgroundAsked, question: Question, wells: Sequence[OnSite], results: dict[str, Days], minimum: int
) -> Answer:
    known = indicator_names(asked.standards)
    chosen = {name for one in question.site.inventory.papers(asked.chosen_in, question.on) for name in one.contents}
    names = [one for one in known if (one in chosen if chosen else any(one in of for of in results.values()))]
    if not names:
        gap = Gap("", "no indicator parameter was sampled before mining began", LOAD)
        return Answer(asked, (gap,), f"0 of {minimum} results")
    short = [_short(one, results[one.well.id], names, minimum) for one in wells]
    gaps = [one for one in short if one is not None]
    measured = f"{len(wells) - len(gaps)} of {len(wells)} wells have {minimum} results of {len(names)} indicators"
    return Answer(asked, tuple(gaps), measured, notes=tuple(_of_choice(asked, chosen, known, names)))


def _short(one: OnSite, found: Days, names: Sequence[str], minimum: int) -> Gap | None:
    short = [f"{name} {len(found.get(name, ()))}" for name in names if len(found.get(name, ())) < minimum]
    if not short:
        return None
    lacks = f"fewer than {minimum} days with results before mining began: {', '.join(short)}"
    return Gap(one.well.id, lacks, LOAD, sure=one.sure)


def _of_choice(asked: BackgroundAsked, chosen: set[str], known: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    if strange := sorted(chosen - set(known)):
        yield f"no indicator parameter of {asked.standards}: {', '.join(strange)}"
    never = [one for one in known if one not in names]
    if not chosen and never:
        yield f"no plan on file names the indicators chosen ({asked.chosen_in}); never sampled: {', '.join(never)}"
