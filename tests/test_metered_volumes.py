"""A totalizer's history worked by hand, the rollover case, and what holds for any readings in any order."""

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.arrival import place
from ingest.formats import read
from ingest.reading import Told
from models.metered_volumes import NO_METER, Interval, intervals
from models.observation import Flags
from models.question import StoredRow
from models.site import Meter, Site
from tests.record_in_memory import site, well

CASES = Path(__file__).parents[2] / "shared" / "cases"
UTC_ZONE = ZoneInfo("UTC")
START_MS = 1_700_000_000_000
DAY_MS = 86_400_000


def row(day: float, gallons: str, event: str = "", id: str = "1:1", clock: str = "utc") -> StoredRow:
    flags, civil = Flags(qualifiers=(event,) if event else ()).text(), date(2024, 1, 1) + timedelta(days=int(day))
    told = {"time_ms": START_MS + round(day * DAY_MS), "value": float(gallons), "flags": flags, "row_id": id}
    return cast("StoredRow", SimpleNamespace(**told, clock=clock, day=civil))


def meter(register: int | None = None) -> Meter:
    return Meter(id="M", well="PW", register_gal=None if register is None else Decimal(register))


def told(found: list[Interval]) -> list[tuple[float | None, str]]:
    return [(one.volume_gal, one.note) for one in found]


HISTORY = [
    # day, register [gal], event      what was pumped since the line above
    (0, "985000", ""),  # the first reading: nothing is known before it
    (10, "995000", ""),  # 995,000 - 985,000 = 10,000
    (20, "4000", "rollover"),  # 1,000,000 - 995,000 + 4,000 = 9,000
    (30, "4000", ""),  # the pump stood: 0
    (40, "16000.5", ""),  # 12,000.5
    (45, "20000", "replaced-out"),  # 3,999.5 on the old register
    (45, "125", "replaced-in"),  # the new one starts at 125: 0 at one instant
    (60, "8125", ""),  # 8,125 - 125 = 8,000
    (70, "0", "reset"),  # set to zero, and nobody read it before: not known
    (80, "5000", ""),  # 5,000 since the reset
    (90, "9000", "replaced-out"),  # 4,000, read before the second reset
    (90, "0", "reset"),  # 0
    (100, "950000", ""),  # 950,000
    (110, "30000", ""),  # fell from above 90 % of 1,000,000 without a mark: 50,000 + 30,000 = 80,000
    (120, "29000", ""),  # fell from 3 % of it: not a rollover, not used
    (130, "29500", ""),  # 500
    (140, "29400", ""),  # fell again
    (150, "31000", ""),  # 29,400 misread: 1,500 since the 29,500; not misread: 1,600, and nobody knows what before it
]
VOLUMES = [10000, 9000, 0, 12000.5, 3999.5, 0, 8000, None, 5000, 4000, 0, 950000, 80000, None, 500, None]


def test_a_history_with_rollover_replacement_and_reset_worked_by_hand() -> None:
    found = intervals(meter(1_000_000), [row(*line) for line in HISTORY])
    assert [one.volume_gal for one in found] == VOLUMES
    notes = {k: one.note for k, one in enumerate(found) if one.note}
    assert sorted(notes) == [5, 7, 10, 12, 13, 15]
    assert notes[5] == notes[10] == "register exchanged"
    assert "without a last reading" in notes[7]
    assert "not marked" in notes[12]
    assert "90 %" in notes[12]
    assert notes[13] == "register fell without a recorded reason, from 30,000 to 29,000 gal"
    assert notes[15].startswith("register fell without a recorded reason, from 29,500 to 29,400 gal")
    assert (found[15].told_gal, found[15].start_ms) == ((1500, 1600), START_MS + 130 * DAY_MS)
    assert sum(one.volume_gal or 0 for one in found) == 1_082_500


def test_a_number_misread_once_moves_no_water() -> None:
    """Truth: 100 gal a day, and 1,000 read as 100 on day 10: 2,000 in all, and not the 2,900 that follow the 100."""
    rows = [row(day, "100" if day == 10 else str(100 * day)) for day in range(0, 25, 5)]
    first, doubted, last = intervals(meter(), rows)
    assert (first.volume_gal, last.volume_gal) == (500, 500)
    assert (doubted.volume_gal, doubted.at_least_gal, doubted.told_gal) == (None, 1000, (1000, 1400))
    assert sum(one.at_least_gal for one in (first, doubted, last)) == 2000


@pytest.mark.parametrize(("event", "count"), [("", 1), ("replaced-out", 1), ("rollover", 2), ("reset", 2)])
def test_a_register_that_begins_anew_after_a_drop_says_nothing_of_it(event: str, count: int) -> None:
    rows = [row(0, "500"), row(1, "400"), row(2, "600", event)]
    assert len(intervals(meter(1_000_000), rows)) == count


