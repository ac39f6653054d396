"""Daily stage and flow of other countries' services: Quebec (CEHQ) and Austria (eHYD)."""

import csv
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.canonical import converted
from ingest.formats import FORMATS, read
from ingest.reading import Parts, Source
from ingest.summary import summarise, time_text
from models.errors import BadFile, HeadwaterError
from models.observation import TIDY

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data" / "ingest"
CEHQ = (DATA / "cehq-daily.txt").read_text("cp1252")
EHYD = (DATA / "ehyd-daily.txt").read_text("latin-1")


def parse(format: str, text: str) -> Parts:
    assert FORMATS[format].sniff(text)
    return FORMATS[format].parse(Source("foreign.csv", text))


def rows(parts: Parts) -> list[tuple[Any, ...]]:
    table = parts.observations
    days = [time_text(int(ms), str(clock)) for ms, clock in zip(table["time_ms"], table["clock"], strict=True)]
    return list(zip(table["parameter"], days, table["value_text"], table["unit"], table["flags"], strict=True))


def test_cehq_level_and_flow() -> None:
    parts = parse("cehq-daily", CEHQ)
    assert sorted(rows(parts)) == [
        ("discharge", "2024-01-01", "1.5", "m3/s", ""),
        ("discharge", "2024-01-02", "1.25", "m3/s", ""),
        ("discharge", "2024-01-03", "", "m3/s", ":nan"),
        ("stage", "2024-01-01", "97.52", "m", ""),
        ("stage", "2024-01-02", "", "m", ":nan"),
        ("stage", "2024-01-03", "97.5", "m", ""),
    ]
    assert (set(parts.observations["statistic"]), set(parts.observations["station"])) == ({"mean"}, {"099999"})
    assert parts.facts["stream"] == "Inventé, Lac"


def test_cehq_two_dates_of_a_row_must_agree() -> None:
    parts = parse("cehq-daily", CEHQ.replace("45293.0", "45294.0").replace("2024.0,1.0,3.0", "2024.0,13.0,3.0"))
    assert [(one.row, one.column) for one in parts.rejects] == [(8, "Time"), (9, "Day")]
    assert len(parts.observations) == 2


