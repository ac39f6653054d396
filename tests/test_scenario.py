"""A pumping scenario: its file, its checks, its two kinds, and what its wells do, against closed forms by hand."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from scipy.special import exp1

from models.errors import BadFile, BadQuestion, BadSite
from models.metered_volumes import Interval
from models.quantity import DISTANCE, LEAKANCE, RECHARGE, STORATIVITY, TRANSMISSIVITY, Kind, read_quantity
from models.scenario.kinds import stopped
from models.scenario.noun import PumpedWell, Scenario, day_number
from models.scenario.of_site import site_scenario
from models.scenario.response import SHARING
from models.site import Site
from models.toml_file import read_noun
from pipelines import cli
from pipelines.aquifer.scenario_file import open_scenario
from sample_data import demo

ROWS = {
    row["id"]: row
    for row in csv.DictReader((Path(__file__).parent / "data/reference_values.csv").read_text("utf-8").splitlines())
}

DAY = 86_400
CHICAGO = ZoneInfo("America/Chicago")

SUMMER = """
name = "A summer, made up"
unit = "ft"

[aquifer]
kind = "unconfined"
transmissivity = "5000 ft2/d"
storativity = "0.15"
thickness = "60 ft"

[[well]]
id = "PW-1"
position = [0.0, 0.0]
rates = [{ since = 2025-06-01, rate = "350 gpm" }, { since = 2025-09-01, rate = "0 gpm" }]
permitted = "500 gpm"

[[stream]]
id = "creek"
line = [[-50000.0, 1500.0], [50000.0, 1500.0]]
conductance = "20 ft/d"

[[point]]
id = "H-1"
kind = "private"
position = [900.0, -300.0]
"""

Ask = Callable[..., Any]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        path = tmp_path / "scenario.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str]) -> Ask:
    """The JSON of a command."""

    def run(*arguments: object) -> Any:
        capfd.readouterr()
        code = cli.run([*map(str, arguments), "--json"])
        out, err = capfd.readouterr()
        assert code == 0, err
        return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))

    return run


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The one line with which a command refuses."""

    def run(*arguments: object) -> str:
        capfd.readouterr()
        code = cli.run([*map(str, arguments)])
        out, err = capfd.readouterr()
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        return err

    return run


@pytest.mark.parametrize(
    ("text", "kind", "inside"),
    [
        ("5000 ft2/d", TRANSMISSIVITY, 5000 * 0.3048**2),
        ("0.005 m2/s", TRANSMISSIVITY, 432),
        ("10 gpd/ft", TRANSMISSIVITY, 10 * 231 * 0.0254**3 / 0.3048),
        ("1 GPM/FT", TRANSMISSIVITY, 1440 * 231 * 0.0254**3 / 0.3048),
        ("1/2 mi", DISTANCE, 804.672),
        ("8 in/yr", RECHARGE, 8 * 0.0254 / 365.25),
        ("1e-8 1/s", LEAKANCE, 8.64e-4),
        ("0.15", STORATIVITY, 0.15),
    ],
)
def test_quantity_in_metres_and_days(text: str, kind: Kind, inside: float) -> None:
    assert read_quantity(text, kind).value == pytest.approx(inside, rel=1e-14)


def test_range_of_fractions() -> None:
    found = read_quantity("1/4..1/2..3/4 mi", DISTANCE)
    assert found.ends == pytest.approx((402.336, 1207.008))
    assert (found.value, found.given_unit, found.ranged) == (pytest.approx(804.672), "mi", True)


