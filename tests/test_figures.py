"""Figures: Plotly takes every one, gaps stay gaps, and what is not known is not drawn as if it were."""

from __future__ import annotations

import itertools
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reports.figure_parts import MOST_POINTS, broken_line, log_axis, plain, runs_of, thinned
from reports.figures import concentration, stream_hydrograph, water_level_hydrograph
from reports.stream_days import stream_days

BASE = [(date(2025, 1, 1), 5.0)]


def _stream(values: list[float | None], approvals: str = "", marks: dict[int, str] | None = None) -> pd.DataFrame:
    """Days from 2025-01-01; None is a row without a value; an absent approval is provisional."""
    rows = [
        (date(2025, 1, 1) + timedelta(days=k), np.nan if value is None else value, approvals[k : k + 1] or "P",
         (marks or {}).get(k, ""), "published", f"f:{k}")
        for k, value in enumerate(values)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["day", "value", "approval", "qualifiers", "origin", "row_id"])


def _levels(*rows: tuple[str, float | None, str, bool]) -> pd.DataFrame:
    """(UTC time, depth, kind, dry)."""
    frame = pd.DataFrame(rows, columns=["time", "depth_ft", "kind", "dry"])
    times = pd.to_datetime(frame["time"], utc=True, format="ISO8601")
    return frame.assign(
        time_ms=times.map(lambda one: round(one.timestamp() * 1000)), day=times.dt.date, elevation_ft=np.nan,
        depth_ft=frame["depth_ft"].astype(float), row_id="f:1",
    )  # fmt: skip


def _named(figure: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in figure["data"] if one["name"].startswith(name))


def _bands(figure: dict[str, Any], name: str) -> list[tuple[str, str]]:
    return [(one["x0"], one["x1"]) for one in figure["layout"]["shapes"] if one.get("name") == name]


def test_plotly_takes_every_figure() -> None:
    rain = pd.DataFrame({"day": [date(2025, 1, 2)], "value": [0.4], "row_id": ["r:1"]})
    stream = stream_hydrograph(_stream([6, 4, None, 0]), BASE, "Creek", rain=rain, began=date(2025, 1, 2))
    level = water_level_hydrograph(
        _levels(("2025-01-01 12:00", 3.0, "hand", False), ("2025-02-01", None, "hand", True))
    )
    for figure in (
        stream,
        level,
        concentration(_results()),
        stream_hydrograph(_stream([])),
        stream_hydrograph(_stream([0])),
    ):
        go.Figure(figure)


def test_an_empty_record_is_an_empty_figure() -> None:
    assert stream_hydrograph(_stream([]), BASE)["data"] == []
    assert water_level_hydrograph(_levels())["data"] == []


def test_a_stream_is_not_joined_over_a_gap() -> None:
    frame = _stream([6.0, 7.0, None, 8.0, 9.0], "AAAAA").drop(index=3)
    line = _named(stream_hydrograph(frame), "Approved")
    assert line["x"] == ["2025-01-01", "2025-01-02", None, "2025-01-05"]
    assert line["y"] == [6.0, 7.0, None, 9.0]
    assert not line.get("connectgaps")


def test_provisional_is_dashed_and_meets_the_approved_line() -> None:
    figure = stream_hydrograph(_stream([6, 7, 8, 9], "AAPP"))
    approved, provisional = _named(figure, "Approved"), _named(figure, "Provisional")
    assert approved["line"]["dash"] == "solid"
    assert provisional["line"]["dash"] != "solid"
    assert approved["x"] == ["2025-01-01", "2025-01-02"]
    assert provisional["x"] == ["2025-01-02", "2025-01-03", "2025-01-04"]


