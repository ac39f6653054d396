"""The floor of the pit against the water table and bedrock: situations worked by hand, and what always holds."""

from datetime import date, time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.checks import pit_floor
from models.evaluate import findings
from models.finding import Finding
from models.question import Question
from models.rules import Ordinance, PitFloorRule, ordinance
from models.site import Site
from models.verdict import NOTABLE
from tests.record_in_memory import Record, ask, site
from tests.situations import situations

CORNERS = [(500.0, 500.0), (4500.0, 500.0), (500.0, 4500.0), (4500.0, 4500.0)]
MIDDLE = (2500.0, 2500.0)
SURVEYED = date(2025, 7, 1)


def law_of(rule: str) -> Ordinance:
    return ordinance(rule.partition(".")[0])


def mine(law: Ordinance, **parts: Any) -> Site:
    point = [{"since": date(2024, 1, 1), "elevation_ft": "902.00", "height_above_land_ft": "2.00"}]
    wells = [
        {"id": f"MW-{k}", "use": "monitoring", "position": at, "measuring_point": point}
        for k, at in enumerate(CORNERS, 1)
    ]
    there = {"ordinance": law.id, "crs": law.crs, "stream": [], "gauge": [], "property": [], "well": wells}
    return site(**{**there, **parts})


def levels(rounds: dict[str, Any]) -> Record:
    """Depths below land as a tape reads them: 2 ft more below the measuring point."""
    record = Record()
    for day, depths in rounds.items():
        each = depths if isinstance(depths, list) else [depths] * len(CORNERS)
        for k, depth in enumerate(each, 1):
            record.level(f"MW-{k}", date.fromisoformat(day), f"{depth + 2:.2f}")
    return record


def asked(situation: dict[str, Any]) -> Question:
    law, floor = law_of(situation["rule"]), dict(situation.get("floor", {}))
    place = None if floor.pop("nowhere", False) else MIDDLE
    floors = [{"day": SURVEYED, "by": "A. Surveyor", "position": place, **floor}] if floor else []
    rock = [
        {"elevation_ft": at, "accuracy_ft": error, "source": "boring", "position": next(iter(where), None)}
        for at, error, *where in situation.get("bedrock", [])
    ]
    holes = [{"day": date(2024, 10, 1), "by": "A. Driller", **one} for one in situation.get("boring", [])]
    at = mine(law, pit_floor=floors, bedrock=rock, boring=holes)
    return ask(levels(situation["rounds"]), situation.get("on", date(2025, 8, 1)), at=at, law=law)


def judged(situation: dict[str, Any]) -> list[Finding]:
    return [one for one in findings(asked(situation)).findings if one.rule == situation["rule"]]


