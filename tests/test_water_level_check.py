"""A private well that runs dry: what is shown, what is only reported, and what is only modelled."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from models.case import Event
from models.checks.water_level import check
from models.finding import Finding, transitions
from models.household import PrivatePosition
from models.question import Judged
from tests.record_in_memory import BEGAN, Record, ask, rule, site, well

QUANTITY = rule("howard.quantity.private")
# Measuring point 1.00 ft above ground: a reading of 11.00 is 10.00 ft below land.
WELL: dict[str, Any] = {
    "property": "R-1", "depth_ft": 18, "pump_intake_ft": 17,
    "measuring_point": [{"since": date(2020, 1, 1), "elevation_ft": 1000, "height_above_land_ft": 1}],
}  # fmt: skip
AUGUST = date(2025, 8, 1)


def baseline(*depths: str) -> Record:
    """Readings before the mine."""
    record = Record()
    for number, depth in enumerate(depths or ("10.00", "11.00", "10.50")):
        record.level("W", date(2025, 1 + number, 15), depth)
    return record


def judged(record: Record, on: date = AUGUST + timedelta(days=60), x: float = -1000, **more: Any) -> Judged:
    question = {name: more.pop(name) for name in ("events", "positions") if name in more}
    extra = {name: more.pop(name) for name in ("aquifer", "meter") if name in more}
    wells = [well("W", x, **{**WELL, **more}), well("PW", 2640, use="production")]
    return check(QUANTITY, ask(record, on, at=site(well=wells, **extra), **question))


def only(answer: Judged) -> Finding:
    (found,) = answer.findings
    return found


def test_a_dry_well_below_its_baseline_is_shown() -> None:
    """Deepest baseline 10.00 ft below land; the dry hole says the water is below 18 ft."""
    found = only(judged(baseline().level("W", AUGUST, "", "Dry")))
    assert (found.verdict, found.ongoing, found.start, found.end) == ("attained", True, AUGUST, None)
    assert (found.clause, found.station, found.opened_on) == ("2.09(3)(b), 2.15(1)(b)", "W", AUGUST)
    assert "10.00 ft" in found.limit
    assert "3 readings" in found.limit
    assert found.opens is None, "2.15 is the owner's to use: no finding opens it"


def test_water_below_the_pump_intake_is_the_same() -> None:
    """17.9 below the measuring point is 16.9 below land: still over the intake at 17; 18.0 is at it."""
    above = only(judged(baseline().level("W", AUGUST, "17.90")))
    assert above.verdict == "needs_confirmation", "0.10 of 7.00 ft are left: at risk, and still water"
    assert only(judged(baseline().level("W", AUGUST, "18.00"))).verdict == "attained"


def test_a_lower_level_that_still_gives_water_is_no_adverse_impact() -> None:
    """2.09(3)(b) has two limbs: a drop alone is none."""
    assert judged(baseline().level("W", AUGUST, "14.00")).findings == ()


def test_a_dry_well_without_baseline_cannot_tell() -> None:
    found = only(judged(Record().level("W", AUGUST, "", "Dry")))
    assert found.verdict == "indeterminate"
    assert "no baseline" in found.reason


def test_a_well_that_was_as_dry_before_shows_no_drop() -> None:
    """The baseline already reached 17.8 ft below land: a dry hole at 18 ft is within half a foot of it."""
    assert only(judged(baseline("18.80").level("W", AUGUST, "", "Dry"))).verdict == "needs_confirmation"


def test_a_reading_after_mining_began_is_no_baseline() -> None:
    record = Record().level("W", BEGAN, "11.00").level("W", AUGUST, "", "Dry")
    assert only(judged(record)).verdict == "indeterminate"
    record = Record().level("W", BEGAN - timedelta(days=1), "11.00").level("W", AUGUST, "", "Dry")
    assert only(judged(record)).verdict == "attained"


def test_a_dry_reading_before_the_mine_is_not_judged() -> None:
    assert judged(baseline().level("W", BEGAN - timedelta(days=1), "", "Dry")).findings == ()


def test_the_owner_s_log_alone_needs_a_reading() -> None:
    found = only(judged(baseline().owner("W", AUGUST, "no water")))
    assert found.verdict == "needs_confirmation"
    assert "take a level" in found.reason
    assert [line.line for line in found.evidence] == ["owner's log"]


def test_owner_s_log_and_then_a_low_level_together_show_both_limbs() -> None:
    record = baseline().owner("W", AUGUST, "no water").level("W", AUGUST + timedelta(days=2), "14.00")
    found = only(judged(record))
    assert (found.verdict, found.start, found.opened_on) == ("attained", AUGUST, AUGUST + timedelta(days=2))


def test_owner_s_log_and_then_a_level_within_the_baseline_is_no_drop() -> None:
    """The pump failed, not the aquifer."""
    record = baseline().owner("W", AUGUST, "no water").level("W", AUGUST + timedelta(days=2), "10.80")
    found = only(judged(record))
    assert (found.verdict, found.ongoing) == ("needs_confirmation", False)


def test_an_owner_s_log_that_says_nothing_of_water_starts_nothing() -> None:
    assert judged(baseline().owner("W", AUGUST, "pump replaced")).findings == ()


@pytest.mark.parametrize("recovery", ["level", "log"])
def test_recovery_ends_the_episode_and_a_second_is_another(recovery: str) -> None:
    record = baseline().level("W", AUGUST, "", "Dry")
    back = AUGUST + timedelta(days=20)
    record = record.level("W", back, "10.90") if recovery == "level" else record.owner("W", back, "water restored")
    found = only(judged(record))
    assert (found.verdict, found.ongoing, found.end) == ("attained", False, back)
    record.level("W", back + timedelta(days=10), "", "Dry")
    episodes = judged(record).findings
    assert [(one.start, one.ongoing) for one in episodes] == [(AUGUST, False), (back + timedelta(days=10), True)]


def test_the_end_of_an_episode_is_told_as_an_end() -> None:
    record = baseline().level("W", AUGUST, "", "Dry")
    before = judged(record, AUGUST)
    after = judged(record.level("W", AUGUST + timedelta(days=20), "10.90"), AUGUST + timedelta(days=20))
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["ended"]


def test_a_low_level_does_not_end_an_episode() -> None:
    record = baseline().level("W", AUGUST, "", "Dry").level("W", AUGUST + timedelta(days=9), "15.00")
    assert only(judged(record)).ongoing


def test_the_edge_of_the_baseline_band_is_no_drop() -> None:
    """Half a foot is the town's policy: 10.50 below land is not more than that, 10.51 is."""
    for reading, verdict in (("11.50", "needs_confirmation"), ("11.51", "attained")):
        record = baseline().owner("W", AUGUST, "no water").level("W", AUGUST + timedelta(days=1), reading)
        assert only(judged(record)).verdict == verdict