@pytest.mark.parametrize("text", ["", "ft", "1...2..3 ft", "1 ft..2 m..3 ft", "1..2..3..4 ft", "..1..2 ft", "1/2/3 ft"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(BadQuestion, match="allowed"):
        read_quantity(text, DISTANCE)


def test_drawdown_is_hunts_beside_the_stream_and_below_theis(write: Callable[[str], Path], ask: Ask) -> None:
    """The same numbers by the flags of one well: x from the stream, on the well's side; corrected for 60 ft."""
    found = ask("drawdown", write(SUMMER), "--on", "2025-08-30")
    flags = ["--T", "5000 ft2/d", "--S", "0.15", "--Q", "350 gpm", "--t", "90 d", "--b", "60 ft"]
    hunt = ask(
        "drawdown", "--model", "hunt", "--d", "1500 ft", "--lam", "20 ft/d", "--x", "1800 ft", "--y", "900 ft", *flags
    )
    r = math.hypot(900, 300)
    theis = ask("drawdown", "--model", "theis", "--r", f"{r!r} ft", *flags)
    assert found["value"] == pytest.approx(hunt["value"], rel=1e-9)
    assert found["results"][0]["upper_bound"] == pytest.approx(theis["value"], rel=1e-9)
    assert found["value"] < theis["value"]
    assert any("upper bound" in note for note in found["notes"])


def test_theis_by_hand_without_waters(write: Callable[[str], Path], ask: Ask) -> None:
    text = SUMMER[: SUMMER.index("[[stream]]")] + SUMMER[SUMMER.index("[[point]]") :]
    text = text.replace('kind = "unconfined"', 'kind = "confined"')
    found = ask("drawdown", write(text), "--on", "2025-10-31")
    q, t = 350 * 231 * 1440 / 1728, 5000.0
    quarter = (900**2 + 300**2) * 0.15 / (4 * t)
    by_hand = q / (4 * math.pi * t) * (exp1(quarter / 152) - exp1(quarter / 60))
    assert (found["value"], found["unit"]) == (pytest.approx(by_hand, rel=1e-9), "ft")


@pytest.mark.parametrize("id", ["R084", "R086", "R087"])
def test_many_wells(id: str, write: Callable[[str], Path], ask: Ask) -> None:
    """Superposed in space and time: one well begins after five days, one returns water, one rests."""
    p, expected = json.loads(ROWS[id]["params_json"]), float(ROWS[id]["expected"])
    zero = "2025-01-01"
    wells = [
        f'[[well]]\nid = "W{k}"\nposition = [{x}, {y}]\nrate = "{q} m3/s"\nsince = 2025-01-{1 + int(start) // DAY:02}\n'
        for k, (x, y, q, start) in enumerate(p["wells"])
    ]
    aquifer = f'unit = "m"\n[aquifer]\nkind = "confined"\ntransmissivity = "{p["T"]} m2/s"\nstorativity = "{p["S"]}"\n'
    point = f'[[point]]\nid = "P"\nposition = [{p["x"]}, {p["y"]}]\n'
    days = round(p["t"] / 86_400)
    on = (date.fromisoformat(zero) + timedelta(days=days)).isoformat()
    found = ask("drawdown", write(aquifer + "".join(wells) + point), "--on", on)
    assert (found["value"], found["unit"]) == (pytest.approx(expected, rel=1e-9), "m")


def edged(*edges: str) -> str:
    text = SUMMER[: SUMMER.index("[[stream]]")] + SUMMER[SUMMER.index("[[point]]") :]
    return text.replace('kind = "unconfined"', 'kind = "confined"') + "".join(edges)


def edge(id: str, kind: str, line: str) -> str:
    return f'[[edge]]\nid = "{id}"\nkind = "{kind}"\nline = {line}\n'


NORTH = edge("north", "no_flow", "[[-10.0, 1500.0], [10.0, 1500.0]]")
SOUTH = edge("south", "constant_head", "[[5.0, -1000.0], [9.0, -1000.0]]")
EAST = edge("east", "no_flow", "[[2000.0, 0.0], [2000.0, 50.0]]")


def images(*places: tuple[float, float, int]) -> float:
    """Theis at H-1 after 90 d by a well at the origin and its images (x, y, sign) [ft]."""
    q, t = 350 * 231 * 1440 / 1728, 5000.0
    squares = [((900 - x) ** 2 + (-300 - y) ** 2, sign) for x, y, sign in ((0, 0, 1), *places)]
    return sum(sign * q / (4 * math.pi * t) * float(exp1(r2 * 0.15 / (4 * t * 90))) for r2, sign in squares)


def reflected() -> list[tuple[float, float, int]]:
    """The well seen again and again in a wall at y = 1500 (+) and a water at y = -1000 (-)."""
    found = []
    for first in (0, 1):
        y, sign = 0.0, 1
        for turn in range(12):
            wall = (turn + first) % 2 == 0
            y, sign = (3000 - y, sign) if wall else (-2000 - y, -sign)
            found.append((0.0, y, sign))
    return found


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        (edged(NORTH), images((0, 3000, 1))),
        (edged(SOUTH), images((0, -2000, -1))),
        (edged(NORTH, EAST), images((0, 3000, 1), (4000, 0, 1), (4000, 3000, 1))),
        (edged(NORTH, SOUTH), images(*reflected())),
    ],
    ids=["wall", "water", "corner", "strip"],
)  # fmt: skip
def test_edges_by_image_wells(text: str, by_hand: float, write: Callable[[str], Path], ask: Ask) -> None:
    found = ask("drawdown", write(text), "--on", "2025-08-30")
    assert found["value"] == pytest.approx(by_hand, rel=1e-6)


