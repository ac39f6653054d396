"""`headwater depletion`: the reference table through the command line, superposition, recovery, and what it refuses."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.special import erfc

from pipelines import cli

ROWS = list(
    csv.DictReader((Path(__file__).parent / "data/reference_values.csv").read_text(encoding="utf-8").splitlines())
)
DAY = 86_400

Ask = Callable[..., Any]
P = dict[str, Any]


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]) -> Ask:
    """The JSON of ``headwater depletion`` with flags by name."""

    def run(model: str, **flags: object) -> Any:
        capfd.readouterr()
        code = cli.run(["depletion", "--model", model, *as_flags(flags), "--json"])
        out, err = capfd.readouterr()
        assert code == 0, err
        return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))

    return run


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The one line with which a question is refused."""

    def run(model: str, **flags: object) -> str:
        capfd.readouterr()
        code = cli.run(["depletion", "--model", model, *as_flags(flags)])
        out, err = capfd.readouterr()
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        return err

    return run


def as_flags(flags: P) -> list[str]:
    return [text for name, value in flags.items() for text in (f"--{name}", str(value))]


def common(p: P) -> P:
    """The table is in metres and seconds; a rate of 1 m3/d makes the answer the share."""
    units = {
        "T": "m2/s", "S": "", "d": "m", "t": "s", "lam": "m/s", "L": "m", "T1": "m2/s", "S1": "", "sigma": "",
    }  # fmt: skip
    return {"Q": "1 m3/d"} | {name: f"{p[name]!r} {unit}".strip() for name, unit in units.items() if name in p}


def aquitard(p: P) -> P:
    return common(p) | {"leakance": f"{p['Kp_over_Bp']!r} 1/s"}


def two_layers(p: P) -> P:
    return aquitard(p) | {"T": f"{p['T2']!r} m2/s", "S": repr(p["S2"])}


REFERENCE: dict[str, tuple[str, Callable[[P], P]]] = {
    "glover_fraction": ("glover", common), "hunt99_fraction": ("hunt", common),
    "hantush65_fraction": ("hantush1965", common), "hunt03_fraction": ("hunt2003", aquitard),
    "ward_lough_fraction": ("ward-lough", two_layers), "glover_volume_fraction": ("glover", common),
    "hunt99_volume_fraction": ("hunt", common),
}  # fmt: skip


def parameters(row: dict[str, str]) -> P:
    return dict(json.loads(row["params_json"]))


def asked(row: dict[str, str]) -> bool:
    """Rows in the range of the command: off the stream, to a million days, a bed of finite conductance."""
    p = parameters(row)
    in_range = 0 <= p.get("t", 1) <= 1e6 * DAY and p.get("d", 1) > 0 and 0 <= p.get("lam", 0) * DAY <= 1e9
    return row["solution"] in REFERENCE and in_range


@pytest.mark.parametrize("row", [row for row in ROWS if asked(row)], ids=lambda row: f"{row['id']}-{row['solution']}")
def test_reference_row(row: dict[str, str], ask: Ask) -> None:
    model, flags = REFERENCE[row["solution"]]
    found = ask(model, **flags(parameters(row)))
    value = found["volume_fraction"] if "volume" in row["solution"] else found["value"]
    assert (found["unit"], found["fraction"]) == ("m3/d", found["value"])
    assert value == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]) + 1e-15)


def test_most_of_the_table_is_asked() -> None:
    assert sum(map(asked, ROWS)) >= 38
    assert {row["solution"] for row in ROWS if asked(row)} == set(REFERENCE)


def after_stop(row: dict[str, str]) -> tuple[str, P]:
    p = parameters(row)
    stop = p["schedule"][-1][0]
    return row["solution"].split("_")[0].replace("hunt99", "hunt"), common(p) | {"pumped": f"{stop!r} s"}


RESIDUAL = [row for row in ROWS if row["solution"] in ("glover_residual", "hunt99_residual")]


@pytest.mark.parametrize("row", RESIDUAL, ids=lambda row: row["id"])
def test_residual_after_the_stop(row: dict[str, str], ask: Ask) -> None:
    model, flags = after_stop(row)
    found = ask(model, **flags)
    assert found["value"] == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]))


