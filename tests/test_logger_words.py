"""Logger files written here in each maker's format: what is read, what is left open, and what is refused by name."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from ingest.cells import BadCell
from ingest.formats import FORMATS, read
from ingest.loggers import clock, hobo_dates, sutron
from ingest.loggers.channels import degrees
from ingest.reading import Parts, Source, Told
from models.errors import BadFile

DATA = Path(__file__).parent / "data" / "ingest"
NOTHING = Told()


def plain(format: str) -> str:
    return (DATA / f"{format}.txt").read_text(encoding="utf-8")


def taken(format: str, text: str, told: Told = NOTHING) -> Parts:
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(Source("made-up.txt", text, told=told))


def measured(parts: Parts) -> dict[str, tuple[str, str]]:
    rows = parts.observations.drop_duplicates("series")
    return {one["series"]: (one["parameter"], one["unit"]) for one in rows.to_dict("records")}


def moments(parts: Parts) -> list[str]:
    first = parts.observations["series"].iloc[0]
    rows = parts.observations[parts.observations["series"] == first]
    return [pd.Timestamp(ms, unit="ms").isoformat() for ms in rows["time_ms"]]


# Clocks ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("2024/06/01", "ymd", "2024-06-01"), ("15-Feb-26", "ymd", "2026-02-15"), ("1 June 2024", "dmy", "2024-06-01"),
        ("02/11/26", "dmy", "2026-11-02"), ("02/11/26", "mdy", "2026-02-11"), ("7/06/2010", "dmy", "2010-06-07"),
    ],
)  # fmt: skip
def test_a_day(text: str, order: str, day: str) -> None:
    assert pd.Timestamp(clock.day_of(text, order), unit="ms").date().isoformat() == day  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "hours"),
    [("13:00:00", 13), ("01:00:00 PM", 13), ("PM 01:00:00", 13), ("12:00 am", 0), ("24:00", 24), ("1:30 p.m.", 13.5)],
)
def test_a_time_of_day(text: str, hours: float) -> None:
    assert clock.time_of_day(text) == hours * 3_600_000


@pytest.mark.parametrize("text", ["", "13:00 PM", "AM 01:00 PM", "25:00", "24:15", "noon"])
def test_no_time_of_day(text: str) -> None:
    with pytest.raises(BadCell):
        clock.time_of_day(text)


@pytest.mark.parametrize(("text", "hours"), [("-07:00:00", -7), ("+1", 1), ("08:00:00", 8), ("-0330", -3.5)])
def test_an_offset(text: str, hours: float) -> None:
    assert clock.offset_of(text) == hours * 3_600_000


@pytest.mark.parametrize("text", ["+15", "x", "+01:75", ""])
def test_no_offset(text: str) -> None:
    with pytest.raises(BadCell):
        clock.offset_of(text)


@pytest.mark.parametrize("text", ["°C", "Â°C", "\ufffdC", "¡C", "*C", "Deg C", "C", "deg. c"])
def test_a_degree_whatever_an_encoding_made_of_it(text: str) -> None:
    assert degrees(text) == "degC"


# Solinst --------------------------------------------------------------------------------------------------------------


def xle(start: str, *days: str) -> str:
    logs = "".join(f"<Log><Date>{day}</Date><Time>0{n}:00:00</Time><ch1>1</ch1></Log>\n" for n, day in enumerate(days))
    return (
        "<Body_xle><Instrument_info_data_header><Start_time>"
        f"{start}</Start_time><Stop_time>2016/01/01 00:00:00</Stop_time></Instrument_info_data_header>"
        '<Ch1_data_header><Identification>LEVEL</Identification><Unit>ft</Unit><Parameters><Offset Val="1,50" '
        'Unit="ft"/></Parameters></Ch1_data_header><Data>\n'
        f"{logs}</Data></Body_xle>"
    )


def test_dates_of_an_xle_in_another_order_than_its_header() -> None:
    """5 March or 3 May: the header's date, with its year in front, says which of them the first is."""
    assert moments(taken("solinst-xle", xle("2017/05/03 00:00:00", "03/05/2017", "04/05/2017")))[0][:10] == "2017-05-03"
    assert moments(taken("solinst-xle", xle("2017/05/03 00:00:00", "05/03/2017", "05/04/2017")))[1][:10] == "2017-05-04"
    with pytest.raises(BadFile, match="date-order"):
        taken("solinst-xle", xle("03/05/2017 00:00:00", "03/05/2017"))
    with pytest.raises(BadFile, match="contradictory"):
        taken("solinst-xle", xle("2017/05/03 00:00:00", "03/05/2017", "05/13/2017"))


def test_what_an_xle_states_of_itself() -> None:
    facts = taken("solinst-xle", xle("2017/05/03 00:00:00", "2017/05/03")).facts
    assert facts["clock"] == "the stated stop is before the start"
    assert facts["level_offset"] == "1.50 ft"


