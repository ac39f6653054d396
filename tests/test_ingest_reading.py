"""The way in: what is text, what is data, and which format wrote it."""

import hashlib
import os
from pathlib import Path

import pytest

from ingest.formats import FORMATS, read
from models.errors import BadFile

SERIES = "date,value,qualifier\n2024-01-01,1.5,A\n2024-01-02,2.5,A\n"


def write(folder: Path, data: bytes | str, name: str = "file.dat") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b"\x89PNG\r\n\x1a\n123", "binary"),
        (b"PK\x03\x04zip", "binary"),
        (b"date,value\n\x00\x00\x00", "binary"),
        (bytes(range(256)), "binary"),
        (b"\xff\xfe\x00", "UTF-16"),
        (b"  <!DOCTYPE HTML>\n<html><body>Service unavailable</body></html>", "an HTML page, not data"),
        (b"<?xml version='1.0'?><html></html>", "an HTML page, not data"),
        (b"hello world\n", "unknown format"),
        (b'{"a": 1}', "unknown format"),
    ],
)
def test_what_is_not_data_is_refused_in_one_line(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(BadFile, match=rf"file\.dat: .*{reason}") as refused:
        read(write(tmp_path, data))
    assert "\n" not in str(refused.value)


def test_unknown_formats_list_what_is_known(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="hobo-csv") as refused:
        read(write(tmp_path, SERIES), format="excel")
    assert refused.value.allowed == tuple(FORMATS)


def test_missing_folder_pipe_and_oversized(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in [(tmp_path / "none", "no such file"), (tmp_path, "regular"), (tmp_path / "pipe", "regular")]:
        with pytest.raises(BadFile, match=reason):
            read(path)
    with pytest.raises(BadFile, match="larger than 10 bytes"):
        read(write(tmp_path, SERIES), max_bytes=10)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_are_seen_and_said(tmp_path: Path, encoding: str) -> None:
    data = (SERIES + "2024-01-03,3.5,é\n").encode(encoding)
    reading = read(write(tmp_path, data, "nameless"))
    assert reading.observations["value"].tolist() == [1.5, 2.5, 3.5]
    assert reading.observations["flags"].iloc[2] == ":é"
    assert reading.facts["encoding"] == encoding.removesuffix("-sig")
    assert (reading.format, reading.sha256) == ("date-value", hashlib.sha256(data).hexdigest())


def test_three_line_ends_in_one_file(tmp_path: Path) -> None:
    reading = read(
        write(tmp_path, "date,value\r2024-05-01,3.10\r\n2024-05-02,3.11\n\n2024-05-03,3.12\r2024-05-04,3.14")
    )
    assert reading.observations["value"].tolist() == [3.1, 3.11, 3.12, 3.14]
    assert reading.observations["row"].tolist() == [2, 3, 5, 6]
    assert reading.rejects == ()


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    assert read(write(tmp_path, SERIES, "well.xle")).format == "date-value"


def test_a_hostile_name_forges_no_second_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        read(write(tmp_path, b"", "a\n\x1b[31mb.csv"))
    assert str(refused.value).isprintable()
