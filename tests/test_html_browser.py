"""The class report in a real browser: it opens, sorts, filters, shows, and asks nobody for anything."""

import os
import shutil
from contextlib import contextmanager

import pytest

from grading.html.page import page as written
from tests.html_class import HOSTILE, SAMPLE, copies, hostile, named

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FOUND = os.environ.get("HARNESS_PROPS_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
if FOUND is None:
    pytest.skip("no Chromium here: apt-get install chromium, or name one in HARNESS_PROPS_BROWSER",
                allow_module_level=True)  # fmt: skip
api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install -e '.[dev]'")
api.expect.set_options(timeout=20_000)

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
CONTRAST = """() => {
  const light = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const parts = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll(".cell, h1, h2, .small, a, .tiles b, .tiles span, .law, .message, .chip, .hint,"
    + ".seen, .badge, .words, .cut td, .problem, #matrix th button, label, .where, .tag, .worth")].filter((e) => e.checkVisibility())
    .map((e) => { const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))];
      return [e.className + " " + e.textContent.slice(0, 30), (Math.max(a, b) + .05) / (Math.min(a, b) + .05)]; });
}"""


@pytest.fixture(scope="module")
def browser():
    """One browser for all tests of this file."""
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=FOUND)
        yield started
        started.close()


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens the report of some results; in the end nothing was asked of anybody."""
    file = tmp_path / "index.html"
    asked, said = [], []

    @contextmanager
    def show(results, place="", **how):
        file.write_text(written(results), encoding="utf-8")
        context = browser.new_context(**{"viewport": DESKTOP, **how})
        context.on("request", lambda request: asked.append(request.url))
        tab = context.new_page()
        tab.set_default_timeout(20_000)
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}"))
        tab.goto(file.as_uri() + place)
        try:
            yield tab
        finally:
            context.close()

    yield show
    assert not said
    assert {url.partition("#")[0] for url in asked} == {file.as_uri()}


def shown(tab):
    """The students whose rows are shown, in their order."""
    return tab.locator("#matrix tbody tr:visible th").all_inner_texts()


def until_all_are_shown(tab, count):
    """Wait for the page to show so many rows: it filters anew only after a form was reset."""
    api.expect(tab.locator("#matrix tbody tr:visible")).to_have_count(count)


def until_titled(tab, name):
    """Wait for the panel of this student: a page learns of its own address after a click."""
    api.expect(tab.locator("#panel-title")).to_have_text(name)


def until_shut(tab):
    """Wait for the panel to be shut and the focus to be back, which the page sees to after the key."""
    tab.wait_for_function("location.hash === ''")
    tab.locator("#panel").wait_for(state="hidden")


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_it_opens_and_is_readable(opened, size, scheme):
    """No wider than the screen, every text with enough contrast, with and without a panel."""
    with opened(SAMPLE, viewport=size, color_scheme=scheme) as tab:
        for place in ("", "#s3/LOOP-03", "#s1/CUT-04"):
            tab.evaluate("place => { location.hash = place; }", place)
            if place:
                tab.locator("#panel[open] .finding.aim").wait_for()
            assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
            low = [found for found in tab.evaluate(CONTRAST) if found[1] < 4.5]
            assert not low


def test_headings_sort(opened):
    """By points, by failures and by a property, both ways, and the heading says which."""
    with opened(SAMPLE) as tab:
        everybody = [r.student for r in SAMPLE]
        assert shown(tab) == everybody
        points = tab.get_by_role("button", name="points")
        points.click()
        assert shown(tab)[:2] == ["ivo", "jana"]
        assert points.locator("..").get_attribute("aria-sort") == "ascending"
        points.click()
        assert shown(tab)[0] == "ada"
        assert points.locator("..").get_attribute("aria-sort") == "descending"
        assert tab.locator("[aria-sort=ascending], [aria-sort=descending]").count() == 1
        tab.locator("#matrix thead").get_by_role("button", name="CUT-04").click()
        assert shown(tab)[:2] == ["chen", "fatou"]
        tab.get_by_role("button", name="student", exact=True).click()
        assert shown(tab) == everybody


def test_rows_and_columns_are_filtered(opened):
    """By a part of the name, by a verdict, by a verdict of one property; columns by chapter."""
    with opened(SAMPLE) as tab:
        tab.locator("#by-name").fill("A")
        assert shown(tab) == ["ada", "dora", "fatou", "grace", "jana"]
        tab.locator("#by-verdict").select_option("fails")
        assert shown(tab) == ["dora", "fatou", "grace"]
        assert tab.locator("#shown").inner_text() == "3 of 8 students"
        tab.get_by_role("button", name="Reset").click()
        until_all_are_shown(tab, 8)
        tab.locator("#by-property").select_option("LOOP-03")
        assert shown(tab) == ["emil"]
        tab.get_by_role("button", name="Reset").click()
        until_all_are_shown(tab, 8)
        tab.locator("#by-chapter").select_option("where something fails")
        heads = tab.locator("#matrix thead .col:visible button")
        assert [h.get_attribute("aria-label") for h in heads.all()] == ["LOOP-03", "TOOL-01", "CUT-01", "CUT-04"]
        assert tab.locator("#matrix tbody tr").nth(1).locator("td.f:visible, td.h:visible, td.r:visible").count() == 4
        assert tab.locator("#matrix tbody .problem").first.get_attribute("colspan") == "4"


def test_what_fails_most_leads_to_its_students(opened):
    """The button of a property filters the matrix."""
    with opened(SAMPLE) as tab:
        tab.locator("[data-fails=CUT-04]").click()
        assert shown(tab) == ["chen", "fatou"]


def test_a_cell_leads_to_its_counterexample(opened):
    """A click opens the student's panel at the finding: drawn, with the script and the command."""
    with opened(SAMPLE) as tab:
        cell = tab.locator("#matrix tr", has_text="emil").locator("td.f")
        cell.click()
        finding = tab.locator("#panel .finding.aim")
        assert finding.locator("h3").inner_text().startswith("× fails")
        assert finding.locator(".ev.bad .chip.M").inner_text() == "R(c2)"
        assert "Conversation((Prompt(replies=(" in finding.inner_text()
        command = finding.locator(".again pre").inner_text()
        assert command == ("harness-props replay submissions/emil/counterexample-LOOP-03.json"
                           " --target SUBMISSIONS/emil.py")  # fmt: skip
        assert tab.evaluate("location.hash") == "#s3/LOOP-03"
        tab.keyboard.press("Escape")
        until_shut(tab)
        assert cell.evaluate("cell => cell === document.activeElement")
        assert tab.evaluate("location.hash") == ""


