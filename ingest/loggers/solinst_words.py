"""What Solinst's channels measure, in each of its files (.xle, .lev, .csv)."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, head_or_pressure, unit_for

BARO = ("baropressure", "barometric pressure")
READ = ("LEVEL", "TEMPERATURE", "PRESSURE", "BaroPressure")


def is_air(instrument: str, labels: Iterable[str]) -> bool:
    """Whether a file is a Barologger's, by the instrument's type or by what a channel is called."""
    return "baro" in instrument.casefold() or any(_plain(label) in BARO for label in labels)


def channel(column: str, number: int, label: str, spelling: str, serial: str, air: bool) -> Channel:
    """One channel. LEVEL may be logged as a pressure: a Barologger's is the air's, any other the sensor's.

    Parameters
    ----------
    air : as ``is_air`` says.

    Raises
    ------
    BadCell : a channel or a unit that is not read.
    """
    name = _plain(label)
    if name in BARO:
        found = "barometric_pressure", unit_for(spelling, "barometric_pressure")
    elif name in {"level", "pressure"}:
        found = head_or_pressure(spelling, air)
    elif name == "temperature":
        warmth = "air_temperature" if air else "water_temperature"
        found = warmth, unit_for(spelling, warmth)
    else:
        raise BadCell(f"unknown channel; allowed: {', '.join(READ)}")
    return Channel(column, f"{serial}:{number}", *found)


def _plain(label: str) -> str:
    return " ".join(label.casefold().split())


def shortfall(declared: str, found: int) -> dict[str, str]:
    """The fact that a file holds another number of records than it says; nothing where it agrees."""
    return {"incomplete": f"declares {declared} records and holds {found}"} if declared not in {"", str(found)} else {}
