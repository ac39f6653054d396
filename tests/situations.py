"""Situations a lawyer can read: ``tests/situations/*.toml``, one table of an array each, run by parametrised tests."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "situations"


def situations(file: str, array: str = "situation") -> list[Any]:
    """The tables of one array of a file as pytest parameters, named by their own ``name``."""
    tables = tomllib.loads((FOLDER / file).read_text(encoding="utf-8"), parse_float=Decimal)[array]
    names = [table["name"] for table in tables]
    assert len(set(names)) == len(names), f"a name is used twice in {file}"
    return [pytest.param(table, id=table["name"]) for table in tables]
