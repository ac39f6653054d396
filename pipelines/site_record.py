"""The record of a site for its public page, read from the store as known at one instant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from sqlalchemy import Connection

from models import pumping
from models.aquifer.cone import PumpedWell
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.checks.base_flow import signed_versions, threshold
from models.event import Event
from models.known_volumes import AT_A_WELL, METER
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.place import stream_frame
from models.question import Changed, Question
from models.site import Aquifer, Gauge, Meter, Range, Site, Well
from pipelines import casebook, excerpt
from pipelines.casebook import ms
from pipelines.frozen_base_flow import as_first_used
from pipelines.judgement import all_cases, all_deadlines
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from reports.figures import Steps
from reports.site_map import FAR_FT, Cone, extent
from reports.site_page.public import sampled_since
from reports.site_page.record import (
    CaseCount,
    DepletionRecord,
    DrawdownRecord,
    SiteRecord,
    StationRecord,
    StreamRecord,
    WellRecord,
)

SHOWN_DAYS = 3 * 365
"""Figures go back this far; the reports hold the rest."""
AIR = "barometric_pressure"
GRID_NODES = 81
NEAREST_FT = 100.0
"""No contour is drawn nearer to a pumping well: the map is not read there, and the last foot would set its steps."""


def site_record(connection: Connection, folder: SiteFolder, on: date, now: datetime) -> SiteRecord:
    """Everything the page tells of a site.

    Parameters
    ----------
    connection : an open reading of the store.
    on : the civil day the page stands for.
    now : the instant of knowledge, aware.
    """
    folder, _ = as_first_used(connection, folder)
    site, law, since = folder.site, folder.law, on - timedelta(days=SHOWN_DAYS)
    recall = _AirOnce(connection, ZoneInfo(law.zone), ms(now), (since, on))
    events = casebook.events(connection, ms(now))
    streams = [_stream(recall, folder, gauge, since, on) for gauge in site.gauge]
    wells = [_well(recall, folder, well, since, on) for well in site.well]
    results = excerpt.results(recall, folder, None, on)
    recent = results[results["sampled"] >= since.isoformat()] if len(results) else results
    question = Question(site, law, folder.policy, recall, on, now, Changed())
    return SiteRecord(
        site, law, folder.policy, on, since, now, casebook.standing(connection, ms(now)),
        all_deadlines(events, folder, now), list(_counts(folder, events, now)),
        [*_stations(recall, site, streams, wells, recent, since, on)], streams, wells, _rain(recall, site, since, on),
        recent, sampled_since(results, site.permit.mining_began), _cone(recall, question, on), _drawdowns(question),
        _depletions(question),
    )  # fmt: skip


class _AirOnce(Recall):
    """Reads each barologger once: many wells share one, and its air would be half of all reading."""

    def __init__(self, connection: Connection, zone: ZoneInfo, known_at: int, window: tuple[date, date]) -> None:
        super().__init__(connection, zone, known_at)
        self._window, self._air = window, dict[str, pd.DataFrame]()

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        """See ``models.question.Observations``."""
        (first, last), wanted = self._window, (start or date.min, end or date.max)
        if list(parameters) != [AIR] or len(stations) != 1 or not first <= wanted[0] <= wanted[1] <= last:
            return super().rows(stations, parameters, start, end)
        if stations[0] not in self._air:
            self._air[stations[0]] = super().rows(stations, parameters, first, last)
        frame = self._air[stations[0]]
        return frame[(frame["day"] >= wanted[0]) & (frame["day"] <= wanted[1])]


def _well(recall: Recall, folder: SiteFolder, well: Well, since: date, on: date) -> WellRecord:
    frame = excerpt.water_levels(recall, folder, well, since, on)
    return WellRecord(well, frame[["time_ms", "day", "depth_ft", "kind", "dry"]])


def _stream(recall: Recall, folder: SiteFolder, gauge: Gauge, since: date, on: date) -> StreamRecord:
    frame = excerpt.streamflow(recall, gauge, since, on)
    return StreamRecord(gauge, _to_the_day(frame, on), base_flow_steps(folder.site, gauge, on))


def _to_the_day(frame: pd.DataFrame, on: date) -> pd.DataFrame:
    """Silence counts: the record ends on the day of the page, with or without a value."""
    if frame.empty or frame["day"].iloc[-1] >= on:
        return frame
    end = pd.DataFrame([{"day": on, "value": np.nan, "approval": "", "qualifiers": "", "origin": "", "row_id": ""}])
    return pd.concat([frame, end], ignore_index=True)


def base_flow_steps(site: Site, gauge: Gauge, on: date) -> Steps:
    """The signed base flow a compliance gauge is judged by, as steps since mining began; none where none is signed."""
    mining, stream = site.permit.mining_began, site.stream_of(gauge)
    signed = signed_versions(stream, gauge, mining, on) if stream is not None and gauge.role == "compliance" else []
    if not signed or gauge.judged != "discharge":
        return ()
    began = max(mining, signed[0].effective)
    by_day = threshold(signed)
    days = [began + timedelta(days=k) for k in range((on - began).days + 1)]
    turns = [began, *(day for day in days if day.day == 1 or by_day.moves(day)), *(one.effective for one in signed)]
    found = [(day, by_day.find(day)) for day in sorted({day for day in turns if day >= began})]
    return [(day, float("nan") if value is None else float(value)) for day, value in found]


def _rain(recall: Recall, site: Site, since: date, on: date) -> pd.DataFrame:
    """The site's first rain gauge."""
    frames = [excerpt.rain(recall, gauge, since, on) for gauge in site.rain_gauge[:1]]
    return frames[0] if frames else pd.DataFrame(columns=["day", "value"])


