"""Where a service may be asked, and how its address may be told.

No key, user or password of an address reaches a message; plain http is for this machine only; a redirect to another
host must go there by https and by name, so that nobody leads the program to the machines around it.
"""

from __future__ import annotations

import ipaddress
import re

import httpx

from models.errors import EnvironmentFailed

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_SECRETS = frozenset({"api_key", "apikey", "key", "token", "access_token"})
_PORTS = {"http": 80, "https": 443}


def service_address(base: str, source: str) -> httpx.URL:
    """The address of a service, if it may be asked.

    Raises
    ------
    EnvironmentFailed : no address; not https; holds a password.
    """
    found = parsed(base)
    allowed = ["https://…", "http:// on this machine"]
    if found is None or not found.host or found.scheme not in _PORTS:
        raise EnvironmentFailed("not the address of a service", file=source, allowed=allowed)
    if found.userinfo:
        raise EnvironmentFailed("an address with a name or password in it is not used", file=source)
    if found.scheme == "http" and found.host not in LOOPBACK:
        raise EnvironmentFailed("asked by https only", file=source, found=found.host, allowed=allowed)
    return found


def parsed(url: str) -> httpx.URL | None:
    """The address a text is, or None."""
    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, ValueError, TypeError):
        return None


def joined(url: str, location: str) -> str | None:
    """Where a link leads from an address, or None where it is no link."""
    try:
        return str(httpx.URL(url).join(location)) if location else None
    except (httpx.InvalidURL, ValueError):
        return None


def same_origin(url: str, home: httpx.URL) -> bool:
    """Whether scheme, host and port are those of another address."""
    found = parsed(url)
    return found is not None and _origin(found) == _origin(home)


def is_public(url: str) -> bool:
    """Whether an address is one of https with a host that is named and not this machine."""
    found = parsed(url)
    return found is not None and found.scheme == "https" and found.host not in LOOPBACK and not _numeric(found.host)


def shown(url: str) -> str:
    """An address as it may be told."""
    found = parsed(url)
    if found is None:
        return "an address that is none"
    kept = [(name, text) for name, text in found.params.multi_items() if name.lower() not in _SECRETS]
    plain = found.copy_with(username=None, password=None, fragment=None)
    return str(plain if len(kept) == len(found.params.multi_items()) else plain.copy_with(params=kept))


class Secret:
    """A key, found wherever it is repeated: in capitals or not, percent-encoded, or escaped for JSON or HTML."""

    def __init__(self, key: str) -> None:
        self._found = re.compile("".join(map(_spellings, key)), re.IGNORECASE) if key else None

    def within(self, text: str) -> bool:
        return self._found is not None and self._found.search(text) is not None

    def within_bytes(self, data: bytes) -> bool:
        """Whatever the encoding: of UTF-16 the zero bytes are left out."""
        return self._found is not None and self.within(data.replace(b"\0", b"").decode("latin-1"))

    def masked(self, text: str) -> str:
        return text if self._found is None else self._found.sub("…", text)


def _spellings(char: str) -> str:
    """A pattern of the ways one character of ASCII is written."""
    pair = f"{ord(char):02x}"
    coded = rf"%(?:25)*{pair}|\\u00{pair}|&#0*{ord(char)};|&#x0*{pair};"
    return rf"(?:{re.escape(char)}|\\{re.escape(char)}|{coded})"


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or _PORTS.get(url.scheme)


def _numeric(host: str) -> bool:
    """An address by number in any of its spellings; resolvers take 2130706433 and 0x7f.1 for 127.0.0.1 too."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return not host.rpartition(".")[2].strip("-").isalpha() and not host.rpartition(".")[2].startswith("xn--")
    return True
