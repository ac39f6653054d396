"""The XML of a Solinst file as one pass of events: facts, channel descriptions and logs with their rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from ingest.cells import BadCell, dotted
from ingest.reading import Source
from models.observation import Reject

DEEPEST = 32
LONGEST_TEXT = 500
LONGEST_NAME, MOST_SETTINGS = 40, 20

_CHANNEL_HEADER = re.compile(r"Ch([0-9]{1,2})_data_header")
_FACT_PARENTS = {"File_info", "Instrument_info", "Instrument_info_data_header"}
_LOG_CELL = re.compile(r"Date|Time|ms|ch[0-9]{1,2}")


@dataclass
class Log:
    """One record: the row it starts on, and its cells by tag."""

    row: int
    cells: dict[str, str] = field(default_factory=dict)


@dataclass
class ChannelHeader:
    """One channel's description; ``settings`` holds what it was set to, as in ``<Offset Val="0.00" Unit="cm"/>``."""

    row: int
    facts: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)


@dataclass
class Body:
    """All of a file that is read."""

    facts: dict[str, str] = field(default_factory=dict)
    channels: dict[str, ChannelHeader] = field(default_factory=dict)
    logs: list[Log] = field(default_factory=list)

    def column(self, tag: str) -> list[str]:
        """One cell of every log, ``""`` where a log has none."""
        return [log.cells.get(tag, "") for log in self.logs]


class _Target:
    """Receives the parser's events (the interface of ``xml.etree.ElementTree.TreeBuilder``)."""

    def __init__(self) -> None:
        self.body = Body()
        self.line: Callable[[], int] = int
        self._path: list[str] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= DEEPEST:
            raise BadCell("XML nested too deeply")
        if attributes and self._path[-1:] == ["Parameters"]:
            self._setting(tag, attributes)
        self._path.append(tag)
        self._text.clear()
        channel = _CHANNEL_HEADER.fullmatch(tag)
        if channel:
            self.body.channels[f"ch{channel[1]}"] = ChannelHeader(self.line())
        elif tag == "Log":
            self.body.logs.append(Log(self.line()))

    def _setting(self, tag: str, attributes: dict[str, str]) -> None:
        channel = _CHANNEL_HEADER.fullmatch(self._path[-2]) if len(self._path) > 1 else None
        if channel:
            settings = self.body.channels[f"ch{channel[1]}"].settings
            value = f"{dotted(attributes.get('Val', ''))} {attributes.get('Unit', '')}".strip()[:LONGEST_TEXT]
            settings.update({} if len(settings) >= MOST_SETTINGS else {tag[:LONGEST_NAME]: value})

    def data(self, text: str) -> None:
        if len(self._text) < LONGEST_TEXT:
            self._text.append(text[:LONGEST_TEXT])

    def end(self, tag: str) -> None:
        self._path.pop()
        parent = self._path[-1] if self._path else ""
        cells = self._cells(parent, tag)
        if cells is not None:
            cells.setdefault(tag, "".join(self._text)[:LONGEST_TEXT].strip())
        self._text.clear()

    def close(self) -> Body:
        return self.body

    def _cells(self, parent: str, tag: str) -> dict[str, str] | None:
        channel = _CHANNEL_HEADER.fullmatch(parent)
        if channel:
            return self.body.channels[f"ch{channel[1]}"].facts
        if parent == "Log":
            return self.body.logs[-1].cells if _LOG_CELL.fullmatch(tag) else None
        return self.body.facts if parent in _FACT_PARENTS and len(self.body.facts) < LONGEST_TEXT else None


def stream(source: Source) -> tuple[Body, list[Reject]]:
    """Read the events; logs before a break in the XML are kept and the break is a reject.

    Raises
    ------
    BadFile : broken before the first whole log, or carrying a document type or entities.
    """
    target = _Target()
    parser: Any = DefusedXMLParser(target=target, forbid_dtd=True)
    target.line = lambda: int(parser.parser.CurrentLineNumber)
    try:
        parser.feed(source.text)  # at once: in pieces, each would scan an unfinished tag again from its start
        parser.close()
    except DefusedXmlException:
        raise source.bad("XML with a document type or entities is refused") from None
    except (ParseError, BadCell) as broken:
        return _kept(source, target.body, target.line(), str(broken))
    return target.body, []


def _kept(source: Source, body: Body, row: int, reason: str) -> tuple[Body, list[Reject]]:
    """The last log may be half read, so it goes with the break."""
    if len(body.logs) < 2:
        raise source.bad(f"broken XML ({reason})", row=row)
    broken = body.logs.pop()
    return body, [source.reject(broken.row, "Log", "", f"the XML breaks off here ({reason})")]
