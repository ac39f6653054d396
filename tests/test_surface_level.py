"""Lakes, ponds and stage-only streams as a night judges them, against situations worked by hand."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from models.checks.surface_level import check
from models.finding import Finding, transitions
from models.question import Changed
from models.site import Site
from models.streamflow.day_states import DailyFlow
from tests.record_in_memory import BEGAN, CHICAGO, Record, ask, rule, site, standing
from tests.situations import FOLDER, situations

FILE = "surface_level.toml"
JULY = date(2025, 7, 1)
HIGH = "5.00"
CELL = re.compile(r"(?P<value>[\d.]+|NA)(?:\[(?P<code>\w+)\])?(?:x(?P<times>\d+))?")
CHECKS = {f"{year}-04-01": "0.00" for year in range(2020, 2026)}
RULE, TOWN = rule("howard.surface_owner.surface_level"), rule("howard.surface_use.surface_level")
STAGE = {2020: "4.20", 2021: "4.40", 2022: "4.50", 2023: "4.60", 2024: "4.70"}
RAIN = dict.fromkeys(range(2020, 2026), "30.00")


@dataclass
class Levels(Record):
    """A record of stages [ft on the gauge] and of daily precipitation [in]."""

    stages: dict[str, list[DailyFlow]] = field(default_factory=dict)

    def daily(self, station: str, parameter: str, start: date | None, end: date) -> list[DailyFlow]:
        days = self.stages.get(station, []) if parameter == "stage" else super().daily(station, parameter, start, end)
        return [one for one in days if (start is None or start <= one.day) and one.day <= end]

    def rained(self, day: date, inches: str) -> None:
        when = datetime.combine(day, time(), CHICAGO)
        self.table.append({
            "station": "RG-1", "parameter": "precipitation", "statistic": "sum", "series": "", "unit": "in",
            "clock": "day", "time_ms": round(when.timestamp() * 1000), "day": day, "value": float(inches),
            "value_text": inches, "flags": "", "row_id": f"r:{day}",
        })  # fmt: skip


def stage(day: date, value: str | None, *codes: str) -> DailyFlow:
    return DailyFlow(day, None if value is None else Decimal(value), qualifiers=codes, approval="A")


def cells(text: str, start: date) -> list[DailyFlow]:
    """``4.15x3 NA[Eqp]``: consecutive days."""
    said = [CELL.fullmatch(one) for one in text.split()]
    each = [found for found in said if found for _ in range(int(found["times"] or 1))]
    return [
        stage(start + timedelta(days=k), None if one["value"] == "NA" else one["value"], *filter(None, [one["code"]]))
        for k, one in enumerate(each)
    ]


def pond(**said: Any) -> Site:
    """A pond east of the mine, with its gauge and the site's rain gauge."""
    x = 5280.0 + said.get("feet_away", 1000)
    checks = {**CHECKS, **said.get("checks", {})}
    gauge = {
        "lake": "POND", "measures": "stage",
        "gauge_zero": [{"since": date(2015, 1, 1), "elevation_ft": "880.00"}] if said.get("zero", "880.00") else [],
        "datum_check": [
            {"on": date.fromisoformat(on), "found_ft": off, "by": "Surveyor"} for on, off in checks.items() if off
        ],
    }  # fmt: skip
    return site(
        stream=[], lake=[{
            "id": "POND", "name": "Example Pond", "shore": [(x, 0), (x + 500, 0), (x + 500, 500)],
            "uses": said.get("uses", ["municipal", "personal"]), "serves": said.get("serves", ["R-1"]),
            "base_level": [base_level(**said["base_level"])] if "base_level" in said else [],
        }],
        gauge=[{**gauge, "id": "P-1"}, *([{**gauge, "id": "P-2", "role": "reference"}] if "second" in said else [])],
        rain_gauge=[{"id": "RG-1"}] if said.get("rain_gauge", True) else [],
    )  # fmt: skip


