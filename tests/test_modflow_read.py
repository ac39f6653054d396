"""Tables as mf6 writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.modflow.read import _table


def test_an_exponent_of_three_digits_without_its_letter_is_a_number(tmp_path: Path) -> None:
    (tmp_path / "observed.csv").write_text("time,H\n1.0,-0.198364834816-101\n2.0,0.25E-002\n3.0,12.5\n")
    assert _table(tmp_path / "observed.csv", 3)["H"].tolist() == [-0.198364834816e-101, 0.0025, 12.5]


def test_a_cut_table_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "budget.csv").write_text("time,TOTAL_IN\n1.0,2.0\n")
    with pytest.raises(ValueError, match="1 of 3 rows"):
        _table(tmp_path / "budget.csv", 3)
