"""Says `whole` of a page whose elements are closed in order and that fetches nothing."""
import re
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

EMPTY = {"br", "input", "meta"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.flaws = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or name == "src" or (name == "href" and not value.startswith("#")):
                self.flaws.append(f"{tag} {name}={value}")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.flaws.append(f"</{tag}>")


text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
for picture in re.findall(r"<svg xmlns.*?</svg>", text, re.S):
    tree.fromstring(picture)
print("whole" if not page.open and not page.flaws else f"{page.open} {page.flaws}")
