"""Wisconsin DNR laboratory data entry export (``wdnr-ldes``): results by DNR parameter code.

The standards in the file (NR140 ES and PAL) are never read: they hang on the wrong substances and go out of date. A
result is the word of ``Result Value`` where that is one (ND), else ``Result Amt``; two numbers that differ are refused.

No real file stood behind this reader: the columns are those that a public description names (sample or labslip id,
sample source, DNR parameter code, result value and amount, units, LOD, LOQ); how the well and the day of sampling are
called it leaves open, so that every usual name of them is taken.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.cells import coded
from ingest.headings import plain_name
from ingest.laboratory.grid import Cells, cells_of, first_lines, read_grid
from ingest.laboratory.headings import ROLES as ANY
from ingest.laboratory.headings import Record, lab_roles, not_read
from ingest.laboratory.results import Layout, results
from ingest.reading import Parts, Source
from ingest.wqx.detection import beside

ROLES: dict[str, tuple[str, ...]] = {
    "sample": ("sample_labslip_id", "labslip_id", "sample_id"),
    "station": ("wi_unique_well", "wi_unique_well_no", "wi_unique_well_number", "wuwn", "unique_well_no",
                *ANY["station"]),
    "day": ("sample_collection_date", "sample_date_time", "start_date_time", *ANY["day"]),
    "storet": ("dnr_parameter_code",),
    "analyte": ("dnr_parameter_description", "dnr_parameter_name", *ANY["analyte"]),
    "cas": ANY["cas"],
    "condition": ("result_value",),
    "value": ("result_amt", "result_amount"),
    "unit": ("units", "unit"),
    "lod": ("lod",),
    "loq": ("loq",),
    "qualifier": ("result_qualifier", *ANY["qualifier"]),
    "analysed": ANY["analysed"],
    "comment": ANY["comment"],
    **{role: ANY[role] for role in ("result_comment", "sample_comment", "described", "field_number")},
}  # fmt: skip
NEEDED = {"sample", "storet", "value", "unit"}


def sniff(head: str) -> bool:
    return any(_is_one(cells_of(line)) for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Results by well, code and sample.

    Raises
    ------
    BadFile : a needed column is missing, or dates whose order nobody can tell.
    """
    grid = read_grid(source)
    roles = lab_roles(grid.header, ROLES)
    if not roles.keys() >= NEEDED:
        raise source.bad(f"the header lacks a column of {', '.join(sorted(NEEDED - roles.keys()))}")
    parts = results(Layout(source, roles, mended=_mended), grid)
    unread = ", ".join(not_read(grid.header, roles, ()))
    return replace(parts, facts={"columns_not_read": unread, **parts.facts})


def _is_one(header: Cells) -> bool:
    names = {plain_name(name) for name in header}
    return {"dnr_parameter_code", "result_value"} <= names and bool(names & {"result_amt", "result_amount"})


def _mended(one: Record) -> Record:
    """A word in ``Result Value`` is a detection condition, known or refused; a number there repeats the amount."""
    text, code = coded(one.condition)
    value, condition = beside(one.value, text)
    return one._replace(value=value, condition=condition, qualifier=f"{one.qualifier} {code}".strip())