def test_the_page_of_a_cut_shows_its_lines(opened):
    """Where the budget ends and where the harness cut are rows of their own, in the right places."""
    with opened(SAMPLE, "#s1/CUT-04") as tab:
        rows = tab.locator("#panel .finding.aim .sheet tbody tr")
        assert rows.evaluate_all("rows => rows.map((row) => row.className)") == ["cut fits", "", "cut kept"]


def test_the_keyboard_is_enough(opened):
    """Tab reaches the matrix once, arrows move in it, Enter opens, Escape brings back."""
    with opened(SAMPLE) as tab:
        tab.locator("#by-chapter").focus()
        stops = 0
        while not tab.evaluate("document.activeElement.matches('#matrix tbody *')"):
            tab.keyboard.press("Tab")
            stops += 1
            assert stops < 30
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "End", "Home", *["ArrowRight"] * 4):
            tab.keyboard.press(key)
        assert tab.locator("#peek").inner_text().startswith("× emil · LOOP-03 fails, 0 of 1 points")
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        tab.keyboard.press("Enter")
        assert tab.locator("#panel .finding.aim h3").inner_text().startswith("× fails")
        assert tab.evaluate("document.getElementById('panel').contains(document.activeElement)")
        tab.keyboard.press("Escape")
        until_shut(tab)
        assert tab.evaluate("document.activeElement.matches('#matrix td.f')")
        tab.locator("#matrix thead .col button").nth(1).focus()
        assert tab.locator("#peek").inner_text().endswith("tier course; fails for 1 student")
        tab.locator("#matrix td.f").nth(0).focus()
        tab.keyboard.press("Tab")
        assert not tab.evaluate("document.activeElement.matches('#matrix tbody *')")


