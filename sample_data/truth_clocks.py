"""The running times of the two cases, by hand: first day excluded; statutory moves off Sundays and legal holidays."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

REMEDY, FLOW = "howard.remedy/R-1/2025-08-11", "howard.baseflow/LMC-1/2025-08-25"
CLOCKS: tuple[Mapping[str, object], ...] = (
    {
        "case": REMEDY, "rule": "howard.remedy.notice", "clause": "2.15(2)",
        "town_receipt": "2025-08-11T09:15:00-05:00", "operator_receipt": "2025-08-12T14:00:00-05:00",
        "note": "both receipts are recorded, on different days: each starts its own time",
    },
    {
        "case": REMEDY, "rule": "howard.remedy.interim.step", "clause": "2.15(3)", "nature": "window",
        "runs_from": "town_receipt", "from": "2025-08-11T09:15:00-05:00", "hours": 24,
        "plain_due": "2025-08-12T09:15:00-05:00", "statutory_due": "2025-08-12T09:15:00-05:00",
        "met_by": "interim_supply_decided", "met_at": "2025-08-11T18:30:00-05:00",
        "met_known_on": date(2025, 8, 11), "supply_began": "2025-08-12T08:00:00-05:00",
        "note": "a window of the town: nobody is in default when it passes",
    },
    {
        "case": REMEDY, "rule": "howard.remedy.report", "clause": "2.15(4)", "nature": "deadline",
        "runs_from": "operator_receipt", "from": "2025-08-12T14:00:00-05:00", "days": 20,
        "plain_due": date(2025, 9, 1), "statutory_due": date(2025, 9, 2),
        "overdue_known_on": date(2025, 9, 3), "met_by": "operator_report_received",
        "met_at": "2025-09-04T16:00:00-05:00", "late": True, "met_known_on": date(2025, 9, 5),
        "note": "1 September 2025 is Labor Day; late: interim supply goes on, no cessation of mining",
    },
    {
        "case": REMEDY, "rule": "howard.remedy.review", "clause": "2.15(5)", "nature": "step",
        "met_by": "report_denied", "met_at": "2025-09-18T19:10:00-05:00", "met_known_on": date(2025, 9, 25),
        "note": "no time and no consequence of a denial are stated",
    },
    {
        "case": FLOW, "rule": "howard.baseflow.answer", "clause": "2.09(3)(c)", "nature": "deadline",
        "runs_from": "town_notice_given", "from": "2025-08-29T10:00:00-05:00", "days": 20,
        "plain_due": date(2025, 9, 18), "statutory_due": date(2025, 9, 18),
        "met_by": "operator_plan_received", "met_at": "2025-09-15T11:00:00-05:00", "late": False,
        "met_known_on": date(2025, 9, 25), "approved_at": "2025-09-24T19:30:00-05:00",
        "note": "nothing runs from the trigger date; the town had no time to notify in",
    },
)  # fmt: skip
