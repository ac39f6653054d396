"""An independent look at the finished files: which days were below, not below, unknown on which night."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

import scenario
from climate import calendar

Files = dict[str, str]
DAILY, UNIT = f"usgs-{scenario.CREEK_STATION}-dv-", f"usgs-{scenario.CREEK_STATION}-uv-"


@dataclass(frozen=True)
class Spell:
    """A run of days below, linked over unknown days: first and last known day below, and the letters between."""

    start: date
    end: date
    letters: str
    before: str
    after: str


def known_flow(files: Files, night: date) -> dict[date, tuple[Decimal | None, str]]:
    """The daily flow a reader holds after a night's delivery: later files replace, 15-minute means fill in."""
    daily: dict[date, tuple[Decimal | None, str]] = {}
    unit: dict[date, dict[tuple[str, str], Decimal]] = {}
    folders = [folder for folder, when, _ in scenario.deliveries() if when <= night]
    for name in (name for folder in folders for name in files if name.startswith(f"{folder}/usgs-")):
        for row in _rows(files[name]):
            if DAILY in name:
                daily[date.fromisoformat(row[2])] = (_number(row[3]), row[4])
            elif UNIT in name and (value := _number(row[4])) is not None:
                unit.setdefault(date.fromisoformat(row[2][:10]), {})[row[2], row[3]] = value
    for day, values in unit.items():
        if day not in daily and len(values) >= 77:
            daily[day] = (_rounded(sum(values.values(), Decimal(0)) / len(values)), "own mean")
    return daily


def letters(files: Files, night: date, base_flow: Decimal) -> dict[date, str]:
    """B, N or U for every day of the gauge's record up to a night."""
    flow = known_flow(files, night)
    days = calendar(scenario.GAUGE_FIRST, night - timedelta(days=1))
    return {day: _letter(flow.get(day, (None, ""))[0], base_flow) for day in days}


def spells(states: dict[date, str]) -> list[Spell]:
    """Maximal runs of B and U that hold at least one B, with the letter on either side."""
    text, days = "".join(states.values()), list(states)
    out, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] != "N":
            j += 1
        run = text[i:j]
        if "B" in run:
            first, last = i + run.index("B"), i + run.rindex("B")
            before, after = text[i - 1 : i], text[j : j + 1]
            out.append(Spell(days[first], days[last], text[first : last + 1], before, after))
        i = j + 1
    return out


def check(files: Files, base_flow: Decimal) -> None:
    """Hold the whole planted pattern, or stop."""
    early = spells(letters(files, scenario.BASELINE_NIGHT, base_flow))
    _expect([(s.start, s.letters) for s in early], [(date(2024, 8, 18), "BBBBBBB")])
    for night, expected in PLANTED.items():
        found = [s for s in spells(letters(files, night, base_flow)) if s.start >= scenario.MINING_BEGAN]
        _expect([(s.start, s.letters, s.before + s.after) for s in found], expected)
    final = letters(files, scenario.NIGHTS[-1], base_flow)
    unknown = {day for day, letter in final.items() if letter == "U"}
    _expect(unknown, {*scenario.ICE_DAYS, scenario.EQUIPMENT_DAY, scenario.LOST_DAY})
    long_day = known_flow(files, scenario.NIGHTS[-1])[scenario.LONG_DAY]
    if long_day[1] != "own mean" or long_day[0] is None or long_day[0] < base_flow * Decimal("1.2"):
        raise AssertionError(f"the 25-hour day should be clearly not below: {long_day}")


_E = (date(2025, 7, 8), "BBBBBBB", "NN")
_E_AFTER = [(date(2025, 7, 8), "BBB", "NN"), (date(2025, 7, 12), "BBB", "NN")]
_A = (date(2025, 7, 22), "BBBBB", "NN")
_C = (date(2025, 8, 3), "BBBUBBB", "NN")
_B = (date(2025, 8, 20), "BBBBBBUB", "NN")
PLANTED = {
    date(2025, 6, 30): [],
    date(2025, 7, 15): [(date(2025, 7, 8), "BBBBBBB", "N")],
    date(2025, 7, 28): [_E, _A],
    date(2025, 8, 11): [_E, _A, _C],
    date(2025, 8, 12): [_E, _A, _C],
    date(2025, 8, 26): [_E, _A, _C, (date(2025, 8, 20), "BBBBBB", "N")],
    date(2025, 8, 29): [_E, _A, _C, _B],
    date(2025, 9, 5): [_E, _A, _C, _B],
    date(2025, 9, 10): [*_E_AFTER, _A, _C, _B],
    date(2025, 12, 31): [*_E_AFTER, _A, _C, _B],
}


def _expect(found: object, expected: object) -> None:
    if found != expected:
        raise AssertionError(f"the planted record is broken: found {found}, expected {expected}")


def _letter(value: Decimal | None, base_flow: Decimal) -> str:
    if value is None:
        return "U"
    return "B" if value < base_flow else "N"


def _rows(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines() if line.startswith("USGS")]


def _number(text: str) -> Decimal | None:
    return Decimal(text) if text.replace(".", "", 1).isdigit() else None


def _rounded(value: Decimal) -> Decimal:
    step = Decimal("0.01") if value < 10 else Decimal("0.1")
    return value.quantize(step, ROUND_HALF_UP)
