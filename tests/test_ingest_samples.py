"""Real makers' files and restated public bug reports, against what their manifests say must be found."""

import csv
import json
import re
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from ingest.arrival import place
from ingest.formats import read
from ingest.reading import Reading
from ingest.summary import summarise
from models.site import Site, Well
from models.units import factor

SHARED = Path(__file__).parents[2] / "shared"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")


def manifest(format: str) -> dict[str, str]:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        rows = [row for row in csv.DictReader(handle, delimiter="\t") if row["format"] == format]
    return {row["path"]: row["checked_facts"] for row in rows}


def sample(path: str) -> Reading:
    return read(SHARED / "samples" / path)


def series(reading: Reading) -> dict[str, dict[str, Any]]:
    return {one["series"] or one["parameter"]: one for one in summarise(reading)["series"]}


def case(name: str, file: str) -> tuple[Path, dict[str, Any]]:
    folder = SHARED / "cases" / name
    checks = json.loads((folder / "expected.json").read_text())["checks"]
    return folder / file, {check["name"]: check["value"] for check in checks}


RDB_FACT = re.compile(
    r"(?P<id>\d+)_[\d_]+: numeric=(?P<n>\d+) .*?first=(?P<day>[\d-]+)[^|]*\|(?P<first>\S+) last=[^|]+\|(?P<last>\S+)"
    r" min=(?P<min>\S+) max=(?P<max>\S+) codes=(?P<codes>\{[^}]*\})"
)


@pytest.mark.parametrize("format", ["nwis-rdb-dv", "nwis-rdb-uv"])
def test_rdb_samples(format: str) -> None:
    for path, facts in manifest(format).items():
        reading = sample(path)
        found = series(reading)
        assert reading.format == format
        assert f"sites=['{next(iter(found.values()))['station']}']" in facts
        for fact in RDB_FACT.finditer(facts):
            assert_series(found[fact["id"]], fact)


def assert_series(found: dict[str, Any], fact: re.Match[str]) -> None:
    codes = {code: n for code, n in json.loads(fact["codes"].replace("'", '"')).items() if code}
    assert (found["n"], found["n_missing"]) == (int(fact["n"]), 0)
    assert (found["first"]["value_text"], found["last"]["value_text"]) == (fact["first"], fact["last"])
    assert (found["min"], found["max"]) == (float(fact["min"]), float(fact["max"]))
    assert found["qualifiers"] == codes


def test_rdb_unit_values_across_the_clock_change() -> None:
    (path,) = [path for path in manifest("nwis-rdb-uv") if "4param" in path]
    stage = series(sample(path))["07"]
    assert (stage["first"]["time"], stage["last"]["time"]) == ("2014-01-29T00:45:00Z", "2014-03-13T19:30:00Z")
    rows = sample(path).observations
    steps = rows[rows["series"] == "07"]["time_ms"].diff().dropna()
    assert (steps.mode()[0], (steps <= 0).sum()) == (900_000, 0)


def test_the_parameter_not_in_the_vocabulary_is_kept_under_its_code() -> None:
    (path,) = [path for path in manifest("nwis-rdb-dv") if "yahara" in path]
    load = series(sample(path))["325237"]
    assert (load["parameter"], load["unit"], load["n"], sample(path).rejects) == ("usgs:91050", "", 3702, ())


def test_groundwater_level_sample() -> None:
    (path,) = manifest("nwis-rdb-gwlevels")
    rows = sample(path).observations
    assert (len(rows), rows["station"].nunique(), sample(path).rejects) == (1277, 43, ())
    assert rows["parameter"].value_counts().to_dict() == {
        "depth_to_water": 744, "depth_below_mp": 289, "water_elevation_ngvd29": 160, "water_elevation_navd88": 84,
    }  # fmt: skip
    assert len(rows.drop_duplicates([name for name in rows.columns if name != "row"])) == 1027
    first, last = rows.iloc[0], rows.iloc[-1]
    assert (first["station"], first["value_text"], first["clock"]) == ("381547105400301", "36.77", "utc")
    assert pd.Timestamp(first["time_ms"], unit="ms").isoformat() == "2018-01-12T14:50:00"
    assert (last["station"], last["value_text"], last["clock"]) == ("402231107111636", "7452.47", "day")
    assert pd.Timestamp(last["time_ms"], unit="ms").isoformat() == "1983-08-25T00:00:00"
    assert rows["flags"].str.extract("lev_meth_cd=(.)")[0].value_counts().to_dict() == {"S": 418, "V": 72, "F": 10}


