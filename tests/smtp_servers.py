"""Mail servers on loopback, with a certificate authority of their own: obedient, moody, and broken ones."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

USER, PASSWORD = "headwater", "sesame-0pen"


@dataclass
class Authority:
    """A certificate authority of its own, with server certificates signed by it."""

    folder: Path
    name: str = "Town"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def file(self) -> Path:
        """Its own certificate, to be trusted."""
        path = self.folder / f"{self.name}-ca.pem"
        if not path.exists():
            signed = _certificate(self.name, self.name, self.key, self.key).add_extension(
                x509.BasicConstraints(ca=True, path_length=0), critical=True
            )
            signed = signed.add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False
            )
            path.write_bytes(signed.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        return path

    def server(self, *names: str) -> ssl.SSLContext:
        """A server's side of TLS with a certificate for these host names or addresses."""
        key = ec.generate_private_key(ec.SECP256R1())
        bears = [_general_name(one) for one in names]
        signed = (
            _certificate(names[0], self.name, key, self.key)
            .add_extension(x509.SubjectAlternativeName(bears), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
            .sign(self.key, hashes.SHA256())
        )
        path = self.folder / f"{self.name}-{time.monotonic_ns()}.pem"
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        path.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, form, plain) + signed.public_bytes(serialization.Encoding.PEM)
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _certificate(name: str, issuer: str, key: Any, signer: Any) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]),
        key.public_key(),
        x509.random_serial_number(),
        now - timedelta(days=1),
        now + timedelta(days=1),
    )


Answer = Callable[[EmailMessage, int], str]
"""What the server says to a mail, by the mail and how often it saw its Message-ID before; "" drops the connection."""
OK = "250 OK"


@dataclass
class Town:
    """What the server of the town does and has seen."""

    answer: Answer = lambda mail, before: OK
    recipient: Callable[[str], str] = lambda address: OK
    logins: list[bool] = field(default_factory=list)
    offered: list[EmailMessage] = field(default_factory=list)
    accepted: list[EmailMessage] = field(default_factory=list)
    connections: int = 0
    encrypted: list[bool] = field(default_factory=list)

    def ids(self) -> list[str]:
        return [str(one["Message-ID"]) for one in self.accepted]

    async def handle_EHLO(self, server: Any, session: Any, envelope: Any, hostname: str, responses: Any) -> Any:  # noqa: N802
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        if not getattr(session, "counted", False):
            session.counted = True
            self.connections += 1
        envelope.mail_from = address
        return OK

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        says = self.recipient(address)
        if says == OK:
            envelope.rcpt_tos.append(address)
        return says

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content, policy=default)
        before = [str(one["Message-ID"]) for one in self.offered].count(str(mail["Message-ID"]))
        self.offered.append(mail)
        says = self.answer(mail, before)
        if says.startswith("250") or says == "":
            self.accepted.append(mail)
        if not says:
            server.transport.abort()
            await asyncio.sleep(0)
            return "421 gone"
        return says

    def login(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        good = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        self.logins.append(good)
        return AuthResult(success=good, handled=False)


@contextmanager
def serving(town: Town, **options: Any) -> Iterator[int]:
    """The server on a free port of 127.0.0.1. Options are those of ``aiosmtpd``."""
    controller = Controller(town, hostname="127.0.0.1", port=free_port(), ready_timeout=20.0, **options)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def starttls(town: Town, context: ssl.SSLContext) -> dict[str, Any]:
    """Options of a server that wants STARTTLS and a login."""
    return {
        "tls_context": context, "require_starttls": True, "authenticator": town.login, "auth_required": True,
    }  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


Script = Callable[[socket.socket], None]


@contextmanager
def broken(script: Script) -> Iterator[tuple[int, list[int]]]:
    """A raw server: the script has each connection; what is counted are the connections made."""
    made: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        closing = threading.Event()

        def serve() -> None:
            while not closing.is_set():
                with suppress(OSError), listening.accept()[0] as connection:
                    if closing.is_set():
                        return
                    made.append(1)
                    connection.settimeout(20)
                    script(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield port, made
        finally:
            closing.set()
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                pass
            thread.join(timeout=30)


def up_to_data(connection: socket.socket) -> Any:
    """Say yes to everything up to DATA; returns the reader with the mail still to come."""
    reader = connection.makefile("rb")
    connection.sendall(b"220 here\r\n")
    for line in reader:
        connection.sendall(b"354 go on\r\n" if line[:4].upper() == b"DATA" else b"250 fine\r\n")
        if line[:4].upper() == b"DATA":
            break
    return reader
