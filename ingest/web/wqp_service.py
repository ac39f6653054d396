"""The Water Quality Portal: every result of one station since a day, or an error.

https://www.waterqualitydata.us/webservices_documentation/: one answer without pages, as CSV of the narrow profile.
Its header ``Total-Result-Count`` states how many rows there are to be; its ``Warning`` headers are passed on.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import httpx

from ingest.web.client import Answer, Validators, Web
from ingest.web.usgs_api import Download, day_of

BASE = "https://www.waterqualitydata.us/data"
COUNT = re.compile(r"[0-9]{1,15}")
_STATION, _DAY = "MonitoringLocationIdentifier", "ActivityStartDate"


@dataclass(frozen=True)
class Query:
    """What is asked: the results of one station, sampled on ``first`` or later; ``today`` none can be later."""

    station: str
    first: date
    today: date


def url(base: str, query: Query) -> str:
    """The address of an answer."""
    asked = {
        "siteid": query.station,
        "startDateLo": f"{query.first:%m-%d-%Y}",
        "mimeType": "csv",
        "dataProfile": "narrowResult",
        "zip": "no",
    }
    return str(httpx.URL(f"{base.rstrip('/')}/Result/search", params=asked))


def download(
    web: Web, query: Query, keep: Callable[[bytes], None], *, known_url: str = "", known: Validators | None = None
) -> Download:
    """Hand the answer to ``keep`` if it holds results.

    Raises
    ------
    SourceDown, BadAnswer : not the whole answer.
    """
    asked = url(web.base, query)
    answer = web.get(asked, accept="text/csv", known=known if asked == known_url else None)
    notes = tuple(text for name, text in answer.headers.items() if name.lower() == "warning")
    if answer.unchanged:
        return Download(pages=1, unchanged=True, url=asked, validators=answer.validators(), notes=notes)
    days = _days(web, answer, query)
    if days:
        keep(answer.body)
    spans = {"": (min(days), max(days))} if days else {}
    return Download(len(days), 1, False, asked, answer.validators(), spans, notes)


def _days(web: Web, answer: Answer, query: Query) -> list[str]:
    """The sampling day of each row, if every row is whole and there are as many as stated."""
    header, rows = _rows(web, answer)
    if not {_STATION, _DAY} <= set(header):
        raise web.bad(answer.url, "the answer is no table of results")
    short = next((number for number, row in enumerate(rows, start=2) if len(row) != len(header)), None)
    if short is not None:
        raise web.bad(answer.url, f"row {short} of the answer is cut or broken")
    stations = {row[header.index(_STATION)] for row in rows} - {query.station}
    if stations:
        raise web.bad(answer.url, f"results of another station, {min(stations)}")
    _counted(web, answer, len(rows))
    days = [row[header.index(_DAY)] for row in rows]
    _in_span(web, answer, days, query)
    return days


def _in_span(web: Web, answer: Answer, days: Sequence[str], query: Query) -> None:
    """Sampled since the day asked and not in the future; a day that is none is the reader's to refuse."""
    for day in filter(None, map(day_of, days)):
        if not query.first <= day <= query.today:
            raise web.bad(answer.url, f"a result of {day}, asked for {query.first} to {query.today}")


def _rows(web: Web, answer: Answer) -> tuple[list[str], list[list[str]]]:
    text = answer.body.decode("utf-8-sig", "replace")
    try:
        header, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row] or [[]]
    except csv.Error:
        raise web.bad(answer.url, "the answer is no CSV, or was cut") from None
    return header, rows


def _counted(web: Web, answer: Answer, rows: int) -> None:
    """A table can lose its end and look whole: either the rows are stated, or the end of the answer was marked."""
    text = answer.headers.get("total-result-count", "").strip()
    stated = int(text) if COUNT.fullmatch(text) else None
    if stated is not None and stated != rows:
        raise web.bad(answer.url, f"{rows} results came and {stated} are stated")
    if stated is None and not answer.bounded:
        raise web.bad(answer.url, "nothing states where the answer ends: it may be cut")