def test_depletion_is_that_of_the_one_well(write: Callable[[str], Path], ask: Ask) -> None:
    found = ask("depletion", write(SUMMER), "--on", "2025-08-30", "--unit", "gpm")
    flags = ["--T", "5000 ft2/d", "--S", "0.15", "--Q", "350 gpm", "--t", "90 d", "--d", "1500 ft", "--lam", "20 ft/d"]
    assert found["value"] == pytest.approx(ask("depletion", "--model", "hunt", *flags)["value"], rel=1e-9)


TWO = SUMMER + '[[stream]]\nid = "ditch"\nline = [[-50000.0, -3000.0], [50000.0, -3000.0]]\n'


@pytest.mark.parametrize("sharing", [name for name in SHARING if name != "alone"])
def test_shared_depletion_adds_up_to_less_than_is_pumped(sharing: str, write: Callable[[str], Path], ask: Ask) -> None:
    alone, shared = (
        ask("depletion", write(TWO), "--on", "2025-08-30", "--unit", "gpm", "--sharing", one)["results"]
        for one in ("alone", sharing)
    )
    shares = [one["value"] / other["value"] for one, other in zip(shared, alone, strict=True)]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > shares[1]
    assert sum(one["value"] for one in shared) < 350


def test_maximum_pumps_the_permitted_rate_without_rest(write: Callable[[str], Path], ask: Ask) -> None:
    found = ask("depletion", write(SUMMER), "--scenario", "maximum", "--on", "2026-06-01")
    metered = ask("depletion", write(SUMMER), "--on", "2026-06-01")
    assert found["scenario_kind"] == "maximum"
    assert found["rates"]["PW-1"] == [
        {
            "since": "2025-06-01",
            "m3_per_d": pytest.approx(500 * 231 * 1440 * 0.0254**3),
            "ft3_per_d": pytest.approx(96250),
        }
    ]
    assert found["value"] > metered["value"]
    assert any("dry_year_recharge" in note for note in found["notes"])


def test_maximum_without_a_permitted_rate_is_refused(write: Callable[[str], Path], refused: Ask, ask: Ask) -> None:
    path = write(SUMMER.replace('permitted = "500 gpm"\n', ""))
    question = ("drawdown", path, "--scenario", "maximum", "--on", "2025-09-01")
    assert "scenario.toml: well[PW-1].permitted" in refused(*question)
    assert ask(*question, "--permitted", "PW-1=500 gpm")["value"] > 0
    assert "--permitted: no such well (found 'PW-2')" in refused(*question, "--permitted", "PW-2=500 gpm")


