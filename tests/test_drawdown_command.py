"""`headwater drawdown`: the reference table and the pumping cases through the command line, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.special import exp1

from models.aquifer.catalogue import PARAMETERS
from models.aquifer.drawdown_models import DRAWDOWN
from pipelines import cli

DATA = Path(__file__).parent / "data"
ROWS = list(csv.DictReader((DATA / "reference_values.csv").read_text(encoding="utf-8").splitlines()))
DAY = 86_400

Answer = tuple[int, str, str]
Ask = Callable[..., Any]
P = dict[str, Any]


@pytest.fixture
def headwater(capfd: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run one command in this process: exit code, output, error output."""

    def run(*arguments: object) -> Answer:
        capfd.readouterr()
        code = cli.run([str(one) for one in arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def ask(headwater: Callable[..., Answer]) -> Ask:
    """The JSON of ``headwater drawdown`` with flags by name."""

    def run(model: str, **flags: object) -> Any:
        code, out, err = headwater("drawdown", "--model", model, *as_flags(flags), "--json")
        assert code == 0, err
        return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))

    return run


@pytest.fixture
def refused(headwater: Callable[..., Answer]) -> Callable[..., str]:
    """The one line with which a question is refused."""

    def run(*arguments: object, **flags: object) -> str:
        code, out, err = headwater("drawdown", *arguments, *as_flags(flags))
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        return err

    return run


def as_flags(flags: dict[str, object]) -> list[str]:
    return [text for name, value in flags.items() for text in (f"--{name.replace('_', '-')}", str(value))]


def common(p: P) -> P:
    """The table is in metres and seconds."""
    units = {
        "T": "m2/s",
        "Q": "m3/s",
        "r": "m",
        "t": "s",
        "S": "",
        "d": "m",
        "lam": "m/s",
        "x": "m",
        "y": "m",
        "b": "m",
    }
    return {name: f"{p[name]!r} {unit}".strip() for name, unit in units.items() if name in p}


def beside(p: P) -> P:
    return common(p) | {"d": f"{p['well'][0]} m"}


REFERENCE: dict[str, tuple[str, Callable[[P], P]]] = {
    "theis_drawdown": ("theis", common),
    "cooper_jacob_drawdown": ("cooper-jacob", common),
    "theis_recovery": (
        "theis",
        lambda p: common(p) | {"pumped": f"{p['t_pump']} s", "t": f"{p['t_pump'] + p['t_since_stop']} s"},
    ),
    "theis_image_constant_head": ("image-constant-head", beside),
    "theis_image_no_flow": ("image-no-flow", beside),
    "theis_strip_stream_noflow": ("strip-stream-wall", lambda p: beside(p) | {"width": "400 m"}),
    "hantush_drawdown": ("leaky", lambda p: common(p) | {"c": f"{p['c']!r} s"}),
    "hantush_steady": (
        "de-glee",
        lambda p: {k: v for k, v in common(p).items() if k in ("T", "Q", "r")} | {"B": f"{p['B']} m"},
    ),
    "hantush_partial_penetration": (
        "partial",
        lambda p: (
            {k: v for k, v in common(p).items() if k != "d"}
            | {"top": f"{p['d']} m", "bottom": f"{p['l']} m", "kzkr": p["kzkr"]}
            | {flag: f"{p[name]} m" for flag, name in (("z", "z"), ("ztop", "d2"), ("zbottom", "l2")) if name in p}
        ),
    ),
    "neuman_drawdown": (
        "neuman",
        lambda p: (
            common(p)
            | {"T": f"{p['Kr'] * p['b']!r} m2/s", "S": repr(p["Ss"] * p["b"]), "Sy": p["Sy"], "kzkr": p["Kz"] / p["Kr"]}
            | ({"z": f"{p['b'] - p['z']} m"} if "z" in p else {})
        ),
    ),
    "papadopulos_cooper_drawdown": (
        "papadopulos-cooper",
        lambda p: common(p) | {"rw": f"{p['rw']} m", "rc": f"{p['rc']} m"},
    ),
    "thiem_drawdown": ("thiem", lambda p: common(p) | {"R": f"{p['R']} m"}),
    "hunt99_drawdown": ("hunt", common),
    "jacob_correction": ("jacob", lambda p: {"s": f"{p['s']} m", "b": f"{p['b']} m"}),
    "jacob_inverse": ("jacob-inverse", lambda p: {"s": f"{p['sp']} m", "b": f"{p['b']} m"}),
    "edelman_drawdown": ("edelman", lambda p: common(p) | {"s": f"{p['s0']} m", "x": f"{p['x']} m"}),
    "dupuit_head": (
        "dupuit",
        lambda p: {
            "K": f"{p['K']} m/s",
            "Q": f"{p['Q']} m3/s",
            "r": f"{p['r']} m",
            "R": f"{p['R']} m",
            "b": f"{p['H']} m",
        },
    ),
}


