"""What if it stops today: dates beside every modelled number, against closed forms worked apart."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from math import erfc, pi, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import exp1

from models.aquifer.recovery_date import SINCE_STOP_D, falls_below_d, peak_of
from models.checks.base_flow import check as base_flow_check
from models.checks.water_level import check
from models.errors import BadQuestion
from models.finding import Finding, Transition, transitions
from models.question import Changed
from reports.finding_words import finding_block
from tests.record_in_memory import BASE_FLOW, BEGAN, CHICAGO, EVERYTHING, Record, ask, flows, rule, site, stream, well

QUANTITY, SHORTFALL = rule("howard.quantity.private"), rule("howard.baseflow")
FT3_PER_GALLON = 231 / 1728
T, S, LAMBDA = 5000.0, 0.15, 20.0
PUMPED_D, GALLONS_A_DAY = 150, 10_000_000
START = datetime(2025, 6, 1, 5, tzinfo=UTC)  # midnight in Chippewa County
STOP = date(2025, 10, 28)  # the day that ends at the last reading
RATE_FT3_D = GALLONS_A_DAY * FT3_PER_GALLON
AQUIFER: dict[str, Any] = {
    "transmissivity_ft2_per_d": {"low": 3000, "best": 5000, "high": 8000},
    "specific_yield": {"low": "0.10", "best": "0.15", "high": "0.20"},
    "streambed_conductance_ft_per_d": {"low": 5, "best": 20, "high": 60},
    "saturated_thickness_ft": 80,
    "source": "made up",
}
TIGHT = {"streambed_conductance_ft_per_d": {"low": "1e-12", "best": "1e-12", "high": "1e-12"}}
WELL: dict[str, Any] = {
    "property": "R-1", "depth_ft": 18, "pump_intake_ft": 17,
    "measuring_point": [{"since": date(2020, 1, 1), "elevation_ft": 1000, "height_above_land_ft": 1}],
}  # fmt: skip
FAR = 3640.0  # feet between the two wells


def record(days: int = PUMPED_D) -> Record:
    known = Record()
    for number, depth in enumerate(("10.00", "11.00", "10.50")):
        known.level("W", date(2025, 1 + number, 15), depth)
    for day in range(0, days + 1, 30):
        known.meter("M", START + timedelta(days=day), str(GALLONS_A_DAY * day))
    return known


def judged(known: Record, on: date = STOP + timedelta(days=3), aquifer: Any = None, **more: Any) -> Any:
    wells = [well("W", -1000, **WELL), well("PW", 2640, use="production")]
    parts = {"aquifer": {**AQUIFER, **(aquifer or {})}, "meter": [{"id": "M", "well": "PW"}], **more}
    return check(QUANTITY, ask(known, on, at=site(well=wells, **parts)))


def only(answer: Any) -> Finding:
    (found,) = answer.findings
    return found


def line(found: Finding, name: str) -> str:
    (said,) = [one.says for one in found.evidence if one.line == name]
    return said


def below(found: Finding, amount: str) -> dict[str, Any]:
    (one,) = [one for one in found.facts["if_pumping_stopped"]["below"] if one["amount"] == amount]
    return dict(one)


def jacob_ft(confined: float) -> float:
    """The root below b of s - s2/2b = s', b = 80 ft: what a well in a water table shows."""
    return 80 - sqrt(80**2 - 2 * 80 * confined)


def theis_residual_ft(since_d: float, t: float = T, s: float = S) -> float:
    quarter = FAR**2 * s / (4 * t)
    left = exp1(quarter / (PUMPED_D + since_d)) - exp1(quarter / since_d)
    return jacob_ft(float(RATE_FT3_D / (4 * pi * t) * left))


def theis_recovery_d(amount_ft: float, t: float = T, s: float = S) -> float:
    return float(brentq(lambda d: theis_residual_ft(d, t, s) - amount_ft, 300.0, 1e6))


