"""Processes of ours that end when we end: politely on the way out, at once if we are killed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

_PR_SET_PDEATHSIG = 1


def start(
    command: Sequence[str], env: Mapping[str, str], log: IO[bytes], *, output: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """A child out of reach of the terminal's Ctrl-C: only we tell it to stop.

    Parameters
    ----------
    log : takes its error stream.
    output : takes what it says; None for where we say ours.
    """
    return subprocess.Popen(  # noqa: S603
        command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=log,
        start_new_session=True, preexec_fn=die_with_parent,  # nothing else runs in this process yet
    )  # fmt: skip


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies, however that happens (Linux, prctl(2))."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def stop(child: subprocess.Popen[bytes], patience_s: float) -> None:
    """Ask it to end; after a while end it, and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
        try:
            child.wait(patience_s)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
