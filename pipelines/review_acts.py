"""Recording a reviewer's act: checked against what stands, all of it in one transaction or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
from sqlalchemy import Connection

from models import signed_draft
from models.checks.quality_rows import sample_name
from models.errors import BadQuestion
from models.parameters import find_parameter, parameters
from models.question import stored_rows
from models.review import ONE_DAY, WITHDRAWN_KEY, Name, Review, admit, day_subject, in_turn, standing
from models.review_rights import check_rights, roles
from models.site import Gauge
from pipelines import casebook, estimate_doubts, estimates, review_book
from pipelines.casebook import instant, ms
from pipelines.estimates import Desk
from pipelines.local_instant import local_instant
from pipelines.page_file import write_text
from pipelines.recall import Recall
from pipelines.review_book import UNITS
from pipelines.review_text import daily_value, days_of
from pipelines.site_folder import SiteFolder


@dataclass(frozen=True)
class Who:
    """Whose act it is: who answers for it, under which licence, and when it was done where that is said."""

    by: str
    licence: str = ""
    number: str = ""
    at: str = ""


@dataclass(frozen=True)
class Room:
    """Where acts are recorded: one write transaction, the site, and the machine's time."""

    connection: Connection
    folder: SiteFolder
    now: datetime

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.folder.law.zone)

    @property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def act(self, name: Name, subject: str, who: Who, facts: dict[str, str]) -> Review:
        """An act that is not recorded yet.

        Raises
        ------
        BadQuestion : it is dated after now.
        """
        at = local_instant(who.at, self.folder.law.zone) if who.at else None
        if at is not None and at > self.now:
            raise BadQuestion("still to come", key="--at", found=who.at)
        return Review(name, subject, who.by.strip(), facts, who.licence, who.number.strip(), at, recorded_at=self.now)


@dataclass(frozen=True)
class Recorded:
    """An act that is on record now, whether it is new, and what an opponent will say of it."""

    act: Review
    new: bool
    doubts: tuple[str, ...] = ()


def put_on_record(room: Room, act: Review) -> Recorded:
    """Record an act unless the very same one stands."""
    known = review_book.acts(room.connection)
    act = in_turn(act, known)
    _admit(room, act, known)
    return Recorded(act, review_book.append(room.connection, act, ms(room.now)))


def _admit(room: Room, act: Review, known: Sequence[Review]) -> None:
    """What it says, whose it is, and that it is not dated before what it is about."""
    admit(act, known, room.folder.households)
    undone = next((one for one in known if one.key() == act.facts.get(WITHDRAWN_KEY)), None)
    check_rights(act, undone, roles(room.folder.site, room.folder.law))
    if undone is not None and act.when < undone.when:
        allowed = [f"{undone.when.isoformat()} or later"]
        raise BadQuestion("before what it takes back", key="--at", found=act.when.isoformat(), allowed=allowed)


def _not_before(room: Room, act: Review, first: date, what: str) -> Review:
    """The act again, unless it is dated before there was anything to judge."""
    on = act.when.astimezone(room.zone).date()
    if on < first:
        raise BadQuestion(f"before {what}", key="--at", found=str(on), allowed=[f"{first} or later"])
    return act


def accept(room: Room, gauge_id: str, days_text: str, who: Who) -> Recorded:
    """Accept day values as they stand, each with its text."""
    gauge, days = _gauge(room, gauge_id), days_of(days_text)
    recall = Recall(room.connection, room.zone)
    values = review_book.acceptable(recall, gauge, days, room.folder.policy.practice())
    act = room.act("accept", day_subject(gauge.id, gauge.judged), who, values)
    return put_on_record(room, _not_before(room, act, days[-1] + ONE_DAY, "the last of these days was over"))


def estimate(room: Room, gauge_id: str, day: date, value: str, unit: str, method: str, who: Who) -> Recorded:
    """Enter an estimated daily value for a day that is unknown: act, observation and mark of arrival, or nothing."""
    gauge = _gauge(room, gauge_id)
    if day >= room.today:
        raise BadQuestion("the day is not over", key="DAY", found=day.isoformat())
    desk, known = Desk(room.connection, room.folder, gauge, day), review_book.acts(room.connection)
    facts = {
        "gauge": gauge.id, "day": day.isoformat(), "value": daily_value(value, unit, gauge), "method": method,
        "unit": UNITS[gauge.judged], "given": f"{value} {unit}", "series": _series(desk, known),
    }  # fmt: skip
    act = in_turn(room.act("estimate", f"{day_subject(gauge.id, gauge.judged)} {day}", who, facts), known)
    if act.key() in {one.key() for one in known}:
        return Recorded(act, new=False)
    _not_before(room, act, day + ONE_DAY, "the day was over")
    _admit(room, act, known)
    estimates.check_free(desk, known)
    said = estimate_doubts.doubts(desk, Decimal(facts["value"]))
    estimates.enter(desk, act, ms(room.now))
    return replace(put_on_record(room, act), doubts=said)


def _series(desk: Desk, known: Sequence[Review]) -> str:
    """That of the estimate that stands, so that the same act is the same whatever has arrived since."""
    same = (desk.gauge.id, desk.day.isoformat())
    own = [one for one in standing(known, "estimate") if (one.facts["gauge"], one.facts["day"]) == same]
    return own[0].facts["series"] if own else estimates.series_for(desk)


