"""One question to one source, and the whole answer to it: files kept, values counted, what is remembered of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from ingest.web import usgs_api, wqp_service
from ingest.web.client import Validators, Web
from ingest.web.usgs_api import Download
from models.fetching import Collection, Target
from pipelines.fetch_record import Entry, State, utc

REVISED = ("daily", "field-measurements")
"""Collections asked, beyond the revision window, for what was changed since the last answer: USGS approves a value
months after it was measured. Not ``continuous``: the service gives three years of it at a time, so that each night
would ask for the whole record in parts."""
_MARGIN = timedelta(days=2)
"""Clocks differ, and an answer may be older than the instant it was given."""

Keep = Callable[[int, bytes], str]
"""Takes the number of a file and its content; gives the hash of the content."""


@dataclass(frozen=True)
class Question:
    """Whole days from ``first`` to ``last``, and what was changed of the days before since ``changed_since``.

    ``initial``: the first day that is wanted at all.
    """

    target: Target
    collection: Collection
    first: date
    last: date
    initial: date
    changed_since: datetime | None = None

    def name(self) -> str:
        """How its files are called, before day and number."""
        return f"{self.target.source}-{self.target.number}-{self.collection}"

    def suffix(self) -> str:
        return "csv" if self.target.source == "wqp" else "json"


@dataclass(frozen=True)
class Whole:
    """A whole answer; ``spans`` as in ``Download``, ``files`` the content hashes of what was kept."""

    values: int
    unchanged: bool
    spans: Mapping[str, tuple[str, str]]
    files: tuple[str, ...]
    notes: tuple[str, ...]
    url: str
    validators: Validators

    def state(self) -> State:
        return "new data" if self.values else "unchanged" if self.unchanged else "no data"

    def first(self) -> str:
        """The earliest time in the answer, as the source writes it; "" where there is none."""
        return min((first for first, _ in self.spans.values()), default="")

    def last(self) -> str:
        return max((last for _, last in self.spans.values()), default="")


def ask(web: Web, question: Question, before: Entry, keep: Keep) -> Whole:
    """Every file of the answer goes to ``keep``.

    Raises
    ------
    SourceDown, BadAnswer : not the whole answer; what was kept is worth nothing.
    """
    hashes: list[str] = []

    def kept(body: bytes) -> None:
        hashes.append(keep(len(hashes) + 1, body))

    parts = _downloads(web, question, before, kept)
    main = parts[0]
    spans = [(code, span) for part in parts for code, span in part.spans.items()]
    codes = {code for code, _ in spans}
    joined = {
        code: (min(one[0] for name, one in spans if name == code), max(one[1] for name, one in spans if name == code))
        for code in codes
    }
    values = sum(part.values for part in parts)
    return Whole(values, main.unchanged, joined, tuple(hashes), main.notes, main.url, main.validators)


def _downloads(web: Web, question: Question, before: Entry, kept: Callable[[bytes], None]) -> list[Download]:
    known, target = Validators(before.etag, before.modified), question.target
    if question.collection == "results":
        wanted = wqp_service.Query(target.number, question.first, question.last)
        return [wqp_service.download(web, wanted, kept, known_url=before.url, known=known)]
    query = usgs_api.Query(question.collection, target.number, target.parameters, question.first, question.last)
    parts = [usgs_api.download(web, query, kept, url=before.url, known=known)]
    if question.changed_since is not None and question.collection in REVISED:
        day, since = question.first - timedelta(days=1), question.changed_since - _MARGIN
        older = replace(query, first=question.initial, last=day, changed_since=since)
        parts.append(usgs_api.download(web, older, kept))
    return parts


def succeeded(before: Entry, question: Question, answer: Whole, now: datetime) -> Entry:
    """What is remembered once the answer is in the inbox."""
    reached = dict(before.reached)
    for code, (_, last) in answer.spans.items():
        if _is_day(last[:10]):  # what is none is the reader's to refuse
            reached[code] = max(min(last[:10], question.last.isoformat()), reached.get(code, ""))
    same = answer.unchanged and not answer.values
    return replace(
        before, state=answer.state(), attempted=utc(now), succeeded=utc(now), message="; ".join(answer.notes),
        covered=question.last.isoformat(), reached=reached, files=before.files if same else answer.files,
        url=answer.url, etag=answer.validators.etag or (before.etag if answer.unchanged else ""),
        modified=answer.validators.modified or (before.modified if answer.unchanged else ""),
    )  # fmt: skip


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