def test_measurement_sample() -> None:
    (path,) = manifest("nwis-rdb-measurements")
    reading = sample(path)
    stage, discharge = summarise(reading)["series"]
    assert (stage["parameter"], stage["unit"], discharge["parameter"], discharge["unit"]) == (
        "stage", "ft", "discharge", "cfs",
    )  # fmt: skip
    ends = [(one["n"], one["first"]["value_text"], one["last"]["value_text"]) for one in (stage, discharge)]
    assert ends == [(9, "3.66", "5.08"), (9, "299", "1380")]
    assert (stage["first"]["time"], stage["last"]["time"], discharge["max"]) == ("1955-09-29", "1956-04-23", 6750.0)
    flows = reading.observations[reading.observations["parameter"] == "discharge"]
    rated = flows["flags"].str.extract("measured_rating_diff=([A-Za-z]+)")[0]
    assert rated.value_counts().to_dict() == {"Good": 7, "Unspecified": 2}
    channels = reading.tables["channels"]
    assert (len(channels.columns), (channels["chan_width"] != "").sum(), reading.rejects) == (33, 1, ())


def test_site_sample() -> None:
    (path,) = manifest("nwis-rdb-site")
    reading = sample(path)
    names = ["site_no", "station_nm", "site_tp_cd", "dec_lat_va", "dec_long_va", "dec_coord_datum_cd", "alt_va"]
    names += ["alt_datum_cd", "huc_cd"]
    assert reading.tables["sites"][names].to_numpy().tolist() == [
        ["01491000", "CHOPTANK RIVER NEAR GREENSBORO, MD", "ST", "38.99719444", "-75.7858056", "NAD83", "2.73",
         "NAVD88", "02060005"],
        ["01645000", "SENECA CREEK AT DAWSONVILLE, MD", "ST", "39.1280833", "-77.33577778", "NAD83", "213.31",
         "NAVD88", "02070008"],
    ]  # fmt: skip
    assert (len(reading.observations), reading.rejects) == (0, ())


def test_rating_sample() -> None:
    (path,) = manifest("nwis-rdb-rating")
    reading = sample(path)
    points = reading.tables["rating"]
    assert points.columns.tolist() == ["row", "INDEP", "DEP", "STOR"]
    assert (len(points), (points["STOR"] == "*").sum()) == (11, 11)
    assert points.iloc[0].tolist()[1:] == ["2.9900000E+00", "3.0000000E+01", "*"]
    assert points.iloc[-1].tolist()[1:] == ["2.7900000E+01", "3.1100000E+04", "*"]
    names = ["station_number", "station_time_zone", "station_dst_flag", "rating_id", "rating_expansion"]
    said = [reading.facts[name] for name in (*names, "rating_offset1", "rating_datetime_begin")]
    assert said == [
        "01594440", "EST", "N", "20.0", "logarithmic", "2.000000E+00", "20151001000000 | 20170206000000",
    ]  # fmt: skip
    assert (reading.timezone, reading.rejects) == ("EST", ())


@pytest.mark.parametrize("kind", ["dv", "uv", "site", "gwlevels", "measurements", "rating"])
def test_rdb_is_known_by_its_content(kind: str) -> None:
    for path in manifest(f"nwis-rdb-{kind}"):
        assert sample(path).format == f"nwis-rdb-{kind}"


def test_solinst_samples() -> None:
    for path, facts in manifest("solinst-xle").items():
        reading = sample(path)
        serial = re.search(r"Serial_number=(\d+)", facts)
        first, last = re.findall(r"(?:first|last)=\('([\d/]+)', '([\d:]+)', '0', '([\d.,]+)', '([\d.,]+)'\)", facts)
        lowest, highest = re.findall(r"ch1 m(?:in|ax)=([\d.]+)|max=([\d.]+)", facts)
        assert serial is not None
        level, warmth = (series(reading)[f"{serial[1]}:{n}"] for n in (1, 2))
        assert f"logs in file={level['n']};" in facts
        assert f"Location={level['station']};" in facts
        for side, fact in (("first", first), ("last", last)):
            assert level[side]["time"] == f"{fact[0].replace('/', '-')}T{fact[1]}"
            assert level[side]["value"] == float(fact[2].replace(",", "."))
            assert warmth[side]["value"] == float(fact[3].replace(",", "."))
        assert (level["min"], level["max"]) == (float(lowest[0]), float(highest[1]))
        assert (level["timezone"], reading.timezone, reading.rejects) == (None, None, ())


