"""The night on the sample record, on both databases, against the truth its generator wrote down."""

from __future__ import annotations

import email
import email.policy
import mailbox
import tomllib
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine, func, select

from pipelines import casebook, ledger, observations, schema
from pipelines.clocks import clock_row
from pipelines.database import open_store, reading
from pipelines.duty_rows import duty_rows
from pipelines.forfeiture import forfeiture
from pipelines.judgement import all_deadlines
from pipelines.night import end_of
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from sample_data import demo

TRUTH = tomllib.loads((demo.SAMPLE / "truth" / "expected.toml").read_text(encoding="utf-8"))
NOTABLE = {"attained", "needs_confirmation", "indeterminate"}
CLERKS_DIGESTS = [
    "2025-06-30",  # the first load lists what was over before it
    "2025-08-12",  # a row was left out
    "2025-08-26",  # the operator's report is due within seven days
    "2025-08-29",
    "2025-09-10",  # the operator's plan is
    "2025-09-25",  # a row was left out
    "2025-11-04",
]
"""Nights on which the digest says what no alert does."""


@dataclass
class Nights:
    """The whole demonstration, run once per database."""

    folder: Path
    url: str
    engine: Engine
    summaries: dict[str, dict[str, Any]]

    def changes(self) -> list[dict[str, Any]]:
        found = [{"on": on, **change} for on, one in self.summaries.items() for change in one["changes"]]
        return [one for one in found if not one["information"] and one["change"] not in {"continued", "superseded"}]

    def versions(self, station: str, rule: str, known_on: date | None = None) -> list[dict[str, Any]]:
        known_at = None if known_on is None else casebook.ms(end_of(known_on, open_site(self.folder).law))
        with reading(self.engine) as connection:
            found = casebook.versions(connection, known_at)
        return [one for one in found if (one["station"], one["rule"]) == (station, rule)]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def nights(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    folder = tmp_path_factory.mktemp("sample") / "site"
    url = f"sqlite:///{folder / 'headwater.db'}"
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "postgresql":
            import psycopg

            server = request.getfixturevalue("postgresql")
            name = f"nights_{uuid.uuid4().hex}"
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            url = server.get_uri(name)
        patch.setenv("HEADWATER_DATABASE_URL", url)
        demo.fresh_site(folder)
        summaries = {}
        for on, files in demo.deliveries():
            demo.deliver(folder, files)
            summaries[on.isoformat()] = demo.run_night(folder, on)
        engine = open_store(url)
        yield Nights(folder, url, engine, summaries)
        engine.dispose()


def test_every_planted_event_is_found_with_its_verdict_and_nothing_else_is(nights: Nights) -> None:
    """The multiset of what was ever opened or amended equals the plan, by rule, station, day and verdict."""
    planned = Counter(_planned(one) for one in TRUTH["finding"] if one.get("verdict") in NOTABLE)
    told = (one for one in nights.changes() if one["change"] in {"opened", "amended"} and one["status"] != "at risk")
    assert Counter(_told(one) for one in told) == planned


def _planned(one: dict[str, Any]) -> tuple[str, ...]:
    names = ("trigger_date", "indeterminate_from", "sampled", "opened_on")
    known, day = one["known_on"], next((one[name] for name in names if name in one), None)
    limit = f"{one['kind']} Table {one['table']}" if "kind" in one else ""
    return (str(known), one["rule"], one["clause"], one["station"], str(day or ""), limit, one["verdict"])


def _told(one: dict[str, Any]) -> tuple[str, ...]:
    limit = one["aspect"].split(" [")[0] if "Table" in one["aspect"] else ""
    day = "" if one["rule"] == "howard.quantity.private" else one["opened_on"]
    return (one["on"], one["rule"], one["clause"], one["station"], day, limit, one["verdict"])


@pytest.mark.parametrize("plant", ["e", "c", "b"])
def test_the_spells_of_the_low_flow_season(nights: Nights, plant: str) -> None:
    truth = next(one for one in TRUTH["finding"] if one.get("plant") == plant)
    found = next(
        one for one in nights.versions("LMC-1", "howard.baseflow") if one["start"] == truth["start"].isoformat()
    )
    facts = found["facts"]
    assert found["end"] == truth["end"].isoformat()
    assert (facts["known_below_days"], facts["possible_days"]) == (truth["known"], truth["possible"])
    assert facts["trigger_date"] == _iso(truth.get("trigger_date"))
    assert facts["indeterminate_from"] == _iso(truth.get("indeterminate_from"))
    assert found["clause"] == truth["clause"]
    assert found["limit"] == f"{TRUTH['truth']['base_flow_cfs']} cfs"
    for missing in truth.get("missing", []):
        assert f"{missing} unknown" in found["evidence"][0]["says"]


def test_the_retraction_comes_with_the_approval_and_closes_its_case(nights: Nights) -> None:
    truth = next(one for one in TRUTH["finding"] if one.get("plant") == "e")
    retracted = [one for one in nights.changes() if one["change"] == "retracted"]
    assert [(one["on"], one["rule"], one["opened_on"]) for one in retracted] == [
        (str(truth["retracted_on"]), "howard.baseflow", str(truth["trigger_date"]))
    ]
    opened = f"howard.baseflow/LMC-1/{truth['trigger_date']}"
    assert opened in nights.summaries[str(truth["known_on"])]["open_cases"]
    assert opened not in nights.summaries[str(truth["retracted_on"])]["open_cases"]


def test_the_same_people_are_told_of_the_alert_and_of_its_retraction(nights: Nights) -> None:
    truth = next(one for one in TRUTH["finding"] if one.get("plant") == "e")
    alert, correction = _mails_about(nights, str(truth["known_on"])), _mails_about(nights, str(truth["retracted_on"]))
    assert {mail["To"] for mail in alert} == {mail["To"] for mail in correction} != set()
    assert {mail["To"] for mail in alert} == {"clerk@town-of-howard.example"}
    assert all("withdrawn" in mail["Subject"] for mail in correction)


def _mails_about(nights: Nights, on: str) -> list[Any]:
    box = mailbox.Maildir(str(nights.folder / "outbox"))
    sent = end_of(date.fromisoformat(on), open_site(nights.folder).law)
    wanted = sent.strftime("%a, %d %b %Y %H:%M:%S")
    return [one for one in _read(box) if "LMC-1" in one["Subject"] and one["Date"].startswith(wanted)]


def test_exactly_one_mail_per_thing_and_address(nights: Nights) -> None:
    """The clerk gets every alert, the board none; the board every night's digest, the clerk those that say more."""
    box = mailbox.Maildir(str(nights.folder / "outbox"))
    alerts = sorted(mail for one in nights.summaries.values() for mail in one["mails"])
    digests = {on: f"night of {on}" for on in nights.summaries}
    clerk, board = (sorted(_subjects(box, f"{name}@town-of-howard.example")) for name in ("clerk", "board"))
    assert [one for one in clerk if "night of" not in one] == alerts
    assert [on for on, words in digests.items() if any(words in one for one in clerk)] == CLERKS_DIGESTS
    assert len(clerk) == len(alerts) + len(CLERKS_DIGESTS)
    assert len(board) == len(digests)
    assert all(sum(words in one for one in board) == 1 for words in digests.values())
    assert len(box) == len(clerk) + len(board)
    assert sum(one["digests"] for one in nights.summaries.values()) == len(CLERKS_DIGESTS) + len(board)
    assert len({one["Message-ID"] for one in box}) == len(box)


def _subjects(box: mailbox.Maildir, to: str) -> list[str]:
    return [one["Subject"] for one in _read(box) if one["To"] == to]


def _read(box: mailbox.Maildir) -> list[Any]:
    return [email.message_from_bytes(box.get_bytes(key), policy=email.policy.default) for key in box.keys()]  # noqa: SIM118


def test_who_gets_the_digest_reads_there_what_the_alerts_say(nights: Nights) -> None:
    """Whoever gets no single alert reads the same findings in the digest, correction included."""
    truth = next(one for one in TRUTH["finding"] if one.get("plant") == "e")
    told = {on: _board_reads(nights, str(truth[on])) for on in ("known_on", "retracted_on")}
    for text in told.values():
        assert "LMC-1, Discharge" in text
        assert '2.09(3)(c): "If the stream flow of surface waters falls below' in text
        for name in ("Measured", "Limit", "Verdict", "Confidence", "Natural rate", "Data version"):
            assert f"  {name}  " in text
        assert "It is not the Town's notice under any clause and starts no" in text
    assert "[New] Stream flow below" in told["known_on"]
    assert "The town's duty to notify the operator (2.09(3)(c)): open; it is the town's." in told["known_on"]
    assert "[Correction: withdrawn] Stream flow below" in told["retracted_on"]


def _board_reads(nights: Nights, on: str) -> str:
    box = mailbox.Maildir(str(nights.folder / "outbox"))
    (one,) = [one for one in _read(box) if one["To"].startswith("board@") and f"night of {on}" in one["Subject"]]
    return str(one.get_body(("plain",)).get_content())


def test_five_days_and_the_baseline_year_open_nothing(nights: Nights) -> None:
    starts = {one["start"] for one in nights.versions("LMC-1", "howard.baseflow")}
    quiet = [one for one in TRUTH["finding"] if one.get("plant") in {"a", "d"}]
    assert starts.isdisjoint(one["start"].isoformat() for one in quiet)


def test_the_natural_rate_stands_beside_the_alert(nights: Nights) -> None:
    lines = {line["line"]: line["says"] for line in nights.versions("LMC-1", "howard.baseflow")[-1]["evidence"]}
    assert "met once in 1.0 years" in lines["natural rate"]


def test_modelled_depletion_and_drawdown_agree_with_the_generators_own(nights: Nights) -> None:
    """Two independent Hunt solutions, one fed daily rates and one the weekly meter, agree."""
    spell = next(one for one in nights.versions("LMC-1", "howard.baseflow") if one["opened_on"] == "2025-08-25")
    says = next(line["says"] for line in spell["evidence"] if line["line"] == "modelled depletion")
    truth = next(one for one in TRUTH["finding"] if one.get("plant") == "b")
    assert _number_after(says, "by ") == pytest.approx(truth["depletion_cfs"][5], rel=0.10)
    planted = next(one for one in TRUTH["finding"] if one["station"] == "PVT-1")
    known = nights.versions("PVT-1", "howard.quantity.private", known_on=planted["known_on"])
    dry = next(one for one in known if one["change"] not in casebook.GONE)
    modelled = next(line["says"] for line in dry["evidence"] if line["line"] == "modelled drawdown")
    assert _number_after(modelled, "down by ") == pytest.approx(planted["true_drawdown_ft"], abs=0.15)


def _number_after(text: str, word: str) -> float:
    return float(text.split(word)[1].split(maxsplit=1)[0])


def test_a_model_alone_is_never_more_than_needs_confirmation(nights: Nights) -> None:
    at_risk = [one for one in nights.changes() if one["status"] == "at risk"]
    assert {one["station"] for one in at_risk} == {"PVT-1"}
    assert {one["verdict"] for one in at_risk} == {"needs_confirmation"}


@pytest.mark.parametrize("clock", TRUTH["clock"], ids=lambda one: one["rule"])
def test_clocks_run_from_recorded_acts(nights: Nights, clock: dict[str, Any]) -> None:
    row = _clock(nights, clock, date(2025, 12, 31))
    assert row["clause"] == clock["clause"]
    for name in ("plain_due", "statutory_due"):
        if name in clock:
            assert row[name if isinstance(clock[name], date) else f"{name}_at"] == _when(clock[name])
    if "met_by" in clock:
        assert (row["done_by"], row["done_at"]) == (clock["met_by"], _when(clock["met_at"]))
        assert row["standing"] == ("done_late" if clock.get("late") else "done")


def test_the_late_report_is_overdue_from_its_statutory_day_and_mailed_once(nights: Nights) -> None:
    clock = next(one for one in TRUTH["clock"] if one.get("late"))
    assert _clock(nights, clock, clock["statutory_due"] - timedelta(days=1))["standing"] == "running"
    assert _clock(nights, clock, clock["statutory_due"])["standing"] == "overdue"
    overdue = [(on, mail) for on, one in nights.summaries.items() for mail in one["mails"] if "Overdue" in mail]
    assert [on for on, _ in overdue] == [str(clock["overdue_known_on"])]


@pytest.mark.parametrize("duty", TRUTH["duty"], ids=lambda one: one["rule"])
def test_dated_duties_stand_in_the_due_list(nights: Nights, duty: dict[str, Any]) -> None:
    folder = open_site(nights.folder)
    with reading(nights.engine) as connection:
        rows = duty_rows(folder, casebook.events(connection), end_of(date(2025, 12, 31), folder.law))
    row = next(one for one in rows if one["step"] == duty["rule"])
    assert (row["clause"], row["who"], row["standing"]) == (duty["clause"], duty["who"], duty["standing"])
    assert (row["plain_due"], row["statutory_due"]) == (_iso(duty["plain_due"]), _iso(duty["statutory_due"]))


@pytest.mark.parametrize("rule", ["howard.approvals", "howard.report.other"])
def test_a_duty_with_nothing_on_record_is_told_once_and_once_more_when_it_is_answered(
    nights: Nights, rule: str
) -> None:
    truth = next(one for one in TRUTH["finding"] if one["rule"] == rule)
    told = [(one["on"], one["change"]) for one in nights.changes() if one["rule"] == rule]
    assert told == [(str(truth["known_on"]), "opened"), (str(truth["ended_on"]), "ended")]
    mails = {on: [mail for mail in one["mails"] if truth["clause"] in mail] for on, one in nights.summaries.items()}
    assert [on for on, found in mails.items() for _ in found] == [on for on, _ in told]
    assert "othing on record: " in mails[str(truth["known_on"])][0]


def test_the_days_a_duty_was_late_are_counted_once(nights: Nights) -> None:
    """Days of the condition and of the duty are never the same days twice."""
    truth = {one["rule"]: one["days_late"] for one in TRUTH["finding"] if "days_late" in one}
    with reading(nights.engine) as connection:
        rows = forfeiture(open_site(nights.folder), connection, datetime(2026, 1, 1, 12, tzinfo=UTC))["rows"]
    of_duties = [one for one in rows if "howard.register/" in one["about"]]
    assert [(one["what"], one["days"]) for one in of_duties] == [("duty overdue", truth["howard.approvals"])]
    assert truth["howard.report.other"] == 0
    assert not [one for one in rows if "dated_duty" in one["about"]]


def test_a_register_is_no_open_case(nights: Nights) -> None:
    last = nights.summaries["2025-12-31"]
    assert last["registers"] == ["howard.register/pine-hollow/2024-12-30"]
    assert not set(last["registers"]) & set(last["open_cases"])
    assert last["not_judged"] == []


def _clock(nights: Nights, clock: dict[str, Any], on: date) -> dict[str, Any]:
    folder = open_site(nights.folder)
    with reading(nights.engine) as connection:
        found = all_deadlines(casebook.events(connection), folder, end_of(on, folder.law))
    one = next(one for one in found if (one.case, one.step) == (clock["case"], clock["rule"]))
    return clock_row(one, ZoneInfo(folder.law.zone))


def _when(value: Any) -> str:
    if isinstance(value, str):
        return casebook.utc(casebook.ms(datetime.fromisoformat(value)))
    return _iso(value) or ""


def test_bad_rows_are_rejects_with_their_text_and_the_rest_loads(nights: Nights) -> None:
    with reading(nights.engine) as connection:
        rejects = observations.rejects(connection)
    found = {(row["file"], row["column"]) for row in rejects.to_dict("records")}
    assert len(rejects) == len(TRUTH["reject"])
    for one in TRUTH["reject"]:
        raw = rejects[rejects["file"] == one["file"]].iloc[0]
        assert one["raw"] in raw["raw"]
        assert raw["row"] > 0
        assert raw["reason"]
    assert len(found) == len(TRUTH["reject"])


@pytest.mark.parametrize("day", TRUTH["day"], ids=lambda one: str(one["day"]))
def test_single_days_of_the_daily_record(nights: Nights, day: dict[str, Any]) -> None:
    folder = open_site(nights.folder)
    with reading(nights.engine) as connection:
        found = Recall(connection, ZoneInfo(folder.law.zone)).daily(day["station"], "discharge", day["day"], day["day"])
    if day["state"] == "U":
        assert not found or found[0].value is None
    else:
        below = float(found[0].value or "nan") < TRUTH["truth"]["base_flow_cfs"]
        assert below == (day["state"] == "B")


def test_a_second_night_over_the_same_input_adds_nothing_and_composes_nothing(nights: Nights) -> None:
    before = _sizes(nights.engine)
    again = demo.run_night(nights.folder, date(2025, 12, 31))
    assert (again["changes"], again["mails"], again["events"], again["sent"]) == ([], [], [], 0)
    assert again["digests"] == 0
    assert _sizes(nights.engine) == before


def test_a_file_delivered_again_under_another_name_is_the_same_file(nights: Nights) -> None:
    before = _sizes(nights.engine)
    original = next((demo.SAMPLE / "nights" / "2025-08-26").glob("*-dv-*.rdb"))
    (nights.folder / "inbox" / "renamed.txt").write_bytes(original.read_bytes())
    again = demo.run_night(nights.folder, date(2025, 12, 31))
    assert [one["seen"] for one in again["files"]] == [True]
    assert _sizes(nights.engine) == before


def test_the_logs_are_sealed(nights: Nights) -> None:
    with reading(nights.engine) as connection:
        assert [ledger.verify(connection, table) for table in (schema.finding, schema.event, schema.outbox)] == [
            None
        ] * 3


def test_no_household_is_named_in_store_or_mail(nights: Nights) -> None:
    private = tomllib.loads((nights.folder / "households.toml").read_text(encoding="utf-8"))
    words = [
        str(one[key])
        for one in private["household"]
        for key in ("owner", "occupant", "phone", "address")
        if one.get(key)
    ]
    words += [str(number) for one in private["well"] for number in one["position"]]
    box = mailbox.Maildir(str(nights.folder / "outbox"))
    said = "\n".join(str(part.get_content()) for one in _read(box) for part in one.iter_parts())
    assert said.count("<html") == len(box)
    with reading(nights.engine) as connection:
        said += "\n".join(map(str, connection.execute(select(schema.finding.c.body)).scalars()))
        said += "\n".join(map(str, connection.execute(select(schema.event.c.body)).scalars()))
    assert words
    assert [word for word in words if word in said] == []


def _sizes(engine: Engine) -> dict[str, int]:
    tables = (
        schema.observation,
        schema.daily,
        schema.finding,
        schema.event,
        schema.outbox,
        schema.reject,
        schema.source,
    )
    with reading(engine) as connection:
        return {one.name: int(connection.execute(select(func.count()).select_from(one)).scalar_one()) for one in tables}


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