def test_a_raised_measuring_point_is_no_drop_of_the_water() -> None:
    """The casing was extended by five feet: the tape reads five feet more, the water stands where it stood."""
    points = [*WELL["measuring_point"], {"since": date(2025, 7, 1), "elevation_ft": 1005, "height_above_land_ft": 6}]
    record = baseline().owner("W", AUGUST, "no water").level("W", AUGUST + timedelta(days=1), "16.00")
    assert only(judged(record, measuring_point=points)).verdict == "needs_confirmation"
    assert only(judged(record)).verdict == "attained", "the same tape on the old point would be a drop"


@pytest.mark.parametrize(
    ("x", "accuracy", "verdict"),
    [(-2640, 0, "attained"), (-2641, 0, None), (-2600, 50, "needs_confirmation"), (-2700, 50, None)],
)
def test_the_half_mile_is_to_the_well(x: float, accuracy: float, verdict: str | None) -> None:
    record = baseline().level("W", AUGUST, "", "Dry")
    answer = judged(record, x=x, position_accuracy_ft=accuracy)
    assert [one.verdict for one in answer.findings] == ([] if verdict is None else [verdict])


def test_a_survey_beyond_the_line_takes_the_finding_back() -> None:
    record = baseline().level("W", AUGUST, "", "Dry")
    before = judged(record, x=-2600, position_accuracy_ft=934)
    after = judged(
        record, x=-2600, position_accuracy_ft=934, positions=[PrivatePosition(well="W", position=(-2700.0, 2640.0))]
    )
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["retracted"]


