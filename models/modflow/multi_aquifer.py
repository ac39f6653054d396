"""Which layers a pumped well draws on, and how: a well of one layer by its rate (WEL), of several by its bore (MAW).

Only a bore shares a rate as nature does. Shares fixed by transmissivity are those of a long time without leakage; they
go on to draw on a layer that storage, leakage or a falling water table has made to give less, until it falls dry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log, pi, sqrt

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.modflow.bore import Bore
from models.modflow.numerical import Grid, WellStress
from models.modflow.strata import Strata
from models.modflow.through_cells import cell_at
from models.scenario.in_wells import LEAST_RADIUS
from models.scenario.noun import PumpedWell, Scenario

LEAST_OPEN_M = 0.03
"""A tenth of a foot, the last figure of a well log: a screen that reaches no farther into a layer is not open to it."""


@dataclass(frozen=True)
class Opening:
    """One layer a well is open to: its number, its thickness before pumping, and how much of that is open [m]."""

    layer: int
    thickness: float
    open: float


def openings(well: PumpedWell, strata: Strata) -> tuple[Opening, ...]:
    """The layers a well is open to, from the top; all of them where its screen is not known.

    Raises
    ------
    BadQuestion : a screen that lies in no layer.
    """
    low = np.array([0.0, *strata.depths[:-1]])
    top, bottom = _below_table_m(well) or (0.0, strata.depths[-1])
    parts = np.minimum(bottom, strata.depths) - np.maximum(top, low)
    found = tuple(
        Opening(k, thick, float(part))
        for k, (thick, part) in enumerate(zip(strata.thicknesses, parts, strict=True))
        if part >= min(LEAST_OPEN_M, thick / 2)
    )
    if not found:
        span = f"{top:.3g} to {bottom:.3g} m below the water table"
        allowed = [f"somewhere in 0 to {strata.depths[-1]:.3g} m below it"]
        raise BadQuestion("its screen lies in no layer", key=f"well[{well.id}].screen", found=span, allowed=allowed)
    return found


def _below_table_m(well: PumpedWell) -> tuple[float, float] | None:
    """Both ends of the screen below the undisturbed water table [m]; None where that is not known."""
    if well.screen_top is None or well.screen_bottom is None or well.water_depth is None:
        return None
    return well.screen_top.value - well.water_depth.value, well.screen_bottom.value - well.water_depth.value


def wells_of(scenario: Scenario, grid: Grid, strata: Strata, rates: Sequence[Numbers]) -> tuple[WellStress, ...]:
    """Every well with its cells, its share of each by transmissivity, and its bore where it has more than one.

    Parameters
    ----------
    rates : float64[periods after the steady one] of each well [m3/d].

    Raises
    ------
    BadQuestion : a well outside the grid; a screen in no layer; a bore as wide as its cell.
    """
    return tuple(_well(scenario, well, grid, strata, one) for well, one in zip(scenario.well, rates, strict=True))


def _well(scenario: Scenario, well: PumpedWell, grid: Grid, strata: Strata, pumped: Numbers) -> WellStress:
    row, column = cell_at(grid, scenario.metres(well.position), f"well[{well.id}].position")
    opened = openings(well, strata)
    giving = np.array([strata.layers[one.layer].conductivity * one.open for one in opened])
    shares = (giving / giving.sum()).tolist()
    cells = tuple(((one.layer, row, column), part) for one, part in zip(opened, shares, strict=True))
    bore = _bore(well, grid, strata, opened, (row, column)) if len(opened) > 1 else None
    return WellStress(well.id, cells, np.concatenate([[0.0], pumped]), bore)


def at_rest(wells: Sequence[WellStress]) -> tuple[WellStress, ...]:
    """What of the wells is there without pumping: a bore joins its layers whether it is pumped or not."""
    return tuple(replace(one, rates=np.zeros_like(one.rates)) for one in wells if one.bore is not None)


# The bore -------------------------------------------------------------------------------------------------------------


def radius_m(well: PumpedWell) -> float:
    """As stated, or half a foot."""
    return (well.radius or LEAST_RADIUS).value


def _bore(well: PumpedWell, grid: Grid, strata: Strata, opened: Sequence[Opening], place: tuple[int, int]) -> Bore:
    radius, around = radius_m(well), equivalent_radius(grid, *place)
    if radius >= around:
        width = float(min(grid.widths[place[1]], grid.heights[place[0]]))
        wide = f"--fine '{1.2 * width * radius / around:.2g} m'"
        raise BadQuestion(
            "a bore as wide as what its cell stands for", key=f"well[{well.id}].radius", found=f"{radius:.3g} m",
            allowed=[f"below {around:.3g} m", wide],
        )  # fmt: skip
    found = [_conductance(strata, one, radius, around) for one in opened]
    return Bore(radius, float(grid.bottoms[(opened[-1].layer, *place)]), np.array(found))


def _conductance(strata: Strata, opening: Opening, radius: float, around: float) -> float:
    """2 pi K b / (ln(r_o / r_w) + s_p) [m2/d], Thiem's (1906) of the whole layer with its screen's skin.

    mf6's own THIEM takes every screen for one of the whole cell, and its SKIN leaves out the way within the cell.
    """
    layer = strata.layers[opening.layer]
    anisotropy = layer.vertical_conductivity / layer.conductivity
    skin = partial_screen_skin(opening.open / opening.thickness, opening.thickness, radius, anisotropy)
    return 2 * pi * layer.conductivity * opening.thickness / (log(around / radius) + skin)


def partial_screen_skin(share: float, thickness: float, radius: float, anisotropy: float) -> float:
    """What a screen in a part of its layer holds back more than one in all of it [-].

    Parameters
    ----------
    share : p, of the layer that is open, from its top or its bottom on.
    thickness, radius : b and r_w [m].
    anisotropy : Kv/K.

    Notes
    -----
    s_p = (1/p - 1) (ln h_D - G(p)), h_D = b / r_w sqrt(K/Kv), G(p) = 2.948 - 7.363 p + 11.45 p^2 - 4.675 p^3 (Brons &
    Marting 1961, J. Petroleum Technology 13(2), 172-174); never below 0.
    """
    p = min(share, 1.0)
    depth = thickness / radius * sqrt(1 / anisotropy)
    return max((1 / p - 1) * (log(depth) - (2.948 - 7.363 * p + 11.45 * p**2 - 4.675 * p**3)), 0.0)


def equivalent_radius(grid: Grid, row: int, column: int) -> float:
    """r_o [m]: how far from a well Thiem's head is that of its cell, whatever its neighbours' widths.

    Notes
    -----
    A cell's balance is sum_i w_i / d_i (h_i - h_0) = Q / T over its four neighbours, w_i the side they share and d_i
    between the centres; with h_i - h_0 = Q / (2 pi T) ln(d_i / r_o), ln r_o = (sum_i w_i / d_i ln d_i - 2 pi) /
    sum_i w_i / d_i. Among cells of one width that is exp(-pi / 2) = 0.208 of it (Peaceman 1978, SPE Journal 18(3)).
    """
    wide, high = grid.widths[column], grid.heights[row]
    apart = np.array([*_beside(grid.widths, column), *_beside(grid.heights, row)])
    sides = np.array([high, high, wide, wide]) / apart
    return float(np.exp((sides @ np.log(apart) - 2 * pi) / sides.sum()))


def _beside(widths: Numbers, number: int) -> tuple[float, float]:
    """From the centre of a cell to those of both neighbours [m]."""
    return tuple((widths[number] + widths[number + step]) / 2 for step in (-1, 1))


# In words -------------------------------------------------------------------------------------------------------------


def wells_say(scenario: Scenario, strata: Strata) -> Iterator[str]:
    """What is taken for granted of each well."""
    for well in scenario.well:
        opened, known = openings(well, strata), _below_table_m(well) is not None
        if len(opened) > 1:
            yield _bore_says(well, strata, opened, known=known)
        elif known and opened[0].open < opened[0].thickness - LEAST_OPEN_M:
            one = opened[0]
            name = strata.layers[one.layer].name
            yield (
                f"{well.id} opens {one.open:.3g} of the {one.thickness:.3g} m of {name}, and is taken to draw on all "
                "of it: nearer to it than about that thickness its drawdown is another"
            )


def _bore_says(well: PumpedWell, strata: Strata, opened: Sequence[Opening], *, known: bool) -> str:
    names = ", ".join(strata.layers[one.layer].name for one in opened)
    partly = [one for one in opened if one.open < one.thickness - LEAST_OPEN_M]
    words = f"{well.id} takes from each of the layers {names} what the level in its bore draws (MAW)"
    if not known:
        words += "; where its screen lies in them is not known: open to all"
    for one in partly:
        name = strata.layers[one.layer].name
        words += f"; of {name} it opens {one.open:.3g} of {one.thickness:.3g} m, held back as Brons & Marting (1961)"
    radius = "" if well.radius is not None else f"; the bore's radius {LEAST_RADIUS.value:g} m, which nobody stated"
    return words + radius
