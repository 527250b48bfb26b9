"""The page in a real browser: it draws, answers, asks nothing of the network, runs nothing."""

import base64
from collections import namedtuple

import numpy as np
import pytest
from browsing import requested, show
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine, make_moons

from maxmargin import MaxMarginClustering, Report

HOSTILE = [
    "<script>window.hit = 1; alert(1)</script>",
    "</script><img src=x onerror='window.hit = 2'>",
    "<!--<script>",
    "a.b['c']\"\\",
    "{{ 7 * 7 }}",
    "image",
    "title",
    "datum.x || (window.hit = 3)",
    "é中🙂",
    "long " * 60,
]


Pages = namedtuple("Pages", "moons hostile many")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    paths = Pages(*(folder / f"{name}.html" for name in Pages._fields))
    X, y = make_moons(200, noise=0.08, random_state=0)
    model = MaxMarginClustering(2, effort="fast", random_state=0).fit(X)
    assert model.alternatives_
    Report(model, X, truth=y).save(paths.moons)

    data = load_wine(as_frame=True).data.iloc[:, : len(HOSTILE)]
    data.columns = HOSTILE
    model = MaxMarginClustering(3, effort="fast", random_state=0).fit(data)
    ids = [f'=HYPERLINK("http://x/{row}")<b onclick=alert(2)>' for row in range(len(data))]
    truth = np.where(np.arange(len(data)) < 60, "<i>a</i>", "b</script>")
    hostile = Report(model, data, ids=ids, truth=truth, title=HOSTILE[0], warnings=HOSTILE)
    hostile.save(paths.hostile)

    X = np.random.default_rng(0).normal(size=(3000, 6))
    Report(KMeans(12, n_init=1, random_state=0).fit(X), X).save(paths.many)
    return paths


def open_page(browser, path, *, width=1280, scheme="light"):
    show(browser, path.as_uri(), width=width, scheme=scheme)
    wait(browser, lambda b: b.execute_script("return document.body.classList.contains('drawn')"))


def wait(browser, condition):
    return WebDriverWait(browser, 10, poll_frequency=0.05).until(condition)


def to_middle(browser, element):
    """Scroll first: a page that scrolls hides what it says about a mark."""
    browser.execute_async_script(
        "arguments[0].scrollIntoView({block: 'center'});"
        "requestAnimationFrame(() => requestAnimationFrame(arguments[1]))",
        element,
    )


def visible_charts(browser):
    places = browser.find_elements(By.CSS_SELECTOR, ".chart")
    return [place for place in places if place.is_displayed()]


def opacities(browser, name):
    """How strongly each mark of a view is drawn."""
    return browser.execute_script(
        "return [...document.querySelectorAll(`[data-chart='${arguments[0]}'] "
        ".mark-symbol path`)].map(p => Number(p.getAttribute('opacity') ?? 1))",
        name,
    )


@pytest.mark.parametrize("name", Pages._fields)
def test_every_chart_is_drawn_and_nothing_else_happens(browser, pages, name):
    path = getattr(pages, name)
    open_page(browser, path)
    charts = visible_charts(browser)
    assert len(charts) >= 2
    for chart in charts:
        marks = chart.find_elements(By.CSS_SELECTOR, "svg .role-mark path, svg .role-mark line")
        assert marks
        svg = chart.find_element(By.CSS_SELECTOR, "svg")
        assert svg.size["width"] > 200
        assert len(svg.get_attribute("aria-label") or chart.accessible_name) > 20
    assert browser.get_log("browser") == []
    assert set(requested(browser)) <= {path.as_uri()}


def test_hostile_names_do_nothing_and_are_shown_as_they_are(browser, pages):
    open_page(browser, pages.hostile)
    for radio in browser.find_elements(By.CSS_SELECTOR, "#switch input"):
        radio.click()
    view = visible_charts(browser)[0]
    wait(browser, lambda b: view.find_elements(By.CSS_SELECTOR, ".mark-symbol path"))
    to_middle(browser, view)
    mark = view.find_elements(By.CSS_SELECTOR, ".mark-symbol path")[-1]  # nothing lies over it
    ActionChains(browser).move_to_element(mark).perform()
    tip = wait(browser, lambda b: b.find_element(By.ID, "tip").text)
    assert '=HYPERLINK("http://x/' in tip
    assert "<b onclick=alert(2)>" in tip
    assert "cluster" in tip
    assert "margin" in tip
    assert "membership" in tip
    assert browser.title == HOSTILE[0]
    assert browser.find_element(By.TAG_NAME, "h1").text == HOSTILE[0]
    assert browser.execute_script("return window.hit") is None
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0
    assert browser.find_elements(By.CSS_SELECTOR, "#tip b, td b, td i, th i") == []


def test_a_script_from_elsewhere_would_not_run(browser, pages):
    open_page(browser, pages.hostile)
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hit = 4';"
        "document.body.append(s);"
    )
    assert browser.execute_script("return window.hit") is None


def test_the_switch_works_by_keyboard(browser, pages):
    open_page(browser, pages.moons)
    colours = (
        "return [...document.querySelectorAll('.partition:not([hidden]) .pair .mark-symbol path')]"
        ".map(p => p.getAttribute('fill'))"
    )
    before = browser.execute_script(colours)
    assert browser.find_elements(By.CSS_SELECTOR, ".changes")
    assert not any(c.is_displayed() for c in browser.find_elements(By.CSS_SELECTOR, ".changes"))
    radio = browser.find_element(By.CSS_SELECTOR, "#switch input")
    radio.send_keys(Keys.ARROW_DOWN)
    wait(browser, lambda b: len(b.execute_script(colours)) == len(before))
    changes = [c for c in browser.find_elements(By.CSS_SELECTOR, ".changes") if c.is_displayed()]
    assert "of 200 rows move" in changes[0].text
    assert browser.execute_script(colours) != before
    radio.click()
    wait(browser, lambda b: b.execute_script(colours) == before)


