"""Effective porosity: the share of the ground through which its water really moves."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from models.quantity import Kind, Quantity, reader

POROSITY = Kind("effective porosity", "1", (), least=Decimal("0.0001"), most=Decimal("0.6"), closed=True)
"""No sand or gravel has more; what water moves through is less than the whole (Freeze & Cherry 1979, table 2.4). Less
than a ten-thousandth is no aquifer's: fractures a tenth of a millimetre open and a metre apart have that much.
"""
Porosity = Annotated[Quantity, BeforeValidator(reader(POROSITY))]
