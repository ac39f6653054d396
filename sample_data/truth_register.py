"""The dated duties of the story, by hand: what the register shows, and by which day each was due.

The register is kept from 30 December 2024, the day the permit was granted; mining began on 1 January 2025.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

REGISTER = "howard.register/pine-hollow/2024-12-30"
APPROVALS, OTHER = "howard.approvals", "howard.report.other"

FINDINGS: tuple[Mapping[str, object], ...] = (
    {
        "rule": APPROVALS, "clause": "2.09(1)(d)", "station": "pine-hollow", "status": "NOT_ON_RECORD",
        "verdict": "attained", "opened_on": date(2024, 12, 31), "known_on": date(2025, 6, 30),
        "ended_on": date(2025, 7, 28), "days_late": 205,
        "note": "due on the day before mining began, a Tuesday; the proof came on 24 July 2025: 31 + 28 + 31 + 30 + 31 "
        "+ 30 + 24 days after 31 December",
    },
    {
        "rule": OTHER, "clause": "2.09(1)(e)", "station": "pine-hollow", "status": "DUTY_OPEN",
        "verdict": "needs_confirmation", "opened_on": date(2025, 9, 16), "known_on": date(2025, 9, 25),
        "ended_on": date(2025, 11, 4), "days_late": 0,
        "note": "the clause states no time: a duty that is open, and over on 21 October; never late",
    },
)  # fmt: skip

# As of the end of 31 December 2025: what is done, and the next day of what is not.
DUTIES: tuple[Mapping[str, object], ...] = (
    {"rule": APPROVALS, "clause": "2.09(1)(d)", "who": "operator", "standing": "done_late",
     "plain_due": date(2024, 12, 31), "statutory_due": date(2024, 12, 31)},
    {"rule": "howard.report.annual", "clause": "2.14", "who": "operator", "standing": "running",
     "plain_due": date(2026, 12, 1), "statutory_due": date(2026, 12, 1),
     "note": "about 2025, the first calendar year of mining; 1 December 2026 is a Tuesday"},
    {"rule": "howard.permit.renewal", "clause": "2.10(2)(a)", "who": "operator", "standing": "running",
     "plain_due": date(2027, 8, 31), "statutory_due": date(2027, 8, 31),
     "note": "120 days before 29 December 2027: 29 + 30 + 31 + 30 back to 31 August, a Tuesday"},
    {"rule": "howard.permit", "clause": "2.10(1)(a)", "who": "town", "standing": "done",
     "plain_due": date(2027, 12, 30), "statutory_due": date(2027, 12, 30),
     "note": "three years from 30 December 2024; the permit ends the day before"},
)  # fmt: skip
