"""The USGS Water Data OGC API: the observations of one monitoring location, every page or an error.

https://api.waterdata.usgs.gov/ogcapi/v0/ (OGC API - Features, Part 1). Values are ordered by feature and not by time,
so that a missing page is a hole anywhere in the record: a page that fails, that is short of what it states, that is
empty and leads on, that leads back to an earlier one or to another host fails the whole answer. The service gives at
most three years of ``continuous`` in one answer, so longer spans are asked for in parts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

import httpx

from ingest.web.address import joined
from ingest.web.client import Answer, Validators, Web

Collection = Literal["daily", "continuous", "field-measurements"]
Features = list[dict[str, Any]]
Keep = Callable[[bytes], None]

BASE = "https://api.waterdata.usgs.gov/ogcapi/v0"
PAGE_SIZE = 10_000
MOST_PAGES = 1_000
LONGEST_SPAN_D = {"continuous": 3 * 365}
"""Days that one request of a collection may span."""
SLACK = timedelta(days=1)
"""Between the days of a station and those of UTC."""
_ACCEPT = "application/geo+json, application/json"


@dataclass(frozen=True)
class Query:
    """What is asked: one station, one collection, whole days of UTC from ``first`` to ``last``.

    ``changed_since``: only what the service has touched since then (its ``last_modified``).
    """

    collection: Collection
    number: str
    parameters: tuple[str, ...]
    first: date
    last: date
    changed_since: datetime | None = None


@dataclass
class Download:
    """What became of a query: values, the earliest and latest time by parameter code, and how to recognise it again.

    ``url`` is set where one page was the whole answer: only then can the service tell that nothing changed.
    """

    values: int = 0
    pages: int = 0
    unchanged: bool = False
    url: str = ""
    validators: Validators = field(default_factory=Validators)
    spans: dict[str, tuple[str, str]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass
class _Walk:
    """One part of an answer, as far as it was walked."""

    urls: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    values: int = 0


def urls(base: str, query: Query) -> list[str]:
    """The first page of each part of a query."""
    return [_url(base, replace(query, first=first, last=last)) for first, last in _parts(query)]


def download(web: Web, query: Query, keep: Keep, *, url: str = "", known: Validators | None = None) -> Download:
    """Hand every page that holds values to ``keep``, in order.

    Parameters
    ----------
    url, known : the address of an earlier answer and what it is recognised by; told only if the address is the same.

    Raises
    ------
    SourceDown, BadAnswer : not the whole answer; what ``keep`` was given is then worth nothing.
    """
    got, parts = Download(), [replace(query, first=first, last=last) for first, last in _parts(query)]
    for part in parts:
        asked = _url(web.base, part)
        same = known if len(parts) == 1 and asked == url else None
        for answer, features in _answers(web, part, asked, same):
            got.pages += 1
            got.url, got.validators, got.unchanged = answer.url, answer.validators(), answer.unchanged
            _note(got, features)
            if features:
                keep(answer.body)
    return got if got.pages == 1 else replace(got, url="", validators=Validators())


def _answers(web: Web, query: Query, url: str, known: Validators | None) -> Iterator[tuple[Answer, Features]]:
    """One part, page by page."""
    walk, following, stated = _Walk(), url, None
    while following:
        if following in walk.urls or len(walk.urls) >= MOST_PAGES:
            raise web.bad(following, f"page {len(walk.urls) + 1} leads in a circle or on without end")
        walk.urls.add(following)
        answer, page, features, following = _page(web, following, known)
        if answer.unchanged:
            yield answer, []
            return
        _check(web, answer.url, page, features, query, walk)
        yield answer, features
        stated = page.get("numberMatched", stated)
    if isinstance(stated, int) and stated != walk.values:
        raise web.bad(url, f"{walk.values} values came and {stated} are stated")


def _page(web: Web, url: str, known: Validators | None) -> tuple[Answer, dict[str, Any], Features, str]:
    """One page, and where it leads; an empty one that leads on is half an answer, and asked for once more.

    Raises
    ------
    BadAnswer : it is empty again and leads on.
    """
    for _ in range(2):
        answer = web.get(url, accept=_ACCEPT, known=known)
        if answer.unchanged:
            return answer, {}, [], ""
        page, features = _features(web, answer)
        following = _next(web, answer.url, page, len(features))
        if features or not following:
            return answer, page, features, following
    raise web.bad(url, "an empty page that leads on, twice: its values are lost")


def _features(web: Web, answer: Answer) -> tuple[dict[str, Any], Features]:
    """A page and its features.

    Raises
    ------
    BadAnswer : no GeoJSON collection of features.
    """
    try:
        page = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise web.bad(answer.url, "the answer is no JSON, or was cut") from None
    features = page.get("features") if isinstance(page, dict) else None
    if not isinstance(features, list) or not all(isinstance(_properties(one), dict) for one in features):
        raise web.bad(answer.url, "the answer is no collection of features")
    return page, features


def _properties(feature: object) -> object:
    return feature.get("properties") if isinstance(feature, dict) else None


def _check(web: Web, url: str, page: dict[str, Any], features: Features, query: Query, walk: _Walk) -> None:
    """As many as stated, what was asked for, and none that came before."""
    returned = page.get("numberReturned", len(features))
    if returned != len(features):
        raise web.bad(url, f"{len(features)} values came and {returned} are stated")
    _asked_for(web, url, [one["properties"] for one in features], query)
    ids = [str(one["id"]) for one in features if one.get("id") is not None]
    if len(walk.ids.union(ids)) < len(walk.ids) + len(ids):
        raise web.bad(url, f"page {len(walk.urls)} repeats values, its own or of an earlier page")
    walk.ids.update(ids)
    walk.values += len(features)


def _asked_for(web: Web, url: str, values: Sequence[Mapping[str, Any]], query: Query) -> None:
    """Of the station, the parameters and the days that were asked for; a time that is none is the reader's to refuse.

    Raises
    ------
    BadAnswer : something else came.
    """
    stations = {str(one.get("monitoring_location_id")) for one in values} - {f"USGS-{query.number}"}
    if stations:
        raise web.bad(url, f"values of another station, {min(stations)}")
    parameters = {str(one.get("parameter_code")) for one in values} - set(query.parameters)
    if parameters:
        raise web.bad(url, f"values of parameter {min(parameters)}, asked for {', '.join(query.parameters)}")
    days = [day for one in values if (day := day_of(one.get("time"))) is not None]
    outside = [day for day in days if not query.first - SLACK <= day <= query.last + SLACK]
    if outside:
        raise web.bad(url, f"a value of {outside[0]}, asked for {query.first} to {query.last}")


def day_of(time: object) -> date | None:
    """The day a time begins with, or None where it begins with none."""
    try:
        return date.fromisoformat(str(time)[: len("YYYY-MM-DD")])
    except ValueError:
        return None


def _next(web: Web, url: str, page: dict[str, Any], values: int) -> str:
    """The next page, "" after the last. A full page that leads nowhere may be a cut answer."""
    links = page.get("links")
    following = [
        one.get("href") for one in (links if isinstance(links, list) else [])
        if isinstance(one, dict) and "next" in _listed(one.get("rel"))
    ]  # fmt: skip
    if not following:
        if values >= PAGE_SIZE and page.get("numberMatched") is None:
            raise web.bad(url, "a full page that leads to no next one: the answer may be cut")
        return ""
    target = joined(url, following[0]) if isinstance(following[0], str) else None
    if target is None:
        raise web.bad(url, "there is a next page, and no usable link to it")
    if not web.same_origin(target):
        raise web.bad(url, "the next page lies at another host")
    return target


def _listed(rel: object) -> list[object]:
    return rel if isinstance(rel, list) else [rel]


def _note(got: Download, features: Features) -> None:
    got.values += len(features)
    for one in features:
        code, time = (str(one["properties"].get(name) or "") for name in ("parameter_code", "time"))
        if time:
            first, last = got.spans.get(code, (time, time))
            got.spans[code] = (min(first, time), max(last, time))


def _parts(query: Query) -> list[tuple[date, date]]:
    longest = LONGEST_SPAN_D.get(query.collection)
    if longest is None:
        return [(query.first, query.last)]
    days = range(0, (query.last - query.first).days + 1, longest)
    starts = [query.first + timedelta(days=one) for one in days]
    return [(one, min(one + timedelta(days=longest - 1), query.last)) for one in starts]


def _url(base: str, query: Query) -> str:
    clocks = ("", "") if query.collection == "daily" else ("T00:00:00Z", "T23:59:59Z")
    asked = {
        "f": "json",
        "monitoring_location_id": f"USGS-{query.number}",
        "parameter_code": ",".join(query.parameters),
        "time": f"{query.first}{clocks[0]}/{query.last}{clocks[1]}",
        "limit": str(PAGE_SIZE),
    }
    if query.changed_since is not None:
        asked["last_modified"] = f"{query.changed_since:%Y-%m-%dT%H:%M:%SZ}/.."
    return str(httpx.URL(f"{base.rstrip('/')}/collections/{query.collection}/items", params=asked))
