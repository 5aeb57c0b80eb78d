"""Opens a page in headless Chromium and checks it.

    browser.py CHROMIUM PAGE... [--expect CSS]... [--shots FOLDER]

For each page, at 360 and 1280 pixels, dark and light: nothing on the console,
no request but for the page itself, no horizontal overflow, no text of a chart
outside its picture, contrasts of WCAG AA, a name for all that a screen reader
announces, and at least one visible element for each selector of --expect. Heads of tables must sort, arrow keys must go from point to point, and
the page must print. Prints "N pages kept" or what is wrong. --shots keeps
pictures, and a PDF of each page.
"""

import argparse
import base64
import json
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = (360, 1280)
SCHEMES = ("light", "dark")
PATIENCE = 120  # seconds

TEXT_OUTSIDE = """
Array.from(document.querySelectorAll('.picture svg, svg:root')).flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return Array.from(svg.querySelectorAll('text')).filter(text => {
    const box = text.getBoundingClientRect();
    return box.width > 0 && (box.left < frame.left - 1 || box.top < frame.top - 1
      || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
  }).map(text => text.textContent);
}).join('; ')
"""
TEXT_OVER_TEXT = """
Array.from(document.querySelectorAll('.picture svg, svg:root')).flatMap(svg => {
  const texts = Array.from(svg.querySelectorAll('text'))
    .filter(text => !text.hasAttribute('transform'))
    .map(text => [text.textContent, text.getBoundingClientRect()]);
  const found = [];
  texts.forEach(([a, p], i) => texts.slice(i + 1).forEach(([b, q]) => {
    const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const down = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (across > 2 && down > 4) found.push(a + ' / ' + b);
  }));
  return found;
}).join('; ')
"""
# WCAG 2.2, 1.4.3: text has a contrast of 4.5 to what lies behind it, of 3 where it
# is large. Text of a chart lies on the page or on the shape before it in its group.
FAINT = """
(() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const paper = document.querySelector('svg:root > .paper');
  const canvas = parse(paper ? getComputedStyle(paper).fill
    : getComputedStyle(document.body || document.documentElement).backgroundColor);
  const behind = element => {
    if (element.tagName === 'text') {
      const shape = element.parentNode.querySelector('rect');
      if (element.parentNode.tagName === 'g' && shape) return parse(getComputedStyle(shape).fill);
    }
    for (let e = element; e && e.nodeType === 1; e = e.parentNode) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || (colour.length === 4 && colour[3] > 0)) return colour;
    }
    return canvas.length >= 3 && canvas[3] !== 0 ? canvas : [255, 255, 255];
  };
  const found = new Set();
  document.querySelectorAll('body *, svg text').forEach(element => {
    const own = Array.from(element.childNodes)
      .some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.getClientRects().length) return;
    if (['SCRIPT', 'STYLE', 'title', 'desc'].includes(element.tagName)) return;
    const style = getComputedStyle(element);
    const ink = parse(element.tagName === 'text' ? style.fill : style.color);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const reached = contrast(ink, behind(element));
    if (reached < (large ? 3 : 4.5) - 0.005)
      found.add(reached.toFixed(2) + ' ' + element.textContent.trim().slice(0, 30));
  });
  return Array.from(found).slice(0, 8).join('; ');
})()
"""
# Roles that a screen reader announces by their name.
NAMED = {"button", "link", "textbox", "combobox", "slider", "image", "img", "table",
         "navigation", "graphics-symbol", "region"}
SORTS = """
(() => {
  const head = document.querySelector('th button');
  if (!head) return true;
  const cells = () => Array.from(head.closest('table').tBodies[0].rows)
    .map(row => row.cells[0].textContent).join();
  head.click();
  const up = cells();
  head.click();
  return head.parentNode.getAttribute('aria-sort') === 'descending'
    && (up !== cells() || head.closest('table').tBodies[0].rows.length < 2);
})()
"""
ARROWS = """
(() => {
  const items = document.querySelectorAll('figure .item');
  if (items.length < 2) return true;
  items[0].focus();
  items[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
  const said = items[1].closest('figure').querySelector('.said').textContent;
  return document.activeElement === items[1]
    && said === items[1].querySelector('title').textContent;
})()
"""


