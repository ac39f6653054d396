"""What the columns of a laboratory's own table mean, and the fields a result is read from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ingest.headings import LABELS, Measured, plain_name, understood
from ingest.wqx.texts import NONE, Texts


class Record(NamedTuple):
    """The cells of one result by what they say; ``""`` where the table has no such column.

    ``day`` may be a moment, ``clock`` and ``zone`` its time of day; ``condition`` is a detection condition in words,
    ``detected`` a flag Y or N; ``detection_limit`` a limit that the table does not call by its kind;
    ``analysed`` when the laboratory measured, which is never when the water was taken; ``qualifier`` is the
    laboratory's, ``validation`` and ``interpreted`` a reviewer's; ``test`` is which analysis of the sample it was
    (``INITIAL``, ``REANALYSIS``); ``comment`` is the laboratory's, ``described`` and ``field_number`` the sampler's.
    """

    sample: str = ""
    station: str = ""
    day: str = ""
    clock: str = ""
    zone: str = ""
    analyte: str = ""
    cas: str = ""
    storet: str = ""
    value: str = ""
    unit: str = ""
    qualifier: str = ""
    validation: str = ""
    interpreted: str = ""
    condition: str = ""
    detected: str = ""
    lod: str = ""
    loq: str = ""
    rl: str = ""
    detection_limit: str = ""
    lod_unit: str = ""
    loq_unit: str = ""
    rl_unit: str = ""
    detection_limit_unit: str = ""
    type: str = ""
    result_type: str = ""
    reportable: str = ""
    taken_by: str = ""
    matrix: str = ""
    parent: str = ""
    fraction: str = ""
    analysed: str = ""
    analysed_clock: str = ""
    dilution: str = ""
    method: str = ""
    test: str = ""
    comment: str = ""
    result_comment: str = ""
    sample_comment: str = ""
    described: str = ""
    field_number: str = ""

    @property
    def texts(self) -> Texts:
        """What stands beside the result in words."""
        if not (self.comment or self.described or self.field_number or self.sample_comment or self.result_comment):
            return NONE
        return Texts(
            tuple(filter(None, (self.field_number,))), tuple(filter(None, (self.described,))),
            tuple(filter(None, (self.sample_comment,))), tuple(filter(None, (self.comment, self.result_comment))),
        )  # fmt: skip


FIELDS = Record._fields
DECIDING = ("type", "result_type", "reportable", "taken_by", "matrix")
"""Fields that set a row apart, whichever reader reads it."""
QC_FLAGS = ("qc", "is_qc", "qc_sample", "qc_flag", "qc_yn")
"""Columns that say Yes of a sample of quality control."""
RESULT_TYPES = ("result_type", "analyte_type")
"""Columns that may say of a result that it is no target, and may say something else altogether."""

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
    "clock": ("sample_time", "sampling_time", "collection_time", "time_sampled", "time_collected"),
    "analyte": (
        "analyte", "parameter", "characteristic", "compound", "substance", "analyte_name", "chemical_name",
        "parameter_name",
    ),
    "cas": ("cas", "cas_no", "cas_number", "cas_rn"),
    "storet": ("storet", "storet_code", "storet_parameter_code", "dnr_parameter_code"),
    "value": ("result", "value", "result_value", "concentration"),
    "unit": ("unit", "units", "result_unit", "result_units"),
    "qualifier": ("qualifier", "qualifiers", "lab_qualifier", "lab_qualifiers", "flag", "flags"),
    "condition": ("detection_condition", "result_detection_condition"),
    "detected": ("detect_flag", "detected_yn"),
    "lod": ("lod", "mdl", "dl", "method_detection_limit", "limit_of_detection"),
    "loq": ("loq", "pql", "ql", "limit_of_quantitation", "quantitation_limit"),
    "rl": ("rl", "mrl", "reporting_limit", "report_limit", "reporting_detection_limit"),
    "detection_limit": ("detection_limit",),
    "detection_limit_unit": ("detection_limit_unit", "detection_limit_units"),
    "lod_unit": ("lod_unit", "lod_units", "mdl_unit", "mdl_units", "method_detection_limit_unit"),
    "loq_unit": ("loq_unit", "loq_units", "pql_unit", "quantitation_limit_unit"),
    "rl_unit": ("rl_unit", "rl_units", "reporting_limit_unit", "reporting_detection_limit_unit"),
    "type": (
        "sample_type", "activity_type", "qc_type", "sample_type_code", "type", "activity_type_code", "qc_sample_type",
        "sample_qc_type", "qaqc_type", "qa_qc_type", "qc_code", "sample_kind",
    ),
    "result_type": ("result_type_code",),
    "reportable": (
        "reportable", "reportable_result", "reportable_yn", "is_reportable", "report_result", "reportable_flag",
    ),
    "taken_by": ("sample_source",),
    "matrix": (
        "matrix", "sample_matrix", "sample_matrix_code", "lab_matrix", "lab_matrix_code", "matrix_code", "matrix_type",
        "medium", "sample_medium", "media", "sample_media", "activity_media", "activity_media_name",
    ),
    "test": ("test_type", "run_type"),
    "parent": ("parent", "parent_sample", "parent_sample_id", "parent_sample_code"),
    "fraction": ("fraction", "sample_fraction", "result_sample_fraction"),
    "analysed": ("analysis_date", "date_analyzed", "date_analysed", "analyzed", "analysed", "analysis_datetime"),
    "dilution": ("dilution", "dilution_factor", "df"),
    "method": ("method", "analytical_method", "analysis_method", "lab_method", "method_id"),
    "comment": ("comment", "comments", "lab_comment", "lab_comments", "remarks", "note", "notes"),
    "result_comment": ("result_comment", "result_comments"),
    "sample_comment": ("sample_comment", "sample_comments", "field_comment", "field_comments"),
    "described": ("sample_description", "sample_desc"),
    "field_number": (
        "field_number", "field_no", "field_id", "field_sample_id", "client_sample_id", "client_id", "sample_name",
        "sample_labslip_field_no",
    ),
}  # fmt: skip
"""Names, as ``plain_name`` writes them, by what the column says.

