"""One night for each civil day: clock changes, outages, missed and repeated runs. Prefect's own cron is asked too."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine

from pipelines import casebook, catch_up, night_lock, watchdog
from pipelines.casebook import ms
from pipelines.database import default_url, opened, transaction
from pipelines.maildir import Maildir
from pipelines.site_folder import SiteFolder, open_site
from sample_data import demo

CHICAGO = ZoneInfo("America/Chicago")
AT = time(2, 10)


def local(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=CHICAGO, fold=fold)


# The date key --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "key"),
    [
        (local("2025-07-01T02:10"), "2025-06-30"),
        (local("2025-07-01T23:59"), "2025-06-30"),
        (datetime(2025, 7, 2, 4, 59, tzinfo=UTC), "2025-06-30"),  # 23:59 in Chicago
        (local("2024-11-03T01:30"), "2024-11-02"),
        (local("2024-11-03T01:30", fold=1), "2024-11-02"),  # the same hour again
        (datetime(2025, 3, 9, 8, 10, tzinfo=UTC), "2025-03-08"),  # 02:10 does not exist; this is 03:10
        (local("2026-01-01T00:00"), "2025-12-31"),
    ],
)
def test_the_date_key_is_yesterday_in_the_ordinances_zone(now: datetime, key: str) -> None:
    assert catch_up.yesterday(now, CHICAGO).isoformat() == key


@pytest.mark.parametrize(
    ("now", "at", "due"),
    [
        (local("2025-07-01T02:09"), AT, "2025-06-29"),
        (local("2025-07-01T02:10"), AT, "2025-06-30"),
        (local("2025-07-01T08:00"), time(23), "2025-06-29"),
        (datetime(2025, 3, 9, 8, 9, tzinfo=UTC), AT, "2025-03-07"),  # 03:09 on the day without a 02:10
        (datetime(2025, 3, 9, 8, 10, tzinfo=UTC), AT, "2025-03-08"),
        (datetime(2024, 11, 3, 6, 29, tzinfo=UTC), time(1, 30), "2024-11-01"),
        (datetime(2024, 11, 3, 6, 30, tzinfo=UTC), time(1, 30), "2024-11-02"),
        (datetime(2024, 11, 3, 7, 29, tzinfo=UTC), time(1, 30), "2024-11-02"),  # 01:29 again: it has been
    ],
)
def test_the_night_that_should_have_begun(now: datetime, at: time, due: str) -> None:
    assert catch_up.due_day(now, at, CHICAGO).isoformat() == due


@pytest.mark.parametrize("year", [2024, 2025, 2026, 2027])
@pytest.mark.parametrize("at", [time(0, 0), time(0, 30), time(1, 30), AT, time(2, 59), time(3, 0), time(23, 59)])
def test_prefects_cron_brings_every_civil_day_of_a_year_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int, at: time
) -> None:
    """The scheduler's instants, each turned into its date key: no day twice, none left out, both clock changes in."""
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.setenv("DO_NOT_TRACK", "1")
    from prefect.server.schemas.schedules import CronSchedule

    schedule = CronSchedule(cron=f"{at.minute} {at.hour} * * *", timezone="America/Chicago")
    start = datetime(year, 1, 1, tzinfo=CHICAGO)
    days = (date(year + 1, 1, 1) - date(year, 1, 1)).days
    instants = asyncio.run(schedule.get_dates(days, start=start))
    keys = [catch_up.yesterday(one, CHICAGO) for one in instants]
    assert keys == [date(year, 1, 1) + timedelta(days=k - 1) for k in range(days)]
    assert all(catch_up.due_day(one, at, CHICAGO) == key for one, key in zip(instants, keys, strict=True))


# Nights on record ----------------------------------------------------------------------------------------------------


def record(engine: Engine, day: str, *, finished: bool = True) -> None:
    started = local(f"{day}T03:00")
    with transaction(engine) as connection:
        summary = {"files": [], "changes": [], "events": [], "mails": []}
        casebook.write_night(connection, "pine-hollow", date.fromisoformat(day), "digest", summary, started)
        if finished:
            casebook.finish_night(connection, "pine-hollow", date.fromisoformat(day), started)


def is_finished(engine: Engine, day: str) -> bool:
    return catch_up.finished(engine, "pine-hollow", date.fromisoformat(day))


def test_finished_is_what_ran_to_its_end(store: Engine) -> None:
    assert not is_finished(store, "2025-07-01")
    record(store, "2025-07-01", finished=False)
    assert not is_finished(store, "2025-07-01")
    with transaction(store) as connection:
        casebook.finish_night(connection, "pine-hollow", date(2025, 7, 1), local("2025-07-02T03:00"))
    assert is_finished(store, "2025-07-01")
    assert is_finished(store, "2025-06-30")  # nights run forward only: a later one has judged what waited
    assert not is_finished(store, "2025-07-02")
    assert not catch_up.finished(store, "another", date(2025, 7, 1))


