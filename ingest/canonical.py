"""Values in the unit their parameter is kept in: decimal arithmetic on the reported text, once per distinct text."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from ingest.cells import NUMBER_PATTERN, counted
from models.errors import BadQuestion, BadUnit
from models.observation import Flags, Reject
from models.parameters import parameter
from models.units import CONCENTRATIONS, convert

DIGITS = 20
"""Significant digits of a converted text: more than any instrument has, fewer than a repeating decimal would take."""

LIMITS = ("lod", "loq", "limit")
AS_WRITTEN = "raw"
"""Fact of a converted value: its text and unit as they were reported."""
UNNAMED = "name:value"
"""Parameter of a value of which the file does not say what it measures."""
UNSAID = "the file does not say what is measured; say which with --parameter and --unit"

_REPORTED = re.compile(rf"((?:ND)?\s*<?\s*)({NUMBER_PATTERN})", re.IGNORECASE)


NO_UNIT = "1"
"""Unit of a value for which neither the file nor a person says one, and of a plain number."""


def converted(rows: pd.DataFrame, file: str) -> tuple[pd.DataFrame, list[Reject]]:
    """Tidy rows in canonical units; where the unit changes, the fact ``raw`` keeps what was reported.

    Rows of an unknown parameter, or in a unit that does not measure it, are left out: one reject for each such pair.
    """
    done, rejects = [], []
    for (name, unit), group in rows.groupby(["parameter", "unit"], sort=False):
        try:
            target = parameter(str(name)).canonical_unit
            done.append(group if unit == target else _in_unit(group, str(unit), target))
        except (BadQuestion, BadUnit) as bad:
            why = UNSAID if name == UNNAMED else bad.reason
            if unit == NO_UNIT and name != UNNAMED and isinstance(bad, BadUnit):
                why = "no unit stated; say which with --unit"
            reason = f"{why}; {counted(len(group), 'row')} left out"
            rejects.append(Reject(file, int(group["row"].iloc[0]), str(name), str(unit), reason, len(group)))
    return pd.concat(done).sort_index() if done else rows.iloc[:0], rejects


@cache
def scale(unit: str, target: str) -> tuple[Decimal, Decimal]:
    """Slope and offset from one unit to another (an offset only between temperature scales).

    Raises
    ------
    BadUnit : they measure different things.
    """
    offset = convert(Decimal(0), unit, target)
    return convert(Decimal(1), unit, target) - offset, offset


def said_in_mass(value_text: str, unit: str, flags: str) -> tuple[str, str]:
    """What a row says, whatever unit of mass and however many zeros it says it in: its value, and its flags."""
    slope, offset = scale(unit, "mg/L") if unit in CONCENTRATIONS else (Decimal(1), Decimal(0))
    said = Flags.parse(flags)
    facts = {key: _text(one, slope, offset) if key in LIMITS else one for key, one in said.facts.items()}
    facts.pop(AS_WRITTEN, None)
    return _text(value_text, slope, offset), Flags(said.approval, said.qualifiers, facts).text()


def _in_unit(rows: pd.DataFrame, unit: str, target: str) -> pd.DataFrame:
    slope, offset = scale(unit, target)
    places, distinct = pd.factorize(rows["value_text"].to_numpy(dtype=object))
    texts = np.array([_text(text, slope, offset) for text in distinct], dtype=object)[places]
    values = rows["value"].to_numpy(dtype=float) * float(slope) + float(offset)
    exact = np.array([_number(_text(text, slope, offset)) for text in distinct], dtype=float)[places]
    return rows.assign(
        value=np.where(np.isnan(exact) | np.isnan(values), values, exact),
        value_text=pd.array(texts, dtype="str"),
        unit=target,
        flags=pd.array(_flags(rows, unit, slope, offset), dtype="str"),
    )


def _text(text: str, slope: Decimal, offset: Decimal) -> str:
    """``15.0`` or ``<0.5`` in the other unit; ``ND`` stays what it is."""
    match = _REPORTED.fullmatch(text)
    if match is None:
        return text
    with localcontext() as context:
        context.prec = DIGITS
        value = slope * Decimal(match[2]) + offset
    return f"{match[1]}{_plain(value)}"


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f") if value else "0"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def _flags(rows: pd.DataFrame, unit: str, slope: Decimal, offset: Decimal) -> np.ndarray[Any, Any]:
    """Flags with their limits converted and the reported text and unit kept."""
    limits: dict[str, str] = {}
    for text in rows["flags"].unique():
        flags = Flags.parse(text)
        facts = {key: _text(one, slope, offset) if key in LIMITS else one for key, one in flags.facts.items()}
        limits[text] = Flags(flags.approval, flags.qualifiers, facts).text()
    raw = rows["value_text"].to_numpy(dtype=object)
    return np.array(
        [
            f"{limits[old]};{AS_WRITTEN}={text} {unit}" if text else limits[old]
            for old, text in zip(rows["flags"], raw, strict=True)
        ],
        dtype=object,
    )
