"""What a file says of a well, a gauge or an outline, in the file's own units and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from shapely import MultiPolygon, Polygon

from models.observation import Reject

Use = Literal["monitoring", "private", "production", "index"]


@dataclass(frozen=True)
class Position:
    """Where something is, as written.

    Parameters
    ----------
    x, y : easting and northing, or longitude and latitude, in the unit of ``system``.
    system : as pyproj takes it (``EPSG:3070``, WKT); ``""``: the file does not name one.
    degrees : whether x and y are longitude and latitude.
    decimals : decimals of the degree that are written, the fewer of the two; None of plane coordinates.
    datum : of plane coordinates whose system the file does not name: the datum it names, as its system of degrees.
    """

    x: float
    y: float
    system: str
    degrees: bool
    decimals: int | None = None
    datum: str = ""


@dataclass(frozen=True)
class Length:
    """A depth or an elevation as written. ``unit``: ``ft``, ``m`` or ``""`` where the file names none."""

    text: str
    unit: str
    datum: str = ""


@dataclass(frozen=True)
class Place:
    """One row of a list of wells or stations.

    Parameters
    ----------
    id : as ``site.toml`` takes it; ``identifiers`` hold what the file writes where that differs, and its other numbers.
    numbers : its Wisconsin unique well number and its DNR high capacity number; no other may be shown of a private one.
    use : None where the file does not say it in words that are known; ``use_said`` are its own.
    lengths : by key of ``site.toml`` (``depth_ft``, ``screen_top_ft``, ``screen_bottom_ft``), and ``land``, ``casing``.
    accuracy_ft : how well the file says the position is known [ft]; None: it does not say.
    private : ``owner``, ``occupant``, ``phone``, ``address``: for ``households.toml`` only.
    """

    row: int
    kind: Literal["well", "gauge"]
    id: str
    name: str = ""
    identifiers: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    use: Use | None = None
    use_said: str = ""
    position: Position | None = None
    accuracy_ft: float | None = None
    lengths: Mapping[str, Length] = field(default_factory=dict)
    quarter_quarter: str = ""
    private: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Area:
    """One outline: a site, a parcel (``parcel``), a quarter-quarter section (``quarter_quarter``).

    ``shape`` is in ``system``; ``boundary``: it calls itself one. What else it says may be anybody's and is not kept.
    """

    row: int
    shape: Polygon | MultiPolygon
    system: str
    degrees: bool
    parcel: str = ""
    quarter_quarter: str = ""
    boundary: bool = False
    private: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Places:
    """All that one file or sheet says. ``counts``: what its rows are called; ``part``: which of the tables of a file.

    ``unread``: columns nobody knows, by place, and by name only in ordinary words: what one is called may be somebody.
    """

    file: str
    sha256: str
    places: tuple[Place, ...]
    areas: tuple[Area, ...] = ()
    rejects: tuple[Reject, ...] = ()
    unread: tuple[str, ...] = ()
    counts: Literal["row", "feature"] = "row"
    part: int = 0
