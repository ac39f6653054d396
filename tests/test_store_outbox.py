"""One mail per key, no matter what is in its text and what happens while it is sent."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest
from sqlalchemy import Engine, select

from models.errors import BadQuestion
from pipelines.database import reading, transaction
from pipelines.ledger import verify
from pipelines.outbox import RETRY_AFTER_MS, Delivery, Message, compose, deliver, email_of, pending
from pipelines.schema import outbox

NOON = 1_717_243_200_000


def put(
    engine: Engine, key: str, subject: str = "Water low", text: str = "W-101\n", to: str = "clerk@town.example"
) -> bool:
    with transaction(engine) as connection:
        return compose(connection, key, to, subject, text, NOON)


def waiting(engine: Engine) -> list[Message]:
    with reading(engine) as connection:
        return pending(connection)


def test_one_mail_per_key(store: Engine) -> None:
    assert [put(store, key) for key in ("a", "b", "a", "a")] == [True, True, False, False]
    assert [one.key for one in waiting(store)] == ["a", "b"]
    assert len({one.message_id for one in waiting(store)}) == 2


def test_a_sent_mail_is_not_composed_or_sent_again(store: Engine) -> None:
    put(store, "a")
    sent: list[Message] = []
    assert deliver(store, sent.append, now=NOON) == Delivery(1)
    assert put(store, "a") is False
    assert deliver(store, sent.append, now=NOON) == Delivery(0)
    assert len(sent) == 1


def test_a_mail_that_does_not_go_stays_and_holds_up_no_other(store: Engine) -> None:
    for key in ("a", "b", "c"):
        put(store, key)

    def send(message: Message) -> None:
        if message.key == "b":
            raise OSError("connection\r\nrefused")

    assert deliver(store, send, now=NOON) == Delivery(2, (("b", "OSError: connection  refused"),))
    assert [one.key for one in waiting(store)] == ["b"]
    waits = "OSError: connection  refused (tried 1 times, next after 2024-06-01T12:05:00Z)"
    assert deliver(store, send, now=NOON + RETRY_AFTER_MS[0] - 1) == Delivery(0, (("b", waits),))
    deliver(store, send, now=NOON + RETRY_AFTER_MS[0])
    with reading(store) as connection:
        columns = outbox.c["key", "sent_at", "attempts", "error"]
        rows = connection.execute(select(*columns).order_by(outbox.c.id)).all()
        assert verify(connection, outbox) is None
    assert rows == [("a", NOON, 1, None), ("b", None, 2, "OSError: connection  refused"), ("c", NOON, 1, None)]


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\r", "\u2028", "\x85", "\x0b", "\x1c", "\0", "\u202e", "\udcff"])
def test_a_hostile_subject_adds_no_header(store: Engine, separator: str) -> None:
    put(store, "a", subject=f"Well{separator}Bcc: everyone@example.org", text=f"Hello{separator}there\n.\n")
    (message,) = waiting(store)
    mail = message_from_bytes(email_of(message, "night@town.example").as_bytes(), policy=default)
    assert mail["Bcc"] is None
    assert mail["Subject"] == "Well Bcc: everyone@example.org"
    assert mail["To"] == "clerk@town.example"


@pytest.mark.parametrize(
    "recipient",
    [
        "clerk@town.example\nBcc: x@y.org",
        "clerk@town.example, x@y.org",
        "clerk",
        "",
        "\u0441lerk@town.example",
        "a@b@c.org",
    ],
)
def test_a_recipient_that_is_not_one_plain_address_is_refused(store: Engine, recipient: str) -> None:
    with pytest.raises(BadQuestion):
        put(store, "a", to=recipient)
    assert waiting(store) == []


def test_the_mail_is_the_same_bytes_each_time_and_keeps_its_text(store: Engine) -> None:
    text = "Déversement à 2,5 µg/l\r\n" + "x" * 2000 + "\n.\nFrom here\n"
    put(store, "a", subject="Grundwasser \u2264 Grenzwert " + "lang " * 60, text=text)
    (message,) = waiting(store)
    raw = email_of(message, "Night <night@town.example>").as_bytes()
    assert raw == email_of(message, "Night <night@town.example>").as_bytes()
    mail = message_from_bytes(raw, policy=default)
    assert mail.get_content() == text.replace("\r\n", "\n")
    assert mail["Date"].datetime.isoformat() == "2024-06-01T12:00:00+00:00"
    assert mail["Message-ID"] == message.message_id
    assert message.message_id.endswith("@headwater.invalid>")
    assert max(len(line) for line in raw.splitlines()) <= 998
