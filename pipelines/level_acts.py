"""Recording a correction of a logger's levels: its numbers taken from hand readings, or given by a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from models.checks.well_levels import LEVELS
from models.errors import BadQuestion, BadUnit
from models.levels.bearing import bearing, without
from models.levels.record import depth_at
from models.levels.steps import LINEAR, OFFSETS, PARAMETERS, Kind, Step, admit
from models.observation import Flags
from models.policy import MS_IN_AN_HOUR
from models.site import Well
from models.units import convert, parse_quantity
from pipelines import level_steps, review_book
from pipelines.casebook import ms
from pipelines.level_record import HandReading, hand_readings, logger_levels
from pipelines.level_rows import HEADS
from pipelines.local_instant import local_instant
from pipelines.observations import series_table
from pipelines.recall import Recall
from pipelines.review_acts import Recorded, Room, Who, put_on_record

DAY_TEXT = len("YYYY-MM-DD")
FAILING = ", by the readings beside one that fails its tests"
FINEST = Decimal("0.001")
"""A tie is no finer than this [ft]: a tape is read to 0.01."""
OF_ANOTHER_UNIT = Decimal("0.00001")
"""A number given in another unit is kept to this [ft or s]."""


@dataclass(frozen=True)
class _Off:
    """A number of a correction, what is to be known of the reading it comes from, and how far the record is off now."""

    number: Decimal
    beside: str = ""
    still: Decimal = Decimal(0)


@dataclass(frozen=True)
class Asked:
    """A correction as a person asks for it; "" is left out.

    ``since``, ``until``: its period; ``hand``: the hand reading a tie goes by. ``amount``, ``end_amount``: with a unit.
    ``series``: of a logger with several channels the one that a tie or drift is of.
    """

    kind: Kind
    why: str
    serial: str = ""
    since: str = ""
    until: str = ""
    hand: str = ""
    amount: str = ""
    end_amount: str = ""
    series: str = ""


def well_of(room: Room, id: str) -> Well:
    """A well of the site with a logger.

    Raises
    ------
    BadQuestion : there is none of this id, or no logger hangs in it.
    """
    wells = {one.id: one for one in room.folder.site.well if one.logger}
    if id not in wells:
        raise BadQuestion("no well with a logger", key="STATION", found=id, allowed=wells or ["none in site.toml"])
    return wells[id]


def bearings(room: Room, step: Step, well_id: str) -> list[str]:
    """What a correction that was just recorded means beside those that stand."""
    return list(bearing(step, _others(room, step, well_id)))


def after_undoing(room: Room, step: Step, well_id: str) -> list[str]:
    """What holds now where a correction was undone."""
    return list(without(step, _others(room, step, well_id)))


def _others(room: Room, step: Step, well_id: str) -> list[Step]:
    standing = level_steps.steps_at(well_id, review_book.acts(room.connection))
    return [one for one in standing if one.id != step.id]


def correct(room: Room, well_id: str, asked: Asked, who: Who) -> Recorded:
    """Record a correction, once.

    Raises
    ------
    BadQuestion : a number is missing and no hand reading gives it, an option that the step has no use for, or the step
        cannot be.
    """
    well = well_of(room, well_id)
    _no_more_than_used(asked)
    desk = _Desk(room, well)
    serial = _serial(well, asked)
    step, rests_on = desk.step(serial, desk.series(serial, asked), asked, who)
    ends_another = step.kind in OFFSETS and any(one.kind in OFFSETS for one in desk.standing)
    if not rests_on and not ends_another and not any(step.parameters.values()):
        raise BadQuestion("nothing to correct: it would change no reading", key="--amount", found=asked.amount)
    if step.start_ms > ms(room.now):
        raise BadQuestion("still to come", key="--from", found=asked.since or asked.hand)
    admit(step, desk.standing)
    facts = level_steps.facts(well.id, step, rests_on)
    return put_on_record(room, room.act(level_steps.ACT, level_steps.subject(well.id, serial), who, facts))


def _no_more_than_used(asked: Asked) -> None:
    """Refuse what would be left aside in silence."""
    taped = not asked.amount and asked.kind in OFFSETS
    unused = {
        "--hand": asked.hand and (not taped or asked.kind != "tie"),
        "--end-amount": asked.end_amount and (asked.kind not in LINEAR or taped),
        "--series": asked.series and asked.kind not in OFFSETS,
    }
    for key, given in unused.items():
        if given:
            beside = " without --amount" if taped and key == "--end-amount" else " beside --amount" * bool(asked.amount)
            raise BadQuestion(f"a {asked.kind}{beside} does not go by it", key=key, found=given)


def _serial(well: Well, asked: Asked) -> str:
    known, given = sorted({one.serial for one in well.logger}), asked.serial or asked.series.rpartition(":")[0]
    if given in known or (not given and len(known) == 1):
        return given or known[0]
    reason = "no logger of this well" if given else "the well has several loggers; say which"
    raise BadQuestion(reason, key="--serial", found=given or None, allowed=known)


class _Desk:
    """One well: its standing steps, and what a hand reading and its loggers say at an instant."""

    def __init__(self, room: Room, well: Well) -> None:
        self.room, self.well = room, well
        self.recall = Recall(room.connection, room.zone)
        self.standing = level_steps.steps_at(well.id, review_book.acts(room.connection))

    def series(self, serial: str, asked: Asked) -> str:
        """The channel a tie or drift is of: named where the logger has several; "" of a clock or cable."""
        if asked.kind not in OFFSETS:
            return ""
        table = series_table(self.room.connection)
        own = table[(table["station"] == self.well.id) & table["parameter"].isin(HEADS)]
        known = sorted({one for one in own["series"] if one.rpartition(":")[0] == serial})
        if asked.series in known or (not asked.series and len(known) <= 1):
            return asked.series or "".join(known)
        reason = "no channel of this logger" if asked.series else "the logger has several channels; say which"
        raise BadQuestion(reason, key="--series", found=asked.series or None, allowed=known)

    def step(self, serial: str, series: str, asked: Asked, who: Who) -> tuple[Step, str]:
        """The step that is asked for, and what its numbers rest on."""
        since, until = self._instant(asked.since, "--from"), self._instant(asked.until, "--to")
        numbers, tapes = self._numbers(series, asked)
        if asked.kind == "drift" and tapes:
            since, until = (one.time_ms for one in tapes)
        elif tapes and (since is None or not asked.hand):
            since = tapes[0].time_ms
        if since is None:
            raise BadQuestion("a correction needs a start", key="--from")
        named = dict(zip(PARAMETERS[asked.kind], (one.number for one in numbers), strict=True))
        at = tuple(one.time_ms for one in tapes)
        said = "; ".join(f"{tape.says()}{one.beside}" for one, tape in zip(numbers, tapes, strict=bool(tapes)))
        made = Step(
            "", asked.kind, named, since, until, who.by, self.room.now, asked.why, serial, series, at
        )  # fmt: skip
        return made, said

    def _numbers(self, series: str, asked: Asked) -> tuple[list[_Off], list[HandReading]]:
        """Of tapes, with these, where nobody gave them."""
        if asked.amount or asked.kind not in OFFSETS:
            return [_Off(one) for one in _given(asked)], []
        if asked.kind == "tie":
            tapes = [self._hand(asked.hand or asked.since, "--hand")]
        else:
            tapes = [self._hand(asked.since, "--from"), self._hand(asked.until, "--to")]
        numbers = [self._off(series, one) for one in tapes]
        ends = any(one.kind in OFFSETS and one.end_ms is not None for one in self.standing)
        if not ends and not any(one.still for one in numbers):
            same = f"the logger reads what the tape does, within {FINEST} ft"
            raise BadQuestion(f"nothing to correct: {same}", key="KIND")
        return numbers, tapes

    def _instant(self, text: str, key: str) -> int | None:
        return ms(local_instant(text, str(self.room.zone), key=key)) if text else None

    def _hand(self, text: str, key: str) -> HandReading:
        """The hand reading of a civil day, or the one nearest to an instant of its day."""
        if not text:
            raise BadQuestion("say which hand reading, or give the number", key=key, allowed=["--amount", "a day"])
        when = local_instant(text, str(self.room.zone), key=key)
        day = when.astimezone(self.room.zone).date()
        found = hand_readings(self.recall, self.well, day, day)
        if not found or (len(found) > 1 and len(text) == DAY_TEXT):
            why = "several hand readings; give the time of one" if found else self._why_none(day)
            raise BadQuestion(why, key=key, found=text, allowed=[one.says() for one in found] or None)
        return min(found, key=lambda one: abs(one.time_ms - ms(when)))

    def _why_none(self, day: date) -> str:
        """What a day has in the place of a hand reading that a correction may rest on."""
        rows = self.recall.rows([self.well.id], LEVELS, day, day)
        timed = rows[rows["clock"] == "utc"]
        if not len(timed):
            return "no hand reading with a time of day"
        said = ", ".join(sorted({word for text in timed["flags"] for word in Flags.parse(text).qualifiers}))
        return f"its hand reading is no level at rest ({said or 'no depth'})"

    def _off(self, series: str, tape: HandReading) -> _Off:
        """What to add to the channel's depth, its clock set right and nothing else, to have the tape's [ft]."""
        gap_ms = int(self.room.folder.policy.barometer_longest_gap.value * MS_IN_AN_HOUR)
        for one in logger_levels(self.recall, self.room.folder, self.well, None, None):
            usable = one.found.usable()
            depth = depth_at(one.clocked, tape.time_ms, gap_ms, usable) if one.series == series else None
            if depth is not None:
                beside = "" if depth == depth_at(one.clocked, tape.time_ms, gap_ms) else FAILING
                now = depth_at(one.corrected, tape.time_ms, gap_ms, usable)
                return _Off(_tie(tape.depth_ft, depth), beside, _tie(tape.depth_ft, depth if now is None else now))
        raise BadQuestion("the logger has no usable depth at the hand reading", key="--hand", found=tape.says())


def _tie(tape_ft: float, depth_ft: float) -> Decimal:
    return Decimal(repr(tape_ft - depth_ft)).quantize(FINEST)


def _given(asked: Asked) -> list[Decimal]:
    """Numbers a person gave, in s or ft."""
    unit = "s" if asked.kind == "clock" else "ft"
    first = _amount(asked.amount, unit, "--amount")
    if asked.kind not in LINEAR:
        return [first]
    if not asked.end_amount:
        raise BadQuestion(f"a {asked.kind} needs the number at its end too", key="--end-amount")
    return [first, _amount(asked.end_amount, unit, "--end-amount")]


def _amount(text: str, unit: str, key: str) -> Decimal:
    example = "-0.12 ft" if unit == "ft" else "10 min"
    if not text:
        raise BadQuestion("say how much", key=key, allowed=[f'"{example}"'])
    number, given = parse_quantity(text)
    try:
        return number if given == unit else convert(number, given, unit).quantize(OF_ANOTHER_UNIT).normalize()
    except (BadUnit, InvalidOperation):
        allowed = [f'a number with a unit, as "{example}"']
        raise BadQuestion(f"no amount that can be told in {unit}", key=key, found=text, allowed=allowed) from None