def test_a_barologger_measures_the_air() -> None:
    text = (
        plain("solinst-lev")
        .replace("=LeveloggerII", "=Barologger Gold")
        .replace("Unit                    =cm", "Unit=kPa")
    )
    assert measured(taken("solinst-lev", text)) == {
        "7012:1": ("barometric_pressure", "kPa"), "7012:2": ("air_temperature", "degC"),
    }  # fmt: skip


def test_ticks_of_a_tenth_of_a_second() -> None:
    text = plain("solinst-csv").replace(",ms,", ",100 ms,").replace(",500,", ",5,")
    assert moments(taken("solinst-csv", text))[1] == "2024-06-01T08:15:00.500000"
    late = taken("solinst-csv", text.replace(",5,10.53", ",50,10.53"))
    assert [(one.row, one.reason, one.rows) for one in late.rejects] == [(14, "outside one second", 2)]


def test_a_padded_block_and_unpadded_us_dates() -> None:
    text = plain("solinst-csv").replace("7011", "7011,,,,").replace("2024/06/01,08:00:00", "9/24/2025,01:23:54 pm")
    text = text.replace("2024/06/01,08:15:00", "9/25/2025,01:23:54 am")
    parts = taken("solinst-csv", text)
    assert (parts.facts["serial"], moments(parts)) == ("7011", ["2025-09-24T13:23:54", "2025-09-25T01:23:54.500000"])


def test_a_channel_that_is_not_read_costs_that_channel() -> None:
    text = plain("solinst-csv").replace("TEMPERATURE", "CONDUCTIVITY")
    parts = taken("solinst-csv", text)
    assert [(one.column, one.rows) for one in parts.rejects] == [("CONDUCTIVITY", 2)]
    assert measured(parts) == {"7011:1": ("logger_level", "m")}


# Van Essen ------------------------------------------------------------------------------------------------------------


def test_a_divers_clock_is_in_the_zone_of_its_instrument_line() -> None:
    parts = taken("vanessen-diver", plain("vanessen-diver"))
    assert (moments(parts)[0], parts.timezone) == ("2024-06-01T14:00:00", "UTC-06:00")
    naive = taken("vanessen-diver", plain("vanessen-diver").replace("UTC-6", "3"))
    assert (moments(naive)[0], naive.timezone, set(naive.observations["clock"])) == (
        "2024-06-01T08:00:00", None, {"naive"},
    )  # fmt: skip
    with pytest.raises(BadFile, match="offset"):
        taken("vanessen-diver", plain("vanessen-diver").replace("UTC-6", "UTC-19"))


def test_a_baro_diver_and_a_compensated_head() -> None:
    air = taken("vanessen-diver", plain("vanessen-diver").replace("=Micro-Diver", "=Baro-Diver"))
    assert measured(air) == {"K7013:1": ("barometric_pressure", "cmH2O"), "K7013:2": ("air_temperature", "degC")}
    head = taken("vanessen-diver-csv", plain("vanessen-diver-csv").replace("Pressure[cmH2O]", "Water head[cm]"))
    assert measured(head)["K7013:1"] == ("logger_level", "cm")


def test_a_diver_file_that_was_cut_says_so() -> None:
    text = plain("vanessen-diver")
    parts = taken("vanessen-diver", text[: text.index("2024/06/01 08:15") + 22])
    assert parts.facts["incomplete"] == "declares 2 records and holds 1"
    assert [(one.column, one.rows) for one in parts.rejects] == [("", 2)]


# In-Situ --------------------------------------------------------------------------------------------------------------


def test_winsitu_stacks_its_headings() -> None:
    parts = taken("insitu-winsitu-csv", plain("insitu-winsitu-csv"))
    assert measured(parts) == {
        "7015:1": ("logger_pressure", "psi"), "7015:2": ("water_temperature", "degF"),
        "7015:3": ("logger_level", "ft"), "7016:4": ("barometric_pressure", "psi"),
    }  # fmt: skip
    assert moments(parts) == ["2024-06-01T08:00:00", "2024-06-13T20:15:00"]
    assert "Somebody" not in str(parts.facts)
    assert parts.timezone is None


def test_winsitu_with_one_line_of_headings_and_the_halves_of_the_day_in_front() -> None:
    text = (
        "Report Date:,2025/1/30\nDevice,BaroTROLL\nSerial Number,7019\nSite,BARO\nLog Data:\nRecord Count,3\n"
        "Date and Time,Seconds,Pressure (kPa),Temperature (C),\n2025/1/30 PM 05:00:59,0,99.250,15.4,\n"
    )
    parts = taken("insitu-winsitu-csv", text)
    assert measured(parts) == {"7019:1": ("barometric_pressure", "kPa"), "7019:2": ("air_temperature", "degC")}
    assert moments(parts) == ["2025-01-30T17:00:59"]
    assert parts.facts["incomplete"] == "declares 3 records and holds 1"


