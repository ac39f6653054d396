"""``headwater init``: a site folder with commented skeletons."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from models.errors import BadQuestion
from pipelines.terminal import as_json, emit

PRIVATE = 0o600
SKELETONS = ("site.toml", "policy.toml", "households.toml", "events.csv")


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@as_json
def init(directory: Path, as_json: bool) -> int:
    """Make DIRECTORY a site: commented site.toml, policy.toml, households.toml, events.csv, inbox/ and outbox/.

    Nothing that is there is overwritten.
    """
    taken = [name for name in SKELETONS if (directory / name).exists()]
    if taken:
        raise BadQuestion("already there; nothing was written", file=str(directory / taken[0]))
    for folder in (directory / "inbox", directory / "outbox"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in SKELETONS:
        _write(directory / name, (files("pipelines") / "skeleton" / name).read_text(encoding="utf-8"))
    made = [str(directory / name) for name in (*SKELETONS, "inbox", "outbox")]
    emit(
        {"made": made},
        lambda: "\n".join([*made, "", f"next: fill in site.toml, then headwater check --site {directory}"]),
        json_wanted=as_json,
    )
    return 0


def _write(path: Path, text: str) -> None:
    path.touch(mode=PRIVATE if path.name == "households.toml" else 0o644)
    path.write_text(text, encoding="utf-8")
