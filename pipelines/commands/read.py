"""``headwater read``: parse only."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ingest.formats import FORMATS, read
from ingest.laboratory.mapped import TableMap, load_map
from ingest.loggers.fact_notes import fact_notes
from ingest.packed.table_notes import table_notes
from ingest.reading import CUT, LAST_LINE, DateOrder, DecimalMark, Reading, Told
from ingest.summary import as_rows, summarise
from models.errors import BadFile, BadQuestion
from pipelines.file_options import gate_options, table_options, told, told_options
from pipelines.terminal import as_json, complain, emit, to_json
from reports.text_table import one_line, text_table


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format", "format_name", type=click.Choice(sorted(FORMATS)), help="Do not detect the format by content."
)
@told_options
@table_options
@click.option("--rows", is_flag=True, help="Print the tidy rows as JSON lines.")
@gate_options
@as_json
def read_files(
    files: tuple[Path, ...], format_name: str | None, date_order: DateOrder | None, station: str, parameter: str,
    unit: str, decimal: DecimalMark | None, map_file: Path | None, rows: bool, gate: bool,
    site_dir: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Parse FILES and show, series by series, what is in them. Stores nothing.

    Exit code 0: every row was taken; 1: some rows were rejected; 2: a file could not be read at all. With --gate, for a
    laboratory before it submits: 0: every file would be accepted; 1: one would be rejected; 2: one cannot be read.
    """
    said = told(date_order, station, parameter, unit, decimal)
    table_map = None if map_file is None else load_map(map_file)
    if gate:
        return _gate(files, format_name, said, table_map, site_dir, rows=rows, as_json=as_json)
    if site_dir is not None:
        raise BadQuestion("goes with --gate", key="--site", found=site_dir)
    answers = [_read(file, format_name, said, table_map) for file in files]
    readings = [one for one in answers if isinstance(one, Reading)]
    errors = [one for one in answers if isinstance(one, BadFile)]
    if rows:
        for reading in readings:
            for row in as_rows(reading):
                click.echo(to_json({"file": reading.file, **row}, indent=None))
    else:
        found: list[dict[str, Any]] = [summarise(one) if isinstance(one, Reading) else _refusal(one) for one in answers]
        emit(found if len(found) > 1 else found[0], lambda: "\n\n".join(map(_text, found)), json_wanted=as_json)
    for reading in readings if rows else ():
        for reject in reading.rejects:
            why = BadFile(reject.reason, file=reject.file, row=reject.row or None, key=reject.column or None,
                          found=reject.raw or None)  # fmt: skip
            complain(f"rejected: {why}")
    for error in errors:
        complain(error)
    return 2 if errors else 1 if any(reading.rejects for reading in readings) else 0


def _gate(
    files: tuple[Path, ...], format_name: str | None, said: Told, table_map: TableMap | None, site_dir: Path | None,
    *, rows: bool, as_json: bool,
) -> int:  # fmt: skip
    """The gate's answer for each file. Its rules are imported here: they take longer than a small file."""
    from pipelines import lab_gate
    from reports.lab_gate import gate_text

    if rows:
        raise BadQuestion("does not go with --gate", key="--rows")
    what = lab_gate.against(site_dir, datetime.now(UTC))
    answers = [
        one for file in files for one in lab_gate.gates(file, what, format=format_name, told=said, table_map=table_map)
    ]
    for one in answers:
        if "error" in one:
            complain(one["error"])
    emit(answers if len(answers) > 1 else answers[0], lambda: "\n\n".join(map(gate_text, answers)), json_wanted=as_json)
    verdicts = {str(one["verdict"]) for one in answers}
    return 2 if "not read" in verdicts else 1 if "rejected" in verdicts else 0


def _read(file: Path, format_name: str | None, said: Told, table_map: TableMap | None) -> Reading | BadFile:
    try:
        return read(file, format=format_name, told=said, table_map=table_map)
    except BadFile as caught:
        return caught


def _refusal(error: BadFile) -> dict[str, Any]:
    nothing: dict[str, list[str]] = {"series": [], "overlaps": [], "tables": [], "rejects": []}
    return {"file": error.file, "format": None, "error": str(error), **nothing}


def _text(found: dict[str, Any]) -> str:
    if found["format"] is None:
        return one_line(f"{found['file']}: not read")
    head = f"{found['file']}: {found['format']}, {len(found['series'])} series, {len(found['rejects'])} rows rejected"
    flat = [
        one | {"first": one["first"] and one["first"]["time"], "last": one["last"] and one["last"]["time"]}
        for one in found["series"]
    ]
    columns = [
        "station",
        "parameter",
        "statistic",
        "series",
        "unit",
        "n",
        "n_missing",
        "n_censored",
        "first",
        "last",
        "min",
        "max",
    ]
    parts = [one_line(head), text_table(flat, columns)] if flat else [one_line(head)]
    parts += map(one_line, found["overlaps"])
    parts += [f"note: {CUT}"] if LAST_LINE in found["facts"] else []
    notes = (*fact_notes(found["facts"]), *table_notes(found["facts"]))
    parts += [one_line(f"note: {one}") for one in notes]
    parts += [
        one_line(f"table {one['table']}: {one['n']} rows of {', '.join(one['columns'])}") for one in found["tables"]
    ]
    parts += [] if flat or found["tables"] or found["rejects"] else ["no values"]
    if found["rejects"]:
        parts.append(text_table(found["rejects"], ["row", "column", "raw", "reason"]))
    return "\n".join(parts)
