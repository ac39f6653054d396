"""What keeps a level from being judged by the wrong reference or on a doubted datum, worked by hand."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from models.checks import surface_level_rate
from models.checks.signed_flow import site_doubts
from models.checks.surface_level import check
from models.errors import BadSite
from models.finding import Finding
from models.plausible import check_plausible
from models.policy import default_policy
from models.question import Question
from models.site import Site
from models.streamflow.daily_mean import daily_means
from tests.record_in_memory import BEGAN, CHICAGO, ask, rule, site
from tests.test_surface_level import JULY, RAIN, STAGE, TOWN, Levels, base_level, cells, pond, record, stage

OWNER = rule("howard.surface_owner.surface_level")
SIX_LOW = "4.15x6"
ZERO_MOVED = [
    {"since": date(2015, 1, 1), "elevation_ft": "880.00"},
    {"since": date(2025, 7, 9), "elevation_ft": "879.70"},
]


def with_levels(*levels: dict[str, Any], **gauge: Any) -> Site:
    """The pond with these base levels, its gauge changed."""
    here = pond().model_dump()
    here["lake"][0]["base_level"] = list(levels)
    return Site.model_validate({**here, "gauge": [{**here["gauge"][0], **gauge}]})


def signed(value: str = "884.20", **other: Any) -> dict[str, Any]:
    return base_level(value_ft=value, **other)


def judged(days: str, at: Site, on: date | None = None) -> list[Finding]:
    known = record(STAGE, RAIN, days)
    answer = check(TOWN, ask(known, on or known.stages["P-1"][-1].day, at=at))
    return [one for one in answer.findings if one.parameter == "stage"]


def lowering(days: str, at: Site, on: date | None = None) -> Finding:
    (found,) = [one for one in judged(days, at, on) if one.status != "OUTAGE"]
    return found


def says(found: Finding, line: str) -> list[str]:
    return [one.says for one in found.evidence if one.line == line]


def surveyed(*found: tuple[date, str]) -> list[dict[str, Any]]:
    return [{"on": on, "found_ft": off, "by": "S"} for on, off in found]


# The datum in doubt: decision 26 --------------------------------------------------------------------------------------


def test_a_gauge_that_settled_hides_no_lowering() -> None:
    """True level 884.15 on twelve days. From 07-05 it reads 0.30 high, until the survey of 07-09 and its new zero.

    Every day since the survey of April is unknown; 07-09 to 07-12 are four days below, so the third, 07-11, opens it.
    """
    checks = surveyed((date(2024, 4, 15), "0"), (date(2025, 4, 15), "0"), (date(2025, 7, 9), "0.30"))
    here = with_levels(signed(), gauge_zero=ZERO_MOVED, datum_check=checks)
    found = lowering("4.15x4 4.45x8", here)
    assert (found.status, found.verdict) == ("INDETERMINATE_OPEN", "indeterminate")
    assert (found.start, found.end, found.opened_on) == (date(2025, 7, 9), date(2025, 7, 12), date(2025, 7, 11))
    assert found.facts["known_below_days"] == 4
    assert "an outage up to 2025-07-08 hides its beginning" in found.reason
    (outage,) = [one for one in judged("4.15x4 4.45x8", here) if one.status == "OUTAGE"]
    assert (outage.start, outage.end) == (BEGAN, date(2025, 7, 8))
    assert "found the gauge off by +0.30 ft" in outage.reason
    assert "survey the gauge" in outage.reason


def test_a_day_on_a_doubted_datum_within_a_spell_is_no_recovery() -> None:
    """Four days below, a day that reads above on a zero that was found off, three below: it cannot be told."""
    zeros = [
        {"since": date(2015, 1, 1), "elevation_ft": "880.00"}, {"since": date(2025, 7, 5), "elevation_ft": "881.00"},
        {"since": date(2025, 7, 6), "elevation_ft": "880.00"},
    ]  # fmt: skip
    checks = surveyed(*((date(year, 4, 1), "0") for year in range(2020, 2026)), (date(2025, 7, 6), "0.30"))
    found = lowering("4.15x4 4.15 4.15x3", with_levels(signed(), gauge_zero=zeros, datum_check=checks))
    assert (found.start, found.verdict, found.facts["known_below_days"]) == (JULY, "indeterminate", 7)
    assert (
        "2025-07-05 no value (reads 885.15 ft; the datum check of 2025-07-06 found the gauge off by +0.30 ft)"
        in found.reason
    )


def test_six_days_that_only_read_below_are_told_and_decide_nothing() -> None:
    checks = surveyed((date(2024, 4, 1), "0"), (date(2025, 4, 1), "0"), (date(2025, 7, 7), "0.30"))
    found = lowering("4.15x6 4.30", with_levels(signed(), datum_check=checks))
    assert (found.verdict, found.confidence) == ("indeterminate", "")
    assert found.measured == "884.15 ft lowest of 6 days that read below, 6 of them on a datum in doubt"
    assert found.facts["known_below_days"] == 0


def test_a_later_survey_in_the_file_says_nothing_before_its_day() -> None:
    checks = surveyed((date(2024, 4, 1), "0"), (date(2025, 4, 1), "0"), (date(2025, 7, 8), "0.30"))
    here = with_levels(signed(), datum_check=checks)
    assert lowering("4.15x6 4.30x2", here, date(2025, 7, 7)).verdict == "attained"
    assert lowering("4.15x6 4.30x2", here, date(2025, 7, 8)).verdict == "indeterminate"


def test_ice_voids_the_stage_of_a_stream() -> None:
    """Ice backs a stream up: three days of it are unknown, and no recovery (decision 14)."""
    creek = {
        "id": "CREEK", "name": "Creek", "line": [(6000.0, 0.0), (6000.0, 9000.0)], "uses": ["agricultural"],
        "base_level": [signed()],
    }  # fmt: skip
    gauge = {
        "id": "P-1", "stream": "CREEK", "measures": "stage", "gauge_zero": ZERO_MOVED[:1],
        "datum_check": surveyed((date(2025, 4, 1), "0")),
    }  # fmt: skip
    found = lowering("4.15x4 4.60[Ice]x3 4.15x4", site(stream=[creek], gauge=[gauge]))
    assert (found.status, found.facts["known_below_days"]) == ("INDETERMINATE_OPEN", 8)
    assert "2025-07-05 Ice" in found.reason


# The base level that counts: decisions 29 and 30 ----------------------------------------------------------------------


def test_no_licensee_s_version_takes_the_place_of_dnr_s() -> None:
    dnr = signed("884.50", source="DNR", licence_kind="DNR", signed_by="WDNR")
    lower = signed("884.00", version="2", effective=date(2025, 6, 15), signed_on=date(2025, 6, 10))
    found = lowering("4.40x6", with_levels(dnr, lower))
    assert (found.verdict, found.limit) == ("attained", "884.50 ft NAVD88")
    (versions,) = says(found, "base level versions")
    assert (
        "version 2, 884.00 ft, signed by A. Hydrogeologist, is not used: DNR's value (version 1) is the base level"
        in (versions)
    )


def test_dnr_s_late_value_judges_from_its_signature_where_another_was_in_force() -> None:
    """4.15 is above version 1; DNR's 884.20 takes over on 07-04, so the sixth day below is 07-09 and not 07-06."""
    first = signed("884.10", effective=date(2025, 5, 31))
    dnr = signed(version="2", source="DNR", licence_kind="DNR", signed_by="WDNR", signed_on=date(2025, 7, 4))
    here = with_levels(first, dnr)
    assert judged("4.15x8", here) == []
    found = lowering("4.15x9", here)
    assert (found.start, found.opened_on) == (date(2025, 7, 4), date(2025, 7, 9))


