"""``headwater init``: a site folder with commented skeletons."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from models.errors import BadQuestion
from models.rules import Ordinance, SamplingRule, ordinance
from pipelines.terminal import as_json, emit

PRIVATE = 0o600
SKELETONS = ("site.toml", "policy.toml", "households.toml", "events.csv")
EXAMPLE = "howard"
"""The ordinance the skeletons are written for."""


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.option("--ordinance", "town", default=EXAMPLE, show_default=True, help="The ordinance the site is under.")
@as_json
def init(directory: Path, town: str, as_json: bool) -> int:
    """Make DIRECTORY a site: commented site.toml, policy.toml, households.toml, events.csv, inbox/ and outbox/.

    Nothing that is there is overwritten.
    """
    law = ordinance(town)
    taken = [name for name in SKELETONS if (directory / name).exists()]
    if taken:
        raise BadQuestion("already there; nothing was written", file=str(directory / taken[0]))
    for folder in (directory / "inbox", directory / "outbox"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in SKELETONS:
        text = (files("pipelines") / "skeleton" / name).read_text(encoding="utf-8")
        _write(directory / name, text if town == EXAMPLE else under(law, text))
    made = [str(directory / name) for name in (*SKELETONS, "inbox", "outbox")]
    emit(
        {"made": made},
        lambda: "\n".join([*made, "", f"next: fill in site.toml, then headwater check --site {directory}"]),
        json_wanted=as_json,
    )
    return 0


def under(law: Ordinance, skeleton: str) -> str:
    """A skeleton for a site under another ordinance than the example's: its name, coordinates, permit and mail."""
    example, name = ordinance(EXAMPLE), law.jurisdiction.partition(",")[0]
    for old, new in (
        (f'ordinance = "{example.id}"', f'ordinance = "{law.id}"'),
        ("NAD83(2011) / WISCRS Chippewa (ftUS)", "the coordinate system of the ordinance"),
        (example.crs, law.crs),
        (example.jurisdiction.partition(",")[0], name),
        (f"@{example.id}.example", f"@{law.id}.example"),
        (example.rule[0].id, law.rule[0].id),
        (_sampled_under(example), _sampled_under(law)),
        ("# at most three years, and never past the lease", ""),
    ):
        skeleton = skeleton.replace(old, new)
    return "\n".join(line.rstrip() for line in skeleton.split("\n"))


def _sampled_under(law: Ordinance) -> str:
    """The rule that a sampling calendar stands under."""
    return next((rule.id for rule in law.rule if isinstance(rule, SamplingRule)), "…")


def _write(path: Path, text: str) -> None:
    path.touch(mode=PRIVATE if path.name == "households.toml" else 0o644)
    path.write_text(text, encoding="utf-8")
