"""The verdict of every status of the shortfall semantics (section 6)."""

from __future__ import annotations

from models.errors import BadQuestion
from models.verdict import VERDICT_OF, Verdict

STATUSES = (
    "MINOR", "WATCH", "INDETERMINATE", "INDETERMINATE_OPEN", "TRIGGERED_OPEN", "TRIGGERED_CLOSED",
    "TRIGGERED_CENSORED", "MINOR_CENSORED", "NOT_APPLICABLE", "NOT_EVALUABLE",
)  # fmt: skip
"""RETRACTED (an event) and OUTAGE (a finding of the network) have no verdict and are not here."""


def status_verdict(status: str) -> Verdict:
    """The verdict of a status.

    Raises
    ------
    BadQuestion : a word that is not a status with a verdict.
    """
    if status not in STATUSES:
        raise BadQuestion("no such status", key="status", found=status, allowed=STATUSES)
    return VERDICT_OF[status]
