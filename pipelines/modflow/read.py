"""What mf6 wrote, as arrays: heads that were kept, the budget of every step, heads at places asked about."""

from __future__ import annotations

import io
import re
from contextlib import closing
from pathlib import Path

import flopy
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.modflow.between_centres import between_centres
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from pipelines.modflow.write import BUDGET, HEADS, MOST_OUTER, OBSERVED, OUTER, bore_file, name_of

Numbers = NDArray[np.float64]
LIST = "mfsim.lst"
NORMAL = "Normal termination of simulation"
NOT_CONVERGED = "did not converge for stress period"
DRY = 1e29
"""mf6 writes 1e30 where a cell is no aquifer, and -1e30 where it fell dry."""
_SHORT = re.compile(r"(\d)([+-]\d{3})(?=[,\s]|$)")
"""Fortran drops the E where an exponent has three digits: -0.198364834816-101."""


def read_outcome(model: NumericalModel, folder: Path) -> Outcome:
    """The run that lies in a folder.

    Raises
    ------
    OSError, ValueError : a file is missing or cut.
    """
    steps = [(period, step) for period, one in enumerate(model.periods) for step in range(one.steps)]
    budget = _table(folder / BUDGET, len(steps))
    lengths = np.concatenate([_lengths(one.length, one.steps, one.growth) for one in model.periods])
    heads, kept = _heads(model, folder, steps)
    flows, said = _flows(model, budget), listed(folder)
    return Outcome(
        model, np.cumsum(lengths), np.array([one for one, _ in steps]), np.array([one for _, one in steps]),
        kept, heads, np.isnan(heads[:, model.active == 1]).sum(axis=1), _hydrographs(model, folder),
        flows, {one.id: -flows[one.id] for one in model.wells},
        ((budget["TOTAL_IN"] + budget["TOTAL_OUT"]) / 2).to_numpy(),
        budget["PERCENT_DIFFERENCE"].to_numpy(), _cumulative(budget, lengths),
        _outer(folder, steps), MOST_OUTER, *_bores(model, folder, len(steps)), _routed(model, folder, len(steps)),
        terminated=any(NORMAL in line for line in said), converged=not any(NOT_CONVERGED in line for line in said),
    )  # fmt: skip


def listed(folder: Path) -> list[str]:
    """The lines of mf6's listing of the simulation; none where it wrote none."""
    path = folder / LIST
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    return [line.strip() for line in text.splitlines()]


def _table(path: Path, rows: int | None = None) -> pd.DataFrame:
    """A table mf6 wrote, a row for each step where ``rows`` are wanted."""
    table = pd.read_csv(io.StringIO(_SHORT.sub(r"\1E\2", path.read_text(encoding="ascii"))))
    if rows is not None and len(table) != rows:
        raise ValueError(f"{path.name} has {len(table)} of {rows} rows")
    return table


def _lengths(length: float, steps: int, growth: float) -> Numbers:
    first = length / steps if growth == 1 else length * (growth - 1) / (growth**steps - 1)
    return np.asarray(first * growth ** np.arange(steps))


def _heads(model: NumericalModel, folder: Path, steps: list[tuple[int, int]]) -> tuple[Numbers, NDArray[np.int64]]:
    """Heads of the kept steps; NaN where dry: mf6's own mark, or with Newton a head at or below the cell's bottom."""
    with closing(flopy.utils.HeadFile(folder / HEADS)) as file:
        at = file.get_kstpkper()
        wanted = [file.get_data(kstpkper=one) for one in at]
    kept = np.array([steps.index((period, step)) for step, period in at], np.int64)
    if sorted(model.keep) != [steps[number] for number in kept]:
        raise ValueError(f"{HEADS} holds other steps than were to be kept")
    heads = np.array(wanted, np.float64)
    heads[(np.abs(heads) > DRY) | (heads <= model.grid.bottoms[None]) | (model.active == 0)[None]] = np.nan
    return heads, kept


