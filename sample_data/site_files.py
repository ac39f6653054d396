"""site.toml, policy.toml, households.toml and events.csv of the made-up mine."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import makers
import scenario
from pyproj import Transformer
from scenario import WellSpec

INDEX_LON_LAT = (-91.5, 45.0 + 1 / 60 + 45 / 3600)
FAR_LON_LAT = (-91.5375, 45.0802)

HEAD = """\
# Pine Hollow Sand Mine, Town of Howard: a made-up site for the demonstration. Written by sample_data/generate.py.
# Only the Town of Howard and Chippewa County are real; every other name, number, place and person is invented.

id = "pine-hollow"
name = "Pine Hollow Sand Mine"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "Example county monument HW-0, north-east corner of the site (made up)"
boundary = {boundary}

[permit]
number = "HOW-EX-2024-01"
granted = 2024-12-30
ends = 2027-12-29
lease_ends = 2034-12-31
mining_began = 2025-01-01
holders = [{{ party = "operator", since = 2024-12-30 }}]

[aquifer]
transmissivity_ft2_per_d = {{ low = 3000, best = 5000, high = 8000 }}
specific_yield = {{ low = 0.10, best = 0.15, high = 0.22 }}
streambed_conductance_ft_per_d = {{ low = 6, best = 20, high = 60 }}
saturated_thickness_ft = 80
source = "Seven-day pumping test of PW-1 and slug tests of MW-1 to MW-5, autumn 2024 (made up)"

[[party]]
id = "town"
role = "town"
name = "Town of Howard"

[[party]]
id = "operator"
role = "operator"
name = "Example Pine Hollow Sand, LLC"

[[party]]
id = "hydrogeologist"
role = "consultant"
name = "Example Hydrogeology, S.C."

[[mail]]
to = "clerk@town-of-howard.example"
name = "Town Clerk"
party = "town"
how = "immediate"

[[mail]]
to = "board@town-of-howard.example"
name = "Town Board"
party = "town"
how = "digest"

[[stream]]
id = "LMC"
name = "Lost Mitten Creek"
line = {line}

[[stream.base_flow]]
gauge = "LMC-1"
value_cfs = {base_flow}
effective = 2025-01-01
version = "1"
method = \"\"\"\\
Flow equalled or exceeded on 90 percent of days (Q90, Weibull position m/(n+1)) of the daily mean flow of Lost Mitten \\
Creek, extended from its own record {first} to {last} to 2005-01-01 by MOVE.1 on log10 daily means (Hirsch 1982) with \\
Far Mitten Creek, station {far}; rounded to 0.01 cfs\"\"\"
record_from = {first}
record_to = {last}
baseline_years = 1.0
extended_from = "FMC-1"
source = "licensee"
signed_by = "Example Hydrogeologist"
licence_kind = "PG"
licence_number = "EX-0000"
signed_on = 2024-12-27
uncertainty_percent = 12

[[gauge]]
id = "LMC-1"
name = "Lost Mitten Creek at Pine Hollow Road"
identifiers = ["{creek}"]
clock = "America/Chicago"
stream = "LMC"
position = [159985.0, 161000.0]

[[gauge]]
id = "FMC-1"
name = "Far Mitten Creek, no mine in its basin"
identifiers = ["{far}"]
clock = "America/Chicago"
role = "reference"
position = {far_position}

[[rain_gauge]]
id = "RG-1"
name = "Howard 2 NW"
identifiers = ["{rain}"]
clock = "America/Chicago"

[[barologger]]
id = "BARO-1"
name = "Air pressure at MW-1"
serial = "{baro}"
clock = "UTC-06:00"

[[well]]
id = "PW-1"
name = "Wash plant supply"
identifiers = ["79999", "ZZ910"]
use = "production"
position = {pumped}
position_accuracy_ft = 1
in_application = true
construction = "drilled"
depth_ft = 120
screen_top_ft = 85
screen_bottom_ft = 120
uses = ["process"]
pump = [{{ since = 2024-11-15, capacity_gpm = 800 }}]

[[meter]]
id = "PW-1-M1"
name = "Totalizer on PW-1"
well = "PW-1"
register_gal = 1000000000
clock = "America/Chicago"

[[well]]
id = "IW-1"
name = "County index well"
identifiers = ["{index}"]
use = "index"
position = {index_position}
position_accuracy_ft = 200
clock = "America/Chicago"

