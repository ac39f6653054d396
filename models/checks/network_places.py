"""Wells, waters and homes within a distance: located, listed in a paper, and with the facts a clause asks of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from models.checks.network_answer import Answer, Gap
from models.checks.network_reach import Around, says
from models.inventory import Residence, WaterRecord, WellRecord
from models.network_rule import ResidencesAsked, WaterFact, WatersAsked, WellFact, WellsAsked
from models.place import Nearness
from models.pumped_water import pump_on
from models.question import Question
from models.site import Lake, Stream, Well

T = TypeVar("T", bound=Well | Stream | Lake | Residence)
Lacking = tuple[str, str]
"""What a thing lacks, and the key that states it."""


def wells(asked: WellsAsked, question: Question) -> Answer:
    """Every well of the uses in reach."""
    records = {one.well: one for one in question.site.inventory.well}
    around = Around(question, asked)

    def lacking(well: Well) -> Iterator[Lacking]:
        record = records.get(well.id)
        for fact in asked.facts:
            if not _well_fact(fact, well, record, question):
                yield WELL_WORDS[fact], WELL_KEYS[fact].format(well.id)

    return _answer(asked, question, around, around.wells(asked.uses), lacking)


WELL_WORDS: Mapping[WellFact, str] = {
    "number": "it has no number on the map of wells", "depth": "its depth is not on file",
    "casing": "the depth of its casing is not on file", "depth_to_water": "its depth to water is not on file",
    "capacity": "its pumping capacity is not on file",
}  # fmt: skip
WELL_KEYS: Mapping[WellFact, str] = {
    "number": '[[inventory.well]] well = "{}", number', "depth": "[[well]] {}: depth_ft",
    "casing": '[[inventory.well]] well = "{}", casing_ft, document',
    "depth_to_water": '[[inventory.well]] well = "{}", depth_to_water_ft, document',
    "capacity": "[[well]] {}: pump = [{{ since, capacity_gpm }}]",
}  # fmt: skip


def _well_fact(fact: WellFact, well: Well, record: WellRecord | None, question: Question) -> bool:
    if fact == "depth":
        return well.depth_ft is not None
    if fact == "capacity":
        return pump_on(well.pump, question.on) is not None
    of_record = {"number": "number", "casing": "casing_ft", "depth_to_water": "depth_to_water_ft"}[fact]
    return record is not None and getattr(record, of_record) is not None


def waters(asked: WatersAsked, question: Question) -> Answer:
    """Every water of the kinds in reach."""
    records = {one.water: one for one in question.site.inventory.water}
    around = Around(question, asked)

    def lacking(water: Stream | Lake) -> Iterator[Lacking]:
        for fact in asked.facts:
            if not _water_fact(fact, water, records.get(water.id), question):
                yield WATER_WORDS[fact], WATER_KEYS[fact].format(water.id)

    return _answer(asked, question, around, around.waters(asked), lacking)


WATER_WORDS: Mapping[WaterFact, str] = {
    "name": "it has no name on file", "level": "the elevation of its water level is not on file",
    "ordinary_high_water": "its ordinary high water mark is not on file",
    "base_flow": "no base flow has been established for it",
}  # fmt: skip
WATER_KEYS: Mapping[WaterFact, str] = {
    "name": "[[stream]] or [[lake]] {}: name",
    "level": '[[inventory.water]] water = "{}", level_ft, level_on, document',
    "ordinary_high_water": '[[inventory.water]] water = "{}", ordinary_high_water_ft, document',
    "base_flow": "[[stream.base_flow]] of {}, signed",
}  # fmt: skip


def _water_fact(fact: WaterFact, water: Stream | Lake, record: WaterRecord | None, question: Question) -> bool:
    if fact == "name":
        return bool(water.name.strip())
    if fact == "base_flow":
        signed = (*water.base_level, *(water.base_flow if isinstance(water, Stream) else ()))
        return any(one.effective <= question.on for one in signed)
    if record is None:
        return False
    if fact == "ordinary_high_water":
        return record.ordinary_high_water_ft is not None
    return record.level_on is not None and record.level_on <= question.on


def residences(asked: ResidencesAsked, question: Question) -> Answer:
    """Every home in reach, listed; where adoption decides, whether it stood then."""
    around = Around(question, asked)

    def lacking(home: Residence) -> Iterator[Lacking]:
        if asked.by == "parcel" and home.property is None:
            yield "the parcel it stands on is not on file", "[[inventory.residence]] property"
        if asked.adopted and home.stood_at_adoption is None:
            yield "whether it stood at adoption is not on file", "[[inventory.residence]] stood_at_adoption"

    homes = around.homes(asked)
    kept = [(home, near) for home, near in homes if not (asked.adopted and home.stood_at_adoption is False)]
    return _answer(asked, question, around, kept, lacking)


def _answer(
    asked: WellsAsked | WatersAsked | ResidencesAsked, question: Question, around: Around,
    found: Iterable[tuple[T, Nearness]], lacking: Callable[[T], Iterable[Lacking]],
) -> Answer:  # fmt: skip
    """Gaps of everything in reach; a place that only may be in reach makes one that only may be."""
    if around.missing:
        return Answer(asked, unknown=around.missing)
    reached = sorted(found, key=lambda pair: pair[0].id)
    listed = _listed(asked.listed_in, question)
    gaps: list[Gap] = []
    for one, near in reached:
        lacks = [*lacking(one), *_unlisted(asked.listed_in, one.id, listed)]
        where = says(near, private=_is_private(one))
        gaps += [Gap(one.id, f"{words}{where}", do, sure=near.within == "inside") for words, do in lacks]
    unsure = sum(near.within == "uncertain" for _, near in reached)
    more = f", {unsure} of them only perhaps: treated as within until surveyed" if unsure else ""
    return Answer(asked, tuple(gaps), f"{len(reached)} on file within the distance{more}")


def _is_private(one: Well | Stream | Lake | Residence) -> bool:
    """Whether a distance would tell where a household lives."""
    return isinstance(one, Residence) or (isinstance(one, Well) and one.use == "private")


def _listed(item: str | None, question: Question) -> set[str]:
    papers = question.site.inventory.papers(item, question.on) if item else ()
    return {id for one in papers for id in one.lists}


def _unlisted(item: str | None, id: str, listed: set[str]) -> Iterator[Lacking]:
    if item and id not in listed:
        name = item.replace("_", " ")
        yield f"no {name} on file lists it", f'[[inventory.paper]] item = "{item}", lists = ["{id}", …]'
