"""``households.toml``: a fault of it is told without repeating it, and one property is cut out of it cleanly."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadSite
from models.household import Household, Households, check_households, read_households
from models.site import Site
from models.toml_file import read_noun
from pipelines import household_file
from sample_data.demo import SAMPLE

SECRET = ("Zaphod", "Secretname", "5550101", "158620", "Secretroad", "45.123", "1e99", "Ford")
FAULTY = [
    ('[[household]]\nproperty = "R-1"\nowner = ["Zaphod Secretname", "Ford"]\n', "household[1].owner"),
    ('[[household]]\nproperty = "R-1"\nowner = "Zaphod Secretname"\nphone = 7155550101\n', "household[1].phone"),
    ('[[household]]\nproperty = "R-1"\nowner = "Zaphod Secretname\n', "row 3"),
    ('[[household]]\nproperty = "R-1"\nowner = "Z"\nZaphod Secretname = 3\n', "row 4"),
    ('[[household]]\nproperty = "R-1"\nowner = "Z"\nZaphod_Secretname = 3\n', "household[1]: unknown key"),
    ('[[household]]\nproperty = "R-1"\nowner = "Z"\n[[household]]\nproperty = "Zaphod Secretname"\nowner = "Z"\n',
     "household[2].property"),
    ('[[household]]\nowner = "Zaphod Secretname"\n', "household[1].property"),
    ('[[well]]\nwell = "PVT-1"\nposition = [158620.0, "N100 Secretroad"]\n', "well[1].position[2]"),
    ('[[well]]\nwell = "PVT-1"\nposition = "45.123 N 91.77 W"\n', "well[1].position"),
    ('[[well]]\nwell = "PVT-1"\nposition = [1e99, 164050.0]\n', "well[1].position[1]"),
    ('[[well]]\nwell = "PVT-1"\nposition = [9.0, 1]\nposition_accuracy_ft = "Secretname"\n', "accuracy_ft"),
    ("[[Secretname]]\nx = 1\n", "unknown key"),
    ("[Zaphod]\n[Zaphod]\n", "row 2"),
    ('household = "Zaphod Secretname"\n', "household"),
    ('[[household]]\nproperty = "R-1"\nowner = "Zaphod Secretname"\nowner = "Zaphod Two"\n', "row 4"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "where"), FAULTY)
def test_a_fault_is_told_by_its_place_and_never_by_what_was_found(text: str, where: str) -> None:
    with pytest.raises(BadSite) as caught:
        read_households(text)
    assert where in str(caught.value)
    assert "households.toml" in str(caught.value)
    assert not [one for one in SECRET if one in str(caught.value)]
    assert caught.value.found is None


VALUES = st.one_of(st.text(min_size=1), st.integers(), st.floats(), st.lists(st.text(min_size=1), max_size=2))


@given(st.dictionaries(st.sampled_from(["property", "owner", "phone", "address", "Zed"]), VALUES), VALUES)
def test_no_value_of_any_kind_comes_back(table: dict[str, object], position: object) -> None:
    data = {"household": [table], "well": [{"well": "PVT-1", "position": position}]}
    said = refusal(data)
    told = [one for one in (*table.values(), position) if isinstance(one, str) and len(one) > 4]
    assert not [one for one in told if one in said]


def refusal(data: Mapping[str, object]) -> str:
    """Why the file is refused, "" where it is not."""
    try:
        Households.model_validate(data)
    except BadSite as caught:
        return str(caught)
    return ""


def test_the_noun_itself_is_silent_however_it_is_read() -> None:
    with pytest.raises(BadSite) as caught:
        read_noun(Households, FAULTY[1][0], file="households.toml", error=BadSite)
    assert not [one for one in SECRET if one in str(caught.value)]


@pytest.mark.parametrize(
    ("homes", "where"),
    [
        ({"household": [{"property": "Zaphod", "owner": "Z"}]}, "household[1].property"),
        ({"well": [{"well": "Secretname", "position": (1.0, 2.0)}]}, "well[1].well"),
    ],
)
def test_what_the_site_does_not_know_is_not_repeated(homes: dict[str, object], where: str) -> None:
    site = read_noun(Site, (SAMPLE / "site.toml").read_text(encoding="utf-8"), file="site.toml", error=BadSite)
    with pytest.raises(BadSite) as caught:
        check_households(Households.model_validate(homes), site)
    assert where in str(caught.value)
    assert not [one for one in SECRET if one in str(caught.value)]


# One property out of it ----------------------------------------------------------------------------------------------

TEXT = """\
# Private
[[household]]
property = "R-1"
owner = "Example Owner One"