[[level_baseline]]
wells = ["PVT-1", "PVT-2"]
index = "IW-1"
index_beyond_reach = "2.8 miles west of the pit, up the gradient and across a ridge of till (made up)"
"""
POLICY = """\
# A minimal policy of the made-up site: what the law does not state and the Town has to adopt. Not adopted yet, so that
# every default is printed as such.
"""


def site_toml(base_flow: Decimal) -> str:
    """site.toml with the base flow that the generated record gives."""
    text = HEAD.format(
        boundary=_points(scenario.BOUNDARY),
        line=_points(STREAM_LINE),
        base_flow=base_flow,
        first=scenario.BASE_FLOW_RECORD[0],
        last=scenario.BASE_FLOW_RECORD[1],
        creek=scenario.CREEK_STATION,
        far=scenario.FAR_STATION,
        rain=scenario.RAIN_STATION,
        index=scenario.INDEX_STATION,
        baro=scenario.BARO_SERIAL,
        pumped=_point(scenario.PUMPED),
        far_position=_point(_projected(FAR_LON_LAT)),
        index_position=_point(_projected(INDEX_LON_LAT)),
    )
    return text + "".join(_well(well) for well in scenario.WELLS) + "".join(_parcel(one) for one in scenario.PARCELS)


STREAM_LINE = (
    (160_040.0, 172_000.0), (160_012.0, 169_500.0), (160_000.0, 167_500.0), (160_000.0, 163_500.0),
    (159_985.0, 161_000.0), (160_020.0, 158_000.0),
)  # fmt: skip


def households_toml() -> str:
    """The private half: names, telephone numbers, exact positions. Mode 0600."""
    text = "# Private: mode 0600. Everybody here is made up. Written by sample_data/generate.py.\n"
    for i, (id, occupant) in enumerate(zip(scenario.PARCELS, ("Example Occupant One", "", ""), strict=True), 1):
        text += f'\n[[household]]\nproperty = "{id}"\nowner = "Example Owner {("One", "Two", "Three")[i - 1]}"\n'
        text += f'occupant = "{occupant}"\n' if occupant else ""
        text += f'phone = "715-555-010{i}"\naddress = "N{i}00 Example Lane, Town of Howard"\n'
    for well in scenario.WELLS:
        if well.use == "private":
            text += f'\n[[well]]\nwell = "{well.id}"\nposition = {_point(well.true)}\nposition_accuracy_ft = 10\n'
    return text


def _well(well: WellSpec) -> str:
    near = "within 1/2 mile" if well.id != "PVT-3" else "beyond 1/2 mile"
    named = {"monitoring": "Monitoring well", "private": f"Private supply, {near}"}[well.use]
    lines = [
        "", "[[well]]", f'id = "{well.id}"', f'name = "{named}"', f'identifiers = ["{well.unique}"]',
        f'use = "{well.use}"', 'clock = "UTC-06:00"' if well.serial else 'clock = "America/Chicago"',
        f"position = {_point(well.public)}", f"position_accuracy_ft = {well.accuracy_ft}",
    ]  # fmt: skip
    if well.parcel:
        lines += [f'quarter_quarter = "{QUARTERS[well.id]}"', f'property = "{well.parcel}"']
    lines += [
        f"in_application = {'false' if well.id == 'PVT-3' else 'true'}", f'construction = "{well.construction}"',
        f"depth_ft = {well.depth_ft}", *([f"pump_intake_ft = {well.intake_ft}"] if well.intake_ft else []),
        f"screen_top_ft = {well.screen_ft[0]}", f"screen_bottom_ft = {well.screen_ft[1]}",
        f"measuring_point = [{{ since = 2023-12-01, elevation_ft = {well.mp_ft:.2f}, "
        f"height_above_land_ft = {well.stickup_ft:.2f} }}]",
    ]  # fmt: skip
    if well.serial:
        lines.append(
            f'logger = [{{ serial = "{well.serial}", since = 2023-12-01, kind = "absolute", '
            f'hung_below_mp_ft = {well.hung_ft:.2f}, barologger = "BARO-1" }}]'
        )
    return "\n".join(lines) + "\n"


QUARTERS = {
    "PVT-1": "NW 1/4 NE 1/4, section 34, T30N R10W (made up)",
    "PVT-2": "SE 1/4 SW 1/4, section 21, T30N R10W (made up)",
    "PVT-3": "SW 1/4 SE 1/4, section 33, T30N R10W (made up)",
}


def _parcel(id: str) -> str:
    number, (left, low, right, high) = scenario.PARCELS[id]
    corners = ((left, low), (right, low), (right, high), (left, high))
    return f'\n[[property]]\nid = "{id}"\nparcel = "{number}"\npolygon = {_points(corners)}\n'


def _projected(lon_lat: tuple[float, float]) -> tuple[float, float]:
    x, y = Transformer.from_crs("EPSG:4269", "EPSG:7595", always_xy=True).transform(*lon_lat)
    return round(x, -1), round(y, -1)


def _point(point: tuple[float, float]) -> str:
    return f"[{point[0]:.1f}, {point[1]:.1f}]"


def _points(points: tuple[tuple[float, float], ...]) -> str:
    return "[" + ", ".join(_point(one) for one in points) + "]"


EVENTS_HEADER = "case,event,happened_at,recorded_at,by,method,document,note,body,meeting,vote,facts"
REGISTER = "howard.register/pine-hollow/2024-12-30"
REMEDY, FLOW = "howard.remedy/R-1/2025-08-11", "howard.baseflow/LMC-1/2025-08-25"
EVENTS = (
    (REGISTER, "register_opened", "2024-12-30T09:00", "2024-12-30T09:10", "clerk", "", "", ""),
    (REGISTER, "approvals_proved", "2025-07-24T10:30", "2025-07-24T10:45", "operator", "hand", "approvals-1", ""),
    (REMEDY, "town_receipt", "2025-08-11T09:15", "2025-08-11T09:40", "owner:R-1", "hand", "R-1-notice", ""),
    (REMEDY, "interim_supply_decided", "2025-08-11T18:30", "2025-08-11T20:05", "town board", "special meeting",
     "minutes-2025-08-11", "meeting noticed two hours ahead for good cause", "town board", "2025-08-11", "3-0",
     "decision=use"),
    (REMEDY, "interim_supply_began", "2025-08-12T08:00", "2025-08-12T08:30", "clerk", "delivery", "supply-order-1",
     "tank and bottled water"),
    (REMEDY, "operator_receipt", "2025-08-12T14:00", "2025-08-12T15:10", "owner:R-1", "certified mail",
     "return-receipt-1", ""),
    (FLOW, "town_notice_given", "2025-08-29T10:00", "2025-08-29T10:20", "clerk", "certified mail",
     "flow-notice-1", ""),
    (REMEDY, "operator_report_received", "2025-09-04T16:00", "2025-09-04T16:25", "operator", "hand",
     "operator-report-1", "report of non-attribution"),
    (REMEDY, "owner_report_received", "2025-09-04T17:10", "2025-09-05T09:00", "owner:R-1", "hand",
     "operator-report-1", ""),
    (FLOW, "operator_plan_received", "2025-09-15T11:00", "2025-09-15T11:30", "operator", "hand",
     "operator-plan-1", "plan to return flows"),
    (REGISTER, "agency_action_known", "2025-09-16T10:00", "2025-09-16T10:20", "agency", "copy by mail",
     "county-letter-1", "a letter of the county on erosion control (made up)"),
    (REMEDY, "owner_consulted", "2025-09-18T18:40", "2025-09-19T09:00", "town board", "at the meeting",
     "minutes-2025-09-18", ""),
    (REMEDY, "report_denied", "2025-09-18T19:10", "2025-09-19T09:00", "town board", "regular meeting",
     "minutes-2025-09-18", "", "town board", "2025-09-18", "3-0", ""),
    (FLOW, "plan_approved", "2025-09-24T19:30", "2025-09-24T21:15", "town board", "special meeting",
     "minutes-2025-09-24", "", "town board", "2025-09-24", "2-1", ""),
    (REGISTER, "agency_action_reported", "2025-10-21T09:30", "2025-10-21T09:45", "operator", "e-mail",
     "county-letter-1", ""),
)  # fmt: skip


def events_csv() -> str:
    """The recorded acts of people. Only a determination names body, meeting and vote."""
    rows = [(case, event, _local(at), _local(known), *rest) for case, event, at, known, *rest in EVENTS]
    width = len(EVENTS_HEADER.split(","))
    return makers.table(EVENTS_HEADER, [(*row, *[""] * (width - len(row))) for row in rows])


def _local(text: str) -> str:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("America/Chicago")).isoformat()