@pytest.mark.parametrize("format", ["insitu-vusitu-csv", "insitu-vusitu-html"])
def test_a_level_on_a_reference_that_is_not_in_the_file_stays_open(format: str) -> None:
    text = plain(format).replace("Depth (ft)", "Depth to Water (ft)")
    assert measured(taken(format, text))["7017:2"] == ("name:Depth to Water", "ft")
    assert measured(taken(format, text, Told(parameter="depth_below_mp")))["7017:2"] == ("depth_below_mp", "ft")
    assert moments(taken(format, text))[0][:19] == "2024-06-01T13:00:00"


def test_what_a_page_does_not_mark_as_data_is_not_data(tmp_path: Path) -> None:
    parts = taken("insitu-vusitu-html", plain("insitu-vusitu-html"))
    assert (len(parts.observations), parts.rejects) == (6, ())
    page = tmp_path / "error.html"
    page.write_text("<html><body><h1>503 Service Unavailable</h1></body></html>")
    with pytest.raises(BadFile, match="an HTML page"):
        read(page)


def test_entities_of_a_page_are_never_expanded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    text = plain("insitu-vusitu-html").replace("<!DOCTYPE html>", bomb).replace("14.673946", "&b;")
    parts = taken("insitu-vusitu-html", text)
    assert [(one.column, one.raw) for one in parts.rejects] == [("Pressure (psi) (7017)", "&b;")]


# HOBO -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "parameter", "unit"),
    [
        ('"Temp, °C (LGR S/N: 1, SEN S/N: 1, LBL: a)"', "water_temperature", "degC"),
        ('"Temp, Â°F (LGR S/N: 1)"', "water_temperature", "degF"),
        ("Temp (*C)", "water_temperature", "degC"),
        ("Temp_F", "water_temperature", "degF"),
        ("Abs_Pres_kPa", "logger_pressure", "kPa"),
        ("Ch: 1 - Absolute Pressure   (kPa)", "logger_pressure", "kPa"),
        ('"Abs Pres Barom., psi (LGR S/N: 1)"', "barometric_pressure", "psi"),
        ('"Sensor Depth, meters (LGR S/N: 1)"', "logger_level", "m"),
        ('"Water Level, feet (LGR S/N: 1)"', "name:Water Level", "ft"),
        ("Differential Pressure (kPa)", "name:Differential Pressure", "kPa"),
    ],
)
def test_hobo_headings(heading: str, parameter: str, unit: str) -> None:
    text = f'"Plot Title: MW-1"\n#,"Date Time, GMT-05:00",{heading}\n1,07/13/24 01:00:00 AM,15.0\n'
    assert list(measured(taken("hobo-csv", text)).values()) == [(parameter, unit)]


@pytest.mark.parametrize(
    "text",
    [
        '"#";"Date Time, GMT-05:00";"Temp, °C (LGR S/N: 1)"\n1;13.07.2024 01:00:00;15,5\n',
        '"Date Time, GMT-05:00"\t"Temp, °C (LGR S/N: 1)"\n2024-07-13 01:00:00\t15.5\n',
        '#,Date,"Time, GMT -0500",Temp (°C),Serial Number: 1\n1,07/13/24,1:00:00 AM,15.5,\n',
        "#,Date-Time (CDT),Temperature   (°C)\n1,07/13/2024 01:00:00,15.5\n",
        '#,Date Time (GMT-05:00),Temp (°C),S/N: 1 (x)\n1,07/13/24 01:00:00 AM,15.5,\n',
    ],
)  # fmt: skip
def test_hobo_export_options(text: str) -> None:
    parts = taken("hobo-csv", text)
    assert (moments(parts), parts.timezone) == (["2024-07-13T06:00:00"], "UTC-05:00")
    assert parts.observations["value"].tolist() == [15.5]


def test_hobo_dates() -> None:
    def order(*days: str, told: str | None = None, american: bool = True) -> str:
        source = Source("x", "", told=Told(date_order=told))  # type: ignore[arg-type]
        return hobo_dates.in_one_order(source, days, american).order

    assert order("07/01/24", "07/02/24") == "mdy"
    assert order("24/07/01", "24/07/02", "24/07/13") == "ymd"
    assert order("13/07/24", "14/07/24") == "dmy"
    assert order("07/01/24", told="dmy") == "dmy"
    for days in (("13/07/24", "07/13/24"), ("24/07/01",)):
        with pytest.raises(BadFile):
            order(*days)
    with pytest.raises(BadFile, match="contradictory"):
        order("07/13/24", told="dmy")
    for days, american in ((("07/01/24", "07/02/24"), False), (("01/03/25", "02/03/25", "03/03/25"), True)):
        with pytest.raises(BadFile, match="--date-order"):
            order(*days, american=american)
        assert order(*days, american=american, told="dmy") == "dmy"


