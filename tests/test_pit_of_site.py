"""The pit of a site as a scenario has it: surveyed floors below the water table, in the excavation's outline."""

from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.scenario.noun import Scenario, day_number
from models.scenario.of_site import site_scenario
from models.site import Site

SITE = tomllib.loads((Path(__file__).parents[1] / "sample_data/site.toml").read_text(encoding="utf-8"))
"""80 ft of aquifer; mining began on 2025-01-01 or so."""
SAND = {"id": "sand", "bottom_elevation_ft": Decimal(880), "conductivity_ft_per_d": Decimal(50)}
"""Base at 880 ft, hence the water table at 960 ft."""
DUG = [(1_000.0, 1_000.0), (1_400.0, 1_000.0), (1_400.0, 1_300.0), (1_000.0, 1_300.0)]
BEGAN = Site.model_validate(SITE).permit.mining_began


def later(days: int) -> date:
    return date.fromordinal(BEGAN.toordinal() + days)


def floor(days: int, elevation: str, **more: Any) -> dict[str, Any]:
    return {"day": later(days), "elevation_ft": Decimal(elevation), "by": "A. Surveyor", **more}


def excavation(id: str = "north", days: int = 30, outline: list[tuple[float, float]] = DUG) -> dict[str, Any]:
    return {"id": id, "what": "excavation", "outline": outline, "on": later(days), "document": "survey"}


def scenario(*floors: dict[str, Any], outlines: list[dict[str, Any]] | None = None, **changes: Any) -> Scenario:
    dug = [excavation()] if outlines is None else outlines
    told = {"layer": [SAND], "pit_floor": list(floors), "inventory": {"outline": dug}, **changes}
    site = Site.model_validate({**SITE, **told})
    return site_scenario(site, {}, {"PW-1": "300 gpm"}, ZoneInfo("America/Chicago"), "maximum")


def notes(found: Scenario) -> str:
    return " / ".join(found.notes)


def test_floors_below_the_water_table_are_its_stages() -> None:
    """By hand: of 960 ft of water table, floors at 955 and 942.5 ft are 5 and 17.5 ft below; of a day the lowest."""
    found = scenario(
        floor(40, "971"), floor(90, "955"), floor(200, "944"), floor(200, "942.5", position=(1_100.0, 1_100.0))
    )
    assert found.pit is not None
    assert [(one.since, one.lowered.text) for one in found.pit.stages] == [
        (later(90), "5 ft"), (later(200), "17.5 ft"),
    ]  # fmt: skip
    assert list(found.pit.polygon) == DUG
    assert (
        f"5.0 ft below the water table from {later(90)} on; 17.5 ft below the water table from {later(200)} on"
        in notes(found)
    )
    assert "too much where water stands in it" in notes(found)


def test_a_floor_that_was_filled_again_follows_its_survey() -> None:
    found = scenario(floor(90, "950"), floor(300, "965"))
    assert found.pit is not None
    assert found.pit.schedule[1] == pytest.approx([10 * 0.3048, 0.0])


@pytest.mark.parametrize(
    "floors",
    [
        [],
        [floor(90, "961")],
        [floor(90, "960")],
        [floor(90, "950", planned=True)],
        [floor(-1, "950")],
    ],
)
def test_plans_old_surveys_and_a_dry_pit_drain_nothing(floors: list[dict[str, Any]]) -> None:
    found = scenario(*floors)
    assert found.pit is None
    assert "the pit is left out" not in notes(found)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"layer": []}, "the elevation of the water table is not on file"),
        ({"outlines": []}, "its outline is not on file"),
        ({"outlines": [excavation("north"), excavation("south")]}, "2 excavations are outlined on one day"),
        ({"outlines": [excavation(outline=[DUG[0], DUG[2], DUG[1], DUG[3]])]}, "the outline of north crosses itself"),
        ({"outlines": [{**excavation(), "what": "facility"}]}, "its outline is not on file"),
    ],
)
def test_what_is_not_on_file_leaves_it_out_and_is_said(changes: dict[str, Any], says: str) -> None:
    found = scenario(floor(90, "950"), **changes)
    assert found.pit is None
    assert f"the pit is left out of a numerical model: {says}" in notes(found)


def test_of_several_outlines_the_latest_counts() -> None:
    wider = [(900.0, 900.0), (1_500.0, 900.0), (1_500.0, 1_400.0)]
    found = scenario(floor(90, "950"), outlines=[excavation("first", 10), excavation("second", 20, wider)])
    assert found.pit is not None
    assert list(found.pit.polygon) == wider


def test_a_site_s_pit_is_drained_in_the_model_from_its_surveys_on() -> None:
    """Levels by hand: 5 and 17.5 ft below the water table, in metres."""
    told = scenario(floor(90, "955"), floor(200, "942.5"))
    pair = pair_of(told, Choices(day_number(later(300)), rhythm="one", growth=1.6, stepping=Stepping(0.5, 1.3)))
    (drain,) = pair.stressed.drains
    starts = [one.starts for one in pair.stressed.periods]
    held = {
        start: float(np.nanmax(row))
        for start, row in zip(starts, drain.elevation, strict=True)
        if not np.isnan(row).all()
    }
    assert held == pytest.approx({day_number(later(90)): -5 * 0.3048, day_number(later(200)): -17.5 * 0.3048}, rel=1e-5)
