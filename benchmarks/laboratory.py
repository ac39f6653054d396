"""What it costs to read, check and store a laboratory's deliverables, beside the barest reading of the same rows.

Run ``python -m benchmarks.laboratory``. Every line is a process of its own, with its imports, its peak memory and the
processor time the system counted; ``times bare`` is that time over the one of ``pandas.read_csv`` of the same files.
Targets: of an EQuIS delivery of 100,000 results ``read --json`` and ``read --gate --json`` under 5 s each; stored, each
sample a series, under 25 s and 500 MB. A workbook of 50,000 rows is read in under 20 s and 500 MB.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
RESULTS, SHEET_ROWS, WELLS = 100_000, 50_000, 40
ZONE = ZoneInfo("America/Chicago")
SUBSTANCES = (
    ("7440-38-2", "Arsenic", "ug/L"), ("16887-00-6", "Chloride", "mg/L"), ("71-43-2", "Benzene", "ug/L"),
    ("7439-89-6", "Iron", "mg/L"),
)  # fmt: skip
HEADWATER = "from pipelines.cli import main; main()"
COLUMNS = "{:34}{:>12}{:>12}{:>10}{:>8}"


class Spent(NamedTuple):
    """Processor time and peak memory of one process."""

    seconds: float
    megabytes: float


def main() -> None:
    """Measure every line and print the table."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as name:
        folder = Path(name)
        write_edd(folder / "edd")
        write_workbook(folder / "lab.xlsx")
        bare = spent(_part("bare", folder))
        print(COLUMNS.format("", "processor s", "times bare", "peak MB", "aim s"))
        for said, (command, aim) in {"pandas.read_csv": (_part("bare", folder), None), **_lines(folder)}.items():
            one = spent(command)
            shown = f"{one.seconds:.2f}", f"{one.seconds / bare.seconds:.1f}", f"{one.megabytes:.0f}", aim or ""
            print(COLUMNS.format(said, *shown), flush=True)


def _lines(folder: Path) -> dict[str, tuple[list[str], int | None]]:
    """What is measured: the command and its aim [s]."""
    read = [sys.executable, "-c", HEADWATER, "read", "--json"]
    packed = shutil.make_archive(str(folder / "gate"), "zip", folder / "edd")
    return {
        "read --json": ([*read, str(folder / "edd")], 5),
        "read --gate --json": ([*read, "--gate", packed], 5),
        "stored, a series for each sample": (_part("store", folder), 25),
        "the same again": (_part("again", folder), 25),
        f"read --json, {SHEET_ROWS:,} rows .xlsx": ([*read, str(folder / "lab.xlsx")], 20),
    }


def _part(name: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "benchmarks.laboratory", name, str(folder)]


def spent(command: list[str]) -> Spent:
    """Run one process to its end; 1 is the answer of a deliverable with a refused row.

    Raises
    ------
    RuntimeError : it failed.
    """
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in {0, 1}:
        raise RuntimeError(f"{command[1:]} ended with {child.returncode}")
    return Spent(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def write_edd(path: Path) -> None:
    """EQuIS sections: a sample of four substances, one in nine a non-detect; one in twenty a blank, in fifty late."""
    path.mkdir()
    key = "sys_sample_code,lab_anl_method_name,analysis_date,total_or_dissolved,column_number,test_type"
    with (
        (path / "SMP.txt").open("w") as samples, (path / "TST.txt").open("w") as tests,
        (path / "RES.txt").open("w") as results,
    ):  # fmt: skip
        samples.write("sys_sample_code,sample_type_code,sample_source,sample_date,sys_loc_code,sample_matrix_code\n")
        tests.write(f"{key},lab_matrix_code,analysis_location,dilution_factor,lab_sample_id\n")
        results.write(
            f"{key},cas_rn,chemical_name,result_value,result_type_code,reportable_result,detect_flag,lab_qualifiers,"
            "method_detection_limit,quantitation_limit,result_unit,detection_limit_unit\n"
        )
        for number in range(RESULTS // len(SUBSTANCES)):
            month, on, year = 1 + number % 12, 1 + number % 28, 1990 + number % 34
            day, late = f"{month:02}/{on:02}/{year}", number % 50 == 3
            said = f"E200.8,{month:02}/{min(on + 2, 28):02}/{year + late} 20:00:00,T,NA,INITIAL"
            kind = "EB" if number % 20 == 7 else "N"
            samples.write(f"S{number},{kind},FIELD,{day} 10:30:00,MW-{number % WELLS},WG\n")
            tests.write(f"S{number},{said},WG,LB,1,L{number}\n")
            for place, (cas, name, unit) in enumerate(SUBSTANCES):
                seen = (number + place) % 9 > 0
                amount = f"{(number * 7919 + place * 104729) % 99991 / 1000:.3f}" if seen else ""
                flag = "Y," if seen else "N,U"
                results.write(f"S{number},{said},{cas},{name},{amount},TRG,Yes,{flag},0.001,0.005,{unit},{unit}\n")


def write_workbook(path: Path) -> None:
    """One sheet of twelve columns, dates as dates."""
    import xlsxwriter

    book = xlsxwriter.Workbook(str(path), {"constant_memory": True})
    sheet, day = book.add_worksheet("Results"), book.add_format({"num_format": "yyyy-mm-dd"})
    sheet.write_row(0, 0, ["sample_id", "location", "date", "sample_type", "analyte", "cas", "result", "unit",
                           "qualifier", "mdl", "rl", "fraction"])  # fmt: skip
    for number in range(1, SHEET_ROWS + 1):
        cas, name, unit = SUBSTANCES[number % len(SUBSTANCES)]
        sample = number // len(SUBSTANCES)
        sheet.write_row(number, 0, [f"S{sample}", f"MW-{sample % WELLS}"])
        sheet.write_number(number, 2, 40_000 + sample % 5000, day)
        sheet.write_row(
            number, 3, ["N", name, cas, number * 7919 % 99991 / 1000 + 0.001, unit, "", 0.001, 0.005, "Total"]
        )
    book.close()


def bare(folder: Path) -> None:
    """The three sections as text, by pandas alone."""
    import pandas as pd

    for one in sorted((folder / "edd").iterdir()):
        pd.read_csv(one, dtype="str")


def store(folder: Path) -> None:
    """Into an empty store, as a zip of its sections."""
    _stored(folder, "first", 10)


def again(folder: Path) -> None:
    """Into the same store, as a zip that differs by a blank line."""
    with (folder / "edd" / "RES.txt").open("a") as results:
        results.write("\n")
    _stored(folder, "again", 20)


def _stored(folder: Path, name: str, night: int) -> None:
    from pipelines import inbox
    from pipelines.database import opened

    packed = Path(shutil.make_archive(str(folder / name), "zip", folder / "edd"))
    with opened(f"sqlite:///{folder / 'store.db'}") as engine:
        taken = inbox.take(engine, _site(), ZONE, packed, night)
    if taken.error or not taken.accepted + taken.duplicate:
        raise RuntimeError(f"nothing was stored: {taken}")


def _site() -> Any:
    from models.site import Site, Well

    wells = tuple(Well(id=f"MW-{n}", use="monitoring", position=(0.0, 0.0)) for n in range(WELLS))
    none: dict[str, Any] = dict.fromkeys(("gauge", "rain_gauge", "meter", "barologger"), ())
    make: Any = Site.model_construct
    return make(permit=None, well=wells, **none)


PARTS: dict[str, Callable[[Path], None]] = {one.__name__: one for one in (bare, store, again)}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        PARTS[sys.argv[1]](Path(sys.argv[2]))
    else:
        main()
