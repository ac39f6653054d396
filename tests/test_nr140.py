"""NR 140.14 on single results: the situations of the printed table, and properties no reading may break."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.nr140.decision import Support, clause_verdict, compare
from models.nr140.result import Result, read_result
from models.observation import Flags
from models.standards import Standard, standards_for
from models.verdict import VERDICT_OF
from tests.record_in_memory import rule
from tests.situations import situations

IDENTIFIED = rule("howard.nr140.identified")


def printed(text: str) -> Standard:
    """The standard a situation names, which must be the one in the law file."""
    substance, kind, value, unit = text.split(" ", 3)
    found = [one for one in standards_for("nr140", substance) if one.kind == kind and one.table == "1"]
    assert [(one.value, one.unit) for one in found] == [(Decimal(value), unit)]
    return found[0]


def reported(situation: dict[str, Any], standard: Standard) -> Result:
    """The result as a reader stores it."""
    text = situation["reported"]
    mark = {"<": ("<",), ">": (">",)}.get(text[:1], ("ND",) if text == "ND" else ())
    marks = tuple(situation.get("qualifiers", ())) + mark
    facts = {name: situation.get(name, "") for name in ("lod", "loq")}
    facts |= {"limit": text[1:], "limit_is": situation["v_is"]} if text[:1] == "<" else {}
    flags = Flags.parse(Flags(qualifiers=marks, facts=facts).text())
    result = read_result(text, situation.get("unit", standard.unit), flags)
    assert result is not None
    return result


@pytest.mark.parametrize("situation", situations("nr140.toml"))
def test_situation(situation: dict[str, Any]) -> None:
    standard = printed(situation["standard"])
    result = reported(situation, standard)
    compared = compare(result, standard, Support(**dict.fromkeys(situation.get("confirmed", ()), True)))
    verdict, reading = clause_verdict(IDENTIFIED, compared.status, result, standard)
    assert (compared.status, verdict) == (situation["nr140_status"], situation["verdict"])
    assert compared.paragraph == situation.get("paragraph", compared.paragraph)
    assert compared.proves_nothing is situation.get("proves_nothing", compared.proves_nothing)
    assert situation.get("reason_has", "") in f"{compared.reason}; {reading}"


def test_a_reason_never_states_a_limit_the_laboratory_did_not_give() -> None:
    """No LOD was reported, so nothing may be said of where it lies."""
    compared = compare(Result(None, "ug/L"), printed("arsenic PAL 1 ug/L"))
    assert "above the standard" not in compared.reason


def test_a_row_with_neither_number_nor_non_detect_is_no_result() -> None:
    assert read_result("", "ug/L", Flags()) is None
    assert read_result("NaN", "ug/L", Flags()) is None


NUMBERS = st.decimals(min_value=Decimal("0.001"), max_value=100, places=3)
ARSENIC_ES = printed("arsenic ES 10 ug/L")


@given(x=NUMBERS, lod=st.none() | NUMBERS, loq=st.none() | NUMBERS)
def test_nothing_below_the_standard_is_ever_attained(x: Decimal, lod: Decimal | None, loq: Decimal | None) -> None:
    if lod is not None and loq is not None:
        lod, loq = sorted((lod, loq))
    compared = compare(Result(x, "ug/L", lod, loq), ARSENIC_ES)
    if x < 10:
        assert compared.status == "not_attained"
    elif loq is not None and x >= loq:
        assert compared.status == "attained"
    else:
        assert compared.status in {"needs_confirmation", "below_loq", "not_attained"}


@given(x=NUMBERS, lod=NUMBERS, loq=NUMBERS)
def test_the_unit_of_the_report_changes_nothing(x: Decimal, lod: Decimal, loq: Decimal) -> None:
    """ng/L and mg/L are exact powers of ten of ug/L, so both answers must agree to the paragraph."""
    there = compare(Result(x, "ug/L", lod, loq), ARSENIC_ES)
    for unit, scale in (("mg/L", Decimal("0.001")), ("ng/L", Decimal(1000))):
        scaled = Result(x * scale, unit, lod * scale, loq * scale)
        assert compare(scaled, ARSENIC_ES) == there


@given(lod=st.none() | NUMBERS, loq=st.none() | NUMBERS)
def test_a_true_non_detect_is_never_attained(lod: Decimal | None, loq: Decimal | None) -> None:
    assert compare(Result(None, "ug/L", lod, loq), ARSENIC_ES).status == "not_attained"


def test_a_clause_that_says_attain_or_exceed_counts_equality() -> None:
    """The other reading: with the set's own words, x = S is attained."""
    at_least = IDENTIFIED.model_copy(update={"exceeded": "ge"})
    result = Result(Decimal(10), "ug/L", Decimal("0.3"), Decimal(1))
    assert clause_verdict(at_least, compare(result, ARSENIC_ES).status, result, ARSENIC_ES)[0] == "attained"


def test_every_status_has_its_verdict() -> None:
    assert VERDICT_OF["below_loq"] == "not_attained"
    assert VERDICT_OF["indeterminate"] == "indeterminate"
    assert VERDICT_OF["needs_confirmation"] == "needs_confirmation"