def test_a_lowering_over_two_base_levels_shows_both() -> None:
    second = signed("884.40", version="2", effective=date(2025, 7, 4), signed_on=date(2025, 7, 3), signed_by="B. Other")
    found = lowering("4.15x8", with_levels(signed(), second))
    assert found.verification == "version 1 signed by A. Hydrogeologist, PG; version 2 signed by B. Other, PG"
    assert found.limit == "884.20 to 884.40 ft NAVD88"
    assert [one[:20] for one in says(found, "base level")] == ["base level version 1", "base level version 2"]
    assert says(found, "base level versions") == [
        "version 1 from 2025-06-01: 884.20 ft, median of July; version 2 from 2025-07-04: 884.40 ft, median of July"
    ]
    assert found.facts["base_level_version"] == "1, 2"


def test_a_late_signature_is_said_with_the_finding() -> None:
    late = signed(signed_on=date(2025, 6, 10))
    assert (
        "base level version 1 was signed on 2025-06-10, after mining began on 2025-06-01: it judges from 2025-06-10 "
        "on, and that it was established in time can be contested"
    ) in lowering(SIX_LOW, with_levels(late)).reason
    assert "contested" not in lowering(SIX_LOW, with_levels(signed())).reason


def test_check_says_what_can_be_held_against_a_base_level() -> None:
    doubtful = signed(licence_kind="PE", baseline_years="2.0", signed_on=date(2025, 6, 10))
    lines = list(site_doubts(with_levels(doubtful), default_policy().baseline_minimum_years.value))
    assert [line.removeprefix("base level version 1 of P-1: ")[:22] for line in lines] == [
        "its record of 2.0 year", "signed by a PE: a prof", "signed on 2025-06-10, ",
    ]  # fmt: skip
    assert list(site_doubts(with_levels(signed()), default_policy().baseline_minimum_years.value)) == []


