"""Deliveries by mail: ``inbox/mail`` is a maildir, and every file attached to a message in it is a delivery.

A mail server writes into ``tmp/`` and renames into ``new/`` (https://cr.yp.to/proto/maildir.html); a mail program that
looked moves to ``cur/``. Both are read. A message goes to ``done/`` or ``rejected/`` beside them, as files of the inbox
do: to ``rejected/`` where nothing of it was taken, so that somebody reads what it says. Its own text is no data; the
text's hash is kept. It is told by its content's hash: its file name and subject may name a household. Its sender is
told beside it where the address names none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from ingest.cells import counted
from ingest.message import MAX_MESSAGE, Mail, parse
from models.errors import BadFile
from models.privacy import private_part
from pipelines import inbox, origins, parcels
from pipelines.inbox import MAIL
from pipelines.moving import identity
from pipelines.origins import Origin
from pipelines.parcels import Desk, Taken
from pipelines.receipts import Receipt

FORMAT = "mail"
NO_FILE = "a mail without an attached file: its own text is not read as data"
WITHHELD = "withheld"
_OF_THE_MAILDIR = {"new", "cur", "tmp", inbox.DONE, inbox.REJECTED}


def messages(folder: Path) -> Iterator[Path]:
    """Messages that wait in the maildir of an inbox, by name."""
    for name in ("new", "cur"):
        box = folder / MAIL / name
        if box.is_dir():
            yield from sorted(one for one in box.iterdir() if one.is_file() and not one.name.startswith("."))


def no_maildir(folder: Path) -> bool:
    """Whether the place of the maildir is taken by something else, which nobody reads."""
    place = folder / MAIL
    return place.exists() and not any((place / name).is_dir() for name in ("new", "cur", "tmp"))


def passed_over(folder: Path) -> list[str]:
    """What lies in the maildir and is no message that anybody reads, by number: the names may be a household's."""
    place = folder / MAIL
    if no_maildir(folder) or not place.is_dir():
        return []
    strange = {f"{MAIL}/{name}": _strange(place / name) for name in ("new", "cur")}
    strange[MAIL] = sum(one.name not in _OF_THE_MAILDIR for one in place.iterdir())
    return [
        f"inbox/{where}: {counted(n, 'thing')} in it that {'is' if n == 1 else 'are'} no message of it (a folder, a "
        "broken link): not read"
        for where, n in strange.items()
        if n
    ]


def _strange(box: Path) -> int:
    return sum(not one.is_file() for one in box.iterdir()) if box.is_dir() else 0


def home(message: Path) -> Path:
    """The folder that holds ``done`` and ``rejected`` for a message."""
    return message.parent.parent


def take(desk: Desk, path: Path) -> Taken:
    """Store every file attached to a message, and the message itself as what they came in.

    The message goes on record last: one that was killed half way is taken up again, and its files are known.
    """
    try:
        data, whole_file = _bytes(path), identity(path)
    except OSError as caught:
        gone = isinstance(caught, FileNotFoundError)
        reason = inbox.GONE if gone else f"cannot be read: {caught.strerror}"
        waits = Receipt("a mail", "", error=str(BadFile(reason, file="a mail")), waits=True)
        return Taken([waits], waits)
    name = f"mail {whole_file[0][:12]}"
    mail = _parsed(data, name)
    if isinstance(mail, BadFile):
        whole = parcels.refuse_unseen(desk, whole_file, name, inbox.NOWHERE, mail.reason)
        return Taken([whole], whole)
    return _take_files(desk, mail, data, name)


def _bytes(path: Path) -> bytes:
    """One byte more than a message may have is enough to refuse it."""
    with path.open("rb") as file:
        return file.read(MAX_MESSAGE + 1)


def _parsed(data: bytes, name: str) -> Mail | BadFile:
    try:
        return parse(data, name)
    except BadFile as caught:
        return caught
    except Exception as caught:  # noqa: BLE001 whatever is wrong with one message must not keep the others back
        return BadFile(f"a fault of the program, {type(caught).__name__}", file=name)  # its text may hold the mail's


def _take_files(desk: Desk, mail: Mail, data: bytes, name: str) -> Taken:
    origin = _origin(desk, mail, data)
    receipts: list[Receipt] = []
    for one in mail.attachments:
        told = parcels.harmless(one.name, one.content, desk.households)
        if one.reason:
            receipts.append(parcels.refuse(desk, one.content, told, origin, one.reason))
        else:
            receipts += parcels.take_content(desk, one.content, told, origin)
    if stopped := parcels.waiting(receipts):
        return Taken(receipts, Receipt(name, FORMAT, error=stopped, waits=True))
    if all(one.error or one.format == parcels.DOCUMENT for one in receipts):
        reason = NO_FILE if not mail.attachments else "a mail of whose files nothing was taken"
        whole = parcels.refuse(desk, data, name, origin, reason)
    else:
        whole = parcels.put_on_record(desk, data, name, origin, FORMAT, _note(mail))
    return Taken([*receipts, whole], whole)


def _note(mail: Mail) -> str:
    what = "picture or signature" if mail.beside == 1 else "pictures or signatures"
    beside = f", {mail.beside} {what} not read" if mail.beside else ""
    return f"{counted(len(mail.attachments), 'attached file')}{beside}; its own text is not data"


def _origin(desk: Desk, mail: Mail, data: bytes) -> Origin:
    """The sender's address unless it names a household that the site knows, and when it came."""
    private = private_part(mail.sender.replace("@", " ").replace(".", " "), desk.households) is not None
    private = private or private_part(mail.sender, desk.households) is not None
    sender = WITHHELD if private else mail.sender
    told = {origins.MAIL: hashlib.sha256(data).hexdigest(), origins.BODY: mail.body_sha256, origins.SENDER: sender}
    times = {origins.RECEIVED: mail.received, origins.DATED: mail.dated}
    return told | {name: when.strftime(origins.INSTANT) for name, when in times.items() if when is not None}
