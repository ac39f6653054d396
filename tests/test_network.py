"""What must be located, listed and sampled: situations worked by hand, distances by geodesics, what always holds."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyproj
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models.checks import network
from models.checks.network_baseline import acres
from models.evaluate import findings
from models.finding import Finding, transitions
from models.household import PrivatePosition
from models.inventory import Inventory, Paper
from models.network_rule import NetworkRule
from models.observation import Flags
from models.question import Question
from models.rules import Ordinance, ordinance, read_ordinance
from models.site import Site
from models.verdict import NOTABLE
from pipelines import cli
from reports.finding_words import topic
from tests.record_in_memory import Record, ask, site, standing, well
from tests.situations import situations

SHARED = Path(__file__).parents[2] / "shared"
TOWNS = ("howard", "dovre", "germantown", "gates")
SEED = {
    "howard": "howard_ch2_nonmetallic_mining.txt", "dovre": "dovre_nonmetallic_mining.txt",
    "germantown": "germantown_17_59_animal_waste.txt", "gates": "gates_190_excavations.txt",
}  # fmt: skip
ON = date(2025, 8, 1)
AQUIFER = {
    "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
    "specific_yield": {"low": "0.1", "best": "0.15", "high": "0.2"},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60}, "saturated_thickness_ft": 60,
    "source": "made up",
}  # fmt: skip


def law_of(rule: str) -> Ordinance:
    return ordinance(rule.partition(".")[0])


def place(situation: dict[str, Any]) -> Site:
    law, parts = law_of(situation["rule"]), dict(situation.get("site", {}))
    if parts.pop("aquifer", False):
        parts["aquifer"] = AQUIFER
    parts["well"] = [_well(one) for one in parts.get("well", [])]
    if "boundary" in situation:
        parts["boundary"] = situation["boundary"]
    decided = {"rule": situation["rule"], "decision": "Plan Commission, minutes", "on": situation.get("required")}
    required = [decided | {"only": situation.get("only", [])}] if "required" in situation else []
    permit = site().permit.model_dump() | {"required": required}
    return site(**{"ordinance": law.id, "crs": law.crs, "permit": permit, **parts})


def _well(one: dict[str, Any]) -> dict[str, Any]:
    elevation = one.get("measuring_point")
    if elevation is None:
        return one
    point = {"since": date(2024, 1, 1), "elevation_ft": elevation, "height_above_land_ft": "2.00"}
    return {**one, "measuring_point": [point]}


UNITS = {"arsenic": "ug/L", "lead": "ug/L"}


def record(results: list[Any]) -> Record:
    kept = Record()
    for id, what, *more in results:
        if isinstance(what, int):
            for k in range(what):
                for name in more[0]:
                    kept.result(id, name, date(2025, 1, 1) + timedelta(days=10 * k), "1.5", UNITS.get(name, "mg/L"))
        else:
            day, value, *flag = more
            _single(kept, id, what, day, value, flag[0] if flag else "")
    return kept


def _single(kept: Record, id: str, substance: str, day: date, value: str, flag: str) -> None:
    unit = UNITS.get(substance, "mg/L")
    if flag.startswith("activity="):
        flags = Flags(facts={"activity": flag.partition("=")[2]})
        kept.add(id, substance, day, value, unit, flags=flags)
    else:
        kept.result(id, substance, day, value, unit, lod="0.5", loq="1.5", qualifiers=(flag,) if flag else ())


def asked(situation: dict[str, Any]) -> Question:
    at = place(situation)
    return ask(record(situation.get("results", [])), situation.get("on", ON), at=at, law=law_of(situation["rule"]))


def judged(question: Question, rule: str, requirement: str | None) -> list[Finding]:
    found = [one for one in findings(question).findings if one.rule == rule]
    return [one for one in found if requirement is None or one.parameter == requirement]


@pytest.mark.parametrize("situation", situations("network.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    (found,) = judged(asked(situation), situation["rule"], situation.get("asked"))
    assert found.verdict == situation["expected"], found.reason
    gaps = found.facts.get("gaps", [])
    assert [one["what"] for one in gaps if one["sure"]] == situation.get("gaps", [])
    assert [one["what"] for one in gaps if not one["sure"]] == situation.get("perhaps", [])
    told = " / ".join([found.reason, found.measured, *(line.says for line in found.evidence)])
    for words in situation.get("says", []):
        assert words in told
    assert not found.information


def test_every_requirement_has_a_situation_on_either_side_and_every_rule_two_that_do_not_apply() -> None:
    every = [one.values[0] for one in situations("network.toml")]
    rules = {rule.id: rule for town in TOWNS for rule in ordinance(town).rule if isinstance(rule, NetworkRule)}
    assert {one["rule"] for one in every} == set(rules)
    for id, rule in rules.items():
        of = [one for one in every if one["rule"] == id]
        assert any(one.get("on") == date(2025, 5, 31) and one["expected"] == "not_applicable" for one in of), id
        optional = rule.required_by or any(one.required_by for one in rule.requires)
        spared = [one for one in of if "required" not in one and one["expected"] == "not_applicable"]
        assert bool(spared) or not optional, id
        for each in rule.requires:
            if each.ask not in {"paper"}:
                verdicts = {one["expected"] for one in of if one.get("asked") == each.name}
                assert verdicts & {"attained", "needs_confirmation"}, each.name
    distances = [
        (rule.id, one.name) for rule in rules.values() for one in rule.requires
        if getattr(one, "within_mi", None) or getattr(one, "within_ft", None)
    ]  # fmt: skip
    for rule_id, name in distances:
        verdicts = {one["expected"] for one in every if (one["rule"], one.get("asked")) == (rule_id, name)}
        assert verdicts - {"not_applicable"}, name


def test_the_distances_and_numbers_are_the_ordinances() -> None:
    """Read off the four texts."""
    drawn = {
        (rule.id, one.name): (getattr(one, "within_mi", None), getattr(one, "within_ft", None))
        for town in TOWNS for rule in ordinance(town).rule if isinstance(rule, NetworkRule) for one in rule.requires
        if getattr(one, "within_mi", None) or getattr(one, "within_ft", None)
    }  # fmt: skip
    assert {key: tuple(str(one) for one in pair) for key, pair in drawn.items()} == {
        ("howard.baseline.private", "private_supplies"): ("0.5", "None"),
        ("howard.inventory", "wells_numbered"): ("0.5", "None"),
        ("howard.inventory", "waters_named"): ("0.5", "None"),
        ("howard.inventory", "list_of_wells"): ("None", "1320"),
        ("howard.inventory", "streams"): ("1", "None"),
        ("dovre.adjoining", "adjoining_residences"): ("0.5", "None"),
        ("germantown.wells", "homes"): ("None", "500"),
        ("germantown.wells", "wells"): ("None", "300"),
        ("germantown.wells", "navigable_water"): ("None", "500"),
        ("gates.sources", "source_wells"): ("None", "500"),
        ("gates.sources", "source_waters"): ("None", "500"),
    }


PAGE_BREAK = re.compile(r"\s+\d+\s*\n\s*\n\d+\s+")


def plain(text: str) -> str:
    return " ".join(PAGE_BREAK.sub(" ", text).split())


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
@pytest.mark.parametrize("town", TOWNS)
def test_every_requirement_is_quoted_from_the_ordinance(town: str) -> None:
    whole = plain((SHARED / "seeds" / SEED[town]).read_text(encoding="utf-8"))
    rules = [rule for rule in ordinance(town).rule if isinstance(rule, NetworkRule)]
    assert rules
    assert [one.name for rule in rules for one in rule.requires if plain(one.text) not in whole] == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
def test_every_network_row_of_the_four_tables_stands_in_its_file() -> None:
    table = (SHARED / "law" / "ordinance_rules.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| ((?:howard|dovre|germantown|gates)\.[\w.]+) \| ([^|]+) \| (network|model gate)\b", table, re.M
    )
    assert len(rows) == 12
    for id, clause, _ in rows:
        rule = law_of(id).rule_of(id)
        assert rule.kind == "network"
        assert rule.clause.endswith(clause.strip())  # Germantown's table leaves 17.59 out


# Distances: the county's system against pyproj's own geodesics on the ellipsoid.

FOOT = 1200 / 3937
"""US survey foot [m]."""


def geodesic_ft(crs: str, one: tuple[float, float], other: tuple[float, float]) -> float:
    system = pyproj.CRS.from_epsg(int(crs.partition(":")[2]))
    back = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    (x1, y1), (x2, y2) = back.transform(*one), back.transform(*other)
    _, _, metres = pyproj.Geod(ellps="GRS80").inv(x1, y1, x2, y2)
    return float(metres) / FOOT


def scale(crs: str, at: tuple[float, float]) -> float:
    """Grid distance over distance on the ellipsoid, at a place."""
    system = pyproj.CRS.from_epsg(int(crs.partition(":")[2]))
    back = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    return float(pyproj.Proj(system).get_factors(*back.transform(*at)).meridional_scale)


SITE_CORNER = (158000.0, 164400.0)


@pytest.mark.parametrize("bearing", [(1.0, 0.0), (0.0, 1.0), (0.6, 0.8), (-0.8, 0.6), (-0.6, -0.8)])
@pytest.mark.parametrize("distance", [500.0, 1320.0, 2640.0, 5280.0])
def test_a_distance_of_the_county_system_is_the_geodesic_on_its_own_surface(
    bearing: tuple[float, float], distance: float
) -> None:
    """The county system lies at the height of the land, 40 parts in a million above the ellipsoid; taken back to it by
    the scale of the place, a mile agrees with the geodesic to a hundredth of a foot."""
    other = (SITE_CORNER[0] + bearing[0] * distance, SITE_CORNER[1] + bearing[1] * distance)
    factor = scale("EPSG:7595", SITE_CORNER)
    assert factor == pytest.approx(1.00004, abs=3e-6)
    geodesic = geodesic_ft("EPSG:7595", SITE_CORNER, other)
    assert distance / factor == pytest.approx(geodesic, abs=0.01)
    assert distance - geodesic == pytest.approx(distance * (factor - 1), abs=0.01)
    if distance <= 1320:
        assert distance == pytest.approx(geodesic, abs=0.1)


@pytest.mark.parametrize("off", [-0.2, 0.2])
def test_the_half_mile_line_lies_where_the_geodesic_says_to_the_width_of_the_scale(off: float) -> None:
    """A well by geodesics 2640 ft from the site and 0.2 ft more or less: the scale moves the line by 0.11 ft."""
    system = pyproj.CRS.from_epsg(7595)
    to = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True)
    back = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True)
    corner = (158000.0, 165000.0)
    lon, lat = back.transform(*corner)
    next_lon, next_lat = back.transform(corner[0] - 2640.0, corner[1])
    azimuth, _, _ = pyproj.Geod(ellps="GRS80").inv(lon, lat, next_lon, next_lat)
    lon, lat, _ = pyproj.Geod(ellps="GRS80").fwd(lon, lat, azimuth, (2640.0 + off) * FOOT)
    at = to.transform(lon, lat)
    boundary = [(158000.0, 164400.0), (159600.0, 164400.0), (159600.0, 167040.0), (158000.0, 167040.0)]
    assert bool(reached(at, boundary=boundary)) is (off < 0)


@pytest.mark.parametrize(
    ("town", "lon", "lat", "ppm"),
    [("dovre", -91.85, 45.35, 48.67), ("germantown", -88.11, 43.23, 37.5), ("gates", -77.7, 43.15, 1.2)],
)
def test_500_feet_of_the_other_towns_are_500_feet_of_the_geodesic(
    town: str, lon: float, lat: float, ppm: float
) -> None:
    """To 0.03 ft. On its own meridian Barron's scale is 1.0000486665, Washington's nearly 1.00003738; Gates lies
    71.9 km off a meridian of 0.9999375: (71.9 / 6371)^2 / 2 = 63.7 parts in a million more."""
    system = pyproj.CRS.from_epsg(int(ordinance(town).crs.partition(":")[2]))
    x, y = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True).transform(lon, lat)
    assert (scale(ordinance(town).crs, (x, y)) - 1) * 1e6 == pytest.approx(ppm, abs=0.5)
    assert geodesic_ft(ordinance(town).crs, (x, y), (x + 300, y + 400)) == pytest.approx(500, abs=0.03)


def test_acres_of_a_section_and_of_a_survey() -> None:
    """A square mile is 640 acres; 1 chain x 10 chains, 66 x 660 ft, is one."""
    assert acres([(0, 0), (5280, 0), (5280, 5280), (0, 5280)]) == pytest.approx(640)
    assert acres([(158000, 164400), (158066, 164400), (158066, 165060), (158000, 165060)]) == pytest.approx(1)


# What always holds.

RANK = {"not_attained": 0, "needs_confirmation": 1, "attained": 2}
DECIDED = [{"rule": "howard.baseline.private", "decision": "Plan Commission, minutes", "on": date(2025, 3, 1)}]


def reached(at: tuple[float, float], accuracy: float = 0.0, **parts: Any) -> int:
    """0: a private well there is outside the half mile; 1: perhaps within; 2: within."""
    one = well("P-1", at[0], at[1], position_accuracy_ft=accuracy)
    permit = site().permit.model_dump() | {"required": DECIDED}
    question = ask(Record(), ON, at=site(well=[one], permit=permit, **parts))
    (found,) = judged(question, "howard.baseline.private", "private_supplies")
    return RANK[found.verdict]


@settings(deadline=None, max_examples=150)
@given(st.floats(0, 6.283), st.floats(0, 9000), st.floats(0, 3000), st.floats(0, 2000))
def test_moving_a_well_outward_never_turns_outside_into_inside(
    angle: float, start: float, further: float, accuracy: float
) -> None:
    """Outward from the middle of a convex site along any ray: the distance only grows."""
    places = [(2640 + r * math.cos(angle), 2640 + r * math.sin(angle)) for r in (start, start + further)]
    before, after = (reached(at, accuracy) for at in places)
    assert after <= before


@settings(deadline=None, max_examples=60)
@given(st.floats(0, 5000), st.floats(0, 2000))
def test_a_better_survey_never_turns_a_sure_answer(off: float, accuracy: float) -> None:
    said = reached((-off, 100.0), accuracy)
    if said != 1:
        assert reached((-off, 100.0)) == said


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 14), min_size=1, max_size=6), st.integers(0, 5), st.integers(1, 10))
def test_another_sample_never_opens_a_gap(days: list[int], which: int, more: int) -> None:
    """Of a fixed plan of one indicator."""
    wells = [well(f"MW-{k}", 100.0 + k, use="monitoring") for k in range(len(days))]
    permit = site().permit.model_dump() | {"required": [DECIDED[0] | {"rule": "howard.network.quality"}]}
    papers = [{"item": "baseline_indicators", "document": "plan", "on": date(2024, 1, 1), "contents": ["calcium"]}]
    at = site(well=wells, permit=permit, inventory={"paper": papers})

    def short(counts: list[int]) -> set[str]:
        kept = record([[f"MW-{k}", n, ["calcium"]] for k, n in enumerate(counts)])
        (found,) = judged(ask(kept, ON, at=at), "howard.network.quality", "background_samples")
        return {one["what"] for one in found.facts["gaps"]}

    counts = [one + 1 for one in days]
    extended = [n + (more if k == which % len(counts) else 0) for k, n in enumerate(counts)]
    assert short(extended) <= short(counts)
    assert short(counts) == {f"MW-{k}" for k, n in enumerate(counts) if n < 8}


def test_what_is_written_at_the_line_is_at_the_line_wherever_the_site_lies() -> None:
    """No hundredth is a binary number: some of the differences read 2640.000000000002."""
    written = [(x, round(x - 2640, 2)) for x in (17000 + k / 100 for k in range(100))]
    assert [one for one, other in written if one - other > 2640]
    for x, at in written:
        boundary = [(x, 0), (x + 1000, 0), (x + 1000, 1000), (x, 1000)]
        assert reached((at, 500.0), boundary=boundary) == 2


# The night.


def test_a_gap_is_told_once_and_ends_when_it_is_filled() -> None:
    case = {"rule": "howard.model", "required": date(2025, 3, 1)}
    first = findings(asked(case))
    own = [one for one in first.findings if one.rule == "howard.model"]
    opened = transitions([], own, first.scopes)
    assert sorted(one.finding.parameter for one in opened) == ["cone_of_depression", "model_report"]
    stands = standing({}, opened)
    again = findings(asked(case | {"on": date(2025, 8, 2)}))
    assert (
        transitions(list(stands.values()), [one for one in again.findings if one.rule == "howard.model"], again.scopes)
        == []
    )
    paper = {"item": "model_report", "document": "report", "on": date(2025, 8, 3)}
    part = case | {"on": date(2025, 8, 3), "site": {"inventory": {"paper": [paper | {"contents": ["calibration"]}]}}}
    some = findings(asked(part))
    changes = transitions(
        list(stands.values()), [one for one in some.findings if one.rule == "howard.model"], some.scopes
    )
    assert [(one.change, one.finding.parameter) for one in changes] == [("amended", "model_report")]
    whole = part | {
        "site": {"inventory": {"paper": [paper | {"contents": ["input_justification", "calibration", "sensitivity"]}]}}
    }
    full = findings(asked(whole))
    changes = transitions(
        list(stands.values()), [one for one in full.findings if one.rule == "howard.model"], full.scopes
    )
    assert [(one.change, one.finding.parameter) for one in changes] == [("ended", "model_report")]


def test_every_gap_names_its_clause_and_what_fills_it() -> None:
    found = judged(asked({"rule": "howard.inventory", "required": date(2025, 3, 1)}), "howard.inventory", None)
    gaps = [(one.clause, gap) for one in found for gap in one.facts["gaps"]]
    assert {clause for clause, _ in gaps} == {"2.08(1)(a)2", "2.08(1)(a)3", "2.08(1)(a)4", "2.08(1)(a)5"}
    assert all("[[" in gap["do"] for _, gap in gaps)
    for one in found:
        assert one.opened_on == date(2025, 6, 1)


def test_what_is_told_reads_as_a_gap_and_not_as_a_duty_fulfilled() -> None:
    """A mail names rule and verdict: "attained" beside "baseline quality" would say the opposite."""
    (found,) = judged(asked({"rule": "howard.model", "required": date(2025, 7, 4)}), "howard.model", "model_report")
    assert (found.verdict, found.status) == ("attained", "INCOMPLETE")
    assert topic([found], ordinance("howard")) == (
        "Papers on the groundwater model and the cone of depression are incomplete"
    )
    words = ("incomplete", "not all located", "closer than")
    rules = [rule for town in TOWNS for rule in ordinance(town).rule if isinstance(rule, NetworkRule)]
    assert [rule.title for rule in rules if not any(one in rule.title for one in words)] == []


def test_a_decision_after_mining_began_opens_the_gap_on_its_day() -> None:
    (found,) = judged(asked({"rule": "howard.model", "required": date(2025, 7, 4)}), "howard.model", "model_report")
    assert (found.start, found.opened_on) == (date(2025, 6, 1), date(2025, 7, 4))


def test_information_never_becomes_a_violation() -> None:
    rule = ordinance("howard").rule_of("howard.model").model_copy(update={"information": True})
    case = {"rule": "howard.model", "required": date(2025, 3, 1)}
    assert isinstance(rule, NetworkRule)
    found = network.check(rule, asked(case)).findings
    assert found
    assert all(one.information for one in found if one.verdict in NOTABLE)


def test_a_household_s_own_position_decides_where_there_is_one() -> None:
    case = {
        "rule": "howard.baseline.private", "required": date(2025, 3, 1),
        "site": {"well": [well("P-1", -3000.0, position_accuracy_ft=934)]},
    }  # fmt: skip
    question = asked(case)
    (perhaps,) = judged(question, "howard.baseline.private", "private_supplies")
    surveyed = replace(question, positions=(PrivatePosition(well="P-1", position=(-2641.0, 100.0)),))
    (outside,) = judged(surveyed, "howard.baseline.private", "private_supplies")
    assert (perhaps.verdict, outside.verdict) == ("needs_confirmation", "not_attained")


def test_no_distance_of_a_household_stands_in_a_finding() -> None:
    """A distance from the boundary would tell where the exact place of households.toml is."""
    wells = [well("P-1", -1234.5), well("MW-9", -1111.5, use="monitoring")]
    homes = [{"id": "H-1", "position": (-333.5, 100.0)}]
    for town, name in (("howard", "howard.baseline.private"), ("gates", "gates.sources")):
        law = ordinance(town)
        permit = site().permit.model_dump() | {"required": DECIDED}
        paper = {"item": "identification_plat", "document": "plat", "on": ON}
        at = site(
            ordinance=law.id, crs=law.crs, well=wells, permit=permit, inventory={"residence": homes, "paper": [paper]},
        )  # fmt: skip
        body = str([one.body() for one in findings(ask(Record(), ON, at=at, law=law)).findings if one.rule == name])
        assert "P-1" in body or town == "gates"
        assert not re.search(r"1,?234|333", body)


# Nouns.


@pytest.mark.parametrize(
    ("inventory", "says"),
    [
        ({"well": [{"well": "P-9", "number": 1}]}, "no well called P-9"),
        ({"water": [{"water": "LAKE", "document": "d"}]}, "no water called LAKE"),
        ({"paper": [{"item": "a", "document": "d", "on": ON, "lists": ["X"]}]}, "no well, water or home called X"),
        ({"paper": [{"item": "a", "document": "", "on": ON}]}, "at least 1 character"),
        ({"well": [{"well": "P-1", "access_refused": ON}]}, "need the document that says so"),
        ({"well": [{"well": "P-1", "casing_ft": 40}]}, "need the document that says so"),
        ({"water": [{"water": "CREEK", "level_ft": 880, "document": "d"}]}, "need each other"),
        ({"residence": [{"id": "H-1"}]}, "needs the property it stands on"),
        ({"residence": [{"id": "H-1", "property": "R-9"}]}, "no property called R-9"),
        ({"well": [{"well": "P-1", "number": 1}, {"well": "P-1", "number": 2}]}, "inventory.well used twice"),
        ({"well": [{"well": "P-1", "number": 1}, {"well": "P-2", "number": 1}]}, "number of a well used twice"),
    ],
)
def test_what_an_inventory_cannot_say(inventory: dict[str, Any], says: str) -> None:
    wells = [well("P-1", -100.0), well("P-2", -200.0)]
    with pytest.raises(ValidationError, match=re.escape(says)):
        site(well=wells, inventory=inventory)


def test_an_inventory_with_anything_in_it_is_kept() -> None:
    assert not Inventory().kept
    assert Inventory(paper=(Paper(item="a", document="d", on=ON),)).kept


def test_a_requirement_is_data(tmp_path: Path) -> None:
    """Another town asks for baseline within 3 miles: a line of its file."""
    text = (Path(__file__).parents[1] / "models" / "law" / "ordinances" / "howard.toml").read_text(encoding="utf-8")
    old = 'ask = "baseline", standards = "nr140", within_mi = 0.5'
    assert text.count(old) == 1
    law = read_ordinance(text.replace(old, old.replace("0.5", "3")), file="h")
    case = {"rule": "howard.baseline.private", "required": date(2025, 3, 1), "site": {"well": [well("P-1", -15840.0)]}}
    (found,) = judged(replace(asked(case), law=law), "howard.baseline.private", "private_supplies")
    assert found.verdict == "attained"


def test_a_site_of_200_wells_names_each_gap() -> None:
    wells = [well(f"P-{k:03}", -100.0 - k) for k in range(200)]
    case = {"rule": "howard.baseline.private", "required": date(2025, 3, 1), "site": {"well": wells}}
    sampled = [[f"P-{k:03}", 1, ["arsenic"]] for k in range(0, 200, 2)]
    (found,) = judged(asked(case | {"results": sampled}), "howard.baseline.private", "private_supplies")
    assert [one["what"] for one in found.facts["gaps"]] == [f"P-{k:03}" for k in range(1, 200, 2)]
    assert "and 92 more, named in the evidence" in found.reason
    assert len([line for line in found.evidence if line.line == "gap"]) == 100


# The command, and the files of a site.


def folder(tmp_path: Path, required: str = "", more: str = "", town: str = "howard") -> Path:
    """A scaffolded site whose mine works since 2025, with a decision and more tables."""
    made = tmp_path / "mine"
    assert cli.run(["init", str(made), "--ordinance", town]) == 0
    text = (made / "site.toml").read_text(encoding="utf-8")
    text = text.replace("mining_began = 2025-01-01", f"mining_began = 2025-01-01\n{required}")
    (made / "site.toml").write_text(f"{text}\n{more}\n", encoding="utf-8")
    return made


def network_of(made: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    code = cli.run(["check", "--network", "--site", str(made), "--json"])
    return code, json.loads(capsys.readouterr().out)["network"]


DECISION = 'required = [{ rule = "howard.baseline.private", decision = "Plan Commission, minutes", on = 2024-05-14 }]'
SUPPLY = (
    '[[well]]\nid = "P-1"\nuse = "private"\nposition = [-100.0, 100.0]\nposition_accuracy_ft = 934\n'
    'identifiers = ["AB999"]'
)


def test_without_a_decision_and_an_inventory_nothing_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, rows = network_of(folder(tmp_path, more=SUPPLY), capsys)
    assert code == 0
    assert {one["state"] for one in rows} == {"not required", "not judged"}
    assert {one["rule"] for one in rows} >= {"howard.baseline.private", "howard.inventory", "howard.model"}
    assert not (tmp_path / "mine" / "headwater.db").exists()


def test_a_gap_is_a_row_with_clause_decision_and_what_fills_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = folder(tmp_path, DECISION, SUPPLY)
    code, rows = network_of(made, capsys)
    (row,) = (one for one in rows if one["rule"] == "howard.baseline.private")
    assert code == 1
    assert (row["clause"], row["state"], row["required_by"]) == (
        "2.08(2)(b)2",
        "gap",
        "Plan Commission, minutes, 2024-05-14",
    )
    assert row["gap"].startswith("P-1: no result from before mining began")
    assert "access_refused" in row["what_to_do"]
    assert cli.run(["check", "--site", str(made)]) == 0
    capsys.readouterr()
    assert cli.run(["check", "--network", "--site", str(made)]) == 1
    table = capsys.readouterr().out
    assert "what to do" in table
    assert "…" not in table.split("clause  ")[1].replace("lists", "")


def test_a_result_in_the_store_and_a_refusal_in_the_file_both_fill_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = folder(tmp_path, DECISION, SUPPLY)
    lab = tmp_path / "lab.csv"
    lab.write_text("station,parameter,time,value,unit\nP-1,arsenic,2024-11-05,1.5,ug/L\n", encoding="utf-8")
    capsys.readouterr()
    assert cli.run(["ingest", str(lab), "--site", str(made)]) == 0
    code, rows = network_of(made, capsys)
    assert (code, [one["state"] for one in rows if one["rule"] == "howard.baseline.private"]) == (0, ["complete"])
    (made / "headwater.db").unlink()
    assert network_of(made, capsys)[0] == 1
    refused = '[[inventory.well]]\nwell = "P-1"\naccess_refused = 2024-06-01\ndocument = "letter"\n'
    with (made / "site.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n{refused}")
    _, rows = network_of(made, capsys)
    assert [one["state"] for one in rows if one["rule"] == "howard.baseline.private"] == ["complete"]


def test_before_mining_begins_what_is_missing_can_still_be_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = folder(tmp_path, DECISION, SUPPLY)
    text = (made / "site.toml").read_text(encoding="utf-8")
    (made / "site.toml").write_text(text.replace("mining_began = 2025-01-01", "mining_began = 2199-01-01"), "utf-8")
    code, rows = network_of(made, capsys)
    (row,) = (one for one in rows if one["rule"] == "howard.baseline.private")
    assert (code, row["state"], row["gap"][:4]) == (0, "still open", "P-1:")


def test_a_night_tells_the_gap_and_findings_show_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = folder(tmp_path, DECISION, SUPPLY)
    for on, mails in (("2025-06-30", 1), ("2025-07-01", 0)):
        capsys.readouterr()
        assert cli.run(["nightly", "--site", str(made), "--as-of", on, "--json"]) == 0
        assert len(json.loads(capsys.readouterr().out)["mails"]) == mails
    assert cli.run(["findings", "--site", str(made), "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["rule"], one["clause"], one["parameter"], one["verdict"]) == (
        "howard.baseline.private", "2.08(2)(b)2", "private_supplies", "attained",
    )  # fmt: skip
    assert "P-1" in one["reason"]


def test_a_requirement_that_a_rule_does_not_have_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = folder(tmp_path, DECISION.replace("on = 2024-05-14", 'on = 2024-05-14, only = ["privat_supplies"]'))
    capsys.readouterr()
    assert cli.run(["check", "--site", str(made)]) == 2
    assert "permit.required.only" in (said := capsys.readouterr().err)
    assert "private_supplies" in said


@pytest.mark.parametrize("town", TOWNS)
def test_the_inventory_of_the_skeleton_is_one_once_it_is_uncommented(
    town: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = folder(tmp_path, town=town)
    lines = (made / "site.toml").read_text(encoding="utf-8").split("\n")
    first = lines.index("# [inventory]")
    last = next(k for k in range(first, len(lines)) if lines[k].startswith("# right_of_way")) + 1
    own = [line.removeprefix("# ") for line in lines[first:last] if not line.startswith("#  ")]
    things = """
[[well]]
id = "MW-1"
use = "monitoring"
position = [100.0, 100.0]

[[stream]]
id = "creek"
name = "Creek"
line = [[-500.0, -800.0], [3000.0, -900.0]]

[[property]]
id = "R-1"
parcel = "1"
polygon = [[-1320.0, 0.0], [0.0, 0.0], [0.0, 1320.0]]
"""
    (made / "site.toml").write_text("\n".join([*lines, *own, things]), encoding="utf-8")
    code, rows = network_of(made, capsys)
    assert code in {0, 1}
    assert any(one["state"] in {"gap", "complete"} for one in rows)
