"""Moving-boat discharge measurement summary of QRev (``qrev-xml``), USGS.

Every number carries its unit in ``unitsCode``; inside they are metric whatever the site uses. The measurement is the
mean of its transects (``ChannelSummary``); each transect is a row of the table ``transects``. Clock times carry no
zone. Definition: QRev XML summary, versions 3 and 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from ingest.cells import BadCell, number, unit
from ingest.reading import Parts, Source
from ingest.table import Observation
from ingest.times import civil_day, clock_time
from ingest.xml_tree import Node, tree
from models.observation import Flags, Reject, tidy
from models.parameters import parameter

CHANNEL = "ChannelSummary"
DISCHARGE = f"{CHANNEL}/Discharge/Total"
STATION = "SiteInformation/SiteID"
STAGES = {"SiteInformation/StageStart": True, "SiteInformation/StageEnd": False}
"""Gage heights of QRev 4, at the start of the first transect (True) or the end of the last."""

FLAGS = {
    "width": f"{CHANNEL}/Other/MeanWidth", "area": f"{CHANNEL}/Other/MeanArea",
    "velocity": f"{CHANNEL}/Other/MeanQoverA", "maximum_depth": f"{CHANNEL}/Other/MaximumDepth",
    "uncertainty_percent": f"{CHANNEL}/Uncertainty/Total", "rating": f"{CHANNEL}/Other/UserRating",
    "transects": f"{CHANNEL}/Other/NumberofTransects", "moving_bed": "QA/MovingBedTestResult",
}  # fmt: skip
FACTS = {
    "software": "Processing/SoftwareVersion", "serial": "Instrument/SerialNumber", "instrument": "Instrument/Model",
    "location": "SiteInformation/StationName", "quality_message": "QA/QRev_Message",
}  # fmt: skip
TRANSECT = {
    "file": "Filename", "start": "StartDateTime", "end": "EndDateTime", "discharge": "Discharge/Total",
    "width": "Other/Width", "area": "Other/Area", "velocity": "Other/QoverA", "start_edge": "Edge/StartEdge",
    "temperature": "Sensor/MeanTemperature",
}  # fmt: skip
LONGEST_FACT = 500

_TIME = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4}) ([0-9]{2}:[0-9]{2}:[0-9]{2})")


def sniff(head: str) -> bool:
    return "<Channel " in head[:2000] and "QRevVersion" in head[:2000]


def parse(source: Source) -> Parts:
    """The discharge of the measurement, gage heights that were entered, and the table ``transects``.

    Raises
    ------
    BadFile : no well-formed summary, or no site, time or discharge that can be read.
    """
    root = tree(source)
    try:
        measured = _discharge(source, root)
    except BadCell as bad:
        raise source.bad(f"{bad.column}: {bad.reason}") from None
    stages, rejects = _stages(source, root)
    facts = {name: _text(root, path)[:LONGEST_FACT] for name, path in FACTS.items()}
    return Parts(
        tidy([measured, *stages]),
        tuple(rejects),
        {name: text for name, text in facts.items() if text},
        tables={"transects": _transects(source, root)},
    )


def _discharge(source: Source, root: Node) -> Observation:
    station = _text(root, STATION)
    if not station:
        raise BadCell("blank", STATION)
    start, end = _span(root)
    value, text, measured_in = _quantity(root, DISCHARGE, "discharge")
    facts = {"end": end[1], **{name: _with_unit(root, path) for name, path in FLAGS.items()}}
    return (
        station, "discharge", "instant", "field", start[0], "naive", value, text, measured_in,
        Flags("", (), facts).text(), _row(source, f"<{CHANNEL}>"),
    )  # fmt: skip


def _stages(source: Source, root: Node) -> tuple[list[Observation], list[Reject]]:
    """Gage heights; a zero was not entered."""
    taken: list[Observation] = []
    refused = []
    for path, first in STAGES.items():
        text, row = _text(root, path), _row(source, f"<{path.rpartition('/')[2]} ")
        try:
            if text and number(text) != 0:
                value, text, measured_in = _quantity(root, path, "stage")
                time = _span(root)[0 if first else 1][0]
                key = (_text(root, STATION), "stage", "instant", "field")
                taken.append((*key, time, "naive", value, text, measured_in, "", row))
        except BadCell as bad:
            refused.append(source.reject(row, path, text, bad.reason))
    return taken, refused


def _quantity(root: Node, path: str, id: str) -> tuple[float, str, str]:
    """A number in the unit beside it; none is supposed."""
    found = root.find(*path.split("/"))
    try:
        return number(found.text), found.text, unit(found.get("unitsCode") or "none", parameter(id).canonical_unit)
    except BadCell as bad:
        raise BadCell(bad.reason, path) from None


def _span(root: Node) -> tuple[tuple[int, str], tuple[int, str]]:
    """First start and last end of the transects, as milliseconds and as written."""
    starts = [_time(text) for text in _times(root, "StartDateTime")]
    ends = [_time(text) for text in _times(root, "EndDateTime")]
    if not starts or not ends:
        raise BadCell("no transect with a start and an end", "Transect")
    return min(starts), max(ends)


def _times(root: Node, tag: str) -> Iterator[str]:
    return (_text(one, tag) for one in root.all("Transect") if _text(one, tag))


def _time(text: str) -> tuple[int, str]:
    match = _TIME.fullmatch(text)
    if match is None:
        raise BadCell("not a time written MM/DD/YYYY HH:MM:SS", "Transect")
    try:
        return civil_day(int(match[3]), int(match[1]), int(match[2])) + clock_time(match[4]), text
    except BadCell as bad:
        raise BadCell(bad.reason, "Transect") from None


def _transects(source: Source, root: Node) -> pd.DataFrame:
    places = (match.start() for match in re.finditer("<Transect>", source.text))
    rows = [
        {"row": str(_line(source, place)), **{name: _with_unit(one, path) for name, path in TRANSECT.items()}}
        for place, one in zip(places, root.all("Transect"), strict=False)
    ]
    return pd.DataFrame(rows, columns=["row", *TRANSECT], dtype="str")


def _text(parent: Node, path: str) -> str:
    return " ".join(parent.find(*path.split("/")).text.split())


def _with_unit(parent: Node, path: str) -> str:
    """``58.0297 m``: a fact keeps the unit it was written with."""
    return f"{_text(parent, path)} {parent.find(*path.split('/')).get('unitsCode')}".strip()


def _row(source: Source, mark: str) -> int:
    """The line on which a mark first stands; 0 where it does not."""
    place = source.text.find(mark)
    return 0 if place < 0 else _line(source, place)


def _line(source: Source, place: int) -> int:
    return source.text.count("\n", 0, place) + 1