def test_days_below_unknown_days_and_ice_are_shaded_apart() -> None:
    figure = stream_hydrograph(_stream([6, 4.9, 5.0, None, None, 4], marks={3: "Ice", 4: "Eqp"}), BASE)
    assert _bands(figure, "Below base flow") == [
        ("2025-01-01T12:00", "2025-01-02T12:00"), ("2025-01-05T12:00", "2025-01-06T12:00"),
    ]  # fmt: skip
    assert _bands(figure, "Ice: no value") == [("2025-01-03T12:00", "2025-01-04T12:00")]
    assert _bands(figure, "No value") == [("2025-01-04T12:00", "2025-01-05T12:00")]


def test_base_flow_is_a_step_line_and_judges_only_from_its_first_day() -> None:
    steps = [(date(2025, 1, 3), 5.0), (date(2025, 1, 5), 8.0)]
    figure = stream_hydrograph(_stream([4, 4, 4, 6, 6, 6]), steps)
    line = _named(figure, "Base flow")
    assert (line["x"], line["y"]) == (["2025-01-03", "2025-01-05", "2025-01-06"], [5.0, 8.0, 8.0])
    assert line["line"]["shape"] == "hv"
    assert stream_days(_stream([4, 4, 4, 6, 6, 6]), steps).below.tolist() == [False, False, True, False, True, True]


def test_a_dry_stream_is_marked_and_not_lost_on_the_log_axis() -> None:
    figure = stream_hydrograph(_stream([2, 0, 4]), BASE)
    assert figure["layout"]["yaxis"]["type"] == "log"
    assert _named(figure, "No flow")["x"] == ["2025-01-02"]
    assert _named(figure, "Provisional")["y"] == [2.0, None, 4.0]


def test_estimated_days_are_marked() -> None:
    frame = _stream([6, 7, 8], marks={1: "e"})
    frame.loc[2, "origin"] = "estimated"
    assert _named(stream_hydrograph(frame), "Estimated")["x"] == ["2025-01-02", "2025-01-03"]


def test_rain_hangs_from_the_top_in_its_own_panel() -> None:
    rain = pd.DataFrame({"day": [date(2024, 12, 31), date(2025, 1, 2)], "value": [9.0, 1.2]})
    figure = stream_hydrograph(_stream([6, 7, 8]), rain=rain)
    assert _named(figure, "Rain")["x"] == ["2025-01-02"]
    assert figure["layout"]["yaxis2"]["range"] == [2.0, 0]
    assert figure["layout"]["yaxis"]["domain"][1] < figure["layout"]["yaxis2"]["domain"][0]


def test_stage_is_linear_in_feet() -> None:
    axis = stream_hydrograph(_stream([6, 7]), measures="stage")["layout"]["yaxis"]
    assert (axis.get("type"), axis["title"]["text"]) == (None, "Stage, ft")


def test_depth_grows_downwards_and_hand_readings_are_open() -> None:
    frame = _levels(("2025-01-01 12:00", 3.0, "hand", False), ("2025-02-01 12:00", 3.5, "hand", False))
    figure = water_level_hydrograph(frame)
    assert figure["layout"]["yaxis"]["autorange"] == "reversed"
    hand = _named(figure, "Hand")
    assert (hand["mode"], hand["marker"]["symbol"]) == ("markers", "circle-open")
    assert hand["x"][0] == "2025-01-01T06:00"  # the clock of Wisconsin


def test_a_logger_is_not_joined_over_missing_readings() -> None:
    times = ["2025-01-01 00:00", "2025-01-01 06:00", "2025-01-01 12:00", "2025-01-03 00:00", "2025-01-03 06:00"]
    figure = water_level_hydrograph(_levels(*((time, 3.0, "logger", False) for time in times)))
    assert _named(figure, "Logger")["y"] == [3.0, 3.0, 3.0, None, 3.0, 3.0]


def test_a_dry_well_is_marked_below_the_deepest_water() -> None:
    frame = _levels(
        ("2025-01-01", 3.0, "hand", False), ("2025-02-01", 9.0, "hand", False), ("2025-03-01", None, "hand", True)
    )
    dry = _named(water_level_hydrograph(frame), "Dry")
    assert len(dry["y"]) == 1
    assert dry["y"][0] > 9.0


