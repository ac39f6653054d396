"""The story in numbers: places, wells, dates, the scripted rain. Everything here is made up, except the Town."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from hydrology import Creek, TrueAquifer

SEED = 91
FIRST_DAY = date(2005, 1, 1)
GAUGE_FIRST = date(2024, 1, 1)
MINING_BEGAN = date(2025, 1, 1)
LAST_DAY = date(2025, 12, 31)
BASELINE_NIGHT = date(2025, 6, 30)
BASE_FLOW_RECORD = (GAUGE_FIRST, date(2024, 12, 20))

TRUE_AQUIFER = TrueAquifer(5300.0, 0.145, 18.0)
LOST_MITTEN = Creek(13.5, 0.9968, 0.93, 0.40, 0.28, 0.016)
FAR_MITTEN = Creek(33.0, 0.9962, 0.92, 0.45, 0.31, 0.028)

CREEK_X = 160_000.0
BOUNDARY = ((158_000.0, 164_400.0), (159_600.0, 164_400.0), (159_600.0, 167_040.0), (158_000.0, 167_040.0))
PUMPED = (158_700.0, 165_700.0)

CREEK_STATION = "05999101"
FAR_STATION = "05999202"
INDEX_STATION = "450145091300001"
RAIN_STATION = "USC00479999"


@dataclass(frozen=True)
class WellSpec:
    """A well with a level: ``public`` is where site.toml puts it, ``true`` where it is."""

    id: str
    unique: str
    use: str
    true: tuple[float, float]
    public: tuple[float, float]
    accuracy_ft: int
    land_ft: float
    stickup_ft: float
    depth_ft: float
    screen_ft: tuple[float, float]
    natural_ft: float
    swing_ft: float
    parcel: str = ""
    construction: str = "drilled"
    serial: str = ""
    hung_ft: float = 0.0
    intake_ft: float = 0.0

    @property
    def mp_ft(self) -> float:
        """Elevation of the measuring point [ft NAVD88]."""
        return round(self.land_ft + self.stickup_ft, 2)


def _monitoring(
    n: int, at: tuple[float, float], land: float, natural: float, swing: float, serial: str, hung: float
) -> WellSpec:
    return WellSpec(
        f"MW-{n}", f"ZZ90{n}", "monitoring", at, at, 1, land, 2.4, 45.0, (30.0, 40.0), natural, swing,
        serial=serial, hung_ft=hung,
    )  # fmt: skip


WELLS = (
    _monitoring(1, (158_150.0, 166_900.0), 1013.20, 993.10, 1.15, "2999101", 40.00),
    _monitoring(2, (159_450.0, 165_700.0), 1004.60, 988.20, 0.70, "2999102", 36.00),
    _monitoring(3, (158_750.0, 164_550.0), 1009.40, 990.60, 1.00, "2999103", 38.50),
    _monitoring(4, (159_450.0, 166_800.0), 1006.10, 988.60, 0.70, "2999104", 37.00),
    _monitoring(5, (159_500.0, 164_700.0), 1003.30, 987.70, 0.65, "20999001", 35.50),
    WellSpec(
        "PVT-1", "ZZ911", "private", (158_620.0, 164_050.0), (158_300.0, 163_700.0), 934, 1008.00, 1.20, 18.3,
        (15.3, 18.3), 991.00, 1.00, parcel="R-1", construction="driven point", intake_ft=18.2,
    ),
    WellSpec(
        "PVT-2", "ZZ912", "private", (157_400.0, 165_900.0), (157_000.0, 165_600.0), 934, 1021.50, 1.50, 118.0,
        (108.0, 118.0), 995.60, 1.25, parcel="R-2", intake_ft=80.0,
    ),
    WellSpec(
        "PVT-3", "ZZ913", "private", (153_600.0, 165_800.0), (153_300.0, 165_500.0), 934, 1034.00, 1.50, 96.0,
        (86.0, 96.0), 1009.80, 1.60, parcel="R-3", intake_ft=70.0,
    ),
)  # fmt: skip
PARCELS = {
    "R-1": ("23008-0634-62000000", (158_000.0, 163_000.0, 159_320.0, 164_320.0)),
    "R-2": ("23008-0521-14000000", (156_300.0, 165_100.0, 157_900.0, 166_700.0)),
    "R-3": ("23008-0433-08000000", (152_800.0, 165_000.0, 154_400.0, 166_600.0)),
}
BARO_SERIAL = "2999190"

# Days the gauge had no value: equipment (marked), telemetry (no row), ice (marked), the 25-hour day (15-minute only).
EQUIPMENT_DAY = date(2025, 8, 6)
LOST_DAY = date(2025, 8, 26)
ICE_DAYS = (date(2025, 1, 21), date(2025, 1, 22), date(2025, 1, 23))
LONG_DAY = date(2025, 11, 2)
REVISED_DAY = date(2025, 7, 11)
REVISED_NIGHT = date(2025, 9, 10)
UNIT_FIRST, UNIT_LAST = date(2025, 7, 1), date(2025, 11, 8)

NIGHTS = tuple(
    date(2025, month, day)
    for month, day in (
        (7, 15), (7, 28), (8, 11), (8, 12), (8, 26), (8, 29), (9, 3), (9, 5), (9, 10), (9, 25), (11, 4), (12, 31),
    )
)  # fmt: skip

# The scripted season: each of the large rains after a spell is sized so that the flow crosses the base flow again
# on the planned day. The assertions in verify.py hold the whole pattern.
SCRIPT_WINDOWS = [(date(2024, 8, 5), date(2024, 8, 25)), (date(2025, 5, 1), date(2025, 11, 30))]
SCRIPT_2024 = {date(2024, 8, 5): 0.33, date(2024, 8, 7): 0.62, date(2024, 8, 8): 0.20, date(2024, 8, 25): 0.69}
SCRIPT = SCRIPT_2024 | {
    date(2025, month, day): inches
    for month, day, inches in (
        (5, 4, 0.35), (5, 9, 0.43), (5, 13, 0.62), (5, 19, 0.39), (5, 24, 0.55), (5, 31, 0.41),
        (6, 5, 0.63), (6, 10, 0.22), (6, 14, 0.52), (6, 19, 0.46), (6, 25, 0.41), (6, 29, 0.11),
        (7, 11, 0.06), (7, 12, 0.01), (7, 13, 0.02), (7, 15, 0.99), (7, 27, 1.03), (8, 10, 1.57), (8, 28, 0.95),
        (9, 1, 0.31), (9, 4, 0.78), (9, 9, 0.42), (9, 14, 0.93), (9, 20, 0.56), (9, 26, 0.71),
        (10, 2, 0.47), (10, 8, 0.82), (10, 15, 0.63), (10, 21, 0.57), (10, 27, 0.44),
        (11, 1, 0.36), (11, 8, 0.52), (11, 15, 0.41), (11, 22, 0.48), (11, 29, 0.33),
    )
}  # fmt: skip


def deliveries() -> list[tuple[str, date, date | None]]:
    """Every delivery: its folder, its night, and the night before it (none for the baseline load)."""
    nights = (BASELINE_NIGHT, *NIGHTS)
    folders = ["baseline", *(f"nights/{night}" for night in NIGHTS)]
    return list(zip(folders, nights, (None, *nights[:-1]), strict=True))
