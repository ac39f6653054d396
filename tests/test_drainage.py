"""Drainage at its points: situations worked by hand, storms by hand, and what always holds."""

import json
import random
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.checks import drainage
from models.checks.drainage_storms import like_storms, record
from models.errors import BadQuestion, BadSite
from models.evaluate import findings
from models.finding import Finding
from models.policy import default_policy, read_policy
from models.question import Changed, Question
from models.rules import DrainageRule, ordinance
from models.site import Site
from models.statistics.prediction_limit import upper_prediction_limit
from models.streamflow.storms import Storm, StormRule, runoff_ft3, storms
from pipelines import cli
from tests.record_in_memory import Record, ask, flow, site
from tests.situations import situations, tables

LAW = ordinance("gates")
RULE = "gates.drainage"
FIRST, BEGAN, LAST = date(2023, 1, 1), date(2025, 6, 1), date(2025, 8, 31)
BASELINES = {one["name"]: one["storms"] for one in tables("drainage.toml", "baseline")}
DAY = timedelta(days=1)


def mine(**point: Any) -> Site:
    spot = {"id": "D-1", "position": (0, 0), "original": True, "source": "plat", "gauge": "G-1"} | point
    spot = {name: value for name, value in spot.items() if value != ""}
    parts = {"ordinance": "gates", "crs": LAW.crs, "stream": [], "gauge": [{"id": "G-1"}], "property": []}
    return site(**parts, rain_gauge=[{"id": "RG-1"}], drainage_point=[spot])


def days(first: date, last: date) -> list[date]:
    return [first + k * DAY for k in range((last - first).days + 1)]


def weather(
    fell: list[Any], first: date, last: date, no_rain: list[date] | None = None, no_flow: list[date] | None = None
) -> Record:
    """A record of every day: storms of one day, and nothing between them."""
    rain, cfs = {one[0]: one[1] for one in fell}, {one[0]: one[2] for one in fell}
    known = Record()
    known.flows["G-1"] = [
        flow(day, str(cfs.get(day, "0.00"))) for day in days(first, last) if day not in (no_flow or [])
    ]
    for day in days(first, last):
        if day not in (no_rain or []):
            known.add("RG-1", "precipitation", day, str(rain.get(day, "0.00")), "in")
            known.table[-1] |= {"statistic": "sum", "clock": "day"}
    return known


def asked(one: dict[str, Any], **more: Any) -> Question:
    before = BASELINES[one["baseline"]] if "baseline" in one else []
    first = FIRST if before or one["since"] == [] else BEGAN - 3 * DAY
    on = one.get("on", LAST)
    known = weather([*before, *one["since"]], first, on, one.get("unknown_rain"), one.get("unknown_flow"))
    known.flows = {} if one.get("no_flow") else known.flows
    at = mine(**one.get("point", {}))
    at = at.model_copy(update={"drainage_point": ()}) if one.get("no_point") else at
    return ask(known, on, at=at, law=LAW, **more)


def judged(question: Question) -> list[Finding]:
    return [one for one in findings(question).findings if one.rule == RULE]