def _results() -> pd.DataFrame:
    cells = [
        ("MW-1", "2025-01-01", 0.5, "0.5", "mg/L", 0.02), ("MW-1", "2025-04-01", np.nan, "ND", "mg/L", 0.02),
        ("MW-2", "2025-01-01", 3000.0, "3000", "ug/L", 20.0),
    ]  # fmt: skip
    rows = [
        (*cell, limit * (1000 if cell[4] == "ug/L" else 1), kind, f"f:{k}")
        for k, cell in enumerate(cells)
        for limit, kind in ((2.0, "PAL"), (10.0, "ES"))
    ]
    columns = ["station", "sampled", "value", "value_text", "unit", "lod", "standard", "kind", "row_id"]
    return pd.DataFrame(rows, columns=columns)


def test_non_detects_are_hollow_at_the_lod_and_units_are_one() -> None:
    figure = concentration(_results())
    first, second = figure["data"]
    assert (first["y"], first["marker"]["symbol"]) == ([0.5, 0.02], ["circle", "circle-open"])
    assert second["y"] == [3.0]


def test_pal_is_dashed_and_es_is_solid() -> None:
    lines = concentration(_results())["layout"]["shapes"]
    assert [(one["y0"], one["line"]["dash"]) for one in lines] == [(2.0, "dash"), (10.0, "solid")]


def test_text_is_not_markup() -> None:
    hostile = "<script>alert(1)</script> & " + "x" * 300
    title = stream_hydrograph(_stream([1]), name=hostile)["layout"]["title"]["text"]
    assert title.startswith("&lt;script&gt;alert(1)&lt;/script&gt; &amp; ")
    assert len(plain("y" * 300)) == 60


@given(hnp.arrays(np.float64, st.integers(0, 12_000), elements=st.floats(-1e6, 1e6), fill=st.just(0.0)))
def test_thinning_keeps_order_ends_of_the_range_and_a_bound(values: np.ndarray) -> None:
    kept = thinned(values)
    assert len(kept) <= max(MOST_POINTS, 0)
    assert (np.diff(kept) > 0).all()
    if len(values):
        assert values[kept].min() == values.min()
        assert values[kept].max() == values.max()


def test_years_of_quarter_hours_become_a_figure_of_bounded_size() -> None:
    n = 350_000
    when = np.datetime64("2015-01-01T00:00") + np.arange(n) * np.timedelta64(15, "m")
    depth = 10 + np.sin(np.arange(n) / 9000)
    depth[123_456] = 25.0
    breaks = np.zeros(n, bool)
    breaks[200_000] = True
    x, y = broken_line(when, depth, breaks)
    assert len(x) <= MOST_POINTS + 1
    assert 25.0 in y
    assert y.count(None) == 1


@given(st.lists(st.booleans(), max_size=40))
def test_runs_are_the_groups_of_true(marks: list[bool]) -> None:
    wanted, at = [], 0
    for value, group in itertools.groupby(marks):
        size = len(list(group))
        wanted += [(at, at + size - 1)] if value else []
        at += size
    assert runs_of(np.array(marks, bool)) == wanted


@pytest.mark.parametrize(("low", "high"), [(4.0, 15.0), (0.02, 0.3), (1e-4, 1e4), (5.0, 5.0)])
def test_log_ticks_are_written_in_full(low: float, high: float) -> None:
    axis = log_axis("x", np.array([low, high]))
    within = [
        text for text, tick in zip(axis["ticktext"], axis["tickvals"], strict=True) if low / 2 <= tick <= high * 2
    ]
    assert len(within) >= 2
    assert all(float(text) == tick for text, tick in zip(axis["ticktext"], axis["tickvals"], strict=True))
    assert not any("e" in text for text in axis["ticktext"])
