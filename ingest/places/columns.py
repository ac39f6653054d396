"""What the columns of a list of wells mean. Columns about people are told apart before all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.headings import plain_name
from ingest.headings import understood as headings
from ingest.reading import Source

EITHER_DATUM = ("datum", "datum_cd", "datum_code", "datum_name", "geodetic_datum", "reference_datum")
"""Headings of a datum, which is that of the heights where a cell names one of those."""
ROLES: dict[str, tuple[str, ...]] = {
    "id": (
        "well_id", "site_no", "monitoring_location_number", "station_id", "site_id", "well_no", "well_number",
        "station_no", "station_number", "site_number", "location_id", "wuwn", "wi_unique_well", "wi_unique_well_no",
        "wi_unique_well_number", "unique_well_no", "wi_uwn", "well", "station", "site", "hicap_num", "hicap_no",
        "high_capacity_no", "high_capacity_number", "high_capacity_well_no", "high_capacity_well_number", "site_seq_no",
        "site_seq0", "id",
    ),
    "name": (
        "well_name", "site_name", "station_nm", "station_name", "monitoring_location_name", "location_name",
        "common_name", "name",
    ),
    "use": ("use", "well_use", "use_of_well", "purpose", "well_purpose", "well_type", "type"),
    "site_type": ("site_tp_cd", "site_type_code"),
    "latitude": ("dec_lat_va", "latitude", "lat", "lat_dd", "latitude_dd", "decimal_latitude", "dec_lat"),
    "longitude": (
        "dec_long_va", "longitude", "lon", "long", "lng", "long_dd", "longitude_dd", "decimal_longitude", "dec_long",
    ),
    "x": ("x", "easting", "x_coord", "xcoord", "coord_x", "x_coordinate"),
    "y": ("y", "northing", "y_coord", "ycoord", "coord_y", "y_coordinate"),
    "system": (
        "crs", "epsg", "epsg_code", "srid", "srs", "coordinate_system", "coordinate_reference_system", "coord_system",
        "coord_sys", "spatial_reference", "dec_coord_datum_cd", "coord_datum_cd", "horizontal_datum", "horiz_datum",
        "h_datum", "hdatum", "coord_datum", "coordinate_datum", "lat_long_datum", "lat_lon_datum", "latlong_datum",
        "gps_datum", "map_datum", "geographic_datum", "horizontal_reference_datum", "horizontal_datum_name",
        "horizontal_coordinate_reference_system_datum_name", "horizontalcoordinatereferencesystemdatumname",
        *EITHER_DATUM,
    ),
    "accuracy_code": ("coord_acy_cd", "horizontal_positional_accuracy_code"),
    "accuracy": ("position_accuracy", "horizontal_accuracy", "coordinate_accuracy"),
    "depth": ("depth", "well_depth", "total_depth", "constructed_depth", "depth_of_well"),
    "screen_top": ("screen_top", "top_of_screen", "screen_top_depth", "depth_to_screen_top", "screen_from"),
    "screen_bottom": (
        "screen_bottom", "bottom_of_screen", "screen_bottom_depth", "depth_to_screen_bottom", "screen_to",
    ),
    "casing": ("casing_depth", "depth_of_casing", "casing_bottom"),
    "land": ("land_surface_elevation", "ground_elevation", "land_elevation", "ground_surface_elevation", "elevation"),
    "land_datum": ("alt_datum_cd", "vertical_datum", "elevation_datum", *EITHER_DATUM),
    "quarter_quarter": ("quarter_quarter", "qtr_qtr", "qq", "quarter_quarter_section"),
    "parcel": (
        "parcel", "parcel_id", "parcelid", "taxparcelid", "tax_parcel", "tax_parcel_id", "parcel_no", "parcel_number",
        "pin",
    ),
}  # fmt: skip
"""Headings, as ``plain_name`` writes them, by what the column says; of several the one named first here is read."""

HIGH_CAPACITY = frozenset(one for one in ROLES["id"] if one.startswith(("hicap", "high_capacity")))
"""Headings of DNR high capacity well numbers: elsewhere a number alone may be that of a house."""
LENGTHS = ("depth", "screen_top", "screen_bottom", "casing", "land", "accuracy")
IN_FEET = {"well_depth_va": "depth", "well_constructed_depth": "depth", "alt_va": "land", "altitude": "land"}
"""USGS site files: feet, by the description of the fields."""
UNITS = {"ft": "ft", "feet": "ft", "foot": "ft", "m": "m", "metre": "m", "metres": "m", "meter": "m", "meters": "m"}
_OF_LISTS = frozenset(word for names in ROLES.values() for name in names for word in name.split("_")) | {
    "agency", "aquifer", "bedrock", "code", "comment", "comments", "completed", "constructed", "construction", "county",
    "created", "date", "description", "diameter", "elev", "height", "lithology", "measured", "method", "note", "notes",
    "number", "objectid", "projection", "remark", "remarks", "section", "shape", "source", "static", "status", "survey",
    "township", "unit", "units", "updated", "water", "year", "zone",
}  # fmt: skip
"""Words that lists of wells are headed by; any other may be a name."""

Private = Literal["owner", "occupant", "phone", "address", "mail"]
_PRIVATE: dict[Private, frozenset[str]] = {
    "mail": frozenset({"email", "mail"}),
    "phone": frozenset({"phone", "telephone", "tel", "mobile", "cell", "fax"}),
    "address": frozenset({"address", "addr", "street", "road", "mailing", "city", "zip", "zipcode", "pstladress"}),
    "occupant": frozenset({"occupant", "tenant", "resident", "renter"}),
    "owner": frozenset({"owner", "owners", "contact", "customer", "client", "permittee", "applicant", "grantor",
                        "grantee", "lastname", "firstname", "surname", "household"}),
}  # fmt: skip
_OWNER_RUN_ON = re.compile(r"owner|ownr|taxpayer|(?:last|first|middle|family|given|full|sur)_?name")
_UNIT_BEHIND = re.compile(rf"_(?P<unit>{'|'.join(UNITS)})$")


@dataclass(frozen=True)
class Columns:
    """A header understood: column by role, unit by length, private columns in order; ``unread``: what nobody knows."""

    roles: Mapping[str, str]
    units: Mapping[str, str]
    ids: tuple[str, ...]
    private: Mapping[Private, tuple[str, ...]]
    unread: tuple[str, ...]

    @property
    def names_places(self) -> bool:
        """There is a number, and a position beside it or in two columns."""
        return "id" in self.roles and (self.degrees or self.plane)

    @property
    def degrees(self) -> bool:
        return {"latitude", "longitude"} <= set(self.roles)

    @property
    def plane(self) -> bool:
        return {"x", "y"} <= set(self.roles)


def understood(header: Iterable[str], told: Mapping[str, str]) -> Columns:
    """Each column's meaning.

    Parameters
    ----------
    told : heading by role, as a person says it; stands before what the headings themselves say, but never makes a
        column about people public.
    """
    header = list(header)
    names = [one for one in header if one]
    private = {name: kind for name in names if (kind := private_kind(name))}
    open_ = [name for name in names if name not in private]
    found = {role: heading for role, heading in told.items() if heading in open_}
    units = {role: _told_unit(heading) for role, heading in found.items() if role in LENGTHS}
    for role, heading, unit in _by_name(open_):
        if role not in found:
            found[role] = heading
            units.update({role: unit} if role in LENGTHS else {})
    ids = tuple(name for name in open_ if name == found.get("id") or plain_name(name) in ROLES["id"][:-1])
    used = {*found.values(), *ids}
    kinds = {kind: tuple(name for name in private if private[name] == kind) for kind in private.values()}
    unread = tuple(_column(place, name) for place, name in enumerate(header, 1) if name in open_ and name not in used)
    return Columns(found, units, ids, kinds, unread)


def _column(place: int, heading: str) -> str:
    """A column by its place, from 1; by its name too where no word of that may be somebody."""
    name = plain_name(heading)
    return f"column {place} ({name})" if set(name.split("_")) <= _OF_LISTS else f"column {place}"


def refuse_readings(source: Source, header: Sequence[str]) -> None:
    """Refuse a table whose rows are readings: whatever is read twice would stand there as two wells.

    Raises
    ------
    BadFile : it has times and values.
    """
    if headings(header).a_table_of_values:
        raise source.bad("readings, and no list of places: put it into the inbox")


def _by_name(names: list[str]) -> list[tuple[str, str, str]]:
    """(role, heading, unit), in the order in which the headings of a role are preferred."""
    found: list[tuple[int, str, str, str]] = []
    for heading in names:
        name, unit = _length(plain_name(heading))
        for role, known in ROLES.items():
            if name in known and (role in LENGTHS or name == plain_name(heading)):
                found.append((known.index(name), role, heading, unit))
        if plain_name(heading) in IN_FEET:
            found.append((0, IN_FEET[plain_name(heading)], heading, "ft"))
    return [(role, heading, unit) for _, role, heading, unit in sorted(found, key=lambda one: one[0])]


def _length(name: str) -> tuple[str, str]:
    behind = _UNIT_BEHIND.search(name)
    return (name[: behind.start()], UNITS[behind["unit"]]) if behind else (name, "")


def _told_unit(heading: str) -> str:
    return "ft" if plain_name(heading) in IN_FEET else _length(plain_name(heading))[1]


def private_kind(heading: str) -> Private | None:
    """What a column says of people; None: nothing."""
    name = plain_name(heading)
    words = set(name.split("_"))
    for kind, known in _PRIVATE.items():
        if words & known:
            return kind
    return "owner" if _OWNER_RUN_ON.search(name) else None