@pytest.mark.parametrize("situation", situations("drainage.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    found = judged(asked(situation))
    assert [f"{one.parameter} {one.verdict}" for one in found] == situation["expected"]
    said = " / ".join(f"{one.reason} / {one.measured} / {one.limit}" for one in found)
    for words in situation.get("says", []):
        assert words in said
    assert all(one.clause == "190-63 E, 190-62 N" for one in found)


def test_gates_alone_has_rules_of_drainage() -> None:
    there = [rule.id for town in ("howard", "dovre", "germantown", "gates") for rule in ordinance(town).rule
             if isinstance(rule, DrainageRule)]  # fmt: skip
    assert there == [RULE]


OUTSIDE = {"baseline": "eight like storms", "since": [[date(2025, 7, 10), Decimal("1.00"), Decimal("2.43")]]}


def test_the_evidence_names_the_storm_its_days_and_every_threshold() -> None:
    question = asked(OUTSIDE)
    record_of = question.observations
    assert isinstance(record_of, Record)
    record_of.flows["G-1"] = [replace(one, version=f"1:{one.day}", approval="P") for one in record_of.flows["G-1"]]
    (found,) = judged(question)
    storm = next(one for one in found.evidence if one.line == "storm")
    assert storm.rows == ("1:2025-07-10", "1:2025-07-11")
    assert found.provisional
    told = " ".join(one.says for one in found.evidence)
    for name in ("storm_dry_hours", "storm_wet_day", "storm_least_rain", "drainage_rain_alike",
                 "drainage_season_half_width", "drainage_minimum_storms"):  # fmt: skip
        assert getattr(question.policy, name).says() in told
    assert found.opened_on == date(2025, 7, 10)
    json.dumps(found.body(), allow_nan=False)


def test_nothing_new_is_not_judged_again_and_rain_alone_is_new() -> None:
    rule = LAW.rule_of(RULE)
    assert isinstance(rule, DrainageRule)
    for station, name, n in (("G-1", "discharge", 1), ("RG-1", "precipitation", 1), ("X", "discharge", 0)):
        changed = Changed({(station, name): date(2025, 8, 1)})
        found = drainage.check(rule, asked(OUTSIDE, changed=changed))
        assert (len(found.findings), len(found.scopes)) == (n, n)


# Storms by hand, at the default of one dry day.
RAIN = {date(2025, 7, day): inches for day, inches in enumerate(
    (0.0, 0.3, 0.4, 0.0, 0.2, 0.0, 0.039, 0.0, 0.04, 0.5, 0.0, 0.0, 0.6), 1)}  # fmt: skip
ONE_DRY_DAY = StormRule(Decimal(24), Decimal("0.04"), Decimal("0.5"))


def storm(first: int, last: int, until: int, rain: str) -> Storm:
    return Storm(date(2025, 7, first), date(2025, 7, last), date(2025, 7, until), Decimal(rain))


def test_storms_by_hand() -> None:
    """A dry day parts storms; 0.039 in is dry; the storm of the 5th is too small; the last has no day after it."""
    assert storms(RAIN, ONE_DRY_DAY) == [storm(2, 3, 4, "0.7"), storm(9, 10, 11, "0.54")]


def test_a_longer_dry_spell_joins_storms() -> None:
    """25 h is two whole dry days: the storms of the 2nd to the 5th are one; before the 2nd only one day is known."""
    two = replace(ONE_DRY_DAY, dry_hours=Decimal(25))
    assert two.dry_days == 2
    assert storms({date(2025, 6, 30): 0.0, **RAIN}, two) == [storm(2, 5, 7, "0.9"), storm(9, 10, 12, "0.54")]
    assert storms(RAIN, two) == [storm(9, 10, 12, "0.54")]


def test_a_storm_of_unknown_days_is_none() -> None:
    for lost in (1, 4):
        rain = {day: inches for day, inches in RAIN.items() if day != date(2025, 7, lost)}
        assert [one.first.day for one in storms(rain, ONE_DRY_DAY)] == [9]


def test_the_volume_is_a_day_s_seconds_for_each_cfs() -> None:
    cfs = {date(2025, 7, day): Decimal(value) for day, value in ((2, "1.5"), (3, "2.25"), (4, "0.25"))}
    assert runoff_ft3(storm(2, 3, 4, "0.7"), cfs) == 86_400 * 4
    assert runoff_ft3(storm(2, 3, 5, "0.7"), cfs) is None


def test_the_prediction_limit_by_the_printed_table_of_t() -> None:
    """n = 4, logs 0, 1, 2, 3: mean 1.5, s 1.290994, t(0.95, 3) = 2.353: exp(1.5 + 2.353 x 1.290994 x sqrt(1.25))."""
    values = [float(np.exp(one)) for one in (0, 1, 2, 3)]
    assert upper_prediction_limit(values, 0.95) == pytest.approx(np.exp(1.5 + 2.353 * 1.290994 * 1.118034), rel=1e-3)


def test_the_limit_holds_as_often_as_it_says() -> None:
    """Of lognormal draws, 5 % of the next ones lie beyond the limit at 0.95, whatever the scatter."""
    rng = np.random.default_rng(20250601)
    draws = np.exp(rng.normal(3, 0.7, (4000, 9)))
    beyond = np.mean([row[8] > upper_prediction_limit(row[:8], 0.95) for row in draws])
    assert beyond == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize(("values", "level"), [([1.0], 0.95), ([1.0, 0.0], 0.95), ([1.0, 2.0], 1.0), ([1.0, 2.0], 0.0)])
def test_what_has_no_limit_is_refused(values: list[float], level: float) -> None:
    with pytest.raises(BadQuestion):
        upper_prediction_limit(values, level)


def test_a_confidence_of_one_is_refused_in_the_policy() -> None:
    text = '[drainage_prediction_level]\nvalue = 1\nunit = "1"\nreason = "sure"\n'
    with pytest.raises(BadSite, match=r"drainage_prediction_level\.value"):
        read_policy(text, file="policy.toml")


@pytest.mark.parametrize(
    ("point", "why"),
    [
        ({"gauge": "G-2"}, "no gauge called G-2"),
        ({"id": "G-1"}, "id used twice: G-1"),
        ({"natural": True}, "natural and determined_by need each other"),
        ({"natural": True, "determined_by": "Engineer"}, "natural is asked of a point that is not original"),
    ],
)
def test_a_point_that_cannot_be(point: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        mine(**point)


RANK = {"not_attained": 0, "indeterminate": 1, "needs_confirmation": 2, "attained": 3}
CFS = st.decimals(Decimal("0.01"), Decimal(9), places=2)


@settings(deadline=None, max_examples=40)
@given(st.lists(CFS, min_size=8, max_size=8), CFS, CFS)
def test_more_drainage_is_never_judged_to_be_less(before: list[Decimal], now: Decimal, more: Decimal) -> None:
    """Eight like storms of any size, then one of any size, then a larger one."""
    fell = {date(2023 + k // 4, 7, 1 + 7 * (k % 4)): cfs for k, cfs in enumerate(before)}
    ranks = []
    for cfs in (now, now + more):
        volumes = {**fell, date(2025, 7, 10): cfs}
        rain = {day: (1.0 if day in volumes else 0.0) for day in days(FIRST, LAST)}
        each = {day: volumes.get(day, Decimal(0)) for day in rain}
        (one,) = record(rain, each, BEGAN, like_storms(default_policy())).compared
        ranks.append(RANK[one.verdict])
    assert ranks[0] <= ranks[1]


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(8)), st.integers(0, 2**32))
def test_the_order_of_the_record_never_matters(order: list[int], seed: int) -> None:
    storms_of = BASELINES["eight like storms"]
    fell = {day: (float(rain), cfs) for day, rain, cfs in [*(storms_of[k] for k in order), *OUTSIDE["since"]]}
    every = days(FIRST, LAST)
    random.Random(seed).shuffle(every)
    rain = {day: fell.get(day, (0.0, 0))[0] for day in every}
    each = {day: Decimal(fell.get(day, (0.0, 0))[1]) for day in every}
    (one,) = record(rain, each, BEGAN, like_storms(default_policy())).compared
    assert (one.verdict, one.like) == ("attained", 8)
    assert one.limit_ft3 == pytest.approx(2.4241 * 86_400, rel=1e-4)


POINT = """
[[rain_gauge]]
id = "RG-1"

[[gauge]]
id = "G-1"

[[drainage_point]]
id = "D-1"
position = [0.0, 0.0]
original = true
source = "identification plat"
gauge = "G-1"
"""


def test_a_night_at_gates_tells_of_drainage_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The hand-worked storm just outside the limit, from csv files in the inbox; a volume in gal/d is a flow."""
    folder, began = tmp_path / "mine", "mining_began = 2025-06-01"
    assert cli.run(["init", str(folder), "--ordinance", "gates"]) == 0
    text = (folder / "site.toml").read_text(encoding="utf-8").replace("mining_began = 2025-01-01", began)
    (folder / "site.toml").write_text(text + POINT, encoding="utf-8")
    fell = {day: (rain, cfs) for day, rain, cfs in [*BASELINES["eight like storms"], *OUTSIDE["since"]]}
    per_cfs = Decimal(86_400) * 1728 / 231
    lines = [(day, *fell.get(day, (Decimal(0), Decimal(0)))) for day in days(FIRST, date(2025, 7, 12))]
    rain = "".join(f"RG-1,precipitation,in,{day},{inches}\n" for day, inches, _ in lines)
    cfs = "".join(f"G-1,discharge,gal/d,{day},{flow * per_cfs:.0f}\n" for day, _, flow in lines)
    for name, rows in (("rain", rain), ("flow", cfs)):
        (folder / "inbox" / f"{name}.csv").write_text("station,parameter,unit,date,value\n" + rows, encoding="utf-8")
    mails = []
    for on in ("2025-07-12", "2025-07-13"):
        capsys.readouterr()
        assert cli.run(["nightly", "--site", str(folder), "--as-of", on, "--json"]) in {0, 3}
        mails.append(len(json.loads(capsys.readouterr().out)["mails"]))
    assert cli.run(["findings", "--site", str(folder), "--rule", RULE, "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["station"], found["verdict"], mails) == ("D-1", "attained", [1, 0])


def test_the_law_needs_something_to_judge() -> None:
    whole = LAW.rule_of(RULE).model_dump() | {"original_points": False, "not_increased": False}
    with pytest.raises(ValueError, match="neither original_points nor not_increased"):
        DrainageRule.model_validate(whole)


def test_one_limb_alone() -> None:
    whole = LAW.rule_of(RULE).model_dump()
    places = DrainageRule.model_validate(whole | {"not_increased": False})
    assert drainage.check(places, asked(OUTSIDE)).findings == ()
