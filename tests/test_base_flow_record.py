"""A base flow as a record: what it must hold, what may be said against it, and that it is frozen once it was used."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from models.base_flow import BaseFlow, doubts
from models.checks.signed_flow import site_doubts
from models.errors import BadQuestion
from models.streamflow.day_states import DailyFlow
from models.streamflow.shortfall import judge
from models.streamflow.threshold import Threshold
from pipelines import cli, frozen_base_flow, night
from pipelines.database import opened, reading
from pipelines.site_folder import open_site
from pipelines.site_record import base_flow_steps
from tests.record_in_memory import BASE_FLOW, BEGAN, site, stream
from tests.town import HIGH, LOW, Town

LEAP = [date(2000, 1, 1) + timedelta(days=k) for k in range(366)]
SPELL = [HIGH, *[LOW] * 7, HIGH]
CORRECTED = """[[stream.base_flow]]
gauge = "LMC-1"
value_cfs = 3.07
effective = {effective}
version = "{version}"
method = "the same, the rating of the baseline corrected"
record_from = 2024-01-01
record_to = 2024-12-20
baseline_years = 1.0
extended_from = "FMC-1"
source = "licensee"
signed_by = "Example Hydrogeologist"
licence_kind = "PG"
licence_number = "EX-0000"
signed_on = 2025-07-01

