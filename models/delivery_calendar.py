"""When each expected delivery is due, which days it covers, and where it stands by what is known to have come.

Delivery k covers the days after period k - 1 through its own last day, and is due some time later. It is in time when
what it asks for was known by the end of its due day plus tolerance, moved as the ordinance's computing rule moves a
last day. When it came decides, never the days that its values are of: ``known_at`` is the town's own clock, and the
first version of a value counts, so that a revision later does not make it late.

The inbox is read in the night after a day, so what was put there on the last day is known some hours later:
``read_within`` is added to the end before anything is called late. And what became known after that is late only where
the inbox was read after the end and did not hold it: the nights that the town missed are not the sender's.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, NamedTuple

from models.counting import Calendar, Ends, ends_on, months_later
from models.expected_delivery import ExpectedDelivery
from models.step import Step

ONE_DAY = timedelta(days=1)
ONE_TICK = timedelta(microseconds=1)
Status = Literal["RUNNING", "ON_RECORD", "NOT_ON_RECORD", "ON_RECORD_LATE", "NOT_APPLICABLE", "INDETERMINATE"]
Item = tuple[str, str]
"""A station, and what is to come of it: a parameter, or a group as one."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Came(NamedTuple):
    """When the first value of a day had come, by then, and not before; see ``models.arrival_record`` [epoch ms]."""

    known_at: int
    not_before: int
    doubt: str = ""


Known = Mapping[Item, Mapping[date, Came]]
"""Of each item the civil days with a value, in order."""


@dataclass(frozen=True)
class Reading:
    """How far the town has read its inbox.

    ``within``: how long what was put into it in time may wait to be read. ``last``: when it was last read; None: never.
    ``waits``: in words, what came and waits for the town's own entry in ``site.toml``.
    """

    within: timedelta
    last: datetime | None
    waits: Callable[[DeliveryEvent], str] = lambda _: ""


@dataclass(frozen=True)
class DeliveryEvent:
    """One delivery on the calendar.

    ``first``, ``last_day``: the days it covers. ``due``: as stated. ``ends``: the first instants too late, plain and
    statutory. ``plain``, ``last``: the last civil days in time by each.
    """

    first: date
    last_day: date
    due: date
    ends: Ends
    plain: date
    last: date


@dataclass(frozen=True)
class Share:
    """What came of one item: on how many days, and when as many as are asked for had come; None: not yet.

    ``not_before``: the last time the inbox was read and held fewer; None: never. ``doubt``: see ``Came``.
    """

    item: Item
    days: int
    complete_at: datetime | None
    not_before: datetime | None = None
    doubt: str = ""

    def surely_after(self, end: datetime) -> bool:
        """Whether it was not all there when the inbox was read, at the end of its time or later."""
        return self.not_before is not None and self.not_before >= end


@dataclass(frozen=True)
class Delivered:
    """Where one delivery stands.

    ``shares``: every item. ``lacking``: those not complete in time. ``why``: a record that speaks for it, or why nobody
    can tell. ``received``: the day that record says it came.
    """

    event: DeliveryEvent
    status: Status
    shares: tuple[Share, ...] = ()
    lacking: tuple[Share, ...] = ()
    why: str = ""
    received: date | None = None

    @property
    def complete_at(self) -> datetime | None:
        """When the last of it was known; None where something is still missing."""
        times = [one.complete_at for one in self.shares]
        known = [when for when in times if when is not None]
        return max(known) if known and len(known) == len(times) else None

    @property
    def missing(self) -> tuple[Share, ...]:
        """What has not come to this day."""
        return tuple(one for one in self.shares if one.complete_at is None)

    @property
    def begun(self) -> bool:
        """Whether anything of it came."""
        return any(one.days for one in self.shares)


def events(delivery: ExpectedDelivery, counting: Calendar, until: date) -> list[DeliveryEvent]:
    """Every delivery whose period began by a day, and the one after, in order."""
    found, step = [], _as_step(delivery)
    for first, last_day, due in periods(delivery):
        end = ends_on(due + timedelta(days=delivery.tolerance_days), step, counting)
        found.append(DeliveryEvent(first, last_day, due, end, *(counting.day(one - ONE_TICK) for one in end)))
        if first > until:
            break
    return found


def periods(delivery: ExpectedDelivery) -> Iterator[tuple[date, date, date]]:
    """First day, last day and due day of each, in order; without an end where the calendar has none."""
    before = None
    for last_day, due in _days(delivery):
        if due > (delivery.until or date.max):
            return
        if before is None:
            first = delivery.begins or _stepped(delivery, _first_end(delivery), -1) + ONE_DAY
        else:
            first = before + ONE_DAY
        yield first, last_day, due
        before = last_day


def _days(delivery: ExpectedDelivery) -> Iterator[tuple[date, date]]:
    if delivery.first_due is None:
        yield from zip(delivery.period_ends or delivery.due_on, delivery.due_on, strict=True)
        return
    k = 0
    while True:
        yield _stepped(delivery, _first_end(delivery), k), _stepped(delivery, delivery.first_due, k)
        k += 1


def _first_end(delivery: ExpectedDelivery) -> date:
    return delivery.first_period_ends or delivery.first_due or delivery.due_on[0]


def _stepped(delivery: ExpectedDelivery, anchor: date, k: int) -> date:
    """A day k periods after another; where that ends a month, so does every one of a period in months."""
    if delivery.every_days is not None:
        return anchor + timedelta(days=k * delivery.every_days)
    found = months_later(anchor, k * (delivery.every_months or 1))
    return _end_of_month(found) if anchor == _end_of_month(anchor) else found


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _as_step(delivery: ExpectedDelivery) -> Step:
    """The end of a time as a step, so that both are moved alike."""
    return Step(
        id=delivery.rule, kind="step", clause=delivery.clause, title=delivery.id, text="", effective="unknown",
        case=delivery.rule, who="operator", nature="deadline", runs_from=("due",), days=1,
    )  # fmt: skip


