"""The five verdicts, and the one table that maps every domain status to one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Verdict = Literal["attained", "not_attained", "indeterminate", "needs_confirmation", "not_applicable"]

# ``shortfall_semantics`` section 6 (upper case) and NR 140.14 (lower case).
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
}

# Verdicts a person must hear about; the others are computed and shown on request.
NOTABLE: frozenset[Verdict] = frozenset({"attained", "needs_confirmation", "indeterminate"})
