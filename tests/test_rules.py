"""The law files: what a reader of a broken one is told, and that the whole ones say what the law says."""

import csv
import re
from collections import Counter
from datetime import date
from decimal import Decimal
from importlib.resources import files
from pathlib import Path

import pytest

from models.errors import BadLaw, BadSite
from models.holidays import holidays
from models.parameters import parameters
from models.policy import default_policy, read_policy
from models.rules import Step, ordinance, read_ordinance
from models.standards import Standard, standard_set, standards, standards_for

LAW = ordinance("howard")
TEXT = (files("models") / "law" / "ordinances" / "howard.toml").read_text(encoding="utf-8")
OWN_WORDS = "[own words, not the code's]"


def broken(old: str, new: str) -> BadLaw:
    """What the reader says of the Howard file with one thing changed (the first place it stands)."""
    assert old in TEXT
    with pytest.raises(BadLaw) as caught:
        read_ordinance(TEXT.replace(old, new, 1), file="howard.toml")
    return caught.value


def test_a_misspelt_key_is_named_with_what_was_meant() -> None:
    fault = broken("more_than_days = 5", "more_then_days = 5")
    assert (fault.file, fault.key, fault.found) == (
        "howard.toml", "rule[howard.baseflow].more_then_days", "more_then_days",
    )  # fmt: skip
    assert "more_than_days" in (fault.allowed or ())
    text = str(fault)
    assert text.startswith("howard.toml: rule[howard.baseflow].more_then_days: unknown key")
    assert "allowed: more_than_days" in text


@pytest.mark.parametrize(
    ("old", "new", "key", "found", "allowed"),
    [
        ('kind = "water_level"', 'kind = "waterlevel"', "rule[howard.quantity.private]", "waterlevel", "water_level"),
        ('operator = "lt"', 'operator = "below"', "rule[howard.baseflow].operator", "below", "lt, le"),
        ('exceeded = "gt"', 'exceeded = "over"', "rule[howard.nr140.identified].exceeded", "over", "gt, ge"),
        ('who = "town", means', 'who = "twon", means', "case[howard.baseflow].event[1].who", "twon", "town"),
        ('nature = "duty"', 'nature = "must"', "rule[howard.baseflow.notify].nature", "must", "deadline"),
        ('subject = "gauge"', 'subject = "well"', "case[howard.baseflow].subject", "well", "gauge, property"),
        ('limits = ["PAL", "ES"]', 'limits = ["PAL", "MCL"]', "rule[howard.nr140.identified].limits[2]", "MCL", "PAL"),
    ],
)
def test_a_word_the_law_does_not_know(old: str, new: str, key: str, found: str, allowed: str) -> None:
    fault = broken(old, new)
    assert (fault.file, fault.key, fault.found) == ("howard.toml", key, found)
    assert allowed in ", ".join(fault.allowed or ())
    for part in ("howard.toml", key, found, "allowed:"):
        assert part in str(fault)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('clause = "2.15(3)"\n', "", "rule[howard.remedy.interim.step].clause"),
        ('clause = "2.09(3)(b), 2.15(1)(b)"\n', "", "rule[howard.quantity.private].clause"),
        ('zone = "America/Chicago"\n', "", "zone"),
        ('adopted = "unknown"\n', "", "adopted"),
        ('verification = "memory: recalled, counsel to confirm that it reaches an ordinance"\n', "",
         "computing.verification"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(old: str, new: str, key: str) -> None:
    fault = broken(old, new)
    assert (fault.file, fault.key) == ("howard.toml", key)
    assert "required key is missing" in str(fault)


INTERIM = 'done_by = ["interim_supply_decided"]\n'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('id = "howard.baseflow.effect"', 'id = "howard.baseflow"', "rule id used twice: howard.baseflow"),
        (
            'opens = "howard.baseflow"',
            'opens = "howard.flow"',
            "howard.baseflow names no case of this file: howard.flow",
        ),
        ('runs_from = ["town_notice_given"]', 'runs_from = ["notice"]', "howard.baseflow.answer names no event"),
        ("days = 20\n", "", "a deadline needs runs_from and either days or hours"),
        (f"{INTERIM}hours = 24\n", f"{INTERIM}hours = 24\ndays = 1\n", "a window needs runs_from and either days or"),
        ('done_by = ["town_notice_given"]\n', 'done_by = ["town_notice_given"]\ndays = 3\n', "a duty has no time"),
        ('closing_events = ["report_accepted"', 'closing_events = ["report_acepted"', "report_acepted"),
        ('opening_events = ["town_receipt"', 'opening_events = ["town_reciept"', "town_reciept"),
    ],
)
def test_what_does_not_join_up(old: str, new: str, says: str) -> None:
    assert says in str(broken(old, new))


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("within_mi = 0.5", "within_mi = 0", "rule[howard.nr140.private].within_mi"),
        ("within_mi = 0.5", "within_mi = -0.5", "rule[howard.nr140.private].within_mi"),
        ("within_mi = 0.5", 'within_mi = "half"', "rule[howard.nr140.private].within_mi"),
        ("more_than_days = 5", "more_than_days = 5.5", "rule[howard.baseflow].more_than_days"),
        (f"{INTERIM}hours = 24", f"{INTERIM}hours = 0", "rule[howard.remedy.interim.step].hours"),
        ('effective = "unknown"', 'effective = "soon"', "rule[howard.nr140.identified].effective"),
    ],
)
def test_a_number_or_date_that_cannot_be(old: str, new: str, key: str) -> None:
    fault = broken(old, new)
    assert fault.file == "howard.toml"
    assert fault.key is not None
    assert fault.key.startswith(key)


