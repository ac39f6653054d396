"""``headwater levels STATION``: a well's loggers as stored and corrected; ``correct`` and ``undo`` are acts."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from models.errors import BadQuestion
from models.levels.steps import KINDS, Step
from models.review import WITHDRAWN_KEY, Review
from pipelines import level_acts, level_steps, review_acts, review_book
from pipelines.casebook import ms
from pipelines.commands.review import at_option, by_option
from pipelines.database import reading, transaction
from pipelines.known_at import civil_day, instant_ms, known_at_option
from pipelines.level_acts import Asked
from pipelines.level_answer import level_answer, reading_rows, step_data
from pipelines.page_file import write_text
from pipelines.recall import Recall
from pipelines.review_acts import Recorded, Who
from pipelines.review_book import SHOWN_KEY
from pipelines.terminal import as_json, emit, site_option, site_store, to_json
from reports.level_page import level_page
from reports.level_told import level_text

DAY = click.DateTime(["%Y-%m-%d"])
why_option = click.option("--why", required=True, help="Why, in plain words; no household's name.")


class Stations(click.Group):
    """A group in which a word that is no command is a station to show."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:  # fmt: skip
        if args and args[0] not in self.commands:
            return "show", self.commands["show"], args
        return super().resolve_command(ctx, args)


@click.command()
@click.argument("station")
@click.option("--from", "start", type=DAY, help="First civil day; default the whole record.")
@click.option("--to", "end", type=DAY, help="Last civil day.")
@click.option("--rows", is_flag=True, help="Every reading as JSON lines, and nothing else.")
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="Write figures to this HTML file.")
@known_at_option
@site_option
@as_json
def show(
    station: str, start: datetime | None, end: datetime | None, rows: bool, page: Path | None, known_at: str | None,
    site_dir: Path, as_json: bool,
) -> int:  # fmt: skip
    """Readings of the loggers in STATION: raw, corrections, result, flags, and how far each tape reading is off."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        zone = ZoneInfo(folder.law.zone)
        recall = Recall(connection, zone, None if known_at is None else instant_ms(known_at, zone))
        room = review_acts.room(connection, folder)
        well = level_acts.well_of(room, station)
        last = civil_day(recall.known_at, zone) if end is None else end.date()
        answer, drawn = level_answer(recall, folder, well, _day(start), last, recall.known_at or ms(room.now))
    if rows:
        for one, _ in drawn:
            for row in reading_rows(one):
                click.echo(to_json(row, indent=None))
        return 0
    if page is not None:
        title = f"Levels of {well.id}: {folder.site.name}"
        answer["page"] = write_text(page, level_page(title, answer, [lines for _, lines in drawn]))
    emit(answer, lambda: level_text(answer), json_wanted=as_json)
    return 0


def _day(given: datetime | None) -> date | None:
    return None if given is None else given.date()


@click.command()
@click.argument("station")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--from", "since", default="", help="Start of its period, local or with offset; of a drift the day of a "
              "tape reading.")  # fmt: skip
@click.option("--to", "until", default="", help="End of its period, outside it; open if left out.")
@click.option("--hand", default="", help="The tape reading a tie goes by: its day, or its time.")
@click.option("--amount", default="", help='"-0.12 ft" or "10 min": what to add to a depth, how much deeper the sensor '
              "hung, how far the clock was ahead; left out, tape readings say.")  # fmt: skip
@click.option("--end-amount", default="", help="The same at the end of a drift or of a clock's period.")
@click.option("--serial", default="", help="Of the logger, where the well has several.")
@click.option("--series", default="", help="Of its channels (serial:channel) the one to tie, where it has several.")
@why_option
@by_option
@at_option
@site_option
@as_json
def correct(station: str, kind: str, site_dir: Path, as_json: bool, by: str, at: str, **asked: str) -> int:
    """Record a correction of the levels of STATION; the stored readings stay, and it can be undone.

    \b
    tie    a tape reading tells how far the logger is off: depth + so much
    drift  two tape readings: depth + so much, linear between them, the second included
    clock  the logger's clock was ahead by so much at two known checks
    cable  the sensor hung so much deeper than site.toml says

    Ties and drifts are not added up: at each instant the one that began last holds, whatever the order in which they
    are recorded, and undoing it brings back the one before. A reading that fails its tests is not tied to.
    """
    wanted = Asked(
        next(one for one in KINDS if one == kind), asked["why"], asked["serial"], asked["since"], asked["until"],
        asked["hand"], asked["amount"], asked["end_amount"], asked["series"],
    )  # fmt: skip
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        room = review_acts.room(connection, folder)
        done = level_acts.correct(room, station, wanted, Who(by, at=at))
        means = level_acts.bearings(room, level_steps.step_of(done.act), station)
    return _told(done, means, as_json)


@click.command()
@click.argument("key")
@why_option
@by_option
@at_option
@site_option
@as_json
def undo(key: str, why: str, by: str, at: str, site_dir: Path, as_json: bool) -> int:
    """Take back the correction with this KEY, or the start of it. It stays on record and counts no more."""
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        step, well = _correction(review_book.acts(connection), key)
        room = review_acts.room(connection, folder)
        done, _ = review_acts.withdraw(room, key, why, Who(by, at=at))
        means = level_acts.after_undoing(room, step, well)
    undone = done.act.facts[WITHDRAWN_KEY]
    data = {"recorded": done.new, "key": done.act.key(), "withdraws": undone, "why": why, "by": by, "bearing": means}
    emit(data, lambda: "; ".join([f"{_word(done)}: undone {undone[:SHOWN_KEY]}", *means]), json_wanted=as_json)
    return 0


def _correction(acts: list[Review], key: str) -> tuple[Step, str]:
    """The correction with this key and its well; another kind of act is not undone here."""
    whole = review_book.whole_key(key, acts)
    found = next(one for one in acts if one.key() == whole)
    if found.act != level_steps.ACT:
        raise BadQuestion("no correction of levels; see headwater review withdraw", key="KEY", found=found.act)
    return level_steps.step_of(found), found.facts["well"]


def _told(done: Recorded, means: list[str], json_wanted: bool) -> int:
    step = level_steps.step_of(done.act)
    rests_on = done.act.facts[level_steps.RESTS_ON]
    data = step_data(step) | {"recorded": done.new, "subject": done.act.subject, "rests_on": rests_on or None}
    data |= {"bearing": means}
    period = f"{data['from']} to {data['to']}" if data["to"] else f"from {data['from']} on"
    by = f" ({rests_on})" if rests_on else ""
    of = f"{done.act.subject}, channel {step.series}" if step.series else done.act.subject
    says = "; ".join([f"{step.kind} of {of} ({step.id[:SHOWN_KEY]}), {step.says()}, {period}{by}", *means])
    emit(data, lambda: f"{_word(done)}: {says}", json_wanted=json_wanted)
    return 0


def _word(done: Recorded) -> str:
    return "recorded" if done.new else "already on record"
