"""Everything that says how much was pumped at a well or given off at a discharge, method by method, and which speaks.

A totalizer, logged rates, run times and reports are kept beside each other and never averaged. The site states which
speaks (``volumes_by``); where it does not, the first there is in the order of ``METHODS``, and what is no register
gives way to the next where it is silent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce
from typing import get_args

from models.discharge import Discharge
from models.logged_volumes import CONTRADICT, as_reported, from_rates, from_run_times
from models.meter_sequence import filled, in_sequence
from models.metered_volumes import Interval, Register, intervals
from models.policy import MS_IN_A_MINUTE
from models.pumped_water import VolumesBy
from models.question import Question, StoredRow, stored_rows
from models.site import Well

METHODS: tuple[VolumesBy, ...] = get_args(VolumesBy)
METER, RATE, RUN_TIME, WITHDRAWN, DISCHARGED = (
    "meter_reading", "pumping_rate", "pump_run_time", "withdrawal", "discharged_volume",
)  # fmt: skip
AT_A_WELL, AT_A_DISCHARGE = (RATE, RUN_TIME, WITHDRAWN), (METER, RATE, DISCHARGED)
"""The parameters of volumes by station."""
ONE_DAY = timedelta(days=1)
Rows = Mapping[tuple[str, str], Sequence[StoredRow]]
"""Stored rows by station and parameter."""


@dataclass(frozen=True)
class KnownVolumes:
    """The volumes of one place by one method.

    ``records``: one for each meter beside another (`models.meter_sequence`), its intervals in order, none over another.
    ``part``: which of the reports, where they contradict each other and each is told by itself; it never speaks.
    """

    method: VolumesBy
    says: str
    records: tuple[tuple[Interval, ...], ...]
    part: str = ""


def known_at_wells(question: Question, wells: Sequence[Well], last: date) -> dict[str, tuple[KnownVolumes, ...]]:
    """Up to a civil day, by well, in the order of ``METHODS``; a reading at the midnight after it ends the day."""
    rows = _rows(question, [one.id for one in wells], AT_A_WELL, last + ONE_DAY)
    read = _rows(question, [one.id for one in question.site.meter], (METER,), last + ONE_DAY)
    return {one.id: tuple(_of_well(question, one, rows, read)) for one in wells}


def known_at_discharges(question: Question) -> dict[str, tuple[KnownVolumes, ...]]:
    """Up to tonight, by discharge."""
    rows = _rows(question, [one.id for one in question.site.discharge], AT_A_DISCHARGE, question.on + ONE_DAY)
    return {one.id: tuple(_of_discharge(question, one, rows)) for one in question.site.discharge}


def speaking(known: Sequence[KnownVolumes], stated: VolumesBy | None) -> KnownVolumes | None:
    """The method that speaks: what the site states and no other; where it states none, the first there is.

    A register counts on unread. What is none speaks for the time it knows: a period that the next method tells whole,
    and of which it knows less than half, is the next one's.
    """
    whole = [one for one in known if not one.part]
    if stated is not None or not whole or whole[0].method == "meter":
        return next((one for one in whole if stated is None or one.method == stated), None)
    return reduce(_in_turn, whole)


def _in_turn(first: KnownVolumes, following: KnownVolumes) -> KnownVolumes:
    found = [filled(one, following.records[0]) for one in first.records[:1]]
    if found == [*first.records[:1]]:
        return first
    says = f"{first.says}; where they are silent {following.says}"
    return KnownVolumes(first.method, says, (*found, *first.records[1:]))


def _rows(question: Question, stations: Sequence[str], parameters: Sequence[str], last: date) -> Rows:
    found: defaultdict[tuple[str, str], list[StoredRow]] = defaultdict(list)
    for row in stored_rows(question.observations.rows(stations, parameters, None, last)) if stations else ():
        found[row.station, row.parameter].append(row)
    return found


def _of_well(question: Question, well: Well, rows: Rows, read: Rows) -> Iterator[KnownVolumes]:
    own = [one for one in question.site.meter if one.well == well.id]
    counted = tuple(filter(None, (_counted(one, read.get((one.id, METER), ())) for one in own)))
    if counted:
        yield KnownVolumes("meter", f"totalizing meter {', '.join(one.id for one in own)}", in_sequence(counted))
    ran = from_run_times(rows.get((well.id, RUN_TIME), ()), well.rated_flow, question.zone, _agree(question))
    yield from _logged(question, rows.get((well.id, RATE), ()))
    if ran:
        yield KnownVolumes("run time", "run times at rated flow", (tuple(ran),))
    yield from _reported(question, [*rows.get((well.id, WITHDRAWN), ()), *rows.get((well.id, RATE), ())])


def _of_discharge(question: Question, one: Discharge, rows: Rows) -> Iterator[KnownVolumes]:
    counted = _counted(one, rows.get((one.id, METER), ()))
    if counted:
        yield KnownVolumes("meter", f"totalizing meter of {one.id}", (counted,))
    yield from _logged(question, rows.get((one.id, RATE), ()))
    yield from _reported(question, [*rows.get((one.id, DISCHARGED), ()), *rows.get((one.id, RATE), ())])


def _counted(register: Register, rows: Sequence[StoredRow]) -> tuple[Interval, ...]:
    """An exchange read at one instant takes no time and no water."""
    return tuple(one for one in intervals(register, rows) if one.end_ms > one.start_ms)


def _logged(question: Question, rows: Sequence[StoredRow]) -> Iterator[KnownVolumes]:
    step = int(question.policy.pump_log_longest_step.value * MS_IN_A_MINUTE)
    found = from_rates((one for one in rows if one.clock == "utc"), step)
    if found:
        yield KnownVolumes("log", "logged rates", (tuple(found),))


def _reported(question: Question, rows: Sequence[StoredRow]) -> Iterator[KnownVolumes]:
    """Volumes, and mean rates of whole periods where no volume of the same period is reported.

    Where they contradict each other, what each rhythm says stands beside them.
    """
    periods = [one for one in rows if one.clock != "utc"]
    found = as_reported(sorted(periods, key=lambda one: one.parameter != RATE), question.zone, _agree(question))
    if found:
        yield KnownVolumes("reports", "volumes as reported", (tuple(found),))
    if any(one.note.startswith(CONTRADICT) for one in found):
        yield from _apart(question, periods)


def _apart(question: Question, periods: Sequence[StoredRow]) -> Iterator[KnownVolumes]:
    """The reports of each rhythm by themselves."""
    kinds = {(one.parameter == RATE, one.clock, one.series): None for one in periods}
    for kind in kinds:
        own = [one for one in periods if (one.parameter == RATE, one.clock, one.series) == kind]
        part = " ".join(filter(None, ("mean rates" if kind[0] else "volumes", f"by the {kind[1]}", kind[2])))
        yield KnownVolumes("reports", f"{part}, as reported", (tuple(as_reported(own, question.zone)),), part)


def _agree(question: Question) -> float:
    return float(question.policy.pumped_volumes_agree.value)
