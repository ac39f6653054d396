"""The counts of a delivery are its rows: accepted, revised, duplicate, rejected and set apart add up to the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.wqx import narrow as wqp_narrow
from pipelines.inbox import Receipt
from tests.test_revision import HEAD, Answer, answer, deliver, site
from tests.test_wqp import narrow

__all__ = ["answer", "site"]


def counted(receipt: Receipt) -> int:
    return receipt.accepted + receipt.rejected + receipt.duplicate + receipt.revised + receipt.set_apart


def test_repeats_inside_a_file_are_duplicates(site: Path) -> None:
    row = "G-1,2025-07-01,4.00,P"
    receipt = deliver(site, "a.csv", HEAD, row, row, row, "G-1,2025-07-02,4.00,P")
    assert (receipt.accepted, receipt.duplicate, counted(receipt)) == (2, 2, 4)


def test_a_reject_that_stands_for_many_counts_them(site: Path, answer: Answer) -> None:
    days = [f"G-9,2025-{month:02}-{day:02},4.00,P" for month in (1, 3, 5) for day in range(1, 32)]
    receipt = deliver(site, "a.csv", HEAD, *days, "G-1,2025-07-01,4.00,P", "G-1,2025-07-02,x,P")
    assert (receipt.accepted, receipt.rejected, counted(receipt)) == (1, 94, 95)
    assert ["93 rows left out" in one["reason"] for one in answer("rejects")].count(True) == 1


def test_two_values_of_one_instant_are_two_rejects(site: Path) -> None:
    receipt = deliver(site, "a.csv", HEAD, "G-1,2025-07-01,4.00,P", "G-1,2025-07-01,5.00,P", "G-1,2025-07-01,5.00,P")
    assert (receipt.rejected, receipt.duplicate, counted(receipt)) == (2, 1, 3)


def test_a_value_kept_out_is_counted_once(site: Path) -> None:
    deliver(site, "a.csv", HEAD, "G-1,2025-07-01,4.00,A")
    receipt = deliver(site, "b.csv", HEAD, "G-1,2025-07-01,9.00,P", "G-1,2025-07-02,9.00,P", on="2025-08-01T00:00")
    assert (receipt.accepted, receipt.duplicate, receipt.rejected) == (1, 0, 1)


def test_a_column_that_is_not_read_counts_its_values(site: Path) -> None:
    head = [
        "# U.S. Geological Survey",
        "agency_cd\tsite_no\tdatetime\t1_00060_00007\t1_00060_00007_cd",
        "5s\t15s\t20d\t14n\t10s",
    ]
    rows = [f"USGS\tG-1\t2025-07-0{day}\t4.0\tP" for day in range(1, 6)]
    receipt = deliver(site, "a.rdb", *head, *rows)
    assert (receipt.accepted, receipt.rejected) == (0, 5)


WATER: dict[str, Any] = {"station": "W-1", "value": "1", "unit": "ug/l"}


def test_what_is_set_apart_is_said_and_counted(site: Path) -> None:
    rows = [
        WATER,
        WATER | {"kind": "Quality Control Sample-Field Blank", "activity": "T-2"},
        WATER | {"kind": "Quality Control Sample-Field Replicate", "activity": "T-3"},
        WATER | {"media": "Sediment", "activity": "T-4"},
    ]
    text = narrow(*rows)
    assert wqp_narrow.sniff(text)
    receipt = deliver(site, "wqp.csv", *text.splitlines())
    assert (receipt.accepted, receipt.rejected, receipt.set_apart, counted(receipt)) == (2, 0, 2, 4)
    assert receipt.note == (
        "1 quality-control row and 1 sediment row set apart, not stored; 1 field duplicate kept, not judged"
    )


def test_a_file_of_sediment_alone_is_not_a_file_of_tables(site: Path) -> None:
    receipt = deliver(site, "wqp.csv", *narrow(WATER | {"media": "Sediment"}).splitlines())
    assert (receipt.note, receipt.set_apart) == ("1 sediment row set apart, not stored", 1)


def test_a_limit_that_cannot_be_read_leaves_its_result_and_is_told(site: Path) -> None:
    """The result is taken: it is no rejected row. The file is not whole all the same."""
    limit = ("Method Detection Level", "0.x", "ug/l")
    receipt = deliver(site, "wqp.csv", *narrow(WATER | {"limit": limit}).splitlines())
    assert (receipt.accepted, receipt.rejected, receipt.left_out, counted(receipt)) == (1, 0, True, 1)
    assert "0.x" in receipt.first_reject


@pytest.mark.parametrize("name", ["sites.rdb", "rating.rdb"])
def test_only_a_rating_can_be_named_in_site_toml(site: Path, name: str) -> None:
    lines = {
        "sites.rdb": ["agency_cd\tsite_no\tstation_nm\tsite_tp_cd\tdec_lat_va\tdec_long_va",
                      "5s\t15s\t50s\t7s\t16s\t16s", "USGS\t05990001\tMade up\tST\t44.9\t-91.5"],
        "rating.rdb": ['# //RATING ID="1.0"', "INDEP\tDEP\tSTOR", "16N\t16N\t1S", "1.00\t2.0\t*", "2.00\t9.0\t*"],
    }  # fmt: skip
    receipt = deliver(site, name, *lines[name])
    assert receipt.note.startswith("no observations: ")
    assert ("site.toml" in receipt.note) is (name == "rating.rdb")


CELLS = st.tuples(
    st.sampled_from(["G-1", "G-9", "W-1", ""]),
    st.sampled_from(["2025-07-01", "2025-07-02", "2025-13-01"]),
    st.sampled_from(["4.00", "5.00", "x", "", "-9999"]),
    st.sampled_from(["A", "P", "P Ice"]),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.lists(st.lists(CELLS, min_size=1, max_size=8), min_size=1, max_size=3))
def test_whatever_arrives_adds_up(site: Path, files: list[list[tuple[str, str, str, str]]]) -> None:
    for number, rows in enumerate(files):
        lines = [",".join(cells) for cells in rows]
        receipt = deliver(site, f"{number}.csv", f"# {number}", HEAD, *lines, on=f"2025-08-0{number + 1}T00:00")
        assert receipt.seen or receipt.error or counted(receipt) == len(rows)