def test_dry_year_recharge_in_the_maximum(write: Callable[[str], Path]) -> None:
    text = SUMMER.replace(
        'thickness = "60 ft"', 'thickness = "60 ft"\nrecharge = "8 in/yr"\ndry_year_recharge = "4 in/yr"'
    )
    metered, maximum = open_scenario(write(text)), open_scenario(write(text), "maximum")
    assert metered.recharge is not None
    assert maximum.recharge is not None
    assert maximum.recharge.value == pytest.approx(metered.recharge.value / 2)
    assert not maximum.notes


def test_stop(write: Callable[[str], Path]) -> None:
    scenario = open_scenario(write(SUMMER))
    days, rates = stopped(scenario, date(2025, 7, 1)).well[0].schedule
    assert (days, rates[-1]) == ([day_number(one) for one in (_day("2025-06-01"), _day("2025-07-01"))], 0)
    with pytest.raises(BadQuestion, match="nothing has been pumped by then"):
        stopped(scenario, _day("2025-06-01"))


def _day(text: str) -> Any:
    return date.fromisoformat(text)


def test_recovery_after_a_stop_is_dated(write: Callable[[str], Path], ask: Ask) -> None:
    question = ("drawdown", write(SUMMER), "--stops", "2025-08-01")
    recovery = ask(*question, "--on", "2025-08-01")["results"][0]["recovery"]
    going_on = ask("drawdown", write(SUMMER), "--on", "2025-08-31")["value"]
    assert ask(*question, "--on", "2025-08-31")["value"] < going_on / 1.5
    amount = next(one for one in recovery["recovered"] if one["rule"] == "stated amount")
    assert ask(*question, "--on", amount["on"])["value"] == pytest.approx(0.1, rel=0.02)
    assert recovery["peak"]["value"] == pytest.approx(max(row["value"] for row in recovery["curve"]), rel=0.01)


def test_rates_file_beside_the_scenario(write: Callable[[str], Path], tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "pw1.csv").write_text("date,rate_gpm\n2025-06-01,350\n2025-09-01,0\n")
    inline = ask("drawdown", write(SUMMER), "--on", "2025-10-01")
    rates = SUMMER[SUMMER.index("rates = ") : SUMMER.index("permitted")]
    from_file = ask("drawdown", write(SUMMER.replace(rates, 'rates_file = "pw1.csv"\n')), "--on", "2025-10-01")
    assert from_file["value"] == inline["value"]
    with pytest.raises(BadFile, match=r"nothing\.csv: cannot be read"):
        open_scenario(write(SUMMER.replace(rates, 'rates_file = "nothing.csv"\n')))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"5000 ft2/d"', '"-5000 ft2/d"', "aquifer.transmissivity: not a possible transmissivity"),
        ('"5000 ft2/d"', '"5000 gpm"', "aquifer.transmissivity: not a transmissivity: unit of something else"),
        ('"5000 ft2/d"', "5000", "aquifer.transmissivity: a transmissivity without a unit"),
        ('"0.15"', '"0.6"', "aquifer.storativity: not a possible storativity"),
        ('thickness = "60 ft"\n', "", "an unconfined aquifer needs its saturated thickness"),
        ("1500.0], [50000.0, 1500.0]", "0.0], [50000.0, 0.0]", "the stream creek runs through the well"),
        ('unit = "ft"', 'unit = "ft"\nboundary = [[100.0, 100.0], [200.0, 100.0], [200.0, 200.0]]',
         "a pumping well outside the boundary"),
        ("[900.0, -300.0]", "[0.0, 0.0]", "stands in the pumping well PW-1"),
        ('id = "H-1"', 'id = "PW-1"', "id used twice"),
        ('rate = "0 gpm"', 'rate = "1..2..3 gpm"', "a rate of a scenario has no range"),
        ('permitted = "500 gpm"', 'permitted = "-5 gpm"', "not a permitted rate"),
        ("since = 2025-09-01", "since = 2025-05-01", "must be in order of time"),
        ("position = [0.0, 0.0]", "position = [nan, 0.0]", "well[PW-1].position"),
        ('kind = "private"', 'knd = "private"', "point[H-1].knd: unknown key"),
        ("[aquifer]", "[aquifer", "not valid TOML"),
        ("line = [[-50000.0, 1500.0], [50000.0, 1500.0]]", "line = [[5.0, 1500.0], [5.0, 1500.0]]", "has no length"),
        ("since = 2025-06-01", "since = 2025-06-01T00:00:00Z", "well[PW-1].rates"),
    ],
)  # fmt: skip
def test_an_impossible_scenario_is_refused_by_name(
    old: str, new: str, words: str, write: Callable[[str], Path]
) -> None:
    assert old in SUMMER
    with pytest.raises(BadSite) as caught:
        open_scenario(write(SUMMER.replace(old, new, 1)))
    assert words in str(caught.value)
    assert "scenario.toml" in str(caught.value)


