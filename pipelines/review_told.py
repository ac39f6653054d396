"""Review acts as people read them: what each says, and whether it still stands for what is on record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from models import review, signed_draft
from models.finding import Finding
from models.review import WITHDRAWN_KEY, Review
from models.streamflow.day_states import Quantity
from pipelines import casebook, estimates, level_steps, review_book
from pipelines.recall import Recall
from pipelines.review_acts import Room, estimate_desk, plain
from pipelines.review_book import SHOWN_KEY, value_text
from pipelines.site_folder import SiteFolder

STAMP = ("key", "change", "known_at")
"""What `casebook.versions` adds to the body of a finding."""
GAVE_WAY = "gave way to the record"


def rows(room: Room, acts: Sequence[Review]) -> list[dict[str, Any]]:
    """Every act in the order it was recorded, with what it says and how it stands now."""
    gone = review.withdrawn(acts)
    versions = review_book.newest_versions(room.connection)
    return [
        plain(one)
        | {"says": says(one), "state": "withdrawn" if one.key() in gone else _state(room, one, versions)}
        for one in acts
    ]  # fmt: skip


def says(act: Review) -> str:
    """What an act states, in a line."""
    facts = act.facts
    if act.act == "accept":
        return ", ".join(f"{day} {value}" for day, value in sorted(facts.items()))
    if act.act == "estimate":
        given = "" if facts["given"] == f"{facts['value']} {facts['unit']}" else f" (given {facts['given']})"
        return f"{facts['day']} {facts['value']} {facts['unit']}{given}: {facts['method']}"
    if act.act == "contest":
        sample = f"sample {facts['sample']}: " if facts["sample"] else ""
        return f"{sample}{facts['reason']}"
    if act.act == level_steps.ACT:
        return f"{facts['kind']}: {level_steps.step_of(act).says()}: {facts['reason']}"
    if act.act == "withdraw":
        return f"{facts[WITHDRAWN_KEY][:SHOWN_KEY]}: {facts['reason']}"
    return f"{facts.get('file', 'version')} {facts['digest'][:SHOWN_KEY]}"


def _state(room: Room, act: Review, versions: dict[str, review_book.Version]) -> str:
    """How an act that was not withdrawn stands against what is on record now."""
    if act.act == "accept":
        return _accepted(room, act)
    if act.act == "estimate":
        desk = estimate_desk(room, act)
        return "stands" if desk is not None and estimates.speaks(desk, act) else GAVE_WAY
    if act.act == "sign_base_flow":
        return signed_in_site(room.folder, act)
    if act.act == "sign_finding":
        return _signed(act, versions)
    return "recorded" if act.act == "withdraw" else "stands"


def _accepted(room: Room, act: Review) -> str:
    """Whether each accepted day still has the value it was accepted with."""
    id, _, quantity = act.subject.partition(" ")
    gauge = next((one for one in room.folder.site.gauge if one.id == id), None)
    if gauge is None:
        return "no gauge of this site any more"
    days = sorted(map(date.fromisoformat, act.facts))
    record = review_book.record_of(Recall(room.connection, room.zone), gauge, days[0], days[-1])
    now = {day: value_text(record.get(day), _quantity(quantity)) or "unknown" for day in days}
    stale = [
        f"{day} {was} is now {now[day]}"
        for day in days
        if not review.same_value(was := act.facts[day.isoformat()], now[day])
    ]
    return f"stale: {', '.join(stale)}" if stale else "stands"


def _quantity(text: str) -> Quantity:
    return "stage" if text == "stage" else "discharge"


def _signed(act: Review, versions: dict[str, review_book.Version]) -> str:
    version = versions.get(act.facts["finding"])
    if version is None or version.change in casebook.GONE:
        return "stands under a finding that was withdrawn"
    return "stands" if version.digest == act.facts["digest"] else "stands under an earlier version"


def signed_in_site(folder: SiteFolder, act: Review) -> str:
    """Whether site.toml holds the base flow that was signed."""
    wanted = (act.facts["gauge"], act.facts["version"])
    records = [one for stream in folder.site.stream for one in stream.base_flow]
    found = next((one for one in records if (one.gauge, one.version) == wanted), None)
    if found is None:
        return "not in site.toml"
    same = signed_draft.digest(found) == act.facts["digest"]
    return "in site.toml as signed" if same else "DIFFERS: site.toml holds another record under this version"


def of_finding(
    room: Room, body: dict[str, Any], acts: Sequence[Review], versions: dict[str, review_book.Version]
) -> dict[str, Any]:  # fmt: skip
    """What reviewers did about a finding: trigger days accepted, signatures, and a few words where there is any.

    Parameters
    ----------
    body : a finding's newest version as `casebook.versions` gives it.
    """
    folder = room.folder
    found = Finding.from_body({name: value for name, value in body.items() if name not in STAMP})
    known = any(one.id == found.rule for one in folder.law.rule)
    taken = review_book.acceptance(
        room.connection, room.zone, folder.site.gauge, folder.law, found, acts
    ) if known else None  # fmt: skip
    signed = review_book.signatures(body["key"], versions, acts)
    words = [
        *([taken.says()] if taken is not None and (taken.by_day or taken.stale) else []),
        *(["contested"] if found.facts.get("contested") else []),
        *(one.says() for one in signed),
    ]
    return {
        "acceptance": None if taken is None else taken.data(), "signatures": [one.data() for one in signed],
        "says": "; ".join(words),
    }  # fmt: skip