def base_level(**other: Any) -> dict[str, Any]:
    return {
        "gauge": "P-1", "effective": BEGAN, "version": "1", "method": "median of July", "record_from": date(2020, 1, 1),
        "record_to": date(2025, 4, 30), "baseline_years": "5", "source": "licensee", "signed_by": "A. Hydrogeologist",
        "licence_kind": "PG", "licence_number": "0000", "signed_on": date(2025, 5, 1), **other,
    }  # fmt: skip


def before_mining(levels: dict[int, str]) -> list[DailyFlow]:
    """Each calendar year at one level, from 2020-06-01 to the day before mining; blank years have no record."""
    days = [date(2020, 6, 1) + timedelta(days=k) for k in range((BEGAN - date(2020, 6, 1)).days)]
    return [stage(day, levels[day.year]) for day in days if levels.get(day.year)]


def record(levels: dict[int, str], rain: dict[int, str], days: str, second: str | None = None) -> Levels:
    """All rain of a year falls on 1 January, so that each July has exactly that of its own year behind it."""
    june = cells(f"{HIGH}x30", BEGAN)
    found = Levels(stages={"P-1": [*before_mining(levels), *june, *cells(days, JULY)]})
    if second is not None:
        found.stages["P-2"] = cells(second, JULY)
    for k in range((date(2025, 12, 31) - date(2019, 1, 1)).days):
        day = date(2019, 1, 1) + timedelta(days=k)
        found.rained(day, rain.get(day.year, "30.00") if (day.month, day.day) == (1, 1) else "0")
    return found


def told(found: Finding, says: list[str]) -> str:
    text = f"{found.reason} {found.confidence}"
    head = f"{found.status} {found.verdict} {found.opened_on} {found.limit}"
    return " + ".join([head, *(one for one in says if one in text)])


DEFAULTS: dict[str, Any] = tomllib.loads((FOLDER / FILE).read_text(encoding="utf-8"))["defaults"]


@pytest.mark.parametrize("case", situations(FILE))
def test_situation(case: dict[str, Any]) -> None:
    levels, rain = ({**DEFAULTS[name], **case.get(name, {})} for name in ("stage", "rain"))
    years = [{int(year): value for year, value in one.items()} for one in (levels, rain)]
    known = record(years[0], years[1], case["days"], case.get("second"))
    on = known.stages["P-1"][-1].day
    answer = check(rule(case.get("rule", DEFAULTS["rule"])), ask(known, on, at=pond(**case)))
    assert [told(one, case.get("says", [])) for one in answer.findings] == case["expected"]


def lowered(days: str = "4.15x6", **said: Any) -> list[Finding]:
    """What stands on the last of the days given."""
    known = record({**STAGE, **said.pop("stage", {})}, {**RAIN, **said.pop("rain", {})}, days, said.get("second"))
    return list(check(TOWN, ask(known, known.stages["P-1"][-1].day, at=pond(**said))).findings)


def test_case_c43_of_the_shortfall_semantics_on_a_signed_base_level() -> None:
    (found,) = lowered("4.15x6 4.25", base_level={"value_ft": "884.20"})
    assert (found.start, found.end, found.status) == (JULY, date(2025, 7, 6), "TRIGGERED_CLOSED")
    assert (found.measured, found.verification) == (
        "884.15 ft lowest of 6 known days below", "signed by A. Hydrogeologist, PG",
    )  # fmt: skip


def test_a_finding_shows_its_days_its_reference_its_datum_and_what_nature_did() -> None:
    (found,) = lowered()
    lines = {one.line: one.says for one in found.evidence}
    assert lines["daily mean stage"].startswith("2025-07-01 884.15 ft < 884.20 ft [A]; 2025-07-02 884.15 ft")
    assert "884.20 to 884.70 ft, from 155 days" in lines["stage before mining"]
    assert "30.00 in, before the same day of 2020 (30.00 in), 2021" in lines["stage before mining"]
    assert "0.10 (default, not adopted)" in lines["stage before mining"]
    assert lines["datum"].startswith("zero at 880.00 ft NAVD88 since 2015-01-01; datum checks: 2020-04-01 +0.00 ft by")
    assert found.reason.startswith(
        "mean daily stage of Example Pond at P-1 was below its reference on each of the 6 days 2025-07-01 to "
        "2025-07-06; this is not a finding of cause"
    )


