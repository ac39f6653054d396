"""Law is data: the files of the other three towns say what their texts say, and a night runs under each."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyproj
import pytest

from models.admission import admit
from models.clock import deadlines
from models.counting import calendar_of
from models.errors import BadSite
from models.evaluate import findings
from models.event import Event
from models.finding import transitions
from models.holidays import holidays
from models.rules import GroundwaterQuality, LatenessRule, Ordinance, Step, ordinance, read_ordinance
from models.site import Site
from pipelines import cli, site_folder
from tests.record_in_memory import Record, ask, site, well
from tests.situations import situations

SHARED = Path(__file__).parents[2] / "shared"
TOWNS = ("dovre", "germantown", "gates")
SEED = {
    "howard": "howard_ch2_nonmetallic_mining.txt", "dovre": "dovre_nonmetallic_mining.txt",
    "germantown": "germantown_17_59_animal_waste.txt", "gates": "gates_190_excavations.txt",
}  # fmt: skip
PAGE_BREAK = re.compile(r"\s+\d+\s*\n\s*\n\d+\s+")


def plain(text: str) -> str:
    return " ".join(PAGE_BREAK.sub(" ", text).split())


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
@pytest.mark.parametrize("town", SEED)
def test_every_clause_is_quoted_from_the_ordinance(town: str) -> None:
    whole = plain((SHARED / "seeds" / SEED[town]).read_text(encoding="utf-8"))
    law = ordinance(town)
    quoted = [(rule.id, rule.text) for rule in law.rule if "[own words" not in rule.text]
    quoted += [("applies", law.applies.text)] if law.applies else []
    quoted += [(rule.id, rule.silence) for rule in law.rule if isinstance(rule, Step) and rule.silence]
    assert [id for id, text in quoted if plain(text) not in whole] == []


@pytest.mark.parametrize(
    ("town", "zone", "name"),
    [
        ("dovre", "America/Chicago", "NAD83(2011) / WISCRS Barron (ftUS)"),
        ("germantown", "America/Chicago", "NAD83(2011) / WISCRS Washington (ftUS)"),
        ("gates", "America/New_York", "NAD83 / New York West (ftUS)"),
    ],
)
def test_zone_and_coordinate_system(town: str, zone: str, name: str) -> None:
    law, system = ordinance(town), pyproj.CRS(ordinance(town).crs)
    assert (law.zone, system.name) == (zone, name)
    assert {axis.unit_name for axis in system.axis_info} == {"US survey foot"}


# By hand from a calendar of each year; Flag Day is the Sunday it always is, and left out.
@pytest.mark.parametrize(
    ("year", "days"),
    [
        (2026, "01-01 01-19 02-12 02-16 05-25 06-19 07-04 09-07 10-12 11-03 11-11 11-26 12-25"),
        # 12 February 2023 and 1 January 2023 are Sundays, 11 November 2023 a Saturday, which does not move.
        (2023, "01-02 01-16 02-13 02-20 05-29 06-19 07-04 09-04 10-09 11-07 11-11 11-23 12-25"),
        # 19 June 2022 and 25 December 2022 are Sundays; 1 January 2022 is a Saturday.
        (2022, "01-01 01-17 02-12 02-21 05-30 06-20 07-04 09-05 10-10 11-08 11-11 11-24 12-26"),
        # Before Juneteenth was law.
        (2019, "01-01 01-21 02-12 02-18 05-27 07-04 09-02 10-14 11-05 11-11 11-28 12-25"),
    ],
)
def test_holidays_of_new_york(year: int, days: str) -> None:
    assert sorted(holidays("new_york").year(year)) == [date.fromisoformat(f"{year}-{day}") for day in days.split()]


@pytest.mark.parametrize("situation", situations("towns.toml", "step"))
def test_step(situation: dict[str, Any]) -> None:
    law = ordinance(situation["ordinance"])
    step, calendar = law.rule_of(situation["step"]), calendar_of(law)
    assert isinstance(step, Step)
    assert step.clause == situation["clause"]
    acts = [
        Event(f"{step.case}/mine/2026-01-01", name, at, at, "clerk", until=until[0] if until else None)
        for name, happened, *until in situation["acts"]
        for at in [datetime.fromisoformat(happened)]
    ]
    found = deadlines("case", [step], acts, calendar, datetime.fromisoformat(situation["now"]))[-1]
    assert found.standing == situation["stands"]
    assert situation.get("says", "") in found.says
    if "last_instant" in situation:
        assert found.statutory is not None
        assert found.statutory - timedelta(microseconds=1) == datetime.fromisoformat(situation["last_instant"])
    else:
        assert found.due_day(found.plain, calendar.zone) == situation.get("plain")
        assert found.due_day(found.statutory, calendar.zone) == situation.get("statutory")


def test_every_clock_of_every_town_has_a_situation() -> None:
    named = {one.values[0]["step"] for one in situations("towns.toml", "step")}
    clocks = {rule.id for town in TOWNS for rule in ordinance(town).rule if isinstance(rule, Step) and rule.timed}
    assert clocks <= named


def test_no_clock_of_a_town_starts_without_an_act() -> None:
    for town in TOWNS:
        law, now = ordinance(town), datetime(2030, 1, 1, tzinfo=UTC)
        steps = [rule for rule in law.rule if isinstance(rule, Step)]
        assert deadlines("case", steps, [], calendar_of(law), now) == []


def test_gates_knows_nothing_of_nr_140() -> None:
    law = ordinance("gates")
    assert not [rule for rule in law.rule if isinstance(rule, GroundwaterQuality)]
    text = (files("models") / "law" / "ordinances" / "gates.toml").read_text(encoding="utf-8")
    assert "nr140" not in text.casefold()


# What each town's table of acts allows. Each: the case, the acts before, and the act with what it says.
WHEN = datetime(2026, 3, 2, 16, tzinfo=UTC)
VOTED = {"body": "town board", "meeting": date(2026, 3, 2), "vote": "3-0"}


def recorded(kind: str, *names: str, by: str = "clerk", **said: Any) -> list[Event]:
    """Acts of one case an hour apart, the last with what it says."""
    at = [WHEN + timedelta(hours=n) for n in range(len(names))]
    acts = [Event(f"{kind}/square/2026-03-02", name, when, when, by) for name, when in zip(names, at, strict=True)]
    last = replace(acts[-1], **said)
    return [*acts[:-1], replace(last, recorded_at=max(last.recorded_at, last.happened_at), by=said.get("by", by))]


def refused(kind: str, *names: str, **said: Any) -> str:
    """Why the last act is refused; "" where it is taken."""
    law = ordinance(kind.partition(".")[0])
    *before, act = recorded(kind, *names, **said)
    try:
        admit(act, before, mine(law), law)
    except BadSite as caught:
        return str(caught)
    return ""


@pytest.mark.parametrize(
    ("kind", "names", "said", "why"),
    [
        ("dovre.application", ["application_submitted", "decision_issued"], {}, "decision_issued must state it"),
        ("dovre.application", ["application_submitted", "decision_issued"], VOTED, ""),
        ("dovre.application", ["application_submitted", "extension_agreed"], VOTED, "until"),
        ("dovre.application", ["application_submitted", "extension_agreed"], VOTED | {"until": date(2026, 6, 1)}, ""),
        (
            "dovre.application",
            ["application_submitted", "extension_agreed"],
            VOTED | {"until": date(2026, 4, 1)},
            "the time runs to 2026-05-01 without it",
        ),
        (
            "dovre.application",
            ["application_submitted", "extension_agreed"],
            VOTED | {"until": date(2026, 12, 1), "happened_at": WHEN + timedelta(days=70)},
            "the time ended on 2026-05-01: nothing is left to extend",
        ),
        (
            "dovre.application",
            ["application_submitted", "decision_issued"],
            VOTED | {"body": "town clerk"},
            "is not its to determine",
        ),
        (
            "dovre.violation",
            ["violation_notice_received", "time_granted"],
            {"until": date(2026, 4, 1)},
            "comes only after time_requested",
        ),
        (
            "dovre.violation",
            ["violation_notice_received", "time_requested", "time_granted"],
            {"until": date(2026, 4, 1), "by": "operator"},
            "time_granted is the town's",
        ),
        ("dovre.violation", ["violation_notice_received", "time_refused"], {}, "comes only after time_requested"),
        (
            "dovre.violation",
            ["violation_notice_received", "time_requested", "time_granted"],
            {"until": date(2026, 4, 1)},
            "",
        ),
        ("dovre.register", ["register_opened", "register_closed"], {}, "register_closed must state it"),
        ("dovre.register", ["register_opened", "register_closed"], {"note": "the mine is reclaimed"}, ""),
        (
            "gates.application",
            ["complete_application_filed", "information_furnished"],
            {},
            "after application_returned",
        ),
        (
            "gates.application",
            ["complete_application_filed", "application_returned", "information_furnished"],
            {},
            "",
        ),
        ("gates.application", ["complete_application_filed", "complete_application_filed"], {}, "stands against it"),
        ("gates.register", ["annual_inspection_made"], {"by": "town engineer"}, ""),
        ("gates.register", ["annual_inspection_made"], {"by": "J. Example"}, "no party of this site"),
        ("germantown.application", ["application_received", "decision_given"], {}, "decision_given must state it"),
        ("germantown.application", ["application_received", "decision_given"], {"method": "letter"}, "outcome"),
        (
            "germantown.application",
            ["application_received", "decision_given"],
            {"method": "letter", "facts": (("outcome", "approved"),)},
            "",
        ),
        ("germantown.repair", ["emergency_repair_made", "repair_determined"], {}, "after emergency_repair_reported"),
        ("germantown.appeal", ["appeal_filed"], {"by": "occupant:R-1"}, ""),
        ("germantown.appeal", ["appeal_filed", "appeal_decided"], VOTED, "comes only after appeal_heard"),
        (
            "germantown.appeal",
            ["appeal_filed", "appeal_heard", "appeal_decided"],
            VOTED | {"body": "board of zoning appeals"},
            "",
        ),
        ("germantown.appeal", ["appeal_filed", "appeal_heard", "appeal_decided"], VOTED, "no body of the town"),
    ],
)
def test_what_a_town_s_table_allows(kind: str, names: list[str], said: dict[str, Any], why: str) -> None:
    reason = refused(kind, *names, **said)
    assert (why in reason) if why else (reason == "")


def mine(law: Ordinance) -> Site:
    """The made-up mile-square site under a town's ordinance, with one monitoring and one private well."""
    wells = [well("MW-1", 100.0, use="monitoring"), well("PVT-1", -200.0)]
    return site(ordinance=law.id, crs=law.crs, stream=[], gauge=[], well=wells)


