"""play(): one cell in which a student's own texts go through a metric, changing as they are typed."""

import base64
import html
from collections.abc import Callable
from typing import Any

from .guesses import studies
from .values import show_error

SHARP = 2  # pixels a point of the page, as in lessonlib.plots, which takes long to import


def play(view: Callable[..., Any], **texts: str) -> None:
    """Show `view(**texts)` and, in a live notebook, a box for each text: what is typed is seen at once.

    `view` takes the texts by name and returns anything that a notebook can show. Where a lesson is built,
    tested or graded, and where there are no widgets, only the result for the texts as given is shown.
    """
    from IPython.display import display

    result = view(**texts)
    if not studies():
        display(result)
        return
    try:
        import ipywidgets as widgets
    except ModuleNotFoundError:
        display(result)
        return
    wide = widgets.Layout(width="95%")
    boxes = {
        name: widgets.Text(text, description=name, continuous_update=True, layout=wide)
        for name, text in texts.items()
    }
    page = widgets.HTML(_rendered(result))

    def redraw(_: Any) -> None:
        try:
            page.value = _rendered(view(**{name: box.value for name, box in boxes.items()}))
        except Exception as error:  # noqa: BLE001  whatever a text does to the view is shown, not raised
            page.value = f"<p>{html.escape(show_error(error))}</p>"

    for box in boxes.values():
        box.observe(redraw, "value")
    display(widgets.VBox([*boxes.values(), page]))


def _rendered(result: Any) -> str:
    """Return a result as HTML: its own, a picture with its description, or its text."""
    picture = getattr(result, "png", None)
    if isinstance(picture, bytes):
        width = int.from_bytes(picture[16:20], "big") // SHARP  # of the PNG's header
        source = base64.b64encode(picture).decode("ascii")
        alt = html.escape(repr(result))
        return f'<img alt="{alt}" width="{width}" src="data:image/png;base64,{source}">'
    if hasattr(result, "_repr_html_"):
        return str(result._repr_html_())
    text = result if isinstance(result, str) else repr(result)
    return f'<pre class="mathjax_ignore tex2jax_ignore">{html.escape(text)}</pre>'
