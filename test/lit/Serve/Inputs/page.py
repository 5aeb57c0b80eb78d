"""page.py CHROMIUM FOLDER COMMAND...: somebody who uses the page of `gpu-estimate
serve --http` in a browser: opens a source, sorts, chooses a kernel and a GPU, and
moves the sliders. Prints what has changed after each."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Report" / "Inputs"))
from browser import Browser

PATIENCE = 60
chromium, folder, command = sys.argv[1], sys.argv[2], sys.argv[3:]

# What a reader sees: the numbers and pictures of the chosen kernel.
SEEN = """({
  time: document.getElementById('time').textContent,
  summary: document.getElementById('summary').textContent,
  breakdown: document.getElementById('breakdown').innerText,
  stack: document.getElementById('cpi').textContent + document.getElementById('stack').textContent,
  roofline: document.getElementById('roofline').innerHTML,
  surface: Array.from(document.querySelectorAll('#surface title')).map(t => t.textContent).join(';'),
  here: document.querySelector('#here')?.outerHTML ?? '',
  rows: Array.from(document.querySelectorAll('#kernels tr')).map(r => r.cells[0].textContent),
  error: document.getElementById('error').textContent
})"""


class Page:
    def __init__(self, browser):
        self.browser = browser

    def seen(self):
        return self.browser.evaluate(SEEN)

    def do(self, script, until):
        """Runs a script and waits until what is seen fulfils a condition."""
        before = self.seen()
        self.browser.evaluate(script)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            now = self.seen()
            if until(before, now):
                return before, now
            time.sleep(0.05)
        raise AssertionError(f"nothing changes after {script}: {json.dumps(now, indent=1)}")

    def click(self, selector, text, until):
        return self.do(f"Array.from(document.querySelectorAll('{selector}'))"
                       f".find(e => e.textContent === {json.dumps(text)}).click()", until)

    def slide(self, name, value, moves=("time", "surface")):
        """Moves a slider; waits until all of this has changed."""
        return self.do(
            f"(() => {{ const s = document.querySelector('input[name=\"{name}\"]'); s.value = {value};"
            "s.dispatchEvent(new Event('input')); })()",
            lambda a, b: all(a[key] != b[key] for key in moves))


def changed(title, before, after):
    print(title, *[key for key in ("time", "breakdown", "stack", "roofline", "surface", "here")
                   if before[key] != after[key]])


def use(page, browser, address):
    browser.call("Page.navigate", url=address)
    browser.wait("Page.loadEventFired")
    page.do("0", lambda a, b: browser.evaluate("document.querySelectorAll('#files button').length") > 0)
    print("files", browser.evaluate(
        "Array.from(document.querySelectorAll('#files button')).map(b => b.textContent).join(' ')"))
    print("token in the address bar", browser.evaluate("location.search !== ''"))

    filled = lambda a, b: b["time"] and b["surface"]
    _, first = page.click("#files button", "two.cu", filled)
    print("kernels by time", *first["rows"])
    print("points of the surface", first["surface"].count(";") + 1)
    assert "DRAM" in browser.evaluate("document.body.innerText")
    _, sorted_ = page.click("#heads button", "kernel", lambda a, b: a["rows"] != b["rows"])
    print("kernels by name", *sorted_["rows"], browser.evaluate(
        "document.querySelector('[aria-sort]').textContent"))
    _, back = page.click("#heads button", "kernel", lambda a, b: a["rows"] != b["rows"])
    print("backwards", *back["rows"])
    before, after = page.click("#kernels td", "axpy",
                               lambda a, b: a["summary"] != b["summary"] and b["surface"])
    changed("another kernel:", before, after)

    moved = lambda key: lambda a, b: a[key] != b[key]
    before, after = page.do(
        "(() => { const s = document.getElementById('gpu'); s.value = 'nvidia-h200';"
        "s.dispatchEvent(new Event('change')); })()",
        lambda a, b: "H200" in b["summary"] and b["surface"] and a["surface"] != b["surface"])
    changed("another GPU:", before, after)
    before, after = page.slide("grid.x", 14)
    changed("grid:", before, after)
    before, after = page.slide("n", 22)
    changed("argument:", before, after)
    before, after = page.slide("block.x", 5)
    changed("block:", before, after)
    before, after = page.slide("core clock (MHz)", 0, ("time", "here"))
    changed("clock:", {**before, "surface": ""}, {**after, "surface": ""})
    # A text that does not compile, and one that would do harm as HTML.
    _, broken = page.click("#files button", "broken.cu", moved("error"))
    print("broken:", broken["error"].split("\n")[-1].split("error: ")[-1])
    page.click("#files button", "<img src=x onerror=alert(1)>.cu", moved("rows"))
    print("images", browser.evaluate("document.images.length"))


server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(chromium, profile)
    try:
        address = server.stdout.readline().strip()
        browser.open_tab()
        use(Page(browser), browser, address)
        origin = address.split("?")[0]
        # The answer about a source that does not compile is an error of HTTP.
        complaints = [c for c in browser.complaints(address)
                      if not c.startswith("asks for " + origin) and "422" not in c]
        print("complaints", complaints)
        browser.close()
    finally:
        browser.process.kill()
        server.terminate()
        server.wait()
