"""What is told where two sources differ, or may have reported one sample: once for the pair, and beside each result.

Which came first plays no part in it: the rows of a result, and the pairs, stand in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from models.checks.quality_rows import Rows, ids_of
from models.checks.quality_sources import Perhaps
from models.observation import Flags
from models.qualifiers import said_by
from models.question import StoredRow


class Elsewhere(NamedTuple):
    """What another source states of a result, with its rows; ``perhaps``: it may be the same result, counted twice."""

    states: str
    rows: tuple[str, ...]
    perhaps: str = ""

    def says(self) -> str:
        """For print."""
        if self.perhaps:
            return f"another source states {self.states}, {self.perhaps}: perhaps one sample, counted twice"
        return f"another source states {self.states}: ask which is right"


@dataclass(frozen=True)
class _Two:
    """Two results of one pair."""

    first: StoredRow
    second: StoredRow
    why: str

    def line(self) -> str:
        row, other = self.first, self.second
        said = f"{row.station} {row.day} {row.parameter}: {_with_rows(row)} and {_with_rows(other)} by two sources"
        if self.why:
            return f"{said}, {self.why}: perhaps one sample, both are judged, ask which is right"
        if _unsure(row) or _unsure(other):
            return f"{said}, of which one rejects it or may: the other is judged, ask which is right"
        return f"{said}: both are judged, ask which is right"

    def beside(self) -> Iterator[tuple[str, Elsewhere]]:
        for row, other in ((self.first, self.second), (self.second, self.first)):
            states = f"{_stated(other)}, and rejects it or may" if _unsure(other) else _stated(other)
            yield row.row_id, Elsewhere(states, _ids(other), self.why)


def disputed(rows: Rows) -> list[str]:
    """One line for each result that two sources report differently, or that may be one."""
    return [two.line() for two in _pairs(rows)]


def elsewhere(rows: Rows) -> Mapping[str, tuple[Elsewhere, ...]]:
    """What other sources state, by the id of the row that is judged."""
    found: dict[str, tuple[Elsewhere, ...]] = {}
    for two in _pairs(rows):
        for id, one in two.beside():
            found[id] = (*found.get(id, ()), one)
    return found


def _pairs(rows: Rows) -> list[_Two]:
    pairs = [*(Perhaps(*one, "") for one in rows.once.disputes), *rows.once.perhaps]
    ours, theirs = rows.at_places([one.first for one in pairs]), rows.at_places([one.second for one in pairs])
    found = [_Two(row, other, one.why) for row, other, one in zip(ours, theirs, pairs, strict=True)]
    return sorted(found, key=_place)


def _place(two: _Two) -> tuple[object, ...]:
    return two.first.station, two.first.day, two.first.parameter, _ids(two.first), _ids(two.second)


def _ids(row: StoredRow) -> tuple[str, ...]:
    return tuple(sorted(ids_of(row)))


def _unsure(row: StoredRow) -> bool:
    return bool(said_by(Flags.parse(row.flags).qualifiers) & {"rejected", "unclear"})


def _stated(row: StoredRow) -> str:
    """Value and limits as reported."""
    limits = ", ".join(_limits(row))
    return f"{row.value_text} {row.unit}{f' ({limits})' * bool(limits)}"


def _with_rows(row: StoredRow) -> str:
    return f"{row.value_text} {row.unit} ({', '.join([*_limits(row), ' '.join(_ids(row))])})"


def _limits(row: StoredRow) -> list[str]:
    facts = Flags.parse(row.flags).facts
    return [f"{name.upper()} {facts[name]}" for name in ("lod", "loq") if facts.get(name)]
