"""Pull what the site's USGS and WQP stations need since the last value: into the inbox, whole answers only.

A source that is down is a state of its own, beside "no data": the town must know whether nobody measured or nobody
could be asked. Nothing here judges or stores observations; the inbox does, as with any delivery.
"""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from ingest.web import usgs_api, wqp_service
from ingest.web.client import BadAnswer, SourceDown, Web
from models.errors import HeadwaterError
from models.fetching import Collection, Source, Target, first_day, targets
from models.site import Site
from pipelines import fetch_record
from pipelines.database import reading, transaction
from pipelines.fetch_answer import Question, Whole, ask, succeeded
from pipelines.fetch_record import MISSED, Entry, State
from pipelines.fetch_staging import Staging
from pipelines.inbox import waiting
from pipelines.night_lock import file_lock
from pipelines.site_folder import SiteFolder
from pipelines.version import VERSION

Say = Callable[[str], None]

KEY = "HEADWATER_USGS_KEY"
SERVICES: Mapping[Source, tuple[str, str, str]] = {
    "usgs": ("USGS Water Data", "HEADWATER_USGS_URL", usgs_api.BASE),
    "wqp": ("Water Quality Portal", "HEADWATER_WQP_URL", wqp_service.BASE),
}
"""Name in messages, the setting of its address, and its address."""
LOCK = ".fetch.lock"
GIVE_UP_AFTER = 2
"""Stations in a row that a source leaves without an answer, before the others of this run are not asked."""
LONGEST_MESSAGE = 500
DAYS_IN_A_YEAR = 365.25


@dataclass(frozen=True)
class Fetched:
    """What became of one collection of a station.

    ``values`` in the answer, from ``first`` to ``last`` as the source writes them; ``asked_from`` the first day asked;
    ``new`` those that changed the store, None where that is not known yet.
    """

    station: str
    source: Source
    number: str
    collection: str
    state: State
    values: int = 0
    first: str = ""
    last: str = ""
    asked_from: str = ""
    message: str = ""
    files: tuple[str, ...] = ()
    new: int | None = None


@dataclass(frozen=True)
class Wish:
    """What differs from the ordinary: a first day, days before the last value, some stations only."""

    since: date | None = None
    window_days: int | None = None
    stations: tuple[str, ...] = ()


def webs(site: Site, env: Mapping[str, str]) -> dict[Source, Web]:
    """A client for each source the site declares.

    Raises
    ------
    EnvironmentFailed : an address in the settings may not be asked.
    """
    return {
        source: Web(
            name, env.get(setting) or base, sleep=sleep, clock=monotonic, now=_now, agent=f"headwater/{VERSION}",
            key=env.get(KEY, "").strip() if source == "usgs" else "",
        )
        for source, (name, setting, base) in SERVICES.items()
        if any(one.source == source for one in site.fetch)
    }  # fmt: skip


def for_night(folder: SiteFolder, engine: Engine, env: Mapping[str, str]) -> Callable[[Say], list[str]] | None:
    """The night's step before the inbox: what could not be had, line by line. None where the site declares nothing."""

    def step(say: Say) -> list[str]:
        try:
            rows = run(folder, engine, webs(folder.site, env), clock=_now, say=say)
        except (HeadwaterError, OSError) as caught:  # no source and no disk may keep the night from judging
            return [f"fetch: {caught}"]
        return [
            f"fetch {one.station} {one.collection}: {one.state}: {one.message}" for one in rows if one.state in MISSED
        ]

    return step if folder.site.fetch else None


def run(
    folder: SiteFolder,
    engine: Engine,
    asked: Mapping[Source, Web],
    *,
    clock: Callable[[], datetime],
    say: Say = lambda _: None,
    wish: Wish | None = None,
) -> list[Fetched]:
    """Ask for everything the site declares; whole answers are in the inbox when this returns.

    Parameters
    ----------
    asked : a client for each source, closed at the end.
    clock : the time of day, aware.

    Raises
    ------
    EnvironmentFailed : another fetch is at work; the store failed.
    """
    me = f"process {os.getpid()} since {clock():%Y-%m-%dT%H:%M:%SZ}"
    with ExitStack() as held:
        held.enter_context(file_lock(folder.path / LOCK, me, "another fetch is at work on this site; this one stops"))
        for web in asked.values():
            held.enter_context(web)
        folder.inbox.mkdir(exist_ok=True)
        staging = Staging(folder.inbox, lambda note: _remember(engine, fetch_record.from_facts(note)))
        held.callback(staging.close)
        staging.recover()
        work = _Run(folder, engine, asked, clock, wish or Wish(), staging)
        return [work.fetch(target, collection, say) for target, collection in _jobs(folder.site, work.wish)]


