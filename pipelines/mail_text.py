"""Text that may stand in a mail: nothing in it adds a header, an addressee or a line of its own."""

from __future__ import annotations

import unicodedata
from email.headerregistry import AddressHeader
from email.policy import SMTP

from models.errors import BadQuestion


def one_address(text: str) -> str:
    """The text, if it is exactly one plain mail address, with or without a name before it.

    Raises
    ------
    BadQuestion : it is not. A second address or header smuggled in is refused, not repaired: it might be somebody
        else's.
    """
    if not text.isascii() or not text.isprintable():
        raise BadQuestion("a mail address holds only plain characters", found=text)
    header = SMTP.header_factory("To", text)
    addresses = header.addresses if isinstance(header, AddressHeader) else ()
    if len(addresses) != 1 or header.defects or not addresses[0].username or not addresses[0].domain:
        raise BadQuestion("not exactly one mail address", found=text)
    return text


def one_line(text: str) -> str:
    """For a header: every control character and line separator becomes a space, and runs of spaces one."""
    return " ".join(plain(text).split())


def lines(text: str) -> str:
    """For a body: line ends and tabs stay."""
    return plain(text.replace("\r\n", "\n").replace("\r", "\n"), keep="\n\t")


def plain(text: str, keep: str = "") -> str:
    """Control and format-control characters, line separators and half surrogates become spaces."""
    return "".join(char if char in keep or unicodedata.category(char)[0] != "C" else " " for char in text)