def _counts(folder: SiteFolder, events: Sequence[Event], now: datetime) -> Iterator[CaseCount]:
    found = all_cases([one for one in events if one.recorded_at <= now], folder)
    for kind in folder.law.case:
        status = [one.status for one in found if one.kind.id == kind.id]
        if status:
            yield CaseCount(kind.title, kind.clause, status.count("open"), len(status) - status.count("open"))


def _stations(
    recall: Recall,
    site: Site,
    streams: Sequence[StreamRecord],
    wells: Sequence[WellRecord],
    results: pd.DataFrame,
    since: date,
    on: date,
) -> Iterator[StationRecord]:
    for stream in streams:
        kind = "stream gauge" if stream.gauge.role == "compliance" else "reference stream gauge"
        days = stream.frame.loc[stream.frame["value"].notna(), "day"]
        yield StationRecord(stream.gauge.id, kind, stream.gauge.name, *_last(days), daily=True)
    for well in wells:
        yield _well_station(recall, site, well, results, since, on)
    for gauge in site.rain_gauge:
        days = recall.rows([gauge.id], ["precipitation"], since, on)["day"]
        yield StationRecord(gauge.id, "rain gauge", gauge.name, *_last(days), daily=True)
    for one in site.barologger:
        days = recall.rows([one.id], [AIR], since, on)["day"]
        yield StationRecord(one.id, "air pressure logger", one.name, *_last(days), daily=False)


def _well_station(
    recall: Recall, site: Site, one: WellRecord, results: pd.DataFrame, since: date, on: date
) -> StationRecord:
    well, levels = one.well, one.frame
    read = levels.loc[levels["depth_ft"].notna() | levels["dry"].astype(bool), "day"]
    sampled = results.loc[results["station"] == well.id] if len(results) else pd.DataFrame(columns=["sampled"])
    days = [*read, *(date.fromisoformat(day) for day in sampled["sampled"].unique())]
    pumping_at = [well.id, *(meter.id for meter in site.meter if meter.well == well.id)]
    days += [*recall.rows(pumping_at, [METER, *AT_A_WELL], since, on)["day"]] if well.use == "production" else []
    name = well.quarter_quarter if well.use == "private" else well.name
    daily = bool((levels["kind"] == "daily").any())
    return StationRecord(well.id, f"{well.use} well", name, *_last(days), daily=daily)