def test_an_owner_s_notice_is_evidence_and_never_proof() -> None:
    when = datetime(2025, 8, 2, 15, tzinfo=UTC)
    notice = Event("howard.remedy/R-1/2025-08-02", "town_receipt", when, when, "clerk")
    assert judged(baseline(), events=[notice]).findings == ()
    found = only(judged(baseline().owner("W", AUGUST, "no water"), events=[notice]))
    assert found.verdict == "needs_confirmation"
    assert [line.line for line in found.evidence] == ["owner's log", "owner's notice"]
    other = Event("howard.remedy/R-2/2025-08-02", "town_receipt", when, when, "clerk")
    assert len(only(judged(baseline().owner("W", AUGUST, "no water"), events=[other])).evidence) == 1


def test_a_published_daily_mean_is_not_called_a_hand_reading_and_its_extremes_are_no_levels() -> None:
    """The mean 17.50 is below the intake at 17; the day's lowest, 30, and highest are nothing to judge by."""
    record = baseline()
    for depth, statistic in (("16.00", "min"), ("17.50", "mean"), ("30.00", "max")):
        record.add("W", "depth_to_water", AUGUST, depth, "ft")
        record.table[-1] |= {"statistic": statistic, "clock": "day"}
    found = only(judged(record))
    assert [line.line for line in found.evidence] == ["published level", "available drawdown"]
    assert "17.50" in found.measured


# A well the model says may fail.

AQUIFER = {
    "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
    "specific_yield": {"low": "0.1", "best": "0.15", "high": "0.2"},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60},
    "saturated_thickness_ft": 80,
    "source": "made up",
}
MODEL: dict[str, Any] = {"aquifer": AQUIFER, "meter": [{"id": "M", "well": "PW"}]}


def pumped(record: Record, gallons_a_day: int) -> Record:
    """A meter read at midnight at the start of mining, and monthly since."""
    for days in (0, 30, 60, 90, 120, 150):
        when = datetime(2025, 6, 1, 5, tzinfo=UTC) + timedelta(days=days)
        record.meter("M", when, str(gallons_a_day * days))
    return record


def test_a_modelled_drawdown_alone_is_a_well_at_risk_and_needs_confirmation() -> None:
    found = only(judged(pumped(baseline(), 10_000_000), date(2025, 10, 1), **MODEL))
    assert (found.verdict, found.status, found.opens) == ("needs_confirmation", "at risk", None)
    assert "modelled only" in found.reason


def test_no_pumping_is_ever_enough_to_show_it() -> None:
    """However much is pumped, a model attains nothing."""
    for rate in (10_000, 1_000_000, 100_000_000, 10_000_000_000):
        answer = judged(pumped(baseline(), rate), date(2025, 10, 1), **MODEL)
        assert all(one.verdict == "needs_confirmation" for one in answer.findings)


def test_little_pumping_is_no_risk() -> None:
    assert judged(pumped(baseline(), 1_000), date(2025, 10, 1), **MODEL).findings == ()


def test_a_model_does_not_make_an_owner_s_log_a_proof() -> None:
    record = pumped(baseline(), 10_000_000).owner("W", AUGUST, "no water")
    found = only(judged(record, date(2025, 10, 1), **MODEL))
    assert found.verdict == "needs_confirmation"
    assert "modelled drawdown" in [line.line for line in found.evidence]


def test_once_observed_the_well_is_no_longer_only_at_risk() -> None:
    record = pumped(baseline(), 10_000_000).level("W", AUGUST, "", "Dry")
    found = only(judged(record, date(2025, 10, 1), **MODEL))
    assert (found.verdict, found.status) == ("attained", "observed")


def test_a_standing_risk_is_told_once_and_not_again_at_new_year() -> None:
    record = pumped(baseline(), 10_000_000)
    record.meter("M", datetime(2026, 3, 1, 6, tzinfo=UTC), str(10_000_000 * 273))
    eve = judged(record, date(2025, 12, 31), **MODEL)
    day = judged(record, date(2026, 1, 1), **MODEL)
    changes = [one.change for one in transitions(eve.findings, day.findings, day.scopes)]
    assert len(eve.findings) == 1
    assert set(changes) <= {"continued"}
