"""The nightly digest: once per site and day, never an all clear over silence, and nothing that falls between two."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, update

from models.clock import Deadline
from models.finding import Finding, Transition
from models.rules import ordinance
from pipelines import outbox, schema
from pipelines.commands.findings import _not_listed
from pipelines.commands.nightly import _exit_code
from pipelines.database import opened as opened_store
from pipelines.database import reading, transaction
from pipelines.night import run
from pipelines.outbox import ATTEMPTS, Message, Refused, deliver
from pipelines.site_folder import open_site
from reports.digest import Tonight, digest, is_news
from reports.mail import Mail
from reports.night_summary import night_summary
from sample_data import demo
from tests.mail_nights import BOARD, CLERK, Nights, found, letterhead, town
from tests.record_in_memory import CHICAGO

MONDAY = date(2025, 6, 30)
SUNDAY = date(2025, 6, 29)
DAY = timedelta(days=1)


@pytest.fixture
def nights(store: Engine) -> Nights:
    return Nights(store)


def opened(finding: Finding) -> Transition:
    return Transition("opened", finding)


def clock(left: int | None, standing: str = "running", *, on: date = MONDAY, step: str = "report") -> Deadline:
    """A step of the remedy case whose plain day is so many days after the day the digest is read."""
    law = ordinance("howard").rule_of(f"howard.remedy.{step}")
    begun = datetime(2025, 6, 1, 9, tzinfo=CHICAGO)
    last = None if left is None else datetime.combine(on + DAY * (left + 2), datetime.min.time(), CHICAGO)
    return Deadline(
        "howard.remedy/R-1/2025-06-01", law.id, law.clause, law.title, law.who, law.nature, "operator_receipt", begun,
        last, last, standing, None, None, "",
    )  # type: ignore[arg-type]  # fmt: skip


def written(on: date = MONDAY, **tonight: Any) -> Mail:
    whole: dict[str, Any] = {"changes": (), "duties": (), "standing": (), "deadlines": ()}
    return digest(Tonight(on, **whole | tonight), letterhead(on, town()))


def digests(nights: Nights, to: str) -> list[str]:
    return [one for one in nights.subjects(to) if "night of" in one]


# What it says --------------------------------------------------------------------------------------------------------


def test_an_all_clear_says_so_and_that_it_is_no_notice() -> None:
    mail = written()
    assert mail.subject == "[Headwater] All clear, night of 2025-06-30 (A square mile)"
    for said in (mail.text, mail.html):
        assert "all clear. Every rule in force was judged" in said
        assert "It is not the Town's notice under any clause and starts no" in said.replace("&#39;", "'")
        assert "2025-07-01 00:00 CDT" in said


@pytest.mark.parametrize(
    "tonight",
    [
        {"stale": ("G-1: last known day 2025-06-01",)}, {"left_out": ("a.csv: 1 row rejected",)},
        {"not_evaluable": ("G-1",)}, {"deadlines": (clock(None, "open"),)}, {"deadlines": (clock(30),)},
        {"recorded": (found(ongoing=False),)},
        {"standing": (found(),)}, {"standing": (found(verdict="indeterminate"),)}, {"changes": (opened(found()),)},
    ],
    ids=lambda one: next(iter(one)),
)  # fmt: skip
def test_nothing_open_unknown_or_unread_is_called_clear(tonight: dict[str, Any]) -> None:
    mail = written(**tonight)
    assert "clear" not in f"{mail.subject} {mail.text} {mail.html}".lower()


def test_old_findings_on_record_are_no_alarm() -> None:
    old = found(day=date(2024, 1, 1), ongoing=False)
    mail = written(standing=(old, replace(old, station="MW-2")))
    assert mail.subject.startswith("[Headwater] All clear")
    assert "2 earlier findings on record" in mail.text


COLIFORM: dict[str, Any] = {
    "parameter": "e_coli", "aspect": "ES Table 1", "measured": "5 MPN/100mL", "limit": "0 cfu/100mL",
    "information": True, "ongoing": False,
}  # fmt: skip


@pytest.mark.parametrize("day", [date(2025, 6, 20), date(2024, 1, 1)])
def test_no_all_clear_while_information_is_attained(day: date) -> None:
    """A clause that opens no duty is alerted to nobody; silence about E. coli in a house well is no all clear."""
    mail = written(standing=(found("PW-1", day, **COLIFORM),))
    assert mail.subject == "[Headwater] Nothing new, night of 2025-06-30 (A square mile)"
    assert "all clear" not in mail.text
    assert "For information: 1 attained." in mail.text
    told = "E. coli over ES, PW-1, 2.09(3)(a), 2025-06-20: attained; 5 MPN/100mL against 0 cfu/100mL"
    old = "on record before 2025-05-31: 1 attained: headwater findings --all"
    assert (told if day.year == 2025 else old) in mail.text


def test_information_is_told_in_the_night_it_changes() -> None:
    new = found("PW-1", MONDAY, **COLIFORM)
    mail = written(standing=(new,), information=(opened(new),))
    assert mail.subject == "[Headwater] 1 for information, night of 2025-06-30 (A square mile)"
    assert "1 finding for information changed, no other." in mail.text
    assert mail.text.count("New: Bacteria, E. coli over ES, PW-1") == mail.text.count("PW-1") == 1
    gone = written(information=(Transition("retracted", new, new),))
    assert "Correction: withdrawn: Bacteria, E. coli over ES, PW-1" in gone.text


def test_who_is_told_at_once_hears_of_information_in_the_digest() -> None:
    new = found("PW-1", MONDAY, **COLIFORM)
    head = letterhead(MONDAY, town())
    assert is_news(Tonight(MONDAY, (), (), (new,), (), information=(opened(new),)), head)
    assert not is_news(Tonight(MONDAY, (), (), (new,), ()), head)


def test_information_that_is_not_attained_is_no_news() -> None:
    low = found("PW-1", MONDAY, **COLIFORM, verdict="not_attained")
    assert written(standing=(low,), information=(opened(low),)).subject.startswith("[Headwater] All clear")


def test_clocks_stand_by_urgency() -> None:
    clocks = (
        clock(None, "open", step="review"), clock(30), clock(3, "window_open", step="interim.step"), clock(0),
        clock(-5, "overdue"), clock(-9, "done"), clock(-9, "window_passed"), clock(None, "one_missing", step="notice"),
    )  # fmt: skip
    mail = written(deadlines=clocks)
    lines = [line.strip() for line in mail.text.splitlines() if line.startswith("  - ")]
    assert [line.split(": ")[0].removeprefix("- ") for line in lines] == [
        "OVERDUE since the end of 2025-06-26", "DUE TODAY", "MAY BE USED IN 3 DAYS", "Due by the end of 2025-07-31",
        "Open, no time is stated", "A receipt is missing", "NOT USED, and over since the end of 2025-06-22",
    ]  # fmt: skip
    assert mail.subject == "[Headwater] 1 overdue, 2 due within 7 days, night of 2025-06-30 (A square mile)"


def test_what_nobody_can_tell_is_listed_while_it_is_recent_and_then_counted() -> None:
    recent = found(
        day=date(2025, 6, 20), verdict="indeterminate", ongoing=False, reason="2025-06-19 no value: estimate it"
    )
    old = replace(recent, station="MW-9", opened_on=date(2025, 1, 1))
    text = written(standing=(recent, old)).text
    assert "Arsenic over ES, MW-1, 2.09(3)(a), 2025-06-20: 2025-06-19 no value: estimate it" in text
    assert "1 older one on record" in text
    assert "MW-9" not in text


def test_left_out_is_counted_and_the_first_are_named() -> None:
    text = written(left_out=tuple(f"file-{n}.csv: 1 row rejected" for n in range(14))).text
    assert "Left out: 14" in text
    assert "file-9.csv" in text
    assert "file-10.csv" not in text
    assert "and 4 more: headwater rejects" in text


# Once, to whom -------------------------------------------------------------------------------------------------------


def test_one_digest_per_site_and_day_and_a_repeated_night_composes_none(nights: Nights) -> None:
    assert nights.night(MONDAY).digests == 1
    before = [one.key for one in nights.mails()]
    assert before == [f"digest/square/2025-06-30/{BOARD}"]
    assert nights.night(MONDAY, later=timedelta(hours=3)).digests == 0
    assert [one.key for one in nights.mails()] == before
    assert nights.night(MONDAY + DAY).digests == 1


def test_news_after_the_digest_went_is_mailed_at_once_and_stands_in_the_next_digest(nights: Nights) -> None:
    nights.night(MONDAY)
    late = nights.night(MONDAY, [opened(found())], later=timedelta(hours=3))
    assert (len(late.mails), late.digests) == (1, 0)
    assert digests(nights, BOARD) == ["[Headwater] All clear, night of 2025-06-30 (A square mile)"]
    nights.night(MONDAY + DAY, [opened(found("MW-2"))])
    last = nights.mails()[-1]
    assert (last.recipient, last.subject.partition(",")[0]) == (BOARD, "[Headwater] 2 changed")
    assert "MW-1, Arsenic" in last.body_text
    assert "MW-2, Arsenic" in last.body_text
    nights.night(MONDAY + 2 * DAY)
    assert "changed" not in nights.mails()[-1].subject


def test_who_is_told_at_once_gets_the_digest_only_when_it_says_more(nights: Nights) -> None:
    nights.night(MONDAY)
    nights.night(MONDAY + DAY, [opened(found())])
    assert digests(nights, CLERK) == []
    nights.night(MONDAY + 2 * DAY, left_out=["a.csv: 1 row rejected"])
    nights.night(MONDAY + 3 * DAY, stale=["G-1: last known day 2025-06-01"])
    nights.night(MONDAY + 4 * DAY, stale=["G-1: last known day 2025-06-01"])
    nights.night(MONDAY + 5 * DAY, deadlines=[clock(7, on=MONDAY + 5 * DAY)])
    assert [one.partition(",")[0] for one in digests(nights, CLERK)] == [
        "[Headwater] 1 left out", "[Headwater] 1 stale", "[Headwater] 1 due within 7 days",
    ]  # fmt: skip
    assert len(digests(nights, BOARD)) == 6


def test_after_each_sunday_everybody_gets_it_so_that_silence_means_something(nights: Nights) -> None:
    nights.night(SUNDAY)
    assert digests(nights, CLERK) == digests(nights, BOARD)
    assert digests(nights, CLERK) == ["[Headwater] All clear, night of 2025-06-29 (A square mile)"]


def test_a_first_load_lists_by_number_what_was_over_before_it(nights: Nights) -> None:
    over = [opened(found(f"MW-{n}", ongoing=False)) for n in range(3)]
    posted = nights.night(MONDAY, [*over, opened(found("MW-9"))], first=True)
    assert len(posted.mails) == 1
    assert posted.digests == 2
    text = nights.mails()[-1].body_text
    assert "The first load put 3 earlier findings on record" in text
    assert "MW-9, Arsenic" in text
    assert "MW-1, Arsenic" not in text


def test_a_first_load_never_says_that_nothing_is_new(nights: Nights) -> None:
    """What was over before the first night is mailed by no alert: the digest says it in subject and first sentence."""
    over = replace(
        found("G-1", day=date(2025, 6, 7), rule="howard.baseflow", ongoing=False), start=date(2025, 6, 2),
        end=date(2025, 6, 8), status="TRIGGERED_CLOSED", measured="4.00 cfs lowest of 7 known days below",
        limit="5.00 cfs", confidence="BEYOND_UNCERTAINTY", reason="mean daily flow at G-1 was below",
    )  # fmt: skip
    posted = nights.night(MONDAY, [opened(over)], first=True)
    assert (posted.mails, posted.digests) == ([], 2)
    last = nights.mails()[-1]
    assert last.subject.startswith("[Headwater] 1 found by the first load, night of")
    first = "Night of 2025-06-30: the first load found 1 condition over before it (1 attained); no duty opened."
    for text in (last.body_text, last.body_html):
        assert first in text
        assert "no finding changed" not in text
        for said in (
            "stream flow below base flow, G-1, 2.09(3)(c), 2025-06-02 to 2025-06-08", "triggered closed",
            "4.00 cfs lowest of 7 known days below against 5.00 cfs", "beyond uncertainty of the measurement",
            "mean daily flow at G-1 was below", "headwater findings --evidence",
        ):  # fmt: skip
            assert said in text


def test_many_found_by_a_first_load_are_counted_and_those_that_open_a_duty_stand_first() -> None:
    some = [replace(found(f"MW-{n}", ongoing=False), opens=None) for n in range(20)]
    text = written(recorded=(*some, replace(some[0], station="MW-99", opens="howard.remedy"))).text
    assert "and 11 more: headwater findings --evidence" in text
    assert text.index("MW-99") < text.index("MW-0,")


def test_a_duty_that_a_first_load_opened_is_counted_and_listed() -> None:
    mail = written(recorded=(found(ongoing=False),), recorded_duties=("case 1: Notify (2.09(3)(c)): open",))
    assert "1 found by the first load, 1 duty opened" in mail.subject
    assert "Duties opened by what the first load found\n  - case 1: Notify (2.09(3)(c)): open" in mail.text


def test_a_mail_of_the_past_is_not_news_to_a_store_that_never_had_a_digest(nights: Nights) -> None:
    """After the migration from the first release there is no mark yet."""
    nights.night(MONDAY, [opened(found())])
    with transaction(nights.engine) as connection:
        connection.execute(schema.mark.delete())
    nights.night(MONDAY + DAY)
    assert "changed" not in nights.mails()[-1].subject


# Dead letters --------------------------------------------------------------------------------------------------------


def refusing(message: Message) -> None:
    if not message.key.startswith("digest/"):
        raise Refused("the server refuses this mail: 550 no such user")


def test_a_mail_given_up_stands_loud_at_the_top_of_the_next_digest_and_only_there(nights: Nights) -> None:
    nights.night(MONDAY, [opened(found())])
    assert len(deliver(nights.engine, refusing, now=1).dead) == 1
    told = nights.night(MONDAY + DAY)
    assert told.digests == 2  # the clerk, too, hears that a mail did not come
    assert told.dead_letters[0].endswith("GIVEN UP: the server refuses this mail: 550 no such user")
    last = nights.mails()[-1]
    assert last.subject == "[Headwater] 1 NOT DELIVERED, night of 2025-07-01 (A square mile)"
    assert last.body_text.startswith("!!! 1 MAIL WAS GIVEN UP AND DID NOT REACH THE ADDRESSEE. Tell them another way:")
    assert f"!!! to {CLERK}: [Headwater] New: Arsenic over ES, MW-1" in last.body_text
    assert "550 no such user" in last.body_text
    assert last.body_html.index("GIVEN UP") < last.body_html.index("Night of")
    again = nights.night(MONDAY + 2 * DAY)
    assert (again.digests, again.dead_letters) == (1, [])
    assert "NOT DELIVERED" not in nights.mails()[-1].subject


def test_a_mail_given_up_stays_in_the_outbox(nights: Nights) -> None:
    nights.night(MONDAY, [opened(found())])
    deliver(nights.engine, refusing, now=1)
    nights.night(MONDAY + DAY)
    with reading(nights.engine) as connection:
        kept = connection.execute(select(schema.outbox).where(schema.outbox.c.dead_at.is_not(None))).one()
    assert (kept.recipient, kept.sent_at, kept.attempts) == (CLERK, None, 1)
    assert "Arsenic" in kept.body_text


def test_a_repeated_night_leaves_a_mail_given_up_to_the_next_digest(nights: Nights) -> None:
    nights.night(MONDAY, [opened(found())])
    deliver(nights.engine, refusing, now=1)
    assert nights.night(MONDAY, later=timedelta(hours=1)).dead_letters
    assert nights.night(MONDAY + DAY).dead_letters
    assert nights.night(MONDAY + 2 * DAY).dead_letters == []


def test_without_anybody_to_tell_a_mail_given_up_is_said_every_night(nights: Nights) -> None:
    nights.night(MONDAY, [opened(found())])
    deliver(nights.engine, refusing, now=1)
    nights.at = town(mail=[])
    for n in range(1, 4):
        assert nights.night(MONDAY + n * DAY).dead_letters


def test_the_nights_summary_and_its_exit_code_say_what_did_not_go(tmp_path: Path) -> None:
    """Put off, put off again, given up after the limit; and once more when the digest says so."""
    demo.fresh_site(tmp_path / "site")
    site = open_site(tmp_path / "site")
    clock_at = [datetime(2025, 7, 1, 7, tzinfo=CHICAGO)]
    said = []

    def send(message: Message) -> None:
        if message.recipient.startswith("board") and "2025-06-30" in message.key:
            raise TimeoutError("no answer")

    with opened_store(f"sqlite:///{tmp_path / 'site' / 'headwater.db'}") as engine:
        for n in range(ATTEMPTS + 2):
            on = MONDAY + n * DAY
            now = datetime.combine(on + DAY, datetime.min.time(), CHICAGO)
            said.append(run(site, on, now, engine, send=send, clock=lambda: clock_at[0]))
            clock_at[0] += DAY
        with reading(engine) as connection:
            dead = connection.execute(
                select(func.count()).select_from(schema.outbox).where(schema.outbox.c.dead_at.is_not(None))
            ).scalar_one()
    key = "digest/pine-hollow/2025-06-30/board@town-of-howard.example"
    waiting, given_up = f"mail {key} not sent: TimeoutError: no answer", f"mail {key} GIVEN UP: TimeoutError: no answer"
    assert [one["not_sent"] for one in said] == [[waiting]] * (ATTEMPTS - 1) + [[given_up], [given_up], []]
    assert [_exit_code(one) for one in said] == [3] * (ATTEMPTS + 1) + [0]
    assert dead == 1


def test_a_mail_from_a_store_of_the_first_release_is_due_at_once(nights: Nights) -> None:
    nights.night(MONDAY)
    with transaction(nights.engine) as connection:
        connection.execute(update(schema.outbox).values(attempts=3, error="old"))
    with reading(nights.engine) as connection:
        assert outbox.pending(connection)[0].next_attempt_at is None
    assert deliver(nights.engine, lambda message: None, now=1).sent == 1


# Other summaries -----------------------------------------------------------------------------------------------------


def test_the_summary_of_a_night_counts_information() -> None:
    names = ("events", "clocks", "mails", "cannot_tell", "not_evaluable", "stale", "left_out", "files", "changes")
    none: dict[str, Any] = {name: [] for name in names}
    summary = none | {"digests": 0, "on": "2025-06-30", "site": "s", "standing": 0}
    assert "No finding changed; 0 stand." in night_summary(summary)
    informed = night_summary(summary | {"information": "2 attained"})
    assert "No finding changed; 0 stand; for information 2 attained (headwater findings --all)." in informed


def test_a_list_of_findings_counts_the_information_that_it_leaves_out() -> None:
    one = {"change": "opened", "information": True, "status": "attained", "verdict": "attained", "ongoing": False}
    assert _not_listed([one, one | {"change": "retracted"}]) == "\nnot listed, for information: 1 attained (--all)"
    assert _not_listed([one | {"information": False}]) == ""
