"""Several readings of a well on one day: one speaks, everywhere alike; a day's highest and lowest are no levels."""

from __future__ import annotations

from datetime import date, time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from models.checks.level_rounds import rounds
from models.checks.water_level_tables import table_of
from models.checks.well_levels import Level, day_levels, level_rows, levels_by_well
from models.question import Question
from tests.record_in_memory import CHICAGO, Record, ask, site, well

DAY = date(2025, 5, 10)
CORNERS = [(500.0, 500.0), (4500.0, 500.0), (500.0, 4500.0), (4500.0, 4500.0)]
POINT = [{"since": date(2020, 1, 1), "elevation_ft": "900.00", "height_above_land_ft": "0.00"}]


def asked(record: Record, **parts: Any) -> Question:
    wells = [
        {"id": f"MW-{k}", "use": "monitoring", "position": at, "measuring_point": POINT}
        for k, at in enumerate(CORNERS, 1)
    ]
    return ask(record, date(2025, 8, 1), at=site(well=[*wells, well("IW", 60_000.0, use="index")], **parts))


def read(record: Record, id: str, depth: str, hour: int, *, day: date = DAY) -> Record:
    return record.add(id, "depth_to_water", day, depth, "ft", at=time(hour))


def published(record: Record, id: str, depth: str, statistic: str) -> Record:
    record.add(id, "depth_to_water", DAY, depth, "ft")
    record.table[-1] |= {"statistic": statistic, "clock": "day"}
    return record


def of(record: Record, id: str = "MW-1") -> list[Level]:
    question = asked(record)
    well = next(one for one in question.site.well if one.id == id)
    return day_levels(well, level_rows(question).get(id, ()), CHICAGO)


def test_the_reading_nearest_to_noon_speaks_and_the_other_is_told() -> None:
    (one,) = of(read(read(Record(), "MW-1", "50.00", 16), "MW-1", "10.00", 9))
    assert (one.depth_ft, one.others_ft) == (10.0, (50.0,))
    (one,) = of(read(read(Record(), "MW-1", "50.00", 14), "MW-1", "10.00", 9))
    assert (one.depth_ft, one.others_ft) == (50.0, (10.0,))


def test_of_two_as_near_to_noon_the_earlier() -> None:
    (one,) = of(read(read(Record(), "MW-1", "50.00", 15), "MW-1", "10.00", 9))
    assert one.depth_ft == 10.0


def test_the_same_reading_twice_is_one() -> None:
    (one,) = of(read(read(Record(), "MW-1", "10.00", 16), "MW-1", "10.00", 9))
    assert one.others_ft == ()


def test_a_tape_speaks_before_a_published_day_however_early() -> None:
    (one,) = of(published(read(Record(), "MW-1", "10.00", 6), "MW-1", "12.00", "mean"))
    assert (one.depth_ft, one.others_ft) == (10.0, ())


def test_of_published_daily_values_the_mean_is_the_level() -> None:
    """9.80, 10.20 and 10.60: in the order of their text 9.80, the lowest, comes last."""
    record = Record()
    for depth, statistic in (("10.60", "max"), ("9.80", "min"), ("10.20", "mean")):
        published(record, "IW", depth, statistic)
    assert [one.depth_ft for one in of(record, "IW")] == [10.20]
    alone = published(published(Record(), "IW", "10.60", "max"), "IW", "9.80", "min")
    assert of(alone, "IW") == []
    assert level_rows(asked(alone))["IW"] == [], "nor is it a reading that anything is judged by"


def everywhere(record: Record) -> set[float]:
    """Depth of 10 May at MW-1, as the baseline, a round, seepage and the comparison with the meters have it."""
    question = asked(record)
    first = question.site.well[0]
    (round_,) = rounds(question, DAY, DAY)
    return {
        table_of(question, first).measured[DAY], 900.0 - round_.levels[0].elevation_ft,
        levels_by_well(question, [first])["MW-1"][0].depth_ft,
    }  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 23), st.integers(100, 5000)), min_size=1, max_size=5), st.randoms())
def test_every_check_takes_the_same_level_of_a_day_in_any_order(readings: list[tuple[int, int]], random: Any) -> None:
    record = Record()
    for k in (2, 3, 4):
        read(record, f"MW-{k}", "10.00", 12)
    for hour, hundredths in readings:
        read(record, "MW-1", f"{hundredths / 100:.2f}", hour)
    there = everywhere(record)
    random.shuffle(record.table)
    assert {round(one, 6) for one in everywhere(record)} == {round(one, 6) for one in there}
    assert len({round(one, 6) for one in there}) == 1


def test_a_round_says_that_a_well_was_read_twice() -> None:
    record = Record()
    for k in (1, 2, 3, 4):
        read(record, f"MW-{k}", "10.00", 9)
    read(record, "MW-4", "50.00", 16)
    (found,) = rounds(asked(record), DAY, DAY)
    assert found.read_twice == "MW-4 was also read 850.00 ft that day: 890.00 ft, the nearest to noon, speaks"
