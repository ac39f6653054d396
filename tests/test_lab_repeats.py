"""A result without a sample number is told apart by what it says of whose water, never by its place in a file.

What each delivery leaves is written by hand: the same again adds nothing, another amount corrects, and of several
results of one moment each is kept.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from ingest.formats import read as read_file
from ingest.laboratory.mapped import load_map
from ingest.packed.table_notes import table_notes
from ingest.reading import Reading
from models.checks.quality_results import taken
from models.checks.quality_table import plain_terms, verdict_rows
from models.question import StoredRow, stored_rows
from models.standards import law_of
from pipelines.database import open_store, transaction
from pipelines.observations import Counts, insert, record_source
from pipelines.observations import read as read_store

TALL = "lab_sample_id,station,sample_date,parameter,fraction,result,unit,lod,loq"
WIDE = "sample,location,date,Arsenic (ug/L),Lead (ug/L)"
LDES = (
    "sample_labslip_id,wi_unique_well,sample_collection_date,dnr_parameter_code,result_value,result_amt,units,lod,loq"
)
MAP = """[columns]
"Well" = "station"
"Taken" = "day"
"What" = "analyte"
"Found" = "value"
"In" = "unit"
"""
TABLES = {
    "tall": (TALL, (",W-1,2025-07-01,Arsenic,Dissolved,15,ug/L,0.3,1", ",W-1,2025-07-01,Lead,Dissolved,2,ug/L,0.3,1",
                    ",W-1,2025-07-01,Arsenic,Dissolved,0.4,ug/L,0.3,1", ",W-1,2025-07-01,Arsenic,Dissolved,ND,ug/L,1,3",
                    ",W-2,2025-07-01,Arsenic,Dissolved,15,ug/L,0.3,1", "L1,W-1,2025-07-01,Arsenic,Dissolved,7,ug/L,,",
                    ",W-1,2025-07-01,Lead,Dissolved,2,ug/L,0.3,1", ",W-1,2025-08-01,Arsenic,Dissolved,9,ug/L,,")),
    "wide": (WIDE, (",W-1,2025-07-01,15,2", ",W-1,2025-07-01,1,3", ",W-2,2025-07-01,15,2", "L1,W-1,2025-07-01,4,5")),
    "ldes": (LDES, (",AB123,2025-07-01,1002,15,15,UG/L,0.3,1", ",AB123,2025-07-01,1002,0.4,0.4,UG/L,0.3,1",
                    ",AB123,2025-07-01,1051,15,15,UG/L,0.3,1", ",CD456,2025-07-01,1002,15,15,UG/L,0.3,1")),
    "mapped": ("Well,Taken,What,Found,In", ("W-1,2025-07-01,Arsenic,15,ug/L", "W-1,2025-07-01,Arsenic,2,ug/L",
                                            "W-2,2025-07-01,Arsenic,15,ug/L", "W-1,2025-07-01,Lead,15,ug/L")),
}  # fmt: skip
"""By kind of table, rows of which some repeat a station, substance and moment without a sample number."""

names = itertools.count()


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{tmp_path / 'headwater.db'}")
    yield engine
    engine.dispose()


def parsed(folder: Path, header: str, rows: list[str] | tuple[str, ...]) -> Reading:
    path = folder / "lab.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    if not header.startswith("Well,"):
        return read_file(path)
    (folder / "map.toml").write_text(MAP, "utf-8")
    return read_file(path, table_map=load_map(folder / "map.toml"))


def arsenic(amount: str, sample: str = "") -> str:
    return f"{sample},W-1,2025-07-01,Arsenic,Dissolved,{amount},ug/L,0.3,1"


def deliver(engine: Engine, folder: Path, *rows: str) -> Counts:
    """One file into the store, a minute after the one before."""
    found, number = parsed(folder, TALL, rows), next(names)
    with transaction(engine) as connection:
        source = record_source(connection, sha256=str(number), file="lab.csv", format="x", size=1, arrived_at=number)
        return insert(connection, found.observations, source_id=source, known_at=number * 60_000)


def of_source(source: str, rows: pd.DataFrame) -> Sequence[StoredRow]:
    ids = [f"{source}:{row}" for row in rows["row"]]
    return stored_rows(rows.assign(day=date(2025, 7, 1), row_id=ids, format="lab-table"))


def standing(engine: Engine) -> list[str]:
    with transaction(engine) as connection:
        return sorted(read_store(connection)["value_text"])


@pytest.mark.parametrize("kind", TABLES)
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_the_order_of_the_rows_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    header, rows = TABLES[kind]
    folder = tmp_path_factory.mktemp(kind)
    told = [parsed(folder, header, list(order)) for order in (rows, data.draw(st.permutations(rows)))]
    one, other = ({tuple(row) for row in each.observations.drop(columns="row").astype("str").values} for each in told)
    assert one == other
    assert told[0].rejects == ()


def test_no_two_results_are_one_series_and_moment(tmp_path: Path) -> None:
    """Of the eight rows of the tall table the lead that stands twice, to the letter, is one."""
    rows = parsed(tmp_path, *TABLES["tall"]).observations
    assert len(rows.drop_duplicates(["station", "parameter", "series", "time_ms", "clock"])) == 7
    assert sorted(rows["series"][(rows["station"] == "W-1") & (rows["parameter"] == "arsenic")]) == [
        "dissolved", "dissolved:L1", "dissolved:repeat 1", "dissolved:repeat 2", "dissolved:repeat 3",
    ]  # fmt: skip


def test_a_row_above_adds_itself_alone(lite: Engine, tmp_path: Path) -> None:
    deliver(lite, tmp_path, arsenic("15"))
    again = deliver(lite, tmp_path, ",MW-1,2025-07-01,Zinc,Dissolved,15,ug/L,0.3,1", arsenic("15"))
    assert (again.accepted, again.duplicate, again.revised) == (1, 1, 0)


def test_another_amount_corrects(lite: Engine, tmp_path: Path) -> None:
    deliver(lite, tmp_path, arsenic("15"))
    counts = deliver(lite, tmp_path, arsenic("0.4"))
    assert (counts.accepted, counts.revised, standing(lite)) == (0, 1, ["0.4"])


def test_repeats_delivered_again_in_another_order_are_the_same(lite: Engine, tmp_path: Path) -> None:
    deliver(lite, tmp_path, arsenic("15"), arsenic("2"))
    again = deliver(lite, tmp_path, arsenic("2"), arsenic("15"))
    assert (again.accepted, again.duplicate, again.revised) == (0, 2, 0)
    assert standing(lite) == ["15", "2"]


@pytest.mark.parametrize("corrected", ["20", "9", "0.4"])
def test_of_repeats_of_which_one_is_corrected_the_last_delivered_stand(
    lite: Engine, tmp_path: Path, corrected: str
) -> None:
    deliver(lite, tmp_path, arsenic("15"), arsenic("2"))
    deliver(lite, tmp_path, arsenic(corrected), arsenic("2"))
    assert standing(lite) == sorted([corrected, "2"])


@pytest.mark.parametrize(("alone", "left"), [("15", ["15", "15", "2"]), ("0.4", ["0.4", "15", "2"])])
def test_one_result_after_two_takes_the_place_of_neither(
    lite: Engine, tmp_path: Path, alone: str, left: list[str]
) -> None:
    """Nobody can tell which of the two it corrects, or whether it is a third: no exceedance goes without a word."""
    deliver(lite, tmp_path, arsenic("15"), arsenic("2"))
    deliver(lite, tmp_path, arsenic(alone))
    assert standing(lite) == left


def test_of_two_deliveries_the_same_unnumbered_amount_is_judged_once(tmp_path: Path) -> None:
    """The second file has the 15 of the first, and 0.4 beside it: two results of three rows."""
    first = parsed(tmp_path, TALL, [arsenic("15")]).observations
    second = parsed(tmp_path, TALL, [arsenic("0.4"), arsenic("15")]).observations
    rows = [*of_source("a", first), *of_source("b", second)]
    judged, aside = taken(plain_terms(law_of("nr140")), rows)
    assert sorted(one.row.value_text for one in judged) == ["0.4", "15"]
    assert ["judged once" in one.reason for one in aside] == [True]


def test_what_nobody_can_tell_apart_is_said(tmp_path: Path) -> None:
    said = " ".join(table_notes(parsed(tmp_path, TALL, [arsenic("15"), arsenic("2"), arsenic("7", "L1")]).facts))
    assert "none with a sample number" in said
    assert "W-1 arsenic 2025-07-01" in said
    assert not list(table_notes(parsed(tmp_path, TALL, [arsenic("15"), arsenic("15"), arsenic("7", "L1")]).facts))


def test_a_moment_is_shown_as_no_samples_number(tmp_path: Path) -> None:
    rows = parsed(tmp_path, TALL, [arsenic("15"), ",W-1,2025-07-01,Lead,Dissolved,9,ug/L,1,3", arsenic("7", "L1")])
    told, _ = verdict_rows(plain_terms(law_of("nr140")), pd.DataFrame(of_source("a", rows.observations)))
    assert {(one["substance"], one["sample"]) for one in told} == {("arsenic", ""), ("lead", ""), ("arsenic", "L1")}
