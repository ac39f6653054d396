"""A town's thresholds: who adopted them, when and by which resolution; a value that can be; what a night prints."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from models.errors import BadSite
from models.policy import Policy, default_policy, read_policy
from models.policy_range import BY_NAME, range_of
from pipelines import cli
from sample_data import demo
from tests.town import LOW, Town

ADOPTED = {"adopted_by": '"town board"', "adopted_on": "2025-09-02", "resolution": '"2025-14"'}


def table(name: str = "interim_supply_cost", value: str = "40", unit: str = "USD/d", **stated: str) -> str:
    lines = {"value": value, "unit": f'"{unit}"', "reason": '"the town\'s own"', **stated}
    return f"[{name}]\n" + "".join(f"{key} = {text}\n" for key, text in lines.items())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    demo.fresh_site(tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def said(site: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], tuple[int, str]]:
    """Exit code and output of `headwater funds` under a policy."""

    def run(text: str) -> tuple[int, str]:
        (site / "policy.toml").write_text(text, encoding="utf-8")
        code = cli.run(["funds", "--site", str(site)])
        told = capsys.readouterr()
        return code, told.out + told.err

    return run


def test_an_adoption_is_printed_with_body_day_and_resolution(said: Callable[[str], tuple[int, str]]) -> None:
    code, told = said(table(**ADOPTED))
    assert code == 0
    assert "40 USD/d (adopted by town board on 2025-09-02, resolution 2025-14)" in " ".join(told.split())


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"adopted_by": '"zorro"'}, "interim_supply_cost.adopted_by: no body of the town"),
        ({"adopted_by": '"Example Owner One"'}, "interim_supply_cost.adopted_by: no body of the town; allowed: clerk"),
        ({"resolution": '""'}, "interim_supply_cost.resolution: an adoption states adopted_by, adopted_on, resolution"),
        ({"resolution": '"none"'}, "interim_supply_cost.resolution: an adoption states"),
        ({"resolution": '"as Example Owner One asked"'}, "interim_supply_cost.resolution: holds a household's name"),
        ({"adopted_by": '""'}, "interim_supply_cost.adopted_by: an adoption states"),
    ],
)
def test_what_is_no_adoption(
    said: Callable[[str], tuple[int, str]], stated: dict[str, str], words: str
) -> None:  # fmt: skip
    code, told = said(table(**ADOPTED | stated))
    assert (code, words in told) == (2, True), told
    assert stated.get("adopted_by", "") != '"Example Owner One"' or "Owner One" not in told


@pytest.mark.parametrize("missing", ADOPTED)
def test_an_adoption_is_whole_or_none(missing: str) -> None:
    stated = {key: text for key, text in ADOPTED.items() if key != missing}
    with pytest.raises(BadSite, match=rf"interim_supply_cost\.{missing}: an adoption states"):
        read_policy(table(**stated), file="policy.toml")


@pytest.mark.parametrize("value", ["1e300", "1e999999", "10000.01", "-1", "nan", "inf"])
def test_a_price_beyond_any_supply_is_a_slip_of_the_pen(said: Callable[[str], tuple[int, str]], value: str) -> None:
    code, told = said(table(value=value))
    assert (code, "interim_supply_cost.value" in told) == (2, True), told


def test_what_is_adopted_later_is_not_adopted_yet(said: Callable[[str], tuple[int, str]]) -> None:
    code, told = said(table(**ADOPTED | {"adopted_on": "2099-01-01"}))
    assert (code, "40 USD/d (default, not adopted)" in " ".join(told.split())) == (0, True), told
    policy = read_policy(table(**ADOPTED), file="policy.toml")
    assert "interim_supply_cost" in policy.on(date(2025, 9, 1)).unadopted()
    assert "interim_supply_cost" not in policy.on(date(2025, 9, 2)).unadopted()
    assert policy.on(date(2025, 9, 1)).interim_supply_cost.value == Decimal(40)


def test_a_night_before_the_adoption_says_so_in_its_mail(tmp_path: Path) -> None:
    town = Town(tmp_path / "site")
    (town.folder / "policy.toml").write_text(table("level_drop", "0.5", "ft", **ADOPTED), encoding="utf-8")
    town.night("2025-08-01")
    for name, first, night, adopted in (
        ("a", "2025-08-02", "2025-08-12", False),
        ("b", "2025-08-12", "2025-09-02", True),
    ):
        town.daily(f"{name}.rdb", first, ["6.00", *[LOW] * 7])
        town.night(night)
        unadopted = town.mail("base flow").partition("not adopted")[2]
        assert ("level drop" not in unadopted, "level error" in unadopted) == (adopted, True), unadopted


@pytest.mark.parametrize("name", Policy.model_fields)
def test_every_threshold_has_a_range_and_its_default_lies_in_it(name: str) -> None:
    one = getattr(default_policy(), name)
    least, most = range_of(name, one.unit)
    assert least <= one.value <= most
    over = read_policy_of(name, most, one.unit)
    assert getattr(over, name).value == most
    for beyond in (most * 2 + 1, least - 1):
        with pytest.raises(BadSite, match=rf"{name}\.value: outside its range"):
            read_policy_of(name, beyond, one.unit)


def read_policy_of(name: str, value: Decimal, unit: str) -> Policy:
    return read_policy(table(name, f"{value:f}", unit), file="policy.toml")


def test_no_range_is_of_a_threshold_that_is_none() -> None:
    assert set(BY_NAME) <= set(Policy.model_fields)