def test_text_that_is_no_toml_and_a_town_nobody_wrote() -> None:
    with pytest.raises(BadLaw, match=r"howard\.toml: not valid TOML"):
        read_ordinance("id = ", file="howard.toml")
    with pytest.raises(BadLaw, match=r"no such ordinance \(found 'hovard'\); allowed: .*howard"):
        ordinance("hovard")


def test_limits_of_the_law_are_decimals() -> None:
    """0.5 mile is exactly half a mile, as written."""
    within = LAW.distances_mi(date(2026, 1, 1))
    assert within
    assert all(isinstance(one, Decimal) and one == Decimal("0.5") for one in within)


def test_a_repealed_rule_is_law_until_the_day_of_its_repeal() -> None:
    head, tail = TEXT.split('id = "howard.baseflow.effect"')
    changed = "effective = 2009-03-03\nrepealed = 2026-01-01"
    law = read_ordinance(
        head + 'id = "howard.baseflow.effect"' + tail.replace('effective = "unknown"', changed, 1), file="howard.toml"
    )
    on = {day: "howard.baseflow.effect" in [one.id for one in law.checks(day)] for day in (
        date(2009, 3, 2), date(2009, 3, 3), date(2025, 12, 31), date(2026, 1, 1))}  # fmt: skip
    assert list(on.values()) == [False, True, True, False]


# The words of the law.


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("rule", LAW.rule, ids=lambda rule: rule.id)
def test_the_text_of_a_rule_is_verbatim(rule: Step, shared: Path) -> None:
    if rule.text.endswith(OWN_WORDS):
        assert not rule.id.startswith("howard."), "the town's own words are at hand"
        return
    seed = plain((shared / "seeds" / "howard_ch2_nonmetallic_mining.txt").read_text(encoding="utf-8"))
    assert plain(rule.text) in seed


def test_what_follows_a_late_answer_is_the_ordinance_s_own_sentence(shared: Path) -> None:
    seed = plain((shared / "seeds" / "howard_ch2_nonmetallic_mining.txt").read_text(encoding="utf-8"))
    answer = LAW.rule_of("howard.baseflow.answer")
    assert isinstance(answer, Step)
    assert plain(answer.late) in seed


KINDS = {"groundwater_quality", "base_flow", "water_level", "step"}


def howard_table(shared: Path) -> list[tuple[str, str, str]]:
    """(rule id, clause, kind) of every row of the Howard table whose kind is built."""
    text = (shared / "law" / "ordinance_rules.md").read_text(encoding="utf-8")
    section = text.split("## Town of Howard")[1].split("\n## ")[0]
    cells = [
        re.split(r"\s*\|\s*", line.strip().strip("|").strip()) for line in section.splitlines() if line[:2] == "| "
    ]
    return [(id, clause, kind) for id, clause, kinds, *_ in cells for kind in kinds.split(", ") if kind in KINDS]


