"""WaterML 1.1 as JSON (``nwis-waterml-json``): the USGS services' default answer.

The JSON is Java's rendering of the XML, so a list stands wherever the schema allows several. Rows are numbered by
value, in document order: services write the whole document on one line.
"""

from __future__ import annotations

import re
from typing import Any

from ingest.json_tree import at, load_json, many, text_of
from ingest.point_values import bounded
from ingest.reading import Parts, Source
from ingest.waterml.values import Block, Site, TimeSeries, Value, Variable, parse_series

_FACTS = {"requestDT": "requested"}
_TIME_SERIES = re.compile(r"\"timeSeries\"\s*:")


def sniff(head: str) -> bool:
    return head.lstrip().startswith("{") and _TIME_SERIES.search(head) is not None


def parse(source: Source) -> Parts:
    """Every value of every time series.

    Raises
    ------
    BadFile : broken JSON, or no list of time series in it.
    """
    document = load_json(source)
    answer = document if at(document, "value") is None else at(document, "value")
    series = at(answer, "timeSeries")
    if not isinstance(series, list):
        raise source.bad("JSON without the list value.timeSeries of WaterML")
    return parse_series(source, [_series(one) for one in bounded(source, series, "time series")], _facts(answer))


def _facts(answer: Any) -> dict[str, str]:
    notes = [(text_of(at(note, "title")), text_of(at(note, "value"))) for note in many(at(answer, "queryInfo", "note"))]
    return {_FACTS[title]: value for title, value in notes if title in _FACTS}


def _series(one: Any) -> TimeSeries:
    return TimeSeries(
        text_of(at(one, "name")),
        _site(at(one, "sourceInfo")),
        _variable(at(one, "variable")),
        [_block(block) for block in many(at(one, "values"))],
    )


def _site(info: Any) -> Site:
    return Site(
        text_of(at(info, "siteCode", 0, "value")),
        text_of(at(info, "siteName")),
        text_of(at(info, "timeZoneInfo", "defaultTimeZone", "zoneOffset")),
        text_of(at(info, "timeZoneInfo", "siteUsesDaylightSavingsTime")) != "false",
    )


def _variable(variable: Any) -> Variable:
    code = at(variable, "variableCode", 0)
    options = [option for option in many(at(variable, "options", "option")) if at(option, "name") == "Statistic"]
    return Variable(
        text_of(at(code, "value")),
        text_of(at(variable, "variableName")),
        text_of(at(code, "network")) == "NWIS",
        text_of(at(variable, "unit", "unitCode")),
        text_of(at(options, 0, "optionCode")),
        text_of(at(variable, "dataType")),
        text_of(at(variable, "noDataValue")),
    )


def _block(block: Any) -> Block:
    return Block(
        text_of(at(block, "method", 0, "methodID")),
        text_of(at(block, "method", 0, "methodDescription")),
        [_value(value) for value in many(at(block, "value"))],
    )


def _value(value: Any) -> Value:
    return Value(
        text_of(at(value, "value")),
        text_of(at(value, "dateTime")),
        " ".join(map(text_of, many(at(value, "qualifiers")))),
        text_of(at(value, "methodID")),
        text_of(at(value, "dateTimeUTC")),
        text_of(at(value, "censorCode")),
    )
