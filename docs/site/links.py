"""The links of a built site: inner ones lead somewhere, and nothing is loaded from the network."""

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("source", "src"), ("link", "href"), ("iframe", "src")}


class Page(HTMLParser):
    """The anchors of a page, and its links with whether a browser loads them by itself."""

    def __init__(self, path: Path):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Called by the parser."""
        for name, value in attrs:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            elif (tag, name) == ("a", "href") or (tag, name) in LOADED:
                self.links.append((value or "", tag != "a"))


read = cache(Page)


def problem(page: Path, link: str, loaded: bool) -> str | None:
    """What is wrong with a link, if anything is."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return "is loaded from the network" if loaded else None
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return "leads nowhere"
    fragment = unquote(parts.fragment)
    if fragment and target.suffix == ".html" and fragment not in read(target).anchors:
        return "leads to no heading"
    return None


def broken_links(html: Path) -> list[str]:
    """A line for each link of the pages below a folder that is not right."""
    html = html.resolve()
    return [
        f"{page.relative_to(html)}: {link} {wrong}"
        for page in sorted(html.rglob("*.html"))
        if "_static" not in page.relative_to(html).parts  # the theme's own templates
        for link, loaded in read(page).links
        if (wrong := problem(page, link, loaded))
    ]
