"""The annual appendix of the sample year against the truth its generator wrote, and what must never be in it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import openpyxl
import pypdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from pipelines import chromium, cli
from pipelines.annual_record import private_texts, read_year
from pipelines.database import default_url, opened, reading
from pipelines.night import end_of
from pipelines.site_folder import open_site
from reports.annual import conditions
from reports.annual.appendix import Appendix, appendix
from reports.annual.page import page
from reports.annual.record import AnnualRecord
from reports.annual.table import Table, cell_of
from reports.workbook import workbook
from sample_data import demo

TRUTH = demo.SAMPLE / "truth"
EXPECTED = tomllib.loads((TRUTH / "expected.toml").read_text(encoding="utf-8"))
AS_OF = date(2025, 12, 31)
CREATED = datetime(2026, 1, 1, tzinfo=UTC)
ZONE = ZoneInfo("America/Chicago")
UNKNOWN_DAYS = {*(one["day"] for one in EXPECTED["day"] if one["state"] == "U"), AS_OF}  # the last day is not in yet
FORBIDDEN = ("violat", "guilt", "fine ", "penalt", "forfeit", "$", "default by", "illegal", "blame")


@dataclass(frozen=True)
class Year:
    """The sample site after its last night, and its year as told."""

    folder: Path
    record: AnnualRecord
    told: Appendix

    def table(self, id: str) -> Table:
        return next(one for one in self.told.tables() if one.id == id)

    def rows(self, id: str) -> list[dict[str, Any]]:
        """Rows of a table by column head; of two columns with one head the second is numbered."""
        table = self.table(id)
        heads = [column.head.split(" [")[0] for column in table.columns]
        names = [head if heads.index(head) == k else f"{head} {k}" for k, head in enumerate(heads)]
        return [dict(zip(names, (cell_of(item).value for item in row), strict=True)) for row in table.rows]


def read(folder: Path, year: int = 2025, on: date = AS_OF) -> tuple[AnnualRecord, Appendix]:
    site = open_site(folder)
    with opened(default_url(folder, {})) as engine, reading(engine) as connection:
        record = read_year(connection, site, year, on, end_of(on, site.law))
    return record, appendix(record, private_texts(site))


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    folder = tmp_path_factory.mktemp("annual") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HEADWATER_DATABASE_URL", raising=False)
        demo.fresh_site(folder)
        for on, files in demo.deliveries():
            demo.deliver(folder, files)
            demo.run_night(folder, on)
        yield Year(folder, *read(folder))


def truth(name: str) -> list[dict[str, str]]:
    with (TRUTH / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# Pumping


def test_volumes_between_readings_are_the_truth_to_the_gallon(year: Year) -> None:
    """Read at 06:00, before the day's pumping: an interval is the days from its first to the one before its last."""
    pumped = {date.fromisoformat(one["day"]): int(one["gallons"]) for one in truth("pumping.csv")}
    for row in year.rows("4.3"):
        first, last = row["From (America/Chicago)"].date(), row["To (America/Chicago)"].date()
        days = [first + timedelta(days=k) for k in range((last - first).days)]
        assert row["Volume"] == sum(pumped.get(day, 0) for day in days)


def test_months_are_the_truth_apportioned_by_time_and_add_up_exactly(year: Year) -> None:
    rows = {row["Month"]: row for row in year.rows("4.1")}
    months = {name: row["Metered volume"] for name, row in rows.items() if not name.endswith("all")}
    total = sum(int(one["gallons"]) for one in truth("pumping.csv"))
    assert rows["2025, all"]["Metered volume"] == sum(filter(None, months.values())) == total
    for name, volume in _apportioned_truth(year).items():
        assert abs((months[name] or 0) - volume) <= 1


def _apportioned_truth(year: Year) -> dict[str, float]:
    """Truth by interval, spread by hours over months, computed the long way."""
    by_month: dict[str, float] = defaultdict(float)
    pumped = {date.fromisoformat(one["day"]): int(one["gallons"]) for one in truth("pumping.csv")}
    for row in year.rows("4.3"):
        start, end = (row[f"{name} (America/Chicago)"].replace(tzinfo=ZONE) for name in ("From", "To"))
        volume = sum(v for day, v in pumped.items() if start.date() <= day < end.date())
        quarters = np.arange(start.timestamp(), end.timestamp(), 900.0)
        for moment in quarters:
            by_month[f"{datetime.fromtimestamp(moment, ZONE):%Y-%m}"] += volume / len(quarters)
    return by_month


