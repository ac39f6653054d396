"""A reporting limit bounds a non-detect and is no LOQ; a PQL is one. Expectations are written by hand after NR 140.14.

Arsenic: PAL 1, ES 10 ug/L. Without an LOQ an amount at or over a standard needs confirmation (140.14(3)), below it it
is not attained, and a ``<`` of a reporting limit above the standard hides a detect.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines import cli

EZEDD = (
    "sys_sample_code,sys_loc_code,sample_date,chemical_name,fraction,result_value,detect_flag,lab_qualifiers,"
    "method_detection_limit,reporting_detection_limit,quantitation_limit,result_unit"
)
NEEDED = "needs_confirmation"


def statuses(folder: Path, capfd: pytest.CaptureFixture[str], header: str, row: str) -> tuple[str, str]:
    """Of one result of arsenic, by PAL and ES."""
    (folder / "lab.csv").write_text(f"{header}\n{row}\n", "utf-8")
    capfd.readouterr()
    cli.run(["quality", str(folder / "lab.csv"), "--json"])
    found = {one["kind"]: one["nr140_status"] for one in json.loads(capfd.readouterr().out)["verdicts"]}
    return found["PAL"], found["ES"]


@pytest.mark.parametrize("heading", ["rl", "RL", "mrl", "Reporting Limit", "reporting_detection_limit"])
@pytest.mark.parametrize(
    ("amount", "code", "expected"),
    [
        ("4", "", (NEEDED, "not_attained")),
        ("4", "J", (NEEDED, "not_attained")),
        ("15", "", (NEEDED, NEEDED)),
        ("0.9", "", ("not_attained", "not_attained")),
        ("ND", "", ("not_attained", "not_attained")),  # below the LOD of 0.3
        ("<5", "", ("indeterminate", "not_attained")),
        ("5", "U", ("indeterminate", "not_attained")),
    ],
)
def test_a_reporting_limit_is_no_loq(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], heading: str, amount: str, code: str, expected: tuple[str, str]
) -> None:
    header = f"sample_id,location,date,analyte,result,unit,qualifier,lod,{heading}"
    row = f"s,W-1,2025-07-01,Arsenic,{amount},ug/L,{code},0.3,5"
    assert statuses(tmp_path, capfd, header, row) == expected


@pytest.mark.parametrize("heading", ["loq", "PQL", "Quantitation Limit"])
def test_a_practical_quantitation_limit_is_one(tmp_path: Path, capfd: pytest.CaptureFixture[str], heading: str) -> None:
    header = f"sample_id,location,date,analyte,result,unit,lod,{heading}"
    told = [
        statuses(tmp_path, capfd, header, f"s,W-1,2025-07-01,Arsenic,{amount},ug/L,0.3,5") for amount in ("4", "15")
    ]
    assert told == [("below_loq", "not_attained"), ("attained", "attained")]


def test_an_loq_beside_a_reporting_limit_decides(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    header = "sample_id,location,date,analyte,result,unit,lod,loq,rl"
    row = "s,W-1,2025-07-01,Arsenic,4,ug/L,0.3,1,5"
    assert statuses(tmp_path, capfd, header, row) == ("attained", "not_attained")


@pytest.mark.parametrize(
    ("amount", "seen", "loq", "expected"),
    [
        ("4", "Y", "", (NEEDED, "not_attained")),
        ("4", "Y", "5", ("below_loq", "not_attained")),
        ("15", "Y", "5", ("attained", "attained")),
        ("", "N", "", ("not_attained", "not_attained")),  # not detected, and the LOD is stated
    ],
)
def test_of_equis_the_quantitation_limit_alone_is_the_loq(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], amount: str, seen: str, loq: str, expected: tuple[str, str]
) -> None:
    row = f"s,W-1,07/15/2025,Arsenic,T,{amount},{seen},,0.3,5,{loq},ug/L"
    assert statuses(tmp_path, capfd, EZEDD, row) == expected


def test_without_an_lod_a_non_detect_is_below_the_reporting_limit(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert statuses(tmp_path, capfd, EZEDD, "s,W-1,07/15/2025,Arsenic,T,,N,,,5,,ug/L") == (
        "indeterminate", "not_attained",
    )  # fmt: skip
