"""The night as a Prefect flow: a shell over plain functions, retried where the world outside is asked.

Prefect is imported inside functions only: it takes seconds, and no other command needs it. ``work`` is the process
that `serve` starts; each night runs in a process of its own, which the runner starts. What people should read goes to
the standard output, Prefect's own log to the error stream, which `serve` keeps in a file.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from models.errors import HeadwaterError
from pipelines import catch_up, fetch, night
from pipelines.child_process import die_with_parent
from pipelines.database import default_url, opened
from pipelines.modflow.flow import modflow_flow
from pipelines.outbox import Message, Refused
from pipelines.site_folder import SiteFolder, open_site
from pipelines.smtp import sender
from pipelines.watchdog import status_of

if TYPE_CHECKING:
    from uuid import UUID

    from prefect import Flow
    from prefect.client.orchestration import PrefectClient
    from prefect.client.schemas.objects import State
    from prefect.runner import Runner

RETRY_AFTER_S: list[float] = [30, 330]
"""Waits before a mail is tried again within the night; the second outlasts the usual five minutes of greylisting."""
PATIENCE_S = 1800
"""How long after the first failure mails are still tried again; what is unsent then is the next night's."""
LONGEST_NIGHT_S = 3 * 3600
"""A night that hangs must not keep the next one from running."""
TOLD = 3
"""How much of what was left out is said in the line of a run; the summary and the digest have all of it."""
_RUNNER = "HEADWATER_RUNNER"


def nightly(site: str, as_of: date | None = None) -> State[None]:
    """One night of a site folder: yesterday's if it is not finished yet, or the night of a given civil day."""
    from prefect.runtime import flow_run
    from prefect.states import Completed, Failed

    if os.environ.get(_RUNNER) == str(os.getppid()):
        die_with_parent()
    now = max(_now(), flow_run.scheduled_start_time)  # a run may be started a few seconds before its time
    try:
        state, line = told(_run(open_site(Path(site)), now, as_of))
    except (HeadwaterError, OSError) as caught:
        state, line = "Failed", str(caught)
    except Exception as caught:  # noqa: BLE001  a defect of ours is one line too
        state, line = "Failed", f"a fault of the program: {type(caught).__name__}: {caught}"
    click.echo(f"{site}: {line}")
    return (
        Completed(name=state, message=line) if state in {"Completed", "Skipped"} else Failed(name=state, message=line)
    )


def _run(folder: SiteFolder, now: datetime, as_of: date | None) -> dict[str, Any] | None:
    from prefect import get_run_logger

    env, say = os.environ, get_run_logger().info
    with opened(default_url(folder.path, env)) as engine, sender(env, folder.outbox) as send:
        again = retried(send)
        if as_of is None:
            asked = fetch.for_night(folder, engine, env)
            return catch_up.scheduled(folder, engine, now, send=again, clock=_now, fetch=asked, say=say, pause=sleep)
        known = night.end_of(as_of, folder.law)
        return catch_up.run_alone(folder, as_of, known, engine, send=again, clock=_now, say=say, page=True, pause=sleep)


def told(summary: dict[str, Any] | None) -> tuple[str, str]:
    """The name of the state and one line, from a night's summary. What left something out is not called completed."""
    if summary is None:
        return "Skipped", "last night is finished already"
    counts = ", ".join(f"{len(summary[name])} {name.replace('_', ' ')}" for name in ("files", "changes", "mails"))
    short = [*summary["left_out"], *summary["not_sent"]]
    more = [f"and {len(short) - TOLD} more"] if len(short) > TOLD else []
    line = "; ".join([f"night of {summary['on']}: {counts}", *short[:TOLD], *more])
    return "Completed" if status_of(summary) == "done" else "Partial", line