def test_the_natural_rate_judges_each_year_by_the_others() -> None:
    """2020, known from June on, lies below the four others, and so does 2021 to May, where 2020 has none: once.

    Known days: 214 of 2020, 365 of 2021, 2022 and 2023 and 366 of 2024, 1675 / 365.25 = 4.59 years.
    """
    (found,) = lowered()
    (says,) = [one.says for one in found.evidence if one.line == "natural rate"]
    assert "the same rule was met once in 4.59 years, each year against the others (0.2 per year)" in says


def test_the_limit_of_uncertainty_is_the_policy_s() -> None:
    (near,), (beyond,) = lowered("4.18x6"), lowered("4.17x6")
    assert (near.confidence, beyond.confidence) == ("WITHIN_UNCERTAINTY", "BEYOND_UNCERTAINTY")


def test_nothing_is_judged_before_mining() -> None:
    known = record(STAGE, RAIN, "4.15x6")
    known.stages["P-1"] = [stage(BEGAN - timedelta(days=k), "1.00") for k in range(40, 0, -1)]
    answer = check(TOWN, ask(known, BEGAN - timedelta(days=1), at=pond()))
    assert answer.findings == ()
    assert all(one.start >= BEGAN for one in lowered() if one.parameter == "stage")


def test_a_stream_s_stage_is_judged_where_nothing_tells_its_flow() -> None:
    gauge = {
        "id": "P-1", "stream": "CREEK", "measures": "stage",
        "gauge_zero": [{"since": date(2015, 1, 1), "elevation_ft": "880.00"}],
        "datum_check": [{"on": date(2025, 4, 1), "found_ft": "0", "by": "S"}],
    }  # fmt: skip
    creek = {
        "id": "CREEK", "name": "Creek", "line": [(6000.0, 0.0), (6000.0, 9000.0)], "uses": ["agricultural"],
        "base_level": [base_level(value_ft="884.20")],
    }  # fmt: skip
    rating = {
        "id": "R1", "valid_from": date(2025, 1, 1), "a": "10", "b": "2", "h0": "0", "lowest_ft": "1", "highest_ft": "9",
        "standard_error_percent": "5",
    }  # fmt: skip
    known = record(STAGE, RAIN, "4.15x6")
    for more, expected in (({}, ["attained"]), ({"rating": [rating]}, []), ({"role": "reference"}, [])):
        here = site(stream=[creek], gauge=[{**gauge, **more}])
        findings = check(TOWN, ask(known, date(2025, 7, 6), at=here)).findings
        assert [one.verdict for one in findings] == expected, more


@pytest.mark.parametrize(
    ("since", "found_ft", "verdict"),
    [("2025-06-20", "0.30", "attained"), ("2025-06-21", "0.30", "indeterminate"), ("2025-06-21", "0.02", "attained")],
)
def test_a_survey_that_moved_the_gauge_sets_a_new_zero(since: str, found_ft: str, verdict: str) -> None:
    """On its own day a new zero is what the survey established; within one zero a survey can only doubt it."""
    zeros = [
        {"since": date(2015, 1, 1), "elevation_ft": "880.00"},
        {"since": date.fromisoformat(since), "elevation_ft": "879.70"},
    ]
    checks = [
        *({"on": date.fromisoformat(on), "found_ft": "0.00", "by": "S"} for on in CHECKS),
        {"on": date(2025, 6, 20), "found_ft": found_ft, "by": "S"},
        *([] if since == "2025-06-20" else [{"on": date(2025, 7, 1), "found_ft": found_ft, "by": "S"}]),
    ]
    here = pond()
    gauge = {**here.gauge[0].model_dump(), "gauge_zero": zeros, "datum_check": checks}
    moved = Site.model_validate({**here.model_dump(), "gauge": [gauge]})
    answer = check(TOWN, ask(record(STAGE, RAIN, "4.45x6"), date(2025, 7, 6), at=moved))
    (found,) = [one for one in answer.findings if one.parameter == "stage" and one.aspect != "outage"]
    assert (found.verdict, found.measured[:9]) == (verdict, "884.15 ft")


