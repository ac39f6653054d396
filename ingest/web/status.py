"""What the status of an answer means for whoever asked: try again, wait, or mend something."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

AGAIN = frozenset({429, 502, 503, 504})
"""Statuses of a service that is busy or away: worth asking again."""
_DIGITS = 9


def named(status: int) -> str:
    """Number and name of a status; the phrase a service wrote itself is not repeated."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def what_to_do(status: int) -> str:
    """The advice in a message."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "ask again later, or set a key of this service"
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return "look at the key of this service"
    return "ask again later" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "look at the station's declaration"


def retry_after_s(text: str, now: datetime) -> float:
    """Retry-After [s]: seconds or an instant (RFC 9110, 10.2.3); what is neither is no wish."""
    if text.strip().isascii() and text.strip().isdigit():
        return float(text.strip()[:_DIGITS])
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return 0.0
    return max(0.0, ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds())
