"""The days of a record that a statistic may rest on: what ice or another code voids is unknown (decision 14)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np

from models.errors import BadQuestion
from models.streamflow.daily_record import DailyRecord, daily_record
from models.streamflow.day_states import DailyFlow, is_reverse_flow, why_unknown
from models.streamflow.practice import PRACTICE, Practice

NO_ROW = "no row"


@dataclass(frozen=True, eq=False)
class KnownDays:
    """A record with its unknown days told apart by reason.

    Parameters
    ----------
    record : every calendar day from the first row to the last [cfs], NaN where unknown; reverse flow keeps its sign
        for sums and means, and ``record.usable`` is without it.
    used : (day, value) of the days that a low-flow statistic may rest on, in order; the value as it came.
    unknown : days without such a value, reverse flow among them, by reason [d].
    provisional : known days not approved [d].
    """

    record: DailyRecord
    used: tuple[tuple[date, Decimal], ...]
    unknown: Mapping[str, int]
    provisional: int

    @property
    def digest(self) -> str:
        """SHA-256 of the lines "YYYY-MM-DD value" of the days used, each ended by a line feed."""
        lines = "".join(f"{day} {value}\n" for day, value in self.used)
        return hashlib.sha256(lines.encode()).hexdigest()


def known_days(days: Sequence[DailyFlow], practice: Practice = PRACTICE) -> KnownDays:
    """Tell known days from unknown ones.

    Parameters
    ----------
    days : in order of the calendar [cfs]; a day without a row is unknown.
    practice : the codes and thresholds by which a day is unknown.

    Raises
    ------
    BadQuestion : no day at all, a day twice, days out of order, or not one with a usable value.
    """
    reasons = [why_unknown(day, practice=practice) for day in days]
    used = {day.day: day.value for day, why in zip(days, reasons, strict=True) if not why and day.value is not None}
    told = dict(Counter(why for why in reasons if why).most_common())
    if not used:
        raise BadQuestion("no day with a usable discharge", found=next(iter(told), None))
    reverse = {day.day: day.value for day in days if is_reverse_flow(day, practice) and day.value is not None}
    measured = used | reverse
    flow = [float(measured.get(day.day, "nan")) for day in days]
    record = daily_record(np.array([day.day for day in days], "datetime64[D]"), flow)
    absent = record.days.size - len(days)
    provisional = sum(day.day in used and day.approval.strip().upper() == "P" for day in days)
    return KnownDays(record, tuple(used.items()), told | ({NO_ROW: absent} if absent else {}), provisional)
