"""`headwater fetch`: whole answers only, nothing half anywhere, and a source that is down is not "no data"."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from models.errors import BadSite, EnvironmentFailed
from models.fetching import Reach, first_day
from pipelines import cli, fetch, fetch_record, fetch_staging, night_lock, observations, schema
from pipelines import inbox as pipelines_inbox
from pipelines.database import opened, reading, transaction
from pipelines.site_folder import open_site
from tests.http_source import HTML, Asked, Reply, Source, page, results, running
from tests.town import Town

ROOT = Path(__file__).resolve().parents[1]
CASE = json.loads((Path(__file__).parent / "data/cases/MISS-05/input.json").read_text(encoding="utf-8"))
GAUGE = """
[[gauge]]
id = "{id}"
identifiers = ["{number}"]
clock = "America/Chicago"
role = "reference"
position = [134210.0, 182070.0]

[[fetch]]
station = "{id}"
source = "usgs"
collections = ["daily"]
since = {since}
"""
NUMBER = "05990001"
LAB = """
[[fetch]]
station = "MW-3"
source = "wqp"
identifier = "ZZORG-10099901"
since = 2025-01-01
"""
DAY = timedelta(days=1)
Answer = tuple[int, dict[str, Any], str]


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[Source]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(fetch, "sleep", lambda _: None)
    with running() as one:
        monkeypatch.setenv("HEADWATER_USGS_URL", f"{one.url}/usgs")
        monkeypatch.setenv("HEADWATER_WQP_URL", f"{one.url}/wqp")
        yield one


@pytest.fixture
def town(tmp_path: Path) -> Town:
    return Town(tmp_path / "town")


def declare(town: Town, id: str = "REF-9", number: str = NUMBER, since: str = "2024-01-01") -> None:
    with (town.folder / "site.toml").open("a", encoding="utf-8") as file:
        file.write(GAUGE.format(id=id, number=number, since=since))


def declare_lab(town: Town) -> None:
    text = (town.folder / "site.toml").read_text(encoding="utf-8")
    at = text.index("identifiers = [", text.index('id = "MW-3"')) + len("identifiers = [")
    (town.folder / "site.toml").write_text(text[:at] + '"ZZORG-10099901", ' + text[at:] + LAB, encoding="utf-8")


@pytest.fixture
def headwater(town: Town, capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    def run(*arguments: str) -> Answer:
        capsys.readouterr()
        code = cli.run([*arguments, "--site", str(town.folder), "--json"])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, json.loads(out) if out else {}, err

    return run


def inbox(town: Town) -> list[str]:
    """Everything in the inbox that is not read and put away, hidden things too."""
    return sorted(one.name for one in (town.folder / "inbox").iterdir() if one.name not in {"done", "rejected"})


def values(town: Town, station: str = "REF-9") -> dict[str, float]:
    """Stored values of a station by UTC day."""
    with opened(town.url) as engine, reading(engine) as connection:
        rows = observations.read(connection, stations=[station])
    days = [datetime.fromtimestamp(one / 1000, UTC).date().isoformat() for one in rows["time_ms"]]
    return dict(zip(days, rows["value"], strict=True))


def entry(town: Town, station: str = "REF-9") -> fetch_record.Entry:
    site = open_site(town.folder).site
    with opened(town.url) as engine, reading(engine) as connection:
        return next(one for one in fetch_record.entries(connection, site) if one.station == station)


def today() -> date:
    return datetime.now(UTC).date()


def recent(count: int, first: float = 6.0, **more: Any) -> Reply:
    """The last days up to yesterday, one value each."""
    days = [today() - (count - k) * DAY for k in range(count)]
    return Reply(body=page(NUMBER, [(one.isoformat(), first + k) for k, one in enumerate(days)], **more))


# MISS-05 -------------------------------------------------------------------------------------------------------------


def miss_05(pages: list[dict[str, Any]]) -> Callable[[Asked], Reply]:
    """The responses of the case, page by page, whoever asks how often."""

    def answer(asked: Asked) -> Reply:
        number = int(asked.query.get("page", "1"))
        one = pages[number - 1]
        if one["status"] != 200:
            return Reply(one["status"])
        following = f"{asked.path}?page={number + 1}" if number < len(pages) else ""
        return Reply(body=page(CASE["station"], one["rows"], following=following))

    return answer


def test_miss_05_a_failed_page_fails_the_whole_and_the_next_run_gets_it(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town, number=CASE["station"], since=CASE["requested"][0])
    source.does(miss_05(CASE["responses"]))
    code, said, _ = headwater("fetch")
    assert code == 4
    assert [(one["state"], one["values"], one["files"]) for one in said["fetched"]] == [("source down", 0, [])]
    assert "429" in said["fetched"][0]["message"]
    assert (values(town), inbox(town)) == ({}, [])
    assert (entry(town).covered, entry(town).succeeded) == ("", "")
    source.does(miss_05([*CASE["responses"][:2], CASE["next_run_page3"]]))
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"], said["fetched"][0]["new"]) == (0, "new data", 6)
    assert source.asked[-3].query["time"].startswith(CASE["requested"][0])
    stored = values(town)
    assert len(stored) == 6
    assert sum(stored.values()) / len(stored) == pytest.approx(12.5, abs=1e-9)
    assert {"2024-01-05", "2024-01-06"} <= set(stored)


def test_miss_05_in_the_night_it_is_left_out_and_the_night_goes_on(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town, number=CASE["station"], since=CASE["requested"][0])
    source.does(miss_05(CASE["responses"]))
    town.daily("own.rdb", "2025-07-01", ["6.00"] * 9)
    code, said, _ = headwater("nightly")
    assert code == 3
    assert [one for one in said["left_out"] if one.startswith("fetch REF-9 daily: source down: ") and "429" in one]
    assert [one["file"] for one in said["files"]] == ["own.rdb"]
    assert "fetch REF-9 daily: source down" in town.mail("")
    source.does(miss_05([*CASE["responses"][:2], CASE["next_run_page3"]]))
    code, said, _ = headwater("nightly")
    assert [one for one in said["left_out"] if "fetch" in one] == []
    assert len(values(town)) == 6


# Spans ---------------------------------------------------------------------------------------------------------------


def test_the_second_run_asks_for_the_revision_window_and_for_what_was_changed_before_it(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    source.replies(recent(100))
    assert headwater("fetch")[1]["fetched"][0]["asked_from"] == "2024-01-01"
    assert len(source.asked) == 1
    query = source.asked[0].query
    assert source.asked[0].path == "/usgs/collections/daily/items"
    assert query["monitoring_location_id"] == f"USGS-{NUMBER}"
    assert query["time"] == f"2024-01-01/{today()}"
    assert (query["parameter_code"], query["f"]) == ("00060", "json")
    revised = page(NUMBER, [("2024-02-01", 3.5)], approval="Approved", series="aa01")
    source.does(lambda asked: Reply(body=revised) if "last_modified" in asked.query else recent(30))
    code, said, _ = headwater("fetch")
    window, older = source.asked[1].query, source.asked[2].query
    assert window["time"] == f"{today() - 31 * DAY}/{today()}"
    assert "last_modified" not in window
    assert older["time"] == f"2024-01-01/{today() - 32 * DAY}"
    assert older["last_modified"].startswith((today() - 2 * DAY).isoformat())
    assert (code, said["fetched"][0]["new"]) == (0, 31)
    assert values(town)["2024-02-01"] == 3.5


def test_other_windows_by_option_and_by_policy(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.replies(recent(100))
    headwater("fetch")
    source.does(lambda asked: Reply(body=page(NUMBER, [])) if "last_modified" in asked.query else recent(3))
    headwater("fetch", "--revision-days", "3")
    headwater("fetch", "--since", "2024-05-01")
    (town.folder / "policy.toml").write_text('[revision_window]\nvalue = 7\nunit = "d"\nreason = "ours"\n')
    headwater("fetch")
    starts = [one.query["time"].partition("/")[0] for one in source.asked if "last_modified" not in one.query]
    assert starts[1:] == [str(today() - 4 * DAY), "2024-05-01", str(today() - 8 * DAY)]


def test_what_was_stored_from_elsewhere_counts(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    """The last stored value is the start, also where a person delivered it."""
    with (town.folder / "site.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[fetch]]\nstation = "LMC-1"\nsource = "usgs"\ncollections = ["daily"]\n')
    town.daily("own.rdb", "2025-07-01", ["6.00"] * 9)
    town.night("2025-07-10")
    source.replies(Reply(body=page("05999101", [])))
    headwater("fetch")
    assert source.asked[0].query["time"].startswith("2025-06-09/")


def test_a_value_of_the_future_is_nowhere_the_last_one(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    """Neither one that lies in the store nor one that an older program remembered moves the question on."""
    declare(town)
    source.replies(Reply(body=page(NUMBER, [("2024-10-01", 1), ("2024-10-02", 2)])))
    headwater("fetch")
    far = page(NUMBER, [("2199-01-01", 3)], series="aa01")
    (town.folder / "inbox" / "far.json").write_bytes(far)
    headwater("nightly", "--no-fetch")
    assert "2199-01-01" in values(town)
    with opened(town.url) as engine, transaction(engine) as connection:
        fetch_record.write(connection, replace(entry(town), reached={"00060": "2199-01-01"}))
    source.replies(Reply(body=page(NUMBER, [])))
    assert headwater("fetch")[1]["fetched"][0]["asked_from"] == "2024-09-02"


def test_a_day_of_slack_is_left_to_the_zones(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    tomorrow = (today() + DAY).isoformat()
    source.replies(Reply(body=page(NUMBER, [("2023-12-31", 1), (tomorrow, 2)])))
    assert headwater("fetch", "--download-only")[0] == 0
    assert entry(town).reached == {"00060": today().isoformat()}


D = date.fromisoformat


@pytest.mark.parametrize(("stored", "reached", "covered", "start"), [
    ({"00060": None}, {}, None, "2010-01-01"),
    ({"00060": D("2024-06-30")}, {}, None, "2024-05-31"),
    ({"00060": D("2024-06-30")}, {"00060": D("2024-06-30")}, D("2024-07-01"), "2024-05-31"),
    ({"00060": D("2024-06-30")}, {"00060": D("2024-04-30")}, D("2024-07-01"), "2024-03-31"),
    ({"00060": D("2024-06-30"), "00065": D("2024-03-31")}, {}, None, "2024-03-01"),
    ({"00060": D("2024-06-30"), "00065": None}, {}, None, "2010-01-01"),
    ({"00060": D("2024-06-30"), "00065": None}, {"00060": D("2024-06-30")}, D("2024-07-01"), "2024-05-31"),
    ({"00060": None}, {"00060": D("2024-06-30")}, D("2024-07-01"), "2010-01-01"),
    ({"00060": D("2010-01-15")}, {}, None, "2010-01-01"),
])  # fmt: skip
def test_where_a_fetch_begins(
    stored: dict[str, date | None], reached: dict[str, date], covered: date | None, start: str
) -> None:
    found = first_day(Reach(stored, reached, covered), initial=D("2010-01-01"), window_days=30)
    assert found.isoformat() == start


# States --------------------------------------------------------------------------------------------------------------


def test_no_data_is_a_state_and_no_file(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.replies(Reply(body=page(NUMBER, [])))
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"], said["files"], inbox(town)) == (0, "no data", [], [])
    assert entry(town).state == "no data"
    assert entry(town).covered == today().isoformat()


def test_unchanged_by_etag_and_by_content(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    """One page as a whole answer is recognised by the service; otherwise an answer that changes nothing is."""
    declare(town, since=(today() - 10 * DAY).isoformat())
    tagged = Reply(body=recent(9).body, headers={"ETag": '"v1"'})
    source.does(lambda asked: Reply(304) if asked.headers.get("if-none-match") == '"v1"' else tagged)
    assert headwater("fetch")[1]["fetched"][0]["state"] == "new data"
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"], said["fetched"][0]["values"], said["files"]) == (0, "unchanged", 0, [])
    assert headwater("fetch")[1]["fetched"][0]["state"] == "unchanged"
    source.replies(recent(9, timeStamp="2026-11-30T02:20:32Z"))
    said = headwater("fetch")[1]["fetched"][0]
    assert (said["state"], said["values"], said["new"]) == ("unchanged", 9, 0)


@pytest.mark.parametrize(("reply", "state", "says"), [
    (Reply(503), "source down", "503"),
    (Reply(429, headers={"Retry-After": "3000"}), "source down", "3000 s"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)]), cut_after=40), "source down", "broke off"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)]), length=40), "failed", "no JSON"),
    (Reply(body=HTML, headers={"Content-Type": "text/html"}), "failed", "a page for people"),
    (Reply(400, body=b'{"code":"InvalidParameterValue"}'), "failed", "InvalidParameterValue"),
    (Reply(body=b"[" * 100_000), "failed", "no JSON"),
    (Reply(body=b'{"features": 3}'), "failed", "no collection"),
    (Reply(body=b'{"features": [1]}'), "failed", "no collection"),
    (Reply(body=b"\xff\xfe\x00"), "failed", "no JSON"),
    (Reply(body=page("05990002", [("2024-01-01", 1)])), "failed", "another station, USGS-05990002"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], numberReturned=2)), "failed", "1 values came and 2 are stated"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], numberMatched=7)), "failed", "1 values came and 7 are stated"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], following="https://elsewhere.example/p2")), "failed", "another host"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], following="file:///etc/passwd")), "failed", "another host"),
    (Reply(body=page(NUMBER, [(f"T{k}", 1) for k in range(10_000)])), "failed", "may be cut"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1), ("2199-01-01", 2)])), "failed", "a value of 2199-01-01, asked for"),
    (Reply(body=page(NUMBER, [("2023-12-30", 1), ("2024-01-01", 2)])), "failed", "a value of 2023-12-30, asked for"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], code="00065")), "failed", "parameter 00065, asked for 00060"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1), ("2024-01-02", 2), ("2024-01-01", 1)])), "failed", "repeats values"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], links=[{"rel": "next", "href": None}])), "failed", "no usable link"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], links=[{"rel": "next"}])), "failed", "no usable link"),
    (Reply(body=page(NUMBER, [("2024-01-01", 1)], links=[{"rel": ["next"], "href": 5}])), "failed", "no usable link"),
])  # fmt: skip
def test_an_answer_that_is_not_whole_is_none(
    source: Source, town: Town, headwater: Callable[..., Answer], reply: Reply, state: str, says: str
) -> None:
    declare(town)
    source.replies(reply)
    code, said, _ = headwater("fetch")
    row = said["fetched"][0]
    assert (code, row["state"]) == (4, state)
    assert says in row["message"]
    assert (inbox(town), values(town)) == ([], {})
    assert (entry(town).state, entry(town).covered) == (state, "")
    assert entry(town).attempted


def test_one_of_two_sources_down(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    declare(town, "REF-8", "05990002")
    source.does(lambda asked: recent(9) if NUMBER in asked.query["monitoring_location_id"] else Reply(503))
    code, said, _ = headwater("fetch")
    assert (code, [one["state"] for one in said["fetched"]]) == (3, ["new data", "source down"])
    assert len(values(town)) == 9


def test_a_source_that_is_down_is_not_asked_for_every_station(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    for number in range(1, 6):
        declare(town, f"REF-{number}", f"0599000{number}")
    source.replies(Reply(503))
    code, said, _ = headwater("fetch")
    assert (code, {one["state"] for one in said["fetched"]}) == (4, {"source down"})
    assert len({one.query["monitoring_location_id"] for one in source.asked}) == fetch.GIVE_UP_AFTER
    assert "not asked" in said["fetched"][-1]["message"]


def test_a_success_before_is_remembered_through_an_outage(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    source.replies(recent(9))
    headwater("fetch")
    before = entry(town)
    source.replies(Reply(503))
    headwater("fetch")
    after = entry(town)
    assert (after.state, after.succeeded, after.reached) == ("source down", before.succeeded, before.reached)
    assert after.missed().endswith(f"(last whole answer {before.succeeded})")


# Pages ---------------------------------------------------------------------------------------------------------------


def by_page(pages: list[Callable[[str], bytes]]) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        number = int(asked.query.get("page", "1"))
        return Reply(body=pages[number - 1](f"{asked.path}?page={number + 1}"))

    return answer


def test_an_empty_page_in_the_middle_is_half_an_answer(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    """Values in the order of features: the days that the empty page held would be missing without a word."""
    declare(town)
    pages = [
        lambda following: page(NUMBER, [("2024-01-01", 1)], following=following),
        lambda following: page(NUMBER, [], following=following),
        lambda _: page(NUMBER, [("2024-01-03", 3)]),
    ]
    source.does(by_page(pages))
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"], said["fetched"][0]["files"]) == (4, "failed", [])
    assert "empty page" in said["fetched"][0]["message"]
    assert (inbox(town), values(town)) == ([], {})
    assert [asked.query.get("page") for asked in source.asked] == [None, "2", "2"]


def test_a_page_that_was_empty_once_is_asked_for_again(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    full = by_page([
        lambda following: page(NUMBER, [("2024-01-01", 1)], following=following),
        lambda following: page(NUMBER, [("2024-01-02", 2)], following=following),
        lambda _: page(NUMBER, [("2024-01-03", 3)]),
    ])  # fmt: skip

    def answer(asked: Asked) -> Reply:
        first_time = len(source.asked) == 2
        return Reply(body=page(NUMBER, [], following=f"{asked.path}?page=3")) if first_time else full(asked)

    source.does(answer)
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["values"]) == (0, 3)
    assert values(town) == {"2024-01-01": 1.0, "2024-01-02": 2.0, "2024-01-03": 3.0}


def test_pages_that_lead_in_a_circle(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.does(by_page([
        lambda following: page(NUMBER, [("2024-01-01", 1)], following=following),
        lambda following: page(NUMBER, [("2024-01-02", 2)], following=following.replace("page=3", "page=2")),
    ]))  # fmt: skip
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"]) == (4, "failed")
    assert "circle" in said["fetched"][0]["message"]
    assert (inbox(town), values(town)) == ([], {})


def test_the_same_values_under_ever_new_links(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.does(lambda asked: Reply(body=page(
        NUMBER, [("2024-01-01", 1)], following=f"{asked.path}?page={len(source.asked)}",
    )))  # fmt: skip
    code, said, _ = headwater("fetch")
    assert code == 4
    assert "repeats values" in said["fetched"][0]["message"]
    assert len(source.asked) == 2


def test_a_time_that_is_none_is_a_reject_and_no_trouble_later(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    source.replies(Reply(body=page(NUMBER, [("2024-01-01", 1), ("soon", 2)])))
    code, said, _ = headwater("fetch")
    assert (code, said["files"][0]["accepted"], said["files"][0]["rejected"]) == (3, 1, 1)
    assert headwater("fetch")[0] in {0, 3}
    assert entry(town).reached == {}


# Files and kills -----------------------------------------------------------------------------------------------------


def test_download_only_leaves_named_files_and_overwrites_none(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    source.replies(recent(9))
    assert headwater("fetch", "--download-only")[0] == 0
    (first,) = inbox(town)
    assert first.startswith(f"usgs-{NUMBER}-daily-20")
    assert first.endswith("-001.json")
    empty = Reply(body=page(NUMBER, []))
    source.does(lambda asked: empty if "last_modified" in asked.query else recent(9, first=7.0))
    headwater("fetch", "--download-only")
    assert inbox(town) == [first, first.replace("-001", "-002")]
    assert values(town) == {}
    code, said, _ = headwater("nightly", "--no-fetch")
    assert (code, len(said["files"]), len(source.asked)) == (0, 2, 3)
    assert len(values(town)) == 9


def test_a_file_lost_on_its_way_is_fetched_again(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.replies(recent(9))
    headwater("fetch", "--download-only")
    for name in inbox(town):
        (town.folder / "inbox" / name).unlink()
    headwater("fetch")
    assert source.asked[-1].query["time"].startswith("2024-01-01/")
    assert len(values(town)) == 9


def test_a_file_lost_after_unchanged_is_fetched_again(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town, since=(today() - 10 * DAY).isoformat())
    tagged = Reply(body=recent(9).body, headers={"ETag": '"v1"'})
    source.does(lambda asked: Reply(304) if asked.headers.get("if-none-match") == '"v1"' else tagged)
    headwater("fetch", "--download-only")
    assert headwater("fetch", "--download-only")[1]["fetched"][0]["state"] == "unchanged"
    for name in inbox(town):
        (town.folder / "inbox" / name).unlink()
    assert headwater("fetch")[1]["fetched"][0]["state"] == "new data"
    assert len(values(town)) == 9


def test_a_file_that_was_refused_whole_did_not_arrive(town: Town) -> None:
    entry = fetch_record.Entry("REF-9", "daily", files=("taken", "refused", "lost"))
    with opened(town.url) as engine, transaction(engine) as connection:
        for sha256, format in (("taken", "usgs-ogc-geojson"), ("refused", "")):
            observations.record_source(connection, sha256=sha256, file="x", format=format, size=1, arrived_at=0)
        assert fetch_record.not_stored(connection, entry) == {"refused", "lost"}


KILL = """
import os, sys
from pipelines import cli, fetch_staging
from pathlib import Path
module, name, nth = fetch_staging, sys.argv[1], int(sys.argv[2])
owner = fetch_staging if hasattr(fetch_staging, name) else fetch_staging.Staging
real, calls = getattr(owner, name), [0]
def deadly(*given, **more):
    calls[0] += 1
    if calls[0] == nth:
        os._exit(9)
    return real(*given, **more)
