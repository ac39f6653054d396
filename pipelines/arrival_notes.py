"""What a delivery brought that nobody rejected and somebody should know: kept with it, and shown beside its counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pandas as pd
from sqlalchemy import Connection, bindparam, func, select

from ingest.arrival import DUPLICATES, UNDATED, field_duplicates
from ingest.cells import counted
from ingest.headings import plain_name
from ingest.laboratory.headings import ROLES
from ingest.loggers.fact_notes import fact_notes
from ingest.packed.table_notes import table_notes
from ingest.reading import CUT, LAST_LINE, Reading
from ingest.summary import overlap_lines, sensed
from models.checks.quality_results import doubt_of, taken_back_by
from models.fractions import is_another
from models.observation import Flags
from models.qualifiers import said_by
from models.sample_types import DESCRIBED, kind_of, medium_of
from models.units import CONCENTRATIONS, COUNTS, PRESENCE
from pipelines import marks, observations, schema

QUALITY_CONTROL, NOT_WATER = "quality_control", "not_water"
SET_APART = (QUALITY_CONTROL, NOT_WATER, UNDATED)
"""Tables of rows that are no results of the place (``ingest.reading.Parts.tables``); duplicates are among the first."""
MEDIA = {*ROLES["matrix"], "activitymedianame"}
"""Columns that name a medium, as ``plain_name`` writes them."""
RATING = "rating"
_OF_A_LABORATORY = {*CONCENTRATIONS, *COUNTS, PRESENCE}
FEW = 3
"""Pairs of overlapping series that a note names; the others it counts."""

_MARK = "arrival_note:"
_SAME = ["station", "parameter", "statistic", "clock"]


def note(
    connection: Connection, source_id: int, reading: Reading, frame: pd.DataFrame, also: Iterable[str] = (),
    hide: Callable[[str], str] = str,
) -> None:  # fmt: skip
    """Write down what was set apart, tables that hold no observation, and sensors that cover the same time.

    Parameters
    ----------
    frame : what was taken (``ingest.arrival.Arrival.frame``), already stored.
    also : what else there is to say of it.
    hide : puts a mark in the place of what names a household.
    """
    said = [
        *_set_apart(reading),
        *_unjudged(frame),
        *_tables(reading),
        *_ends_oddly(reading),
        *fact_notes(reading.facts),
        *also,
        *overlap_lines(_spans(connection, frame), FEW),
        *table_notes(reading.facts),
    ]
    put(connection, source_id, [hide(one) for one in said])


def put(connection: Connection, source_id: int, said: Sequence[str]) -> None:
    """Write down what there is to say of a delivery."""
    if said:
        marks.put(connection, f"{_MARK}{source_id}", "; ".join(said))


def noted(connection: Connection) -> dict[int, str]:
    """Every note, by delivery."""
    mark = schema.mark.c
    found = connection.execute(select(mark.name, mark.value).where(mark.name.startswith(_MARK)))
    return {int(name.removeprefix(_MARK)): value for name, value in found}


def rows_set_apart(reading: Reading) -> int:
    """How many rows are not kept: quality control but for field duplicates, other media, no day of sampling."""
    kept = field_duplicates(reading)
    among = kept["row"].nunique() if len(kept) else 0
    return sum(len(reading.tables[name]) for name in SET_APART if name in reading.tables) - among


def _set_apart(reading: Reading) -> Iterator[str]:
    """``2 quality-control rows and 1 sediment row set apart, not stored; 1 field duplicate kept, not judged``."""
    said = [*_control(reading), *_media(reading.tables), *_undated(reading.tables)]
    if said:
        yield f"{' and '.join(said)} set apart, not stored"
    if len(kept := field_duplicates(reading)):
        yield f"{counted(len(kept), 'field duplicate')} kept, not judged"


def _unjudged(frame: pd.DataFrame) -> Iterator[str]:
    """Of rows that were taken ``2 rows of sample type XY, which is not known: kept, not judged``; so what is like it.

    Codes beside a number are a laboratory's only where the number is an amount in water.
    """
    found: Counter[str] = Counter()
    amounts = frame["unit"].isin(_OF_A_LABORATORY)
    for rows, read in ((frame[~amounts], _of_sample), (frame[amounts], _of_result)):
        for text, n in rows["flags"].value_counts(sort=False).items():
            found[read(Flags.parse(str(text)))] += int(n)
    for what, n in found.items():
        if what:
            yield f"{counted(n, 'row')} {what}"


def _of_sample(flags: Flags) -> str:
    """Why a row of this kind of sample is not judged and somebody should say what it is; ``""``: it is judged."""
    activity, fraction = flags.facts.get("activity", ""), flags.facts.get("fraction", "")
    kind = kind_of(activity)
    if kind == "unknown":
        return f"of sample type {activity}, which is not known: kept, not judged"
    if activity.startswith(DESCRIBED):
        return f"{activity}, without a sample type: kept, not judged; ask whether it is"
    unknown = kind == "water" and is_another(fraction)
    return f"of fraction {fraction}, which is not known: kept, not judged" if unknown else ""


def _of_result(flags: Flags) -> str:
    """The same, and of a result that is taken back or that a word or a text leaves open."""
    if (said := _of_sample(flags)) or kind_of(flags.facts.get("activity", "")) != "water":
        return said
    if "rejected" in said_by(flags.qualifiers):
        return f"taken back ({taken_back_by(flags)}): kept, not judged"
    doubt = doubt_of(flags)
    return f"in doubt, kept, and what it attains needs confirmation ({doubt})" if doubt else ""


def _control(reading: Reading) -> Iterator[str]:
    kept = field_duplicates(reading)
    others = len(reading.tables.get(QUALITY_CONTROL, ())) - (kept["row"].nunique() if len(kept) else 0)
    if others:
        yield counted(others, "quality-control row")


def _media(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    """Rows by medium, in the order of the file; where no column names it, as what they are not."""
    table = tables.get(NOT_WATER, pd.DataFrame())
    columns = [table[name] for name in table if plain_name(str(name)) in MEDIA]
    named = [_medium([column.iloc[place] for column in columns]) for place in range(len(table))]
    for medium, n in Counter(named).items():
        yield counted(n, f"{medium} row")


def _medium(cells: Sequence[str]) -> str:
    return next((cell.casefold() for cell in map(str, cells) if medium_of(cell) == NOT_WATER), "not-water")


def _undated(tables: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    if len(tables.get(UNDATED, ())):
        yield f"{counted(len(tables[UNDATED]), 'row')} without a day of sampling"


def _ends_oddly(reading: Reading) -> Iterator[str]:
    if LAST_LINE in reading.facts:
        yield CUT
    if reading.observations.empty and not (reading.rejects or reading.tables):
        yield "no values"


def _tables(reading: Reading) -> Iterator[str]:
    """Tables of a file that brings nothing else; only a rating can be used, by naming the file in site.toml."""
    named = {name: table for name, table in reading.tables.items() if name not in {*SET_APART, DUPLICATES}}
    rows = [f"{counted(len(table), 'row')} of {name}" for name, table in named.items()]
    if rows and reading.observations.empty:
        use = "; name the file in site.toml, under its gauge, to use it" if RATING in named else ""
        yield f"no observations: {', '.join(rows)}{use}"


def _spans(connection: Connection, frame: pd.DataFrame) -> pd.DataFrame:
    """First and last instant of every series that this delivery brought, and of those beside them."""
    table = observations.series_table(connection).reset_index()
    brought = frame.loc[sensed(frame["flags"]), [*_SAME, "series"]].drop_duplicates().assign(new=True)
    near = table.merge(brought[_SAME].drop_duplicates(), on=_SAME).merge(brought, on=[*_SAME, "series"], how="left")
    several = near[near.duplicated(_SAME, keep=False)].assign(new=lambda one: one["new"].notna())
    return several.merge(_ends(connection, several["id"].tolist()), on="id")


def _ends(connection: Connection, ids: list[int]) -> pd.DataFrame:
    """Each end is one look into the primary key; grouping would read every row. A laboratory's series have none."""
    one, series = schema.observation.c, schema.series.c
    first, last = (
        select(end).where(one.series_id == series.id).scalar_subquery()
        for end in (func.min(one.time_ms), func.max(one.time_ms))
    )
    chosen = series.id.in_(bindparam("ids", ids, expanding=True, literal_execute=True))
    flags = select(one.flags).where(one.series_id == series.id).order_by(one.time_ms).limit(1).scalar_subquery()
    rows = connection.execute(select(series.id, first, last, flags).where(chosen)).all()
    found = pd.DataFrame(rows, columns=["id", "first_ms", "last_ms", "flags"]).dropna().astype({"flags": "str"})
    return found[sensed(found["flags"])].drop(columns="flags")
