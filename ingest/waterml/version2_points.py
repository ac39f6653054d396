"""The points of one WaterML 2 time series, each with the metadata that applies to it (OGC 10-126r4, clause 9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ingest.cells import APPROVALS
from ingest.usgs_codes import said
from ingest.xml_tree import Node
from models.observation import Flags


@dataclass(frozen=True)
class Metadata:
    """What is said of a point, or of all of them by default; words as they stand in the file."""

    unit: str = ""
    interpolation: str = ""
    qualifiers: tuple[str, ...] = ()
    censored: str = ""
    remarks: tuple[str, ...] = ()


class Point(NamedTuple):
    """One point as written, with the metadata that applies to it."""

    time: str
    value: str
    unit: str
    interpolation: str
    flags: str


def points(series: Node) -> Iterator[Point]:
    """Every point that has a time or a value; one with neither is an empty frame."""
    default = metadata(series.find("defaultPointMetadata").first("DefaultTVPMeasurementMetadata"))
    for pair in series.within("MeasurementTVP", "TimeValuePair"):
        time, value = pair.find("time").text, pair.find("value").text
        if time or value:
            own = pair.find("metadata")
            said_of_it = metadata(own.children[0], default) if own.children else default
            yield Point(time, _marked(value, said_of_it), said_of_it.unit, said_of_it.interpolation, _flags(said_of_it))


def metadata(node: Node, default: Metadata = Metadata()) -> Metadata:
    """A metadata element over the default; qualifiers without an approval word keep the default's."""
    if not node.children:
        return default
    return Metadata(
        named(node.find("uom")) or default.unit,
        defined(node.find("interpolationType")) or default.interpolation,
        _over(tuple(map(_qualifier, node.all("qualifier"))), default.qualifiers),
        defined(node.find("censoredReason")) or default.censored,
        tuple(word for word in map(defined, map(node.find, ("quality", "nilReason", "comment"))) if word)
        or default.remarks,
    )


def named(reference: Node) -> str:
    """What a reference names: its code, else its title, its text, or the last part of its address."""
    return reference.get("code") or reference.get("title") or reference.text or _last_part(reference)


def defined(reference: Node) -> str:
    """The term of a dictionary that a reference points to (titles are for people), else what it names."""
    return _last_part(reference) or named(reference)


def _last_part(reference: Node) -> str:
    return reference.get("href").rstrip("/#").replace("#", "/").rpartition("/")[2]


def _qualifier(node: Node) -> str:
    return node.first("value").text or named(node)


def _over(own: tuple[str, ...], default: tuple[str, ...]) -> tuple[str, ...]:
    if not own:
        return default
    return own if APPROVALS & set(own) else tuple(word for word in default if word in APPROVALS) + own


def _marked(value: str, about: Metadata) -> str:
    """A value beyond a detection limit is that limit, marked as the sheets of laboratories mark it."""
    reason = about.censored.casefold()
    if value and value[0] not in "<>":
        return f"<{value}" if "below" in reason else f">{value}" if "above" in reason else value
    return value


def _flags(about: Metadata) -> str:
    flags = said(about.qualifiers)
    words = (about.censored, *about.remarks)
    return Flags(flags.approval, (*flags.qualifiers, *(word for word in words if word))).text()