setattr(owner, name, deadly)
sys.exit(cli.run(sys.argv[3:]))
"""


@pytest.mark.parametrize(("step", "nth", "arrives"), [
    ("begin", 1, False), ("add", 2, False), ("deliver", 1, False), ("_arrive", 1, True), ("_free", 1, True),
    ("_free", 2, True),
])  # fmt: skip
def test_killed_at_any_step_nothing_half_is_in_the_inbox(
    source: Source, town: Town, headwater: Callable[..., Answer], step: str, nth: int, arrives: bool
) -> None:
    """Pages of one answer arrive together: before the answer is whole none, after that all, by the next run at last."""
    declare(town)
    source.does(by_page([
        lambda following: page(NUMBER, [("2024-01-01", 1)], following=following),
        lambda following: page(NUMBER, [("2024-01-02", 2)], following=following),
        lambda _: page(NUMBER, [("2024-01-03", 3)]),
    ]))  # fmt: skip
    command = [sys.executable, "-c", KILL, step, str(nth), "fetch", "--site", str(town.folder)]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=120)
    assert done.returncode == 9, done.stderr
    assert values(town) == {}
    for one in (town.folder / "inbox").glob("*.json"):
        json.loads(one.read_bytes())
    source.replies(Reply(503))
    headwater("fetch")
    assert [one for one in inbox(town) if one.startswith(".")] == []
    assert len(inbox(town)) == (3 if arrives else 0)
    assert bool(entry(town).covered) == arrives
    source.does(by_page([
        lambda following: page(NUMBER, [("2024-01-01", 1)], following=following),
        lambda following: page(NUMBER, [("2024-01-02", 2)], following=following),
        lambda _: page(NUMBER, [("2024-01-03", 3)]),
    ]))  # fmt: skip
    headwater("nightly")
    assert values(town) == {"2024-01-01": 1.0, "2024-01-02": 2.0, "2024-01-03": 3.0}
    assert [one for one in inbox(town) if one.endswith("json")] == []


def test_an_answer_killed_after_its_last_move_is_not_delivered_twice(tmp_path: Path) -> None:
    notes: list[dict[str, Any]] = []
    (tmp_path / "inbox").mkdir()
    staging = fetch_staging.Staging(tmp_path / "inbox", notes.append)
    staging.begin()
    staging.add("a-001.json", b"1")
    staging.deliver({"n": 1})
    staging.ready.mkdir(parents=True)
    staging.recover()
    assert (notes, [one.name for one in (tmp_path / "inbox").glob("*.json")]) == ([{"n": 1}], ["a-001.json"])
    assert not staging.ready.exists()


# Beside a night, and what is told ------------------------------------------------------------------------------------


def test_asking_keeps_no_night_from_its_work(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    """A source that drips for minutes must not hold the lock of the night."""
    declare(town)
    held: list[tuple[bool, bool]] = []

    def answer(_: Asked) -> Reply:
        with opened(town.url) as engine, night_lock.alone(town.folder, "pine-hollow", engine, datetime.now(UTC)):
            held.append(((town.folder / fetch.LOCK).exists(), (town.folder / night_lock.LOCK).exists()))
        return recent(9)

    source.does(answer)
    assert headwater("fetch")[0] == 0
    assert held == [(True, True)]
    assert len(values(town)) == 9


def test_while_a_night_is_at_work_what_was_fetched_waits(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    declare(town)
    source.replies(recent(9))
    with opened(town.url) as engine, night_lock.alone(town.folder, "pine-hollow", engine, datetime.now(UTC)):
        code, _, err = headwater("fetch")
    assert code == 4
    assert "waits in inbox/ for the next night: another night is at work" in err
    assert len(inbox(town)) == 1
    headwater("nightly", "--no-fetch")
    assert len(values(town)) == 9


def test_a_night_that_comes_while_a_fetch_stores_is_told_so(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(town)
    source.replies(recent(9))
    said: list[str] = []
    take = pipelines_inbox.take

    def taking(*given: Any, **more: Any) -> Any:
        with (
            opened(town.url) as engine, pytest.raises(EnvironmentFailed) as caught,
            night_lock.alone(town.folder, "pine-hollow", engine, datetime.now(UTC)),
        ):  # fmt: skip
            pass
        said.append(str(caught.value))
        return take(*given, **more)

    monkeypatch.setattr(pipelines_inbox, "take", taking)
    assert headwater("fetch")[0] == 0
    assert said[0].startswith(f"a fetch is at work on this site; this one stops: process {os.getpid()} on ")


def test_a_file_that_a_night_took_meanwhile_is_not_called_unchanged(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(town)
    source.replies(recent(9))
    run = fetch.run

    def then_a_night(*given: Any, **more: Any) -> Any:
        rows = run(*given, **more)
        town.night(today().isoformat())
        return rows

    monkeypatch.setattr(fetch, "run", then_a_night)
    code, said, _ = headwater("fetch")
    row = said["fetched"][0]
    assert (code, row["state"], row["values"], row["new"], said["files"]) == (0, "new data", 9, None, [])


def test_stations_and_not_collections_make_a_source_silent(
    source: Source, town: Town, headwater: Callable[..., Answer]
) -> None:
    for number in range(1, 4):
        declare(town, f"REF-{number}", f"0599000{number}")
    file = town.folder / "site.toml"
    file.write_text(file.read_text().replace('collections = ["daily"]', 'collections = ["daily", "continuous"]'))
    source.replies(Reply(503))
    _, said, _ = headwater("fetch")
    asked = [(one["station"], "not asked" not in one["message"]) for one in said["fetched"]]
    assert asked == [(f"REF-{number}", number < 3) for number in (1, 1, 2, 2, 3, 3)]


def test_the_table_and_doctor_show_the_reason(
    source: Source, town: Town, headwater: Callable[..., Answer], capsys: pytest.CaptureFixture[str]
) -> None:
    declare(town)
    source.replies(Reply(503))
    headwater("fetch")
    for command in ("fetch", "doctor"):
        cli.run([command, "--site", str(town.folder)])
        assert "503 Service Unavailable, 4 times" in capsys.readouterr().out


def test_doctor_knows_what_only_waits_for_a_night(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    def stations() -> dict[str, str]:
        probes = headwater("doctor")[1]["probes"]
        return next(one for one in probes if one["probe"] == "stations")

    declare(town)
    source.replies(recent(9))
    headwater("fetch", "--download-only")
    assert stations()["do"] == "headwater nightly"
    headwater("fetch")
    (town.folder / "inbox" / inbox(town)[0]).unlink()
    headwater("fetch")
    assert "REF-9 with values no night has read yet" in stations()["says"]
    assert stations()["do"] == "headwater nightly"
    headwater("nightly")
    assert "no night has read" not in stations()["says"]


def test_a_value_that_is_no_number_is_a_reject(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    body = page(NUMBER, [("2024-01-01", 1), ("2024-01-02", "NaN"), ("2024-01-03", "@")]).replace(b'"@"', b"NaN")
    source.replies(Reply(body=body))
    code, said, _ = headwater("fetch")
    assert (code, said["files"][0]["accepted"], said["files"][0]["rejected"]) == (3, 1, 2)
    assert "not a number" in said["files"][0]["first_reject"]


def test_an_answer_with_the_key_in_a_value_reaches_no_file(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fetch.KEY, "k3yThatNobodySees")
    declare(town)
    source.replies(Reply(body=page(NUMBER, [("2024-01-01", "k3yThatNobodySees")])))
    code, said, err = headwater("fetch")
    assert (code, said["fetched"][0]["state"], inbox(town)) == (4, "failed", [])
    assert "the answer repeats the key" in said["fetched"][0]["message"]
    files = [one.read_bytes().decode("latin-1") for one in town.folder.rglob("*") if one.is_file()]
    assert not [text for text in (json.dumps(said), err, *files) if "k3yThatNobodySees" in text]


# The portal, keys, declarations, the night ---------------------------------------------------------------------------

STATION = "ZZORG-10099901"
ROWS = [("2025-03-01", "Arsenic", "3.1"), ("2025-09-01", "Arsenic", "4.2")]


def test_results_of_the_portal(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare_lab(town)
    head = {"Total-Result-Count": "2", "Warning": '299 WQP "old profile"'}
    source.replies(Reply(body=results(STATION, ROWS), headers=head))
    code, said, _ = headwater("fetch", "--download-only")
    row = said["fetched"][0]
    assert (code, row["state"], row["values"], row["first"], row["last"]) == (
        0, "new data", 2, "2025-03-01", "2025-09-01"
    )  # fmt: skip
    assert row["message"] == '299 WQP "old profile"'
    (name,) = inbox(town)
    assert name.startswith(f"wqp-{STATION}-results-")
    assert name.endswith("-001.csv")
    asked = source.asked[0]
    assert asked.path == "/wqp/Result/search"
    assert asked.query == {
        "siteid": STATION, "startDateLo": "01-01-2025", "mimeType": "csv", "dataProfile": "narrowResult", "zip": "no",
    }  # fmt: skip


def test_results_are_stored_under_the_well(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare_lab(town)
    source.replies(Reply(body=results(STATION, ROWS), headers={"Total-Result-Count": "2"}))
    code, said, _ = headwater("fetch")
    assert (code, said["files"][0]["format"]) == (0, "wqp-narrow-csv")
    assert sorted(values(town, "MW-3").values()) == [3.1, 4.2]


@pytest.mark.parametrize(("reply", "says"), [
    (Reply(body=results(STATION, ROWS), headers={"Total-Result-Count": "3"}), "2 results came and 3 are stated"),
    (Reply(body=results(STATION, ROWS)[:-40]), "row 3 of the answer is cut"),
    (Reply(body=results(STATION, ROWS), unmarked=True), "where the answer ends"),
    (Reply(body=results("ZZORG-1", ROWS)), "another station, ZZORG-1"),
    (Reply(body=results(STATION, [*ROWS, ("2199-01-01", "Arsenic", "3")])), "a result of 2199-01-01, asked for"),
    (Reply(body=results(STATION, [*ROWS, ("2024-12-31", "Arsenic", "3")])), "a result of 2024-12-31, asked for"),
    (Reply(body=b""), "no table of results"),
    (Reply(body=b'a,"b'), "no CSV"),
])  # fmt: skip
def test_a_cut_table_is_none(
    source: Source, town: Town, headwater: Callable[..., Answer], reply: Reply, says: str
) -> None:
    declare_lab(town)
    source.replies(reply)
    code, said, _ = headwater("fetch")
    assert (code, said["fetched"][0]["state"], inbox(town)) == (4, "failed", [])
    assert says in said["fetched"][0]["message"]


def test_the_key_goes_to_its_service_and_nowhere_else(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fetch.KEY, "k3yThatNobodySees")
    declare(town)
    declare_lab(town)
    source.does(lambda asked: recent(9) if asked.path.startswith("/usgs") else Reply(503))
    code, said, err = headwater("fetch", "--download-only")
    assert code == 3
    assert [one.headers.get("x-api-key") for one in source.asked][:2] == ["k3yThatNobodySees", None]
    everywhere = [json.dumps(said), err, *(str(one) for one in town.folder.rglob("*"))]
    everywhere += [one.read_bytes().decode("latin-1") for one in town.folder.rglob("*") if one.is_file()]
    assert not [text for text in everywhere if "k3yThatNobodySees" in text]


def test_plain_http_to_another_machine_is_refused(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(town)
    monkeypatch.setenv("HEADWATER_USGS_URL", "http://api.example.gov")
    code, _, err = headwater("fetch")
    assert code == 4
    assert "https only" in err


def test_a_site_that_declares_nothing_asks_nobody(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    code, _, err = headwater("fetch")
    assert code == 2
    assert "[[fetch]]" in err
    assert headwater("nightly")[0] == 0
    assert source.asked == []


def test_only_a_night_of_the_present_asks(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.replies(recent(9))
    headwater("nightly", "--as-of", "2025-07-01")
    headwater("nightly", "--no-fetch")
    headwater("nightly", "--dry-run")
    assert source.asked == []
    _, said, _ = headwater("nightly")
    assert len(source.asked) == 1
    assert [one["accepted"] for one in said["files"]] == [9]


def test_a_broken_setting_does_not_stop_the_night(
    source: Source, town: Town, headwater: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(town)
    monkeypatch.setenv("HEADWATER_USGS_URL", "nonsense")
    code, said, _ = headwater("nightly")
    assert code == 3
    assert [one for one in said["left_out"] if one.startswith("fetch: USGS Water Data: not the address")]


@pytest.mark.parametrize(("text", "says"), [
    ('station = "NOBODY"\nsource = "usgs"', "no station called NOBODY"),
    ('station = "MW-3"\nsource = "usgs"', "no USGS number"),
    ('station = "LMC-1"\nsource = "wqp"\nidentifier = "ORG-1"', "no WQP identifier"),
    ('station = "LMC-1"\nsource = "nwis"', "usgs, wqp"),
    ('station = "LMC-1"\nsource = "usgs"\nparameters = ["60"]', "parameters"),
    ('station = "LMC-1"\nsource = "usgs"\ncollections = ["weekly"]', "daily"),
    ('station = "LMC-1"\nsource = "usgs"\n[[fetch]]\nstation = "LMC-1"\nsource = "usgs"', "used twice: usgs LMC-1"),
])  # fmt: skip
def test_a_declaration_that_cannot_be_is_refused(town: Town, text: str, says: str) -> None:
    with (town.folder / "site.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[[fetch]]\n{text}\n")
    with pytest.raises(BadSite, match=says):
        open_site(town.folder)


def test_a_prefixed_identifier_needs_the_bare_number_too(town: Town) -> None:
    declare(town, number=f"USGS-{NUMBER}")
    with pytest.raises(BadSite, match=f"list {NUMBER} among the identifiers of REF-9"):
        open_site(town.folder)
    town.edit("site.toml", f'"USGS-{NUMBER}"', f'"USGS-{NUMBER}", "{NUMBER}"')
    assert [one.station for one in open_site(town.folder).site.fetch] == ["REF-9"]


def test_the_store_names_what_it_was_told(source: Source, town: Town, headwater: Callable[..., Answer]) -> None:
    declare(town)
    source.replies(recent(9))
    headwater("fetch")
    with opened(town.url) as engine, reading(engine) as connection:
        marks = {row.name: row.value for row in connection.execute(select(schema.mark))}
    facts = json.loads(marks["fetch:REF-9:daily"])
    assert (facts["state"], facts["reached"]) == ("new data", {"00060": (today() - DAY).isoformat()})
    assert facts["succeeded"].endswith("Z")