def test_a_point_beyond_an_edge_is_refused(write: Callable[[str], Path]) -> None:
    with pytest.raises(BadSite, match="H-1 lies beyond the edge wall, outside the aquifer"):
        open_scenario(write(edged(edge("wall", "no_flow", "[[500.0, 0.0], [500.0, 9.0]]"))))


def test_waters_without_a_closed_form_are_refused(write: Callable[[str], Path], refused: Ask, ask: Ask) -> None:
    question = ("drawdown", write(SUMMER + NORTH.replace("1500.0", "3000.0")), "--on", "2025-09-01")
    assert "edge[north]: not at right angles to the stream creek where PW-1 faces it" in refused(*question)
    assert ask(*question, "--model", "theis")["value"] > 0


def test_refused_questions(write: Callable[[str], Path], refused: Ask) -> None:
    path = write(SUMMER)
    assert "--on: before pumping began" in refused("drawdown", path, "--on", "2025-05-31")
    assert "--on: say which days" in refused("drawdown", path)
    assert "--at: not in the scenario (found 'H-9'); allowed: H-1" in refused(
        "drawdown", path, "--on", "2025-09-01", "--at", "H-9"
    )
    assert "--at: the drawdown in a line well has no limit" in refused(
        "drawdown", path, "--on", "2025-09-01", "--at", "PW-1"
    )
    assert "--unit: not a unit of drawdown" in refused("drawdown", path, "--on", "2025-09-01", "--unit", "cfs")
    assert "--T: SCENARIO.toml states it" in refused("drawdown", path, "--on", "2025-09-01", "--T", "5 ft2/d")
    assert "give a scenario file or --site, not both" in refused("drawdown", path, "--site", "x", "--on", "2025-09-01")
    dry = write(SUMMER.replace("60 ft", "1 ft"))
    assert "H-1: more drawdown than the aquifer is thick" in refused("drawdown", dry, "--on", "2025-09-01")


def test_a_private_well_is_on_a_page_only_by_name(
    write: Callable[[str], Path], ask: Ask, refused: Ask, tmp_path: Path
) -> None:
    page, monitored = tmp_path / "page.html", SUMMER + '[[point]]\nid = "MW-1"\nposition = [500.0, 0.0]\n'
    question = ("drawdown", write(monitored), "--on", "2025-09-01", "--page", page)
    ask(*question)
    assert "against time: MW-1" in page.read_text("utf-8")
    assert "against time: H-1" not in page.read_text("utf-8")
    ask(*question, "--at", "H-1")
    assert "against time: H-1" in page.read_text("utf-8")
    assert "--page: only private wells" in refused(question[0], write(SUMMER), *question[2:])


def test_recovered_needs_a_stop(write: Callable[[str], Path], refused: Ask) -> None:
    line = refused("drawdown", write(SUMMER), "--on", "2025-09-01", "--recovered", "0.1 ft")
    assert "--recovered: the pumps do not stop" in line


