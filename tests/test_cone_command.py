"""``headwater cone``: numbers against closed forms and the night's own model, refusals, files, and nothing private."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import pytest
import shapely
from scipy.optimize import brentq
from scipy.special import erfc, exp1

from pipelines import cli

SCENARIO = """
name = "Summer"
crs = "EPSG:7595"
unit = "ftUS"
boundary = [[157500, 163700], [160200, 163700], [160200, 167100], [157500, 167100]]
[aquifer]
kind = "confined"
transmissivity = "{t} ft2/d"
storativity = "{s}"
{thickness}
[[well]]
id = "PW-1"
position = [159000.0, 165700.0]
rate = "{rate}"
since = 2025-06-01
stops = 2025-09-01
{stream}
[[point]]
id = "H-SECRET"
name = "Example Owner"
kind = "private"
position = [159913.25, 165421.75]
water_depth = "30 ft"
pump_intake = "70 ft"
[[point]]
id = "MW-9"
kind = "monitoring"
position = [159000.0, 165400.0]
[gradient]
slope = 0.002
toward_degrees = 45
"""
CREEK = '[[stream]]\nid = "creek"\nline = [[100000.0, 167200.0], [220000.0, 167200.0]]\n'
T_FT2, S, RATE_FT3 = 5000.0, 0.15, 350 * 1440 * 231 / 1728


def _toml(folder: Path, **changes: str) -> Path:
    values = {"t": "5000", "s": "0.15", "rate": "350 gpm", "thickness": "", "stream": ""} | changes
    path = folder / "summer.toml"
    path.write_text(SCENARIO.format(**values), encoding="utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["cone", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


Run = Callable[..., tuple[int, str, str]]


def _json(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    data: dict[str, Any] = json.loads(out)
    return data


def _theis_ft(distance: float, days: float) -> float:
    return RATE_FT3 / (4 * 3.141592653589793 * T_FT2) * float(exp1(distance**2 * S / (4 * T_FT2 * days)))


def test_without_a_stream_it_is_theis(run: Run, tmp_path: Path) -> None:
    data = _json(run, _toml(tmp_path), "--on", "2025-08-31")
    days = 92.0  # 1 June to the end of 31 August
    well = next(one for one in data["points"] if one["id"] == "MW-9")
    assert well["drawdown"]["best"] == pytest.approx(_theis_ft(300.0, days), rel=1e-4)
    assert data["width"]["best"] / 2 == pytest.approx(_radius_ft(1.0, days), rel=1e-3)
    assert data["area"]["best"] == pytest.approx(3.141592653589793 * _radius_ft(1.0, days) ** 2 / 43560, rel=1e-3)
    assert data["depth"]["best"] == pytest.approx(_theis_ft(0.15 / 0.3048, days), rel=1e-4)
    assert (data["streams"], data["without_stream"], data["closed"]) == ([], None, True)
    assert data["pumping"] == {"value": pytest.approx(350.0), "unit": "gpm"}


def _radius_ft(level: float, days: float) -> float:
    low, high = 1.0, 50_000.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _theis_ft(middle, days) > level else (low, middle)
    return low


def test_a_clean_stream_takes_what_glover_says_and_the_water_adds_up(run: Run, tmp_path: Path) -> None:
    data = _json(run, _toml(tmp_path, stream=CREEK), "--on", "2025-08-31")
    share = float(erfc((1500.0**2 * S / (4 * T_FT2 * 92.0)) ** 0.5))
    creek, balance = data["streams"][0], data["balance"]
    assert creek["share_of_pumping"] == pytest.approx(share, rel=1e-4)
    assert creek["depletion"]["best"] == pytest.approx(share * 350 / 448.8312, rel=1e-4)
    assert balance["pumped"] == pytest.approx(RATE_FT3 * 92 / 43560, rel=1e-6)
    assert balance["from_streams"] + balance["from_storage"] == pytest.approx(balance["pumped"])
    assert abs(balance["error_share"]) < 1e-3
    assert data["without_stream"]["width"]["value"] > data["width"]["best"]


def test_the_stream_lowers_every_drawdown_and_theis_is_the_bound(run: Run, tmp_path: Path) -> None:
    beside = _json(run, _toml(tmp_path, stream=CREEK), "--on", "2025-08-31")["points"]
    alone = _json(run, _toml(tmp_path), "--on", "2025-08-31")["points"]
    for one, other in zip(beside, alone, strict=True):
        assert one["drawdown"]["best"] < one["without_stream"]["value"]
        assert one["without_stream"]["value"] == pytest.approx(other["drawdown"]["best"], rel=1e-6)


def test_low_and_high_are_the_extremes_between_the_ends_too(run: Run, tmp_path: Path) -> None:
    """The width has its largest at a T between the ends: found here by the closed form at 400 of them."""
    data = _json(run, _toml(tmp_path, t="3000..5000..8000", s="0.10..0.15..0.20"), "--on", "2025-08-31")
    wide, low = ([2 * _radius_of(t, s) for t in np.geomspace(3000, 8000, 400)] for s in (0.10, 0.20))
    assert max(wide) > 1.002 * max(wide[0], wide[-1])
    assert data["width"]["high"] == pytest.approx(max(wide), rel=1e-3)
    assert data["width"]["low"] == pytest.approx(min(low), rel=1e-3)


def _radius_of(t: float, s: float) -> float:
    """Where Theis is 1 ft after 92 days [ft]."""
    scale = RATE_FT3 / (4 * np.pi * t)
    return float(brentq(lambda r: scale * exp1(r * r * s / (4 * t * 92)) - 1.0, 1.0, 50_000.0))


def test_a_verdict_uses_the_highest_drawdown_of_the_range(run: Run, tmp_path: Path) -> None:
    """At neither end of T does the point have the drawdown, in between it does."""
    r = float(np.hypot(159913.25 - 159000, 165421.75 - 165700))
    every = [RATE_FT3 / (4 * np.pi * t) * exp1(r * r * 0.15 / (4 * t * 92)) for t in np.geomspace(300, 60_000, 2000)]
    level = (max(every) + max(every[0], every[-1])) / 2
    assert max(every[0], every[-1]) < 0.95 * level
    data = _json(run, _toml(tmp_path, t="300..500..60000"), "--on", "2025-08-31", "--drawdown", f"{level:.4f} ft")
    private = next(one for one in data["points"] if one["id"] == "H-SECRET")
    assert private["reached"] == "perhaps"
    assert private["drawdown"]["high"] == pytest.approx(max(every), rel=1e-3)


def test_a_range_of_the_thickness_is_in_low_and_high(run: Run, tmp_path: Path) -> None:
    thick = (("confined", "unconfined"), ('storativity = "0.15"', 'storativity = "0.15"\nthickness = "60..80..200 ft"'))
    point = _json(run, _changed(_toml(tmp_path), *thick), "--on", "2025-08-31")["points"][1]["drawdown"]
    linear = _theis_ft(300.0, 92.0)
    for end, b in (("low", 200.0), ("best", 80.0), ("high", 60.0)):
        assert point[end] - point[end] ** 2 / (2 * b) == pytest.approx(linear, rel=1e-4)


@pytest.mark.parametrize("miles", [0.5, 19.0, 75.0, 600.0])
def test_wells_far_apart_are_two_whole_cones(run: Run, tmp_path: Path, miles: float) -> None:
    text = _toml(tmp_path).read_text(encoding="utf-8")
    text = text[: text.index("boundary")] + text[text.index("[aquifer]") :]
    east = 159000.0 + 5280 * miles
    more = f'[[well]]\nid = "PW-2"\nposition = [{east}, 165700.0]\nrate = "350 gpm"\nsince = 2025-06-01\n'
    path = tmp_path / "far.toml"
    path.write_text(text + more, encoding="utf-8")
    data = _json(run, path, "--on", "2025-08-31")
    if miles < 1:  # one cone around both
        assert data["parts"] == 1
        assert data["area"]["best"] > 2 * np.pi * _radius_ft(1.0, 92.0) ** 2 / 43560
        return
    assert data["parts"] == 2
    assert data["area"]["best"] == pytest.approx(2 * np.pi * _radius_ft(1.0, 92.0) ** 2 / 43560, rel=1e-3)
    assert data["width"]["best"] == pytest.approx(2 * _radius_ft(1.0, 92.0), rel=1e-3)
    assert abs(data["balance"]["error_share"]) < 1e-4


def test_the_bound_without_the_stream_has_its_range(run: Run, tmp_path: Path) -> None:
    changes = {"t": "3000..5000..8000", "stream": CREEK}
    data = _json(run, _toml(tmp_path, **changes), "--on", "2025-08-31")
    for one in data["points"]:
        for end, bound in (("low", "low"), ("best", "value"), ("high", "high")):
            assert one["drawdown"][end] < one["without_stream"][bound]
    point = next(one for one in data["points"] if one["id"] == "MW-9")["without_stream"]
    every = [RATE_FT3 / (4 * np.pi * t) * exp1(300**2 * S / (4 * t * 92)) for t in np.geomspace(3000, 8000, 200)]
    assert (point["low"], point["high"]) == (pytest.approx(min(every), rel=1e-3), pytest.approx(max(every), rel=1e-3))
    for name in ("width", "area", "volume"):
        assert data["without_stream"][name]["high"] >= data[name]["high"]


def test_a_second_stream_that_no_well_faces_is_not_modelled_and_not_zero(run: Run, tmp_path: Path) -> None:
    brook = '[[stream]]\nid = "brook"\nline = [[100000.0, 163000.0], [220000.0, 163000.0]]\n'
    path, out = _toml(tmp_path, stream=CREEK + brook), tmp_path / "map"
    data = _json(run, path, "--on", "2025-08-31", "--out", out)
    creek, far = data["streams"]
    share = float(erfc((2700.0**2 * S / (4 * T_FT2 * 92.0)) ** 0.5))
    assert (far["id"], far["depletion"], far["volume"], far["wells"]) == ("brook", None, None, [])
    assert far["depletion_if_alone"]["best"] == pytest.approx(share * 350 / 448.8312, rel=1e-4)
    assert creek["depletion_if_alone"]["best"] == pytest.approx(creek["depletion"]["best"])
    assert any("no well faces brook" in note for note in data["notes"])
    features = json.loads((out / "cone.geojson").read_text())["features"]
    lost = {one["properties"]["id"]: one["properties"]["depletion_cfs"] for one in features
            if one["properties"]["layer"] == "streams"}  # fmt: skip
    assert lost["brook"] is None
    assert lost["creek"] == pytest.approx(creek["depletion"]["best"])


def test_a_stop_is_measured_by_the_peak_of_all_times(run: Run, tmp_path: Path) -> None:
    """A winter after a summer's pumping: a tenth of the summer's peak, not of what is left at the stop."""
    path = _toml(tmp_path)
    data = _json(run, path, "--on", "2025-08-31", "--stops", "2025-12-01")
    well = next(one for one in data["stops"] if one["id"] == "MW-9")
    peak = _theis_ft(300.0, 92.0)
    assert well["peak"] == pytest.approx(peak, rel=2e-3)
    assert well["peak_on"] == "2025-09-01"

    def left(days: float) -> float:
        return _theis_ft(300.0, days) - _theis_ft(300.0, days - 92.0)

    days = brentq(lambda d: left(d) - 0.1 * peak, 93.0, 3000.0)
    told = (date.fromisoformat(well["below_tenth_of_peak_on"]) - date(2025, 6, 1)).days
    assert told == pytest.approx(max(days, 183), abs=1.5)


def test_returned_water_leaves_a_mound_that_is_over_on_its_day(run: Run, tmp_path: Path) -> None:
    more = '[[well]]\nid = "PW-2"\nposition = [157600.0, 165700.0]\nrate = "1 gpm"\nsince = 2025-06-01\n'
    path = _toml(tmp_path, rate="-350 gpm", stream=more)
    data = _json(run, path, "--on", "2025-08-31", "--stops", "2025-09-01")
    well = next(one for one in data["stops"] if one["id"] == "MW-9")
    after = (date.fromisoformat(well["below_amount_on"]) - date(2025, 9, 1)).days
    other = (
        _theis_ft(float(np.hypot(1400.0, 300.0)), 92.0 + after) - _theis_ft(float(np.hypot(1400.0, 300.0)), after)
    ) / 350
    mound = _theis_ft(300.0, 92.0 + after) - _theis_ft(300.0, after) - other
    assert mound == pytest.approx(0.1, abs=0.002)
    assert well["peak"] == pytest.approx(-_theis_ft(300.0, 92.0), rel=0.01)


def test_what_is_left_above_the_intake(run: Run, tmp_path: Path) -> None:
    well = _json(run, _toml(tmp_path, t="3000..5000..8000"), "--on", "2025-08-31")["points"][0]
    assert well["left_above_intake"]["best"] == pytest.approx(40.0 - well["drawdown"]["best"])
    assert well["left_above_intake"]["low"] == pytest.approx(40.0 - well["drawdown"]["high"])
    assert well["reached"] == "yes"


def test_a_water_table_is_corrected_for_its_thickness(run: Run, tmp_path: Path) -> None:
    text = _toml(tmp_path, thickness='thickness = "60 ft"').read_text(encoding="utf-8")
    path = tmp_path / "table.toml"
    path.write_text(text.replace('"confined"', '"unconfined"'), encoding="utf-8")
    found = _json(run, path, "--on", "2025-08-31")["points"][1]["drawdown"]["best"]
    linear = _theis_ft(300.0, 92.0)
    assert found - found**2 / 120 == pytest.approx(linear, rel=1e-4)  # Jacob: s' = s - s^2 / 2b
    assert found > linear


def test_when_pumping_stops(run: Run, tmp_path: Path) -> None:
    data = _json(run, _toml(tmp_path, stream=CREEK), "--on", "2025-08-31", "--stops", "2025-09-01")
    well, creek = (next(one for one in data["stops"] if one["id"] == id) for id in ("MW-9", "creek"))
    on = date.fromisoformat(well["below_amount_on"])
    assert date(2025, 9, 2) < on < date(2027, 1, 1)
    residual = _residual_ft(300.0, (on - date(2025, 9, 1)).days)
    assert residual == pytest.approx(0.1, abs=0.005)
    assert creek["peak"] >= creek["at_stop"]


def _residual_ft(distance: float, after: float) -> float:
    """Theis less its image beyond a clean stream, 92 days of pumping and ``after`` of rest."""
    image = (distance + 2 * 1500.0) if distance else 0.0
    return sum(sign * (_theis_ft(r, 92.0 + after) - _theis_ft(r, after)) for sign, r in ((1, distance), (-1, image)))


def test_flow_is_the_slope_and_the_cone(run: Run, tmp_path: Path) -> None:
    flow = _json(run, _toml(tmp_path), "--on", "2025-08-31")["flow"]
    assert flow["regional"]["rate"] == pytest.approx(10.0, rel=1e-6)  # 5,000 ft2/d down a slope of 0.002
    south = next(one for one in flow["places"] if one["name"] == "MW-9")
    q = RATE_FT3 / (2 * 3.141592653589793 * 300) * 2.718281828459045 ** -(300**2 * S / (4 * T_FT2 * 92))
    east, north = 10.0 * 0.5**0.5, 10.0 * 0.5**0.5 + q  # toward the well, which stands north of it
    assert south["rate"] == pytest.approx((east**2 + north**2) ** 0.5, rel=1e-2)


@pytest.mark.parametrize(
    ("changes", "options", "words"),
    [
        ({}, (), "--on"),
        ({}, ("--on", "2025-05-31"), "no pumping before the day"),
        ({}, ("--on", "2025-08-31", "--drawdown", "5"), "drawdown without a unit"),
        ({}, ("--on", "2025-08-31", "--drawdown", "0 ft"), "not a possible drawdown"),
        ({}, ("--on", "2025-08-31", "--drawdown", "1..2..3 ft"), "--drawdown: has no range"),
        ({}, ("--on", "2025-08-31", "--gone", "0.1..0.2..0.3 ft"), "--gone: has no range"),
        ({}, ("--on", "2025-08-31", "--site", "anywhere"), "give a scenario file or --site, not both"),
        ({"rate": "0 gpm"}, ("--on", "2025-08-31"), "no well ever pumps"),
        ({}, ("--on", "2025-08-31", "--stops", "2025-05-01"), "nothing has been pumped by then"),
        ({}, ("--on", "2025-08-31", "--scenario", "maximum"), "permitted"),
        ({}, ("--on", "2025-08-31", "--permitted", "PW-1"), "not a permitted rate"),
        ({"stream": CREEK.replace("167200", "165700")}, ("--on", "2025-08-31"), "creek runs through the well"),
        ({"t": "-5"}, ("--on", "2025-08-31"), "transmissivity"),
    ],
)
def test_a_question_without_an_answer_is_refused_by_name(
    run: Run, tmp_path: Path, changes: dict[str, str], options: tuple[str, ...], words: str
) -> None:
    code, out, err = run(_toml(tmp_path, **changes), *options)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def _changed(path: Path, *changes: tuple[str, str]) -> Path:
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ((("position = [159000.0, 165700.0]", "position = [150000.0, 165700.0]"),), "outside the boundary"),
        ((('"confined"', '"unconfined"\nthickness = "10 ft"'),), "more drawdown than aquifer: PW-1"),
        ((("storativity", 'leaky_resistance = "1000 d"\nstorativity'),), "leaky layer"),
        ((('crs = "EPSG:7595"\n', ""),), "a local grid has no place"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_by_name(
    run: Run, tmp_path: Path, changes: tuple[tuple[str, str], ...], words: str
) -> None:
    code, out, err = run(_changed(_toml(tmp_path), *changes), "--on", "2025-08-31", "--out", tmp_path / "map")
    assert (code, out) == (2, "")
    assert words in err


def test_a_wall_doubles_the_drawdown_on_it(run: Run, tmp_path: Path) -> None:
    edge = '[[edge]]\nid = "rock"\nkind = "no_flow"\nline = [[160200.0, 160000.0], [160200.0, 170000.0]]\n'
    path = _changed(_toml(tmp_path, stream=edge), ("159000.0, 165400.0", "160199.99, 165700.0"))
    data = _json(run, path, "--on", "2025-08-31", "--drawdown", "0.5 ft")
    assert data["points"][1]["drawdown"]["best"] == pytest.approx(2 * _theis_ft(1200.0, 92.0), rel=1e-3)
    assert data["closed"] is False
    assert any("ends at an edge" in note for note in data["notes"])


def test_files_hold_the_contours_and_close(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "map"
    data = _json(run, _toml(tmp_path, stream=CREEK), "--on", "2025-08-31", "--out", out)
    assert sorted(one.name for one in out.iterdir()) == ["cone.geojson", "cone.gpkg", "cone.html"]
    meta, _, shapes, (drawdown, closed) = pyogrio.raw.read(out / "cone.gpkg", layer="contours")
    assert (meta["crs"], drawdown[0], bool(closed.all())) == ("EPSG:7595", 1.0, True)
    west, _, east, _ = shapely.from_wkb(shapes[0]).bounds
    assert east - west == pytest.approx(data["width"]["best"], rel=0.02)
    features = json.loads((out / "cone.geojson").read_text())["features"]
    assert {one["properties"]["layer"] for one in features} >= {
        "contours",
        "cone",
        "wells",
        "streams",
        "half_mile",
        "flow",
    }


def test_the_same_question_writes_the_same_bytes(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run(_toml(tmp_path, stream=CREEK), "--on", "2025-08-31", "--out", tmp_path / name)[0] == 0
    for one in (tmp_path / "one").iterdir():
        assert one.read_bytes() == (tmp_path / "two" / one.name).read_bytes()


def test_a_private_well_of_a_scenario_is_in_the_table_and_in_no_file(run: Run, tmp_path: Path) -> None:
    _, out, _ = run(_toml(tmp_path), "--on", "2025-08-31", "--stops", "2025-09-01", "--out", tmp_path / "map")
    assert out.startswith("NOT PUBLIC")
    assert "H-SECRET" in out
    for one in (tmp_path / "map").iterdir():
        content = one.read_bytes()
        for word in (b"H-SECRET", b"Example Owner"):
            assert word not in content, one.name


def test_where_a_private_well_of_a_scenario_stands_changes_no_file(run: Run, tmp_path: Path) -> None:
    for name, place in (("one", "159913.25, 165421.75"), ("two", "158000.0, 166000.0")):
        path = _changed(_toml(tmp_path), ("159913.25, 165421.75", place))
        assert run(path, "--on", "2025-08-31", "--stops", "2025-09-01", "--out", tmp_path / name)[0] == 0
    for one in (tmp_path / "one").iterdir():
        assert one.read_bytes() == (tmp_path / "two" / one.name).read_bytes()


# What is stated and is not in it --------------------------------------------------------------------------------------

PIT = '[pit]\npolygon = [[158000, 164000], [158600, 164000], [158600, 164500]]\nlowered = "8 ft"\nsince = 2025-06-01\n'
LAYERS = "".join(
    f'[[layer]]\nid = "{id}"\nbottom = "{bottom} ft"\nconductivity = "40 ft/d"\n'
    for id, bottom in (("a", 30), ("b", 80))
)
ROUTED = CREEK + 'conductance = "10 ft/d"\ninflow = "2 cfs"\nwidth = "9 ft"\nslope = 0.001\n'


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stream": PIT}, "The pit is not in it"), ({"stream": LAYERS}, "The stated layers are not in it"),
        ({"stream": ROUTED}, "What creek carries is not in it"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", ["cone", "drawdown"])
def test_what_is_stated_and_is_not_in_it_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, changes: dict[str, str], words: str
) -> None:
    """A household asks what all of it draws: figures of the wells alone must not pass for that."""
    told = []
    for stated in (changes, {}):
        assert cli.run([command, str(_toml(tmp_path, **stated)), "--on", "2025-08-01", "--json"]) == 0
        told.append([one for one in json.loads(capsys.readouterr().out)["notes"] if "`headwater modflow run`" in one])
    assert [one.startswith(words) for one in told[0]] == [True]
    assert told[1] == []