def delivered(
    delivery: ExpectedDelivery, event: DeliveryEvent, known: Known, now: datetime, inbox: Reading, counting: Calendar,
) -> Delivered:  # fmt: skip
    """Judge one delivery.

    Parameters
    ----------
    known : what came, of any period.
    now : one whose statutory time and the hours to read it are not out by then is not late yet.
    """
    limit = event.ends[1] + inbox.within
    shares = tuple(_share(delivery, event, (station, name), known) for station, name in items(delivery))
    lacking = tuple(one for one in shares if one.complete_at is None or one.complete_at > limit)
    if not lacking:
        return Delivered(event, "ON_RECORD", shares)
    if excuse := _excused(delivery, event, shares, lacking, now, counting):
        return excuse
    if now < limit:
        return Delivered(event, "RUNNING", shares, lacking)
    if any(one.complete_at is None for one in shares):
        return _silent(event, shares, lacking, inbox, counting)
    return _known_later(event, shares, lacking, counting)


def _silent(
    event: DeliveryEvent, shares: tuple[Share, ...], lacking: tuple[Share, ...], inbox: Reading, counting: Calendar
) -> Delivered:
    """Something has not come: nobody can tell while the inbox is not read, or the town's own entry is wanting."""
    waits = inbox.waits(event)
    if inbox.last is not None and inbox.last >= event.ends[1]:
        return Delivered(event, "INDETERMINATE" if waits else "NOT_ON_RECORD", shares, lacking, waits)
    since = "never read" if inbox.last is None else f"last read at {told(inbox.last, counting)}"
    why = f"the inbox was {since}: whether it came cannot be told"
    return Delivered(event, "INDETERMINATE", shares, lacking, why)


def _known_later(
    event: DeliveryEvent, shares: tuple[Share, ...], lacking: tuple[Share, ...], counting: Calendar
) -> Delivered:
    """All has come, the last of it known after its time: late where one share surely came after it."""
    if any(one.surely_after(event.ends[1]) for one in lacking):
        return Delivered(event, "ON_RECORD_LATE", shares, lacking)
    last = max(lacking, key=lambda one: one.complete_at or EPOCH)
    until = told(last.complete_at or EPOCH, counting)
    since = "before" if last.not_before is None else f"from {told(last.not_before, counting)} to"
    unread = f"the inbox was not read {since} {until}"
    doubt = next((one.doubt for one in lacking if one.doubt), "")
    return Delivered(
        event, "INDETERMINATE", shares, lacking, f"{doubt or unread}: whether it came in time cannot be told"
    )


def items(delivery: ExpectedDelivery) -> list[Item]:
    """Every station with everything that is to come of it."""
    return [(station, name) for station in delivery.stations for name in delivery.names]


def _share(delivery: ExpectedDelivery, event: DeliveryEvent, item: Item, known: Known) -> Share:
    days = known.get(item, {})
    inside = list(days)
    inside = inside[bisect_left(inside, event.first) : bisect_right(inside, event.last_day)]
    came, least = [days[day] for day in inside], delivery.least_days
    if len(came) < least:
        return Share(item, len(came), None)
    last = sorted(came)[least - 1]
    first = sorted(came, key=lambda one: one.not_before)[least - 1]
    before = _instant(first.not_before) if first.not_before else None
    return Share(item, len(came), _instant(last.known_at), before, first.doubt)


def _instant(epoch_ms: int) -> datetime:
    return EPOCH + timedelta(milliseconds=epoch_ms)


def _excused(
    delivery: ExpectedDelivery, event: DeliveryEvent, shares: tuple[Share, ...], lacking: tuple[Share, ...],
    now: datetime, counting: Calendar,
) -> Delivered | None:  # fmt: skip
    """By a record, known by now, that it came otherwise, in time or late, or that nothing was owed."""
    for came in delivery.received:
        if came.due == event.due and counting.start_of(came.on) < now:
            status: Status = "NOT_APPLICABLE" if counting.end_of(came.on) <= event.ends[1] else "ON_RECORD_LATE"
            return Delivered(event, status, shares, lacking, f"received {came.on}: {came.record}", came.on)
    for one in delivery.suspended:
        if one.since <= event.due <= (one.until or date.max):
            return Delivered(event, "NOT_APPLICABLE", shares, lacking, f"suspended: {one.record}")
    return None


def known_on(when: datetime, counting: Calendar) -> date:
    """The civil day of an instant of knowledge: what was known at the end of a day was known on it."""
    return counting.day(when - ONE_TICK)


def told(when: datetime, counting: Calendar) -> str:
    """An instant on the town's own clock; midnight is the end of a day."""
    local = when.astimezone(counting.zone)
    return local.strftime("%Y-%m-%d %H:%M %Z") if local.time() != time() else f"the end of {known_on(when, counting)}"


def came_on(one: Delivered, counting: Calendar) -> date | None:
    """The civil day by which the last of a delivery was known, or came by a record; the earlier of the two.

    What the inbox held by the end of a day is known in the night after, so the day may be the one after it came.
    """
    by_values = None if one.complete_at is None else known_on(one.complete_at, counting)
    return min((day for day in (by_values, one.received) if day is not None), default=None)


def coming(every: Sequence[Delivered]) -> Delivered | None:
    """The delivery that is to come next; None where the calendar is over."""
    return next((one for one in every if one.status == "RUNNING"), None)
