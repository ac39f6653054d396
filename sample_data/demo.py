"""``make demo``: a baseline load and then the stated nights over the sample record, into a fresh folder."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pipelines import catch_up, night, public_page
from pipelines.database import default_url, opened
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from reports.text_table import text_table

SAMPLE = Path(__file__).parent
BASELINE_AS_OF = date(2025, 6, 30)
SITE_FILES = ("site.toml", "policy.toml", "households.toml", "events.csv")
CLOCK_COLUMNS = ["case", "clause", "title", "who", "standing", "plain_due", "statutory_due"]
FINDING_COLUMNS = ["night", "change", "rule", "station", "parameter", "aspect", "opened_on", "verdict", "status"]


def main(target: Path) -> None:
    """Run every night and print what it came to."""
    fresh_site(target)
    summaries = []
    for on, files in deliveries():
        started = time.perf_counter()
        deliver(target, files)
        summaries.append(run_night(target, on))
        print(line(summaries[-1], time.perf_counter() - started), flush=True)
    last = date.fromisoformat(summaries[-1]["on"])
    folder = open_site(target)
    with opened(default_url(target, os.environ)) as engine:
        page = public_page.write_site_page(
            folder, engine, last, night.end_of(last, folder.law), target / public_page.FOLDER
        )
    print("\n" + closing(target, summaries) + f"\n  page      {page['page']}")


def fresh_site(target: Path) -> None:
    """An empty copy of the sample site: its four files and an empty inbox."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "inbox").mkdir(parents=True)
    for name in SITE_FILES:
        shutil.copy(SAMPLE / name, target / name)
    (target / "households.toml").chmod(0o600)


def deliveries() -> Iterator[tuple[date, list[Path]]]:
    """What arrives for each night, the baseline load first."""
    yield BASELINE_AS_OF, sorted((SAMPLE / "baseline").iterdir())
    for folder in sorted((SAMPLE / "nights").iterdir()):
        yield date.fromisoformat(folder.name), sorted(one for one in folder.iterdir() if not one.name.startswith("."))


def deliver(target: Path, files: list[Path]) -> None:
    """Put files into the inbox."""
    for file in files:
        shutil.copy(file, target / "inbox" / file.name)


def run_night(target: Path, on: date) -> dict[str, Any]:
    """One night, as the command runs it."""
    folder = open_site(target)
    now = night.end_of(on, folder.law)
    with opened(default_url(target, os.environ)) as engine:
        return catch_up.run_alone(folder, on, now, engine, send=Maildir(folder.outbox), clock=lambda: datetime.now(UTC))


def line(summary: dict[str, Any], seconds: float) -> str:
    """One line per night."""
    told = [
        one for one in summary["changes"] if not one["information"] and one["change"] not in {"continued", "superseded"}
    ]
    return (
        f"night of {summary['on']}: {len(summary['files'])} files, {len(told)} findings changed, "
        f"{len(summary['mails'])} mails, {len(summary['left_out'])} left out, {seconds:.1f} s"
    )


def closing(target: Path, summaries: list[dict[str, Any]]) -> str:
    """Findings, duties, clocks, mails, and where to look."""
    changes = [{"night": one["on"], **change} for one in summaries for change in one["changes"]]
    told = [one for one in changes if not one["information"] and one["change"] not in {"continued", "superseded"}]
    mails = [f"  {one['on']}  {subject}" for one in summaries for subject in one["mails"]]
    digests = sum(one["digests"] for one in summaries)
    left_out = [f"  {one['on']}  {text}" for one in summaries for text in one["left_out"]]
    parts = [
        f"Findings\n{text_table(told, FINDING_COLUMNS, width=40)}",
        f"Duties and clocks\n{text_table(summaries[-1]['clocks'], CLOCK_COLUMNS, width=50)}",
        f"Mails composed: {len(mails)} alerts and {digests} nightly digests\n" + "\n".join(mails),
        "Left out, with the reason (headwater rejects)\n" + "\n".join(left_out),
        _where_to_look(target),
    ]
    return "\n\n".join(parts)


def _where_to_look(target: Path) -> str:
    commands = [
        ("mails", f"{target / 'outbox' / 'new'}"),
        ("findings", f".venv/bin/headwater findings --evidence --site {target}"),
        ("cases", f".venv/bin/headwater cases --site {target}"),
        ("clocks", f".venv/bin/headwater clock --as-of 2025-12-31 --all --site {target}"),
    ]
    return "Where to look\n" + "\n".join(f"  {name:<9} {how}" for name, how in commands)


if __name__ == "__main__":
    main(Path(".demo"))
