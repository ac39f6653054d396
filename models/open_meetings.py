"""How soon a public body may meet: what an open-meetings law leaves of a window in hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from models.field_types import Text
from models.toml_file import Noun

Hours = Annotated[int, Field(gt=0)]


class OpenMeetings(Noun):
    """The notice a meeting needs, and what a body may decide ahead."""

    citation: str
    verification: Text
    notice_hours: Hours
    good_cause_hours: Hours
    delegation: Text

    def notice(self) -> str:
        """How long before a meeting it is noticed, in plain words."""
        return (
            f"Open meetings ({self.citation}; {self.verification}): a meeting is noticed {self.notice_hours} hours "
            f"ahead, for good cause less, never under {self.good_cause_hours} hours."
        )

    def limits(self, received: datetime, end: datetime, zone: ZoneInfo) -> list[str]:
        """The last notice that a meeting inside a window still allows, in plain words.

        Parameters
        ----------
        received, end : aware; when the window began and its plain end.
        """
        usual, least = (end - timedelta(hours=hours) for hours in (self.notice_hours, self.good_cause_hours))
        late = usual <= received
        said = "which is no later than the receipt: it cannot be kept" if late else "for a meeting as it ends"
        return [
            self.notice(),
            f"Inside this window that is notice by {_local(usual, zone)}, {said}; for good cause by "
            f"{_local(least, zone)} at the latest.",
            self.delegation,
        ]


def _local(instant: datetime, zone: ZoneInfo) -> str:
    return instant.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")
