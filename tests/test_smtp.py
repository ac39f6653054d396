"""A mail server that refuses, greylists, drops, hangs or accepts twice: nothing lost, at most the same mail again."""

from __future__ import annotations

import base64
import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, select

from models.errors import EnvironmentFailed
from pipelines import cli, schema
from pipelines.database import open_store, reading, transaction
from pipelines.ledger import verify
from pipelines.maildir import Maildir
from pipelines.outbox import ATTEMPTS, RETRY_AFTER_MS, Delivery, compose, dead_letters, deliver, pending
from pipelines.smtp import Smtp, sender
from pipelines.smtp_settings import Settings, settings
from sample_data import demo
from tests.smtp_servers import OK, PASSWORD, USER, Authority, Town, broken, free_port, serving, starttls, up_to_data

NOON = 1_717_243_200_000
FROM = "Headwater <night@town.example>"
MINUTE_MS = 60_000


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture
def mails(tmp_path: Path) -> Iterator[Engine]:
    """A store with three mails to send."""
    engine = open_store(f"sqlite:///{tmp_path / 'headwater.db'}")
    for key in ("a", "b", "c"):
        put(engine, key)
    yield engine
    engine.dispose()


def put(engine: Engine, key: str, to: str = "clerk@town.example", about: tuple[str, ...] = ()) -> None:
    with transaction(engine) as connection:
        compose(connection, key, to, f"Water {key}", ".\nTräge\n.\n", NOON, html="<p>Water</p>\n", about=about)


def env(port: int, **more: str) -> dict[str, str]:
    """A server on loopback without TLS, or with what is given."""
    given = {"HOST": "127.0.0.1", "PORT": str(port), "SECURITY": "none", "FROM": FROM} | more
    return {f"HEADWATER_SMTP_{name}": value for name, value in given.items()}


def secured(port: int, authority: Authority, **more: str) -> dict[str, str]:
    return env(
        port, **{"SECURITY": "starttls", "USER": USER, "PASSWORD": PASSWORD, "CA_FILE": str(authority.file)} | more
    )


def run(engine: Engine, where: dict[str, str], now: int = NOON, limit: float = 20.0) -> Delivery:
    with Smtp(where, time_limit_s=limit) as smtp:
        return deliver(engine, smtp, now=now)


