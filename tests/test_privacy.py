"""What of a household a free text gives away, in the spellings people use."""

from __future__ import annotations

import unicodedata
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models.household import Household, Households, PrivatePosition
from models.privacy import private_fields, private_part

HOMES = Households(
    household=(
        Household(
            property="R-1", owner="Anna Maria van der Berg", phone="715-555-0101", address="N100 County Road M, Howard"
        ),
        Household(property="R-2", owner="Example Owner Two", occupant="Bo Ek"),
        Household(property="R-3", owner="Mary and John Sample", phone="(715) 555-0103 / 715-555-0199 ext. 4"),
        Household(property="R-4", owner="Müller, Jürgen & Ann-Marie O’Neill", address="2345 10th Street, Apt 2"),
        Household(property="R-6", owner="Ruth ＆ Peter Novak", occupant="B"),
        Household(property="R-5", owner="Rye Family Trust; Robert Q. Quill Jr.", address="P.O. Box 12, Howard"),
    ),
    well=(PrivatePosition(well="PVT-1", position=(158620.0, 164050.0), position_accuracy_ft=Decimal(10)),),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("told Anna Maria van der Berg", "name"),
        ("van der Berg, Anna Maria", "name"),
        ("Ms. van der Berg called", "name"),
        ("anna berg", "name"),
        ("Maria van der Berg", "name"),
        ("EXAMPLE OWNER TWO", "name"),
        ("Owner Two, example", "name"),
        ("Mr Ek", "name"),
        ("John Sample told us", "name"),
        ("Sample, John", "name"),
        ("John A. Sample", "name"),
        ("John Adam Sample", "name"),
        ("john adam sample called", "name"),
        ("J. Sample called", "name"),
        ("the Sample family", "name"),
        ("the Samples called", "name"),
        ("Mary_Sample.pdf", "name"),
        ("MarySample", "name"),
        ("Jurgen Mueller", "name"),
        ("Juergen Müller", "name"),
        ("Jürgen\u200bMüller", "name"),
        ("Jür\u00adgen Müller", "name"),
        ("Ann Marie O'Neill", "name"),
        ("Ann-Marie ONeill", "name"),
        ("Mr. Rye", "name"),
        ("Ruth Novak", "name"),
        ("the Rye Family Trust", "name"),
        ("Robert Quill", "name"),
        ("Robert Quincy Quill", "name"),
        ("call 715 555 0101", "phone"),
        ("555-0101", "phone"),
        ("1-715-555-0199", "phone"),
        ("715/555/0103", "phone"),
        ("call７１５ 555 01 03", "phone"),
        ("at N100 County Road M", "address"),
        ("at 100N Cty Rd M", "address"),
        ("N 100 county rd. m", "address"),
        ("100 CTH-M", "address"),
        ("2345 Tenth St", "address"),
        ("PO Box 12", "address"),
        ("PVT-1 stands at 158620.0, 164050.0", "position"),
        ("x 158620 y 164050", "position"),
        ("158,620 / 164,050", "position"),
        ("158 620, 164 050", "position"),
        ("E158620N164050", "position"),
        ("1.5862e5, 164049.8", "position"),
        ("48347.5 m east, 50002.5 m north", "position"),
    ],
)
def test_what_names_a_household_is_seen(text: str, found: str) -> None:
    assert private_part(text, HOMES) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "the owner called twice", "County Road M is closed", "bond 17 of 2025-08-11", "158620.0 ft of pipe",
        "well PVT-1 of R-1", "Anna came", "resolution 715-2025", "Mary came with John", "a sample was taken",
        "John took the water sample", "The samples of 2025-08-11, 12 and 13", "a family of four", "Apt 2",
        "rye was sown", "plan B", "10th of August 2025 at 23:45", "invoice 2025-0101 of 555.00", "164,050 gallons",
    ],
)  # fmt: skip
def test_what_names_nobody_is_let_through(text: str) -> None:
    assert private_part(text, HOMES) is None


def test_no_household_no_secret() -> None:
    assert private_part("Anna van der Berg", Households()) is None


def test_each_field_that_is_given_away_is_said() -> None:
    text = "Bo Ek and Anna van der Berg, 555-0101, N100 County Road M, at 158620 164050"
    assert private_fields(text, HOMES) == {"owner", "occupant", "phone", "address", "position"}


def test_small_coordinates_of_a_local_grid_count_only_side_by_side() -> None:
    grid = Households(well=(PrivatePosition(well="PVT-1", position=(-400.0, 380.0)),))
    assert private_part("the well at -400 / 380", grid) == "position"
    assert private_part(f"400 gallons were delivered{' and nothing else' * 5}, 380 were used", grid) is None


# Names, phones and places made up and then written in another way ----------------------------------------------------

