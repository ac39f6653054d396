"""Runs of the real mf6 for tests: a model in, its outcome out, the workspace gone. The lock carries mf6."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from models.scenario.noun import Scenario
from pipelines.modflow.program import Program, program
from pipelines.modflow.run import run

AQUIFER = """
unit = "m"
[aquifer]
kind = "confined"
transmissivity = "400 m2/d"
storativity = "0.1"
thickness = "40 m"
"""
"""The first lines of a scenario file: metres, and an aquifer whose Theis is that of T 400 m2/d and S 0.1."""

_program = cache(program)


def outcome(model: NumericalModel) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="headwater-mf6-") as folder:
        return run(model, Path(folder), mf6())


def mf6() -> Program:
    return _program()


def confined(**more: Any) -> Scenario:
    """T 432 m2/d, S 0.1, a hundred metres thick, of which nothing drains; metres throughout."""
    aquifer = {"kind": "confined", "transmissivity": "432 m2/d", "storativity": "0.1", "thickness": "100 m"}
    return Scenario.model_validate({"unit": "m", "aquifer": aquifer} | more)


def well(id: str, x: float, y: float, rate: str = "864 m3/d", since: str = "2025-01-01") -> dict[str, Any]:
    return {"id": id, "position": (x, y), "rate": rate, "since": since}


def point(id: str, x: float, y: float) -> dict[str, Any]:
    return {"id": id, "position": (x, y)}