def test_a_cluster_is_highlighted_by_its_button_and_by_its_bar(browser, pages):
    open_page(browser, pages.moons)
    button = browser.find_element(By.CSS_SELECTOR, ".keys button[data-cluster='1']")
    n = int(button.text.split()[-1])
    faded = lambda: sum(o < 0.5 for o in opacities(browser, "features-0-0"))  # noqa: E731
    assert faded() == 0
    button.send_keys(Keys.SPACE)
    wait(browser, lambda b: faded() == 200 - n)
    assert sum(o < 0.5 for o in opacities(browser, "discriminant-0-0")) == 200 - n
    assert button.get_attribute("aria-pressed") == "true"
    status = browser.find_element(By.CSS_SELECTOR, ".status")
    assert f"{n} of 200 drawn rows" in status.text
    button.send_keys(Keys.ESCAPE)
    wait(browser, lambda b: faded() == 0)
    bars = browser.find_elements(By.CSS_SELECTOR, "[data-chart='sizes-0-0'] .mark-rect path")
    to_middle(browser, bars[0])
    ActionChains(browser).move_to_element(bars[0]).click().perform()
    wait(browser, lambda b: faded() == n)


def test_a_box_in_one_view_highlights_the_same_rows_in_the_other(browser, pages):
    open_page(browser, pages.moons)
    view = browser.find_element(By.CSS_SELECTOR, "[data-chart='discriminant-0-0'] svg")
    to_middle(browser, view)
    half = view.size["width"] // 2
    drag = ActionChains(browser, duration=30).move_to_element_with_offset(view, 40, -140)
    drag.click_and_hold().move_by_offset(half - 60, 120).move_by_offset(0, 120).release().perform()
    strong = lambda name: [o > 0.5 for o in opacities(browser, name)]  # noqa: E731
    wait(browser, lambda b: 0 < sum(strong("features-0-0")) < 200)
    assert strong("features-0-0") == strong("discriminant-0-0")
    assert "drawn rows are highlighted" in browser.find_element(By.CSS_SELECTOR, ".status").text
    browser.find_element(By.CSS_SELECTOR, ".clear").click()
    wait(browser, lambda b: all(strong("features-0-0")) and all(strong("discriminant-0-0")))


def test_tables_open_by_keyboard(browser, pages):
    open_page(browser, pages.moons)
    details = [d for d in browser.find_elements(By.CSS_SELECTOR, "details") if d.is_displayed()]
    assert len(details) >= 5
    for key, one in zip((Keys.ENTER, Keys.SPACE), details, strict=False):
        assert not one.find_element(By.CSS_SELECTOR, "table").is_displayed()
        one.find_element(By.CSS_SELECTOR, "summary").send_keys(key)
        assert one.find_element(By.CSS_SELECTOR, "tbody tr").is_displayed()
    reached = set()
    for _ in range(14):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        reached.add(browser.switch_to.active_element.tag_name)
    assert {"summary", "button", "input"} <= reached


def test_dark_mode_follows_the_system(browser, pages):
    colours = (
        "const style = (e) => getComputedStyle(e); return [style(document.body).backgroundColor, "
        "style(document.body).color, style(document.querySelector('.chart svg text')).fill]"
    )
    open_page(browser, pages.moons)
    light = browser.execute_script(colours)
    dark_media = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark_media)  # while it is open
    dark = browser.execute_script(colours)
    brightness = [sum(map(int, text[4:-1].split(","))) for text in (*light, *dark)]
    paper, ink, chart, dark_paper, dark_ink, dark_chart = brightness
    assert paper > 700
    assert max(ink, chart) < 150
    assert dark_paper < 150
    assert min(dark_ink, dark_chart) > 600


@pytest.mark.parametrize("name", Pages._fields)
def test_a_narrow_screen_needs_no_sideways_scrolling(browser, pages, name):
    open_page(browser, getattr(pages, name), width=360)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
    for chart in visible_charts(browser):
        right = browser.execute_script(
            "return arguments[0].querySelector('svg').getBoundingClientRect().right", chart
        )
        assert right <= 361


def test_it_prints(browser, pages):
    open_page(browser, pages.moons)
    pdf = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert base64.b64decode(pdf["data"]).startswith(b"%PDF")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not any(d.is_displayed() for d in browser.find_elements(By.CSS_SELECTOR, "details"))
    assert all(chart.is_displayed() for chart in visible_charts(browser))


def test_without_scripts_the_answer_can_be_read(browser, pages):
    # Selenium's own questions are scripts: ask the browser for what a screen reader gets.
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.execute_cdp_cmd("Page.navigate", {"url": pages.moons.as_uri()})
        text = wait(browser, lambda b: "Made by maxmargin" in spoken(b) and spoken(b))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert "found 2 clusters in 200 rows" in text
    assert "need JavaScript" in text
    assert "The least certain rows" in text
    assert "What changes" not in text


def spoken(browser):
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return " ".join(str(node.get("name", {}).get("value", "")) for node in nodes)