def asked(row: dict[str, str]) -> bool:
    """Rows that a command can be asked: of a known solution, of times it takes (a million days), off the well."""
    p = parameters(row)
    in_range = 0 <= p.get("t", 1) <= 1e6 * DAY and 0 < p.get("r", 1) <= 1e6 and p.get("S", 0.1) <= 0.5
    return row["solution"] in REFERENCE and in_range


def parameters(row: dict[str, str]) -> P:
    return dict(json.loads(row["params_json"]))


@pytest.mark.parametrize("row", [row for row in ROWS if asked(row)], ids=lambda row: f"{row['id']}-{row['solution']}")
def test_reference_row(row: dict[str, str], ask: Ask) -> None:
    model, flags = REFERENCE[row["solution"]]
    p = parameters(row)
    found = ask(model, **flags(p))
    value = p["H"] - found["value"] if row["solution"] == "dupuit_head" else found["value"]
    assert found["unit"] == "m"
    assert value == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]) + 1e-15)


def test_most_of_the_table_is_asked() -> None:
    assert sum(map(asked, ROWS)) >= 54
    assert {row["solution"] for row in ROWS if asked(row)} == set(REFERENCE)


def multistep(row: dict[str, str], folder: Path) -> P:
    p = parameters(row)
    schedule = p.get("schedule") or [[k * DAY, ((k * 37) % 11) / 1000] for k in range(365)] + [[365 * DAY, 0.0]]
    lines = [f"{seconds / DAY!r},{rate!r}" for seconds, rate in schedule]
    (folder / "rates.csv").write_text("\n".join(["day,rate_m3/s", *lines]))
    return common(p) | {"rates": folder / "rates.csv"}


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["solution"] in ("theis_multistep", "theis_daily_365")], ids=lambda row: row["id"]
)
def test_rates_by_table(row: dict[str, str], ask: Ask, tmp_path: Path) -> None:
    found = ask("theis", **multistep(row, tmp_path))
    assert found["value"] == pytest.approx(float(row["expected"]), rel=float(row["rtol"]), abs=float(row["atol"]))


THEIS = {"T": "5000 ft2/d", "S": "0.0002", "Q": "250 gpm", "r": "500 ft", "t": "1 d"}


def test_pump_01(ask: Ask) -> None:
    expected = {one["name"]: one for one in json.loads((DATA / "cases/PUMP-01/expected.json").read_text())["checks"]}
    given_ = json.loads((DATA / "cases/PUMP-01/input.json").read_text())
    well, aquifer, at, time = (given_[name] for name in ("well", "aquifer", "observation", "time"))
    found = ask(
        "theis", T=f"{aquifer['transmissivity']} {aquifer['unit']}", S=aquifer["storativity"],
        Q=f"{well['rate']} {well['rate_unit']}", r=f"{at['r']} {at['unit']}", t=f"{time['value']} {time['unit']}",
    )  # fmt: skip
    values = {
        "rate ft3/d": found["rates"][0]["ft3_per_d"], "u": found["u"], "drawdown ft": found["drawdown_ft"],
        "drawdown m": found["drawdown_m"],
    }  # fmt: skip
    assert values == {name: pytest.approx(one["value"], abs=one["tolerance"]) for name, one in expected.items()}
    assert (found["value"], found["unit"]) == (found["drawdown_ft"], "ft")


def test_pump_02(ask: Ask) -> None:
    expected = json.loads((DATA / "cases/PUMP-02/expected.json").read_text())["checks"]
    rates = DATA / "cases/PUMP-02/schedule.csv"
    found = ask("theis", T="5000 ft2/d", S=0.0002, r="100 ft", t="30 d, 60 d", rates=rates)
    periods = [one["ft3_per_d"] for one in found["rates"]][:2]
    assert periods == pytest.approx([-one for one in expected[0]["value"]], abs=0.5)
    assert found["series"][0]["value"] == pytest.approx(expected[1]["value"], abs=0.001)
    assert found["value"] == pytest.approx(expected[2]["value"], abs=0.001)


