"""The signed base flows of a gauge: which count, which is in force on a day, and the threshold they make."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from models.base_flow import BaseFlow
from models.site import Gauge, Stream
from models.streamflow.threshold import Threshold


def signed_versions(stream: Stream, gauge: Gauge, began: date, on: date) -> list[BaseFlow]:
    """The signed versions effective by a day, in order; what rests on days of mining was not established before it."""
    signed = [
        one for one in stream.base_flow if one.gauge == gauge.id and one.effective <= on and one.record_to < began
    ]
    return sorted(signed, key=lambda one: one.effective)


def version_on(versions: Sequence[BaseFlow], day: date) -> BaseFlow:
    """The version a day is judged under: the first one until a correction takes over (decision 30)."""
    return next((one for one in reversed(versions) if one.effective <= day), versions[0])


def threshold(versions: Sequence[BaseFlow]) -> Threshold:
    """The signed record as a threshold by day."""
    whole = versions[0].threshold()
    for correction in versions[1:]:
        whole = whole.then(correction.effective, correction.threshold())
    return whole
