"""What to do about a row that was not taken, by the reason it was refused for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from models.arrival_record import wants_of_the_site


@dataclass(frozen=True)
class Advice:
    """``key``: rows of one key are one fault. ``title``: the fault in plain words; "" where the reason is its own.

    ``for_the_town``: the sender can do nothing about it.
    """

    key: str
    title: str
    do: str
    for_the_town: bool = False


_OTHERS = (
    (re.compile(r"; known: [^;]*"), ""),
    (re.compile(r"(belongs to) .*"), r"\1 another station"),
    (re.compile(r"^(a fault of the program), .*", re.DOTALL), r"\1"),
)
"""What a reason says of others: the site's own list of stations, whose a logger is, the inside of the program."""
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
_PLAIN = "write the amount in its own cell as a plain number, as 1234.5, without units or thousands marks; a result "
_PLAIN += "below a limit as <0.5 or with its limit in the limit column"
_DATE = "write dates as YYYY-MM-DD (2025-06-30) and times as HH:MM with the time zone; see that the day exists"
_FOR_THE_TOWN: tuple[tuple[str, str, str], ...] = (
    (
        r"unknown station",
        "the Town's site file does not know the station",
        "the Town has to enter it and then reads this file again as it is; only a name that is misspelt is yours to "
        "correct",
    ),
    (
        r"belongs to",
        "the Town's site file has the logger at another station",
        "the Town has to enter where it hangs and then reads this file again as it is; only a station that is named "
        "wrongly is yours to correct",
    ),
    (r"", "the Town's site file lacks what this row needs", "the Town has to enter it and then reads this file again"),
)
"""Reasons for which no more is wanting than an entry of the town (``models.arrival_record``)."""
_KNOWN: tuple[tuple[str, str, str], ...] = (
    (r"names no station", "the file names no station", "name the station in every row, as agreed with the Town"),
    (
        r"unknown (STORET |parameter |substance )?(code|parameter)|not a STORET code|no parameter",
        "the substance or code is not known here",
        "use a code or name of the agreed list (CAS, STORET or USGS code); a new substance is named to the Town first",
    ),
    (
        r"\bunits?\b",
        "the unit is missing or not known",
        "write the unit of the result and of each limit in its own column, as mg/L, ug/L, ft",
    ),
    (
        r"two different values for the same instant|the same value twice for one instant",
        "two rows contradict each other",
        "leave the right row and take out the other; none was taken, because nothing says which is right",
    ),
    (
        r"provisional, where an approved value",
        "an approved value is on file for this time",
        "nothing, if the approved value stands; otherwise send the value as approved",
    ),
    (
        r"not valid where the decimal mark|not a( finite)? number|zero without",
        "the amount is no number",
        _PLAIN,
    ),
    (
        r"clock reading happened twice|clock skipped|time zone|no zone|offset",
        "the time cannot be told, for the clock change or the time zone",
        "give times in UTC or with the offset (2025-11-02T01:30-05:00)",
    ),
    (
        r"\bdates?\b|no such day|no such time|not a time|year is outside|ISO 8601",
        "the date or time cannot be read",
        _DATE,
    ),
    (
        r"cells? (where|under)|columns where|truncated|quote is opened|breaks off",
        "the row has not as many cells as the header",
        "see that each row has one cell for each column; put a cell that holds a comma in quotes; send the whole file",
    ),
    (r"^negative$", "the amount is below zero and cannot be", "see whether a sign or a code stands in the cell"),
    (r"^blank|is blank|is empty$", "a cell that is needed is blank", "fill the cell in"),
    (
        r"owner rejected|rejected this result",
        "the result is marked as rejected by the laboratory",
        "nothing, if that is meant; otherwise take the mark off",
    ),
)
_WHOLE: tuple[tuple[str, str, str], ...] = (
    (
        r"^the file is empty|no cell|without a cell",
        "the file is empty",
        "export the file again, and look at it before it is sent",
    ),
    (r"HTML page", "it is a web page and not a table", "download the file itself, not the page that shows it"),
    (
        r"old or a locked workbook|binary workbook|office file|broken workbook|broken zip",
        "the workbook or archive cannot be opened",
        "save it as .xlsx or .csv without a password and send that",
    ),
    (
        r"binary|broken UTF-16|not UTF-8",
        "it is no text and no workbook that we read",
        "save the table as .csv (UTF-8) or .xlsx and send that",
    ),
    (
        r"unknown format|no sheet with a head|is a table of text",
        "nothing in the file says which layout it has",
        "send it in the agreed layout with its header row, or tell us what wrote it",
    ),
    (r"a header and no row", "there is a header and no row with a value", "export the file with its results"),
    (
        r"more than \d+ rows",
        "more rows cannot be taken than are worth listing",
        "see what the first rows say, correct, send again",
    ),
    (r"larger than|too large", "the file is too large", "send it in parts"),
    (
        r"mail without an attached file",
        "the mail brought no file",
        "attach the file; what stands in the mail itself is not read",
    ),
    (r"mail of whose files nothing", "nothing was taken of the files of the mail", "see the reply to each of them"),
)
_OF_THE_PROGRAM = Advice(
    "the program", "the Town's program failed at it", "the Town has to look into it, and tells you", for_the_town=True
)
OTHERWISE = "correct the row, or tell us if it is right as it stands"
OTHERWISE_WHOLE = "correct the file, or tell us what it is"


@lru_cache(maxsize=65536)
def advice_on(reason: str) -> Advice:
    """The advice on a reason: of the whole file first, then of a row, else what fits every reason."""
    if "fault of the program" in reason:
        return _OF_THE_PROGRAM
    the_towns = wants_of_the_site([reason])
    for pattern, title, do in _FOR_THE_TOWN if the_towns else (*_WHOLE, *_KNOWN):
        if re.search(pattern, reason, re.IGNORECASE):
            return Advice(title, title, do, the_towns)
    return Advice(_NUMBERS.sub("N", without_others(reason)), "", OTHERWISE)


def without_others(reason: str) -> str:
    """A reason without what it says of others than the sender."""
    for pattern, instead in _OTHERS:
        reason = pattern.sub(instead, reason)
    return reason
