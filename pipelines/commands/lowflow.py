"""``headwater lowflow``: the low-flow statistics of one discharge record, and the base flow proposed from them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from models.errors import BadQuestion
from models.proposed_base_flow import BY_DAY, BY_MONTH, STATISTICS, WISCONSIN, Baseline, propose
from models.streamflow.duration import flow_duration
from models.streamflow.intervals import LEVEL, REPLICATES
from models.streamflow.known_days import KnownDays, known_days
from models.streamflow.low_flow import LowFlow, Statistic, low_flow
from models.streamflow.low_flow_sample import ANNUAL, DURATION
from models.streamflow.monthly_low_flow import monthly_statistics
from models.streamflow.recession import recession_constants
from pipelines.daily_discharge import DailySeries, daily_discharge
from pipelines.flow_options import asked, frame_of, record_options, write_page
from pipelines.terminal import as_json, emit, say
from pipelines.version import VERSION
from reports.base_flow_record import base_flow_record, rate_words
from reports.flow_figures import duration_curve, marked_hydrograph
from reports.flow_page import Drawn, FlowPage
from reports.low_flow_told import TITLES, known_data, low_flow_data, low_flow_text, minima_rows, unknown_words

SEED = 20250101
MONTHLY = f"monthly_{WISCONSIN}"


@click.command()
@record_options
@click.option("--index", help="File or gauge of a long index gauge: extends the record by MOVE.1.")
@click.option("--index-station", default="", help="Which station of the index file, where it holds several.")
@click.option(
    "--replicates",
    type=click.IntRange(2, 100_000),
    default=REPLICATES,
    show_default=True,
    help="Bootstrap samples of every interval.",
)
@click.option("--seed", type=click.IntRange(0), default=SEED, show_default=True, help="Of the bootstrap.")
@click.option("--rows", is_flag=True, help="Give the lowest 7-day mean of every year too.")
@click.option(
    "--propose",
    type=click.Choice(STATISTICS),
    help="Draft a base flow for site.toml from this statistic, to be signed.",
)
@click.option("--gauge", default="", help="Id of the gauge in site.toml, for --propose; default the station.")
@click.option("--version", "version_of", default="1", show_default=True, help="Version of the record of --propose.")
@as_json
def lowflow(source: str, replicates: int, seed: int, rows: bool, as_json: bool, **options: Any) -> int:
    """Low-flow statistics of the daily discharge of SOURCE, in cfs, each with an interval by drawing years anew.

    SOURCE is a file that `read` understands, or a gauge of the site. Days under ice or another void code, and reverse
    flow, are unknown first. What the record cannot give is null, with the reason. Exit code 3: done, but rows of the
    file could not be taken.
    """
    series = daily_discharge(asked(source, options))
    gauge = _gauge(series, options["gauge"]) if options["propose"] else ""
    baseline = _baseline(series, _index(options, series), options["propose"], replicates, seed, source)
    if options["propose"]:
        data = _proposed(baseline, gauge, options | {"replicates": replicates, "seed": seed})
    else:
        data = _answer(source, series, baseline, replicates, seed, rows)
    if options["page"]:
        data["page"] = write_page(options["page"], _page(series, baseline))
    say("")
    emit(data, lambda: data.get("toml") or low_flow_text(data), json_wanted=as_json)
    return 3 if series.left_out else 0


def _index(options: dict[str, Any], own: DailySeries) -> DailySeries | None:
    """The index gauge's record, from its first day to the last one asked for: no day after it is drawn on."""
    if not options["index"]:
        return None
    whole = {**options, "first": None, "format_name": None, "series": ""}
    found = daily_discharge(asked(options["index"], whole, station=options["index_station"]))
    if found.station and found.station == own.station:
        raise BadQuestion("the gauge itself; extended from another gauge's", key="--index", found=found.name)
    return found


def _baseline(
    series: DailySeries, index: DailySeries | None, statistic: str | None, replicates: int, seed: int, source: str
) -> Baseline:
    known = known_days(series.days, series.practice)
    beside = None if index is None else known_days(index.days, index.practice)
    found = _found(known, beside, replicates, seed)
    names = dict.fromkeys(
        [MONTHLY, *([f"monthly_{statistic.split('_')[1]}"] if statistic in {*BY_MONTH, *BY_DAY} else [])]
    )
    whole = known.record if found.extension is None else found.extension.record
    monthly = {name: _by_month(whole, name, replicates, seed) for name in names}
    index_name = "" if index is None else index.name or "index gauge"
    return Baseline(known, found, monthly, series.name or Path(source).name, series.practice, beside, index_name)


