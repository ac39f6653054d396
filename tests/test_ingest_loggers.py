"""Solinst and HOBO loggers: channels, clocks, locales, events and broken XML."""

import math

import pytest

from ingest.loggers import hobo, solinst_xle
from ingest.reading import Source
from models.errors import BadFile

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Body_xle>\n<Instrument_info><Instrument_type>LT_EDGE</Instrument_type>'
    "<Serial_number>2010143</Serial_number></Instrument_info>\n"
    "<Instrument_info_data_header><Location>MW-3</Location></Instrument_info_data_header>\n"
)


def channel(number: int, label: str, unit: str) -> str:
    tag = f"Ch{number}_data_header"
    return f"<{tag}><Identification>{label}</Identification><Unit>{unit}</Unit></{tag}>\n"


def log(time: str, *values: str, date: str = "2024/06/01") -> str:
    cells = "".join(f"<ch{n}>{value}</ch{n}>" for n, value in enumerate(values, 1))
    return f"<Log><Date>{date}</Date><Time>{time}</Time><ms>0</ms>{cells}</Log>\n"


def xle(*logs: str, head: str = HEAD, channels: str = "") -> Source:
    described = channels or channel(1, "LEVEL", "cm") + channel(2, "TEMPERATURE", "°C")
    return Source("well.xle", f"{head}{described}<Data>\n{''.join(logs)}</Data></Body_xle>\n")


def test_levels_are_naive_and_keep_the_files_unit() -> None:
    parts = solinst_xle.parse(xle(log("13:00:00", "1919,32", "7,849"), log("13:15:00", "1919.68", "7.8")))
    levels = parts.observations[parts.observations["series"] == "2010143:1"]
    assert levels["value"].tolist() == [1919.32, 1919.68]
    assert levels["value_text"].tolist() == ["1919.32", "1919.68"]
    assert set(levels["clock"]) == {"naive"}
    assert set(levels["unit"]) == {"cm"}
    assert levels["row"].tolist() == [8, 9]
    assert (parts.timezone, parts.facts["serial"], parts.facts["location"]) == (None, "2010143", "MW-3")


@pytest.mark.parametrize(
    ("label", "unit", "instrument", "parameter"),
    [
        ("BaroPressure", "psi", "LT_EDGE", "barometric_pressure"),
        ("BAROMETRIC PRESSURE", "kPa", "LT_EDGE", "barometric_pressure"),
        ("LEVEL", "kPa", "Barologger", "barometric_pressure"),
        ("LEVEL", "kPa", "LT_EDGE", "logger_pressure"),
        ("Temperature", "°F", "LT_EDGE", "water_temperature"),
    ],
)
def test_channels_are_known_by_name_and_unit(label: str, unit: str, instrument: str, parameter: str) -> None:
    source = xle(log("13:00:00", "14"), head=HEAD.replace("LT_EDGE", instrument), channels=channel(1, label, unit))
    assert set(solinst_xle.parse(source).observations["parameter"]) == {parameter}


def test_an_unknown_unit_or_channel_costs_that_channel() -> None:
    described = channel(1, "LEVEL", "furlong") + channel(2, "CONDUCTIVITY", "uS/cm") + channel(3, "TEMPERATURE", "C")
    parts = solinst_xle.parse(xle(log("13:00:00", "1", "2", "3"), channels=described))
    assert parts.observations["series"].tolist() == ["2010143:3"]
    assert [one.column for one in parts.rejects] == ["ch1", "ch2"]


def test_a_broken_log_is_a_reject_and_the_others_load() -> None:
    logs = (log("13:00:00", "1", "2"), log("13:15:00", "x", "2"), log("", "1", "2"), log("25:00:00", "1", "2"))
    no_date = log("14:00:00", "5", "6").replace("<Date>2024/06/01</Date>", "")
    parts = solinst_xle.parse(xle(*logs, no_date, log("14:15:00", "9")))
    assert sorted(parts.observations["value"]) == [1.0, 2.0, 2.0, 9.0]
    assert [(one.row, one.column) for one in parts.rejects] == [
        (9, "ch1"), (10, "Date"), (11, "Date"), (12, "Date"), (13, "ch2"),
    ]  # fmt: skip


