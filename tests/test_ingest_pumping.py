"""Sheets of pumped water: meters that count in thousands, months that contradict their unit, registers of wells."""

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ingest.arrival import place
from ingest.formats import FORMATS, read
from ingest.reading import Parts, Reading, Source, Told
from models.errors import BadFile
from tests.record_in_memory import site, well

SAMPLES = Path(__file__).parents[2] / "shared" / "samples" / "pumping"
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
NOTHING = Told()


def parse(format: str, text: str, told: Told = NOTHING) -> Parts:
    assert [name for name, one in FORMATS.items() if one.sniff(text)] == [format]
    return FORMATS[format].parse(Source("sheet.csv", text, told=told))


def rows(parts: Parts | Reading) -> list[dict[Any, Any]]:
    return parts.observations.to_dict("records")


def wide(unit: str, values: list[int], annual: int | str) -> str:
    head = ",".join([*(f"{name}_{unit}" for name in MONTHS), f"annual_{unit}"])
    return f"well,year,{head}\nPW-1,2024,{','.join(map(str, values))},{annual}\n"


TWELVE = list(range(100, 1300, 100))


def test_registers_in_hundreds_and_thousands_keep_what_they_showed() -> None:
    lines = ["1234,x1000 gal", "1234,gal x 100", "12.5,100 ft3", "7,kgal", "3,CCF", "9,x7 gal", "9,x10 ft"]
    head = "meter,read_date,read_time,timezone,reading,unit,event,comment\n"
    parts = parse("totalizer", head + "".join(f"M,2024-06-0{k},,,{one},,\n" for k, one in enumerate(lines, 1)))
    assert [(one["value"], one["unit"]) for one in rows(parts)] == [
        (1_234_000, "gal"), (123_400, "gal"), (1250, "ft3"), (7000, "gal"), (300, "ft3"),
    ]  # fmt: skip
    assert rows(parts)[2]["value_text"] == "1250.0"
    assert "register=12.5 x100 ft3" in rows(parts)[2]["flags"]
    assert [(one.row, one.column) for one in parts.rejects] == [(7, "unit"), (8, "unit")]


def test_a_short_sheet_with_a_multiplier_and_events_in_words() -> None:
    text = (
        "date,totalizer_gal,multiplier,event\n2024-06-01,5,x100,\n2024-06-09,9,100,final reading old meter\n"
        "2024-06-09,1,,initial reading new meter\n2024-06-10,4,3,\n2024-06-11,4,,broke\n"
    )
    parts = parse("totalizer", text, Told(station="M"))
    assert [(one["station"], one["value"], one["series"]) for one in rows(parts)] == [
        ("M", 500, ""), ("M", 900, ""), ("M", 1, "replaced-in"),
    ]  # fmt: skip
    assert [(one.row, one.column) for one in parts.rejects] == [(5, "multiplier"), (6, "event")]
    twice = "date,reading_x1000_gal,multiplier\n2024-06-01,5,100\n"
    assert parse("totalizer", twice).rejects[0].column == "multiplier"


def test_months_whose_year_is_their_sum_are_no_rates() -> None:
    """7,800 is the sum of 100 to 1,200: gallons per minute do not add up to a year."""
    text = wide("gpm", TWELVE, 7800)
    with pytest.raises(BadFile, match=r"row 2.*called gpm.*annual_gpm is their sum.*--unit"):
        parse("monthly-volumes", text)
    told = rows(parse("monthly-volumes", text, Told(unit="gal")))
    assert {(one["parameter"], one["unit"], one["statistic"]) for one in told} == {("withdrawal", "gal", "sum")}
    told = rows(parse("monthly-volumes", text, Told(unit="gpm")))
    assert {(one["parameter"], one["unit"], one["statistic"]) for one in told} == {("pumping_rate", "gpm", "mean")}


