"""The log tables show what was changed, removed or slipped in."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Engine, update
from sqlalchemy.exc import CompileError

from pipelines.database import reading, transaction
from pipelines.ledger import append, append_new, head, verify
from pipelines.schema import event, outbox


def note(engine: Engine, *keys: str) -> list[int]:
    with transaction(engine) as connection:
        return [append(connection, event, fact(key)) for key in keys]


def fact(key: str) -> dict[str, object]:
    body = json.dumps({"by": "town clerk", "note": "Öffnung\u2028", "key": key})
    return {
        "event_key": key,
        "case_id": "c1",
        "event": "complaint",
        "happened_at": 1,
        "recorded_at": 2,
        "known_at": 3,
        "body": body,
    }


def checked(engine: Engine) -> int | None:
    with reading(engine) as connection:
        return verify(connection, event)


def test_an_untouched_chain_holds_and_its_head_moves(store: Engine) -> None:
    heads = []
    for key in ("a", "b", "c"):
        note(store, key)
        with reading(store) as connection:
            heads.append(head(connection, event))
    assert checked(store) is None
    assert len(set(heads)) == 3


def test_an_empty_chain_holds(store: Engine) -> None:
    assert checked(store) is None


@pytest.mark.parametrize(
    "change", [{"body": "{}"}, {"happened_at": 9}, {"hash": "0" * 64}, {"prev_hash": ""}, {"event_key": "x"}]
)
def test_a_changed_row_is_found(store: Engine, change: dict[str, object]) -> None:
    ids = note(store, "a", "b", "c")
    with transaction(store) as connection:
        connection.execute(update(event).where(event.c.id == ids[1]).values(**change))
    assert checked(store) == ids[1]


def test_a_removed_row_is_found_at_its_successor(store: Engine) -> None:
    ids = note(store, "a", "b", "c")
    with transaction(store) as connection:
        connection.execute(event.delete().where(event.c.id == ids[1]))
    assert checked(store) == ids[2]


def test_a_copied_row_is_found(store: Engine) -> None:
    note(store, "a", "b")
    with transaction(store) as connection:
        connection.execute(event.insert(), {**fact("b2"), "id": 99, "prev_hash": "", "hash": "0" * 64})
    assert checked(store) == 99


def test_the_fate_of_a_row_is_outside_its_seal(store: Engine) -> None:
    mail = {
        "key": "k",
        "message_id": "<k@x>",
        "recipient": "clerk@town.example",
        "subject": "s",
        "body_text": "t",
        "composed_at": 1,
    }
    with transaction(store) as connection:
        append(connection, outbox, mail)
        connection.execute(update(outbox).values(sent_at=5, attempts=2, error="late"))
        assert verify(connection, outbox) is None


def test_a_known_key_is_not_appended_again(store: Engine) -> None:
    with transaction(store) as connection:
        assert append_new(connection, event, fact("a"), ["event_key"]) is not None
        assert append_new(connection, event, {**fact("a"), "body": "{}"}, ["event_key"]) is None


def test_a_misspelt_column_is_refused(store: Engine) -> None:
    with pytest.raises(CompileError), transaction(store) as connection:
        append(connection, event, {**fact("a"), "happend_at": 1})