[[gauge]]
id = "LMC-1"
"""


RATE = {"natural_rate_per_year": "1.29", "natural_rate_years": "20.99"}


def signed(**other: Any) -> BaseFlow:
    return BaseFlow.model_validate({**BASE_FLOW, **other})


# What it holds -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("absent", ["signed_by", "licence_kind", "licence_number", "signed_on"])
@pytest.mark.parametrize("blank", [None, "", "  "])
def test_an_unsigned_record_is_no_base_flow(absent: str, blank: str | None) -> None:
    record = {**BASE_FLOW, absent: blank}
    with pytest.raises(ValidationError, match=rf"no base flow: {absent} missing.*DNR.*PG or PH"):
        BaseFlow.model_validate(record)
    del record[absent]
    with pytest.raises(ValidationError, match=rf"no base flow: {absent} missing"):
        BaseFlow.model_validate(record)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value_cfs": None}, "give one of"),
        ({"daily_cfs": ["5"] * 366}, "give one of"),
        ({"value_cfs": None, "daily_cfs": ["5"] * 365}, "366 values"),
        ({"value_cfs": None, "monthly_cfs": {"01": "5"}}, "all of 01 to 12"),
        ({"days_used": 100_000}, "more than the"),
        ({"natural_rate_per_year": "1.3"}, "belong together"),
        ({"days_digest": "abc"}, "days_digest"),
        ({"parameters": {"a b": "1"}}, "parameters"),
        ({"signed_by": "…"}, r"placeholder or a blank was left: signed_by \["),
        ({"licence_number": " ... "}, "placeholder or a blank was left: licence_number"),
        ({"series": "…", "parameters": {"exceedance": "…"}}, "left: series, parameters.exceedance"),
        ({"method": " "}, "placeholder or a blank was left: method"),
        ({"extended_from": ""}, "placeholder or a blank was left: extended_from"),
        ({"extended_from": "G-1"}, "the gauge itself"),
        ({"signed_on": date(2025, 5, 30)}, "signed_on 2025-05-30 is before record_to 2025-05-31"),
        ({"record_to": date(2019, 12, 31)}, "before record_from"),
        ({"record_from": date(2024, 11, 1)}, "baseline_years 5 is more than the 212 days of its record, 0.58 years"),
        ({"record_from": date(2022, 10, 1), "baseline_years": "3"}, "more than the 974 days"),
        ({"days_used": 900}, "baseline_years 5 is more than the 900 days"),
        ({"natural_rate_per_year": "1", "natural_rate_years": "20"}, "natural_rate_years 20 is more than"),
        ({"extended_from": "REF", "parameters": {"index_to": "last May"}}, "index_to 'last May' is no day"),
        ({"value_cfs": "-0.01"}, "greater than or equal to 0"),
    ],
)
def test_a_record_that_contradicts_itself(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        signed(**change)


@pytest.mark.parametrize(
    ("change", "count", "words"),
    [
        ({"baseline_years": "3"}, 0, ""),
        ({"baseline_years": "2.99"}, 1, "2.99 years is under 3"),
        ({"baseline_years": "1", "extended_from": "REF"}, 0, ""),
        ({"baseline_years": "1", "source": "DNR", "licence_kind": "DNR"}, 0, ""),
        (
            {"baseline_years": "1", "extended_from": "nowhere"},
            2,
            "index record not of this site: nowhere; an extension",
        ),
        ({"baseline_years": "1", "extended_from": "idx.csv", **RATE, "natural_rate_years": "2.99"}, 2, "under 3"),
        ({"baseline_years": "1", "extended_from": "idx.csv", **RATE}, 1, "index record not of this site: idx.csv"),
        ({"baseline_years": "3", "licence_kind": "PE"}, 1, "signed by a PE"),
        ({"baseline_years": "3", "licence_kind": "PH"}, 0, ""),
        ({"baseline_years": "3", "licence_kind": "DNR"}, 1, "who established it"),
        ({"baseline_years": "1", "licence_kind": "PE"}, 2, "under 3"),
    ],
)
def test_what_may_be_said_against_it(change: dict[str, Any], count: int, words: str) -> None:
    told = doubts(signed(**change), Decimal(3), {"G-1", "REF"})
    assert (len(told), words in " ".join(told)) == (count, True)


def test_355_days_are_rounded_to_one_year_as_they_are_stated() -> None:
    year = {"record_from": date(2024, 1, 1), "record_to": date(2024, 12, 20)}
    assert signed(**year, baseline_years="1.0").baseline_years == 1
    with pytest.raises(ValidationError, match="more than the 355 days"):
        signed(**year, baseline_years="1.00")


def warned(*records: dict[str, Any], began: date = BEGAN) -> str:
    at = site(stream=[{**stream(), "base_flow": [{**BASE_FLOW, **one} for one in records]}])
    at = at.model_copy(update={"permit": at.permit.model_copy(update={"mining_began": began})})
    return " | ".join(site_doubts(at, Decimal(3)))


def test_what_mining_has_to_do_with_it_is_said() -> None:
    assert warned({}) == ""
    assert "record ends on 2025-05-31, after mining began on 2025-05-01: it is never" in warned(
        {}, began=date(2025, 5, 1)
    )
    late = {"signed_on": date(2025, 9, 1)}
    assert "signed on 2025-09-01, after mining began on 2025-06-01: it judges no day before 2025-09-01" in warned(late)
    assert "state parameters.index_to" in warned({**late, "extended_from": "REF"})
    index = {**late, "extended_from": "REF", "parameters": {"index_to": "2025-05-31"}}
    assert "it can be contested" in warned(index)
    assert "no day before 2025-09-01" in warned({**index, "licence_kind": "PE"})
    assert "effective from 2025-07-01, after mining began" in warned({"effective": date(2025, 7, 1)})
    assert (
        warned({}, {"version": "2", "effective": date(2025, 7, 1), "signed_on": date(2025, 7, 1)}).count("version 2")
        == 1
    )


def test_beside_a_value_of_dnr_that_of_a_licensee_is_said_to_be_unused() -> None:
    dnr = {"version": "2", "source": "DNR", "licence_kind": "DNR", "value_cfs": "4.00"}
    said = "base flow of G-1: version 1, 5.00 cfs, signed by A. Hydrogeologist, is not used"
    assert f"{said}: DNR's value (version 2)" in warned({}, {**dnr, "effective": date(2025, 5, 31)})
    assert f"{said} from 2025-06-02 on: DNR's" in warned({}, {**dnr, "effective": date(2025, 6, 2)})


def test_check_says_what_it_holds_against_a_record(town: Town, capsys: pytest.CaptureFixture[str]) -> None:
    run = lambda: (cli.run(["check", "--site", str(town.folder)]), capsys.readouterr().out)  # noqa: E731
    assert "warning:" not in run()[1]
    town.edit("site.toml", "signed_on = 2024-12-27", "signed_on = 2025-09-01")
    town.edit("site.toml", 'extended_from = "FMC-1"', 'extended_from = "nowhere"')
    code, said = run()
    assert code == 0
    assert "warning: base flow version 1 of LMC-1: signed on 2025-09-01, after mining began on 2025-01-01" in said
    assert "index record not of this site: nowhere" in said
    town.edit("site.toml", "signed_on = 2025-09-01", "signed_on = 2024-12-19")
    assert cli.run(["check", "--site", str(town.folder)]) == 2
    assert "signed_on 2024-12-19 is before record_to 2024-12-20" in capsys.readouterr().err


SKELETON = Path(cli.__file__).parent / "skeleton" / "site.toml"


def test_the_record_of_the_skeleton_is_one_once_its_placeholders_are_filled_in() -> None:
    lines = SKELETON.read_text(encoding="utf-8").split("# [[stream.base_flow]]")[1].split("# [[gauge]]")[0].splitlines()
    block = "\n".join(line.removeprefix("# ") for line in lines[1:] if "=" in line)
    with pytest.raises(ValidationError, match="placeholder or a blank was left: days_digest, licence_number"):
        BaseFlow.model_validate(tomllib.loads(block, parse_float=Decimal))
    filled = block.replace('days_digest = "…"', f'days_digest = "{"a" * 64}"').replace('number = "…"', 'number = "7"')
    record = BaseFlow.model_validate(tomllib.loads(filled, parse_float=Decimal))
    assert doubts(record, Decimal(3), {"REF-1"}) == ()


# By day of the year --------------------------------------------------------------------------------------------------


@given(st.dates(date(1904, 1, 1), date(2096, 12, 31)))
def test_a_base_flow_by_day_has_one_value_a_date_in_every_year(day: date) -> None:
    """The value of a slot is month and day written as a number: read back, it must be the day's own."""
    by_day = Threshold.daily([Decimal(one.month * 100 + one.day) for one in LEAP])
    assert by_day.at(day) == day.month * 100 + day.day


