"""The numbers the law leaves open, each with the decision that set it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

NO_FLOW_VALUE = frozenset(
    {"ssn", "ice", "pr", "rat", "nd", "eqp", "equip", "fld", "dis", "bkw", "tst", "mnt", "zfl", "pmp", "***", "--"}
    | {"backwater", "discontinued", "maintenance", "seasonal", "flood"}
)
"""USGS status codes (case-folded) under which a raw discharge is not a measured flow (decision 14).

Every word that NWIS writes in the place of a value but ``Dry``, which says that nothing flows. ``Eqp`` is the word of
RDB and WaterML, ``EQUIP`` that of the Water Data API.
"""

VISIT = frozenset({"tst", "mnt", "pmp", "zfl", "nd", "--"})
"""Of these (case-folded) a word in the place of one reading is a hole of one reading: somebody worked at the gauge.

Ice, a broken sensor or backwater on one reading raise doubt about those around it, and speak for their day.
"""

ESTIMATED = frozenset({"e", "estimated"})
"""The hydrographer's estimate (case-folded): RDB writes ``A:e``, the Water Data API ``["ESTIMATED", "ICE"]``."""


@dataclass(frozen=True)
class Practice:
    """Policy of the shortfall semantics; a town may adopt others. Numbers of the law are not here.

    Parameters
    ----------
    minimum_coverage : share of the expected values a day needs to be known [fraction] (decision 7).
    longest_step_ms : readings further apart than this [ms] are visits and no record of a day (decisions 7 and 24).
    longest_hole_ms : one hole inside a day may last this long [ms] (decision 7: 4 h).
    edges_agree : a longer hole passes if the values on both sides differ by no more than this [fraction] (decision 7).
    longest_linking_gap_days : unknown days that do not break a spell in two [d] (decisions 8 and 9).
    indeterminate_known_days : known days below before a spell is INDETERMINATE and not only logged [d] (decision 10).
    field_measurement_within_days : by when somebody should measure where nobody can tell [d] (decision 10).
    discharge_uncertainty : of a daily mean discharge without a better rating [fraction] (decision 15: fair).
    stage_uncertainty_ft : of a daily mean stage, and what the edges of a longer hole in one may differ by [ft] (26).
    discharge_steps : (below this flow [cfs], round to [cfs]) for our own means; ``discharge_step_above`` beyond (22).
    stage_step_ft : rounding of our own mean stage [ft] (decision 22).
    void_qualifiers, stage_keeps : codes that void a raw value, and those that do not void a stage (14 and 26).
    pool_gap_days, pool_volume_ratio : spells this near count as one in the secondary report [d, fraction] (19).
    """

    minimum_coverage: Decimal = Decimal("0.80")
    longest_step_ms: int = 3_600_000
    longest_hole_ms: int = 4 * 3_600_000
    edges_agree: float = 0.10
    longest_linking_gap_days: int = 5
    indeterminate_known_days: int = 3
    field_measurement_within_days: int = 2
    discharge_uncertainty: Decimal = Decimal("0.08")
    stage_uncertainty_ft: Decimal = Decimal("0.02")
    discharge_steps: tuple[tuple[Decimal, Decimal], ...] = (
        (Decimal(10), Decimal("0.01")),
        (Decimal(100), Decimal("0.1")),
    )
    discharge_step_above: Decimal = Decimal(1)
    stage_step_ft: Decimal = Decimal("0.01")
    void_qualifiers: frozenset[str] = NO_FLOW_VALUE
    stage_keeps: frozenset[str] = frozenset({"ice"})
    pool_gap_days: int = 5
    pool_volume_ratio: Decimal = Decimal("0.1")


PRACTICE = Practice()
"""The practice as adopted in the shortfall semantics."""
