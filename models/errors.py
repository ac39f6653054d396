"""The one error root. Every message names what was wrong and where."""

from __future__ import annotations

from collections.abc import Iterable


class HeadwaterError(Exception):
    """Bad input, said in one line: what, in which file, row and key, what was found, what is allowed.

    Parameters
    ----------
    reason : what is wrong, in plain words.
    file, row, key : where; any may be unknown (None). Rows count from 1 as an editor does.
    found, allowed : the offending text and what would have been accepted.
    """

    exit_code = 2

    def __init__(
        self,
        reason: str,
        *,
        file: str | None = None,
        row: int | None = None,
        key: str | None = None,
        found: object = None,
        allowed: Iterable[object] | None = None,
    ) -> None:
        self.reason, self.file, self.row, self.key = reason, file, row, key
        self.found = found
        self.allowed = None if allowed is None else tuple(str(item) for item in allowed)
        super().__init__(self._line())

    def _line(self) -> str:
        where = [self.file or "", f"row {self.row}" if self.row else "", self.key or ""]
        prefix = ": ".join(part for part in where if part)
        found = "" if self.found is None else f" (found {_short(self.found)})"
        allowed = "" if self.allowed is None else f"; allowed: {', '.join(self.allowed)}"
        return _one_line(f"{prefix + ': ' if prefix else ''}{self.reason}{found}{allowed}")

    def at(self, *, file: str | None = None, row: int | None = None, key: str | None = None) -> HeadwaterError:
        """The same error with the place filled in where it was not known deeper down."""
        return type(self)(
            self.reason,
            file=self.file or file,
            row=self.row or row,
            key=self.key or key,
            found=self.found,
            allowed=self.allowed,
        )


class BadFile(HeadwaterError):
    """A file that cannot be read at all: no row of it was taken."""


class BadUnit(HeadwaterError):
    """A unit spelling that is not known, or that does not measure this quantity."""


class BadLaw(HeadwaterError):
    """An ordinance, standard or holiday file that breaks its schema."""


class BadSite(HeadwaterError):
    """A site, policy, household or event file that breaks its schema."""


class BadQuestion(HeadwaterError):
    """A request that has no answer: an unknown station, case or option value."""


class EnvironmentFailed(HeadwaterError):
    """The machine failed, not the input: database, disk, network."""

    exit_code = 4


def _short(value: object, limit: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _one_line(text: str) -> str:
    """Hostile text cannot forge a second line or drive a terminal."""
    return "".join(char if char.isprintable() else " " for char in text)
