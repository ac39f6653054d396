"""Whether a text says anything: a blank, an ellipsis or ``none`` in a required field says nothing."""

from __future__ import annotations

from models.errors import BadQuestion

PLACEHOLDERS = frozenset({"…", "...", "?", "-", "--", ".", "none", "no", "n/a", "na", "nil", "null", "tbd", "unknown"})


def is_said(text: str) -> bool:
    """Whether it holds a letter or a digit and is no placeholder."""
    plain = text.strip().casefold()
    return any(one.isalnum() for one in plain) and plain not in PLACEHOLDERS


def require_said(text: str, key: str) -> None:
    """Refuse what says nothing.

    Raises
    ------
    BadQuestion : names the option.
    """
    if not is_said(text):
        raise BadQuestion("a blank or a placeholder says nothing", key=key, found=text)
