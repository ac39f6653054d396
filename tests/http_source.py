"""Two services on this machine that answer as USGS Water Data and the Water Quality Portal do, and that misbehave."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

HTML = b"<!DOCTYPE html>\n<html><head><title>Maintenance</title></head><body>Try later.</body></html>\n"
GEOJSON = {"Content-Type": "application/geo+json"}
WQP_COLUMNS = (
    "OrganizationIdentifier", "ActivityIdentifier", "ActivityTypeCode", "ActivityMediaName", "ActivityStartDate",
    "ActivityStartTime/Time", "ActivityStartTime/TimeZoneCode", "MonitoringLocationIdentifier",
    "ResultDetectionConditionText", "CharacteristicName", "ResultSampleFractionText", "ResultMeasureValue",
    "ResultMeasure/MeasureUnitCode", "MeasureQualifierCode", "ResultStatusIdentifier",
    "DetectionQuantitationLimitTypeName", "DetectionQuantitationLimitMeasure/MeasureValue",
    "DetectionQuantitationLimitMeasure/MeasureUnitCode", "ProviderName",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """An answer, and how it goes wrong.

    ``length`` : stated instead of the true one. ``cut_after`` : bytes, then the line is closed. ``drip_s`` : between
    single bytes; ``drip_head`` : of the head already. ``unmarked`` : neither length nor chunks.
    """

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    cut_after: int | None = None
    drip_s: float = 0.0
    drip_head: bool = False
    unmarked: bool = False


Script = Callable[[Asked], Reply]


@dataclass
class Source:
    """A running server: its address, what it was asked, and what it answers."""

    url: str
    asked: list[Asked]
    script: list[Script]
    stopping: threading.Event

    def replies(self, *replies: Reply) -> None:
        """Answer so, one after the other; the last one for ever."""
        left = list(replies)
        self.script[0] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def does(self, script: Script) -> None:
        self.script[0] = script


@contextmanager
def running() -> Iterator[Source]:
    """A server of its own on a free port."""
    asked: list[Asked] = []
    script: list[Script] = [lambda _: Reply(404)]
    stopping = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
            asked.append(Asked(parts.path, query, {name.lower(): text for name, text in self.headers.items()}))
            _send(self, script[0](asked[-1]), stopping)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Source(f"http://127.0.0.1:{server.server_port}", asked, script, stopping)
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _send(handler: BaseHTTPRequestHandler, reply: Reply, stopping: threading.Event) -> None:
    length = len(reply.body) if reply.length is None else reply.length
    lines = [f"HTTP/1.1 {reply.status} Whatever", *(f"{name}: {text}" for name, text in reply.headers.items())]
    lines += [] if reply.unmarked or reply.status == 304 else [f"Content-Length: {length}"]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode()
    body = reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
    try:
        _drip(handler, head, reply.drip_s if reply.drip_head else 0, stopping)
        _drip(handler, body, reply.drip_s, stopping)
    except (BrokenPipeError, ConnectionResetError):
        handler.close_connection = True
        return
    if reply.unmarked or length != len(body):
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)


def _drip(handler: BaseHTTPRequestHandler, data: bytes, seconds: float, stopping: threading.Event) -> None:
    if not seconds:
        handler.wfile.write(data)
        return
    for byte in data:
        handler.wfile.write(bytes([byte]))
        if stopping.wait(seconds):
            return


# Answers of the recorded shape ---------------------------------------------------------------------------------------


def page(
    number: str, rows: Sequence[tuple[str, object]], *, following: str = "", code: str = "00060",
    statistic: str = "00003", series: str = "aa01", first: int = 1, approval: str = "Provisional", **more: Any,
) -> bytes:  # fmt: skip
    """A page of a collection: the values of some times, and the way to the next page."""
    features = [
        {
            "type": "Feature",
            "id": f"{series}-{time}",
            "geometry": {"type": "Point", "coordinates": [-89.35, 43.2]},
            "properties": {
                "approval_status": approval,
                "last_modified": "2024-01-07T15:43:16.002990+00:00",
                "monitoring_location_id": f"USGS-{number}",
                "parameter_code": code,
                "qualifier": None,
                "statistic_id": statistic,
                "time": time,
                "time_series_id": series,
                "unit_of_measure": "ft^3/s",
                "value": str(value),
            },
        }
        for time, value in rows
    ]
    links = [{"rel": "self", "href": "/self"}]
    links += [{"rel": "next", "type": "application/geo+json", "href": following}] if following else []
    whole = {"type": "FeatureCollection", "features": features, "numberReturned": len(features), "links": links}
    return json.dumps(whole | more).encode()


def results(station: str, rows: Sequence[tuple[str, str, str]]) -> bytes:
    """A narrow result table: (day, characteristic, value in ug/L) of one station."""
    organisation = station.partition("-")[0]
    lines = [",".join(WQP_COLUMNS)]
    for count, (day, name, value) in enumerate(rows, start=1):
        cells = dict.fromkeys(WQP_COLUMNS, "") | {
            "OrganizationIdentifier": organisation, "ActivityIdentifier": f"{organisation}-{count}",
            "ActivityTypeCode": "Sample-Routine", "ActivityMediaName": "Water", "ActivityStartDate": day,
            "MonitoringLocationIdentifier": station,
            "ActivityStartTime/Time": "10:00:00", "ActivityStartTime/TimeZoneCode": "CST",
            "CharacteristicName": name, "ResultSampleFractionText": "Dissolved", "ResultMeasureValue": value,
            "ResultMeasure/MeasureUnitCode": "ug/L", "ResultStatusIdentifier": "Final", "ProviderName": "STORET",
        }  # fmt: skip
        lines.append(",".join(cells[name] for name in WQP_COLUMNS))
    return ("\n".join(lines) + "\n").encode()
