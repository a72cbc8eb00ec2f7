"""The lessons in JupyterLab itself, on the Chromium of this machine; skipped where there is none.

To have it: `pip install -e .[browser]`, and Chromium from the system's packages.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress

import pytest
from lesson_files import STUDENT, read

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser test")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: no browser test"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PANEL = "window.jupyterapp.shell.currentWidget"
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "docmanager-extension/plugin": {"autosave": False},
}
OPENED = "() => window.jupyterapp?.shell.currentWidget?.content?.model?.cells?.length > 0"
ENDED = f"""() => {{
  const code = Array.from({PANEL}.content.model.cells).filter(c => c.type === 'code');
  const failed = code.some(c => c.outputs.toJSON().some(o => o.output_type === 'error'));
  return {PANEL}.sessionContext.session?.kernel?.status === 'idle'
    && (failed || code.every(c => c.executionCount !== null)); }}"""
# What a code cell shows: whether a placeholder stands for its outputs, and how they end.
CELLS = f"""() => Array.from({PANEL}.content.widgets).filter(w => w.model.type === 'code').map(w => ({{
  id: w.model.id, hidden: w.outputHidden, source: w.model.sharedModel.getSource(),
  outputs: w.model.outputs.toJSON()}}))"""
# Lines of code, tables and boxes that are wider than the page, and formulas where none is meant.
FAULTS = """() => ({
  formulas: document.querySelectorAll('.jp-Notebook mjx-container').length,
  wide: Array.from(document.querySelectorAll('.jp-Notebook .jp-OutputArea-output, .jp-Notebook .cm-scroller,'
    + '.jp-Notebook .jp-MarkdownOutput')).filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 2)
    .map(e => e.innerText.slice(0, 80))})"""
# The contrast of the text of the last feedback box against the first background behind it that is not clear.
CONTRAST = """() => {
  const boxes = document.querySelectorAll('.jp-OutputArea-output div[style*="border-left"]');
  const box = boxes[boxes.length - 1], rgb = s => s.match(/[\\d.]+/g).map(Number);
  const light = s => { const [r, g, b] = rgb(s).map(v => { v /= 255;
    return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  let behind = box, back;
  do { back = getComputedStyle(behind).backgroundColor; behind = behind.parentElement; }
  while (rgb(back).length > 3 && rgb(back)[3] === 0);
  const [a, b] = [light(getComputedStyle(box).color), light(back)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); }"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Start JupyterLab on a copy of the student editions, with settings of its own."""
    root, home = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("home")
    for path in STUDENT:
        shutil.copyfile(path, root / path.name)
    for name, values in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {
        "HOME": home,
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTERLAB_SETTINGS_DIR": home / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "LESSONLIB_BUILD": "",
    }
    environment = {name: text for name, text in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    environment |= {name: str(path) for name, path in own.items()}
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--IdentityProvider.token=open",
    ]
    options += ["--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={root}"]
    log = (home / "log").open("w")
    with subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", *options], env=environment, stdout=log, stderr=log, cwd=root
    ) as lab:
        for _ in range(600):
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/api/status?token=open"):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        lab.terminate()
    log.close()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser, server):
    """A page 1280 pixels wide, and what its console reports as an error."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.errors = []
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    yield page
    page.close()


def open_lesson(page, server, name):
    page.goto(f"{server}/lab/tree/{name}?token=open&reset", wait_until="domcontentloaded")
    page.wait_for_function(OPENED, timeout=60_000)
    page.wait_for_function(
        f"() => {PANEL}.sessionContext?.session?.kernel?.status === 'idle'", timeout=60_000
    )


def run_all(page):
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator(".lm-Menu-item[data-command='runmenu:run-all']").click()
    # Committed counts would make every wait true at once: the kernel starts them anew.
    page.wait_for_timeout(500)
    page.wait_for_function(ENDED, timeout=180_000)
    page.wait_for_timeout(300)


def set_theme(page, name):
    page.evaluate(
        f"() => window.jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {name}'}})"
    )
    page.wait_for_timeout(800)


@pytest.mark.parametrize("path", STUDENT, ids=lambda path: path.stem)
def test_a_lesson_opens_folded_and_runs_to_its_end(page, server, path):
    open_lesson(page, server, path.name)
    folded = {cell.id for cell in read(path).cells if cell.metadata.get("jupyter", {}).get("outputs_hidden")}
    assert {cell["id"] for cell in page.evaluate(CELLS) if cell["hidden"]} == folded
    faults = page.evaluate(FAULTS)
    assert faults == {"formulas": 0, "wide": []}
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    run_all(page)
    cells = page.evaluate(CELLS)
    for cell in cells:
        assert not [o for o in cell["outputs"] if o["output_type"] == "error"], cell["source"]
        assert not [o for o in cell["outputs"] if o.get("name") == "stderr"], cell["source"]
    assert not [cell["id"] for cell in cells if cell["hidden"] and cell["outputs"]]
    assert page.evaluate(FAULTS) == {"formulas": 0, "wide": []}
    for theme in ("Light", "Dark"):
        set_theme(page, theme)
        assert page.evaluate(CONTRAST) >= 4.5, theme
    assert page.errors == []


@pytest.mark.parametrize(
    ("theme", "answer", "feedback"),
    [("Light", 'q1_1 = "b"', r"Q1\.1  passed"), ("Dark", 'q1_1 = "a"', r"Q1\.1  not yet: \(a\) \w+")],
)
def test_an_answer_typed_gets_its_feedback(page, server, theme, answer, feedback):
    open_lesson(page, server, "01_exact_match.ipynb")
    set_theme(page, theme)
    for words, typed in (
        ("from lessonlib.exercises import", ""),
        ("q1_1 = TODO", answer),
        ('check("Q1.1"', ""),
    ):
        cell = page.locator(".jp-CodeCell", has=page.locator(".cm-content", has_text=words)).first
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-content").click()
        if typed:
            page.keyboard.press("Control+A")
            page.keyboard.type(typed)
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(f"() => {PANEL}.sessionContext.session.kernel.status === 'idle'")
    shown = page.locator(".jp-OutputArea-output div[style*='border-left']", has_text="Q1.1").first
    playwright.expect(shown).to_have_text(re.compile(feedback), timeout=20_000)
    assert page.evaluate(CONTRAST) >= 4.5
