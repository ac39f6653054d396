"""A proposed base flow as the block of ``site.toml`` that its signer completes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal

from models.proposed_base_flow import Proposal

NO_BASE_FLOW_YET = (
    "A proposal, not a base flow. Where DNR has established a base flow for this water, DNR's value IS the base flow.",
    "Ours remains a proposal until the applicant's licensee (a PG or PH) has signed it and it is filed with the town.",
    "Until the four lines of the signature are filled in, `headwater check` refuses the site.",
)
INDEX_GAUGE = "# the id in this file, where the index gauge is one of the site's"
PER_LINE = 12


def base_flow_record(one: Proposal, *, gauge: str, version: str, program: str) -> str:
    """TOML text of one ``[[stream.base_flow]]``, everything filled in but the signature.

    Parameters
    ----------
    gauge, version : the gauge's id in ``site.toml``, and the version of this record.
    program : name and version of what computed it.
    """
    parameters = ", ".join(f"{key} = {_text(value)}" for key, value in (one.parameters | {"program": program}).items())
    lines = [
        *(f"# {said}" for said in (*NO_BASE_FLOW_YET, rate_words(one), *map(_sentence, one.warnings))),
        "[[stream.base_flow]]",
        f"gauge = {_text(gauge)}",
        *_values(one),
        f"effective = {one.effective}          # the earliest day: the one after the record",
        f"version = {_text(version)}",
        f"method = {_text(one.method)}",
        f"statistic = {_text(one.statistic)}",
        f"parameters = {{ {parameters} }}",
        f"series = {_text(one.series)}",
        f"record_from = {one.first}",
        f"record_to = {one.last}",
        f"days_used = {one.days_used}",
        f"days_digest = {_text(one.days_digest)}",
        f"baseline_years = {one.baseline_years}",
        *([f"extended_from = {_text(one.extended_from)}   {INDEX_GAUGE}"] if one.extended_from else []),
        *_rate(one),
        'source = "licensee"',
        '# signed_by = "…"                # the licensee who answers for it',
        '# licence_kind = "PG"            # or PH',
        '# licence_number = "…"',
        "# signed_on = 2000-01-01         # the day of the signature",
        *([] if one.uncertainty_percent is None else [f"uncertainty_percent = {one.uncertainty_percent}"]),
    ]
    return "\n".join(lines)


def rate_words(one: Proposal) -> str:
    """The natural rate in a sentence."""
    rate, interval = one.rate.rate, one.rate.interval
    if rate.per_year is None:
        return "Natural rate: unknown."
    between = f", {interval.level:.0%} interval {interval.low:.2f} to {interval.high:.2f}" if interval else ""
    times = "once" if rate.triggers == 1 else f"{rate.triggers} times"
    estimated = f", {one.rate.estimated_days} of its days estimated" if one.rate.estimated_days else ""
    return (
        f"Natural rate: in {rate.years} years of known days{estimated}, flow was below it for more than 5 days {times} "
        f"({rate.per_year:.2f} per year{between}), in {one.rate.years_with_trigger} of {one.rate.climatic_years} "
        "climatic years."
    )


def _values(one: Proposal) -> Iterator[str]:
    if one.form == "value":
        yield f"value_cfs = {_number(one.values[0])}"
    elif one.form == "monthly":
        pairs = ", ".join(f"{month:02d} = {_number(value)}" for month, value in enumerate(one.values, start=1))
        yield f"monthly_cfs = {{ {pairs} }}"
    else:
        yield "daily_cfs = [                      # 1 January to 31 December of a leap year"
        for first in range(0, len(one.values), PER_LINE):
            yield f"  {_joined(one.values[first : first + PER_LINE])},"
        yield "]"


def _rate(one: Proposal) -> Iterator[str]:
    rate = one.rate.rate
    if rate.per_year is not None:
        yield f"natural_rate_per_year = {rate.per_year:.2f}"
        yield f"natural_rate_years = {rate.years}"


def _joined(values: Sequence[Decimal]) -> str:
    return ", ".join(_number(value) for value in values)


def _number(value: Decimal) -> str:
    return f"{value:f}"


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's; what neither prints is left out."""
    return json.dumps("".join(char for char in text if char.isprintable()), ensure_ascii=False)


def _sentence(text: str) -> str:
    return " ".join(text.split())
