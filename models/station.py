"""Anything of a site that measures."""

from __future__ import annotations

from models.field_types import Id, Text
from models.toml_file import Noun


class Station(Noun):
    """Anything that measures. ``identifiers``: its names in makers' files; ``clock``: UTC-06:00 or America/Chicago."""

    id: Id
    name: Text = ""
    identifiers: tuple[str, ...] = ()
    clock: str | None = None