def retried(send: Callable[[Message], None]) -> Callable[[Message], None]:
    """The same function, tried again when it fails. For what asks the world outside, and nothing else."""
    from prefect import task
    from prefect.cache_policies import NO_CACHE

    failed_at: list[float] = []

    def worth_another(_: object, __: object, state: State[Any]) -> bool:
        failed_at.append(monotonic())
        refused = isinstance(state.result(raise_on_failure=False), Refused)
        return not refused and failed_at[-1] - failed_at[0] < PATIENCE_S

    @task(
        retries=len(RETRY_AFTER_S), retry_delay_seconds=RETRY_AFTER_S, retry_condition_fn=worth_another,
        cache_policy=NO_CACHE, persist_result=False,
    )  # fmt: skip
    def send_mail(message: Message) -> None:
        send(message)

    return send_mail


def nightly_flow() -> Flow[..., Any]:
    """`nightly` as Prefect sees it. No retries of its own: a night that failed is caught up by the next."""
    from prefect import flow

    return flow(name="night", timeout_seconds=LONGEST_NIGHT_S, persist_result=False, validate_parameters=True)(nightly)


def work(at: time, sites: list[Path]) -> None:
    """Register the nights of all sites, run what was missed, and wait for the schedule until told to stop."""
    os.environ[_RUNNER] = str(os.getpid())
    asyncio.run(_work(at, [open_site(one) for one in sites]))


async def _work(at: time, folders: list[SiteFolder]) -> None:
    from prefect.client.orchestration import get_client
    from prefect.runner import Runner

    # One at a time: of the runs that an outage left behind, the first does the work and the others see that it is done.
    runner = Runner(name="headwater", limit=1, pause_on_shutdown=False)
    async with get_client() as client:
        await _close_what_was_killed(client)
        for folder in folders:
            id = await _register(runner, folder, at)
            await _register_by_hand(runner, folder)
            await _catch_up(client, id, folder, at)
    await runner.start()


async def _register(runner: Runner, folder: SiteFolder, at: time) -> UUID:
    from prefect.schedules import Cron

    click.echo(f"{folder.path}: every night at {at:%H:%M} {folder.law.zone}")
    return await runner.aadd_flow(
        nightly_flow(), name=folder.site.id, parameters={"site": str(folder.path)},
        schedules=[Cron(f"{at.minute} {at.hour} * * *", timezone=folder.law.zone)],
    )  # fmt: skip


async def _register_by_hand(runner: Runner, folder: SiteFolder) -> None:
    """The numerical model has no schedule: somebody asks for it, with parameters."""
    await runner.aadd_flow(
        modflow_flow(), name=f"{folder.site.id} numerical model", parameters={"site": str(folder.path)}
    )


async def _catch_up(client: PrefectClient, deployment: UUID, folder: SiteFolder, at: time) -> None:
    """Have one night run now if one was missed."""
    with opened(default_url(folder.path, os.environ)) as engine:
        missed = catch_up.missed(engine, folder.site.id, _now(), at, ZoneInfo(folder.law.zone))
    if missed:
        click.echo(f"{folder.path}: a night was missed; running it now")
        await client.create_flow_run_from_deployment(deployment, name=f"catch-up {_now():%Y-%m-%d %H:%M}")


async def _close_what_was_killed(client: PrefectClient) -> None:
    """Runs that an earlier runner had begun are over; its end may have been too sudden to say so."""
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
    from prefect.client.schemas.objects import StateType
    from prefect.states import Crashed

    begun = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
    which = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=begun)))
    for run in await client.read_flow_runs(flow_run_filter=which):
        await client.set_flow_run_state(run.id, Crashed(message="its runner ended"), force=True)


def _now() -> datetime:
    return datetime.now(UTC)


def main() -> None:
    """``-m pipelines.flows HH:MM SITE…``: one line and exit code 4 where it cannot begin."""
    try:
        work(time.fromisoformat(sys.argv[1]), [Path(one) for one in sys.argv[2:]])
    except (HeadwaterError, OSError) as caught:
        click.echo(f"headwater: {caught}")
        sys.exit(4)
