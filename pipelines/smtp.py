"""Hand mails to a mail server over SMTP, with TLS unless the server is this very machine.

What the server answers decides: 2xx it has the mail; 4xx later (greylisting); 5xx never, for that mail. A connection
that breaks before the answer leaves it unknown: the mail is sent again with the same Message-ID, and accepting it twice
is the server's business.
"""

from __future__ import annotations

import base64
import smtplib
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.utils import parseaddr
from pathlib import Path
from threading import Event, Timer
from time import monotonic
from types import TracebackType
from typing import Self, cast

from models.errors import EnvironmentFailed
from pipelines.mail_text import one_line
from pipelines.maildir import Maildir
from pipelines.outbox import Later, Message, Refused, Unreachable, bytes_of
from pipelines.smtp_settings import FROM, HOST, Settings, settings

TIME_LIMIT_S = 60.0
"""For one mail, and for connecting and logging in."""
_LONGEST_ANSWER = 300
_TOO_BIG = 552
_NOT_LOGGED_IN = {530, 534, 535, 538}


@contextmanager
def sender(env: Mapping[str, str], box: Path) -> Iterator[Callable[[Message], None]]:
    """The way mails go out: over SMTP where a host is configured, else into the maildir ``box``.

    A fault of the configuration keeps the mails in the outbox and not the night from being judged.
    """
    if not env.get(HOST):
        yield Maildir(box)
        return
    with Smtp(env) as smtp:
        yield smtp


class Smtp:
    """A callable for ``outbox.deliver``, and a context that closes its one connection.

    Parameters
    ----------
    env : see ``pipelines.smtp_settings``.
    time_limit_s : seconds for connecting, and for each mail, whatever the server does meanwhile.
    """

    def __init__(self, env: Mapping[str, str], *, time_limit_s: float = TIME_LIMIT_S) -> None:
        self.env, self.time_limit_s = env, time_limit_s
        self._connection: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._connection is not None:
            with self._limited(self._connection), suppress(OSError, smtplib.SMTPException):
                self._connection.quit()
        self._drop()

    def __call__(self, message: Message) -> None:
        """Hand over one mail.

        Raises
        ------
        Refused : the server answered 5xx to this mail.
        Unreachable : no connection, no trust in its certificate, no login, or a fault of the configuration.
        Later : anything that may be otherwise later.
        """
        config, connection = self._ready()
        mail = bytes_of(message, config.sender, line_end="\r\n")
        try:
            with self._limited(connection):
                connection.sendmail(parseaddr(config.sender)[1], [message.recipient], mail)
        except (OSError, smtplib.SMTPException) as error:
            if not _code(error):
                self._drop()
            raise _verdict(error, config) from None

    def reach(self) -> None:
        """Connect and log in, and send nothing.

        Raises
        ------
        Unreachable : the server cannot be reached, trusted or logged in to.
        """
        self._ready()

    def _ready(self) -> tuple[Settings, smtplib.SMTP]:
        """The one connection, made anew where the server has dropped it since the last mail."""
        config = self._settings()
        if self._connection is not None and not self._alive(self._connection):
            self._drop()
        if self._connection is None:
            self._connection = self._connected(config)
        return config, self._connection

    def _settings(self) -> Settings:
        try:
            found = settings(self.env)
        except EnvironmentFailed as error:
            raise Unreachable(str(error)) from None
        if found is None:
            raise Unreachable(f"{HOST} is not set")
        return found

    def _alive(self, connection: smtplib.SMTP) -> bool:
        try:
            with self._limited(connection):
                return connection.noop()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def _connected(self, config: Settings) -> smtplib.SMTP:
        where = f"mail server {config.host}:{config.port}"
        try:
            return self._greeted(config)
        except smtplib.SMTPAuthenticationError as error:  # its text may repeat what was sent
            raise Unreachable(f"{where}: the login was refused ({error.smtp_code})") from None
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise Unreachable(f"{where}: {_says(error, config)}") from None

    def _greeted(self, config: Settings) -> smtplib.SMTP:
        connection = _unconnected(config, self.time_limit_s)
        try:
            with self._limited(connection):
                _greet(connection, config)
                if config.user:
                    connection.login(config.user, config.password)
        except BaseException:
            connection.close()
            raise
        return connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    @contextmanager
    def _limited(self, connection: smtplib.SMTP) -> Iterator[None]:
        """Cut the connection when the time is out: a server that sends a byte now and then never times out itself."""
        out, started = Event(), monotonic()
        timer = Timer(self.time_limit_s, _cut, [connection, out])
        timer.daemon = True
        timer.start()
        try:
            yield
        except (OSError, smtplib.SMTPException):
            if out.is_set() or monotonic() - started >= self.time_limit_s:
                raise TimeoutError(f"not done within {self.time_limit_s:g} s") from None
            raise
        finally:
            timer.cancel()


def _unconnected(config: Settings, time_limit_s: float) -> smtplib.SMTP:
    """A client that has not connected yet, so that the time limit can cut it from the first byte on."""
    name = parseaddr(config.sender)[1].rpartition("@")[2]
    if config.security == "tls":
        client: smtplib.SMTP = smtplib.SMTP_SSL(local_hostname=name, timeout=time_limit_s, context=_trust(config))
    else:
        client = smtplib.SMTP(local_hostname=name, timeout=time_limit_s)
    client._host = config.host  # type: ignore[attr-defined]  # the name its certificate must bear
    return client


def _greet(connection: smtplib.SMTP, config: Settings) -> None:
    code, text = connection.connect(config.host, config.port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, text)
    if config.security == "starttls":
        connection.starttls(context=_trust(config))
    connection.ehlo_or_helo_if_needed()


def _trust(config: Settings) -> ssl.SSLContext:
    """The certificate is always checked: against the machine's authorities, or those of the file."""
    context = ssl.create_default_context(cafile=config.ca_file or None)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _verdict(error: Exception, config: Settings) -> Exception:
    """What an answer to one mail, or none, means for it."""
    code, says = _code(error), _says(error, config)
    if not code:
        return Later(f"broken off, and whether it arrived is unknown: {says}")
    if code < 500:
        return Later(f"the server says later: {says}")
    if code in _NOT_LOGGED_IN:
        return Unreachable(f"the server wants a login: {says}")
    if isinstance(error, smtplib.SMTPSenderRefused) and code != _TOO_BIG:
        return Unreachable(f"the server refuses the sender, {FROM}: {says}")
    return Refused(f"the server refuses this mail: {says}")


def _code(error: Exception) -> int:
    """The server's answer to the mail, 0 if there was none that can be read."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max((answer[0] for answer in error.recipients.values()), default=0)
    answered = isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPDataError)
    return max(cast(smtplib.SMTPResponseException, error).smtp_code, 0) if answered else 0


def _says(error: Exception, config: Settings) -> str:
    """The server's words or the machine's, in one line, with every form of the credentials taken out."""
    text = one_line(_words(error))
    for secret in _secrets(config):
        text = text.replace(secret, "***")
    return text[:_LONGEST_ANSWER]


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "; ".join(f"{code} {_text(words)}" for code, words in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_text(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"


def _text(words: bytes | str) -> str:
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else words


def _secrets(config: Settings) -> list[str]:
    """Longest first, so that no rest of one is left standing."""
    raw = [config.password, f"\0{config.user}\0{config.password}", config.user]
    coded = [base64.b64encode(one.encode()).decode() for one in raw]
    return sorted((one for one in (*raw, *coded) if config.user and one), key=len, reverse=True)


def _cut(connection: smtplib.SMTP, out: Event) -> None:
    out.set()
    sock = connection.sock
    if sock is not None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
