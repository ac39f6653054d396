"""What of a well that is or may be private stands where others read: numbers of the DNR, or a number of our own making.

A name, an address, or a station number of the USGS, which is a latitude and a longitude, may be that of a household.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from pipelines.site_from_files.places import Placed
from pipelines.site_from_files.systems import Origin

_DIGITS = 8


def shown(one: Placed) -> Placed:
    """A well of no public use under a number, without its name; anything else as it is."""
    place = one.place
    if place.kind != "well" or place.use not in (None, "private"):
        return one
    id, *others = place.numbers or (neutral(one.origin),)
    called = "" if place.id == id else place.id
    return replace(one, place=replace(place, id=id, name="", identifiers=tuple(others)), called=called)


def neutral(origin: Origin) -> str:
    """``well-3f09c2aa-4``: the same for the same row of the same file, and nothing of what stands in it."""
    digest = hashlib.sha256(
        f"{origin.sha256} {origin.part} {origin.file}".encode("utf-8", "surrogateescape")
    ).hexdigest()
    return f"well-{digest[:_DIGITS]}-{origin.row}"