def test_well_with_a_radius_is_asked_at_it(write: Callable[[str], Path], ask: Ask) -> None:
    path = write(SUMMER.replace("position = [0.0, 0.0]", 'position = [0.0, 0.0]\nradius = "0.5 ft"'))
    found = ask("drawdown", path, "--on", "2025-08-30", "--at", "PW-1")
    assert found["value"] > ask("drawdown", path, "--on", "2025-08-30", "--at", "H-1")["value"]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sample site with its totalizer readings in the store."""
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("site.toml", "households.toml", "events.csv"):
        (folder / name).write_bytes((demo.SAMPLE / name).read_bytes())
    (folder / "households.toml").chmod(0o600)
    assert cli.run(["ingest", str(demo.SAMPLE / "baseline/totalizer-2025-06-30.csv"), "--site", str(folder)]) == 0
    return folder


def test_a_site_is_a_scenario(site: Path, ask: Ask, refused: Ask) -> None:
    found = ask("drawdown", "--site", site, "--on", "2025-06-30")
    values = {one["id"]: one for one in found["results"]}
    assert set(values) == {"MW-1", "MW-2", "MW-3", "MW-4", "MW-5", "PVT-1", "PVT-2", "PVT-3", "IW-1"}
    assert all(one["low"] <= one["value"] <= one["high"] for one in values.values())
    assert all(one["value"] <= one["upper_bound"] * (1 + 1e-9) for one in values.values())
    assert values["PVT-1"]["value"] > values["PVT-3"]["value"]
    question = ("depletion", "--site", site, "--on", "2025-06-30", "--scenario", "maximum")
    assert "site.toml: well[PW-1].permitted" in refused(*question)
    assert 0 < ask(*question, "--permitted", "PW-1=500 gpm")["value"] < 500 / 448.8


def test_a_site_pumps_what_its_meter_read(site: Path, ask: Ask) -> None:
    """Rates times time are the totalizer's difference in gallons, to the last reading."""
    steps = ask("drawdown", "--site", site, "--on", "2025-06-30", "--at", "MW-1")["rates"]["PW-1"]
    moments = [datetime.fromisoformat(one["since"]) for one in steps]
    volumes = [
        one["ft3_per_d"] * (later - begun).total_seconds() / DAY
        for one, (begun, later) in zip(steps, pairwise(moments), strict=False)
    ]
    lines = (demo.SAMPLE / "baseline/totalizer-2025-06-30.csv").read_text().splitlines()
    cells = [line.split(",") for line in lines[1:]]
    readings = {f"{day}T{time}:00": float(reading) for _, day, time, _, reading, *_ in cells}
    gallons = readings[steps[-1]["since"]] - readings[steps[0]["since"]]
    assert sum(volumes) == pytest.approx(gallons * 231 / 1728, rel=1e-6)


def test_scenario_noun_is_frozen_and_closed() -> None:
    assert Scenario.model_config["frozen"]
    assert Scenario.model_config["extra"] == "forbid"


# What a scenario may not leave unread, and where its clock changes.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (NORTH.replace("1500.0", "3000.0"), "not at right angles to the stream creek where PW-1 faces it"),
        (edge("lake", "constant_head", "[[3000.0, 0.0], [3000.0, 9.0]]"), "lake (constant_head)"),
    ],
    ids=["wall beside the stream", "lake"],
)
def test_depletion_refuses_the_waters_that_drawdown_refuses(
    text: str, words: str, write: Callable[[str], Path], refused: Ask
) -> None:
    for command in ("drawdown", "depletion"):
        assert words in refused(command, write(SUMMER + text), "--on", "2025-09-01")


def test_depletion_refuses_a_leaky_layer_beside_a_stream(write: Callable[[str], Path], refused: Ask) -> None:
    leaky = SUMMER.replace('thickness = "60 ft"', 'thickness = "60 ft"\nleaky_resistance = "100 d"')
    assert "no closed form together (found 'hunt, hantush')" in refused("depletion", write(leaky), "--on", "2025-09-01")


