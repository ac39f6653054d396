"""The potentiometric surface of one round as plain data, and as sentences and rows for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.potentiometric import Estimate, Plane

Data = Mapping[str, Any]
POINTS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
NO_DIRECTION = "in no direction that can be told (a level surface lies within the joint error of both slopes)"


def plane_data(plane: Plane, wells: Sequence[str]) -> dict[str, Any]:
    """Gradient and direction with their errors; a direction that nobody can tell is null."""
    gradient, known = plane.told_gradient(), plane.tells_direction
    half = plane.spread * plane.toward_error
    return {
        "wells": list(wells), "gradient": gradient.best, "gradient_low": gradient.low, "gradient_high": gradient.high,
        "gradient_standard_error": plane.gradient_error, "toward_degrees": plane.toward if known else None,
        "toward": compass(plane.toward) if known else None,
        "toward_standard_error_degrees": plane.toward_error if known else None,
        "toward_plus_minus_degrees": min(half, 180.0) if known else None, "rmse_ft": plane.rmse,
        "level_error_ft": plane.level_error,
    }  # fmt: skip


def velocity_data(velocity: Estimate) -> dict[str, float]:
    """Seepage velocity [ft/d]."""
    return {"ft_per_d": velocity.best, "low": velocity.low, "high": velocity.high}


def compass(degrees: float) -> str:
    """The nearest of sixteen points."""
    return POINTS[round(degrees / 22.5) % 16]


def says(answer: Data) -> list[str]:
    """The answer in sentences."""
    plane, n = answer["least_squares"], len(answer["wells"])
    lines = [
        f"Round of {answer['round']}, {n} monitoring wells, plane of least squares: gradient "
        f"{plane['gradient']:.2g} ({plane['gradient_low']:.2g} to {plane['gradient_high']:.2g}), flow "
        f"{_toward(plane)}; the plane misses the levels by {plane['rmse_ft']:.2f} ft (root mean square)."
    ]
    velocity = answer["seepage_velocity"]
    if velocity is None:
        return [*lines, f"No seepage velocity: {answer['no_velocity']}."]
    return [
        *lines,
        f"Seepage velocity {velocity['ft_per_d']:.2g} ft/d ({velocity['low']:.2g} to {velocity['high']:.2g}), by "
        f"{answer['velocity_from']}.",
    ]


def _toward(plane: Data) -> str:
    if plane["toward_degrees"] is None:
        return NO_DIRECTION
    error = _degrees(plane["toward_plus_minus_degrees"])
    return f"toward {plane['toward_degrees']:.0f} degrees ({plane['toward']}), plus or minus {error}"


def _degrees(error: float) -> str:
    return f"{error:.0f}" if error >= 1 else "less than 1"


def well_rows(answer: Data) -> list[dict[str, Any]]:
    """Wells with their levels, and those left out."""
    measured = [
        {
            "well": one["well"], "day": one["day"], "elevation_ft": f"{one['elevation_ft']:.2f}", "kind": one["kind"],
            "off_the_plane_ft": f"{one['residual_ft']:+.2f}",
        }
        for one in answer["wells"]
    ]  # fmt: skip
    return [*measured, *({"well": one["well"], "kind": one["reason"]} for one in answer["left_out"])]


def three_rows(answer: Data) -> list[dict[str, Any]]:
    """Each three wells that make a plane, the best-shaped triangle first."""
    return [
        {
            "wells": ", ".join(one["wells"]), "gradient": f"{one['gradient']:.2g}",
            "standard_error": f"{one['gradient_standard_error']:.1g}",
            "toward_degrees": "not told" if one["toward_degrees"] is None else f"{one['toward_degrees']:.0f}",
            "plus_minus_degrees": "" if one["toward_degrees"] is None else _degrees(one["toward_plus_minus_degrees"]),
        }
        for one in answer["three_point"]
    ]  # fmt: skip
