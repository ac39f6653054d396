"""Mean and median of the results of a station with non-detects: bounds, and nothing put in for what was not seen.

A non-detect lies in [0, its limit), and a detect below the LOQ without a number lies below the LOQ and is counted with
them. So the mean lies between the means with each of them at its lowest and at its limit, and so does the median
(Helsel 2012, Statistics for censored environmental data, 2nd ed., ch. 1). Half the limit is what
others print; it stands beside, named for what it is. Where nothing was detected there is no mean, only a highest limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from models.checks.quality_results import Reported, Terms, taken
from models.nr140.result import Result
from models.question import StoredRow
from models.statistics.sums import shown
from models.units import factor

METHOD = "bounds: non-detects as 0 and as their limit"
Bounds = tuple[Decimal, Decimal]


@dataclass(frozen=True)
class Summary:
    """Results of one substance at one station, in ``unit``; bounds are None where they cannot be given."""

    station: str
    parameter: str
    unit: str
    n: int
    n_detected: int
    mean: Bounds | None
    median: Bounds | None
    mean_half_limit: Decimal | None
    highest_limit: Decimal | None
    says: str
    method: str = METHOD


def summaries(terms: Terms, rows: Sequence[StoredRow]) -> Iterator[Summary]:
    """One summary for each substance of each station, of the results that are judged and not in doubt."""
    groups: dict[tuple[str, str], list[Reported]] = {}
    for one in (each for each in taken(terms, rows)[0] if not each.doubt):
        groups.setdefault((one.row.station, one.row.parameter), []).append(one)
    for (station, parameter), found in sorted(groups.items()):
        yield _summary(station, parameter, found)


def _summary(station: str, parameter: str, found: Sequence[Reported]) -> Summary:
    unit, n = found[0].row.unit, len(found)
    detected = sum(not _censored(one.result) for one in found)
    intervals = [_interval(one.result, unit) for one in found]
    hidden = [high for one, (_, high) in zip(found, intervals, strict=True) if _censored(one.result)]
    highest = max((one for one in hidden if one is not None), default=None)
    known = [(low, high) for low, high in intervals if low is not None and high is not None]
    head = station, parameter, unit, n, detected
    if not detected:
        limit = "no limit was reported" if highest is None else f"<{shown(highest)}"
        return Summary(*head, None, None, None, highest, f"no mean; {limit}; 0 of {n} detected")
    if len(known) < n:
        says = f"no bounds: {n - len(known)} of {n} results give no limit; {detected} of {n} detected"
        return Summary(*head, None, None, None, highest, says)
    lows, highs = [low for low, _ in known], [high for _, high in known]
    means, medians = (_mean(lows), _mean(highs)), (_median(lows), _median(highs))
    says = f"mean {_text(means)}, median {_text(medians)}; {detected} of {n} detected"
    return Summary(*head, means, medians, (means[0] + means[1]) / 2, highest, says)


def _mean(numbers: Sequence[Decimal]) -> Decimal:
    return sum(numbers, Decimal(0)) / len(numbers)


def _median(numbers: Sequence[Decimal]) -> Decimal:
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(numbers) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _interval(result: Result, unit: str) -> tuple[Decimal | None, Decimal | None]:
    """What a result lies between; a detect without a number has a bound only where its LOD and LOQ are known."""
    scale = factor(result.unit, unit)
    if result.value is not None:
        return result.value * scale, result.value * scale
    if result.said == "between":
        return _scaled(result.lod, scale) or Decimal(0), _scaled(result.loq, scale)
    if result.said:
        return _scaled(result.limit or result.lod, scale), None
    return Decimal(0), _scaled(result.lod if result.below_lod else result.limit or result.lod, scale)


def _censored(result: Result) -> bool:
    """Known only to lie below a limit."""
    return not result.detected or result.said == "between"


def _scaled(number: Decimal | None, scale: Decimal) -> Decimal | None:
    return None if number is None else number * scale


def _text(bounds: Bounds) -> str:
    low, high = bounds
    return shown(low) if low == high else f"{shown(low)} to {shown(high)}"
