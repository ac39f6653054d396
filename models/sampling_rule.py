"""Rules under which sampling follows a calendar: which stations, what and how often stands in ``site.toml``."""

from __future__ import annotations

from typing import Literal

from models.clause import Clause


class SamplingRule(Clause):
    """A calendar of sampling events that a decision required; an event that was missed is late.

    The clause sets no station and no frequency: those of a decision are the site's ``[[sampling]]`` tables.
    """

    kind: Literal["sampling"]
