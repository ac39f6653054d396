"""One polite client: a whole answer, an error that says what to do, and no key in any of it."""

from __future__ import annotations

import gzip
import itertools
import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from ingest.web import usgs_api
from ingest.web.client import Answer, BadAnswer, Patience, SourceDown, Validators, Web
from models.errors import EnvironmentFailed
from tests.http_source import HTML, Reply, Source, running

KEY = "k3yThatNobodySees"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
OK = Reply(body=b'{"a": 1}')
QUICK = Patience(connect_s=2, read_s=5, attempt_s=20)


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with running() as one:
        yield one


@pytest.fixture
def slept() -> list[float]:
    return []


Make = Callable[..., Web]


@pytest.fixture
def web(source: Source, slept: list[float]) -> Iterator[Make]:
    made: list[Web] = []

    def make(patience: Patience = QUICK, base: str = source.url, clock: Callable[[], float] = lambda: 0.0) -> Web:
        made.append(Web("Source", base, slept.append, clock, lambda: NOW, "headwater/1", KEY, patience))
        return made[-1]

    yield make
    for one in made:
        one.__exit__(None, None, None)


def get(web: Web, path: str = "/x", known: Validators | None = None) -> Answer:
    return web.get(web.base + path, accept="application/json", known=known)


def test_a_whole_answer(source: Source, web: Make, slept: list[float]) -> None:
    source.replies(OK)
    assert get(web()).body == b'{"a": 1}'
    asked = source.asked[0].headers
    assert (asked["x-api-key"], asked["user-agent"], asked["accept"]) == (KEY, "headwater/1", "application/json")
    assert slept == []


def test_a_packed_answer(source: Source, web: Make) -> None:
    source.replies(Reply(body=gzip.compress(b'{"a": 1}'), headers={"Content-Encoding": "gzip"}))
    assert get(web()).body == b'{"a": 1}'


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_service_is_asked_again(source: Source, web: Make, slept: list[float], status: int) -> None:
    source.replies(Reply(status), Reply(status), OK)
    assert get(web()).body == OK.body
    assert slept == [2.0, 4.0]


def test_a_service_that_stays_away_is_down(source: Source, web: Make, slept: list[float]) -> None:
    source.replies(Reply(503))
    with pytest.raises(SourceDown, match=r"503 Service Unavailable, 4 times; ask again later"):
        get(web())
    assert slept == [2.0, 4.0, 8.0]
    assert len(source.asked) == 4


@pytest.mark.parametrize("wish", ["30", "Mon, 30 Nov 2026 12:00:30 GMT"])
def test_retry_after_is_kept_to(source: Source, web: Make, slept: list[float], wish: str) -> None:
    source.replies(Reply(429, headers={"Retry-After": wish}), OK)
    get(web())
    assert slept == [30.0]


def test_who_wants_to_be_left_alone_for_long_is(source: Source, web: Make, slept: list[float]) -> None:
    source.replies(Reply(429, headers={"Retry-After": "2619"}), OK)
    with pytest.raises(SourceDown, match=r"left alone for 2619 s; ask again later, or set a key"):
        get(web())
    assert (slept, len(source.asked)) == ([], 1)


@pytest.mark.parametrize("wish", ["", "soon", "-5", "²"])
def test_a_wish_that_is_none_is_the_usual_wait(source: Source, web: Make, slept: list[float], wish: str) -> None:
    source.script[0] = lambda _: (
        Reply(429, headers={"Retry-After": wish.encode().decode("latin-1")}) if not slept else OK
    )
    get(web())
    assert slept == [2.0]


@pytest.mark.parametrize("broken", [
    Reply(body=b'{"a": 1}', cut_after=4), Reply(body=b'{"a": 1}', length=99), Reply(body=b"x", cut_after=0),
    Reply(body=b"not gzip at all", headers={"Content-Encoding": "gzip"}),
])  # fmt: skip
def test_an_answer_that_breaks_off_is_none(source: Source, web: Make, slept: list[float], broken: Reply) -> None:
    source.replies(broken, OK)
    assert get(web()).body == OK.body
    assert slept == [2.0]
    source.replies(broken)
    with pytest.raises(SourceDown, match="broke off"):
        get(web())