def _found(known: KnownDays, index: KnownDays | None, replicates: int, seed: int) -> LowFlow:
    say(f"drawing {replicates} samples of the years")
    other = None if index is None else index.record
    return low_flow(known.record, np.random.default_rng(seed), index=other, replicates=replicates)


def _by_month(record: Any, name: str, replicates: int, seed: int) -> tuple[Statistic, ...]:
    say(f"drawing {replicates} samples of the years: {name}")
    return monthly_statistics(record, BY_MONTH[name], np.random.default_rng(seed), replicates=replicates)


def _answer(
    source: str, series: DailySeries, baseline: Baseline, replicates: int, seed: int, rows: bool
) -> dict[str, Any]:
    say("recessions")
    rng = np.random.default_rng(seed)
    fewer = max(2, replicates // 5)  # seven constants, each drawn anew
    constants = recession_constants(baseline.known.record, rng=rng, replicates=fewer)
    return {
        "source": source, "station": series.station, "series": series.series,
        **low_flow_data(baseline.known, baseline.found, baseline.monthly, constants),
        "interval": {"level": LEVEL, "replicates": replicates, "recession_replicates": fewer, "seed": seed},
        "notes": list(series.notes), "left_out": list(series.left_out),
        **({"rows": minima_rows(baseline.found)} if rows else {}),
    }  # fmt: skip


def _proposed(baseline: Baseline, gauge: str, options: dict[str, Any]) -> dict[str, Any]:
    say("the natural rate")
    replicates, seed = options["replicates"], options["seed"]
    one = propose(options["propose"], baseline, np.random.default_rng(seed), replicates=replicates)
    text = base_flow_record(one, gauge=gauge, version=options["version_of"], program=f"headwater {VERSION}")
    told = {name: value for name, value in asdict(one).items() if name != "rate"}
    rate = {**asdict(one.rate.rate), "interval": one.rate.interval and asdict(one.rate.interval)}
    rate |= {"years_with_trigger": one.rate.years_with_trigger, "climatic_years": one.rate.climatic_years}
    return {
        **told, "values": [float(value) for value in one.values], "gauge": gauge, "effective": one.effective,
        "natural_rate": rate | {"says": rate_words(one), "replicates": replicates, "seed": seed}, "toml": text,
    }  # fmt: skip


def _gauge(series: DailySeries, given: str) -> str:
    if not given and not series.station:
        raise BadQuestion("names no station; say whose base flow it is to be", key="--gauge")
    return given or series.station


def _page(series: DailySeries, baseline: Baseline) -> FlowPage:
    found, known = baseline.found, baseline.known
    values = {TITLES[name]: getattr(found, name).value for name in (*ANNUAL, *DURATION)}
    given = {name: value for name, value in values.items() if value is not None}
    marked = {name.upper(): (p, given[name.upper()]) for name, p in DURATION.items() if name.upper() in given}
    frame = frame_of(series.days, dict(known.used))
    levels = {name: value for name, value in given.items() if name in ("Q90", "7Q10")}
    numbers = ", ".join(f"{name} {value:.3g} cfs" for name, value in given.items())
    curve = duration_curve(flow_duration(baseline.record.usable), marked)
    return FlowPage(
        f"Low flow: {baseline.series}", _says(baseline),
        [
            Drawn("Daily discharge", f"Daily discharge. {numbers}.", marked_hydrograph(frame, levels)),
            Drawn("Flow duration", f"Flow-duration curve. {numbers}.", curve),
        ],
        ["Statistic", "cfs", "90 % interval", "Rests on", "Remark"],
        [_row(title, getattr(found, name)) for name, title in TITLES.items()],
        [*found.warnings, *series.notes, *series.left_out],
    )  # fmt: skip


def _says(baseline: Baseline) -> list[str]:
    data = known_data(baseline.known)
    lines = [f"{data['n']} known days, {data['first']} to {data['last']}, in cfs.", *unknown_words(data).splitlines()]
    extended = f"Extended by MOVE.1 from {baseline.index_series}: {baseline.found.estimated_days} days estimated; "
    return [*lines, *([extended + "the hydrograph shows measured days only."] if baseline.index else [])]


def _row(title: str, one: Statistic) -> list[str]:
    interval = f"{one.interval.low:.3g} to {one.interval.high:.3g}" if one.interval else ""
    return [title, "" if one.value is None else f"{one.value:.3g}", interval, f"{one.n} {one.counted}", one.reason]
