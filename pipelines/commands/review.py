"""``headwater review``: what a licensed reviewer accepts, estimates, contests or signs, and takes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from models.base_flow import doubts
from models.review import LICENCES
from pipelines import review_acts, review_book, review_told
from pipelines.database import reading, transaction
from pipelines.known_at import instant_ms
from pipelines.review_acts import Recorded, Room, Who, plain
from pipelines.review_book import SHOWN_KEY
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

F = TypeVar("F", bound=Callable[..., Any])
COLUMNS = ["key", "act", "subject", "says", "by", "licence", "number", "at", "state"]

by_option = click.option("--by", required=True, help="Who answers for it: a licensee by name; never a household.")
at_option = click.option("--at", default="", help="When it was done, local or with offset; default now.")
reason_option = click.option("--reason", required=True, help="Why, in plain words; no household's name.")


def licensed(command: F) -> F:
    """The options of an act that a licensee answers for."""
    command = click.option("--number", required=True, help="The number of the licence.")(command)
    command = click.option("--licence", required=True, type=click.Choice(LICENCES), help="Kind of the licence.")(
        command
    )
    return by_option(at_option(command))


@contextmanager
def _room(site_dir: Path) -> Iterator[Room]:
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        yield review_acts.room(connection, folder)


@click.group()
def review() -> None:
    """A reviewer's acts on values, results, findings and base flows. Nothing is overwritten; every act can be undone.

    \b
    headwater review accept LMC-1 --days 2025-08-20..2025-08-25 --by "A. Example" --licence PG --number 1234
    headwater review estimate LMC-1 2025-08-22 4.80 --unit cfs --method "recession from both sides"
        --by "A. Example" --licence PH --number 77
    headwater review contest MW-1 arsenic 2025-07-01 --reason "bottle broken in transit" --by operator
    headwater review sign draft.toml --by "A. Example" --licence PG --number 1234
    headwater review withdraw 3fa2b1c9d0e4 --by "A. Example" --reason "wrong day"
    """


@review.command()
@click.argument("gauge")
@click.option("--days", required=True, help="2025-08-20..2025-08-25, or a list with commas.")
@licensed
@site_option
@as_json
def accept(gauge: str, days: str, site_dir: Path, as_json: bool, **who: str) -> int:
    """Accept day values of GAUGE as they stand. A day that is revised later is accepted no more, and said so.

    The town's notice under a shortfall clause needs every trigger day accepted.
    """
    with _room(site_dir) as room:
        done = review_acts.accept(room, gauge, days, Who(**who))
    return _told(done, as_json)


@review.command()
@click.argument("gauge")
@click.argument("day", type=click.DateTime(["%Y-%m-%d"]))
@click.argument("value")
@click.option("--unit", required=True, help="cfs, of a stage ft above the gauge's zero, or another unit of it.")
@click.option("--method", required=True, help="How the value was estimated.")
@licensed
@site_option
@as_json
def estimate(
    gauge: str, day: datetime, value: str, unit: str, method: str, site_dir: Path, as_json: bool, **who: str
) -> int:  # fmt: skip
    """Enter the estimated daily mean VALUE of GAUGE on DAY, a day on which the record cannot tell.

    It counts from the next night on, is shown as estimated, and gives way to a value that is published later.
    """
    with _room(site_dir) as room:
        done = review_acts.estimate(room, gauge, day.date(), value, unit, method, Who(**who))
    return _told(done, as_json, doubts=[*done.doubts])


@review.command()
@click.argument("station")
@click.argument("substance")
@click.argument("sampled", type=click.DateTime(["%Y-%m-%d"]))
@click.option("--sample", default="", help="Only this sample of the day, by its number.")
@reason_option
@by_option
@at_option
@site_option
@as_json
def contest(
    station: str, substance: str, sampled: datetime, sample: str, reason: str, by: str, at: str, site_dir: Path,
    as_json: bool,
) -> int:  # fmt: skip
    """Contest the result of SUBSTANCE in STATION sampled on SAMPLED (NR 140.14(1)(b)): its findings stay, marked."""
    with _room(site_dir) as room:
        done = review_acts.contest(room, station, substance, sampled.date(), sample, reason, Who(by, at=at))
    return _told(done, as_json)


@review.command()
@click.argument("what")
@licensed
@site_option
@as_json
def sign(what: str, site_dir: Path, as_json: bool, **who: str) -> int:
    """Sign WHAT: the draft of a base flow (FILE.toml of `lowflow --propose`), or a finding, by its key or its start.

    A draft gets the four lines of its signature; put it into site.toml as it is. A finding that is amended later
    shows the signature as one of an earlier version.
    """
    lines: tuple[str, ...] = ()
    with _room(site_dir) as room:
        if Path(what).is_file():
            done, draft = review_acts.sign_base_flow(room, Path(what), Who(**who))
            years = room.folder.policy.baseline_minimum_years.value
            lines = doubts(draft.record, years, [one.id for one in room.folder.site.gauge])
        else:
            done = review_acts.sign_finding(room, what, Who(**who))
    return _told(done, as_json, doubts=[*lines])


@review.command()
@click.argument("key")
@reason_option
@by_option
@at_option
@click.option("--licence", default="", type=click.Choice(["", *LICENCES]), help="Of a licensee who did not sign it.")
@click.option("--number", default="", help="The number of that licence.")
@site_option
@as_json
def withdraw(key: str, reason: str, site_dir: Path, as_json: bool, **who: str) -> int:
    """Take back the act with this KEY, or the start of it. It stays on record and counts no more.

    Its signer may, an office of the town, or another licensee under the number of the licence; nobody else.
    """
    with _room(site_dir) as room:
        done, changed = review_acts.withdraw(room, key, reason, Who(**who))
    return _told(done, as_json, day_unknown_again=changed)


@review.command(name="list")
@click.option("--subject", help="Only acts about this gauge, well, finding or base flow.")
@click.option("--known-at", help="As known at the end of this day, or at this instant; their state is that of now.")
@site_option
@as_json
def list_acts(subject: str | None, known_at: str | None, site_dir: Path, as_json: bool) -> int:
    """Every act with its key, what it states, and whether it still stands for what is on record."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        room = review_acts.room(connection, folder)
        known = review_book.acts(connection, None if known_at is None else instant_ms(known_at, room.zone))
        found = [one for one in review_told.rows(room, known) if subject is None or _about(one["subject"], subject)]
    shown = [one | {"key": one["key"][:SHOWN_KEY], "at": one["at"].strftime("%Y-%m-%dT%H:%MZ")} for one in found]
    emit(found, lambda: text_table(shown, COLUMNS) if shown else "no act is on record", json_wanted=as_json)
    return 0


def _about(subject: str, asked: str) -> bool:
    return subject == asked or asked in subject.replace("|", " ").split()


def _told(done: Recorded, json_wanted: bool, **more: Any) -> int:
    data = plain(done.act) | {"recorded": done.new, "says": review_told.says(done.act)} | more
    emit(data, lambda: _text(data), json_wanted=json_wanted)
    return 0


def _text(data: dict[str, Any]) -> str:
    word = "recorded" if data["recorded"] else "already on record"
    lines = [f"{word}: {data['act'].replace('_', ' ')} {data['subject']} ({data['key'][:SHOWN_KEY]}), {data['says']}"]
    if data.get("day_unknown_again"):
        lines.append("the estimate no longer speaks for its day")
    return "\n".join([*lines, *(f"DOUBT: {one}" for one in data.get("doubts", []))])