def test_a_base_flow_by_day_judges_each_day_by_its_own_and_steps_nowhere() -> None:
    """5 cfs against 4 in July and 6 from August on: six days below by 6 August; by month that is a step, by day not."""
    days = [DailyFlow(date(2025, 7, 20) + timedelta(days=k), Decimal(5)) for k in range(18)]
    values = {month: Decimal(4 if month < 8 else 6) for month in range(1, 13)}
    by_month, by_day = Threshold.monthly(values), Threshold.daily([values[one.month] for one in LEAP])
    found = [judge(days, one).spells for one in (by_month, by_day)]
    assert [[(one.start, one.trigger_date) for one in spells] for spells in found] == [
        [(date(2025, 8, 1), date(2025, 8, 6))], [(date(2025, 8, 1), date(2025, 8, 6))]
    ]  # fmt: skip
    assert [spells[0].threshold_step for spells in found] == [True, False]
    assert [one.day for one in days if by_day.moves(one.day)] == [date(2025, 8, 1)]


@pytest.mark.parametrize("values", [["5"] * 365, ["5"] * 365 + ["NaN"]])
def test_a_year_of_366_numbers(values: list[str]) -> None:
    with pytest.raises(BadQuestion):
        Threshold.daily([Decimal(one) for one in values])


def test_a_negative_value_by_day_is_refused_as_one_by_month_is() -> None:
    by_day = Threshold.daily([Decimal(5)] * 365 + [Decimal(-1)])
    with pytest.raises(BadQuestion, match="cannot be negative"):
        judge([DailyFlow(BEGAN, Decimal(5))], by_day)


def test_a_correction_takes_over_from_a_base_flow_by_day() -> None:
    whole = Threshold.daily([Decimal(5)] * 366).then(date(2025, 3, 1), Threshold.constant(Decimal(4)))
    assert [whole.at(date(2025, 2, 28)), whole.at(date(2025, 3, 1))] == [5, 4]
    assert whole.has_steps
    assert set(whole.values()) == {5, 4}


