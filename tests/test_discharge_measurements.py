"""Field measurements of discharge: AquaCalc (current meter) and QRev (moving boat)."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.canonical import converted
from ingest.formats import FORMATS, read
from ingest.reading import Parts, Reading, Source
from ingest.summary import summarise, time_text
from models.errors import BadFile, HeadwaterError
from models.observation import TIDY, Flags

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
AQUACALC = (DATA / "aquacalc.txt").read_text()
QREV = (DATA / "qrev-xml.txt").read_text()
SHARED_ONLY = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")


def parse(format: str, text: str) -> Parts:
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(Source("measured.txt", text))


def rows(parts: Parts) -> list[tuple[Any, ...]]:
    table = parts.observations
    times = [time_text(int(ms), str(clock)) for ms, clock in zip(table["time_ms"], table["clock"], strict=True)]
    return list(zip(table["parameter"], times, table["value"], table["value_text"], table["unit"], strict=True))


def sample(path: str) -> tuple[Reading, str]:
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        facts = {row["path"]: row["checked_facts"] for row in csv.DictReader(handle, delimiter="\t")}
    return read(SHARED / "samples" / path), facts[path]


def fact(text: str, name: str) -> str:
    found = re.search(rf"{name}=(\S+?)(?:;| |$)", text)
    assert found is not None
    return found[1]


def test_aquacalc_discharge_and_both_gage_heights() -> None:
    parts = parse("aquacalc", AQUACALC)
    assert rows(parts) == [
        ("discharge", "2024-06-14T10:30:00", 10.0, "10.00", "cfs"),
        ("stage", "2024-06-14T10:30:00", 2.1, "2.10", "ft"),
        ("stage", "2024-06-14T11:05:00", 2.12, "2.12", "ft"),
    ]
    assert parts.observations[["station", "series", "statistic"]].drop_duplicates().to_numpy().tolist() == [
        ["009990011", "field", "instant"]
    ]
    flags = Flags.parse(parts.observations["flags"].iloc[0])
    assert flags.qualifiers == ()
    assert flags.facts == {
        "end": "06/14/24 11:05", "width_ft": "6.00", "area_ft2": "10.00", "velocity_ft_s": "1.00",
        "estimated_q": "30.00", "quality": "good", "verticals": "3", "meter": "AA",
    }  # fmt: skip
    assert "ABC" not in parts.observations.to_csv() + repr(parts.facts)


def test_aquacalc_verticals_as_written() -> None:
    table = parse("aquacalc", AQUACALC).tables["verticals"]
    assert table["VERT"].tolist() == ["1", "2", "2", "3"]
    assert table.iloc[1].to_dict() == {
        "row": "24", "VERT": "2", "DIST": "3.00", "TDPTH": "2.00", "OBS": "o2", "VVEL": "", "SSAREA": "", "SSQ": "",
        "FLAGS": "",
    }  # fmt: skip


def test_aquacalc_zero_height_was_not_entered() -> None:
    parts = parse("aquacalc", AQUACALC.replace("2.10", "0.00").replace("2.12", "tall"))
    assert [row[0] for row in rows(parts)] == ["discharge"]
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(13, "End Gage height", "tall")]


def test_aquacalc_says_where_the_verticals_do_not_add_up() -> None:
    for q, said in (("10.09", ()), ("10.20", ("differs-from-verticals",))):
        parts = parse("aquacalc", AQUACALC.replace("Section Q:,          10.00", f"Section Q:, {q}"))
        assert Flags.parse(parts.observations["flags"].iloc[0]).qualifiers == said


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Section Q:,          10.00", "Section Q:, much", "Section Q: not a number"),
        ("009990011", "", "Sect ID: blank"),
        ("06/14/24 10:30", "14/06/24 10:30", "Beg Time: no such day"),
        ("06/14/24 10:30", "yesterday", "Beg Time: not a time"),
    ],
)
def test_aquacalc_without_its_discharge_is_no_measurement(old: str, new: str, reason: str) -> None:
    with pytest.raises(BadFile, match=reason):
        parse("aquacalc", AQUACALC.replace(old, new))


@SHARED_ONLY
def test_aquacalc_sample() -> None:
    reading, facts = sample("discharge-measurement/aquacalc-033695001.csv")
    (found,) = summarise(reading)["series"]
    flags = Flags.parse(reading.observations["flags"].iloc[0])
    assert (found["station"], found["first"]["time"]) == (fact(facts, "section"), "2018-06-14T10:38:00")
    assert (found["first"]["value_text"], found["unit"]) == (fact(facts, "section Q"), "cfs")
    assert (flags.facts["area_ft2"], flags.facts["width_ft"]) == (fact(facts, "area"), fact(facts, "width"))
    assert (flags.facts["velocity_ft_s"], flags.facts["end"]) == (fact(facts, "velocity"), "06/14/18 11:15")
    assert (flags.facts["estimated_q"], flags.facts["verticals"]) == (fact(facts, "estimated Q"), "21")
    verticals = reading.tables["verticals"]
    assert (len(verticals), verticals["VERT"].nunique()) == (34, int(fact(facts, "vertical count")))
    assert round(sum(float(text) for text in verticals["SSQ"] if text), 2) == float(fact(facts, "sum of SSQ column"))
    assert (flags.qualifiers, reading.rejects, reading.timezone) == ((), (), None)


def test_qrev_keeps_its_own_units() -> None:
    parts = parse("qrev-xml", QREV)
    assert rows(parts) == [
        ("discharge", "2024-06-14T13:46:32", 1.25, "1.250", "m3/s"),
        ("stage", "2024-06-14T13:46:32", 0.641, "0.641", "m"),
    ]
    facts = Flags.parse(parts.observations["flags"].iloc[0]).facts
    assert facts == {
        "end": "06/14/2024 13:53:02", "width": "6.02 m", "uncertainty_percent": "4.1", "rating": "Good (3-5%)",
    }  # fmt: skip
    stored, _ = converted(parts.observations, "x")
    # 1.25 m3/s * 35.3146667 = 44.1433 ft3/s; 0.641 m / 0.3048 = 2.10302 ft
    assert stored["value"].tolist() == pytest.approx([44.14333, 2.103018], abs=1e-5)
    assert stored["unit"].tolist() == ["cfs", "ft"]


def test_qrev_transects() -> None:
    table = parse("qrev-xml", QREV).tables["transects"]
    assert table[["row", "file", "start", "discharge"]].to_numpy().tolist() == [
        ["9", "1.mat", "06/14/2024 13:46:32", "1.20 cms"],
        ["17", "2.mat", "06/14/2024 13:50:25", "1.30 cms"],
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('unitsCode="cms">1.250', ">1.250", "ChannelSummary/Discharge/Total: unknown unit"),
        ('unitsCode="cms">1.250', 'unitsCode="m">1.250', "cannot be converted"),
        ("1.250", "wet", "not a number"),
        ("00999001", "", "SiteInformation/SiteID: blank"),
        ("06/14/2024", "14.06.2024", "not a time"),
        ("<StartDateTime", "<Started", "broken XML"),
        ("Transect>", "Passage>", "no transect"),
        ("</Channel>", "", "broken XML"),
        ("<Channel Q", '<!DOCTYPE x [<!ENTITY a "b">]><Channel Q', "document type"),
    ],
)
def test_qrev_refused(old: str, new: str, reason: str) -> None:
    with pytest.raises(BadFile, match=reason):
        FORMATS["qrev-xml"].parse(Source("x.xml", QREV.replace(old, new)))


@SHARED_ONLY
def test_qrev_sample() -> None:
    reading, facts = sample("discharge-measurement/qrev-03251980.xml")
    (found,) = summarise(reading)["series"]
    flags = Flags.parse(reading.observations["flags"].iloc[0]).facts
    assert (found["station"], found["first"]["value_text"]) == (fact(facts, "site"), fact(facts, "Total"))
    assert (found["unit"], found["first"]["time"], found["timezone"]) == ("m3/s", "2018-02-22T13:46:32", None)
    assert (flags["width"], flags["area"]) == (f"{fact(facts, 'MeanWidth')} m", f"{fact(facts, 'MeanArea')} sqm")
    assert flags["velocity"] == f"{fact(facts, 'MeanQoverA')} mps"
    assert (flags["maximum_depth"], flags["rating"]) == (f"{fact(facts, 'MaximumDepth')} m", "Not Rated")
    assert (flags["uncertainty_percent"], reading.facts["software"]) == ("9.2", "QRev - 3.43")
    transects = reading.tables["transects"]
    assert len(transects) == int(fact(facts, "transects"))
    mean = sum(float(text.split()[0]) for text in transects["discharge"]) / 4
    assert mean == pytest.approx(62.505, abs=5e-4)


@pytest.mark.parametrize("format", ["aquacalc", "qrev-xml"])
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_a_mutated_file_raises_nothing_else(format: str, draw: st.DataObject) -> None:
    text = AQUACALC if format == "aquacalc" else QREV
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, len(text)))
        junk = draw.draw(st.sampled_from(["", ",", '"', "\n", "<", "</", "&a;", "1e308", "NaN", "9" * 60, "é", ":,"]))
        text = text[:place] + junk + text[place + draw.draw(st.integers(0, 9)) :]
    try:
        parts = FORMATS[format].parse(Source("hostile.txt", text))
    except HeadwaterError:
        return
    assert tuple(parts.observations.columns) == TIDY
    assert str(parts.observations["time_ms"].dtype) == "int64"


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("aquacalc", "<csv>\nAquaCalc\nVERT," + "1," * 200_000),
        ("aquacalc", "<csv>\nAquaCalc\nVERT,A\n" + "1," * 10_000_000),
        ("aquacalc", "<csv>\nAquaCalc\n" + "A" * 5_000_000),
        ("qrev-xml", "<Channel QRevVersion=''>" + "<a>" * 200_000),
        ("qrev-xml", "<Channel QRevVersion=''><a>" + "x" * 5_000_000),
    ],
)
def test_hostile_shapes_are_refused(format: str, text: str) -> None:
    with pytest.raises(BadFile):
        FORMATS[format].parse(Source("hostile.txt", text))