def test_every_rule_of_the_howard_table_stands_in_the_file(shared: Path) -> None:
    table = howard_table(shared)
    assert len(table) >= 15
    ours = {rule.id: rule for rule in LAW.rule}
    for id, clause, kind in table:
        found = ours.get(id) or ours.get(f"{id}.{kind}")
        assert found is not None, f"{id} ({kind}) is missing"
        assert found.kind == kind
        whole = re.sub(r", (1st sentence|2nd sentence on)$", "", clause).replace(", .26", ", 140.26")
        assert found.clause == whole, id


def test_the_numbers_of_howard() -> None:
    """Read off the ordinance: more than 5 days, 1/2 mile, 20 days from notice, 24 hours from receipt."""
    flow, answer = LAW.rule_of("howard.baseflow"), LAW.rule_of("howard.baseflow.answer")
    window, report = LAW.rule_of("howard.remedy.interim.step"), LAW.rule_of("howard.remedy.report")
    assert flow.kind == "base_flow"
    assert (flow.more_than_days, flow.operator, flow.within_mi) == (5, "lt", Decimal("0.5"))
    assert isinstance(answer, Step)
    assert isinstance(window, Step)
    assert isinstance(report, Step)
    assert (answer.days, answer.runs_from, answer.nature) == (20, ("town_notice_given",), "deadline")
    assert (window.hours, window.runs_from, window.nature) == (24, ("town_receipt",), "window")
    assert (report.days, report.runs_from, report.nature) == (20, ("operator_receipt",), "deadline")
    effect = LAW.rule_of("howard.baseflow.effect")
    assert effect.kind == "base_flow"
    assert (effect.operator, effect.more_than_days, effect.information, effect.opens) == ("le", None, True, None)


def test_a_deadline_runs_only_from_a_person_s_act() -> None:
    for rule in LAW.rule:
        if isinstance(rule, Step) and rule.nature in {"deadline", "window"}:
            assert not set(rule.runs_from) & {"case_opened", "finding_amended", "condition_ended"}, rule.id
        if isinstance(rule, Step) and rule.case == "howard.remedy":
            assert "cease" not in rule.late.casefold(), f"{rule.id}: only 2.09(3)(c) stops a mine"


# Standards.


def test_every_standard_says_where_it_stands_and_how_far_it_was_verified() -> None:
    for one in standards("nr140"):
        assert one.citation in {"NR 140.10 Table 1", "NR 140.12 Table 2"}
        assert one.table == one.citation[-1]
        assert one.verification in {"verified2", "single", "memory"}
        assert one.parameter in parameters()
        assert one.in_unit(parameters()[one.parameter].canonical_unit) >= 0


