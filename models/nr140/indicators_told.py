"""The PAL of an indicator in words and plain data: the background it rests on, or what that lacks."""

from __future__ import annotations

from datetime import date
from decimal import Context, Decimal
from typing import Any

from models.nr140.indicators import IndicatorPal, worth
from models.statistics.background import Background, Bounded, WellShare
from models.statistics.censored import Insufficient
from models.statistics.kaplan_meier import LARGEST_CENSORED_SHARE

SD_FIGURES = 3
"""Of a standard deviation of a few results, printed."""


def basis(pal: IndicatorPal, on: date) -> str:
    """How a PAL came about, in one line; where there is none, why."""
    if isinstance(pal.found, Insufficient):
        return f"no indicator PAL: {pal.found.reason}{_left_out(pal)}{_still_runs(pal, on)}"
    if isinstance(pal.found, Bounded):
        return f"{_bounded(pal, pal.found)}{_left_out(pal)}{_still_runs(pal, on)}"
    found, unit = pal.found, pal.indicator.unit
    limits = [worth(one, ()) for one in (found.lower, found.upper) if one is not None]
    return (
        f"PAL {' and '.join(map(str, limits))} {unit}: mean {worth(found.mean, ())} of {_wells(found)}, "
        f"{pal.record.first} to {pal.record.last} ({found.method}), and {_increase(pal, found)}"
        f"{_outliers(pal, found)}{_left_out(pal)}{_still_runs(pal, on)}"
    )


def basis_facts(pal: IndicatorPal) -> dict[str, Any]:
    """The same as plain data: numbers beside nothing they were not computed from."""
    record = pal.record
    said: dict[str, Any] = {
        "indicator": pal.indicator.parameter, "unit": pal.indicator.unit, "from": record.first.isoformat(),
        "to": record.last.isoformat(), "decision": record.decision, "left_out": list(pal.left_out),
        "wells": {well: len(pal.results.get(well, ())) for well in record.wells},
    }  # fmt: skip
    if isinstance(pal.found, Insufficient):
        return said | {"status": "indeterminate", "reason": pal.found.reason, "missing": pal.found.missing}
    if isinstance(pal.found, Bounded):
        return said | _bounded_facts(pal, pal.found)
    found = pal.found
    lower = None if found.lower is None else float(found.lower)
    return said | {
        "status": "set", "mean": float(found.mean), "sd": float(found.sd), "n": found.n, "n_censored": found.n_censored,
        "increase": float(found.increase), "governed_by": found.governed_by, "upper": float(found.upper),
        "lower": lower, "method": found.method, "outliers": outliers(pal),
    }  # fmt: skip


def _bounded(pal: IndicatorPal, found: Bounded) -> str:
    """``PAL 25 to 25.5 mg/L: …``; every result is there, but too few were detected for a mean."""
    unit, record = pal.indicator.unit, pal.record
    upper, mean, step = (_span(one) for one in (found.upper, found.mean, found.increase))
    return (
        f"PAL {upper} {unit}: mean {mean} of {_wells(found)}, {record.first} to {record.last} ({found.method}: too few "
        f"were detected for a mean), and the larger of {pal.indicator.sd_multiple} SD and the increase of "
        f"{pal.indicator.increment}, {step} {unit}"
    )


def _bounded_facts(pal: IndicatorPal, found: Bounded) -> dict[str, Any]:
    (least, most), (low, high) = found.upper, found.mean
    return {
        "status": "set", "mean": None, "mean_least": float(low), "mean_greatest": float(high), "sd": None, "n": found.n,
        "n_censored": found.n_censored, "increase": float(found.increase[1]), "governed_by": None,
        "upper": float(most), "upper_least": float(least), "lower": None, "method": found.method,
        "outliers": outliers(pal),
    }  # fmt: skip


def _span(bounds: tuple[Decimal, Decimal]) -> str:
    low, high = (f"{worth(one, bounds):f}" for one in bounds)
    return low if low == high else f"{low} to {high}"


def missing(pal: IndicatorPal) -> dict[str, str]:
    """By background well what it lacks of one indicator: ``ph 5 of 8 results, 3 missing``."""
    if pal.lacks is None:
        return {}
    have = {well: len(pal.results.get(well, ())) for well in pal.record.wells}
    short = {
        well: f"{pal.indicator.parameter} {n} of {pal.minimum} results, {pal.minimum - n} missing"
        for well, n in have.items()
        if n < pal.minimum
    }
    return short or {pal.record.wells[0]: f"{pal.indicator.parameter}: {pal.lacks.reason}"}


def outliers(pal: IndicatorPal) -> list[str]:
    """Background results that stand apart from the rest of their well, with the test; all of them are kept."""
    if isinstance(pal.found, Insufficient):
        return []
    return [
        f"{share.well} {pal.results[share.well][one.row].day} {pal.results[share.well][one.row].measured.value} "
        f"({one.test})"
        for share in pal.found.wells
        for one in share.outliers
    ]


def rows(pal: IndicatorPal) -> tuple[str, ...]:
    """Every background row a PAL rests on."""
    return tuple(one.row for well in pal.record.wells for one in pal.results.get(well, ()))


def figures(number: Decimal, n: int) -> str:
    """A number to n figures, never in powers of ten.

    >>> figures(Decimal("71.4436"), 3), figures(Decimal("0"), 3), figures(Decimal("12345"), 2)
    ('71.4', '0', '12000')
    """
    return f"{Context(prec=n).plus(number):f}"


def _wells(found: Background | Bounded) -> str:
    return ", ".join(f"{_count(one)} at {one.well}" for one in found.wells)


def _count(share: WellShare) -> str:
    hidden = f" ({share.n_censored} not detected)" if share.n_censored else ""
    return f"{share.n} result{'s' * (share.n != 1)}{hidden}"


def _increase(pal: IndicatorPal, found: Background) -> str:
    one = pal.indicator
    if not one.sd_multiple:
        return f"{one.increment} {one.unit} on both sides"
    both = " on both sides" if one.two_sided else ""
    spread = figures(one.sd_multiple * found.sd, SD_FIGURES)
    larger, smaller = f"{one.sd_multiple} SD, {spread}", f"the increase of {one.increment}"
    if found.governed_by == "increment":
        larger, smaller = f"the increase of {one.increment}", f"{one.sd_multiple} SD, {spread}"
    return f"{larger} {one.unit}{both}, which is no less than {smaller}"


def _outliers(pal: IndicatorPal, found: Background) -> str:
    listed = outliers(pal)
    untested = [one.well for one in found.wells if one.n_censored > LARGEST_CENSORED_SHARE * one.n]
    kept = f"; standing apart and kept: {', '.join(listed)}" if listed else ""
    return kept + (f"; outliers not testable at {', '.join(untested)}" if untested else "")


def _left_out(pal: IndicatorPal) -> str:
    return f"; without a number or a limit, not counted: {', '.join(pal.left_out)}" if pal.left_out else ""


def _still_runs(pal: IndicatorPal, on: date) -> str:
    return f"; the background period runs to {pal.record.last}: the PAL may move" if on < pal.record.last else ""