# Frozen --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path / "site")


def told(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """What happened to shortfalls."""
    return [
        (one["change"], one["opened_on"])
        for one in summary["changes"]
        if one["rule"] == "howard.baseflow" and one["aspect"].startswith("base flow")
    ]


def complaints(summary: dict[str, Any]) -> list[str]:
    return [line for line in summary["left_out"] if "first used on" in line]


def test_a_record_edited_after_use_changes_no_finding_and_every_night_says_so(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", SPELL)
    assert told(town.night("2025-07-10")) == [("opened", "2025-07-07")]
    town.edit("site.toml", "value_cfs = 5.07", "value_cfs = 3.07")
    for on in ("2025-07-10", "2025-07-11"):
        summary = town.night(on)
        assert told(summary) == []
        (line,) = complaints(summary)
        assert "version 1 of gauge LMC-1 was edited after it was first used on 2025-07-10" in line
        assert "value_cfs 5.07 is now 3.07" in line
        assert "a new version" in line
    (stands,) = [one for one in town.findings() if one["rule"] == "howard.baseflow" and one["status"] != "OUTAGE"]
    assert (stands["limit"], stands["verdict"]) == ("5.07 cfs", "attained")
    town.daily("b.rdb", "2025-07-11", SPELL)
    summary = town.night("2025-07-20")
    assert told(summary) == [("opened", "2025-07-17")], "still judged by 5.07, which 4.00 is below"
    town.edit("site.toml", "value_cfs = 3.07", "value_cfs = 5.07")
    assert complaints(town.night("2025-07-21")) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('signed_by = "Example Hydrogeologist"', 'signed_by = "Somebody Else"', "signed_by"),
        ("value_cfs = 5.07", "value_cfs = 5.070", "value_cfs 5.07 is now 5.070"),
        ("uncertainty_percent = 12", "", "uncertainty_percent 12 is now absent"),
        ("uncertainty_percent = 12", "uncertainty_percent = 12\ndays_used = 355", "days_used absent is now 355"),
    ],
)
def test_any_field_is_part_of_the_record(town: Town, old: str, new: str, words: str) -> None:
    town.night("2025-07-10")
    town.edit("site.toml", old, new)
    (line,) = complaints(town.night("2025-07-11"))
    assert words in line