def test_pump_06(ask: Ask, refused: Callable[..., str]) -> None:
    rows = list(csv.DictReader((DATA / "cases/PUMP-06/input.csv").read_text().splitlines()))
    expected = json.loads((DATA / "cases/PUMP-06/expected.json").read_text())["checks"][0]["value"]
    for row, wanted in zip(rows, expected, strict=True):
        flags = {"s": f"{row['drawdown_m']} m", "b": "10 m"}
        if isinstance(wanted, float):
            assert ask("jacob", **flags)["value"] == pytest.approx(wanted, abs=1e-9)
        else:
            assert "the well is dry" in refused("--model", "jacob", **flags)


METRIC = {"T": "464.5152 m2/d", "S": "0.0002", "Q": "1362.74824224 m3/d", "r": "152.4 m", "t": "24 h"}


def test_one_question_in_two_systems_of_units(ask: Ask) -> None:
    feet, metres = ask("theis", **THEIS), ask("theis", **METRIC)
    assert (metres["unit"], feet["unit"]) == ("m", "ft")
    assert metres["value"] == pytest.approx(feet["value"] * 0.3048, rel=1e-13)


def test_transmissivity_in_gallons_per_day_and_foot(ask: Ask) -> None:
    """1 ft2/d is 1728/231 gpd/ft."""
    found = ask("theis", **THEIS | {"T": f"{5000 * 1728 / 231!r} gpd/ft"})
    assert found["value"] == pytest.approx(ask("theis", **THEIS)["value"], rel=1e-13)


def test_answer_in_the_unit_of_the_distance(ask: Ask) -> None:
    miles = ask("theis", **THEIS | {"r": "1/2 mi"})
    assert miles["unit"] == "mi"
    assert miles["value"] * 5280 == pytest.approx(ask("theis", **THEIS | {"r": "2640 ft"})["value"], rel=1e-13)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.floats(1, 1e5), st.floats(1e-5, 0.5), st.floats(0.1, 5000), st.floats(1, 1e4), st.floats(0.01, 1e4),
)  # fmt: skip
def test_units_do_not_matter(ask: Ask, t: float, s: float, q: float, r: float, days: float) -> None:
    feet = ask("theis", T=f"{t!r} ft2/d", S=f"{s!r}", Q=f"{q!r} gpm", r=f"{r!r} ft", t=f"{days!r} d")
    gpm = 231 * 0.0254**3 * 1440
    metres = ask(
        "theis", T=f"{t * 0.3048**2 / DAY!r} m2/s", S=f"{s!r}", Q=f"{q * gpm!r} m3/d", r=f"{r * 0.3048!r} m",
        t=f"{days * 24!r} h",
    )  # fmt: skip
    assert feet["value"] * 0.3048 == pytest.approx(metres["value"], rel=1e-9, abs=1e-300)


def test_range_holds_the_best_and_is_the_extreme_of_the_corners(ask: Ask) -> None:
    found = ask("theis", **THEIS | {"T": "3000..5000..8000 ft2/d", "S": "0.0001..0.0002..0.0004"})
    each = [
        ask("theis", **THEIS | {"T": f"{t} ft2/d", "S": s})["value"] for t in (3000, 8000) for s in (0.0001, 0.0004)
    ]
    best = ask("theis", **THEIS)["value"]
    assert found["value"] == best
    assert (found["low"], found["high"]) == (min([*each, best]), max([*each, best]))
    assert "sets of values worked out" in found["range"]


def test_drawdown_that_first_rises_and_then_falls_with_transmissivity(ask: Ask) -> None:
    """At a distance neither end of T is the worst: a T between is, found here on a fine grid of Theis's own formula."""
    found = ask("theis", **THEIS | {"T": "500..1000..20000 ft2/d", "S": "0.02", "r": "400 ft"})
    t = np.geomspace(500, 20_000, 20_001)
    every = 250 * 231 / 1728 * 1440 / (4 * np.pi * t) * exp1(400**2 * 0.02 / (4 * t * 1))
    assert found["high"] == pytest.approx(every.max(), rel=1e-4)
    assert found["low"] == pytest.approx(every.min(), rel=1e-9)
    assert every.max() > 1.1 * max(every[0], every[-1], found["value"])


def test_unconfined_is_corrected_for_the_thickness_lost(ask: Ask) -> None:
    confined, corrected = (ask("theis", **THEIS | more)["value"] for more in ({}, {"b": "30 ft"}))
    assert corrected - corrected**2 / 60 == pytest.approx(confined, rel=1e-12)
    assert corrected > confined


