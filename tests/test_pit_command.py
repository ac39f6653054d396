"""``headwater pit``: against the closed forms of its sources, a balance of water, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import exp1

from pipelines import cli

K, B, LOWERED, RADIUS, YIELD = 20.0, 200.0, 6.0, 100.0, 0.15  # m, d
FLAGS = ("--radius", "100 m", "--lowered", "6 m", "--thickness", "200 m", "--K", "20 m/d", "--S", "0.15")
WET = ("--recharge", "0.0005 m/d")
TOML = """
unit = "m"
[aquifer]
kind = "unconfined"
transmissivity = "400 m2/d"
storativity = "0.15"
thickness = "20 m"
recharge = "0.0005 m/d"
dry_year_recharge = "0.0002 m/d"
[[well]]
id = "PW-1"
position = [0.0, 0.0]
rate = "100 m3/d"
since = 2025-01-01
permitted = "20000 m3/d"
[[well]]
id = "PW-2"
position = [150.0, 0.0]
rate = "100 m3/d"
since = 2025-01-01
permitted = "20000 m3/d"
[pit]
polygon = [[-80.0, -60.0], [160.0, -60.0], [160.0, 60.0], [-80.0, 60.0]]
lowered = "2 m"
since = 2025-01-01
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["pit", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


def _json(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    data: dict[str, Any] = json.loads(out)
    return data


def _toml(folder: Path, *changes: tuple[str, str]) -> Path:
    text = TOML
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "pit.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_for_good_it_takes_the_recharge_of_its_cone_and_the_floor(run: Run) -> None:
    steady = _json(run, *FLAGS, *WET)["steady"]
    r0, w = steady["radius_of_influence"]["best"], 0.0005
    # eq. 1: h0^2 = hp^2 + (W/Kh1) [r0^2 ln(r0/rp) - (r0^2 - rp^2)/2], with hp = 0.
    right = w / K * (r0**2 * np.log(r0 / RADIUS) - (r0**2 - RADIUS**2) / 2)
    assert right == pytest.approx(LOWERED**2, rel=1e-9)
    assert steady["through_wall"]["best"] == pytest.approx(w * np.pi * (r0**2 - RADIUS**2))
    assert steady["through_floor"]["best"] == pytest.approx(4 * RADIUS * K * LOWERED)
    assert steady["inflow"]["best"] == pytest.approx(steady["through_wall"]["best"] + steady["through_floor"]["best"])


def test_vertical_conductivity_holds_the_floor_back(run: Run) -> None:
    tight = _json(run, *FLAGS, *WET, "--Kv", "0.2 m/d")["steady"]
    assert tight["through_floor"]["best"] == pytest.approx(4 * RADIUS * (K * 0.2) ** 0.5 * LOWERED)


def test_the_layer_as_a_whole_stands_beside_it_as_a_second_reading(run: Run) -> None:
    flags = [text if text != "200 m" else "20 m" for text in FLAGS]
    data = _json(run, *flags, *WET)
    steady, layer = data["steady"], data["steady"]["as_one_layer"]
    r0 = layer["radius_of_influence"]["best"]
    # All of the layer: h0 = 20 m and hp = 14 m above its base.
    right = 0.0005 / K * (r0**2 * np.log(r0 / RADIUS) - (r0**2 - RADIUS**2) / 2)
    assert right == pytest.approx(20.0**2 - 14.0**2, rel=1e-9)
    assert layer["inflow"]["best"] == pytest.approx(0.0005 * np.pi * (r0**2 - RADIUS**2))
    assert steady["inflow"]["best"] == pytest.approx(steady["through_wall"]["best"] + steady["through_floor"]["best"])
    note = next(one for one in data["notes"] if one.startswith("two readings"))
    assert "the first is larger" in note
    assert "not shown that the truth lies between" in note


def test_no_reading_jumps_at_any_depth_of_aquifer_below_the_floor(run: Run) -> None:
    """A foot more of aquifer changes either reading a little, whatever the radius of the pit."""
    for b in (20.0, 105.9, 106.0, 106.1, 400.0):
        one, more = (_json(run, *_thick(thickness), *WET)["steady"] for thickness in (b, b * 1.001))
        for read in (lambda s: s["inflow"]["best"], lambda s: s["as_one_layer"]["inflow"]["best"]):
            assert read(more) == pytest.approx(read(one), rel=3e-3)


def _thick(thickness: float) -> list[str]:
    return [text if text != "200 m" else f"{thickness} m" for text in FLAGS]


def test_on_the_base_of_the_aquifer_the_two_readings_are_one(run: Run) -> None:
    data = _json(run, *_thick(6.0), *WET)
    assert data["steady"]["through_floor"]["best"] == 0
    assert data["steady"]["inflow"]["best"] == pytest.approx(data["steady"]["as_one_layer"]["inflow"]["best"])


@pytest.mark.parametrize(
    ("flag", "text", "ends"),
    [
        ("--lowered", "4..6..9 m", ("4 m", "9 m")),
        ("--radius", "60..100..150 m", ("60 m", "150 m")),
        ("--thickness", "100..200..300 m", ("100 m", "300 m")),
        ("--recharge", "0.0002..0.0005..0.001 m/d", ("0.0002 m/d", "0.001 m/d")),
    ],
)
def test_a_range_of_any_flag_is_in_low_and_high(run: Run, flag: str, text: str, ends: tuple[str, str]) -> None:
    flags = [*FLAGS, *WET]
    at = flags.index(flag) + 1
    data = _json(run, *flags[:at], text, *flags[at + 1 :])
    alone = [_json(run, *flags[:at], end, *flags[at + 1 :]) for end in ends]
    for read in (lambda d: d["steady"]["inflow"], lambda d: d["in_time"][3]["inflow"]):
        best = [read(one)["best"] for one in alone]
        assert read(data)["low"] == pytest.approx(min(best))
        assert read(data)["high"] == pytest.approx(max(best))


def test_recharge_that_may_be_nothing_keeps_the_answer_and_says_where_it_ends(run: Run) -> None:
    data = _json(run, *FLAGS, "--recharge", "0..0.0005..0.001 m/d")
    best = _json(run, *FLAGS, *WET)["steady"]
    steady = data["steady"]
    assert steady["inflow"]["best"] == pytest.approx(best["inflow"]["best"])
    assert steady["through_wall"]["low"] == 0
    assert steady["inflow"]["low"] == pytest.approx(best["through_floor"]["best"])
    assert steady["radius_of_influence"]["high"] is None
    assert any("low end of the recharge is 0" in note for note in data["notes"])


def _jacob_lohman(alpha: float) -> float:
    """G by Smith's (1937) integral, (4 alpha / pi) int x exp(-alpha x^2) (pi/2 + atan(Y0/J0)) dx, in ln x."""
    from scipy.special import j0, y0

    def integrand(t: float) -> float:
        x = np.exp(t)
        return float(x * x * np.exp(-alpha * x * x) * (np.pi / 2 + np.arctan(y0(x) / j0(x))))

    upper = 0.5 * np.log(40 / alpha)
    assert np.exp(upper) < 2.4  # before the first zero of J0 the arctangent does not jump
    return float(4 * alpha / np.pi * quad(integrand, -60.0, upper, limit=400)[0])


def test_through_time_it_is_jacob_and_lohman(run: Run) -> None:
    one = _json(run, *FLAGS, "--t", "1826.25 d")["in_time"]
    s = LOWERED - LOWERED**2 / (2 * B)
    late = next(row for row in one if row["elapsed_d"] == 1826.25)
    alpha = K * B * 1826.25 / (YIELD * RADIUS**2)
    assert late["inflow"]["best"] == pytest.approx(2 * np.pi * K * B * s * _jacob_lohman(alpha), rel=1e-3)


def test_the_volume_is_the_sum_of_the_inflow_and_the_cone_it_left(run: Run) -> None:
    rows = _json(run, *FLAGS)["in_time"]
    rates, days = [row["inflow"]["best"] for row in rows], [row["elapsed_d"] for row in rows]
    for k in range(1, len(rows)):
        gained = rows[k]["volume"]["best"] - rows[k - 1]["volume"]["best"]
        assert rates[k] * (days[k] - days[k - 1]) < gained < rates[k - 1] * (days[k] - days[k - 1])


def test_the_reach_is_where_the_drawdown_is_the_level(run: Run) -> None:
    wide, narrow = (
        _json(run, *FLAGS, "--t", "365 d", "--drawdown", level)["in_time"][-1]["reach"]["best"]
        for level in ("0.5 m", "3 m")
    )
    assert RADIUS < narrow < wide
    at_the_wall = _json(run, *FLAGS, "--t", "365 d", "--drawdown", "6 m")["in_time"][-1]["reach"]["best"]
    assert at_the_wall == pytest.approx(RADIUS)


def test_three_rules_of_radius_beside_each_other(run: Run) -> None:
    rules = _json(run, *FLAGS, "--t", "365 d")["radius_by_other_rules"]
    k = K / 86_400
    assert rules["Sichardt (1928)"]["best"] == pytest.approx(RADIUS + 3000 * LOWERED * k**0.5)
    assert rules["Kusakin (1953)"]["best"] == pytest.approx(RADIUS + 575 * LOWERED * (B * k) ** 0.5)
    wanted = RADIUS + (2.25 * K * B * 365 / YIELD) ** 0.5
    assert rules["Cooper & Jacob (1946), at the time"]["best"] == pytest.approx(wanted)


def test_feet_and_metres_say_the_same(run: Run) -> None:
    feet = ("--radius", "328.0839895 ft", "--lowered", "19.68503937 ft", "--thickness", "656.167979 ft")
    other = _json(run, *feet, "--K", "65.6167979 ft/d", "--S", "0.15", *WET)["steady"]["inflow"]
    assert other["unit"] == "gpm"
    metres = _json(run, *FLAGS, *WET)["steady"]["inflow"]["best"]
    assert other["best"] * 231 * 0.0254**3 * 1440 == pytest.approx(metres, rel=1e-6)


def test_without_recharge_there_is_no_end(run: Run) -> None:
    data = _json(run, *FLAGS)
    assert data["steady"] is None
    assert any("never stops growing" in note for note in data["notes"])


def test_a_range_gives_low_and_high(run: Run) -> None:
    flags = [text if text != "20 m/d" else "10..20..40 m/d" for text in FLAGS]
    inflow = _json(run, *flags, *WET)["steady"]["inflow"]
    ends = [
        _json(run, *(text if text != "20 m/d" else f"{k} m/d" for text in FLAGS), *WET)["steady"]["inflow"]["best"]
        for k in (10, 40)
    ]
    assert (inflow["low"], inflow["high"]) == (pytest.approx(min(ends)), pytest.approx(max(ends)))


def test_a_scenario_gives_its_polygon_and_its_day(run: Run, tmp_path: Path) -> None:
    data = _json(run, _toml(tmp_path), "--on", "2025-04-10")
    assert data["equivalent_radius"]["value"] == pytest.approx((240 * 120 / np.pi) ** 0.5)
    assert data["elapsed_d"] == 100.0


def test_a_dry_year_sustains_less(run: Run, tmp_path: Path) -> None:
    wet, dry = (
        _json(run, _toml(tmp_path), "--on", "2025-04-10", "--scenario", kind)["steady"]["inflow"]["best"]
        for kind in ("metered", "maximum")
    )
    assert dry < wet


def test_the_least_pumping_keeps_every_corner_at_its_target(run: Run, tmp_path: Path) -> None:
    data = _json(run, _toml(tmp_path), "--on", "2025-04-10", "--target", "1.5 m")
    rates = {one["id"]: one["rate"] for one in data["wells"]}
    corners = np.array([(-80.0, -60.0), (160.0, -60.0), (160.0, 60.0), (-80.0, 60.0), (40.0, 0.0)])

    def lowered(rates: dict[str, float]) -> np.ndarray:
        s = np.zeros(len(corners))
        for id, x in (("PW-1", 0.0), ("PW-2", 150.0)):
            r2 = (corners[:, 0] - x) ** 2 + corners[:, 1] ** 2
            s += rates[id] / (4 * np.pi * 400) * exp1(r2 * 0.15 / (4 * 400 * 100))
        return s

    target = 1.5 - 1.5**2 / 40  # Jacob: what an aquifer of constant thickness would show
    assert lowered(rates).min() == pytest.approx(target, rel=1e-4)
    less = {id: 0.99 * rate for id, rate in rates.items()}
    assert lowered(less).min() < target


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--radius"),
        (("--radius", "100 m", "--lowered", "6 m", "--thickness", "20 m", "--S", "0.15"), "--K"),
        ((*FLAGS[:2], "--lowered", "300 m", *FLAGS[4:]), "more drawdown than aquifer"),
        ((*FLAGS[:2], "--lowered", "0 m", *FLAGS[4:]), "lowers nothing"),
        ((*FLAGS[:2], "--lowered", "6", *FLAGS[4:]), "--lowered: a depth without a unit"),
        ((*FLAGS, "--on", "2025-01-01"), "--on: belongs to a scenario file"),
        ((*FLAGS, "--target", "2 m"), "--target: belongs to a scenario file"),
        ((*FLAGS[:-1], "0.7"), "--S"),
        ((*FLAGS, "--T", "3000 m2/d"), "contradict each other"),
        ((*FLAGS, "--t", "0 d"), "--t: the pit is not lowered yet"),
        ((*FLAGS, "--t", "1..2..3 d"), "--t: a time has no range"),
        ((*FLAGS, "--drawdown", "1..2..3 m"), "--drawdown: has no range"),
        (
            ("--radius", "300 ft", "--lowered", "90 ft", "--thickness", "80 ft", "--K", "60 ft/d", "--S", "0.15"),
            "(found '90 ft'); allowed: at most the saturated thickness, 80 ft",
        ),
        ((*FLAGS[:2], "--lowered", "4..6..210 m", *FLAGS[4:]), "more drawdown than aquifer"),
    ],
)
def test_flags_that_make_no_pit_are_refused_by_name(run: Run, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("changes", "options", "words"),
    [
        ((), (), "--on: say the day"),
        ((), ("--on", "2024-12-30"), "before the pit was lowered"),
        ((), ("--on", "2025-04-10", "--K", "3 m/d"), "the scenario states it"),
        ((('lowered = "2 m"', 'lowered = "25 m"'),), ("--on", "2025-04-10"), "more drawdown than aquifer"),
        ((("20000 m3/d", "20 m3/d"),), ("--on", "2025-04-10"), "do not keep the pit at its target"),
        (((TOML[TOML.index("[pit]") :], ""),), ("--on", "2025-04-10"), "no pit"),
    ],
)
def test_a_scenario_that_makes_no_pit_is_refused_by_name(
    run: Run, tmp_path: Path, changes: tuple[tuple[str, str], ...], options: tuple[str, ...], words: str
) -> None:
    code, out, err = run(_toml(tmp_path, *changes), *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_the_page_shows_the_pit_in_section(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "pit.html"
    assert run(_toml(tmp_path), "--on", "2025-04-10", "--page", page)[0] == 0
    text = page.read_text(encoding="utf-8").split("</main>")[0]
    figures = [
        json.loads(part.split("</script>")[0])
        for part in text.split('type="application/json"')[1:]
        for part in [part.split(">", 1)[1]]
    ]
    names = [trace["name"] for trace in figures[0]["data"]]
    assert "Water table before" in names
    now = next(trace for trace in figures[0]["data"] if trace["name"].startswith("Water table after 100 days"))
    assert min(now["y"]) == pytest.approx(-2.0, abs=1e-3)
    assert any("pit floor" in one["text"] for one in figures[0]["layout"]["annotations"])
    assert run(_toml(tmp_path), "--on", "2025-04-10", "--page", tmp_path / "again.html")[0] == 0
    assert page.read_bytes() == (tmp_path / "again.html").read_bytes()


def test_a_pit_that_deepens_has_no_closed_form_and_one_stage_has(run: Run, tmp_path: Path) -> None:
    first = 'since = 2025-01-01\nlowered = "2 m"\n'
    stage = f"[[pit.stage]]\n{first}"
    one = TOML.replace('lowered = "2 m"\nsince = 2025-01-01\n', stage)
    assert one != TOML
    asked = {}
    for name, text in (
        ("old", TOML),
        ("one", one),
        ("two", f"{one}[[pit.stage]]\nsince = 2026-01-01\nlowered = '3 m'\n"),
    ):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        asked[name] = run(tmp_path / f"{name}.toml", "--on", "2026-12-31", "--json")
    assert asked["one"] == asked["old"]
    assert asked["one"][0] == 0
    code, out, err = asked["two"]
    assert (code, out) == (2, "")
    assert "pit.stage: a pit that deepens has no closed form" in err
    assert "headwater modflow run" in err
