"""A mail message and the files attached to it, out of bytes that anybody may have sent.

What could be expensive is counted before it is parsed: size, containers, lines that might part one part from the next.
Nothing a message says of itself is believed: its sender is noted, its file names are made harmless, a charset it states
is not used (readers look at the bytes). A message that ends before its end, or a file in broken base64, gives nothing.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import errors
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr, parsedate_to_datetime
from itertools import islice

from models.errors import BadFile

MAX_MESSAGE = 64 * 2**20
MAX_PARTS = 200
MAX_DEPTH = 10
MAX_CONTAINERS = 50
"""Multiparts and messages in one message; each is looked through once by every one around it."""
MAX_DASHED = 20_000
"""Lines that begin as a boundary between parts does."""
MAX_LINES = 1_000_000
"""Lines of a message: 64 MiB in base64 have 900 000."""
MAX_COMPARED = 12_000_000
"""Lines times the containers they may lie in: each line is compared with the boundary of every one around it."""
MAX_HEADER = 16_384
"""Characters of one header; names in a longer one are not looked for."""
LONGEST_NAME, LONGEST_ENDING = 100, 10

_CONTAINER = re.compile(rb"content-type:\s*\"?(?:multipart|message)", re.IGNORECASE)
_DASHED = re.compile(rb"(?:\A|[\r\n])--")
_OF_A_MAIL = ("From", "Date", "Received", "Message-ID", "MIME-Version")
_BODY = {"text/plain", "text/html", "text/enriched"}
_BESIDE = {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature",
           "text/calendar", "text/vcard", "text/x-vcard"}  # fmt: skip
"""Signatures, invitations and cards that mail programs add; pictures, sound and film are beside the data too."""
_DATA = (".csv", ".txt", ".tsv", ".tab", ".dat", ".prn", ".rdb", ".xls", ".xlsx", ".xlsm", ".json", ".geojson",
         ".xml", ".waterml", ".wml", ".zip", ".gz")  # fmt: skip
_ENCODINGS = {"", "7bit", "8bit", "binary", "quoted-printable", "base64"}
_BROKEN_BASE64 = (errors.InvalidBase64CharactersDefect, errors.InvalidBase64LengthDefect,
                  errors.InvalidBase64PaddingDefect)  # fmt: skip
_UNPARTED = (errors.NoBoundaryInMultipartDefect, errors.StartBoundaryNotFoundDefect,
             errors.CloseBoundaryNotFoundDefect, errors.MultipartInvariantViolationDefect)  # fmt: skip


@dataclass(frozen=True)
class Attachment:
    """One attached file under a harmless name; ``reason``: why nothing of it may be taken."""

    name: str
    content: bytes
    reason: str = ""


@dataclass(frozen=True)
class Mail:
    """A message taken apart.

    ``sender`` is the address it claims. ``body_sha256``: of its own text, which is no data. ``beside``: how many parts
    are pictures, signatures and the like. ``received``: when the last server on its way took it in, which is the
    town's own (RFC 5321, 4.4: each writes its line above those before it). ``dated``: when it says it was written.
    """

    sender: str
    body_sha256: str
    attachments: tuple[Attachment, ...]
    beside: int = 0
    received: datetime | None = None
    dated: datetime | None = None


def parse(data: bytes, file: str) -> Mail:
    """Take a message apart.

    Parameters
    ----------
    data : the message as it lies in a maildir (RFC 5322, MIME).
    file : what an error calls it.

    Raises
    ------
    BadFile : no message, cut short, or with more in it than a message of data has.
    """
    _affordable(data, file)
    try:
        message = BytesParser(policy=compat32).parsebytes(data)
    except RecursionError:
        raise BadFile("a mail whose parts lie too deep in each other", file=file) from None
    if not any(name in message for name in _OF_A_MAIL):
        raise BadFile("not a mail message", file=file)
    leaves = list(islice(_leaves(message, 0, file), MAX_PARTS + 1))
    if len(leaves) > MAX_PARTS:
        raise BadFile(f"a mail of more than {MAX_PARTS} parts", file=file)
    bodies = [one for one in leaves if _is_body(one)]
    files = [one for one in leaves if not _is_body(one) and not _is_beside(one)]
    body = b"\0".join(_content(one)[0] for one in bodies)
    return Mail(
        _sender(message), hashlib.sha256(body).hexdigest(), tuple(_attachment(one) for one in files),
        len(leaves) - len(bodies) - len(files), _instant(_header(message, "Received").rpartition(";")[2]),
        _instant(_header(message, "Date")),
    )  # fmt: skip


def safe_name(name: str, content: bytes) -> str:
    """A file name that leads nowhere, shows what it is and fits any disk; made from the content where none is left.

    Only the last part of a path counts; controls, marks of direction and invisible characters go.
    """
    last = re.split(r"[/\\]", name)[-1]
    seen = "".join(one for one in unicodedata.normalize("NFC", last) if unicodedata.category(one)[0] != "C")
    plain = " ".join(seen.split()).lstrip(". ~$").rstrip(". ")
    return _fitting(plain) or f"attachment-{hashlib.sha256(content).hexdigest()[:12]}"


def _fitting(plain: str) -> str:
    """So many characters, and bytes that a disk takes with a hash before them; a short ending stays."""
    stem, dot, ending = plain.rpartition(".")
    if not (stem and len(ending) <= LONGEST_ENDING):
        stem, dot, ending = plain, "", ""
    short = stem[:LONGEST_NAME].encode()[: 2 * LONGEST_NAME].decode(errors="ignore")
    return f"{short}{dot}{ending}".rstrip(". ")


def _affordable(data: bytes, file: str) -> None:
    if len(data) > MAX_MESSAGE:
        raise BadFile(f"a mail of more than {MAX_MESSAGE} bytes", file=file)
    containers = sum(1 for _ in islice(_CONTAINER.finditer(data), MAX_CONTAINERS + 1))
    if containers > MAX_CONTAINERS:
        raise BadFile(f"a mail of more than {MAX_CONTAINERS} messages and multiparts in each other", file=file)
    if sum(1 for _ in islice(_DASHED.finditer(data), MAX_DASHED + 1)) > MAX_DASHED:
        raise BadFile(f"a mail of more than {MAX_DASHED} lines that could part it", file=file)
    lines = max(data.count(b"\n"), data.count(b"\r")) + 1
    if lines > MAX_LINES:
        raise BadFile(f"a mail of more than {MAX_LINES} lines: send its files in a zip", file=file)
    if lines * (containers + 1) > MAX_COMPARED:
        raise BadFile("a mail of too many lines in too many parts of each other: send its files in a zip", file=file)


def _leaves(part: Message, depth: int, file: str) -> Iterator[Message]:
    """Every part that holds no other; a forwarded message is a container as a multipart is."""
    if depth > MAX_DEPTH:
        raise BadFile(f"a mail whose parts lie more than {MAX_DEPTH} deep in each other", file=file)
    if any(isinstance(one, _UNPARTED) for one in part.defects):
        raise BadFile("a mail cut short, or whose parts cannot be told apart: send it again", file=file)
    if not part.is_multipart() or _encoded_container(part):
        yield part
        return
    for one in part.get_payload():
        if isinstance(one, Message):
            yield from _leaves(one, depth + 1, file)


def _encoded_container(part: Message) -> bool:
    """A message in base64 inside a message, which no standard allows: parsed as it stands it would look empty."""
    return part.get_content_maintype() == "message" and _encoding(part) in {"base64", "quoted-printable"}


def _is_body(part: Message) -> bool:
    return part.get_content_type() in _BODY and not _named(part) and not _is_attached(part)


def _is_beside(part: Message) -> bool:
    """Not where its name is that of data: programs that do not know a file's kind state a wrong one."""
    if _named(part).casefold().strip().endswith(_DATA):
        return False
    return part.get_content_maintype() in {"image", "audio", "video"} or part.get_content_type() in _BESIDE


