"""The time limit of one whole answer: the connection is cut, whatever part of it drips."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


class Line:
    """The open connections of a client, and a clock that cuts them: also a head that drips ends."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self.was_cut = False

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Told by httpcore what it does."""
        if event == "connection.connect_tcp.complete":
            found = info["return_value"].get_extra_info("socket")
            self._sockets = [one for one in self._sockets if one.fileno() >= 0] + [found]

    @contextmanager
    def cut_after(self, seconds: float) -> Iterator[None]:
        """Cut whatever is open after so many seconds; ``was_cut`` then says so."""
        self.was_cut = False
        timer = threading.Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _cut(self) -> None:
        self.was_cut = True
        for one in self._sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # closed meanwhile, which is what was wanted