def test_a_zero_on_ngvd29_is_moved_to_navd88() -> None:
    here = pond(base_level={"value_ft": "884.20"})
    zero = {"since": date(2015, 1, 1), "elevation_ft": "880.10", "datum": "NGVD29", "ngvd29_to_navd88_ft": "-0.10"}
    gauge = {**here.gauge[0].model_dump(), "gauge_zero": [zero]}
    moved = Site.model_validate({**here.model_dump(), "gauge": [gauge]})
    known = record(STAGE, RAIN, "4.20x5 4.19x6")
    (found,) = check(TOWN, ask(known, date(2025, 7, 11), at=moved)).findings
    assert (found.start, found.measured[:9]) == (date(2025, 7, 6), "884.19 ft")


def test_a_second_gauge_that_is_known_to_be_off_contradicts_nobody() -> None:
    here = pond(second="x")
    off = {**here.gauge[1].model_dump(), "datum_check": [{"on": date(2025, 6, 1), "found_ft": "0.30", "by": "S"}]}
    site_of = Site.model_validate({**here.model_dump(), "gauge": [here.gauge[0].model_dump(), off]})
    known = record(STAGE, RAIN, "4.15x6", "4.45x6")
    (found,) = check(TOWN, ask(known, date(2025, 7, 6), at=site_of)).findings
    assert found.verdict == "attained"
    (says,) = [one.says for one in found.evidence if one.line == "same water"]
    assert says == (
        "P-2: 884.45 to 884.45 ft on 6 of the same days; the datum check of 2025-06-01 found the gauge off by +0.30 ft"
    )


def test_the_gauge_of_another_lake_says_nothing_of_this_one() -> None:
    here = pond(second="x").model_dump()
    here["lake"] = [*here["lake"], {**here["lake"][0], "id": "TARN", "base_level": []}]
    here["gauge"] = [here["gauge"][0], {**here["gauge"][1], "lake": "TARN"}]
    known = record(STAGE, RAIN, "4.15x6", "7.00x6")
    (found,) = check(TOWN, ask(known, date(2025, 7, 6), at=Site.model_validate(here))).findings
    assert found.verdict == "attained"


@pytest.mark.parametrize(
    ("gauge", "reason"),
    [
        ({"lake": "TARN"}, "no lake called TARN"),
        ({"measures": "discharge"}, 'has measures = "stage"'),
        ({"stream": "CREEK"}, "no stream or rating"),
        ({"gauge_zero": [{"since": BEGAN, "elevation_ft": "1", "datum": "NGVD29"}]}, "needs it"),
        ({"gauge_zero": [{"since": BEGAN, "elevation_ft": "1"}] * 2}, "gauge_zero.since used twice"),
        ({"datum_check": [{"on": BEGAN, "found_ft": "1", "by": ""}]}, "at least 1 character"),
    ],
)
def test_a_gauge_that_cannot_be(gauge: dict[str, Any], reason: str) -> None:
    here = pond().model_dump()
    with pytest.raises(ValidationError, match=re.escape(reason)):
        Site.model_validate({**here, "gauge": [{**here["gauge"][0], **gauge}]})


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({}, "give one of value_ft, monthly_ft, daily_ft"),
        ({"value_ft": "884", "monthly_ft": {"01": "884"}}, "give one of"),
        ({"monthly_ft": {"01": "884"}}, "needs all of 01 to 12"),
        ({"daily_ft": ["884"]}, "needs 366 values"),
        ({"value_ft": "884", "signed_by": "…"}, "pattern"),
        ({"value_ft": "884", "signed_on": date(2025, 4, 29)}, "before record_to"),
        ({"value_ft": "884", "gauge": "P-9"}, "no gauge called P-9"),
    ],
)
def test_a_base_level_that_is_none(other: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(reason)):
        pond(base_level=other)


