"""Real logger files of several makers, against what their manifest says must be found."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ingest.formats import read
from ingest.reading import Reading, Told
from ingest.summary import summarise
from models.errors import BadFile

SHARED = Path(__file__).parents[2] / "shared"

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")


def sample(path: str, told: Told = Told()) -> Reading:  # noqa: B008 - frozen
    return read(SHARED / "samples" / path, told=told)


def series(reading: Reading) -> dict[str, dict[str, Any]]:
    return {one["series"] or one["parameter"]: one for one in summarise(reading)["series"]}


def ends(one: dict[str, Any]) -> tuple[Any, ...]:
    return (one["parameter"], one["unit"], one["n"], one["first"]["value_text"], one["last"]["value_text"])


@pytest.mark.parametrize(
    ("folder", "format"),
    [
        ("solinst-csv", "solinst-csv"),
        ("solinst-lev", "solinst-lev"),
        ("solinst-xle", "solinst-xle"),
        ("campbell-toa5", "campbell-toa5"),
        ("dino-csv", "dino-csv"),
    ],
)
def test_a_folder_is_of_its_format_and_nothing_in_it_is_refused(folder: str, format: str) -> None:
    files = sorted((SHARED / "samples" / folder).iterdir())
    readings = [read(path) for path in files]
    assert [(one.format, one.rejects) for one in readings] == [(format, ())] * len(files) != []


@pytest.mark.parametrize("path", ["solinst-csv/saint-guillaume-gold-v3.csv", "solinst-lev/saint-guillaume-gold.lev"])
def test_a_gold_levelogger_in_two_formats(path: str) -> None:
    reading = sample(path)
    level, warmth = (series(reading)[f"1062280:{n}"] for n in (1, 2))
    assert ends(level) == ("logger_level", "cm", 200, "923.5610", "934.8801")
    assert ends(warmth) == ("water_temperature", "degC", 200, "8.936", "8.914")
    assert (level["station"], level["min"], level["max"]) == ("Saint-Guillaume_P14A", 922.827, 938.52)
    assert (level["first"]["time"], level["last"]["time"]) == ("2017-05-02T13:00:00", "2017-05-04T14:45:00")
    assert (reading.timezone, reading.facts["level_altitude"], reading.facts["project"]) == (None, "42 m", "03030012")


def test_one_logger_says_the_same_in_csv_and_xle() -> None:
    told = [series(sample(f"solinst-{path}")) for path in (
        "csv/rougemont-semicolon-decimal-comma.csv", "xle/rougemont-decimal-comma.xle",
    )]  # fmt: skip
    assert told[0] == told[1]
    assert ends(told[0]["2048469:1"]) == ("logger_level", "cm", 10, "1813.03", "1812.59")
    facts = sample("solinst-xle/rougemont-decimal-comma.xle").facts
    assert facts["incomplete"] == "declares 15250 records and holds 10"
    assert facts["level_offset"] == "0.00 cm"


def test_a_slug_logged_each_second_without_milliseconds() -> None:
    reading = sample("slug-test/po05-slug-1s-solinst.csv")
    level = series(reading)["2022016:1"]
    assert ends(level) == ("logger_level", "m", 4090, "13.0202", "12.7912")
    assert (level["min"], level["max"], reading.rejects) == (12.189, 14.6814, ())


def test_a_cera_diver() -> None:
    reading = sample("vanessen-diver/ff-b29d-cera-diver.MON")
    pressure, warmth = (series(reading)[f"C4080:{n}"] for n in (1, 2))
    assert ends(pressure) == ("logger_pressure", "cmH2O", 4019, "1393.1", "1009.6")
    assert (pressure["station"], pressure["min"], pressure["max"]) == ("ff_b29d", 1009.6, 1525.7)
    assert ends(warmth) == ("water_temperature", "degC", 4019, "12.35", "12.77")
    assert (reading.facts["start"], reading.facts["end"]) == ("2009-10-14T16:00:00", "2009-11-25T12:30:00")
    assert (reading.timezone, reading.format, reading.rejects) == (None, "vanessen-diver", ())


def test_a_data_base_export_of_a_diver() -> None:
    """The offset each time carries counts, whatever the column is called."""
    reading = sample("vanessen-diver/inbo-watina-ZWAP033X-W1549.csv")
    pressure, warmth = (series(reading)[f"W1549:{n}"] for n in (1, 2))
    assert (pressure["parameter"], pressure["unit"], pressure["n"]) == ("logger_pressure", "cmH2O", 279)
    assert (pressure["min"], pressure["max"]) == (1008.63133292913, 1215.45053303049)
    assert pressure["first"]["time"] == "2018-10-17T22:00:00Z"
    assert pressure["first"]["value_text"] == "1164.51758782909"
    assert (pressure["last"]["time"], pressure["timezone"]) == ("2019-03-05T22:00:00Z", "UTC+02:00")
    bottom = reading.observations[reading.observations["parameter"] == "logger_pressure"].iloc[-1]
    assert (bottom["value_text"], bottom["row"]) == ("1208.33245820119", 280)
    assert (warmth["n"], warmth["n_missing"], reading.rejects) == (279, 0, ())


def test_toa5() -> None:
    reading = sample("campbell-toa5/cr1000-tdgp-5min.dat")
    found = series(reading)
    assert {(one["n"], one["n_missing"], one["timezone"]) for one in found.values()} == {(280, 0, None)}
    assert ends(found["74426:Pression_bridge"]) == ("name:Pression_bridge", "psi", 280, "14.02204", "42.0218")
    assert (found["74426:TDGP1_Avg"]["unit"], found["74426:TDGP1_Avg"]["statistic"]) == ("mmHg", "mean")
    assert (found["74426:Bat_Volt_Min"]["statistic"], len(found)) == ("min", 8)
    first = found["74426:Bat_Volt"]["first"]
    assert (first["time"], first["value_text"]) == ("2016-06-21T14:20:00", "13.1626")


def test_toa5_columns_take_what_is_told_where_their_unit_measures_it() -> None:
    found = series(sample("campbell-toa5/cr1000-tdgp-5min.dat", Told(parameter="logger_pressure")))
    assert [id for id, one in found.items() if one["parameter"] == "logger_pressure"] == [
        "74426:Pression_bridge", "74426:TDGP1_Avg", "74426:Pression_bridge_Avg",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "measured"),
    [
        ("", ("logger_pressure", "1")),
        ("m", ("logger_level", "m")),
        ("bar", ("logger_pressure", "bar")),
        ("cubit", None),
    ],
)
def test_keller(unit: str, measured: tuple[str, str] | None) -> None:
    path = "other-logger/keller-vmm-rollegem-decimal-comma.txt"
    if measured is None:
        with pytest.raises(BadFile, match="unknown unit"):
            sample(path, Told(unit=unit))
        return
    reading = sample(path, Told(unit=unit))
    rows = reading.observations
    pressure, warmth = (rows[rows["series"] == name] for name in ("P1", "TOB1"))
    assert (pressure["parameter"].iloc[0], pressure["unit"].iloc[0], len(pressure)) == (*measured, 532)
    assert (round(pressure["value"].sum(), 3), round(warmth["value"].sum(), 1)) == (1708.541, 5110.6)
    found = series(reading)["P1"]
    assert (found["first"]["time"], found["last"]["time"]) == ("2010-06-07T14:00:00", "2010-10-18T08:00:00")
    assert (found["timezone"], reading.rejects) == (None, ())


def test_a_sutron_log_with_a_running_counter() -> None:
    reading = sample("other-logger/sutron-03274650-stage-precip-log.csv")
    found = series(reading)
    assert ends(found["stage"]) == ("stage", "1", 2619, "3.34", "3.25")
    assert ends(found["Precip"]) == ("precipitation_counter", "1", 2619, "76.37", "77.81")
    assert found["stage"]["last"]["time"] == "2018-05-10T21:30:00"
    assert (reading.format, reading.rejects) == ("sutron-log", ())
    feet = series(sample("other-logger/sutron-03274650-stage-precip-log.csv", Told(unit="ft")))
    assert (feet["stage"]["unit"], feet["Precip"]["unit"]) == ("ft", "1")


def test_dino_levels_and_the_points_they_were_measured_from() -> None:
    reading = sample("dino-csv/b33f0133-002.csv")
    found = series(reading)
    assert {id: ends(one)[1:] for id, one in found.items()} == {
        "depth_below_mp": ("cm", 347, "590", "435"),
        "depth_to_water": ("cm", 347, "543", "373"),
        "water_elevation_nap": ("cm", 347, "107", "277"),
    }
    assert {id: one["datum"] for id, one in found.items()} == {
        "depth_below_mp": None, "depth_to_water": None, "water_elevation_nap": "NAP",
    }  # fmt: skip
    assert (found["water_elevation_nap"]["min"], found["water_elevation_nap"]["max"]) == (74, 341)
    points = reading.tables["measuring_points"]
    columns = ["Startdatum", "Einddatum", "Meetpunt (cm t.o.v. NAP)"]
    assert points[columns].to_numpy().tolist() == [
        ["14-12-1989", "23-10-1995", "697"], ["23-10-1995", "28-12-2005", "712"],
    ]  # fmt: skip


def case(name: str) -> tuple[Path, dict[str, Any]]:
    folder = SHARED / "cases" / name
    checks = json.loads((folder / "expected.json").read_text())["checks"]
    return folder, {one["name"]: one["value"] for one in checks}


def test_gw_01_depth_and_each_datum_are_series_of_their_own(tmp_path: Path) -> None:
    folder, expected = case("GW-01")
    names = ["site_no", "lev_dt", "lev_tm", "parameter_cd", "lev_va", "sl_lev_va", "sl_datum_cd", "lev_age_cd"]
    with (folder / "input.csv").open(newline="") as handle:
        rows = ["\t".join([*row, "UTC"]) for row in list(csv.reader(handle))[1:]]
    path = tmp_path / "levels.rdb"
    head = "\t".join([*names, "lev_tz_cd"]), "\t".join(["10s"] * 9)
    path.write_text("# USGS\n" + "\n".join([*head, *rows]) + "\n")
    found = {one["parameter"]: one for one in summarise(read(path))["series"]}
    assert {id: one["datum"] for id, one in found.items()} == {
        "water_elevation_ngvd29": "NGVD29", "water_elevation_navd88": "NAVD88", "depth_to_water": None,
    }  # fmt: skip
    depth = found["depth_to_water"]
    assert [depth["first"]["value"], depth["last"]["value"]] == expected["depth series"]
    assert depth["n"] == expected["measurements"]


def test_gw_04_pressures_keep_the_units_their_files_say() -> None:
    folder, _ = case("GW-04")
    (total,) = summarise(read(folder / "logger.csv"))["series"]
    assert (total["parameter"], total["unit"], total["n"]) == ("logger_pressure", "kPa", 3)
    assert (total["first"]["value_text"], total["last"]["time"]) == ("121.325", "2024-05-01T02:00:00Z")
    with pytest.raises(BadFile):  # "pressure_mbar" may be the air's or the well's
        read(folder / "baro.csv")


def test_every_logger_of_the_manifest_is_read() -> None:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        paths = [row["path"] for row in csv.DictReader(handle, delimiter="\t")]
    loggers = [path for path in paths if path.startswith(("solinst", "campbell", "vanessen", "other-logger", "dino"))]
    assert [path for path in loggers if not len(sample(path).observations)] == []
    assert len(loggers) >= 11