def test_missed_is_a_due_night_that_is_not_finished(store: Engine) -> None:
    def missed(now: str) -> bool:
        return catch_up.missed(store, "pine-hollow", local(now), AT, CHICAGO)

    assert not missed("2025-07-02T08:00")  # a new site waits for its hour
    record(store, "2025-07-01")
    assert not missed("2025-07-02T08:00")
    assert not missed("2025-07-03T02:09")
    assert missed("2025-07-03T02:10")
    assert missed("2025-07-09T00:00")
    record(store, "2025-07-08", finished=False)
    assert missed("2025-07-09T02:20")  # killed half way


# An outage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> SiteFolder:
    demo.fresh_site(tmp_path / "site")
    return open_site(tmp_path / "site")


def deliver_runs(folder: SiteFolder, now: datetime, how_many: int) -> list[str | None]:
    """What each of several runs, delivered one after the other at one instant, judged."""
    with opened(default_url(folder.path, {})) as engine:
        done = [
            catch_up.scheduled(folder, engine, now, send=Maildir(folder.outbox), clock=lambda: now)
            for _ in range(how_many)
        ]
    return [None if one is None else one["on"] for one in done]


def test_an_outage_of_days_leads_to_one_night_for_yesterday(site: SiteFolder) -> None:
    assert deliver_runs(site, local("2025-07-01T02:10"), 1) == ["2025-06-30"]
    name = "usgs-05999101-dv-2025-07-15.rdb"
    demo.deliver(site.path, [demo.SAMPLE / "nights" / "2025-07-15" / name])
    assert deliver_runs(site, local("2025-07-20T09:00"), 19) == ["2025-07-19", *[None] * 18]
    with opened(default_url(site.path, {})) as engine, transaction(engine) as connection:
        nights = casebook.nights(connection, "pine-hollow")
    assert [one["on_day"] for one in nights] == ["2025-06-30", "2025-07-19"]
    assert (site.inbox / "done" / name).exists()
    assert watchdog.read(site.path).day == date(2025, 7, 19)


@pytest.mark.parametrize("first", [datetime(2024, 10, 28, 5, tzinfo=UTC), datetime(2025, 3, 3, 6, tzinfo=UTC)])
def test_a_run_every_half_hour_across_a_clock_change_is_one_night_a_day(
    site: SiteFolder, monkeypatch: pytest.MonkeyPatch, first: datetime
) -> None:
    """The night itself is left out: what is counted is how often it is begun."""
    begun: list[date] = []

    def night(_: SiteFolder, on: date, __: datetime, engine: Engine, **___: object) -> dict[str, object]:
        begun.append(on)
        record(engine, on.isoformat())
        return {"left_out": []}

    monkeypatch.setattr(catch_up.night, "run", night)
    with opened(default_url(site.path, {})) as engine:
        for k in range(48 * 10):
            now = first + timedelta(minutes=30 * k)
            catch_up.scheduled(site, engine, now, send=lambda _: None, clock=lambda now=now: now)
    start = first.astimezone(CHICAGO).date() - timedelta(days=1)
    assert begun == [start + timedelta(days=k) for k in range(len(begun))]
    assert len(begun) in {10, 11}


def test_a_scheduled_run_does_not_begin_beside_another(site: SiteFolder) -> None:
    now = local("2025-07-01T02:10")
    with opened(default_url(site.path, {})) as engine, night_lock.alone(site.path, "pine-hollow", engine, now):
        with pytest.raises(Exception, match="another night is at work"):
            catch_up.scheduled(site, engine, now, send=lambda _: None, clock=lambda: now)
        assert not catch_up.finished(engine, "pine-hollow", date(2025, 6, 30))


def test_the_heartbeat_tells_how_the_night_ended(site: SiteFolder) -> None:
    assert deliver_runs(site, local("2025-07-01T02:10"), 1) == ["2025-06-30"]
    beat = watchdog.read(site.path)
    assert (beat.site, beat.zone, beat.status) == ("pine-hollow", "America/Chicago", "done")
    assert ms(beat.finished_at) == ms(local("2025-07-01T02:10"))
    (site.inbox / "scan.pdf").write_bytes(b"%PDF-1.7")
    deliver_runs(site, local("2025-07-02T02:10"), 1)
    assert watchdog.read(site.path).status == "left_out"


def test_a_night_that_fails_leaves_the_old_heartbeat(site: SiteFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver_runs(site, local("2025-07-01T02:10"), 1)

    def broken(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(catch_up.night, "run", broken)
    with pytest.raises(OSError, match="disk full"):
        deliver_runs(site, local("2025-07-02T02:10"), 1)
    assert watchdog.read(site.path).day == date(2025, 6, 30)
    assert not (site.path / night_lock.LOCK).exists()
