"""The nouns of ``site.toml``: one mine, the waters and wells around it, and what was promised about them.

Positions are (x, y) in the coordinate system the file names, in its own unit (US survey feet for
EPSG:7595). The private half (names, phones, exact private positions) lives in ``households.toml``
and nowhere else; see ``models.household``.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.alternative_limit import AlternativeLimit
from models.background import BackgroundRecord, Gradient, fits_site
from models.discharge import Discharge, RegisterGal, fits_discharges
from models.drainage_point import DrainagePoint, fits_gauges
from models.excavation import Bedrock, Boring, PitFloor
from models.expected_delivery import ExpectedDelivery, fits_deliveries
from models.fetching import Fetch, targets
from models.field_types import Id, Positive, Text
from models.fractions import Fraction
from models.inventory import Inventory, fits
from models.level_baseline import LevelBaseline, fits_wells
from models.party import MailRoute, Party
from models.permit import Permit
from models.porosity import Porosity
from models.pumped_water import Approval, Pump, RatedFlow, VolumesBy, WaterUse
from models.quality_setting import QualityTests
from models.quantity import Rate, Recharge
from models.rating_in_force import Rating
from models.references import known, unique
from models.sampling import Sampling, fits_stations
from models.station import Station
from models.stratigraphy import Stratum, fits_aquifer
from models.toml_file import Noun
from models.water_loss import WaterLoss
from models.waters import DatumCheck, GaugeZero, Lake, Point, Stream
from models.well_logger import Logger, MeasuringPoint, Zero

__all__ = [
    "Gauge", "Lake", "Logger", "MeasuringPoint", "Party", "Permit", "Point", "Property", "Site", "Station", "Stream",
    "Well",
]  # fmt: skip


class Gauge(Station):
    """A stream gauge. ``record_rating`` is the hydrographer's; None is judged as 8 percent.

    ``sensors``: its series, the one that speaks first in front. Unsaid, a day on which two differ has no value.
    ``rating``: of a stage recorder; without one its stage says nothing of flow. ``surrogate_for``: the stream it stands
    for, whose flow is its own times the approved ``transfer_ratio``. ``lake``: the lake or pond it stands in.
    ``gauge_zero``, ``datum_check``: what puts its stage on NAVD88, and the surveys that say it still stands there.
    """

    stream: Id | None = None
    lake: Id | None = None
    position: Point | None = None
    measures: Literal["discharge", "stage"] = "discharge"
    sensors: tuple[str, ...] = ()
    role: Literal["compliance", "reference"] = "compliance"
    record_rating: Literal["excellent", "good", "fair", "poor"] | None = None
    surrogate_for: Id | None = None
    transfer_ratio: Positive | None = None
    rating: tuple[Rating, ...] = ()
    gauge_zero: tuple[GaugeZero, ...] = ()
    datum_check: tuple[DatumCheck, ...] = ()

    @property
    def judged(self) -> Literal["discharge", "stage"]:
        """What its days are judged by: discharge where it is measured or a rating gives it, else stage."""
        return "discharge" if self.rating else self.measures

    @model_validator(mode="after")
    def _rated_by_stage(self) -> Self:
        if self.rating and self.measures != "stage":
            raise ValueError('a rating needs measures = "stage"')
        unique("rating id", [one.id for one in self.rating])
        unique("valid_from", [one.valid_from.isoformat() for one in self.rating])
        if self.transfer_ratio is not None and self.surrogate_for is None:
            raise ValueError("transfer_ratio needs surrogate_for, the stream it transfers to")
        return self

    @model_validator(mode="after")
    def _one_water(self) -> Self:
        if self.lake is not None and (self.measures != "stage" or self.rating or self.stream or self.surrogate_for):
            raise ValueError('a gauge in a lake has measures = "stage", and no stream or rating')
        unique("gauge_zero.since", [one.since.isoformat() for one in self.gauge_zero])
        unique("datum_check.on", [one.on.isoformat() for one in self.datum_check])
        return self


class RainGauge(Station):
    """A daily precipitation station."""


class Barologger(Station, Zero):
    """An air-pressure logger; ``serial`` as in its files. ``elevation_ft``: where it hangs, if not beside the wells."""

    serial: str
    elevation_ft: Decimal | None = None


class Well(Station):
    """A well of any use. A private well's ``position`` is the centre of its quarter-quarter section.

    ``ngvd29_to_navd88_ft``: what to add to an elevation on NGVD29 here (NGS Coordinate Conversion tool).
    ``fraction``: which results judge its water (field-filtered: dissolved); unsaid, both. ``gradient``: from the site.
    ``uses``, ``pump``, ``permitted`` (the most it may pump, as "500 gpm": the maximum scenario): of a production well;
    a pumped hole wider than deep is a ``sump`` and no well. ``rated_flow``: what its pump gives, for run times;
    ``volumes_by``: which speaks where a meter, a log, run times or reports differ, the first there is where unsaid.
    """

    use: Literal["monitoring", "private", "production", "index"]
    position: Point
    position_accuracy_ft: Annotated[Decimal, Field(ge=0)] = Decimal(0)
    quarter_quarter: Text = ""
    property: Id | None = None
    in_application: bool = False
    fraction: Fraction | None = None
    gradient: Gradient | None = None
    ngvd29_to_navd88_ft: Annotated[Decimal, Field(ge=-10, le=10)] | None = None
    construction: Literal["drilled", "driven point", "dug", "sump", "unknown"] = "unknown"
    depth_ft: Positive | None = None
    pump_intake_ft: Positive | None = None
    screen_top_ft: Positive | None = None
    screen_bottom_ft: Positive | None = None
    measuring_point: tuple[MeasuringPoint, ...] = ()
    logger: tuple[Logger, ...] = ()
    quality_test: tuple[QualityTests, ...] = ()
    uses: tuple[WaterUse, ...] = ()
    pump: tuple[Pump, ...] = ()
    rated_flow: tuple[RatedFlow, ...] = ()
    volumes_by: VolumesBy | None = None
    permitted: Rate | None = None

    @model_validator(mode="after")
    def _pumped(self) -> Self:
        unique("use", self.uses)
        unique("pump.since", [one.since.isoformat() for one in self.pump])
        unique("rated_flow.since", [one.since.isoformat() for one in self.rated_flow])
        pumped = self.uses or self.pump or self.permitted or self.rated_flow or self.volumes_by
        if pumped and self.use != "production":
            raise ValueError('uses, pump, rated_flow and permitted belong to a well with use = "production"')
        if self.permitted is not None and (self.permitted.ranged or self.permitted.best <= 0):
            raise ValueError("permitted is one rate above 0")
        return self


class Meter(Station):
    """A totalizing meter on one production well."""

    well: Id
    register_gal: RegisterGal | None = None


class Property(Noun):
    """A tax parcel: the polygon decides standing. Whose it is stands in ``households.toml``."""

    id: Id
    parcel: str
    polygon: tuple[Point, ...] = Field(min_length=3)


class Range(Noun):
    """Low, best and high of an uncertain number."""

    low: Positive
    best: Positive
    high: Positive

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.low <= self.best <= self.high:
            raise ValueError("needs low <= best <= high")
        return self


class Aquifer(Noun):
    """The aquifer the mine pumps, with the ranges every modelled number carries.

    ``recharge``, ``dry_year_recharge``: as "8 in/yr"; the second in the maximum scenario. ``porosity``: of paths.
    """

    transmissivity_ft2_per_d: Range
    specific_yield: Range
    streambed_conductance_ft_per_d: Range
    saturated_thickness_ft: Positive
    source: Text
    recharge: Recharge | None = None
    dry_year_recharge: Recharge | None = None
    porosity: Porosity | None = None


class Site(Noun):
    """All of ``site.toml``."""

    id: Id
    name: Text
    ordinance: Id
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,5}$")]
    reference_point: Text
    boundary: tuple[Point, ...] = Field(min_length=3)
    design_management_zone: tuple[Point, ...] = ()
    alternative_limit: tuple[AlternativeLimit, ...] = ()
    background: tuple[BackgroundRecord, ...] = ()
    permit: Permit
    aquifer: Aquifer | None = None
    layer: tuple[Stratum, ...] = ()
    party: tuple[Party, ...] = ()
    mail: tuple[MailRoute, ...] = ()
    stream: tuple[Stream, ...] = ()
    lake: tuple[Lake, ...] = ()
    gauge: tuple[Gauge, ...] = ()
    rain_gauge: tuple[RainGauge, ...] = ()
    barologger: tuple[Barologger, ...] = ()
    well: tuple[Well, ...] = ()
    level_baseline: tuple[LevelBaseline, ...] = ()
    meter: tuple[Meter, ...] = ()
    discharge: tuple[Discharge, ...] = ()
    property: tuple[Property, ...] = ()
    approval: tuple[Approval, ...] = ()
    water_loss: tuple[WaterLoss, ...] = ()
    pit_floor: tuple[PitFloor, ...] = ()
    bedrock: tuple[Bedrock, ...] = ()
    boring: tuple[Boring, ...] = ()
    drainage_point: tuple[DrainagePoint, ...] = ()
    sampling: tuple[Sampling, ...] = ()
    delivery: tuple[ExpectedDelivery, ...] = ()
    fetch: tuple[Fetch, ...] = ()
    inventory: Inventory = Inventory()

    def stations(self) -> tuple[Station, ...]:
        """Everything that measures."""
        return (*self.gauge, *self.rain_gauge, *self.barologger, *self.well, *self.meter, *self.discharge)

    def party_of(self, id: str) -> Party:
        return next(party for party in self.party if party.id == id)

    def wells(self, *uses: str) -> tuple[Well, ...]:
        return tuple(well for well in self.well if well.use in uses)

    def stream_of(self, gauge: Gauge) -> Stream | None:
        """The stream a gauge speaks for: a surrogate for another than its own."""
        judged = gauge.surrogate_for or gauge.stream
        return next((stream for stream in self.stream if stream.id == judged), None)

    def water_of(self, gauge: Gauge) -> Stream | Lake | None:
        """The water whose level a gauge records: its own stream or lake."""
        own = gauge.lake or gauge.stream
        return next((one for one in self.waters() if one.id == own), None)

    def waters(self) -> tuple[Stream | Lake, ...]:
        """Every surface water."""
        return (*self.stream, *self.lake)

    def holder(self, on: date) -> str:
        """The party that holds the permit on a day (the first holder before any)."""
        held = [one for one in self.permit.holders if one.since <= on]
        return (max(held, key=lambda one: one.since) if held else self.permit.holders[0]).party

    @model_validator(mode="after")
    def _joined_up(self) -> Self:
        unique("id", [one.id for one in self.stations()] + [one.id for one in self.waters()])
        unique("property id", [one.id for one in self.property])
        unique("identifier", [name.casefold() for one in self.stations() for name in {one.id, *one.identifiers}])
        parties = [one.party for one in self.mail] + [one.party for one in self.permit.holders]
        known("party", parties, {one.id for one in self.party})
        streams = [id for one in self.gauge for id in (one.stream, one.surrogate_for) if id]
        known("stream", streams, {one.id for one in self.stream})
        known("gauge", [b.gauge for s in self.stream for b in s.base_flow], {one.id for one in self.gauge})
        waters = self.waters()
        known("lake", [one.lake for one in self.gauge if one.lake], {one.id for one in self.lake})
        known("gauge", [b.gauge for w in waters for b in w.base_level], {one.id for one in self.gauge})
        served = [w.property for w in self.well if w.property] + [p for w in waters for p in w.serves]
        known("property", served, {one.id for one in self.property})
        known("well", [one.well for one in self.meter], {one.id for one in self.wells("production")})
        known("well", [id for one in self.approval for id in one.wells], {one.id for one in self.wells("production")})
        fits_discharges(self.discharge, [one.id for one in waters], [one.id for one in self.wells("production")])
        aired = [log.barologger for well in self.well for log in well.logger if log.barologger]
        known("well", [id for one in self.alternative_limit for id in one.wells], {one.id for one in self.well})
        known("barologger", aired, {one.id for one in self.barologger})
        fits_site(self.background, [(one.id, one.gradient) for one in self.well], self.permit.mining_began)
        fits_wells(self.level_baseline, {one.id: one.use for one in self.well})
        fits(self.inventory, [w.id for w in self.well], [w.id for w in waters], [p.id for p in self.property])
        fits_gauges(self.drainage_point, [one.id for one in self.gauge], (*self.stations(), *waters))
        fits_stations(self.sampling, [one.id for one in self.stations()])
        fits_deliveries(self.delivery, [one.id for one in self.stations()])
        fits_aquifer(self.layer, None if self.aquifer is None else self.aquifer.saturated_thickness_ft)
        _town_only(self)
        targets(self)
        return self


def _town_only(site: Site) -> None:
    if outside := [one.to for one in site.mail if site.party_of(one.party).role != "town"]:
        raise ValueError(f"the night mails the town only; not a town address: {', '.join(outside)}")
