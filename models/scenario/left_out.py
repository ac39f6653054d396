"""What a scenario states and no closed form of wells in one layer takes: said, for silence would be read as 0."""

from __future__ import annotations

from collections.abc import Iterator

from models.scenario.noun import Scenario


def left_out_says(scenario: Scenario) -> tuple[str, ...]:
    """Of the answers of ``cone``, ``drawdown`` and ``depletion``, in words; none where all is in them."""
    return tuple(_says(scenario))


def _says(scenario: Scenario) -> Iterator[str]:
    if scenario.pit is not None:
        yield (
            "The pit is not in it, only wells: what draining the pit draws comes on top. `headwater pit` tells its "
            "inflow, `headwater modflow run` the wells and the pit together"
        )
    if len(scenario.layer) > 1:
        yield (
            "The stated layers are not in it, only the one aquifer with its transmissivity and storativity; "
            "`headwater modflow run` takes them"
        )
    carried = [one.id for one in scenario.stream if one.inflow is not None]
    if carried:
        yield (
            f"What {', '.join(carried)} carries is not in it: it gives whatever is drawn, and never runs dry; "
            "`headwater modflow run` lets it lose no more than it carries"
        )
