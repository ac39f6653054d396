"""Public bug reports of other programs, restated: each comes out right here, through command line and store.

A folder of ``tests/data/cases`` holds the input, what is right (``checks``) and what went wrong elsewhere (``traps``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from ingest.formats import FORMATS, read
from ingest.local_time import midnights
from ingest.reading import DATE_ORDERS, Told
from models.errors import BadFile
from models.parameters import parameter
from models.streamflow.daily_mean import daily_means
from models.units import convert
from pipelines import cli, observations, schema
from pipelines.database import opened, reading
from pipelines.recall import midnight_ms

CASES = Path(__file__).parent / "data" / "cases"
ZONE = ZoneInfo("America/Chicago")
SITE = """
id = "cases"
name = "A made-up site for restated bug reports"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "made up"
boundary = [[158000.0, 164400.0], [159600.0, 164400.0], [159600.0, 167040.0], [158000.0, 167040.0]]
party = [{id = "op", role = "operator", name = "Example operator"}, {id = "town", role = "town", name = "Example"}]

[permit]
number = "1"
granted = 2020-01-01
ends = 2030-01-01
mining_began = 2021-01-01
holders = [{party = "op", since = 2020-01-01}]

[[gauge]]
id = "04999001"
role = "reference"

[[gauge]]
id = "00999002"
role = "reference"

[[gauge]]
id = "UTC-1"
clock = "UTC+00:00"
role = "reference"

[[well]]
id = "W-231"
use = "monitoring"
position = [158100.0, 164500.0]

[[well]]
id = "W-254"
use = "monitoring"
position = [158200.0, 164500.0]
"""

Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with two gauges, one on UTC, and two wells; nothing is stored yet."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "site.toml").write_text(SITE, encoding="utf-8")
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """One command: exit code, its JSON, its error output."""

    def command(*arguments: object) -> tuple[int, Any, str]:
        capfd.readouterr()
        code = cli.run([str(one) for one in (*arguments, "--json")])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return code, json.loads(out) if out.strip() else None, err

    return command


@pytest.fixture
def ingest(run: Run, site: Path) -> Run:
    """Store a case's file at the site: exit code, receipt, error output."""

    def command(case: str, name: str = "input.csv", *more: str) -> tuple[int, Any, str]:
        code, receipts, err = run("ingest", CASES / case / name, "--site", site, *more)
        assert receipts, err
        (receipt,) = receipts
        return code, receipt, err

    return command


def expected(case: str) -> dict[str, Any]:
    checks = json.loads((CASES / case / "expected.json").read_text("utf-8"))["checks"]
    return {one["name"]: one["value"] for one in checks}


def stored(site: Path, known_at: int | None = None) -> pd.DataFrame:
    """Everything in the store as known at an instant, with ``at``, its time as text."""
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine, reading(engine) as connection:
        rows = observations.read(connection, known_at=known_at)
    return rows.assign(at=[utc(ms) for ms in rows["time_ms"]])


def versions(site: Path) -> pd.DataFrame:
    """Every version of every observation, oldest first."""
    with opened(f"sqlite:///{site / 'headwater.db'}") as engine, reading(engine) as connection:
        found = connection.execute(schema.observation.select().order_by(schema.observation.c.known_at))
        return pd.DataFrame(found.all(), columns=list(found.keys()))


def utc(ms: float) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"


def day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, ZONE).date().isoformat()


def test_every_case_that_is_kept_is_asked_for() -> None:
    """A folder nobody tests would look like one that passes."""
    text = "".join(one.read_text("utf-8") for one in Path(__file__).parent.glob("test_*.py"))
    assert [one.name for one in CASES.iterdir() if one.name not in text] == []


# Identity ------------------------------------------------------------------------------------------------------------


