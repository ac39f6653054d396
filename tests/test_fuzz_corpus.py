"""The fuzzer's seeds and whatever once broke a reader (``regression-…``), replayed for ever; see ``fuzz_parsers``."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from ingest.formats import FORMATS, read
from ingest.reading import Reading
from models.errors import BadFile
from models.observation import tidy
from tests.fuzz_parsers import CORPUS, LONGEST_INPUT, TROUBLE, broken_contract, dictionary, unprintable

SEEDS = sorted(path for path in CORPUS.glob("*/*") if path.is_file())
NAMES = [f"{path.parent.name}/{path.name}" for path in SEEDS]


@pytest.fixture
def reading() -> Reading:
    return read(CORPUS / "hand-levels" / "plain")


@pytest.mark.parametrize("format", FORMATS)
def test_every_reader_has_a_seed_that_it_reads(format: str) -> None:
    taken = list(_taken(format))
    assert any(len(one.observations) or one.tables for one in taken)


@pytest.mark.parametrize("format", [None, "the format named"])
@pytest.mark.parametrize("path", SEEDS, ids=NAMES)
def test_a_seed_is_read_or_refused(path: Path, format: str | None) -> None:
    """Through detection and in the format named: a reading that keeps its contract, or one line that names the file."""
    try:
        found = read(path, format=format and path.parent.name)
    except BadFile as refused:
        said = [refused.file, *str(refused).splitlines()[1:]]
    else:
        said = [found.file, *broken_contract(found), *unprintable(found)]
    assert said == [path.name]


def test_every_seed_is_a_readers_and_small() -> None:
    assert {path.parent.name for path in SEEDS} == set(FORMATS)
    assert [path.name for path in SEEDS if path.stat().st_size > LONGEST_INPUT] == []


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("clock", "noon", "clock 'noon'"),
        ("statistic", "median", "statistic 'median'"),
        ("parameter", "", "no parameter"),
        ("unit", "", "no unit of a known one"),
        ("row", 0, "a row below 1"),
        ("time_ms", 10**14, "outside the years"),
        ("value", float("inf"), "infinite"),
        ("value_text", "", "a value without its text"),
        ("station", "half \ud800", "half a character"),
        ("series", "\0", "a NUL"),
        *(("flags", text, "flags") for text in (";unit=ft,m", "X", "A:", ":<;limit=few;limit_is=lod")),
    ],
)
def test_a_broken_contract_is_seen(reading: Reading, column: str, value: object, said: str) -> None:
    assert broken_contract(reading) == []
    rows = {str(name): cells.astype(object) for name, cells in reading.observations.items()} | {column: value}
    assert said in "; ".join(broken_contract(replace(reading, observations=tidy(rows))))


def test_a_broken_shape_is_seen(reading: Reading) -> None:
    other = reading.observations.astype({"row": "float64"})
    assert "not a tidy table" in broken_contract(replace(reading, observations=other))[0]
    assert "without a row column" in broken_contract(replace(reading, tables={"sites": pd.DataFrame()}))[0]
    assert "no JSON" in unprintable(replace(reading, facts={"serial": "\ud800"}))[0]


def test_a_day_starts_at_midnight(reading: Reading) -> None:
    days = reading.observations.assign(clock="day")
    assert "midnight" in broken_contract(replace(reading, observations=days))[0]


def test_the_dictionary_holds_tags_and_trouble() -> None:
    lines = list(dictionary("solinst-xle"))
    assert len(lines) > len(TROUBLE)
    assert '"' + "".join(f"\\x{byte:02x}" for byte in b"Ch1_data_header") + '"\n' in lines


def _taken(format: str) -> Iterator[Reading]:
    for path in SEEDS:
        if path.parent.name == format:
            try:
                yield read(path, format=format)
            except BadFile:
                continue