def printed_rows(shared: Path, table: str) -> list[dict[str, str]]:
    name = {"1": "nr140_table1_public_health.csv", "2": "nr140_table2_public_welfare.csv"}[table]
    with (shared / "law" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def by_substance(table: str) -> dict[str, dict[str, Standard]]:
    found: dict[str, dict[str, Standard]] = {}
    for one in standards("nr140"):
        if one.table == table:
            kinds = found.setdefault(parameters()[one.parameter].name, {})
            assert one.kind not in kinds, f"{one.parameter} {one.kind} stands twice in table {table}"
            kinds[one.kind] = one
    return found


@pytest.mark.parametrize("table", ["1", "2"])
def test_standards_equal_the_printed_table(table: str, shared: Path) -> None:
    ours, printed = by_substance(table), printed_rows(shared, table)
    assert sorted(ours) == sorted(row["substance"] for row in printed)
    for row in printed:
        for kind in ("PAL", "ES"):
            one = ours[row["substance"]][kind]
            want = (Decimal(row[f"{kind.lower()}_value"]), row[f"{kind.lower()}_unit"], row["confidence"])
            assert (one.value, one.unit, one.verification) == want, row["substance"]


def test_how_many_rows_were_verified_how(shared: Path) -> None:
    """nr140_sources.md: Table 1 33 twice, 12 once, 93 from memory; Table 2 three, two and three."""
    for table, counts in (("1", (33, 12, 93)), ("2", (3, 2, 3))):
        found = Counter(kinds["ES"].verification for kinds in by_substance(table).values())
        assert tuple(found[word] for word in ("verified2", "single", "memory")) == counts


def test_a_pal_is_a_tenth_or_a_fifth_of_a_health_standard_and_half_of_a_welfare_standard() -> None:
    """s. 160.15(1), and the counts of nr140_sources.md: 72 and 65 rows of Table 1, 8 of Table 2, only E. coli apart."""
    shares = {table: Counter(share(kinds) for kinds in by_substance(table).values()) for table in ("1", "2")}
    assert shares == {"1": {Decimal(10): 72, Decimal(20): 65, None: 1}, "2": {Decimal(50): 8}}


def share(kinds: dict[str, Standard]) -> Decimal | None:
    """PAL as a percentage of ES; both stand in one unit. None for the zero standard."""
    assert kinds["PAL"].unit == kinds["ES"].unit
    return 100 * kinds["PAL"].value / kinds["ES"].value if kinds["ES"].value else None


def test_settled_differences() -> None:
    """nr140_sources.md: values that copies get wrong."""

    def value(substance: str, kind: str, table: str = "1") -> tuple[Decimal, str]:
        (one,) = [one for one in standards_for("nr140", substance) if (one.kind, one.table) == (kind, table)]
        return one.value, one.unit

    assert value("atrazine_total_chlorinated_residues", "ES") == (3, "ug/L")
    assert value("atrazine_total_chlorinated_residues", "PAL") == (Decimal("0.3"), "ug/L")
    assert value("acetone", "ES") == (9, "mg/L")
    assert value("manganese", "PAL") == (60, "ug/L")
    assert value("manganese", "ES", "2") == (Decimal("0.05"), "mg/L")
    assert not any(one.parameter.startswith(("pfoa", "pfos", "magnesium")) for one in standards("nr140"))
    assert [one.detection_only for one in standards_for("nr140", "e_coli")] == [True, True]
    assert sum(one.detection_only for one in standards("nr140")) == 2
    assert standard_set("nr140").attained_at == "ge"


def test_no_such_standards_or_holidays() -> None:
    with pytest.raises(BadLaw, match="no such standards file"):
        standards("nr999")
    with pytest.raises(BadLaw, match="no such holiday file"):
        holidays("mars")


# Policy: what the law does not state.


def test_every_default_has_a_reason_and_is_adopted_by_nobody() -> None:
    policy = default_policy()
    assert policy.unadopted() == tuple(type(policy).model_fields)
    assert all(getattr(policy, name).reason for name in type(policy).model_fields)
    assert "default, not adopted" in policy.level_drop.says()


def test_a_town_s_own_threshold_and_who_adopted_it() -> None:
    text = """
        [level_drop]
        value = 1.0
        unit = "ft"
        reason = "the town's own"
        adopted_by = "Town Board"
        adopted_on = 2025-01-02
        resolution = "2025-3"
    """
    policy = read_policy(text, file="policy.toml")
    assert policy.level_drop.value == 1
    assert policy.level_drop.says() == "1.0 ft (adopted by Town Board on 2025-01-02, resolution 2025-3)"
    assert "level_drop" not in policy.unadopted()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[level_drip]\nvalue = 1\nunit = "ft"\nreason = ""', "level_drip"),
        ('[level_drop]\nvalue = "much"\nunit = "ft"\nreason = ""', "level_drop.value"),
        ("[level_drop]\nvalue = 1\nreason = ''", "level_drop.unit"),
        # Six inches are not six feet.
        ('[level_drop]\nvalue = 6\nunit = "in"\nreason = ""', "level_drop.unit"),
    ],
)
def test_a_threshold_that_cannot_be(text: str, key: str) -> None:
    with pytest.raises(BadSite) as caught:
        read_policy(text, file="policy.toml")
    assert (caught.value.file, caught.value.key) == ("policy.toml", key)