def test_id_01_station_numbers_and_codes_are_text(ingest: Run, run: Run, site: Path) -> None:
    right = expected("ID-01")
    code, receipt, _ = ingest("ID-01")
    assert (code, receipt["accepted"]) == (0, right["rows stored"])
    rows = stored(site)
    assert sorted(set(rows["station"])) == right["stations"]
    codes = [parameter(one).usgs_codes[0] for one in rows["parameter"]]
    assert sorted(set(codes)) == right["parameter codes"]
    exported = export(rows.assign(parameter=codes))
    assert exported[1].startswith(right["re-exported first data row starts with"])
    code, said, _ = run("read", CASES / "ID-01" / "input.csv")
    assert [one["station"] for one in said["series"]] == ["04999001", "04999001", "00999002"]


def export(rows: pd.DataFrame) -> list[str]:
    """Stored rows as csv, in the order of their file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["site_no", "parameter_cd", "datetime_utc", "value"])
    ordered = rows.sort_values("source_row")
    writer.writerows(ordered[["station", "parameter", "at", "value_text"]].itertuples(index=False, name=None))
    return text.getvalue().splitlines()


def test_id_01_a_code_that_lost_its_zeros_is_no_code(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shortened.csv"
    path.write_text("site_no,parameter_cd,datetime_utc,value,unit\n4999001,60,2024-05-01T06:00:00Z,118,ft3/s\n")
    _, said, _ = run("read", path)
    assert (said["series"][0]["station"], said["series"][0]["parameter"]) == ("4999001", "name:60")


def test_id_05_two_sensors_are_two_series(ingest: Run, run: Run, site: Path) -> None:
    right = expected("ID-05")
    code, receipt, _ = ingest("ID-05")
    rows = stored(site)
    by_sensor = {str(name): one for name, one in rows.groupby("series")}
    assert (code, len(by_sensor)) == (0, right["number of series"])
    assert by_sensor["B2"]["value"].iloc[-1] == right["latest value B2"]
    assert day(by_sensor["A1"]["time_ms"].iloc[-1]) == right["last date A1"]
    that_day = rows[[day(ms) == "2003-09-29" for ms in rows["time_ms"]]]
    kept = dict(zip(that_day["series"], that_day["value"], strict=True))
    assert kept == right["2003-09-29 values kept separately"]
    says = "04999001 discharge mean: series A1 and B2 both cover 2003-09-29 to 2003-09-30; both are kept"
    assert receipt["note"].startswith(says)
    assert run("read", CASES / "ID-05" / "input.csv")[1]["overlaps"][0].startswith(says)


def test_id_05_a_check_chooses_neither_unless_the_site_says(ingest: Run, run: Run, site: Path) -> None:
    """Neither 105 nor the last one, nor 102 as the latest: a day on which two sensors differ has no value."""
    ingest("ID-05")
    command = ("shortfall", "04999001", "--base-flow", "150", "--days", "0", "--site", site)
    _, undecided, _ = run(*command)
    (spell,) = [one for one in undecided["spells"] if one["start"] == "2024-05-01"]
    assert spell["known_below_days"] == 1
    assert [one["known_below_days"] for one in undecided["spells"] if one["start"] < "2004"] == []
    name_first(site, "B2", "A1")
    _, decided, _ = run(*command)
    assert [one["known_below_days"] for one in decided["spells"]] == [2, 1]
    assert {one["base"]: below(run, site, one["base"]) for one in [{"base": "105"}, {"base": "111"}]} == {
        "105": [],
        "111": ["2003-09-29"],
    }
    name_first(site, "A1", "B2")
    assert below(run, site, "105") == ["2003-09-29"]


def name_first(site: Path, *sensors: str) -> None:
    text = SITE.replace('id = "04999001"', f'id = "04999001"\nsensors = {json.dumps(sensors)}')
    (site / "site.toml").write_text(text, encoding="utf-8")


def below(run: Run, site: Path, base_flow: str) -> list[str]:
    """First days of the spells of 2003 below a base flow."""
    _, found, _ = run("shortfall", "04999001", "--base-flow", base_flow, "--days", "0", "--site", site)
    return [one["start"] for one in found["spells"] if one["start"] < "2004"]


def test_id_06_a_name_is_a_label(ingest: Run, site: Path) -> None:
    right = expected("ID-06")
    code, _, _ = ingest("ID-06")
    rows = stored(site)
    assert (code, rows["station"].nunique()) == (0, right["wells"])
    latest = rows.groupby("station")["value"].last().to_dict()
    assert latest == right["latest per well"]
    assert "well_name" in read(CASES / "ID-06" / "input.csv").facts["columns_not_read"]


# Time ----------------------------------------------------------------------------------------------------------------


def test_ts_01_a_local_day_begins_by_the_offset_of_that_day() -> None:
    right = expected("TS-01")
    asked = json.loads((CASES / "TS-01" / "input.json").read_text("utf-8"))
    zone = ZoneInfo(asked["timezone"])
    hours = []
    for text in asked["local_days"]:
        one = date.fromisoformat(text)
        bounds = [midnight_ms(one + timedelta(days=n), zone) for n in (0, 1)]
        assert [utc(ms) for ms in bounds] == right[text]
        civil = pd.Series(pd.to_datetime([one, one + timedelta(days=1)])).astype("datetime64[ms]").astype("int64")
        assert midnights(civil.to_numpy(), zone).tolist() == bounds
        hours.append((bounds[1] - bounds[0]) // 3_600_000)
    assert hours == right["hours"]


def test_ts_02_a_repeated_hour_is_told_apart_by_its_order(ingest: Run, site: Path) -> None:
    right = expected("TS-02")
    code, receipt, _ = ingest("TS-02", "input.csv", "--station", "04999001")
    rows = stored(site)
    assert (code, receipt["accepted"]) == (0, right["input.csv rows stored"])
    assert rows["at"].tolist() == right["input.csv UTC times"]
    assert rows["value_text"].tolist() == ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15"]


def test_ts_02_what_the_order_cannot_tell_is_refused(ingest: Run, run: Run, site: Path) -> None:
    right = expected("TS-02")
    code, receipt, _ = ingest("TS-02", "input_ambiguous.csv", "--station", "04999001")
    assert (code, receipt["rejected"]) == (3, 1)
    assert stored(site)["at"].tolist() == right["input_ambiguous.csv certain rows"]
    assert right["input_ambiguous.csv 01:30 row"].startswith("flagged ambiguous")
    (reject,) = run("rejects", "--site", site)[1]
    assert (reject["row"], reject["raw"]) == (3, "2024-11-03T01:30:00")
    assert "twice" in reject["reason"]


@pytest.mark.parametrize(
    "times",
    [
        ["02:00", "01:30", "01:00", "00:30"],  # newest first: the step back is no change of clocks
        ["02:00", "01:00", "01:00", "00:00"],
        ["03:00", "02:00", "01:30", "01:00", "00:30", "04:00"],
        ["01:30", "01:00"],
        ["00:30", "01:00", "01:00", "02:00"],
        ["00:30", "01:00", "01:00", "01:30", "02:00"],  # one reading written twice, or two passes with holes
    ],
)
def test_an_order_that_proves_nothing_settles_no_repeated_hour(
    run: Run, site: Path, tmp_path: Path, times: list[str]
) -> None:
    rows = [f"2024-11-03 {time},{number}" for number, time in enumerate(times)]
    (tmp_path / "a.csv").write_text("\n".join(["local_time,stage_ft", *rows]) + "\n")
    run("ingest", tmp_path / "a.csv", "--station", "04999001", "--site", site)
    doubtful = sum(time.startswith("01") for time in times)
    assert len(stored(site)) == len(times) - doubtful


def test_an_hourly_logger_reads_one_time_twice(run: Run, site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "local_time,stage_ft\n" + "".join(f"2024-11-03 0{h}:00,{h}\n" for h in (0, 1, 1, 2))
    )
    run("ingest", tmp_path / "a.csv", "--station", "04999001", "--site", site)
    assert [at[11:16] for at in stored(site)["at"]] == ["05:00", "06:00", "07:00", "08:00"]


def test_ts_04_a_written_offset_wins(ingest: Run, run: Run, site: Path) -> None:
    right = expected("TS-04")
    told = ("--station", "04999001", "--parameter", "stage", "--unit", "ft")
    code, receipt, _ = ingest("TS-04", "input.csv", *told)
    assert (code, receipt["accepted"], receipt["rejected"]) == (3, 1, 2)
    assert stored(site)["at"].tolist() == right["UTC times"][:1]
    assert right["rows 2 and 3"].startswith("same instant with different values")
    rejects = run("rejects", "--site", site)[1]
    assert [(one["row"], one["raw"]) for one in rejects] == [(3, "2.0"), (4, "3.0")]
    assert {one["reason"] for one in rejects} == {f"two different values for the same instant: {right['UTC times'][1]}"}


def test_ts_05_one_value_over_12_settles_the_column(run: Run) -> None:
    right = expected("TS-05")
    code, said, _ = run("read", CASES / "TS-05" / "input_dmy.csv")
    assert said["series"][0]["first"]["time"] == right["input_dmy.csv dates"][0]
    rows = read(CASES / "TS-05" / "input_dmy.csv").observations
    assert code == 0
    assert [utc(ms)[:10] for ms in rows["time_ms"]] == right["input_dmy.csv dates"]


def test_ts_05_nothing_decides_so_somebody_must(ingest: Run, run: Run, site: Path) -> None:
    assert expected("TS-05")["input_unknown.csv"].endswith("imports nothing")
    code, receipt, err = ingest("TS-05", "input_unknown.csv", "--station", "W-231")
    assert (code, receipt["accepted"]) == (2, 0)
    assert "--date-order" in err
    assert stored(site).empty
    code, receipt, _ = ingest("TS-05", "input_unknown.csv", "--station", "W-231", "--date-order", "dmy")
    assert (code, receipt["accepted"], receipt["error"]) == (0, 2, "")
    assert [day(ms) for ms in stored(site)["time_ms"]] == ["2024-02-05", "2024-04-09"]
    assert run("rejects", "--site", site)[1] == []
    assert ingest("TS-05", "input_unknown.csv", "--station", "W-231", "--date-order", "dmy")[0] == 0


def test_ts_05_contradictory_dates_are_refused_naming_the_rows(ingest: Run, site: Path) -> None:
    assert expected("TS-05")["input_mixed.csv"].startswith("rejected: contradictory dates (rows 1 and 2)")
    code, receipt, err = ingest("TS-05", "input_mixed.csv", "--station", "W-231")
    assert (code, receipt["accepted"]) == (2, 0)
    assert "contradictory dates: row 2 can only be dmy, row 3 can only be mdy" in err  # the header is row 1
    assert stored(site).empty


@pytest.mark.parametrize("order", DATE_ORDERS)
def test_an_order_that_the_dates_rule_out_is_refused(order: Any) -> None:
    if order == "dmy":
        assert len(read(CASES / "TS-05" / "input_dmy.csv", told=Told(order)).observations) == 4
    else:
        with pytest.raises(BadFile, match="contradictory"):
            read(CASES / "TS-05" / "input_dmy.csv", told=Told(order))


def test_ts_06_the_end_of_a_day_is_the_start_of_the_next(ingest: Run, run: Run, site: Path) -> None:
    right = expected("TS-06")
    code, receipt, _ = ingest("TS-06", "input.csv", "--station", "UTC-1")
    rows = stored(site)
    assert (code, receipt["accepted"], receipt["rejected"]) == (3, 4, 1)
    assert rows["at"].tolist() == right["UTC times"]
    assert rows["value"].tolist() == [10, 11, 12, 13]
    assert right["row 5"].startswith("rejected, reason given")
    (reject,) = run("rejects", "--site", site)[1]
    assert (reject["row"], reject["column"], reject["raw"]) == (6, "time", "24:15")  # the fifth below the header
    assert reject["reason"]


# Missing values ------------------------------------------------------------------------------------------------------


def test_miss_01_sentinels_are_missing_before_anything_is_computed(ingest: Run, site: Path) -> None:
    right = expected("MISS-01")
    code, receipt, _ = ingest("MISS-01")
    assert (code, receipt["accepted"]) == (0, 7)
    rows = stored(site)
    valid = rows[rows["value"].notna()]
    assert len(valid) == right["valid values"]
    assert [at[:10] for at in rows[rows["value"].isna()]["at"]] == right["missing days"]
    assert valid["value"].mean() == pytest.approx(right["mean ft3/s"], abs=1e-6)
    metric = [float(convert(Decimal(text), "cfs", "m3/s")) for text in valid["value_text"]]
    assert sum(metric) / len(metric) == pytest.approx(right["mean m3/s"], abs=1e-6)
    assert min(metric) == pytest.approx(right["minimum m3/s"], abs=1e-6)
    assert [flags for flags in rows["flags"] if "9999" in flags] == ["P:Ice,-999999", "P:-9999"]


def test_miss_01_no_alert_comes_of_a_sentinel(run: Run, tmp_path: Path) -> None:
    """The same values as daily means, below 0.5 m3/s: only the real reverse flow could count, and it is no flow."""
    right = expected("MISS-01")
    text = (CASES / "MISS-01" / "input.csv").read_text("utf-8")
    (tmp_path / "daily.csv").write_text(text.replace("datetime_utc", "date").replace("T00:00:00Z", ""))
    base_flow = convert(Decimal("0.5"), "m3/s", "cfs")
    _, found, _ = run("shortfall", tmp_path / "daily.csv", "--base-flow", base_flow, "--days", "0")
    assert sum(one["known_below_days"] for one in found["spells"]) == right["alerts caused by sentinels"]
    _, found, _ = run("shortfall", tmp_path / "daily.csv", "--base-flow", "103", "--days", "0")
    assert sum(one["known_below_days"] for one in found["spells"]) == 3, "100, 102 and 98 are below 103"


@pytest.mark.parametrize("text", ["-999", "-9999", "-99999", "-999999", "-999999.00", "-99.99", "-9999.99"])
def test_every_known_sentinel_is_missing_and_keeps_its_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"site_no,datetime_utc,stage_ft\n04999001,2024-01-05T00:00:00Z,{text}\n")
    (row,) = read(path).observations.to_dict("records")
    assert (row["value"] != row["value"], row["value_text"], row["flags"]) == (True, "", f":{text}")


def test_miss_04_a_thin_day_has_no_mean(ingest: Run, site: Path) -> None:
    """Days in UTC, 6-hour data, three of four values at least."""
    right = expected("MISS-04")
    ingest("MISS-04", "input.csv", "--station", "UTC-1")
    rows = stored(site)
    means = daily_means(rows["time_ms"], rows["value"], UTC, interval_ms=6 * 3_600_000)
    said = {one.day.isoformat(): one.mean if one.coverage >= Decimal("0.75") else None for one in means}
    assert said == {"2024-04-01": right["2024-04-01"], "2024-04-02": None, "2024-04-03": right["2024-04-03"]}
    assert right["2024-04-02"] == f"no daily mean ({means[1].n} of 4)"
    valid = [one for one in said.values() if one is not None]
    assert sum(valid) / len(valid) == pytest.approx(right["mean of valid daily means"], abs=1e-9)


def test_miss_04_no_thin_day_is_judged(run: Run) -> None:
    """Six hours between readings are no daily record here (holes over 4 h): nothing is known, and 90 never a value."""
    _, found, _ = run(
        "shortfall", CASES / "MISS-04" / "input.csv", "--base-flow", "100", "--days", "0", "--zone", "UTC"
    )
    assert [one for one in found["spells"] if one["verdict"] == "attained"] == []


# Storage -------------------------------------------------------------------------------------------------------------


def test_db_01_loading_again_changes_nothing(ingest: Run, site: Path) -> None:
    right = expected("DB-01")
    codes = [ingest("DB-01")[0] for _ in range(3)]
    assert codes == [0, 0, 0]
    assert len(stored(site)) == right["rows after 3 loads"]
    assert len(versions(site)) - len(stored(site)) == right["history entries"]


def test_db_01_nor_does_another_file_with_the_same_rows(run: Run, site: Path, tmp_path: Path) -> None:
    """Another name and other bytes: rows are told by station, series and instant."""
    text = (CASES / "DB-01" / "input.csv").read_text("utf-8")
    for number in range(3):
        path = tmp_path / f"{number}.csv"
        path.write_text(text + "\n" * number)
        (receipt,) = run("ingest", path, "--site", site)[1]
        assert (receipt["accepted"], receipt["duplicate"]) == ((2, 0) if number == 0 else (0, 2))
    assert (len(stored(site)), len(versions(site))) == (2, 2)


def test_db_03_an_overlap_adds_what_is_new_and_keeps_what_it_corrects(ingest: Run, site: Path) -> None:
    right = expected("DB-03")
    told = ("--station", "04999001", "--parameter", "00065", "--unit", "ft")
    assert ingest("DB-03", "first.csv", *told)[1]["accepted"] == 3
    _, receipt, _ = ingest("DB-03", "second.csv", *told)
    assert (receipt["accepted"], receipt["duplicate"], receipt["revised"]) == (2, 1, 1)
    rows = stored(site)
    assert len(rows) == right["rows after both"]
    two = rows[rows["at"] == "2024-05-01T02:00:00Z"]
    assert two["value"].tolist() == [right["value 02:00"]]
    history = versions(site)
    assert history[history["time_ms"] == two["time_ms"].iloc[0]]["value"].tolist() == right["history of 02:00"]


def test_what_nobody_names_is_refused_with_what_to_say(ingest: Run, run: Run, site: Path) -> None:
    """DB-03 names neither station nor parameter: nothing is guessed."""
    code, receipt, _ = ingest("DB-03", "first.csv")
    assert (code, receipt["accepted"]) == (3, 0)
    assert "--station" in receipt["first_reject"]
    ingest("DB-03", "second.csv", "--station", "04999001")
    assert "--parameter" in run("rejects", "--file", "second.csv", "--site", site)[1][0]["reason"]


# The plain table -----------------------------------------------------------------------------------------------------


def table(tmp_path: Path, *lines: str, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def times(path: Path, **told: Any) -> Iterator[tuple[str, str]]:
    rows = read(path, told=Told(**told)).observations
    yield from zip([utc(ms) for ms in rows["time_ms"]], rows["clock"], strict=True)


@pytest.mark.parametrize(
    ("header", "row", "at", "clock"),
    [
        ("datetime,stage_ft", "2024-07-01T06:00:00-05:00,1", "2024-07-01T11:00:00Z", "utc"),
        ("datetime_utc,stage_ft", "2024-07-01T06:00:00-05:00,1", "2024-07-01T11:00:00Z", "utc"),
        ("datetime,tz_cd,stage_ft", "2024-07-01 06:00,CDT,1", "2024-07-01T11:00:00Z", "utc"),
        ("datetime,tz_cd,stage_ft", "2024-07-01 06:00 CST,CDT,1", "2024-07-01T12:00:00Z", "utc"),
        ("datetime,utc_offset,stage_ft", "2024-07-01 06:00,-06:00,1", "2024-07-01T12:00:00Z", "utc"),
        ("Date Time (UTC-06:00),Stage (ft)", "7/1/2024 1:00 PM,1", "2024-07-01T19:00:00Z", "utc"),
        ("datetime_cst,stage_ft", "2024-07-01 12:30 AM,1", "2024-07-01T06:30:00Z", "utc"),
        ("local_time,stage_ft", "2024-07-01 24:00:00,1", "2024-07-02T00:00:00Z", "naive"),
        ("date,time,stage_ft", "2024-07-01,,1", "2024-07-01T00:00:00Z", "day"),
    ],
)
def test_the_nearest_word_on_the_zone_wins(tmp_path: Path, header: str, row: str, at: str, clock: str) -> None:
    assert list(times(table(tmp_path, header, row), date_order="mdy" if "/" in row else None)) == [(at, clock)]


def test_a_files_header_speaks_before_the_stations_clock(run: Run, site: Path, tmp_path: Path) -> None:
    """UTC-1 keeps UTC; the file says otherwise, with a clock that changes: both passes of 01:00 come out."""
    rows = [f"2024-11-03 {time},{number}" for number, time in enumerate(["00:00", "01:00", "01:00", "02:00"])]
    path = table(tmp_path, "# time zone: America/Chicago", "local_time,stage_ft", *rows)
    run("ingest", path, "--station", "UTC-1", "--site", site)
    hours = [at[11:16] for at in stored(site)["at"]]
    assert hours == ["05:00", "06:00", "07:00", "08:00"]


def test_codes_that_switch_inside_a_file_tell_the_repeated_hour(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "datetime,tz_cd,stage_ft",
        "2024-11-03 01:30,EDT,1",
        "2024-11-03 01:30,EST,2",
        "2024-11-03 02:30,EST,3",
    )
    hours = [at[11:16] for at, _ in times(path)]
    assert hours == ["05:30", "06:30", "07:30"]


def test_a_year_in_front_needs_no_order_and_bears_none_beside_it(tmp_path: Path) -> None:
    iso = table(tmp_path, "date,stage_ft", "2024-05-02,1")
    assert [at[:10] for at, _ in times(iso, date_order="dmy")] == ["2024-05-02"]
    with pytest.raises(BadFile, match="row 2 can only be ymd, row 3 can only be mdy"):
        read(table(tmp_path, "date,stage_ft", "2024-05-02,1", "05/13/2024,1"))


@pytest.mark.parametrize("header", ["a_" * 40_000, "x," * 40_000, "date," + "stage_" * 9_000 + "ft"])
def test_a_monstrous_header_is_no_table(header: str) -> None:
    assert not FORMATS["csv-table"].sniff(header + "\n1\n")


def test_one_bad_cell_costs_one_value(tmp_path: Path) -> None:
    path = table(
        tmp_path,
        "site_no,datetime_utc,stage_ft,discharge_ft3s,qualifier",
        "1,2024-07-01T00:00Z,1.5,x,A",
        "1,2024-07-01T00:15Z,,2.5,P e",
        "1,2024-13-01T00:30Z,1.5,2.5,A",
    )
    found = read(path)
    rows = found.observations
    assert [(row["parameter"], row["value"], row["flags"]) for row in rows.to_dict("records")] == [
        ("stage", 1.5, "A"), ("stage", pytest.approx(float("nan"), nan_ok=True), "P:e"), ("discharge", 2.5, "P:e"),
    ]  # fmt: skip
    assert [(one.row, one.column) for one in found.rejects] == [(2, "discharge_ft3s"), (4, "datetime_utc")]


def test_nitrate_is_as_nitrogen_only_where_the_column_says_so(tmp_path: Path) -> None:
    as_n = table(tmp_path, "station,date,nitrate_mg_l_n", "W,2024-06-23,6.0")
    assert read(as_n).observations["parameter"].tolist() == ["nitrate_as_n"]
    unsaid = table(tmp_path, "station,date,nitrate_mg_l", "W,2024-06-23,6.0")
    with pytest.raises(BadFile):
        read(unsaid)


def test_a_value_without_a_unit_is_asked_for_one(tmp_path: Path) -> None:
    path = table(tmp_path, "station,parameter,date,value", "W,arsenic,2024-06-23,6.0")
    found = read(path)
    assert (len(found.observations), found.rejects[0].reason) == (0, "no unit; say which with --unit")
    assert read(path, told=Told(unit="ug/L")).observations["unit"].tolist() == ["ug/L"]


def test_no_other_format_is_taken_for_a_plain_table(shared: Path) -> None:
    """Not one sample of a maker's file is read by its headings alone."""
    files = [
        path for path in (shared / "samples").rglob("*") if path.suffix.lower() in {".csv", ".txt", ".tsv", ".rdb"}
    ]
    heads = [path.read_bytes()[:200_000].decode("latin-1").replace("\r\n", "\n") for path in files]
    assert files
    assert [path.name for path, head in zip(files, heads, strict=True) if FORMATS["csv-table"].sniff(head)] == []
