"""Coverage-guided fuzzing of every reader: ``python -m tests.fuzz_parsers [--seconds N] [FORMAT …]`` (``make fuzz``).

Each reader runs in a child of its own, from the seeds of ``tests/data/corpus/<format>/``; ``detection`` is one more,
which must choose the reader by content. What fails the run: anything that leaves a reader but its refusal of the file,
a reading that breaks its contract (``broken_contract``), an input slower than ``SLOWEST_SECONDS`` or larger in memory
than ``MEMORY_MB``. One input for each fault is left as ``.fuzz/<format>/failed-…``. Put it, made small, beside the
seeds as ``regression-<what>``: ``test_fuzz_corpus`` replays them for ever.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.reading import Reading

ROOT = Path(__file__).parents[1]
CORPUS = Path(__file__).parent / "data" / "corpus"
FOUND = ROOT / ".fuzz"
DETECTION = "detection"
SLOWEST_SECONDS, HUNG_SECONDS = 5, 60
MEMORY_MB = 2048
LONGEST_INPUT = 8000
MOST_WORDS = 150
SOME = 17
"""Summing up takes ten times as long as reading a small file: it is tried on one length of so many."""
TROUBLE = (
    "NaN", "inf", "-999999", "1e308", "1e-400", "9" * 41, "0001-01-01", "9999-12-31", "24:00", "02/30/2024", "+14:00",
    "<0.5", "Ice", "ND", '""', "\\ud800", "\\u0000", "&#0;", "\xa0", "²", "ß", "\x1c", "\x85", "\u2028", "row",
)  # fmt: skip
"""Words that have broken readers of other programs; each dictionary holds them beside the words of its seeds."""

_UNFIT = re.compile("[\0\ud800-\udfff]")
_WORD = re.compile(r"[^\W\d][\w:./-]{2,30}")


def main() -> int:
    """Fuzz the formats named, two at a time; 1 if any reader failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help="default: all, and detection")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader (default 60)")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return _fuzz(options.formats[0], options.seconds)
    return _all(options.formats or _every_format(), options.seconds)


def _every_format() -> list[str]:
    from ingest.formats import FORMATS  # a child must import it under instrumentation, so not at the top

    return [*sorted(FORMATS), DETECTION]


def _all(formats: list[str], seconds: int) -> int:
    with ThreadPoolExecutor(2) as pool:
        held = list(pool.map(lambda name: _child(name, seconds), formats))
    print(f"{sum(held)} of {len(formats)} readers held")
    return 0 if all(held) else 1


def _child(name: str, seconds: int) -> bool:
    """Whether a reader held; inputs that failed before are tried again first."""
    found = FOUND / name
    found.mkdir(parents=True, exist_ok=True)
    for old in found.glob("failed-*"):
        old.replace(found / old.name.replace("failed-", "again-", 1))
    command = [sys.executable, "-m", "tests.fuzz_parsers", "--child", "--seconds", str(seconds), name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False)
    failed = sorted(found.glob("failed-*"))
    held = not failed and done.returncode == 0
    last = [line for line in done.stderr.splitlines() if "cov:" in line][-1:]
    print(f"{name}: {'held' if held else 'failed'}  {''.join(last).strip()[:90]}", flush=True)
    for one in failed:
        print(f"{name}: {one.relative_to(ROOT)}", flush=True)
    if not held:
        print(done.stdout[-3000:], done.stderr[-1500:], sep="\n", flush=True)
    return held


def _fuzz(name: str, seconds: int) -> int:
    import atheris

    with atheris.instrument_imports(include=["ingest"]):
        from ingest.formats import read
    from models.errors import BadFile

    found = FOUND / name
    met: set[str] = set()

    def one_input(data: bytes) -> None:
        place.write_bytes(data)
        started = time.process_time()  # not the clock on the wall: other programs may hold the processor
        try:
            try:
                reading = read(place, format=None if name == DETECTION else name)
            except BadFile:
                broken = []
            else:
                broken = broken_contract(reading) or (unprintable(reading) if len(data) % SOME == 0 else [])
            assert time.process_time() - started < SLOWEST_SECONDS, "too slow"
            assert not broken, "; ".join(broken)
        except Exception as fault:
            _keep(data, name, fault, met)

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "input"
        words = Path(folder) / "words"
        words.write_text("".join(dictionary(name)))
        folders = map(str, (found, *seed_folders(name)))
        atheris.Setup([sys.argv[0], *folders, f"-dict={words}", *_limits(found, seconds)], one_input)
        atheris.Fuzz()
    return 0


def _keep(data: bytes, name: str, fault: Exception, met: set[str]) -> None:
    """Keep the first input of each kind of fault, and go on: one run shows them all."""
    kind = _kind(fault)
    if kind in met:
        return
    met.add(kind)
    place = FOUND / name / f"failed-{kind}"
    place.write_bytes(data)
    print(f"{name}: {place.relative_to(ROOT)}: {fault!r}", flush=True)
    print("".join(traceback.format_exception(fault)[-4:]), flush=True)


def _kind(fault: Exception) -> str:
    """Where it was raised; a broken contract also by its words, numbers aside."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    words = re.sub(r"[0-9]+", "0", str(fault))[:60] if isinstance(fault, AssertionError) else ""
    return f"{type(fault).__name__}-{Path(frame.filename).stem}-{frame.lineno}-{zlib.crc32(words.encode()):08x}"


def seed_folders(name: str) -> Iterator[Path]:
    """The folder of a reader's seeds, where it has any; every folder for ``detection``."""
    yield from sorted(CORPUS.iterdir()) if name == DETECTION else (one for one in (CORPUS / name,) if one.is_dir())


