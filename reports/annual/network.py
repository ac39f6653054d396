"""Chapter 1: the monitoring network. Private wells by id and quarter-quarter section only."""

from __future__ import annotations

from collections.abc import Iterator

from models.site import Gauge, Site, Station, Well
from reports.annual.network_map import network_map
from reports.annual.record import AnnualRecord
from reports.annual.table import Chapter, Column, Figure, Row, Section, Table

SAYS = (
    "Positions are in the county coordinate system named on the cover. A private well is shown as a square about the "
    "centre of its quarter-quarter section, never at its own position, and its owner is not named.",
)


def chapter(record: AnnualRecord) -> Chapter:
    """Map, wells, measuring points, loggers, gauges and other instruments."""
    site = record.site
    svg, beyond = network_map(site, record.ring)
    outside = (f"Beyond the edge of the map: {', '.join(beyond)}.",) if beyond else ()
    alt = "Map of the site boundary, the ordinance's line, streams, gauges and wells; the tables list all of them"
    figure = Figure("map", "Monitoring network", alt, svg=svg)
    tables = (_wells(site), _points(site), _loggers(site), _gauges(site), _others(site))
    return Chapter(
        1, "Monitoring network", SAYS, (Section("", outside, (), (figure,)), Section("Inventory", (), tables))
    )


def _wells(site: Site) -> Table:
    columns = (
        Column("Well", "id"), Column("Name"), Column("Use"), Column("In the application"), Column("Construction"),
        Column("Depth [ft]", "number"), Column("Screen top [ft]", "number"), Column("Screen bottom [ft]", "number"),
        Column("Pump intake [ft]", "number"), Column("Easting [ftUS]", "number", 0),
        Column("Northing [ftUS]", "number", 0), Column("Quarter-quarter section", "long"),
    )  # fmt: skip
    rows = [_well(one) for one in site.well]
    note = "Depths below land surface. No name and no position is printed for a private well."
    return Table("1.1", "Wells and their construction", "Wells", columns, rows, (note,), "no well")


def _well(one: Well) -> Row:
    private = one.use == "private"
    x, y = (None, None) if private else one.position
    return (
        one.id, "" if private else one.name, one.use, "yes" if one.in_application else "no", one.construction,
        one.depth_ft, one.screen_top_ft, one.screen_bottom_ft, one.pump_intake_ft, x, y, one.quarter_quarter,
    )  # fmt: skip


def _points(site: Site) -> Table:
    columns = (
        Column("Well", "id"), Column("Since", "date"), Column("Elevation [ft]", "number"),
        Column("Height above land [ft]", "number"), Column("Datum"),
    )  # fmt: skip
    rows = [
        (well.id, one.since, one.elevation_ft, one.height_above_land_ft, one.datum)
        for well in site.well
        for one in well.measuring_point
    ]
    return Table("1.2", "Measuring points", "Measuring points", columns, rows)


def _loggers(site: Site) -> Table:
    columns = (
        Column("Well", "id"), Column("Serial"), Column("Since", "date"), Column("Kind"),
        Column("Hung below measuring point [ft]", "number"), Column("Barologger", "id"),
    )  # fmt: skip
    rows = [
        (well.id, one.serial, one.since, one.kind, one.hung_below_mp_ft, one.barologger or "")
        for well in site.well
        for one in well.logger
    ]
    return Table("1.3", "Loggers", "Loggers", columns, rows)


def _gauges(site: Site) -> Table:
    columns = (
        Column("Gauge", "id"), Column("Name"), Column("Water"), Column("Measures"), Column("Role"),
        Column("Known to others as"), Column("Easting [ftUS]", "number", 0), Column("Northing [ftUS]", "number", 0),
    )  # fmt: skip
    return Table("1.4", "Stream gauges", "Gauges", columns, [_gauge(site, one) for one in site.gauge])


def _gauge(site: Site, one: Gauge) -> Row:
    stream = site.stream_of(one)
    x, y = one.position or (None, None)
    return one.id, one.name, stream.name if stream else "", one.measures, one.role, " ".join(one.identifiers), x, y


def _others(site: Site) -> Table:
    columns = (Column("Station", "id"), Column("Name"), Column("Kind"), Column("Known to others as"))
    return Table("1.5", "Meters, rain and air pressure", "Other stations", columns, list(_instruments(site)))


def _instruments(site: Site) -> Iterator[Row]:
    kinds: list[tuple[str, tuple[Station, ...]]] = [
        ("rain gauge", site.rain_gauge), ("barologger", site.barologger), ("totalizing meter", site.meter),
    ]  # fmt: skip
    for kind, stations in kinds:
        for one in stations:
            yield one.id, one.name, kind, " ".join(one.identifiers)