A practical quantitation limit (PQL) is the lowest level that a laboratory reliably determines within stated limits of
precision and accuracy: an LOQ by the words of NR 140 (a level above which a number has a stated confidence), as EPA WQX
keeps it among the limits of quantitation. A reporting limit (RL, MRL) is only what results are reported from: a
laboratory or its client chooses it, at the LOQ, above it, or anywhere.
"""


def lab_roles(header: Iterable[str], known: dict[str, tuple[str, ...]] = ROLES) -> dict[str, str]:
    """Column by role; of two columns for one thing the first is read."""
    names = {plain_name(column): column for column in reversed(list(header))}
    found = {role: next((names[name] for name in spellings if name in names), "") for role, spellings in known.items()}
    return {role: column for role, column in found.items() if column}


def lab_measured(header: Iterable[str]) -> tuple[Measured, ...]:
    """Columns named for a substance and its unit, as in ``zinc_ug_l``."""
    return understood(header).measured


def deciding(header: Iterable[str], roles: Mapping[str, str]) -> dict[str, list[str]]:
    """By field, every column that may set a row apart and is not the one that ``roles`` names.

    A table may say of its samples twice what they are (``sample_type`` beside ``qc_type``): none is passed over.
    """
    read = set(roles.values())
    names = [(column, plain_name(column)) for column in header if column not in read]
    loose = {"type": QC_FLAGS, "result_type": RESULT_TYPES}
    among = {field: (*ROLES[field], *loose.get(field, ())) for field in DECIDING}
    found = {field: [column for column, name in names if name in among[field]] for field in DECIDING}
    return {field: columns for field, columns in found.items() if columns}


def not_read(
    header: Iterable[str], roles: Mapping[str, str], measured: Iterable[Measured], *, mapped: bool = False
) -> list[str]:
    """Columns that mean nothing here; labels are among them. In a ``mapped`` table nothing is read beyond the map."""
    names = list(header)
    also = [] if mapped else [column for columns in deciding(names, roles).values() for column in columns]
    known = {*roles.values(), *(name for one in measured for name in (one.column, one.qualifier)), *also}
    return [column for column in names if column not in known or plain_name(column) in LABELS]
