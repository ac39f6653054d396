"""Particle paths as plain data for machines and as rows of tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from models.modflow.particles import MARKED_YEARS, End
from models.modflow.path_groups import Group, Particles, Span
from models.modflow.weak_cells import MOST
from models.scenario.noun import Scenario
from reports.modflow.answer_told import Row, check_data
from reports.shown_units import Shown, Unit, two_figures

Names = Mapping[str, str]
FIELD = (
    "The paths follow a steady field: every well at its mean rate of the year up to the day asked for, as if it went "
    "on for ever. That is how a capture zone is defined; the heads of one day would not do, for much of that day's "
    "water comes out of storage."
)
NOT_IN_IT = (
    "Recharge is in the undisturbed water table and is not put on again. The water drifts with the flow: no "
    "dispersion, no sorption, no decay. What arrives, and how much of it, is not told."
)
WEAK = (
    "A path ends at a stream or a pit that takes more than half of the water there, and a backward one where more than "
    "half comes from it; where it is less the path goes on with the rest."
)
_WORDS = {
    "far end": "the far ends of the model", "well": "well {}", "edge": "edge {}", "stream": "{}", "pit": "the {}",
    "still on its way": "still on the way after {}", "dry": "the place is dry",
    "no way on": "the water stands",
}  # fmt: skip


def stream_names(scenario: Scenario) -> Names:
    """Streams as people call them."""
    return {one.id: one.name or one.id for one in scenario.stream}


def end_says(end: End, names: Names, limits: Span) -> str:
    """Why a path ends, in words.

    Parameters
    ----------
    names : stream -> its name. ``limits`` : the years particles are followed (`Particles.limits`).
    """
    return _WORDS[end.kind].format(names.get(end.id, end.id) or years_say(limits))


def paths_data(found: Particles, names: Names, shown: Shown) -> dict[str, Any]:
    """All of it in the reader's units; ``low best high`` are those at the low, best and high porosity."""
    one = found.porosity
    return {
        "porosity": {"low": float(one.low), "best": float(one.best), "high": float(one.high)}, "field": FIELD,
        "not_in_it": NOT_IN_IT, "weak_sinks": {"ends_above_share": MOST, "says": WEAK},
        "longest_years": _span(found.limits), "program": found.program,
        "from": [_group_data(each, found.limits, names, shown.length) for each in found.groups],
        "checks": [check_data(each) for each in found.checks],
    }  # fmt: skip


def _group_data(group: Group, limits: Span, names: Names, unit: Unit) -> dict[str, Any]:
    soonest = group.soonest()
    return {
        "id": group.of, "way": group.way, "paths": len(group.paths),
        "ends": [
            {"kind": end.kind, "at": end.id or None, "says": end_says(end, names, limits), "paths": count}
            for end, count in group.ends
        ],
        "passed": group.passed,
        "farthest": [
            {"years": years, **_span(group.reach(years), unit.per), "unit": unit.name} for years in MARKED_YEARS
        ],
        "soonest": None if soonest is None
        else {"says": end_says(soonest[0], names, limits), "years": _span(soonest[1])},
    }  # fmt: skip


def _span(span: Span, per: float = 1.0) -> dict[str, float]:
    return dict(zip(("low", "best", "high"), (one * per for one in span), strict=True))


def path_rows(found: Particles, names: Names, shown: Shown) -> list[Row]:
    """A row for each well, the pit and each place."""
    return [
        {
            "from": each.of, "paths": f"{len(each.paths)} {each.way}",
            "come_from_or_go_to": _ends(each, found.limits, names), "soonest": _soonest(each, found.limits, names),
            **{_column(years): _reach(each, years, shown.length) for years in MARKED_YEARS},
        }
        for each in found.groups
    ]  # fmt: skip


def _column(years: float) -> str:
    return f"in_{marked_says(years)}".replace(" ", "_")


def _ends(group: Group, limits: Span, names: Names) -> str:
    return "; ".join(f"{count} {end_says(end, names, limits)}" for end, count in group.ends)


def _soonest(group: Group, limits: Span, names: Names) -> str:
    found = group.soonest()
    return "" if found is None else f"{end_says(found[0], names, limits)} in {years_say(found[1])}"


def marked_says(years: float) -> str:
    return f"{years:g} year{'s' if years > 1 else ''}"


def years_say(span: Span) -> str:
    """Years to two figures, with their range where the porosity has one."""
    low, best, high = (two_figures(one) for one in span)
    return f"{best} years" if low == high else f"{best} years ({low} to {high})"


def _reach(group: Group, years: float, unit: Unit) -> str:
    """The farthest, with its range: at the high porosity least."""
    most, best, least = (two_figures(unit.of(one)) for one in group.reach(years))
    return f"{best} {unit.name}" if most == least else f"{best} {unit.name} ({least} to {most})"


def notes(found: Particles, names: Names) -> Iterator[str]:
    """What the paths rest on."""
    yield f"Particle paths by {found.program.split(' (')[0]}, effective porosity {found.porosity.text}"
    yield from (FIELD, NOT_IN_IT, WEAK)
    for each in found.groups:
        for id, count in each.passed.items():
            words = f"{count} of {len(each.paths)} paths of {each.of} pass {names.get(id, id)} and go on"
            yield f"{words}: it takes or gives less than half of the water there"
