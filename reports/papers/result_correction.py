"""What a correction of a letter about results says: what the letter told, and how each of it stands now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from models.paper_kind import PaperKind
from models.rules import Ordinance
from reports.papers.words import long_day

Row = Mapping[str, str]
WITHDRAWN = "withdrawn: the record as it stands now does not show it"


@dataclass(frozen=True)
class Corrected:
    """What no longer holds of a paper that went out.

    ``number``, ``composed_at``: of that paper. ``changed``: each row it told that reads otherwise now, with the row as
    it stands, None where it is withdrawn. ``now``: every row that stands.
    """

    number: str
    composed_at: datetime
    changed: Sequence[tuple[Row, Row | None]]
    now: tuple[Row, ...]


def facts(found: Corrected, property: str, sampled: date, kind: PaperKind, law: Ordinance) -> dict[str, Any]:
    """The names that ``paper_result_correction.j2`` speaks of."""
    told = {id(stands) for _, stands in found.changed}
    rest = [one for one in found.now if id(one) not in told]
    contested = [stands for _, stands in found.changed if stands is not None and stands["contested"]]
    return {
        "wells": " and ".join(dict.fromkeys(said["well"] for said, _ in found.changed)), "property": property,
        "sampled": sampled, "number": found.number,
        "written": long_day(found.composed_at.astimezone(ZoneInfo(law.zone)).date()),
        "changed": [_line(said, stands) for said, stands in found.changed],
        "rest": [{"Well": one["well"], "Result": _says(one)} for one in rest],
        "contested": [f"{one['measured']}: {one['contested']}" for one in contested],
        "withdrawn": any(stands is None for _, stands in found.changed), "ask": kind.ask,
    }  # fmt: skip


def _line(said: Row, stands: Row | None) -> dict[str, str]:
    return {
        "Well": said["well"], "The letter said": _says(said),
        "As it stands now": WITHDRAWN if stands is None else _says(stands),
    }  # fmt: skip


def _says(row: Row) -> str:
    return f"{row['measured']} against {row['standard']}: {row['result']}"
