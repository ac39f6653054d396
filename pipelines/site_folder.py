"""Read a site folder into its nouns: site.toml, policy.toml, households.toml, events.csv, and the law it names."""

from __future__ import annotations

import csv
import hashlib
import io
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from models.adoption import check_adoptions
from models.checks.delivery_entries import check_deliveries
from models.errors import BadSite, HeadwaterError
from models.event import DAYS, TEXTS, Event, newer_fields
from models.household import Households, check_households, read_households
from models.plausible import check_plausible
from models.policy import Policy, default_policy, read_policy
from models.privacy import check_private_places
from models.rules import Ordinance, ordinance
from models.site import Site
from models.step import Step
from models.toml_file import read_noun

EVENT_COLUMNS = ("case", "event", "happened_at", "recorded_at", "by", "method", "document", "note")
MORE_COLUMNS = (*TEXTS, *DAYS, "parties", "facts")
"""Columns that may follow: ``parties`` joined by ``;``, ``facts`` as ``name=value`` joined by ``;``."""
LONGEST_CELL = 2000
FIRST_YEAR, LAST_YEAR = 1900, 9998
_MORE = "cells beyond the columns"


@dataclass(frozen=True)
class SiteFolder:
    """A validated site. ``digest`` changes when anything that judgement rests on, but data, changes."""

    path: Path
    site: Site
    policy: Policy
    law: Ordinance
    households: Households
    digest: str

    @property
    def inbox(self) -> Path:
        return self.path / "inbox"

    @property
    def outbox(self) -> Path:
        return self.path / "outbox"


def open_site(path: Path) -> SiteFolder:
    """Read and validate a site folder.

    Raises
    ------
    BadSite, BadLaw : the first fault, naming file and key.
    """
    texts = {name: _text(path / name) for name in ("site.toml", "policy.toml", "households.toml")}
    site = read_noun(Site, _required(texts["site.toml"], path), file="site.toml", error=BadSite)
    check_plausible(site, "site.toml")
    policy = default_policy() if texts["policy.toml"] is None else read_policy(texts["policy.toml"], file="policy.toml")
    households = _households(path / "households.toml", texts["households.toml"])
    law = ordinance(site.ordinance)
    _check_against_law(site, law)
    check_deliveries(site, law)
    law = law.applying({one.rule: one.on for one in site.permit.applies})
    check_households(households, site)
    check_private_places(site, households, file="site.toml")
    check_adoptions(policy, law.offices, households, file="policy.toml")
    return SiteFolder(path, site, policy, law, households, _digest(texts))


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as caught:
        raise BadSite(f"not UTF-8 text: {caught.reason}", file=path.name) from None
    except OSError as caught:
        raise BadSite(f"cannot be read: {caught.strerror}", file=path.name) from None


def _required(text: str | None, path: Path) -> str:
    if text is None:
        raise BadSite(f"no site.toml in {path}; `headwater init DIR` makes one", file="site.toml")
    return text


def _households(path: Path, text: str | None) -> Households:
    if text is None:
        return Households()
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadSite("holds private data and is open to others; run: chmod 600 households.toml", file=path.name)
    return read_households(text, file=path.name)


def _check_against_law(site: Site, law: Ordinance) -> None:
    if site.crs != law.crs:
        raise BadSite(
            "not the ordinance's coordinate system", file="site.toml", key="crs", found=site.crs, allowed=[law.crs]
        )
    known = [rule.id for rule in law.rule]
    for one in site.permit.required:
        if one.rule not in known:
            raise BadSite("no such rule", file="site.toml", key="permit.required.rule", found=one.rule, allowed=known)
        asked = [each.name for each in getattr(law.rule_of(one.rule), "requires", ())]
        if lost := sorted(set(one.only) - set(asked)):
            raise BadSite(
                "no such requirement of the rule", file="site.toml", key="permit.required.only", found=", ".join(lost),
                allowed=asked,
            )  # fmt: skip
    shown = [one.id for one in law.rule if isinstance(one, Step) and one.nature == "information" and one.runs_from]
    for made in site.permit.applies:
        if made.rule not in shown:
            raise BadSite(
                "no step that is information with a clock", file="site.toml", key="permit.applies.rule",
                found=made.rule, allowed=shown,
            )  # fmt: skip


