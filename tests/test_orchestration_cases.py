"""Public bug reports restated (ORCH-01, ORCH-04): one run per local date; a failed source is never a success."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pipelines import casebook, catch_up, cli, flows, schema, watchdog
from pipelines.database import default_url, opened, reading
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from sample_data import demo

ORCH_01: dict[str, Any] = {
    "cron": "30 1 * * *", "timezone": "America/Chicago", "date": "2024-11-03",
    "scheduler_delivers": ["2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"],
}  # fmt: skip
ORCH_04: dict[str, Any] = {
    "sources": [
        {"site": "S1", "result": "ok", "rows": 24}, {"site": "S2", "result": "HTTP 503"},
        {"site": "S3", "result": "ok", "rows": 24},
    ]
}  # fmt: skip
HTML_503 = "<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title></head><body>Try later.</body></html>\n"
GAUGE = """
[[gauge]]
id = "{id}"
name = "Gauge {id}"
identifiers = ["{number}"]
clock = "America/Chicago"
role = "reference"
position = [134210.0, 182070.0]
"""


def rdb(station: str, first: date, days: int, flow: float) -> str:
    """Daily means of one gauge as the Water Services give them."""
    head = "agency_cd\tsite_no\tdatetime\t1_00060_00003\t1_00060_00003_cd\n5s\t15s\t20d\t14n\t10s\n"
    lines = (f"USGS\t{station}\t{first + timedelta(days=k)}\t{flow}\tP\n" for k in range(days))
    return f"# Data provided for site {station}\n" + head + "".join(lines)


def stored(site: Path) -> int:
    with opened(default_url(site, {})) as engine, reading(engine) as connection:
        return connection.execute(select(func.count()).select_from(schema.observation)).scalar_one()


def mails(site: Path) -> list[str]:
    """Subject and addressee of every mail that went out."""
    found = [BytesParser(policy=policy.default).parsebytes(one.read_bytes()) for one in (site / "outbox/new").iterdir()]
    return sorted(f"{one['To']}: {one['Subject']}" for one in found)


def on_record(site: Path) -> list[str]:
    with opened(default_url(site, {})) as engine, reading(engine) as connection:
        return [str(one["on_day"]) for one in casebook.nights(connection, "pine-hollow")]


# ORCH-01 -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The sample site a year earlier, with one addressee who is told at once; nothing has arrived yet."""
    demo.fresh_site(tmp_path / "site")
    file = tmp_path / "site" / "site.toml"
    text = file.read_text().replace("2024-", "2023-").replace("2025-", "2024-")
    second = text.index("[[mail]]", text.index("[[mail]]") + 1)
    file.write_text(text[:second] + text[text.index("[[stream]]") :])
    (tmp_path / "site" / "events.csv").unlink()
    return tmp_path / "site"


def delivered(site: Path, instant: str) -> dict[str, Any] | None:
    """The nightly entry point of the schedule, at one of the delivered times."""
    folder, now = open_site(site), datetime.fromisoformat(instant)
    with opened(default_url(site, {})) as engine:
        return catch_up.scheduled(folder, engine, now, send=Maildir(folder.outbox), clock=lambda: now)


def test_orch_01_a_second_run_for_the_same_date_does_nothing(site: Path) -> None:
    (site / "inbox" / "good.rdb").write_text(rdb("05999101", date(2024, 10, 1), 26, 6.5))
    assert delivered(site, "2024-11-02T06:30:00Z") is not None
    before, rows = mails(site), stored(site)
    (site / "inbox" / "low.rdb").write_text(rdb("05999101", date(2024, 10, 27), 7, 4.0))
    runs = [delivered(site, one) for one in ORCH_01["scheduler_delivers"]]
    assert [one["on"] if one else None for one in runs] == ["2024-11-02", None]
    assert on_record(site) == ["2024-11-01", "2024-11-02"]
    assert len([one for one in mails(site) if one not in before and "LMC-1" in one]) == 1
    assert len(mails(site)) == len(set(mails(site)))
    assert stored(site) - rows == 7


def test_orch_01_nor_does_the_command_after_it(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "inbox" / "low.rdb").write_text(rdb("05999101", date(2024, 10, 1), 33, 4.0))
    delivered(site, ORCH_01["scheduler_delivers"][0])
    before = (mails(site), stored(site), on_record(site))
    assert before[0]
    assert cli.run(["nightly", "--as-of", "2024-11-02", "--site", str(site), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mails"] == []
    assert (mails(site), stored(site), on_record(site)) == before


# ORCH-04 -------------------------------------------------------------------------------------------------------------

NUMBERS = {"S1": "05990001", "S2": "05990002", "S3": "05990003"}


@pytest.fixture
def three_sources(site: Path) -> Path:
    """Three gauges whose record reaches to 1 June; then two files of 24 rows and, for S2, what came with the 503."""
    with (site / "site.toml").open("a") as file:
        file.writelines(GAUGE.format(id=id, number=number) for id, number in NUMBERS.items())
    for number in NUMBERS.values():
        (site / "inbox" / f"{number}.rdb").write_text(rdb(number, date(2024, 5, 1), 32, 6.5))
    assert cli.run(["nightly", "--as-of", "2024-06-01", "--site", str(site)]) == 0
    for source in ORCH_04["sources"]:
        number = NUMBERS[str(source["site"])]
        good = source["result"] == "ok"
        text = rdb(number, date(2024, 6, 2), int(source["rows"]), 6.5) if good else HTML_503
        (site / "inbox" / f"{number}-new.rdb").write_text(text)
    return site


def test_orch_04_a_failed_source_is_no_success_and_is_named(
    three_sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    before = stored(three_sources)
    assert cli.run(["nightly", "--as-of", "2024-06-25", "--site", str(three_sources), "--json"]) == 3
    summary = json.loads(capsys.readouterr().out)
    assert stored(three_sources) - before == 48
    assert any("05990002-new.rdb" in one for one in summary["left_out"])
    assert any(one.startswith("S2: last known day 2024-06-01") for one in summary["stale"])
    assert not any(one.startswith(("S1", "S3")) for one in summary["stale"])
    assert watchdog.read(three_sources).status == "left_out"


def test_orch_04_nor_does_the_flow_call_it_completed(three_sources: Path) -> None:
    summary = delivered(three_sources, "2024-06-26T07:10:00Z")
    state, line = flows.told(summary)
    assert state == "Partial"
    assert "05990002-new.rdb" in line
