"""The README cannot rot: every command is in it, and what it tells people to type works."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click
import pytest

from pipelines import cli
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DELIVERIES = {
    "2025-06-30": [
        "baseline/usgs-05999101-dv-2025-06-30.rdb",
        "baseline/hand-levels-2025-06-30.csv",
        "baseline/grn-export-2025-04-29.csv",
    ],
    "2025-08-12": ["nights/2025-07-15/usgs-05999101-dv-2025-07-15.rdb", "nights/2025-08-11/owner-log-2025-08-11.csv"],
}


def _code_lines() -> Iterator[str]:
    """Lines of code blocks, indented or fenced, without their comments."""
    fenced = False
    for line in README.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield line.split(" #")[0].strip()


def _typed() -> list[list[str]]:
    """The arguments of every headwater command in a code block."""
    words = [shlex.split(line) for line in _code_lines()]
    return [one[1:] for one in words if one and Path(one[0]).name == "headwater"]


def _commands() -> Iterator[str]:
    context = click.Context(cli.cli)
    for name in cli.cli.list_commands(context):
        found = cli.cli.get_command(context, name)
        if isinstance(found, click.Group):
            yield from ([name] if found.invoke_without_command else [])
            yield from (f"{name} {inner}" for inner in found.list_commands(context))
        else:
            yield name


def _groups() -> list[str]:
    return sorted({one.split()[0] for one in _commands() if " " in one})


@pytest.mark.parametrize("command", list(_commands()))
def test_every_command_is_in_the_table_of_commands(command: str) -> None:
    rows = [line for line in README.splitlines() if line.startswith(f"| `headwater {command}")]
    assert [row for row in rows if re.match(rf"\| `headwater {command}[ `]", row)]


def test_no_command_is_described_that_does_not_exist() -> None:
    said = set(
        re.findall(
            rf"headwater ((?:(?:{'|'.join(_groups())}) (?=[a-z]))?[a-z]+)(?=[ `])",
            " ".join(re.findall(r"`[^`]+`", README)),
        )
    )
    assert said - set(_commands()) == set()


@pytest.mark.parametrize("goal", ["demo", "test"])
def test_both_commands_of_make_are_told_and_exist(goal: str) -> None:
    assert f"make {goal}" in list(_code_lines())
    assert re.search(rf"^{goal}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_every_option_of_the_table_exists(capsys: pytest.CaptureFixture[str]) -> None:
    for line in re.findall(r"^\| `headwater ([^`]+)`", README, re.MULTILINE):
        words = re.findall(r"[a-z]+", line.split("[")[0].split("-")[0])
        command = words[:2] if words[0] in _groups() else words[:1]
        assert cli.run([*command, "--help"]) == 0
        text = capsys.readouterr().out
        assert [option for option in re.findall(r"--[a-z-]+", line) if option not in text] == [], line


def test_what_the_readme_types_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every headwater line of every code block, in order, in a folder that looks like the checkout after the demo."""
    (tmp_path / "sample_data").symlink_to(demo.SAMPLE)
    demo.fresh_site(tmp_path / ".demo")
    for on, files in DELIVERIES.items():
        demo.deliver(tmp_path / ".demo", [demo.SAMPLE / name for name in files])
        demo.run_night(tmp_path / ".demo", date.fromisoformat(on))
    monkeypatch.chdir(tmp_path)
    typed = _typed()
    assert len(typed) > 5
    for arguments in typed:
        assert cli.run(arguments) in {0, 1, 3}, (arguments, capsys.readouterr().err)
        assert capsys.readouterr().out.strip(), arguments


def test_files_and_folders_that_the_readme_names_exist() -> None:
    named = re.findall(
        r"`((?:models|ingest|reports|pipelines|sample_data|tests|benchmarks|docs|deploy)/[\w./-]*)`", README
    )
    assert named
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_the_site_skeleton_is_what_init_says_it_makes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["init", str(tmp_path / "new")]) == 0
    capsys.readouterr()
    made = {one.name for one in (tmp_path / "new").iterdir()}
    for name in made:
        assert name in README
    shutil.rmtree(tmp_path / "new")