def test_gpm_of_months_is_never_guessed_even_where_nothing_contradicts_it() -> None:
    with pytest.raises(BadFile, match="gallons per minute, or gallons per month"):
        parse("monthly-volumes", wide("gpm", TWELVE, ""))
    with pytest.raises(BadFile, match="gallons per minute, or gallons per month"):
        parse("monthly-volumes", "well,month,gpm\nPW-1,2024-06,400000\n")
    by_row = "well,month,volume,unit\nPW-1,2024-06,400000,gpm\nPW-1,2024-07,400000,gal\n"
    parts = parse("monthly-volumes", by_row)
    assert [(one.row, one.column) for one in parts.rejects] == [(2, "unit")]
    assert [one["value"] for one in rows(parts)] == [400_000]


def test_other_rates_are_rates_unless_they_add_up() -> None:
    found = rows(parse("monthly-volumes", wide("MGD", TWELVE, 650)))
    assert {(one["parameter"], one["unit"]) for one in found} == {("pumping_rate", "MGD")}
    with pytest.raises(BadFile, match="their sum"):
        parse("monthly-volumes", wide("MGD", TWELVE, 7800))


def test_a_wide_table_checks_its_year_and_takes_its_months() -> None:
    parts = parse("monthly-volumes", wide("gal", TWELVE, 7801))
    assert len(parts.observations) == 12
    assert [(one.row, one.rows, one.reason) for one in parts.rejects] == [
        (2, 0, "months add to 7800, annual says 7801")
    ]
    assert not parse("monthly-volumes", wide("gal", TWELVE, 7800)).rejects


def test_a_long_table_with_its_total_and_a_million_gallons() -> None:
    text = "well,year,month,volume_MG\nPW-1,2024,1,1.5\nPW-1,2024,Feb,2.25\nPW-1,2024,13,1\nPW-1,2024,March,\n"
    parts = parse("monthly-volumes", text)
    assert [(one["value_text"], one["unit"], one["clock"]) for one in rows(parts)] == [
        ("1.5", "MG", "month"), ("2.25", "MG", "month"),
    ]  # fmt: skip
    assert [(one.row, one.column) for one in parts.rejects] == [(4, "month")]
    total = "well,year,month,volume_gal\nPW-1,1971,Jan,10\nPW-1,1971,Feb,20\nPW-1,1971,total,31\n"
    (wrong,) = parse("monthly-volumes", total).rejects
    assert (wrong.row, wrong.rows, wrong.reason) == (4, 0, "months add to 30, the year says 31")
    assert not parse("monthly-volumes", total.replace("31\n", "30\n")).rejects


ACRE_FT_GAL = 43_560 * 1728 / 231
"""A foot deep on an acre, in gallons of 231 cubic inches: 325,851.43."""


