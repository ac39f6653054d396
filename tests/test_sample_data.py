"""The committed sample record: reproducible, in balance, private, and telling the story that was planted."""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from models.errors import BadSite
from models.household import Households
from models.site import Site
from models.toml_file import read_noun

HOME = Path(__file__).parent.parent / "sample_data"
GENERATED = sorted(
    [HOME / name for name in ("site.toml", "policy.toml", "households.toml", "events.csv")]
    + [path for folder in ("baseline", "nights", "truth") for path in (HOME / folder).rglob("*") if path.is_file()]
)
CREEK = "usgs-05999101"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def site() -> Site:
    return read_noun(Site, (HOME / "site.toml").read_text(encoding="utf-8"), file="site.toml", error=BadSite)


@pytest.fixture(scope="module")
def households() -> Households:
    text = (HOME / "households.toml").read_text(encoding="utf-8")
    return read_noun(Households, text, file="households.toml", error=BadSite)


@pytest.fixture(scope="module")
def expected() -> dict[str, list[dict[str, object]]]:
    return tomllib.loads((HOME / "truth" / "expected.toml").read_text(encoding="utf-8"))


def test_a_fresh_run_writes_the_same_bytes() -> None:
    done = subprocess.run([sys.executable, HOME / "generate.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_record_stays_small() -> None:
    assert sum(path.stat().st_size for path in GENERATED) < 8_000_000


def test_the_site_and_its_base_flow(site: Site) -> None:
    signed = site.stream[0].base_flow[0]
    assert signed.value_cfs == Decimal("5.07")
    assert signed.signed_on < site.permit.mining_began
    assert signed.extended_from in {gauge.id for gauge in site.gauge if gauge.role == "reference"}
    assert {well.id for well in site.wells("private")} == {"PVT-1", "PVT-2", "PVT-3"}


def test_every_station_that_delivers_is_known(site: Site) -> None:
    known = {name for one in site.stations() for name in (one.id, *one.identifiers)}
    named = {row["well"] for path in HOME.rglob("hand-levels-*.csv") for row in rows(path)}
    named |= {row["WI Unique Well #"] for path in HOME.rglob("grn-export-*.csv") for row in rows(path)}
    named |= {row["meter"] for path in HOME.rglob("totalizer-*.csv") for row in rows(path)}
    named |= {path.name.split("_")[0] for path in HOME.rglob("*.xle")}
    named |= {path.name.split("-")[1] for path in HOME.rglob("usgs-*.rdb")}
    assert named <= known


def test_flow_is_in_balance_every_day() -> None:
    days = rows(HOME / "truth" / "flow.csv")
    assert len(days) == 731
    for row in days:
        assert Decimal(row["natural_cfs"]) - Decimal(row["depletion_cfs"]) == Decimal(row["with_mine_cfs"])
    assert {Decimal(row["depletion_cfs"]) for row in days if row["day"] < "2025-03-15"} == {Decimal(0)}
    assert all(Decimal(row["depletion_cfs"]) > 0 for row in days if row["day"] > "2025-03-20")


def test_heads_are_in_balance() -> None:
    for row in rows(HOME / "truth" / "heads.csv"):
        assert Decimal(row["natural_ft"]) - Decimal(row["drawdown_ft"]) == Decimal(row["with_mine_ft"])


def test_the_stream_never_loses_more_than_was_pumped() -> None:
    pumped = sum(Decimal(row["cfs"]) for row in rows(HOME / "truth" / "pumping.csv"))
    lost = sum(Decimal(row["depletion_cfs"]) for row in rows(HOME / "truth" / "flow.csv"))
    assert Decimal("0.3") < lost / pumped < 1


def test_published_flow_is_the_true_flow_rounded() -> None:
    true = {row["day"]: Decimal(row["with_mine_cfs"]) for row in rows(HOME / "truth" / "flow.csv")}
    daily, _ = gauge(date(2025, 12, 31))
    for day, text in daily.items():
        if text not in {"Ice", "Eqp"}:
            assert abs(Decimal(text) - true[str(day)]) <= max(Decimal("0.011"), true[str(day)] / 100)


def test_meter_monthly_volumes_and_truth_agree() -> None:
    truth = {row["day"]: int(row["gallons"]) for row in rows(HOME / "truth" / "pumping.csv")}
    year = next(row for path in HOME.rglob("monthly-volumes-*.csv") for row in rows(path) if row["year"] == "2025")
    june = sum(gallons for day, gallons in truth.items() if day.startswith("2025-06"))
    assert int(year["Jun_wdrl_total_gallons"]) == june
    assert int(year["annual_wdrl_total_gallons"]) == sum(truth.values())
    meter = {row["read_date"]: int(row["reading"]) for path in HOME.rglob("totalizer-*.csv") for row in rows(path)}
    assert meter["2025-07-01"] - meter["2025-06-01"] == june
    ordered = [meter[day] for day in sorted(meter)]
    assert all(later >= earlier for earlier, later in pairwise(ordered))
    assert ordered[-1] - ordered[0] == sum(truth.values())


# The planted spells, read from the delivered files with nothing of the product or the generator.

E, A = ("2025-07-08", "BBBBBBB"), ("2025-07-22", "BBBBB")
C, B = ("2025-08-03", "BBBUBBB"), ("2025-08-20", "BBBBBBUB")
E_APPROVED = [("2025-07-08", "BBB"), ("2025-07-12", "BBB")]


@pytest.mark.parametrize(
    ("night", "planted"),
    [
        (date(2025, 6, 30), []),
        (date(2025, 7, 15), [E]),
        (date(2025, 7, 28), [E, A]),
        (date(2025, 8, 12), [E, A, C]),
        (date(2025, 8, 26), [E, A, C, ("2025-08-20", "BBBBBB")]),
        (date(2025, 9, 5), [E, A, C, B]),
        (date(2025, 9, 10), [*E_APPROVED, A, C, B]),
        (date(2025, 12, 31), [*E_APPROVED, A, C, B]),
    ],
)
def test_the_planted_spells_night_by_night(site: Site, night: date, planted: list[tuple[str, str]]) -> None:
    letters = states(night, site.stream[0].base_flow[0].value_cfs)
    assert [one for one in spells(letters) if one[0] >= "2025"] == planted


def test_weather_alone_made_one_trigger_in_the_baseline_year(site: Site) -> None:
    letters = states(date(2025, 6, 30), site.stream[0].base_flow[0].value_cfs)
    assert [one for one in spells(letters) if one[0] < "2025"] == [("2024-08-18", "BBBBBBB")]


def test_nothing_else_is_unknown(site: Site) -> None:
    letters = states(date(2025, 12, 31), site.stream[0].base_flow[0].value_cfs)
    unknown = [day for day, letter in letters.items() if letter == "U"]
    assert unknown == ["2025-01-21", "2025-01-22", "2025-01-23", "2025-08-06", "2025-08-26"]


def test_the_25_hour_day_has_100_values_and_no_published_mean() -> None:
    daily, unit = gauge(date(2025, 12, 31))
    day = date(2025, 11, 2)
    assert day not in daily
    assert len(unit[day]) == 100
    assert sum(unit[day].values()) / 100 > 6


def gauge(night: date) -> tuple[dict[date, str], dict[date, dict[tuple[str, str], Decimal]]]:
    """Daily texts and 15-minute values of the creek delivered up to a night; the later delivery wins."""
    daily: dict[date, str] = {}
    unit: dict[date, dict[tuple[str, str], Decimal]] = {}
    nights = [one for one in sorted((HOME / "nights").iterdir()) if one.name <= str(night)]
    for folder in [HOME / "baseline", *nights]:
        for path in sorted(folder.glob(f"{CREEK}-*.rdb"), key=lambda one: (one.name.endswith("approved.rdb"), one)):
            for cells in (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()):
                if cells[0] != "USGS":
                    continue
                if "-dv-" in path.name:
                    daily[date.fromisoformat(cells[2])] = cells[3]
                elif "x" not in cells[4]:
                    unit.setdefault(date.fromisoformat(cells[2][:10]), {})[cells[2], cells[3]] = Decimal(cells[4])
    return daily, unit


def states(night: date, base_flow: Decimal | None) -> dict[str, str]:
    assert base_flow is not None
    daily, unit = gauge(night)
    out: dict[str, str] = {}
    day = date(2024, 1, 1)
    while day < night:
        text = daily.get(day, "")
        values = list(unit.get(day, {}).values()) if not text else []
        value = Decimal(text) if text[:1].isdigit() else sum(values) / len(values) if values else None
        out[str(day)] = "U" if value is None else "B" if value < base_flow else "N"
        day += timedelta(days=1)
    return out


def spells(letters: dict[str, str]) -> list[tuple[str, str]]:
    """Runs between known days not below, trimmed to the days below."""
    found: list[tuple[str, str]] = []
    start, run = "", ""
    for day, letter in [*letters.items(), ("", "N")]:
        if letter == "N":
            found += [(start, run.rstrip("U"))] if "B" in run else []
            run = ""
        elif letter == "B" or run:
            start = start if run else day
            run += letter
    return found


def test_expected_flow_findings_match_the_record(expected: dict[str, list[dict[str, object]]]) -> None:
    plants = {one["plant"]: one for one in expected["finding"] if "plant" in one}
    assert set(plants) == set("abcde")
    for one in plants.values():
        assert one["possible"] == (one["end"] - one["start"]).days + 1  # type: ignore[operator]
        if "trigger_date" in one:
            assert one["trigger_date"] == one["start"] + timedelta(days=5)  # type: ignore[operator]


def test_only_planted_results_reach_a_standard_after_mining_began() -> None:
    lowest = {"1002": 1, "631": 2, "1055": 25, "940": 125, "945": 125, "1045": 0.15, "1051": 1.5}
    over = {
        (row["Sample Description"].split()[0], row["Storet Parameter Code"], row["Sample Analytical Result Amount"])
        for path in HOME.rglob("grn-export-*.csv")
        for row in rows(path)
        if row["Sample Analytical Result Amount"] != "ND"
        and float(row["Sample Analytical Result Amount"]) >= lowest[row["Storet Parameter Code"]]
    }
    assert over == {
        ("MW-2", "1002", "1.2"),
        ("MW-3", "1002", "10"),
        ("MW-4", "1055", "120"),
        ("PVT-2", "631", "3.1"),
        ("PVT-2", "631", "3.0"),
    }


def test_three_bad_rows_stand_in_good_files(expected: dict[str, list[dict[str, object]]]) -> None:
    for one in expected["reject"]:
        text = (HOME / "nights" / str(one["night"]) / str(one["file"])).read_text(encoding="utf-8")
        assert text.count(str(one["raw"])) == 1
    assert len(expected["reject"]) == 3


# Privacy: names and exact private positions stand in households.toml and nowhere else.


def test_no_household_and_no_exact_private_position_outside_households(site: Site, households: Households) -> None:
    secret = {
        text for one in households.household for text in (one.owner, one.occupant, one.phone, one.address) if text
    }
    positions = {w.well: w.position for w in households.well}
    assert set(positions) == {well.id for well in site.wells("private")}
    assert not set(positions.values()) & {well.position for well in site.well}
    secret |= {f"[{x:.1f}, {y:.1f}]" for x, y in positions.values()}
    for path in GENERATED:
        if path.name != "households.toml":
            text = path.read_text(encoding="utf-8")
            assert not [one for one in secret if one in text], path


def test_private_wells_lie_inside_their_quarter_quarter_and_their_parcel(site: Site, households: Households) -> None:
    parcels = {one.id: one.polygon for one in site.property}
    for exact in households.well:
        well = next(one for one in site.well if one.id == exact.well)
        assert all(abs(a - b) <= 660 for a, b in zip(exact.position, well.position, strict=True))
        corners = parcels[well.property or ""]
        for axis in (0, 1):
            assert min(c[axis] for c in corners) < exact.position[axis] < max(c[axis] for c in corners)


def test_every_mail_address_is_an_example() -> None:
    for path in GENERATED:
        if path.suffix in {".toml", ".csv"}:
            words = path.read_text(encoding="utf-8").split()
            assert not [word for word in words if "@" in word and ".example" not in word]
