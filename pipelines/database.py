"""Open the store, bring it to the schema of this program, and run one transaction at a time.

SQLite and PostgreSQL behave alike here: a write transaction sees every earlier one, and the next waits for it; a
reading sees one instant of the store and waits for nobody.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
)

from models.errors import EnvironmentFailed

HEAD = "hw0003"
"""Revision id of the newest migration; the prefix tells our databases from those of other Alembic programs."""

_WRITER_LOCK = 0x48454144
_WAIT_MS = 60_000
_AT_ONCE = 500
_READ_ONLY = "headwater_read_only"
_ALLOWED = ("sqlite:///FILE", "postgresql://USER@HOST/DATABASE")
T = TypeVar("T")


def default_url(site_dir: Path, env: Mapping[str, str]) -> str:
    """The address of a site's database: ``HEADWATER_DATABASE_URL``, else ``headwater.db`` in the site folder."""
    url = URL.create("sqlite", database=str(site_dir.resolve() / "headwater.db"))
    return env.get("HEADWATER_DATABASE_URL") or url.render_as_string()


def open_store(url: str) -> Engine:
    """Open the database at ``url``, create it if there is none, and migrate it to ``HEAD``.

    Parameters
    ----------
    url : ``sqlite:///FILE`` or ``postgresql://…`` (psycopg 3).

    Raises
    ------
    EnvironmentFailed : it cannot be opened, was written by a newer program, or holds something else.
    """
    engine = _engine(url)
    shown = engine.url.render_as_string(hide_password=True)
    try:
        _bring_to_head(engine)
    except EnvironmentFailed as error:
        engine.dispose()
        raise error.at(file=shown) from error
    return engine


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """`open_store`, with every connection closed at the end."""
    engine = open_store(url)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """One write transaction: all of it or nothing, one writer at a time.

    Raises
    ------
    EnvironmentFailed : the disk is full, the database is locked, the connection is lost.
    """
    with _machine_failures(), engine.begin() as connection:
        serialise(connection)
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One consistent view of the store; it neither waits for a writer nor holds one up."""
    snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    options = {_READ_ONLY: True} if engine.dialect.name == "sqlite" else snapshot
    with _machine_failures(), engine.connect() as connection:
        yield connection.execution_options(**options)


def serialise(connection: Connection) -> None:
    """Hold every other writer off until this transaction ends; SQLite's ``BEGIN IMMEDIATE`` has done so already.

    One lock for the whole store: two locks could be taken in opposite orders.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _WRITER_LOCK})


def bulk_insert(connection: Connection, table: Table, rows: Iterable[tuple[object, ...]]) -> None:
    """Insert rows in column order, past SQLAlchemy's parameter handling: that costs more than the insert itself.

    The caller knows, under the writer's lock, that none of their keys is there; a key that is, is an error.
    """
    names = ", ".join(table.c.keys())
    cursor: Any = connection.connection.cursor()
    with _driver_errors(connection), closing(cursor):
        if connection.dialect.name == "postgresql":
            _copy(cursor, table.name, names, rows)
        else:
            marks = ", ".join("?" * len(table.c))
            cursor.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)  # noqa: S608


def portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """As many as one statement names: a delivery may bring a series for every row, and each statement has its price."""
    return (items[first : first + _AT_ONCE] for first in range(0, len(items), _AT_ONCE))


def storable(text: str) -> str:
    """Text both databases take: hostile bytes of a file may have become NUL or half a surrogate pair."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _copy(cursor: Any, table: str, names: str, rows: Iterable[tuple[object, ...]]) -> None:
    with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


@contextmanager
def _driver_errors(connection: Connection) -> Iterator[None]:
    """What the driver raises past SQLAlchemy, as SQLAlchemy would have raised it."""
    driver = connection.dialect.loaded_dbapi
    try:
        yield
    except driver.Error as error:
        raise DBAPIError.instance("bulk insert", None, error, driver.Error, dialect=connection.dialect) from error


@contextmanager
def _machine_failures() -> Iterator[None]:
    try:
        yield
    except (DataError, IntegrityError, ProgrammingError):
        raise  # a defect of this program, not of the machine
    except DatabaseError as error:
        raise EnvironmentFailed(f"the database failed: {error.orig}") from error


def _engine(text_url: str) -> Engine:
    """An engine that has not connected yet. A text that is no address is not repeated: it may hold a password."""
    try:
        url = make_url(text_url)
        return _postgresql(url) if url.drivername in {"postgresql", "postgres", "postgresql+psycopg"} else _sqlite(url)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise EnvironmentFailed("not the address of a database", allowed=_ALLOWED) from error
    except ModuleNotFoundError as error:
        raise EnvironmentFailed(f"PostgreSQL needs headwater[postgresql] installed: {error}") from error


def _postgresql(url: URL) -> Engine:
    return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)


def _sqlite(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        raise EnvironmentFailed("not a database Headwater works with", found=url.drivername, allowed=_ALLOWED)
    if url.database in {None, "", ":memory:"} or "mode=memory" in str(url):
        raise EnvironmentFailed("a database in memory would forget what it is given", allowed=_ALLOWED)
    engine = create_engine(url)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    """Take transactions out of the driver's hands: it would leave DDL outside them."""
    connection.isolation_level = None
    for pragma in (f"busy_timeout={_WAIT_MS}", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes the write lock at once: upgrading a read lock later fails without waiting."""
    read_only = connection.get_execution_options().get(_READ_ONLY)
    connection.exec_driver_sql("BEGIN" if read_only else "BEGIN IMMEDIATE")


def _bring_to_head(engine: Engine) -> None:
    with reading(engine) as connection:
        version = _version(connection)
    if engine.dialect.name == "sqlite":
        _use_write_ahead_log(engine)
    if version != HEAD:
        with transaction(engine) as connection:
            _migrate(connection)


def _use_write_ahead_log(engine: Engine) -> None:
    """Let readers work beside the writer. A restored copy may have lost the setting, so it is made at every opening.

    On the driver's connection: the mode cannot change inside a transaction.
    """
    with closing(engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA journal_mode=WAL")


def _version(connection: Connection) -> str | None:
    """Revision of a Headwater database, None for an empty one; anything else is refused untouched."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    stamped = "alembic_version" in tables
    version = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if stamped else None
    if not re.fullmatch(r"hw\d{4}", version or ""):
        raise EnvironmentFailed("this database holds something else, not Headwater", found=version)
    if str(version) > HEAD:
        raise EnvironmentFailed("this database was written by a newer Headwater", found=version, allowed=[HEAD])
    return version


def _migrate(connection: Connection) -> None:
    """Run the migrations inside the caller's transaction, version stamp included; another process may have been first.

    Alembic is imported only here: it costs more than opening the store.
    """
    if _version(connection) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "pipelines:migrations")
    config.set_main_option("path_separator", "os")
    command.upgrade(config, "head")