def test_nobody_there(source: Source, web: Make) -> None:
    nobody = web(base="http://127.0.0.1:9")
    with pytest.raises(SourceDown, match="not reached"):
        get(nobody)


@pytest.mark.parametrize("head", [False, True])
@pytest.mark.parametrize("unmarked", [False, True])
def test_a_drip_ends(source: Source, web: Make, head: bool, unmarked: bool) -> None:
    """Each byte comes long before the read times out; an unmarked end could be taken for the end."""
    source.replies(Reply(body=b"1234567890" * 100, drip_s=0.05, drip_head=head, unmarked=unmarked))
    with pytest.raises(SourceDown, match=r"no whole answer within 0 s, 2 times"):
        get(web(Patience(attempt_s=0.3, attempts=2)))


@pytest.mark.parametrize("drip", [Reply(body=b"12345" * 99, drip_s=0.05), Reply(body=b"12345" * 99, drip_s=9.0)])
def test_who_is_slow_is_asked_once_more_and_not_oftener(source: Source, web: Make, drip: Reply) -> None:
    """Four attempts that each wait for their limit are a lost night."""
    source.replies(drip)
    with pytest.raises(SourceDown, match="2 times"):
        get(web(Patience(attempt_s=0.6, read_s=0.3, attempts=4)))
    assert len(source.asked) == 2


def test_the_patience_of_a_run_is_ten_minutes_and_of_an_attempt_two() -> None:
    assert (Patience().run_s, Patience().attempt_s, Patience().slow_attempts) == (600.0, 120.0, 2)


def test_an_attempt_has_no_longer_than_the_run(source: Source, web: Make) -> None:
    source.replies(Reply(body=b"1234567890" * 1000, drip_s=0.05))
    asked = web(Patience(attempt_s=60, attempts=1, run_s=0.3))
    with pytest.raises(SourceDown, match="no whole answer within 0 s"):
        get(asked)


def test_after_its_time_a_source_is_not_asked(source: Source, web: Make, slept: list[float]) -> None:
    """Only the time spent on this source counts, not what is done between its questions."""
    source.replies(Reply(503), OK, Reply(503))
    between = [0.0]
    asked = web(Patience(run_s=3.0), clock=lambda: sum(slept) + between[0])
    between[0] = 1e6
    assert get(asked).body == OK.body
    with pytest.raises(SourceDown, match="503 Service Unavailable; asking took more than 3 s in all"):
        get(asked)
    with pytest.raises(SourceDown, match="not asked: the questions before took more than 3 s in all"):
        get(asked)
    assert len(source.asked) == 3


def test_a_whole_run_ends(source: Source, web: Make, slept: list[float]) -> None:
    source.replies(Reply(503))
    with pytest.raises(SourceDown, match="more than 5 s in all"):
        get(web(Patience(run_s=5, attempts=9), clock=lambda: sum(slept)))
    assert slept == [2.0, 4.0]


@pytest.mark.parametrize("headers", [{"Content-Type": "text/html; charset=utf-8"}, {}])
def test_a_page_for_people_is_no_data(source: Source, web: Make, headers: dict[str, str]) -> None:
    source.replies(Reply(body=HTML, headers=headers))
    with pytest.raises(BadAnswer, match="a page for people"):
        get(web())


@pytest.mark.parametrize(("status", "do"), [
    (400, "declaration"), (403, "look at the key"), (404, "declaration"), (500, "again later"), (204, "declaration"),
    (206, "declaration"),
])  # fmt: skip
def test_a_refusal_is_not_repeated(source: Source, web: Make, slept: list[float], status: int, do: str) -> None:
    source.replies(Reply(status, body=b'{"description": "no such station"}' if status != 204 else b""))
    with pytest.raises(BadAnswer, match=rf"{status}.*{do}"):
        get(web())
    assert (slept, len(source.asked)) == ([], 1)


def test_too_large(source: Source, web: Make) -> None:
    source.replies(Reply(body=gzip.compress(b"0" * 1_000_000), headers={"Content-Encoding": "gzip"}))
    with pytest.raises(BadAnswer, match="larger than 1000 bytes"):
        get(web(Patience(most_bytes=1000)))


