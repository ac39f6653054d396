"""Mails are composed in the transaction of what they tell, and sent afterwards, once each.

The key of a mail names what it announces; its Message-ID follows from the key. A mail that was sent but not yet marked
when the machine died is sent again with the same Message-ID: a ``Maildir`` keeps one copy, a mail program shows one.

A mail that does not go is tried again, later each time, and given up after ``ATTEMPTS`` or when its receiver refuses it
for good. A mail given up stays in the outbox, and the next digest says so at its top.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from sqlalchemy import Connection, Engine, Row, or_, select

from pipelines import ledger
from pipelines.database import reading, transaction
from pipelines.mail_text import lines, one_address, one_line, plain
from pipelines.schema import outbox

DOMAIN = "headwater.invalid"
"""Right-hand side of every Message-ID; a reserved name, so that no mail server owns it."""

_MINUTE_MS = 60_000
RETRY_AFTER_MS = tuple(minutes * _MINUTE_MS for minutes in (5, 30, 120, 480, 20 * 60))
"""How long a mail waits after its first, second, … failed attempt; the last lets it go with the next night."""
ATTEMPTS = 8
"""A mail that failed so often is given up. A server that nobody reaches costs no mail an attempt."""


class Refused(Exception):
    """The receiver refuses this very mail for good; trying again would not help."""


class Later(Exception):
    """This mail did not go now, or nobody knows whether it did; it is tried again."""


class Unreachable(Exception):
    """No mail can go now: no server, no trust in it, no place to write. Nothing is wrong with the mail itself."""


@dataclass(frozen=True)
class Message:
    """One composed mail. ``composed_at`` is epoch milliseconds and becomes its Date; ``html`` "" is plain text only."""

    id: int
    key: str
    message_id: str
    recipient: str
    subject: str
    text: str
    composed_at: int
    html: str = ""
    about: tuple[str, ...] = ()
    attempts: int = 0
    next_attempt_at: int | None = None
    error: str = ""


@dataclass(frozen=True)
class Delivery:
    """How many mails went out, what keeps the others back, and which were given up: (key, reason)."""

    sent: int
    failed: tuple[tuple[str, str], ...] = ()
    dead: tuple[tuple[str, str], ...] = ()


def compose(
    connection: Connection,
    key: str,
    recipient: str,
    subject: str,
    text: str,
    composed_at: int,
    *,
    html: str = "",
    about: Sequence[str] = (),
) -> bool:
    """Put a mail into the outbox unless one with this key is or was there.

    Parameters
    ----------
    connection : inside the write transaction of what the mail tells.
    key : what it announces, and to whom; one mail per key for ever.
    recipient : one address.
    subject, text, html : control characters become spaces.
    composed_at : epoch milliseconds.
    about : keys of the findings it tells of.

    Returns
    -------
    True if the mail is new.

    Raises
    ------
    BadQuestion : the recipient is not exactly one plain address.
    """
    row = {
        "key": key,
        "message_id": f"<{hashlib.sha256(key.encode()).hexdigest()[:40]}@{DOMAIN}>",
        "recipient": one_address(recipient),
        "subject": one_line(subject),
        "body_text": lines(text),
        "body_html": lines(html) or None,
        "about": json.dumps(sorted(about)) if about else None,
        "composed_at": composed_at,
    }
    return ledger.append_new(connection, outbox, row, ["key"]) is not None


def pending(connection: Connection) -> list[Message]:
    """What has neither been sent nor given up, oldest first."""
    return _messages(connection, outbox.c.sent_at.is_(None), outbox.c.dead_at.is_(None))


def dead_letters(connection: Connection) -> list[Message]:
    """Mails given up that no digest has told of yet."""
    return _messages(connection, outbox.c.dead_at.is_not(None), outbox.c.dead_told_at.is_(None))


def mark_dead_told(connection: Connection, letters: Collection[Message], told_at: int) -> None:
    """Note that a digest tells of these mails given up [epoch ms]."""
    ids = [one.id for one in letters]
    connection.execute(outbox.update().where(outbox.c.id.in_(ids)).values(dead_told_at=told_at))


def told(connection: Connection, findings: Collection[str]) -> list[tuple[str, str]]:
    """Key and recipient of every mail that tells of one of these findings (their keys) and was not given up."""
    names = [json.dumps(one) for one in findings]
    tells = or_(*(outbox.c.about.contains(name, autoescape=True) for name in names))
    query = select(outbox.c.key, outbox.c.recipient).where(tells, outbox.c.dead_at.is_(None)).order_by(outbox.c.id)
    return [(row.key, row.recipient) for row in connection.execute(query)] if names else []


def mark_sent(connection: Connection, message: Message, sent_at: int) -> None:
    """Note that a mail is on its way [epoch ms]; the first note stays."""
    _note(connection, message, sent_at=sent_at, error=None, next_attempt_at=None, attempts=message.attempts + 1)


def mark_failed(connection: Connection, message: Message, error: str, now: int, *, final: bool = False) -> bool:
    """Note why a mail did not go and when it is tried again [epoch ms].

    Returns
    -------
    Whether it is given up: ``final``, or tried ``ATTEMPTS`` times.
    """
    tried = message.attempts + 1
    dead = final or tried >= ATTEMPTS
    wait = RETRY_AFTER_MS[min(tried, len(RETRY_AFTER_MS)) - 1]
    after = {"next_attempt_at": None, "dead_at": now} if dead else {"next_attempt_at": now + wait}
    _note(connection, message, error=error, attempts=tried, **after)
    return dead


def deliver(engine: Engine, send: Callable[[Message], None], *, now: int) -> Delivery:
    """Send every mail that is due; each is marked in a transaction of its own, right after it went.

    Parameters
    ----------
    send : hands over one mail or raises ``Refused``, ``Unreachable`` (the rest is not tried now), ``Later`` or
        anything else; may be called again for a mail it handed over before.
    now : the machine's time [epoch ms]: waiting for a mail server is no matter of the night's own instant.
    """
    with reading(engine) as connection:
        waiting = pending(connection)
    run = _Run(engine, send, now)
    for message in waiting:
        run.take(message)
    return Delivery(run.sent, tuple(run.failed), tuple(run.dead))


@dataclass
class _Run:
    """One delivery. ``held``: what an addressee is yet to hear of; a correction never overtakes what it corrects."""

    engine: Engine
    send: Callable[[Message], None]
    now: int
    sent: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    dead: list[tuple[str, str]] = field(default_factory=list)
    held: set[tuple[str, str]] = field(default_factory=set)
    unreachable: str = ""

    def take(self, message: Message) -> None:
        """Send one mail, or note what keeps it back."""
        about = {(message.recipient, one) for one in message.about}
        reason = self._not_now(message, about) or self._try(message)
        if reason:
            self.failed.append((message.key, reason))
            self.held |= about

    def _not_now(self, message: Message, about: set[tuple[str, str]]) -> str:
        if message.next_attempt_at is not None and self.now < message.next_attempt_at:
            when = datetime.fromtimestamp(message.next_attempt_at // 1000, UTC)
            return f"{message.error} (tried {message.attempts} times, next after {when:%Y-%m-%dT%H:%M:%SZ})"
        if self.held & about:
            return "waits for an earlier mail about the same finding"
        return self._unreached(message) if self.unreachable else ""

    def _try(self, message: Message) -> str:
        """The error that keeps the mail back, "" if it went or was given up."""
        try:
            self.send(message)
        except Unreachable as error:
            self.unreachable = _reason(error)
            return self._unreached(message)
        except Exception as error:  # noqa: BLE001  whatever is wrong with one mail must not keep the others back
            return self._failed(message, error)
        with transaction(self.engine) as connection:
            mark_sent(connection, message, self.now)
        self.sent += 1
        return ""

    def _unreached(self, message: Message) -> str:
        """The mail could not even be offered: it is due at the next delivery, and this was no attempt."""
        with transaction(self.engine) as connection:
            _note(connection, message, error=self.unreachable)
        return self.unreachable

    def _failed(self, message: Message, error: Exception) -> str:
        reason = _reason(error)
        with transaction(self.engine) as connection:
            dead = mark_failed(connection, message, reason, self.now, final=isinstance(error, Refused))
        if dead:
            self.dead.append((message.key, reason))
        return "" if dead else reason


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
    if message.html:
        mail.add_alternative(message.html, subtype="html", cte="quoted-printable")
        # Quoted-printable writes "=" as "=3D", so that no text can hold this.
        mail.set_boundary("=_" + hashlib.sha256(message.message_id.encode()).hexdigest()[:40])
    return mail


def bytes_of(message: Message, sender: str, line_end: str = "\n") -> bytes:
    """The mail as it is written. A plain subject stands on one line: folded, it would begin with a blank."""
    width = 400 if message.subject.isascii() else 78
    return email_of(message, sender).as_bytes(policy=SMTP.clone(linesep=line_end, max_line_length=width))


def _messages(connection: Connection, *which: object) -> list[Message]:
    query = select(outbox).where(*which).order_by(outbox.c.id)  # type: ignore[arg-type]
    return [_message(row) for row in connection.execute(query)]


def _message(row: Row[tuple[object, ...]]) -> Message:
    return Message(
        row.id, row.key, row.message_id, row.recipient, row.subject, row.body_text, row.composed_at,
        row.body_html or "", tuple(json.loads(row.about or "[]")), row.attempts, row.next_attempt_at, row.error or "",
    )  # fmt: skip


def _note(connection: Connection, message: Message, **values: object) -> None:
    unsent = outbox.update().where(outbox.c.id == message.id, outbox.c.sent_at.is_(None))
    connection.execute(unsent.values(**values))


def _reason(error: Exception) -> str:
    own = isinstance(error, Refused | Later | Unreachable)
    return plain(str(error) if own else f"{type(error).__name__}: {error}")
