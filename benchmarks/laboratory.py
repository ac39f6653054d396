"""What it costs to read, check and store a laboratory's deliverables.

Run ``python -m benchmarks.laboratory``. Each part runs in a process of its own. Targets, of processor time for an EQuIS
delivery of 100,000 results: read and placed at a site, read and told as JSON, held against the gate, each under 5 s
with imports; read and stored, each sample a series of its own, under 25 s and 500 MB, and stored again as a delivery
that says the same. A workbook of 50,000 rows is read in under 20 s and 500 MB.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
RESULTS, SHEET_ROWS, WELLS = 100_000, 50_000, 40
ZONE = ZoneInfo("America/Chicago")
SUBSTANCES = (
    ("7440-38-2", "Arsenic", "ug/L"), ("16887-00-6", "Chloride", "mg/L"), ("71-43-2", "Benzene", "ug/L"),
    ("7439-89-6", "Iron", "mg/L"),
)  # fmt: skip


def main() -> None:
    """Measure every part in a child process and print a line for each."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        write_edd(Path(folder) / "edd")
        write_workbook(Path(folder) / "lab.xlsx")
        for part, name in (*((part, "edd") for part in PARTS), ("place", "lab.xlsx")):
            command = [sys.executable, "-m", "benchmarks.laboratory", part, str(Path(folder) / name)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            print(part, name, done.stdout.strip() or done.stderr.strip()[-2000:], sep="\t", flush=True)


def write_edd(path: Path) -> None:
    """Four EQuIS sections: a sample of four substances, one in nine a non-detect, one in twenty a blank."""
    path.mkdir()
    key = "sys_sample_code,lab_anl_method_name,analysis_date,total_or_dissolved,column_number,test_type"
    said = "E200.8,05/20/2024 08:00:00,T,NA,INITIAL"
    with (
        (path / "SMP.txt").open("w") as samples, (path / "TST.txt").open("w") as tests,
        (path / "RES.txt").open("w") as results,
    ):  # fmt: skip
        samples.write("sys_sample_code,sample_type_code,sample_source,sample_date,sys_loc_code,sample_matrix_code\n")
        tests.write(f"{key},lab_matrix_code,analysis_location,dilution_factor,lab_sample_id\n")
        results.write(
            f"{key},cas_rn,chemical_name,result_value,result_type_code,reportable_result,detect_flag,lab_qualifiers,"
            "method_detection_limit,reporting_detection_limit,result_unit,detection_limit_unit\n"
        )
        for number in range(RESULTS // len(SUBSTANCES)):
            day = f"{1 + number % 12:02}/{1 + number % 28:02}/{1990 + number % 34}"
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


def place(path: Path) -> dict[str, float]:
    """Reading, and placing at a site."""
    from ingest.arrival import place
    from ingest.formats import read

    found = read(path)
    middle = time.perf_counter()
    arrived = place(found, _site(), ZONE)
    placed = time.perf_counter() - middle
    return {"rows": len(arrived.frame), "rejects": len(arrived.rejects), "placing s": placed}


def told(path: Path) -> dict[str, float]:
    """``read --json``."""
    from ingest.formats import read
    from ingest.summary import summarise
    from pipelines.terminal import to_json

    found = summarise(read(path))
    return {"series": len(found["series"]), "MB of JSON": len(to_json(found)) / 1e6}


def gate(path: Path) -> dict[str, float]:
    """``read --gate --json``, without a site."""
    from ingest.reading import NOTHING
    from pipelines import lab_gate
    from pipelines.terminal import to_json

    found = lab_gate.gate(path, lab_gate.against(None), told=NOTHING)
    return {"results": found.results, "MB of JSON": len(to_json(lab_gate.answer(found))) / 1e6}


def store(path: Path) -> dict[str, float]:
    """Into an empty store, as a zip of its sections; then a zip that differs by a blank line."""
    from pipelines import inbox
    from pipelines.database import opened

    first = shutil.make_archive(str(path.with_suffix(".first")), "zip", path)
    with (path / "RES.txt").open("a") as results:
        results.write("\n")
    again = shutil.make_archive(str(path.with_suffix(".again")), "zip", path)
    with opened(f"sqlite:///{path.with_suffix('.db')}") as engine:
        taken = inbox.take(engine, _site(), ZONE, Path(first), 10)
        once = time.process_time()
        seen = inbox.take(engine, _site(), ZONE, Path(again), 20)
    return {
        "accepted": taken.accepted, "once processor s": once, "again duplicate": seen.duplicate,
        "again accepted": seen.accepted,
    }  # fmt: skip


def _site() -> Any:
    from models.site import Site, Well

    wells = tuple(Well(id=f"MW-{n}", use="monitoring", position=(0.0, 0.0)) for n in range(WELLS))
    none: dict[str, Any] = dict.fromkeys(("gauge", "rain_gauge", "meter", "barologger"), ())
    make: Any = Site.model_construct
    return make(permit=None, well=wells, **none)


def _measured(part: str, path: Path) -> dict[str, float]:
    """With the processor time of the whole process, imports too, and its peak memory."""
    started = time.perf_counter()
    found = PARTS[part](path)
    seconds = {"s without imports": time.perf_counter() - started, "processor s": time.process_time()}
    peak = int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) / 1024
    return {**found, **seconds, "peak MB": peak}


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {one.__name__: one for one in (place, told, gate, store)}


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps({name: round(value, 3) for name, value in _measured(sys.argv[1], Path(sys.argv[2])).items()}))
    else:
        main()