@given(st.permutations(range(len(HISTORY))), st.lists(st.integers(0, len(HISTORY) - 1), max_size=5))
def test_any_order_of_deliveries_and_any_repeat_gives_the_same_volumes(order: list[int], again: list[int]) -> None:
    rows = [row(*line, f"1:{k}") for k, line in enumerate(HISTORY)]
    delivered = [rows[k] for k in (*order, *again)]
    assert told(intervals(meter(1_000_000), delivered)) == told(intervals(meter(1_000_000), rows))


@pytest.mark.parametrize(
    ("before", "after", "event", "register", "volume"),
    [
        ("900001", "10", "", 1_000_000, 100_009),  # just above 90 %
        ("900000", "10", "", 1_000_000, None),  # at 90 %, not above
        ("999600", "350", "", None, None),  # the size of the register is not stated
        ("500000", "10", "rollover", 1_000_000, 500_010),  # marked: a person saw it
        ("999600", "350", "rollover", None, None),
        ("500", "600", "rollover", 1_000_000, None),  # marked, and it did not fall: 100 or 1,000,100
        ("1000500", "10", "", 1_000_000, None),  # beyond the register: its size is wrong
        ("1000500", "10", "rollover", 1_000_000, None),
        ("950000", "1200000", "rollover", 1_000_000, None),
    ],
)
def test_a_rollover_is_marked_or_the_register_was_nearly_full(
    before: str, after: str, event: str, register: int | None, volume: float | None
) -> None:
    (found,) = intervals(meter(register), [row(0, before), row(1, after, event)])
    assert found.volume_gal == volume
    assert found.note or event


READINGS = st.lists(
    st.tuples(
        st.integers(0, 40), st.decimals(0, 2_000_000, places=3),
        st.sampled_from(["", "", "", "rollover", "replaced-out", "replaced-in", "reset"]),
    ),
    max_size=25,
)  # fmt: skip


@given(READINGS, st.one_of(st.none(), st.integers(1, 2_000_000)))
def test_no_volume_is_ever_below_zero(lines: list[tuple[int, Decimal, str]], register: int | None) -> None:
    rows = [row(day, str(gallons), event) for day, gallons, event in lines]
    for one in intervals(meter(register), rows):
        assert one.volume_gal is None or one.volume_gal >= 0
        assert one.volume_gal is not None or one.note
        assert one.end_ms >= one.start_ms


@given(st.lists(st.integers(0, 899), min_size=2, max_size=60), st.integers(0, 999))
def test_an_honest_register_of_three_digits_loses_nothing_over_its_rollovers(steps: list[int], begins: int) -> None:
    """Truth: a counter that nobody reads wrong. A drop is marked when it comes from low, else found."""
    counted, rows = begins, [row(0, str(begins))]
    for k, step in enumerate(steps, 1):
        fell = (counted + step) % 1000 < counted % 1000
        counted += step
        rows.append(row(k, str(counted % 1000), "rollover" if fell else ""))
    assert sum(one.volume_gal or 0 for one in intervals(meter(1000), rows)) == sum(steps)


def test_nobody_measured_between_two_registers() -> None:
    """Removed on day 10 and replaced on day 30: 20 days of pumping that no register counted, whatever they gave."""
    rows = [row(0, "900000"), row(10, "950000", "replaced-out"), row(30, "0", "replaced-in"), row(41, "50000")]
    first, gap, last = intervals(meter(), rows)
    assert (first.volume_gal, gap.volume_gal, last.volume_gal) == (50_000, None, 50_000)
    assert (gap.end_ms - gap.start_ms, gap.note) == (20 * DAY_MS, NO_METER)
    reset = intervals(meter(), [row(0, "900000"), row(10, "950000", "replaced-out"), row(30, "0", "reset")])
    assert [one.volume_gal for one in reset] == [50_000, None]


@pytest.mark.parametrize(("minutes", "volume"), [(0, 0), (60, 0), (61, None)])
def test_while_a_meter_is_fitted_the_pipe_is_open_and_nothing_is_pumped(minutes: int, volume: float | None) -> None:
    rows = [row(0, "900000"), row(10, "950000", "replaced-out"), row(10 + minutes / 1440, "0", "replaced-in")]
    assert [one.volume_gal for one in intervals(meter(), rows)] == [50_000, volume]


@pytest.mark.parametrize(
    "exchange",
    [
        [(10, "950000", "replaced-out", "day"), (10.4, "0", "replaced-in", "utc")],
        [(10.4, "950000", "replaced-out", "utc"), (10, "0", "replaced-in", "day")],
    ],
)
def test_an_exchange_told_by_its_day_on_one_side_is_at_the_hour_of_the_other(exchange: list[Any]) -> None:
    """A new register is never read before the old one came out: 950,000 of the old one are not the new one's."""
    middle = [row(day, shown, event, clock=clock) for day, shown, event, clock in exchange]
    found = intervals(meter(), [row(0, "900000"), *middle, row(41, "50000")])
    assert [one.volume_gal for one in found] == [50_000, 0, 50_000]
    assert [(one.start_ms - START_MS) / DAY_MS for one in found] == [0, 10.4, 10.4]


