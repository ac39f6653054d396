"""Numbers that mean "no value", in every reader: missing before any unit, limit or alarm, and real negatives stay."""

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ingest.cells import SENTINELS, is_sentinel
from ingest.formats import read

STATION = "04999001"
RDB = "# U.S. Geological Survey\n"
UV = RDB + "agency_cd\tsite_no\tdatetime\ttz_cd\t1_{code}\t1_{code}_cd\n5s\t15s\t20d\t6s\t14n\t10s\n"
DV = RDB + "agency_cd\tsite_no\tdatetime\t1_{code}_00003\t1_{code}_00003_cd\n5s\t15s\t20d\t14n\t10s\n"


def uv(value: str, code: str = "00060") -> str:
    return UV.format(code=code) + f"USGS\t{STATION}\t2024-01-01 00:15\tCST\t{value}\tP\n"


def dv(value: str, code: str = "00060") -> str:
    return DV.format(code=code) + f"USGS\t{STATION}\t2024-01-01\t{value}\tP\n"


def gwlevels(value: str) -> str:
    return f"site_no\tlev_dt\tlev_va\tlev_age_cd\n15s\t10d\t12s\t1s\n{STATION}\t2024-05-01\t{value}\tP\n"


def measurements(value: str) -> str:
    return (
        "site_no\tmeasurement_nu\tmeasurement_dt\ttz_cd\tgage_height_va\tdischarge_va\n15s\t6s\t19d\t6s\t12s\t12s\n"
        f"{STATION}\t1\t2024-05-01\t\t{value}\t\n"
    )


def peaks(value: str) -> str:
    return (
        "site_no\tpeak_dt\tpeak_tm\tpeak_va\tpeak_cd\tgage_ht\tgage_ht_cd\n15s\t10d\t6s\t8s\t33s\t8s\t27s\n"
        f"{STATION}\t2024-05-01\t\t{value}\t\t\t\n"
    )


def waterml_json(value: str) -> str:
    one = {
        "name": "x",
        "sourceInfo": {"siteCode": [{"value": STATION, "network": "NWIS", "agencyCode": "USGS"}]},
        "variable": {
            "variableCode": [{"value": "00060", "network": "NWIS", "vocabulary": "NWIS:UnitValues"}],
            "unit": {"unitCode": "ft3/s"}, "noDataValue": -999999.0,
            "options": {"option": [{"name": "Statistic", "optionCode": "00000"}]},
        },
        "values": [{
            "value": [{"value": value, "qualifiers": ["P"], "dateTime": "2024-01-01T00:15:00.000-06:00"}],
            "method": [{"methodID": 1}],
        }],
    }  # fmt: skip
    return json.dumps({"name": "ns1:timeSeriesResponseType", "value": {"timeSeries": [one]}})


def ogc(value: str) -> str:
    properties = {
        "time_series_id": "t", "monitoring_location_id": f"USGS-{STATION}", "parameter_code": "00060",
        "statistic_id": "00003", "time": "2024-01-01", "value": value, "unit_of_measure": "ft^3/s",
        "approval_status": "Provisional", "qualifier": None,
    }  # fmt: skip
    feature = {"type": "Feature", "id": "a", "properties": properties, "geometry": None}
    return json.dumps({"type": "FeatureCollection", "features": [feature], "numberReturned": 1})


def hand(value: str) -> str:
    return (
        "well,date,time,timezone,depth_to_water_ft,reference,status,observer,comment\n"
        f"W-1,2024-05-01,10:00,CST,{value},LS,,,\n"
    )


READERS = {
    "uv": uv, "dv": dv, "gwlevels": gwlevels, "measurements": measurements, "peaks": peaks, "json": waterml_json,
    "ogc": ogc, "hand": hand,
}  # fmt: skip


def one_row(folder: Path, text: str) -> "pd.Series[Any]":
    path = folder / "file"
    path.write_text(text, "utf-8")
    reading = read(path)
    assert reading.rejects == ()
    (_, row), *rest = reading.observations.iterrows()
    assert rest == []
    return row


@pytest.mark.parametrize("text", ["-999", "-9999", "-9999.00", "-99999", "-999999", "-99.99"])
@pytest.mark.parametrize("name", READERS)
def test_a_sentinel_is_missing_in_every_reader(tmp_path: Path, name: str, text: str) -> None:
    row = one_row(tmp_path, READERS[name](text))
    assert (math.isnan(float(str(row["value"]))), row["value_text"]) == (True, "")
    declared = name in {"json", "ogc"} and text == "-999999"
    assert (text in str(row["flags"])) is not declared, "what the document does not declare is kept as a qualifier"


@pytest.mark.parametrize("name", READERS)
def test_a_real_negative_stays(tmp_path: Path, name: str) -> None:
    row = one_row(tmp_path, READERS[name]("-12.4"))
    assert (row["value"], row["value_text"]) == (-12.4, "-12.4")


@pytest.mark.parametrize("code", ["00065", "00010", "00045"])
def test_stage_temperature_and_rain_too(tmp_path: Path, code: str) -> None:
    assert math.isnan(float(str(one_row(tmp_path, uv("-999", code))["value"])))


def test_an_elevation_can_lie_a_hundred_feet_below_the_datum(tmp_path: Path) -> None:
    """Death Valley lies at -282 ft, but nothing at -9999 ft."""
    assert one_row(tmp_path, uv("-99.99", "62611"))["value"] == -99.99
    assert math.isnan(float(str(one_row(tmp_path, uv("-9999", "62611"))["value"])))


def test_the_numbers_of_the_list_and_no_others() -> None:
    assert all(is_sentinel(one, "discharge") for one in SENTINELS)
    assert not any(is_sentinel(one, "discharge") for one in (-998.0, -9998.0, -1000.0, -1.0, 0.0, 999.0, math.nan))


XLE = """<?xml version="1.0" encoding="utf-8"?><Body_xle><Instrument_info><Serial_number>2001</Serial_number>
</Instrument_info><Instrument_info_data_header><Location>MW-1</Location></Instrument_info_data_header>
<Ch1_data_header><Identification>LEVEL</Identification><Unit>ft</Unit></Ch1_data_header>
<Data><Log id="1"><Date>2024/01/01</Date><Time>00:00:00</Time><ms>0</ms><ch1>-9999</ch1></Log></Data></Body_xle>"""
HOBO = (
    '"Plot Title: MW-1"\n"#","Date Time, GMT-06:00","Temp, °C (LGR S/N: 1, SEN S/N: 1)"\n1,01/13/24 10:00:00 AM,-9999\n'
)
AWON = "MADE UP\nhourly summary\ndate,time,atmp,pcpn\n1/2/2024,10:00,-999,\n"


@pytest.mark.parametrize("text", [XLE, HOBO, AWON])
def test_loggers_and_weather_stations_too(tmp_path: Path, text: str) -> None:
    row = one_row(tmp_path, text)
    assert (math.isnan(float(str(row["value"]))), row["value_text"]) == (True, "")
    assert "-999" in str(row["flags"])
