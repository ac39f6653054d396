"""Columns of EQuIS sections by what they say, for deliverables of several sections and of one.

Names: EPA Region 5 comprehensive specification manual 4.3 (2020) and EarthSoft's EQEDD; Region 4 and EFW2 write
``total_or_dissolved`` where the later ones write ``fraction``, and date and time in two columns.

``method_detection_limit`` is the LOD and ``quantitation_limit`` the LOQ. ``reporting_detection_limit`` is the limit of
this sample (its dilution is in it) from which the laboratory reports a detect: it may be the one, the other or neither,
so that it bounds a non-detect and is no LOQ.
"""

from __future__ import annotations

from ingest.laboratory.headings import Record

ROLES: dict[str, tuple[str, ...]] = {
    "sample": ("sys_sample_code",),
    "station": ("sys_loc_code",),
    "day": ("sample_date",),
    "clock": ("sample_time",),
    "analyte": ("chemical_name",),
    "cas": ("cas_rn",),
    "value": ("result_value", "result_text"),
    "unit": ("result_unit",),
    "qualifier": ("lab_qualifiers", "lab_qualifier"),
    "validation": ("validator_qualifiers", "validator_qualifier"),
    "interpreted": ("interpreted_qualifiers", "interpreted_qualifier"),
    "detected": ("detect_flag",),
    "lod": ("method_detection_limit",),
    "loq": ("quantitation_limit",),
    "rl": ("reporting_detection_limit",),
    "detection_limit_unit": ("detection_limit_unit",),
    "type": ("sample_type_code",),
    "result_type": ("result_type_code",),
    "reportable": ("reportable_result",),
    "taken_by": ("sample_source",),
    "matrix": ("sample_matrix_code", "lab_matrix_code"),
    "parent": ("parent_sample_code",),
    "fraction": ("fraction", "total_or_dissolved"),
    "analysed": ("analysis_date",),
    "analysed_clock": ("analysis_time",),
    "dilution": ("dilution_factor",),
    "method": ("lab_anl_method_name",),
    "test": ("test_type",),
    "comment": ("result_comment",),
    "result_comment": ("comment",),
    "described": ("sample_desc", "sample_description"),
    "field_number": ("sample_name",),
}

TEST_KEY = (
    "sys_sample_code", "lab_anl_method_name", "analysis_date", "analysis_time", "fraction", "total_or_dissolved",
    "column_number", "test_type",
)  # fmt: skip
"""What joins a result with its test, as far as both sections have it."""
SAMPLE_COLUMNS = (
    "sys_loc_code", "sample_date", "sample_time", "sample_type_code", "sample_source", "sample_matrix_code",
    "parent_sample_code", "sample_name", "sample_desc", "sample_description",
)  # fmt: skip
TEST_COLUMNS = ("dilution_factor", "lab_matrix_code")

_KEYS_V3 = ("sys_sample_code", "lab_anl_method_name", "analysis_date", "fraction", "column_number", "test_type")
V3_RESULT = (
    *_KEYS_V3, "lab_matrix_code", "analysis_location", "basis", "container_id", "dilution_factor", "prep_method",
    "prep_date", "leachate_method", "leachate_date", "lab_name_code", "qc_level", "lab_sample_id", "percent_moisture",
    "subsample_amount", "subsample_amount_unit", "analyst_name", "instrument_id", "comment", "preservative",
    "final_volume", "final_volume_unit", "cas_rn", "chemical_name", "result_value", "result_error_delta",
    "result_type_code", "reportable_result", "detect_flag", "lab_qualifiers", "validator_qualifiers",
    "interpreted_qualifiers", "validated_yn", "method_detection_limit", "reporting_detection_limit",
    "quantitation_limit", "result_unit", "detection_limit_unit", "tic_retention_time", "minimum_detectable_conc",
    "counting_error", "uncertainty", "critical_value", "validation_level", "result_comment", "qc_original_conc",
    "qc_spike_added", "qc_spike_measured", "qc_spike_recovery", "qc_dup_original_conc", "qc_dup_spike_added",
    "qc_dup_spike_measured", "qc_dup_spike_recovery", "qc_rpd", "qc_spike_lcl", "qc_spike_ucl", "qc_rpd_cl",
    "qc_spike_status", "qc_dup_spike_status", "qc_rpd_status", "lab_sdg",
)  # fmt: skip
V3_SAMPLE = (
    "data_provider", "sys_sample_code", "sample_name", "sample_matrix_code", "sample_type_code", "sample_source",
    "parent_sample_code", "sample_delivery_group", "sample_date", "sys_loc_code", "start_depth", "end_depth",
    "depth_unit", "chain_of_custody", "sent_to_lab_date", "sample_receipt_date", "sampler", "sampling_company_code",
    "sampling_reason", "sampling_technique", "task_code", "collection_quarter", "composite_yn", "composite_desc",
    "sample_class", "custom_field_1", "custom_field_2", "custom_field_3", "comment",
)  # fmt: skip
V3_BATCH = (*_KEYS_V3, "test_batch_type", "test_batch_id")
"""Column order of the sections of version 3, for text files without a header row."""

_NOT_APPLICABLE = {"n", "na", "n/a"}


def mended(one: Record) -> Record:
    """``N`` is no fraction: none applies."""
    return one._replace(fraction="") if one.fraction.casefold() in _NOT_APPLICABLE else one