def test_reported_months_stand_beside_the_metered_ones_with_their_difference(year: Year) -> None:
    by_month: dict[str, int] = defaultdict(int)
    for one in truth("pumping.csv"):
        by_month[one["day"][:7]] += int(one["gallons"])
    for row in year.rows("4.2"):
        assert row["Reported"] == by_month.get(row["Month"], 0)
        if row["Metered"] is not None:
            assert row["Reported less metered"] == row["Reported"] - row["Metered"]
            assert abs(row["Reported less metered"]) < 0.03 * 24_000_000  # six hours of a month's first day


def test_time_that_no_reading_covers_is_said_and_not_zero(year: Year) -> None:
    rows = {row["Month"]: row for row in year.rows("4.1")}
    assert (rows["2025-01"]["Metered volume"], rows["2025-01"]["Time not metered"]) == (None, 744.0)
    assert rows["2025-04"]["Time not metered"] == 0.0
    (discharge,) = [one for one in year.told.chapters[3].sections if one.title == "Discharge"]
    assert "none recorded" in discharge.says[0]


# Streamflow


def _published() -> dict[date, Decimal]:
    """The truth as the gauge prints it: 0.01 cfs below 10 cfs, 0.1 above."""
    found = {}
    for one in truth("flow.csv"):
        value = Decimal(one["with_mine_cfs"])
        found[date.fromisoformat(one["day"])] = value.quantize(Decimal("0.01") if value < 10 else Decimal("0.1"))
    return found


def test_every_day_of_flow_is_the_truth_or_a_planted_unknown(year: Year) -> None:
    """To one unit of the last place: the gauge's mean is of rounded quarter hours. Planted days are exact below."""
    unknown = UNKNOWN_DAYS
    exact = _published()
    for row in year.rows("5.4"):
        if row["Gauge"] == "LMC-1":
            assert (row["State"] == "unknown") == (row["Day"] in unknown)
            if row["Day"] not in unknown:
                near = Decimal("0.01") if exact[row["Day"]] < 10 else Decimal("0.1")
                assert abs(row["Daily mean"] - exact[row["Day"]]) <= near


def test_months_of_flow_have_the_lowest_mean_and_days_below_of_the_truth(year: Year) -> None:
    unknown = UNKNOWN_DAYS
    flows = {day: value for day, value in _published().items() if day.year == 2025 and day not in unknown}
    base = Decimal(str(EXPECTED["truth"]["base_flow_cfs"]))
    for row in (one for one in year.rows("5.1") if one["Gauge"] == "LMC-1"):
        month = [(v, d) for d, v in flows.items() if row["Month"].endswith("all") or f"{d:%Y-%m}" == row["Month"]]
        assert row["Days known"] == len(month)
        assert (row["Lowest daily mean"], row["On"]) == min(month)
        assert row["Days below base flow"] == sum(value < base for value, _ in month)
        assert row["Mean of known days"] == pytest.approx(float(sum(v for v, _ in month)) / len(month), abs=0.005)
        assert row["Base flow"] == base


def test_planted_days_are_exact(year: Year) -> None:
    found = {row["Day"]: row["Daily mean"] for row in year.rows("5.4") if row["Gauge"] == "LMC-1"}
    for plant in ("a", "b", "c"):
        one = next(planted for planted in EXPECTED["finding"] if planted.get("plant") == plant)
        for day in one["published_cfs"]:
            known = day["value"] not in {"", "Eqp"}
            assert found[day["day"]] == (Decimal(day["value"]) if known else None)


def test_spells_are_the_planted_ones_with_their_counts(year: Year) -> None:
    rows = {row["First day below"]: row for row in year.rows("5.2")}
    for plant in ("a", "b", "c"):
        one = next(found for found in EXPECTED["finding"] if found.get("plant") == plant)
        row = rows[one["start"]]
        assert row["Last day below"] == one["end"]
        assert (row["Days known below"], row["Days possible"]) == (one["known"], one["possible"])
        assert row["Day the number was passed"] == one.get("trigger_date")
    assert rows[date(2025, 7, 8)]["Days known below"] == 3  # the approved record split it


def test_the_natural_rate_stands_beside_the_spells(year: Year) -> None:
    says = " ".join(year.told.chapters[4].sections[1].says)
    assert "the same rule was met once in 1.00 years of known days" in says


