"""When each station was sampled for each substance, and when its well was found dry: days of sampling, from the record.

A result is any row that says something of plain water of the place: an amount, a non-detect, a level, a flow. A
rejected result, a blank or a duplicate is none; nor is a level of a well that was pumping, obstructed or dry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd

from models.checks.well_levels import LEVELS as TAPE
from models.level_status import Meaning, level_status
from models.nr140.result import read_result
from models.observation import Flags
from models.qualifiers import said_by
from models.question import Question
from models.sample_types import kind_of
from models.sampling import LEVELS, Excuse, Sampling

ANY_LEVEL = (*TAPE, "stage")
LOGGED = ("logger_level", "logger_pressure")
NO_SAMPLE = {"duplicate", "quality_control"}
NO_LEVEL: set[Meaning] = {"dry", "disturbed"}


@dataclass
class Sampled:
    """Of one station: the stored row behind each day of sampling by substance, and the days its well was dry."""

    rows: dict[str, dict[date, str]] = field(default_factory=dict)
    dry: list[Excuse] = field(default_factory=list)

    def add(self, substance: str, day: date, row: str) -> None:
        self.rows.setdefault(substance, {}).setdefault(day, row)

    def days(self, calendar: Sampling) -> dict[str, list[date]]:
        """Days of sampling of each substance of a calendar; its levels are one substance."""
        names = calendar.substances or (LEVELS,)
        return {name: list(self.rows.get(name, ())) for name in names}


def sampled(question: Question, calendars: Sequence[Sampling], since: date) -> dict[str, Sampled]:
    """What is on record up to tonight at every station of the calendars; one read for all."""
    stations = sorted({id for one in calendars for id in one.stations})
    wanted = sorted({name for one in calendars for name in one.substances} | {*ANY_LEVEL})
    found = {id: Sampled() for id in stations}
    rows = question.observations.rows(stations, wanted, since, question.on)
    means = {text: level_status(Flags.parse(text)).meaning for text in rows["flags"].unique()}
    meaning, is_level = rows["flags"].map(means), rows["parameter"].isin(ANY_LEVEL)
    dry = rows[rows["parameter"].isin(TAPE) & (meaning == "dry")]
    for station, day, row in _each(dry, "station", "day", "row_id"):
        found[station].dry.append(Excuse(why="dry well", since=day, record=f"reading of {day} ({row})"))
    told = (rows["value"].notna() & ~meaning.isin(NO_LEVEL)) | (meaning == "flowing")
    for station, day, row in _each(rows[is_level & told], "station", "day", "row_id"):
        found[station].add(LEVELS, day, row)
    results = rows[rows["parameter"].isin(_named(calendars)) & ~(is_level & ~told)]
    for station, name, day, row in _each(_results(results), "station", "parameter", "day", "row_id"):
        found[station].add(name, day, row)
    return found


def _named(calendars: Iterable[Sampling]) -> set[str]:
    return {name for one in calendars for name in one.substances}


def _each(rows: pd.DataFrame, *columns: str) -> Iterable[tuple[Any, ...]]:
    once = rows.drop_duplicates(list(columns[:-1]))
    return zip(*(once[name].tolist() for name in columns), strict=True)


def _results(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that say something of plain water; what a text without a number says is asked of each text once."""
    none = {text: _is_none(Flags.parse(text)) for text in rows["flags"].unique()}
    plain = rows[~rows["flags"].map(none).astype(bool)]
    blank = plain[plain["value"].isna()]
    says = {key: read_result(*key[:2], Flags.parse(key[2])) is not None for key in _texts(blank)}
    silent = [index for index, key in zip(blank.index, _texts(blank), strict=True) if not says[key]]
    return plain.drop(index=silent)


def _texts(rows: pd.DataFrame) -> list[tuple[str, str, str]]:
    return list(zip(rows["value_text"], rows["unit"], rows["flags"], strict=True))


def _is_none(flags: Flags) -> bool:
    """Whether the flags make a row no sample of the place: rejected, quality control, or a duplicate of another."""
    return "rejected" in said_by(flags.qualifiers) or kind_of(flags.facts.get("activity", "")) in NO_SAMPLE


def logged_day(question: Question, station: str, first: date, due: date, last: date) -> tuple[date, str] | None:
    """A day between two on which a well's logger read, asked of its due day first; None where it never did."""
    for start, end in ((due, due), (first, last)):
        rows = question.observations.rows([station], LOGGED, start, min(end, question.on))
        known = rows[rows["value"].notna()]
        if len(known):
            return known["day"].iloc[0], known["row_id"].iloc[0]
    return None
