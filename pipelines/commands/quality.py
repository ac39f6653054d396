"""``headwater quality``: results against groundwater standards ad hoc."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
import numpy as np
import pandas as pd

from ingest.reading import DateOrder, Told
from models.checks.quality_disputes import disputed
from models.checks.quality_duplicates import Pair, pairs, stored_pairs
from models.checks.quality_holding import late
from models.checks.quality_results import Terms, shown
from models.checks.quality_setting import Setting
from models.checks.quality_station import beside
from models.checks.quality_summary import Summary, summaries
from models.checks.quality_table import counts, plain_terms
from models.checks.quality_told import ToldRows, before_the_text, told_rows
from models.errors import BadQuestion
from models.observation import Flags
from models.question import stored_rows
from models.site import Well
from models.standards import law_of
from pipelines import excerpt
from pipelines.database import reading
from pipelines.file_options import told, told_options
from pipelines.flow_options import write_page
from pipelines.known_at import civil_day, instant_ms, known_at_option, only_for_stations
from pipelines.lab_file import LabFile, open_lab_file
from pipelines.recall import Recall
from pipelines.standards_file import open_standards
from pipelines.terminal import as_json, emit, site_option, site_store, to_json
from reports.quality_figures import Step
from reports.quality_page import quality_page
from reports.text_table import text_table

STANDARDS = "nr140"
COLUMNS = (
    "station", "sample", "substance", "sampled", "measured", "lod_text", "loq_text", "standard_text", "kind", "table",
    "nr140_status", "verdict", "paragraph", "verification", "reason",
)  # fmt: skip
NOT_JUDGED = ("station", "sample", "parameter", "sampled", "value_text", "unit", "reason")
DUPLICATES = (
    "station", "substance", "sample", "parent", "parent_value_text", "value_text", "unit", "rpd_percent", "reason",
    "remark",
)  # fmt: skip
LATE = ("station", "sample", "parameter", "sampled", "analysed", "standing", "says")
SUMMARY = ("station", "parameter", "n", "n_detected", "says", "unit", "method")
APART = {"quality_control": "of quality control", "not_water": "of other media than water"}

AT_ONCE = 1000

Answer = dict[str, Any]


@click.command()
@click.argument("source")
@click.option("--format", "format_name", help="Do not detect the file's format by content.")
@told_options
@click.option(
    "--standards", "standards_path", type=click.Path(path_type=Path, dir_okay=False),
    help="Another set of standards: FILE.toml, with FILE.csv beside it, and FILE_indicators.csv if it has any.",
)  # fmt: skip
@click.option("--on", type=click.DateTime(["%Y-%m-%d"]), help="Judge by the law of this day, not of each sample's own.")
@known_at_option
@click.option("--notable", is_flag=True, help="Leave out what is not attained.")
@click.option("--summary", is_flag=True, help="Mean and median of each substance, with what non-detects leave open.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write figures to this HTML file.")
@site_option
@as_json
def quality(
    source: str, format_name: str | None, date_order: DateOrder | None, station: str, parameter: str, unit: str,
    standards_path: Path | None, on: datetime | None, known_at: str | None, notable: bool, summary: bool,
    page: Path | None, site_dir: Path, as_json: bool,
) -> int:  # fmt: skip
    """Compare every result of SOURCE (a laboratory file, or a station of the site) with NR 140.

    A file is judged by the standards alone; a station by its clause, its alternative limits and its fraction too. A
    file that states no day of sampling is taken as of --on, or today.

    Exit code 0: every row was judged or set apart; 3: some rows were rejected.
    """
    path, day = Path(source), None if on is None else on.date()
    if path.is_file():
        only_for_stations(known_at, source)
        found = _of_file(path, format_name, told(date_order, station, parameter, unit), standards_path, day)
    else:
        found = _of_station(source, site_dir, standards_path, day, known_at)
    answer = found.answer | {"counts": found.counts()}
    if summary:
        answer["summaries"] = [_summary(one) for one in summaries(found.terms, stored_rows(found.results))]
    if page is not None:
        whole = answer | {"verdicts": list(found.verdicts())}
        title = f"Groundwater quality: {path.name}"
        answer["page"] = write_page(page, quality_page(title, whole, _steps(found.terms)))
    if as_json:
        _print_json(answer, found.verdicts(notable=notable))
    else:
        emit(answer, lambda: _text(answer, list(found.verdicts(notable=notable))), json_wanted=False)
    return 3 if answer.get("rejects") else 0


@dataclass(frozen=True, eq=False)
class _Found:
    """What was judged, by which terms, and what stands beside; ``more``: verdicts of indicator parameters.

    ``undated``: the file states no day of sampling, and none is shown.
    """

    terms: Terms
    results: pd.DataFrame
    told: ToldRows
    answer: Answer
    more: Sequence[Answer] = ()
    undated: bool = False

    def verdicts(self, *, notable: bool = False) -> Iterator[Answer]:
        """Row by row; ``notable`` leaves out what is not attained."""
        for one in self.told.rows(notable=notable):
            yield one | {"sampled": None} if self.undated else one
        yield from (one for one in self.more if not notable or one["nr140_status"] != "not_attained")

    def counts(self) -> dict[str, int]:
        counted = Counter(self.told.counts())
        counted.update(counts(self.more))
        return dict(counted)


def _of_file(path: Path, format_name: str | None, said: Told, other: Path | None, on: date | None) -> _Found:
    terms = replace(plain_terms(law_of(STANDARDS) if other is None else open_standards(other)), law_day=on)
    today = datetime.now(UTC).date()
    file = open_lab_file(path, format_name, said, on or today)
    # No clock of the world is a day ahead of UTC.
    results, future = _until(file.rows, today + timedelta(days=1))
    rows = told_rows(terms, results)
    apart = rows.not_judged() + ([] if file.undated else future)
    answer = {
        "standards": terms.law.header.id,
        "not_judged": [one | {"sampled": None} for one in apart] if file.undated else apart,
        "duplicates": _pairs(terms, file),
        "quality_control": [dict(one) for one in file.control], "not_water": [dict(one) for one in file.not_water],
        "rejects": [vars(one) for one in file.rejects], "warnings": [*file.warnings, *before_the_text(terms, results)],
        "late_analyses": [] if file.undated else _late(results),
    }  # fmt: skip
    return _Found(terms, results, rows, answer, undated=file.undated)


def _late(rows: pd.DataFrame, zone: ZoneInfo | None = None) -> list[Answer]:
    dated = rows[rows["flags"].str.contains(";analysed=", regex=False)]
    return [one.told() for one in late(stored_rows(dated), zone)]


def _until(rows: pd.DataFrame, last: date) -> tuple[pd.DataFrame, list[Answer]]:
    """Results sampled up to a day, and those of later days: no sample was taken in the future."""
    future = np.array([day > last for day in rows["day"]], np.bool_)
    why = f"sampled after {last}: no such sample can have been taken, correct the date"
    return rows[~future], [asdict(shown(row, Flags.parse(row.flags), why)) for row in stored_rows(rows[future])]


def _of_station(station: str, site_dir: Path, other: Path | None, on: date | None, known_at: str | None) -> _Found:
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        well = next((one for one in folder.site.well if one.id == station), None)
        if well is None:
            known = [one.id for one in folder.site.well]
            raise BadQuestion("neither a file nor a well of the site", found=station, allowed=known)
        zone = ZoneInfo(folder.law.zone)
        instant = None if known_at is None else instant_ms(known_at, zone)
        law = None if other is None else open_standards(other)
        terms = excerpt.terms_for(folder, well, on or civil_day(instant, zone), law)
        if terms is None:
            why = "the ordinance names no groundwater standards; say which with --standards"
            raise BadQuestion(why, found=folder.law.id)
        recall = Recall(connection, zone, instant)
        setting = Setting(folder.site, recall, civil_day(instant, zone), folder.site.permit.mining_began)
        return _stored(replace(terms, law_day=on), well, setting, zone)


def _stored(terms: Terms, well: Well, setting: Setting, zone: ZoneInfo) -> _Found:
    every = setting.observations.rows([well.id], terms.law.parameters, None, None)
    results, future = _until(every, setting.on)
    rows = told_rows(terms, results, setting.began)
    more = beside(terms, setting, well, rows.comparisons())
    indicators = more.pop("verdicts")
    law = {
        "standards": terms.law.header.id, "clause": terms.rule.clause, "not_judged": rows.not_judged() + future,
        "duplicates": [_pair(one) for one in stored_pairs(terms, stored_rows(results))],
        "warnings": [*before_the_text(terms, results), *disputed(rows.found.rows)],
        "late_analyses": _late(results, zone),
    }  # fmt: skip
    return _Found(terms, results, rows, law | more, indicators)


def _pairs(terms: Terms, file: LabFile) -> list[Answer]:
    """Field duplicates beside what they may repeat: results of the same substances."""
    names = {row.parameter for row, _ in file.duplicates}
    rows = stored_rows(file.rows[file.rows["parameter"].isin(names)])
    return [_pair(one) for one in pairs(terms, rows, file.duplicates)]


def _summary(one: Summary) -> Answer:
    bounds = {"mean": one.mean, "median": one.median}
    return {
        "station": one.station, "parameter": one.parameter, "unit": one.unit, "n": one.n, "n_detected": one.n_detected,
        **{name: None if pair is None else [float(end) for end in pair] for name, pair in bounds.items()},
        "mean_half_limit": None if one.mean_half_limit is None else float(one.mean_half_limit),
        "highest_limit": None if one.highest_limit is None else float(one.highest_limit),
        "says": one.says, "method": one.method,
    }  # fmt: skip


def _steps(terms: Terms) -> dict[str, list[Step]]:
    """The standards of each substance while they are law; of one day, where the law of one day judges all."""
    found: dict[str, list[Step]] = {}
    for one in terms.law.rows:
        if terms.law_day is not None and not one.in_force(terms.law_day):
            continue
        since, until = (one.effective, one.repealed) if terms.law_day is None else (None, None)
        words = f"Table {one.table}, {one.verification}"
        step = Step(one.kind, one.table, float(one.value), one.unit, since, until, words)
        found.setdefault(one.parameter, []).append(step)
    return found


def _pair(one: Pair) -> Answer:
    difference = one.difference
    return {
        "station": one.duplicate.row.station, "substance": one.duplicate.substance, "sample": one.duplicate.sample,
        "sampled": one.duplicate.row.day.isoformat(),
        "parent": None if one.parent is None else one.parent.sample, "value_text": one.duplicate.row.value_text,
        "parent_value_text": None if one.parent is None else one.parent.row.value_text,
        "unit": one.duplicate.row.unit,
        "rpd_percent": None if difference.percent is None else float(difference.percent),
        "rpd_above_percent": None if difference.above is None else float(difference.above),
        "reason": difference.reason, "remark": one.remark,
    }  # fmt: skip


def _print_json(answer: Answer, verdicts: Iterator[Answer]) -> None:
    """The answer as one object, with its verdicts a line each, written as they are made."""
    click.echo(to_json(answer).removesuffix("\n}") + ',\n  "verdicts": [', nl=False)
    between = "\n"
    while lines := [f"    {to_json(one, indent=None)}" for one in islice(verdicts, AT_ONCE)]:
        click.echo(between + ",\n".join(lines), nl=False)
        between = ",\n"
    click.echo("\n  ]\n}")


def _text(answer: Answer, verdicts: Sequence[Answer]) -> str:
    """The verdicts; apart from them what proves nothing, what was not judged, and duplicates."""
    sure = [one for one in verdicts if not one["proves_nothing"]]
    nothing = [one for one in verdicts if one["proves_nothing"]]
    parts = [
        text_table(sure, COLUMNS) if sure else "no result to judge",
        *_table("Not detected, and proves nothing", nothing, COLUMNS),
        *_table("Means and medians", answer.get("summaries", []), SUMMARY),
        *_table("Not judged", answer["not_judged"], NOT_JUDGED),
        *_indicators(answer.get("indicators")),
        *_context(answer.get("context", [])),
        *_table("Field duplicates", answer.get("duplicates", []), DUPLICATES),
        *_table("Analysed late, or perhaps late, judged all the same", answer.get("late_analyses", []), LATE),
        *_table("Rejected rows", answer.get("rejects", []), ("row", "column", "raw", "reason")),
    ]  # fmt: skip
    lines = [f"set apart, not judged: {n} {what}" for name, what in APART.items() if (n := len(answer.get(name, [])))]
    return "\n\n".join(parts) + "".join(
        f"\n{line}" for line in [*lines, *answer.get("warnings", []), *([answer["page"]] if "page" in answer else [])]
    )


def _indicators(found: Answer | None) -> list[str]:
    """Every PAL with its background; where none exists, why, in one line."""
    if found is None or not (found["reason"] or found["pals"]):
        return []
    lines = [one["says"] for one in found["pals"]]
    return ["\n".join([f"Indicator parameters (NR 140.20){': ' * bool(found['reason'])}{found['reason']}", *lines])]


def _context(found: Sequence[Answer]) -> list[str]:
    """What stands beside the newest results that are attained, or that nobody can tell."""
    lines = ["Context of the newest results that stand out"]
    for one in found:
        lines.append(f"{one['substance']} {one['kind']} Table {one['table']}, {one['sampled']}")
        lines += [f"  {line['line']}: {line['says']}" for line in one["lines"]]
    return ["\n".join(lines)] if found else []


def _table(title: str, rows: Sequence[Answer], columns: Sequence[str]) -> list[str]:
    return [f"{title}\n{text_table(rows, columns)}"] if rows else []
