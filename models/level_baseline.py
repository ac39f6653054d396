"""Where the water table of a private well is read, and the index well that says what the season and the year did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import model_validator

from models.field_types import Id, Text
from models.references import known
from models.toml_file import Noun


class LevelBaseline(Noun):
    """What the water table of private wells is compared with, before mining and since.

    ``wells``: the private wells it is for, all where none is named. ``read_at``: the monitoring well whose water table
    stands for theirs, beside their own levels. ``index``: a long record that the mine does not reach, and
    ``index_beyond_reach`` why it does not.
    """

    wells: tuple[Id, ...] = ()
    read_at: Id | None = None
    index: Id | None = None
    index_beyond_reach: Text = ""

    def holds_at(self, well: str) -> bool:
        """Whether it is for a private well, or for the monitoring well that stands for some."""
        return not self.wells or well in self.wells or well == self.read_at

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.read_at is None and self.index is None:
            raise ValueError("says nothing: name read_at, index or both")
        if (self.index is None) != (not self.index_beyond_reach.strip()):
            raise ValueError("index and index_beyond_reach, why the mine does not reach it, go together")
        return self


def level_baseline_of(baselines: Sequence[LevelBaseline], well: str) -> LevelBaseline | None:
    """The baseline a well is held against, or None where the site declares none for it."""
    return next((one for one in baselines if one.holds_at(well)), None)


def fits_wells(baselines: Sequence[LevelBaseline], use_of: Mapping[str, str]) -> None:
    """Refuse wells that are not there or of another use, and two baselines for one well.

    Raises
    ------
    ValueError : naming the well.
    """
    of_use = {use: {id for id, one in use_of.items() if one == use} for use in ("private", "monitoring", "index")}
    known("private well", [id for one in baselines for id in one.wells], of_use["private"])
    known("monitoring well", [one.read_at for one in baselines if one.read_at], of_use["monitoring"])
    known("index well", [one.index for one in baselines if one.index], of_use["index"])
    for id in sorted(of_use["private"]):
        if sum(one.holds_at(id) for one in baselines) > 1:
            raise ValueError(f"two level baselines for well {id}: say which wells each is for")
    stand_ins = [one.read_at for one in baselines if one.read_at]
    if twice := sorted({id for id in stand_ins if stand_ins.count(id) > 1}):
        raise ValueError(f"two level baselines read at {', '.join(twice)}: list the wells in one")
