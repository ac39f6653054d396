"""An answer as files anybody may be given: of private wells only the rings in which they stand are in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from models.modflow.answer import Answer
from models.modflow.measured import Measured, as_said
from models.modflow.public import without_private
from pipelines.geo_files import NoGeoPackage, check_crs, geojson, geopackage
from pipelines.modflow.ask import Asked
from pipelines.modflow.geo_layers import numerical_layers
from pipelines.modflow.path_layers import paths_table
from pipelines.modflow.told_page import heads_of, levels_of, page_of
from pipelines.terminal import to_json
from reports.aquifer.cone_section import instants
from reports.modflow.numerical_page import NumericalPage, numerical_page
from reports.shown_units import Shown, Unit

ANSWER, SERIES, HEADS, PAGE = "answer.json", "series.csv", "hydrographs.csv", "modflow.html"
PATHS = "paths.csv"
GEOJSON, GEOPACKAGE = "modflow.geojson", "modflow.gpkg"


def public_page(found: Asked, shown: Shown) -> str:
    """The page."""
    return numerical_page(page_of(found, shown))


def public_files(found: Asked, shown: Shown) -> tuple[dict[str, bytes], list[str]]:
    """The files, and what could not be made, in words.

    ``answer.json``, the day asked for; ``series.csv``, every told figure by step; ``hydrographs.csv``, heads by step;
    ``paths.csv`` where particles were followed; the page; and a GeoJSON and a GeoPackage where the scenario's map has a
    place on the Earth.

    Raises
    ------
    BadQuestion : a map in another unit than its system.
    """
    answer, page = without_private(found.answer), page_of(found, shown)
    files = {
        ANSWER: (to_json(_public(found, page)) + "\n").encode(), SERIES: _series(answer, shown),
        HEADS: _heads(answer, levels_of(found), shown), PAGE: numerical_page(page).encode(),
    }  # fmt: skip
    if found.particles is not None:
        files[PATHS] = paths_table(found.particles, answer.scenario, shown)
    made, left_out = _map_files(page)
    return files | made, left_out


def _map_files(page: NumericalPage) -> tuple[dict[str, bytes], list[str]]:
    scenario = page.of.answer.scenario
    if scenario.crs is None:
        return {}, ["no GeoJSON, no GeoPackage: a local grid has no place on the map (crs = 'EPSG:7595' gives it one)"]
    check_crs(scenario.crs, scenario.to_metres)
    layers = numerical_layers(page)
    files = {GEOJSON: geojson(layers, scenario.crs)}
    try:
        return files | {GEOPACKAGE: geopackage(layers, scenario.crs)}, []
    except NoGeoPackage as caught:
        return files, [str(caught)]


def _public(found: Asked, page: NumericalPage) -> dict[str, Any]:
    left_out = len(found.answer.scenario.point) - len(page.of.answer.scenario.point)
    return {**page.data, "private_wells_left_out": left_out}


def _series(answer: Answer, shown: Shown) -> bytes:
    """``until quantity of value unit``, a row for each step and quantity; blank where dry."""
    told = answer.quantities
    drawdown = {id: one for id, one in told.drawdown.items() if id not in told.in_well}
    groups = (
        ("drawdown", drawdown, shown.drawdown), ("depletion", told.depletion, shown.stream),
        ("pit inflow", told.inflow, shown.pumping), ("pumping", {"all wells": told.pumped}, shown.pumping),
    )  # fmt: skip
    until = [instants(float(day)) for day in told.day]
    parts = [
        pd.DataFrame({"until": until, "quantity": quantity, "of": id, "value": one * unit.per, "unit": unit.name})
        for quantity, values, unit in groups
        for id, one in values.items()
    ]
    return _csv(_with_layers(answer, parts), ["until", "quantity", "of", "value", "unit"])


def _heads(answer: Answer, measured: Sequence[Measured], shown: Shown) -> bytes:
    """``until place head_without_pumping head_with_pumping unit measured measured_as``; blank where dry.

    A row for each step and place, then one for each level measured there, with the run's head at its instant.
    """
    unit, until = shown.drawdown, [instants(float(day)) for day in answer.quantities.day]
    names = ["until", "place", "head_without_pumping", "head_with_pumping", "unit", "measured", "measured_as"]
    parts = []
    for one in heads_of(answer, measured):
        columns = until, one.id, one.before * unit.per, one.now * unit.per, unit.name, np.nan, ""
        layer = {"layer": one.layer} if one.layer else {}
        parts.append(pd.DataFrame(dict(zip(names, columns, strict=True)) | layer))
        if one.measured is not None:
            parts.append(pd.DataFrame(dict(zip(names, _measured(one.measured, unit), strict=True)) | layer))
    return _csv(parts or [pd.DataFrame(columns=names)], names)


def _with_layers(answer: Answer, parts: list[pd.DataFrame]) -> list[pd.DataFrame]:
    """Of several layers, each row's in a column ``layer`` of its own, blank where it is of none."""
    layers = answer.pair.strata.layers
    if len(layers) == 1:
        return parts
    named = {id: layers[one.layer].name for id, one in answer.quantities.observed.items()}
    return [one.assign(layer=one["of"].map(named)) for one in parts]


def _measured(one: Measured, unit: Unit) -> tuple[Any, ...]:
    at = [instants(float(day)) for day in one.day]
    return at, one.id, np.nan, one.simulated * unit.per, unit.name, one.level * unit.per, as_said(one)


def _csv(parts: list[pd.DataFrame], columns: list[str]) -> bytes:
    found = pd.concat(parts)
    layered = [*columns, "layer"] if "layer" in found else columns
    text: str = found[layered].to_csv(index=False, float_format="%.6g")
    return text.encode()