def results() -> Record:
    """Arsenic far over its standards, nitrate over both, chloride over its PAL, conductance, and hardly any lead."""
    record, day = Record(), date(2026, 4, 1)
    for id in ("MW-1", "PVT-1"):
        record.result(id, "lead", day, "0.2", "ug/L", lod="0.1", loq="0.15")
        record.result(id, "arsenic", day, "50", "ug/L", lod="0.1", loq="0.3")
        record.result(id, "nitrate_as_n", day, "14", "mg/L", lod="0.1", loq="0.3")
        record.result(id, "chloride", day, "130", "mg/L", lod="1", loq="3")
        record.result(id, "specific_conductance", day, "900", "uS/cm")
    return record


# Nitrate alone over the standard puts its sum with nitrite over it as well.
NITRATE = [
    ("nitrate_as_n", "ES", True), ("nitrate_as_n", "PAL", True), ("nitrate_nitrite_as_n", "ES", True),
    ("nitrate_nitrite_as_n", "PAL", True),
]  # fmt: skip


def of_town(town: str) -> list[tuple[str, str, bool]]:
    law = ordinance(town)
    found = findings(ask(results(), date(2026, 6, 30), at=mine(law), law=law)).findings
    of_wells = [one for one in found if one.station in {"MW-1", "PVT-1"}]
    return sorted(
        {(one.parameter, one.facts["kind"], one.information) for one in of_wells if one.verdict == "attained"}
    )


