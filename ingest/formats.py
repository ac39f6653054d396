"""Every format that is read, and the one way in: ``read(path)``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ingest import (
    aquacalc,
    cehq_daily,
    daily_abstraction,
    dino,
    dip_sheet,
    ehyd_daily,
    generic_csv,
    hand_levels,
    monthly_volumes,
    owner_log,
    plain_series,
    qrev,
    tape_sheet,
    totalizer,
    wi_approvals,
)
from ingest.decoding import MAX_BYTES, load
from ingest.laboratory import (
    ccal,
    equis,
    ezedd,
    lab_table,
    ldes,
    mapped,
    swims,
    two_remarks,
)
from ingest.laboratory import grn as lab_grn
from ingest.laboratory.lacking import lacking
from ingest.laboratory.mapped import TableMap
from ingest.loggers import (
    diver_csv,
    diver_mon,
    ellitrack,
    hobo,
    inbo_diver,
    keller,
    solinst_csv,
    solinst_lev,
    solinst_xle,
    sutron,
    toa5,
    vusitu_csv,
    vusitu_html,
    winsitu,
)
from ingest.ngwmn import levels as ngwmn_levels
from ingest.ngwmn import portal_json as ngwmn_json
from ingest.ngwmn import well_log as ngwmn_log
from ingest.number_locale import localised, with_commas
from ingest.ogc import geojson as ogc_geojson
from ingest.ogc import tables as ogc_csv
from ingest.packed.delivery import Delivery, delivery_of
from ingest.packed.tables import read_tables
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
from ingest.reading import CUT, LAST_LINE, NOTHING, Format, Parts, Reading, Source, Told
from ingest.table import in_order
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
        Format("solinst-csv", solinst_csv.sniff, solinst_csv.parse),
        Format("solinst-lev", solinst_lev.sniff, solinst_lev.parse),
        Format("vanessen-diver", diver_mon.sniff, diver_mon.parse),
        Format("vanessen-diver-csv", diver_csv.sniff, diver_csv.parse),
        Format("inbo-diver-csv", inbo_diver.sniff, inbo_diver.parse),
        Format("insitu-winsitu-csv", winsitu.sniff, winsitu.parse),
        Format("insitu-vusitu-html", vusitu_html.sniff, vusitu_html.parse),
        Format("insitu-vusitu-csv", vusitu_csv.sniff, vusitu_csv.parse),
        Format("campbell-toa5", toa5.sniff, toa5.parse),
        Format("hobo-csv", hobo.sniff, hobo.parse),
        Format("keller-txt", keller.sniff, keller.parse),
        Format("ellitrack-txt", ellitrack.sniff, ellitrack.parse),
        Format("sutron-log", sutron.sniff, sutron.parse),
        Format("dino-csv", dino.sniff, dino.parse),
        Format("hand-levels", hand_levels.sniff, hand_levels.parse),
        Format("dip-sheet", dip_sheet.sniff, dip_sheet.parse),
        Format("tape-sheet", tape_sheet.sniff, tape_sheet.parse),
        Format("owner-log", owner_log.sniff, owner_log.parse),
        Format("totalizer", totalizer.sniff, totalizer.parse),
        Format("wi-monthly-volumes", monthly_volumes.sniff_wisconsin, monthly_volumes.parse),
        Format("monthly-volumes", monthly_volumes.sniff, monthly_volumes.parse),
        Format("wi-high-capacity-register", wi_approvals.sniff, wi_approvals.parse),
        Format("daily-abstraction", daily_abstraction.sniff, daily_abstraction.parse),
        Format("noaa-cdo-daily", noaa_daily.sniff, noaa_daily.parse),
        Format("wdnr-grn", lab_grn.sniff, lab_grn.parse),
        Format("wdnr-swims", swims.sniff, swims.parse),
        Format("wdnr-ldes", ldes.sniff, ldes.parse),
        Format("ezedd", ezedd.sniff, ezedd.parse),
        Format("ccal", ccal.sniff, ccal.parse),
        Format("two-remarks-csv", two_remarks.sniff, two_remarks.parse),
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


EQUIS = "equis-edd"
"""The one format whose tables are read together: never a single file of text, so that it is none of ``FORMATS``."""
SHEETS = {"date-value", "csv-table", "hand-levels", "tape-sheet", "dip-sheet", "owner-log", "lab-table", mapped.NAME}
"""What people keep: a sheet without a value is a mistake. A service's answer without one is an honest one."""


