"""Papers that a clause asks for: whether each is on file with what it must hold, and elevations that papers state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.checks.network_answer import Answer, Gap
from models.inventory import Outline
from models.network_rule import FloorAsked, PaperAsked, PondsAsked
from models.question import Question


def paper(asked: PaperAsked, question: Question) -> Answer:
    """A document with its contents; several of one item count together."""
    if why := _not_pumped(asked, question):
        return Answer(asked, not_judged=why)
    found = question.site.inventory.papers(asked.item, question.on)
    if not found:
        contents = f", contents = {_listed(asked.contents)}" if asked.contents else ""
        do = f'[[inventory.paper]] item = "{asked.item}", document, on{contents}'
        return Answer(asked, (Gap("", f"{asked.title}: no document on file", do),), "none on file")
    held = {name for one in found for name in one.contents}
    measured = "; ".join(f"{one.document} ({one.on})" for one in found)
    gaps = tuple(
        Gap("", f"{_words(name)} is not among the contents", f'[[inventory.paper]] item = "{asked.item}": add "{name}"')
        for name in asked.contents
        if name not in held
    )
    return Answer(asked, gaps, measured, notes=tuple(one.note for one in found if one.note))


def _not_pumped(asked: PaperAsked, question: Question) -> str:
    """Why a paper about pumping is not asked for: no production well on file is for that use."""
    wells = question.site.wells("production")
    pumped = {"any", *(use for well in wells for use in well.uses)} if wells else set()
    if not asked.if_pumped or pumped & set(asked.if_pumped):
        return ""
    unsaid = [well.id for well in wells if not well.uses]
    if unsaid:
        return ""  # a well whose uses nobody stated may well be for this one
    what = " or ".join(asked.if_pumped)
    return f'no production well on file{"" if what == "any" else f" is for {what}"} ([[well]] use = "production", uses)'


def floor(asked: FloorAsked, question: Question) -> Answer:
    """The planned lowest elevation of the excavation."""
    found = [one for one in question.site.pit_floor if one.planned and one.day <= question.on]
    if not found:
        gap = Gap("", "no planned lowest elevation on file", "[[pit_floor]] day, elevation_ft, by, planned = true")
        return Answer(asked, (gap,), "none on file")
    lowest = min(found, key=lambda one: one.elevation_ft)
    return Answer(asked, measured=f"{lowest.elevation_ft} ft NAVD88 ({lowest.by}, {lowest.day})")


def ponds(asked: PondsAsked, question: Question) -> Answer:
    """Separation of every pond on file; none on file is no gap: the paper about ponds says whether there is one."""
    found = question.site.inventory.outlines(question.on, *asked.what)
    if not found:
        kinds = " or ".join(_words(one) for one in asked.what)
        return Answer(asked, not_judged=f"no {kinds} on file ([[inventory.outline]])")
    return Answer(asked, tuple(_separations(found)), f"{len(found)} on file")


def _separations(found: Sequence[Outline]) -> Iterable[Gap]:
    for pond in found:
        for name in ("above_bedrock_ft", "above_water_table_ft"):
            if getattr(pond, name) is None:
                surface = "bedrock" if "bedrock" in name else "the groundwater table"
                yield Gap(pond.id, f"its distance from {surface} is not on file", f"[[inventory.outline]] {name}")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{one}"' for one in names) + "]"