def _flows(model: NumericalModel, budget: pd.DataFrame) -> dict[str, Numbers]:
    """Net flow into the aquifer of every package, by the id it stands for."""
    ids = {"recharge": "RECHARGE"}
    ids |= {one.id: f"FIXED_{number}" for number, one in enumerate(model.fixed)}
    ids |= {one.id: f"RIVER_{number}" for number, one in enumerate(model.rivers)}
    ids |= {one.id: f"DRAIN_{number}" for number, one in enumerate(model.drains)}
    ids |= {one.id: f"WELL_{number}" for number, one in enumerate(model.wells)}
    ids |= {one.id: f"STREAM_{number}" for number, one in enumerate(model.streams)}
    net: dict[str, Numbers] = {}
    storage = np.zeros(len(budget))
    for column in budget.columns:
        sign = 1.0 if column.endswith("_IN") else -1.0 if column.endswith("_OUT") else 0.0
        name = column.rpartition("_")[0]
        if name.startswith("STO-"):
            storage += sign * budget[column].to_numpy()
        inside = name[name.find("(") + 1 : name.find(")")] if "(" in name else ""
        if sign and inside:
            net[inside] = net.get(inside, np.zeros(len(budget))) + sign * budget[column].to_numpy()
    zero = np.zeros(len(budget))
    return {"storage": storage} | {id: net.get(package, zero) for id, package in ids.items()}


def _cumulative(budget: pd.DataFrame, lengths: Numbers) -> Numbers:
    """Of all water so far, what came in against what went out [percent], as mf6's own listing computes it."""
    came = np.cumsum(budget["TOTAL_IN"].to_numpy() * lengths)
    went = np.cumsum(budget["TOTAL_OUT"].to_numpy() * lengths)
    mean = (came + went) / 2
    return np.asarray(np.divide(100 * (came - went), mean, out=np.zeros_like(mean), where=mean > 0))


def _outer(folder: Path, steps: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Most of each step; the table has a row for each of its iterations."""
    most = _table(folder / OUTER).groupby(["kper", "kstp"])["nouter"].max()
    found = most.reindex([(period + 1, step + 1) for period, step in steps])
    if found.isna().any():
        raise ValueError(f"{OUTER} has {found.count()} of {len(steps)} steps")
    return found.to_numpy(np.int64)


def _hydrographs(model: NumericalModel, folder: Path) -> dict[str, Numbers]:
    if not model.observed:
        return {}
    table = _table(folder / OBSERVED, sum(one.steps for one in model.periods))
    found = {}
    for one in model.observed:
        parts = between_centres(model, one.position, one.layer)
        heads = np.array([table[name_of(cell).upper()].to_numpy(np.float64) for cell, _ in parts])
        bottoms = np.array([model.grid.bottoms[cell] for cell, _ in parts])
        dry = np.any((np.abs(heads) > DRY) | (heads <= bottoms[:, None]), axis=0)
        found[one.id] = np.where(dry, np.nan, np.array([weight for _, weight in parts]) @ np.where(dry, 0.0, heads))
    return found


def _bores(model: NumericalModel, folder: Path, steps: int) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    """The level in each bore, and what each of its cells gives it."""
    tables = {
        one.id: _table(folder / bore_file(number), steps).to_numpy(np.float64)[:, 1:]
        for number, one in enumerate(model.wells)
        if one.multi_aquifer is not None
    }
    return {id: one[:, 0] for id, one in tables.items()}, {id: one[:, 1:] for id, one in tables.items()}


def _routed(model: NumericalModel, folder: Path, steps: int) -> dict[str, Numbers]:
    """Flow out of every reach; mf6 counts what leaves as below 0."""
    return {
        one.id: np.abs(_table(folder / f"stream_{number}.csv", steps).to_numpy(np.float64)[:, 1:])
        for number, one in enumerate(model.streams)
    }
