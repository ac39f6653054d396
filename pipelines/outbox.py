"""Mails are composed in the transaction of what they tell, and sent afterwards, once each.

The key of a mail names what it announces; its Message-ID follows from the key. A mail that was sent but not yet marked
when the machine died is sent again with the same Message-ID: a ``Maildir`` keeps one copy, a mail program shows one.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.headerregistry import AddressHeader
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from sqlalchemy import Connection, Engine, select

from models.errors import BadQuestion
from pipelines import ledger
from pipelines.database import reading, transaction
from pipelines.schema import outbox

DOMAIN = "headwater.invalid"
"""Right-hand side of every Message-ID; a reserved name, so that no mail server owns it."""


@dataclass(frozen=True)
class Message:
    """One composed mail. ``composed_at`` is epoch milliseconds and becomes its Date."""

    id: int
    key: str
    message_id: str
    recipient: str
    subject: str
    text: str
    composed_at: int


@dataclass(frozen=True)
class Delivery:
    """How many mails went out, and what hindered the others: (key, error)."""

    sent: int
    failed: tuple[tuple[str, str], ...] = ()


def compose(
    connection: Connection,
    key: str,
    recipient: str,
    subject: str,
    text: str,
    composed_at: int,
    domain: str = DOMAIN,
) -> bool:
    """Put a mail into the outbox unless one with this key is or was there.

    Parameters
    ----------
    connection : inside the write transaction of what the mail tells.
    key : what it announces, and to whom; one mail per key for ever.
    recipient : one address.
    subject, text : control characters become spaces.
    composed_at : epoch milliseconds.

    Returns
    -------
    True if the mail is new.

    Raises
    ------
    BadQuestion : the recipient is not exactly one plain address.
    """
    row = {
        "key": key,
        "message_id": f"<{hashlib.sha256(key.encode()).hexdigest()[:40]}@{domain}>",
        "recipient": _one_address(recipient),
        "subject": " ".join(_plain(subject, keep="").split()),
        "body_text": _plain(text.replace("\r\n", "\n").replace("\r", "\n"), keep="\n\t"),
        "composed_at": composed_at,
    }
    return ledger.append_new(connection, outbox, row, ["key"]) is not None


def pending(connection: Connection) -> list[Message]:
    """What has not been sent, oldest first."""
    columns = outbox.c["id", "key", "message_id", "recipient", "subject", "body_text", "composed_at"]
    rows = connection.execute(select(*columns).where(outbox.c.sent_at.is_(None)).order_by(outbox.c.id))
    return [Message(*row) for row in rows]


def mark_sent(connection: Connection, message: Message, sent_at: int) -> None:
    """Note that a mail is on its way [epoch ms]; the first note stays."""
    unsent = outbox.update().where(outbox.c.id == message.id, outbox.c.sent_at.is_(None))
    connection.execute(unsent.values(sent_at=sent_at, error=None, attempts=outbox.c.attempts + 1))


def mark_failed(connection: Connection, message: Message, error: str) -> None:
    """Note why a mail did not go; it stays pending."""
    unsent = outbox.update().where(outbox.c.id == message.id, outbox.c.sent_at.is_(None))
    connection.execute(unsent.values(error=error, attempts=outbox.c.attempts + 1))


def deliver(engine: Engine, send: Callable[[Message], None], *, sent_at: int) -> Delivery:
    """Send everything pending; each mail is marked in a transaction of its own, right after it went.

    Parameters
    ----------
    send : hands over one mail or raises; may be called again for a mail it handed over before.
    sent_at : the time to note [epoch ms].
    """
    with reading(engine) as connection:
        waiting = pending(connection)
    outcomes = [(message.key, _send_one(engine, send, message, sent_at)) for message in waiting]
    failed = tuple((key, error) for key, error in outcomes if error)
    return Delivery(len(outcomes) - len(failed), failed)


def email_of(message: Message, sender: str) -> EmailMessage:
    """The mail itself: the same bytes however often it is made.

    ``Auto-Submitted`` keeps vacation responders from answering (RFC 3834).
    """
    mail = EmailMessage()
    mail["From"] = sender
    mail["To"] = message.recipient
    mail["Subject"] = message.subject
    mail["Date"] = format_datetime(datetime.fromtimestamp(message.composed_at // 1000, UTC))
    mail["Message-ID"] = message.message_id
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(message.text, cte="quoted-printable")
    return mail


def _send_one(engine: Engine, send: Callable[[Message], None], message: Message, sent_at: int) -> str:
    """The error that kept the mail back, "" if it went."""
    try:
        send(message)
    except Exception as error:  # noqa: BLE001  whatever is wrong with one mail must not keep the others back
        reason = _plain(f"{type(error).__name__}: {error}", keep="")
        with transaction(engine) as connection:
            mark_failed(connection, message, reason)
        return reason
    with transaction(engine) as connection:
        mark_sent(connection, message, sent_at)
    return ""


def _one_address(text: str) -> str:
    """A second address or header smuggled into the text is refused, not repaired: it might be somebody else's."""
    if not text.isascii() or not text.isprintable():
        raise BadQuestion("a mail address holds only plain characters", found=text)
    header = SMTP.header_factory("To", text)
    addresses = header.addresses if isinstance(header, AddressHeader) else ()
    if len(addresses) != 1 or header.defects or not addresses[0].username or not addresses[0].domain:
        raise BadQuestion("not exactly one mail address", found=text)
    return text


def _plain(text: str, keep: str) -> str:
    """Control and format-control characters, line separators and half surrogates become spaces."""
    return "".join(char if char in keep or unicodedata.category(char)[0] != "C" else " " for char in text)
