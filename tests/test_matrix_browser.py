"""The site of the matrix in a real browser: it opens, leads to scripts and pages, and asks nobody for anything."""

from contextlib import contextmanager

import pytest

from grading.across.matrix import write
from tests.html_class import HOSTILE
from tests.matrix_runs import JUDGED, hostile_report, made, report_of
from tests.test_html_browser import CONTRAST, DESKTOP, PHONE, api, browser, shown, until_shut, until_titled

__all__ = ["browser"]
PAGES = ("index.html", "index.html#s1/CUT-04", "harnesses/chen-1.0/index.html", "properties/CUT-04.html")


@pytest.fixture
def opened(browser, tmp_path):
    """A function that opens a page of the site of some reports; in the end only the site was asked."""
    site = tmp_path / "site"
    asked, said = [], []

    @contextmanager
    def show(reports, place="index.html", **how):
        write(made(tmp_path, *reports), site)
        context = browser.new_context(**{"viewport": DESKTOP, **how})
        context.on("request", lambda request: asked.append(request.url))
        tab = context.new_page()
        tab.set_default_timeout(20_000)
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.on("dialog", lambda dialog: said.append(f"dialog {dialog.message}"))
        tab.goto(f"{site.as_uri()}/{place}")
        try:
            yield tab
        finally:
            context.close()

    yield show
    assert not said
    assert all(url.startswith(f"{site.as_uri()}/") for url in asked)


def reports():
    """The graded class as harnesses."""
    return [report_of(result) for result in JUDGED]


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_every_kind_of_page_is_readable(opened, size, scheme):
    """Styled, no wider than the screen, every text with enough contrast."""
    with opened(reports(), viewport=size, color_scheme=scheme) as tab:
        root = tab.url.rpartition("/")[0]
        for place in PAGES:
            tab.goto(f"{root}/{place}")
            assert tab.evaluate("getComputedStyle(document.body).margin") == "0px"
            assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert not [found for found in tab.evaluate(CONTRAST) if found[1] < 4.5]


def test_a_cell_is_one_click_from_its_script(opened):
    """A click on a failure opens the harness at the finding: drawn, with the script and the command."""
    with opened(reports()) as tab:
        assert tab.locator("#matrix thead button").first.inner_text().startswith("harness")
        tab.locator("#matrix tr", has_text="chen").locator("td.f").click()
        finding = tab.locator("#panel .finding.aim")
        assert "Cut('1\\n', 1000000)" in finding.inner_text()
        command = finding.locator(".again pre").inner_text()
        assert command == "harness-props replay harnesses/chen-1.0/counterexample-CUT-04.json --target adapter:chen"
        assert "points" not in tab.locator("#panel").inner_text()
        tab.keyboard.press("Escape")
        until_shut(tab)
        tab.locator("#by-property").select_option("CUT-04")
        assert shown(tab) == ["chen 1.0", "fatou 1.0"]
        assert tab.locator("#shown").inner_text() == f"2 of {len(JUDGED)} harnesses"


def test_the_peek_speaks_of_harnesses(opened):
    """Cells and headings say what they stand for, without points."""
    with opened(reports()) as tab:
        tab.locator("#matrix tr", has_text="chen").locator("td.f").hover()
        api.expect(tab.locator("#peek")).to_contain_text("chen 1.0 · CUT-04 fails At most max_lines")
        tab.locator("#matrix thead").get_by_role("button", name="CUT-04").hover()
        api.expect(tab.locator("#peek")).to_contain_text("fails for 2 harnesses")


def test_pages_lead_to_each_other(opened):
    """From the panel to the property, from there to the harness, and back into the matrix."""
    with opened(reports(), "index.html#s1/CUT-04") as tab:
        tab.locator("#panel .finding.aim h3 a").click()
        tab.wait_for_url("**/properties/CUT-04.html")
        tab.locator("summary").first.click()
        api.expect(tab.locator("details[open] pre").first).to_contain_text("Cut('1\\n', 1000000)")
        tab.get_by_role("link", name="chen 1.0").click()
        tab.wait_for_url("**/harnesses/chen-1.0/index.html#CUT-04")
        assert tab.locator(".finding:target pre").first.inner_text() == "Cut('1\\n', 1000000)"
        tab.locator(".finding:target").get_by_role("link", name="Drawn, in the matrix").click()
        until_titled(tab, "chen 1.0")


def test_without_javascript_every_page_can_be_reached(opened):
    """The rows and the lists lead to pages that need none."""
    with opened(reports(), java_script_enabled=False) as tab:
        assert "need JavaScript" in tab.locator("main").inner_text()
        tab.locator("#matrix tbody th a", has_text="chen").click()
        tab.wait_for_url("**/harnesses/chen-1.0/index.html")
        assert tab.locator(".finding pre").first.inner_text() == "Cut('1\\n', 1000000)"


def test_what_a_report_holds_does_nothing(opened):
    """Markup and scripts in every place a harness has a say in are letters on the screen, on every page."""
    with opened([hostile_report(text) for text in HOSTILE]) as tab:
        root = tab.url.rpartition("/")[0]
        for number in range(len(HOSTILE)):
            tab.evaluate("number => { location.hash = `#s${number}`; }", number)
            tab.locator("#panel .finding").first.wait_for()
        pages = tab.locator(".list tbody a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
        names = tab.locator(".list tbody a").all_inner_texts()
        assert any("<script>window.hit = 1</script>" in name for name in names)
        assert tab.evaluate("window.hit") is None
        for page in [*pages, "properties/LOOP-03.html"]:
            tab.goto(f"{root}/{page}")
            tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
            assert tab.evaluate("window.hit") is None
            assert tab.locator("img, iframe, script, svg:not([role=img])").count() == 0


def test_a_badge_is_a_picture(opened):
    """The file of a badge opens by itself."""
    with opened(reports(), "badges/chen-1.0.svg") as tab:
        assert tab.locator("title").text_content().startswith("chen 1.0: 8 hold, 1 fail")
