"""One polite HTTP client for the services that are asked for data.

An answer is whole or it is an error: a cut body, a body that drips, a page for people where data was asked for, and a
redirect to somewhere else all raise. The key of a service goes into a header, to that service's own host only, and
into no message. Whoever calls gives the clock and the sleep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from types import TracebackType
from typing import Self

import httpx

from ingest.web.address import Secret, is_public, joined, same_origin, service_address, shown
from ingest.web.line import Line
from ingest.web.status import AGAIN, named, retry_after_s, what_to_do
from models.errors import EnvironmentFailed

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PAGE = (b"<!doctype html", b"<html")
_EXCERPT = 160


class SourceDown(EnvironmentFailed):
    """The service gave no whole answer: not reached, busy, cut off. Asking later may help."""


class BadAnswer(EnvironmentFailed):
    """The service answered, and the answer cannot be taken. Nothing of it was."""


@dataclass(frozen=True)
class Patience:
    """How long and how often a service is asked.

    Parameters
    ----------
    connect_s, read_s : to connect; between two pieces of an answer.
    attempt_s : for one whole answer, however it drips.
    run_s : for everything asked through one client; what is done between the questions does not count.
    attempts : of one request; ``first_wait_s`` doubles from one to the next.
    slow_attempts : of one request that is answered too slowly: the next one would take as long.
    longest_wait_s : a service that asks for more (Retry-After) is left alone until the next run.
    """

    connect_s: float = 10.0
    read_s: float = 60.0
    attempt_s: float = 120.0
    run_s: float = 600.0
    attempts: int = 4
    slow_attempts: int = 2
    first_wait_s: float = 2.0
    longest_wait_s: float = 120.0
    most_bytes: int = 64 * 2**20
    redirects: int = 5


@dataclass(frozen=True)
class Validators:
    """What a service said to recognise an answer by (RFC 9110, 8.8)."""

    etag: str = ""
    modified: str = ""

    def headers(self) -> dict[str, str]:
        pairs = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: text for name, text in pairs.items() if text}


@dataclass(frozen=True)
class Answer:
    """One whole answer. ``unchanged``: the service says it is what it was (304). ``bounded``: its end was marked."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    unchanged: bool = False
    bounded: bool = True

    def validators(self) -> Validators:
        return Validators(self.headers.get("etag", ""), self.headers.get("last-modified", ""))


