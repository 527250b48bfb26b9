"""The page: a template filled with the summary and the figures, its scripts inside."""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxmargin.explain import formatting
from maxmargin.report.partition_view import PartitionView

TEMPLATE = Path(__file__).parent / "template"


def render(
    summary: dict[str, Any],
    partitions: list[PartitionView],
    ids: list[str],
    truth: list[str | None] | None,
    drawn: NDArray[np.intp],
) -> str:
    """One HTML document with everything in it."""
    environment = _environment()
    from maxmargin.report.figures import make_figures  # needs Altair

    figures = make_figures(summary, partitions, ids, truth, drawn)
    script = _bundle() + "\n" + _text("script.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template("page.html").render(
        summary=summary,
        figures=figures,
        payload=figures.payload(),
        style=_text("style.css"),
        script=script,
        digest=digest,
    )


@cache
def _environment() -> Any:
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
        from jinja2 import Environment, FileSystemLoader, StrictUndefined

        from maxmargin.report.charts.figure import color_of, shape_of
    except ImportError as error:
        raise ImportError(
            "The page of a Report needs Jinja2, Altair and vl-convert: install them with pip "
            'install "maxmargin[report]". Report.json() works without.'
        ) from error
    environment = Environment(
        loader=FileSystemLoader(TEMPLATE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("compared", "count", "listed", "name_of", "share"):
        environment.globals[name] = getattr(formatting, name)
    for name in ("fixed", "number", "shorten"):
        environment.filters[name] = getattr(formatting, name)
    environment.globals.update(color_of=color_of, shape_of=shape_of)
    return environment


@cache
def _bundle() -> str:
    """Vega, Vega-Lite and vega-embed as one script; it takes seconds to make."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # Inside of a page nothing in a script may look like its end, or like a comment of HTML.
    return bundle.replace("\r", "").replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _text(name: str) -> str:
    return (TEMPLATE / name).read_text(encoding="utf-8")
