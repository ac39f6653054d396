"""Columns cut out of bytes say what splitting each line would: the same cells, rows, values and refusals."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.cells import BadCell
from ingest.rdb import table as rdb_table
from ingest.rdb.cells import Cells, cut
from ingest.rdb.table import bodies
from ingest.rdb.time_series import parse_dv, parse_uv, sniff_dv, sniff_uv
from ingest.rdb.times import days, minutes
from ingest.reading import Parts, Source
from ingest.times import iso_day, iso_minute
from models.errors import BadFile
from models.observation import TIDY

HEADER = ("a", "b", "c")
CELL = st.text(alphabet="0123456789.-AP Ice\u00e9\u2003\0", max_size=44)
LINE = st.lists(CELL, min_size=1, max_size=5).map("\t".join) | st.sampled_from(
    ["", "#", "# x\ty\tz", "\t\t", " ", "\t", "\u2003", "\u2003\t\t"]
)


@settings(max_examples=300, deadline=None)
@given(lines=st.lists(LINE, max_size=12), ended=st.booleans())
def test_cells_are_those_of_split(lines: list[str], ended: bool) -> None:
    text = "\n".join(lines) + ("\n" if ended else "")
    shown = text.split("\n")
    cells, others = cut(text, np.arange(1, len(shown) + 1)[: text.count("\n") + (not text.endswith("\n"))], HEADER)
    live = [(row, line) for row, line in enumerate(shown, 1) if line and line[0] != "#" and not line.isspace()]
    fitting = [(row, _without_blank_rest(line)) for row, line in live]
    fitting = [(row, line) for row, line in fitting if line.count("\t") == 2]
    assert cells.rows.tolist() == [row for row, _ in fitting]
    columns = [[cells.coded(place).texts[code] for code in cells.coded(place).codes] for place in range(3)]
    assert list(zip(*columns, strict=True)) == [tuple(line.split("\t")) for _, line in fitting]
    assert [row for row, _ in others] == [row for row, _ in live if row not in cells.rows]
    assert all(len(set(cells.coded(name).texts)) == len(cells.coded(name).texts) for name in HEADER)


def _without_blank_rest(line: str) -> str:
    while line.count("\t") > 2 and line.endswith("\t"):
        line = line[:-1]
    return line


TIMES = st.one_of(
    st.datetimes().map(lambda one: one.strftime("%Y-%m-%d %H:%M").rjust(16, "0")),
    st.from_regex(r"[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}(:[0-9]{2})?)?", fullmatch=True),
    st.from_regex(
        r"(1800|2200|1900|2000|2023|2024)-(02|04|12|13|00)-(00|28|29|30|31) (00|23|24):(00|59|60)", fullmatch=True
    ),
    st.text(alphabet="0123456789-: T\u0663", max_size=18),
)


@settings(max_examples=400, deadline=None)
@given(texts=st.lists(TIMES, min_size=1, max_size=6))
def test_whole_columns_of_times_are_read_as_one_by_one(texts: list[str]) -> None:
    cells, others = cut("".join(f"x\t{text}\tx\n" for text in texts), np.arange(len(texts)), HEADER)
    assert (len(cells), others) == (len(texts), [])
    for whole, single in ((minutes, iso_minute), (days, iso_day)):
        column = whole(cells, "b")
        expected = [_taken(single, text) for text in texts]
        assert [(time, column.refused.get(row, "")) for row, time in enumerate(column.values.tolist())] == expected


def _taken(read: Any, text: str) -> tuple[int, str]:
    try:
        return read(text), ""
    except BadCell as bad:
        return 0, bad.reason


def test_a_month_has_its_days() -> None:
    """Known instants, not computed here: 1970-01-01 is 0, 2000-03-01 is day 11017, 2024-02-29 is day 19782."""
    texts = ["1970-01-01 00:01", "2000-03-01 00:00", "2024-02-29 23:59", "2100-02-29 00:00"]
    cells, _ = cut("".join(f"x\t{text}\tx\n" for text in texts), np.arange(4), HEADER)
    column = minutes(cells, "b")
    assert column.values.tolist() == [60_000, 11017 * 86_400_000, 19782 * 86_400_000 + 86_340_000, 0]
    assert column.refused == {3: "no such day"}


def test_codes_are_shared_and_cells_of_any_length_kept() -> None:
    texts = ["A", "A" * 8, "A" * 9, "A" * 32, "A" * 33, "A", "", "A" * 8 + "\u00e9"]
    for some in (texts[:4], texts, [*texts[:4], "A\0"]):
        cells, _ = cut("".join(f"{text}\t1\t2\n" for text in some), np.arange(len(some)), HEADER)
        column = cells.coded("a")
        assert [column.texts[code] for code in column.codes] == some
        assert len(column.texts) == len(set(some))
        assert column.objects().tolist() == some


DAILY = "agency_cd\tsite_no\tdatetime\t06_00060_00003\t06_00060_00003_cd\n5s\t15s\t20d\t14n\t10s\n"
UNIT = "agency_cd\tsite_no\tdatetime\ttz_cd\t01_00065\t01_00065_cd\n5s\t15s\t20d\t6s\t14n\t10s\n"
DAY_ROWS = ["USGS\t1\t2024-01-01\t1.0\tA", "USGS\t1\t2024-01-02\tIce\tP:e", "USGS\t02\t2024-01-03\t\t"]
UNIT_ROWS = ["USGS\t1\t2024-01-01 00:15\tCST\t1.0\tA", "USGS\t2\t2024-01-01 24:00\tEDT\t-999999\tP"]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 10**6), st.integers(0, 8), st.sampled_from(["", "\t", "\n", "#", "9", "x", "\0", "\u00e9"])
    ),
    max_size=4,
)


@pytest.mark.parametrize(("head", "rows", "parse"), [(DAILY, DAY_ROWS, parse_dv), (UNIT, UNIT_ROWS, parse_uv)])
@settings(max_examples=150, deadline=None)
@given(edits=EDITS, data=st.data())
def test_blocks_of_any_size_give_one_answer(
    head: str, rows: list[str], parse: Any, edits: list[tuple[int, int, str]], data: st.DataObject
) -> None:
    """A block ends at a line end wherever it falls, and a mutated file is taken or refused alike."""
    lines = data.draw(st.lists(st.sampled_from([*rows, "# remark", "", head.rstrip()]), max_size=8))
    text = head + "".join(f"{line}\n" for line in lines)
    for place, length, put in edits:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + length :]
    with pytest.MonkeyPatch.context() as patch:
        whole = _outcome(parse, text)
        patch.setattr(rdb_table, "_BLOCK", 300)
        assert _outcome(parse, text) == whole


def _outcome(parse: Any, text: str) -> object:
    try:
        parts: Parts = parse(Source("one.rdb", text))
    except BadFile as bad:
        return str(bad)
    rows = parts.observations
    assert list(rows.columns) == list(TIDY)
    assert [str(rows[name].dtype) for name in ("time_ms", "value", "row", "flags")] == [
        "int64",
        "float64",
        "int64",
        "str",
    ]
    return [repr(row) for row in rows.to_numpy().tolist()], parts.rejects, parts.timezone, parts.facts


def test_rows_are_those_of_the_file_across_blocks_and_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdb_table, "_BLOCK", 120)
    text = "# one\n" + DAILY + "\n".join(DAY_ROWS) + "\n#\n" + DAILY + "\n".join(DAY_ROWS * 3) + "\n"
    source = Source("dv.rdb", text)
    (body,) = bodies(source)
    blocks: list[Cells] = list(rdb_table.cells(source, body, []))
    assert len(blocks) > 2
    lines = text.split("\n")
    for some in blocks:
        assert [some.line(place) for place in range(len(some))] == [lines[row - 1] for row in some.rows]
    assert sum(len(some) for some in blocks) == 12
    assert all(earlier.rows[-1] < later.rows[0] for earlier, later in pairwise(blocks))


def test_one_endless_line_is_one_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdb_table, "_BLOCK", 1000)
    endless = "USGS\t1\t2024-01-09\t" + "9" * 5000 + "\tA"
    parts = parse_dv(Source("dv.rdb", DAILY + "\n".join([DAY_ROWS[0], endless, DAY_ROWS[1]]) + "\n"))
    assert parts.observations["row"].tolist() == [3, 5]
    assert [(one.row, one.reason) for one in parts.rejects] == [(4, f"a line of {len(endless) + 1} characters")]
    assert len(parts.rejects[0].raw) <= 200


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("agency_cd\tsite_no\tdatetime\ttz_cd\t1_00060\t1_00060_cd", ["USGS\t1\t2024-01-01 00:15\t\t1.0\tA"]),
        ("agency_cd\tsite_no\tdatetime\t1_00060\t1_00060_cd", ["USGS\t1\t2024-01-01 00:15\t1.0\tA"]),
    ],
)
def test_a_unit_value_without_a_zone_is_on_the_station_s_own_clock(head: str, rows: list[str]) -> None:
    text = "\n".join(["# U.S. Geological Survey", head, "\t".join(["5s"] * (head.count("\t") + 1)), *rows]) + "\n"
    assert sniff_uv(text)
    assert not sniff_dv(text)
    parts = parse_uv(Source("a.rdb", text))
    assert parts.rejects == ()
    (row,) = parts.observations.to_dict("records")
    assert (row["clock"], row["time_ms"], row["value"]) == ("naive", 1704068100000, 1.0)


def test_a_blank_zone_concerns_its_own_row_only() -> None:
    head = "agency_cd\tsite_no\tdatetime\ttz_cd\t1_00060\t1_00060_cd\n5s\t15s\t20d\t6s\t14n\t10s\n"
    rows = "USGS\t1\t2024-01-01 00:15\tCST\t1.0\tA\nUSGS\t1\t2024-01-01 00:30\t \t1.0\tA\n"
    parts = parse_uv(Source("a.rdb", head + rows))
    assert parts.observations["clock"].tolist() == ["utc", "naive"]
    assert parts.observations["time_ms"].diff().tolist()[1] == (15 - 6 * 60) * 60_000
    assert parts.timezone == "CST"