def test_a_clock_that_follows_the_summer_is_naive_and_says_so() -> None:
    parts = taken("hobo-csv", "#,Date-Time (EST/EDT),Temperature (°C)\n1,07/13/2024 01:00:00,15.5\n")
    assert (set(parts.observations["clock"]), parts.facts["clock"]) == ({"naive"}, "EST/EDT")


# Others ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "counts"),
    [(["76.3", "76.3", "76.4"], True), (["0.1", "0", "0.2"], False), (["0", "0", "0.1"], False), (["x"], False)],
)
def test_a_counter_never_falls(values: list[str], counts: bool) -> None:
    assert sutron.is_counter(values) is counts


def test_amounts_of_rain_are_no_counter_and_a_doubtful_quality_stays() -> None:
    text = plain("sutron-log").replace("76.41", "0.00").replace("3.33,Good", "3.33,Suspect")
    parts = taken("sutron-log", text)
    assert measured(parts)["Precip"] == ("name:Precip", "1")
    assert ":Suspect" in set(parts.observations["flags"])


def test_out_of_range_is_no_reading_of_a_campbell_logger() -> None:
    rows = taken("campbell-toa5", plain("campbell-toa5").replace("9.33", "-7999")).observations
    level = rows[rows["parameter"] == "logger_level"]
    assert (level["value"].isna().tolist(), level["flags"].tolist()) == ([False, True], ["", ":-7999"])


def test_ellitrack_says_not_above_what() -> None:
    text = plain("ellitrack-txt")
    assert measured(taken("ellitrack-txt", text))["Waterstand"] == ("name:Waterstand", "cm")
    told = taken("ellitrack-txt", text, Told(parameter="water_elevation_nap"))
    assert measured(told)["Waterstand"] == ("water_elevation_nap", "cm")
    inside = text.replace("\tTemperatuur water", "\tTemperatuur intern")
    assert [(one.column, one.rows) for one in taken("ellitrack-txt", inside).rejects] == [("Temperatuur intern", 2)]


def test_of_a_depth_and_a_level_that_contradict_each_other_neither_is_taken() -> None:
    parts = taken("dino-csv", plain("dino-csv").replace("590,543,107", "590,543,117"))
    refused = [("Stand (cm t.o.v. MP)", 1), ("Stand (cm t.o.v. NAP)", 1)]
    assert [(one.column, one.rows) for one in parts.rejects] == refused
    assert len(parts.observations) == 4


def test_a_sheet_of_semicolons_and_decimal_commas_reads_like_one_of_commas() -> None:
    for name in ("hand-levels", "tape-sheet"):
        text = plain(name)
        lines = [line.split(",") for line in text.split("\n")]
        other = "\n".join(";".join(cell.replace(".", ",") for cell in line) for line in lines)
        commas, semicolons = taken(name, text).observations, taken(name, other).observations
        pd.testing.assert_frame_equal(commas, semicolons)
        assert len(commas) > 0


def test_hold_less_cut_and_the_tapes_correction() -> None:
    rows = taken("tape-sheet", plain("tape-sheet")).observations
    assert rows["value_text"].tolist() == ["23.45", "23.47", ""]
    assert rows["flags"].tolist() == [";hold=30.00;cut=6.55", ";hold=31.00;cut=7.54;tape_correction=0.01", ":Dry"]


@pytest.mark.parametrize(
    ("old", "new", "column"),
    [("30.00,6.55", "6.55,30.00", "cut_ft"), ("30.00,6.55", "30.00,", "cut_ft"), ("30.00", "-9999", "hold_ft"),
     (",MP,,,\n", ",TOC,,,\n", "reference")],
)  # fmt: skip
def test_a_tape_reading_that_cannot_be(old: str, new: str, column: str) -> None:
    parts = taken("tape-sheet", plain("tape-sheet").replace(old, new, 1))
    assert [(one.row, one.column) for one in parts.rejects] == [(2, column)]
    assert len(parts.observations) == 2


@pytest.mark.parametrize(
    "format",
    ["solinst-csv", "insitu-winsitu-csv", "insitu-vusitu-csv", "campbell-toa5", "keller-txt", "vanessen-diver-csv"],
)
def test_a_header_of_a_hundred_thousand_columns_is_refused(format: str) -> None:
    text = plain(format)
    cut = "\t" if format == "keller-txt" else ","
    wide = "\n".join(line + "".join(f"{cut}c{n}" for n in range(100_000)) for line in text.splitlines())
    with pytest.raises(BadFile):
        FORMATS[format].parse(Source("wide.txt", wide))
