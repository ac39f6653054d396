"""USGS field measurements and annual peaks: one visit or one peak, with what is said of it."""

import pandas as pd
import pytest

from ingest.rdb import measurements as rdb_measurements
from ingest.rdb import peaks as rdb_peaks
from ingest.reading import Parts, Source
from models.observation import Flags

PLAIN = ("site_no", "measurement_nu", "measurement_dt", "tz_cd", "q_meas_used_fg", "party_nm", "gage_height_va",
         "discharge_va", "measured_rating_diff", "gage_va_change", "control_type_cd", "discharge_cd")  # fmt: skip
EXPANDED = (*PLAIN, "chan_nu", "chan_name", "chan_discharge", "chan_width", "chan_loc_dist")
PEAKS = ("site_no", "peak_dt", "peak_tm", "peak_va", "peak_cd", "gage_ht", "gage_ht_cd", "year_last_pk", "ag_dt",
         "ag_tm", "ag_gage_ht", "ag_gage_ht_cd")  # fmt: skip


def rdb(names: tuple[str, ...], *rows: str) -> Source:
    head = "\t".join(("agency_cd", *names)) + "\n" + "\t".join(["5s"] * (len(names) + 1)) + "\n"
    return Source("field.rdb", head + "".join("USGS\t" + row.replace("|", "\t") + "\n" for row in rows))


def told(parts: Parts) -> list[tuple[str, ...]]:
    rows = parts.observations
    times = [pd.Timestamp(ms, unit="ms").isoformat() for ms in rows["time_ms"]]
    return list(zip(rows["parameter"], rows["statistic"], times, rows["clock"], rows["value_text"], strict=True))


def test_a_measurement_is_a_stage_and_a_discharge() -> None:
    row = "00999002|41|2024-05-01 10:15:00|CDT|Yes|PQ|3.10|12.4|Good|-0.02|Clear|MEAS"
    parts = rdb_measurements.parse(rdb(PLAIN, row, "00999002|42|2024-06-03||No|PQ||9.8|Poor||Ice|MEAS"))
    assert told(parts) == [
        ("stage", "instant", "2024-05-01T15:15:00", "utc", "3.10"),
        ("discharge", "instant", "2024-05-01T15:15:00", "utc", "12.4"),
        ("discharge", "instant", "2024-06-03T00:00:00", "day", "9.8"),
    ]
    assert set(parts.observations["series"]) == {"field"}
    assert parts.observations["unit"].tolist() == ["ft", "cfs", "cfs"]
    assert dict(Flags.parse(parts.observations["flags"][0]).facts) == {
        "measurement_nu": "41", "measured_rating_diff": "Good", "q_meas_used_fg": "Yes", "gage_va_change": "-0.02",
        "control_type_cd": "Clear", "discharge_cd": "MEAS", "by": "PQ",
    }  # fmt: skip
    assert (parts.timezone, parts.rejects, dict(parts.tables)) == ("CDT", (), {})


def test_channels_of_one_measurement_do_not_repeat_its_total() -> None:
    same = "00999002|41|2024-05-01||Yes|PQ|3.10|12.4|Good|||MEAS"
    parts = rdb_measurements.parse(rdb(EXPANDED, f"{same}|1|Main|10.0|20.5|", f"{same}|2|Side|2.4|6.0|12"))
    assert [(row[0], row[4]) for row in told(parts)] == [("stage", "3.10"), ("discharge", "12.4")]
    channels = parts.tables["channels"]
    assert channels[["row", "chan_name", "chan_discharge", "chan_loc_dist"]].to_numpy().tolist() == [
        [3, "Main", "10.0", ""], [4, "Side", "2.4", "12"],
    ]  # fmt: skip


def test_blanks_stripped_from_the_end_of_a_line_cost_nothing_but_a_cut_line_does() -> None:
    short = "00999002|41|2024-05-01||Yes|PQ|3.10|12.4|Good"
    whole = rdb(EXPANDED, short)
    assert len(rdb_measurements.parse(whole).observations) == 2
    cut = Source(whole.file, whole.text.removesuffix("\n"))
    parts = rdb_measurements.parse(cut)
    assert (len(parts.observations), [one.reason for one in parts.rejects]) == (0, ["truncated row"])
    parts = rdb_measurements.parse(rdb(EXPANDED, "00999002|41|2024-05-01||Yes|PQ|3.10"))
    assert (len(parts.observations), [one.reason for one in parts.rejects]) == (0, ["truncated row"])


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("1|41|2024-05-01 10:15|XST|Yes|PQ|3.10|12.4||||", "tz_cd"),
        ("1|41|2024-02-30||Yes|PQ|3.10|12.4||||", "measurement_dt"),
        ("1|41|2024-02-01 10:61|CST|Yes|PQ|3.10|12.4||||", "measurement_dt"),
        ("|41|2024-02-01||Yes|PQ|3.10|12.4||||", "site_no"),
    ],
)
def test_a_measurement_of_no_time_or_place_is_one_reject(row: str, column: str) -> None:
    parts = rdb_measurements.parse(rdb(PLAIN, row))
    assert (len(parts.observations), [(one.row, one.column) for one in parts.rejects]) == (0, [(3, column)])


def test_a_garbled_discharge_leaves_its_stage() -> None:
    parts = rdb_measurements.parse(rdb(PLAIN, "1|41|2024-02-01||Yes|PQ|3.10|12,4||||"))
    assert [row[0] for row in told(parts)] == ["stage"]
    assert [(one.column, one.raw) for one in parts.rejects] == [("discharge_va", "12,4")]


def test_annual_peaks_stand_for_what_their_date_names() -> None:
    rows = (
        "1|1922-00-00||510|7|||1898||||",
        "1|1978-04-00||480|1,6|6.90||||||",
        "1|2014-04-12|06:30|402|6|7.10|2||2014-01-20||8.05|1",
    )
    parts = rdb_peaks.parse(rdb(PEAKS, *rows))
    assert told(parts) == [
        ("discharge", "max", "1922-01-01T00:00:00", "year", "510"),
        ("discharge", "max", "1978-04-01T00:00:00", "month", "480"),
        ("stage", "max", "1978-04-01T00:00:00", "month", "6.90"),
        ("discharge", "max", "2014-04-12T06:30:00", "naive", "402"),
        ("stage", "instant", "2014-04-12T06:30:00", "naive", "7.10"),
        ("stage", "max", "2014-01-20T00:00:00", "day", "8.05"),
    ]
    assert parts.observations["flags"].tolist() == [":7;year_last_pk=1898", ":1,6", "", ":6", ":2", ":1"]
    assert parts.observations["series"].tolist() == ["peak"] * 5 + ["annual"]
    assert parts.rejects == ()


@pytest.mark.parametrize("day", ["2013-00-07", "2013-13-00", "2013", "13-04-00", ""])
def test_a_peak_of_no_date_is_a_reject(day: str) -> None:
    parts = rdb_peaks.parse(rdb(PEAKS, f"1|{day}||510||||||||"))
    assert (len(parts.observations), [(one.column, one.raw) for one in parts.rejects]) == (0, [("peak_dt", day)])


def test_content_tells_measurements_from_peaks() -> None:
    texts = [rdb(names).text for names in (PLAIN, EXPANDED, PEAKS)]
    assert [rdb_measurements.sniff(text) for text in texts] == [True, True, False]
    assert [rdb_peaks.sniff(text) for text in texts] == [False, False, True]
