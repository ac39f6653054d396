"""The base flow that the made-up hydrogeologist signed, from the published record of both creeks."""

from __future__ import annotations

from decimal import Decimal

import hydrology
import makers
import numpy as np
import scenario
from climate import calendar
from gauges import Gauges


def signed(gauges: Gauges) -> Decimal:
    """Q90 of the creek's published record, extended to 2005 by MOVE.1 from the reference creek [cfs]."""
    first, last = scenario.BASE_FLOW_RECORD
    days = calendar(scenario.FIRST_DAY, last)
    reference = np.array([float(gauges.far_text(day, gauges.world.reference_cfs)) for day in days])
    own = np.array([float(gauges.daily_text(day)) for day in calendar(first, last)])
    early = len(days) - len(own)
    extended = hydrology.move1(own, reference[early:], reference[:early])
    return Decimal(makers.fixed(hydrology.exceeded(np.concatenate([extended, own]), 0.9), 2))
