"""Results of samples that their laboratory gave no number.

One result of a station, substance, fraction and moment needs none: delivered again it is the same result, with another
amount its correction. Of several in one file nobody can tell which is of which sample, so that each is numbered among
them by what it says, the least first: neither the order of the rows nor a second delivery changes which is which, and
of a correction the amounts delivered last stand. Nothing is ever told apart by its place in a file.
"""

from __future__ import annotations

import pandas as pd

from ingest.summary import SAMPLE, time_text

_KEY = ["station", "parameter", "statistic", "series", "clock", "time_ms"]
_SAID = ["value", "value_text", "unit", "flags"]


def repeats_numbered(rows: pd.DataFrame, *, dated: bool) -> tuple[pd.DataFrame, str]:
    """The rows, with ``:repeat k`` behind the series of each of several that differ and have no sample number.

    Rows that say the same to the letter are one; of a table that states no day of sampling each is its own.

    Returns
    -------
    The rows, and where there are such: station, parameter and moment of each, between commas.
    """
    among = rows[~rows["flags"].str.contains(SAMPLE, regex=False) & rows.duplicated(_KEY, keep=False)]
    ordered = among.sort_values([*_KEY, *_SAID], na_position="first", kind="stable")
    keys = [ordered[name] for name in _KEY]
    new = ~(ordered.duplicated([*_KEY, *_SAID]) & dated)
    place = new.groupby(keys, sort=False).cumsum()
    several = ordered[place.groupby(keys, sort=False).transform("max") > 1]
    series = rows["series"].copy()
    series[several.index] = several["series"] + ":repeat " + place[several.index].astype("str")
    return rows.assign(series=series), ", ".join(_moments(several))


def _moments(rows: pd.DataFrame) -> list[str]:
    told = rows.drop_duplicates(_KEY)
    cells = zip(told["station"], told["parameter"], told["time_ms"], told["clock"], strict=True)
    return sorted({f"{station} {name} {time_text(int(time), clock)}".strip() for station, name, time, clock in cells})