def dictionary(name: str) -> Iterator[str]:
    """Lines of a fuzzing dictionary: the words of the seeds (column names, tags, codes), and ``TROUBLE``."""
    texts = [one.read_text("utf-8", "replace") for folder in seed_folders(name) for one in sorted(folder.iterdir())]
    words = dict.fromkeys(word for text in texts for word in _WORD.findall(text))
    for word in (*TROUBLE, *list(words)[:MOST_WORDS]):
        yield '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n'


def _limits(found: Path, seconds: int) -> list[str]:
    return [
        f"-max_total_time={seconds}", f"-timeout={HUNG_SECONDS}", f"-rss_limit_mb={MEMORY_MB}",
        f"-max_len={LONGEST_INPUT}", f"-artifact_prefix={found}/failed-", "-len_control=0", "-print_final_stats=1",
    ]  # fmt: skip


def broken_contract(reading: Reading) -> list[str]:
    """What a reading promises (``models.observation``, ``ingest.reading``) and does not keep; nothing if it is well."""
    shape = list(_shape(reading))
    if shape:  # the other checks trust it
        return shape
    columns: dict[str, list[Any]] = {str(name): reading.observations[name].tolist() for name in reading.observations}
    return [*_words(columns), *_times(columns), *_values(columns), *_flags(columns), *_beside(reading, columns)]


def unprintable(reading: Reading) -> list[str]:
    """What keeps ``headwater read`` from printing the reading: its JSON must hold no NaN and no half character."""
    from ingest.summary import as_rows, summarise

    try:
        json.dumps([summarise(reading), *as_rows(reading)], ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError) as failed:
        return [f"no JSON: {failed}"]
    return []


def _shape(reading: Reading) -> Iterator[str]:
    from models.observation import TIDY, tidy

    rows = reading.observations
    if list(rows.columns) != list(TIDY) or list(rows.dtypes) != list(tidy(()).dtypes):
        yield f"not a tidy table: {dict(rows.dtypes)}"
    for name, table in reading.tables.items():
        if "row" not in table or not table.columns.is_unique:
            yield f"table {name} without a row column, or with two of one name"
        elif table.isna().any(axis=None) or not all(str(row).isdecimal() for row in table["row"]):
            yield f"table {name} with a cell missing, or a row that is no number"


def _words(columns: dict[str, list[Any]]) -> Iterator[str]:
    from models.observation import CLOCKS, STATISTICS
    from models.parameters import parameters

    for column, allowed in (("clock", CLOCKS), ("statistic", STATISTICS)):
        yield from (f"{column} {value!r}" for value in set(columns[column]) - set(allowed))
    measured = set(zip(columns["parameter"], columns["unit"], strict=True))
    if any(not parameter or (not unit and parameter in parameters()) for parameter, unit in measured):
        yield "no parameter, or no unit of a known one"
    if min(columns["row"], default=1) < 1:
        yield "a row below 1"


def _times(columns: dict[str, list[Any]]) -> Iterator[str]:
    from ingest.times import FIRST_YEAR, LAST_YEAR, civil_day
    from models.observation import DAY_MS, PERIODS

    first, last = civil_day(FIRST_YEAR, 1, 1) - DAY_MS, civil_day(LAST_YEAR, 12, 31) + 2 * DAY_MS
    if not all(first <= ms <= last for ms in columns["time_ms"]):  # an offset may carry a wall clock over the edge
        yield "a time outside the years allowed"
    if any(ms % DAY_MS for ms, clock in zip(columns["time_ms"], columns["clock"], strict=True) if clock in PERIODS):
        yield "a civil period that does not start at midnight"


def _values(columns: dict[str, list[Any]]) -> Iterator[str]:
    if any(map(math.isinf, columns["value"])):
        yield "an infinite value"
    if any(
        not math.isnan(value) and not text for value, text in zip(columns["value"], columns["value_text"], strict=True)
    ):
        yield "a value without its text"


def _flags(columns: dict[str, list[Any]]) -> Iterator[str]:
    from ingest.cells import BadCell, number
    from models.observation import Flags

    for text in dict.fromkeys(columns["flags"]):
        flags = Flags.parse(text)
        if flags.text() != text or flags.approval not in {"", "A", "P"}:
            yield f"flags {text!r}"
        for key in {"lod", "loq", "limit"} & set(flags.facts):
            try:
                number(flags.facts[key])
            except BadCell:
                yield f"flags {text!r}: {key} is no number"


def _beside(reading: Reading, columns: dict[str, list[Any]]) -> Iterator[str]:
    """Rejects that can be shown, and no text that a database refuses: a NUL, half a character."""
    from ingest.cells import LONGEST_RAW

    for one in reading.rejects:
        if one.file != reading.file or one.row < 0 or not one.reason or len(one.raw) > LONGEST_RAW:
            yield f"{one}"
    if wrong := _UNFIT.findall("\n".join(_texts(reading, columns))):
        yield f"a NUL or half a character in a text: {set(wrong)}"


def _texts(reading: Reading, columns: dict[str, list[Any]]) -> Iterator[str]:
    for one in reading.rejects:
        yield from (one.column, one.raw, one.reason)
    for key, value in reading.facts.items():
        yield from (key, value)
    for cells in (*columns.values(), *(table[name].tolist() for table in reading.tables.values() for name in table)):
        yield from (cell for cell in cells if isinstance(cell, str))
    yield from (text for text in (reading.timezone, reading.datum) if text)


if __name__ == "__main__":
    sys.exit(main())
