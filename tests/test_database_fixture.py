"""A store that release 0.1 wrote opens, migrates, reads and takes the next night in this release."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Engine, select

from models.rules import ordinance
from pipelines import casebook, cli, ledger, observations, outbox, schema
from pipelines.database import open_store, reading
from pipelines.recall import Recall
from sample_data import demo

DUMPS = sorted((Path(__file__).parent / "data").glob("store_hw*.sql"))
ZONE = ZoneInfo("America/Chicago")


@pytest.fixture(params=DUMPS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The dump, loaded into a new file by SQLite alone."""
    file = tmp_path / "headwater.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(request.param.read_text(encoding="utf-8"))
    return file


@pytest.fixture
def old(path: Path) -> Iterator[Engine]:
    engine = open_store(f"sqlite:///{path}")
    yield engine
    engine.dispose()


def test_the_first_release_is_among_them() -> None:
    assert "store_hw0001" in {one.stem for one in DUMPS}


def test_every_table_had_a_row_and_keeps_all_of_them(path: Path) -> None:
    def sizes() -> dict[str, int]:
        with closing(sqlite3.connect(path)) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}

    before = sizes()
    open_store(f"sqlite:///{path}").dispose()
    after = sizes()
    assert {name for name, size in before.items() if not size} == set()
    assert {name: after[name] for name in before} == before


def test_findings_stand_as_they_were_found(old: Engine) -> None:
    with reading(old) as connection:
        standing = casebook.standing(connection)
        before = casebook.standing(connection, casebook.ms(datetime(2025, 7, 2, tzinfo=UTC)))
    found = {(one.rule, one.station, one.start.isoformat(), one.verdict) for one in standing if not one.information}
    assert found == {
        ("howard.baseflow", "LMC-1", "2025-07-08", "attained"),
        ("howard.baseflow", "LMC-1", "2025-08-07", "indeterminate"),
        ("howard.quantity.private", "PVT-1", "2025-08-11", "attained"),
    }
    assert before == []
    spell = next(one for one in standing if one.verdict == "attained" and one.rule == "howard.baseflow")
    assert spell.facts["trigger_date"] == "2025-07-13"
    assert spell.clause == "2.09(3)(c)"
    assert spell.evidence


def test_events_and_their_times(old: Engine) -> None:
    with reading(old) as connection:
        events = casebook.events(connection)
    assert [(one.case, one.name, one.by) for one in events] == [
        ("howard.remedy/R-1/2025-02-03", "operator_receipt", "owner:R-1"),
        ("howard.baseflow/LMC-1/2025-07-13", "case_opened", "headwater"),
    ]
    assert events[0].happened_at == datetime(2025, 2, 3, 15, 15, tzinfo=UTC)
    assert events[0].recorded_at == datetime(2025, 2, 3, 15, 40, tzinfo=UTC)
    assert (events[0].method, events[0].document) == ("certified mail", "receipt-1")


def test_observations_keep_their_text_flags_and_row(old: Engine) -> None:
    with reading(old) as connection:
        arsenic = observations.read(connection, stations=["MW-1"], parameters=["arsenic"])
        flow = Recall(connection, ZONE).rows(["LMC-1"], ["discharge"], date(2025, 6, 26), date(2025, 6, 27))
        days = Recall(connection, ZONE).daily("LMC-1", "discharge", date(2025, 7, 8), date(2025, 7, 13))
        dry = observations.read(connection, stations=["PVT-1"])
    assert arsenic[["value_text", "flags", "unit"]].to_numpy().tolist() == [
        ["ND", ":ND;lod=0.3;loq=1.0;sample=EX250429-01", "ug/L"]
    ]
    assert flow["value_text"].tolist() == ["6.52", "6.01"]
    assert flow["row_id"].str.endswith((":27", ":28")).all()
    assert [one.value for one in days] == [Decimal(text) for text in ("5.03", "4.98", "4.94", "5.03", "5.03", "4.95")]
    assert dry["flags"].tolist() == ["", ":Dry"]


def test_rejects_mails_and_nights(old: Engine) -> None:
    with reading(old) as connection:
        rejects = observations.rejects(connection)
        nights = casebook.nights(connection, "pine-hollow")
        assert outbox.pending(connection) == []
        mails = connection.execute(select(schema.outbox.c["recipient", "subject"])).all()
    assert rejects[["file", "row", "raw"]].to_numpy().tolist() == [["levels.csv", 4, "9 o'clock"], ["page.rdb", 0, ""]]
    assert [one["on_day"] for one in nights] == ["2025-06-30", "2025-08-12"]
    assert all(json.loads(one["summary"])["site"] == "pine-hollow" for one in nights)
    assert len(mails) == 8


def test_the_seals_still_hold(old: Engine) -> None:
    with reading(old) as connection:
        assert [ledger.verify(connection, one) for one in (schema.finding, schema.event, schema.outbox)] == [None] * 3


def test_the_next_night_goes_on_from_it(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A later release may judge anew; what was found and mailed stays on record, and old data open nothing new but
    information, which the first release did not list: the holes of the gauge's record, the capacity of the pump that
    the site states now, and what its meter leaves open about withdrawals.
    """
    site = tmp_path / "site"
    demo.fresh_site(site)
    header = (site / "events.csv").read_text().splitlines()[0]
    (site / "events.csv").write_text(header + "\n")
    shutil.move(path, site / "headwater.db")
    assert cli.run(["nightly", "--as-of", "2025-08-13", "--site", str(site), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["first_load"] is False
    new = [one for one in summary["changes"] if one["change"] in {"opened", "retracted"}]
    assert {(one["change"], one["information"]) for one in new} == {("opened", True)}
    kinds = {(ordinance("howard").rule_of(one["rule"]).kind, one["status"]) for one in new}
    assert kinds == {("base_flow", "OUTAGE"), ("withdrawal", "attained"), ("withdrawal", "indeterminate")}
    assert summary["open_cases"] == ["howard.remedy/R-1/2025-02-03", "howard.baseflow/LMC-1/2025-07-13"]
