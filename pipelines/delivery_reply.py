"""Replies to the senders of files, from what the store knows of each; written beside ``done/``, never sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from sqlalchemy import Connection, Engine, select

from models.counting import calendar_under
from models.delivery_calendar import known_on, told
from models.errors import BadQuestion
from models.privacy import private_part
from pipelines import marks, observations, open_rejects, schema
from pipelines.casebook import instant
from pipelines.database import reading, transaction
from pipelines.inbox import REPLIES
from pipelines.page_file import write_text
from pipelines.receipts import EVENTS, Receipt, of_source
from pipelines.site_folder import SiteFolder
from reports.delivery_reply import Account, Hide, RefusedCell, delivery_reply

REPLIED = "replied_source"
"""Mark: the last delivery that a reply was written for."""
WITHHELD = "(withheld)"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80
_ASKED_FOR = re.compile(r"(?:usgs|wqp)-.+-\d{4}-\d\d-\d\d-\d{3}\.\w+")
"""Name of a page that the program fetched itself: nobody waits for a word about it."""
_SHOWN_HASH = 12


def reply(connection: Connection, folder: SiteFolder, receipt: Receipt) -> str:
    """The reply to one file as it was just taken, or found not to be readable yet."""
    id = observations.source_seen(connection, receipt.sha256) if receipt.sha256 else None
    if id is None:
        unread = receipt.error.removeprefix(f"{receipt.file}: ") if receipt.error else "nothing of it is on record"
        return delivery_reply(Account(folder.site.name, receipt.file, "", "", "", unread=unread), hidden(folder))
    return delivery_reply(_account(connection, folder, id, receipt), hidden(folder))


def reply_to_latest(connection: Connection, folder: SiteFolder, file: str) -> str:
    """The reply to the latest delivery under a file name, with what still waits of it.

    Raises
    ------
    BadQuestion : no delivery of that name.
    """
    one = schema.source.c
    query = select(one.id).where(one.file == file, one.format != EVENTS).order_by(one.id.desc()).limit(1)
    id = connection.execute(query).scalar()
    if id is None:
        raise BadQuestion("no file of this name came", key="--reply", found=file)
    return delivery_reply(_account(connection, folder, int(id), of_source(connection, int(id))), hidden(folder))


def hidden(folder: SiteFolder) -> Hide:
    """Puts a mark in the place of any text that names a household."""
    return lambda text: WITHHELD if private_part(text, folder.households) else text


def _account(connection: Connection, folder: SiteFolder, id: int, receipt: Receipt) -> Account:
    source = schema.source.c
    sha256, arrived_at = connection.execute(
        select(source.sha256, source.arrived_at).where(source.id == id)
    ).one()  # fmt: skip
    read_at, calendar = instant(int(arrived_at)), calendar_under(folder.law, folder.policy)
    refused = tuple(_refused(connection, id))
    whole = bool(receipt.error)
    return Account(
        folder.site.name, receipt.file, "" if whole else receipt.format or "a known layout",
        "" if receipt.seen else told(read_at, calendar), str(sha256), receipt.accepted, receipt.duplicate,
        receipt.revised, receipt.set_apart, receipt.rejected,
        known_on(read_at, calendar).isoformat() if receipt.seen else "", refused=refused, note=receipt.note,
    )  # fmt: skip


def _refused(connection: Connection, id: int) -> Iterator[RefusedCell]:
    """What still waits of a delivery, in the order of the file."""
    one, waits = schema.reject.c, open_rejects.waiting(connection, id)
    query = select(one.id, one.row, one.column_name, one.raw, one.reason).where(one.source_id == id)
    for key, row, column, raw, reason in connection.execute(query.order_by(one.row, one.id)):
        if int(key) in waits:
            yield RefusedCell(int(row), str(column), str(raw), str(reason))


def write_replies(engine: Engine, folder: SiteFolder, since: int, again: Iterable[Receipt] = ()) -> list[Path]:
    """Write a reply for every delivery that has none yet, each whole or not at all; where they are.

    A night killed before the last was written writes them all again, under the same names.

    Parameters
    ----------
    since : of a store that never wrote one, deliveries that arrived before this get none [epoch ms].
    again : receipts of contents that came before: they are no new deliveries, and their senders wait for a word too.
    """
    with reading(engine) as connection:
        new = _without_reply(connection, since)
        texts = [*_first(connection, folder, new), *_again(connection, folder, again, set(new.values()))]
        newest = connection.execute(select(schema.source.c.id).order_by(schema.source.c.id.desc()).limit(1)).scalar()
    place = folder.inbox / REPLIES
    if texts:
        place.mkdir(exist_ok=True)
    for name, text in texts:
        write_text(place / name, text)
    with transaction(engine) as connection:
        marks.put(connection, REPLIED, str(newest or 0))
    return [place / name for name, _ in texts]


def tell_senders(engine: Engine, folder: SiteFolder, since: int, again: Iterable[Receipt] = ()) -> list[str]:
    """`write_replies` for a night, which a full disk must not fail: what could not be written, in a line."""
    try:
        write_replies(engine, folder, since, again)
    except OSError as caught:
        return [f"inbox/{REPLIES}: a reply could not be written, the next night tries again: {caught.strerror}"]
    return []


def _without_reply(connection: Connection, since: int) -> dict[int, str]:
    """Deliveries that no reply was written for yet, each with the hash of its content."""
    one, last = schema.source.c, marks.get(connection, REPLIED)
    new = one.arrived_at >= since if last is None else one.id > int(last)
    rows = connection.execute(select(one.id, one.sha256).where(new, one.format != EVENTS).order_by(one.id))
    return {int(id): str(sha256) for id, sha256 in rows}


def _first(connection: Connection, folder: SiteFolder, new: Mapping[int, str]) -> Iterator[tuple[str, str]]:
    for id, sha256 in new.items():
        receipt = of_source(connection, id)
        if not _ASKED_FOR.fullmatch(receipt.file):
            text = delivery_reply(_account(connection, folder, id, receipt), hidden(folder))
            yield _name(folder, receipt.file, sha256), text


def _again(
    connection: Connection, folder: SiteFolder, again: Iterable[Receipt], new: Collection[str]
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """Of a file that a killed night stored and did not move, the first reply is still to be written: no second one."""
    for receipt in again:
        waits = receipt.seen and receipt.sha256 and receipt.sha256 not in new
        if waits and not _ASKED_FOR.fullmatch(receipt.file):
            yield _name(folder, receipt.file, f"again-{receipt.sha256}"), reply(connection, folder, receipt)


def _name(folder: SiteFolder, file: str, content: str) -> str:
    """By the name of the file and the start of its content's hash; nothing of a household's."""
    shown = "withheld" if private_part(file, folder.households) else _UNSAFE.sub("_", file)[-_LONGEST_NAME:]
    key = content[: _SHOWN_HASH + (len("again-") if content.startswith("again-") else 0)]
    return f"{shown.lstrip('.') or 'file'}-{key}.txt"
