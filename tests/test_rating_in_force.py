"""A town's own stage recorder: which rating is in force, its shift, its discharge, and what a night makes of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from pydantic import ValidationError

from models.rating_in_force import Rating, in_force, rated
from models.site import Gauge
from models.streamflow.rating import rating_table
from pipelines import casebook, rated_stage
from pipelines.database import opened, reading
from pipelines.recall import Recall
from pipelines.site_folder import open_site
from tests.town import Town

ZONE = ZoneInfo("America/Chicago")
CURVE: dict[str, Any] = {
    "id": "R1", "valid_from": date(2025, 1, 1), "a": 10, "b": 2, "h0": "0.50", "lowest_ft": "0.60",
    "highest_ft": "3.00", "standard_error_percent": 9,
}  # fmt: skip


def rating(**changed: Any) -> Rating:
    return Rating.model_validate({**CURVE, **changed})


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp() * 1000)


def flows(ratings: list[Rating], *readings: tuple[str, float], tables: Any = None) -> Any:
    times, stages = zip(*readings, strict=True)
    return rated(ratings, tables or {}, [at(one) for one in times], stages, ZONE)


def test_a_fitted_curve_by_hand() -> None:
    """10 (1.50 - 0.50)^2 = 10; beyond the measured stages there is no discharge, and it says so."""
    found = flows([rating()], ("2025-07-01", 1.50), ("2025-07-01", 0.59), ("2025-07-01", 3.01), ("2025-07-01", np.nan))
    assert found.flow[0] == pytest.approx(10)
    assert np.isnan(found.flow[1:]).all()
    assert found.reason.tolist() == [
        "", "below the rating, 0.6 ft", "above the rating, 3 ft", "stage or shift unknown",
    ]  # fmt: skip
    assert found.rating.tolist() == ["R1"] * 4


def test_the_rating_of_a_day_begins_at_its_local_midnight() -> None:
    later = rating(id="R2", valid_from=date(2025, 7, 1), a=20)
    found = flows([later, rating()], ("2024-12-31T23:59", 1.5), ("2025-06-30T23:59", 1.5), ("2025-07-01T00:00", 1.5))
    assert found.flow[1:] == pytest.approx([10, 20])
    assert (found.reason[0], found.rating.tolist()) == ("no rating in force", ["", "R1", "R2"])
    assert in_force([later, rating()], date(2025, 6, 30)) == rating()
    assert in_force([rating()], date(2024, 12, 31)) is None


def test_a_shift_is_added_to_the_stage_and_moves_evenly_to_the_next() -> None:
    """0 before the first; half way from -0.10 to +0.10 it is nothing; the last one holds."""
    shift = [
        {"since": "2025-07-01T00:00:00-05:00", "feet": "-0.10"},
        {"since": "2025-07-03T00:00:00-05:00", "feet": "0.10"},
    ]
    found = flows(
        [rating(shift=shift)], *((f"{day}", 1.5) for day in ("2025-06-30", "2025-07-01", "2025-07-02", "2025-07-09"))
    )
    assert found.shift == pytest.approx([0, -0.10, 0, 0.10])
    assert found.flow == pytest.approx([10, 8.1, 10, 12.1])


def test_a_table_and_one_that_cannot_be_used() -> None:
    table = rating_table([1.0, 2.0], [4.0, 8.0], expansion="linear")
    named = Rating(id="T1", valid_from=date(2025, 1, 1), table="ratings/t1.rdb")
    found = flows([named], ("2025-07-01", 1.5), tables={"T1": table})
    assert found.flow.tolist() == [6.0]
    assert flows([named], ("2025-07-01", 1.5), tables={"T1": "it is not there"}).reason.tolist() == ["it is not there"]
    assert flows([named], ("2025-07-01", 1.5)).reason.tolist() == ["ratings/t1.rdb was not read"]


@pytest.mark.parametrize(
    "changed",
    [
        {"table": "ratings/x.rdb"}, {"a": None}, {"standard_error_percent": None}, {"lowest_ft": "0.40"}, {"a": -1},
        {"lowest_ft": "3.00"}, {"shift": [{"since": "2025-07-01T00:00:00", "feet": 1}]},
        {"shift": [{"since": "2025-07-01T00:00:00Z"}]},
        {"shift": [{"since": "2025-07-01T00:00:00Z", "points": [[2, 0], [1, 0]]}]},
        {"shift": [{"since": f"2025-07-0{day}T00:00:00Z", "feet": 0} for day in (2, 1)]},
    ],
)  # fmt: skip
def test_what_is_no_rating_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        rating(**changed)


@pytest.mark.parametrize("table", ["/etc/passwd", "../x.rdb", "ratings/../../x", ".x"])
def test_a_table_lies_in_the_site_folder(table: str) -> None:
    with pytest.raises(ValidationError):
        Rating.model_validate({"id": "T", "valid_from": date(2025, 1, 1), "table": table})


@pytest.mark.parametrize(
    "gauge",
    [
        {"measures": "discharge", "rating": [CURVE]},
        {"measures": "stage", "rating": [CURVE, {**CURVE, "id": "R2"}]},
        {"measures": "stage", "rating": [CURVE, {**CURVE, "valid_from": date(2025, 2, 1)}]},
        {"transfer_ratio": 2},
    ],
)
def test_a_gauge_says_what_fits(gauge: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Gauge.model_validate({"id": "G-1", **gauge})


# A night --------------------------------------------------------------------------------------------------------------

RATED = """measures = "stage"