GIVEN = st.sampled_from(["Ottilie", "Zacharias", "Jürgen", "Ann-Marie", "Björn", "Dörte", "Renée", "Łucja", "D'Arcy"])
LAST = st.sampled_from(["Quillfeather", "van der Berg", "O’Neill", "Müller", "St. Clair", "Żak", "MacTavish", "Søholm"])
MIDDLE = st.sampled_from(["", "Q.", "Xaver", "A. B."])
AROUND = st.sampled_from(["", "told ", "the well of ", "2025-08-11: ", "("])
DISGUISE = st.sampled_from([
    str, str.upper, str.lower, lambda one: unicodedata.normalize("NFD", one), lambda one: one.replace(" ", "  "),
    lambda one: one.replace(" ", "_"), lambda one: one.replace(" ", "\u00a0"), lambda one: one.replace("’", "'"),
    lambda one: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in one),
    lambda one: "\u200b".join(one), lambda one: f"{one}’s",
])  # fmt: skip


@st.composite
def joint_owners(draw: st.DrawFn) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A field of ``households.toml`` and the persons in it, first and last name each."""
    first, second = draw(GIVEN), draw(GIVEN)
    last, other = draw(LAST), draw(LAST)
    shared = ((first, last), (second, last))
    apart = ((first, last), (second, other))
    forms: list[tuple[str, tuple[tuple[str, str], ...]]] = [
        (f"{first} {last}", shared[:1]), (f"{last}, {first}", shared[:1]), (f"Mr. {first} {last} Jr.", shared[:1]),
        (f"{first} and {second} {last}", shared), (f"{first} & {second} {last}", shared),
        (f"{last}, {first} and {second}", shared), (f"{first} {last} and {second} {other}", apart),
        (f"{first} {last}; {second} {other}", apart), (f"{first} {last} / {second} {other}", apart),
        (f"{first} Q. {last}, {second} {other}", apart),
    ]  # fmt: skip
    return draw(st.sampled_from(forms))


@given(joint_owners(), MIDDLE, st.booleans(), AROUND, DISGUISE, st.data())
def test_each_of_several_owners_is_seen_in_any_writing(
    owners: tuple[str, tuple[tuple[str, str], ...]], middle: str, turned: bool, around: str, disguise: object,
    data: st.DataObject,
) -> None:  # fmt: skip
    field, persons = owners
    first, last = data.draw(st.sampled_from(persons))
    given_names = f"{first} {middle}".strip()
    name = f"{last}, {given_names}" if turned else f"{given_names} {last}"
    text = f"{around}{disguise(name)}" if callable(disguise) else name
    assert private_part(text, Households(household=(Household(property="R-1", owner=field),))) == "name"


DIGITS = st.text("0123456789", min_size=4, max_size=4)
LOCAL = st.tuples(st.sampled_from(["555", "726", "834"]), DIGITS)
AREA = st.sampled_from(["715", "534", "920"])
SEP = st.sampled_from(["-", " ", ".", "/", "", " - ", "\u2011", ")("])


@given(AREA, st.lists(LOCAL, min_size=1, max_size=3), SEP, SEP, st.sampled_from(["", "1-", "+1 ", "001"]), st.data())
@example("715", [("555", "0103"), ("555", "0199")], "-", "-", "1-", None)
def test_each_of_several_phones_is_seen_in_any_writing(
    area: str, numbers: list[tuple[str, str]], sep: str, other: str, before: str, data: st.DataObject | None
) -> None:
    joint = " or " if data is None else data.draw(st.sampled_from([" / ", "; ", ", ", " or ", "\n", " (home), "]))
    field = joint.join(f"{area}-{one}-{two}" for one, two in numbers)
    homes = Households(household=(Household(property="R-1", owner="Z Q", phone=field),))
    for one, two in numbers:
        assert private_part(f"call {before}{area}{sep}{one}{other}{two} at noon", homes) == "phone"
        assert private_part(f"call {one}{other}{two}", homes) == "phone"


@given(st.integers(100_000, 999_999), st.integers(100_000, 999_999), st.sampled_from(["{:,}", "{}", "{}.0", "{:.6e}"]),
       st.sampled_from([" / ", ", ", "N", " and north "]))  # fmt: skip
def test_a_position_is_seen_in_any_writing(east: int, north: int, form: str, between: str) -> None:
    homes = Households(well=(PrivatePosition(well="PVT-1", position=(float(east), float(north))),))
    text = f"at {form.format(east)}{between}{form.format(north)}"
    assert private_part(text, homes) == "position"
    assert private_part(f"at {form.format(east)}", homes) is None or abs(east - north) <= 2


PROSE = """
the well pump tank was dry since Monday August 12 2025 at 9:15 4.82 cfs R-1 PVT-1 county road lane town clerk called
again by certified mail 9407-1 bond 17 sample taken A B. invoice 3,650.00 dollars
"""
WORDS = st.lists(st.sampled_from(PROSE.split()), max_size=25)


@given(WORDS)
def test_what_a_clerk_writes_of_a_case_is_let_through(words: list[str]) -> None:
    assert private_part(" ".join(words), HOMES) is None
