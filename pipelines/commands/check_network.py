"""``headwater check --network``: every requirement on wells, waters and papers, and each gap with what fills it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from models.applicability import why_not
from models.checks.network import answers, required
from models.checks.network_answer import STATES, Answer
from models.network_rule import NetworkRule
from models.question import Changed, Observations, Question
from models.streamflow.shortfall import DailyFlow
from pipelines.database import default_url, opened, reading
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from reports.text_table import text_table

COLUMNS = ("clause", "requirement", "required_by", "state", "gap", "what_to_do")
NO_STORE = (
    "station",
    "parameter",
    "series",
    "unit",
    "clock",
    "time_ms",
    "day",
    "value",
    "value_text",
    "flags",
    "row_id",
)
OPEN = {"gap", "to be surveyed", "cannot tell"}
"""States under which the network is not known to be complete."""
BEFORE_MINING = "still open"
"""A gap of a site where mining has not begun: nothing is judged, and there is time to fill it."""
NOT_REQUIRED = "not required"
ENTER_DECISION = 'where a decision requires it: [[permit.required]] rule = "{}"'
WIDTH = 150
"""So that no key to fill in is cut."""

Row = dict[str, Any]


class _Nothing:
    """The record of a site that has no store yet."""

    def daily(self, *_: object) -> list[DailyFlow]:
        return []

    def rows(self, *_: object) -> pd.DataFrame:
        return pd.DataFrame(columns=list(NO_STORE))


def network_rows(folder: SiteFolder) -> list[Row]:
    """Every requirement in force today, a row for each gap of it; nothing is stored, and no store is made."""
    if "HEADWATER_DATABASE_URL" not in os.environ and not (folder.path / "headwater.db").exists():
        return list(_rows(_question(folder, _Nothing())))
    with opened(default_url(folder.path, os.environ)) as engine, reading(engine) as connection:
        return list(_rows(_question(folder, Recall(connection, ZoneInfo(folder.law.zone)))))


def stands(rows: Sequence[Row]) -> bool:
    """Whether a gap stands, or nobody can tell."""
    return any(one["state"] in OPEN and not one["information"] for one in rows)


def network_text(rows: Sequence[Row]) -> str:
    """The table of a person."""
    if not rows:
        return "this ordinance asks for no network and no inventory"
    return text_table(rows, COLUMNS, width=WIDTH)


def _question(folder: SiteFolder, observations: Observations) -> Question:
    now = datetime.now(UTC)
    on = now.astimezone(ZoneInfo(folder.law.zone)).date()
    return Question(
        folder.site, folder.law, folder.policy, observations, on, now, Changed(everything=True),
        positions=folder.households.well,
    )  # fmt: skip


def _rows(question: Question) -> Iterator[Row]:
    for rule in question.law.checks(question.on):
        if isinstance(rule, NetworkRule):
            yield from _of_rule(rule, question)


def _of_rule(rule: NetworkRule, question: Question) -> Iterator[Row]:
    """A row for each gap of a requirement, and one where there is none."""
    why = why_not(rule, question)
    for answer in [Answer(one, not_judged=why) for one in rule.requires] if why else answers(rule, question):
        row = _row(rule, question, answer)
        if not answer.gaps:
            yield row
        for gap in answer.gaps:
            yield row | {"gap": gap.says if gap.sure else f"perhaps {gap.says}", "what_to_do": gap.do}


def _row(rule: NetworkRule, question: Question, answer: Answer) -> Row:
    asked = answer.asked
    unasked = (rule.required_by or asked.required_by) and required(rule, question, asked) is None
    return {
        "rule": rule.id, "clause": asked.clause, "requirement": asked.name.replace("_", " "), "title": asked.title,
        "text": asked.text, "reading": asked.counsel, "required_by": _required_by(rule, question, answer),
        "state": NOT_REQUIRED if unasked else _state(answer, question), "measured": answer.measured,
        "gap": "" if unasked else answer.not_judged or answer.unknown, "information": rule.information,
        "what_to_do": ENTER_DECISION.format(rule.id) if unasked else "", "notes": list(answer.notes),
    }  # fmt: skip


def _state(answer: Answer, question: Question) -> str:
    state = STATES[answer.verdict]
    return BEFORE_MINING if state in OPEN and question.on < question.began else state


def _required_by(rule: NetworkRule, question: Question, answer: Answer) -> str:
    decision = required(rule, question, answer.asked)
    if decision is not None:
        return f"{decision.decision}, {decision.on}"
    return "no decision" if rule.required_by or answer.asked.required_by else "the ordinance"
