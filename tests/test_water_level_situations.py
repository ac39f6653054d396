"""The water table of private wells against their season's band and the index well: situations worked by hand."""

from __future__ import annotations

import random
import tomllib
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models.checks.water_level import check
from models.checks.water_level_risk import most_ft
from models.finding import Finding
from models.observation import Flags
from models.policy import Policy, default_policy
from models.pumping import drawdown_ft, metered
from models.question import Judged, Question
from models.site import Well
from tests.record_in_memory import Record, ask, rule, site, well
from tests.situations import FOLDER, situations, tables

QUANTITY = rule("howard.quantity.private")
SUMMER = (7, 8, 9)
ON = date(2025, 9, 30)
APART = Decimal(20)
FILE = "water_level.toml"
DEFAULTS = tomllib.loads((FOLDER / FILE).read_text(encoding="utf-8"), parse_float=Decimal)["defaults"]


def days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=k) for k in range((last - first).days + 1)]


def index_of(years: dict[int, str], day: date) -> Decimal:
    """Depth at the index well before mining."""
    return Decimal(years.get(day.year, "30.00")) - (0 if day.month in SUMMER else 2)


def months_before(count: int) -> list[date]:
    """The 15th of so many months before mining, the last first."""
    return [date(2025 if k < 5 else 2024, (4 - k) % 12 + 1, 15) for k in range(count)]


def record_of(one: dict[str, Any], up: Decimal = Decimal(0), index_up: Decimal = Decimal(0)) -> Record:
    """The record of a situation; ``up`` is added to every depth at the wells, ``index_up`` at the index well."""
    record, count = Record(), len(one["years"])
    years = dict(zip(range(2025 - count, 2025), one["years"], strict=True))
    before = [day for year in years for day in days(date(year, 7, 1), date(year, 9, 30))]
    for day in sorted({*before, *months_before(12)}):
        depth(record, "IW", day, index_of(years, day) + index_up)
    for day in _index_days(one["index_days"]):
        depth(record, "IW", day, Decimal(one["index_now"]) + index_up)
    for day in months_before(one["months"]):
        for id in ("W", "MW")[: 1 + one["stand_in"]]:
            depth(record, id, day, index_of(years, day) - APART + up)
    for line in one["read"]:
        read(record, *line.split(" ", 2), up=up)
    return record


def _index_days(text: str) -> list[date]:
    return days(date(2025, 7, 1), ON) if text == "daily" else [date.fromisoformat(day) for day in text.split()]


def depth(record: Record, id: str, day: date, feet: Decimal) -> None:
    record.add(id, "depth_to_water", day, f"{feet:.2f}", "ft")


def read(record: Record, day: str, kind: str, what: str = "", *, up: Decimal) -> None:
    on = date.fromisoformat(day)
    if kind == "dry":
        record.level("W", on, "", "Dry")
    elif kind == "owner":
        record.owner("W", on, what)
    elif kind == "starts":
        _starts(record, on, what)
    else:
        depth(record, {"level": "W", "table": "MW"}[kind], on, Decimal(what) + up)


def _starts(record: Record, day: date, what: str) -> None:
    """Starts counted in the hours of a day from midnight: ``12x24,25`` are twelve hours of 24 and one of 25."""
    counts: list[str] = []
    for part in what.split(","):
        times, _, each = part.rpartition("x")
        counts += [each] * int(times or 1)
    for hour, count in enumerate(counts):
        record.add("W", "pump_starts", day, count, "1/h", at=time(hour))


def policy_of(values: dict[str, Any]) -> Policy:
    default = default_policy()
    changed = {name: getattr(default, name).model_copy(update={"value": Decimal(v)}) for name, v in values.items()}
    return default.model_copy(update=changed)


