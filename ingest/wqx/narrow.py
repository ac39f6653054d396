"""Water Quality Portal results under their first column names (``wqp-narrow-csv``: narrow and physical/chemical).

Definition: Water Quality Portal user guide, result profiles of WQX 2.2.
"""

from __future__ import annotations

from ingest.reading import Parts, Source
from ingest.table import header_of
from ingest.wqx.result import Columns, LimitColumns, parse_results

COLUMNS = Columns(
    station="MonitoringLocationIdentifier",
    activity="ActivityIdentifier",
    activity_type="ActivityTypeCode",
    media="ActivityMediaName",
    subdivisions=("ActivityMediaSubdivisionName",),
    start=("ActivityStartDate", "ActivityStartTime/Time", "ActivityStartTime/TimeZoneCode"),
    end=("ActivityEndDate", "ActivityEndTime/Time", "ActivityEndTime/TimeZoneCode"),
    depth=("ActivityDepthHeightMeasure/MeasureValue", "ActivityDepthHeightMeasure/MeasureUnitCode"),
    condition="ResultDetectionConditionText",
    name="CharacteristicName",
    cas="CASNumber",
    code="USGSPCode",
    fraction="ResultSampleFractionText",
    speciation="MethodSpecificationName",
    value="ResultMeasureValue",
    unit="ResultMeasure/MeasureUnitCode",
    qualifier="MeasureQualifierCode",
    status="ResultStatusIdentifier",
    statistic="StatisticalBaseCode",
    value_type="ResultValueTypeName",
    limits=(
        LimitColumns(
            "DetectionQuantitationLimitTypeName",
            "DetectionQuantitationLimitMeasure/MeasureValue",
            "DetectionQuantitationLimitMeasure/MeasureUnitCode",
        ),
    ),
    on_sample=("ActivityCommentText",),
    on_result=("ResultCommentText", "ResultLaboratoryCommentText"),
)


def sniff(head: str) -> bool:
    return {COLUMNS.station, COLUMNS.name, COLUMNS.value, COLUMNS.start[0]} <= set(header_of(head))


def parse(source: Source) -> Parts:
    """Results by station, characteristic and activity.

    Raises
    ------
    BadFile : a needed column is missing.
    """
    return parse_results(source, COLUMNS)