# Water levels


def test_daily_logger_levels_are_the_truth(year: Year) -> None:
    heads = {(one["well"], date.fromisoformat(one["day"])): float(one["with_mine_ft"]) for one in truth("heads.csv")}
    found = {(row["Well"], row["Day"]): row["Mean elevation"] for row in year.rows("2.4")}
    both = found.keys() & heads.keys()
    assert len(both) > 200
    assert max(abs(found[key] - heads[key]) for key in both) < 0.05


def test_tape_readings_at_rest_are_the_truth_between_its_weeks(year: Year) -> None:
    weeks: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in truth("heads.csv"):
        weeks[one["well"]].append((date.fromisoformat(one["day"]).toordinal(), float(one["with_mine_ft"])))
    for row in year.rows("2.3"):
        if row["Elevation"] is not None and row["Remark"] != "Pumping":
            days, levels = zip(*weeks[row["Well"]], strict=True)
            read_at = row["Read at (America/Chicago)"].toordinal()
            assert row["Elevation"] == pytest.approx(np.interp(read_at, days, levels), abs=0.12)


def test_statistics_leave_out_the_pumped_the_dry_and_the_obstructed_and_say_how_many(year: Year) -> None:
    rows = {(row["Well"], row["By"]): row for row in year.rows("2.1")}
    assert rows["PVT-2", "tape"]["Deepest"] < 30  # 30.70 ft was read with the pump running
    assert (rows["PVT-2", "tape"]["Readings used"], rows["PVT-2", "tape"]["Left out"]) == (11, 1)
    assert rows["PVT-1", "tape"]["Left out"] >= 1
    tape = [row for row in year.rows("2.3") if row["Well"] == "PVT-1"]
    assert rows["PVT-1", "tape"]["Readings used"] == sum(row["Depth"] is not None for row in tape)


# Groundwater quality


def test_attained_standards_are_the_planted_ones(year: Year) -> None:
    planted = {
        (
            one["station"],
            one["sampled"],
            f"{one['kind']} Table {one['table']}",
            Decimal(str(one["value"])),
            one["verdict"],
        )
        for one in EXPECTED["finding"]
        if one.get("nr140_status") == "attained" and one["sampled"].year == 2025
    }
    words = {"needs confirmation": "needs_confirmation", "attained": "attained"}
    found = {
        (row["Well"], row["Sampled"], row["Standard"], Decimal(str(row["Result"])), words[row["The clause says"]])
        for row in year.rows("3.1")
    }
    assert found == planted
    before = {row["Well"] for row in year.rows("3.1") if row["Before mining"] == "attained"}
    assert before == {"PVT-2"}


def test_every_laboratory_row_of_the_year_is_in_the_list_and_marked_as_it_came(year: Year) -> None:
    rows = year.rows("3.3")
    assert len(rows) == len({row["Rows"] for row in rows})
    delivered = sum(_results_in(path) for path in sorted(demo.SAMPLE.glob("**/grn-export-2025-*.csv")))
    assert len(rows) == delivered - 1  # one row carries an unknown unit and is a reject
    table = year.table("3.3")
    cells = {cell_of(row[-1]).value: cell_of(row[4]) for row in table.rows}
    assert {cell.style for cell in cells.values()} == {"", "lod", "pal", "both"}
    assert any(cell.shown == "1.2 J" for cell in cells.values())
    assert all(cell.shown.startswith("<") and cell.value is None for cell in cells.values() if cell.style == "lod")


def _results_in(path: Path) -> int:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def test_the_matrix_shows_every_result_of_the_list_once(year: Year) -> None:
    shown = [cell_of(item) for row in year.table("3.2a").rows for item in row[2:-1]]
    assert sum(cell.shown not in {"", "–"} for cell in shown) == len(year.rows("3.3"))


# Conditions, duties, gaps


def test_conditions_are_the_standing_findings_and_the_withdrawn_one_is_apart(year: Year) -> None:
    spells = [row for row in year.rows("6.1") if row["Measured"].startswith("Discharge")]
    assert [(row["From"], row["Verdict"]) for row in spells] == [
        (date(2025, 8, 3), "cannot tell"),
        (date(2025, 8, 20), "attained"),
    ]
    assert [(row["From"], row["Station"]) for row in year.rows("6.3")] == [(date(2025, 7, 8), "LMC-1")]


