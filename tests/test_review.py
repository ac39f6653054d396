"""What a reviewer's acts come to: days accepted, missing or revised since; signatures of versions; who may be named."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion, BadSite
from models.finding import Finding
from models.household import Household, Households
from models.review import (
    LICENCES,
    Name,
    Review,
    accepted,
    admit,
    contested,
    in_turn,
    signatures,
    standing,
    trigger_days,
)  # fmt: skip
from models.signed_draft import digest, sign
from tests.mail_nights import found
from tests.record_in_memory import CHICAGO

START = datetime(2025, 9, 1, 12, tzinfo=UTC)
SIX = [date(2025, 8, 20) + timedelta(days=k) for k in range(6)]
HOME = Household(property="R-1", owner="Example Owner One", phone="715-555-0101", address="N100 Example Lane, Howard")
HOMES = Households(household=(HOME,))


def act(name: Name = "accept", subject: str = "LMC-1 discharge", at: int = 0, **facts: str) -> Review:
    return Review(name, subject, "Pat Example", facts, "PG", "1234", START + timedelta(hours=at), recorded_at=START)


def accepts(days: list[date], value: str = "4.00 cfs", at: int = 0) -> Review:
    return act(at=at, **{day.isoformat(): value for day in days})


def withdraws(other: Review, at: int = 9) -> Review:
    return act("withdraw", other.subject, at, withdraws=other.key(), reason="wrong day")


def shortfall(**more: Any) -> Finding:
    one = found("LMC-1", date(2025, 8, 18), rule="howard.baseflow", parameter="discharge", aspect="base flow 1")
    return replace(one, opened_on=SIX[-1], facts={"trigger_date": SIX[-1].isoformat()}, **more)


def stood(value: str = "4.00 cfs") -> dict[date, str]:
    return dict.fromkeys(SIX, value)


def test_the_trigger_days_are_the_six_that_end_with_the_trigger() -> None:
    # More than 5 days is the sixth (decision 4): 20 to 25 August where the sixth day is the 25th.
    assert list(trigger_days(shortfall(), 5)) == SIX
    assert trigger_days(replace(shortfall(), facts={"trigger_date": None}), 5) == ()


def test_six_accepted_days_are_whole_and_five_are_not() -> None:
    assert accepted(shortfall(), [accepts(SIX)], stood()).whole
    five = accepted(shortfall(), [accepts(SIX[1:])], stood())
    assert (five.whole, five.missing, five.says()) == (False, (SIX[0],), "5 of 6 trigger days accepted")
    assert not accepted(shortfall(), [], stood()).whole
    assert not accepted(shortfall(), [accepts(SIX)], {}).whole, "no trigger day is nothing to accept"


def test_a_revised_day_is_stale_and_says_both_values() -> None:
    now = stood() | {SIX[2]: "4.10 cfs", SIX[3]: ""}
    one = accepted(shortfall(), [accepts(SIX)], now)
    assert [(stale.day, stale.was, stale.now) for stale in one.stale] == [
        (SIX[2], "4.00 cfs", "4.10 cfs"), (SIX[3], "4.00 cfs", "unknown"),
    ]  # fmt: skip
    assert one.says() == "4 of 6 trigger days accepted, 2 revised since"
    assert not one.whole


def test_a_revision_is_accepted_anew_and_the_same_number_is_no_revision() -> None:
    acts = [accepts(SIX), accepts([SIX[2]], "4.10 cfs", at=1)]
    assert accepted(shortfall(), acts, stood() | {SIX[2]: "4.10 cfs"}).whole
    assert accepted(shortfall(), acts, stood("4.0 cfs")).whole, "4.0 cfs is the number that was accepted"
    assert not accepted(shortfall(), acts, stood("4.00 ft")).by_day, "another unit is another value"


def test_acts_on_another_gauge_or_withdrawn_count_for_nothing() -> None:
    other = replace(accepts(SIX), subject="FMC-1 discharge")
    assert accepted(shortfall(), [other], stood()).missing == tuple(SIX)
    whole = accepts(SIX)
    assert accepted(shortfall(), [withdraws(whole), whole], stood()).missing == tuple(SIX)


def test_a_withdrawn_act_can_be_made_again_and_a_standing_one_is_the_same() -> None:
    first = accepts(SIX)
    assert in_turn(first, [first]).key() == first.key()
    again = in_turn(first, [first, withdraws(first)])
    assert again.key() != first.key()
    assert accepted(shortfall(), [first, withdraws(first), again], stood()).whole
    third = in_turn(first, [first, withdraws(first), again, withdraws(again)])
    assert len({first.key(), again.key(), third.key()}) == 3


@given(st.randoms(use_true_random=False), st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=8))
def test_the_order_of_recording_never_matters(shuffle: random.Random, steps: list[tuple[int, bool]]) -> None:
    acts: list[Review] = []
    for number, (day, gone) in enumerate(steps):
        one = accepts([SIX[day]], "4.00 cfs" if number % 2 else "4.20 cfs", at=number)
        acts += [one, *([withdraws(one)] if gone else [])]
    mixed = list(acts)
    shuffle.shuffle(mixed)
    assert accepted(shortfall(), mixed, stood()) == accepted(shortfall(), acts, stood())
    assert {one.key() for one in standing(mixed)} == {one.key() for one in standing(acts)}


def test_the_key_tells_acts_apart_and_forgets_when_they_were_recorded() -> None:
    one = accepts(SIX)
    others = [
        replace(one, by="Robin Example"), replace(one, licence="PH"), replace(one, number="1"), replace(one, at=None),
        replace(one, subject="FMC-1 discharge"), accepts(SIX, "4.10 cfs"), accepts(SIX[1:]),
        replace(one, act="estimate"),
    ]  # fmt: skip
    assert len({other.key() for other in [one, *others]}) == 9
    assert replace(one, recorded_at=START + timedelta(days=4)).key() == one.key()


def test_a_signature_is_one_of_the_version_that_was_signed() -> None:
    signed = act("sign_finding", "k", finding="k", digest="a")
    assert [one.says() for one in signatures("k", "a", [signed])] == ["signed by Pat Example (PG 1234)"]
    (older,) = signatures("k", "b", [signed])
    assert older.says() == "signed by Pat Example (PG 1234), as of an earlier version"
    assert signatures("other", "a", [signed]) == []
    assert signatures("k", "a", [signed, withdraws(signed)]) == []


def test_a_contest_is_dated_by_the_local_day_of_the_act() -> None:
    facts = {"station": "MW-1", "substance": "arsenic", "sampled": "2025-07-01", "sample": "", "reason": "broken"}
    one = replace(act("contest", "MW-1 arsenic 2025-07-01", **facts), at=datetime(2025, 7, 10, 3, tzinfo=UTC))
    (told,) = contested([one], CHICAGO)
    assert (told.on, told.sampled, told.by) == (date(2025, 7, 9), date(2025, 7, 1), "Pat Example")
    assert contested([one, withdraws(one)], CHICAGO) == ()


# Who may act ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"by": "Example Owner One"}, "--by: holds a household's name"),
        ({"by": "One, Example Owner"}, "--by: holds a household's name"),
        ({"by": "call 715-555-0101"}, "--by: holds a household's phone"),
        ({"number": "N100 Example Lane"}, "--number: holds a household's address"),
        ({"by": " "}, "--by: a blank or a placeholder"),
        ({"number": "…"}, "--number: a blank or a placeholder"),
        ({"licence": "MD"}, "--licence: no such licence"),
        ({"licence": ""}, "--licence: no such licence"),
    ],
)
def test_who_may_not_act(change: dict[str, str], says: str) -> None:
    admit(accepts(SIX), [], HOMES)
    with pytest.raises(BadQuestion) as caught:
        admit(replace(accepts(SIX), **change), [], HOMES)  # type: ignore[arg-type]
    assert str(caught.value).startswith(says)
    assert "Owner One" not in str(caught.value)


@pytest.mark.parametrize("fact", ["method", "reason", "sample"])
def test_no_household_stands_in_a_reason(fact: str) -> None:
    with pytest.raises(BadQuestion, match=f"--{fact}: holds a household's name"):
        admit(act("estimate", "x", **{fact: "seen by Mr. One"}), [], HOMES)


def test_nothing_is_withdrawn_twice_but_the_same_withdrawal_is_one() -> None:
    one = accepts(SIX)
    undo = withdraws(one)
    admit(undo, [one], HOMES)
    admit(undo, [one, undo], HOMES)
    with pytest.raises(BadQuestion, match="no act stands"):
        admit(withdraws(one, at=10), [one, undo], HOMES)
    with pytest.raises(BadQuestion, match="no act stands"):
        admit(withdraws(undo), [one, undo], HOMES)


# The signature of a base flow ----------------------------------------------------------------------------------------

DRAFT = """\
# A proposal, not a base flow.
[[stream.base_flow]]
gauge = "LMC-1"
value_cfs = 5.10
effective = 2025-01-01          # the earliest day: the one after the record
version = "2"
method = "Q90 of the daily mean discharge"
parameters = { exceedance = "0.90" }
record_from = 2024-01-01
record_to = 2024-12-20
baseline_years = 0.97
source = "licensee"
# signed_by = "…"                # the licensee who answers for it
# licence_kind = "PG"            # or PH
# licence_number = "…"
# signed_on = 2000-01-01         # the day of the signature
uncertainty_percent = 12
"""


def signed(
    text: str = DRAFT, by: str = 'Pat "Q" Exämple \\ Co', licence: str = "PH", on: date = date(2024, 12, 27)
) -> Any:
    return sign(text, by=by, licence=licence, number="77", on=on, file="draft.toml")


def test_a_draft_gets_its_four_lines_and_nothing_else_changes() -> None:
    done = signed()
    assert (done.record.signed_by, done.record.licence_kind, done.record.licence_number) == (
        'Pat "Q" Exämple \\ Co', "PH", "77",
    )  # fmt: skip
    assert done.record.signed_on == date(2024, 12, 27)
    before, after = DRAFT.splitlines(), done.text.splitlines()
    assert len(before) == len(after)
    assert [n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other] == [12, 13, 14, 15]


def test_signing_again_keeps_the_day_and_another_signature_is_refused() -> None:
    done = signed()
    again = signed(done.text, on=date(2025, 1, 5))
    assert again.text == done.text
    assert digest(again.record) == digest(done.record)
    with pytest.raises(BadQuestion, match="another signature"):
        signed(done.text, by="Robin Example")


@pytest.mark.parametrize(
    ("old", "new"),
    [("5.10", "5.1"), ("2024-12-20", "2024-12-19"), ('"2"', '"3"'), ("0.90", "0.95"), ("percent = 12", "percent = 13")],
)
def test_any_change_of_the_record_changes_its_digest(old: str, new: str) -> None:
    assert digest(signed(DRAFT.replace(old, new, 1)).record) != digest(signed().record)
    assert digest(signed(DRAFT.replace("# A proposal", "# An old proposal")).record) == digest(signed().record)


def test_lines_that_were_deleted_are_added_and_windows_line_ends_stay() -> None:
    short = "\n".join(line for line in DRAFT.splitlines() if not line.startswith("# ")) + "\n"
    assert digest(signed(short).record) == digest(signed().record)
    assert "\r\n" in signed(DRAFT.replace("\n", "\r\n")).text
    assert digest(signed(DRAFT.replace("\n", "\r\n")).record) == digest(signed().record)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DRAFT + DRAFT, "one \\[\\[stream.base_flow\\]\\]"),
        ('id = "x"\n' + DRAFT, "one \\[\\[stream.base_flow\\]\\]"),
        ("", "one \\[\\[stream.base_flow\\]\\]"),
        ("stream = 3\n", "one \\[\\[stream.base_flow\\]\\]"),
        ("= 3\n", "not valid TOML"),
        (DRAFT.replace('method = "Q90 of the daily mean discharge"', 'method = "…"'), "placeholder"),
        (DRAFT.replace("2024-12-20", "2024-12-28"), "nobody signs days to come"),
    ],
)
def test_what_cannot_be_signed(text: str, says: str) -> None:
    with pytest.raises(BadSite, match=says):
        signed(text)


def test_the_licence_kinds_are_those_of_a_base_flow() -> None:
    assert LICENCES == ("PG", "PH", "PE", "DNR")
