"""A reviewer at a town's terminal: what the next night, the findings, and a replay of any instant make of an act."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select

from models.errors import BadQuestion
from pipelines import cli, ledger, review_acts, review_book, review_told, schema
from pipelines.database import opened, reading, transaction
from pipelines.review_acts import Room, Who
from pipelines.review_text import daily_value, days_of
from pipelines.site_folder import open_site
from sample_data import demo
from tests.test_review import DRAFT
from tests.town import HIGH, LOW, Town

WHO = Who("Pat Example", "PG", "1234")
SIGNED = ["--by", "Pat Example", "--licence", "PG", "--number", "1234"]
MISSING = date(2025, 8, 6)
SIX = "2025-08-03..2025-08-08"
GAP = [HIGH, HIGH, LOW, LOW, LOW, "", LOW, LOW, LOW, HIGH]
"""1 to 10 August 2025; the 6th is missing: six days below, of which five are known in two pieces."""
LABORATORY = demo.SAMPLE / "nights" / "2025-08-29" / "grn-export-2025-07-29.csv"
NITRATE = ("PVT-2", "nitrate_nitrite_as_n", date(2025, 7, 29))

Headwater = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """A town after the night of 12 August, with a gap in its record."""
    town = Town(tmp_path / "site")
    town.daily("first.rdb", "2025-08-01", GAP)
    town.night("2025-08-12")
    return town


@pytest.fixture
def headwater(capfd: pytest.CaptureFixture[str], town: Town) -> Headwater:
    """Run one command on the town: exit code, JSON, error output."""

    def run(*arguments: str) -> tuple[int, Any, str]:
        capfd.readouterr()
        code = cli.run([*arguments, "--site", str(town.folder), "--json"])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return code, json.loads(out) if code in {0, 3} else None, err

    return run


@contextmanager
def acting(town: Town, now: str) -> Iterator[Room]:
    """A write transaction at an instant."""
    folder = open_site(town.folder)
    with opened(town.url) as engine, transaction(engine) as connection:
        yield Room(connection, folder, datetime.fromisoformat(now).replace(tzinfo=ZoneInfo("America/Chicago")))


def estimated(town: Town, now: str = "2025-08-13T10:00", value: str = "4.05", day: date = MISSING) -> str:
    with acting(town, now) as room:
        done = review_acts.estimate(room, "LMC-1", day, value, "cfs", "recession from both sides", WHO)
        assert done.new
        return done.act.key()


def withdrawn(town: Town, now: str, key: str) -> bool:
    with acting(town, now) as room:
        return review_acts.withdraw(room, key, "wrong day", WHO)[1]


def value_on(town: Town, day: date = MISSING) -> Decimal | None:
    return next((one.value for one in town.record() if one.day == day), None)


def status(town: Town) -> list[str]:
    return [one["status"] for one in town.findings() if one["rule"] == "howard.baseflow"]


def rows(town: Town, table: str) -> int:
    with opened(town.url) as engine, reading(engine) as connection:
        assert ledger.verify(connection, schema.review) is None
        return int(connection.execute(select(func.count()).select_from(schema.metadata.tables[table])).scalar_one())


# Estimates -----------------------------------------------------------------------------------------------------------


def test_an_estimate_counts_from_the_next_night_on_and_is_shown_as_one(town: Town) -> None:
    assert status(town) == ["INDETERMINATE"]
    key = estimated(town)
    assert status(town) == ["INDETERMINATE"], "only a night judges"
    summary = town.night("2025-08-13")
    assert status(town) == ["TRIGGERED_CLOSED"]
    assert [one["format"] for one in summary["files"]] == ["review"]
    (finding,) = town.findings()
    assert f"2025-08-06 4.05 cfs [e:review {key[:12]}]" in finding["evidence"][0]["says"]
    assert "estimated: 2025-08-06" in finding["reason"]
    assert f"{key[:10]}:1" in finding["evidence"][0]["rows"]


def test_an_estimate_above_the_base_flow_ends_the_spell(town: Town) -> None:
    estimated(town, value="5.07")  # equal to the base flow is not below it
    town.night("2025-08-13")
    assert status(town) == []


@pytest.mark.parametrize(
    ("gauge", "day", "value", "unit", "says"),
    [
        ("LMC-1", "2025-08-07", "4.1", "cfs", "DAY: a value of the record stands: 4.00 cfs (published, P)"),
        ("LMC-9", "2025-08-06", "4.1", "cfs", "GAUGE: no gauge of this site (found 'LMC-9'); allowed: LMC-1, FMC-1"),
        ("LMC-1", "2025-08-06", "NaN", "cfs", "VALUE: not a daily value"),
        ("LMC-1", "2025-08-06", "4.1", "ft", "cannot be converted"),
        ("LMC-1", "2099-08-06", "4.1", "cfs", "DAY: the day is not over"),
    ],
)
def test_what_cannot_be_estimated(headwater: Headwater, gauge: str, day: str, value: str, unit: str, says: str) -> None:
    asked = ("review", "estimate", gauge, day, value, "--unit", unit, "--method", "guess", *SIGNED)
    code, _, err = headwater(*asked)
    assert code == 2
    assert says in err


def test_a_flow_is_never_negative_and_a_stage_may_be(town: Town) -> None:
    gauge = open_site(town.folder).site.gauge[0]
    with pytest.raises(BadQuestion, match="VALUE: not a daily value"):
        daily_value("-0.10", "cfs", gauge)
    assert daily_value("-0.10", "ft", gauge.model_copy(update={"measures": "stage"})) == "-0.10"


@pytest.mark.parametrize(
    "text",
    ["1e400", "5E-1", "1e1000000", "٤.٨", "4.8_0", "Infinity", "NaN", "0x10", "4,80", "", "3500000.01", "4.", "９"],
)
def test_a_value_that_is_no_plain_number_is_sealed_by_nobody(headwater: Headwater, text: str) -> None:
    asked = ("review", "estimate", "LMC-1", "2025-08-06", text, "--unit", "cfs", "--method", "guess", *SIGNED)
    code, _, err = headwater(*asked)
    assert (code, "VALUE: not a daily value" in err) == (2, True), err


def test_an_estimate_is_doubted_beside_its_neighbours_and_where_it_decides(headwater: Headwater) -> None:
    # 1 to 10 August: six known days of 4.00 or 6.00 within three days of the 6th, in an indeterminate spell.
    asked = ("review", "estimate", "LMC-1", "2025-08-06", "60.1", "--unit", "cfs", "--method", "guess", *SIGNED)
    doubts = headwater(*asked)[1]["doubts"]
    assert doubts[0] == "60.1 cfs is above the 6 known days within 3 days of 2025-08-06, 4.00 to 4.00 cfs"
    assert "INDETERMINATE from 2025-08-03: what becomes of it rests on this estimate" in doubts[1]
    assert "60.1 is above every known day beside it" in doubts[1]


def test_an_estimate_within_its_neighbours_still_says_what_rests_on_it(headwater: Headwater) -> None:
    asked = ("review", "estimate", "LMC-1", "2025-08-06", "4.00", "--unit", "cfs", "--method", "guess", *SIGNED)
    (doubt,) = headwater(*asked)[1]["doubts"]
    assert doubt.endswith("rests on this estimate")


def test_the_same_estimate_is_one_and_another_needs_a_withdrawal(town: Town) -> None:
    key = estimated(town)
    before = rows(town, "observation"), rows(town, "source"), rows(town, "review")
    with acting(town, "2025-08-20T10:00") as room:
        same = review_acts.estimate(room, "LMC-1", MISSING, "4.05", "cfs", "recession from both sides", WHO)
        assert (same.new, same.act.key()) == (False, key)
    assert (rows(town, "observation"), rows(town, "source"), rows(town, "review")) == before
    with acting(town, "2025-08-20T10:00") as room, pytest.raises(BadQuestion, match=rf"4.05 cfs, {key[:12]}\); with"):
        review_acts.estimate(room, "LMC-1", MISSING, "4.20", "cfs", "better", WHO)


def test_another_unit_is_converted_and_what_was_given_is_kept(town: Town) -> None:
    with acting(town, "2025-08-13T10:00") as room:
        done = review_acts.estimate(room, "LMC-1", MISSING, "1795.32", "gpm", "by bucket", WHO)
    assert done.act.facts["given"] == "1795.32 gpm"
    # 1 cfs = 1728/231 * 60 gal/min = 448.831168... gpm
    assert abs(Decimal(done.act.facts["value"]) - Decimal("1795.32") * 231 / (1728 * 60)) < Decimal("1e-20")


def test_a_later_published_value_takes_its_place(town: Town) -> None:
    key = estimated(town)
    town.night("2025-08-13")
    town.daily("second.rdb", "2025-08-05", [LOW, "5.50", LOW])
    town.night("2025-08-14")
    assert value_on(town) == Decimal("5.50")
    assert status(town) == []
    assert state(town)[key] == review_told.GAVE_WAY
    assert not withdrawn(town, "2025-08-15T09:00", key), "what was published is left alone"
    town.night("2025-08-15")
    assert value_on(town) == Decimal("5.50")


def test_a_gap_that_is_published_again_does_not_undo_it(town: Town) -> None:
    town.daily("ice.rdb", "2025-08-06", ["Ice"])
    town.night("2025-08-13")
    estimated(town, "2025-08-14T10:00")
    town.night("2025-08-14")
    assert status(town) == ["TRIGGERED_CLOSED"]
    for day, words in (("2025-08-15", "Eqp"), ("2025-08-16", "Ice")):
        town.daily(f"again-{words}.rdb", "2025-08-06", [words])
        town.night(day)
        assert value_on(town) == Decimal("4.05"), words
        assert status(town) == ["TRIGGERED_CLOSED"]


def test_another_sensor_that_publishes_takes_its_place(town: Town) -> None:
    estimated(town)
    town.night("2025-08-13")
    town.daily("backup.rdb", "2025-08-06", ["5.60"], series="200002")
    town.night("2025-08-14")
    assert value_on(town) == Decimal("5.60")


def test_withdrawn_the_day_is_as_it_was(town: Town) -> None:
    key = estimated(town)
    town.night("2025-08-13")
    assert withdrawn(town, "2025-08-14T09:00", key[:8])
    town.night("2025-08-14")
    assert (value_on(town), status(town), state(town)[key]) == (None, ["INDETERMINATE"], "withdrawn")
    town.night("2025-08-15")
    assert value_on(town) is None
    second = estimated(town, "2025-08-16T10:00")
    assert second != key, "the same estimate entered again is another act"
    town.night("2025-08-16")
    assert status(town) == ["TRIGGERED_CLOSED"]


def test_withdrawn_over_a_published_code_the_code_speaks_again(town: Town) -> None:
    town.daily("ice.rdb", "2025-08-06", ["Ice"])
    town.night("2025-08-13")
    key = estimated(town, "2025-08-14T10:00")
    withdrawn(town, "2025-08-14T11:00", key)
    town.night("2025-08-14")
    (day,) = [one for one in town.record() if one.day == MISSING]
    assert (day.value, day.qualifiers) == (None, ("Ice",))


def test_a_replay_knows_what_was_known(town: Town, headwater: Headwater) -> None:
    key = estimated(town, "2025-08-13T10:00")
    town.night("2025-08-13")
    withdrawn(town, "2025-08-20T09:00", key)
    town.night("2025-08-20")

    def judged(known_at: str) -> list[str]:
        asked = ("shortfall", "LMC-1", "--base-flow", "5.07", "--known-at", known_at)
        return [one["status"] for one in headwater(*asked)[1]["spells"]]

    assert judged("2025-08-13T09:59") == ["INDETERMINATE"]
    assert judged("2025-08-13T10:00") == ["TRIGGERED_CLOSED"]
    assert judged("2025-08-20T08:59") == ["TRIGGERED_CLOSED"]
    assert judged("2025-08-20T09:00") == ["INDETERMINATE"]


def test_a_day_that_would_not_take_the_estimate_is_refused_and_nothing_is_left(town: Town) -> None:
    # Two sensors that differ, neither named first: the site file must settle that, not an estimate.
    town.daily("backup.rdb", "2025-08-06", ["3.10"], series="200002")
    town.daily("second.rdb", "2025-08-06", ["4.10"])
    town.night("2025-08-13")
    before = [rows(town, one) for one in ("observation", "source", "review")]
    with pytest.raises(BadQuestion, match="the day would not take the estimate"):
        estimated(town, "2025-08-14T10:00", "4.00")
    assert [rows(town, one) for one in ("observation", "source", "review")] == before


# Acceptance ----------------------------------------------------------------------------------------------------------


def test_six_accepted_days_show_and_a_revision_makes_one_stale(town: Town, headwater: Headwater) -> None:
    estimated(town)
    town.night("2025-08-13")
    assert reviewed(headwater)["acceptance"]["missing"] == [f"2025-08-0{day}" for day in range(3, 9)]
    assert reviewed(headwater)["says"] == ""
    code, told, _ = headwater("review", "accept", "LMC-1", "--days", SIX, *SIGNED)
    assert (code, told["recorded"], told["facts"]["2025-08-06"]) == (0, True, "4.05 cfs")
    assert headwater("review", "accept", "LMC-1", "--days", SIX, *SIGNED)[1]["recorded"] is False
    assert reviewed(headwater)["says"] == "6 of 6 trigger days accepted"
    town.daily("second.rdb", "2025-08-05", ["4.02"])
    town.night("2025-08-14")
    found = reviewed(headwater)
    assert found["acceptance"]["whole"] is False
    assert found["acceptance"]["stale"] == [{"day": "2025-08-05", "was": "4.00 cfs", "now": "4.02 cfs"}]
    assert "stale: 2025-08-05 4.00 cfs is now 4.02 cfs" in state(town).values()
    assert headwater("review", "accept", "LMC-1", "--days", "2025-08-05", *SIGNED)[0] == 0
    assert reviewed(headwater)["acceptance"]["whole"] is True


def test_approval_without_a_change_of_value_leaves_the_acceptance(town: Town, headwater: Headwater) -> None:
    headwater("review", "accept", "LMC-1", "--days", "2025-08-03..2025-08-05", *SIGNED)
    town.daily("approved.rdb", "2025-08-03", [LOW, LOW, LOW], approval="A")
    town.night("2025-08-13")
    assert list(state(town).values()) == ["stands"]


def test_an_unknown_day_is_accepted_by_nobody(headwater: Headwater) -> None:
    code, _, err = headwater("review", "accept", "LMC-1", "--days", SIX, *SIGNED)
    assert code == 2
    assert "--days: no value on record to accept (found '2025-08-06 (no value)')" in err


@pytest.mark.parametrize(
    ("text", "count"), [("2025-08-03..2025-08-08", 6), ("2025-08-03, 2025-08-05,2025-08-03", 2), ("2025-08-03", 1)]
)
def test_days_are_a_span_or_a_list(text: str, count: int) -> None:
    assert len(days_of(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "", "2025-08-08..2025-08-03", "2025-08-32", "2025-08-03..", "2020-01-01..2025-01-01", "20250803", "2025-W34-3",
        "٢٠٢٥-٠٨-٢٠",
    ],
)  # fmt: skip
def test_what_are_no_days(text: str) -> None:
    with pytest.raises(BadQuestion, match="--days"):
        days_of(text)


def test_the_table_has_the_column_only_where_something_is_to_say(
    town: Town, headwater: Headwater, capfd: pytest.CaptureFixture[str]
) -> None:
    estimated(town)
    town.night("2025-08-13")

    def heads() -> str:
        capfd.readouterr()
        assert cli.run(["findings", "--site", str(town.folder)]) == 0
        return capfd.readouterr().out.splitlines()[0]

    assert "review" not in heads()
    headwater("review", "accept", "LMC-1", "--days", SIX, *SIGNED)
    assert heads().endswith("review")


# Contests ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def sampled(town: Town) -> Town:
    """The same with a nitrate result over the PAL in a private well, judged by the night of 29 August."""
    town.deliver(LABORATORY)
    town.night("2025-08-29")
    return town


def marked(town: Town) -> list[Any]:
    return [one["facts"].get("contested") for one in town.findings() if one["station"] == "PVT-2"]


def contest(town: Town, now: str, **more: Any) -> str:
    with acting(town, now) as room:
        facts = {"sample": "", "reason": "bottle broken in transit", "who": Who("operator"), **more}
        return review_acts.contest(room, *NITRATE, facts["sample"], facts["reason"], facts["who"]).act.key()


def test_a_contested_result_stays_a_finding_marked_until_it_is_withdrawn(sampled: Town, headwater: Headwater) -> None:
    assert marked(sampled) == [None, None]
    key = contest(sampled, "2025-08-30T10:00")
    sampled.night("2025-08-30")
    act = {"on": "2025-08-30", "reason": "bottle broken in transit", "by": "operator", "paragraph": "140.14(1)(b)"}
    assert marked(sampled) == [[act], [act]], "both clauses rest on the one result"
    told = [one["review"]["says"] for one in headwater("findings", "--station", "PVT-2")[1]]
    assert told == ["contested", "contested"]
    withdrawn(sampled, "2025-08-31T10:00", key)
    sampled.night("2025-08-31")
    assert marked(sampled) == [None, None]


def test_an_act_recorded_after_what_a_night_knows_waits_for_the_next(sampled: Town) -> None:
    contest(sampled, "2025-08-31T00:01")
    sampled.night("2025-08-30")
    assert marked(sampled) == [None, None]
    sampled.night("2025-08-31")
    assert all(marked(sampled))


def test_a_contest_of_one_sample_is_about_that_sample(sampled: Town) -> None:
    contest(sampled, "2025-08-30T10:00", sample="EX250729-07")
    sampled.night("2025-08-30")
    assert all(marked(sampled))
    with pytest.raises(BadQuestion, match=r"--sample: no sample of that day .*allowed: .*EX250729-07"):
        contest(sampled, "2025-08-30T10:00", sample="EX250729-08")


@pytest.mark.parametrize(
    ("station", "substance", "day", "says"),
    [
        ("MW-99", "arsenic", "2025-07-29", "STATION: no well of this site"),
        ("PVT-2", "arsenic", "2025-07-28", "SUBSTANCE: no result of this substance and day"),
        ("PVT-2", "moonshine", "2025-07-29", "SUBSTANCE: no result of this substance and day"),
    ],
)
def test_only_a_result_on_record_is_contested(
    sampled: Town, headwater: Headwater, station: str, substance: str, day: str, says: str
) -> None:
    code, _, err = headwater("review", "contest", station, substance, day, "--reason", "x", "--by", "operator")
    assert code == 2
    assert says in err


# Signatures ----------------------------------------------------------------------------------------------------------


def test_a_signed_finding_that_is_amended_shows_the_signature_of_the_earlier_version(
    town: Town, headwater: Headwater
) -> None:
    (key,) = [one["key"] for one in town.findings() if one["rule"] == "howard.baseflow"]
    assert headwater("review", "sign", key[:-4], *SIGNED)[0] == 0
    assert reviewed(headwater)["signatures"][0]["current"] is True
    estimated(town)
    town.night("2025-08-13")
    assert reviewed(headwater)["signatures"][0]["current"] is False
    assert reviewed(headwater)["says"] == "signed by Pat Example (PG 1234), as of an earlier version"
    assert "stands under an earlier version" in state(town).values()
    code, _, err = headwater("review", "sign", "howard.nothing", *SIGNED)
    assert code == 2
    assert "neither a file here nor a finding that stands" in err


def test_a_signed_draft_in_the_site_file_is_shown_to_be_the_signed_one(town: Town, headwater: Headwater) -> None:
    draft = town.folder / "draft.toml"
    draft.write_text(DRAFT, encoding="utf-8")
    code, told, _ = headwater("review", "sign", str(draft), *SIGNED, "--at", "2024-12-27")
    assert (code, told["recorded"], told["facts"]["signed_on"]) == (0, True, "2024-12-27")
    assert any("indeterminate" in one for one in told["doubts"]), "a year of record is short, and it says so"
    assert headwater("review", "sign", str(draft), *SIGNED, "--at", "2024-12-27")[1]["recorded"] is False
    assert list(state(town).values()) == ["not in site.toml"]
    town.edit("site.toml", '[[gauge]]\nid = "LMC-1"', f'{draft.read_text(encoding="utf-8")}\n[[gauge]]\nid = "LMC-1"')
    town.edit("site.toml", "effective = 2025-01-01          #", "effective = 2025-01-02          #")
    assert list(state(town).values()) == ["DIFFERS: site.toml holds another record under this version"]
    town.edit("site.toml", "effective = 2025-01-02          #", "effective = 2025-01-01          #")
    town.edit("site.toml", "effective = 2025-01-01\n", "effective = 2024-12-31\n")  # two cannot take effect on one day
    assert list(state(town).values()) == ["in site.toml as signed"]


def test_a_draft_signed_by_a_run_that_was_killed_is_recorded_with_its_own_day(town: Town) -> None:
    draft = town.folder / "draft.toml"
    draft.write_text(DRAFT, encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        _signs_and_dies(town, draft)
    assert (rows(town, "review"), "signed_on = 2025-08-13" in draft.read_text(encoding="utf-8")) == (0, True)
    with acting(town, "2025-08-15T10:00") as room:
        done, _ = review_acts.sign_base_flow(room, draft, WHO)
    assert (done.new, done.act.facts["signed_on"]) == (True, "2025-08-13")


def _signs_and_dies(town: Town, draft: Path) -> None:
    with acting(town, "2025-08-13T10:00") as room:
        review_acts.sign_base_flow(room, draft, WHO)
        raise KeyboardInterrupt


def test_a_household_is_named_nowhere(town: Town, headwater: Headwater) -> None:
    draft = town.folder / "draft.toml"
    draft.write_text(DRAFT, encoding="utf-8")
    named = ["--by", "Example Owner One", "--licence", "PG", "--number", "1"]
    asked = [
        ("review", "accept", "LMC-1", "--days", "2025-08-03", *named),
        ("review", "estimate", "LMC-1", "2025-08-06", "4", "--unit", "cfs", "--method", "x", *named),
        ("review", "sign", str(draft), *named),
    ]
    for one in asked:
        code, _, err = headwater(*one)
        assert code == 2, one
        assert "holds a household's name" in err
        assert "Owner One" not in err
    assert draft.read_text(encoding="utf-8") == DRAFT
    assert rows(town, "review") == 0


def test_an_act_to_come_is_refused(headwater: Headwater) -> None:
    code, _, err = headwater("review", "accept", "LMC-1", "--days", "2025-08-03", *SIGNED, "--at", "2099-01-01")
    assert code == 2
    assert "--at: still to come" in err


def test_the_list_is_of_a_subject_and_of_an_instant(town: Town, headwater: Headwater) -> None:
    assert headwater("review", "list")[1] == []
    estimated(town, "2025-08-13T10:00")
    headwater("review", "accept", "LMC-1", "--days", "2025-08-03", *SIGNED)
    assert [one["act"] for one in headwater("review", "list")[1]] == ["estimate", "accept"]
    assert [one["act"] for one in headwater("review", "list", "--subject", "LMC-1")[1]] == ["estimate", "accept"]
    assert headwater("review", "list", "--subject", "LMC")[1] == []
    assert [one["act"] for one in headwater("review", "list", "--known-at", "2025-08-13")[1]] == ["estimate"]
    assert headwater("review", "list", "--known-at", "2025-08-12")[1] == []


def reviewed(headwater: Headwater) -> Any:
    """What reviewers did about the shortfall."""
    (found,) = [one for one in headwater("findings", "--rule", "howard.baseflow")[1] if one["status"] != "OUTAGE"]
    return found["review"]


def state(town: Town) -> dict[str, str]:
    """How every act stands, by key."""
    folder = open_site(town.folder)
    with opened(town.url) as engine, reading(engine) as connection:
        room = review_acts.room(connection, folder)
        return {one["key"]: one["state"] for one in review_told.rows(room, review_book.acts(connection))}


@pytest.mark.parametrize("key", ["abcdef", "ab", ""])
def test_withdrawing_what_is_not_on_record_is_refused_in_plain_words(headwater: Headwater, key: str) -> None:
    code, _, err = headwater("review", "withdraw", key, "--by", "Pat Example", "--reason", "typed wrong")
    assert (code, "begins so" in err) == (2, True)
