"""The gate's answer for a laboratory: accepted or not, the rules that were broken, and each place with its row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reports.text_table import one_line, text_table

Answer = Mapping[str, Any]
MOST_SHOWN = 20
"""Places of one rule; the rest are counted, and stand in the JSON."""
RULES = ("level", "count", "rule", "words", "why", "source")
FAULTS = ("row", "station", "sample", "substance", "found")
BALANCES = ("row", "station", "sample", "sampled", "fraction", "says")


def gate_text(answer: Answer) -> str:
    """One deliverable: a line, the broken rules with their counts, each rule's places, and the charge balances."""
    broken: Sequence[Answer] = answer["rules"]
    parts = [one_line(_head(answer))]
    if broken:
        parts.append(text_table(broken, RULES, width=90))
    parts += [_places(one) for one in broken]
    if answer["charge_balances"]:
        parts.append(f"Charge balances\n{text_table(answer['charge_balances'], BALANCES, width=140)}")
    return "\n\n".join(parts)


def _head(answer: Answer) -> str:
    """Of a file that nobody could read there is nothing to count."""
    if answer["format"] is None:
        return f"{answer['file']}: {answer['verdict']}"
    apart = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in answer["set_apart"].items())
    counted = f"{answer['results']} results, {answer['errors']} errors, {answer['warnings']} warnings"
    counted += f", {answer['not_taken']} not taken" if answer["not_taken"] else ""
    return f"{answer['file']}: {answer['verdict']} ({answer['format']}, {counted}{apart and f'; set apart: {apart}'})"


def _places(one: Answer) -> str:
    faults: Sequence[Answer] = one["faults"]
    more = len(faults) - MOST_SHOWN
    shown = text_table(faults[:MOST_SHOWN], FAULTS, width=120)
    return f"{one['level']} {one['rule']}\n{shown}" + (f"\nand {more} more; --json names each" if more > 0 else "")
