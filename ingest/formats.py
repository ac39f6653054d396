"""Every format that is read, and the one way in: ``read(path)``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ingest import (
    aquacalc,
    cehq_daily,
    ehyd_daily,
    generic_csv,
    hand_levels,
    hobo,
    lab_grn,
    lab_table,
    monthly_volumes,
    owner_log,
    plain_series,
    qrev,
    solinst_xle,
    totalizer,
)
from ingest.decoding import MAX_BYTES, load
from ingest.ngwmn import levels as ngwmn_levels
from ingest.ngwmn import portal_json as ngwmn_json
from ingest.ngwmn import well_log as ngwmn_log
from ingest.ogc import geojson as ogc_geojson
from ingest.ogc import tables as ogc_csv
from ingest.rdb import (
    levels as rdb_levels,
)
from ingest.rdb import (
    measurements as rdb_measurements,
)
from ingest.rdb import (
    peaks as rdb_peaks,
)
from ingest.rdb import (
    rating as rdb_rating,
)
from ingest.rdb import (
    site as rdb_site,
)
from ingest.rdb import (
    time_series as rdb,
)
from ingest.reading import CUT, LAST_LINE, NOTHING, Format, Reading, Source, Told
from ingest.waterml import version1_json as waterml1_json
from ingest.waterml import version1_xml as waterml1_xml
from ingest.waterml import version2 as waterml2
from ingest.weather import (
    awon_hourly,
    ghcn_daily,
    knmi_rain,
    noaa_daily,
)
from ingest.wqx import narrow as wqp_narrow
from ingest.wqx import version3 as wqp_wqx3
from models.errors import BadFile

HEAD = 200_000  # characters a format may look at to know its own

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("nwis-rdb-uv", rdb.sniff_uv, rdb.parse_uv),
        Format("nwis-rdb-gwlevels", rdb_levels.sniff, rdb_levels.parse),
        Format("nwis-rdb-measurements", rdb_measurements.sniff, rdb_measurements.parse),
        Format("nwis-rdb-peaks", rdb_peaks.sniff, rdb_peaks.parse),
        Format("nwis-rdb-rating", rdb_rating.sniff, rdb_rating.parse),
        Format("nwis-rdb-site", rdb_site.sniff, rdb_site.parse),
        Format("nwis-rdb-dv", rdb.sniff_dv, rdb.parse_dv),
        Format("nwis-waterml-json", waterml1_json.sniff, waterml1_json.parse),
        Format("nwis-waterml1-xml", waterml1_xml.sniff, waterml1_xml.parse),
        Format("waterml2-xml", waterml2.sniff, waterml2.parse),
        Format("usgs-ogc-geojson", ogc_geojson.sniff, ogc_geojson.parse),
        Format("usgs-ogc-csv", ogc_csv.sniff, ogc_csv.parse),
        Format("ngwmn-xml", ngwmn_levels.sniff, ngwmn_levels.parse),
        Format("ngwmn-log", ngwmn_log.sniff, ngwmn_log.parse),
        Format("ngwmn-json", ngwmn_json.sniff, ngwmn_json.parse),
        Format("solinst-xle", solinst_xle.sniff, solinst_xle.parse),
        Format("hobo-csv", hobo.sniff, hobo.parse),
        Format("hand-levels", hand_levels.sniff, hand_levels.parse),
        Format("owner-log", owner_log.sniff, owner_log.parse),
        Format("totalizer", totalizer.sniff, totalizer.parse),
        Format("wi-monthly-volumes", monthly_volumes.sniff, monthly_volumes.parse),
        Format("noaa-cdo-daily", noaa_daily.sniff, noaa_daily.parse),
        Format("wdnr-grn", lab_grn.sniff, lab_grn.parse),
        Format("wqp-narrow-csv", wqp_narrow.sniff, wqp_narrow.parse),
        Format("usgs-samples-csv", wqp_wqx3.sniff_usgs_samples, wqp_wqx3.parse),
        Format("wqp-wqx3-csv", wqp_wqx3.sniff, wqp_wqx3.parse),
        Format("aquacalc", aquacalc.sniff, aquacalc.parse),
        Format("qrev-xml", qrev.sniff, qrev.parse),
        Format("cehq-daily", cehq_daily.sniff, cehq_daily.parse),
        Format("ehyd-daily", ehyd_daily.sniff, ehyd_daily.parse),
        Format("ghcn-daily", ghcn_daily.sniff, ghcn_daily.parse),
        Format("knmi-rain", knmi_rain.sniff, knmi_rain.parse),
        Format("awon-hourly", awon_hourly.sniff, awon_hourly.parse),
        Format("date-value", plain_series.sniff, plain_series.parse),
        Format("csv-table", generic_csv.sniff, generic_csv.parse),
        Format("lab-table", lab_table.sniff, lab_table.parse),
    )
}


SHEETS = {"date-value", "csv-table", "hand-levels", "owner-log", "lab-table"}
"""What people keep: a sheet without a value is a mistake. A service's answer without one is an honest one."""


def read(path: Path, *, format: str | None = None, told: Told = NOTHING, max_bytes: int = MAX_BYTES) -> Reading:
    """Read one file of any known format.

    Parameters
    ----------
    format : a key of ``FORMATS``; None to recognise it by content.
    told : what the caller knows and the file may not say; plain tables (``csv-table``, ``date-value``) use it.
    max_bytes : larger files are refused.

    Raises
    ------
    BadFile : nothing of the file could be taken; one line naming it.
    """
    source = replace(load(path, max_bytes), told=told)
    chosen = _detected(source) if format is None else _named(format, source)
    parts = chosen.parse(source)
    if chosen.name in SHEETS and parts.observations.empty and not (parts.rejects or parts.tables):
        raise source.bad("a header and no row with a value")
    return Reading(
        file=source.file,
        format=chosen.name,
        sha256=source.sha256,
        timezone=parts.timezone,
        datum=parts.datum,
        observations=parts.observations,
        rejects=parts.rejects,
        facts={**parts.facts, **_last_line(source), "encoding": source.encoding},
        tables=parts.tables,
    )


def _last_line(source: Source) -> dict[str, str]:
    """XML and JSON say themselves where they end."""
    whole = source.text.endswith("\n") or source.text.lstrip()[:1] in {"<", "{", "["}
    return {} if whole else {LAST_LINE: CUT}


def _detected(source: Source) -> Format:
    head = source.text[:HEAD]
    for one in FORMATS.values():
        if one.sniff(head):
            return one
    raise BadFile("unknown format: nothing in the file says what wrote it", file=source.file, allowed=FORMATS)


def _named(name: str, source: Source) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise BadFile("unknown format", file=source.file, found=name, allowed=FORMATS) from None
