"""The command line: one lazy group, so that ``--help`` answers at once.

Exit codes: 0 done; 1 "no" where a command is a check; 2 bad input; 3 done but something was left
out; 4 the environment failed. A user never sees a traceback.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any

import click

from models.errors import HeadwaterError
from pipelines.lazy_group import LazyGroup

# name -> (module of pipelines.commands, its command, short help): help needs no import of the command.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("init", "init", "Scaffold a site folder."),
    "check": ("check", "check", "Validate the site and law files; list standards nobody has verified."),
    "read": ("read", "read_files", "Parse files and show what is in them; store nothing."),
    "ingest": ("ingest", "ingest", "Read, check and store files; count what became of every row."),
    "fetch": ("fetch", "fetch", "Pull what the site's USGS and WQP stations need since the last value."),
    "rejects": ("rejects", "rejects", "Rows that were not taken, and why."),
    "nightly": ("nightly", "nightly", "The whole night: inbox to findings, cases and mails."),
    "serve": ("serve", "serve", "The nightly run on a schedule, with retries and a web page."),
    "watchdog": ("watchdog", "watchdog", "Complain when last night did not finish by the set hour."),
    "doctor": ("doctor", "doctor", "Look at everything a night needs, and say what to do."),
    "verify": ("verify", "verify", "Check the seals of every log: was anything changed since it was recorded?"),
    "findings": ("findings", "findings", "What the rules found, with clause and verdict."),
    "cases": ("cases", "list_cases", "Cases and where they stand."),
    "case": ("cases", "case", "Show one case, or record an act in it."),
    "review": ("review", "review", "A reviewer's acts on values, results, findings and base flows."),
    "clock": ("clock", "clock", "What is due, by whom, from which act, under which clause."),
    "funds": ("funds", "funds", "What the operator posted, what was drawn and is owed; what it may have to cover."),
    "households": ("households", "households", "Private data: who is on file, who looked, what may be released."),
    "report": ("report", "report", "Documents: papers of a case, the site page, the annual appendix."),
    "quality": ("quality", "quality", "NR 140 verdicts of a file or a station."),
    "backtest": ("backtest", "backtest", "Judge the record under another law; which verdicts that flips."),
    "baseflow": ("baseflow", "baseflow", "Base flow separated from a discharge record, by any method."),
    "lowflow": ("lowflow", "lowflow", "Low-flow statistics of a discharge record; drafts a base flow to be signed."),
    "drawdown": ("drawdown", "drawdown", "Drawdown of wells by an analytic model, with its range."),
    "depletion": ("depletion", "depletion", "Depletion of a stream by an analytic model, with its range."),
    "levels": ("levels", "levels", "A well's logger readings and their corrections; or flow of one measuring round."),
    "shortfall": ("shortfall", "shortfall", "Days and spells below a base flow, of any readable file."),
    "cone": ("cone", "cone", "The cone of depression of a scenario or of the site's own pumping."),
    "pit": ("pit", "pit", "Inflow and radius of influence of a pit kept dry."),
    "modflow": ("modflow", "modflow", "The same question through MODFLOW 6: layers, streams, a pit, behind a gate."),
}

_GARBAGE = 200_000
"""New objects before cycles are looked for: at Python's 700, rows of a large file cost a quarter more time."""


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="headwater", prog_name="headwater")
def cli() -> None:
    """Headwater watches groundwater and streams around a permitted mine for the town that permitted it."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: every error is one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal or a file name may hold what the other cannot print
    gc.set_threshold(_GARBAGE)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        code: Any = cli.main(args=None if arguments is None else list(arguments), standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as caught:
        caught.show()
        return caught.exit_code
    except click.ClickException as caught:
        click.echo(f"headwater: {_one_line(caught)}", err=True)
        return caught.exit_code
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return 130
    except HeadwaterError as caught:
        click.echo(f"headwater: {caught}", err=True)
        return caught.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as caught:
        where = f"{caught.filename}: " if caught.filename else ""
        click.echo("headwater: " + " ".join(f"{where}{caught.strerror or caught}".split()), err=True)
        return 4
    except Exception as caught:  # noqa: BLE001 a defect of ours is one line too; the traceback is for us
        return _defect(caught)
    return code if isinstance(code, int) else 0


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path.removeprefix("cli").strip() if context else ""
    return " ".join(f"{command + ': ' if command else ''}{error.format_message()}".split())


def _defect(error: Exception) -> int:
    if os.environ.get("HEADWATER_TRACEBACK"):
        raise error
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    click.echo(f"headwater: a fault of the program: {reason} (HEADWATER_TRACEBACK=1 shows where)", err=True)
    return 4
