"""The store opens, migrates and locks alike on both databases, and survives a kill at any instant."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, insert, select, text
from sqlalchemy.exc import IntegrityError

from models.errors import EnvironmentFailed
from pipelines import schema
from pipelines.database import HEAD, default_url, open_store, reading, storable, transaction

ROOT = Path(__file__).resolve().parents[1]

KILL_AT_EVERY_STATEMENT = """
import os, signal, sys
from sqlalchemy import Engine, event, inspect
from pipelines.database import open_store

def migrate_until(url, statements):
    left = [statements]
    @event.listens_for(Engine, "after_cursor_execute")
    def kill(*_):
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
    open_store(url).dispose()
    os._exit(0)

import alembic.command, alembic.config  # once, not in every child
folder, survived, killed = sys.argv[1], False, 0
while not survived:
    url = f"sqlite:///{folder}/{killed}.db"
    child = os.fork()
    if not child:
        migrate_until(url, killed + 1)
    survived = os.WIFEXITED(os.waitpid(child, 0)[1])
    killed += not survived
    engine = open_store(url)
    assert "outbox" in inspect(engine).get_table_names()
    engine.dispose()
print(killed)
"""


def run(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def put(engine: Engine, name: str) -> None:
    with transaction(engine) as connection:
        connection.execute(insert(schema.mark), {"name": name, "value": ""})


def marks(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return list(connection.execute(select(schema.mark.c.name).order_by(schema.mark.c.name)).scalars())


def test_migrations_end_at_the_schema_the_program_uses(store: Engine) -> None:
    with store.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        assert context.get_current_revision() == HEAD


def test_head_names_the_newest_migration() -> None:
    assert ScriptDirectory(str(ROOT / "pipelines" / "migrations")).get_current_head() == HEAD


def test_names_of_keys_and_constraints_are_those_of_the_schema(tmp_path: Path) -> None:
    migrated = open_store(f"sqlite:///{tmp_path / 'migrated.db'}")
    direct = create_engine(f"sqlite:///{tmp_path / 'direct.db'}")
    schema.metadata.create_all(direct)
    query = text("SELECT name FROM sqlite_master WHERE name <> 'alembic_version' AND tbl_name <> 'alembic_version'")
    names = []
    for engine in (migrated, direct):
        with engine.connect() as connection:
            names.append(set(connection.execute(query).scalars()))
        engine.dispose()
    assert names[0] == names[1]


def test_opening_an_existing_store_does_not_load_alembic(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'headwater.db'}"
    open_store(url).dispose()
    script = (
        "import sys; from pipelines.database import open_store as o; o(sys.argv[1]); print('alembic' in sys.modules)"
    )
    assert run(script, url).strip() == "False"


def test_kill_at_any_statement_of_the_first_migration_leaves_a_file_that_opens(tmp_path: Path) -> None:
    assert int(run(KILL_AT_EVERY_STATEMENT, str(tmp_path))) > 15


def test_sqlite_is_set_up_for_a_legal_record(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'headwater.db'}")
    with reading(engine) as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 60_000}


def test_many_may_open_an_empty_database_at_once(store_url: str) -> None:
    failures: list[Exception] = []

    def open_once() -> None:
        try:
            open_store(store_url).dispose()
        except Exception as error:  # noqa: BLE001  seen by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=open_once) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failures == []


def test_a_second_writer_waits_and_a_reader_does_not(store: Engine) -> None:
    put(store, "a")
    order = []
    with transaction(store) as connection:
        connection.execute(insert(schema.mark), {"name": "b", "value": ""})
        second = threading.Thread(target=lambda: (put(store, "c"), order.append("second")))
        second.start()
        time.sleep(0.3)
        assert marks(store) == ["a"]
        order.append("first")
    second.join()
    assert order == ["first", "second"]
    assert marks(store) == ["a", "b", "c"]


def test_a_failed_transaction_leaves_nothing(store: Engine) -> None:
    with pytest.raises(IntegrityError), transaction(store) as connection:
        connection.execute(insert(schema.mark), [{"name": "a", "value": ""}, {"name": "a", "value": ""}])
    assert marks(store) == []


def test_a_reading_sees_one_instant(store: Engine) -> None:
    with reading(store) as connection:
        query = select(schema.mark.c.name)
        assert connection.execute(query).all() == []
        put(store, "a")
        assert connection.execute(query).all() == []


def test_a_database_without_tables_is_taken_and_another_programs_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE invoice (id INTEGER)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(EnvironmentFailed, match=r"other\.db: this database holds something else"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before


@pytest.mark.parametrize(("version", "said"), [("hw9999", "newer Headwater"), ("ae1027a6acf", "something else")])
def test_a_foreign_version_is_refused(store_url: str, version: str, said: str) -> None:
    engine = open_store(store_url)
    with transaction(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()
    with pytest.raises(EnvironmentFailed, match=said):
        open_store(store_url)


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "headwater.db"
    path.write_text("station,value\n" * 100)
    with pytest.raises(EnvironmentFailed, match="file is not a database") as caught:
        open_store(f"sqlite:///{path}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////no/such/folder/headwater.db",
        "postgresql://town:secret@127.0.0.1:1/headwater",
        "postgresql://town:secret@127.0.0.1:port/headwater",
        "mysql://town:secret@host/headwater",
        "secret",
        "sqlite+secret://",
        "",
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line_without_the_password(url: str) -> None:
    with pytest.raises(EnvironmentFailed) as caught:
        open_store(url)
    assert "secret" not in str(caught.value).replace("sqlite+secret", "")
    assert "\n" not in str(caught.value)


def test_the_database_is_in_the_site_folder_unless_the_environment_says_otherwise(tmp_path: Path) -> None:
    odd = tmp_path / "Howard 50% ?#"
    odd.mkdir()
    open_store(default_url(odd, {})).dispose()
    assert (odd / "headwater.db").is_file()
    assert default_url(odd, {"HEADWATER_DATABASE_URL": "postgresql:///town"}) == "postgresql:///town"


def test_a_full_disk_is_an_environment_failure(tmp_path: Path) -> None:
    engine = open_store(f"sqlite:///{tmp_path / 'headwater.db'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")  # SQLite takes it as: no larger than it is
    with pytest.raises(EnvironmentFailed, match="full"):
        put(engine, "a" * 1_000_000)
    engine.dispose()


def test_text_of_hostile_bytes_becomes_storable(store: Engine) -> None:
    put(store, storable("a\0b" + os.fsdecode(b"\xff")))
    assert marks(store) == ["a\ufffdb?"]