def test_the_date_is_theis_s_where_no_stream_is_felt() -> None:
    """The stream's bed is tight: W(u) - W(u') falls to a tenth of its peak on the day worked here."""
    found = only(judged(record(), aquifer=TIGHT))
    looked_at = np.geomspace(1e-3, 300, 20_000)
    peak = max(theis_residual_ft(float(one)) for one in looked_at)
    days = theis_recovery_d(0.1 * peak)
    wanted = (START + timedelta(days=PUMPED_D + days)).astimezone(CHICAGO).date()
    told = date.fromisoformat(below(found, "10 % of its peak")["best"])
    assert abs((told - wanted).days) <= max(1, 0.002 * days)
    assert found.facts["if_pumping_stopped"]["peak"]["best"] == pytest.approx(peak, rel=6e-3)
    assert found.facts["if_pumping_stopped"]["on"] == STOP.isoformat()


def test_what_takes_more_than_a_hundred_years_is_told_as_such() -> None:
    """Without a stream 0.1 ft of so much pumping is left for some 1,300 years: Q t_p / (4 pi T 0.1 ft)."""
    found = only(judged(record(), aquifer=TIGHT))
    assert theis_recovery_d(0.1) > 36525 * 0.8
    one = below(found, "0.1 ft")
    assert one["high"] is None
    assert "more than a hundred years" in line(found, "if pumping stopped")


def test_beside_a_stream_the_level_recovers_sooner_than_without() -> None:
    beside, without = only(judged(record())), only(judged(record(), aquifer=TIGHT))
    days = [below(one, "10 % of its peak")["best"] for one in (beside, without)]
    assert days[0] < days[1]


def test_low_and_high_hold_the_best() -> None:
    for one in only(judged(record())).facts["if_pumping_stopped"]["below"]:
        assert one["low"] < one["best"] < (one["high"] or "9999")


def test_every_corner_is_measured_by_its_own_peak() -> None:
    """Without a stream each corner falls to a tenth of its own peak on its own day."""
    one = below(only(judged(record(), aquifer=TIGHT)), "10 % of its peak")
    days = []
    for t, s in ((3000, 0.10), (3000, 0.20), (8000, 0.10), (8000, 0.20)):
        peak = max(theis_residual_ft(float(d), t, s) for d in np.geomspace(1e-3, 300, 4000))
        days.append(theis_recovery_d(0.1 * peak, t, s))
    for told, wanted in ((one["low"], min(days)), (one["high"], max(days))):
        instant = (START + timedelta(days=PUMPED_D + wanted)).astimezone(CHICAGO).date()
        assert abs((date.fromisoformat(told) - instant).days) <= max(1, 0.003 * wanted)


def test_one_plain_sentence_with_the_range() -> None:
    found = only(judged(record()))
    said = line(found, "if pumping stopped")
    one = below(found, "0.1 ft")
    assert said.startswith(f"if pumping stopped on {STOP} the modelled drawdown would fall below 0.1 ft about ")
    assert f"about {one['best']} (range {one['low']} to {one['high']})" in said
    assert "10 % of its peak" in said


def test_it_is_printed_in_the_mail_s_block() -> None:
    found = only(judged(record()))
    block = finding_block(Transition("opened", found), ask(record(), STOP).law)
    assert "if pumping stopped" in [one["line"] for one in block["evidence"]]
    assert "the model assumes" in [one["line"] for one in block["evidence"]]


def test_theis_is_told_as_the_upper_bound_beside_a_stream() -> None:
    found = only(judged(record(), stream=[stream(x=3640)]))
    theis = jacob_ft(RATE_FT3_D / (4 * pi * T) * float(exp1(FAR**2 * S / (4 * T * PUMPED_D))))
    assert found.facts["upper_bound_ft"]["best"] == pytest.approx(theis, abs=0.051)
    assert found.facts["upper_bound_ft"]["best"] > found.facts["drawdown_ft"]["best"]
    assert f"{theis:.1f} ft" in line(found, "modelled drawdown")
    assert "upper bound" in line(found, "modelled drawdown")


def test_without_a_stream_theis_is_the_answer() -> None:
    found = only(judged(record(), stream=[], gauge=[]))
    theis = jacob_ft(RATE_FT3_D / (4 * pi * T) * float(exp1(FAR**2 * S / (4 * T * PUMPED_D))))
    assert found.facts["drawdown_ft"]["best"] == pytest.approx(theis, abs=0.051)
    assert "upper_bound_ft" not in found.facts
    assert found.facts["model"] == "Theis 1935"


