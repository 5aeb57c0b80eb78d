"""Counts the elements of a page that would run or fetch something, and says
whether every element that must be closed is."""

import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "br"}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.counts, self.wrong = [], {}, []

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        for name, _ in attributes:
            if name.startswith("on"):
                self.wrong.append(f"{tag} has {name}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"{tag} closes another element")


reader = Reader()
reader.feed(open(sys.argv[1]).read())
reader.close()
counts = ", ".join(f"{reader.counts.get(tag, 0)} {tag}"
                   for tag in ("script", "img", "iframe"))
print(counts + ", " + ("; ".join(reader.wrong + reader.open) or "all closed"))
