"""Ids of cases: kind, subject and the day they opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from models.errors import BadQuestion

_CASE_ID = re.compile(
    r"(?P<kind>[a-z0-9_.]+)/(?P<subject>[A-Za-z0-9._-]+)/(?P<opened>\d{4}-\d{2}-\d{2})(\.(?P<number>[2-9]))?", re.ASCII
)


@dataclass(frozen=True)
class CaseId:
    """``kind/subject/date`` as in ``howard.baseflow/LMC-1/2025-08-25``; ``.2`` after it is a second one of that day."""

    kind: str
    subject: str
    opened: date
    number: int = 1

    def __str__(self) -> str:
        return f"{self.kind}/{self.subject}/{self.opened}" + (f".{self.number}" if self.number > 1 else "")

    @staticmethod
    def parse(text: str) -> CaseId:
        """Read a case id.

        Raises
        ------
        BadQuestion : not of the form kind/subject/YYYY-MM-DD.
        """
        match = _CASE_ID.fullmatch(text)
        try:
            if match:
                opened = date.fromisoformat(match["opened"])
                return CaseId(match["kind"], match["subject"], opened, int(match["number"] or 1))
        except ValueError:
            pass
        raise BadQuestion("not a case id", found=text, allowed=["kind/subject/YYYY-MM-DD"])
