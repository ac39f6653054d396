"""What the wells of a scenario must pump so that the water table stands at a target all over a pit. Metres, days."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import drawdown_at
from models.aquifer.dewatering import least_pumping_m3_per_d
from models.aquifer.unconfined import jacob_correction_m
from models.cone.model import ConeModel, cone_model
from models.errors import BadQuestion
from models.scenario.noun import PitOf, Scenario, Step

NO_LIMIT_M3_PER_D = 1e7
"""Capacity of a well whose permitted rate is not told."""
SPACING = 24
"""Points around the pit, beside its middle."""


@dataclass(frozen=True)
class WellRate:
    """A well's part of the least pumping [m3/d]; ``permitted`` is its most (None: not told)."""

    id: str
    rate: float
    permitted: float | None


def required_pumping(scenario: Scenario, pit: PitOf, target_m: float, day: float) -> list[WellRate]:
    """The least pumping, from the pit's day on, that lowers the water table by the target all over the pit by a day.

    Raises
    ------
    BadQuestion : all wells at their permitted rates do not reach the target; a target deeper than the aquifer.
    """
    thickness = scenario.aquifer.thickness
    linear = target_m if thickness is None else float(jacob_correction_m(target_m, thickness.value))
    wells = [one.model_copy(update=_at_one(pit)) for one in scenario.well]
    model = cone_model(scenario.model_copy(update={"well": tuple(wells)}))
    permitted = [None if one.permitted is None else one.permitted.value for one in scenario.well]
    capacity = np.array([NO_LIMIT_M3_PER_D if one is None else one for one in permitted])
    matrix = _unit_drawdown(model, [one.id for one in wells], _pit_points(scenario, pit), day)
    try:
        rates = least_pumping_m3_per_d(matrix, np.full(len(matrix), linear), capacity)
    except BadQuestion as caught:
        raise BadQuestion(
            "all wells at their permitted rates do not keep the pit at its target", key="lowered", found=target_m,
            allowed=[one.replace("at most", "at most, before correction,") + " m" for one in caught.allowed or ()],
        ) from None  # fmt: skip
    return [WellRate(one.id, float(q), most) for one, q, most in zip(wells, rates, permitted, strict=True)]


def _at_one(pit: PitOf) -> dict[str, object]:
    step = Step.model_validate({"since": pit.stages[0].since, "rate": "1 m3/d"})
    return {"rate": None, "since": None, "stops": None, "rates": (step,)}


def _pit_points(scenario: Scenario, pit: PitOf) -> Numbers:
    shape = shapely.Polygon([scenario.metres(one) for one in pit.polygon])
    around = shapely.line_interpolate_point(shape.exterior, np.linspace(0, 1, SPACING, endpoint=False), normalized=True)
    corners = shapely.get_coordinates(shape.exterior)[:-1]
    middle = shapely.get_coordinates(shape.representative_point())
    return np.vstack([shapely.get_coordinates(around), corners, middle])


def _unit_drawdown(model: ConeModel, ids: list[str], points: Numbers, day: float) -> Numbers:
    """float64[point, well]: linear drawdown for 1 m3/d of each well, its images with it [d/m2]."""
    tables, values = model.tables(day), model.values[0]
    found = np.zeros((len(points), len(ids)))
    for number, (table, source) in enumerate(zip(tables, model.sources, strict=True)):
        one = type(values)(values.transmissivity, values.storativity, (values.conductances[number],))
        found[:, ids.index(source.id)] += drawdown_at([table], one, points[:, 0], points[:, 1], nearest=source.radius_m)
    return found