@dataclass
class Web:
    """Asks one service, one request at a time.

    Parameters
    ----------
    source : what the service is called in messages.
    base : its address; https, or http on this machine.
    sleep, clock : wait some seconds; seconds that only go forward.
    now : the time of day, for a Retry-After that names an instant.
    key : sent as X-Api-Key to the host of ``base`` only.

    Raises
    ------
    EnvironmentFailed : ``base`` is no address that may be asked.
    """

    source: str
    base: str
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    now: Callable[[], datetime]
    agent: str = "headwater"
    key: str = field(default="", repr=False)
    patience: Patience = Patience()

    def __post_init__(self) -> None:
        self.home = service_address(self.base, self.source)
        if self.key and not (self.key.isascii() and self.key.isprintable()):
            raise EnvironmentFailed("the key of this service holds characters no key has", file=self.source)
        self._line = Line()
        waits = httpx.Timeout(self.patience.read_s, connect=self.patience.connect_s)
        self._client = httpx.Client(timeout=waits, follow_redirects=False, headers={"User-Agent": self.agent})
        self._secret = Secret(self.key)
        self._spent = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._client.close()

    def get(self, url: str, *, accept: str, known: Validators | None = None) -> Answer:
        """One whole answer, asked for as often as patience allows.

        Raises
        ------
        SourceDown : no whole answer could be had.
        BadAnswer : there is one, and it is not data: refused, a page for people, too large, led elsewhere.
        """
        url = self._without_key(url)
        headers = {"Accept": accept, "Accept-Encoding": "gzip", **(known.headers() if known else {})}
        if self._left_s() <= 0:
            raise self._down(url, f"not asked: the questions before took more than {self.patience.run_s:.0f} s in all")
        for attempt in range(1, self.patience.attempts + 1):
            with self._counted():
                got = self._attempt(url, headers)
                if isinstance(got, Answer):
                    return got
                self._rest(url, attempt, got)
            if self._left_s() <= 0:
                raise self._down(url, f"{got.reason}; asking took more than {self.patience.run_s:.0f} s in all")
        raise AssertionError("the last attempt returns or raises")

    def same_origin(self, url: str) -> bool:
        """Whether an address lies at the service's own host."""
        return same_origin(url, self.home)

    def bad(self, url: str, reason: str, do: str = "nothing of it was taken; ask again later") -> BadAnswer:
        """The error for an answer that cannot be taken."""
        return BadAnswer(f"{self._plain(reason)}; {do} ({self.shown(url)})", file=self.source)

    def shown(self, url: str) -> str:
        """An address as it may be told: without any key, user or password."""
        return self._plain(shown(url))

    def _down(self, url: str, reason: str, do: str = "ask again later") -> SourceDown:
        return SourceDown(f"{self._plain(reason)}; {do} ({self.shown(url)})", file=self.source)

    def _without_key(self, url: str) -> str:
        """The address to ask: libraries write it into logs, so that a service's echo of the key must not be in it."""
        if self._secret.within(shown(url)):
            raise self.bad(url, "an address with the key in it")
        return shown(url)

    def _plain(self, text: str) -> str:
        return self._secret.masked(text)

    def _left_s(self) -> float:
        return self.patience.run_s - self._spent

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """What passes here is time spent on this service."""
        begun = self.clock()
        try:
            yield
        finally:
            self._spent += self.clock() - begun

    def _rest(self, url: str, attempt: int, got: _Failed) -> None:
        """Wait before the next attempt, doubling or as the service asks; raise where there is to be none."""
        if got.retry_after_s > self.patience.longest_wait_s:
            raise self._down(url, f"{got.reason}, and it asks to be left alone for {got.retry_after_s:.0f} s", got.do)
        slow = self.patience.slow_attempts if got.slow else self.patience.attempts
        if attempt >= min(slow, self.patience.attempts):
            raise self._down(url, f"{got.reason}, {attempt} times", got.do)
        doubled = self.patience.first_wait_s * 2.0 ** (attempt - 1)
        self.sleep(min(max(doubled, got.retry_after_s), self.patience.longest_wait_s))

    def _attempt(self, url: str, headers: Mapping[str, str]) -> Answer | _Failed:
        asked = url
        try:
            with self._line.cut_after(min(self.patience.attempt_s, self._left_s())):
                for _ in range(self.patience.redirects + 1):
                    got = self._ask(asked, headers)
                    if not isinstance(got, _Elsewhere):
                        return got
                    asked = self._followed(asked, got.location)
        except (httpx.TransportError, httpx.DecodingError) as caught:
            if not self.same_origin(asked):  # the service itself is there: asking it again leads to the same place
                raise self._down(asked, f"led on to {httpx.URL(asked).host}, {self._why(caught)}") from None
            return _Failed(self._why(caught), slow=self._line.was_cut or isinstance(caught, httpx.TimeoutException))
        raise self.bad(url, f"led on more than {self.patience.redirects} times")

    def _ask(self, url: str, headers: Mapping[str, str]) -> Answer | _Failed | _Elsewhere:
        ours = {"X-Api-Key": self.key} if self.key and self.same_origin(url) else {}
        told = {"trace": self._line.watch}
        with self._client.stream("GET", url, headers={**headers, **ours}, extensions=told) as response:
            status = response.status_code
            if status in _REDIRECTS:
                return _Elsewhere(response.headers.get("location", ""))
            if status in AGAIN:
                wished = retry_after_s(response.headers.get("retry-after", ""), self.now())
                return _Failed(named(status), wished, what_to_do(status))
            body = b"" if status == HTTPStatus.NOT_MODIFIED else self._body(url, response)
            return self._taken(url, response, body)

    def _body(self, url: str, response: httpx.Response) -> bytes:
        """The whole body; httpx itself raises where it ends before its marked end."""
        parts, size = [], 0
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > self.patience.most_bytes:
                raise self.bad(url, f"larger than {self.patience.most_bytes} bytes", "ask for less")
        if self._line.was_cut:  # an answer without a marked end looks whole when its line is cut
            raise httpx.ReadTimeout("cut")
        return b"".join(parts)

    def _taken(self, url: str, response: httpx.Response, body: bytes) -> Answer:
        status, head = response.status_code, response.headers
        if status in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED} and self._repeats_key(head, body):
            raise self.bad(url, "the answer repeats the key", "nothing of it was taken; tell the service")
        if status == HTTPStatus.NOT_MODIFIED and {"if-none-match", "if-modified-since"} & set(response.request.headers):
            return Answer(url, b"", head, unchanged=True)
        if status != HTTPStatus.OK:
            raise self.bad(url, f"{named(status)}{self._excerpt(head, body)}", what_to_do(status))
        if "text/html" in head.get("content-type", "").lower() or body.lstrip()[:20].lower().startswith(_PAGE):
            raise self.bad(url, "a page for people and not data")
        bounded = "content-length" in head or "chunked" in head.get("transfer-encoding", "").lower()
        return Answer(url, body, head, bounded=bounded)

    def _repeats_key(self, head: Mapping[str, str], body: bytes) -> bool:
        """Whether what is kept would give the key away: a body goes into files, parts of a head into the store."""
        return self._secret.within_bytes(body) or any(map(self._secret.within, head.values()))

    def _excerpt(self, head: Mapping[str, str], body: bytes) -> str:
        """What a service says of its refusal, if it is not a page for people."""
        text = " ".join(self._plain(body.decode("utf-8", "replace")).split())  # masked whole: a cut key is a part of it
        page = "html" in head.get("content-type", "").lower() or text[:20].lower().startswith(("<!doctype", "<html"))
        return "" if page or not text else f": {text[:_EXCERPT]}"

    def _followed(self, url: str, location: str) -> str:
        """Where a redirect leads, if one may go there: the same host, or another by https and by name."""
        target = joined(url, location)
        if target is None or not (self.same_origin(target) or is_public(target)):
            where = "an address that is none" if target is None else self.shown(target)
            raise self.bad(url, f"led to {where}, where this program does not go")
        return self._without_key(target)

    def _why(self, caught: Exception) -> str:
        if self._line.was_cut:
            return f"no whole answer within {min(self.patience.attempt_s, self._left_s()):.0f} s"
        if isinstance(caught, httpx.ConnectTimeout | httpx.ConnectError):
            return f"not reached ({caught or type(caught).__name__})"
        if isinstance(caught, httpx.TimeoutException):
            return f"silent for {self.patience.read_s:.0f} s"
        return f"the answer broke off ({caught or type(caught).__name__})"


@dataclass(frozen=True)
class _Failed:
    """An attempt that may be made again."""

    reason: str
    retry_after_s: float = 0.0
    do: str = "ask again later"
    slow: bool = False


@dataclass(frozen=True)
class _Elsewhere:
    location: str