def _is_attached(part: Message) -> bool:
    return _header(part, "Content-Disposition").strip().casefold().startswith("attachment")


def _attachment(part: Message) -> Attachment:
    if _encoded_container(part):
        content = "\n".join(one.as_string() for one in part.get_payload() if isinstance(one, Message)).encode(
            "utf-8", "replace"
        )
        return Attachment(safe_name(_named(part), content), content, "a mail packed into a mail: attach its files")
    content, reason = _content(part)
    return Attachment(safe_name(_named(part), content), content, reason)


def _content(part: Message) -> tuple[bytes, str]:
    """The bytes of a part, and why they are not what was sent."""
    encoding = _encoding(part)
    if encoding not in _ENCODINGS:
        return _raw(part), "sent in an encoding that is not known"
    content = part.get_payload(decode=True)
    if encoding == "base64" and any(isinstance(one, _BROKEN_BASE64) for one in part.defects):
        return _raw(part), "broken base64: it is not as it was sent"
    return (content, "") if isinstance(content, bytes) else (_raw(part), "not a file")


def _raw(part: Message) -> bytes:
    return str(part.get_payload()).encode("utf-8", "surrogateescape")


def _encoding(part: Message) -> str:
    return _header(part, "Content-Transfer-Encoding").strip().casefold()


def _header(part: Message, name: str) -> str:
    return str(part.get(name, ""))[:MAX_HEADER]


def _named(part: Message) -> str:
    """The file name a part states, decoded; "" where it has none or one in no encoding."""
    if any(len(str(part.get(name, ""))) > MAX_HEADER for name in ("Content-Disposition", "Content-Type")):
        return ""
    try:
        stated = part.get_filename("")
        return str(make_header(decode_header(stated)))
    except (errors.MessageError, LookupError, ValueError):  # a charset that is none, an encoded word that is broken
        return ""


def _sender(message: Message) -> str:
    """Never trusted: kept with what it sent."""
    address = parseaddr(_header(message, "From"))[1]
    return "".join(one for one in address if one.isprintable())[:LONGEST_NAME]


def _instant(text: str) -> datetime | None:
    """A date of a header in UTC; None where it is none, or states no zone."""
    try:
        when = parsedate_to_datetime(text)
        return None if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
