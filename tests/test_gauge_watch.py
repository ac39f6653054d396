"""Outages and low visits reach the town in the digest, and open nothing; two gauges of one stream are judged apart."""

from __future__ import annotations

from pathlib import Path

from models.checks import gauge_days
from models.site import Gauge
from tests.record_in_memory import flow, flows
from tests.shortfall_tables import JULY
from tests.town import HIGH, LOW, Town


def test_an_outage_and_a_low_visit_stand_in_the_digest_and_open_no_case(tmp_path: Path) -> None:
    town = Town(tmp_path / "site")
    town.daily("a.rdb", "2025-07-01", [HIGH] * 3)
    head = "station,parameter_cd,sensor,datetime_utc,value"
    town.put("visit.csv", f"{head}\nLMC-1,00060,field,2025-07-08T15:00Z,4.00\n")
    summary = town.night("2025-07-10")
    assert (summary["open_cases"], summary["standing"]) == ([], 0)
    digest = town.mail("night of 2025-07-10")
    assert "OUTAGE, LMC-1, 2025-07-09: no known day since 2025-07-04" in digest
    assert "WATCH, LMC-1, 2025-07-08: 4.00 cfs, one measurement" in digest
    assert "all clear" not in digest.casefold()
    town.daily("b.rdb", "2025-07-11", [HIGH])
    town.night("2025-07-11")
    assert "OUTAGE" not in town.mail("night of 2025-07-11")


def test_an_outage_before_any_delivery_does_not_make_the_first_load_a_later_one(tmp_path: Path) -> None:
    """What was over before the record was first judged is no news, whatever stood of the network before."""
    town = Town(tmp_path / "site")
    town.night("2025-07-01")
    town.daily("a.rdb", "2025-06-01", [HIGH, *[LOW] * 7, HIGH])
    summary = town.night("2025-07-02")
    assert summary["first_load"]
    assert not any("New" in mail for mail in summary["mails"])


def test_a_surrogate_keeps_what_the_record_says_and_rounds_the_product() -> None:
    """4.10 x 1.25 = 5.125, to the precision of a record 5.13; the estimate and the approval stay."""
    gauge = Gauge.model_validate({"id": "S-1", "surrogate_for": "CREEK", "transfer_ratio": "1.25"})
    day = flow(JULY, "4.10", approval="A", qualifiers=("e",))
    moved = gauge_days.transferred(day, gauge.transfer_ratio)
    assert (str(moved.value), moved.approval, moved.is_estimated) == ("5.13", "A", True)
    assert moved.note == "4.10 cfs x 1.25"
    (blank,) = flows(JULY, [None])
    assert gauge_days.transferred(blank, gauge.transfer_ratio) == blank
