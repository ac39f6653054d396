"""An estimate of a day's discharge at a gauge whose discharge is computed from its stage."""

from __future__ import annotations

from typing import Any

import pytest

from models.errors import BadQuestion
from pipelines import estimates


class Gauge:
    """As much of a gauge as is asked before the store is."""

    id = "LMC-1"
    rating = ("R1",)


class Desk:
    """A day at it."""

    gauge: Any = Gauge
    day: Any = None


def test_it_is_refused_with_the_reason_before_the_record_is_read() -> None:
    desk: Any = Desk
    with pytest.raises(BadQuestion) as caught:
        estimates.check_free(desk, [])
    assert "would have no stage behind it" in str(caught.value)
    assert "stays unknown" in str(caught.value)
