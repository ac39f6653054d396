"""A station of a site under another name, by where it stands: a person may have renamed what a file once gave."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import shapely

from models.household import Households
from models.site import Site
from pipelines.site_from_files.places import Placed

STANDS_FT = 1.0
"""Positions nearer to each other than this, or than the file knows, do not differ."""
_Kind = tuple[str, bool]


class Twins:
    """Stations that no row of the files names, by kind, private wells apart: by their exact places in the private file.

    What shares a point within one file, as the wells of a nest, is never one another's twin.
    """

    def __init__(self, site: Site, homes: Households, named: AbstractSet[str]) -> None:
        exact = {one.well: one.position for one in homes.well}
        found: dict[_Kind, list[tuple[str, tuple[float, float]]]] = {}
        for well in site.well:
            at = exact.get(well.id) if well.use == "private" else well.position
            if at is not None and well.id not in named:
                found.setdefault(("well", well.use == "private"), []).append((well.id, at))
        for gauge in site.gauge:
            if gauge.position is not None and gauge.id not in named:
                found.setdefault(("gauge", False), []).append((gauge.id, gauge.position))
        self._used: set[str] = set()
        self._ids = {kind: [id for id, _ in each] for kind, each in found.items()}
        self._trees = {
            kind: shapely.STRtree([shapely.Point(at) for _, at in each]) for kind, each in found.items() if each
        }

    def of(self, one: Placed) -> str | None:
        """The station that stands where a place does; the first by id of several."""
        kind = one.place.kind, one.place.use == "private"
        if one.point is None or kind not in self._trees:
            return None
        hits = self._trees[kind].query(shapely.Point(one.point), predicate="dwithin", distance=STANDS_FT)
        found = {self._ids[kind][int(hit)] for hit in hits} - self._used
        return min(found, default=None)

    def use(self, id: str) -> None:
        """Let no other place be this station."""
        self._used.add(id)
