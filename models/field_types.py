"""Types of the fields of a site's files."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated

from pydantic import Field

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Text = Annotated[str, Field(max_length=2000)]
Day = Annotated[date, Field(ge=date(1900, 1, 1), le=date(2200, 1, 1))]
Positive = Annotated[Decimal, Field(gt=0, le=Decimal("1e9"))]
