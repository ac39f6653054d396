"""``headwater levels``: the potentiometric surface of one measuring round of the site, or the record of one well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.policy import Policy
from models.potentiometric import Plane, fitted_plane, seepage_velocity, three_point
from models.quantity import CONDUCTIVITY, DEPTH, STORATIVITY, Kind, Quantity, read_quantity, to_unit
from models.site import Aquifer, Range, Site
from pipelines.commands.level_record import Stations, correct, show, undo
from pipelines.database import reading
from pipelines.known_at import instant_ms, known_at_option
from pipelines.levels_round import LeftOut, RoundLevel, last_day, round_of, there_is
from pipelines.page_file import write_text
from pipelines.recall import Recall
from pipelines.terminal import as_json, emit, site_option, site_store
from reports import potentiometric_told as told
from reports.potentiometric_map import ControlWell, SurfaceMap
from reports.potentiometric_page import round_page
from reports.text_table import text_table

DAY = click.DateTime(["%Y-%m-%d"])
POROSITY = Kind("effective porosity", "1", (), most=STORATIVITY.most)
MOST_THREES = 20
"""Rows of three wells told; the best-shaped triangles are first."""
NOTES = (
    "The surface is taken as a plane through the levels: what curves between the wells is not in it.",
    "Errors: the scatter of the levels about the plane, or the stated error of one level where that is larger; "
    "intervals hold 95 %. They say nothing of wells in different layers or levels of different days.",
    "Three wells always lie on a plane: their error is that of the levels alone. How far the triangles differ shows "
    "how far the surface is from a plane.",
)
NOTHING = "no day has levels in three monitoring wells that make a plane"

Answer = dict[str, Any]
Ends = tuple[float, float, float]


@dataclass(frozen=True)
class Found:
    """The round: its levels, the wells it left out, and the plane."""

    levels: Sequence[RoundLevel]
    left_out: Sequence[LeftOut]
    plane: Plane
    site: Site


@click.group(cls=Stations, invoke_without_command=True)
@click.option("--round", "day", type=DAY, help="The day of the round; left out: which rounds there are.")
@click.option("--within", type=click.IntRange(0, 31), default=0, show_default=True,
              help="Take a level up to so many days off where a well has none on the day.")  # fmt: skip
@click.option("--level-error", help='Standard error of one level, "0.02 ft"; default: the policy\'s level_error.')
@click.option("--K", "conductivity", help='Hydraulic conductivity, "60 ft/d" or low..best..high; default: the site\'s.')
@click.option("--porosity", help="Effective porosity, 0.2 or low..best..high; default: the site's specific yield.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write the map to this HTML file.")
@known_at_option
@site_option
@as_json
@click.pass_context
def levels(
    ctx: click.Context, /, day: datetime | None, within: int, known_at: str | None, site_dir: Path, as_json: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Levels of one well (STATION), with its corrections; or one measuring round of the monitoring wells (--round).

    \b
    headwater levels MW-1 --page mw-1.html
    headwater levels correct MW-1 tie --hand 2025-07-28 --by "A. Example" --why "cable stretched"
    headwater levels undo 3fa2b1c9d0e4 --by "A. Example" --why "wrong tape"

    Of a round: gradient, direction of flow and seepage velocity of one measuring round of the monitoring wells.

    By least squares through all wells and by each three of them, with errors. Refused (exit code 2) with levels in
    fewer than three wells, or wells on one line. Without --round: the days that make a round.
    """
    if ctx.invoked_subcommand is not None:
        given = {"site_dir": site_dir, "as_json": as_json, "known_at": known_at, "page": options["page"]}
        ctx.default_map = dict.fromkeys(levels.commands, given)
        return 0
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        zone = ZoneInfo(folder.law.zone)
        recall = Recall(connection, zone, None if known_at is None else instant_ms(known_at, zone))
        if day is None:
            return _list(there_is(recall, folder, last_day(recall)), json_wanted=as_json)
        measured, left_out = round_of(recall, folder, day.date(), within)
    error = _error_ft(options["level_error"], folder.policy)
    plane = fitted_plane([one.well.position for one in measured], [one.elevation_ft for one in measured], error)
    found = Found(measured, left_out, plane, folder.site)
    answer = _answer(found, day.date(), within, error, options)
    if options["page"]:
        title = f"Water levels of {day.date()}: {folder.site.name}"
        answer["page"] = write_text(options["page"], round_page(title, answer, _map(found)))
    emit(answer, lambda: _text(answer), json_wanted=as_json)
    return 0


for _one in (show, correct, undo):
    levels.add_command(_one)


