"""USGS groundwater levels: which quantity a number is, above which datum, and how exactly its time is known."""

import math

import pandas as pd
import pytest

from ingest.rdb.levels import parse, sniff
from ingest.reading import Parts, Source
from models.errors import BadFile

NAMES = ("site_no", "lev_dt", "lev_tm", "lev_tz_cd", "lev_va", "sl_lev_va", "sl_datum_cd", "lev_status_cd",
         "lev_dt_acy_cd", "lev_meth_cd", "lev_age_cd", "parameter_cd")  # fmt: skip
FULL = {"site_no": "00999002", "lev_dt": "2024-05-01", "lev_va": "31.25"}


def source(*rows: dict[str, str], names: tuple[str, ...] = NAMES) -> Source:
    lines = ["\t".join(("USGS", *((FULL | row).get(name, "") for name in names))) for row in rows]
    head = "\t".join(("agency_cd", *names)) + "\n" + "\t".join(["5s"] * (len(names) + 1)) + "\n"
    return Source("gw.rdb", head + "".join(f"{line}\n" for line in lines))


def levels(*rows: dict[str, str]) -> Parts:
    return parse(source(*rows))


def times(parts: Parts) -> list[tuple[str, str]]:
    rows = parts.observations
    return [
        (pd.Timestamp(ms, unit="ms").isoformat(), clock)
        for ms, clock in zip(rows["time_ms"], rows["clock"], strict=True)
    ]


@pytest.mark.parametrize(
    ("cells", "parameter", "text"),
    [
        ({}, "depth_to_water", "31.25"),
        ({"parameter_cd": "72019"}, "depth_to_water", "31.25"),
        ({"parameter_cd": "61055"}, "depth_below_mp", "31.25"),
        ({"parameter_cd": "72150"}, "usgs:72150", "31.25"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "sl_datum_cd": "NGVD29"}, "water_elevation_ngvd29", "1001.2"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "sl_datum_cd": "NAVD88"}, "water_elevation_navd88", "1001.2"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "parameter_cd": "62610"}, "water_elevation_ngvd29", "1001.2"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "parameter_cd": "62611"}, "water_elevation_navd88", "1001.2"),
        ({"lev_va": "null", "sl_lev_va": "9", "sl_datum_cd": "null", "parameter_cd": "62611"},
         "water_elevation_navd88", "9"),
    ],
)  # fmt: skip
def test_the_code_or_the_datum_says_what_a_level_is(cells: dict[str, str], parameter: str, text: str) -> None:
    parts = levels(cells)
    (row,) = parts.observations.to_dict("records")
    assert (row["parameter"], row["value_text"], row["value"]) == (parameter, text, float(text))
    assert (row["series"], row["statistic"], parts.rejects) == ("field", "instant", ())


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"lev_va": "", "sl_lev_va": "1001.2"}, "sl_datum_cd"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "sl_datum_cd": "LMSL"}, "sl_datum_cd"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "sl_datum_cd": "NGVD29", "parameter_cd": "62611"}, "sl_datum_cd"),
        ({"lev_va": "", "sl_lev_va": "1001.2", "parameter_cd": "72019"}, "parameter_cd"),
        ({"parameter_cd": "62611"}, "parameter_cd"),
        ({"parameter_cd": "7201"}, "parameter_cd"),
        ({"lev_va": "31,25"}, "lev_va"),
        ({"lev_dt": "2024-13-01"}, "lev_dt"),
        ({"lev_dt": "1 May"}, "lev_dt"),
        ({"lev_tm": "25:00"}, "lev_tm"),
        ({"lev_tm": "10:15", "lev_tz_cd": "XST"}, "lev_tz_cd"),
        ({"site_no": "x" * 41}, "site_no"),
    ],
)
def test_what_cannot_be_known_is_a_reject_and_the_next_row_loads(cells: dict[str, str], column: str) -> None:
    parts = levels(cells, {"lev_va": "7"})
    assert parts.observations["value"].tolist() == [7.0]
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(3, column, (FULL | cells).get(column, ""))]


def test_depth_and_elevation_in_one_row_are_two_observations() -> None:
    rows = levels({"sl_lev_va": "968.75", "sl_datum_cd": "NAVD88", "parameter_cd": "72019"}).observations
    assert rows[["parameter", "value"]].to_numpy().tolist() == [
        ["depth_to_water", 31.25], ["water_elevation_navd88", 968.75],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "time", "clock"),
    [
        ({"lev_tm": "10:15", "lev_tz_cd": "CDT", "lev_dt_acy_cd": "m"}, "2024-05-01T15:15:00", "utc"),
        ({"lev_dt": "20240501", "lev_tm": "1015", "lev_tz_cd": "UTC"}, "2024-05-01T10:15:00", "utc"),
        ({"lev_tm": "10:15"}, "2024-05-01T10:15:00", "naive"),
        ({}, "2024-05-01T00:00:00", "day"),
        ({"lev_tm": "1200", "lev_tz_cd": "UTC", "lev_dt_acy_cd": "D"}, "2024-05-01T00:00:00", "day"),
        ({"lev_dt_acy_cd": "M"}, "2024-05-01T00:00:00", "month"),
        ({"lev_dt": "2024-05-17", "lev_dt_acy_cd": "Y"}, "2024-01-01T00:00:00", "year"),
        ({"lev_dt": "1978-08"}, "1978-08-01T00:00:00", "month"),
        ({"lev_dt": "1978", "lev_dt_acy_cd": "D"}, "1978-01-01T00:00:00", "year"),
    ],
)  # fmt: skip
def test_a_time_is_no_more_exact_than_its_code_says(cells: dict[str, str], time: str, clock: str) -> None:
    parts = levels(cells)
    assert (times(parts), parts.rejects) == ([(time, clock)], ())


def test_codes_keep_their_meaning() -> None:
    given = {"lev_status_cd": "P", "lev_meth_cd": "V", "lev_dt_acy_cd": "D", "lev_age_cd": "A"}
    approved, working, dry, nothing = given, {"lev_age_cd": "W"}, {"lev_va": "", "lev_status_cd": "D"}, {"lev_va": ""}
    rows = levels(approved, working, dry, nothing).observations
    assert rows["flags"].tolist() == ["A;status=P;lev_meth_cd=V;lev_dt_acy_cd=D", ":W", ";status=D"]
    assert math.isnan(rows["value"][2])
    assert (rows["value_text"][2], rows["parameter"][2]) == ("", "depth_to_water")


def test_only_a_table_of_levels_is_taken() -> None:
    assert sniff(source({}).text)
    assert not sniff("agency_cd\tsite_no\tlev_dt\n5s\t15s\t8s\n")
    with pytest.raises(BadFile, match="lacks lev_dt"):
        parse(source({}, names=("site_no", "lev_va")))
