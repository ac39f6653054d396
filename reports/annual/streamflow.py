"""Chapter 5: streamflow against the signed base flow, by month and by spell, with the natural rate beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from models.base_flow import BaseFlow
from models.checks.base_flow import threshold
from models.streamflow.day_states import DailyFlow, DayState, Threshold, explain, to_record_precision
from models.streamflow.natural_rate import natural_rate
from models.streamflow.shortfall import judge
from models.streamflow.spells import Spell
from reports.annual.figures import flow_figure
from reports.annual.record import AnnualRecord, Flow
from reports.annual.table import Chapter, Column, Row, Section, Table, row_span

ONE_DAY = timedelta(days=1)
ROWS = Column("Rows", "rows")
SPELL = {
    "TRIGGERED_OPEN": "over the number of days, going on", "TRIGGERED_CLOSED": "over the number of days, ended",
    "TRIGGERED_CENSORED": "over the number of days, end not seen", "INDETERMINATE": "cannot tell, ended",
    "INDETERMINATE_OPEN": "cannot tell, going on", "WATCH": "not over the number of days yet",
    "MINOR": "not over the number of days", "MINOR_CENSORED": "not over the number of days, end not seen",
}  # fmt: skip
CONFIDENCE = {"BEYOND_UNCERTAINTY": "beyond", "WITHIN_UNCERTAINTY": "within"}

SAYS = (
    "A day is below when its daily mean is less than the base flow in force. A day without a usable value is "
    "unknown: it is neither below nor not below. Values stand as published or, where only instants came, as computed.",
    "A low day is no finding of cause.",
)


@dataclass(frozen=True)
class Day:
    """One civil day of a gauge as judged: value to record precision [cfs or ft], state, and why it is unknown."""

    day: date
    value: Decimal | None
    state: DayState
    why: str
    row: str
    flow: DailyFlow | None


def chapter(record: AnnualRecord) -> Chapter:
    """Months, spells, signed base flows and the natural rate."""
    rates = tuple(_rate_line(record, one) for one in record.flows if one.signed and one.rule is not None)
    tables = (_months(record), _spells(record), _base_flows(record), _daily(record))
    figures = tuple(flow_figure(record, one) for one in record.flows if one.gauge.role == "compliance")
    return Chapter(
        5, "Streamflow and base flow", SAYS, (Section("", (), tables), Section("Hydrographs", rates, (), figures))
    )


def days_of(record: AnnualRecord, one: Flow) -> list[Day]:
    """Every civil day of the year told, absent ones included."""
    known = {day.day: day for day in one.days if record.start <= day.day <= record.end}
    count = (record.end - record.start).days + 1
    return [_day(record, one, record.start + k * ONE_DAY, known) for k in range(count)]


def _day(record: AnnualRecord, one: Flow, day: date, known: dict[date, DailyFlow]) -> Day:
    flow = known.get(day)
    if flow is None:
        return Day(day, None, DayState.UNKNOWN, "no row", "", None)
    base = limits(one).at(day)
    practice = record.policy.practice()
    operator = one.rule.operator if one.rule else "lt"
    state, why = explain(flow, base, operator, one.gauge.judged, practice)
    known_value = flow.value is not None and state is not DayState.UNKNOWN
    value = to_record_precision(flow.value, flow.origin, one.gauge.judged, practice) if flow.value is not None else None
    return Day(day, value if known_value else None, state, why, flow.version, flow)


def limits(one: Flow) -> Threshold:
    """The signed base flow by day; zero, which no flow is below, where there is none."""
    return threshold(one.signed) if one.signed else Threshold.constant(Decimal(0))


def _months(record: AnnualRecord) -> Table:
    columns = (
        Column("Gauge", "id"), Column("Month", "id"), Column("Days known", "count"), Column("Days unknown", "count"),
        Column("Days below base flow", "count"), Column("Lowest daily mean [cfs]", "number"), Column("On", "date"),
        Column("Highest daily mean [cfs]", "number"), Column("On", "date"),
        Column("Mean of known days [cfs]", "number", 2), Column("Base flow [cfs]", "number"), ROWS,
    )  # fmt: skip
    rows = [row for one in record.flows for row in _month_rows(record, one)]
    notes = tuple(
        f"{one.gauge.id} measures stage: its numbers are feet." for one in record.flows if one.gauge.judged == "stage"
    )
    return Table("5.1", "Streamflow by month", "Flow by month", columns, rows, notes)


def _month_rows(record: AnnualRecord, one: Flow) -> Iterator[Row]:
    days = days_of(record, one)
    for month in range(1, record.end.month + 1):
        yield _month_row(one, f"{record.year}-{month:02d}", [day for day in days if day.day.month == month])
    yield _month_row(one, f"{record.year}, all", days)


def _month_row(one: Flow, name: str, days: Sequence[Day]) -> Row:
    known = [(day.value, day.day) for day in days if day.value is not None]
    below = sum(day.state is DayState.BELOW for day in days) if one.signed else None
    bases = sorted({limits(one).at(day.day) for day in days}) if one.signed else []
    base = bases[0] if len(bases) == 1 else None
    head = (one.gauge.id, name, len(known), len(days) - len(known), below)
    if not known:
        return (*head, None, None, None, None, None, base, "")
    low, high = min(known), max(known, key=lambda pair: pair[0])
    mean = float(sum(value for value, _ in known)) / len(known)
    return (*head, *low, *high, mean, base, row_span(day.row for day in days))


def spells_of(record: AnnualRecord, one: Flow) -> list[tuple[Spell, bool]]:
    """Spells that touch the year, and whether each is of the time before mining began."""
    if not one.signed or one.rule is None or one.rule.more_than_days is None:
        return []
    began = record.site.permit.mining_began
    before = [day for day in one.days if day.day < began]
    after = _to(record.on, [day for day in one.days if day.day >= began])
    found = [(spell, True) for spell in _judged(record, one, before)]
    found += [(spell, False) for spell in _judged(record, one, after)]
    return [(spell, early) for spell, early in found if spell.start <= record.end and spell.end >= record.start]


def _to(on: date, days: list[DailyFlow]) -> list[DailyFlow]:
    """Silence counts: the days after the last row are unknown, not absent."""
    if not days:
        return days
    missing = (on - days[-1].day).days
    return days + [DailyFlow(days[-1].day + (k + 1) * ONE_DAY, None) for k in range(missing)]


def _judged(record: AnnualRecord, one: Flow, days: list[DailyFlow]) -> Sequence[Spell]:
    if one.rule is None:
        return ()
    return judge(
        days, limits(one), operator=one.rule.operator, more_than_days=one.rule.more_than_days or 0,
        uncertainty=record.policy.uncertainty(one.gauge.record_rating), practice=record.policy.practice(),
    ).spells  # fmt: skip


def _spells(record: AnnualRecord) -> Table:
    columns = (
        Column("Gauge", "id"), Column("Clause", "id"), Column("First day below", "date"),
        Column("Last day below", "date"), Column("Days known below", "count"), Column("Days possible", "count"),
        Column("Status", "long"), Column("Day the number was passed", "date"), Column("Of the uncertainty"),
        Column("Data"), Column("Time"), Column("Remarks", "long"), ROWS,
    )  # fmt: skip
    rows = [_spell_row(one, spell, early) for one in record.flows for spell, early in spells_of(record, one)]
    notes = (
        "Status against the number of days in the clause. Of the uncertainty: whether the days needed lie below the "
        "base flow by more than the uncertainty of a daily mean (beyond) or not all of them (within).",
    )
    return Table("5.2", "Spells below base flow", "Spells", columns, rows, notes, "no spell below base flow")


def _spell_row(one: Flow, spell: Spell, early: bool) -> Row:
    versions = {day.day: day.version for day in one.days}
    return (
        one.gauge.id, one.rule.clause if one.rule else "", spell.start, spell.end, spell.known_below_days,
        spell.possible_days, SPELL.get(spell.status, spell.status), spell.trigger_date,
        CONFIDENCE.get(spell.confidence or "", ""), "provisional" if spell.provisional else "approved",
        "before mining began" if early else "since mining began", "; ".join(spell.reasons),
        row_span(versions.get(day, "") for day in spell.below_days),
    )  # fmt: skip


def _base_flows(record: AnnualRecord) -> Table:
    columns = (
        Column("Gauge", "id"), Column("Version"), Column("Value [cfs]", "number"), Column("In force from", "date"),
        Column("Record from", "date"), Column("Record to", "date"), Column("Baseline [yr]", "number"),
        Column("Extended from"), Column("Uncertainty [%]", "number"), Column("Signed by"), Column("Licence"),
        Column("Signed on", "date"), Column("Method", "long"),
    )  # fmt: skip
    rows = [
        (base.gauge, base.version, _value_of(base), base.effective,
         base.record_from, base.record_to, base.baseline_years, base.extended_from or "", base.uncertainty_percent,
         base.signed_by, f"{base.licence_kind} {base.licence_number}", base.signed_on, base.method)
        for stream in record.site.stream
        for base in stream.base_flow
    ]  # fmt: skip
    return Table("5.3", "Signed base flows", "Base flows", columns, rows, empty="no base flow is signed")


def _value_of(base: BaseFlow) -> Decimal | str:
    if base.value_cfs is not None or base.daily_cfs:
        return base.value_cfs or base.says()
    return ", ".join(f"{month}: {value}" for month, value in sorted(base.monthly_cfs.items()))


def _daily(record: AnnualRecord) -> Table:
    columns = (
        Column("Gauge", "id"), Column("Day", "date"), Column("Daily mean [cfs]", "number"), Column("Approval"),
        Column("Qualifiers"), Column("Origin"), Column("State"), ROWS,
    )  # fmt: skip
    words = {DayState.BELOW: "below", DayState.NOT_BELOW: "not below", DayState.UNKNOWN: "unknown"}
    rows = [
        (one.gauge.id, day.day, day.value, day.flow.approval if day.flow else "",
         " ".join(day.flow.qualifiers) if day.flow else "", day.flow.origin if day.flow else "",
         words[day.state] if one.signed or day.state is DayState.UNKNOWN else "no base flow", day.row)
        for one in record.flows
        for day in days_of(record, one)
    ]  # fmt: skip
    return Table("5.4", "Streamflow by day", "Flow by day", columns, rows, in_page=False)


def _rate_line(record: AnnualRecord, one: Flow) -> str:
    """The natural rate: how often the same rule was met before mining began."""
    assert one.rule is not None  # the caller asked
    before = [day for day in one.days if day.day < record.site.permit.mining_began]
    rate = natural_rate(
        before, limits(one), operator=one.rule.operator, more_than_days=one.rule.more_than_days or 0,
        practice=record.policy.practice(),
    )  # fmt: skip
    if rate.per_year is None:
        return f"{one.gauge.id}, natural rate: no record before mining began, so it is unknown."
    times = "once" if rate.triggers == 1 else f"{rate.triggers} times"
    rows = row_span(day.version for day in before)
    return (
        f"{one.gauge.id}, natural rate: in the record before mining began the same rule was met {times} in "
        f"{rate.years} years of known days ({rate.per_year:.1f} per year). Rows: {rows}."
    )
