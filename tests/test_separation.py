"""Base-flow separation: the reference table, published series, the registry and the properties of every method."""

from __future__ import annotations

import csv
import inspect
import math
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from models.errors import BadQuestion
from models.streamflow.separation import side_by_side, stack
from models.streamflow.separation.methods import METHODS, base_flow_index, separate

SHARED = Path(__file__).parents[2] / "shared"
DATA = Path(__file__).parent / "data"
needs_series = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")

with (DATA / "reference_bfi.csv").open(encoding="utf-8", newline="") as file:
    REFERENCE = list(csv.DictReader(file))
OWN = [row for row in REFERENCE if row["package"] == "REFERENCE(own)"]
PUBLISHED = {row["dataset"]: row for row in REFERENCE if row["package"].startswith("PUBLISHED")}

CONSTRAINED = {"variant": "nathan-mcmahon", "start": "zero"}
ROWS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "hysep_fixed": ("hysep-fixed", {}, False),
    "hysep_sliding": ("hysep-sliding", {}, False),
    "hysep_locmin": ("hysep-local", {}, False),
    "part": ("part", {}, False),
    "ukih": ("ukih", {}, False),
    "bfi_semilog(Wahl)": ("wahl", {}, False),
    "bfi_modified(Wahl K=0.97915)": ("wahl-modified", {}, False),
    "lh925_3pass_pad30_unconstr(Ladson,qf0=q0)": ("lyne-hollick", {}, False),
    "lh925_3pass_pad30_unconstr(qf0=0)": ("lyne-hollick", {"start": "zero"}, False),
    "lh925_3pass_pad30_constr": ("lyne-hollick", CONSTRAINED, False),
    "lh925_1pass_pad30_unconstr": ("lyne-hollick", {"passes": 1, "start": "zero"}, False),
    "lh925_1pass_pad30_constr": ("lyne-hollick", {"passes": 1, **CONSTRAINED}, False),
    "lh925_2pass_constr_nopad": ("lyne-hollick", {"passes": 2, "reflect_days": 0, **CONSTRAINED}, False),
    "chapman": ("chapman", {}, True),
    "chapman_maxwell": ("chapman-maxwell", {}, True),
    "boughton_C0.05": ("boughton", {"c": 0.05}, True),
    "eckhardt_0.80": ("eckhardt", {"bfi_max": 0.80}, True),
    "eckhardt_0.98_0.80": ("eckhardt", {"alpha": 0.98, "bfi_max": 0.80}, False),
    "furey_A1": ("furey-gupta", {"ratio": 1.0}, True),
    "willems_w0.5": ("willems", {"w": 0.5}, True),
}
"""Row of the table: method, its parameters, and whether it takes the recession constant printed in the note."""

EXAMPLE = {"area_mi2": 60.0, "alpha": 0.95, "smoothing": 0.1, "c": 0.1, "alpha_s": -0.2}
"""One admissible value of every parameter that must be given."""
TURNING_POINTS = {"hysep-local", "part", "ukih", "ukih-averaged", "wahl", "wahl-modified"}
"""Undefined before, after or without turning points; the others are defined on every known day."""
UNIT_FREE = [name for name in METHODS if name not in {"hysep-local", "part", "wahl", "wahl-modified"}]


