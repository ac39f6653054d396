"""What stands beside a level about the well: codes and words of every maker, and what a rule makes of them."""

from datetime import date, timedelta

import pytest

from ingest.ngwmn.sites import comment_flags
from ingest.rdb.levels import parse
from ingest.reading import Source
from ingest.usgs_codes import said
from models.checks.water_level import depth_below_land_ft
from models.level_status import NWIS_STATUS, SAME_WORDS, level_status
from models.observation import Flags
from models.question import stored_rows
from tests.record_in_memory import BEGAN, Record, ask, site, well
from tests.test_water_level_check import AUGUST, WELL, baseline, judged, only

# The letters of the USGS list of lev_status_cd, as published.
PUBLISHED = {
    "D": "dry", "E": "recently flowing", "F": "flowing", "G": "nearby flowing", "H": "nearby recently flowing",
    "I": "injector site", "J": "injector site monitor", "M": "plugged", "N": "measurement discontinued",
    "O": "obstruction", "P": "pumping", "R": "recently pumped", "S": "nearby pumping", "T": "nearby recently pumped",
    "V": "foreign substance", "W": "destroyed", "X": "surface water effects", "Z": "other conditions",
}  # fmt: skip


def with_status(record: Record, code: str, depth: str, day: date = AUGUST) -> Record:
    return record.add("W", "depth_to_water", day, depth, "ft", flags=Flags(facts={"status": code}))


@pytest.mark.parametrize(("code", "words"), PUBLISHED.items())
def test_every_published_code_is_known(code: str, words: str) -> None:
    assert NWIS_STATUS[code][1] == words


@pytest.mark.parametrize("code", "PROEIJMNVWZ")
def test_a_level_under_such_a_code_is_no_level_at_rest(code: str) -> None:
    """17.9 ft below land is below the pump intake at 17: no impact, because it is not the water table's depth."""
    assert judged(with_status(baseline(), code, "17.90")).findings == ()
    assert only(judged(with_status(baseline(), "", "17.90"))).verdict == "attained", "without a code it would be one"


def test_a_code_no_list_explains_is_no_level_at_rest_and_is_named() -> None:
    record = with_status(with_status(baseline(), "D", ""), "Q", "10.00", AUGUST + timedelta(days=1))
    found = only(judged(record))
    assert found.ongoing, "a reading that says nothing ends no episode"
    assert "status code Q, which no list explains" in found.measured


def test_a_pumping_level_is_no_baseline() -> None:
    before = BEGAN - timedelta(days=10)
    record = with_status(with_status(Record(), "P", "16.00", before), "", "10.00", before - timedelta(days=1))
    assert only(judged(with_status(record, "D", ""))).verdict == "attained", "the deepest at rest is 10 ft, not 16"


def test_dry_is_dry_under_its_code_too() -> None:
    found = only(judged(with_status(baseline(), "D", "")))
    assert (found.verdict, found.start) == ("attained", AUGUST)


def test_the_depth_at_which_a_tape_met_a_dry_bottom_is_no_level() -> None:
    record = with_status(Record(), "D", "18.00")
    (row,) = stored_rows(ask(record, AUGUST).observations.rows(["W"], ["depth_to_water"], None, AUGUST))
    assert depth_below_land_ft(site(well=[well("W", -1000, **WELL)]).well[0], row) is None


def test_pumping_nearby_is_what_the_rule_asks_about() -> None:
    """The mine's pump is nearby: the level counts, and the reader is told."""
    found = only(judged(with_status(baseline(), "S", "17.90")))
    assert found.verdict == "attained"
    assert "17.90 ft below land (nearby pumping)" in found.measured


def test_a_flowing_well_has_water_again() -> None:
    record = with_status(with_status(baseline(), "D", ""), "F", "", AUGUST + timedelta(days=3))
    assert not only(judged(record)).ongoing


@pytest.mark.parametrize(
    ("flags", "meaning"),
    [
        (comment_flags("Approved, Steel-tape measurement., Pumping.", {}), "disturbed"),
        (comment_flags("A", {}), "at rest"),
        (said(["Recently pumped"], "Approved"), "disturbed"),
        (said(["Nearby pumping"], "Provisional"), "influenced"),
        (said(["DRY"], "Approved"), "dry"),
        (said(["Static"], "Approved"), "at rest"),
        (said(["Obstruction"], "Approved"), "disturbed"),
        (Flags(qualifiers=("Obstructed",)), "disturbed"),
        (Flags(qualifiers=("Dry",)), "dry"),
        (Flags(approval="P"), "at rest"),
        (Flags(qualifiers=("P",)), "at rest"),
        (Flags(facts={"status": "P"}, approval="P"), "disturbed"),
        (Flags(facts={"status": "S"}, qualifiers=("Dry",)), "dry"),
    ],
)
def test_words_and_codes(flags: Flags, meaning: str) -> None:
    assert level_status(flags).meaning == meaning


def test_every_other_spelling_leads_to_a_code() -> None:
    assert set(SAME_WORDS.values()) <= NWIS_STATUS.keys()


def test_a_file_s_status_reaches_the_rule() -> None:
    text = (
        "site_no\tlev_dt\tlev_va\tlev_status_cd\tlev_age_cd\n15s\t10d\t12s\t1s\t1s\n"
        "430000090000001\t2025-08-01\t17.9\tP\tA\n430000090000001\t2025-08-02\t\tD\tP\n"
    )
    rows = parse(Source("levels.rdb", text)).observations
    found = [Flags.parse(one) for one in rows["flags"]]
    assert [(one.approval, level_status(one).meaning) for one in found] == [("A", "disturbed"), ("P", "dry")]
