"""WaterML 1.1 as XML (``nwis-waterml1-xml``), of USGS and of CUAHSI HydroServers.

Namespaces and prefixes vary (``ns1:`` and ``ns2:`` name one vocabulary), so names are taken by their local part. Rows
are numbered by value, in document order: services write the whole document on one line.
"""

from __future__ import annotations

import re

from ingest.point_values import bounded
from ingest.reading import Parts, Source
from ingest.waterml.values import Block, Site, TimeSeries, Value, Variable, parse_series
from ingest.xml_tree import Node, tree

_ROOT = re.compile(r"<(?:[\w.-]+:)?timeSeriesResponse[\s>]")
_NUMBERED = re.compile(r"[0-9]*")


def sniff(head: str) -> bool:
    return head.lstrip().startswith("<") and _ROOT.search(head) is not None


def parse(source: Source) -> Parts:
    """Every value of every time series.

    Raises
    ------
    BadFile : broken XML, a document type in it, or no time series response.
    """
    root = tree(source)
    answer = root if root.name == "timeSeriesResponse" else root.first("timeSeriesResponse")
    if answer.name != "timeSeriesResponse":
        raise source.bad("XML without the timeSeriesResponse of WaterML 1.1", found=root.name)
    notes = {note.get("title"): note.text for note in answer.find("queryInfo").all("note")}
    facts = {"requested": notes["requestDT"]} if notes.get("requestDT") else {}
    series = bounded(source, answer.all("timeSeries"), "time series")
    return parse_series(source, [_series(one) for one in series], facts)


def _series(one: Node) -> TimeSeries:
    return TimeSeries(
        one.get("name"),
        _site(one.find("sourceInfo")),
        _variable(one.find("variable")),
        [_block(block) for block in one.all("values")],
    )


def _site(info: Node) -> Site:
    zone = info.find("timeZoneInfo")
    return Site(
        info.find("siteCode").text,
        info.find("siteName").text,
        zone.find("defaultTimeZone").get("zoneOffset"),
        zone.get("siteUsesDaylightSavingsTime") != "false",
    )


def _variable(variable: Node) -> Variable:
    code = variable.find("variableCode")
    options = [option for option in variable.find("options").all("option") if option.get("name") == "Statistic"]
    return Variable(
        code.text,
        variable.find("variableName").text,
        code.get("network") == "NWIS",
        _unit(variable.find("unit")),
        options[0].get("optionCode") if options else "",
        variable.find("dataType").text,
        variable.find("noDataValue").text,
    )


def _unit(unit: Node) -> str:
    """USGS writes the unit as its code; CUAHSI numbers its units and writes the abbreviation beside."""
    code = unit.find("unitCode").text
    return unit.find("unitAbbreviation").text if _NUMBERED.fullmatch(code) else code


def _block(block: Node) -> Block:
    method = block.find("method")
    return Block(
        method.get("methodID") or method.find("methodCode").text,
        method.find("methodDescription").text,
        [_value(value) for value in block.all("value")],
    )


def _value(value: Node) -> Value:
    return Value(
        value.text,
        value.get("dateTime"),
        value.get("qualifiers"),
        value.get("methodCode") or value.get("methodID"),
        value.get("dateTimeUTC"),
        value.get("censorCode"),
    )