def test_dry_well_is_refused_with_the_largest_rate(ask: Ask, refused: Callable[..., str]) -> None:
    line = refused("--model", "theis", **THEIS | {"b": "8 ft"})
    assert "--Q: more drawdown than the aquifer is thick: the well is dry" in line
    most = re.search(r"at most ([\d.]+) gpm", line)
    assert most is not None
    assert ask("theis", **THEIS | {"b": "8 ft", "Q": f"{float(most[1]) * 0.999} gpm"})["value"] < 8


def test_dry_only_at_an_end_of_the_range_has_no_high(ask: Ask) -> None:
    found = ask("theis", **THEIS | {"T": "1000..5000..8000 ft2/d", "b": "20 ft"})
    assert found["high"] is None
    assert any("dry" in note for note in found["notes"])


def test_cooper_jacob_is_marked_where_it_does_not_hold(ask: Ask) -> None:
    late, early = ask("cooper-jacob", **THEIS), ask("cooper-jacob", **THEIS | {"r": "2500 ft"})
    assert (late["outside_validity"], early["outside_validity"]) == (False, True)
    assert early["u"] == pytest.approx(0.0625)
    assert "0.05" in early["marks"][0]


def test_cooper_jacob_is_marked_soon_after_a_stop(ask: Ask) -> None:
    late, soon = (ask("cooper-jacob", **THEIS | {"t": t, "pumped": "10 d"}) for t in ("12 d", "10.01 d"))
    assert (late["outside_validity"], soon["outside_validity"]) == (False, True)


def test_assumptions_say_that_theis_is_an_upper_bound(ask: Ask) -> None:
    assert any("upper bound" in one for one in ask("theis", **THEIS)["assumptions"])


@pytest.mark.parametrize("model", sorted(DRAWDOWN))
def test_every_model_tells_its_assumptions(model: str) -> None:
    assert DRAWDOWN[model].assumptions
    assert all(name in PARAMETERS for name in DRAWDOWN[model].parameters)


HOSTILE = [
    ({"T": "-5000 ft2/d"}, "--T: not a possible transmissivity"),
    ({"T": "0 ft2/d"}, "--T: not a possible transmissivity"),
    ({"T": "5000 gpm"}, "--T: not a transmissivity: unit of something else"),
    ({"T": "5000"}, "--T: a transmissivity without a unit"),
    ({"T": "5,000 ft2/d"}, "a comma in a number is ambiguous"),
    ({"T": "3000/5000/8000 ft2/d"}, "a range is low..best..high"),
    ({"T": "3000..8000 ft2/d"}, "a range is low..best..high"),
    ({"T": "8000..5000..3000 ft2/d"}, "needs low <= best <= high"),
    ({"T": "NaN ft2/d"}, "--T: not a transmissivity"),
    ({"T": "1e999 ft2/d"}, "--T"),
    ({"S": "0.51"}, "--S: not a possible storativity"),
    ({"S": "0.2 ft"}, "--S: not a storativity"),
    ({"S": "0"}, "--S: not a possible storativity"),
    ({"Q": "250"}, "--Q: a pumping rate without a unit"),
    ({"Q": "250 ft"}, "--Q: not a pumping rate"),
    ({"r": "0 ft"}, "--r: the drawdown in a line well has no limit"),
    ({"r": "-1 ft"}, "--r"),
    ({"r": "1/0 mi"}, "--r: not a distance"),
    ({"r": "1 1/2 mi"}, "--r: not a distance from the well: unknown unit"),
    ({"r": "5 furlong"}, "unknown unit"),
    ({"t": "-1 d"}, "--t: not a possible time since pumping began"),
    ({"t": "1..2..3 d"}, "--t: a time has no range"),
    ({"t": "1 ft"}, "--t"),
    ({"t": ""}, "--t"),
    ({"lam": "3 ft/d"}, "--lam: not a parameter of theis"),
    ({"begins": "2025-06-01", "on": "2025-09-01"}, "--t: give --t, or dates"),
    ({"pumped": "1 d", "stops": "2025-09-01"}, "give one of --pumped, --stops and --rates"),
    ({"unit": "ft"}, "--unit: belongs to a scenario file or --site"),
    ({"at": "H-1"}, "--at: belongs to a scenario file or --site"),
]


@pytest.mark.parametrize(("flags", "words"), HOSTILE, ids=[words[:40] + str(k) for k, (_, words) in enumerate(HOSTILE)])
def test_refused_by_name(flags: P, words: str, refused: Callable[..., str]) -> None:
    assert words in refused("--model", "theis", **THEIS | flags)