def judged(one: dict[str, Any], record: Record, up: Decimal = Decimal(0)) -> Judged:
    own: dict[str, Any] = {name: Decimal(str(value)) + up for name, value in one["well"].items()}
    wells = [well("W", -1000.0, property="R-1", **own), well("IW", 60_000.0, use="index")]
    wells += [well("MW", -900.0, use="monitoring")] if one["stand_in"] else []
    read_at = {"read_at": "MW"} if one["stand_in"] else {}
    baseline = [{"wells": ["W"], "index": "IW", "index_beyond_reach": "ten miles off", **read_at}]
    return check(
        QUANTITY, ask(record, ON, at=site(well=wells, level_baseline=baseline), policy=policy_of(one["policy"]))
    )


def told(found: Finding, says: list[str]) -> str:
    text = " ".join([found.reason, found.limit, *(f"{line.line} {line.says}" for line in found.evidence)])
    said = [f" + {words}" for words in says if words in text]
    return f"{found.verdict} {found.start} {found.end or '-'} {found.opened_on}" + "".join(said)


@pytest.mark.parametrize("situation", situations(FILE))
def test_situation(situation: dict[str, Any]) -> None:
    one = DEFAULTS | situation
    found = judged(one, record_of(one)).findings
    assert [told(each, one["says"]) for each in found] == one["expected"]


EVERY = [DEFAULTS | one for one in tables(FILE, "situation")]
HUNDREDTHS = st.integers(0, 3000).map(lambda k: Decimal(k) / 100)


def verdicts(answer: Judged) -> list[tuple[object, ...]]:
    return [(one.verdict, one.start, one.end, one.opened_on, one.reason) for one in answer.findings]


@settings(max_examples=60, deadline=None)
@given(one=st.sampled_from(EVERY), up=HUNDREDTHS, index_up=HUNDREDTHS)
def test_where_depths_are_measured_from_changes_no_verdict(one: dict[str, Any], up: Decimal, index_up: Decimal) -> None:
    """The wells with their intakes, and the index well, each from another height."""
    assert verdicts(judged(one, record_of(one, up, index_up), up)) == verdicts(judged(one, record_of(one)))


@settings(max_examples=40, deadline=None)
@given(one=st.sampled_from(EVERY), seed=st.integers(0, 10**6))
def test_the_order_of_the_record_never_matters(one: dict[str, Any], seed: int) -> None:
    record, mixed = record_of(one), record_of(one)
    random.Random(seed).shuffle(mixed.table)
    assert [each.body() for each in judged(one, mixed).findings] == [
        each.body() for each in judged(one, record).findings
    ]


@pytest.mark.parametrize("first", ["level", "dry"])
def test_two_readings_of_one_instant_are_read_in_the_same_order(first: str) -> None:
    one = DEFAULTS | {"read": []}
    answers = []
    for order in ((first, "owner"), ("owner", first)):
        record = record_of(one)
        for kind in order:
            if kind == "owner":
                record.add("W", "pump_status", date(2025, 8, 2), "water restored")
            elif kind == "level":
                record.add("W", "depth_to_water", date(2025, 8, 2), "30.00", "ft")
            else:
                record.add("W", "depth_to_water", date(2025, 8, 2), "", "ft", flags=Flags(qualifiers=("Dry",)))
        answers.append(verdicts(judged(one, record)))
    assert answers[0] == answers[1] != []


def test_what_is_told_of_the_comparison_stands_in_the_facts() -> None:
    one = DEFAULTS | {"read": ["2025-08-01 owner no water", "2025-08-02 level 14.00"]}
    (found,) = judged(one, record_of(one)).findings
    assert found.facts["water_table"] == {
        "read_at": "W", "limit": "season band", "readings": 12, "drop": "shown", "index": "IW", "limit_ft": 11.92,
        "index_ft": 30.0, "season": {"days": 310, "measured": 1, "years": 10}, "overlap_days": 12,
        "overlap_span_days": 334, "correlation": 1.0, "standard_error_ft": 0.0, "independent_days": 12.0,
        "predicted_ft": {"best": 10.0, "low": 9.98, "high": 10.02},
    }  # fmt: skip
    assert found.facts["available_drawdown"] == {"ft": 16.0, "baseline_ft": 18.1, "share_used": 0.12}
    assert "default, not adopted" in found.limit