def test_the_assumptions_are_printed_beside_the_number() -> None:
    found = only(judged(record()))
    for said in ("without end", "evenly", "no other wells", "straight", "made up"):
        assert said in line(found, "the model assumes")
    assert found.facts["assumptions"]


def test_a_model_attains_nothing_whatever_it_says_of_recovery() -> None:
    found = only(judged(record()))
    assert (found.verdict, found.opens) == ("needs_confirmation", None)


def test_a_later_night_without_a_reading_says_the_same() -> None:
    """The pumps stop where the meters were last read, not tonight: nothing moves with the calendar."""
    first, second = (judged(record(), STOP + timedelta(days=days)) for days in (3, 4))
    assert only(first).digest() == only(second).digest()
    assert transitions(first.findings, second.findings, second.scopes) == []


def test_a_new_reading_moves_the_dates_and_tells_nobody_again() -> None:
    before = judged(record())
    more = record()
    more.meter("M", START + timedelta(days=PUMPED_D + 1), str(GALLONS_A_DAY * (PUMPED_D + 1)))
    after = judged(more)
    assert only(before).facts["if_pumping_stopped"] != only(after).facts["if_pumping_stopped"]
    assert [one.change for one in transitions(before.findings, after.findings, after.scopes)] == ["continued"]


# A stream.


def shortfall(values: list[str], on: date, known: Record, changed: Changed = EVERYTHING) -> Any:
    wells = [well("PW", 5280 + 1000 - 500, use="production")]
    parts = {"well": wells, "aquifer": {**AQUIFER, **OPEN_BED}, "meter": [{"id": "M", "well": "PW"}]}
    known.flows["G-1"] = flows(BEGAN, values)
    return base_flow_check(SHORTFALL, ask(known, on, at=site(stream=[stream(base_flow=BASE_FLOW)], **parts)))


OPEN_BED = {
    "transmissivity_ft2_per_d": {"low": 5000, "best": 5000, "high": 5000},
    "specific_yield": {"low": "0.15", "best": "0.15", "high": "0.15"},
    "streambed_conductance_ft_per_d": {"low": "1e9", "best": "1e9", "high": "1e9"},
}


def glover(days: float) -> float:
    return erfc(float(np.sqrt(500.0**2 * S / (4 * T * days))))


def spell(answer: Any) -> Finding:
    (found,) = [one for one in answer.findings if not one.information]
    return found


def test_a_depletion_ends_when_glover_and_balmer_say() -> None:
    """The bed is open: q/Q = erfc(a), pumped thirty days."""
    known = Record()
    for day in (0, 30):
        known.meter("M", START + timedelta(days=day), str(500_000 * day))
    found = spell(shortfall(["4.00"] * 30, BEGAN + timedelta(days=29), known))
    cfs = 500_000 * FT3_PER_GALLON / 86400
    days = float(brentq(lambda d: cfs * (glover(30 + d) - glover(d)) - 0.01, 5.0, 1e5))
    wanted = (START + timedelta(days=30 + days)).astimezone(CHICAGO).date()
    told = date.fromisoformat(below(found, "0.01 cfs")["best"])
    assert abs((told - wanted).days) <= 1
    assert "the modelled depletion would fall below 0.01 cfs about" in line(found, "if pumping stopped")


def test_a_spell_that_is_over_keeps_its_dates() -> None:
    known = Record()
    for day in range(61):
        known.meter("M", START + timedelta(days=day), str(500_000 * day))
    values = ["4.00"] * 30 + ["6.00"] * 40
    first, second = (spell(shortfall(values[:n], BEGAN + timedelta(days=n - 1), known)) for n in (45, 70))
    assert first.facts["if_pumping_stopped"] == second.facts["if_pumping_stopped"]
    going = spell(shortfall(values[:30], BEGAN + timedelta(days=29), known))
    assert going.facts["if_pumping_stopped"]["on"] > first.facts["if_pumping_stopped"]["on"]