@pytest.mark.parametrize("situation", situations("pit_floor.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(situation)
    assert sorted(f"{one.parameter} {one.verdict}" for one in found) == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured} / {one.limit}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    for one in found:
        assert one.clause == law_of(one.rule).rule_of(one.rule).clause
        assert one.information or one.verdict not in NOTABLE


def test_every_pit_floor_rule_of_every_town_has_a_situation() -> None:
    named = {one.values[0]["rule"] for one in situations("pit_floor.toml")}
    towns = ("howard", "dovre", "germantown", "gates")
    there = {rule.id for town in towns for rule in ordinance(town).rule if isinstance(rule, PitFloorRule)}
    assert named == there


def test_the_evidence_names_the_readings_the_water_table_rests_on() -> None:
    situation = {
        "rule": "howard.screen.dewater.pit_floor",
        "floor": {"elevation_ft": 884},
        "rounds": {"2025-07-01": 20},
    }
    water = next(one for one in judged(situation) if one.parameter == pit_floor.WATER)
    assert next(one for one in water.evidence if one.line == "surface").rows == ("1:1", "1:2", "1:3", "1:4")


def test_of_two_surveys_of_one_day_and_place_the_lower_counts() -> None:
    law = ordinance("howard")
    floors = [
        {"day": SURVEYED, "by": "A. Surveyor", "position": MIDDLE, "elevation_ft": at} for at in ("890.00", "884.00")
    ]
    question = ask(levels({"2025-07-01": 20}), date(2025, 8, 1), at=mine(law, pit_floor=floors), law=law)
    rule = law.rule_of("howard.screen.dewater.pit_floor")
    assert isinstance(rule, PitFloorRule)
    (water,) = (one for one in pit_floor.check(rule, question).findings if one.parameter == pit_floor.WATER)
    assert (water.verdict, water.facts["floor_ft"]) == ("attained", 884.0)


def test_a_dry_or_pumped_reading_is_no_level_of_a_round() -> None:
    law = ordinance("howard")
    record = Record()
    for k, status in enumerate(["", "", "Dry", "Pumping"], 1):
        record.level(f"MW-{k}", SURVEYED, "22.00", *([status] if status else []))
    floors = [{"day": SURVEYED, "by": "A. Surveyor", "position": MIDDLE, "elevation_ft": "884.00"}]
    question = ask(record, date(2025, 8, 1), at=mine(law, pit_floor=floors), law=law)
    rule = law.rule_of("howard.screen.dewater.pit_floor")
    assert isinstance(rule, PitFloorRule)
    (water,) = (one for one in pit_floor.check(rule, question).findings if one.parameter == pit_floor.WATER)
    assert water.verdict == "indeterminate"


def test_a_published_elevation_counts_as_a_level() -> None:
    law = ordinance("howard")
    record = Record()
    for k in range(1, 5):
        record.add(f"MW-{k}", "water_elevation_navd88", SURVEYED, "880.00", "ft", at=time(10))
    floors = [{"day": SURVEYED, "by": "A. Surveyor", "position": MIDDLE, "elevation_ft": "884.00"}]
    question = ask(record, date(2025, 8, 1), at=mine(law, pit_floor=floors), law=law)
    rule = law.rule_of("howard.screen.dewater.pit_floor")
    assert isinstance(rule, PitFloorRule)
    (water,) = (one for one in pit_floor.check(rule, question).findings if one.parameter == pit_floor.WATER)
    assert water.facts["surface_ft"][0][1] == pytest.approx(880.0)


def test_a_well_read_twice_on_the_day_is_said() -> None:
    """MW-4 at 880.00 in the morning and 840.00 at four: the nearer to noon speaks, as on the map of the round."""
    record = levels({"2025-07-01": 20})
    record.add("MW-4", "depth_to_water", SURVEYED, "60.00", "ft", at=time(16))
    law = ordinance("howard")
    floors = [{"day": SURVEYED, "by": "A. Surveyor", "position": MIDDLE, "elevation_ft": "884.00"}]
    question = ask(record, date(2025, 8, 1), at=mine(law, pit_floor=floors), law=law)
    rule = law.rule_of("howard.screen.dewater.pit_floor")
    assert isinstance(rule, PitFloorRule)
    (water,) = (one for one in pit_floor.check(rule, question).findings if one.parameter == pit_floor.WATER)
    assert water.facts["surface_ft"][0][1] == pytest.approx(880.0)
    assert "MW-4 was also read 840.00 ft that day: 880.00 ft, the nearest to noon, speaks" in water.reason


RANK = {"not_attained": 0, "indeterminate": 1, "needs_confirmation": 2, "attained": 3}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(1000, 3000), min_size=4, max_size=4), st.integers(86_000, 92_000), st.integers(0, 3000),
    st.integers(0, 100),
)  # fmt: skip
def test_digging_deeper_never_turns_below_into_not_below(
    depths: list[int], floor: int, deeper: int, accuracy: int
) -> None:
    """Levels in hundredths of a foot, the floor anywhere, then deeper by anything."""
    verdicts = []
    for at in (floor, floor - deeper):
        situation = {
            "rule": "howard.screen.dewater.pit_floor", "rounds": {"2025-07-01": [one / 100 for one in depths]},
            "floor": {"elevation_ft": f"{at / 100:.2f}", "accuracy_ft": f"{accuracy / 100:.2f}"}, "bedrock": [[870, 1]],
        }  # fmt: skip
        verdicts.append({one.parameter: RANK[one.verdict] for one in judged(situation)})
    before, after = verdicts
    assert all(after[name] >= before[name] for name in before)
