"""A town to break: the sample site without its acts, and deliveries written day by day for one night."""

from __future__ import annotations

import email
import email.policy
import shutil
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from models.streamflow.day_states import DailyFlow
from pipelines import casebook, night
from pipelines.database import opened, reading
from pipelines.maildir import Maildir
from pipelines.recall import Recall
from pipelines.site_folder import EVENT_COLUMNS, open_site
from sample_data import demo

GAUGE, BASE_FLOW = "05999101", 5.07
HIGH, LOW = "6.00", "4.00"
HEAD = "agency_cd\tsite_no\tdatetime\t"


class Town:
    """One site folder with a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        demo.fresh_site(folder)
        (folder / "events.csv").write_text(",".join(EVENT_COLUMNS) + "\n", encoding="utf-8")

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'headwater.db'}"

    def night(self, on: str) -> dict[str, Any]:
        """Run the night of a day, and return its summary."""
        site, day = open_site(self.folder), date.fromisoformat(on)
        with opened(self.url) as engine:
            return night.run(
                site, day, night.end_of(day, site.law), engine, send=Maildir(self.folder / "outbox"),
                clock=lambda: datetime.now(UTC),
            )  # fmt: skip

    def record(self) -> list[DailyFlow]:
        """The daily record of the gauge as it stands."""
        site = open_site(self.folder)
        gauge = next(one.id for one in site.site.gauge if GAUGE in one.identifiers)
        with opened(self.url) as engine, reading(engine) as connection:
            return Recall(connection, ZoneInfo(site.law.zone)).daily(gauge, "discharge", None, date(2100, 1, 1))

    def findings(self, *, gone: bool = False) -> list[dict[str, Any]]:
        """The newest version of each finding that is no information."""
        with opened(self.url) as engine, reading(engine) as connection:
            found = casebook.versions(connection)
        return [one for one in found if not one["information"] and (gone or one["change"] not in casebook.GONE)]

    def daily(self, name: str, start: str, values: Sequence[str], approval: str = "P", series: str = "100001") -> None:
        """A published daily file of the gauge; "" leaves the day out."""
        days = [date.fromisoformat(start) + timedelta(days=k) for k in range(len(values))]
        rows = [f"USGS\t{GAUGE}\t{day}\t{value}\t{approval}" for day, value in zip(days, values, strict=True) if value]
        self._rdb(name, f"{series}_00060_00003\t{series}_00060_00003_cd", "5s\t15s\t20d\t14n\t10s", rows)

    def quarters(self, name: str, start: str, days: int, value: str, series: str) -> None:
        """A 15-minute file of the gauge at one value."""
        first = datetime.fromisoformat(start)
        self.readings(name, [(first + timedelta(minutes=15 * k), value) for k in range(96 * days)], series)

    def readings(self, name: str, readings: Sequence[tuple[datetime, str]], series: str = "100001") -> None:
        """A file of readings of the gauge at wall-clock times of summer."""
        rows = [f"USGS\t{GAUGE}\t{one:%Y-%m-%d %H:%M}\tCDT\t{value}\tP" for one, value in readings]
        self._rdb(name, f"tz_cd\t{series}_00060\t{series}_00060_cd", "5s\t15s\t20d\t6s\t14n\t10s", rows)

    def deliver(self, path: Path) -> None:
        """Put a copy of a file into the inbox."""
        shutil.copy(path, self.folder / "inbox" / path.name)

    def put(self, name: str, text: str) -> None:
        """Put a file of this text into the inbox."""
        (self.folder / "inbox" / name).write_text(text, encoding="utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Change one place of a site file."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def mail(self, subject: str) -> str:
        """The plain text of the newest mail whose subject holds this."""
        files = sorted((self.folder / "outbox" / "new").iterdir(), reverse=True)
        mails = (email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files)
        found = next(one for one in mails if subject in str(one["Subject"]))
        body = found.get_body(("plain",))
        assert body is not None
        return " ".join(str(body.get_content()).split())

    def _rdb(self, name: str, columns: str, types: str, rows: Sequence[str]) -> None:
        self.put(name, "\n".join([f"# {name}", HEAD + columns, types, *rows]) + "\n")
