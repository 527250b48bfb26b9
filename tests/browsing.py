"""Chromium without a window: pages from the file system, what they ask for, what they log."""

import json
import shutil
from contextlib import contextmanager

import pytest

OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
]


@contextmanager
def chromium(profile):
    """A browser with a new profile; a test that asks for one is skipped where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver")
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (binary and driver):
        pytest.skip("needs chromium and chromedriver on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in [*OPTIONS, f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=webdriver.ChromeService(driver), options=options)
    browser.set_page_load_timeout(20)
    browser.set_script_timeout(20)
    yield browser
    browser.quit()


def show(browser, address, *, width=1280, scheme="light"):
    """Open a page in a window of this width, and forget what earlier pages left in the logs."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"media": "", "features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(address)


def requested(browser):
    """The addresses that the page has asked for."""
    messages = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    return [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
