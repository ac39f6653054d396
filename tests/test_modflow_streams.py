"""Streams that carry their own water (SFR) beside streams of constant level (RIV)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

from models.modflow.build import Choices, Pair, pair_of
from models.modflow.outcome import Outcome
from models.scenario.noun import day_number
from tests.mf6_runs import confined, outcome, well

Q = 864.0
CHOICES = Choices(ends=day_number(date(2026, 1, 1)), rhythm="one", fine_m=10.0, growth=1.3)
LINE = [(200.0, 3_000.0), (200.0, -3_000.0)]


def beside(kind: str = "confined", **routed: str) -> Pair:
    aquifer = {"kind": kind, "transmissivity": "432 m2/d", "storativity": "0.1", "thickness": "100 m"}
    stream: dict[str, Any] = {"id": "creek", "line": LINE, "conductance": "10 m/d", **routed}
    return pair_of(confined(aquifer=aquifer, well=[well("W", 0, 0)], stream=[stream]), CHOICES)


def carrying(inflow: str, width: str = "50 m", kind: str = "unconfined") -> Pair:
    return beside(kind, inflow=inflow, width=width, slope="0.01")


def depletion(pair: Pair) -> np.ndarray:
    return outcome(pair.stressed).budget["creek"] - outcome(pair.baseline).budget["creek"]


def test_a_stream_with_ample_water_is_one_of_constant_level() -> None:
    """To a ten thousandth of the pumping: its own depth of water is there with and without pumping."""
    fixed, routed = depletion(beside()), depletion(carrying("10000000 m3/d", "1000 m", "confined"))
    assert routed / Q == pytest.approx(fixed / Q, abs=1e-4)
    assert fixed[-1] > 0.5 * Q


@pytest.fixture(scope="module")
def small() -> Outcome:
    """A brook of a quarter of what is pumped."""
    return outcome(carrying("200 m3/d").stressed)


def test_a_brook_never_loses_more_than_it_carries(small: Outcome) -> None:
    leaves = small.stream_flow["creek"][:, -1]
    assert small.budget["creek"] == pytest.approx(200 - leaves, abs=0.05)
    assert small.budget["creek"].max() <= 200 * (1 + 1e-5)
    assert small.stream_flow["creek"].min() >= 0
    assert leaves[-1] < 1.0


def test_a_brook_runs_dry_where_it_has_given_all(small: Outcome) -> None:
    """Along its way its flow falls to nothing; the well takes the rest from the aquifer, and gets it."""
    flow = small.stream_flow["creek"][-1]
    assert flow[0] > 150
    assert np.all(np.diff(flow) <= 1e-6)
    assert small.well_rates["W"][-1] == pytest.approx(Q, rel=1e-6)
    assert small.budget["storage"][-1] > 0.6 * Q
    assert np.abs(small.discrepancy[1:]).max() < 0.1


def test_a_stream_without_water_gives_none() -> None:
    dry = outcome(carrying("0 m3/d").stressed)
    assert np.abs(dry.budget["creek"]).max() == pytest.approx(0.0, abs=1e-6)


def test_a_bed_that_lets_nothing_through_gives_nothing() -> None:
    stream = {"id": "creek", "line": LINE, "conductance": "0 m/d"}
    pair = pair_of(confined(well=[well("W", 0, 0)], stream=[stream]), replace(CHOICES, growth=1.4))
    assert np.abs(outcome(pair.stressed).budget["creek"]).max() == 0
