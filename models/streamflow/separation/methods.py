"""Every separation method by its command-line name, with its parameters: one way in for commands and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.separation import hysep, lyne_hollick, part, recursive, ukih
from models.streamflow.separation.parameters import AREA, RECESSION, Parameter
from models.streamflow.separation.runs import Floats, Ints, as_table, known

Value = float | int | str | Floats


@dataclass(frozen=True)
class Method:
    """A separation method.

    Parameters
    ----------
    name : on the command line.
    title : with its publication, in words.
    base_flow : the function; flow first, then the parameters by key.
    parameters : what it may be given; one without a default must be given.
    """

    name: str
    title: str
    base_flow: Callable[..., Floats]
    parameters: tuple[Parameter, ...]

    def settled(self, given: Mapping[str, object]) -> dict[str, Value]:
        """The parameters in force, checked, defaults filled in.

        Raises
        ------
        BadQuestion : an unknown parameter, one missing, or one out of range.
        """
        keys = [one.key for one in self.parameters]
        for key, value in given.items():
            if key not in keys:
                raise BadQuestion(f"no parameter of {self.name}", key=key, found=value, allowed=keys or ["none"])
        return {one.key: _settled(self.name, one, given.get(one.key)) for one in self.parameters}


@dataclass(frozen=True)
class Separation:
    """Base flow of one or many stations, and what it was made with.

    Parameters
    ----------
    method : name in `METHODS`.
    base_flow : float64[day] or [day, station], unit of flow; NaN where flow is unknown or the method undefined.
    bfi : float64[] or [station], base flow over flow, both summed over the days with base flow [-]; NaN where those
        have no flow or there are none.
    n : int[] or [station], days with base flow [d].
    parameters : every one in force, also those by default.
    """

    method: str
    base_flow: Floats
    bfi: Floats
    n: Ints
    parameters: dict[str, Value]


def separate(name: str, flow: ArrayLike, **parameters: object) -> Separation:
    """Separate base flow by a method of `METHODS`.

    Parameters
    ----------
    name : the method.
    flow : float64[day] or [day, station], daily mean flow, one entry per calendar day; NaN where unknown. Negative
        flow is taken as unknown. Cfs, where the method knows absolute flows (``hysep-local``, ``part``, ``wahl``).
    parameters : as the method declares them; None is not given.

    Raises
    ------
    BadQuestion : an unknown method or parameter, a missing or inadmissible value, or a wrong shape.
    """
    if name not in METHODS:
        raise BadQuestion("no such method", key="method", found=name, allowed=METHODS)
    settled = METHODS[name].settled({key: value for key, value in parameters.items() if value is not None})
    base = METHODS[name].base_flow(flow, **settled)
    return Separation(name, base, base_flow_index(flow, base), np.asarray(np.isfinite(base).sum(axis=0)), settled)


def base_flow_index(flow: ArrayLike, base_flow: ArrayLike) -> Floats:
    """sum(b) / sum(q) over the days where b is defined [-], () or (station,).

    Parameters
    ----------
    flow, base_flow : float64[day] or [day, station], the same unit and shape.
    """
    base, total = as_table(base_flow), as_table(flow)
    defined = known(base)
    sums = total.sum(axis=0, where=defined)
    index = np.full(sums.shape, np.nan)
    np.divide(base.sum(axis=0, where=defined), sums, out=index, where=sums > 0)
    return index.reshape(np.shape(flow)[1:])


def _settled(method: str, parameter: Parameter, value: object) -> Value:
    chosen = parameter.default if value is None else value
    if chosen is None:
        raise BadQuestion(
            f"{method} needs the {parameter.meaning} [{parameter.unit}]", key=parameter.key, allowed=[parameter.allowed]
        )
    checked = parameter.check(chosen)
    return float(checked) if isinstance(checked, np.ndarray) and checked.ndim == 0 else checked


_LYNE_HOLLICK = (
    lyne_hollick.ALPHA, lyne_hollick.PASSES, lyne_hollick.REFLECT, lyne_hollick.VARIANT, lyne_hollick.START,
)  # fmt: skip

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("hysep-fixed", "HYSEP fixed interval (Sloto & Crouse 1996)", hysep.hysep_fixed, (AREA,)),
        Method("hysep-sliding", "HYSEP sliding interval (Sloto & Crouse 1996)", hysep.hysep_sliding, (AREA,)),
        Method("hysep-local", "HYSEP local minimum (Sloto & Crouse 1996)", hysep.hysep_local_minimum, (AREA,)),
        Method("part", "PART (Rutledge 1998)", part.part, (AREA,)),
        Method(
            "ukih", "Smoothed minima (Institute of Hydrology 1980)", ukih.ukih, (ukih.BLOCK, ukih.FACTOR, ukih.ORIGIN)
        ),
        Method(
            "ukih-averaged", "Smoothed minima, mean of all block origins (Piggott et al. 2005)", ukih.ukih_averaged,
            (ukih.BLOCK, ukih.FACTOR),
        ),
        Method("wahl", "BFI program, standard (Wahl & Wahl 1995)", ukih.wahl, (ukih.BLOCK, ukih.FACTOR)),
        Method(
            "wahl-modified", "BFI program, modified (Wahl & Wahl 1995)", ukih.wahl_modified,
            (ukih.BLOCK, ukih.DAILY_FACTOR),
        ),
        Method("lyne-hollick", "Lyne & Hollick (1979)", lyne_hollick.lyne_hollick, _LYNE_HOLLICK),
        Method("chapman", "Chapman (1991)", recursive.chapman, (RECESSION,)),
        Method("chapman-maxwell", "Chapman & Maxwell (1996)", recursive.chapman_maxwell, (RECESSION,)),
        Method("boughton", "Boughton (1993)", recursive.boughton, (RECESSION, recursive.C)),
        Method("eckhardt", "Eckhardt (2005)", recursive.eckhardt, (recursive.ECKHARDT_ALPHA, recursive.BFI_MAX)),
        Method("furey-gupta", "Furey & Gupta (2001)", recursive.furey_gupta, (RECESSION, recursive.RATIO)),
        Method("willems", "Willems (2009)", recursive.willems, (RECESSION, recursive.QUICK_SHARE)),
        Method("ewma", "Moving average (Tularam & Ilahee 2008)", recursive.ewma, (recursive.SMOOTHING,)),
        Method(
            "ihacres", "IHACRES, three parameters (Jakeman & Hornberger 1993)", recursive.ihacres,
            (RECESSION, recursive.IHACRES_C, recursive.YESTERDAY),
        ),
    )
}  # fmt: skip
"""The registry; the order is that of the help."""
