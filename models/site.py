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

from models.toml_file import Noun

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Text = Annotated[str, Field(max_length=2000)]
Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e8, le=1e8)]
Point = tuple[Coordinate, Coordinate]
Day = Annotated[date, Field(ge=date(1900, 1, 1), le=date(2200, 1, 1))]
Positive = Annotated[Decimal, Field(gt=0, le=Decimal("1e9"))]


class Party(Noun):
    """A public body or company with a part to play; households are not here."""

    id: Id
    role: Literal["town", "operator", "landowner", "agency", "consultant"]
    name: Text


class MailRoute(Noun):
    """One addressee of the town; its ``party`` must be the town's, and the night mails nobody else.

    ``immediate``: an alert as things happen, the digest when it says more. ``digest``: the digest of every night only.
    """

    to: Annotated[str, Field(pattern=r"^[^@\s<>,;:\"]+@[A-Za-z0-9.-]+$", max_length=254)]
    name: Text = ""
    party: Id
    how: Literal["immediate", "digest"] = "immediate"


class Holder(Noun):
    """Who holds the permit from a date on."""

    party: Id
    since: Day


class Requirement(Noun):
    """Something the Plan Commission required under 2.06(4)(c)1: turns a discretionary rule on."""

    rule: str
    decision: Text
    on: Day


class Permit(Noun):
    """The town's permit to mine."""

    number: str
    granted: Day
    ends: Day
    lease_ends: Day | None = None
    mining_began: Day
    holders: tuple[Holder, ...] = Field(min_length=1)
    required: tuple[Requirement, ...] = ()


class BaseFlow(Noun):
    """An established base flow: a signed record, never only a number. A correction is a new version."""

    gauge: Id
    value_cfs: Positive | None = None
    monthly_cfs: dict[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])$")], Positive] = Field(default_factory=dict)
    effective: Day
    version: str
    method: Text
    record_from: Day
    record_to: Day
    baseline_years: Annotated[Decimal, Field(ge=0)]
    extended_from: str | None = None
    source: Literal["DNR", "licensee"]
    signed_by: Text
    licence_kind: Literal["PG", "PH", "PE", "DNR"]
    licence_number: str
    signed_on: Day
    uncertainty_percent: Annotated[Decimal, Field(ge=0, le=100)] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.value_cfs is None) == (not self.monthly_cfs):
            raise ValueError("give either value_cfs or monthly_cfs")
        if self.monthly_cfs and len(self.monthly_cfs) != 12:
            raise ValueError("monthly_cfs needs all of 01 to 12")
        return self


class Stream(Noun):
    """A surface water: its line, what it serves, and the base flows signed for it."""

    id: Id
    name: Text
    line: tuple[Point, ...] = Field(min_length=2)
    uses: tuple[Literal["agricultural", "municipal", "personal"], ...] = ()
    serves: tuple[Id, ...] = ()
    base_flow: tuple[BaseFlow, ...] = ()


class Station(Noun):
    """Anything that measures. ``identifiers``: its names in makers' files; ``clock``: UTC-06:00 or America/Chicago."""

    id: Id
    name: Text = ""
    identifiers: tuple[str, ...] = ()
    clock: str | None = None


class Gauge(Station):
    """A stream gauge. ``record_rating`` is the hydrographer's; None is judged as 8 percent."""

    stream: Id | None = None
    position: Point | None = None
    measures: Literal["discharge", "stage"] = "discharge"
    role: Literal["compliance", "reference"] = "compliance"
    record_rating: Literal["excellent", "good", "fair", "poor"] | None = None
    surrogate_for: Id | None = None
    transfer_ratio: Positive | None = None


class RainGauge(Station):
    """A daily precipitation station."""


class Barologger(Station):
    """An air-pressure logger; ``serial`` as in its files."""

    serial: str


class MeasuringPoint(Noun):
    """The marked point a tape is held to, from a date on."""

    since: Day
    elevation_ft: Decimal
    height_above_land_ft: Decimal
    datum: Literal["NAVD88", "NGVD29"] = "NAVD88"


class Logger(Noun):
    """A pressure logger hung in a well, from a date on."""

    serial: str
    since: Day
    kind: Literal["absolute", "vented"]
    hung_below_mp_ft: Positive
    barologger: Id | None = None

    @model_validator(mode="after")
    def _absolute_needs_air(self) -> Self:
        if self.kind == "absolute" and self.barologger is None:
            raise ValueError("an absolute logger needs a barologger")
        return self


