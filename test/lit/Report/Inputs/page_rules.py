"""What a page must keep so that everybody can read it, without a browser.

    page_rules.py [--at-most KILOBYTES] PAGE...

Contrast (WCAG 2.2 AA: text 4.5, graphics 3) of the colours of its style sheet in
light, dark and print; names of pictures, tables, buttons and links; headings in
order; ids once, and links to them; nothing from another place than the file; its
size. Prints "N pages keep the rules" or what is wrong.
"""

import argparse
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

# Names of colours of text, and of what lies behind them.
TEXTS = {"ink": ("paper", "card", "mark", "heat", "frame"), "pale": ("paper", "card"),
         "link": ("paper", "card", "mark"), "better": ("paper",), "worse": ("paper",)}
VOID = {"meta", "link", "br", "input", "img"}
FETCHES = ("src", "srcset", "data", "poster", "action")


def luminance(colour):
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(2 * d for d in digits)
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
                        for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """
    >>> round(contrast("#000", "#fff"), 1)
    21.0
    """
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def colours(style):
    """The variables of :root by medium; a medium begins with those of light."""
    themes = {"light": {}, "dark": {}, "print": {}}
    for condition, body in re.findall(
            r"(?:@media ([^{]*)\{\s*)?:root\s*\{([^}]*)\}", style):
        found = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{3,6})\b", body))
        where = ("dark",) if "dark" in condition else ("print",) if "print" in condition \
            else ("light", "dark", "print")
        for theme in where:
            themes[theme].update(found)
    return themes


def contrast_problems(style):
    for theme, known in colours(style).items():
        if "ink" not in known or "paper" not in known:
            yield f"{theme}: no colours"
            continue
        for text, grounds in TEXTS.items():
            for ground in grounds:
                if text in known and ground in known and \
                        contrast(known[text], known[ground]) < 4.5:
                    yield (f"{theme}: contrast of {text} on {ground} is "
                           f"{contrast(known[text], known[ground]):.2f}, below 4.5")
        for name in known:
            if re.fullmatch(r"[kc]\d+", name) and \
                    contrast(known[name], known["paper"]) < 3:
                yield (f"{theme}: contrast of --{name} is "
                       f"{contrast(known[name], known['paper']):.2f}, below 3")


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.style, self.ids = [], [], "", []
        self.fragments, self.headings, self.counts = [], [], {}
        self.feed(text)
        self.close()
        for name in sorted({i for i in self.ids if self.ids.count(i) > 1}):
            self.wrong.append(f"id {name} is there twice")
        for name in self.fragments:
            if name not in self.ids:
                self.wrong.append(f"a link leads to #{name}, which is not there")
        for before, after in zip([0] + self.headings, self.headings):
            if after > before + 1:
                self.wrong.append(f"h{after} follows h{before}")
        if self.headings.count(1) != 1:
            self.wrong.append(f"{self.headings.count(1)} h1")
        for tag in ("title", "main"):
            if self.counts.get(tag, 0) < 1:
                self.wrong.append(f"no {tag}")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if "id" in values:
            self.ids.append(values["id"])
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "html" and not values.get("lang"):
            self.wrong.append("html has no lang")
        for name in FETCHES:
            if name in values:
                self.wrong.append(f"{tag} asks for {values[name]}")
        target = values.get("href")
        if target is not None:
            if target.startswith("#"):
                self.fragments.append(target[1:])
            elif target != "data:,":
                self.wrong.append(f"{tag} leads to {target}")
        if tag == "th" and "scope" not in values:
            self.wrong.append("th has no scope")
        for name in values:
            if name.startswith("on"):
                self.wrong.append(f"{tag} has {name}")
        named = bool(values.get("aria-label")) or values.get("aria-hidden") == "true"
        if tag not in VOID:
            self.open.append([tag, values, named, ""])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        ended, values, named, text = self.open.pop()
        if ended != tag:
            self.wrong.append(f"{tag} closes {ended}")
        text = text.strip()
        if tag in ("title", "caption") and text and self.open:
            self.open[-1][2] = True
        elif self.open and tag not in ("script", "style"):
            self.open[-1][3] += text
        needs_name = tag in ("svg", "table", "nav") or values.get("role") == "img" or \
            values.get("role") == "region"
        if needs_name and not named:
            self.wrong.append(f"{tag} {values.get('class', '')} has no name")
        if tag in ("button", "a", "th", "summary", "title") and not (text or named):
            self.wrong.append(f"{tag} has no text")

    def handle_data(self, data):
        if self.open:
            if self.open[-1][0] == "style":
                self.style += data
            self.open[-1][3] += data


def problems(text, at_most):
    page = Page(text)
    yield from page.wrong
    yield from contrast_problems(page.style)
    for pattern in (r"url\(", r"@import", r"https?://(?!www\.w3\.org/)"):
        # What the source says about addresses is text, or inside the data.
        if re.search(pattern, page.style):
            yield f"the style sheet has {pattern}"
    if "Content-Security-Policy\" content=\"default-src 'none'" not in text:
        yield "no content security policy that forbids requests"
    if 'name="viewport"' not in text:
        yield "no viewport"
    size = len(text.encode())
    if size > at_most * 1000:
        yield f"{size / 1000:.0f} kB, more than {at_most}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--at-most", type=float, default=300)
    parser.add_argument("pages", nargs="+", type=Path)
    arguments = parser.parse_args()
    found = [f"{page.name}: {problem}" for page in arguments.pages
             for problem in problems(page.read_text(encoding="utf-8"),
                                     arguments.at_most)]
    print("\n".join(found) or f"{len(arguments.pages)} pages keep the rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