@pytest.mark.parametrize(("old", "new"), [("Station ID,099999", "Station ID,"), ("Flow (m3/s)", "Flow (cfs)")])
def test_cehq_refused(old: str, new: str) -> None:
    with pytest.raises(BadFile):
        FORMATS["cehq-daily"].parse(Source("x.csv", CEHQ.replace(old, new)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
def test_cehq_sample() -> None:
    path = "streamflow-intl/cehq-011704-lac-long.csv"
    with (SHARED / "samples" / "MANIFEST.tsv").open(newline="") as handle:
        (said,) = [row["checked_facts"] for row in csv.DictReader(handle, delimiter="\t") if row["path"] == path]
    reading = read(SHARED / "samples" / path)
    (found,) = summarise(reading)["series"]
    assert f"rows={found['n']};" in said
    assert f"nan={found['n_missing']};" in said
    assert f"level min={found['min']} max={found['max']};" in said
    first, last = re.findall(r"=\((\d+), (\d+), (\d+)\)\|([\d.]+)", said)
    for side, fact in (("first", first), ("last", last)):
        assert found[side]["time"] == f"{fact[0]}-{int(fact[1]):02}-{int(fact[2]):02}"
        assert found[side]["value_text"] == fact[3]
    assert (found["parameter"], found["statistic"], found["unit"]) == ("stage", "mean", "m")
    assert (found["station"], reading.facts["never_published"]) == ("011704", "Flow (m3/s)")
    assert (reading.facts["location"], reading.facts["encoding"], reading.rejects) == ("Lac Long", "cp1252", ())
    assert reading.facts["status"] == "Station fermée"


def test_ehyd_days_commas_and_gaps() -> None:
    """The first stamp reads 02:00 and its daily mean is still that day's."""
    parts = parse("ehyd-daily", EHYD)
    assert rows(parts) == [
        ("discharge", "2003-12-31", "1813.03", "m3/s", ""),
        ("discharge", "2004-01-01", "1790", "m3/s", ""),
        ("discharge", "2004-01-02", "", "m3/s", ":Lücke"),
        ("discharge", "2004-01-03", "1777.5", "m3/s", ""),
    ]
    assert parts.observations["value"].iloc[0] == 1813.03
    assert math.isnan(parts.observations["value"].iloc[2])
    assert (parts.observations["station"].iloc[0], set(parts.observations["clock"])) == ("099999", {"day"})
    assert parts.facts["stream"] == "Erfundene"


def test_ehyd_gauge_zero_through_time() -> None:
    parts = parse("ehyd-daily", EHYD)
    assert parts.tables["gauge_zero"].to_numpy().tolist() == [
        ["7", "01.01.1976", "140,48"],
        ["8", "01.01.2004", "139,48"],
    ]
    assert parts.datum == "gauge zero 140.48 m a.s.l. from 1976-01-01, 139.48 m a.s.l. from 2004-01-01"


def test_ehyd_stage_in_cm() -> None:
    parts = parse("ehyd-daily", EHYD.replace("m³/s", "[cm]").replace("1790", "-12"))
    assert rows(parts)[1] == ("stage", "2004-01-01", "-12", "cm", "")
    stored, _ = converted(parts.observations, "x")
    assert stored["value"].iloc[1] == pytest.approx(-0.393701, abs=1e-6)  # 12 cm / 30.48


def test_ehyd_bad_rows() -> None:
    text = EHYD.replace("1790", "1.790,5").replace("Lücke", "").replace("03.01.2004", "31.02.2004")
    parts = parse("ehyd-daily", text)
    assert [(one.row, one.reason) for one in parts.rejects] == [
        (17, "not a number"), (18, "blank"), (19, "no such day"),
    ]  # fmt: skip
    assert len(parts.observations) == 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("m³/s", "°C", "neither"),
        ("099999", "", "HZB-Nummer"),
        ("Werte:", "Wert:", "Werte"),
        ("I,MW,T", "I,Max,M", "not a series of daily means"),
        ("1.2004 00", "6.2004 00", "not a series of daily means"),
    ],
)
def test_ehyd_refused(old: str, new: str, reason: str) -> None:
    text = EHYD.replace(old, new)
    if old == "1.2004 00":  # the first of each month
        text = re.sub(r"0[123]\.01\.2004 00", lambda day: f"01.0{int(day[0][1]) + 1}.2004 00", EHYD)
    with pytest.raises(BadFile, match=reason):
        FORMATS["ehyd-daily"].parse(Source("x.csv", text))


@pytest.mark.parametrize("format", ["cehq-daily", "ehyd-daily"])
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(draw=st.data())
def test_a_mutated_file_raises_nothing_else(format: str, draw: st.DataObject) -> None:
    text = CEHQ if format == "cehq-daily" else EHYD
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, len(text)))
        junk = draw.draw(
            st.sampled_from(["", ",", '"', "\n", ";", "nan", "1e308", "0001", "9" * 60, "é", ":;", "Werte:"])
        )
        text = text[:place] + junk + text[place + draw.draw(st.integers(0, 9)) :]
    try:
        parts = FORMATS[format].parse(Source("hostile.csv", text))
    except HeadwaterError:
        return
    assert tuple(parts.observations.columns) == TIDY
    assert str(parts.observations["time_ms"].dtype) == "int64"


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("ehyd-daily", "HZB-Nummer: ;1\nEinheit: ;cm\nWerte:\n" + "9" * 5_000_000),
        ("ehyd-daily", "HZB-Nummer:" + " " * 1_000_000 + "\nWerte:\n"),
        ("cehq-daily", "Station ID,1\nTime,Year," + "x," * 100_000),
    ],
)
def test_hostile_shapes_are_refused(format: str, text: str) -> None:
    with pytest.raises(BadFile):
        FORMATS[format].parse(Source("hostile.csv", text))