def test_dovre_shows_nr_140_and_judges_nobody_by_it() -> None:
    assert of_town("dovre") == [
        ("arsenic", "ES", True), ("arsenic", "PAL", True), ("chloride", "PAL", True), *NITRATE,
    ]  # fmt: skip


def test_information_says_nothing_of_what_reaches_no_standard() -> None:
    law = ordinance("dovre")
    found = findings(ask(results(), date(2026, 6, 30), at=mine(law), law=law)).findings
    assert "arsenic" in {one.parameter for one in found}
    assert "lead" not in {one.parameter for one in found}


def test_germantown_shows_the_substances_of_animal_waste_and_no_other() -> None:
    assert of_town("germantown") == [
        ("chloride", "PAL", True), *NITRATE,
    ]  # fmt: skip


def test_gates_yields_no_finding_on_groundwater() -> None:
    assert of_town("gates") == []


def test_howard_judges_the_same_results() -> None:
    assert ("arsenic", "ES", False) in of_town("howard")


def register_lines(law: Ordinance) -> list[str]:
    """A register opened on the day the permit was granted, where the town has one."""
    rules = [rule for rule in law.rule if isinstance(rule, LatenessRule) and rule.kept_in]
    case = f"{rules[0].kept_in}/example-mine/2024-11-12" if rules else ""
    at = "2024-11-13T09:00:00-06:00"
    return [f"{case},register_opened,{at},{at},clerk,,,"] if rules else []


