"""A film as a page: a template, a style and a script, and nothing that is loaded from anywhere."""

from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from lab.viewer.encode import encode
from lab.viewer.film import Film


def page(film: Film) -> str:
    """The page as one HTML document: board, slider, keys, play button, actions, curves.

    It begins at the step that its address names behind `#`, such as game.html#12, else at the
    start. In a notebook's cell it goes into a frame of its own, so that neither sees the other's
    style:

        from html import escape
        IPython.display.HTML(f'<iframe srcdoc="{escape(page)}" width="100%" height="760"></iframe>')
    """
    room = files("lab.viewer")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True
    )
    template, style, script = (
        room.joinpath(name).read_text(encoding="utf-8")
        for name in ("page.html.j2", "page.css", "page.js")
    )
    return environment.from_string(template).render(
        film=film, style=Markup(style), script=Markup(script), data=Markup(encode(film))
    )
