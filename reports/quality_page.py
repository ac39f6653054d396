"""Results of a file or a station against their standards as one page: what wants looking at first, first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from models.parameters import parameter
from reports.flow_page import Drawn, FlowPage
from reports.quality_figures import Beside, Row, Step, concentration_over_time

MOST_FIGURES = 12
RANK = ("attained", "needs_confirmation", "indeterminate", "below_loq", "not_attained")
HEADS = (
    "Station", "Sampled", "Substance", "Result", "Standard", "Limit", "NR 140 status", "Clause", "Paragraph",
    "Standard's text", "Reason",
)  # fmt: skip
NOTES = (
    "Hollow marks are non-detects at their limit of detection or reporting limit; diamonds are estimates (J); grey "
    "marks are shown and not judged. PAL dashed, ES solid, each over the time it is law.",
    "Standard's text says how far the number was checked: verified2 two public copies agree, single one copy, memory "
    "recalled and not yet read.",
)


def quality_page(title: str, answer: Mapping[str, Any], steps: Mapping[str, Sequence[Step]]) -> FlowPage:
    """The page of one answer of ``headwater quality``.

    Parameters
    ----------
    answer : its JSON: ``verdicts``, ``not_judged``, ``duplicates``, ``counts``.
    steps : the standards of each substance.
    """
    verdicts = [one for one in answer["verdicts"] if one["sampled"]]
    names = _first_to_look_at(verdicts)
    shown = [name for name in names if any(_drawable(one) for one in verdicts if one["substance"] == name)]
    figures = [_figure(name, verdicts, answer, steps.get(name, ())) for name in shown[:MOST_FIGURES]]
    rows = [_cells(one) for name in names for one in verdicts if one["substance"] == name and _worth_a_row(one)]
    return FlowPage(title, list(_says(answer)), figures, HEADS, rows, [*NOTES, *_left(verdicts, names, shown)])


def _first_to_look_at(verdicts: Sequence[Row]) -> list[str]:
    """Substances by their worst status, then by how often, then by name."""
    found: dict[str, list[int]] = {}
    for one in verdicts:
        counts = found.setdefault(str(one["substance"]), [0] * len(RANK))
        counts[RANK.index(one["nr140_status"])] -= 1
    return sorted(found, key=lambda name: (found[name], name))


def _drawable(one: Row) -> bool:
    return bool(one["value"] or one["below"])


def _figure(name: str, verdicts: Sequence[Row], answer: Mapping[str, Any], steps: Sequence[Step]) -> Drawn:
    rows = [one for one in verdicts if one["substance"] == name]
    beside = list(_beside(name, answer))
    title = parameter(name).name
    worst = min((one["nr140_status"] for one in rows), key=RANK.index)
    count = sum(one["nr140_status"] == worst for one in rows)
    alt = f"{title} over time: {count} of {len(rows)} comparisons {worst.replace('_', ' ')}."
    return Drawn(title, alt, concentration_over_time(rows, steps, beside))


def _beside(name: str, answer: Mapping[str, Any]) -> Iterator[Beside]:
    """Field duplicates, and the fraction a well is not judged by, where they are numbers."""
    for one in answer.get("duplicates", ()):
        number = _number(one["value_text"])
        if one["substance"] == name and number and one["sampled"]:
            yield Beside(one["sampled"], number, one["unit"], f"field duplicate {one['value_text']} {one['unit']}")
    for one in answer["not_judged"]:
        number = _number(one["value_text"])
        if one["parameter"] == name and number and one["sampled"] and "fraction" in one["reason"]:
            yield Beside(one["sampled"], number, one["unit"], f"{one['value_text']} {one['unit']}: {one['reason']}")


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _worth_a_row(one: Row) -> bool:
    return bool(one["nr140_status"] != "not_attained")


def _cells(one: Row) -> list[str]:
    return [
        one["station"], one["sampled"], parameter(one["substance"]).name, one["measured"],
        f"{one['kind']} Table {one['table']}", one["standard_text"], one["nr140_status"].replace("_", " "),
        one["verdict"].replace("_", " "), one["paragraph"], one["verification"], one["reason"],
    ]  # fmt: skip


def _says(answer: Mapping[str, Any]) -> Iterator[str]:
    counts = answer["counts"]
    told = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items()) or "nothing to judge"
    yield f"Standards: {answer['standards']}. Comparisons: {told}."
    if "clause" in answer:
        yield f"Judged under {answer['clause']}."


def _left(verdicts: Sequence[Row], names: Sequence[str], shown: Sequence[str]) -> Iterator[str]:
    """What has no figure, and why."""
    if more := shown[MOST_FIGURES:]:
        yield f"No figure for {len(more)} further substances: {', '.join(parameter(name).name for name in more)}."
    if none := [name for name in names if name not in shown]:
        yield f"No number to draw: {', '.join(parameter(name).name for name in none)}."
    bounds = [one for one in verdicts if one["computed_from"] and one["value"] is None]
    if bounds:
        yield f"{len(bounds)} comparisons of computed sums are known only within bounds: they are not drawn."
