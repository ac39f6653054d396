"""``headwater funds``: the assurance an operator posted, what was drawn, and what it may have to cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import click

from models.errors import BadQuestion
from models.fund import Act, Book, Entry, admit, dollars, in_turn
from pipelines import fund_told
from pipelines.casebook import ms
from pipelines.database import reading, transaction
from pipelines.forfeiture import forfeiture
from pipelines.fund_book import append_entry, read_book
from pipelines.fund_law import lawful
from pipelines.local_instant import local_instant
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

F = TypeVar("F", bound=Callable[..., Any])
STATES: dict[Act, tuple[str, ...]] = {
    "post": ("fund", "amount", "case"),
    "release": ("fund", "amount", "case"),
    "draw": ("fund", "amount", "case", "use", "first", "last"),
    "recover": ("fund", "amount", "case", "use", "first", "last"),
    "request": ("fund", "amount", "case"),
    "meet": ("fund", "amount", "case"),
    "reimburse": ("amount", "case"),
    "repay": ("amount", "case"),
    "reverse": ("reverses",),
}
"""What each act states beside when, by whom and by which document; anything else would be taken silently."""
OPTIONS = {"first": "--from", "last": "--to"}
_FACTS = (
    click.option("--fund", help="Which fund: its name in the ordinance file, e.g. water."),
    click.option("--amount", help="Dollars and cents: 1,200.50."),
    click.option("--case", default="", help="The case it belongs to."),
    click.option("--use", default="", help="What a draw is for, e.g. supply."),
    click.option("--from", "first", type=click.DateTime(["%Y-%m-%d"]), help="First day of the supply it is about."),
    click.option("--to", "last", type=click.DateTime(["%Y-%m-%d"]), help="Last day of that supply."),
    click.option("--reverses", default="", help="The entry to undo, by its key."),
    click.option("--note", default="", help="No names of households."),
)


@click.group(invoke_without_command=True)
@site_option
@as_json
@click.pass_context
def funds(context: click.Context, site_dir: Path, as_json: bool) -> int:
    """What each fund holds, what was drawn, asked and owed; what supply for every household in reach would cost.

    \b
    headwater funds
    headwater funds record post --fund water --amount 50,000 --document "bond 17" --at 2025-05-01 --by clerk
    headwater funds record draw --fund water --use supply --amount 280 --case howard.remedy/R-1/2025-09-01
        --from 2025-09-02 --to 2025-09-08 --document "invoice 4" --at 2025-09-09 --by clerk
    """
    if context.invoked_subcommand:
        return 0
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        data = fund_told.whole(folder, connection, read_book(connection))
    emit(data, lambda: _standing_text(data), json_wanted=as_json)
    return 0


def _standing_text(data: dict[str, Any]) -> str:
    parts = [text_table(data["accounts"], ["account", "balance"]) if data["accounts"] else "nothing is recorded"]
    if data["assurance"]:
        parts.append(text_table(data["assurance"], ["case", "act", "fund", "in_the_case", "in_the_ledger", "says"]))
    if reach := data["exposure"]:
        beyond = f" or shown impacted ({', '.join(reach['shown_impacted'])})" if reach["shown_impacted"] else ""
        parts.append(
            f"{len(reach['households'])} households within {reach['within_mi']} mi{beyond} x "
            f"{reach['per_household']} dollars ({reach['basis']}) = {reach['total']}; "
            f"held {reach['held']}; short {reach['short']}. "
            "Proposed only: the town determines the amount and its basis."
        )
    parts.append(f"seal of the ledger: {data['seal'] or 'none, nothing is recorded'}")
    return "\n\n".join(parts)


def _facts(command: F) -> F:
    for option in reversed(_FACTS):
        command = option(command)
    return command


@funds.command()
@click.argument("act", type=click.Choice([*STATES]))
@click.option("--at", required=True, help="When it happened, local or with offset: 2025-08-29T10:00, or a day.")
@click.option("--by", required=True, help="Whose record it is: an office.")
@click.option("--document", required=True, help="Bond, invoice, receipt or resolution that shows it.")
@_facts
@site_option
@as_json
def record(act: Act, at: str, by: str, document: str, site_dir: Path, as_json: bool, **facts: Any) -> int:
    """Record one movement of money. Nothing is ever changed; `reverse --reverses KEY` undoes an entry.

    \b
    post      the operator puts up assurance         release    the town gives it back
    draw      the town pays for a supply or a claim  recover    it gets that money back
    request   the town asks for an additional amount meet       the operator provided it (post it as well)
    reimburse the owner owes the operator what it elected, 2.15(5)
    repay     the owner paid that to the operator    reverse    an entry was wrong

    A request, a meeting of it and a release rest on an act of their case: the amount the town determined or the
    operator provided. A draw names its case, and a supply its days; so does what the fund gets back.
    """
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        book = read_book(connection)
        entry = in_turn(_entry(act, at, by, document, folder, facts, book), book)
        if entry.key() not in book.by_key:
            lawful(entry, folder, connection, book)
            admit(entry, book)
        new = append_entry(connection, entry, book, ms(datetime.now(UTC)))
        after = read_book(connection)
    data = {"entry": entry.key(), "recorded": new, "balances": {k: str(v) for k, v in after.balances().items()}}
    said = f"{entry.key()}: {act} {entry.amount} dollars{'' if new else ' (was recorded already)'}"
    emit(data, lambda: said, json_wanted=as_json)
    return 0


def _entry(
    act: Act, at: str, by: str, document: str, folder: SiteFolder, facts: dict[str, Any], book: Book
) -> Entry:  # fmt: skip
    stated = {name: value for name, value in facts.items() if value and name != "note"}
    if stray := [OPTIONS.get(name, f"--{name}") for name in stated if name not in STATES[act]]:
        allowed = [OPTIONS.get(name, f"--{name}") for name in STATES[act]]
        raise BadQuestion(f"{act} states no such thing", key=", ".join(stray), allowed=[*allowed, "--note"])
    when = local_instant(at, folder.law.zone)
    if when > datetime.now(UTC):
        raise BadQuestion("not yet happened", key="--at", found=at)
    amount = Decimal(0) if act == "reverse" else dollars(facts["amount"] or "", key="--amount")
    entry = Entry(
        act, facts["fund"] or "", amount, when, by.strip(), document.strip(), facts["case"], facts["use"],
        _span(facts["first"], facts["last"]), facts["reverses"], facts["note"],
    )  # fmt: skip
    return _as_reversed(entry, book) if act == "reverse" else entry


def _span(first: datetime | None, last: datetime | None) -> tuple[date, date] | None:
    if first is None and last is None:
        return None
    if first is None or last is None or last < first:
        raise BadQuestion("a supply is paid for from a day to a day not before it", key="--from, --to")
    return first.date(), last.date()


def _as_reversed(entry: Entry, book: Book) -> Entry:
    """A reversal speaks of the fund, the case and the amount it undoes."""
    undone = book.by_key.get(entry.reverses)
    if undone is None:
        stands = [one.key() for one in book.standing()]
        raise BadQuestion("no such entry to reverse", key="--reverses", found=entry.reverses, allowed=stands)
    return replace(entry, fund=undone.fund, case=undone.case, use=undone.use, amount=undone.amount)


@funds.command(name="list")
@click.option("--case", help="Only this case.")
@site_option
@as_json
def list_entries(case: str | None, site_dir: Path, as_json: bool) -> int:
    """Every entry in dated order, with the key that reverses it."""
    with site_store(site_dir) as (_, engine), reading(engine) as connection:
        book = read_book(connection)
    rows = [fund_told.row(one) for one in book.entries if case in (None, one.case)]
    columns = ["entry", "happened_at", "act", "fund", "use", "amount", "case", "document", "by"]
    emit(rows, lambda: text_table(rows, columns) if rows else "nothing is recorded", json_wanted=as_json)
    return 0


@funds.command()
@click.argument("case")
@site_option
@as_json
def reimbursable(case: str, site_dir: Path, as_json: bool) -> int:
    """What the operator of CASE may elect to be repaid by the owner, once the town found it was not the cause."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        data = fund_told.reimbursable_in(case, folder, connection, read_book(connection))
    columns = [name for name in data if name != "counsel"]
    emit(data, lambda: f"{text_table([data], columns)}\n\nfor counsel: {data['counsel']}", json_wanted=as_json)
    return 0


@funds.command()
@site_option
@as_json
def exposure(site_dir: Path, as_json: bool) -> int:
    """For the town alone: days duties were overdue, days conditions were observed, a day's cost once adjudicated."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        data = forfeiture(folder, connection, datetime.now(UTC))
    columns = ["what", "about", "days", "least_usd", "most_usd"]
    emit(
        data,
        lambda: f"{text_table(data['rows'], columns) if data['rows'] else 'nothing is counted'}\n\n{data['says']}",
        json_wanted=as_json,
    )
    return 0
