"""What nobody has approved yet is provisional, in whichever word its source says so."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from ingest.formats import read
from ingest.usgs_codes import said
from models.streamflow.annotation import JudgedDay, is_provisional
from models.streamflow.day_states import DailyFlow, DayState


@pytest.mark.parametrize(
    ("approval", "qualifiers", "provisional"),
    [
        ("P", (), True), ("A", ("e",), False), ("", ("e",), False), ("", ("Working",), True),
        ("", ("In review", "ICE"), True), ("", ("Preliminary",), True),
    ],
)  # fmt: skip
def test_a_spell_below_waits_for_approval(approval: str, qualifiers: tuple[str, ...], provisional: bool) -> None:
    flow = DailyFlow(date(2025, 7, 1), Decimal("4.80"), approval=approval, qualifiers=qualifiers)
    assert is_provisional([JudgedDay(flow, Decimal("5.00"), DayState.BELOW)]) is provisional


@pytest.mark.parametrize(
    ("words", "status", "flags"),
    [
        ((), "Working", "P:Working"), (("ICE",), "In review", "P:In review,ICE"), ((), "Approved", "A"),
        (("Working",), "", "P:Working"), (("e",), "", ":e"),
    ],
)  # fmt: skip
def test_a_service_s_status_word(words: tuple[str, ...], status: str, flags: str) -> None:
    assert said(words, status).text() == flags


@pytest.mark.parametrize(("word", "flags"), [("Approved", "A"), ("p", "P"), ("Working", "P:Working"), ("", "")])
def test_an_approval_column_loses_no_word(tmp_path: Path, word: str, flags: str) -> None:
    path = tmp_path / "a.csv"
    text = f"site_no,datetime_utc,discharge_ft3s,approval_status\n1,2024-01-05T00:00:00Z,100,{word}\n"
    path.write_text(text, "utf-8")
    assert read(path).observations["flags"].tolist() == [flags]
