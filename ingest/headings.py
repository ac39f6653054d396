"""What the column names of a plain table mean: who, what, when, how much, in which unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ingest.cells import NUMBER_PATTERN, BadCell, unit
from ingest.reading import Source
from ingest.times import ZONE_HOURS
from models.errors import BadUnit
from models.observation import Reject
from models.parameters import find_parameter, parameter, parameter_id
from models.units import CONCENTRATIONS, unit_id

ROLES: dict[str, tuple[str, ...]] = {
    "station": (
        "station", "station_id", "station_no", "station_number", "site", "site_no", "site_id", "site_number", "well",
        "well_id", "well_no", "gauge", "gauge_id", "gage", "gage_id", "location", "location_id",
        "monitoring_location_id", "monitoring_location_identifier",
    ),
    "parameter": ("parameter", "parameter_cd", "parameter_code", "parm_cd", "pcode", "parameter_name", "variable"),
    "statistic": ("statistic", "statistic_id", "stat_cd", "stat", "statistic_cd"),
    "series": ("series", "series_id", "sensor", "sensor_id", "ts_id", "time_series_id", "timeseries_id", "method_id"),
    "time": (
        "datetime", "date_time", "timestamp", "time_stamp", "local_time", "local_datetime", "date_and_time", "dt",
        "observed_at", "sampled_at",
    ),
    "day": ("date", "day", "sample_date", "sampling_date", "collection_date", "measurement_date", "obs_date"),
    "clock": ("time", "time_of_day", "sample_time", "clock_time"),
    "zone": ("timezone", "time_zone", "tz", "tz_cd", "utc_offset", "zone"),
    "value": ("value", "result", "reading", "result_value"),
    "unit": ("unit", "units", "uom", "unit_of_measure", "unit_cd"),
    "qualifier": ("qualifier", "qualifiers", "flag", "flags", "code", "remark_cd", "value_cd"),
    "approval": ("approval", "approval_cd", "approval_status"),
}  # fmt: skip
"""Names, as ``plain_name`` writes them, by what the column says."""

LABELS = {
    "name", "station_name", "station_nm", "site_name", "well_name", "location_name", "series_desc", "description",
    "note", "notes", "comment", "comments", "remark", "remarks", "agency", "agency_cd", "agency_code", "by", "observer",
    "parameter_desc", "source",
}  # fmt: skip
"""Columns that name or explain: identity is the id, so they are listed as not read."""

_MEASURED = {
    "flow": "discharge", "streamflow": "discharge", "gauge_height": "stage", "dtw": "depth_to_water",
    "water_level_depth": "depth_to_water", "rain": "precipitation", "rainfall": "precipitation",
    "total_pressure": "logger_pressure", "absolute_pressure": "logger_pressure", "baro": "barometric_pressure",
    "baro_pressure": "barometric_pressure", "air_pressure": "barometric_pressure",
}  # fmt: skip
_UNITS = {
    "ft3s": "cfs", "ft3_s": "cfs", "m3s": "m3/s", "m3_s": "m3/s", "ls": "L/s", "l_s": "L/s", "mg_l": "mg/L",
    "ug_l": "ug/L", "ng_l": "ng/L", "us_cm": "uS/cm", "deg_c": "degC", "deg_f": "degF",
}  # fmt: skip
_MOST_WORDS = 12
_AS_NITROGEN = re.compile(r"_(?:as_)?n$")
_ZONE_BEHIND = re.compile(rf"_(?P<zone>{'|'.join(ZONE_HOURS)})$", re.IGNORECASE)
_OFFSET_BEHIND = re.compile(r"(?:UTC|GMT)\s*[-+][0-9]{1,2}(?::?[0-9]{2})?", re.IGNORECASE)
_PLAIN = str.maketrans({"µ": "u", "μ": "u", "²": "2", "³": "3", "^": ""})


_UNIT_BEHIND = re.compile(r"[(\[]\s*(?P<unit>[^()\[\]]+?)\s*[)\]]\s*$")
_BEHIND_NAME = re.compile(r"\s*(?:[(\[].*|,\s*(?:dissolved|total)\b.*)", re.IGNORECASE | re.DOTALL)
_AMOUNT = re.compile(rf"\s*[<>]?\s*(?:{NUMBER_PATTERN})(?:\s+[A-Z]{{1,3}})?\s*")
LONGEST_NAME = 80
DROPPED = "a column named for a substance, of which the unit or the basis (as N, as NO3) is not told or that stands "
DROPPED += "beside a column of results: none of its numbers is taken; say what it is in its head, or by --map MAP.toml"


@dataclass(frozen=True)
class Measured:
    """A column named for what it holds, as in ``discharge_ft3s`` or ``Stage (ft)``.

    ``fraction``: the words of it in the name (``Lead, dissolved (ug/L)``); ``qualifier``: the column of its codes.
    """

    column: str
    parameter: str
    unit: str
    fraction: str = ""
    qualifier: str = ""


@dataclass(frozen=True)
class Headings:
    """A header understood.

    Parameters
    ----------
    roles : column by role.
    measured : columns named for parameter and unit.
    zone : the zone that the name of the time column states, ``""`` for none.
    unread : columns that are labels; ``strange`` those that mean nothing known.
    """

    roles: Mapping[str, str]
    measured: tuple[Measured, ...]
    zone: str
    unread: tuple[str, ...]
    strange: tuple[str, ...]

    @property
    def a_table_of_values(self) -> bool:
        """There is a time, and something measured at it."""
        return bool({"time", "day"} & set(self.roles)) and ("value" in self.roles) != bool(self.measured)


def understood(header: Iterable[str]) -> Headings:
    """Each column's meaning; of two columns for one thing the first is read."""
    names = tuple(header)
    roles: dict[str, str] = {}
    measured: list[Measured] = []
    unread: list[str] = []
    strange: list[str] = []
    for column in names:
        role = _role(column)
        if role is not None and role not in roles:
            roles[role] = column
        elif role is not None or plain_name(column) in LABELS:
            unread.append(column)
        elif (found := _measured(column)) is not None:
            measured.append(found)
        else:
            strange.append(column)
    if "clock" in roles and "day" not in roles and "time" not in roles:
        roles["time"] = roles.pop("clock")
    zone = _zone_of(roles.get("clock") or roles.get("time", ""))
    return Headings(roles, tuple(measured), zone, tuple(unread), tuple(strange))


