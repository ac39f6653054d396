"""How to reach the mail server, from the environment only, so that no secret stands in a file of the site."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from models.errors import BadQuestion, EnvironmentFailed
from pipelines.mail_text import one_address

Security = Literal["starttls", "tls", "none"]
HOST, PORT, USER, PASSWORD = (f"HEADWATER_SMTP_{name}" for name in ("HOST", "PORT", "USER", "PASSWORD"))
SECURITY, FROM, CA_FILE = (f"HEADWATER_SMTP_{name}" for name in ("SECURITY", "FROM", "CA_FILE"))
_PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True)
class Settings:
    """How to reach the mail server."""

    host: str
    port: int
    security: Security
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""


def settings(env: Mapping[str, str]) -> Settings | None:
    """Read the settings; None where no host is named: mails go to a maildir then.

    Raises
    ------
    EnvironmentFailed : names the variable, never its value.
    """
    if not env.get(HOST):
        alone = next((name for name in (PORT, SECURITY, USER, PASSWORD, FROM, CA_FILE) if env.get(name)), None)
        if alone is not None:
            raise EnvironmentFailed(f"is set, but no {HOST}: mails would stay in the maildir unnoticed", key=alone)
        return None
    security = env.get(SECURITY) or "starttls"
    if security not in _PORTS:
        raise EnvironmentFailed("no such way to secure the connection", key=SECURITY, allowed=_PORTS)
    if security == "none" and not _loopback(env[HOST]):
        raise EnvironmentFailed("only a server on this machine is spoken to without TLS", key=SECURITY)
    if bool(env.get(USER)) != bool(env.get(PASSWORD)):
        raise EnvironmentFailed("user and password are set together or not at all", key=f"{USER}, {PASSWORD}")
    user, password = env.get(USER, ""), env.get(PASSWORD, "")
    if not (user + password).isascii():
        raise EnvironmentFailed("a login over SMTP holds only plain characters", key=f"{USER}, {PASSWORD}")
    return Settings(
        env[HOST], _port(env.get(PORT), security), cast(Security, security), _sender(env.get(FROM, "")),
        user, password, env.get(CA_FILE, ""),
    )  # fmt: skip


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _port(text: str | None, security: str) -> int:
    if not text:
        return _PORTS[security]
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise EnvironmentFailed("not a port", key=PORT, allowed=["1 to 65535"])
    return int(text)


def _sender(text: str) -> str:
    try:
        return one_address(text)
    except BadQuestion:
        why = "the sender is not exactly one mail address"
        raise EnvironmentFailed(why, key=FROM, allowed=["Name <a@b>"]) from None