# A site with an open register, no filing and no well: what has fallen due by 30 June 2026.
LATE_IN_EACH = {
    "dovre": ["dovre.copies"],
    "germantown": [],
    "gates": ["gates.permit.inspection", "gates.permit.fee"],
}


@pytest.mark.parametrize("town", TOWNS)
def test_a_scaffolded_site_of_each_town_checks_and_runs_a_night(
    town: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law, folder = ordinance(town), tmp_path / "mine"
    assert cli.run(["init", str(folder), "--ordinance", town]) == 0
    text = (folder / "site.toml").read_text(encoding="utf-8")
    assert law.crs in text
    assert "howard" not in text.casefold()
    assert "7595" not in text
    with (folder / "events.csv").open("a", encoding="utf-8") as events:
        events.writelines(f"{line}\n" for line in register_lines(law))
    assert cli.run(["check", "--site", str(folder)]) in {0, 1}
    assert cli.run(["nightly", "--site", str(folder), "--as-of", "2026-06-30"]) == 0
    assert [one["rule"] for one in told(folder, capsys)] == LATE_IN_EACH[town]


def test_a_night_at_gates_ends_in_new_york() -> None:
    assert calendar_of(ordinance("gates")).end_of(date(2026, 3, 8)) == datetime(
        2026, 3, 9, tzinfo=ZoneInfo("America/New_York")
    )


FIFTH = """
id = "nowhere"
title = "A made-up ordinance of a made-up place"
jurisdiction = "Village of Nowhere, Made-up County, Iceland"
zone = "Atlantic/Reykjavik"
crs = "EPSG:3057"
holidays = "new_york"
adopted = 2024-01-01
adopted_note = "made up"

[computing]
citation = "a made-up rule"
verification = "made up"
last_day_moves_off = ["saturday", "sunday"]
hours_leave_out_sundays_and_holidays = false
saturday_filing_moves = false

[[case]]
id = "nowhere.book"
clause = "9"
title = "Book of filings"
subject = "site"
is_register = true
opened_by = "event"
opening_events = ["book_opened", "water_report_filed"]
event = [
  { name = "book_opened", who = "town", means = "the village opened its book" },
  { name = "water_report_filed", who = "operator", means = "the water report was filed" },
]

[[rule]]
id = "nowhere.water_report"
kind = "lateness"
clause = "9"
title = "Water report"
text = "A water report is filed by the last day of May."
effective = 2024-01-01
who = "operator"
due_month = 5
due_day = 31
kept_in = "nowhere.book"
done_by = ["water_report_filed"]
"""


def test_a_fifth_ordinance_is_a_file_and_not_a_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """31 May 2026 is a Sunday: due by the plain day, late from the end of 1 June, each told once."""
    law, folder = read_ordinance(FIFTH, file="nowhere.toml"), tmp_path / "mine"
    assert cli.run(["init", str(folder), "--ordinance", "gates"]) == 0
    text = (folder / "site.toml").read_text(encoding="utf-8")
    text = text.replace('"gates"', '"nowhere"').replace(ordinance("gates").crs, law.crs)
    (folder / "site.toml").write_text(text, encoding="utf-8")
    with (folder / "events.csv").open("a", encoding="utf-8") as events:
        events.write("nowhere.book/example-mine/2026-01-01,book_opened,2026-01-02T09:00:00+00:00,"
                     "2026-01-02T09:00:00+00:00,clerk,,,\n")  # fmt: skip
    monkeypatch.setattr(site_folder, "ordinance", lambda _: law)
    mails = [len(night(folder, f"2026-{day}", capsys)["mails"]) for day in ("05-31", "06-01", "06-02", "06-03")]
    assert mails == [1, 1, 0, 0]
    (late,) = told(folder, capsys)
    assert (late["rule"], late["verdict"], late["facts"]["plain_due"]) == (
        "nowhere.water_report", "attained", "2026-05-31",
    )  # fmt: skip


def night(folder: Path, on: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert cli.run(["nightly", "--site", str(folder), "--as-of", on, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def told(folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert cli.run(["findings", "--site", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def required(*decided: dict[str, Any]) -> tuple[Ordinance, Site]:
    """Howard's rule on wells of the application as if it were discretionary, and what was decided about it."""
    text = (files("models") / "law" / "ordinances" / "howard.toml").read_text(encoding="utf-8")
    law = read_ordinance(text.replace('wells = "in_application"', 'wells = "any"\nrequired_by = true', 1), file="h")
    permit = mine(law).permit.model_dump() | {"required": decided}
    return law, Site.model_validate(mine(law).model_dump() | {"permit": permit})


DECIDED = {"rule": "howard.nr140.identified", "decision": "Plan Commission, minutes", "on": date(2026, 6, 1)}


def test_a_discretionary_rule_is_judged_only_from_the_decision_that_requires_it() -> None:
    for decided, on, applies in (
        ((), date(2026, 6, 30), False),
        ((DECIDED,), date(2026, 5, 31), False),
        ((DECIDED,), date(2026, 6, 1), True),
    ):
        law, at = required(*decided)
        found = [one for one in findings(ask(results(), on, at=at, law=law)).findings if one.rule == DECIDED["rule"]]
        assert ("attained" in [one.verdict for one in found]) is applies
        assert ([one.verdict for one in found] == ["not_applicable"]) is not applies


def test_what_stood_under_a_rule_that_no_longer_reaches_the_site_is_withdrawn() -> None:
    law, at = required(DECIDED)
    stood = [
        one
        for one in findings(ask(results(), date(2026, 6, 30), at=at, law=law)).findings
        if one.rule == DECIDED["rule"] and one.notable
    ]
    law, at = required()
    asked = replace(ask(results(), date(2026, 6, 30), at=at, law=law), standing=stood)
    answer = findings(asked)
    gone = [one.change for one in transitions(stood, answer.findings, answer.scopes) if one.finding in stood]
    assert gone == ["retracted"] * len(stood)
    assert stood