def plain_name(column: str) -> str:
    """``Discharge (ft³/s)`` as ``discharge_ft3_s``."""
    return re.sub(r"[^0-9a-z]+", "_", column.translate(_PLAIN).casefold()).strip("_")


def names_substance(cell: str) -> bool:
    """Whether a cell is the name or the CAS number of a known substance, or of anything in a unit of concentration."""
    text = cell.strip()
    name = _BEHIND_NAME.sub("", text)
    if not any(letter.isalpha() for letter in name):
        return find_parameter("cas", name) is not None
    behind = _UNIT_BEHIND.search(text)
    return len(name) <= LONGEST_NAME and (find_parameter("name", name) is not None or _is_amount(behind))


def _is_amount(behind: re.Match[str] | None) -> bool:
    try:
        return behind is not None and unit_id(behind["unit"]) in CONCENTRATIONS
    except BadUnit:
        return False


def dropped_columns(source: Source, cells: Mapping[str, Iterable[tuple[int, str]]]) -> Iterator[Reject]:
    """One reject for each column of numbers that is named for a substance and that nobody reads.

    Parameters
    ----------
    cells : of each column that is not read, by row.
    """
    for column, own in cells.items():
        numbers = [(row, text) for row, text in own if _AMOUNT.fullmatch(text)] if names_substance(column) else []
        if numbers:
            yield source.reject(numbers[0][0], column, numbers[0][1], DROPPED, len(numbers))


def parameter_of(text: str) -> str:
    """The parameter that a cell or a flag names: a five-digit USGS code, an id or a name; unknown ones stay."""
    if re.fullmatch(r"[0-9]{5}", text):
        return parameter_id("usgs", text)
    known = _known(plain_name(text))
    return parameter_id("name", text) if known is None else known


def unit_of(text: str, parameter_id: str) -> str:
    """The unit a spelling means for a parameter; of an unknown parameter it stays as written.

    Raises
    ------
    BadCell : unknown, or it measures something else.
    """
    found = find_parameter("name", parameter_id)
    if found is None:
        return text or "1"
    return unit(_UNITS.get(plain_name(text), text), found.canonical_unit)


def _role(column: str) -> str | None:
    name = plain_name(column)
    for role, names in ROLES.items():
        bare = plain_name(_without_zone(column)) if role in {"time", "clock"} else name
        if name in names or bare in names:
            return role
    return None


def _without_zone(column: str) -> str:
    return _ZONE_BEHIND.sub("", plain_name(_OFFSET_BEHIND.sub("", column)))


def _zone_of(column: str) -> str:
    offset = _OFFSET_BEHIND.search(column)
    if offset is not None:
        return offset[0]
    code = _ZONE_BEHIND.search(plain_name(column))
    return code["zone"].upper() if code is not None else ""


def _measured(column: str) -> Measured | None:
    """Split at every underscore: the longest name that is a parameter, before a unit that measures it."""
    words = plain_name(column).split("_")
    if len(words) > _MOST_WORDS:
        return None
    for cut in range(len(words) - 1, 0, -1):
        found = _split("_".join(words[:cut]), "_".join(words[cut:]))
        if found is not None:
            return Measured(column, *found)
    return None


def _split(name: str, spelling: str) -> tuple[str, str] | None:
    """Nitrogen species are measured ``mg/L as N``: without those words a nitrate may be as NO3, and is not guessed."""
    bare = _AS_NITROGEN.sub("", spelling)
    id = _known(name) or (_known(f"{name}_as_n") if bare != spelling else None)
    if id is None:
        return None
    for text in (bare, bare.replace("_", "/"), bare.replace("_", " ")):
        try:
            return id, unit(_UNITS.get(text, text), parameter(id).canonical_unit)
        except BadCell:
            continue
    return None


def _known(name: str) -> str | None:
    found = find_parameter("name", name) or find_parameter("name", name.replace("_", " "))
    return _MEASURED.get(name) if found is None else found.id
