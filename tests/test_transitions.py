"""What changed between two nights: every kind of change, and nothing outside what was judged."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.finding import TOLD, Evidence, Finding, Scope, transitions
from tests.record_in_memory import standing

DAY = date(2025, 8, 1)


def finding(start: int = 0, days: int = 6, **more: Any) -> Finding:
    """A shortfall from day ``start`` on."""
    begun = DAY + timedelta(days=start)
    shape: dict[str, Any] = {
        "rule": "r.a", "clause": "1", "station": "G-1", "parameter": "discharge", "aspect": "1", "start": begun,
        "end": begun + timedelta(days=days - 1), "opened_on": begun + timedelta(days=5), "verdict": "attained",
        "status": "TRIGGERED_OPEN", "measured": "4.1", "limit": "5", "unit": "cfs", "reason": "", "ongoing": True,
        "provisional": True, "material": ("trigger",),
    }  # fmt: skip
    return Finding(**{**shape, **more})


ALL = [Scope("r.a", "G-1", date.min)]
BEFORE = finding()


@pytest.mark.parametrize(
    ("after", "change"),
    [
        (replace(BEFORE, verdict="indeterminate"), "amended"),
        (replace(BEFORE, material=("another trigger",)), "amended"),
        (replace(BEFORE, provisional=False), "confirmed"),
        (replace(BEFORE, provisional=False, verdict="indeterminate"), "amended"),
        (replace(BEFORE, ongoing=False), "ended"),
        (replace(BEFORE, end=BEFORE.end + timedelta(days=1)), "continued"),
        (replace(BEFORE, measured="3.9"), "continued"),
        (replace(BEFORE, evidence=(Evidence("flow", "4.1", "supports", ("1:2",)),)), "continued"),
    ],
)
def test_change(after: Finding, change: str) -> None:
    found = transitions([BEFORE], [after], ALL)
    assert [(one.change, one.finding, one.previous) for one in found] == [(change, after, BEFORE)]


def test_opened_and_nothing() -> None:
    assert [(one.change, one.previous) for one in transitions([], [BEFORE], ALL)] == [("opened", None)]
    assert transitions([BEFORE], [BEFORE], ALL) == []
    assert transitions([], [], ALL) == []


def test_what_is_not_notable_is_not_found() -> None:
    """A day over nothing is computed, not told; information is always told."""
    quiet = replace(BEFORE, verdict="not_attained")
    assert transitions([], [quiet], ALL) == []
    assert [one.change for one in transitions([BEFORE], [quiet], ALL)] == ["retracted"]
    assert [one.change for one in transitions([], [replace(quiet, information=True)], ALL)] == ["opened"]


def test_retracted_is_no_longer_ongoing_and_carries_what_stood() -> None:
    (only,) = transitions([BEFORE], [], ALL)
    assert (only.change, only.finding.ongoing, only.previous) == ("retracted", False, BEFORE)


@pytest.mark.parametrize(
    ("scope", "covered"),
    [
        (Scope("r.a", "G-1", BEFORE.start), True),
        (Scope("r.a", "G-1", BEFORE.end), True),
        (Scope("r.a", "G-1", BEFORE.end + timedelta(days=1)), False),
        (Scope("r.b", "G-1", date.min), False),
        (Scope("r.a", "G-2", date.min), False),
        (Scope("r.a", "G-1", date.min, "discharge"), True),
        (Scope("r.a", "G-1", date.min, "stage"), False),
    ],
)
def test_only_what_was_judged_afresh_is_taken_back(scope: Scope, covered: bool) -> None:
    assert [one.change for one in transitions([BEFORE], [], [scope])] == (["retracted"] if covered else [])


def test_a_spell_that_moved_is_one_amendment_and_the_old_key_is_superseded() -> None:
    """Told once: the old key falls silent, the new one carries what stood before."""
    moved = finding(start=-1, days=7)
    found = transitions([BEFORE], [moved], ALL)
    assert [(one.change, one.finding.key, one.previous) for one in found] == [
        ("amended", moved.key, BEFORE), ("superseded", BEFORE.key, BEFORE),
    ]  # fmt: skip
    assert [one.change for one in found if one.change in TOLD] == ["amended"]
    assert list(standing({BEFORE.key: BEFORE}, found)) == [moved.key]


@pytest.mark.parametrize("other", [{"station": "G-2"}, {"aspect": "2"}, {"parameter": "stage"}, {"rule": "r.b"}])
def test_what_appears_elsewhere_is_no_move(other: dict[str, str]) -> None:
    elsewhere = finding(start=-1, days=7, **other)
    assert sorted(one.change for one in transitions([BEFORE], [elsewhere], ALL)) == ["opened", "retracted"]


def test_a_spell_beside_it_that_does_not_touch_is_no_move() -> None:
    for apart in (finding(start=6), finding(start=-9)):
        assert sorted(one.change for one in transitions([BEFORE], [apart], ALL)) == ["opened", "retracted"]
    touching = finding(start=5)
    assert sorted(one.change for one in transitions([BEFORE], [touching], ALL)) == ["amended", "superseded"]


def test_a_stored_finding_is_the_finding() -> None:
    whole = finding(evidence=(Evidence("flow", "4.1 cfs", "supports", ("1:2", "1:3")),), facts={"n": 6, "x": None})
    assert Finding.from_body(whole.body()) == whole
    assert Finding.from_body(whole.body()).digest() == whole.digest()


FINDINGS = st.lists(
    st.builds(
        finding,
        start=st.integers(0, 40),
        days=st.integers(1, 12),
        verdict=st.sampled_from(["attained", "not_attained", "indeterminate"]),
        station=st.sampled_from(["G-1", "G-2"]),
        measured=st.sampled_from(["4", "3"]),
        provisional=st.booleans(),
        ongoing=st.booleans(),
    ),
    max_size=6,
    unique_by=lambda one: one.key,
)


@given(before=FINDINGS, after=FINDINGS)
def test_all_that_stands_after_a_full_judgement_is_what_was_judged(before: list[Finding], after: list[Finding]) -> None:
    before = [one for one in before if one.notable]
    scopes = [Scope("r.a", station, date.min) for station in ("G-1", "G-2")]
    stands = standing({one.key: one for one in before}, transitions(before, after, scopes))
    assert stands == {one.key: one for one in after if one.notable}


@given(before=FINDINGS, after=FINDINGS, since=st.integers(0, 50))
def test_nothing_outside_a_scope_changes_by_silence(before: list[Finding], after: list[Finding], since: int) -> None:
    scope = Scope("r.a", "G-1", DAY + timedelta(days=since))
    gone = {one.finding.key for one in transitions(before, after, [scope]) if one.change in {"retracted", "superseded"}}
    for one in before:
        outside = one.station == "G-2" or one.end is None or one.end < scope.since
        assert not (outside and one.key in gone)


@given(findings=FINDINGS)
def test_the_same_night_again_says_nothing(findings: list[Finding]) -> None:
    known = [one for one in findings if one.notable]
    assert transitions(known, findings, ALL) == []


def test_a_standing_condition_that_lapses_ends_and_is_no_correction() -> None:
    """A modelled risk that is no longer there was not wrong: it is over, once, and may come back."""
    risk = replace(BEFORE, verdict="needs_confirmation", material=("at risk",), lapses=True)
    (over,) = transitions([risk], [], ALL)
    assert (over.change, over.finding.ongoing) == ("ended", False)
    assert transitions([over.finding], [], ALL) == []
    assert [one.change for one in transitions([over.finding], [risk], ALL)] == ["opened"]