def test_a_record_may_be_mended_before_its_first_night_and_a_rehearsal_uses_nothing(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", SPELL)
    folder, on = open_site(town.folder), date(2025, 7, 10)
    with opened(town.url) as engine:
        night.rehearse(folder, on, night.end_of(on, folder.law), engine)
    town.edit("site.toml", "value_cfs = 5.07", "value_cfs = 3.07")
    summary = town.night("2025-07-10")
    assert (told(summary), complaints(summary)) == ([], [])


def test_a_correction_is_a_new_version_and_judges_from_its_day(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", SPELL)
    town.night("2025-07-10")
    town.edit("site.toml", '[[gauge]]\nid = "LMC-1"\n', CORRECTED.format(effective="2025-07-11", version="2"))
    town.daily("b.rdb", "2025-07-11", SPELL)
    summary = town.night("2025-07-20")
    assert "opened" not in dict(told(summary)), "4.00 is not below 3.07"
    assert complaints(summary) == []
    town.edit("site.toml", "value_cfs = 3.07", "value_cfs = 4.07")
    (line,) = complaints(town.night("2025-07-21"))
    assert "version 2 of gauge LMC-1 was edited after it was first used on 2025-07-20" in line


def test_a_version_not_yet_in_force_is_not_frozen(town: Town) -> None:
    town.edit("site.toml", '[[gauge]]\nid = "LMC-1"\n', CORRECTED.format(effective="2025-08-01", version="2"))
    town.night("2025-07-10")
    town.edit("site.toml", "value_cfs = 3.07", "value_cfs = 4.07")
    assert complaints(town.night("2025-07-11")) == []


def test_a_record_taken_out_of_the_file_is_still_judged_under(town: Town) -> None:
    town.daily("a.rdb", "2025-07-01", SPELL)
    town.night("2025-07-10")
    text = (town.folder / "site.toml").read_text(encoding="utf-8")
    start = text.index("[[stream.base_flow]]")
    (town.folder / "site.toml").write_text(text[:start] + text[text.index("[[gauge]]", start) :], encoding="utf-8")
    summary = town.night("2025-07-11")
    assert (told(summary), summary["not_evaluable"]) == ([], [])
    (line,) = complaints(summary)
    assert "version 1 of gauge LMC-1 was removed after it was first used on 2025-07-10" in line


def test_no_other_record_takes_the_day_of_one_that_was_used(town: Town) -> None:
    """The old record renamed and lowered: nothing else is judged under from the first day of version 1."""
    town.daily("a.rdb", "2025-07-01", SPELL)
    town.night("2025-07-10")
    town.edit("site.toml", 'version = "1"', 'version = "1a"')
    town.edit("site.toml", "value_cfs = 5.07", "value_cfs = 3.07")
    summary = town.night("2025-07-11")
    assert told(summary) == []
    removed, displaced = complaints(summary)
    assert "version 1 of gauge LMC-1 was removed" in removed
    assert "version 1a of gauge LMC-1 takes effect on the day of version 1" in displaced


def test_the_page_draws_the_base_flow_that_is_judged_by(town: Town) -> None:
    town.night("2025-07-10")
    town.edit("site.toml", "value_cfs = 5.07", "value_cfs = 3.07")
    folder = open_site(town.folder)
    with opened(town.url) as engine, reading(engine) as connection:
        judged, lines = frozen_base_flow.as_first_used(connection, folder)
    gauge = next(one for one in judged.site.gauge if one.id == "LMC-1")
    assert {value for _, value in base_flow_steps(judged.site, gauge, date(2025, 7, 10))} == {5.07}
    assert len(lines) == 1
    assert folder.site.stream[0].base_flow[0].value_cfs == Decimal("3.07")


def test_the_page_steps_on_every_day_on_which_a_base_flow_by_day_moves(town: Town) -> None:
    """Three values a year: 4 up to 14 February, 5 to 14 November, 4 again; the first of each month is said too."""
    values = ", ".join("5.00" if (2, 15) <= (one.month, one.day) < (11, 15) else "4.00" for one in LEAP)
    town.edit("site.toml", "value_cfs = 5.07", f"daily_cfs = [{values}]")
    site = open_site(town.folder).site
    steps = base_flow_steps(site, site.gauge[0], date(2025, 12, 31))
    turned = [day for (_, before), (day, now) in pairwise(steps) if now != before]
    assert turned == [date(2025, 2, 15), date(2025, 11, 15)]


def test_a_night_that_left_an_edit_out_has_an_exit_code(
    town: Town, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    run: Callable[[str], int] = lambda on: cli.run(  # noqa: E731
        ["nightly", "--no-fetch", "--as-of", on, "--site", str(town.folder)]
    )
    assert run("2025-07-10") == 0
    town.edit("site.toml", "value_cfs = 5.07", "value_cfs = 3.07")
    assert run("2025-07-11") == 3
    assert "was edited after it was first used" in capsys.readouterr().out


def test_records_last_as_long_as_the_store(town: Town) -> None:
    """Every kind of field goes through the store and comes back the same."""
    months = "{ " + ", ".join(f"{month:02d} = {month}.50" for month in range(1, 13)) + " }"
    extras = 'parameters = { exceedance = "0.90" }\nstatistic = "monthly_q90"\nseries = "05999101"\ndays_used = 355\n'
    rate = f'days_digest = "{"a" * 64}"\nnatural_rate_per_year = 1.30\nnatural_rate_years = 20.00\n'
    town.edit("site.toml", "value_cfs = 5.07\n", f"monthly_cfs = {months}\n{extras}{rate}")
    assert complaints(town.night("2025-07-10")) == []
    folder = open_site(town.folder)
    with opened(town.url) as engine, reading(engine) as connection:
        judged, lines = frozen_base_flow.as_first_used(connection, folder)
    assert (judged.site, lines) == (folder.site, ())