[[gauge.rating]]
id = "R1"
valid_from = 2025-01-01
a = 10
b = 2
h0 = 0.50
lowest_ft = 0.60
highest_ft = 3.00
standard_error_percent = 9
"""
BY_TABLE = 'measures = "stage"\nrating = [{id = "T1", valid_from = 2025-01-01, table = "ratings/t1.rdb"}]\n'
AT = "position = [159985.0, 161000.0]\n"
HEAD = "station,parameter_cd,datetime_utc,value"


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path / "site")


def measure(town: Town, name: str, start: str, days: list[list[float]]) -> None:
    """Hourly stages of the gauge by local day; a day is 24 stages, or one for all of it."""
    first = datetime.fromisoformat(start).replace(tzinfo=ZONE).astimezone(UTC)
    stages = [stage for day in days for stage in (day * 24 if len(day) == 1 else day)]
    rows = [f"LMC-1,00065,{first + timedelta(hours=k):%Y-%m-%dT%H:%MZ},{stage}" for k, stage in enumerate(stages)]
    town.put(name, "\n".join([HEAD, *rows]) + "\n")


def flow_days(town: Town) -> dict[str, tuple[str, str]]:
    """Discharge and the words beside it, by day."""
    with opened(town.url) as engine, reading(engine) as connection:
        days = Recall(connection, ZONE).daily("LMC-1", "discharge", None, date(2026, 1, 1))
    return {one.day.isoformat(): (str(one.value), one.note) for one in days}


def shortfalls(town: Town) -> list[dict[str, Any]]:
    return [one for one in town.findings() if one["rule"] == "howard.baseflow"]


def test_stage_is_rated_reading_by_reading_and_judged_by_its_flow(town: Town) -> None:
    """Half the day at 1.00 ft (2.5 cfs) and half at 1.50 (10 cfs) is 6.25 cfs; the mean stage would give 5.6."""
    town.edit("site.toml", AT, f"{AT}{RATED}")
    measure(town, "a.csv", "2025-07-01", [[1.0] * 12 + [1.5] * 12, *[[1.1]] * 6, [2.0]])
    town.night("2025-07-08")
    days = flow_days(town)
    assert days["2025-07-01"] == ("6.25", "stage 1.25 ft | rating R1")
    assert days["2025-07-02"][0] == "3.6"
    (found,) = shortfalls(town)
    assert (found["start"], found["opened_on"], found["status"]) == ("2025-07-02", "2025-07-07", "TRIGGERED_CLOSED")
    assert "2025-07-02 3.6 cfs [P:stage 1.10 ft | rating R1]" in found["evidence"][0]["says"]


def test_a_stage_beyond_the_rating_is_unknown_with_the_reason(town: Town) -> None:
    town.edit("site.toml", AT, f"{AT}{RATED}")
    measure(town, "a.csv", "2025-07-01", [[2.0], *[[1.1]] * 5, [0.55], [1.1]])
    town.night("2025-07-08")
    (found,) = shortfalls(town)
    assert found["verdict"] == "indeterminate"
    assert "2025-07-07 no value (rating R1 | 24 of 24 readings unrated: below the rating 0.6 ft)" in found["reason"]


def test_a_new_shift_assembles_the_record_again(town: Town) -> None:
    town.edit("site.toml", AT, f"{AT}{RATED}")
    measure(town, "a.csv", "2025-07-01", [[2.0], *[[1.1]] * 6, [2.0]])
    town.night("2025-07-08")
    assert len(shortfalls(town)) == 1
    shift = "shift = [{ since = 2025-06-30T00:00:00-05:00, feet = 0.40 }]\n"
    town.edit("site.toml", "standard_error_percent = 9\n", f"standard_error_percent = 9\n{shift}")
    town.night("2025-07-09")
    assert flow_days(town)["2025-07-02"] == ("10.0", "stage 1.10 ft | rating R1 | shift +0.40 ft")
    assert shortfalls(town) == []


def test_a_rating_file_of_the_usgs_and_a_file_that_is_missing(town: Town) -> None:
    town.edit("site.toml", AT, f"{AT}{BY_TABLE}")
    measure(town, "a.csv", "2025-07-01", [[1.5]])
    town.night("2025-07-01")
    (value, note) = flow_days(town)["2025-07-01"]
    assert value == "None"
    assert "rating T1 cannot be used" in note
    lines = [
        '# //RATING ID="1.0" EXPANSION="linear"',
        "INDEP\tDEP\tSTOR",
        "16N\t16N\t1S",
        "1.00\t4.0\t*",
        "2.00\t8.0\t*",
    ]
    (town.folder / "ratings").mkdir()
    (town.folder / "ratings" / "t1.rdb").write_text("\n".join(lines) + "\n", encoding="utf-8")
    town.night("2025-07-02")
    assert flow_days(town)["2025-07-01"] == ("6.0", "stage 1.50 ft | rating T1")


def test_the_shift_of_a_shift_adjusted_table_and_offsets_are_used(tmp_path: Path) -> None:
    """OFFSET 0.50: ln Q is linear in ln(h - 0.50), so 1 and 16 cfs at 1.0 and 2.5 ft are 4 (h - 0.50)^2 between."""
    head = ['# //RATING ID="2.0"', '# //RATING EXPANSION="logarithmic"', "# //RATING OFFSET1=5.000000E-01"]
    body = ["INDEP\tSHIFT\tDEP\tSTOR", "16N\t16N\t16N\t1S", "0.90\t0.10\t1.0\t*", "2.40\t0.10\t16.0\t*"]
    (tmp_path / "r.rdb").write_text("\n".join([*head, *body]) + "\n", encoding="utf-8")
    named = Rating(id="T", valid_from=date(2025, 1, 1), table="r.rdb")
    gauge = Gauge(id="G-1", measures="stage", rating=(named,))
    tables = rated_stage.rating_tables(tmp_path, gauge)
    found = rated([named], tables, [at("2025-07-01")] * 2, [1.5, 2.6], ZONE)
    assert found.flow[0] == pytest.approx(4.0)
    assert found.reason[1] == "above the rating, 2.5 ft"


def test_a_visit_is_no_daily_mean(town: Town) -> None:
    """A field measurement on a day without readings leaves the day unknown (decision 24)."""
    head = "station,parameter_cd,sensor,datetime_utc,value"
    town.put("visit.csv", f"{head}\nLMC-1,00060,field,2025-07-02T15:00Z,4.00\n")
    town.night("2025-07-02")
    assert flow_days(town) == {}
    with opened(town.url) as engine, reading(engine) as connection:
        rows = Recall(connection, ZONE).rows(["LMC-1"], ["discharge"], None, None)
    assert rows["series"].tolist() == ["field"]
    assert open_site(town.folder).site.gauge[0].judged == "discharge"
    assert "WATCH" in [one["status"] for one in _information(town)]


def _information(town: Town) -> list[dict[str, Any]]:
    with opened(town.url) as engine, reading(engine) as connection:
        return [one for one in casebook.versions(connection) if one["information"]]