def _jobs(site: Site, wish: Wish) -> list[tuple[Target, Collection]]:
    chosen = [one for one in targets(site) if not wish.stations or one.station in wish.stations]
    return [(target, collection) for target in chosen for collection in target.collections]


def _remember(engine: Engine, entry: Entry) -> None:
    with transaction(engine) as connection:
        fetch_record.write(connection, entry)


@dataclass
class _Run:
    """One run over all stations."""

    folder: SiteFolder
    engine: Engine
    asked: Mapping[Source, Web]
    clock: Callable[[], datetime]
    wish: Wish
    staging: Staging
    silent: dict[Source, set[str]] = field(default_factory=lambda: defaultdict(set))

    def fetch(self, target: Target, collection: Collection, say: Say) -> Fetched:
        """Ask for one collection and remember what became of it."""
        say(f"asking {SERVICES[target.source][0]} for {collection} of {target.station}")
        now = self.clock()
        before, question = self._question(target, collection, now)
        row = Fetched(target.station, target.source, target.number, collection, "failed")
        row = replace(row, asked_from=question.first.isoformat())
        try:
            answer = self._answer(question, before)
        except (SourceDown, BadAnswer) as caught:
            return self._missed(row, before, now, caught)
        self.silent[target.source].clear()
        return self._taken(row, succeeded(before, question, answer, now), answer)

    def _question(self, target: Target, collection: Collection, now: datetime) -> tuple[Entry, Question]:
        """What is remembered, and what to ask because of it."""
        site, policy, wish = self.folder.site, self.folder.policy, self.wish
        today = now.astimezone(UTC).date()
        with reading(self.engine) as connection:
            before = fetch_record.read(connection, target, collection).until(today)
            stored = fetch_record.stored(connection, target, collection, today)
            if missing := fetch_record.not_stored(connection, before):
                lost = not missing <= _hashes(self.folder.inbox)
                before, stored = (before.forgotten(), stored) if lost else (before, before.as_stored(stored))
        window = policy.laboratory_revision_window if target.source == "wqp" else policy.revision_window
        days = int(window.value) if wish.window_days is None else wish.window_days
        initial = target.since or _baseline_start(site, int(policy.baseline_minimum_years.value))
        first = wish.since or first_day(before.reach(stored), initial=initial, window_days=days)
        older = None if wish.since or first <= initial else before.last_success()
        return before, Question(target, collection, min(first, today), today, initial, older)

    def _answer(self, question: Question, before: Entry) -> Whole:
        """The whole answer, its files in the staging folder."""
        source = question.target.source
        web = self.asked[source]
        if len(self.silent[source] - {question.target.station}) >= GIVE_UP_AFTER:
            raise SourceDown("not asked: it gave no answer for the stations before this one", file=web.source)
        self.staging.begin()
        local = self.clock().astimezone(ZoneInfo(self.folder.law.zone))
        return ask(web, question, before, lambda number, body: self.staging.add(
            f"{question.name()}-{local:%Y-%m-%d}-{number:03d}.{question.suffix()}", body,
        ))  # fmt: skip

    def _missed(self, row: Fetched, before: Entry, now: datetime, caught: SourceDown | BadAnswer) -> Fetched:
        state: State = "source down" if isinstance(caught, SourceDown) else "failed"
        if state == "source down":
            self.silent[row.source].add(row.station)
        self.staging.begin()
        message = str(caught)[:LONGEST_MESSAGE]
        entry = replace(before, state=state, attempted=fetch_record.utc(now), message=message)
        _remember(self.engine, entry)
        return replace(row, state=state, message=message)

    def _taken(self, row: Fetched, entry: Entry, answer: Whole) -> Fetched:
        """A whole answer is delivered first and remembered then; one without values is only remembered."""
        files = tuple(path.name for path in self.staging.deliver(asdict(entry))) if answer.files else ()
        if not files:
            _remember(self.engine, entry)
        return replace(
            row, state=entry.state, values=answer.values, first=answer.first(), last=answer.last(), files=files,
            message=entry.message,
        )  # fmt: skip


def _hashes(inbox: Path) -> set[str]:
    """Content hashes of what waits in the inbox."""
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in waiting(inbox)}


def _baseline_start(site: Site, years: int) -> date:
    """Where a record begins that nobody gave a day for: the first baseline signed, else some years before mining."""
    signed = [one.record_from for stream in site.stream for one in stream.base_flow]
    began = site.permit.mining_began
    return min(signed, default=began - timedelta(days=round(DAYS_IN_A_YEAR * years)))


def _now() -> datetime:
    return datetime.now(UTC)
