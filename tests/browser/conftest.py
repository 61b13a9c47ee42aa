"""A headless browser: the system's Chromium, driven by the tier's Playwright."""

import os
import shutil
import site
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server

PROGRAMS = Path(os.environ.get("PAGE_PROGRAMS", "/nonexistent"))
SIZES = {"screen": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser."""
    for folder in PROGRAMS.glob("python/lib/python3*/site-packages"):
        site.addsitedir(str(folder))
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- only the tier's environment has it

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "this tier needs Chromium: install your system's package chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-lcd-text"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Any, server: Server) -> Iterator[Any]:
    """A page whose console stays empty: no error of a script, and nothing that the content policy has stopped."""
    said: list[str] = []
    context = chromium.new_context(base_url=server.url, viewport=SIZES["screen"])
    found = context.new_page()
    found.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    found.on("pageerror", lambda error: said.append(str(error)))
    yield found
    context.close()
    assert said == []