@pytest.mark.parametrize("row", [row for row in ROWS if row["solution"] == "glover_cyclic"], ids=lambda row: row["id"])
def test_ten_seasons_by_a_table_of_rates(row: dict[str, str], ask: Ask, tmp_path: Path) -> None:
    p = parameters(row)
    seasons = [(365 * k + p["on_day"], 365 * k + p["off_day"]) for k in range(p["years"])]
    lines = [f"{first},{last},1" for first, last in seasons]
    (tmp_path / "rates.csv").write_text("\n".join(["start_day,end_day,rate_m3/d", *lines]))
    flags = {name: value for name, value in common(p).items() if name != "Q"}
    found = ask("glover", **flags, rates=tmp_path / "rates.csv")
    assert found["value"] == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]))


HUNT = {"T": "5000 ft2/d", "S": "0.15", "Q": "350 gpm", "d": "1500 ft", "lam": "20 ft/d", "t": "120 d"}


def test_answer_in_the_unit_of_the_rate_by_hand(ask: Ask) -> None:
    """Hunt (1999), eq. 20, as it is printed."""
    found = ask("hunt", **HUNT)
    a = math.sqrt(0.15 * 1500**2 / (4 * 5000 * 120))
    b, c = 20**2 * 120 / (4 * 0.15 * 5000), 20 * 1500 / (2 * 5000)
    share = erfc(a) - math.exp(b + c) * erfc(math.sqrt(b) + a)
    assert (found["value"], found["unit"]) == (pytest.approx(350 * share, rel=1e-12), "gpm")
    assert found["fraction"] == pytest.approx(share, rel=1e-12)
    assert found["sdf_d"] == pytest.approx(1500**2 * 0.15 / 5000)


def test_one_question_in_two_systems_of_units(ask: Ask) -> None:
    foot = 0.3048
    metres = {
        "T": f"{5000 * foot**2!r} m2/d", "S": "0.15", "Q": f"{350 * 231 * 0.0254**3 * 1440!r} m3/d",
        "d": f"{1500 * foot!r} m", "lam": f"{20 * foot!r} m/d", "t": f"{120 * 24} h",
    }  # fmt: skip
    found, feet = ask("hunt", **metres), ask("hunt", **HUNT)
    assert found["unit"] == "m3/d"
    assert found["fraction"] == pytest.approx(feet["fraction"], rel=1e-12)


def test_volume_is_the_integral_of_the_depletion(ask: Ask) -> None:
    """By the trapezoid over daily values, pumping stopped in between."""
    days = ",".join(f"{day} d" for day in range(1, 201))
    found = ask("hunt", **HUNT | {"t": days, "pumped": "90 d"})
    gpm = [0.0, *(row["value"] for row in found["series"])]
    gallons = 1440 * sum((one + other) / 2 for one, other in pairwise(gpm))
    assert (found["volume"], found["volume_unit"]) == (pytest.approx(gallons, rel=1e-3), "gal")


def test_range_is_the_extreme_of_the_corners(ask: Ask) -> None:
    found = ask("hunt", **HUNT | {"T": "3000..5000..8000 ft2/d", "lam": "5..20..60 ft/d"})
    each = [
        ask("hunt", **HUNT | {"T": f"{t} ft2/d", "lam": f"{lam} ft/d"})["value"]
        for t in (3000, 8000)
        for lam in (5, 60)
    ]
    best = ask("hunt", **HUNT)["value"]
    assert (found["low"], found["value"], found["high"]) == (min([*each, best]), best, max([*each, best]))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    low=st.floats(0.1, 50), days=st.floats(1, 2000), feet=st.floats(10, 9000)
)  # fmt: skip
def test_depletion_grows_with_the_bed_and_stays_below_a_clean_one(
    ask: Ask, low: float, days: float, feet: float
) -> None:
    flags = HUNT | {"d": f"{feet!r} ft", "t": f"{days!r} d"}
    less, more = (ask("hunt", **flags | {"lam": f"{one!r} ft/d"})["value"] for one in (low, 2 * low))
    clean = ask("glover", **{name: value for name, value in flags.items() if name != "lam"})["value"]
    assert 0 <= less <= more <= clean <= 350


