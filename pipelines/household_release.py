"""Everything the town holds of one property, as its custodian may release it, each thing withheld with its ground.

What is withheld is looked for in every text that people wrote, not in the private fields alone: an act may be older
than the household on file, and it may name another household.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, select

from models.case import Case
from models.errors import BadQuestion
from models.event import Event
from models.household import Households
from models.privacy import private_fields
from models.records_law import PrivateField, RecordsLaw
from pipelines import casebook, household_access, paper_record, review_book, schema
from pipelines.casebook import utc
from pipelines.fund_book import read_book
from pipelines.household_record import FIELDS, concerns, holding, law_of, private_of, wells_of
from pipelines.judgement import all_cases
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder

WITHHELD = "[redacted]"


def redacted(
    folder: SiteFolder, connection: Connection, property: str, reveal: Sequence[str], today: date
) -> dict[str, Any]:
    """All that is held of a property, private fields withheld unless the custodian releases them.

    Raises
    ------
    BadQuestion : a field to reveal that is none.
    """
    if unknown := [name for name in reveal if name not in FIELDS]:
        raise BadQuestion("no private field", key="--reveal", found=unknown[0], allowed=FIELDS)
    found, law = holding(folder, connection, property, today), law_of(folder)
    hidden = frozenset(name for name in FIELDS if name not in reveal)
    censor = _Censor(law, private_of(folder, property), _others(folder, property), hidden)
    record = {name: censor.seen(rows, name) for name, rows in _record(folder, connection, property).items()}
    own = [{"field": k, "ground": law.ground(k)} for k in found.fields if k in hidden]
    return {
        "property": property,
        "parcel": found.parcel,
        "as_of": today.isoformat(),
        "law": f"{law.citation} ({law.verification})",
        "custodian": law.custodian,
        "retention": f"{law.retention.years} years from {law.retention.runs_from} ({law.retention.citation})",
        "last_act": found.last_act,
        "kept_until": found.kept_until,
        "waits": found.waits,
        "hold": found.hold,
        "private": [{"field": k, "value": WITHHELD if k in hidden else v} for k, v in found.fields.items()],
        "redactions": [*own, *censor.redactions],
        **record,
    }


def _others(folder: SiteFolder, property: str) -> Households:
    own, whole = private_of(folder, property), folder.households
    return Households(
        household=tuple(one for one in whole.household if one not in own.household),
        well=tuple(one for one in whole.well if one not in own.well),
    )


@dataclass(frozen=True)
class _Censor:
    """Withholds each line that gives away what is not revealed; ``redactions``: where, and on which ground."""

    law: RecordsLaw
    own: Households
    others: Households
    hidden: Collection[PrivateField]
    redactions: list[dict[str, str]] = field(default_factory=list)

    def seen(self, value: Any, place: str) -> Any:
        if isinstance(value, dict):
            return {name: self.seen(one, f"{place}.{name}") for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.seen(one, f"{place}[{n}]") for n, one in enumerate(value, 1)]
        return "\n".join(self._line(one, place) for one in value.split("\n")) if isinstance(value, str) else value

    def _line(self, text: str, place: str) -> str:
        away = private_fields(text, self.others) | (private_fields(text, self.own) & set(self.hidden))
        for name in FIELDS:
            if name in away:
                self.redactions.append({"field": f"{name} in {place}", "ground": self.law.ground(name)})
        return WITHHELD if away else text


def _record(folder: SiteFolder, connection: Connection, property: str) -> dict[str, list[dict[str, Any]]]:
    """The public half, section by section."""
    wells = wells_of(folder, property)
    ids = {one.id for one in wells}
    cases = [one for one in all_cases(casebook.events(connection), folder) if concerns(one, property)]
    versions = [one for one in casebook.versions(connection) if one["station"] in ids]
    return {
        "wells": [{"well": one.id, "quarter_quarter": one.quarter_quarter} for one in wells],
        "cases": [{"case": one.id, "status": one.status, "state": one.state} for one in cases],
        "acts": [_act(act, folder) for case in cases for act in case.recorded],
        "findings": [_finding(one) for one in versions],
        "reviews": list(_reviews(connection, ids, {str(one["key"]) for one in versions})),
        "money": _money(connection, {one.id for one in cases}),
        "papers": [_paper(connection, folder, one) for one in _papers(connection, cases)],
        "measurements": _measurements(connection, ids, folder),
        "mails": _mails(connection, [property, *ids]),
        "looks": [dict(one) for one in household_access.reads(connection, property)],
    }


def _act(act: Event, folder: SiteFolder) -> dict[str, Any]:
    when = act.happened_at.astimezone(ZoneInfo(folder.law.zone)).strftime("%Y-%m-%d %H:%M %Z")
    said = {"method": act.method, "document": act.document, "note": act.note} | act.more()
    return {"case": act.case, "happened_at": when, "event": act.name, "by": act.by, **said}


def _finding(one: dict[str, Any]) -> dict[str, Any]:
    names = ("rule", "clause", "station", "parameter", "start", "end", "verdict", "measured", "limit", "change")
    return {name: one[name] for name in names}


def _reviews(connection: Connection, wells: Collection[str], findings: Collection[str]) -> Iterator[dict[str, Any]]:
    """Acts of reviewers on results of its wells and on findings about them, and what withdrew those."""
    shown: set[str] = set()
    for one in review_book.acts(connection):
        about = one.subject in findings or one.subject.partition(" ")[0] in wells
        if about or one.subject in shown or shown & set(one.facts.values()):
            shown.add(one.key())
            yield {
                "act": one.act, "subject": one.subject, "by": one.by, "licence": f"{one.licence} {one.number}".strip(),
                "at": one.when.isoformat(), **one.facts,
            }  # fmt: skip


def _money(connection: Connection, cases: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "happened_at": one.happened_at.isoformat(), "case": one.case, "act": one.act, "fund": one.fund,
            "amount": str(one.amount), "use": one.use, "by": one.by, "document": one.document, "note": one.note,
            "supplied": " to ".join(day.isoformat() for day in one.supplied or ()), "reverses": one.reverses,
        }
        for one in read_book(connection).entries
        if one.case in cases
    ]  # fmt: skip


def _papers(connection: Connection, cases: Sequence[Case]) -> list[Paper]:
    ids = {one.id for one in cases}
    return [one for one in paper_record.papers(connection) if one.case in ids]


def _paper(connection: Connection, folder: SiteFolder, one: Paper) -> dict[str, Any]:
    """A paper as stored: where a household is named stands its slot."""
    kind, act = folder.law.paper_of(one.name), paper_record.released(connection, folder, one)
    return {
        "number": one.number, "case": one.case, "title": kind.title if kind else one.name,
        "composed_at": one.composed_at.isoformat(), "released_at": act.happened_at.isoformat() if act else "",
        "released_by": act.by if act else "", "sha256": one.sha256, "text": one.text,
    }  # fmt: skip


def _measurements(connection: Connection, wells: Collection[str], folder: SiteFolder) -> list[dict[str, Any]]:
    """What was measured at its wells: how many values of what, from when to when."""
    series, seen, zone = schema.series.c, schema.observation.c, ZoneInfo(folder.law.zone)
    names = (series.station, series.parameter, series.unit)
    query = (
        select(*names, func.count(), func.min(seen.time_ms), func.max(seen.time_ms))
        .join(schema.observation, seen.series_id == series.id)
        .where(series.station.in_(sorted(wells)))
        .group_by(*names)
        .order_by(*names)
    )
    return [
        {
            "well": well, "parameter": parameter, "unit": unit, "values": n,
            "first": casebook.instant(first).astimezone(zone).date().isoformat(),
            "last": casebook.instant(last).astimezone(zone).date().isoformat(),
        }
        for well, parameter, unit, n, first, last in connection.execute(query)
    ]  # fmt: skip


def _mails(connection: Connection, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Mails to the town that speak of the property or its wells."""
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, ids))})(?![\w-])")
    table = schema.outbox.c
    query = select(table.composed_at, table.recipient, table.subject, table.body_text).order_by(table.id)
    return [
        {"composed_at": utc(row.composed_at), "to": row.recipient, "subject": row.subject}
        for row in connection.execute(query)
        if named.search(row.subject) or named.search(row.body_text)
    ]
