"""The watchdog's complaint as a mail: through a program that takes mails, over SMTP, or into the Maildir of the site.

The store's own outbox cannot be used where the store has failed. Only SMTP needs more than the standard library.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from models.errors import EnvironmentFailed
from pipelines.smtp_settings import HOST
from pipelines.watchdog import write_whole

_SENDER = "Headwater <headwater@headwater.invalid>"
_PATIENCE_S = 60
_CLOSING = (
    "\nUntil this is mended nothing is judged and nobody is told of a change at the wells and streams.\n"
    "`headwater doctor` says what to look at.\n\n"
    "This is an automatic message. It is not the town's notice and starts no deadline.\n"
)


def send(
    folder: Path,
    found: Sequence[str],
    to: Sequence[str],
    now: datetime,
    *,
    sendmail: str | None = None,
    env: Mapping[str, str],
) -> None:
    """One mail a day for the same complaint in the Maildir; sent otherwise, a repeat has the same Message-ID.

    Raises
    ------
    EnvironmentFailed : the program, or the mail server, did not take it.
    """
    mail = _mail(folder.resolve().name, found, to, now)
    if sendmail:
        _hand_over(sendmail, to, mail)
    elif env.get(HOST):
        _over_smtp(env, to, mail, now)
    else:
        _file(folder / "outbox", mail)


def _mail(site: str, found: Sequence[str], to: Sequence[str], now: datetime) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"] = _SENDER, ", ".join(to)
    mail["Subject"] = " ".join(f"Headwater did not finish its night: {site}".split())
    mail["Date"] = format_datetime(now)
    said = "\n".join((site, *to, now.date().isoformat(), *found))
    mail["Message-ID"] = f"<watchdog-{hashlib.sha256(said.encode()).hexdigest()[:32]}@headwater.invalid>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("\n".join(found) + "\n" + _CLOSING, cte="quoted-printable")
    return mail


def _over_smtp(env: Mapping[str, str], to: Sequence[str], mail: EmailMessage, now: datetime) -> None:
    from pipelines.outbox import Message
    from pipelines.smtp import Smtp

    name, host = mail["Message-ID"].strip("<>").split("@")
    with Smtp(env) as server:
        for k, one in enumerate(to):
            letter = Message(
                k, name, f"<{name}-{k}@{host}>", one, mail["Subject"], mail.get_content(), round(now.timestamp() * 1000)
            )
            try:
                server(letter)
            except Exception as caught:  # noqa: BLE001  whatever keeps it back is one line
                raise EnvironmentFailed(f"the mail was not taken: {caught}") from None


def _file(maildir: Path, mail: EmailMessage) -> None:
    name = f"{mail['Message-ID'][1:].partition('@')[0]}.headwater"
    for folder in ("tmp", "new", "cur"):
        (maildir / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
    if not any(one.name.partition(":")[0] == name for one in (maildir / "cur").iterdir()):
        write_whole(maildir / "new" / name, mail.as_bytes(), 0o600)


def _hand_over(program: str, to: Sequence[str], mail: EmailMessage) -> None:
    try:
        done = subprocess.run([program, "-i", "--", *to], input=mail.as_bytes(), timeout=_PATIENCE_S, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as caught:
        raise EnvironmentFailed(f"the mail was not taken: {caught}", file=program) from None
    if done.returncode:
        raise EnvironmentFailed(f"the mail was not taken: exit code {done.returncode}", file=program)