class Well(Station):
    """A well of any use. A private well's ``position`` is the centre of its quarter-quarter section."""

    use: Literal["monitoring", "private", "production", "index"]
    position: Point
    position_accuracy_ft: Annotated[Decimal, Field(ge=0)] = Decimal(0)
    quarter_quarter: Text = ""
    property: Id | None = None
    in_application: bool = False
    construction: Literal["drilled", "driven point", "dug", "unknown"] = "unknown"
    depth_ft: Positive | None = None
    pump_intake_ft: Positive | None = None
    screen_top_ft: Positive | None = None
    screen_bottom_ft: Positive | None = None
    measuring_point: tuple[MeasuringPoint, ...] = ()
    logger: tuple[Logger, ...] = ()


class Meter(Station):
    """A totalizing meter on one production well."""

    well: Id
    register_gal: Positive | None = None


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
    """The aquifer the mine pumps, with the ranges every modelled number carries."""

    transmissivity_ft2_per_d: Range
    specific_yield: Range
    streambed_conductance_ft_per_d: Range
    saturated_thickness_ft: Positive
    source: Text


class Site(Noun):
    """All of ``site.toml``."""

    id: Id
    name: Text
    ordinance: Id
    crs: Annotated[str, Field(pattern=r"^EPSG:\d{4,5}$")]
    reference_point: Text
    boundary: tuple[Point, ...] = Field(min_length=3)
    permit: Permit
    aquifer: Aquifer | None = None
    party: tuple[Party, ...] = ()
    mail: tuple[MailRoute, ...] = ()
    stream: tuple[Stream, ...] = ()
    gauge: tuple[Gauge, ...] = ()
    rain_gauge: tuple[RainGauge, ...] = ()
    barologger: tuple[Barologger, ...] = ()
    well: tuple[Well, ...] = ()
    meter: tuple[Meter, ...] = ()
    property: tuple[Property, ...] = ()

    def stations(self) -> tuple[Station, ...]:
        """Everything that measures."""
        return (*self.gauge, *self.rain_gauge, *self.barologger, *self.well, *self.meter)

    def party_of(self, id: str) -> Party:
        return next(party for party in self.party if party.id == id)

    def wells(self, *uses: str) -> tuple[Well, ...]:
        return tuple(well for well in self.well if well.use in uses)

    def stream_of(self, gauge: Gauge) -> Stream | None:
        return next((stream for stream in self.stream if stream.id == gauge.stream), None)

    def holder(self, on: date) -> str:
        """The party that holds the permit on a day (the first holder before any)."""
        held = [one for one in self.permit.holders if one.since <= on]
        return (max(held, key=lambda one: one.since) if held else self.permit.holders[0]).party

    @model_validator(mode="after")
    def _joined_up(self) -> Self:
        _unique("id", [one.id for one in self.stations()] + [one.id for one in self.stream])
        _unique("property id", [one.id for one in self.property])
        _unique("identifier", [name.casefold() for one in self.stations() for name in {one.id, *one.identifiers}])
        _known(
            "party",
            [one.party for one in self.mail] + [one.party for one in self.permit.holders],
            {one.id for one in self.party},
        )
        _known("stream", [g.stream for g in self.gauge if g.stream], {one.id for one in self.stream})
        _known("gauge", [b.gauge for s in self.stream for b in s.base_flow], {one.id for one in self.gauge})
        served = [w.property for w in self.well if w.property] + [p for s in self.stream for p in s.serves]
        _known("property", served, {one.id for one in self.property})
        _known("well", [one.well for one in self.meter], {one.id for one in self.wells("production")})
        aired = [log.barologger for well in self.well for log in well.logger if log.barologger]
        _known("barologger", aired, {one.id for one in self.barologger})
        _town_only(self)
        return self


def _unique(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} used twice: {', '.join(twice)}")


def _known(what: str, used: list[str], known: set[str]) -> None:
    missing = sorted(set(used) - known)
    if missing:
        raise ValueError(f"no {what} called {', '.join(missing)}; there is {', '.join(sorted(known)) or 'none'}")


def _town_only(site: Site) -> None:
    if outside := [one.to for one in site.mail if site.party_of(one.party).role != "town"]:
        raise ValueError(f"the night mails the town only; not a town address: {', '.join(outside)}")