def test_what_did_not_change(source: Source, web: Make) -> None:
    known = Validators('"abc"', "Mon, 30 Nov 2026 10:00:00 GMT")
    source.replies(Reply(304))
    assert get(web(), known=known).unchanged
    assert source.asked[0].headers["if-none-match"] == '"abc"'
    assert source.asked[0].headers["if-modified-since"] == "Mon, 30 Nov 2026 10:00:00 GMT"
    with pytest.raises(BadAnswer, match="304"):
        get(web())


# Redirects -----------------------------------------------------------------------------------------------------------


def test_a_redirect_on_the_same_host(source: Source, web: Make) -> None:
    source.does(lambda asked: OK if asked.path == "/y" else Reply(302, headers={"Location": "/y"}))
    assert get(web()).body == OK.body


@pytest.mark.parametrize("target", [
    "http://169.254.169.254/latest/", "https://169.254.169.254/", "https://[::1]/", "https://localhost/",
    "https://2130706433/", "https://0x7f.0.0.1/", "http://example.test/", "file:///etc/passwd", "ftp://example.test/",
    "gopher://example.test/", "http://127.0.0.1:1/", "//127.0.0.1:1/", "", "http://[bad", "https:///nothing",
])  # fmt: skip
def test_a_redirect_to_where_nobody_should_go(source: Source, web: Make, target: str) -> None:
    source.replies(Reply(302, headers={"Location": target}))
    with pytest.raises(BadAnswer, match="led to"):
        get(web())
    assert len(source.asked) == 1


def test_a_redirect_by_https_and_name_is_followed_without_the_key(source: Source, web: Make) -> None:
    asked = web()
    assert asked._followed("http://127.0.0.1/x", "https://data.example.gov/y") == "https://data.example.gov/y"
    assert not asked.same_origin("https://data.example.gov/y")


def test_a_circle_of_redirects(source: Source, web: Make) -> None:
    source.replies(Reply(301, headers={"Location": "/x"}))
    with pytest.raises(BadAnswer, match="more than 5 times"):
        get(web())


def test_another_host_that_is_not_there_is_named_and_asked_once(
    source: Source, web: Make, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    source.replies(Reply(302, headers={"Location": "https://data.example.gov/y"}))
    asked = web()
    real = asked._client.stream

    def nowhere(method: str, url: str, **more: Any) -> Any:
        if "example.gov" in url:
            raise httpx.ConnectError("Name or service not known")
        return real(method, url, **more)

    monkeypatch.setattr(asked._client, "stream", nowhere)
    with pytest.raises(SourceDown) as caught:
        get(asked)
    assert "led on to data.example.gov, not reached (Name or service not known)" in str(caught.value)
    assert str(caught.value).endswith("(https://data.example.gov/y)")
    assert "127.0.0.1" not in str(caught.value)
    assert (slept, len(source.asked)) == ([], 1)


# Addresses and the key -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["http://api.example.gov/", "ftp://x/", "api.example.gov", "", "http://10.0.0.1/",
                                  "https://user:secret@api.example.gov/", "http://[::bad/"])  # fmt: skip
def test_an_address_that_may_not_be_asked(web: Make, base: str) -> None:
    with pytest.raises(EnvironmentFailed) as caught:
        web(base=base)
    assert "secret" not in str(caught.value)


def test_the_key_is_in_no_message_and_no_log(
    source: Source, web: Make, caplog: pytest.LogCaptureFixture, slept: list[float]
) -> None:
    caplog.set_level(logging.INFO)
    said = [repr(web())]
    echo = {"description": f"bad key {KEY}"}
    scripts = [
        Reply(403, body=str(echo).encode()), Reply(302, headers={"Location": f"ftp://x/{KEY}?api_key={KEY}"}),
        Reply(503), Reply(body=HTML + KEY.encode()), Reply(body=b"x", cut_after=0),
    ]  # fmt: skip
    for reply in scripts:
        source.replies(reply)
        with pytest.raises(EnvironmentFailed) as caught:
            web().get(f"{source.url}/x?api_key={KEY}&token=t0ken&limit=3", accept="*/*")
        said += [str(caught.value), repr(caught.value)]
    assert all(one.headers["x-api-key"] == KEY for one in source.asked)
    assert not [line for line in said if KEY in line or "t0ken" in line]
    assert any("limit=3" in line for line in said)
    assert "limit=3" in caplog.text
    assert KEY not in caplog.text
    caplog.set_level(logging.DEBUG)
    source.replies(OK)
    get(web())
    assert KEY not in caplog.text


