"""``headwater baseflow``: base flow separated from one discharge record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from models.errors import BadQuestion
from models.streamflow.duration import exceedance_quantile, flow_duration
from models.streamflow.known_days import KnownDays, known_days
from models.streamflow.low_flow_sample import DURATION
from models.streamflow.separation.methods import METHODS, Separation, separate
from models.streamflow.separation.parameters import RECESSION, Choice, Parameter, Whole
from pipelines.daily_discharge import DailySeries, daily_discharge
from pipelines.flow_options import asked, frame_of, record_options, write_page
from pipelines.terminal import as_json, emit
from reports.flow_figures import duration_curve, separated_hydrograph
from reports.flow_page import Drawn, FlowPage
from reports.low_flow_told import known_data, unknown_words
from reports.text_table import text_table

ALL = "all"
NO_THRESHOLD = (
    "a separated hydrograph is no base flow to judge by: it looks ahead and changes day by day; "
    "`headwater lowflow --propose` drafts one"
)


def _parameters() -> dict[str, list[Parameter]]:
    """Every parameter of every method by key; one key may mean a little else in another method."""
    found: dict[str, list[Parameter]] = {}
    for method in METHODS.values():
        for one in method.parameters:
            found.setdefault(one.key, []).append(one)
    return found


PARAMETERS = _parameters()


def _parameter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for key, meant in reversed(PARAMETERS.items()):
        meanings = "; ".join(dict.fromkeys(f"{one.meaning} [{one.unit}]" for one in meant))
        command = click.option(f"--{key.replace('_', '-')}", f"parameter_{key}", help=f"{meanings}.")(command)
    return command


@click.command()
@record_options
@click.option(
    "--method", required=True, type=click.Choice([*METHODS, ALL]), help=f"Separation method; {ALL} compares them."
)
@_parameter_options
@click.option("--set", "given", multiple=True, metavar="KEY=VALUE", help="A parameter of the method by its key.")
@click.option("--rows", is_flag=True, help="Give the days too: date, flow, base_flow.")
@as_json
def baseflow(source: str, method: str, given: tuple[str, ...], rows: bool, as_json: bool, **options: Any) -> int:
    """Separate base flow from the daily discharge of SOURCE: a file that `read` understands, or a gauge of the site.

    Days under ice or another void code, and reverse flow, are unknown first; nothing is joined over an unknown day.
    Flow is taken in cfs. Exit code 3: done, but rows of the file could not be taken.
    """
    series = daily_discharge(asked(source, options))
    known = known_days(series.days, series.practice)
    values = _given(options, given)
    found = _separations(method, known, values)
    data = _data(source, series, known, method, found, rows)
    if options["page"]:
        data["page"] = write_page(options["page"], _page(data, series, known, found))
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 3 if series.left_out else 0


def _given(options: Mapping[str, Any], pairs: tuple[str, ...]) -> dict[str, Any]:
    """Parameters by key, from flags and from ``--set``."""
    flags = {key: options[f"parameter_{key}"] for key in PARAMETERS if options[f"parameter_{key}"] is not None}
    named = dict(pair.partition("=")[::2] for pair in pairs)
    if wrong := [key for key in named if key not in PARAMETERS]:
        raise BadQuestion("no such parameter", key="--set", found=wrong[0], allowed=PARAMETERS)
    if twice := sorted(flags.keys() & named.keys()):
        raise BadQuestion("given twice", key=twice[0], found=f"{flags[twice[0]]} and {named[twice[0]]}")
    return {key: _value(key, text) for key, text in (flags | named).items()}


def _value(key: str, text: str) -> float | int | str:
    meant = PARAMETERS[key][0]
    if isinstance(meant, Choice):
        return text
    try:
        return int(text) if isinstance(meant, Whole) else float(text)
    except ValueError:
        raise BadQuestion("not a number", key=key, found=text, allowed=[meant.allowed]) from None


def _separations(method: str, known: KnownDays, values: Mapping[str, Any]) -> dict[str, Separation | BadQuestion]:
    if method != ALL:
        return {method: separate(method, known.record.usable, **values)}
    return {name: _tried(name, known, values) for name in METHODS}


def _tried(name: str, known: KnownDays, values: Mapping[str, Any]) -> Separation | BadQuestion:
    """A method of the comparison, with those of the values that are its own; or why it cannot be used.

    The recession constant of a stream is not the filter parameter of Lyne & Hollick, though both are called alpha.
    """
    own = {one.key for one in METHODS[name].parameters if one.key != RECESSION.key or one.meaning == RECESSION.meaning}
    try:
        return separate(name, known.record.usable, **{key: value for key, value in values.items() if key in own})
    except BadQuestion as caught:
        return caught


def _data(
    source: str, series: DailySeries, known: KnownDays, method: str, found: Mapping[str, Any], rows: bool
) -> dict[str, Any]:
    told = {name: _one(name, one) for name, one in found.items()}
    head = {"method": ALL, "methods": list(told.values())} if method == ALL else told[method]
    about = {name: value for name, value in known_data(known).items() if name != "n"}
    return {
        **head, "source": source, "station": series.station, "series": series.series, "known_days": len(known.used),
        **about, "notes": [*series.notes, NO_THRESHOLD], "left_out": list(series.left_out),
        **({"rows": list(_rows(known, method, found))} if rows else {}),
    }  # fmt: skip


def _one(name: str, found: Separation | BadQuestion) -> dict[str, Any]:
    title = METHODS[name].title
    if isinstance(found, BadQuestion):
        return {"method": name, "title": title, "parameters": None, "bfi": None, "n": 0, "reason": str(found)}
    bfi, n = float(found.bfi), int(found.n)
    mean = float(np.nanmean(found.base_flow)) if n else None
    reason = "" if np.isfinite(bfi) else "no day with base flow" if not n else "no flow on the days with base flow"
    return {
        "method": name, "title": title, "parameters": found.parameters, "bfi": bfi, "n": n, "mean_base_flow": mean,
        "reason": reason,
    }  # fmt: skip


def _rows(known: KnownDays, method: str, found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every calendar day; of a comparison the base flow by method."""
    made = {name: one.base_flow.tolist() for name, one in found.items() if isinstance(one, Separation)}
    flow = known.record.usable.tolist()
    for k, day in enumerate(known.record.days.tolist()):
        base = {name: values[k] for name, values in made.items()}
        yield {"date": day, "flow": flow[k], "base_flow": base if method == ALL else base[method]}


