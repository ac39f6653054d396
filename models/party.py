"""Public parties of a site and who of the town gets its mail; households are not here."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from models.field_types import Id, Text
from models.toml_file import Noun


class Party(Noun):
    """A public body or company with a part to play; households are not here."""

    id: Id
    role: Literal["town", "operator", "landowner", "agency", "consultant"]
    name: Text


class MailRoute(Noun):
    """One addressee of the town; its ``party`` must be the town's, and the night mails nobody else.

    ``immediate``: an alert as things happen, the digest when it says more. ``digest``: the digest of every night only.
    """

    to: Annotated[str, Field(pattern=r"^[^@\s<>,;:\"]+@[A-Za-z0-9.-]+$", max_length=254)]
    name: Text = ""
    party: Id
    how: Literal["immediate", "digest"] = "immediate"