def test_more_years_than_the_record_holds_are_refused() -> None:
    with pytest.raises(
        ValidationError, match=r"baseline_years 10.0 is more than the 366 days of its record, 1.00 years"
    ):
        with_levels(signed(record_from=date(2024, 4, 30), baseline_years="10.0"))


@pytest.mark.parametrize(
    ("other", "key"),
    [({}, "version"), ({"version": "2"}, "effective"), ({"effective": date(2025, 7, 1)}, "version")],
)
def test_two_levels_of_one_version_or_day_are_refused(other: dict[str, Any], key: str) -> None:
    with pytest.raises(BadSite, match=rf"lake\[POND\].base_level.{key}: signed twice"):
        check_plausible(with_levels(signed(), signed("884.00", **other)), "site.toml")


def test_the_base_level_of_another_water_is_refused() -> None:
    here = pond(second="x").model_dump()
    here["lake"] = [*here["lake"], {**here["lake"][0], "id": "TARN", "base_level": [signed(gauge="P-1")]}]
    with pytest.raises(BadSite, match=r"lake\[TARN\].base_level.gauge: stands in another water"):
        check_plausible(Site.model_validate(here), "site.toml")


# The record before mining ---------------------------------------------------------------------------------------------


def band_from(first: date, last: date) -> Finding:
    known = record(STAGE, RAIN, SIX_LOW)
    days = [first + timedelta(days=k) for k in range((last - first).days + 1)]
    known.stages["P-1"] = [*(stage(day, "4.60") for day in days), *known.stages["P-1"][-36:]]
    (found,) = [
        one for one in check(TOWN, ask(known, date(2025, 7, 6), at=pond())).findings if one.parameter == "stage"
    ]
    return found


def test_three_julys_in_two_years_are_no_three_years() -> None:
    """2022-07-01 to 2024-07-20 are 751 days, 2.05 years."""
    short = band_from(date(2022, 7, 1), date(2024, 7, 20))
    assert short.verdict == "indeterminate"
    assert "the record before mining spans 2.05 years, needs 3" in short.reason
    assert band_from(date(2021, 7, 21), date(2024, 7, 20)).verdict == "attained"


def test_the_days_just_before_mining_are_no_year_of_their_own() -> None:
    """On 1 June, the first day of mining, the fifteen days before it belong to the season that is judged."""
    known = Levels(stages={"P-1": [stage(date(2023, 5, 1) + timedelta(days=k), "4.60") for k in range(762)]})
    known.stages["P-1"] += cells("4.15x6", BEGAN)
    (found, *_) = check(TOWN, ask(known, date(2025, 6, 6), at=pond())).findings
    assert "2 years before mining in the season of 2025-06-01, needs 3" in found.reason


# What stands beside it ------------------------------------------------------------------------------------------------


def test_days_below_in_thirty_and_in_a_year_stand_beside() -> None:
    """2 days in June, over 30 days before the trigger on 07-14; 3 of early July, and the six."""
    known = record(STAGE, RAIN, "4.15x3 4.60x5 4.15x6")
    known.stages["P-1"] = [
        stage(one.day, "4.15") if one.day in {BEGAN, date(2025, 6, 2)} else one for one in known.stages["P-1"]
    ]
    (found,) = check(TOWN, ask(known, date(2025, 7, 14), at=pond())).findings
    assert says(found, "days below") == ["9 in the 30 days and 11 in the 365 days to 2025-07-14, since 2025-06-01"]


def test_the_natural_rate_is_worked_out_once_a_night(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    whole = surface_level_rate.natural_rate_before_mining

    def counted(*asked: Any) -> Any:
        done.append(asked[0].id)
        return whole(*asked)

    monkeypatch.setattr(surface_level_rate, "natural_rate_before_mining", counted)
    question: Question = ask(record(STAGE, RAIN, SIX_LOW), date(2025, 7, 6), at=pond())
    each = [check(one, question).findings[0] for one in (TOWN, OWNER)]
    assert done == [TOWN.id]
    assert says(each[0], "natural rate") == says(each[1], "natural rate")


# A hole in a day: decision 7 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zero", [0.0, 10.0, -3.0])
@pytest.mark.parametrize(("rise", "too_long"), [(0.02, False), (0.03, True), (-0.02, False), (-0.03, True)])
def test_the_hole_of_a_stage_has_a_limit_in_feet(zero: float, rise: float, too_long: bool) -> None:
    """Four and a half hours without a reading: what the edges may differ by does not depend on the staff's zero."""
    midnight = round(datetime(2025, 7, 1, tzinfo=CHICAGO).timestamp() * 1000)
    times = midnight + np.arange(96) * 900_000
    hour = np.arange(96) / 4
    values = zero + 0.10 + np.where(hour < 10, 0.0, rise)
    kept = (hour < 10) | (hour >= 14.5)
    (found,) = daily_means(times[kept], np.round(values[kept], 2), CHICAGO, quantity="stage")
    assert found.hole_too_long is too_long
