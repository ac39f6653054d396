"""``headwater backtest``: the whole record under another law, and which verdicts that flips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.checks.quality_backtest import Backtest, Flip, backtest_indicators
from models.checks.quality_backtest import backtest as judged_twice
from models.checks.quality_comparison import Said
from models.checks.quality_indicators import Backgrounds, Tested
from models.checks.quality_results import Terms
from models.checks.quality_setting import Setting
from models.errors import BadQuestion, BadUnit
from models.nr140.alternatives import with_alternatives
from models.nr140.indicators_told import basis
from models.rules import GroundwaterQuality
from models.site import Well
from models.standards import Standards, law_of
from pipelines import excerpt
from pipelines.database import reading
from pipelines.known_at import civil_day, instant_ms, known_at_option
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from pipelines.standards_file import open_standards
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

COLUMNS = (
    "station", "sampled", "substance", "measured", "kind", "table", "from", "to", "standard_old", "standard_new",
    "paragraph_old", "paragraph_new", "verification_new", "reason_new",
)  # fmt: skip
NO_STANDARD = "no standard"

Answer = dict[str, Any]


@dataclass(frozen=True)
class _OfWell:
    """What two laws make of one well: its tables and its indicators; and indicators of which neither has a PAL."""

    parts: tuple[Backtest, ...]
    without: tuple[str, ...]


@click.group()
def backtest() -> None:
    """Judge the record again under another law."""


@backtest.command()
@click.option(
    "--law-on", type=click.DateTime(["%Y-%m-%d"]), help="Judge by the law of this day, not of each sample's own."
)
@click.option(
    "--standards", "standards_path", type=click.Path(path_type=Path, dir_okay=False),
    help="Judge by another set of standards: FILE.toml, beside it FILE.csv (and FILE_indicators.csv if it has any).",
)  # fmt: skip
@known_at_option
@site_option
@as_json
def quality(
    law_on: datetime | None, standards_path: Path | None, known_at: str | None, site_dir: Path, as_json: bool
) -> int:
    """List the groundwater verdicts of the whole site that another law flips.

    The record is judged twice: by the law of each sample's day as it stands, and by --law-on, by --standards, or by
    both. The clause's own words, the fraction of a well and its alternative limits, each by its own days, are the same
    both times. Indicator parameters (Table 3) are judged by the background of the site, and are of no date.
    Exit code 3: something could not be judged again.
    """
    if law_on is None and standards_path is None:
        raise BadQuestion("against which law", key="--law-on", allowed=["--law-on DATE", "--standards FILE"])
    day = None if law_on is None else law_on.date()
    other = None if standards_path is None else open_standards(standards_path)
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        zone = ZoneInfo(folder.law.zone)
        recall = Recall(connection, zone, None if known_at is None else instant_ms(known_at, zone))
        answer = _answer(folder, recall, day, other)
    emit(answer, lambda: _text(answer), json_wanted=as_json)
    return 3 if answer["left_out"] else 0


def _answer(folder: SiteFolder, recall: Recall, day: date | None, other: Standards | None) -> Answer:
    flips: list[Answer] = []
    left_out: list[Answer] = []
    without: list[Answer] = []
    counts = {"compared_before": 0, "compared_after": 0, "unchanged": 0}
    for well in folder.site.well:
        try:
            found = _of_well(folder, recall, well, day, other)
        except BadUnit as caught:
            left_out.append({"station": well.id, "reason": str(caught)})
            continue
        if found is None:
            left_out.append({"station": well.id, "reason": "the ordinance names no groundwater standards for it"})
            continue
        without += [{"station": well.id, "reason": why} for why in found.without]
        for part in found.parts:
            flips += [_row(one) for one in part.flips]
            counts = {name: total + getattr(part, name) for name, total in counts.items()}
    law = {"law_on": day, "standards": None if other is None else other.header.id}
    return {**law, **counts, "flips": flips, "flips_by_change": dict(_changes(flips)), "left_out": left_out,
            "without_indicator_pal": without, "undated": _undated(folder, day, other)}  # fmt: skip


def _of_well(
    folder: SiteFolder, recall: Recall, well: Well, day: date | None, other: Standards | None
) -> _OfWell | None:
    before = excerpt.terms_for(folder, well, civil_day(recall.known_at, recall.zone))
    if before is None:
        return None
    after = _under(folder, before, _law(before, day, other), well)
    names = sorted({*before.law.parameters, *after.law.parameters})
    tables = judged_twice(before, after, recall.rows([well.id], names, None, None))
    on = civil_day(recall.known_at, recall.zone)
    setting = Setting(folder.site, recall, on, folder.site.permit.mining_began)
    old, new = (_indicators(setting, terms, well) for terms in (before, after))
    without = dict.fromkeys(basis(one.pals[each.substance], on) for one in (old, new) for each in one.waiting)
    return _OfWell((tables, backtest_indicators(old.comparisons, new.comparisons)), tuple(without))


def _indicators(setting: Setting, terms: Terms, well: Well) -> Tested:
    return Backgrounds(setting, terms.law).tested(terms, well)


def _law(before: Terms, day: date | None, other: Standards | None) -> Standards:
    """The other set, or the same one without its alternative limits; of one day where a day is asked for."""
    law = law_of(before.law.header.id) if other is None else other
    if other is None and before.rule.substances:
        law = law.replaced(one for one in law.rows if one.parameter in before.rule.substances)
    return law if day is None else law.as_of(day)


def _under(folder: SiteFolder, before: Terms, law: Standards, well: Well) -> Terms:
    """The same terms with another law, and those alternative limits that replace something in it."""
    named = {(one.parameter, one.kind) for one in law.rows}
    limits = [one for one in folder.site.alternative_limit if (one.substance, one.kind) in named]
    return replace(before, law=with_alternatives(law, limits, well.id))


def _undated(folder: SiteFolder, day: date | None, other: Standards | None) -> str:
    """What --law-on cannot tell: standards without a known first day are taken as law on every day."""
    named = dict.fromkeys(one.standards for one in folder.law.rule if isinstance(one, GroundwaterQuality))
    rows = [row for id in named for row in law_of(id).rows] if other is None else other.rows
    unknown = sum(one.effective is None for one in rows)
    if day is None or not unknown:
        return ""
    return f"{unknown} of {len(rows)} standards state no first day and are taken as law on {day}: none of them can flip"


def _row(one: Flip) -> Answer:
    law = one.standard
    return {
        "station": one.station, "substance": law.parameter, "sampled": one.sampled, "sample": one.sample,
        "measured": one.measured, "kind": law.kind, "table": law.table, "from": _verdict(one.before),
        "to": _verdict(one.after), **_side(one.before, "old"), **_side(one.after, "new"), "row_ids": list(one.rows),
    }  # fmt: skip


def _side(said: Said | None, name: str) -> Answer:
    """One law's word on it; null where it has no standard."""
    law = None if said is None else said.standard
    told = {
        "nr140_status": said and said.nr140.status, "standard": law and f"{law.value} {law.unit}",
        "paragraph": said and said.nr140.paragraph, "citation": law and law.citation,
        "verification": law and law.verification, "reason": said and said.nr140.reason,
    }  # fmt: skip
    return {f"{key}_{name}": value for key, value in told.items()}


def _verdict(said: Said | None) -> str:
    return NO_STANDARD if said is None else said.verdict


def _changes(flips: list[Answer]) -> Iterator[tuple[str, int]]:
    named = [f"{one['from']} -> {one['to']}" for one in flips]
    yield from ((name, named.count(name)) for name in sorted(set(named)))


def _text(answer: Answer) -> str:
    law = ", ".join(f"{name.replace('_', ' ')} {answer[name]}" for name in ("law_on", "standards") if answer[name])
    head = f"{law}: {len(answer['flips'])} verdicts flip, {answer['unchanged']} stand"
    kinds = [f"{count} {name}" for name, count in answer["flips_by_change"].items()]
    left = [f"not judged again: {one['station']}: {one['reason']}" for one in answer["left_out"]]
    without = answer["without_indicator_pal"]
    left += [f"no indicator PAL to compare: {one['station']}: {one['reason']}" for one in without]
    table = [text_table(answer["flips"], COLUMNS)] if answer["flips"] else []
    return "\n".join([head, *kinds, *table, *left, *filter(None, [answer["undated"]])])
