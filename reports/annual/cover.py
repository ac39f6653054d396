"""The cover: who, what, where, known when, and where each point of the clause is answered."""

from __future__ import annotations

from reports.annual.record import AnnualRecord
from reports.annual.table import Column, Row, Table

NOT_HERE = "not in this record: the operator's own part of the report"


def facts(record: AnnualRecord) -> Table:
    """Who, what and where, as two columns."""
    permit, site = record.site.permit, record.site
    operator = site.party_of(site.holder(record.end)).name
    rows: list[Row] = [
        ("Report", f"Report for calendar year {record.year}, due {due(record)}"),
        ("To", f"{record.duty.to}, {record.law.jurisdiction}"),
        ("Clause", f"Section {record.duty.clause}, {record.law.title}"),
        ("Operator", operator),
        ("Operator's mailing address", NOT_HERE),
        ("Permit", f"{permit.number}, granted {permit.granted}, ends {permit.ends}"),
        ("Lease ends", str(permit.lease_ends or "not in this record")),
        ("Mining began", str(permit.mining_began)),
        ("Site", site.name),
        ("Coordinates", f"{site.crs} (US survey feet); reference point: {site.reference_point}"),
        ("Legal description, parcel number", NOT_HERE),
        ("Area inside the boundary", f"{acres(record):.1f} acres, from the boundary on file"),
        ("Prepared from data known at", f"{record.local(record.known_at):%Y-%m-%d %H:%M} ({record.law.zone})"),
        ("Covers", f"{record.start} to {record.end}{_not_over(record)}"),
        ("Signature", "DRAFT: nobody has signed this appendix"),
        ("Made by", f"headwater {record.version}"),
    ]
    return Table("0.1", "This report", "Cover", (Column("Item"), Column("Entry")), rows)


def due(record: AnnualRecord) -> str:
    """The due day as the ordinance writes it."""
    day = record.duty.due(record.year)
    return f"{day.day} {day:%B %Y}"


def acres(record: AnnualRecord) -> float:
    """Area of the boundary by the shoelace formula [acre of 43,560 square US survey feet]."""
    points = record.site.boundary
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2 / 43_560


def _not_over(record: AnnualRecord) -> str:
    return "" if record.end.month == 12 and record.end.day == 31 else " (the year is not over in this record)"


def asked(record: AnnualRecord) -> Table:
    """What the clause asks, point by point, and where it is answered."""
    clause = record.duty.clause
    rows: list[Row] = [
        (f"{clause}(1)", "Name and mailing address of the operator", "cover; the address is the operator's to give"),
        (f"{clause}(2)", "Location, legal description, parcel number", f"map in chapter 1; otherwise {NOT_HERE}"),
        (f"{clause}(3)", "Map and acres excavated, unreclaimed and reclaimed", NOT_HERE),
        (f"{clause}(4)", "Activities and operations of the year", f"pumping in chapter 4; otherwise {NOT_HERE}"),
        (f"{clause}(5)", "Permit conditions and plans", f"conditions observed in chapter 6; otherwise {NOT_HERE}"),
        (f"{clause}(6)", "Deviations from the operational plan", NOT_HERE),
        (f"{clause}, last paragraph", "Mining into groundwater: actual pumping rates and times", "chapter 4"),
        (f"{clause}, last paragraph", "Actual groundwater discharge locations and quantities", "chapter 4"),
        (
            f"{clause}, last paragraph",
            "Groundwater monitoring results of all wells and locations",
            "chapters 2, 3 and 5",
        ),
    ]
    columns = (Column("Clause", "id"), Column("Asks for"), Column("Answered in"))
    return Table("0.2", f"What Section {clause} asks, and where it is", "What is asked", columns, rows)