def test_a_wall_across_the_stream_is_an_image_well(write: Callable[[str], Path], ask: Ask) -> None:
    """The wall x = 2000 ft mirrors the well to (4000, 0): two wells without a wall draw the point down as much.

    The stream's depletion is that of the endless one: by symmetry each well takes its share from its own half.
    """
    confined = SUMMER.replace('kind = "unconfined"', 'kind = "confined"')
    wall = EAST
    second = confined[confined.index("[[well]]") : confined.index("[[stream]]")].replace("PW-1", "PW-2")
    two = confined + second.replace("[0.0, 0.0]", "[4000.0, 0.0]")
    question = ("--on", "2025-08-30")
    walled, pair = (ask("drawdown", write(text), *question)["value"] for text in (confined + wall, two))
    assert walled == pytest.approx(pair, rel=1e-9)
    assert walled > 1.001 * ask("drawdown", write(confined), *question)["value"]
    taken = [ask("depletion", write(text), *question)["value"] for text in (confined + wall, confined)]
    assert taken[0] == pytest.approx(taken[1], rel=1e-12)


def test_a_dry_pumping_well_is_named(write: Callable[[str], Path], refused: Ask, ask: Ask) -> None:
    """Theis in a well of half a foot, 90 d: 350 gpm draw down 17 ft of an aquifer of 20."""
    line = refused("drawdown", write(SUMMER.replace('"60 ft"', '"20 ft"')), "--on", "2025-08-30")
    assert "well[PW-1].rate: more drawdown than aquifer: PW-1 cannot give this rate" in line
    thin = SUMMER.replace('"60 ft"', '"10 ft"').replace('kind = "unconfined"', 'kind = "confined"')
    found = ask("drawdown", write(thin), "--on", "2025-08-30")
    assert found["outside_validity"]
    assert "more than the layer is thick (10.0 ft)" in found["marks"][0]


def test_the_upper_bound_has_a_range_and_private_points_are_marked(write: Callable[[str], Path], ask: Ask) -> None:
    ranged = SUMMER.replace('"5000 ft2/d"', '"3000..5000..8000 ft2/d"').replace('"20 ft/d"', '"0.001..20..60 ft/d"')
    found = ask("drawdown", write(ranged + '[[point]]\nid = "MW"\nposition = [500.0, 0.0]\n'), "--on", "2025-08-30")
    house, well = found["results"]
    assert house["upper_bound_low"] < house["upper_bound"] < house["upper_bound_high"]
    assert house["high"] <= house["upper_bound_high"] * (1 + 1e-6)
    assert house["high"] > house["upper_bound"]
    assert (house["not_public"], well["not_public"], found["not_public"]) == (True, False, True)
    assert any("not public" in note for note in found["notes"])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("date,rate_gpm\n2025-06-01T00:00-05:00,5\n", "row 2: date: not a moment (found '2025-06-01T00:00-05:00')"),
        ("date,rate_gpm,rate_cfs\n2025-06-01,5,6\n", "more than one column for the rate (found 'rate_gpm, rate_cfs')"),
        ("date,day,rate_gpm\n2025-06-01,1,6\n", "more than one column for the begin"),
    ],
)
def test_what_would_go_unread_in_a_table_of_rates(
    rows: str, words: str, write: Callable[[str], Path], tmp_path: Path, refused: Ask
) -> None:
    (tmp_path / "r.csv").write_text(rows)
    text = re.sub(r"rates = \[.*\]", 'rates_file = "r.csv"', SUMMER)
    assert words in refused("drawdown", write(text), "--on", "2025-08-30")
    flags = ("--model", "theis", "--T", "5 m2/d", "--S", "0.1", "--r", "3 m", "--t", "9 d", "--begins", "2025-06-01")
    assert words in refused("drawdown", *flags, "--rates", tmp_path / "r.csv")


