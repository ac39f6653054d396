"""A delivered file whose name names a household is taken under another name."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.errors import BadQuestion
from models.household import Household, Households
from pipelines.household_names import concealed, refuse_named

HOMES = Households(household=(Household(property="R-1", owner="Ottilie Quill", phone="715-555-0101"),))
NAMES = ("Ottilie Quill 715-555-0101.csv", "quill_ottilie.XLE", "log 7155550101.txt", "Quill, Ottilie")


def test_a_name_that_tells_is_replaced_and_the_content_and_its_ending_stay(tmp_path: Path) -> None:
    for number, name in enumerate(NAMES):
        (tmp_path / name).write_text(f"content {number}", encoding="utf-8")
    (tmp_path / "Ottilie Quill").mkdir()
    (tmp_path / "R-1 log.csv").write_text("mine", encoding="utf-8")
    lines = concealed(tmp_path, HOMES)
    there = sorted(one.name for one in tmp_path.iterdir())
    assert len(lines) == 5
    assert not [one for one in (*there, *lines) if "uill" in one.casefold() or "0101" in one]
    assert sorted(Path(one).suffix for one in there) == ["", "", ".csv", ".csv", ".txt", ".xle"]
    assert {one.read_text(encoding="utf-8") for one in tmp_path.iterdir() if one.is_file()} == {
        "mine", *(f"content {number}" for number in range(4)),
    }  # fmt: skip
    assert concealed(tmp_path, HOMES) == []


def test_the_same_content_gets_the_same_name(tmp_path: Path) -> None:
    made = []
    for name in NAMES[:2]:
        folder = tmp_path / name[:3]
        folder.mkdir()
        (folder / name.replace("XLE", "csv")).write_text("same", encoding="utf-8")
        concealed(folder, HOMES)
        made += [one.name for one in folder.iterdir()]
    assert made[0] == made[1]


def test_a_file_of_somebody_s_own_folder_is_refused_and_not_named(tmp_path: Path) -> None:
    with pytest.raises(BadQuestion, match="rename it") as caught:
        refuse_named(tmp_path / NAMES[0], HOMES)
    assert "uill" not in str(caught.value)
    refuse_named(tmp_path / "R-1 log.csv", HOMES)