def test_recovery_is_told_by_date_and_holds(ask: Ask) -> None:
    dated = {name: value for name, value in HUNT.items() if name != "t"} | {
        "begins": "2025-01-01",
        "stops": "2025-07-01",
    }
    found = ask("hunt", **dated | {"on": "2025-07-01", "recovered": "2 gpm"})["recovery"]
    share, amount = found["recovered"]
    assert share["below"] == pytest.approx(0.1 * found["peak"]["value"])
    for one in (share, amount):
        after = ask("hunt", **dated | {"on": one["on"]})["value"]
        assert after == pytest.approx(one["below"], rel=0.05)
    assert amount["below"] == pytest.approx(2)


def test_peak_after_the_stop(ask: Ask) -> None:
    """Far from the stream the depletion goes on growing when the pump is off."""
    far = HUNT | {"d": "1 mi", "pumped": "30 d", "t": "30 d"}
    found = ask("hunt", **far)
    assert found["recovery"]["peak"]["value"] > 5 * found["value"]


def test_refused_by_name(refused: Callable[..., str]) -> None:
    assert "--d: the models hold for a well beside the stream or edge" in refused("hunt", **HUNT | {"d": "0 ft"})
    assert "--lam: not a possible streambed conductance" in refused("hunt", **HUNT | {"lam": "-1 ft/d"})
    assert "--lam: not a streambed conductance: unit of something else" in refused("hunt", **HUNT | {"lam": "1 ft2/d"})
    assert "--lam: not a parameter of glover" in refused("glover", **HUNT)
    assert "hunt needs --lam (streambed conductance K' w / b')" in refused(
        "hunt", **{name: value for name, value in HUNT.items() if name != "lam"}
    )
    assert "--r: not a parameter of hunt" in refused("hunt", **HUNT | {"r": "3 ft"})
    assert "--stream: belongs to a scenario file or --site" in refused("hunt", **HUNT | {"stream": "creek"})
    assert "--recovered" in refused("hunt", **HUNT | {"pumped": "3 d", "recovered": "2 ft"})
    assert "--recovered: not an amount" in refused("hunt", **HUNT | {"pumped": "3 d", "recovered": "0 cfs"})


BAD_TABLES = [
    ("day,flow\n0,3\n", "row 1: not a table of rates"),
    ("day,rate_gpm\n", "no rate in it"),
    ("day,rate_gpm\n0,three\n", "row 2: rate_gpm: not a pumping rate"),
    ("day,rate_gpm\n0,3\n0,4\n", "row 3: out of order"),
    ("day,rate_gpm\n0,3,4\n", "row 2: more or fewer cells than columns"),
    ("day,rate_gpm\n0\n", "row 2: more or fewer cells than columns"),
    ("day,rate_gpm\nnan,3\n", "row 2: day: not a moment"),
    ("date,rate_gpm\n2025-13-01,3\n", "row 2: date: not a moment"),
    ("date,rate_gpm\n2025-06-01,3\n", "--begins"),
    ("day,rate_ft\n0,3\n", "rate_ft: not a pumping rate: unit of something else"),
    ("day,rate\n0,3\n", "rate: a pumping rate without a unit"),
    ("start_day,end_day,rate_gpm\n5,3,9\n", "row 2: ends before it begins"),
    ("start_day,end_day,rate_gpm\n0,9,9\n5,12,3\n", "row 3: out of order, or over the row before"),
    ("day,rate_gpm\n-3,9\n", "--rates: a rate before pumping began"),
]


@pytest.mark.parametrize(("text", "words"), BAD_TABLES, ids=[words for _, words in BAD_TABLES])
def test_a_bad_table_of_rates_is_refused_by_row(
    text: str, words: str, refused: Callable[..., str], tmp_path: Path
) -> None:
    table = tmp_path / "rates.csv"
    table.write_text(text)
    flags = {name: value for name, value in HUNT.items() if name != "Q"}
    assert words in refused("hunt", **flags | {"rates": table})


def test_the_peak_may_lie_long_before_the_stop(ask: Ask, tmp_path: Path) -> None:
    """A great rate, then a small one: at the last stop less than 10 % of the peak is left already."""
    (tmp_path / "rates.csv").write_text("day,rate_gpm\n0,2000\n50,5\n2000,0\n")
    flags = {name: value for name, value in HUNT.items() if name != "Q"} | {
        "t": "50 d",
        "rates": tmp_path / "rates.csv",
    }
    found = ask("hunt", **flags)
    share = found["recovery"]["recovered"][0]
    assert found["recovery"]["peak"]["value"] >= 0.9 * found["value"] > 0
    assert (share["rule"], share["after_d"]) == ("10 % of the peak", 0)