def _digest(texts: dict[str, str | None]) -> str:
    """Site files, every law file and the vocabulary: a change in any of them re-judges the record."""
    total = hashlib.sha256()
    for name, text in texts.items():
        total.update(f"{name}\0{text}\0".encode())
    for folder in ("ordinances", "standards", "holidays"):
        for file in sorted((files("models") / "law" / folder).iterdir(), key=lambda one: one.name):
            total.update(file.read_bytes())
    for name in ("policy.toml", "parameters.csv", "storet_fractions.csv"):
        total.update((files("models") / name).read_bytes())
    return total.hexdigest()


@dataclass(frozen=True)
class EventLine:
    """One line of events.csv: an event, or the reason why it is none."""

    row: int
    raw: str
    event: Event | None
    reason: str = ""
    column: str = ""


def read_events(path: Path) -> Iterator[EventLine]:
    """Every line of an events file; a bad line says why and the others go on.

    Raises
    ------
    BadSite : the header is not the expected one, or the file is not text.
    """
    text = _text(path)
    if text is None:
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey=_MORE)
    names = tuple(reader.fieldnames or ())
    later = names[len(EVENT_COLUMNS) :]
    if names[: len(EVENT_COLUMNS)] != EVENT_COLUMNS or set(later) - set(MORE_COLUMNS) or len(set(later)) < len(later):
        raise BadSite("unexpected columns", file=path.name, row=1, found=",".join(names), allowed=EVENT_COLUMNS)
    try:
        for row in reader:
            yield _event_line(reader.line_num, row)
    except csv.Error as caught:
        yield EventLine(reader.line_num, "", None, f"unreadable from here on: {caught}")


def _event_line(number: int, row: dict[str, Any]) -> EventLine:
    extra = row.pop(_MORE, [])
    raw = ",".join([*(str(row[name] or "") for name in row), *extra])
    if extra:
        return EventLine(number, raw, None, "more cells than columns: a cell that holds a comma stands in quotes")
    try:
        return EventLine(number, raw, event_from_text(row))
    except HeadwaterError as caught:
        return EventLine(number, raw, None, str(caught), caught.key or "")


def event_from_text(row: dict[str, str]) -> Event:
    """An event from text cells.

    Raises
    ------
    BadSite : names the column, what was found and what is allowed.
    """
    cells = {name: (row.get(name) or "").strip() for name in (*EVENT_COLUMNS, *MORE_COLUMNS)}
    for name in ("case", "event", "happened_at", "recorded_at", "by"):
        if not cells[name]:
            raise BadSite("is empty", key=name)
    for name, cell in cells.items():
        if len(cell) > LONGEST_CELL:
            raise BadSite(f"longer than {LONGEST_CELL} characters", key=name)
    happened, recorded = _instant("happened_at", cells["happened_at"]), _instant("recorded_at", cells["recorded_at"])
    return Event(
        cells["case"], cells["event"], happened, recorded, cells["by"], cells["method"], cells["document"],
        cells["note"], **_newer(cells),
    )  # fmt: skip


def _newer(cells: dict[str, str]) -> dict[str, Any]:
    for name in DAYS:
        _check_day(name, cells[name])
    facts = [one.partition("=") for one in cells["facts"].split(";") if one.strip()]
    for name, equals, value in facts:
        if not (name.strip() and equals and value.strip()):
            raise BadSite("not a fact", key="facts", found=f"{name}{equals}{value}", allowed=["name=value"])
    given = {name: cells[name] for name in (*TEXTS, *DAYS) if cells[name]}
    parties = tuple(one.strip() for one in cells["parties"].split(";") if one.strip())
    stated = {name.strip(): value.strip() for name, _, value in facts}
    return newer_fields(given | {"parties": parties, "facts": stated})


def _check_day(key: str, text: str) -> None:
    try:
        if text:
            date.fromisoformat(text)
    except ValueError:
        raise BadSite("not a day", key=key, found=text, allowed=["YYYY-MM-DD"]) from None


def _instant(key: str, text: str) -> datetime:
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise BadSite("not a time", key=key, found=text, allowed=["YYYY-MM-DDTHH:MM-06:00"]) from None
    if instant.tzinfo is None:
        raise BadSite("has no offset from UTC", key=key, found=text, allowed=["YYYY-MM-DDTHH:MM-06:00"])
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        raise BadSite("not a plausible year", key=key, found=text, allowed=[f"{FIRST_YEAR} to {LAST_YEAR}"])
    return instant
