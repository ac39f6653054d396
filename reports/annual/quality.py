"""Chapter 3: groundwater quality. First what attains a standard, then all results of all wells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from models.checks.quality_comparison import Comparison
from models.observation import Flags
from models.parameters import parameter
from models.standards import Standard
from reports.annual.record import AnnualRecord, ComputedSum, LabResult
from reports.annual.table import Cell, Chapter, Column, Plain, Row, Section, Style, Table, row_span

ACROSS = 7  # substances side by side on one page
NON_DETECT = {"ND", "<"}
LONGEST_MARK = 2  # J, B, JB; a mark in words stands in the full list
STATUS = {
    "attained": "attained", "not_attained": "not attained", "below_loq": "below the LOQ",
    "needs_confirmation": "needs confirmation", "indeterminate": "cannot tell", "not_applicable": "not applicable",
}  # fmt: skip
ROWS = Column("Rows", "rows")
OPEN = {"attained", "needs_confirmation", "indeterminate"}

KEY = (
    "Bold, marked ES: the enforcement standard is attained under NR 140. Shaded, marked PAL: the preventive action "
    "limit is attained. Grey, with a less-than sign: not detected; the number is the limit of detection or the "
    "reporting limit. J: the laboratory estimated the number, between its limits of detection and of quantification. "
    "A dash: no result.",
    "Attained under NR 140.05(2) is at or over the standard, judged by NR 140.14; the clause of the ordinance says "
    "exceeded, and its own reading stands beside the NR 140 status. A status is of one result, not of a cause.",
)

VERIFICATION = (
    "Standard's text: how far the value was checked. verified2: two public copies of the code agree; single: one copy; "
    "memory: recalled, not yet read in a public copy."
)


def chapter(record: AnnualRecord) -> Chapter:
    """Attained standards, results side by side, the standards used, and every result."""
    first = Section("Results that attain a standard", (), (_attained(record),))
    beside = Section("Results side by side", (), tuple(_side_by_side(record)))
    every = Section("All results of all wells", (), (_every(record), _standards(record), _sums(record)))
    return Chapter(3, "Groundwater quality", KEY, (first, beside, every))


def _attained(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("Sampled", "date"), Column("Substance"), Column("Result", "number"),
        Column("Unit"), Column("Standard"), Column("Limit", "number"), Column("Limit unit"), Column("NR 140 status"),
        Column("Under", "id"), Column("The clause says"), Column("Before mining"), Column("Standard's text"),
        Column("Reason", "long"), ROWS,
    )  # fmt: skip
    rows = [
        _attained_row(one, compared)
        for one in record.results
        for compared in one.comparisons
        if compared.nr140.status in OPEN
    ]
    rows += [
        _attained_sum(one, compared)
        for one in record.sums
        for compared in one.comparisons
        if compared.nr140.status in OPEN and not (compared.missing and compared.nr140.status == "indeterminate")
    ]
    notes = (
        "Before mining: whether the same standard was attained at the well before mining began.",
        "A sum computed from several results of one sample stands at the end, with its bounds where a part was not "
        "detected; one that lacks a part and hangs on it is in the table of sums alone.",
        VERIFICATION,
    )
    empty = "no result attains a standard"
    return Table("3.1", "Results that attain a standard", "Attained", columns, rows, notes, empty)


def _attained_row(one: LabResult, compared: Comparison) -> Row:
    law = compared.standard
    reason = "; ".join(part for part in (compared.nr140.reason, compared.reading) if part)
    before = "attained" if law.name() in one.in_baseline else "not attained or not sampled"
    return (
        one.well.id, one.row.day, _name(one.row.parameter), result_cell(one), one.row.unit, law.name(), law.value,
        law.unit, STATUS[compared.nr140.status], one.clause, STATUS[compared.verdict], before, law.verification,
        reason, one.row.row_id,
    )  # fmt: skip


def _attained_sum(one: ComputedSum, compared: Comparison) -> Row:
    law = compared.standard
    before = "attained" if law.name() in one.in_baseline else "not attained or not sampled"
    return (
        one.well.id, compared.row.day, _name(law.parameter), _bounds(compared), compared.result.unit, law.name(),
        law.value, law.unit, STATUS[compared.nr140.status], one.clause, STATUS[compared.verdict], before,
        law.verification, compared.reason, row_span(compared.rows),
    )  # fmt: skip


def _bounds(compared: Comparison) -> Cell:
    """A sum as it is printed: its number, or what it lies between."""
    shown = compared.measured.removesuffix(f" {compared.result.unit}") or "not added"
    kind = _style([compared])
    return Cell(compared.result.value, shown, kind, compared.rows, _tag(kind))


def _side_by_side(record: AnnualRecord) -> Iterator[Table]:
    names = list(dict.fromkeys((one.row.parameter, one.row.unit) for one in sorted(record.results, key=_by_name)))
    for part, first in enumerate(range(0, len(names), ACROSS), start=1):
        shown = names[first : first + ACROSS]
        heads = [Column(f"{_name(name)} [{unit}]", "number") for name, unit in shown]
        title = "Results side by side" + (f", part {part}" if len(names) > ACROSS else "")
        rows = list(_matrix(record.results, shown))
        yield Table(
            f"3.2{'abcdefghijklmnopqrstuvwxyz'[(part - 1) % 26]}", title, f"Side by side {part}",
            (Column("Well", "id"), Column("Sampled", "date"), *heads, ROWS), rows, KEY[:1],
        )  # fmt: skip


def _by_name(one: LabResult) -> tuple[str, str]:
    return _name(one.row.parameter), one.row.unit


def _matrix(results: Sequence[LabResult], shown: Sequence[tuple[str, str]]) -> Iterator[Row]:
    visits: dict[tuple[str, date], dict[tuple[str, str], list[LabResult]]] = {}
    for one in results:
        visit = visits.setdefault((one.well.id, one.row.day), {})
        visit.setdefault((one.row.parameter, one.row.unit), []).append(one)
    for (well, day), found in visits.items():
        if any(key in found for key in shown):
            cells = [_meeting(found.get(key, [])) for key in shown]
            yield (well, day, *cells, row_span(id for cell in cells for id in cell.rows))


def _meeting(found: Sequence[LabResult]) -> Cell:
    """One result as it is; several of one day, as of two fractions, in one cell."""
    cells = [result_cell(one) for one in found]
    if len(cells) == 1:
        return cells[0]
    shown = " / ".join(one.shown for one in cells) or "–"
    return Cell(None, shown, _strongest(cells), tuple(row for one in cells for row in one.rows))


def _strongest(cells: Iterable[Cell]) -> Style:
    styles = {one.style for one in cells}
    order: tuple[Style, ...] = ("both", "es", "pal")
    return next((style for style in order if style in styles), "")


def result_cell(one: LabResult) -> Cell:
    """A result as it is printed: ``<`` its limit where not detected, J behind an estimate."""
    flags = Flags.parse(one.row.flags)
    marks = [mark for mark in flags.qualifiers if mark not in NON_DETECT and len(mark) <= LONGEST_MARK]
    not_detected = bool(NON_DETECT & set(flags.qualifiers))
    limit = flags.facts.get("limit") or flags.facts.get("lod")
    text = (f"<{limit}" if limit else "ND") if not_detected else one.row.value_text
    style = "lod" if not_detected else _style(one.comparisons)
    value = None if not_detected else _decimal(one)
    return Cell(value, " ".join([text, *marks]), style, (one.row.row_id,), _tag(style))


def _style(comparisons: Sequence[Comparison]) -> Style:
    kinds = {one.standard.kind for one in comparisons if one.nr140.status == "attained"}
    return "both" if kinds == {"PAL", "ES"} else "es" if "ES" in kinds else "pal" if "PAL" in kinds else ""


def _tag(style: Style) -> str:
    return {"both": "ES", "es": "ES", "pal": "PAL"}.get(style, "")


def _decimal(one: LabResult) -> Plain:
    value = next((compared.result.value for compared in one.comparisons), None)
    return value if value is not None else (None if one.row.value != one.row.value else float(one.row.value))


def _every(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("Sampled", "date"), Column("Substance"), Column("Code"),
        Column("Result", "number"), Column("As reported"), Column("Unit"), Column("LOD", "number"),
        Column("LOQ", "number"), Column("PAL"), Column("ES"), Column("NR 140 status"), ROWS,
    )  # fmt: skip
    rows = [_every_row(one) for one in record.results]
    note = "PAL and ES in the unit of the result, by table of NR 140 (T1 public health, T2 public welfare)."
    return Table("3.3", "All results of all wells", "All results", columns, rows, (note,))


def _every_row(one: LabResult) -> Row:
    flags = Flags.parse(one.row.flags)
    pal, es = (_limits(one, kind) for kind in ("PAL", "ES"))
    reported = " ".join([one.row.value_text or "blank", *(mark for mark in flags.qualifiers if mark != "ND")])
    return (
        one.well.id, one.row.day, _name(one.row.parameter), one.row.series.partition(":")[0],
        result_cell(one), reported, one.row.unit,
        _fact(flags, "lod"), _fact(flags, "loq"), pal, es, _statuses(one), one.row.row_id,
    )  # fmt: skip


def _fact(flags: Flags, name: str) -> Plain:
    text = flags.facts.get(name, "")
    return Decimal(text) if text.replace(".", "", 1).isdigit() else text or None


def _limits(one: LabResult, kind: str) -> str:
    found = [compared.standard for compared in one.comparisons if compared.standard.kind == kind]
    return "; ".join(f"{_in_unit(law, one.row.unit)} (T{law.table})" for law in found)


def _in_unit(law: Standard, unit: str) -> str:
    return "0, any detect" if law.detection_only else f"{law.in_unit(unit).normalize():f}"


def _statuses(one: LabResult) -> str:
    if one.not_judged:
        return f"not judged: {one.not_judged}"
    return _told(one.comparisons) if one.comparisons else "no standard"


def _told(comparisons: Sequence[Comparison]) -> str:
    told = [one for one in comparisons if one.nr140.status != "not_attained"]
    return (
        "; ".join(f"{one.standard.kind} T{one.standard.table} {STATUS[one.nr140.status]}" for one in told)
        or "not attained"
    )


def _sums(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("Sampled", "date"), Column("Sample", "id"), Column("Substance"),
        Column("Sum", "number"), Column("Unit"), Column("Parts", "long"), Column("Not measured", "long"),
        Column("NR 140 status"), Column("Reason", "long"), ROWS,
    )  # fmt: skip
    notes = (
        "Added from the results of one sample where the laboratory reported no total. A part that was not detected "
        "counts from nothing to its limit; where the standard lies between, nobody can tell.",
    )
    rows = [_sum_row(one) for one in record.sums]
    return Table("3.5", "Sums computed from several results", "Sums", columns, rows, notes, "no sum was computed")


def _sum_row(one: ComputedSum) -> Row:
    first = one.comparisons[0]
    parts, missing = (", ".join(map(_name, names)) for names in (first.members, first.missing))
    reasons = "; ".join(dict.fromkeys(compared.nr140.reason for compared in one.comparisons))
    return (
        one.well.id, first.row.day, first.sample, _name(first.standard.parameter), _bounds(first), first.result.unit,
        parts, missing, _told(one.comparisons), reasons, row_span(first.rows),
    )  # fmt: skip


def _standards(record: AnnualRecord) -> Table:
    columns = (
        Column("Substance"), Column("Standard"), Column("Value", "number"), Column("Unit"), Column("Citation"),
        Column("In force from", "date"), Column("Standard's text"),
    )  # fmt: skip
    compared = [one.comparisons for one in record.results] + [one.comparisons for one in record.sums]
    used = {one.standard for each in compared for one in each}
    rows = [
        (
            _name(law.parameter),
            law.name(),
            law.value,
            law.unit,
            law.citation,
            law.effective or "unknown",
            law.verification,
        )
        for law in sorted(used, key=lambda law: (_name(law.parameter), law.table, law.kind, str(law.effective)))
    ]
    return Table("3.4", "Standards the results were compared with", "Standards", columns, rows, (VERIFICATION,))


def _name(id: str) -> str:
    return parameter(id).name