def _last(days: Sequence[date] | pd.Series) -> tuple[date | None, int]:
    return max(days, default=None), len(days)


def _cone(recall: Recall, question: Question, on: date) -> Cone | None:
    """The cone at the end of the day, or at the last instant of which a volume is known where that is earlier."""
    site, aquifer = question.site, question.site.aquifer
    pumped = pumping.metered(question, on + timedelta(days=1))
    if aquifer is None or not site.stream or not pumped:
        return None
    midnight = datetime.combine(on + timedelta(days=1), time(), recall.zone)
    at = min(ms(midnight), max(found[-1].end_ms for _, found in pumped))
    west, south, east, north = extent(site, FAR_FT)
    x, y = np.linspace(west, east, GRID_NODES), np.linspace(south, north, GRID_NODES)
    t, s, c = aquifer.transmissivity_ft2_per_d, aquifer.specific_yield, aquifer.streambed_conductance_ft_per_d
    wells = [_pumped_well(site, *one) for one in pumped]
    values = AquiferValues(float(t.best), float(s.best), (float(c.best),) * len(wells))
    tables = [WellTable.at(one, at / DAY_MS) for one in wells]
    drawdown = drawdown_at(tables, values, *np.meshgrid(x, y), nearest=NEAREST_FT)
    day = datetime.fromtimestamp((at - 1) / 1000, recall.zone).date()
    metered = {one.id for one in site.meter}
    words = _model_words(aquifer, [_of_meter(one, one.id in metered) for one, _ in pumped], pumping.not_known(pumped))
    return Cone(x, y, drawdown, day, words)


def _of_meter(meter: Meter, metered: bool) -> str:
    return meter.well if metered else f"{meter.well} (by its log, run times or reports)"


def _pumped_well(site: Site, meter: Meter, found: list[Interval]) -> PumpedWell:
    well: Well = next(one for one in site.well if one.id == meter.well)
    distance, foot, toward = min(stream_frame(one.line, well.position) for one in site.stream)
    return PumpedWell(well.position, distance, foot, toward, *pumping.schedule(found))


def _model_words(aquifer: Aquifer, wells: Sequence[str], lacks: Sequence[str]) -> str:
    numbers = (
        f"transmissivity {_range(aquifer.transmissivity_ft2_per_d)} ft²/d, "
        f"specific yield {_range(aquifer.specific_yield)}, "
        f"streambed conductance {_range(aquifer.streambed_conductance_ft_per_d)} ft/d"
    )
    unknown = "".join(f"; {one}" for one in lacks)
    return (
        f"Superposed Hunt (1999) from the pumping, as metered, of {', '.join(dict.fromkeys(wells))}, best estimate of "
        f"{numbers} ({aquifer.source}){unknown}. Recharge, other wells and bends of the stream are not in it; it is "
        "not a finding of cause."
    )


def _range(one: Range) -> str:
    return f"{one.best} ({one.low} to {one.high})"


def _drawdowns(question: Question) -> list[DrawdownRecord]:
    """The model at monitoring wells with its range; private wells are left out, their exact place is not public."""
    until = question.on + timedelta(days=1)
    found = [(one.id, pumping.drawdown_ft(question, one, until)) for one in question.site.wells("monitoring")]
    return [DrawdownRecord(id, one.best, one.low, one.high, one.on) for id, one in found if one is not None]


def _depletions(question: Question) -> list[DepletionRecord]:
    """The model at every stream of the site, each as if it were the only one."""
    until = question.on + timedelta(days=1)
    found = [(one.id, pumping.depletion_cfs(question, one, until)) for one in question.site.stream]
    return [DepletionRecord(id, one.best, one.low, one.high, one.on) for id, one in found if one is not None]
