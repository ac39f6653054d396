"""The five verdicts, and the one table that maps every domain status to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Verdict = Literal["attained", "not_attained", "indeterminate", "needs_confirmation", "not_applicable"]

# ``shortfall_semantics`` section 6 (upper case), NR 140.14 (lower case), then where a dated duty stands.
VERDICT_OF: Mapping[str, Verdict] = {
    "TRIGGERED_OPEN": "attained",
    "TRIGGERED_CLOSED": "attained",
    "TRIGGERED_CENSORED": "attained",
    "INDETERMINATE": "indeterminate",
    "INDETERMINATE_OPEN": "indeterminate",
    "WATCH": "not_attained",
    "MINOR": "not_attained",
    "MINOR_CENSORED": "not_attained",
    "NOT_APPLICABLE": "not_applicable",
    "NOT_EVALUABLE": "not_applicable",
    "attained": "attained",
    "not_attained": "not_attained",
    "below_loq": "not_attained",
    "needs_confirmation": "needs_confirmation",
    "indeterminate": "indeterminate",
    "RUNNING": "not_attained",
    "ON_RECORD": "not_attained",
    "ON_RECORD_LATE": "attained",
    "NOT_ON_RECORD": "attained",
    "WITHIN_TERM": "not_attained",
    "BEYOND_TERM": "attained",
    "DUTY_OPEN": "needs_confirmation",
    "PERMIT_OVER": "needs_confirmation",
}

# Verdicts a person must hear about; the others are computed and shown on request.
NOTABLE: frozenset[Verdict] = frozenset({"attained", "needs_confirmation", "indeterminate"})