def test_a_time_before_the_first_rate_is_refused(tmp_path: Path, refused: Ask) -> None:
    (tmp_path / "r.csv").write_text("day,rate_gpm\n50,5\n")
    flags = ("--model", "theis", "--T", "5 m2/d", "--S", "0.1", "--r", "3 m", "--rates", tmp_path / "r.csv")
    assert "--t: before pumping began (found '30 d')" in refused("drawdown", *flags, "--t", "30 d,60 d")


def metered(*readings: tuple[str, float]) -> list[Interval]:
    """Readings of a meter at instants with their offset."""
    at = [(round(datetime.fromisoformat(text).timestamp() * 1000), gallons) for text, gallons in readings]
    return [Interval(a, b, after - before, "", "") for (a, before), (b, after) in pairwise(at)]


def pumped_gal(well: PumpedWell, until: datetime) -> float:
    days, rates = well.schedule
    ends = [*days[1:], day_number(until)]
    return sum(q * (b - a) for a, b, q in zip(days, ends, rates, strict=True)) / 0.003785411784


def site_of(text: str) -> Site:
    return read_noun(Site, text, file="site.toml", error=BadSite)


def sample_site() -> Site:
    return site_of((demo.SAMPLE / "site.toml").read_text("utf-8"))


def test_the_hour_that_comes_twice_loses_no_water() -> None:
    """10,000 gallons an hour from 23:00 CDT, read every half hour: eight hours, 01:00 to 02:00 twice."""
    start = datetime.fromisoformat("2025-11-01T23:00-05:00")
    read = [((start + timedelta(minutes=30 * k)).isoformat(), 5_000.0 * k) for k in range(17)]
    (well,) = site_scenario(sample_site(), {"PW-1": [metered(*read)]}, {}, CHICAGO).well
    assert pumped_gal(well, datetime(2025, 11, 2, 6)) == pytest.approx(80_000, rel=1e-9)  # noqa: DTZ001
    assert well.steps[-1].rate.value == pytest.approx(240_000 * 0.003785411784, rel=1e-9)


def test_meters_read_at_other_times_add_up() -> None:
    one = metered(("2025-06-01T00:00-05:00", 0), ("2025-06-11T00:00-05:00", 1e6))
    other = metered(("2025-06-03T00:00-05:00", 5e5), ("2025-06-08T00:00-05:00", 7e5), ("2025-06-20T00:00-05:00", 7e5))
    (well,) = site_scenario(sample_site(), {"PW-1": [one, other]}, {}, CHICAGO).well
    gpd = [round(step.rate.value / 0.003785411784) for step in well.steps]
    assert gpd == [100_000, 140_000, 100_000, 0]
    assert pumped_gal(well, datetime(2025, 7, 1)) == pytest.approx(1.2e6, rel=1e-9)  # noqa: DTZ001


def test_the_maximum_of_a_site_is_its_own_permitted_rate(site: Path, ask: Ask) -> None:
    text = (site / "site.toml").read_text("utf-8")
    text = text.replace('id = "PW-1"\n', 'id = "PW-1"\npermitted = "500 gpm"\n', 1)
    text = text.replace("[aquifer]\n", '[aquifer]\nrecharge = "8 in/yr"\ndry_year_recharge = "2..3..4 in/yr"\n', 1)
    (site / "site.toml").write_text(text, encoding="utf-8")
    question = ("depletion", "--site", site, "--on", "2025-06-30", "--scenario", "maximum")
    (row,) = ask(*question)["rates"]["PW-1"]
    assert row["ft3_per_d"] == pytest.approx(500 * 1440 * 231 / 1728)
    assert ask(*question)["value"] == ask(*question, "--permitted", "PW-1=500 gpm")["value"]
    declared = site_scenario(site_of(text), {}, {}, CHICAGO, "maximum")
    assert declared.aquifer.dry_year_recharge is not None
    assert declared.aquifer.dry_year_recharge.text == "2..3..4 in/yr"
    (well,) = declared.well
    assert (well.steps, well.since) == ((), site_of(text).permit.mining_began)
