"""``headwater serve``: the nights on a schedule."""

from __future__ import annotations

from datetime import time
from pathlib import Path

import click

from pipelines import serve as service
from pipelines.commands.watchdog import ClockTime
from pipelines.site_folder import open_site
from pipelines.terminal import as_json, to_json


@click.command()
@click.option(
    "--at", type=ClockTime(), default=service.AT, show_default="02:10", help="When a night begins, local time."
)
@click.option("--host", default=service.HOST, show_default=True, help="Address the web page listens on.")
@click.option("--port", type=click.IntRange(1, 65535), default=service.PORT, show_default=True, help="And its port.")
@click.option(
    "--site", "site_dirs", type=click.Path(path_type=Path, file_okay=False), multiple=True, default=[Path()],
    show_default="current folder", help="Folder that holds site.toml; may be repeated.",
)  # fmt: skip
@as_json
def serve(at: time, host: str, port: int, site_dirs: tuple[Path, ...], as_json: bool) -> None:
    """Run every site's night on a schedule, with retries and a web page for runs by hand.

    Nights begin at a local time of each ordinance's zone. After an outage one night catches up. Ends on Ctrl-C or
    SIGTERM; exit code 4 when it cannot go on.
    """

    def say(line: str) -> None:
        click.echo(to_json({"said": line}, indent=None) if as_json else line)

    if host not in service.LOOPBACK:
        say(f"{host} is open to others, and the web page asks no password: put it behind a proxy that does")
    service.serve([open_site(one) for one in site_dirs], at, host, port, say)
