"""What the columns of a laboratory's own table mean (``lab-table``)."""

from __future__ import annotations

from collections.abc import Iterable

from ingest.headings import LABELS, Measured, plain_name, understood

ROLES: dict[str, tuple[str, ...]] = {
    "sample": (
        "sample_id", "sample", "sample_no", "sample_number", "sample_name", "lab_sample_id", "field_sample_id",
        "sys_sample_code", "labslip",
    ),
    "station": (
        "location", "location_id", "station", "station_id", "well", "well_id", "site", "site_id", "sys_loc_code",
    ),
    "day": (
        "date", "sample_date", "sampled", "date_sampled", "collected", "date_collected", "collection_date",
        "sampling_date",
    ),
    "analyte": (
        "analyte", "parameter", "characteristic", "compound", "substance", "analyte_name", "chemical_name",
        "parameter_name",
    ),
    "cas": ("cas", "cas_no", "cas_number", "cas_rn"),
    "value": ("result", "value", "result_value", "concentration"),
    "unit": ("unit", "units", "result_unit", "result_units"),
    "qualifier": ("qualifier", "qualifiers", "lab_qualifier", "lab_qualifiers", "flag", "flags"),
    "condition": ("detection_condition", "result_detection_condition"),
    "lod": ("lod", "mdl", "dl", "method_detection_limit", "limit_of_detection"),
    "loq": ("loq", "pql", "ql", "limit_of_quantitation", "quantitation_limit"),
    "rl": ("rl", "mrl", "reporting_limit", "report_limit", "reporting_detection_limit"),
    "detection_limit": ("detection_limit",),
    "detection_limit_unit": ("detection_limit_unit", "detection_limit_units"),
    "lod_unit": ("lod_unit", "lod_units", "mdl_unit", "mdl_units", "method_detection_limit_unit"),
    "loq_unit": ("loq_unit", "loq_units", "pql_unit", "quantitation_limit_unit"),
    "rl_unit": ("rl_unit", "rl_units", "reporting_limit_unit", "reporting_detection_limit_unit"),
    "type": ("sample_type", "activity_type", "qc_type", "sample_type_code"),
    "parent": ("parent", "parent_sample", "parent_sample_id", "parent_sample_code"),
    "fraction": ("fraction", "sample_fraction", "result_sample_fraction"),
}  # fmt: skip
"""Names, as ``plain_name`` writes them, by what the column says."""


def lab_roles(header: Iterable[str]) -> dict[str, str]:
    """Column by role; of two columns for one thing the first is read."""
    names = {plain_name(column): column for column in reversed(list(header))}
    found = {role: next((names[name] for name in spellings if name in names), "") for role, spellings in ROLES.items()}
    return {role: column for role, column in found.items() if column}


def lab_measured(header: Iterable[str]) -> tuple[Measured, ...]:
    """Columns named for a substance and its unit, as in ``zinc_ug_l``."""
    return understood(header).measured


def not_read(header: Iterable[str], roles: dict[str, str], measured: Iterable[Measured]) -> list[str]:
    """Columns that mean nothing here; labels are among them."""
    known = {*roles.values(), *(one.column for one in measured)}
    return [column for column in header if column not in known or plain_name(column) in LABELS]


def is_a_lab_table(header: Iterable[str]) -> bool:
    """A sample, and a result with its unit or columns that name both."""
    names = list(header)
    roles = lab_roles(names)
    return "sample" in roles and (
        {"value", "unit"} <= set(roles) or ("value" not in roles and bool(lab_measured(names)))
    )