class Browser:
    """The DevTools protocol over a pair of pipes."""

    def __init__(self, chromium, profile):
        ours, self.write = os.pipe()
        self.read, theirs = os.pipe()
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--no-first-run", f"--user-data-dir={profile}",
                   "about:blank"]
        for number in (ours, theirs):
            os.set_inheritable(number, True)

        def place():
            # Away first: 3 and 4 may be among them.
            inward, outward = os.dup(ours), os.dup(theirs)
            os.dup2(inward, 3)
            os.dup2(outward, 4)

        self.process = subprocess.Popen(
            command, preexec_fn=place, pass_fds=(3, 4, ours, theirs),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(ours)
        os.close(theirs)
        self.buffer = b""
        self.number = 0
        self.events = []
        self.session = None

    def message(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], PATIENCE)[0]:
                raise RuntimeError("the browser does not answer")
            part = os.read(self.read, 1 << 16)
            if not part:
                raise RuntimeError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def open_tab(self):
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(f"{domain}.enable")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def nameless(self):
        """Roles of what a screen reader would announce without a name."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return sorted({node["role"]["value"] for node in nodes
                       if not node.get("ignored")
                       and node.get("role", {}).get("value") in NAMED
                       and not node.get("name", {}).get("value")})

    def complaints(self, page):
        """What the console or the network saw since the last call."""
        found = []
        for event in self.events:
            method, about = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled":
                found.append(f"console.{about['type']}")
            elif method == "Runtime.exceptionThrown":
                found.append(about["exceptionDetails"]["text"])
            elif method == "Log.entryAdded":
                found.append(about["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if url != page and not url.startswith("data:"):
                    found.append(f"asks for {url}")
        self.events.clear()
        return found

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=30)


def check(browser, path, expected, shots):
    page = path.resolve().as_uri()
    problems = []

    def expect(holds, what):
        if not holds:
            problems.append(f"{path.name}: {what}")

    for width in WIDTHS:
        for scheme in SCHEMES:
            where = f"{width} pixels, {scheme}"
            browser.call("Emulation.setDeviceMetricsOverride", width=width,
                         height=900, deviceScaleFactor=1, mobile=False)
            browser.call("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}])
            browser.call("Page.navigate", url=page)
            browser.wait("Page.loadEventFired")
            for complaint in browser.complaints(page):
                expect(False, f"{where}: {complaint}")
            over = browser.evaluate(
                "document.documentElement.scrollWidth - window.innerWidth")
            expect(over <= 0 or path.suffix == ".svg",
                   f"{where}: {over} pixels too wide")
            for name, script in (("outside the picture", TEXT_OUTSIDE),
                                 ("over other text", TEXT_OVER_TEXT),
                                 ("faint", FAINT)):
                texts = browser.evaluate(script)
                expect(not texts, f"{where}: {name}: {texts}")
            if path.suffix != ".svg":
                roles = browser.nameless()
                expect(not roles, f"{where}: without a name: {', '.join(roles)}")
            for selector in expected:
                expect(browser.evaluate(
                    f"Array.from(document.querySelectorAll({json.dumps(selector)}))"
                    ".some(e => e.getBoundingClientRect().height > 0)"),
                    f"{where}: no {selector}")
            if shots:
                picture = browser.call("Page.captureScreenshot",
                                       captureBeyondViewport=True)
                (shots / f"{path.stem}-{width}-{scheme}.png").write_bytes(
                    base64.b64decode(picture["data"]))
    expect(browser.evaluate(SORTS), "heads do not sort")
    expect(browser.evaluate(ARROWS), "arrow keys do not move")
    pdf = base64.b64decode(browser.call("Page.printToPDF",
                                        printBackground=True)["data"])
    expect(pdf.startswith(b"%PDF"), "does not print")
    for complaint in browser.complaints(page):
        expect(False, f"after use: {complaint}")
    if shots:
        (shots / f"{path.stem}.pdf").write_bytes(pdf)
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("chromium")
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--expect", action="append", default=[])
    parser.add_argument("--shots", type=Path)
    arguments = parser.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    problems = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(arguments.chromium, profile)
        try:
            browser.open_tab()
            for page in arguments.pages:
                problems += check(browser, page, arguments.expect,
                                  arguments.shots)
            browser.close()
        finally:
            browser.process.kill()
    print("\n".join(problems) or f"{len(arguments.pages)} pages kept")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
