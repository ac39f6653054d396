"""What it costs to read 200,000 readings of a logger in each text a maker writes, beside the barest way to do it.

Run ``python -m benchmarks.loggers``. Each format runs in a process of its own, imports excluded; ours and the bare way
take turns, and the best of each counts. Target: an .xle in at most 3 times a bare ``defusedxml`` ``iterparse`` of the
same file. The texts are beside ``pandas.read_csv`` of their records, for scale.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
READINGS, ROUNDS = 200_000, 3
STEP_S = 900


def main() -> None:
    """Measure every format in a child process and print a line for each."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        for name in WRITERS:
            command = [sys.executable, "-m", "benchmarks.loggers", name, folder]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            print(name, done.stdout.strip() or done.stderr.strip()[-2000:], sep="\t", flush=True)


def measure(name: str, folder: Path) -> dict[str, float]:
    """Best seconds of our reader and of the bare way, and their ratio."""
    from ingest.formats import read

    path = folder / name
    path.write_text(WRITERS[name](records()), encoding="utf-8")
    bare = _bare(name, path)
    taken = read(path, format=name).observations
    assert len(taken) == 2 * READINGS
    rounds = [(_seconds(lambda: read(path, format=name)), _seconds(bare)) for _ in range(ROUNDS)]
    ours, other = (min(one) for one in zip(*rounds, strict=True))
    return {"ours s": ours, "bare s": other, "ratio": ours / other}


def records() -> list[tuple[str, str, str, str]]:
    """Date, time, level and temperature of a logger that reads every fifteen minutes."""
    import numpy as np

    numbers = np.arange(READINGS)
    times = np.datetime64("2017-05-03T13:00:00") + numbers * np.timedelta64(STEP_S, "s")
    noise = np.random.default_rng(1).normal(0, 0.2, READINGS)
    levels, warmths = 1900 + 30 * np.sin(numbers / 3000) + noise, 8 + noise / 4
    moments = (str(at).split("T") for at in times)
    return [
        (day, clock, f"{level:.2f}", f"{warmth:.3f}")
        for (day, clock), level, warmth in zip(moments, levels, warmths, strict=True)
    ]


def xle(rows: list[tuple[str, str, str, str]]) -> str:
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Body_xle>\n<Instrument_info><Instrument_type>LT_EDGE'
        "</Instrument_type><Serial_number>7001</Serial_number></Instrument_info>\n"
        "<Ch1_data_header><Identification>LEVEL</Identification><Unit>cm</Unit></Ch1_data_header>\n"
        "<Ch2_data_header><Identification>TEMPERATURE</Identification><Unit>°C</Unit></Ch2_data_header>\n<Data>\n"
    )
    log = (
        '        <Log id="{}">\n            <Date>{}</Date>\n            <Time>{}</Time>\n            <ms>0</ms>\n'
        "            <ch1>{}</ch1>\n            <ch2>{}</ch2>\n        </Log>\n"
    )
    body = "".join(log.format(n, one[0].replace("-", "/"), *one[1:]) for n, one in enumerate(rows, 1))
    return f"{head}{body}</Data>\n</Body_xle>\n"


def solinst_csv(rows: list[tuple[str, str, str, str]]) -> str:
    head = "Serial_number:\n7001\nLocation:\nMW-1\nLEVEL\nUNIT: cm\nTEMPERATURE\nUNIT: °C\n"
    body = "".join(f"{day},{clock},0,{level},{warmth}\n" for day, clock, level, warmth in rows)
    return f"{head}Date,Time,ms,LEVEL,TEMPERATURE\n{body}"


def solinst_lev(rows: list[tuple[str, str, str, str]]) -> str:
    channels = "".join(
        f"[CHANNEL {n} from data header]\n  Identification =  {label}\n  Unit =  {unit}\n"
        for n, label, unit in ((1, "LEVEL", "cm"), (2, "TEMPERATURE", "Deg C"))
    )
    head = (
        f"Data file for DataLogger.\n[Instrument info]\n  Serial number =.. 0-7001 2..\n{channels}[Data]\n{len(rows)}\n"
    )
    return head + "".join(f"{day} {clock}.0    {level}    {warmth}\n" for day, clock, level, warmth in rows)


def toa5(rows: list[tuple[str, str, str, str]]) -> str:
    head = (
        '"TOA5","MW-1","CR1000","7018","OS","CPU:made_up.CR1","1","Fifteen"\n"TIMESTAMP","RECORD","Lvl_cm","AirTC"\n'
        '"TS","RN","cm","Deg C"\n"","","Smp","Smp"\n'
    )
    numbered = enumerate(rows)
    return head + "".join(f'"{day} {clock}",{n},{level},{warmth}\n' for n, (day, clock, level, warmth) in numbered)


def hobo(rows: list[tuple[str, str, str, str]]) -> str:
    head = '"Plot Title: MW-1"\n"#","Date Time, GMT-06:00","Sensor Depth, cm (LGR S/N: 7)","Temp, °C (LGR S/N: 7)"\n'
    numbered = enumerate(rows, 1)
    return head + "".join(f"{n},{day} {clock},{level},{warmth}\n" for n, (day, clock, level, warmth) in numbered)


def _bare(name: str, path: Path) -> Callable[[], object]:
    """``iterparse`` of XML, ``read_csv`` of a table's records."""
    if name == "solinst-xle":
        from defusedxml.ElementTree import iterparse

        return lambda: sum(1 for _ in iterparse(str(path)))
    import pandas as pd

    lines = path.read_text(encoding="utf-8").count("\n") - READINGS
    options: dict[str, Any] = {"skiprows": lines, "header": None, "sep": r"\s+" if name == "solinst-lev" else ","}
    return lambda: pd.read_csv(path, **options)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


WRITERS: dict[str, Callable[[list[tuple[str, str, str, str]]], str]] = {
    "solinst-xle": xle,
    "solinst-csv": solinst_csv,
    "solinst-lev": solinst_lev,
    "campbell-toa5": toa5,
    "hobo-csv": hobo,
}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measured = measure(sys.argv[1], Path(sys.argv[2]))
        print(json.dumps({name: round(value, 3) for name, value in measured.items()}))
    else:
        main()