def waiting(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return [one.key for one in pending(connection)]


def dead(engine: Engine) -> list[str]:
    with reading(engine) as connection:
        return [one.key for one in dead_letters(connection)]


def errors(engine: Engine) -> list[str | None]:
    with reading(engine) as connection:
        assert verify(connection, schema.outbox) is None
        return list(connection.execute(select(schema.outbox.c.error).order_by(schema.outbox.c.id)).scalars())


# A server that works -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_all_mails_go_over_one_encrypted_connection(mails: Engine, authority: Authority, security: str) -> None:
    town, context = Town(), authority.server("127.0.0.1")
    options = starttls(town, context) if security == "starttls" else {"ssl_context": context}
    login = {} if security == "starttls" else {"USER": "", "PASSWORD": ""}
    with serving(town, **options) as port:
        assert run(mails, secured(port, authority, SECURITY=security, **login)) == Delivery(3)
    assert town.connections == 1
    assert all(town.encrypted)
    assert town.logins == ([True] if security == "starttls" else [])
    assert [str(one["Subject"]) for one in town.accepted] == ["Water a", "Water b", "Water c"]
    assert waiting(mails) == []


def test_a_mail_arrives_as_it_is_in_the_maildir(mails: Engine, tmp_path: Path) -> None:
    town = Town()
    with reading(mails) as connection:
        message = pending(connection)[0]
    with serving(town) as port:
        run(mails, env(port))
    Maildir(tmp_path / "box", FROM)(message)
    (file,) = (tmp_path / "box" / "new").iterdir()
    received, kept = town.accepted[0], file.read_bytes()
    sent = received.as_bytes().replace(b"\r\n", b"\n")
    assert sent.partition(b"\n\n")[2].strip() == kept.partition(b"\n\n")[2].strip()
    assert received.get_body(("plain",)).get_content().replace("\r", "") == ".\nTräge\n.\n"
    assert received.get_body(("html",)).get_content().replace("\r", "") == "<p>Water</p>\n"
    assert {name: received[name] for name in ("From", "To", "Message-ID", "Auto-Submitted")} == {
        "From": FROM, "To": "clerk@town.example", "Message-ID": message.message_id,
        "Auto-Submitted": "auto-generated",
    }  # fmt: skip


def test_a_connection_the_server_closed_between_two_mails_is_made_anew(mails: Engine) -> None:
    town = Town()
    with serving(town) as port, Smtp(env(port), time_limit_s=20) as smtp:
        assert deliver(mails, smtp, now=NOON) == Delivery(3)
        put(mails, "d")
        with suppress(OSError):
            smtp._connection.sock.shutdown(socket.SHUT_RDWR)
        assert deliver(mails, smtp, now=NOON) == Delivery(1)
    assert town.connections == 2
    assert len(town.accepted) == 4


# A server that does not ----------------------------------------------------------------------------------------------


def test_greylisted_mails_go_after_the_wait_and_once(mails: Engine) -> None:
    town = Town(answer=lambda mail, before: OK if before else "451 4.7.1 Greylisted, come back in five minutes")
    with serving(town) as port:
        first = run(mails, env(port))
        assert (first.sent, len(first.failed), first.dead) == (0, 3, ())
        assert "451 4.7.1 Greylisted" in first.failed[0][1]
        early = run(mails, env(port), NOON + 5 * MINUTE_MS - 1)
        assert (early.sent, len(town.offered)) == (0, 3)
        assert "next after 2024-06-01T12:05:00Z" in early.failed[0][1]
        assert run(mails, env(port), NOON + 5 * MINUTE_MS) == Delivery(3)
    assert sorted(town.ids()) == sorted(set(town.ids()))
    assert errors(mails) == [None] * 3


def test_a_refused_mail_is_given_up_at_once_and_the_others_go(mails: Engine) -> None:
    town = Town(answer=lambda mail, before: "554 5.7.1 No water here" if mail["Subject"] == "Water b" else OK)
    with serving(town) as port:
        done = run(mails, env(port))
        assert (done.sent, done.failed) == (2, ())
        assert done.dead == (("b", "the server refuses this mail: 554 5.7.1 No water here"),)
        assert run(mails, env(port), NOON + RETRY_AFTER_MS[-1]) == Delivery(0)
    assert (waiting(mails), dead(mails)) == ([], ["b"])
    assert errors(mails)[1] == "the server refuses this mail: 554 5.7.1 No water here"


def test_a_recipient_that_is_refused_keeps_no_other_back(mails: Engine) -> None:
    put(mails, "d", to="nobody@town.example")
    town = Town(recipient=lambda address: "550 5.1.1 No such user" if address.startswith("nobody") else OK)
    with serving(town) as port:
        done = run(mails, env(port))
    assert (done.sent, [key for key, _ in done.dead]) == (3, ["d"])


def test_a_mail_put_off_again_and_again_is_given_up_after_the_limit(mails: Engine) -> None:
    town, now, tried = Town(answer=lambda mail, before: "450 4.2.0 Not now"), NOON, 0
    with serving(town) as port:
        while waiting(mails):
            last = run(mails, env(port), now)
            tried += 1
            now += RETRY_AFTER_MS[-1]
    assert tried == ATTEMPTS
    assert [key for key, _ in last.dead] == ["a", "b", "c"]
    assert len(town.offered) == 3 * ATTEMPTS


def test_the_waits_grow_and_then_go_with_the_nights(mails: Engine) -> None:
    town, now, waits = Town(answer=lambda mail, before: "450 4.2.0 Not now"), NOON, []
    with serving(town) as port:
        while waiting(mails):
            run(mails, env(port), now)
            with reading(mails) as connection:
                due = [one.next_attempt_at for one in pending(connection)]
            if due:
                waits.append((due[0] - now) // MINUTE_MS)
                now = due[0]
    assert waits == [5, 30, 120, 480, 1200, 1200, 1200]


def test_a_drop_after_the_mail_was_taken_brings_the_same_mail_again(mails: Engine) -> None:
    """The server has it and nobody heard: at most a repeat, with the same Message-ID."""
    town = Town(answer=lambda mail, before: "" if mail["Subject"] == "Water b" and not before else OK)
    with serving(town) as port:
        first = run(mails, env(port))
        assert (first.sent, [key for key, _ in first.failed]) == (2, ["b"])
        assert "broken off, and whether it arrived is unknown" in first.failed[0][1]
        assert run(mails, env(port), NOON + 5 * MINUTE_MS) == Delivery(1)
    ids = town.ids()
    assert (len(ids), len(set(ids))) == (4, 3)
    repeated = [one for one in town.accepted if one["Subject"] == "Water b"]
    assert len({one.as_bytes() for one in repeated}) == 1


def test_a_drop_in_the_middle_of_the_mail_loses_nothing(mails: Engine) -> None:
    def half(connection: socket.socket) -> None:
        with up_to_data(connection) as reader:
            reader.readline()

    with broken(half) as (port, made):
        done = run(mails, env(port))
    assert (done.sent, len(done.failed), done.dead) == (0, 3, ())
    assert len(made) >= 3
    town = Town()
    with serving(town) as port:
        assert run(mails, env(port), NOON + 5 * MINUTE_MS) == Delivery(3)
    assert len(set(town.ids())) == len(town.ids()) == 3


@pytest.mark.parametrize("way", ["silent", "drip"])
def test_a_server_that_hangs_in_the_middle_of_a_mail_is_left_after_the_time_limit(mails: Engine, way: str) -> None:
    def hang(connection: socket.socket) -> None:
        with up_to_data(connection) as reader:
            until = time.monotonic() + 10
            for _ in iter(reader.readline, b".\r\n"):
                pass
            while time.monotonic() < until:
                if way == "drip":
                    connection.sendall(b"2")
                elif not connection.recv(100):
                    return
                time.sleep(0.1)

    started = time.monotonic()
    with broken(hang) as (port, _):
        done = run(mails, env(port), limit=0.5)
        assert time.monotonic() - started < 8
    assert (done.sent, len(done.failed)) == (0, 3)
    assert "within 0.5 s" in done.failed[0][1]
    assert waiting(mails) == ["a", "b", "c"]


def test_a_server_that_never_greets_costs_one_time_limit_and_no_attempt(mails: Engine) -> None:
    def mute(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.recv(100)

    started = time.monotonic()
    with broken(mute) as (port, made):
        done = run(mails, env(port), limit=0.5)
    assert time.monotonic() - started < 5
    assert (done.sent, len(done.failed), len(made)) == (0, 3, 1)
    with reading(mails) as connection:
        assert [(one.attempts, one.next_attempt_at) for one in pending(connection)] == [(0, None)] * 3


def test_no_server_for_weeks_gives_no_mail_up(mails: Engine) -> None:
    where = env(free_port())
    for night in range(3 * ATTEMPTS):
        done = run(mails, where, NOON + night * 24 * 60 * MINUTE_MS)
    assert (done.sent, len(done.failed), done.dead) == (0, 3, ())
    assert "ConnectionRefusedError" in done.failed[0][1]
    town = Town()
    with serving(town) as port:
        assert run(mails, env(port)) == Delivery(3)


def test_a_correction_never_overtakes_what_it_corrects(mails: Engine) -> None:
    run_maildir(mails)
    put(mails, "alert", about=("finding",))
    greylisted = Town(answer=lambda mail, before: OK if before or mail["Subject"] != "Water alert" else "451 later")
    with serving(greylisted) as port:
        assert run(mails, env(port)).sent == 0
        put(mails, "correction", about=("finding",))
        put(mails, "other")
        put(mails, "for the board", to="board@town.example", about=("finding",))
        done = run(mails, env(port), NOON + MINUTE_MS)
        assert (done.sent, [key for key, _ in done.failed]) == (2, ["alert", "correction"])
        assert run(mails, env(port), NOON + 5 * MINUTE_MS).sent == 2
    assert [str(one["Subject"]) for one in greylisted.accepted] == [
        "Water other", "Water for the board", "Water alert", "Water correction",
    ]  # fmt: skip


def run_maildir(engine: Engine) -> None:
    deliver(engine, lambda message: None, now=NOON)


# Trust and secrets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("fault", ["another authority", "another name", "system authorities"])
def test_a_certificate_that_is_not_trusted_gets_no_mail_and_no_password(
    mails: Engine, authority: Authority, tmp_path: Path, security: str, fault: str
) -> None:
    town = Town()
    context = authority.server("mail.other.example" if fault == "another name" else "127.0.0.1")
    options = starttls(town, context) if security == "starttls" else {"ssl_context": context}
    trusted = Authority(tmp_path, "Other") if fault == "another authority" else authority
    more = {"CA_FILE": ""} if fault == "system authorities" else {}
    with serving(town, **options) as port:
        done = run(mails, secured(port, trusted, SECURITY=security, **more))
    assert (done.sent, len(done.failed), done.dead) == (0, 3, ())
    assert "certificate verify failed" in done.failed[0][1].lower()
    assert (town.offered, town.logins) == ([], [])
    assert waiting(mails) == ["a", "b", "c"]
    assert "certificate verify failed" in str(errors(mails)[0]).lower()


def test_a_server_without_starttls_gets_no_mail_in_the_clear(mails: Engine, authority: Authority) -> None:
    town = Town()
    with serving(town) as port:
        done = run(mails, secured(port, authority))
    assert (done.sent, town.offered) == (0, [])
    assert "STARTTLS" in done.failed[0][1]


def test_a_refused_login_is_said_without_the_password(mails: Engine, authority: Authority) -> None:
    town = Town()
    with serving(town, **starttls(town, authority.server("127.0.0.1"))) as port:
        done = run(mails, secured(port, authority, PASSWORD="wrong-secret"))
    assert done.failed[0][1].endswith("the login was refused (535)")
    assert town.offered == []
    _nothing_secret(mails, "wrong-secret")


@pytest.mark.parametrize("code", ["451", "554"])
def test_a_server_that_repeats_the_password_does_not_bring_it_into_the_store(
    mails: Engine, authority: Authority, code: str
) -> None:
    coded = base64.b64encode(f"\0{USER}\0{PASSWORD}".encode()).decode()
    town = Town(answer=lambda mail, before: f"{code} you said {PASSWORD} and {coded} and {USER}")
    with serving(town, **starttls(town, authority.server("127.0.0.1"))) as port:
        run(mails, secured(port, authority))
    assert "you said *** and *** and ***" in str(errors(mails)[0])
    _nothing_secret(mails, PASSWORD, coded)


def _nothing_secret(engine: Engine, *secrets: str) -> None:
    with reading(engine) as connection:
        rows = "\n".join(map(str, connection.execute(select(schema.outbox))))
    assert [one for one in secrets if one in rows] == []


def test_a_login_that_is_wanted_and_not_configured_costs_no_mail(mails: Engine) -> None:
    town = Town(recipient=lambda address: "530 5.7.0 Authentication required")
    with serving(town) as port:
        done = run(mails, env(port))
    assert (done.sent, len(done.failed), done.dead) == (0, 3, ())


# The environment -----------------------------------------------------------------------------------------------------


def test_defaults(authority: Authority) -> None:
    found = settings({"HEADWATER_SMTP_HOST": "mail.town.example", "HEADWATER_SMTP_FROM": FROM})
    assert found == Settings("mail.town.example", 587, "starttls", FROM)
    tls = {"HEADWATER_SMTP_HOST": "h.example", "HEADWATER_SMTP_FROM": "a@b.example", "HEADWATER_SMTP_SECURITY": "tls"}
    assert settings(tls).port == 465
    assert settings({}) is None
    assert settings({"HEADWATER_SMTP_HOST": ""}) is None
    assert "sesame" not in repr(settings(secured(25, authority)))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SECURITY", "none"), ("SECURITY", "ssl"), ("PORT", "0"), ("PORT", "65536"), ("PORT", "smtp"), ("FROM", ""),
        ("FROM", "a@b.example, c@d.example"), ("FROM", "a@b.example\nBcc: c@d.example"), ("USER", "only"),
        ("PASSWORD", "only-one"),
    ],
)  # fmt: skip
def test_a_fault_of_the_environment_names_the_variable_and_keeps_the_mails(
    mails: Engine, variable: str, value: str
) -> None:
    where = env(25, HOST="mail.town.example", SECURITY="starttls") | {f"HEADWATER_SMTP_{variable}": value}
    with pytest.raises(EnvironmentFailed, match=f"HEADWATER_SMTP_{variable}") as caught:
        settings(where)
    assert variable != "PASSWORD" or value not in str(caught.value)
    done = run(mails, where)
    assert (done.sent, len(done.failed), done.dead) == (0, 3, ())
    assert f"HEADWATER_SMTP_{variable}" in done.failed[0][1]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.8.8", "::1"])
def test_a_server_on_this_machine_may_go_without_tls(host: str) -> None:
    assert settings(env(25, HOST=host)).security == "none"


def test_an_authority_file_that_is_missing_is_said(mails: Engine, tmp_path: Path) -> None:
    with serving(Town()) as port:
        done = run(mails, env(port, SECURITY="tls", CA_FILE=str(tmp_path / "none.pem")))
    assert (done.sent, len(done.failed)) == (0, 3)
    assert "FileNotFoundError" in done.failed[0][1]


def test_without_a_host_mails_go_to_the_maildir(tmp_path: Path) -> None:
    with sender({}, tmp_path / "outbox") as send:
        assert isinstance(send, Maildir)
    with sender(env(25), tmp_path / "outbox") as send:
        assert isinstance(send, Smtp)


# The whole night ------------------------------------------------------------------------------------------------------


def test_the_night_itself_keeps_its_mails_from_a_server_it_cannot_trust_and_sends_them_later(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    site, town = tmp_path / "site", Town()
    demo.fresh_site(site)
    demo.deliver(site, [demo.SAMPLE / "nights/2025-07-15/usgs-05999101-dv-2025-07-15.rdb"])
    night = ["nightly", "--as-of", "2025-07-15", "--site", str(site), "--json"]

    def told(port: int, trusted: Authority) -> tuple[int, dict[str, Any], str]:
        for name, value in secured(port, trusted).items():
            monkeypatch.setenv(name, value)
        code = cli.run(night)
        out = capfd.readouterr()
        return code, json.loads(out.out), out.out + out.err

    with serving(town, **starttls(town, authority.server("127.0.0.1"))) as port:
        code, first, said = told(port, Authority(tmp_path, "Other"))
        assert (code, first["sent"], town.accepted) == (3, 0, [])
        assert len(first["not_sent"]) == len(first["mails"]) + first["digests"] > 1
        assert "certificate verify failed" in first["not_sent"][0]
        code, second, more = told(port, authority)
    assert (code, second["sent"], second["not_sent"], second["mails"]) == (0, len(first["not_sent"]), [], [])
    assert len(set(town.ids())) == len(town.ids()) == second["sent"]
    assert PASSWORD not in said + more
    assert not (site / "outbox").exists()
