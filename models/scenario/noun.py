"""The nouns of a pumping scenario: an aquifer with ranges, wells with rates by date, streams, edges, points, a pit.

What ``drawdown``, ``depletion``, ``cone`` and ``pit`` ask their questions of; read from a scenario TOML or made from a
site. Quantities are text with a unit and may carry a range (`models.quantity`); positions are plain (x, y) in
``unit``. Everything a model takes is then in metres and days: `Scenario.metres`, and days since 1970-01-01 of local
civil time (`day_number`). A day of civil time is taken as 24 hours.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, NaiveDatetime, model_validator

from models.aquifer.volume_timing import Span
from models.field_types import Day, Id, Text
from models.quantity import Conductance, Depth, Distance, Rate, Recharge, Slope
from models.references import unique
from models.scenario.aquifer import AquiferOf
from models.scenario.layers import LayerOf
from models.toml_file import Noun
from models.units import factor

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e8, le=1e8)]
Point = tuple[Coordinate, Coordinate]
Line = Annotated[tuple[Point, ...], Field(min_length=2)]
Polygon = Annotated[tuple[Point, ...], Field(min_length=3)]


def _civil(value: object) -> object:
    if isinstance(value, datetime) and value.tzinfo is not None:
        raise ValueError("a moment of civil time has no offset from UTC")
    return value


Moment = Annotated[Day | NaiveDatetime, Field(union_mode="left_to_right"), BeforeValidator(_civil)]
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 local civil time has no offset
KINDS = ("metered", "maximum")
Kind = Literal["metered", "maximum"]


def day_number(when: date | datetime) -> float:
    """Days since 1970-01-01 00:00 of the same civil clock."""
    if not isinstance(when, datetime):
        return float((when - EPOCH.date()).days)
    moment = when if when.tzinfo is None else when.replace(tzinfo=None)
    return (moment - EPOCH).total_seconds() / 86_400


def civil_day(day: float) -> date:
    """The day in which an instant of `day_number` lies."""
    return (EPOCH + timedelta(days=day)).date()


class Step(Noun):
    """A rate held from a moment until the next; negative returns water."""

    since: Moment
    rate: Rate


class PumpedWell(Noun):
    """A pumping well: one ``rate`` from ``since`` (to ``stops``), ``rates``, or a ``rates_file`` beside the scenario.

    ``radius``: drawdown at the well itself is asked for there. ``permitted``: the rate of the maximum scenario.
    ``spans``: of a site's own record, times of more than a day of which only the volume is known [d], [m3], [m3/d].
    ``screen_top``, ``screen_bottom``: below land, as is ``water_depth``, the water table before pumping: which layers a
    numerical model lets it draw on.
    """

    id: Id
    name: Text = ""
    position: Point
    rate: Rate | None = None
    since: Moment | None = None
    stops: Moment | None = None
    rates: tuple[Step, ...] = ()
    spans: tuple[Span, ...] = ()
    rates_file: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$|^$", max_length=200)] = ""
    permitted: Rate | None = None
    radius: Distance | None = None
    pump_intake: Depth | None = None
    water_depth: Depth | None = None
    screen_top: Depth | None = None
    screen_bottom: Depth | None = None

    @model_validator(mode="after")
    def _screened(self) -> Self:
        if self.screen_top is None and self.screen_bottom is None:
            return self
        if self.screen_top is None or self.screen_bottom is None or self.water_depth is None:
            raise ValueError(f"{self.id}: screen_top, screen_bottom and water_depth belong together")
        if self.screen_bottom.value <= self.screen_top.value:
            raise ValueError(f"{self.id}: its screen_bottom must lie below its screen_top")
        return self

    @model_validator(mode="after")
    def _one_history(self) -> Self:
        given = [name for name in ("rate", "rates", "rates_file") if getattr(self, name)]
        if len(given) > 1 or (not given and self.permitted is None):
            raise ValueError(f"{self.id} needs one of rate, rates, rates_file (found {', '.join(given) or 'none'})")
        if self.rate is not None and self.since is None:
            raise ValueError(f"{self.id} has a rate and no since")
        moments = [day_number(one.since) for one in self.steps]
        if any(later <= earlier for earlier, later in pairwise(moments)):
            raise ValueError(f"the rates of {self.id} must be in order of time, each moment once")
        return self

    @property
    def steps(self) -> tuple[Step, ...]:
        """The history, whatever way it was given."""
        if self.rate is None or self.since is None:
            return self.rates
        stop = () if self.stops is None else (Step.model_validate({"since": self.stops, "rate": "0 m3/d"}),)
        return (Step(since=self.since, rate=self.rate), *stop)

    @property
    def schedule(self) -> tuple[list[float], list[float]]:
        """Days (`day_number`) and the rate held from each until the next [m3/d]."""
        steps = self.steps
        return [day_number(one.since) for one in steps], [one.rate.value for one in steps]


class StreamOf(Noun):
    """A stream of constant level. ``conductance``: lambda = K' w / b' of its bed; none is a clean, fully cut bed.

    ``inflow``, ``width``, ``slope``: what it carries at the first point of its line, and its bed: a numerical model
    then routes its water, and it cannot lose more than it carries. They belong together.
    """

    id: Id
    name: Text = ""
    line: Line
    conductance: Conductance | None = None
    inflow: Rate | None = None
    width: Distance | None = None
    slope: Slope | None = None

    @model_validator(mode="after")
    def _routed(self) -> Self:
        given = [one for one in (self.inflow, self.width, self.slope) if one is not None]
        if given and (len(given) < 3 or self.conductance is None):
            raise ValueError(f"{self.id}: a routed stream needs inflow, width, slope and conductance together")
        return self


class Edge(Noun):
    """A straight end of the aquifer through two points: a wall, or a water that keeps its level."""

    id: Id
    kind: Literal["no_flow", "constant_head"]
    line: Annotated[tuple[Point, ...], Field(min_length=2, max_length=2)]


class ObservedPoint(Noun):
    """A place where drawdown is asked for: a private or monitoring well, or just a point.

    ``water_depth`` and ``pump_intake`` are below land: what is between them is left above the pump.
    """

    id: Id
    name: Text = ""
    kind: Literal["private", "monitoring", "point"] = "point"
    position: Point
    pump_intake: Depth | None = None
    water_depth: Depth | None = None


class PitStage(Noun):
    """From a moment on: how far a pit's water level is kept below the undisturbed water table."""

    since: Moment
    lowered: Depth