def contest(room: Room, station: str, substance: str, sampled: date, sample: str, reason: str, who: Who) -> Recorded:
    """Contest a result of a well (NR 140.14(1)(b)); the next night marks its findings."""
    wells = [one.id for one in room.folder.site.well]
    if station not in wells:
        raise BadQuestion("no well of this site", key="STATION", found=station, allowed=wells)
    found = find_parameter("name", substance)
    id = substance if found is None else found.id
    _was_sampled(room, station, id, sampled, sample)
    facts = {
        "station": station, "substance": id, "sampled": sampled.isoformat(), "sample": sample, "reason": reason,
    }  # fmt: skip
    act = room.act("contest", f"{station} {id} {sampled}", who, facts)
    return put_on_record(room, _not_before(room, act, sampled, "the sample was taken"))


def _was_sampled(room: Room, station: str, substance: str, sampled: date, sample: str) -> None:
    """Refuse a contest of a result that is neither stored nor stands in a finding (of a sum)."""
    names = {one.parameter for one in casebook.standing(room.connection)
             if (one.station, one.start) == (station, sampled)}  # fmt: skip
    rows = _results(room, station, sampled)
    if substance not in names | set(rows["parameter"]):
        allowed = sorted(names | set(rows["parameter"])) or ["nothing was sampled that day"]
        raise BadQuestion("no result of this substance and day", key="SUBSTANCE", found=substance, allowed=allowed)
    samples = {sample_name(one.flags, one.series, one.time_ms) for one in stored_rows(rows)}
    if sample and sample not in samples:
        raise BadQuestion("no sample of that day", key="--sample", found=sample, allowed=sorted(samples))


def _results(room: Room, station: str, sampled: date) -> pd.DataFrame:
    recall = Recall(room.connection, room.zone)
    return recall.rows([station], list(parameters()), sampled, sampled)


def sign_finding(room: Room, start: str, who: Who) -> Recorded:
    """Sign the newest version of a finding."""
    one = review_book.version_to_sign(room.connection, start)
    act = room.act("sign_finding", one.key, who, {"finding": one.key, "digest": one.digest})
    known = instant(one.known_at).astimezone(room.zone).date()
    return put_on_record(room, _not_before(room, act, known, "this version of the finding was known"))


def sign_base_flow(room: Room, path: Path, who: Who) -> tuple[Recorded, signed_draft.SignedDraft]:
    """Fill in the signature of a draft and record its digest.

    The file is replaced before the act is committed: killed between them, a second run finds the signature and records.
    """
    text = _draft_text(path)
    dated = room.act("sign_base_flow", "", who, {})
    on = dated.when.astimezone(room.zone).date()
    draft = signed_draft.sign(
        text, by=dated.by, licence=dated.licence, number=dated.number, on=on, file=path.name
    )  # fmt: skip
    record = draft.record
    gauges = [one.id for one in room.folder.site.gauge]
    if record.gauge not in gauges:
        raise BadQuestion("no gauge of this site", file=path.name, key="gauge", found=record.gauge, allowed=gauges)
    facts = {
        "gauge": record.gauge, "version": record.version, "digest": signed_draft.digest(record),
        "file": path.name, "signed_on": record.signed_on.isoformat(),
    }  # fmt: skip
    done = put_on_record(room, replace(dated, subject=f"{record.gauge} base flow {record.version}", facts=facts))
    if draft.text != text:
        write_text(path, draft.text)
    return done, draft


def _draft_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as caught:
        raise BadQuestion(f"not UTF-8 text: {caught.reason}", file=path.name) from None


def withdraw(room: Room, start: str, reason: str, who: Who) -> tuple[Recorded, bool]:
    """Undo an act from now on; of an estimate that speaks, the day is as it was before. Whether a value changed."""
    known = review_book.acts(room.connection)
    key = review_book.whole_key(start, known)
    undone = next(one for one in known if one.key() == key)
    facts = {WITHDRAWN_KEY: undone.key(), "reason": reason}
    done = put_on_record(room, room.act("withdraw", undone.subject, who, facts))
    desk = estimate_desk(room, undone)
    changed = done.new and desk is not None and estimates.take_back(desk, undone, done.act, ms(room.now))
    return done, changed


def estimate_desk(room: Room, act: Review) -> Desk | None:
    """The day of an estimate; None for another act, or where the gauge is no more of the site."""
    gauge = next((one for one in room.folder.site.gauge if one.id == act.facts.get("gauge")), None)
    if act.act != "estimate" or gauge is None:
        return None
    return Desk(room.connection, room.folder, gauge, date.fromisoformat(act.facts["day"]))


def room(connection: Connection, folder: SiteFolder) -> Room:
    """A room at the machine's time."""
    return Room(connection, folder, datetime.now(UTC))


def _gauge(room: Room, id: str) -> Gauge:
    found = next((one for one in room.folder.site.gauge if one.id == id), None)
    if found is None:
        allowed = [one.id for one in room.folder.site.gauge]
        raise BadQuestion("no gauge of this site", key="GAUGE", found=id, allowed=allowed)
    return found


def plain(act: Review) -> dict[str, Any]:
    """An act as plain data."""
    return {
        "key": act.key(), "act": act.act, "subject": act.subject, "by": act.by, "licence": act.licence or None,
        "number": act.number or None, "at": act.when, "recorded_at": act.recorded_at, "facts": dict(act.facts),
    }  # fmt: skip