def test_a_reading_after_the_stop_counts_to_the_stop() -> None:
    """Over since 6 June; the meter is next read at noon of the 7th: twelve parts in thirteen were pumped by then."""
    known = Record()
    for day in (0.0, 6.5, 20.0):
        known.meter("M", START + timedelta(days=day), str(round(500_000 * min(day, 6.5))))
    found = spell(shortfall(["4.00"] * 6 + ["6.00"] * 20, BEGAN + timedelta(days=25), known))
    assert found.facts["if_pumping_stopped"]["on"] == "2025-06-06"
    cfs = 500_000 * FT3_PER_GALLON / 86400
    peak = max(glover(6 + d) - (glover(d) if d else 0) for d in np.concatenate([[0], np.geomspace(1e-3, 100, 4000)]))
    assert found.facts["if_pumping_stopped"]["peak"]["best"] == pytest.approx(cfs * peak, rel=6e-3)


# The search itself.


@given(st.floats(0.01, 1e3), st.floats(1.0, 3.0), st.floats(1e-6, 1.0))
def test_a_power_law_falls_below_when_it_must(since: float, power: float, share: float) -> None:
    """(1 + t / since)^-power falls to a share after since (share^(-1/power) - 1)."""
    wanted = since * (share ** (-1 / power) - 1)
    (found,) = falls_below_d(SINCE_STOP_D, [(1 + SINCE_STOP_D / since) ** -power], share)
    if wanted > SINCE_STOP_D[-1]:
        assert found == np.inf
    else:
        assert found == pytest.approx(wanted, rel=2e-3, abs=0.1)


def test_a_tenth_is_of_the_peak_of_all_times() -> None:
    """Ten million gallons a day for 120 days, then thousandths of it for 300: the peak lies before the stop."""
    known, pumped = Record(), 0
    for number, depth in enumerate(("10.00", "11.00", "10.50")):
        known.level("W", date(2025, 1 + number, 15), depth)
    for day in range(0, 421, 30):
        known.meter("M", START + timedelta(days=day), str(pumped))
        pumped += 30 * GALLONS_A_DAY // (1 if day < 120 else 1000)
    numbers = {"transmissivity_ft2_per_d": "5000", "specific_yield": "0.15"}
    exact = {name: {"low": one, "best": one, "high": one} for name, one in numbers.items()}
    found = only(judged(known, date(2026, 7, 30), aquifer={**TIGHT, **exact}))
    quarter = FAR**2 * S / (4 * T)

    def effect(day: float) -> float:
        rates = ((0, RATE_FT3_D), (120, -0.999 * RATE_FT3_D), (420, -0.001 * RATE_FT3_D))
        return jacob_ft(sum(q / (4 * pi * T) * float(exp1(quarter / (day - at))) for at, q in rates if day > at))

    peak = max(effect(float(day)) for day in np.linspace(1, 600, 6000))
    days = float(brentq(lambda day: effect(day) - 0.1 * peak, 420.0, 1e5)) - 420
    told = date.fromisoformat(below(found, "10 % of its peak")["best"])
    wanted = (START + timedelta(days=420 + days)).astimezone(CHICAGO).date()
    assert found.facts["if_pumping_stopped"]["peak"]["best"] == pytest.approx(peak, rel=6e-3)
    assert abs((told - wanted).days) <= max(1, 0.003 * days)


def test_a_mound_is_measured_by_its_size() -> None:
    assert peak_of([[0.5, -3.0, 1.0]]).tolist() == [-3.0]
    times = np.array([0.0, 1.0, 2.0])
    assert 1 < falls_below_d(times, [[-1.0, -0.5, -0.05]], 0.1)[0] < 2


def test_a_residual_that_grows_first_counts_to_its_last_crossing() -> None:
    times = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    (found,) = falls_below_d(times, [[0.05, 0.5, 0.05, 0.5, 0.05]], 0.1)
    assert 3 < found < 4


def test_nothing_left_is_recovered_at_once_and_what_never_falls_never_is() -> None:
    assert falls_below_d([0.0, 1.0], [[0.0, 0.0], [1.0, 1.0]], [0.1, 0.1]).tolist() == [0.0, np.inf]


@pytest.mark.parametrize(("residual", "amount", "key"), [([[1.0]], 0.1, "residual"), ([[1.0, 0.0]], 0.0, "amount")])
def test_what_does_not_fit_is_refused(residual: Any, amount: float, key: str) -> None:
    with pytest.raises(BadQuestion) as refusal:
        falls_below_d([0.0, 1.0], residual, amount)
    assert refusal.value.key == key
