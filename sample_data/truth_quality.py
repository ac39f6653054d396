"""What NR 140 says of the planted laboratory results, by hand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

Row = Mapping[str, object]
CLAUSES = {"howard.nr140.identified": "2.09(3)(a)", "howard.nr140.private": "2.09(3)(a), 2.15(1)(a)"}
JULY, OCTOBER = date(2025, 7, 29), date(2025, 10, 28)
KNOWN = {
    date(2025, 1, 28): date(2025, 6, 30),
    date(2025, 4, 29): date(2025, 6, 30),
    JULY: date(2025, 8, 29),
    OCTOBER: date(2025, 11, 4),
}
# station, substance, sampled, value, unit, LOD, LOQ, then per standard: kind, table, limit, NR 140 status, verdict
ARSENIC_J = ("MW-2", "arsenic", JULY, "1.2", "ug/L", "0.5", "1.6")
ARSENIC_ES = ("MW-3", "arsenic", OCTOBER, "10", "ug/L", "0.3", "1.0")
MANGANESE = ("MW-4", "manganese", OCTOBER, "120", "ug/L", "1.0", "3.2")
JUDGED = (
    (ARSENIC_J, "PAL", 1, "1", "ug/L", "below_loq", "not_attained"),
    (ARSENIC_J, "ES", 1, "10", "ug/L", "not_attained", "not_attained"),
    (ARSENIC_ES, "PAL", 1, "1", "ug/L", "attained", "attained"),
    (ARSENIC_ES, "ES", 1, "10", "ug/L", "attained", "needs_confirmation"),
    (MANGANESE, "PAL", 1, "60", "ug/L", "attained", "attained"),
    (MANGANESE, "ES", 1, "300", "ug/L", "not_attained", "not_attained"),
    (MANGANESE, "PAL", 2, "0.025", "mg/L", "attained", "attained"),
    (MANGANESE, "ES", 2, "0.05", "mg/L", "attained", "attained"),
)


def quality() -> list[Row]:
    """Rows of expected.toml for both water quality rules; every other result attains nothing."""
    rows = [_row("howard.nr140.identified", *one, baseline=False) for one in JUDGED]
    for sampled in KNOWN:
        nitrate = ("PVT-2", "nitrate_nitrite_as_n", sampled, "3.0", "mg/L", "0.02", "0.06")
        for rule in CLAUSES:
            rows.append(_row(rule, nitrate, "PAL", 1, "2", "mg/L", "attained", "attained", baseline=True))
            rows.append(_row(rule, nitrate, "ES", 1, "10", "mg/L", "not_attained", "not_attained", baseline=False))
    return rows


def _row(
    rule: str,
    sample: tuple[str, str, date, str, str, str, str],
    kind: str,
    table: int,
    limit: str,
    limit_unit: str,
    nr140_status: str,
    verdict: str,
    *,
    baseline: bool,
) -> Row:
    station, substance, sampled, value, unit, lod, loq = sample
    return {
        "rule": rule,
        "clause": CLAUSES[rule],
        "station": station,
        "substance": substance,
        "sampled": sampled,
        "value": Decimal(value),
        "unit": unit,
        "lod": Decimal(lod),
        "loq": Decimal(loq),
        "kind": kind,
        "table": table,
        "limit": Decimal(limit),
        "limit_unit": limit_unit,
        "nr140_status": nr140_status,
        "verdict": verdict,
        "attained_in_baseline": baseline,
        "known_on": KNOWN[sampled],
    }
