"""Hostile files through the command a person runs: refused or read, in bounded time and memory, in plain lines.

Every run of ``headwater read`` here has two gigabytes and a minute of processor time (``LIMITED``); a run that needs
more ends in a fault, which ``Answer`` is checked for.
"""

import json
import math
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ingest.decoding import MAX_BYTES
from ingest.formats import FORMATS
from ingest.reading import MOST_REJECTS
from tests.fuzz_parsers import CORPUS

ROOT = Path(__file__).parents[1]
LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from pipelines.cli import main
main()
"""
PLAIN = {name: (CORPUS / name / "plain").read_bytes() for name in FORMATS}
XML = sorted(name for name, data in PLAIN.items() if re.match(rb"<(\?xml|[a-z]+2?:[A-Z])", data))
JSON = sorted(name for name, data in PLAIN.items() if data.startswith(b"{"))
TABLES = sorted(set(FORMATS) - set(XML) - set(JSON))
BRACKETED = {"aquacalc", "insitu-vusitu-html"}
"""What stands behind the last vertical of a measurement is the end of the instrument's file, not data; and of a page
only what is marked as data is read."""
EACH_XML_PARSER = {"solinst-xle", "waterml2-xml"}
"""A reader by ``ingest.loggers.xle_stream`` and one by ``ingest.xml_tree``: all others are by the latter too."""
SECRET = "the-key-of-the-town-hall"

LAUGHS = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BOMBS = {
    "billion laughs": (LAUGHS, "&l9;"),
    "quadratic": (f'<!ENTITY a "{"a" * 100_000}">', "&a;" * 10_000),
    "external": ('<!ENTITY a SYSTEM "SECRET">', "&a;"),
    "external parameter": ('<!ENTITY % a SYSTEM "SECRET"> %a;', ""),
    "only a document type": ("", ""),
}


class Answer(NamedTuple):
    """What one run said; ``refused`` by file name, in its own words."""

    code: int
    out: str
    refused: dict[str, str]


def read(*arguments: str | Path) -> Answer:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, "read", *map(str, arguments)],
        cwd=ROOT,
        env={"OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        timeout=600,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    assert done.returncode in {0, 1, 2}, err[-2000:]
    said = [line.removeprefix("headwater: ") for line in err.splitlines()]
    lines = [line.partition(": ") for line in said if not line.startswith(("rejected: ", "warning: "))]
    names = {Path(argument).name for argument in arguments}
    assert {name for name, _, _ in lines} <= names, err[-2000:]
    return Answer(done.returncode, out, {name: said for name, _, said in lines})


def rows(answer: Answer) -> list[dict[str, Any]]:
    """Rows printed by ``--rows``; NaN or infinity in them is no JSON."""
    return [json.loads(line, parse_constant=pytest.fail) for line in answer.out.splitlines()]


def written(folder: Path, files: dict[str, bytes]) -> list[Path]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


def test_the_limits_are_there() -> None:
    greedy = LIMITED.replace("from pipelines.cli import main", "bytes(2**31)").replace("main()", "")
    done = subprocess.run([sys.executable, "-c", greedy], capture_output=True, check=False)
    assert b"MemoryError" in done.stderr


def test_the_kinds_of_files_are_known() -> None:
    assert (len(XML), len(JSON)) == (6, 3)


# Any file -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_cut_off_at_every_tenth_byte(tmp_path: Path, part: int) -> None:
    cut = {
        f"{name}-{end}": PLAIN[name][:end]
        for name in sorted(FORMATS)[part::4]
        for end in range(0, len(PLAIN[name]), 10)
    }
    answer = read("--rows", *written(tmp_path, cut))
    assert answer.code == 2
    assert all(re.fullmatch(r".+-0", name) for name, said in answer.refused.items() if said == "the file is empty")
    assert all(row["value"] is None or math.isfinite(row["value"]) for row in rows(answer) if "table" not in row)


def test_binary_empty_and_broken_text(tmp_path: Path) -> None:
    files = {
        "nothing": b"",
        "blank": b" \r\n\t\n",
        "mark": b"\xef\xbb\xbf",
        "every-byte": bytes(range(256)) * 1000,
        "noise": random.Random(7).randbytes(200_000),
        "nul": b"\0" * 100_000,
        "picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 5000,
        "half-utf16": b"\xff\xfe" + "date,value\n".encode("utf-16-le")[:-1],
        "lone-surrogates": b"\xff\xfe" + b"\x00\xd8" * 1000,
        "brackets": b"[" * 100_000,
        "tags": b"<a>" * 100_000,
    }
    answer = read(*written(tmp_path, files))
    assert (answer.code, set(answer.refused)) == (2, set(files))


def test_two_encodings_in_one_file(tmp_path: Path) -> None:
    """The second half in another encoding; and a logger that lost power, which leaves NULs behind its last row."""
    files: dict[str, bytes] = {}
    for name, data in PLAIN.items():
        half = data.index(b"\n", len(data) // 2) + 1
        text = data[half:].decode("cp1252").replace("e", "é")
        files |= {f"{name}-{other}": data[:half] + text.encode(other) for other in ("cp1252", "utf-8", "utf-16-le")}
        files[f"{name}-bytes"] = data[:half] + b"\xff\xfe\x00\x80\xc3\x28\xed\xa0\x80" + data[half:]
        files[f"{name}-lost-power"] = data + b"\n" * 5000 + b"\0" * 10 + data.splitlines()[-1]
    answer = read("--rows", *written(tmp_path, files))
    assert "\\ud8" not in answer.out
    assert "\\u0000" not in answer.out


def test_not_a_number_and_infinity(tmp_path: Path) -> None:
    words = {"nan": b"NaN", "inf": b"inf", "minus": b"-Infinity", "huge": b"1e400", "digits": b"9" * 5000}
    files = {
        f"{name}-{label}": re.sub(rb"(?<![\w.:/-])[0-9]+[.,][0-9]+(?![\w.:/-])", word, data)
        for name, data in PLAIN.items()
        for label, word in words.items()
    }
    taken = rows(read("--rows", *written(tmp_path, files)))
    assert taken
    said = {row["value_text"] for row in taken if "table" not in row}
    assert said & {word.decode() for word in words.values()} == set()


def test_years_beyond_any_record(tmp_path: Path) -> None:
    files = {
        f"{name}-{year}": re.sub(rb"(?:19|20)(?=[0-9]{2}(?![0-9])|[0-9]{6}(?![0-9]))..", b"%04d" % year, data)
        for name, data in PLAIN.items()
        for year in (1, 1799, 9999)
    }
    taken = rows(read("--rows", *written(tmp_path, files)))
    assert taken
    assert {row["time"][:4] for row in taken if "table" not in row} & {"0001", "1799", "9999"} == set()


@pytest.mark.parametrize("size", [MAX_BYTES - 1, 200 * 2**20], ids=["under the limit", "200 MB"])
def test_one_endless_line(tmp_path: Path, size: int) -> None:
    path = tmp_path / "endless.csv"
    path.write_bytes(b"date,value\n2024-01-01,")
    with path.open("r+b") as file:
        file.truncate(size)
    answer = read(path)
    assert answer.code == 2
    assert ("larger than" in answer.refused[path.name]) == (size > MAX_BYTES)


# Tables ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", TABLES)
def test_a_table_of_nothing_but(tmp_path: Path, format: str) -> None:
    """A million quotes in one cell and in rows of their own, ten thousand columns, a long line, and no rows at all."""
    data = PLAIN[format]
    cut = b"\t" if format.startswith("nwis-rdb") else b";" if format == "ehyd-daily" else b","
    lines = data.splitlines()
    files = {
        "quotes": data + b'"' * 10**6,
        "rows-of-quotes": data + b'"\n' * 100_000,
        "junk": data + b"x\n" * 300_000,
        "columns": b"\n".join(line + b"".join(cut + b"c%d" % n for n in range(10_000)) for line in lines),
        "blank-columns": b"\n".join(line + cut * 10_000 for line in lines),
        "long-line": data + b"x" * 2_500_000,
        "headers": b"\n".join(lines[:-1] * 500),
        "empty-rows": data + (cut * 3 + b"\n") * 50_000,
    }
    answer = read("--rows", "--format", format, *written(tmp_path, files))
    assert "columns" in answer.refused or not any("c9999" in line for line in answer.out.splitlines())
    assert format in BRACKETED or f"more than {MOST_REJECTS} rows" in answer.refused["junk"]


def test_a_sensor_in_every_row(tmp_path: Path) -> None:
    """Pairs of sensors grow with the square of their number: a hundred are listed, and that there are more is said."""
    header = "station,datetime,value,parameter,unit,sensor\n"
    days = [f"MW-1,2024-06-{day} 00:00,1.5,stage,ft,{n}\n" for n in range(20_000) for day in ("01", "02")]
    (path,) = written(tmp_path, {"sensors.csv": (header + "".join(days)).encode()})
    found = json.loads(read("--json", path).out)
    assert [len(found["series"]), len(found["overlaps"])] == [20_000, 101]
    assert found["overlaps"][0].startswith("MW-1 stage instant: series 0 and 1 both cover 2024-06-01 to 2024-06-02")
    assert found["overlaps"][-1] == "more than these 100 pairs of series cover the same time"


# XML ------------------------------------------------------------------------------------------------------------------


def bombs(format: str, secret: Path) -> Iterator[tuple[str, bytes]]:
    text = PLAIN[format].decode()
    start = text.index("?>") + 2 if text.startswith("<?xml") else 0
    root = re.compile(r"<([\w:]+)").search(text, start)
    assert root is not None
    inside = text.index(">", root.end()) + 1
    for label, (entities, used) in BOMBS.items():
        declared = f"<!DOCTYPE {root[1]} [{entities}]>".replace("SECRET", secret.as_uri())
        bomb = text[:start] + declared + text[start:inside] + used + text[inside:]
        yield f"{label}.xml", bomb.encode()
        yield f"{label}-16.xml", re.sub(r"^<\?xml.*?\?>", "", bomb).encode("utf-16")


@pytest.mark.parametrize("format", XML)
def test_an_xml_bomb_is_refused(tmp_path: Path, format: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    files = dict(bombs(format, secret))
    paths = written(tmp_path, files)
    named, detected = read("--format", format, *paths), read(*paths)
    assert named.refused == dict.fromkeys(files, "XML with a document type or entities is refused")
    assert set(detected.refused) == set(files)
    assert SECRET not in named.out + detected.out


@pytest.mark.parametrize("format", XML)
def test_xml_of_great_depth_and_breadth(tmp_path: Path, format: str) -> None:
    data = PLAIN[format]
    inside = data.index(b">", data.index(b"<", 60)) + 1
    shapes = {
        "deep": b"<a>" * 100_000 + b"</a>" * 100_000,
        "open": b"<a>" * 300_000,
        "broad": b"<a/>" * 200_000,
        "attributes": b"<a " + b"".join(b'b%d="" ' % n for n in range(100_000)) + b"/>",
        "text": b"<a>" + b"x" * 5_000_000 + b"</a>",
        "unended": b"<a " + b"x" * (110_000_000 if format in EACH_XML_PARSER else 1_000_000),
        "references": b"<a>" + b"&#65;" * 150_000 + b"</a>",
        "comment": b"<!--" + b"x" * 5_000_000 + b"-->",
    }
    files = {name: data[:inside] + shape + data[inside:] for name, shape in shapes.items()}
    answer = read("--rows", "--format", format, *written(tmp_path, files))
    assert {"deep", "open", "unended"} <= set(answer.refused)


# JSON -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", JSON)
def test_json_of_great_depth_and_length(tmp_path: Path, format: str) -> None:
    text = PLAIN[format].decode()
    values = {f"depth-{n}": "[" * n + "]" * n for n in (60, 600, 990, 100_000)} | {
        "objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "digits": "7" * 5000,
        "half-a-letter": r'"\ud800\u0000"',
        "infinite": "1e999",
        "constant": "-Infinity",
    }
    files = {
        f"{name}-{place}": (text[: one.start(1)] + value + text[one.end(1) :]).encode()
        for place, one in enumerate(re.finditer(r':\s*("[^"]*")', text))
        for name, value in values.items()
        if place % 4 == 0 or name == "depth-990"
    } | {"only-brackets": b"[" * 100_000, "only-keys": b'{"a":' * 100_000}
    answer = read("--rows", "--format", format, *written(tmp_path, files))
    deep = {name for name in files if re.match(r"depth-(?!60-)|objects|only", name)}
    assert deep <= set(answer.refused)
    assert not [said for name, said in answer.refused.items() if name in deep and "JSON" not in said]
    assert all(abs(row["value"] or 0) < 1e30 for row in rows(answer) if "table" not in row)


@pytest.mark.parametrize("feature", ["{}", '{"type": "Feature", "properties": {}}'])
def test_a_million_features_of_nothing(tmp_path: Path, feature: str) -> None:
    text = '{"type": "FeatureCollection", "features": [' + ",".join([feature] * 10**6) + "]}"
    (path,) = written(tmp_path, {"features.json": text.encode()})
    assert read("--format", "usgs-ogc-geojson", path).code == 2
