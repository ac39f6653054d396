"""Situations a lawyer can read: ``tests/situations/*.toml``, one table of an array each, run by parametrised tests."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "situations"


def tables(file: str, array: str) -> list[Any]:
    """The tables of one array of a file."""
    found: list[Any] = tomllib.loads((FOLDER / file).read_text(encoding="utf-8"), parse_float=Decimal)[array]
    names = [table["name"] for table in found]
    assert len(set(names)) == len(names), f"a name is used twice in {file}"
    return found


def situations(file: str, array: str = "situation") -> list[Any]:
    """The same as pytest parameters, named by their own ``name``."""
    return [pytest.param(table, id=table["name"]) for table in tables(file, array)]