@pytest.mark.parametrize(
    ("baseline", "words"),
    [
        ({"wells": ["IW"], "index": "IW", "index_beyond_reach": "far"}, "no private well called IW"),
        ({"index": "W", "index_beyond_reach": "far"}, "no index well called W"),
        ({"read_at": "IW"}, "no monitoring well called IW"),
        ({"index": "IW"}, "go together"),
        ({"index_beyond_reach": "far", "read_at": "MW"}, "go together"),
        ({"wells": ["W"]}, "says nothing"),
    ],
)
def test_a_baseline_that_does_not_fit_the_site_is_refused(baseline: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        site(well=WELLS, level_baseline=[baseline])


def test_two_baselines_for_one_well_are_refused() -> None:
    read_at = {"read_at": "MW"}
    with pytest.raises(ValidationError, match="two level baselines for well W"):
        site(well=WELLS, level_baseline=[read_at, {"wells": ["W"], **read_at}])
    with pytest.raises(ValidationError, match="two level baselines read at MW"):
        site(
            well=[*WELLS, well("V", -500.0)], level_baseline=[{"wells": ["W"], **read_at}, {"wells": ["V"], **read_at}]
        )


WELLS = [well("W", -1000.0), well("MW", -900.0, use="monitoring"), well("IW", 60_000.0, use="index")]
AQUIFER = {
    "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
    "specific_yield": {"low": "0.1", "best": "0.15", "high": "0.2"},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60},
    "saturated_thickness_ft": 80, "source": "made up",
}  # fmt: skip


@pytest.mark.parametrize(("x", "reached"), [(9_000.0, True), (600_000.0, False)])
def test_an_index_well_that_the_model_reaches_is_told(x: float, reached: bool) -> None:
    one = DEFAULTS | {"read": ["2025-08-02 level 30.00"]}
    record = record_of(one)
    for days_on in (0, 60, 120):
        record.meter("M", datetime(2025, 6, 1, 5, tzinfo=UTC) + timedelta(days=days_on), str(5_000_000 * days_on))
    wells = [
        well("W", -1000.0, pump_intake_ft=30), well("IW", x, use="index"), well("PW", 2640.0, use="production"),
    ]  # fmt: skip
    there = site(
        well=wells, level_baseline=[{"index": "IW", "index_beyond_reach": "said to be"}], aquifer=AQUIFER,
        meter=[{"id": "M", "well": "PW"}],
    )  # fmt: skip
    found = next(one for one in check(QUANTITY, ask(record, ON, at=there)).findings if one.station == "W")
    (line,) = [line.says for line in found.evidence if line.line == "index well"]
    assert ("it may be no index" in line) == reached
    assert [line.says for line in found.evidence if line.line == "index well declared"] == ["IW: said to be"]


@settings(max_examples=30, deadline=None)
@given(
    x=st.floats(-3000, -1), y=st.floats(0, 5000), streams=st.booleans(),
    volumes=st.lists(st.integers(0, 40_000_000), min_size=1, max_size=6),
)  # fmt: skip
def test_no_modelled_drawdown_exceeds_what_is_not_modelled_for(
    x: float, y: float, streams: bool, volumes: list[int]
) -> None:
    """Wells whose most is too little to be at risk are not modelled: the bound must hold for every schedule."""
    record, register = Record(), 0
    for k, volume in enumerate([0, *volumes]):
        register += volume
        record.meter("M", datetime(2025, 6, 1, 5, tzinfo=UTC) + timedelta(days=20 * k), str(register))
    wells = [well("W", x, y), well("PW", 200.0, 2500.0, use="production")]
    waters: dict[str, Any] = {} if streams else {"stream": [], "gauge": []}
    question = ask(record, ON, at=site(well=wells, aquifer=AQUIFER, meter=[{"id": "M", "well": "PW"}], **waters))
    pumped = metered(question, ON)
    found = drawdown_ft(question, wells_of(question)[0], ON, pumped)
    assert found is not None
    assert found.high <= most_ft(question, wells_of(question)[0], pumped) * (1 + 1e-9)


def wells_of(question: Question) -> tuple[Well, ...]:
    return question.site.wells("private")
