"""Laboratory results as the Wisconsin DNR Groundwater Retrieval Network exports them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import makers
import scenario
from draws import Draws
from field import delivered
from scenario import WellSpec

SAMPLED = tuple(
    date(*day)
    for day in (
        (2024, 1, 30), (2024, 4, 30), (2024, 7, 30), (2024, 10, 29),
        (2025, 1, 28), (2025, 4, 29), (2025, 7, 29), (2025, 10, 28),
    )
)  # fmt: skip
# Laboratory turnaround: results of a round come with the first delivery after this many days.
TURNAROUND = {date(2025, 7, 29): 28, date(2025, 10, 28): 5}
HEADER = (
    "WI Unique Well #,County,Well Use,Well Status,Sample Collection Date,Storet Parameter Description,"
    "Storet Parameter Code,Sample Analytical Result Amount,Result Text,Units,Sample Analytical Qualifier,"
    "Enforcement Standard,Preventive Action Limit,HAL,HAL Units,LOD,LOQ,Labslip #/Sample ID,Sample Description,"
    "Lab Comments"
)
QUANTIFIED, NONE, BETWEEN = "NORMAL QUANTIFIED RESULT", "NON-DETECT", "DETECT BETWEEN LOD & LOQ"


@dataclass(frozen=True)
class Substance:
    """One analyte: the export's own columns, and the range of what this ground holds."""

    name: str
    code: str
    unit: str
    embedded: tuple[str, str]
    lod: str
    loq: str
    low: float
    high: float
    places: int


ARSENIC = Substance("ARSENIC TOTAL", "1002", "UG/L", ("10", "1"), "0.3", "1.0", 0.0, 0.55, 1)
NITRATE = Substance("NITROGEN NO3+NO2 DISS (AS N)", "631", "MG/L", ("10", "2"), "0.02", "0.06", 0.35, 1.55, 2)
# The export's manganese PAL of 50 is a trap: it fits neither table of NR 140.
MANGANESE = Substance("MANGANESE TOTAL", "1055", "UG/L", ("300", "50"), "1.0", "3.2", 0.0, 17.0, 1)
CHLORIDE = Substance("CHLORIDE", "940", "MG/L", ("250", "125"), "0.5", "1.6", 4.0, 28.0, 1)
SULFATE = Substance("SULFATE TOTAL", "945", "MG/L", ("250", "125"), "0.7", "2.2", 6.0, 21.0, 1)
IRON = Substance("IRON TOTAL", "1045", "MG/L", (".3", ".15"), "0.020", "0.064", 0.0, 0.095, 3)
LEAD = Substance("LEAD TOTAL", "1051", "UG/L", ("15", "1.5"), "0.2", "0.65", 0.0, 0.42, 2)
SUBSTANCES = (ARSENIC, NITRATE, MANGANESE, CHLORIDE, SULFATE, IRON, LEAD)

COARSE_ARSENIC = (date(2025, 7, 29), "0.5", "1.6")
PLANTED = {
    ("MW-2", "1002", date(2025, 7, 29)): "1.2",
    ("MW-3", "1002", date(2025, 10, 28)): "10",
    ("MW-4", "1055", date(2025, 10, 28)): "120",
    **{("PVT-2", "631", day): "3.1" for day in SAMPLED if day.year == 2024},
    **{("PVT-2", "631", day): "3.0" for day in SAMPLED if day.year == 2025},
}
BAD_UNIT = ("MW-5", "940", date(2025, 10, 28), "furlongs/L")
NOT_SAMPLED = {("PVT-1", date(2025, 10, 28))}


def known_on(day: date) -> date:
    """The day a round's results leave the laboratory."""
    return day + timedelta(days=TURNAROUND.get(day, 21))


def files(night: date, before: date | None) -> dict[str, str]:
    """The result files a delivery brings, one per sampling round."""
    rounds = [day for day in SAMPLED if delivered(night, before, known_on(day))]
    return {f"grn-export-{day}.csv": makers.table(HEADER, _round(day)) for day in rounds}


def _round(day: date) -> list[list[object]]:
    wells = [well for well in scenario.WELLS if (well.id, day) not in NOT_SAMPLED]
    return [_row(well, substance, day) for well in wells for substance in SUBSTANCES]


def _row(well: WellSpec, substance: Substance, day: date) -> list[object]:
    lod, loq = substance.lod, substance.loq
    if substance is ARSENIC and day == COARSE_ARSENIC[0]:
        lod, loq = COARSE_ARSENIC[1:]
    amount = PLANTED.get((well.id, substance.code, day)) or _drawn(well, substance, day)
    text, qualifier = QUANTIFIED, ""
    if float(amount) < float(lod):
        amount, text = "ND", NONE
    elif float(amount) < float(loq):
        text, qualifier = BETWEEN, "J"
    unit = BAD_UNIT[3] if (well.id, substance.code, day) == BAD_UNIT[:3] else substance.unit
    use = "MONITORING" if well.use == "monitoring" else "PRIVATE POTABLE"
    sample = f"EX{day:%y%m%d}-{scenario.WELLS.index(well) + 1:02d}"
    return [
        well.unique, "CHIPPEWA", use, "ACTIVE", f"{day:%m/%d/%Y}", substance.name, substance.code, amount, text, unit,
        qualifier, *substance.embedded, "", "", lod, loq, sample, f"{well.id} QUARTERLY", "",
    ]  # fmt: skip


def _drawn(well: WellSpec, substance: Substance, day: date) -> str:
    """A harmless value: the well's own level, a little different each time."""
    stream = 70_000 + 100 * scenario.WELLS.index(well) + SUBSTANCES.index(substance)
    numbers = Draws(scenario.SEED, stream).uniform(len(SAMPLED) + 1)
    share = 0.75 * numbers[0] + 0.25 * numbers[1 + SAMPLED.index(day)]
    return makers.fixed(substance.low + share * (substance.high - substance.low), substance.places)