def test_a_correction_of_the_base_level_takes_over_on_its_own_day() -> None:
    here = pond(base_level={"value_ft": "884.20"}).model_dump()
    second = base_level(value_ft="884.10", version="2", effective=date(2025, 7, 5), signed_on=date(2025, 7, 4))
    here["lake"][0]["base_level"] = [*here["lake"][0]["base_level"], second]
    known = record(STAGE, RAIN, "4.15x8")
    assert check(TOWN, ask(known, date(2025, 7, 8), at=Site.model_validate(here))).findings == ()
    known = record(STAGE, RAIN, "4.09x8")
    (found,) = check(TOWN, ask(known, date(2025, 7, 8), at=Site.model_validate(here))).findings
    assert (found.verdict, found.limit) == ("attained", "884.10 to 884.20 ft NAVD88")


# Night after night.


@given(values=st.lists(st.sampled_from(["4.15", "4.19", "4.20", "4.60", "NA"]), min_size=1, max_size=24))
@settings(max_examples=25, deadline=None)
def test_night_after_night_comes_to_what_one_night_does(values: list[str]) -> None:
    known, here = record(STAGE, RAIN, " ".join(values)), pond()
    stands: dict[str, Finding] = {}
    for k in range(len(values)):
        day = JULY + timedelta(days=k)
        changed = Changed({("P-1", "stage"): day, ("RG-1", "precipitation"): day}) if k else Changed(everything=True)
        part = Levels(known.flows, known.table, {"P-1": [one for one in known.stages["P-1"] if one.day <= day]})
        question = ask(part, day, at=here, changed=changed)
        answer = check(TOWN, replace(question, standing=list(stands.values())))
        stands = standing(stands, transitions(list(stands.values()), answer.findings, answer.scopes))
    last = JULY + timedelta(days=len(values) - 1)
    whole = check(TOWN, ask(known, last, at=here)).findings
    assert {one.key: one.body() for one in whole if one.notable} == {key: one.body() for key, one in stands.items()}


def test_what_cannot_be_judged_is_told_once_and_lapses_when_it_can() -> None:
    known, stands = record(STAGE, RAIN, f"{HIGH}x9"), dict[str, Finding]()
    changes = []
    for on, checks in ((2, {"2024-04-01": "", "2025-04-01": ""}), (3, {"2024-04-01": "", "2025-04-01": ""}), (4, {})):
        day = date(2025, 7, on)
        question = replace(ask(known, day, at=pond(checks=checks)), standing=list(stands.values()))
        answer = check(TOWN, question)
        told = transitions(list(stands.values()), answer.findings, answer.scopes)
        changes.append([(one.change, one.finding.status) for one in told])
        stands = standing(stands, told)
    assert changes == [[("opened", "NO_REFERENCE")], [], [("ended", "NO_REFERENCE")]]
    assert not any(one.ongoing for one in stands.values())


def test_a_rain_record_that_comes_late_settles_what_was_open() -> None:
    known = record(STAGE, RAIN, "4.15x6")
    dry = Levels(known.flows, [], known.stages)
    (before, _) = check(TOWN, ask(dry, date(2025, 7, 6), at=pond())).findings
    changed = Changed({("RG-1", "precipitation"): date(2019, 1, 1)})
    (after,) = check(TOWN, ask(known, date(2025, 7, 6), at=pond(), changed=changed)).findings
    assert (before.verdict, after.verdict, before.key) == ("indeterminate", "attained", after.key)
