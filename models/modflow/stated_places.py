"""Places to tell drawdown at where a scenario asks about none: without one nothing of its cone would be checked."""

from __future__ import annotations

from collections.abc import Iterator

from models.scenario.checks import side_of
from models.scenario.noun import ObservedPoint, Point, Scenario

FEET, METRES = (100, 300, 1_000, 2_640), (30, 100, 300, 800)
"""From the first well; half a mile is the ordinances' line."""


def with_places(scenario: Scenario) -> Scenario:
    """The scenario, with points east of its first well (west where an edge lies between) unless it names some."""
    if scenario.point or not scenario.well:
        return scenario
    return scenario.model_copy(update={"point": tuple(_stated(scenario))})


def _stated(scenario: Scenario) -> Iterator[ObservedPoint]:
    well = scenario.well[0]
    for far in METRES if scenario.unit == "m" else FEET:
        for sign, word in ((1, "east"), (-1, "west")):
            place = well.position[0] + sign * far, well.position[1]
            if _this_side(scenario, well.position, place):
                name = f"{far:,} {scenario.unit} {word} of {well.id}"
                yield ObservedPoint(id=f"{well.id}-{far}", name=name, position=place)
                break


def _this_side(scenario: Scenario, well: Point, place: Point) -> bool:
    return all(side_of(edge, well) * side_of(edge, place) > 0 for edge in scenario.edge)
