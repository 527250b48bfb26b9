"""One HTML page of all studies that needs no other file: what their READMEs say, and their rows."""

import base64
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from benchmarks.runner.run import FACTS
from benchmarks.runner.study import Study
from benchmarks.runner.table import distinct, read_csv

MOST_ROWS = 300
PICTURE = re.compile(r'<img src="([^":]+\.png)"')
LINK = re.compile(r'<a href="(?!http|#)[^"]*">(.*?)</a>', re.DOTALL)
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:75rem;padding:1rem;color:#222}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto;max-height:32rem}
th,td{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}
th{background:#f3f3f3;position:sticky;top:0;cursor:pointer}img{max-width:100%}
section{border-top:3px solid #0072B2;margin-top:2rem}nav a{margin-right:1rem}
"""
#: A click on a head sorts its table.
SORT = """
document.addEventListener("click",e=>{const h=e.target.closest("th");if(!h)return;
const b=h.closest("table").tBodies[0],i=h.cellIndex,up=h.dataset.up!=="1";h.dataset.up=up?"1":"0";
const v=r=>{const t=r.cells[i].textContent.replace("−","-"),n=parseFloat(t);return isNaN(n)?t:n};
[...b.rows].sort((a,c)=>{const x=v(a),y=v(c);return (x>y?1:x<y?-1:0)*(up?1:-1)})
.forEach(r=>b.append(r))});
"""


def write(studies: Iterable[Study], path: Path) -> None:
    """Write the page."""
    studies = list(studies)
    links = " ".join(f'<a href="#{study.name}">{study.name}</a>' for study in studies)
    body = "".join(section(study) for study in studies)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>maxmargin: benchmarks</title>'
        f"<style>{STYLE}</style><h1>maxmargin: benchmarks</h1><nav>{links}</nav>{body}"
        f"<script>{SORT}</script></html>\n",
        encoding="utf-8",
    )


def section(study: Study) -> str:
    """What the README says, its pictures inside, and the rows of each file."""
    readme = study.folder / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else f"# {study.title}\n"
    page = MarkdownIt("commonmark").enable("table").render(text)
    page = LINK.sub(
        r"\1", PICTURE.sub(lambda m: f'<img src="{embedded(study.folder, m[1])}"', page)
    )
    files = "".join(rows(study.folder / f"{part.file}.csv") for part in study.parts)
    return f'<section id="{study.name}">{page}{files}</section>'


def embedded(folder: Path, name: str) -> str:
    """A picture as an address that holds it."""
    path = folder / name
    data = base64.b64encode(path.read_bytes()).decode() if path.is_file() else ""
    return f"data:image/png;base64,{data}"


def rows(path: Path) -> str:
    """The first rows of a file, and where they were measured."""
    if not path.is_file():
        return ""
    found = read_csv(path)
    columns = [column for column in found[0] if column not in FACTS] if found else []
    head = "".join(f"<th>{escape(column)}" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(row[column] or '')}" for column in columns)
        for row in found[:MOST_ROWS]
    )
    known = [f"{fact}: {', '.join(distinct(found, fact))}" for fact in FACTS if fact in found[0]]
    where = escape("; ".join(known) or "versions and machine: not recorded")
    return (
        f"<details><summary>{path.name}: {len(found)} rows</summary><p>{where}</p>"
        f"<table><thead><tr>{head}</thead><tbody>{body}</tbody></table></details>"
    )
