"""``headwater watchdog``: for cron or a systemd timer; imports nothing heavy, asks nothing of the database."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime, time
from pathlib import Path

import click

from pipelines import watchdog as night_watch
from reports.text_table import one_line

_ADDRESS = re.compile(r"[^@\s<>,;:\"-][^@\s<>,;:\"]*@[A-Za-z0-9.-]+")


class ClockTime(click.ParamType[time]):
    """HH:MM as a time of day."""

    name = "HH:MM"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> time:
        if isinstance(value, time):
            return value
        text = str(value)
        try:
            found = time.fromisoformat(text) if re.fullmatch(r"\d\d:\d\d", text) else None
        except ValueError:
            found = None
        return found if found is not None else self.fail(f"{text!r} is not a time of day, as 06:00", param, ctx)


def _addresses(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for one in values:
        if not one.isascii() or not _ADDRESS.fullmatch(one):
            raise click.BadParameter(f"{one!r} is not a mail address")
    return values


@click.command()
@click.option(
    "--by", type=ClockTime(), default=night_watch.BY, show_default="06:00", help="When it must have finished."
)
@click.option(
    "--site", "site_dir", type=click.Path(path_type=Path, file_okay=False), default=Path(),
    show_default="current folder", help="Folder that holds site.toml.",
)  # fmt: skip
@click.option("--mail-to", multiple=True, callback=_addresses, help="Mail the complaint too; may be repeated.")
@click.option(
    "--sendmail",
    type=click.Path(dir_okay=False),
    help="Program that takes mails; else HEADWATER_SMTP_*, else SITE/outbox/.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def watchdog(by: time, site_dir: Path, mail_to: tuple[str, ...], sendmail: str | None, as_json: bool) -> int:
    """Complain when last night did not finish by the set hour, even if the database is gone.

    Last night is yesterday's in the ordinance's zone. Exit code 1: a complaint, one line each on the error stream.
    """
    now = datetime.now(UTC)
    found = night_watch.complaints(site_dir, now, by, os.environ)
    for one in found:
        click.echo(f"headwater: watchdog: {one_line(one)}", err=True)
    if as_json:
        click.echo(json.dumps({"ok": not found, "complaints": found}, indent=2))
    elif not found:
        last = night_watch.read(site_dir)
        click.echo(f"the night of {last.day} finished at {last.finished_at:%Y-%m-%dT%H:%MZ}: {last.status}")
    if found and mail_to:
        from pipelines.watchdog_mail import send

        send(site_dir, found, mail_to, now, sendmail=sendmail, env=os.environ)
    return 1 if found else 0