class PitOf(Noun):
    """A pit kept dry: ``lowered`` from ``since`` on, or in ``stage``, each held until the next.

    ``lowered``: how far its floor's water level is kept below the undisturbed water table.
    """

    polygon: Polygon
    lowered: Depth | None = None
    since: Moment | None = None
    stage: tuple[PitStage, ...] = ()
    lake_depth: Depth | None = None

    @model_validator(mode="after")
    def _one_history(self) -> Self:
        given = [self.lowered is not None, self.since is not None]
        if any(given) if self.stage else not all(given):
            raise ValueError("a pit needs lowered and since together, or instead [[pit.stage]] with both in each")
        moments = [day_number(one.since) for one in self.stage]
        if any(later <= earlier for earlier, later in pairwise(moments)):
            raise ValueError("the stages of a pit must be in order of time, each moment once")
        return self

    @property
    def stages(self) -> tuple[PitStage, ...]:
        """The history, whatever way it was given."""
        if self.lowered is None or self.since is None:
            return self.stage
        return (PitStage(since=self.since, lowered=self.lowered),)

    @property
    def schedule(self) -> tuple[list[float], list[float]]:
        """Days (`day_number`) and the lowering held from each until the next [m]."""
        return [day_number(one.since) for one in self.stages], [one.lowered.value for one in self.stages]


class Gradient(Noun):
    """The regional slope of the water table, and where it goes down to, in degrees clockwise from grid north."""

    slope: Slope
    toward_degrees: Annotated[float, Field(ge=0, le=360, allow_inf_nan=False)]


class Scenario(Noun):
    """All of a scenario file. ``crs``: none is a local grid; ``boundary``: the mine site, which holds its wells."""

    name: Text = ""
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,5}$")] | None = None
    unit: Literal["ft", "ftUS", "m"] = "ft"
    kind: Kind = "metered"
    aquifer: AquiferOf
    layer: tuple[LayerOf, ...] = ()
    well: tuple[PumpedWell, ...] = ()
    stream: tuple[StreamOf, ...] = ()
    edge: tuple[Edge, ...] = ()
    point: tuple[ObservedPoint, ...] = ()
    boundary: tuple[Point, ...] = ()
    property_line: tuple[Point, ...] = ()
    pit: PitOf | None = None
    gradient: Gradient | None = None
    notes: tuple[Text, ...] = ()

    @property
    def to_metres(self) -> float:
        """Metres in one ``unit``."""
        return float(factor(self.unit, "m"))

    def metres(self, point: Point) -> tuple[float, float]:
        """A position [m]."""
        return point[0] * self.to_metres, point[1] * self.to_metres

    @property
    def recharge(self) -> Recharge | None:
        """Of this scenario's kind: a dry year's in the maximum one."""
        return self.aquifer.dry_year_recharge if self.kind == "maximum" else self.aquifer.recharge

    @model_validator(mode="after")
    def _joined_up(self) -> Self:
        waters = [one.id for one in self.stream] + [one.id for one in self.edge]
        unique("id", [one.id for one in self.well] + [one.id for one in self.point] + waters)
        unique("layer.id", [one.id for one in self.layer])
        for above, below in pairwise(self.layer):
            if below.bottom.value <= above.bottom.value:
                raise ValueError(f"layers cross: the bottom of {below.id} is not below that of {above.id}")
        return self