def _page(
    data: Mapping[str, Any], series: DailySeries, known: KnownDays, found: Mapping[str, Separation | BadQuestion]
) -> FlowPage:
    frame, flow = frame_of(series.days, dict(known.used)), known.record.usable
    drawn = [
        Drawn(f"Daily discharge and base flow, {_titled(one)}", f"Discharge and base flow by day: {_titled(one)}.",
              separated_hydrograph(frame, _on_rows(known, series, one.base_flow), METHODS[name].title))
        for name, one in found.items() if isinstance(one, Separation)
    ]  # fmt: skip
    marked = {name.upper(): (p, float(exceedance_quantile(flow, p)[0])) for name, p in DURATION.items()}
    curve = duration_curve(flow_duration(flow), marked)
    numbers = ", ".join(f"{name} {value:.3g} cfs" for name, (_, value) in marked.items())
    drawn.append(Drawn("Flow duration", f"Flow-duration curve: {numbers}.", curve))
    return FlowPage(
        f"Base flow: {series.name or Path(data['source']).name}", _says(data), drawn,
        ["Method", "Base-flow index", "Days", "Mean base flow, cfs", "Parameters", "Remark"],
        [[row[key] for key in ("method", "bfi", "days", "mean", "parameters", "reason")] for row in _table(data)],
        [*data["notes"], *data["left_out"]],
    )  # fmt: skip


def _titled(one: Separation) -> str:
    return METHODS[one.method].title


def _on_rows(known: KnownDays, series: DailySeries, base: np.ndarray) -> np.ndarray:
    """Base flow on the rows of the record, which may skip days of the calendar."""
    at = np.array([one.day for one in series.days], "datetime64[D]") - known.record.days[0]
    return np.asarray(base[at.astype(np.int64)], np.float64)


def _says(data: Mapping[str, Any]) -> list[str]:
    span = f"{data['known_days']} known days, {data['first']} to {data['last']}, in cfs."
    return [span, *unknown_words(dict(data)).splitlines()]


def _table(data: Mapping[str, Any]) -> list[dict[str, str]]:
    return [_cells(one) for one in data.get("methods", [data])]


def _cells(one: Mapping[str, Any]) -> dict[str, str]:
    known = bool(one["n"])
    return {
        "method": one["title"],
        "bfi": f"{one['bfi']:.4f}" if known and np.isfinite(one["bfi"]) else "",
        "days": str(one["n"]),
        "mean": f"{one['mean_base_flow']:.4g}" if known else "",
        "parameters": ", ".join(f"{key} {_short(value)}" for key, value in (one["parameters"] or {}).items()),
        "reason": one["reason"],
    }


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _text(data: Mapping[str, Any]) -> str:
    lines = [*_says(data), "", text_table(_table(data), ["method", "bfi", "days", "mean", "parameters", "reason"]), ""]
    if "rows" in data:
        lines += [text_table(data["rows"], ["date", "flow", "base_flow"]), ""]
    return "\n".join([*lines, *data["notes"], *data["left_out"], *([data["page"]] if "page" in data else [])])