@pytest.mark.parametrize(
    ("column", "gallons"),
    [
        ("pumpage_acre_ft", 2 * ACRE_FT_GAL), ("Pumpage (acre-feet)", 2 * ACRE_FT_GAL), ("volume_af", 2 * ACRE_FT_GAL),
        ("volume_kgal", 2000), ("Volume [1000 gal]", 2000), ("\"volume (1,000 gal)\"", 2000),
        ("volume_x1000_gal", 2000), ("withdrawal, thousand gallons".replace(",", ""), 2000), ("pumped_Mgal", 2_000_000),
        ("Volume in million gallons", 2_000_000), ("volume_MG", 2_000_000), ("volume_ccf", 200 * 1728 / 231),
        ("volume_cf", 2 * 1728 / 231), ("pumped_water_total_gal", 2), ("gal", 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("said", ["", "gal"])
def test_the_unit_in_a_heading_stands_whatever_is_said_beside_it(
    column: str, gallons: float, said: str, tmp_path: Path
) -> None:
    sheet = tmp_path / "months.csv"
    sheet.write_text(f"well,month,{column}\nPW,2024-06,2\n")
    at = site(well=[well("PW", 0, use="production")])
    arrived = place(read(sheet, told=Told(unit=said)), at, ZoneInfo("America/Chicago"))
    assert arrived.frame["value"].tolist() == [pytest.approx(gallons)]


@pytest.mark.parametrize(
    "column", ["volume_hectolitres", "volume_k_gal", "pumpage_acre_in", "volume (barrels)", "withdrawal_gal_per_month"]
)
@pytest.mark.parametrize("said", ["", "gal"])
def test_a_unit_in_a_heading_that_nobody_knows_refuses_the_table(column: str, said: str) -> None:
    with pytest.raises(BadFile, match="no unit of volume or rate that is known here"):
        parse("monthly-volumes", f"well,month,{column}\nPW,2024-06,2\n", Told(unit=said))


def test_twelve_months_in_thousands_and_in_a_unit_behind_a_dash() -> None:
    found = rows(parse("monthly-volumes", wide("kgal", TWELVE, 7800)))
    assert [one["value"] for one in found] == [1000 * one for one in TWELVE]
    assert {one["unit"] for one in found} == {"gal"}
    assert "reported=100 x1000 gal" in found[0]["flags"]
    dashed = wide("kgal", TWELVE, 7800).replace("_kgal", "-kgal")
    assert [one["value"] for one in rows(parse("monthly-volumes", dashed))] == [1000 * one for one in TWELVE]
    mixed = wide("gal", TWELVE, 7800).replace("Jun_gal", "Jun_gallons")
    assert len(rows(parse("monthly-volumes", mixed))) == 12
    with pytest.raises(BadFile, match="different units"):
        parse("monthly-volumes", wide("gal", TWELVE, 7800).replace("Jun_gal", "Jun_kgal"))
    with pytest.raises(BadFile, match="no unit of volume"):
        parse("monthly-volumes", wide("firkin", TWELVE, 7800), Told(unit="gal"))


def test_a_unit_of_a_row_may_be_a_multiple() -> None:
    text = "well,month,volume,unit\nPW,2024-06,2,kgal\nPW,2024-07,2,acre-ft\nPW,2024-08,2,firkin\n"
    parts = parse("monthly-volumes", text)
    assert [(one["value"], one["unit"]) for one in rows(parts)] == [(2000, "gal"), (87_120, "ft3")]
    assert [(one.row, one.column) for one in parts.rejects] == [(4, "unit")]


def test_registers_in_acre_feet_million_gallons_and_cubic_feet() -> None:
    head = "meter,read_date,read_time,timezone,reading,unit,event,comment\n"
    lines = ["1.5,acre-ft", "600,Mgal", "0.4,MG", "70000,cf", "2,x10 kgal"]
    parts = parse("totalizer", head + "".join(f"M,2024-06-0{k},,,{one},,\n" for k, one in enumerate(lines, 1)))
    assert [(one["value"], one["unit"]) for one in rows(parts)] == [
        (65_340, "ft3"), (600_000_000, "gal"), (0.4, "MG"), (70_000, "ft3"),
    ]  # fmt: skip
    assert [(one.row, one.reason) for one in parts.rejects] == [(6, "a multiple of a multiple")]


def test_marks_of_thousands_are_read_as_in_other_tables() -> None:
    text = 'well,month,volume_gal\nPW,2024-06,"1,234,567"\nPW,2024-07,"2,000"\nPW,2024-08,"12,34,5"\n'
    parts = parse("monthly-volumes", text)
    assert [one["value"] for one in rows(parts)] == [1_234_567, 2000]
    assert [one.row for one in parts.rejects] == [4]
    with pytest.raises(BadFile, match=r"2000 or 2\.000; say which with --decimal"):
        parse("monthly-volumes", 'well,month,volume_gal\nPW,2024-07,"2,000"\n')
    readings = parse("totalizer", 'date,totalizer_gal,multiplier\n2024-06-01,"1,234,567","1,000"\n', Told(station="M"))
    assert [one["value"] for one in rows(readings)] == [1_234_567_000]
    days = parse("daily-abstraction", 'Date,Volume\n2024-06-01,"1,234,567"\n', Told("PW", "withdrawal", "gal"))
    assert [one["value"] for one in rows(days)] == [1_234_567]


def test_months_without_a_unit_are_left_open_and_refused_when_placed(tmp_path: Path) -> None:
    sheet = tmp_path / "months.csv"
    sheet.write_text("well,month,volume\nPW,2024-06,400000\n")
    at = site(well=[well("PW", 0, use="production")])
    arrived = place(read(sheet), at, ZoneInfo("America/Chicago"))
    assert (len(arrived.frame), "no unit stated" in arrived.rejects[0].reason) == (0, True)
    told = place(read(sheet, told=Told(unit="gal")), at, ZoneInfo("America/Chicago"))
    assert told.frame["value"].tolist() == [400_000]


def test_a_date_and_a_discharge_are_placed_only_as_told(tmp_path: Path) -> None:
    sheet = tmp_path / "daily.csv"
    sheet.write_bytes(b"Date, Discharge\r\n1988-05-12,100.0\r\n1988-05-13,0.000\r\n")
    at = site(well=[well("PW", 0, use="production")])
    zone = ZoneInfo("America/Chicago")
    assert "does not say what is measured" in place(read(sheet, told=Told(station="PW")), at, zone).rejects[0].reason
    told = place(read(sheet, told=Told(station="PW", parameter="withdrawal", unit="m3/d")), at, zone)
    assert told.frame["value"].tolist() == pytest.approx([26_417.2052358, 0])
    assert set(told.frame["statistic"]) == {"sum"}


REGISTER = "owner,hicap_num,well_num,status,source,approval_year,construction_year,abandoned_year,max_approved\n"


def test_a_register_of_wells_is_a_table_whose_amounts_have_no_unit() -> None:
    lines = [
        'A,1,AA001,Active,Groundwater,"Thursday, March 28, 2024",1999,,"1,100"',
        'A,1,AA002,Active,Groundwater,"Friday, March 28, 2024",,7/7/05,much',
    ]
    parts = parse("wi-high-capacity-register", REGISTER + "\n".join(lines) + "\n")
    table = parts.tables["high_capacity_register"]
    assert parts.observations.empty
    assert table[["row", "approved_on", "constructed_on", "max_approved"]].to_numpy().tolist() == [
        ["2", "2024-03-28", "1999", "1,100"], ["3", "", "", "much"],
    ]  # fmt: skip
    assert [(one.row, one.column, one.rows) for one in parts.rejects] == [
        (3, "approval_year", 0), (3, "abandoned_year", 0), (3, "max_approved", 0),
    ]  # fmt: skip
    assert parts.facts == {"max_approved_unit": "not stated in the file", "hicap_num_used_twice": "1"}


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared is absent")
def test_the_samples() -> None:
    register = read(SAMPLES / "wi-high-capacity-well-approvals.csv")
    table = register.tables["high_capacity_register"]
    assert (len(table), table["approved_on"].iloc[0], table["well_num"].iloc[0]) == (1712, "2024-03-28", "ABT238")
    assert ((table["max_approved"] == "").sum(), (table["approval_year"] == "").sum()) == (295, 212)
    assert [(one.row, one.raw) for one in register.rejects] == [(1679, "7/7/05")]
    dutch = read(SAMPLES / "vierlingsbeek-daily-abstraction.csv", told=Told(parameter="withdrawal", unit="m3"))
    assert len(dutch.observations) == 9000
    assert dutch.observations["value"].sum() == pytest.approx(55_548_782.774)
    months = read(SAMPLES / "wi-plainfield-monthly-gallons-wide.csv")
    assert months.format == "wi-monthly-volumes"
    assert (len(months.observations), months.observations["value"].sum(), months.rejects) == (
        399 * 12,
        10_781_351_714,
        (),
    )


@pytest.mark.parametrize(
    ("parameter", "unit"),
    [("withdrawal", "gal"), ("discharged_volume", "gal"), ("pump_run_time", "h"), ("meter_reading", "gal")],
)
def test_what_counts_up_is_never_below_zero_in_any_table(parameter: str, unit: str) -> None:
    """The good rows of the table are taken, and the day before it is not."""
    days = "".join(f"PW,2025-08-0{k},{parameter},{value},{unit}\n" for k, value in ((1, 20), (2, -5)))
    parts = parse("csv-table", f"site_no,date,parameter,value,unit\n{days}")
    assert [one["value"] for one in rows(parts)] == [20]
    assert [(one.row, one.raw, one.reason) for one in parts.rejects] == [(3, "-5", "negative")]


def test_a_rate_may_run_back() -> None:
    parts = parse("csv-table", "site_no,datetime_utc,pumping_rate_gpm\nPW,2025-06-01T05:00:00Z,-0.2\n")
    assert [one["value"] for one in rows(parts)] == [-0.2]
