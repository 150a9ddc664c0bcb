"""The report as one self-contained page: nothing is loaded from anywhere."""

from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from lab.report.language import say
from lab.report.sections import Report


def render(report: Report, drawings: dict[str, str], tables: str = "tables") -> str:
    """The page; `drawings` holds the SVG text of every chart and strip by its name.

    `tables` is the folder it links to.
    """
    room = files("lab.report")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=True
    )
    template = environment.from_string(room.joinpath("page.html.j2").read_text(encoding="utf-8"))
    style = Markup(room.joinpath("page.css").read_text(encoding="utf-8"))
    safe = {name: Markup(svg) for name, svg in drawings.items()}
    return template.render(report=report, drawings=safe, style=style, say=say, tables=tables) + "\n"
