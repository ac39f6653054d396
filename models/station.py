"""Anything of a site that measures."""

from __future__ import annotations

from models.field_types import Id, Text
from models.toml_file import Noun


class Station(Noun):
    """Anything that measures.

    Parameters
    ----------
    identifiers : its names in makers' files.
    clock : of its logger, UTC-06:00 or America/Chicago.
    sample_clock : of its samples and field sheets, where that is not the civil time of the ordinance.
    """

    id: Id
    name: Text = ""
    identifiers: tuple[str, ...] = ()
    clock: str | None = None
    sample_clock: str | None = None