def test_an_address_opens_a_student_and_back_closes(opened):
    """Places in the page can be passed on; the buttons go through the rows as they are shown."""
    with opened(SAMPLE) as tab:
        tab.locator("#clusters .name", has_text="fatou").click()
        until_titled(tab, "fatou")
        tab.get_by_role("button", name="The student after").click()
        until_titled(tab, "grace")
        tab.go_back()
        tab.locator("#panel").wait_for(state="hidden")
        assert len(shown(tab)) == 8
    with opened(SAMPLE, "#s7") as tab:
        assert "killed by SIGKILL" in tab.locator("#panel").inner_text()
        assert tab.get_by_role("button", name="The student after").is_disabled()


def test_what_students_wrote_does_nothing(opened):
    """Markup and scripts in every place a student has a say in are letters on the screen."""
    with opened([hostile(text) for text in HOSTILE]) as tab:
        for number in range(len(HOSTILE)):
            tab.evaluate("number => { location.hash = `#s${number}`; }", number)
            tab.locator("#panel .finding").first.wait_for()
            tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert tab.evaluate("window.hit") is None
        assert tab.locator("img, iframe, #panel svg, #panel script").count() == 0
        names = tab.locator("#matrix tbody th").all_inner_texts()
        assert "<script>window.hit = 1</script>" in names
        assert "\\u202egnp.exe\\u202c \\u2066x\\u2069" in names


def test_the_policy_holds(browser, tmp_path):
    """Even markup that found its way into the page could neither run nor load anything."""
    file = tmp_path / "index.html"
    text = written([named("ada")])
    planted = "<script>window.hit = 1</script><img src='http://127.0.0.1:9/x'><p onclick='hit()' style='color:red'>"
    file.write_text(text.replace("<main>", f"<main>{planted}"), encoding="utf-8")
    context = browser.new_context()
    asked, said = [], []
    context.on("requestfinished", lambda request: asked.append(request.url))
    tab = context.new_page()
    tab.on("console", lambda message: said.append(message.text))
    tab.goto(file.as_uri())
    assert tab.evaluate("window.hit") is None
    assert asked == [file.as_uri()]
    assert sum("Content Security Policy" in line for line in said) >= 3
    assert "TrustedHTML" in tab.evaluate("try { document.body.innerHTML = 'x' } catch (e) { String(e) }")
    context.close()


def test_without_javascript_the_class_is_still_there(opened):
    """Matrix, plots and clusters are in the page; a notice says what is not."""
    with opened(SAMPLE, java_script_enabled=False) as tab:
        assert len(shown(tab)) == 8
        assert "need JavaScript" in tab.locator("main").inner_text()


@pytest.mark.parametrize("results", [[], [named("ada")], [named("ivo")]])
def test_small_classes_open(opened, results):
    """Nobody, one without a fault, one unusable."""
    with opened(results) as tab:
        assert len(shown(tab)) == len(results)
        if results:
            tab.locator("#matrix tbody th a").click()
            until_titled(tab, results[0].student)


def test_a_large_class_stays_usable(opened):
    """300 students: it sorts, filters and opens a panel; panels are made when they are opened."""
    with opened(copies(300, apart=True)) as tab:
        assert tab.locator(".finding").count() == 0
        tab.get_by_role("button", name="fail", exact=True).click()
        tab.locator("#by-name").fill("emil 29")
        assert shown(tab) == ["emil 291", "emil 299"]
        tab.locator("#matrix td.f:visible").first.click()
        api.expect(tab.locator("#panel .finding.aim")).to_have_count(1)
