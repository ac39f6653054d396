"""Nothing of a household in a log, a digest or the store: not by a fault of its file, not by the name of a delivery."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines import cli
from tests.test_household_file import FAULTY, SECRET
from tests.town import Town

NAME = "Example Owner One 715-555-0101.rdb"
NIGHT = ("nightly", "--as-of", "2025-07-07", "--no-fetch")
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    return Town(tmp_path / "site")


@pytest.fixture
def run(town: Town, capfd: pytest.CaptureFixture[str]) -> Run:
    def headwater(*arguments: str) -> tuple[int, str]:
        code = cli.run([*arguments, "--site", str(town.folder)])
        out, err = capfd.readouterr()
        return code, out + err

    return headwater


@pytest.mark.parametrize("text", [text for text, _ in FAULTY])
def test_no_command_repeats_what_stands_in_a_faulty_file(run: Run, town: Town, text: str) -> None:
    (town.folder / "households.toml").write_text(text, encoding="utf-8")
    for arguments in (("check",), NIGHT, ("doctor",), ("households", "list")):
        code, said = run(*arguments)
        assert code in {1, 2, 4}
        assert not [one for one in SECRET if one in said], said


def kept(folder: Path) -> bytes:
    """Everything in the site but the private file and what was delivered."""
    files = [one for one in folder.rglob("*") if one.is_file() and one.name != "households.toml"]
    return b"\n".join(str(one).encode() + one.read_bytes() for one in sorted(files))


def test_a_delivery_s_name_reaches_no_log_no_digest_and_no_store(run: Run, town: Town) -> None:
    town.daily("plain.rdb", "2025-06-30", ["6.00", "x", "6.00"])
    (town.folder / "inbox" / "plain.rdb").rename(town.folder / "inbox" / NAME)
    (town.folder / "inbox" / "Occupant One, Example").mkdir()
    dry = run(*NIGHT, "--dry-run")[1]
    assert (town.folder / "inbox" / NAME).is_file()
    code, said = run(*NIGHT)
    assert code == 3
    assert "renamed, its name held a household's name" in said
    later = run("nightly", "--json", "--as-of", "2025-07-08", "--no-fetch")[1]
    told = "\n".join([dry, said, later, run("rejects")[1]]).encode()
    for text in (told, kept(town.folder)):
        assert not [one for one in (b"Owner One", b"Occupant One", b"0101") if one in text]
    assert b"withheld-" in kept(town.folder)


def test_a_file_of_such_a_name_is_not_ingested(run: Run, town: Town) -> None:
    town.daily("plain.rdb", "2025-06-30", ["6.00", "5.50"])
    path = (town.folder / "inbox" / "plain.rdb").rename(town.folder / NAME)
    code, said = run("ingest", str(path))
    assert (code, "rename it" in said, "Owner One" in said) == (2, True, False)