def test_duties_carry_the_dates_of_the_truth(year: Year) -> None:
    report = next(row for row in year.rows("6.4") if row["Clause"] == "2.15(4)")
    assert (report["Plain due"], report["Statutory due"], report["Done on"]) == (
        date(2025, 9, 1), date(2025, 9, 2), date(2025, 9, 4),
    )  # fmt: skip
    assert report["Standing"] == "done after the statutory date"
    assert report["Case"] == "a case under 2.15, number 1"


def test_rejects_and_gaps_are_those_that_were_planted(year: Year) -> None:
    assert {row["As it stood"] for row in year.rows("7.1")} == {one["raw"] for one in EXPECTED["reject"]}
    gaps = [(row["Gauge"], row["From"], row["To"]) for row in year.rows("7.2") if row["Gauge"] == "LMC-1"]
    assert (("LMC-1", date(2025, 1, 21), date(2025, 1, 23))) in gaps
    assert (("LMC-1", date(2025, 8, 26), date(2025, 8, 26))) in gaps
    assert len(year.rows("7.5")) == len(year.record.policy.unadopted())


# What never stands in it


def test_a_refused_act_names_no_property_and_no_words_of_its_line(year: Year, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(year.folder, folder)
    noon = "2025-12-30T12:00:00-06:00"
    line = f"howard.remedy/R-2/2025-12-30,report_denied,{noon},{noon},Jane Roe,x,y,secret"
    with (folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    demo.run_night(folder, AS_OF)
    _, told = read(folder)
    rows = next(one for one in told.tables() if one.id == "7.1").rows
    assert len(rows) == len(year.table("7.1").rows) + 1
    assert not re.search(r"R-2|Jane|secret", str(rows))


def _words(content: str) -> str:
    return re.sub(r"<(script|style)\b.*?</\1>", " ", content, flags=re.DOTALL)


@pytest.fixture(scope="module")
def written(year: Year, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    assert run(year, "--out", str(out), "--no-pdf") == 0
    return out


def run(year: Year, *more: str) -> int:
    return cli.run(["report", "annual", "2025", "--as-of", "2025-12-31", "--site", str(year.folder), *more])


def test_no_word_of_fault_or_money(written: Path) -> None:
    content = _words((written / "annual-2025.html").read_text(encoding="utf-8")).casefold()
    assert [word for word in FORBIDDEN if word in content] == []


def test_no_household_and_no_exact_private_position(year: Year, written: Path) -> None:
    content = (written / "annual-2025.html").read_text(encoding="utf-8")
    book = openpyxl.load_workbook(written / "annual-2025.xlsx", read_only=True)
    cells = [
        str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None
    ]
    everything = content + "\n".join(cells)
    households = open_site(year.folder).households
    for one in households.household:
        assert not any(text and text in everything for text in (one.owner, one.occupant, one.phone, one.address))
        assert not re.search(rf"\b{one.property}\b", everything)
    for private in households.well:
        assert not _numbers(year) & {float(number) for number in private.position}
    assert "howard.remedy/" not in everything


def _numbers(year: Year) -> set[float]:
    values = (cell_of(item).value for table in year.told.tables() for row in table.rows for item in row)
    return {float(one) for one in values if isinstance(one, int | float | Decimal)}


def test_nothing_is_asked_of_another_machine(written: Path) -> None:
    content = (written / "annual-2025.html").read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["'](?!#|annual-assets/)""", content)
    assert "default-src 'none'" in content
    assert sorted(path.name for path in (written / "annual-assets").iterdir()) == ["annual_draw.js", "plotly.min.js"]


def test_it_is_a_draft_for_the_chair_due_in_december_with_its_data_version(year: Year, written: Path) -> None:
    content = (written / "annual-2025.html").read_text(encoding="utf-8")
    for text in (
        "Report for calendar year 2025, due 1 December 2026", "Town Plan Commission Chair", "DRAFT. Nobody has signed",
        "Example Pine Hollow Sand, LLC", "HOW-EX-2024-01", "2026-01-01 00:00 (America/Chicago)",
    ):  # fmt: skip
        assert text in content


def test_every_table_is_a_sheet_and_every_row_of_numbers_carries_ids(year: Year, written: Path) -> None:
    book = openpyxl.load_workbook(written / "annual-2025.xlsx", read_only=True)
    tables = list(year.told.tables())
    assert book.sheetnames == ["Contents", *(one.sheet for one in tables)]
    for table in tables:
        if table.columns[-1].head == "Rows":
            bare = [row for row in table.rows if not cell_of(row[-1]).value and _has_measured(row)]
            assert bare == [], table.id


def _has_measured(row: Sequence[Any]) -> bool:
    """A computed or reported number, other than a count or time of what is missing."""
    return any(isinstance(cell_of(item).value, Decimal) for item in row[1:-1])


def test_two_runs_write_the_same_bytes(year: Year, written: Path, tmp_path: Path) -> None:
    assert run(year, "--out", str(tmp_path), "--no-pdf") == 0
    for name in ("annual-2025.html", "annual-2025.xlsx"):
        assert (tmp_path / name).read_bytes() == (written / name).read_bytes()


# Hostile text


HOSTILE = [
    "<script>alert(1)</script>", "=HYPERLINK(\"http://example.com\")", "../../etc/passwd", "N" * 300, "ב\u202etxt.exe",
    "</script><img src=x onerror=alert(1)>", "{{ 7*7 }}", "Example Owner One",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_every_field_is_text_in_page_and_workbook(year: Year, text: str) -> None:
    told = appendix(_hostile(year.record, text), private_texts(open_site(year.folder)))
    content = page(told, "annual-assets")
    assert "<script>alert" not in content
    assert "<img" not in content
    assert ("<td>49</td>" in content) is False
    book = openpyxl.load_workbook(io.BytesIO(workbook(told.tables(), title="T", status="DRAFT", created=CREATED)))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [cell for cell in cells if cell.data_type == "f" or cell.hyperlink] == []
    shown = "[withheld: household]" if text == "Example Owner One" else text
    assert sum(shown in str(cell.value) for cell in cells) > 10
    assert ("Example Owner One" in content) is False


def _hostile(record: AnnualRecord, text: str) -> AnnualRecord:
    """The record with a text in every field that people or files write."""
    site = record.site
    named = {
        "name": text, "reference_point": text,
        "permit": site.permit.model_copy(update={"number": text}),
        "party": tuple(one.model_copy(update={"name": text}) for one in site.party),
        "stream": tuple(
            one.model_copy(update={"name": text, "base_flow": tuple(
                base.model_copy(update={"method": text, "signed_by": text, "licence_number": text, "version": text})
                for base in one.base_flow
            )})
            for one in site.stream
        ),
        "gauge": tuple(one.model_copy(update={"name": text, "identifiers": (text,)}) for one in site.gauge),
        "rain_gauge": tuple(one.model_copy(update={"name": text}) for one in site.rain_gauge),
        "meter": tuple(one.model_copy(update={"name": text}) for one in site.meter),
        "well": tuple(
            one.model_copy(update={"name": text, "quarter_quarter": text, "identifiers": (text,),
                                   "logger": tuple(log.model_copy(update={"serial": text}) for log in one.logger)})
            for one in site.well
        ),
    }  # fmt: skip
    findings = [{**one, "measured": text, "limit": text, "reason": text, "aspect": text} for one in record.findings]
    rejects = [{**one, "file": text, "raw": text, "reason": text, "column": text} for one in record.rejects]
    levels = [replace(one, readings=one.readings.tail(30).assign(marks=text)) for one in record.levels]
    flows = [replace(one, days=one.days[-60:]) for one in record.flows]
    told = {"findings": findings, "rejects": rejects, "levels": levels, "flows": flows, "results": record.results[:20]}
    return replace(record, site=site.model_copy(update=named), **told)


# The command


def test_without_a_browser_page_and_workbook_come_out_and_one_line_says_so(
    year: Year, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(chromium.SETTING, str(tmp_path / "nowhere"))
    (tmp_path / "annual-2025.pdf").write_bytes(b"of an older run")
    assert run(year, "--out", str(tmp_path)) == 3
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "left out" in line] == [lines[-1]]
    assert "annual-2025.pdf: no Chromium to print with" in lines[-1]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["annual-2025.html", "annual-2025.xlsx", "annual-assets"]


def test_a_browser_that_hangs_does_not_hang_the_run(
    year: Year, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report exists, says that a chart could not be drawn where it is not, and the state is not plain success."""
    fake = tmp_path / "hangs"
    fake.write_text("#!/bin/sh\nsleep 600\n")
    fake.chmod(0o755)
    monkeypatch.setenv(chromium.SETTING, str(fake))
    monkeypatch.setattr(chromium, "patience", lambda figures: figures / 10)
    assert run(year, "--out", str(tmp_path / "out"), "--json") == 3
    told = json.loads(capsys.readouterr().out)
    assert "was ended; the PDF could not be drawn" in told["left_out"][0]
    assert "chart could not be drawn" in (tmp_path / "out" / "annual-2025.html").read_text(encoding="utf-8")
    assert not (tmp_path / "out" / "annual-2025.pdf").exists()


def test_the_printed_appendix_has_pages_numbers_outline_tags_and_drawn_charts(year: Year, tmp_path: Path) -> None:
    _browser()
    assert run(year, "--out", str(tmp_path)) == 0
    pdf = pypdf.PdfReader(tmp_path / "annual-2025.pdf")
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 25
    for number, text in enumerate(texts, start=1):
        assert f"Page {number} of {len(texts)}" in text
        assert "DRAFT: not signed" in text
        assert "calendar year 2025, due 1 December 2026" in text
    assert "could not be drawn" not in " ".join(texts)
    assert {"/StructTreeRoot", "/Outlines"} <= set(pdf.trailer["/Root"])
    heads = [one.title for one in _flat(pdf.outline)]
    assert [f"{k}" for k in range(1, 8)] == [head.split()[0] for head in heads if re.match(r"[1-7] ", head)]
    repeated = [text for text in texts if "NR 140 status" in text and "As reported" in text]
    assert len(repeated) > 2  # the head of the long table stands on each of its pages


def _flat(outline: Sequence[Any]) -> Iterator[Any]:
    for one in outline:
        if isinstance(one, list):
            yield from _flat(one)
        else:
            yield one


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900)], ids=["phone", "desktop"])
def test_a_browser_draws_every_chart_asks_nobody_and_finds_no_fault(written: Path, width: int, height: int) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height})
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((written / "annual-2025.html").as_uri())
        page.wait_for_function(
            "[...document.querySelectorAll('[data-figure]')].every(e => e.querySelector('.main-svg'))"
        )
        assert said == []
        assert [one for one in asked if not one.startswith(written.as_uri())] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        faults = Axe().run(page).response["violations"]
        assert [
            (one["id"], one["nodes"][0]["html"]) for one in faults if one["impact"] in {"serious", "critical"}
        ] == []
        browser.close()


def _browser() -> str:
    try:
        return str(chromium.found(os.environ))
    except chromium.NoBrowser as caught:
        pytest.skip(str(caught))


def test_a_year_that_has_not_begun_and_another_town_are_refused_in_one_line(
    year: Year, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ["--site", str(year.folder), "--as-of", "2025-12-31"]
    assert cli.run(["report", "annual", "2026", *folder]) == 2
    assert "YEAR: no such year on record (found 2026)" in capsys.readouterr().err
    assert cli.run(["report", "annual", "-5", *folder]) == 2


def test_what_was_known_in_june_is_told_as_known_in_june(year: Year) -> None:
    record, told = read(year.folder, on=date(2025, 6, 30))
    assert record.end == date(2025, 6, 30)
    tables = {one.id: one for one in told.tables()}
    days = [cell_of(row[1]).value for row in tables["3.3"].rows]
    assert max(days) == date(2025, 4, 29)  # type: ignore[type-var]
    assert {cell_of(row[2]).value for row in tables["4.1"].rows} == {
        *(f"2025-{k:02d}" for k in range(1, 7)),
        "2025, all",
    }
    assert "the year is not over in this record" in str([cell_of(row[1]).value for row in tables["0.1"].rows])


def test_a_year_before_the_record_says_that_there_is_none(year: Year) -> None:
    _, told = read(year.folder, year=2019)
    assert [one.id for one in told.tables() if one.id in {"2.3", "3.3", "4.3", "6.1"} and one.rows] == []


def test_of_a_private_well_no_modelled_number_and_no_day_of_a_household_is_told(year: Year) -> None:
    """A drawdown computed at the exact place would give the place away to anybody with the same model."""
    quantity = [row for row in year.rows("6.1") if row["Station"] == "PVT-1"]
    assert quantity
    for row in quantity:
        assert (row["Observed"], row["Limit"], row["Reason"]) == (conditions.NOT_PUBLIC,) * 3
        assert (row["From"], row["To"], row["Rows"]) == (None, None, "")
    assert not any("owner log" in str(row["Measured"]) for row in year.rows("7.4"))