@pytest.mark.parametrize("name", sorted(THEIS))
def test_a_missing_flag_is_named(name: str, refused: Callable[..., str]) -> None:
    line = refused("--model", "theis", **{key: value for key, value in THEIS.items() if key != name})
    assert f"--{name}" in line


def test_other_refusals(refused: Callable[..., str]) -> None:
    assert "--model: no such model (found 'thais')" in refused("--model", "thais", **THEIS)
    assert "--model" in refused()
    dated = {key: value for key, value in THEIS.items() if key != "t"}
    early = refused("--model", "theis", **dated | {"begins": "2025-06-01", "on": "2025-05-31"})
    assert "--on: before pumping began (found '2025-05-31'); allowed: from 2025-06-01 on" in early
    assert "--begins" in refused("--model", "theis", **dated | {"on": "2025-05-31"})
    assert "give one of --B and --c" in refused("--model", "hantush", **THEIS | {"B": "1000 ft", "c": "9 d"})
    assert "hantush needs --B or --c" in refused("--model", "hantush", **THEIS)
    cased = THEIS | {"b": "30 ft", "kzkr": "0.1", "top": "0 ft", "bottom": "10 ft", "z": "5 ft", "ztop": "3 ft"}
    assert "give one of --z and --ztop" in refused("--model", "partial", **cased)
    steady = {"T": "5000 ft2/d", "Q": "250 gpm", "r": "500 ft", "R": "400 ft"}
    assert "--r: outside its range" in refused("--model", "thiem", **steady)
    assert "a rate does not change" in refused("--model", "thiem", **steady | {"R": "4000 ft", "pumped": "3 d"})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(THEIS)), text=st.text(max_size=30).filter(lambda text: not text.startswith("--")))
def test_any_text_is_an_answer_or_one_line(name: str, text: str, headwater: Callable[..., Answer]) -> None:
    code, out, err = headwater("drawdown", "--model", "theis", *as_flags(THEIS | {name: text}), "--json")
    assert code in {0, 2}
    assert len(err.splitlines()) == (code == 2)
    assert "fault of the program" not in err
    assert bool(out) == (code == 0)


def test_dates_in_and_out(ask: Ask) -> None:
    dated = {key: value for key, value in THEIS.items() if key != "t"} | {"begins": "2025-06-01"}
    table = ask("theis", **dated | {"from": "2025-06-02", "to": "2025-06-22", "every": 10})
    assert [row["date"] for row in table["series"]] == ["2025-06-02", "2025-06-12", "2025-06-22"]
    elapsed = ask("theis", **THEIS | {"t": "1 d,11 d,21 d"})
    assert [row["value"] for row in table["series"]] == [row["value"] for row in elapsed["series"]]


def test_if_it_stops_today(ask: Ask) -> None:
    """Late, s' = Q tp / (4 pi T t'): a pumping of 100 d leaves 10 % of nothing soon, 0.1 ft when t' says so."""
    flags = {"T": "5000 ft2/d", "S": "0.1", "Q": "350 gpm", "r": "100 ft", "begins": "2025-01-01"}
    found = ask("theis", **flags | {"stops": "2025-04-11", "on": "2025-04-11"})["recovery"]
    by_amount = next(one for one in found["recovered"] if one["rule"] == "stated amount")
    rate = 350 * 231 * 1440 / 1728
    after = rate * 100 / (4 * 3.141592653589793 * 5000 * 0.1)
    assert by_amount["after_d"] == pytest.approx(after - 50, rel=0.03)
    left = ask("theis", **flags | {"stops": "2025-04-11", "on": by_amount["on"]})["value"]
    assert left == pytest.approx(0.1, rel=0.01)
    assert left >= 0.1


def test_page_is_written_whole(ask: Ask, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ask("theis", **THEIS | {"T": "3000..5000..8000 ft2/d", "pumped": "0.5 d", "page": page})
    text = page.read_text(encoding="utf-8")
    assert "low to high" in text
    assert "pumping stops" in text
    assert "assumes:" in text


def test_printed_digits_follow_the_uncertainty(headwater: Callable[..., Answer]) -> None:
    _, out, _ = headwater("drawdown", "--model", "theis", *as_flags(THEIS))
    assert "drawdown after 1 d 4.1 ft" in out
    _, out, _ = headwater("drawdown", "--model", "theis", *as_flags(METRIC))
    assert "1.26 m" in out
    _, out, _ = headwater("drawdown", "--model", "theis", *as_flags(THEIS | {"r": "1 mi", "S": "0.1", "t": "60 d"}))
    assert "<0.1 ft" in out
