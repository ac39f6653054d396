"""Whether a paper is written as its case stands."""

from __future__ import annotations

from models.case import Case
from models.paper_kind import PaperKind


def why_not(kind: PaperKind, case: Case) -> str | None:
    """Why a paper is not written as its case stands, in plain words; None where it is."""
    if case.status != "open" and kind.corrects is None:
        return f"the case is {case.status}"
    if kind.after and not case.in_effect & set(kind.after):
        return f"it is written after {' or '.join(kind.after)}, which is not on record"
    gone = [one.name for one in case.events if one.name in kind.unless]
    return f"{gone[-1]} is on record" if gone else None
