"""The pre-mining band and the index well in words and as plain data: what a level is compared with, and how well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from models import pumping
from models.checks.level_band import Drop, WaterTable
from models.checks.level_band_index import IndexLine
from models.checks.level_band_season import Season
from models.finding import Evidence
from models.question import Question
from models.site import Well


def limit_words(table: WaterTable, day: date) -> str:
    """What a level of a day is held against."""
    season = table.season(day)
    if season is not None:
        own = f"; of its own record: {table.lack}" if table.line is None else ""
        return f"{_band_words(table, season)}, and {table.policy.level_error.says()} more{own}"
    drop = table.policy.level_drop
    deepest = "no baseline" if table.deepest_ft is None else f"deepest baseline {table.deepest_ft:.2f} ft"
    return f"{deepest} of {table.n} readings, and {drop.says()} more; no season band: {lack(table, day)}"


def lack(table: WaterTable, day: date) -> str:
    """Why there is no band of the season; empty where there is one."""
    if table.season(day) is not None:
        return ""
    years = (
        f"{table.years(day)} years before mining in the season, needs {table.policy.level_band_minimum_years.says()}"
    )
    return f"{table.lack}; {years}" if table.lack else years


def cannot_tell(table: WaterTable, day: date) -> str:
    """Why nothing tells whether the season or the year explains a low level of a day, and what would."""
    if table.index is None:
        return (
            "it is below its season's band but by no drop below the deepest level before mining, and no index well is "
            "declared: a well beyond the mine's reach would settle whether the season or the year explains it"
        )
    name = f"index well {table.index.id}"
    if table.index_ft(day) is None:
        return f"{name} was not read within the days that tell whether it is as low: its readings would settle it"
    return (
        f"whether {name} is as low for the season cannot be told: it has no band of its own and {table.lack}: "
        "more of its record before mining would settle it"
    )


def evidence(
    question: Question, table: WaterTable, day: date, drop: Drop | None, *, dry: bool = False
) -> Iterator[Evidence]:
    """How the band was drawn, and what the index well says of the day; nothing where no index well is declared.

    ``dry``: the depth compared is the bottom of a dry hole.
    """
    if table.index is None:
        return
    yield Evidence("pre-mining band", f"at {table.well}: {limit_words(table, day)}{_line_words(table)}", "context")
    yield Evidence("index well", "; ".join(_index_words(question, table, day, drop, dry=dry)), _bearing(drop))


def facts(table: WaterTable, day: date, drop: Drop | None) -> dict[str, Any]:
    """Plain data of the comparison, feet to the hundredth."""
    season, line, index_ft = table.season(day), table.line, table.index_ft(day)
    found: dict[str, Any] = {
        "read_at": table.well, "limit": "season band" if season else "deepest reading", "readings": table.n,
        "drop": drop.status if drop else None, "index": table.index.id if table.index else None,
        "limit_ft": _rounded(table.limit_ft(day)), "index_ft": _rounded(index_ft),
    }  # fmt: skip
    if season is not None:
        found["season"] = {"days": season.n, "measured": season.measured, "years": season.years}
    if line is not None:
        found |= _line_facts(line)
    if (predicted := table.predicted(day)) is not None:
        names = ("best", "low", "high")
        found["predicted_ft"] = {name: _rounded(getattr(predicted, f"{name}_ft")) for name in names}
    return found


def _line_facts(line: IndexLine) -> dict[str, Any]:
    return {
        "overlap_days": line.move.n, "overlap_span_days": line.span_days,
        "correlation": round(line.move.correlation, 3),
        "standard_error_ft": _rounded(line.move.standard_error), "independent_days": round(line.effective, 1),
    }  # fmt: skip


def _band_words(table: WaterTable, season: Season) -> str:
    policy = table.policy
    return (
        f"low end of the season's band before mining {season.low_water_ft:.2f} ft (band {season.high_water_ft:.2f} to "
        f"{season.low_water_ft:.2f}, share below {policy.level_low_percentile.says()}, within "
        f"{policy.level_season_half_width.says()}; n = {season.n} days of {season.years} years, {season.measured} "
        "measured)"
    )


def _line_words(table: WaterTable) -> str:
    if table.line is None or table.index is None:
        return ""
    move = table.line.move
    return (
        f"; record extended from index well {table.index.id} by MOVE.1 over {move.n} concurrent days in "
        f"{table.line.span_days} (r = {move.correlation:.3f}, standard error {move.standard_error:.2f} ft, as good as "
        f"{table.line.effective:.0f} independent days)"
    )


def _index_words(
    question: Question, table: WaterTable, day: date, drop: Drop | None, *, dry: bool
) -> Iterator[str]:  # fmt: skip
    index_ft, predicted = table.index_ft(day), table.predicted(day)
    name = table.index.id if table.index else ""
    if index_ft is None:
        gap = question.policy.level_index_longest_gap.says()
        yield f"{name} was not read around {day} (readings no further apart than {gap})"
        return
    yield f"{name} on {day}: {index_ft:.2f} ft below land, {_season_words(table, day)}"
    if predicted is not None:
        share = question.policy.level_index_interval
        yield (
            f"it predicts {predicted.best_ft:.2f} ft at {table.well} ({predicted.low_ft:.2f} to "
            f"{predicted.high_ft:.2f}, share {share.says()}{', beyond its range before mining' * predicted.beyond})"
        )
        if drop is not None:
            there = (
                f"dry there down to {drop.depth_ft:.2f} ft, at least" if dry else f"read there {drop.depth_ft:.2f} ft,"
            )
            yield f"{there} {_difference(drop.depth_ft - predicted.best_ft)}"
    yield from _reached(question, name)


def _difference(lower_ft: float) -> str:
    return f"{abs(lower_ft):.2f} ft {'lower' if lower_ft >= 0 else 'higher'} than that"


def _season_words(table: WaterTable, day: date) -> str:
    season = table.index_season(day)
    if season is None:
        return "no season band of its own"
    low = "below" if table.index_is_low(day) else "not below"
    return f"{low} its own season's band ({season.low_water_ft:.2f} ft, {season.years} years)"


def _bearing(drop: Drop | None) -> Any:
    if drop is None or drop.status in {"unknown", "no baseline"}:
        return "silent"
    return {"shown": "supports", "shared": "against", "none": "context"}[drop.status]


def _reached(question: Question, id: str) -> Iterator[str]:
    """That the site's own model lets the pumping reach the index well, which was declared beyond its reach."""
    well = next(one for one in question.site.well if one.id == id)
    found = question.once(("index_reached", id), lambda: pumping.drawdown_ft(question, well, question.on))
    least = question.policy.recovered_drawdown
    if found is not None and found.high >= float(least.value):
        yield (
            f"declared beyond the mine's reach, but modelled pumping lowers it by up to {found.high:.1f} ft: "
            "it may be no index"
        )


def declared_words(question: Question, well: Well) -> Iterator[Evidence]:
    """Why the index well of a private well is said to lie beyond the mine's reach."""
    for one in question.site.level_baseline:
        if one.index is not None and one.holds_at(well.id):
            yield Evidence("index well declared", f"{one.index}: {one.index_beyond_reach}", "context")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
