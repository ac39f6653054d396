"""What the sender of a file is told: what was taken of it, what was not, row by row, and what to do about it.

Plain text for whoever made the file. It says nothing of anybody else's data, names no household, and judges no result.
Of each fault so many lines are shown and the others are counted, so that a file of a hundred thousand bad rows has a
readable reply.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from reports.reply_advice import OTHERWISE, OTHERWISE_WHOLE, Advice, advice_on, without_others
from reports.text_table import one_line

LINES_SHOWN = 20
"""Rows named of one fault; the others are counted."""
FAULTS_SHOWN = 20
"""Faults of one file described; the others are counted."""
RAW_SHOWN = 60
WIDTH = 78
Hide = Callable[[str], str]
"""Gives a text back, or what stands for it where it would name a household."""


@dataclass(frozen=True)
class RefusedCell:
    """One row or cell that was not taken. ``row`` 0: the file as a whole."""

    row: int
    column: str
    raw: str
    reason: str


@dataclass(frozen=True)
class Account:
    """What became of one file.

    Accepted, duplicate, revised, set apart and rejected are its values, as its receipt counts them. ``read_by``: when
    it was read, in words. ``format``: "" where nobody knew it. ``before``: the day its content was read first, where it
    came again. ``unread``: why it was not opened yet. ``refused``: what was not taken and still waits. ``note``: what
    else it brought, one thing after the other.
    """

    site: str
    file: str
    format: str
    read_by: str
    sha256: str
    accepted: int = 0
    duplicate: int = 0
    revised: int = 0
    set_apart: int = 0
    rejected: int = 0
    before: str = ""
    unread: str = ""
    refused: tuple[RefusedCell, ...] = ()
    note: str = ""

    @property
    def no_value(self) -> bool:
        """Whether it was read, and held nothing that anybody takes or refuses."""
        return not (self.before or any((self.accepted, self.duplicate, self.revised, self.rejected, *self.refused)))

    @property
    def nothing_taken(self) -> bool:
        """Whether the file was refused as a whole."""
        return not self.format


def delivery_reply(account: Account, hide: Hide = str) -> str:
    """The reply as plain text, one paragraph below the other, with a line end after the last."""
    if account.unread:
        parts = [_head(account, hide), _filled(f"The file was not read yet: {one_line(hide(account.unread))}.")]
    elif account.nothing_taken:
        parts = [_head(account, hide), _whole(account, hide), *_note(account, hide), _next(account)]
    elif account.no_value:
        parts = [
            _head(account, hide),
            NO_VALUE,
            *_note(account, hide),
            _filled(f"What to do: {_without_values(account)}."),
        ]
    else:
        taken = [_counts(account), *_note(account, hide), *_faults(account, hide)]
        parts = [_head(account, hide), *taken, _next(account)]
    return "\n\n".join([*parts, CLOSING]) + "\n"


FOR_THE_TOWN = (
    "Nothing is left for you to do: what was not taken is for the Town to settle, and nothing needs to be sent again."
)
AGAIN = (
    "Please correct these rows and send the whole file again, under whatever name: what was taken already is "
    "recognised and not taken twice. Under the same name it also settles this list. Where a row is right as it stands, "
    "tell us; do not change it to be taken."
)
NO_VALUE = "NO VALUE WAS TAKEN OF THE FILE, and none refused."
_EXPORT = "results that it should hold are to be sent as a table with a row for each"
_WITHOUT_VALUES = {
    "mail": "nothing: each file of the mail has a reply of its own",
    "document": f"nothing, if it goes with other files; {_EXPORT}",
}
"""By format, of what nobody takes values from."""
CLOSING = textwrap.fill(
    "This reply says what was read of one file. It is no notice of the Town's, starts no deadline, and says nothing of "
    "what a result means.", WIDTH,
)  # fmt: skip


def _head(account: Account, hide: Hide) -> str:
    name = one_line(hide(account.file))
    lines = [f"Your file {name}", f"for {account.site}"]
    if account.read_by:
        lines.append(f"read by {account.read_by}" + (f", as {account.format}" if account.format else ""))
    if account.sha256:
        lines.append(f"SHA-256 of what was read: {account.sha256[:16]}…")
    if account.before:
        lines += [
            f"The same content came before, on {account.before};",
            "what was taken then is not taken twice.",
        ]
    return "\n".join(lines)


def _counts(account: Account) -> str:
    told = [
        (account.accepted, "accepted", "new values, stored"),
        (account.duplicate, "duplicate", "values that we had already; nothing to do"),
        (account.revised, "revised", "values that take the place of earlier ones; both are kept"),
        (account.set_apart, "set apart", "rows of quality control, of other media, without a day"),
        (account.rejected, "rejected", _rejected_means(account)),
    ]
    width = max(len(f"{n:,}") for n, *_ in told)
    return "\n".join(["What became of it:", *(f"  {n:>{width},}  {word:<9}  {means}" for n, word, means in told)])


def _note(account: Account, hide: Hide) -> Iterator[str]:
    """What else it brought: rows that were set apart, or kept and not judged, tables that nobody reads."""
    every = [one_line(hide(one)) for one in account.note.split("; ") if one]
    said = [_filled(f"- {'for the Town: ' if 'site.toml' in one else ''}{one}", "  ") for one in every]
    if said:
        yield "\n".join(["What else was seen in it:", *said])


def _without_values(account: Account) -> str:
    if account.set_apart:
        return (
            f"nothing, if no results of the site's water were meant; {_EXPORT}, with a day, and as no quality control"
        )
    return _WITHOUT_VALUES.get(account.format, f"nothing, if no results were meant; {_EXPORT}")


def _rejected_means(account: Account) -> str:
    if account.rejected and not account.refused:
        return "values not taken then; a later file has settled them"
    return "values not taken; why stands below" if account.rejected else "values not taken"


def _whole(account: Account, hide: Hide) -> str:
    """Why nothing could be taken, and what to do."""
    if not account.refused:
        return "Nothing of the file was taken then; a later file has settled that."
    one = account.refused[0]
    advice = advice_on(one.reason)
    reason = advice.title or one_line(hide(without_others(one.reason)))
    where = f" (row {one.row})" if one.row else ""
    found = f" Found: {_raw(one.raw, hide)}." if one.raw else ""
    advice = replace(advice, do=OTHERWISE_WHOLE) if advice.do == OTHERWISE else advice
    return "\n".join(["NOTHING OF THE FILE WAS TAKEN.", _filled(f"Why: {reason}{where}.{found}"), _to_do(advice)])


def _faults(account: Account, hide: Hide) -> Iterator[str]:
    """Each fault with its first rows, the most frequent first, and last what is for the Town."""
    if not account.refused:
        return
    groups = _grouped(account.refused)
    total = len(account.refused)
    yield f"Not taken: {_n(total, 'row or cell', 'rows or cells')} of the file, {_n(len(groups), 'fault')}"
    for number, (advice, cells) in enumerate(groups[:FAULTS_SHOWN], start=1):
        yield _fault(number, advice, cells, hide)
    rest = groups[FAULTS_SHOWN:]
    if rest:
        lines = sum(len(cells) for _, cells in rest)
        yield f"and {_n(lines, 'more row')} with {_n(len(rest), 'other fault')}."


def _grouped(refused: Sequence[RefusedCell]) -> list[tuple[Advice, list[RefusedCell]]]:
    """Rows by fault: a known one by its own title, another by its reason with the numbers taken out."""
    groups: dict[Advice, list[RefusedCell]] = {}
    for one in refused:
        groups.setdefault(advice_on(one.reason), []).append(one)
    return sorted(groups.items(), key=lambda each: (each[0].for_the_town, -len(each[1]), each[0].key))


def _fault(number: int, advice: Advice, cells: Sequence[RefusedCell], hide: Hide) -> str:
    title = advice.title or one_line(hide(without_others(cells[0].reason)))
    shown = [_line(one, hide, said=bool(advice.title)) for one in cells[:LINES_SHOWN]]
    more = len(cells) - len(shown)
    more_line = [f"     and {_n(more, 'more row')} with the same fault"] if more else []
    head = _filled(f"{number}. {title[:1].upper()}{title[1:]}: {_n(len(cells), 'row')}", "   ")
    return "\n".join([head, _to_do(advice, "   "), *shown, *more_line])


def _line(one: RefusedCell, hide: Hide, *, said: bool) -> str:
    """``row 12, column value: "abc" (not a number)``; the reason only where the title does not say it."""
    column = f", column {one_line(hide(one.column))}" if one.column else ""
    reason = f" ({_clipped(one_line(hide(without_others(one.reason))))})" if said else ""
    line = f"{f'row {one.row}' if one.row else 'the file'}{column}: {_raw(one.raw, hide)}{reason}"
    return textwrap.fill(line, WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 7)


def _raw(raw: str, hide: Hide) -> str:
    return f'"{_clipped(one_line(hide(raw)))}"' if raw.strip() else "(blank)"


def _clipped(text: str) -> str:
    return text if len(text) <= RAW_SHOWN else f"{text[: RAW_SHOWN - 1]}…"


def _to_do(advice: Advice, indent: str = "") -> str:
    return textwrap.fill(f"What to do: {advice.do}", WIDTH, initial_indent=indent, subsequent_indent=indent)


def _filled(text: str, hanging: str = "") -> str:
    return textwrap.fill(text, WIDTH, subsequent_indent=hanging)


def _next(account: Account) -> str:
    theirs = [advice_on(one.reason).for_the_town for one in account.refused]
    if all(theirs):
        return _filled(FOR_THE_TOWN) if theirs else "Nothing is left to do."
    if account.nothing_taken:
        return _filled("Send the corrected file whole, under whatever name. Until then nothing of it is on file.")
    return _filled(f"{AGAIN} {'The other rows are for the Town to settle.' if any(theirs) else ''}".rstrip())


def _n(n: int, thing: str, several: str = "") -> str:
    return f"{n:,} {thing if n == 1 else several or f'{thing}s'}"