LOCALISED = {"date-value", "csv-table", "lab-table", mapped.NAME}
"""Tables of people of any country."""
ANY_MARK = {"lab-table", mapped.NAME}
"""Formats that take semicolons and tabs themselves."""


def read(
    path: Path, *, format: str | None = None, told: Told = NOTHING, max_bytes: int = MAX_BYTES,
    table_map: TableMap | None = None,
) -> Reading:  # fmt: skip
    """Read one delivery of any known format: a file, or a workbook, zip or folder of tables that belong together.

    Parameters
    ----------
    format : a key of ``FORMATS``; None to recognise it by content.
    told : what the caller knows and the file may not say; plain tables (``csv-table``, ``date-value``) use it.
    max_bytes : larger files are refused.
    table_map : columns of a table that no format knows, by what they say; nothing is recognised then.

    Raises
    ------
    BadFile : nothing of the file could be taken; one line naming it.
    """
    mapping = None if table_map is None else Format(mapped.NAME, table_map.sniff, table_map.parse)
    delivery = delivery_of(path, told, max_bytes)
    if delivery is not None:
        return _of_delivery(delivery, mapping or (None if format is None else _named(format, delivery.file)))
    source = replace(load(path, max_bytes), told=told)
    chosen = mapping or (_detected(source) if format is None else _named(format, source.file))
    parts = _of_people(chosen, source) if chosen.name in LOCALISED else chosen.parse(source)
    if chosen.name in SHEETS and parts.observations.empty and not (parts.rejects or parts.tables):
        raise source.bad("a header and no row with a value")
    facts = {**parts.facts, **_last_line(source), "encoding": source.encoding}
    return _reading(source.file, source.sha256, chosen.name, replace(parts, facts=facts))


def _of_people(chosen: Format, source: Source) -> Parts:
    """A table that a person keeps may stand between semicolons and have a decimal comma."""
    plain, rejects = localised(source if chosen.name in ANY_MARK else with_commas(source))
    parts = chosen.parse(plain)
    return replace(parts, rejects=in_order((*rejects, *parts.rejects))) if rejects else parts


def _of_delivery(delivery: Delivery, named: Format | None) -> Reading:
    if named is None and equis.sniff_delivery(delivery):
        return _reading(delivery.file, delivery.sha256, EQUIS, equis.parse_delivery(delivery))
    name, parts = read_tables(delivery, list(FORMATS.values()), named)
    if name in SHEETS and parts.observations.empty and not (parts.rejects or parts.tables):
        raise BadFile("a header and no row with a value", file=delivery.file)
    return _reading(delivery.file, delivery.sha256, name, parts)


def _reading(file: str, sha256: str, format: str, parts: Parts) -> Reading:
    return Reading(
        file=file,
        format=format,
        sha256=sha256,
        timezone=parts.timezone,
        datum=parts.datum,
        observations=parts.observations,
        rejects=parts.rejects,
        facts=parts.facts,
        tables=parts.tables,
    )


def _last_line(source: Source) -> dict[str, str]:
    """XML and JSON say themselves where they end."""
    whole = source.text.endswith("\n") or source.text.lstrip()[:1] in {"<", "{", "["}
    return {} if whole else {LAST_LINE: CUT}


def _detected(source: Source) -> Format:
    head = source.text[:HEAD]
    equis.refuse_alone(source)
    for one in FORMATS.values():
        if one.sniff(head):
            return one
    plain = with_commas(replace(source, text=head)).text
    for name in sorted(LOCALISED & set(FORMATS), key=list(FORMATS).index):
        if FORMATS[name].sniff(plain):
            return FORMATS[name]
    if why := lacking(head):
        raise BadFile(f"unknown format: {why}", file=source.file)
    raise BadFile("unknown format: nothing in the file says what wrote it", file=source.file, allowed=FORMATS)


def _named(name: str, file: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise BadFile("unknown format", file=file, found=name, allowed=FORMATS) from None
