"""The water tables a private well is judged by: its own, and that of the monitoring well that stands for it."""

from __future__ import annotations

from dataclasses import dataclass

from models.checks.level_band import IndexRecord, WaterTable, water_table
from models.checks.well_levels import day_levels, depths, level_rows
from models.level_baseline import LevelBaseline, level_baseline_of
from models.question import Question
from models.site import Well
from models.streamflow.stage_reference import Daily


@dataclass(frozen=True)
class Tables:
    """What is known before mining of the water table at a private well. ``stand_in``: the monitoring well and its."""

    own: WaterTable
    stand_in: tuple[Well, WaterTable] | None

    @property
    def all(self) -> tuple[WaterTable, ...]:
        return (self.own, self.stand_in[1]) if self.stand_in else (self.own,)

    @property
    def has_baseline(self) -> bool:
        return any(one.deepest_ft is not None for one in self.all)


def tables_of(question: Question, well: Well) -> Tables:
    """The water tables that judge a private well."""
    declared = level_baseline_of(question.site.level_baseline, well.id)
    near = declared.read_at if declared else None
    stand_in = next((one for one in question.site.wells("monitoring") if one.id == near), None)
    return Tables(table_of(question, well), (stand_in, table_of(question, stand_in)) if stand_in else None)


def table_of(question: Question, well: Well) -> WaterTable:
    """The water table of one well, worked out once a night."""

    def work() -> WaterTable:
        declared = level_baseline_of(question.site.level_baseline, well.id)
        rows = [row for row in level_rows(question).get(well.id, ()) if row.day < question.began]
        spoken = [(one.day, one.depth_ft) for one in day_levels(well, rows, question.zone)]
        return water_table(well.id, spoken, _index(question, declared), question.policy, depths(well, rows))

    return question.once(("water_table", well.id), work)


def _index(question: Question, declared: LevelBaseline | None) -> IndexRecord | None:
    well = next((one for one in question.site.wells("index") if declared and one.id == declared.index), None)
    return None if well is None else question.once(("index_record", well.id), lambda: _record(question, well))


def _record(question: Question, well: Well) -> IndexRecord:
    rows = level_rows(question).get(well.id, ())
    whole = {one.day: one.depth_ft for one in day_levels(well, rows, question.zone)}
    before = Daily.of({day: depth for day, depth in whole.items() if day < question.began})
    return IndexRecord(well.id, whole, before, question.policy)
