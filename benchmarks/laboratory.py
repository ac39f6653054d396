"""What it costs to read and check a laboratory's deliverables.

Run ``python -m benchmarks.laboratory``. Each part runs in a process of its own. Targets: an EQuIS delivery of 100,000
results read and placed at a site in under 5 s; a workbook of 50,000 rows in under 20 s and 500 MB.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from zoneinfo import ZoneInfo

ROOT = Path(__file__).resolve().parents[1]
RESULTS, SHEET_ROWS, WELLS = 100_000, 50_000, 40
SUBSTANCES = (
    ("7440-38-2", "Arsenic", "ug/L"), ("16887-00-6", "Chloride", "mg/L"), ("71-43-2", "Benzene", "ug/L"),
    ("7439-89-6", "Iron", "mg/L"),
)  # fmt: skip


def main() -> None:
    """Measure every part in a child process and print a line for each."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        write_edd(Path(folder) / "edd")
        write_workbook(Path(folder) / "lab.xlsx")
        for name in ("edd", "lab.xlsx"):
            command = [sys.executable, "-m", "benchmarks.laboratory", str(Path(folder) / name)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            print(name, done.stdout.strip() or done.stderr.strip()[-2000:], sep="\t", flush=True)


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


def measure(path: Path) -> dict[str, float]:
    """Reading and placing one delivery, imports excluded."""
    from ingest.arrival import place
    from ingest.formats import read
    from models.site import Site, Well

    wells = tuple(Well(id=f"MW-{n}", use="monitoring", position=(0.0, 0.0)) for n in range(WELLS))
    started, worked = time.perf_counter(), time.process_time()
    found = read(path)
    middle = time.perf_counter()
    arrived = place(found, Site.model_construct(well=wells), ZoneInfo("America/Chicago"))
    return {
        "rows": len(arrived.frame), "rejects": len(arrived.rejects), "read s": middle - started,
        "read and placed s": time.perf_counter() - started, "processor s": time.process_time() - worked,
        "peak MB": int(re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[0]) / 1024,
    }  # fmt: skip


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps({name: round(value, 3) for name, value in measure(Path(sys.argv[1])).items()}))
    else:
        main()
