"""Seepage under Gates: situations by hand; information is never a violation; what a rule of it must say."""

from datetime import UTC, date, datetime, time
from importlib.resources import files
from typing import Any

import pytest

from models.checks import seepage, water_level
from models.errors import BadLaw
from models.evaluate import findings
from models.event import Event
from models.finding import Finding, transitions
from models.question import Question
from models.rules import WaterLevelRule, ordinance, read_ordinance
from tests.record_in_memory import Record, ask, site, well
from tests.situations import situations

LAW = ordinance("gates")
RULE = "gates.seepage"
REGISTER = "gates.register/square/2025-06-01"


def act(name: str, day: date, says: str = "") -> Event:
    when = datetime(day.year, day.month, day.day, 15, tzinfo=UTC)
    paper = name.endswith(("received", "adequate"))
    return Event(REGISTER, name, when, when, "clerk", document=says if paper else "", note="" if paper else says)


def asked(situation: dict[str, Any]) -> Question:
    point = [{"since": date(2024, 1, 1), "elevation_ft": "902.00", "height_above_land_ft": "2.00"}]
    wells = [well("MW-1", 100.0, use="monitoring", measuring_point=point)]
    at = site(ordinance="gates", crs=LAW.crs, stream=[], gauge=[], property=[], well=wells)
    record = Record()
    for day, depth in situation.get("levels", {}).items():
        record.level("MW-1", date.fromisoformat(day), f"{float(depth) + 2:.2f}")
    for day in situation.get("flowing", []):
        record.level("MW-1", day, "", "Flowing")
    acts = [act("register_opened", date(2025, 6, 1))] if situation.get("register") else []
    acts += [act(*one) for one in situation.get("acts", [])]
    return ask(record, situation.get("on", date(2025, 8, 1)), at=at, law=LAW, events=acts)


def judged(situation: dict[str, Any]) -> list[Finding]:
    return [one for one in findings(asked(situation)).findings if one.rule == RULE]


@pytest.mark.parametrize("situation", situations("seepage.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(situation)
    told = [f"{one.station} {one.parameter} {one.verdict} {'goes on' if one.ongoing else one.end}" for one in found]
    assert told == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    assert [one for one in found if one.verdict == "attained"] == []
    assert all(one.information for one in found if one.notable)


def test_the_plan_that_comes_ends_what_was_told() -> None:
    rule = LAW.rule_of(RULE)
    assert isinstance(rule, WaterLevelRule)
    plan = [
        ["seepage_plan_received", date(2025, 6, 10), "plan"],
        ["seepage_controls_adequate", date(2025, 6, 20), "letter"],
    ]
    before, after = (water_level.check(rule, asked({"register": True, "acts": acts})) for acts in ([], plan))
    (change,) = transitions([one for one in before.findings if one.notable], after.findings, after.scopes)
    assert (change.change, change.finding.parameter) == ("ended", "seepage_plan")


def test_private_wells_are_judged_as_they_were() -> None:
    """Howard's rule needs its line; a rule about monitoring wells has none."""
    howard = ordinance("howard").rule_of("howard.quantity.private")
    assert isinstance(howard, WaterLevelRule)
    assert (howard.wells, str(howard.within_mi)) == ("private", "0.5")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('wells = "monitoring"', 'wells = "private"', "within_mi belongs to"),
        ('wells = "monitoring"', 'wells = "monitoring"\nwithin_mi = 0.5', "within_mi belongs to"),
        ('seepage_over = "seepage_over"\n', "", "which needs them"),
        ('kept_in = "gates.register"\nplan_received', 'kept_in = "gates.application"\nplan_received', "no register"),
        ('seepage_over = "seepage_over"', 'seepage_over = "seepage_gone"', "seepage_gone"),
        ('information = true\nwells = "monitoring"', 'wells = "monitoring"', "information = true"),
    ],
)
def test_a_rule_that_cannot_be(old: str, new: str, why: str) -> None:
    text = (files("models") / "law" / "ordinances" / "gates.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    with pytest.raises(BadLaw, match=why):
        read_ordinance(text.replace(old, new), file="gates.toml")


@pytest.mark.parametrize(("hour", "at_land"), [(11, 0), (2, 1)])
def test_of_two_readings_of_a_day_the_nearest_to_noon_says_whether_water_stands_at_the_land(
    hour: int, at_land: int
) -> None:
    """At 6:00 half a foot above the land; three feet below it at 11:00, or at 2:00."""
    question = asked({"levels": {}})
    record = question.observations
    assert isinstance(record, Record)
    record.add("MW-1", "depth_to_water", date(2025, 7, 1), "-0.50", "ft", at=time(6))
    record.add("MW-1", "depth_to_water", date(2025, 7, 1), "3.00", "ft", at=time(hour))
    told = [one for one in findings(question).findings if one.parameter == seepage.AT_LAND]
    assert len(told) == at_land
