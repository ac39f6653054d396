"""What the gate accepts is what ``ingest`` takes whole: held against ``ingest`` itself, file by file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from ingest.reading import Told
from models.household import Households
from pipelines import parcels
from pipelines.database import open_store
from pipelines.lab_file import open_lab_file
from pipelines.lab_gate import against, gates
from pipelines.receipts import Receipt
from pipelines.site_folder import open_site
from sample_data import demo
from tests.test_lab_gate import BROKEN, HEAD, PAIRED, line, table

AT = datetime(2026, 1, 1, tzinfo=UTC)
NOW = round(AT.timestamp() * 1000)
CHICAGO = ZoneInfo("America/Chicago")
OTHER = "Well,When,What,Conc\nMW-2,2024-05-14,Arsenic,99\n"
"""Results under a head that no layout knows."""
UNKNOWN = {"unknown name", "unknown CAS"}
"""Rows that are left out and told as such: of a substance that nobody asks for, a deliverable is not sent back."""
Both = Callable[[Path], tuple[dict[str, Any], list[Receipt]]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gate") / "site"
    demo.fresh_site(folder)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{tmp_path_factory.mktemp('store') / 'headwater.db'}")
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def both(place: Path, store: Engine) -> Both:
    """Of one file the gate's answers by name, and what ``ingest`` says of it in a store that then forgets it."""
    what, site = against(place, AT), open_site(place).site

    def command(path: Path) -> tuple[dict[str, Any], list[Receipt]]:
        answers = {str(one["file"]): one for one in gates(path, what, told=Told())}
        with store.connect() as connection, connection.begin() as whole:
            desk = parcels.rehearsal(connection, site, CHICAGO, NOW, Households())
            receipts = list(parcels.take(desk, path).receipts)
            whole.rollback()
        return answers, receipts

    return command


def packed(members: Mapping[str, str | bytes]) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return found.getvalue()


def book(sheets: Mapping[str, str]) -> bytes:
    made, found = openpyxl.Workbook(), io.BytesIO()
    made.remove(made.worksheets[0])
    for name, text in sheets.items():
        sheet = made.create_sheet(name)
        for row in text.splitlines():
            sheet.append(row.split(","))
    made.save(found)
    return found.getvalue()


def agree(both: Both, path: Path) -> None:
    """The gate names each delivery as ``ingest`` does, accepts no more than is taken whole, and reads all that is."""
    answers, receipts = both(path)
    assert set(answers) == {one.file for one in receipts}
    for one in receipts:
        verdict = answers[one.file]["verdict"]
        if verdict in {"accepted", "document"}:
            assert not one.left_out, (one.error, one.first_reject)
        if not one.left_out:
            assert verdict != "not read"


def alone(**cells: str) -> bytes:
    return table(line(**cells)).encode()


def beside(**cells: str) -> bytes:
    return table(line(), line(**cells)).encode()


GOOD = table(line())
PILE: dict[str, tuple[str, bytes, list[str]]] = {
    "two tables": ("a.zip", packed({"a/x.csv": GOOD, "b/y.csv": table(line(sample="S-2"))}), ["accepted"] * 2),
    "one of no layout": ("b.zip", packed({"x.csv": GOOD, "y.csv": OTHER}), ["accepted", "not read"]),
    "a zip in it": ("c.zip", packed({"n.zip": packed({"x.csv": GOOD}), "x.csv": GOOD}), ["not read", "accepted"]),
    "a report in it": ("d.zip", packed({"r.pdf": b"%PDF-1.7", "x.csv": GOOD}), ["document", "accepted"]),
    "a hidden file in it": ("e.zip", packed({".x.csv": GOOD, "y.csv": GOOD}), ["not read", "accepted"]),
    "no file in it": ("f.zip", packed({}), ["not read"]),
    "reports only": ("g.zip", packed({"r.pdf": b"%PDF-1.7"}), ["not read"]),
    "a sheet of no layout": ("h.xlsx", book({"MW-1": GOOD, "MW-2": OTHER}), ["rejected"]),
    "a sheet of words": ("i.xlsx", book({"MW-1": GOOD, "Notes": "Arsenic\nby our own method"}), ["accepted"]),
    "a sheet of times": ("j.xlsx", book({"MW-1": GOOD, "Log": "Opened,12\nClosed,13"}), ["accepted"]),
    "an hour twice": ("k.csv", alone(day="2025-11-02", time="01:30", analysed="2025-11-04"), ["rejected"]),
    "no such hour": ("l.csv", alone(day="2025-03-09", time="02:30", analysed="2025-03-10"), ["rejected"]),
    "a duplicate elsewhere": ("m.csv", beside(type="FD", sample="S-2", station="MW-99"), ["rejected"]),
    "another unit": ("n.csv", beside(value="0.00120", unit="mg/L", lod="0.0003", loq="0.001"), ["accepted"]),
    "another remark": ("o.csv", beside(flag="J"), ["rejected"]),
    "another day of analysis": ("p.csv", beside(analysed="2024-05-21"), ["rejected"]),
}  # fmt: skip
"""By what is odd in it: a file, and the verdict on each delivery in it, in the order of their names."""