def test_weather_sample() -> None:
    reading = sample("precip-daily/wi-hancock-usc00473405-noaa-cdo.csv")
    rain = reading.observations[reading.observations["parameter"] == "precipitation"]
    assert (len(rain), (rain["value"] == 0).sum(), round(rain["value"].sum(), 2)) == (3200 - 140, 2082, 291.09)
    found = series(reading)["precipitation"]
    assert (found["max"], found["first"]["time"], found["last"]["time"]) == (3.6, "2012-05-27", "2021-03-02")


def test_monthly_volume_sample() -> None:
    reading = sample("pumping/wi-plainfield-monthly-gallons-wide.csv")
    rows = reading.observations
    assert (len(rows), rows["station"].nunique(), int(rows["value"].sum())) == (399 * 12, 70, 10781351714)
    most = rows.loc[rows["value"].idxmax()]
    assert (most["station"], most["value"], most["time_ms"]) == ("11736", 54800000.0, 1435708800000)
    assert reading.rejects == ()


def test_hobo_case() -> None:
    path, expected = case("GW-09", "input.csv")
    reading = read(path)
    pressure, warmth = (reading.observations[reading.observations["series"] == f"999:{n}"] for n in (1, 2))
    times = [pd.Timestamp(ms, unit="ms").isoformat() + "Z" for ms in pressure["time_ms"]]
    assert (times, len(pressure)) == (expected["UTC"], expected["data rows"])
    kpa = [value * float(factor("psi", "kPa")) for value in pressure["value"]]
    assert kpa == pytest.approx(expected["pressure kPa"], abs=1e-3)
    site = Site.model_construct(well=(Well(id="W-7", use="monitoring", position=(0.0, 0.0)),))
    placed = place(reading, site, ZoneInfo("America/Chicago")).frame
    celsius = placed[placed["parameter"] == "water_temperature"]["value"].tolist()
    assert celsius == pytest.approx(expected["temperature degC"], abs=1e-6)
    assert len(warmth) == 2


@pytest.mark.parametrize(("file", "n"), [("input.csv", 6), ("input_ambiguous.csv", 2)])
def test_repeated_hour_case(tmp_path: Path, file: str, n: int) -> None:
    """The case's rows as hand levels without a zone, at a well on the ordinance's clock."""
    path, expected = case("TS-02", file)
    lines = [line.replace(" ", ",").split(",") for line in path.read_text().splitlines()[1:]]
    sheet = tmp_path / "sheet.csv"
    head = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
    sheet.write_text(head + "".join(f"W,{day},{time},,{value},MP,,,\n" for day, time, value in lines))
    site = Site.model_construct(well=(Well(id="W", use="monitoring", position=(0.0, 0.0)),))
    arrival = place(read(sheet), site, ZoneInfo("America/Chicago"))
    times = [pd.Timestamp(ms, unit="ms").isoformat() + "Z" for ms in arrival.frame["time_ms"]]
    assert times == expected["input.csv UTC times" if n == 6 else "input_ambiguous.csv certain rows"]
    assert len(arrival.rejects) == (0 if n == 6 else 1)


def test_end_of_day_case(tmp_path: Path) -> None:
    path, expected = case("TS-06", "input.csv")
    lines = [line.split(",") for line in path.read_text().splitlines()[1:]]
    sheet = tmp_path / "sheet.csv"
    head = "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
    sheet.write_text(head + "".join(f"W,{day},{time},UTC,{value},MP,,,\n" for day, time, value in lines))
    reading = read(sheet)
    times = [pd.Timestamp(ms, unit="ms").isoformat() + "Z" for ms in reading.observations["time_ms"]]
    assert times == expected["UTC times"]
    assert [(one.row, one.raw) for one in reading.rejects] == [(6, "24:15")]


def test_no_data_numbers_case(tmp_path: Path) -> None:
    path, expected = case("MISS-01", "input.csv")
    with path.open(newline="") as handle:
        lines = [(one["datetime_utc"][:10], one["discharge_ft3s"], one["qualifier"]) for one in csv.DictReader(handle)]
    plain = tmp_path / "plain.csv"
    plain.write_text("date,value,qualifier\n" + "".join(f"{','.join(line)}\n" for line in lines))
    rows = read(plain).observations
    missing = rows[rows["value"].isna()]
    assert [pd.Timestamp(ms, unit="ms").date().isoformat() for ms in missing["time_ms"]] == expected["missing days"]
    assert rows["value"].count() == expected["valid values"]
    assert rows["value"].mean() == pytest.approx(expected["mean ft3/s"])
    assert missing["flags"].tolist() == ["P:Ice,-999999", "P:-9999"]
