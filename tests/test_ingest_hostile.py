"""No file, however broken, gets anything but a ``HeadwaterError`` out of a reader, and none takes long."""

import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.arrival import place
from ingest.formats import FORMATS, read
from ingest.reading import Source
from ingest.summary import summarise
from models.errors import HeadwaterError
from models.site import Site, Well

DATA = Path(__file__).parent / "data" / "ingest"
NAMES = ("00999002", "USC00999999", "24464", "AB123", "M-1")
SITE = Site.model_construct(well=(Well(id="MW-1", use="monitoring", position=(0.0, 0.0), identifiers=NAMES),))
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
JUNK = [
    "",
    "\x00",
    "\t",
    ",",
    '"',
    "\n",
    "\r",
    ";",
    "=",
    "-999999",
    "NaN",
    "1e308",
    "9" * 60,
    "<",
    "&a;",
    "é",
    "２",
    "24:00",
]


def attempt(data: bytes, format: str | None) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hostile.dat"
        path.write_bytes(data)
        try:
            reading = read(path, format=format)
        except HeadwaterError as refused:
            named = refused.file
        else:
            named, arrived = reading.file, place(reading, SITE, ZoneInfo("America/Chicago"))
            summarise(reading)
            assert arrived.rows == len(arrived.frame) + arrived.duplicates + arrived.rejected
    assert named == "hostile.dat"


@pytest.mark.parametrize("format", [None, *FORMATS])
@QUICK
@given(data=st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_arbitrary_bytes(format: str | None, data: bytes) -> None:
    attempt(data, format)


@pytest.mark.parametrize("format", FORMATS)
@QUICK
@given(draw=st.data())
def test_a_valid_file_mutated(format: str, draw: st.DataObject) -> None:
    data = (DATA / f"{format}.txt").read_bytes()
    for _ in range(draw.draw(st.integers(1, 4))):
        start = draw.draw(st.integers(0, len(data)))
        stop = start + draw.draw(st.integers(0, 12))
        data = data[:start] + draw.draw(st.sampled_from(JUNK)).encode() + data[stop:]
    attempt(data[: draw.draw(st.integers(1, max(len(data), 1)))], None if draw.draw(st.booleans()) else format)


@pytest.mark.parametrize("format", FORMATS)
def test_the_valid_files_are_valid(format: str) -> None:
    reading = read(DATA / f"{format}.txt")
    assert (reading.format, reading.rejects) == (format, ())
    assert len(reading.observations) + sum(map(len, reading.tables.values())) > 1


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("nwis-rdb-dv", "agency_cd\t\n5s\n" * 20_000),
        (
            "nwis-rdb-dv",
            "agency_cd\tsite_no\tdatetime\t1_00060_00003\t1_00060_00003_cd\n5s\t5s\t5s\t5s\t5s\n" + "\t" * 10**6,
        ),
        ("nwis-rdb-dv", "5s\t" * 100_000),
        ("hobo-csv", '"Plot Title: ' + "Date " * 100_000),
        ("hobo-csv", "Plot Title: x\n" + "Date Time, " + "(" * 90_000),
        ("solinst-xle", "<Body_xle><Data>" + "<Log></Log>" * 50_000),
        ("date-value", "date,value\n" + '"' * 200_001),
        ("date-value", "date,value\n" + '"\n' * 20_001),
        ("date-value", "date,value\n" + "," * 200_000),
        ("hand-levels", "well," * 50_000),
    ],
)
def test_hostile_shapes_end_soon(format: str, text: str) -> None:
    started = time.monotonic()
    with suppress(HeadwaterError):
        FORMATS[format].parse(Source("hostile.dat", text))
    assert time.monotonic() - started < 60  # quadratic work would take hours