def percent(text: str) -> str:
    return "".join(f"%{ord(char):02x}" for char in text)


SPELLINGS = [
    KEY, KEY.upper(), percent(KEY), percent(KEY).upper(), percent(KEY).replace("%", "%25"), KEY[:5] + percent(KEY[5:]),
    "".join(f"\\u{ord(char):04x}" for char in KEY), "".join(f"&#{ord(char)};" for char in KEY),
    "".join(f"&#x{ord(char):X};" for char in KEY),
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_answer_that_repeats_the_key_is_none(source: Source, web: Make, spelling: str) -> None:
    """What is taken goes into files that are kept, and from there into rejects and pages."""
    head = {"ETag": f'"{spelling}"'}
    wide = f'{{"value": "{spelling}"}}'.encode("utf-16")
    for reply in (Reply(body=f'{{"value": "{spelling}"}}'.encode()), Reply(body=wide), Reply(body=b"{}", headers=head)):
        source.replies(reply)
        with pytest.raises(BadAnswer, match="the answer repeats the key") as caught:
            get(web())
        assert spelling not in str(caught.value)
    source.replies(Reply(304, headers=head))
    with pytest.raises(BadAnswer, match="the answer repeats the key"):
        get(web(), known=Validators("x"))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("before", [0, 130, 150, 625, 635])
def test_a_refusal_that_repeats_the_key_is_told_without_it(
    source: Source, web: Make, spelling: str, before: int
) -> None:
    """Also where the excerpt ends in the middle of the key."""
    source.replies(Reply(403, body=(" " * before + "x" * min(before, 150) + spelling + " is no key").encode()))
    with pytest.raises(BadAnswer, match="403") as caught:
        get(web())
    assert spelling not in str(caught.value)
    assert KEY[:4] not in str(caught.value)
    assert spelling[:8] not in str(caught.value)


@pytest.mark.parametrize("spelling", SPELLINGS[:4])
def test_no_address_with_the_key_in_it_is_asked(
    source: Source, web: Make, caplog: pytest.LogCaptureFixture, spelling: str
) -> None:
    caplog.set_level(logging.INFO)
    source.replies(Reply(302, headers={"Location": f"/y?z={spelling}"}))
    for path in (f"/x?z={spelling}", "/x"):
        with pytest.raises(BadAnswer, match="an address with the key in it") as caught:
            get(web(), path)
        assert spelling not in str(caught.value)
    assert [one.path for one in source.asked] == ["/x"]
    assert spelling not in caplog.text


def test_the_reason_comes_first_and_the_address_last(source: Source, web: Make) -> None:
    """Tables cut a long cell at its end."""
    source.replies(Reply(503))
    with pytest.raises(SourceDown, match=r"^Source: 503 .*; ask again later \(http://127\.0\.0\.1:\d+/x\)$"):
        get(web())
    source.replies(Reply(404))
    with pytest.raises(BadAnswer, match=r"^Source: 404 .*declaration \(http://127\.0\.0\.1:\d+/x\)$"):
        get(web())


def test_a_key_with_a_line_end_is_refused_without_being_told(source: Source) -> None:
    with pytest.raises(EnvironmentFailed) as caught:
        Web("Source", source.url, print, lambda: 0.0, lambda: NOW, key="abc\ndef")
    assert "abc" not in str(caught.value)


def test_spans_of_continuous_data_are_at_most_three_years_and_leave_no_day_out() -> None:
    days = (datetime(2016, 2, 29, tzinfo=UTC).date(), datetime(2026, 11, 30, tzinfo=UTC).date())
    query = usgs_api.Query("continuous", "05999999", ("00060",), *days)
    assert len(usgs_api.urls("https://x", query)) == 4
    parts = usgs_api._parts(query)
    assert (parts[0][0], parts[-1][1]) == days
    assert all((later[0] - earlier[1]).days == 1 for earlier, later in itertools.pairwise(parts))
    assert max((last - first).days for first, last in parts) < 3 * 365
    assert len(usgs_api.urls("https://x", usgs_api.Query("daily", "05999999", ("00060",), *days))) == 1
