"""A reading placed at a site, and its summary for the command line."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ingest.arrival import COLUMNS, FLAGS, Arrival, place
from ingest.formats import read
from ingest.reading import Reading
from ingest.summary import as_rows, summarise
from models.errors import BadSite
from models.observation import Flags, tidy
from models.site import Barologger, Gauge, Logger, Permit, Site, Well

CHICAGO = ZoneInfo("America/Chicago")
DAY = 1717200000000  # 2024-06-01T00:00Z


def site() -> Site:
    """Two wells that share nothing, a barologger and a gauge; the joins of ``site.toml`` are not the subject here."""
    logger = Logger(serial="2010143", since=date(2020, 1, 1), kind="vented", hung_below_mp_ft=Decimal(30))
    return Site.model_construct(
        permit=Permit.model_construct(number="1"),
        gauge=(Gauge(id="G-1", identifiers=("00999002",)),),
        rain_gauge=(),
        meter=(),
        barologger=(Barologger(id="B-1", serial="555"),),
        well=(
            Well(id="MW-1", use="monitoring", position=(0.0, 0.0), identifiers=("Sutton_PO22B",), logger=(logger,)),
            Well(id="MW-2", use="monitoring", position=(0.0, 0.0), clock="UTC-06:00"),
        ),
    )


def row(number: int = 2, **cells: Any) -> tuple[Any, ...]:
    said: dict[str, Any] = {
        "station": "MW-1", "parameter": "depth_to_water", "statistic": "instant", "series": "", "time_ms": DAY,
        "clock": "utc", "value": 10.0, "value_text": "10.0", "unit": "ft", "flags": "", "row": number,
    } | cells  # fmt: skip
    return tuple(said.values())


def arrive(*rows: tuple[Any, ...]) -> Arrival:
    return place(reading(*rows), site(), CHICAGO)


def reading(*rows: tuple[Any, ...]) -> Reading:
    return Reading("f.csv", "date-value", "0" * 64, None, None, tidy(rows), (), {})


def wall(text: str) -> int:
    hour, minute = text.split(":")
    return 1730592000000 + (int(hour) * 60 + int(minute)) * 60_000  # 2024-11-03, the night the clock goes back


def logged(*times: str, station: str = "MW-1") -> Arrival:
    return arrive(
        *(row(n, station=station, clock="naive", time_ms=wall(time), value=n) for n, time in enumerate(times, 2))
    )


def utc_hours(arrival: Arrival) -> list[float]:
    return [(ms - 1730592000000) / 3_600_000 for ms in arrival.frame["time_ms"]]


def test_names_ignore_case_and_serials_find_the_well() -> None:
    arrival = arrive(
        row(station="sutton_po22b"), row(station="old name", series="2010143:1"), row(station="x", series="555:1")
    )
    assert arrival.frame["station"].tolist() == ["MW-1", "MW-1", "B-1"]
    assert list(arrival.frame.columns) == COLUMNS


def test_a_stranger_is_one_reject_naming_the_known() -> None:
    arrival = arrive(row(2, station="MW-9", series="7:1"), row(3, station="MW-9", series="7:2"), row(4))
    (reject,) = arrival.rejects
    assert (reject.row, reject.raw) == (2, "MW-9")
    assert "MW-1" in reject.reason
    assert "2 rows" in reject.reason
    assert (len(arrival.frame), arrival.rows, arrival.rejected) == (1, 3, 2)


def test_a_name_and_a_serial_that_disagree_are_not_settled() -> None:
    arrival = arrive(row(station="MW-2", series="2010143:1"))
    assert len(arrival.frame) == 0
    assert "MW-1" in arrival.rejects[0].reason
    assert "MW-2" in arrival.rejects[0].reason


def test_both_passes_of_the_repeated_hour_in_order() -> None:
    arrival = logged("00:30", "01:00", "01:30", "01:00", "01:30", "02:00")
    assert utc_hours(arrival) == [5.5, 6, 6.5, 7, 7.5, 8]
    assert set(arrival.frame["clock"]) == {"utc"}


def test_one_pass_of_the_repeated_hour_is_refused() -> None:
    arrival = logged("00:30", "01:30", "02:00")
    assert utc_hours(arrival) == [5.5, 8]
    assert [(one.row, one.raw, one.reason) for one in arrival.rejects] == [
        (3, "2024-11-03T01:30:00", "the clock reading happened twice")
    ]


def test_a_station_on_standard_time_has_no_repeated_hour() -> None:
    arrival = logged("00:30", "01:30", "02:00", station="MW-2")
    assert utc_hours(arrival) == [6.5, 7.5, 8]


SUMMER = DAY + 37_800_000  # 10:30 on the wall, 1 June


def placed(format: str, well: Well, **cells: Any) -> list[float]:
    """UTC hours of that day at which a naive 10:30 is placed."""
    given = replace(reading(row(station=well.id, clock="naive", time_ms=SUMMER, **cells)), format=format)
    frame = place(given, Site.model_construct(well=(well,)), CHICAGO).frame
    return [(ms - DAY) / 3_600_000 for ms in frame["time_ms"]]


LOGGED = Well(id="MW-2", use="monitoring", position=(0.0, 0.0), clock="UTC-06:00")


@pytest.mark.parametrize(
    "format", ["lab-table", "mapped-table", "wqp-narrow-csv", "equis-edd", "hand-levels", "tape-sheet"]
)
def test_a_sampler_reads_civil_time_and_not_the_loggers_clock(format: str) -> None:
    """In June a watch in Wisconsin shows CDT, five hours behind UTC; the logger stays six behind."""
    assert placed(format, LOGGED) == [15.5]
    assert placed(format, LOGGED.model_copy(update={"sample_clock": "UTC-06:00"})) == [16.5]


def test_a_sample_in_a_table_of_readings_is_read_off_a_watch_too() -> None:
    assert placed("csv-table", LOGGED, flags=";sample=A1") == [15.5]
    assert placed("csv-table", LOGGED) == [16.5]
    assert placed("solinst-csv", LOGGED) == [16.5]


def test_samples_and_readings_of_one_table_keep_their_order() -> None:
    given = [
        row(n, station="MW-2", clock="naive", time_ms=SUMMER + n, flags=f";sample=A{n}" * (n % 2)) for n in (2, 3, 4)
    ]
    frame = place(replace(reading(*given), format="csv-table"), site(), CHICAGO).frame
    assert frame["row"].tolist() == [2, 3, 4]
    assert [(ms - DAY) // 3_600_000 for ms in frame["time_ms"]] == [16, 15, 16]


def test_a_sample_in_the_repeated_hour_is_refused() -> None:
    """01:30 of that night is two instants to a watch; to a logger on standard time it is one."""
    given = reading(row(station="MW-2", clock="naive", time_ms=wall("01:30"), flags=";sample=A1"))
    arrival = place(given, site(), CHICAGO)
    assert [one.reason for one in arrival.rejects] == ["the clock reading happened twice"]
    assert utc_hours(logged("01:30", station="MW-2")) == [7.5]


@pytest.mark.parametrize("clock", ["UTC+99:00", "Mars/Base"])
def test_a_stations_clock_that_is_no_zone_is_said(clock: str) -> None:
    well = Well(id="MW-1", use="monitoring", position=(0.0, 0.0), clock=clock)
    with pytest.raises(BadSite, match="unknown clock"):
        place(reading(row(clock="naive")), Site.model_construct(well=(well,)), CHICAGO)


def test_the_hour_the_spring_skips_is_refused() -> None:
    spring = 1710028800000 + int(2.5 * 3_600_000)  # 2024-03-10T02:30
    arrival = arrive(row(clock="naive", time_ms=spring), row(3, clock="naive", time_ms=spring + 3_600_000))
    assert [one.reason for one in arrival.rejects] == ["the clock skipped this reading"]
    assert arrival.frame["time_ms"].tolist() == [1710028800000 + int(8.5 * 3_600_000)]


def test_days_and_months_get_their_local_midnight() -> None:
    winter = 1704067200000
    arrival = arrive(row(clock="day"), row(3, clock="month", time_ms=winter))
    assert arrival.frame["time_ms"].tolist() == [DAY + 5 * 3_600_000, winter + 6 * 3_600_000]
    assert arrival.frame["clock"].tolist() == ["day", "month"]


@pytest.mark.parametrize(
    ("parameter", "unit", "text", "value", "converted"),
    [
        ("depth_to_water", "m", "3.048", 10.0, "10"),
        ("logger_level", "cm", "1919.32", 62.969816, None),
        ("water_temperature", "degF", "50.18", 10.1, "10.1"),
        ("arsenic", "mg/L", "0.0101", 10.1, "10.1"),
        ("barometric_pressure", "kPa", "101.325", 14.695949, None),
        ("meter_reading", "MG", "1.5", 1500000.0, "1500000"),
    ],
)
def test_units_are_converted_in_decimal(
    parameter: str, unit: str, text: str, value: float, converted: str | None
) -> None:
    arrival = arrive(row(parameter=parameter, unit=unit, value=float(text), value_text=text, flags="A"))
    (found,) = arrival.frame.to_dict("records")
    assert found["value"] == pytest.approx(value, rel=1e-7)
    assert float(found["value_text"]) == found["value"]
    assert converted is None or found["value_text"] == converted
    assert Flags.parse(found["flags"]) == Flags("A", (), {"raw": f"{text} {unit}"})


def test_limits_are_converted_with_the_value() -> None:
    flags = ":<;lod=0.0005;limit=0.0005;limit_is=lod;sample=IH1"
    arrival = arrive(row(parameter="arsenic", unit="mg/L", value=math.nan, value_text="<0.0005", flags=flags))
    (found,) = arrival.frame.to_dict("records")
    facts = Flags.parse(found["flags"]).facts
    assert (found["value_text"], facts["lod"], facts["limit"], facts["raw"]) == ("<0.5", "0.5", "0.5", "<0.0005 mg/L")
    assert math.isnan(found["value"])


def test_a_unit_of_another_quantity_is_one_reject() -> None:
    arrival = arrive(
        row(2, unit="1", parameter="discharge"), row(3, unit="1", parameter="discharge", time_ms=1), row(4)
    )
    assert ["2 rows left out" in one.reason for one in arrival.rejects] == [True]
    assert len(arrival.frame) == 1


def test_repeats_are_counted_and_disputes_are_refused() -> None:
    arrival = arrive(row(2), row(3), row(4, time_ms=1), row(5, time_ms=1, value=11.0, value_text="11.0"))
    assert (arrival.frame["row"].tolist(), arrival.duplicates, arrival.rejected) == ([2], 1, 2)
    assert [(one.row, one.raw) for one in arrival.rejects] == [(4, "10.0"), (5, "11.0")]


def test_one_value_under_two_approvals_is_a_dispute_too() -> None:
    arrival = arrive(row(2, flags="P"), row(3, flags="A"))
    assert (len(arrival.frame), {one.reason for one in arrival.rejects}) == (0, {f"{FLAGS}: 2024-06-01T00:00:00Z"})


def test_a_missing_value_has_no_raw_text() -> None:
    arrival = arrive(row(unit="m", value=math.nan, value_text="", flags=":Ice"))
    assert arrival.frame["flags"].tolist() == [":Ice"]


def test_rows_for_machines_know_no_nan() -> None:
    (said,) = as_rows(reading(row(value=math.nan, value_text="")))
    assert (said["time"], said["value"]) == ("2024-06-01T00:00:00Z", None)
    json.dumps(said, allow_nan=False)


def test_an_empty_reading_places_nothing() -> None:
    arrival = arrive()
    assert (list(arrival.frame.columns), arrival.rows) == (COLUMNS, 0)
    assert summarise(reading())["series"] == []


def series_of(rows: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    (series,) = summarise(reading(*rows))["series"]
    return dict(series)


def test_a_summary_counts_missing_apart_from_censored() -> None:
    lab = {"parameter": "arsenic", "unit": "ug/L", "clock": "day", "series": "01002"}
    found = series_of(
        [
            row(
                2, **lab, time_ms=DAY + 86_400_000, value=math.nan, value_text="<0.5", flags=":<;limit=0.5;limit_is=rl"
            ),
            row(3, **lab, time_ms=DAY, value=1.5, flags=":J;lod=0.5"),
            row(4, **lab, time_ms=DAY + 2 * 86_400_000, value=math.nan, value_text="", flags="P:Ice"),
        ]
    )
    assert (found["n"], found["n_missing"], found["n_censored"]) == (3, 1, 1)
    assert found["first"] == {"time": "2024-06-01", "value": 1.5, "value_text": "10.0", "qualifiers": "J"}
    assert (found["last"]["value"], found["last"]["qualifiers"]) == (None, "P:Ice")
    assert (found["min"], found["max"], found["qualifiers"]) == (1.5, 1.5, {"<": 1, "J": 1, "P:Ice": 1})


def test_times_print_what_is_known_of_the_zone() -> None:
    assert series_of([row()])["first"]["time"] == "2024-06-01T00:00:00Z"
    naive = series_of([row(clock="naive", time_ms=DAY + 1)])
    assert (naive["first"]["time"], naive["timezone"]) == ("2024-06-01T00:00:00.001", None)


def test_a_summary_is_strict_json(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("date,value\n2024-01-01,NA\n2024-01-02,x\n")
    said = json.loads(json.dumps(summarise(read(path)), allow_nan=False))
    assert said["series"][0]["min"] is None
    assert said["rejects"] == [
        {"file": "s.csv", "row": 3, "column": "value", "raw": "x", "reason": "not a number", "rows": 1}
    ]
    assert {"format", "sha256", "file", "timezone", "datum", "series", "rejects"} <= said.keys()
