"""Holding times: elapsed time by hand, what a day alone leaves open, and a laboratory's own remarks."""

from __future__ import annotations

import csv
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats import read
from models import holding_time as subject
from models.holding_time import Held, held, holding_time, holding_times, span_of
from models.observation import DAY_MS, Flags
from models.parameters import parameters
from pipelines import cli
from sample_data import demo

SWIMS = Path(__file__).parents[2] / "shared" / "samples" / "lab-edd" / "wdnr-swims-csls.csv"
ON = date(2024, 5, 1)


def ms(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def kept(parameter: str, sampled: str, analysed: str, clock: str = "naive") -> Held | None:
    return held(parameter, clock, ms(sampled), Flags(facts={"analysed": analysed}))


def test_the_table_names_known_parameters_once_and_says_how_far_it_was_verified() -> None:
    names = [name for one in holding_times() for name in one.parameters]
    assert len(names) == len(set(names))
    assert set(names) <= parameters().keys()
    assert {one.verification for one in holding_times()} == {"memory", "single"}
    assert all(("from memory, verify" in one.source()) == (one.verification == "memory") for one in holding_times())


@pytest.mark.parametrize(
    ("parameter", "hours"),
    [("nitrate_nitrite_as_n", 672), ("nitrate_as_n", 48), ("alkalinity_as_caco3", 336), ("mercury", 672),
     ("benzene", 336), ("dissolved_solids", 168)],
)  # fmt: skip
def test_hours_of_the_rule(parameter: str, hours: int) -> None:
    found = holding_time(parameter, ON)
    assert found is not None
    assert found.hours == hours


def test_hours_by_hand() -> None:
    """17 October 09:05 to 15 November 11:12 is 29 days, 2 hours and 7 minutes."""
    found = kept("nitrate_nitrite_as_n", "2018-10-17T09:05", "2018-11-15T11:12:00")
    assert found is not None
    assert found.shortest == found.longest == Decimal(29 * 24 + 2) + Decimal(7) / 60
    assert found.standing == "exceeded"
    assert "analysed 29.09 d after sampling; holding time of nitrate + nitrite: 28 days" in found.says()


@pytest.mark.parametrize(
    ("analysed", "standing"),
    [
        ("2024-05-29T10:00:00", "kept"),  # 28 days to the minute
        ("2024-05-29T10:01:00", "exceeded"),
        ("2024-05-29", "unknown"),  # any hour of the 28th day
        ("2024-05-28", "kept"),
        ("2024-05-30", "exceeded"),
    ],
)
def test_a_time_on_its_limit_is_kept_and_a_day_leaves_its_hours_open(analysed: str, standing: str) -> None:
    found = kept("sulfate", "2024-05-01T10:00", analysed)
    assert found is not None
    assert found.standing == standing


def test_a_day_of_sampling_is_any_hour_of_it() -> None:
    told = {day: kept("nitrate_as_n", "2024-05-01", f"2024-05-{day}T12:00:00", "day") for day in ("02", "03", "04")}
    assert {day: one and one.standing for day, one in told.items()} == {"02": "kept", "03": "unknown", "04": "exceeded"}


def test_an_instant_in_utc_is_any_hour_that_a_zone_makes_of_it() -> None:
    """18:00 UTC lies between 06:00 of that day and 08:00 of the next on some clock."""
    near = kept("nitrate_as_n", "2024-05-01T18:00", "2024-05-03T18:00:00", "utc")
    far = kept("nitrate_as_n", "2024-05-01T18:00", "2024-05-04T09:00:00", "utc")
    assert near is not None
    assert far is not None
    assert (near.standing, far.standing) == ("unknown", "exceeded")


@pytest.mark.parametrize(("days", "standing"), [(7, "kept"), (8, "unknown"), (47, "unknown"), (48, "exceeded")])
def test_without_a_date_of_extraction_only_the_ends_are_sure(days: int, standing: str) -> None:
    """Seven days to extraction and forty after it."""
    analysed = datetime.fromtimestamp(ms("2024-05-01T10:00") / 1000 + days * 86_400, UTC)
    found = kept("atrazine", "2024-05-01T10:00", analysed.strftime("%Y-%m-%dT%H:%M:%S"))
    assert found is not None
    assert found.standing == standing


@pytest.mark.parametrize(
    ("parameter", "analysed", "clock"),
    [
        ("sulfate", "", "day"),
        ("sulfate", "soon", "day"),
        ("odor", "2024-05-02", "day"),
        ("sulfate", "2024-05-02", "month"),
    ],
)
def test_what_says_nothing_of_a_time(parameter: str, analysed: str, clock: str) -> None:
    assert kept(parameter, "2024-05-01", analysed, clock) is None


def test_a_row_is_law_from_its_first_day_to_its_last(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = (
        subject.HoldingTime("x", ("sulfate",), Decimal(hours), None, "", "", since, until, "", "read", "")
        for hours, since, until in ((1, None, ON), (2, ON, None))
    )
    monkeypatch.setattr(subject, "holding_times", lambda: (old, new))
    uncached: Any = subject._times_of
    monkeypatch.setattr(subject, "_times_of", uncached.__wrapped__)
    found = [holding_time("sulfate", day) for day in (date(2024, 4, 30), ON)]
    assert [one and one.hours for one in found] == [1, 2]
    assert holding_time("chloride", ON) is None


@given(st.integers(0, 60 * 24 * 60), st.integers(0, 86_399_999))
def test_what_a_day_leaves_open_holds_every_hour_of_it(minutes: int, within: int) -> None:
    """A result dated by its day is never surer than the same result with its hour, and never says the opposite."""
    day = ms("2024-05-01")
    analysed = datetime.fromtimestamp((day + within) / 1000 + minutes * 60, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")
    flags = Flags(facts={"analysed": analysed})
    sure, open_ = (held("chloride", clock, at, flags) for clock, at in (("naive", day + within), ("day", day)))
    assert sure is not None
    assert open_ is not None
    assert open_.shortest <= sure.shortest <= sure.longest <= open_.longest
    assert open_.standing in {"unknown", sure.standing}
    assert DAY_MS == 86_400_000


@pytest.mark.skipif(not SWIMS.is_file(), reason="../shared is absent")
def test_the_remarks_of_a_real_laboratory() -> None:
    """Of the parameters that keep 28 days the laboratory itself remarks exactly those that we find late."""
    late = set()
    for row in read(SWIMS).observations.to_dict("records"):
        found = held(row["parameter"], row["clock"], row["time_ms"], Flags.parse(row["flags"]))
        if found is not None and found.time.hours == 28 * 24 and found.standing == "exceeded":
            late.add(row["row"])
    known = {row["row"]: row["parameter"] for row in read(SWIMS).observations.to_dict("records")}
    with SWIMS.open(encoding="ascii", newline="") as file:
        remarked = {
            number
            for number, row in enumerate(csv.DictReader(file), start=2)
            if "28 days holding" in row["Lab Comments"] and number in known and not known[number].startswith("storet:")
        }
    assert late == remarked
    assert len(late) > 10


# Told beside the result ----------------------------------------------------------------------------------------------

HEAD = "sample,location,sample date,analyte,result,units,lod,loq,analysis date\n"


def test_a_late_analysis_is_judged_and_told_beside(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nitrate keeps 48 hours: analysed on the third day after it was late whatever the hour."""
    path = tmp_path / "edd.csv"
    late, kept_one = (
        "S-1,MW-1,2024-05-14,Nitrate (as N),12,mg/L,0.1,0.3,2024-05-17\n",
        "S-2,MW-1,2024-05-14,Chloride,9,mg/L,1,3,2024-05-17\n",
    )
    path.write_text(HEAD + late + kept_one, encoding="utf-8")
    assert cli.run(["quality", str(path), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    (told,) = answer["late_analyses"]
    assert (told["sample"], told["parameter"], told["hours"]) == (
        "S-1",
        "nitrate_as_n",
        pytest.approx([48, 96], abs=1e-3),
    )
    assert {one["nr140_status"] for one in answer["verdicts"] if one["sample"] == "S-1" and one["kind"] == "ES"} == {
        "attained"
    }
    assert cli.run(["quality", str(path)]) == 0
    assert "Analysed late, or perhaps late, judged all the same" in capfd.readouterr().out


def test_a_stored_late_analysis_is_told_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    site, path = tmp_path / "site", tmp_path / "edd.csv"
    demo.fresh_site(site)
    path.write_text(HEAD + "S-1,MW-2,2023-05-14,Nitrate (as N),1.2,mg/L,0.1,0.3,2023-05-19\n", encoding="utf-8")
    assert cli.run(["ingest", str(path), "--site", str(site)]) == 0
    capfd.readouterr()
    assert cli.run(["quality", "MW-2", "--site", str(site), "--json"]) == 0
    (told,) = json.loads(capfd.readouterr().out)["late_analyses"]
    assert (told["sampled"], told["analysed"], told["sample"]) == ("2023-05-14", "2023-05-19", "S-1")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-06-10", "2024-06-10T00:00", "2024-06-10T23:59:59.999"),
        ("20240610", "2024-06-10T00:00", "2024-06-10T23:59:59.999"),
        ("2024-06-10T00:00:00", "2024-06-10T00:00", "2024-06-10T23:59:59.999"),
        ("2024-06-10 09:30", "2024-06-10T09:30", "2024-06-10T09:30"),
        ("20240610T093000", "2024-06-10T09:30", "2024-06-10T09:30"),
        ("2024-06-10T12:00:00Z", "2024-06-10T00:00", "2024-06-11T02:00"),
    ],
)
def test_what_a_date_leaves_open(text: str, first: str, last: str) -> None:
    """A day is any hour of it, and so is the midnight a spreadsheet adds; noon in UTC is UTC-12 to UTC+14."""
    assert span_of(text) == (ms(first), ms(last))


@pytest.mark.parametrize("text", ["2024-W23-1", "2024W231", "2024-162", "06/10/2024", "2024-06-10T10", "20241301", ""])
def test_what_is_no_date(text: str) -> None:
    assert span_of(text) is None


@pytest.mark.parametrize(
    ("parameter", "hours"),
    [("pentachlorophenol", 47 * 24), ("1_4_dioxane", 56 * 24), ("naphthalene", 47 * 24), ("picloram", 47 * 24),
     ("polychlorinated_biphenyls", (365 + 40) * 24), ("tertiary_butyl_alcohol", 14 * 24)],
)  # fmt: skip
def test_hours_of_organic_substances(parameter: str, hours: int) -> None:
    """To extraction and after it."""
    found = holding_time(parameter, ON)
    assert found is not None
    assert found.hours == hours


def test_bacteria_say_of_which_water_the_hours_are() -> None:
    found = kept("e_coli", "2024-05-01T10:00", "2024-05-02T17:00:00")
    assert found is not None
    assert found.standing == "exceeded"
    assert "30 hours as drinking water (40 CFR 141), 8 hours as any other water (40 CFR 136)" in found.says()