def series(name: str) -> dict[str, np.ndarray]:
    with (SHARED / "baseflow" / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {key: [row[key] for row in rows] for key in rows[0] if key not in {"date", "flag"}}
    numbers = {key: np.array([float(cell) if cell else math.nan for cell in cells]) for key, cells in columns.items()}
    return {"date": np.array([row["date"] for row in rows]), **numbers}


def given_for(name: str) -> dict[str, Any]:
    return {one.key: EXAMPLE[one.key] for one in METHODS[name].parameters if one.default is None}


# The reference table --------------------------------------------------------------------------------------------------


@needs_series
@pytest.mark.parametrize("row", OWN, ids=lambda row: f"{row['dataset']}-{row['method']}")
def test_every_row_of_the_reference_table(row: dict[str, str]) -> None:
    name, parameters, takes_k = ROWS[row["method"]]
    record = series(row["dataset"])
    first, last = row["period"].split("..")
    flow = record["q"][(record["date"] >= first) & (record["date"] <= last)]
    if "area_mi2" in {one.key for one in METHODS[name].parameters}:
        parameters = {**parameters, "area_mi2": float(row["area_mi2"])}
    if takes_k:
        parameters = {**parameters, "alpha": float(row["note"].split()[0].removeprefix("k="))}
    found = separate(name, flow, **parameters)
    assert flow.size == int(row["n_days"])
    assert float(found.bfi) == pytest.approx(float(row["bfi"]), abs=2e-5 if takes_k else 1e-6, rel=0)
    assert int(found.n) == int(row["n_finite"])


def test_the_reference_table_is_whole() -> None:
    assert len(OWN) == 100
    assert {row["method"] for row in OWN} == set(ROWS)
    assert len(PUBLISHED) == 2


@needs_series
def test_river_ray_day_by_day() -> None:
    record = series("uk_ray_tallaksen")
    found = separate("ukih", record["q"])
    np.testing.assert_allclose(found.base_flow, record["bf_ref"], rtol=0, atol=5.000001e-7)
    row = PUBLISHED["uk_ray_tallaksen"]
    assert int(found.n) == int(row["n_finite"]) == 1066
    assert float(found.bfi) == pytest.approx(float(row["bfi"]), abs=1e-6)


@needs_series
def test_river_pang_day_by_day() -> None:
    """The line is drawn here through the 36 turning points that the report prints (flow to 0.001 m3/s)."""
    flow = series("uk_pang_ih1980")["q"]
    with (SHARED / "baseflow/data/uk_pang_ih1980_turning_points.csv").open(encoding="utf-8", newline="") as file:
        printed = list(csv.reader(file))[1:]
    jan1 = np.datetime64("1970-01-01")
    months = [row[0].split("/") for row in printed]
    at = np.array([int((np.datetime64(f"1970-{int(m):02}-{int(d):02}") - jan1).astype(int)) for d, m in months])
    value = np.array([float(row[1]) for row in printed])
    line = np.minimum(np.interp(np.arange(flow.size), at, value, left=math.nan, right=math.nan), flow)
    found = separate("ukih", flow)
    np.testing.assert_allclose(found.base_flow, line, rtol=0, atol=5e-4)
    np.testing.assert_array_equal(found.base_flow[at], flow[at])
    increments = sum(float(row[4]) for row in printed if row[4])
    total = flow[np.isfinite(found.base_flow)].sum()
    assert len(printed) == int(PUBLISHED["uk_pang_ih1980"]["n_finite"]) == 36
    assert increments / total == pytest.approx(float(PUBLISHED["uk_pang_ih1980"]["bfi"]), abs=1e-6)


@needs_series
def test_backwater_flow_is_unknown_never_its_absolute_value() -> None:
    flow = series("wi_05427850_yahara_hwy113")["q"]
    reverse = flow < 0
    assert reverse.sum() == 10
    for name in METHODS:
        found = separate(name, flow, **given_for(name))
        assert np.isnan(found.base_flow[reverse]).all()
        assert (found.base_flow[np.isfinite(found.base_flow)] >= 0).all()


# The registry ---------------------------------------------------------------------------------------------------------


def test_the_names_of_the_command_line() -> None:
    asked = {"ukih", "hysep-fixed", "hysep-sliding", "hysep-local", "part", "lyne-hollick", "eckhardt", "chapman"}
    also = {"chapman-maxwell", "boughton", "furey-gupta", "willems", "ewma", "ihacres", "wahl", "wahl-modified"}
    assert asked | also | {"ukih-averaged"} == set(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_declared_parameters_are_those_of_the_function(name: str) -> None:
    """Same keys in the same order, and one default said twice is the same default."""
    method = METHODS[name]
    arguments = list(inspect.signature(method.base_flow).parameters.values())[1:]
    assert [one.name for one in arguments] == [one.key for one in method.parameters]
    empty = inspect.Parameter.empty
    assert [None if one.default is empty else one.default for one in arguments] == [
        one.default for one in method.parameters
    ]
    assert all(one.meaning and one.unit and one.allowed for one in method.parameters)


def test_every_parameter_in_force_is_told() -> None:
    found = separate("lyne-hollick", np.ones(5), alpha=0.9, passes=None)
    assert found.method == "lyne-hollick"
    assert found.parameters == {
        "alpha": 0.9, "passes": 3, "reflect_days": 30, "variant": "ladson", "start": "flow",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("bfi", {}, "method: no such method (found 'bfi'); allowed: hysep-fixed,"),
        ("part", {}, "area_mi2: part needs the drainage area [mi2]; allowed: above 0"),
        ("hysep-fixed", {"area_mi2": 0}, "area_mi2: out of range (found 0.0); allowed: above 0"),
        ("hysep-fixed", {"area_mi2": math.nan}, "area_mi2: out of range (found nan); allowed: above 0"),
        ("hysep-fixed", {"area_mi2": [5, -1]}, "area_mi2: out of range (found -1.0); allowed: above 0"),
        ("hysep-fixed", {"area_mi2": [5, 6, 7]}, "area_mi2: wrong number of values (found (3,)); allowed: one,"),
        ("chapman", {"alpha": 1}, "alpha: out of range (found 1.0); allowed: above 0 to below 1"),
        ("chapman", {"alpha": "fast"}, "alpha: not a number (found 'fast'); allowed: above 0 to below 1"),
        ("willems", {"alpha": 0.9, "w": 1.1}, "w: out of range (found 1.1); allowed: above 0 to 1"),
        ("ukih", {"aplha": 0.9}, "aplha: no parameter of ukih (found 0.9); allowed: block_days, factor, origin_days"),
        ("ukih", {"origin_days": 5}, "origin_days: out of range (found 5); allowed: a whole number from 0 to 4"),
        ("ukih", {"block_days": 2.5}, "block_days: out of range (found 2.5); allowed: a whole number from 1 to 365"),
        ("lyne-hollick", {"passes": True}, "passes: out of range (found True); allowed: a whole number from 1 to 9"),
        ("lyne-hollick", {"variant": "x"}, "variant: no such choice (found 'x'); allowed: ladson, nathan-mcmahon"),
    ],
)
def test_a_bad_parameter_is_named(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(BadQuestion) as refused:
        separate(name, np.ones((9, 2)), **parameters)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(("flow", "found"), [(np.ones((2, 2, 2)), (2, 2, 2)), (3.0, ()), ("creek", None)])
def test_a_bad_shape_is_named(flow: Any, found: object) -> None:
    with pytest.raises(BadQuestion) as refused:
        separate("ukih", flow)
    assert (refused.value.key, refused.value.found) == ("flow", found)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("shape", [(0,), (0, 3), (5, 0), (1,), (3, 2)])
def test_little_or_nothing_to_separate(name: str, shape: tuple[int, ...]) -> None:
    for value in (1.0, 0.0, math.nan):
        found = separate(name, np.full(shape, value), **given_for(name))
        assert found.base_flow.shape == shape
        assert found.bfi.shape == found.n.shape == shape[1:]
        defined = np.isfinite(found.base_flow)
        assert not (defined & (value != 1.0) & (found.base_flow != 0)).any()
        assert np.isnan(found.bfi).all() or value == 1.0


def test_bfi_counts_only_days_with_base_flow() -> None:
    assert float(base_flow_index([10.0, 20.0, 30.0, math.nan], [math.nan, 5.0, 15.0, math.nan])) == 20 / 50


# Properties of every method -------------------------------------------------------------------------------------------

amounts = st.one_of(st.floats(0.01, 1000), st.integers(1, 20).map(float), st.just(0.0))
days = st.one_of(amounts, amounts, amounts, amounts, st.sampled_from([math.nan, -3.0, math.inf]))
records = st.integers(1, 120).flatmap(lambda n: arrays(np.float64, n, elements=days))
tables = st.tuples(st.integers(1, 60), st.integers(2, 4)).flatmap(lambda s: arrays(np.float64, s, elements=days))
each_method = pytest.mark.parametrize("name", METHODS)


@each_method
@settings(max_examples=30, deadline=None)
@given(flow=records)
def test_base_flow_lies_between_zero_and_flow(name: str, flow: np.ndarray) -> None:
    base = separate(name, flow, **given_for(name)).base_flow
    is_known = np.isfinite(flow) & (flow >= 0)
    defined = np.isfinite(base)
    assert not (defined & ~is_known).any()
    assert ((base[defined] >= 0) & (base[defined] <= flow[defined])).all()
    assert name in TURNING_POINTS or (defined == is_known).all()


@each_method
@settings(max_examples=25, deadline=None)
@given(flow=records, exponent=st.integers(-6, 6))
def test_another_unit_of_flow_changes_nothing_but_the_unit(name: str, flow: np.ndarray, exponent: int) -> None:
    """Exact for powers of two; logarithms round, and know a zero flow only in one unit."""
    if name not in UNIT_FREE:
        flow = np.where(flow == 0, 1.0, flow)
    scale = 2.0**exponent
    one, other = (separate(name, q, **given_for(name)).base_flow for q in (flow, flow * scale))
    np.testing.assert_allclose(other, one * scale, rtol=0 if name in UNIT_FREE else 1e-9, atol=0)


@each_method
@settings(max_examples=30, deadline=None)
@given(before=records, gap=st.integers(1, 3), after=records)
def test_a_gap_parts_two_records(name: str, before: np.ndarray, gap: int, after: np.ndarray) -> None:
    parameters = given_for(name)
    whole = separate(name, np.concatenate([before, np.full(gap, math.nan), after]), **parameters).base_flow
    parts = [separate(name, part, **parameters).base_flow for part in (before, after)]
    np.testing.assert_array_equal(whole, np.concatenate([parts[0], np.full(gap, math.nan), parts[1]]))


@each_method
@settings(max_examples=30, deadline=None)
@given(table=tables)
def test_a_station_does_not_see_its_neighbours(name: str, table: np.ndarray) -> None:
    parameters = given_for(name)
    found = separate(name, table, **parameters)
    alone = [separate(name, column, **parameters) for column in table.T]
    np.testing.assert_array_equal(found.base_flow, np.column_stack([one.base_flow for one in alone]))
    np.testing.assert_array_equal(found.n, [int(one.n) for one in alone])
    np.testing.assert_allclose(found.bfi, [float(one.bfi) for one in alone], rtol=1e-12)


@each_method
def test_every_station_has_its_own_parameters(name: str) -> None:
    flow = np.random.default_rng(7).lognormal(size=(200, 3))
    numbers = {one.key for one in METHODS[name].parameters if hasattr(one, "each")}
    values = {
        "area_mi2": [2.0, 300.0, 5000.0], "alpha": [0.8, 0.9, 0.99], "smoothing": [0.1, 0.3, 1.0], "c": [0.02, 0.1, 2],
        "alpha_s": [-0.5, 0, 0.5], "bfi_max": [0.25, 0.5, 0.8], "ratio": [0.1, 1, 5], "w": [0.2, 0.5, 1],
        "factor": [0.5, 0.9, 1], "daily_factor": [0.9, 0.97, 1],
    }  # fmt: skip
    several = separate(name, flow, **{key: values[key] for key in numbers}).base_flow
    for station in range(3):
        alone = separate(name, flow[:, station], **{key: values[key][station] for key in numbers}).base_flow
        np.testing.assert_array_equal(several[:, station], alone)


@each_method
def test_stations_are_taken_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = np.random.default_rng(8).lognormal(size=(50, 7))
    flow[10:13, 2] = math.nan
    area = np.array([5.0, 50, 500, 5000, 5, 50, 500])
    parameters = given_for(name) | ({"area_mi2": area} if "area_mi2" in given_for(name) else {})
    whole = separate(name, flow, **parameters).base_flow
    monkeypatch.setattr(stack, "CELLS", 100)
    monkeypatch.setattr(side_by_side, "STATIONS", 2)
    np.testing.assert_array_equal(separate(name, flow, **parameters).base_flow, whole)


@each_method
def test_flow_is_left_as_it_was(name: str) -> None:
    flow = np.random.default_rng(9).lognormal(size=(90, 2))
    before = flow.copy()
    separate(name, np.asfortranarray(flow), **given_for(name))
    separate(name, flow, **given_for(name))
    np.testing.assert_array_equal(flow, before)


# Cost -----------------------------------------------------------------------------------------------------------------


def calls(name: str, days: int, stations: int) -> int:
    """How many functions a separation calls: a measure of time that no busy machine can change."""
    flow = np.random.default_rng(3).lognormal(size=(days, stations))
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        separate(name, flow, **given_for(name))
    finally:
        sys.setprofile(before)
    return count


@each_method
def test_more_stations_cost_no_more_steps(name: str) -> None:
    """No loop over stations; PART alone repeats until the last station is done."""
    assert calls(name, 300, 64) <= (2 if name == "part" else 1) * calls(name, 300, 2) + 20


@each_method
def test_steps_grow_no_faster_than_the_record(name: str) -> None:
    assert calls(name, 1200, 2) <= 4.4 * calls(name, 300, 2)


@settings(max_examples=20, deadline=None)
@given(flow=records)
def test_willems_at_one_half_is_chapman(flow: np.ndarray) -> None:
    assume(np.isfinite(flow).any())
    one, other = (separate(name, flow, alpha=0.93).base_flow for name in ("willems", "chapman"))
    np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