def test_readings_of_one_instant_that_differ_lose_no_water() -> None:
    """100, 200 or 250, 300: whichever is right, 200 were pumped; when, before or after, nobody knows."""
    rows = [row(0, "100"), row(1, "200", clock="day"), row(1, "250"), row(2, "300")]
    (whole,) = intervals(meter(), rows)
    assert (whole.start_ms, whole.end_ms, whole.volume_gal) == (START_MS, START_MS + 2 * DAY_MS, 200)
    assert whole.note == "readings of one instant differ: 200 and 250 gal; the register rose over both"
    assert intervals(meter(), rows[::-1]) == [whole]
    twice = [*rows[:3], row(1.5, "260"), row(1.5, "270"), row(2, "300")]
    assert [one.volume_gal for one in intervals(meter(), twice)] == [200]


@pytest.mark.parametrize(("other", "both"), [("50", "50 and 200"), ("5000", "200 and 5,000")])
def test_where_one_of_them_does_not_fit_nothing_is_known_on_either_side(other: str, both: str) -> None:
    """50 may be a new register that nobody marked, and then the water is not the difference over it."""
    found = intervals(meter(1_000_000), [row(0, "100"), row(1, "200"), row(1, other), row(2, "300")])
    assert [one.volume_gal for one in found] == [None, None]
    assert {one.note for one in found} == {f"readings of one instant differ: {both} gal"}


def test_the_first_or_the_last_instant_that_is_in_doubt_is_said() -> None:
    found = intervals(meter(), [row(0, "100"), row(1, "200"), row(1, "250")])
    assert [(one.volume_gal, one.note) for one in found] == [(None, "readings of one instant differ: 200 and 250 gal")]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 99)), min_size=2, max_size=40))
def test_a_register_that_only_rises_loses_nothing_however_often_it_is_read(steps: list[tuple[int, int]]) -> None:
    """Truth: a counter without an exchange; where its first and last number are beyond doubt, all water is told."""
    when, counted, rows = 0, 0, [row(0, "0")]
    for wait, pumped in steps:
        when, counted = when + wait, counted + pumped
        rows.append(row(1 + when, str(counted)))
    rows.append(row(2 + when, str(counted)))
    found = intervals(meter(), rows)
    assert sum(one.volume_gal or 0 for one in found if one.end_ms > one.start_ms) == counted
    assert all(one.volume_gal is not None for one in found)


def test_thousandths_are_decimal() -> None:
    """0.3 - 0.1 is 0.2 and not 0.19999999999999998."""
    (found,) = intervals(meter(), [row(0, "0.1"), row(1, "0.3")])
    assert found.volume_gal == 0.2


@pytest.mark.skipif(not CASES.is_dir(), reason="../shared is absent")
def test_the_rollover_case_through_the_door() -> None:
    """PUMP-07: a register of cubic metres, read, placed and made volumes of, in its own unit again."""
    expected = {
        one["name"]: one["value"] for one in json.loads((CASES / "PUMP-07/expected.json").read_text())["checks"]
    }
    per_m3 = Decimal("264.172052358148415379899921609")
    at = site(
        well=[well("PW", 0, use="production")],
        meter=[{"id": "M", "well": "PW", "register_gal": 1_000_000 * per_m3}],
    )  # fmt: skip
    found = [one for one in pump_07(at, CASES / "PUMP-07/input.csv") if one.end_ms > one.start_ms]
    monthly: dict[str, Any] = {}
    for one in found:
        month = (datetime.fromtimestamp(one.end_ms / 1000, UTC) - timedelta(days=1)).strftime("%b")
        if one.volume_gal is None:
            monthly[month] = one.note
        else:
            monthly[month] = monthly.get(month, 0) + one.volume_gal / float(per_m3)
    volumes = expected["volumes m3"]
    for month in ("Jan", "Feb", "Mar", "Apr"):
        assert monthly[month] == pytest.approx(volumes[month], abs=1e-6)
    assert "fell without a recorded reason" in monthly["May"]
    assert "flagged" in volumes["May"]
    assert sum(monthly[name] for name in ("Jan", "Feb", "Mar", "Apr")) == pytest.approx(
        expected["total Jan-Apr"], abs=1e-6
    )


def pump_07(at: Site, path: Path) -> list[Interval]:
    arrived = place(read(path, told=Told(station="M")), at, UTC_ZONE)
    assert not arrived.rejects
    rows = [
        SimpleNamespace(
            time_ms=int(one["time_ms"]),
            value=float(one["value"]),
            flags=str(one["flags"]),
            row_id="1:1",
            clock=one["clock"],
            day=datetime.fromtimestamp(int(one["time_ms"]) / 1000, UTC).date(),
        )
        for one in arrived.frame.to_dict("records")
    ]
    return intervals(at.meter[0], cast("Any", rows[::-1]))