@pytest.mark.parametrize(("name", "content", "verdicts"), PILE.values(), ids=PILE)
def test_the_gate_says_of_each_delivery_what_ingest_does(
    name: str, content: bytes, verdicts: list[str], both: Both, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    answers, _ = both(path)
    assert [answers[one]["verdict"] for one in sorted(answers)] == verdicts
    agree(both, path)


CELLS = st.fixed_dictionaries(
    {},
    optional={
        "station": st.sampled_from(["MW-1", "MW-2", "mw-1", "MW-99", ""]),
        "sample": st.sampled_from(["S-1", "S-2", ""]),
        "day": st.sampled_from(["2024-05-14", "2024-11-03", "2024-03-10", "14.05.2024", ""]),
        "time": st.sampled_from(["", "01:30", "02:30", "10:30", "25:00"]),
        "type": st.sampled_from(["N", "", "FD", "TB", "Odd"]),
        "value": st.sampled_from(["1.2", "1.20", "0.0012", "<0.3", "ND", "", "x", "0"]),
        "unit": st.sampled_from(["ug/L", "mg/L", "ft", "furlong", ""]),
        "lod": st.sampled_from(["0.3", "0.0003", "", "x"]),
        "flag": st.sampled_from(["", "J", "U", "R", "XY"]),
        "fraction": st.sampled_from(["", "Dissolved", "Total"]),
        "method": st.sampled_from(["EPA 200.8", "EPA 6020"]),
        "analysed": st.sampled_from(["", "2024-05-20", "2024-12-20", "never"]),
        "name": st.sampled_from(["Arsenic", "Lead", "Nitrate as N"]),
    },
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(CELLS, min_size=1, max_size=4), how=st.sampled_from(["csv", "zip", "xlsx"]))
def test_accepted_is_taken_whole(rows: list[dict[str, str]], how: str, both: Both, tmp_path: Path) -> None:
    text = table(*(line(**cells) for cells in rows))
    content = {"csv": text.encode(), "zip": packed({"a.csv": text, "b.csv": GOOD}), "xlsx": book({"A": text})}[how]
    path = tmp_path / f"made.{how}"
    path.write_bytes(content)
    agree(both, path)


@pytest.mark.parametrize("name", sorted({*BROKEN, *PAIRED} - UNKNOWN))
def test_every_made_fault_too(name: str, both: Both, tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text(table(line(), (BROKEN | PAIRED)[name][0]), encoding="utf-8")
    agree(both, path)


def test_what_nobody_asks_for_is_counted_as_not_taken(both: Both, tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text(table(line(), line(name="Unobtainium"), line(name="Unobtainium", sample="S-2")), encoding="utf-8")
    (answer,) = both(path)[0].values()
    assert (answer["verdict"], answer["not_taken"]) == ("accepted", 2)
    assert both(path)[1][0].rejected == 2


def test_a_folder_is_its_files(both: Both, place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "june"
    folder.mkdir()
    (folder / "a.csv").write_text(GOOD, encoding="utf-8")
    (folder / "b.csv").write_text(f"{HEAD}\n", encoding="utf-8")
    found = {one["file"]: one["verdict"] for one in gates(folder, against(place, AT), told=Told())}
    assert found == {"june/a.csv": "accepted", "june/b.csv": "not read"}


def test_a_sample_of_a_laboratory_that_has_no_result_is_named(place: Path, tmp_path: Path) -> None:
    """Of two samples one is analysed; the section of tests is not needed."""
    samples = (
        "sys_sample_code,sample_matrix_code,sample_type_code,sample_date,sample_time,sys_loc_code\n"
        "A,WG,N,07/15/2025,10:30,MW-1\nE,WG,N,07/15/2025,12:00,MW-2\n"
    )
    results = (
        "sys_sample_code,lab_anl_method_name,analysis_date,total_or_dissolved,cas_rn,chemical_name,result_value,"
        "result_unit,method_detection_limit,quantitation_limit\n"
        "A,E200.8,07/20/2025,D,7440-38-2,Arsenic,1.5,ug/L,0.3,1.0\n"
    )
    path = tmp_path / "edd.zip"
    path.write_bytes(packed({"Sample.csv": samples, "Result.csv": results}))
    (answer,) = gates(path, against(place, AT), told=Told())
    told = {one["rule"]: one["faults"][0]["found"] for one in answer["rules"]}
    assert (answer["verdict"], told.get("sample-without-results")) == ("accepted", "E")


def test_a_file_judged_without_a_store_knows_units_too(tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_bytes(beside(value="0.00120", unit="mg/L", lod="0.0003", loq="0.001"))
    found = open_lab_file(path, None, Told(), date(2024, 6, 1))
    assert (found.rows["value_text"].tolist(), found.rejects) == (["1.2"], ())