def test_a_file_cut_off_keeps_its_whole_logs() -> None:
    whole = xle(log("13:00:00", "1", "2"), log("13:15:00", "3", "4"), log("13:30:00", "5", "6"))
    parts = solinst_xle.parse(Source("well.xle", whole.text[: whole.text.index("<ch2>6")]))
    assert sorted(parts.observations["value"]) == [1.0, 2.0, 3.0, 4.0]
    assert [(one.row, one.column) for one in parts.rejects] == [(10, "Log")]


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaa"><!ENTITY b "&a;&a;&a;">]><Body_xle>&b;</Body_xle>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd"><Body_xle/>',
        "<Body_xle>" + "<a>" * 5000,
        "<Body_xle></Body>",
        "<Body_xle></Body_xle>",
        "<Body_xle>\x01</Body_xle>",
    ],
)
def test_hostile_or_empty_xml_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadFile, match=r"bomb\.xle") as refused:
        solinst_xle.parse(Source("bomb.xle", text))
    assert "\n" not in str(refused.value)


HOBO = (
    '"Plot Title: MW-7"\n"#","Date Time, GMT{zone}","Abs Pres, psi (LGR S/N: 999, SEN S/N: 999)",'
    '"Temp, °F (LGR S/N: 999)","Coupler Attached (LGR S/N: 999)"\n'
)


def onset(*rows: str, zone: str = "-06:00") -> Source:
    return Source("hobo.csv", HOBO.format(zone=zone) + "\n".join(rows) + "\n")


def test_two_offsets_land_on_one_axis() -> None:
    winter = hobo.parse(onset("1,07/01/24 12:00:00 AM,15.0,50,"))
    summer = hobo.parse(onset("1,07/01/2024 01:00:00 AM,15.0,50,", zone=" -0500"))
    assert winter.observations["time_ms"].tolist() == summer.observations["time_ms"].tolist()
    assert (winter.timezone, summer.timezone) == ("UTC-06:00", "UTC-05:00")
    assert set(winter.observations["clock"]) == {"utc"}


def test_events_are_not_data_and_failed_sensors_are_missing() -> None:
    parts = hobo.parse(onset("1,07/01/24 12:00:00 PM,-888.88,50.18,", "2,07/01/24 12:00:10 PM,,,Logged"))
    pressure, temperature = parts.observations.to_dict("records")
    assert math.isnan(pressure["value"])
    assert (pressure["flags"], temperature["value"], parts.rejects) == (":-888.88", 50.18, ())


def test_without_a_zone_the_clock_is_naive() -> None:
    source = Source("hobo.csv", HOBO.replace(", GMT{zone}", "") + "1,07/13/24 01:00:00 AM,15.0,50,\n")
    parts = hobo.parse(source)
    assert (set(parts.observations["clock"]), parts.timezone) == ({"naive"}, None)


def test_separate_date_and_time_columns_and_an_old_heading() -> None:
    text = (
        'Serial Number:20387238 -- shallow\n\n"Date","Time, GMT -0700","Temp (*C)","Batt (V)"\n'
        "02/13/19,06:00:00,5.5,3.1\n"
    )
    assert hobo.sniff(text)
    parts = hobo.parse(Source("hobo.csv", text))
    (row,) = parts.observations.to_dict("records")
    assert (row["station"], row["series"], row["unit"], row["row"]) == ("20387238", "20387238:1", "degC", 4)
    assert row["time_ms"] % 86_400_000 == 13 * 3_600_000
    assert [one.column for one in parts.rejects] == ["Batt (V)"]


def test_one_date_order_for_a_column() -> None:
    day_first = hobo.parse(onset("1,05/02/24 01:00:00,15,50,", "2,23/06/24 01:00:00,15,50,"))
    assert day_first.observations["time_ms"].min() == 1707116400000  # 2024-02-05T07:00Z
    with pytest.raises(BadFile, match="contradictory dates"):
        hobo.parse(onset("1,05/22/24 01:00:00,15,50,", "2,23/06/24 01:00:00,15,50,"))


def test_bad_rows_of_a_hobo_file() -> None:
    rows = ("1,07/01/24 13:00:00 PM,15,50,", "2,garbage,15,50,", "3,07/01/24 01:00:00 AM,x,50,", "4,07/01/24")
    parts = hobo.parse(onset(*rows))
    assert parts.observations["value"].tolist() == [50.0]
    assert [one.row for one in parts.rejects] == [3, 4, 5, 6]
