"""The public page: whole, private, the same twice, hostile names as text, and drawn by a real browser."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import sys
import threading
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from models.errors import BadQuestion
from models.finding import Finding
from pipelines import cli
from pipelines.database import default_url, opened, reading
from pipelines.night import end_of
from pipelines.site_folder import open_site
from pipelines.site_record import base_flow_steps, site_record
from pipelines.static_folder import replace_folder
from reports.site_page import public
from reports.site_page.page import FILES, PAGE, site_page
from reports.site_page.record import SiteRecord, StationRecord, StreamRecord
from sample_data import demo

ON = date(2025, 9, 8)
SCRIPT, FORMULA, UPWARDS = "<script>alert(1)</script>", '=HYPERLINK("http://evil.example","x")', "../../etc/passwd"
LONG, BACKWARDS = "Longest-" + "n" * 292, "\u202eneercS \u05d0\u05d1\u05d2"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@dataclass
class Told:
    """The sample site after the nights up to ``ON``, and its page."""

    folder: Path
    record: SiteRecord
    files: Mapping[str, bytes]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    folder = tmp_path_factory.mktemp("site page") / "site"
    demo.fresh_site(folder)
    for on, files in demo.deliveries():
        if on <= ON:
            demo.deliver(folder, files)
            demo.run_night(folder, on)
    record = _record(folder)
    return Told(folder, record, site_page(record))


def _record(folder: Path, on: date = ON) -> SiteRecord:
    site = open_site(folder)
    with opened(default_url(folder, {})) as engine, reading(engine) as connection:
        return site_record(connection, site, on, end_of(on, site.law))


def _text(told: Told) -> str:
    return told.files[PAGE].decode()


class _Reader(HTMLParser):
    """Headings, ids, scripts, links, and the text of cells, as a browser would take them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self._cell = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self._cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._cell = self._cell and tag not in {"td", "th"}

    def handle_data(self, data: str) -> None:
        if self._cell:
            self.rows[-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


# What it holds


def test_the_folder_holds_a_page_its_style_its_script_and_plotly(told: Told) -> None:
    assert tuple(told.files) == FILES
    assert len(told.files[PAGE]) < 2_000_000


def test_it_says_what_it_is_and_is_not(told: Told) -> None:
    text = _text(told)
    for words in ("Pine Hollow Sand Mine", "Town of Howard", "HOW-EX-2024-01", "2025-09-08", "2025-09-09 00:00 CDT"):
        assert words in text
    for words in ("Draft", "no cause and no violation", "not the town’s notice", "starts no deadline", "provisional"):
        assert words in text


def test_findings_carry_rule_clause_station_period_measured_limit_verdict(told: Told) -> None:
    rows = [[cell.text for cell in row] for row in public.findings_table(told.record).rows]
    (flow,) = [row for row in rows if row[2] == "LMC-1" and row[4].startswith("2025-08-20")]
    assert flow[0] == "Stream flow below base flow for more than 5 days"
    assert flow[1] == "2.09(3)(c)"
    assert flow[4:8] == ["2025-08-20\nto 2025-08-27", "4.47 cfs lowest of 7 known days below", "5.07 cfs", "attained"]
    assert "provisional" in flow[8]


def test_clocks_stand_with_both_due_days_and_no_household(told: Told) -> None:
    rows = [[cell.text for cell in row] for row in public.clocks_table(told.record).rows]
    assert ["2.09(3)(c)", "LMC-1", "operator", "running", "2025-09-18", "2025-09-18"] in [[r[0], *r[2:]] for r in rows]
    remedy = [row for row in rows if row[0].startswith("2.15")]
    assert remedy
    assert {row[2] for row in remedy} == {public.HOUSEHOLD}


def test_cases_are_counted(told: Told) -> None:
    rows = [[cell.text for cell in row] for row in public.cases_table(told.record).rows]
    assert ["Damage to a private water supply", "2.15", "1", "0"] in rows


def test_a_gauge_is_stale_and_a_hand_read_well_is_not(told: Told) -> None:
    rows = {row[0].text: [cell.text for cell in row] for row in public.stations_table(told.record).rows}
    assert rows["LMC-1"][3:5] == ["2025-09-04", "4"]
    assert rows["LMC-1"][-1] == "stale"
    assert rows["MW-1"][-1] == "read on rounds"
    assert set(rows) == {one.id for one in told.record.site.stations()} - {one.id for one in told.record.site.meter}


def test_a_station_that_never_spoke_says_so(told: Told) -> None:
    silent = StationRecord("X-1", "stream gauge", "", None, 0, daily=True)
    assert public.freshness(silent, told.record).text == "no value"


def test_exceedances_carry_both_statuses_and_the_baseline(told: Told) -> None:
    rows = [[cell.text for cell in row] for row in public.exceedance_table(told.record).rows]
    nitrate = [row for row in rows if row[0].startswith("PVT-2") and row[2] == "2025-07-29"]
    assert [row[3:9] for row in nitrate] == [
        ["3.0 mg/L", "2 mg/L", "PAL, Table 1", "attained", "attained", "already attained"]
    ]


def test_a_result_equal_to_a_standard_needs_confirmation() -> None:
    frame = pd.DataFrame(
        [
            ("MW-3", "arsenic", "2024-05-01", "PAL", "1", "attained", "attained"),
            ("MW-3", "arsenic", "2025-05-01", "PAL", "1", "attained", "attained"),
            ("MW-3", "arsenic", "2025-05-01", "ES", "1", "attained", "needs_confirmation"),
            ("MW-3", "lead", "2025-05-01", "ES", "1", "not_attained", "not_attained"),
        ],
        columns=["station", "substance", "sampled", "kind", "table", "nr140_status", "verdict"],
    )
    found = public.sampled_since(frame, date(2025, 1, 1))
    assert found[["kind", "in_baseline"]].to_numpy().tolist() == [["ES", False], ["PAL", True]]


def test_every_figure_is_told_in_words_and_in_a_table(told: Told) -> None:
    page = _Reader(_text(told))
    figures = page.all("figure")
    assert len(figures) == 1 + 2 + 6 + 7
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    assert all({one["aria-labelledby"], one["aria-describedby"]} <= ids for one in figures)
    assert len(page.all("summary")) == len(figures)


def test_plotly_takes_every_figure_of_the_page(told: Told) -> None:
    data = re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', _text(told), re.DOTALL)
    assert len(data) == 16
    for _, text in data:
        go.Figure(json.loads(text))


def test_headings_are_in_order_and_ids_are_single(told: Told) -> None:
    page = _Reader(_text(told))
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert page.all("html")[0]["lang"] == "en-US"


def test_the_cone_is_drawn_with_its_model_and_range(told: Told) -> None:
    assert told.record.cone is not None
    assert "Hunt (1999)" in _text(told)
    assert "5000 (3000 to 8000)" in _text(told)
    assert [one.well for one in told.record.drawdowns] == ["MW-1", "MW-2", "MW-3", "MW-4", "MW-5"]
    assert all(one.low <= one.best <= one.high for one in told.record.drawdowns)


def test_every_stream_has_its_depletion_with_its_range_to_two_figures(told: Told) -> None:
    assert [one.stream for one in told.record.depletions] == [one.id for one in told.record.site.stream]
    assert all(0 < one.low <= one.best <= one.high for one in told.record.depletions)
    one = told.record.depletions[0]
    assert f"{one.low:.2g} to {one.high:.2g}" in _text(told)
    assert "each as if alone" in _text(told)


def test_base_flow_is_stepwise_where_it_is_monthly(told: Told) -> None:
    site = told.record.site
    signed = site.stream[0].base_flow[0]
    monthly = signed.model_copy(
        update={"value_cfs": None, "monthly_cfs": {f"{m:02d}": Decimal(5 + m) for m in range(1, 13)}}
    )
    stream = site.stream[0].model_copy(update={"base_flow": (monthly,)})
    steps = base_flow_steps(site.model_copy(update={"stream": (stream,)}), site.gauge[0], date(2025, 3, 15))
    assert list(steps) == [(date(2025, 1, 1), 6.0), (date(2025, 2, 1), 7.0), (date(2025, 3, 1), 8.0)]
    assert base_flow_steps(site, site.gauge[1], ON) == ()


# What it keeps


def _private_texts(folder: Path) -> Iterator[str]:
    """Every name, phone and address, and every exact coordinate in the forms a page could print."""
    private = tomllib.loads((folder / "households.toml").read_text(encoding="utf-8"))
    for home in private["household"]:
        yield from (home[key] for key in ("owner", "occupant", "phone", "address") if key in home)
    for well in private["well"]:
        for number in well["position"]:
            yield from (f"{number:.0f}", f"{number:,.0f}", f"{number:.1f}")


def test_no_household_is_in_any_file(told: Told) -> None:
    whole = b"\n".join(told.files[name] for name in FILES if not name.startswith("plotly")).decode()
    for text in _private_texts(told.folder):
        assert not re.search(rf"(?<![\d.]){re.escape(text)}(?![\d])", whole), text


def test_no_case_subject_no_parcel_and_no_makers_name_of_a_private_well(told: Told) -> None:
    text, site = _text(told), told.record.site
    hidden = [one.id for one in site.property] + [one.parcel for one in site.property]
    hidden += [name for one in site.wells("private") for name in (*one.identifiers, one.name)]
    for one in hidden:
        assert not re.search(rf"\b{re.escape(one)}\b", text), one
    assert "howard.remedy" not in text


def test_of_a_private_well_only_laboratory_results_are_measured(told: Told) -> None:
    rows = [[cell.text for cell in row] for row in public.findings_table(told.record).rows]
    quantity = [row for row in rows if row[0] == "Quantity of water in a private well"]
    assert quantity
    assert all(row[5:7] == [public.NOT_PUBLIC] * 2 and row[8] == public.NOT_PUBLIC for row in quantity)
    assert all("owner" not in cell.lower() for row in quantity for cell in row)


def test_the_reason_at_a_private_well_may_speak_of_its_place_and_is_not_told(told: Told) -> None:
    one = next(one for one in told.record.findings if one.rule == "howard.nr140.private")
    near = replace(one, verdict="needs_confirmation", reason="the well's position accuracy crosses the half-mile line")
    (row,) = public.findings_table(replace(told.record, findings=(near,))).rows
    assert "half-mile" not in " ".join(cell.text for cell in row)


def test_the_same_record_gives_the_same_bytes(told: Told) -> None:
    assert site_page(_record(told.folder)) == told.files


def test_an_earlier_day_is_told_as_it_was_known(told: Told) -> None:
    then = _record(told.folder, date(2025, 8, 1))
    days = {one.opened_on for one in then.findings if not one.information}
    assert max(days) <= date(2025, 8, 1)
    assert not [one for one in then.deadlines if one.case.startswith("howard.remedy")]
    # Withdrawn on 2025-09-10, but known then.
    assert [one for one in then.findings if one.station == "LMC-1" and one.opened_on == date(2025, 7, 13)]


# Written whole or not at all


def test_the_command_writes_the_folder(told: Told, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "www"
    arguments = ["report", "site", "--site", str(told.folder), "--as-of", "2025-09-08", "--json"]
    for extra in (["--out", str(out)], ["--out", str(out)], []):
        assert cli.run([*arguments, *extra]) == 0
    assert {one.name: one.read_bytes() for one in out.iterdir()} == told.files
    assert (told.folder / "public" / PAGE).read_bytes() == told.files[PAGE]
    said = json.loads(capsys.readouterr().out.partition("}\n{")[0] + "}")
    assert said["as_of"] == "2025-09-08"
    assert said["known_at"] == "2025-09-09T05:00:00Z"
    shutil.rmtree(told.folder / "public")


def test_a_folder_of_others_is_not_touched(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["report", "site", "--site", str(told.folder), "--as-of", "2025-09-08", "--out", str(told.folder)]
    assert cli.run(arguments) == 2
    assert "holds files of others" in capsys.readouterr().err
    assert (told.folder / "site.toml").exists()


def test_a_write_that_fails_leaves_the_old_page(tmp_path: Path) -> None:
    out = tmp_path / "public"
    replace_folder(out, {"index.html": b"old"})
    with pytest.raises(OSError):  # noqa: PT011 the second name cannot be a file
        replace_folder(out, {"index.html": b"new", "no/such": b""})
    assert (out / "index.html").read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["public"]


def test_a_run_killed_between_the_renames_is_made_good(tmp_path: Path) -> None:
    out, old = tmp_path / "public", tmp_path / ".public.old"
    replace_folder(out, {"index.html": b"old"})
    out.rename(old)
    with pytest.raises(BadQuestion):
        replace_folder(out, {"other.html": b""})
    assert (out / "index.html").read_bytes() == b"old"
    replace_folder(out, {"index.html": b"new"})
    assert [one.name for one in tmp_path.iterdir()] == ["public"]


# Hostile names


def _hostile(record: SiteRecord) -> SiteRecord:
    """The sample site with a hostile text wherever a person types one."""
    site = record.site
    gauges = tuple(
        one.model_copy(update={"name": name}) for one, name in zip(site.gauge, (SCRIPT, FORMULA), strict=True)
    )
    wells = tuple(
        one.model_copy(update={"name": BACKWARDS if one.id == "MW-1" else LONG, "quarter_quarter": UPWARDS})
        for one in site.well
    )
    stream = site.stream[0].model_copy(update={"name": SCRIPT + "%{x}"})
    parties = tuple(one.model_copy(update={"name": f"{SCRIPT} {one.role} {LONG}"}) for one in site.party)
    permit = site.permit.model_copy(update={"number": UPWARDS + SCRIPT})
    update: dict[str, Any] = {
        "name": f"{BACKWARDS} {SCRIPT} {LONG}", "gauge": gauges, "well": wells, "stream": (stream,), "party": parties,
        "permit": permit,
    }  # fmt: skip
    hostile = site.model_copy(update=update)
    return replace(
        record, site=hostile, findings=tuple(_hostile_finding(one) for one in record.findings),
        streams=[replace(one, gauge=gauge) for one, gauge in zip(record.streams, gauges, strict=True)],
        wells=[replace(one, well=well) for one, well in zip(record.wells, wells, strict=True)],
        stations=[replace(one, name=SCRIPT + LONG) for one in record.stations],
    )  # fmt: skip


def _hostile_finding(one: Finding) -> Finding:
    return replace(one, measured=SCRIPT, limit=FORMULA, reason=f"</td></table>{LONG}", aspect="</script><img src=x>")


@pytest.fixture(scope="module")
def hostile(told: Told) -> Told:
    record = _hostile(told.record)
    return Told(told.folder, record, site_page(record))


def test_hostile_names_are_text(hostile: Told) -> None:
    page = _Reader(_text(hostile))
    assert [one.get("src") or one.get("type") for one in page.all("script")][:2] == ["plotly.min.js", "site.js"]
    assert {one.get("type") for one in page.all("script")[2:]} == {"application/json"}
    assert not page.all("img")
    cells = [cell for row in page.rows for cell in row]
    for text in (SCRIPT, FORMULA):
        assert text in cells
    assert any(BACKWARDS in cell or LONG in cell for cell in cells)


def test_a_hostile_name_never_names_a_file(hostile: Told) -> None:
    assert tuple(hostile.files) == FILES


# A real browser


@dataclass
class Seen:
    """What a browser met."""

    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    named = os.environ.get("HEADWATER_CHROMIUM")
    path = next((found for name in ([named] if named else BROWSERS) if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium on this machine; set HEADWATER_CHROMIUM")
    root = ["--no-sandbox"] if sys.platform == "linux" and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=root)
        yield chromium
        chromium.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def written(told: Told, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "public"
    replace_folder(folder, told.files)
    return folder


@pytest.fixture(scope="module")
def file_address(written: Path) -> str:
    return (written / PAGE).as_uri()


@pytest.fixture(scope="module", params=["file", "http"])
def address(request: pytest.FixtureRequest, written: Path, file_address: str) -> Iterator[str]:
    if request.param == "file":
        yield file_address
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(written)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def _open(browser: Browser, address: str, width: int) -> tuple[Page, Seen]:
    phone = width < 600
    page = browser.new_page(viewport={"width": width, "height": 844}, has_touch=phone, is_mobile=phone)
    seen = Seen()
    page.on("console", lambda one: seen.console.append(f"{one.type}: {one.text}"))
    page.on("pageerror", lambda one: seen.console.append(f"error: {one}"))
    page.on("request", lambda one: seen.requests.append(one.url))
    page.on("dialog", lambda one: (seen.dialogs.append(one.message), one.dismiss()))
    page.goto(address)
    page.evaluate("window.drawAll()")
    return page, seen


WIDTHS = pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])


@WIDTHS
def test_a_browser_draws_the_page(browser: Browser, address: str, width: int) -> None:
    page, seen = _open(browser, address, width)
    assert not [line for line in seen.console if line.startswith("error")]
    base = address.rpartition("/")[0] + "/"
    assert all(url.startswith((base, "data:")) for url in seen.requests), seen.requests
    assert {url.removeprefix(base) for url in seen.requests} >= {"site.css", "site.js", "plotly.min.js"}
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    drawn = page.evaluate("""[...document.querySelectorAll('.plot')].map(one =>
        [one.querySelectorAll('svg.main-svg').length > 0, one.querySelectorAll('.trace, .contour').length])""")
    assert len(drawn) == 16
    assert all(has_svg and traces for has_svg, traces in drawn)
    page.close()


@WIDTHS
def test_axe_finds_nothing_serious(browser: Browser, file_address: str, width: int) -> None:
    page, _ = _open(browser, file_address, width)
    found = Axe().run(page).response["violations"]
    grave = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in {"serious", "critical"}]
    assert not grave
    page.close()


def test_policy_forbids_what_the_page_does_not_need(browser: Browser, address: str) -> None:
    page, seen = _open(browser, address, 1280)
    policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content") or ""
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe-inline" not in policy.partition("script-src")[2].partition(";")[0]
    page.evaluate("""() => { const one = document.createElement('script'); one.textContent = 'window.ran = 1';
        document.body.append(one); }""")
    assert page.evaluate("window.ran") is None
    assert any("Content Security Policy" in line for line in seen.console)
    page.close()


def test_zoom_works_from_the_keyboard(browser: Browser, file_address: str) -> None:
    page, _ = _open(browser, file_address, 1280)
    before = page.evaluate("document.querySelector('#stream-1-plot').layout.xaxis.range")
    button = page.locator("#stream-1 button", has_text="90 days")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#stream-1 output').textContent.length > 0")
    after = page.evaluate("document.querySelector('#stream-1-plot').layout.xaxis.range")
    span = pd.Timestamp(after[1]) - pd.Timestamp(after[0])
    assert abs(span - pd.Timedelta(days=90)) < pd.Timedelta(days=1)
    page.locator("#stream-1 button", has_text="All").press("Enter")
    page.wait_for_function("([a]) => document.querySelector('#stream-1-plot').layout.xaxis.range[0] === a", arg=before)
    page.locator("#map button", has_text="Everything").press("Enter")
    page.wait_for_function("document.querySelector('#map-plot').layout.xaxis.range[0] < 140000")
    page.close()


def test_the_first_tab_skips_to_the_content(browser: Browser, file_address: str) -> None:
    page, _ = _open(browser, file_address, 390)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.close()


@WIDTHS
def test_hostile_names_do_nothing_in_a_browser(browser: Browser, hostile: Told, tmp_path: Path, width: int) -> None:
    replace_folder(tmp_path / "public", hostile.files)
    page, seen = _open(browser, (tmp_path / "public" / PAGE).as_uri(), width)
    assert not seen.dialogs
    assert not [line for line in seen.console if line.startswith("error")]
    assert all(url.startswith("file:") for url in seen.requests)
    assert SCRIPT in page.locator("h1").inner_text()
    assert LONG in page.locator("h1").inner_text()
    assert SCRIPT in page.locator("#stream-1 h3").inner_text()
    assert BACKWARDS in page.locator("#groundwater").inner_text()
    assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
    page.close()


# Size


def test_a_record_without_anything_is_still_a_page(told: Told) -> None:
    bare = SiteRecord(told.record.site, told.record.law, told.record.policy, ON, ON, told.record.known_at)
    text = site_page(bare)[PAGE].decode()
    for words in ("No condition under the ordinance", "No clock is running", "No cone of depression", "No gauge has"):
        assert words in text


def test_a_gauge_without_a_value_has_no_figure(told: Told) -> None:
    empty = told.record.streams[0].frame.iloc[:0]
    record = replace(told.record, streams=[StreamRecord(told.record.streams[0].gauge, empty)])
    assert 'id="stream-1"' not in site_page(record)[PAGE].decode()


def test_a_well_that_left_the_site_file_is_told_as_a_private_one(told: Told) -> None:
    """Nobody knows any more what it was, so nothing that could place a household is told of it."""
    site = told.record.site
    gone = site.model_copy(update={"well": tuple(one for one in site.well if one.id != "PVT-1")})
    rows = public.findings_table(replace(told.record, site=gone)).rows
    quantity = [[cell.text for cell in one] for one in rows if one[0].text == "Quantity of water in a private well"]
    assert quantity
    assert not any("modelled" in cell or "hand reading" in cell for one in quantity for cell in one)


def test_of_private_wells_no_level_and_no_day_of_a_household_is_on_the_page(told: Told) -> None:
    assert "PVT-1: private well" not in told.files["index.html"].decode()
    rows = [[cell.text for cell in one] for one in public.findings_table(told.record).rows]
    periods = {one[4] for one in rows if one[0] == "Quantity of water in a private well"}
    assert set() < periods <= {"since 2025", "in 2025"}
