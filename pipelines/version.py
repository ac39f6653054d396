"""The program's version, from its own metadata."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _version() -> str:
    try:
        return version("headwater")
    except PackageNotFoundError:
        return "0+checkout"


VERSION = _version()
