"""Wisconsin GRN laboratory export: detected, censored, invalid and refused results."""

import math
from typing import Any

import pytest

from ingest.laboratory import grn as lab_grn
from ingest.reading import Parts, Source

HEADER = (
    "WI Unique Well #,County,Well Use,Well Status,Sample Collection Date,Storet Parameter Description,"
    "Storet Parameter Code,Sample Analytical Result Amount,Result Text,Units,Sample Analytical Qualifier,"
    "Enforcement Standard,Preventive Action Limit,HAL,HAL Units,LOD,LOQ,Labslip #/Sample ID,Sample Description,"
    "Lab Comments,Address\n"
)


def line(amount: str = "", **cells: str) -> str:
    said = {"well": "AB123", "day": "07/15/2024", "code": "1002", "text": "", "unit": "UG/L", "qualifier": ""} | cells
    lod, loq = said.get("lod", ""), said.get("loq", "")
    return (
        f"{said['well']},Chippewa,Private,Active,{said['day']},ARSENIC,{said['code']},{amount},{said['text']},"
        f"{said['unit']},{said['qualifier']},999,99,9,ug/L,{lod},{loq},IH1,kitchen tap,called owner,1 Main St\n"
    )


def parse(*lines: str) -> Parts:
    text = HEADER + "".join(lines)
    assert lab_grn.sniff(text)
    return lab_grn.parse(Source("grn.csv", text))


def only(*lines: str) -> dict[Any, Any]:
    parts = parse(*lines)
    assert parts.rejects == ()
    (row,) = parts.observations.to_dict("records")
    return row


def test_a_detected_result() -> None:
    row = only(line("1.20", qualifier="J", lod="0.5", loq="1.6"))
    assert (row["station"], row["parameter"], row["series"], row["clock"]) == ("AB123", "arsenic", "01002:IH1", "day")
    assert (row["value"], row["value_text"], row["unit"]) == (1.2, "1.20", "ug/L")
    assert row["flags"] == ":J;lod=0.5;loq=1.6;sample=IH1"


@pytest.mark.parametrize(
    ("cells", "text", "flags"),
    [
        ({"amount": "ND", "lod": "0.5"}, "ND", ":ND;lod=0.5;sample=IH1"),
        ({"amount": "0", "text": "NON-DETECT", "lod": "0.5"}, "ND", ":ND;lod=0.5;sample=IH1"),
        ({"amount": "0.5", "text": "NON-DETECT"}, "ND", ":ND;limit=0.5;limit_is=rl;sample=IH1"),
        ({"amount": "<0.5", "lod": "0.50"}, "<0.5", ":<;lod=0.50;limit=0.5;limit_is=lod;sample=IH1"),
        ({"amount": "<2", "lod": "0.5"}, "<2", ":<;lod=0.5;limit=2;limit_is=rl;sample=IH1"),
        ({"amount": "2", "qualifier": "<"}, "<2", ":<;limit=2;limit_is=rl;sample=IH1"),
        ({"amount": "2", "qualifier": "U W"}, "<2", ":<,U,W;limit=2;limit_is=rl;sample=IH1"),
        ({"amount": "0", "lod": "0.5"}, "0", ":ND;lod=0.5;sample=IH1"),
        ({"amount": "ND<0.000"}, "ND<0.000", ":<,limit-not-positive;sample=IH1"),
        ({"amount": "ND<0.5"}, "ND<0.5", ":<;limit=0.5;limit_is=rl;sample=IH1"),
    ],
)
def test_a_censored_result_is_no_number(cells: dict[str, str], text: str, flags: str) -> None:
    row = only(line(**cells))
    assert math.isnan(row["value"])
    assert (row["value_text"], row["flags"]) == (text, flags)


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"amount": "0"}, lab_grn.AMOUNT),
        ({"amount": "-1"}, lab_grn.AMOUNT),
        ({"amount": ""}, lab_grn.AMOUNT),
        ({"amount": "lots"}, lab_grn.AMOUNT),
        ({"amount": "1", "code": "99999"}, lab_grn.CODE),
        ({"amount": "1", "unit": ""}, lab_grn.UNITS),
        ({"amount": "1", "unit": "furlong"}, lab_grn.UNITS),
        ({"amount": "1", "unit": "ft"}, lab_grn.UNITS),
        ({"amount": "1", "lod": "low"}, lab_grn.LOD),
        ({"amount": "1", "day": "13/40/2024"}, lab_grn.SAMPLED),
        ({"amount": "1", "well": ""}, lab_grn.WELL),
    ],
)
def test_a_bad_result_costs_its_row(cells: dict[str, str], column: str) -> None:
    parts = parse(line(**cells), line("3", day="2024-07-16"))
    assert parts.observations["value"].tolist() == [3.0]
    assert [(one.row, one.column) for one in parts.rejects] == [(2, column)]


def test_embedded_standards_and_peoples_text_are_not_read() -> None:
    parts = parse(line("1.2"), line("x"))
    said = parts.observations.to_csv() + repr(parts.rejects) + repr(parts.facts)
    assert not any(word in said for word in ("999", "kitchen", "owner", "Main"))
