"""Results under the WQX 3.0 column names: the Water Quality Portal (``wqp-wqx3-csv``) and USGS Samples.

Definition: Water Quality Portal user guide, WQX 3.0 result profiles. The USGS Samples service writes the same names
(``usgs-samples-csv``), but ``Activity_MediaSubdivision`` where the portal has ``Activity_MediaSubdivisionName``, and
one more, ``USGSSampleAquifer``.
"""

from __future__ import annotations

from ingest.reading import Parts, Source
from ingest.table import header_of
from ingest.wqx.result import Columns, LimitColumns, parse_results

USGS_ONLY = {"USGSSampleAquifer", "Activity_MediaSubdivision"}

COLUMNS = Columns(
    station="Location_Identifier",
    activity="Activity_ActivityIdentifier",
    activity_type="Activity_TypeCode",
    media="Activity_Media",
    subdivisions=("Activity_MediaSubdivisionName", "Activity_MediaSubdivision"),
    start=("Activity_StartDate", "Activity_StartTime", "Activity_StartTimeZone"),
    end=("Activity_EndDate", "Activity_EndTime", "Activity_EndTimeZone"),
    depth=("Activity_DepthHeightMeasure", "Activity_DepthHeightMeasureUnit"),
    condition="Result_ResultDetectionCondition",
    name="Result_Characteristic",
    cas="Result_CASNumber",
    code="USGSpcode",
    fraction="Result_SampleFraction",
    speciation="Result_MethodSpeciation",
    value="Result_Measure",
    unit="Result_MeasureUnit",
    qualifier="Result_MeasureQualifierCode",
    status="Result_MeasureStatusIdentifier",
    statistic="Result_StatisticalBase",
    value_type="Result_MeasureType",
    limits=tuple(
        LimitColumns(f"DetectionLimit_Type{one}", f"DetectionLimit_Measure{one}", f"DetectionLimit_MeasureUnit{one}")
        for one in "AB"
    ),
    on_sample=("Activity_Comment",),
    on_result=("DataQuality_ResultComment", "LabInfo_LaboratoryComment"),
)


def sniff(head: str) -> bool:
    header = set(header_of(head))
    return _is_wqx3(header) and header.isdisjoint(USGS_ONLY)


def sniff_usgs_samples(head: str) -> bool:
    header = set(header_of(head))
    return _is_wqx3(header) and not header.isdisjoint(USGS_ONLY)


def parse(source: Source) -> Parts:
    """Results by station, characteristic and activity.

    Raises
    ------
    BadFile : a needed column is missing.
    """
    return parse_results(source, COLUMNS)


def _is_wqx3(header: set[str]) -> bool:
    return {COLUMNS.station, COLUMNS.name, COLUMNS.value, COLUMNS.start[0]} <= header
