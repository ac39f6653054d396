"""Volume by use and water loss of the annual withdrawal report (NR 856.30(2)(b), (e), (f)), worked by hand."""

from __future__ import annotations

from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import ValidationError

from models.checks.withdrawal_form import UseYear, by_use, form_of
from models.checks.withdrawal_sources import sources_of
from models.known_volumes import known_at_wells
from models.site import Site
from models.water_loss import WaterLoss
from reports.annual.record import AnnualRecord
from reports.annual.withdrawal_form import form_table
from tests.record_in_memory import CHICAGO, Record, ask, site, well

LOSS: dict[str, Any] = {"year": 2025, "known_as": "estimated", "by": "A. Operator"}
LOSSES = [
    {**LOSS, "use": "process", "share": "0.10", "method": "moisture of the product"},
    {**LOSS, "use": "dust", "gallons": "3650000", "method": "all of it evaporates", "known_as": "actual"},
    {**LOSS, "year": 2024, "use": "dust", "gallons": "1", "method": "last year's"},
]
USES = {"P-1": ["process"], "P-2": ["process"], "D": ["dust"], "X": ["process", "dewatering"], "N": []}
GALLONS = {"P-1": 30_000_000, "P-2": 13_800_000, "D": 3_650_000, "X": 1_000_000}


def mine(losses: list[dict[str, Any]]) -> Site:
    wells = [well(id, 100.0, use="production", uses=uses) for id, uses in USES.items()]
    meters = [{"id": f"M-{id}", "well": id} for id in USES]
    return site(well=wells, meter=meters, water_loss=losses, stream=[], gauge=[])


def record() -> Record:
    """Each meter read at the first and the last midnight of 2025; that of N by nobody."""
    found = Record()
    for id, gallons in GALLONS.items():
        for when, total in ((datetime(2025, 1, 1, tzinfo=CHICAGO), 0), (datetime(2026, 1, 1, tzinfo=CHICAGO), gallons)):
            found.meter(f"M-{id}", when, str(total))
    return found


def told(losses: list[dict[str, Any]]) -> list[UseYear]:
    question = ask(record(), date(2026, 1, 31), at=mine(losses))
    return by_use(form_of(CHICAGO, sources_of(question), 2025), question.site.water_loss, 2025)


def test_wells_of_one_use_add_up_and_a_mixed_one_stands_apart() -> None:
    assert {one.uses: one.gallons for one in told([])} == {
        ("process",): 43_800_000, ("dust",): 3_650_000, ("dewatering", "process"): 1_000_000, (): None,
    }  # fmt: skip


def test_a_loss_is_of_its_use_and_its_year() -> None:
    """A tenth of 43,800,000; all of the dust's; nothing of 2024."""
    losses = {one.uses: [gallons for _, gallons in one.losses] for one in told(LOSSES) if one.losses}
    assert losses == {("process",): [4_380_000], ("dust",): [3_650_000]}


def test_a_share_of_all_is_of_all_and_of_a_use_nobody_meters_apart_not_known() -> None:
    """A tenth of 48,450,000; of dewatering no well gave water for that alone."""
    shares = [{**LOSS, "share": "0.10", "method": "a"}, {**LOSS, "use": "dewatering", "share": "0.10", "method": "b"}]
    (whole,) = [one for one in told(shares) if one.uses is None]
    assert (whole.gallons, [gallons for _, gallons in whole.losses]) == (48_450_000, [4_845_000, None])


@pytest.mark.parametrize(
    ("losses", "words"),
    [
        (LOSSES, "process 4,380,000 gal, estimated, by moisture of the product (A. Operator)"),
        ([], "Water lost by consumptive use: not stated"),
    ],
)
def test_the_annual_report_tells_both(losses: list[dict[str, Any]], words: str) -> None:
    question = ask(record(), date(2026, 1, 31), at=mine(losses))
    known = known_at_wells(question, question.site.wells("production"), question.on)
    annual = SimpleNamespace(site=question.site, zone=CHICAGO, year=2025, known=known)
    notes = " ".join(form_table(cast("AnnualRecord", annual), "1").notes)
    assert "process 43,800,000 gal" in notes
    assert "dewatering and process 1,000,000 gal" in notes
    assert words in notes


def test_a_loss_is_gallons_or_a_share() -> None:
    for amount in ({}, {"gallons": "1", "share": "0.1"}):
        with pytest.raises(ValidationError, match="one of gallons and share"):
            WaterLoss.model_validate({**LOSS, "method": "m", **amount})
