"""The whole appendix as data: cover and chapters. A page and a workbook print the same tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reports.annual import conditions, cover, gaps, levels, network, pumping, quality, streamflow
from reports.annual.privacy import Withhold
from reports.annual.record import AnnualRecord
from reports.annual.table import Chapter, Table

CHAPTERS = (network, levels, quality, pumping, streamflow, conditions, gaps)


@dataclass(frozen=True)
class Appendix:
    """What is printed. ``head`` runs along every printed page and holds no text of the site's files."""

    title: str
    head: str
    facts: Table
    asked: Table
    chapters: tuple[Chapter, ...]

    def tables(self) -> Iterator[Table]:
        """Every table in order, those of the workbook only included."""
        yield from (self.facts, self.asked)
        for chapter in self.chapters:
            yield from chapter.tables

    def figures(self) -> int:
        """How many figures a browser has to draw."""
        sections = (section for chapter in self.chapters for section in chapter.sections)
        return sum(figure.spec is not None for section in sections for figure in section.figures)


def appendix(record: AnnualRecord, private: Sequence[str] = ()) -> Appendix:
    """Tell the year.

    Parameters
    ----------
    private : texts of households that must not appear: names, phones, addresses.
    """
    withhold = Withhold(private)
    return Appendix(
        f"Annual operational report for calendar year {record.year}: groundwater and streamflow appendix",
        f"Section {record.duty.clause} annual report, calendar year {record.year}, due {cover.due(record)}",
        withhold.table(cover.facts(record)),
        cover.asked(record),
        tuple(_without(one.chapter(record), withhold) for one in CHAPTERS),
    )


def _without(chapter: Chapter, withhold: Withhold) -> Chapter:
    sections = tuple(
        replace(one, says=tuple(map(withhold.text, one.says)), tables=tuple(map(withhold.table, one.tables)))
        for one in chapter.sections
    )
    return replace(chapter, sections=sections)
