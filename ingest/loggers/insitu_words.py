"""What the columns of In-Situ's programs measure: WinSitu, VuSitu, HydroVu.

``Depth`` is the height of water over the sensor, worked out by the logger from its own pressure: of an absolute sensor
it holds the air as well, unless somebody compensated the file. ``Depth to Water`` and ``Surface Elevation`` hang on a
reference that a person set in the logger and the file names by no datum: they stay ``name:…`` until somebody says.
"""

from __future__ import annotations

import re

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, open_parameter, unit_for
from ingest.reading import Told

MEASURED = {
    "depth": "logger_level",
    "level depth": "logger_level",
    "pressure": "logger_pressure",
    "barometric pressure": "barometric_pressure",
    "baro pressure": "barometric_pressure",
    "temperature": "water_temperature",
    "specific conductivity": "specific_conductance",
    "ph": "ph",
}
OPEN = {
    "depth to water", "level depth to water", "water level", "level", "elevation", "level elevation",
    "surface elevation", "level surface elevation",
}  # fmt: skip
"""Levels above or below something that only the person who set up the logger knows."""
AIR = {"pressure": "barometric_pressure", "temperature": "air_temperature"}
"""The same columns of an instrument that hangs in the air."""

NAME = re.compile(r"(?P<label>[^()]{1,60}?)\s*\((?P<unit>[^()]{0,30})\)\s*(?:\((?P<serial>[^()]{1,30})\))?")


def is_air(device: str) -> bool:
    """Whether a device is In-Situ's barometer (BaroTROLL)."""
    return "baro" in device.casefold()


def channel(column: str, label: str, spelling: str, series: str, air: bool, told: Told) -> Channel:
    """One column.

    Raises
    ------
    BadCell : a column or a unit that is not read.
    """
    name = re.sub(r"[^a-z]+", " ", label.casefold()).strip()
    if name in OPEN:
        return Channel(column, series, *open_parameter(label, spelling, told))
    known = (AIR.get(name) if air else None) or MEASURED.get(name)
    if known is None:
        raise BadCell(f"a column that is not read; read are: {', '.join((*MEASURED, *sorted(OPEN)))}")
    return Channel(column, series, known, unit_for(spelling, known))