# R-2: Zed Example, his wife Ann works nights, call 715-555-0199
[[household]]
property = "R-2"
owner = "Zed Example"
phone = "715-555-0102"
# next: R-3 is Mr. Third

# Zed Example pays by cheque
# R-2 was asked in May
[[household]]
property = "R-3"  # a corner lot
owner = "Third Example"
hold = "claim of 2016"
"""
LEFT = """\
# Private
[[household]]
property = "R-1"
owner = "Example Owner One"

[[household]]
property = "R-3"  # a corner lot
owner = "Third Example"
hold = "claim of 2016"
"""


def test_its_comments_go_with_it_and_those_of_others_stay() -> None:
    left = household_file.without(TEXT.replace("# next: R-3", "\n# next: R-3"), "R-2", frozenset())
    assert left == LEFT.replace('\n[[household]]\nproperty = "R-3"', '\n[[household]]\nproperty = "R-3"')
    other = household_file.without(TEXT, "R-1", frozenset())
    assert other == "# Private\n" + TEXT[TEXT.index("# R-2") :]


def test_a_comment_about_the_next_table_stays_with_it() -> None:
    text = TEXT.replace("# Zed Example pays by cheque\n# R-2 was asked in May\n", "# the corner lot\n")
    assert "# the corner lot\n[[household]]" in household_file.without(text, "R-2", frozenset())
    assert "# next: R-3 is Mr. Third\n" in household_file.without(text, "R-1", frozenset())


def test_an_owner_of_two_properties_stays_on_file_with_the_other() -> None:
    text = TEXT.replace("Third Example", "Zed Example")
    left = household_file.without(text, "R-2", frozenset())
    assert [one.owner for one in read_households(left).household] == ["Example Owner One", "Zed Example"]


def test_what_stands_beside_another_table_is_cut_out_by_hand() -> None:
    text = TEXT.replace("a corner lot", "as Zed Example says")
    with pytest.raises(BadSite, match="by hand") as caught:
        household_file.without(text, "R-2", frozenset())
    assert "Zed" not in str(caught.value)
    assert caught.value.row


def folder_with(tmp_path: Path, text: str = TEXT) -> Path:
    path = tmp_path / "site" / "households.toml"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def test_a_link_is_followed_and_the_file_behind_it_is_what_forgets(tmp_path: Path) -> None:
    real = tmp_path / "private.toml"
    real.write_text(TEXT, encoding="utf-8")
    real.chmod(0o600)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "households.toml").symlink_to(real)
    assert household_file.forget(tmp_path / "site", "R-2", frozenset())
    assert (tmp_path / "site" / "households.toml").is_symlink()
    assert "Zed" not in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_second_name_of_the_file_is_no_hiding_place(tmp_path: Path) -> None:
    path = folder_with(tmp_path)
    os.link(path, tmp_path / "copy.toml")
    with pytest.raises(BadSite, match="second name"):
        household_file.forget(path.parent, "R-2", frozenset())


def test_nothing_of_a_property_nothing_to_forget(tmp_path: Path) -> None:
    path = folder_with(tmp_path)
    assert not household_file.forget(path.parent, "R-9", frozenset())
    assert not household_file.forget(tmp_path, "R-2", frozenset())
    assert path.read_text(encoding="utf-8") == TEXT


OWNERS = ["Ottilie Quill", "Bo Ek", "Zacharias van der Berg"]
NOTES = st.lists(st.sampled_from(["# near the creek", "# Bo Ek called", "# about A", "", "# 715-555-0102"]), max_size=3)


@given(
    st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from(OWNERS), NOTES, NOTES), max_size=5),
    st.sampled_from("ABC"),
)
def test_forgotten_is_forgotten_and_the_others_are_whole(
    homes: list[tuple[str, str, list[str], list[str]]], gone: str
) -> None:
    blocks = [
        "\n".join([*above, "[[household]]", f'property = "{id}"', f'owner = "{owner}"', *below])
        for id, owner, above, below in homes
    ]
    text = "\n".join(["# head", "", *blocks, ""])
    left = household_file.without(text, gone, frozenset())
    stay = [Household(property=id, owner=owner) for id, owner, _, _ in homes if id != gone]
    assert list(read_households(left).household) == stay
    lost = {owner for id, owner, _, _ in homes if id == gone} - {one.owner for one in stay}
    assert not [owner for owner in lost if owner in left]
