"""The files as their makers write them: USGS RDB, Solinst XLE, Onset HOBO, NOAA CDO, plain csv."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal

RDB_WARNING = """\
# ---------------------------------- WARNING ----------------------------------------
# The data you have obtained from this automated U.S. Geological Survey database
# have not received Director's approval and as such are provisional and subject to
# revision.  The data are released on the condition that neither the USGS nor the
# United States Government may be held liable for any damages resulting from its use.
# Additional info: http://waterdata.usgs.gov/nwis/help/?provisional
#
# File-format description:  http://waterdata.usgs.gov/nwis/?tab_delimited_format_info
# Automated-retrieval info: http://waterdata.usgs.gov/nwis/?automated_retrieval_info
#
# Contact:   gs-w_support_nwisweb@usgs.gov
"""
CODE_TEXT = {
    "A": "Approved for publication -- Processing and review completed.",
    "P": "Provisional data subject to revision.",
    "e": "Value has been estimated.",
    "Ice": "Value is affected by ice at the measurement site.",
    "Eqp": "Value affected by equipment malfunction.",
}


def fixed(value: float, places: int) -> str:
    """A number with a fixed count of decimals, half up in decimal."""
    return str(Decimal(repr(round(float(value), 9))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def flow_text(cfs: float) -> str:
    """A discharge as the USGS prints it: 0.01 below 10 cfs, 0.1 below 100, else whole."""
    text = fixed(cfs, 2)
    for limit, places in ((Decimal(10), 1), (Decimal(100), 0)):
        if Decimal(text) >= limit:
            text = fixed(cfs, places)
    return text


def rdb(
    station: tuple[str, str],
    column: tuple[str, str, str],
    night: date,
    rows: Iterable[tuple[str, ...]],
) -> str:
    """One USGS RDB file; rows are (datetime, [zone,] value, code). Column is (series, code or code_statistic, text)."""
    rows = list(rows)
    number, name = station
    series, code, described = column
    unit = len(rows[0]) == 4
    zone = "EST" if night >= date(night.year, 11, 2) else "EDT"
    head = RDB_WARNING + f"# retrieved: {night} 05:40:{17 + night.day % 40:02d} {zone}       (example01)\n#\n"
    head += f"# Data for the following 1 site(s) are contained in this file\n#    USGS {number} {name}\n"
    head += "# -----------------------------------------------------------------------------------\n#\n"
    head += f"# Data provided for site {number}\n#    DD parameter{'   ' if unit else ' statistic   '}Description\n"
    head += f"#    {series}   {'   '.join(code.split('_'))}     {described}\n#\n"
    head += "# Data-value qualification codes included in this output: \n"
    head += "".join(f"#     {one}  {CODE_TEXT[one]}  \n" for one in _codes(rows)) + "# \n"
    zone_names, zone_widths = (["tz_cd"], ["6s"]) if unit else ([], [])
    names = ["agency_cd", "site_no", "datetime", *zone_names, f"{series}_{code}", f"{series}_{code}_cd"]
    widths = ["5s", "15s", "20d", *zone_widths, "14n", "10s"]
    lines = ["\t".join(names), "\t".join(widths), *("\t".join(("USGS", number, *row)) for row in rows)]
    return head + "\n".join(lines) + "\n"


def _codes(rows: list[tuple[str, ...]]) -> list[str]:
    used = {part for row in rows for part in row[-1].split(":")} | {row[-2] for row in rows}
    return [code for code in CODE_TEXT if code in used]


def table(header: str, rows: Iterable[Sequence[object]]) -> str:
    """A plain csv with the header as given."""
    out = io.StringIO()
    out.write(header + "\n")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def noaa(station: tuple[str, str, str, str, str], rows: Iterable[tuple[date, str, str, str]]) -> str:
    """NOAA Climate Data Online, daily summaries: inches and degrees F, units not in the file."""
    number, name, *place = station
    lines = [f'{number},"{name}",{",".join(place)},{day},{",".join(values)}' for day, *values in rows]
    return "\n".join(["STATION,NAME,LATITUDE,LONGITUDE,ELEVATION,DATE,PRCP,TMAX,TMIN", *lines]) + "\n"


def xle(
    location: str, model: str, serial: str, channels: tuple[tuple[str, str], tuple[str, str]],
    logs: list[tuple[datetime, str, str]], read_at: datetime,
) -> str:  # fmt: skip
    """A Solinst .xle file as Levelogger software 4 writes it (``Longtitude`` is Solinst's spelling)."""
    head = f"""<?xml version="1.0" encoding="UTF-8"?>
<Body_xle>
    <File_info>
        <Company></Company>
        <LICENCE></LICENCE>
        <Date>{read_at:%Y/%m/%d}</Date>
        <Time>{read_at:%H:%M:%S}</Time>
        <FileName></FileName>
        <Created_by>Version 4.6.3</Created_by>
    </File_info>
    <Instrument_info>
        <Instrument_type>L5_LT</Instrument_type>
        <Model_number>{model:<8}</Model_number>
        <Instrument_state>Stopped</Instrument_state>
        <Serial_number>{serial}</Serial_number>
        <Battery_level>100</Battery_level>
        <Channel>2</Channel>
        <Firmware>1.006</Firmware>
    </Instrument_info>
    <Instrument_info_data_header>
        <Project_ID>PINE HOLLOW</Project_ID>
        <Location>{location}</Location>
        <Latitude>0.000</Latitude>
        <Longtitude>0.000</Longtitude>
        <Sample_rate>2160000</Sample_rate>
        <Sample_mode>0</Sample_mode>
        <Event_ch>0</Event_ch>
        <Event_threshold>0.000000</Event_threshold>
        <Schedule />
        <Start_time>{logs[0][0]:%Y/%m/%d %H:%M:%S}</Start_time>
        <Stop_time>{read_at:%Y/%m/%d %H:%M:%S}</Stop_time>
        <Num_log>{len(logs)}</Num_log>
    </Instrument_info_data_header>
"""
    head += "".join(_channel(i, *channel) for i, channel in enumerate(channels, 1))
    body = "".join(_log(i, *log) for i, log in enumerate(logs, 1))
    return head + "    <Data>\n" + body + "    </Data>\n</Body_xle>\n"


def _channel(i: int, name: str, unit: str) -> str:
    offset = f'\n            <Offset Val="0.0000" Unit="{unit}" />\n        ' if i == 1 else ""
    parameters = f"<Parameters>{offset}</Parameters>" if offset else "<Parameters />"
    return f"""    <Ch{i}_data_header>
        <Identification>{name}</Identification>
        <Unit>{unit}</Unit>
        {parameters}
    </Ch{i}_data_header>
"""


def _log(i: int, at: datetime, first: str, second: str) -> str:
    return f"""        <Log id="{i}">
            <Date>{at:%Y/%m/%d}</Date>
            <Time>{at:%H:%M:%S}</Time>
            <ms>0</ms>
            <ch1>{first}</ch1>
            <ch2>{second}</ch2>
        </Log>
"""


def hobo(title: str, serial: str, logs: list[tuple[datetime, str, str]], read_at: datetime) -> str:
    """An Onset HOBO U20 csv as HOBOware exports it, with the event rows of the read-out at the end."""
    both = f"(LGR S/N: {serial}, SEN S/N: {serial})"
    events = [f'"{name} (LGR S/N: {serial})"' for name in _HOBO_EVENTS]
    header = f'"#","Date Time, GMT-06:00","Abs Pres, psi {both}","Temp, °F {both}",' + ",".join(events)
    rows = [f"{i},{at:%m/%d/%y %I:%M:%S %p},{psi},{temp},,,," for i, (at, psi, temp) in enumerate(logs, 1)]
    marks = ["Logged,Logged,,", ",,Logged,Logged"]
    rows += [f"{len(logs) + i},{read_at:%m/%d/%y %I:%M:%S %p},,,{mark}" for i, mark in enumerate(marks, 1)]
    return "\n".join([f'"Plot Title: {title}"', header, *rows]) + "\n"


_HOBO_EVENTS = ("Coupler Attached", "Host Connected", "Stopped", "End Of File")
