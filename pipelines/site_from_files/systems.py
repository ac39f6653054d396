"""Which coordinate system the numbers of a file stand in: by its own words, or by a person's who says ``--crs``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ingest.places.place import Area, Places, Position, Use
from ingest.places.system import WGS84
from models.errors import BadFile
from pipelines.site_from_files.coordinates import in_words, same_datum, same_system
from pipelines.site_from_files.toml_text import words

NO_SYSTEM = "the file does not name the coordinate system: say which by --crs, as EPSG:3070"


@dataclass(frozen=True)
class Said:
    """What a person says of all files. ``columns``: heading by role."""

    system: str = ""
    use: Use | None = None
    within_mi: float = 10.0
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Origin:
    """Where a fact stands: file, its digest, row or feature; ``part``: in which of its tables, from 0."""

    file: str
    sha256: str
    counts: str
    row: int
    part: int = 0

    def text(self) -> str:
        table = f"table {self.part + 1}, " if self.part else ""
        return f"{words(self.file)} (sha256 {self.sha256[:12]}), {table}{self.counts} {self.row}"


def origin_of(found: Places, row: int) -> Origin:
    """Where a row of a file stands."""
    return Origin(found.file, found.sha256, found.counts, row, found.part)


def system_of(position: Position | Area, said: Said, origin: Origin) -> str:
    """The system a position stands in, by the file or else by the person.

    Raises
    ------
    BadFile : neither names one, or the file names a datum that the person's system is not on.
    """
    system = position.system or said.system
    if not system:
        raise BadFile(NO_SYSTEM, file=origin.file, row=origin.row)
    if isinstance(position, Position) and position.datum and not same_datum(position.datum, system):
        raise _against_crs(position.datum, origin, said.system)
    return system


def refuse_contradicted(found: Iterable[Places], system: str) -> None:
    """Refuse a ``--crs`` that no file needs and that some file's own words are against.

    It is for files that do not name theirs; GeoJSON without a word is on WGS 84 whatever anybody says.

    Raises
    ------
    BadFile : names both.
    """
    named: dict[str, Origin] = {}
    for one in found:
        for row, at in [*((each.row, each.position) for each in one.places), *((each.row, each) for each in one.areas)]:
            if at is not None:
                named.setdefault(at.system, origin_of(one, row))
    named.pop(WGS84, None)
    if system and named and "" not in named and not any(same_system(one, system) for one in named):
        raise _against_crs(*next(iter(named.items())), system)


def _against_crs(named: str, origin: Origin, system: str) -> BadFile:
    return BadFile(
        f"the file names {in_words(named)}, and --crs {in_words(system)}: leave --crs out if the file is right, else "
        "mend the file",
        file=origin.file, row=origin.row,
    )  # fmt: skip