def _error_ft(told: str | None, policy: Policy) -> float:
    """Standard error of one level [ft]."""
    return float(policy.level_error.value) if told is None else to_unit(read_quantity(told, DEPTH).value, "m", "ft")


def _list(found: Sequence[Answer], *, json_wanted: bool) -> int:
    emit(
        {"rounds": found}, lambda: text_table(found, ("round", "wells")) if found else NOTHING, json_wanted=json_wanted
    )
    return 0


def _answer(found: Found, day: date, within: int, error: float, options: dict[str, Any]) -> Answer:
    ids, plane = [one.well.id for one in found.levels], found.plane
    places, heads = [one.well.position for one in found.levels], [one.elevation_ft for one in found.levels]
    threes = three_point(places, heads, error)
    return {
        "round": day.isoformat(), "within_days": within, "datum": "NAVD88", "stated_level_error_ft": error,
        "wells": [_well(one, plane) for one in found.levels], "left_out": [vars(one) for one in found.left_out],
        "least_squares": told.plane_data(plane, ids),
        "three_point": [told.plane_data(one, [ids[k] for k in own]) for own, one in threes[:MOST_THREES]],
        "three_point_left_out": max(len(threes) - MOST_THREES, 0),
        **_velocity(found, options), "notes": list(NOTES),
    }  # fmt: skip


def _well(one: RoundLevel, plane: Plane) -> Answer:
    x, y = one.well.position
    return {
        "well": one.well.id, "day": one.day.isoformat(), "elevation_ft": one.elevation_ft, "kind": one.kind, "x": x,
        "y": y, "residual_ft": one.elevation_ft - plane.level(x, y).best, "row_id": one.row,
    }  # fmt: skip


def _velocity(found: Found, options: dict[str, Any]) -> Answer:
    """Seepage velocity, of flags before the site's aquifer; null where a number is missing, with which."""
    aquifer = found.site.aquifer
    conductivity, of_k = _conductivity(options["conductivity"], aquifer)
    porosity, of_n = _porosity(options["porosity"], aquifer)
    lacks = [name for name, one in (("--K", conductivity), ("--porosity", porosity)) if one is None]
    if conductivity is None or porosity is None:
        return {"seepage_velocity": None, "no_velocity": f"give {' and '.join(lacks)}, or an [aquifer] in site.toml"}
    velocity = seepage_velocity(found.plane.told_gradient(), conductivity, porosity)
    return {
        "seepage_velocity": told.velocity_data(velocity), "no_velocity": "", "velocity_from": f"{of_k} and {of_n}",
        "conductivity_ft_per_d": list(conductivity), "effective_porosity": list(porosity),
    }  # fmt: skip


def _conductivity(flag: str | None, aquifer: Aquifer | None) -> tuple[Ends | None, str]:
    """K [ft/d]: T / b of the site where no flag says it."""
    if flag is not None:
        one = read_quantity(flag, CONDUCTIVITY)
        low, best, high = (to_unit(end, "m/d", "ft/d") for end in _ends(one))
        return (low, best, high), f"K {flag}"
    if aquifer is None:
        return None, ""
    low, best, high = (end / float(aquifer.saturated_thickness_ft) for end in _range(aquifer.transmissivity_ft2_per_d))
    return (low, best, high), f"K = T/b of {aquifer.source}"


def _porosity(flag: str | None, aquifer: Aquifer | None) -> tuple[Ends | None, str]:
    if flag is not None:
        return _ends(read_quantity(flag, POROSITY)), f"effective porosity {flag}"
    return (None, "") if aquifer is None else (_range(aquifer.specific_yield), "specific yield as effective porosity")


def _ends(one: Quantity) -> Ends:
    return float(one.low), float(one.best), float(one.high)


def _range(one: Range) -> Ends:
    return float(one.low), float(one.best), float(one.high)


def _map(found: Found) -> SurfaceMap:
    wells = [ControlWell(one.well.id, one.well.position, one.elevation_ft) for one in found.levels]
    streams = [(one.name or one.id, one.line) for one in found.site.stream]
    return SurfaceMap(wells, found.plane, found.site.boundary, streams)


def _text(answer: Answer) -> str:
    rows, threes = told.well_rows(answer), told.three_rows(answer)
    columns = ("well", "day", "elevation_ft", "kind", "off_the_plane_ft")
    more = answer["three_point_left_out"]
    parts = [
        *told.says(answer), "", text_table(rows, columns), "",
        "Three wells at a time" + (f" (the best {MOST_THREES}, {more} more)" if more else ""),
        text_table(threes, list(threes[0])), "", *answer["notes"], *([answer["page"]] if "page" in answer else []),
    ]  # fmt: skip
    return "\n".join(parts)
