"""The report as Markdown, and the result of an experiment in a screenful."""

from lab.report.language import say
from lab.report.sections import Report, Section, Table

SHORT = ("change", "targets", "compared", "claims")
"""Sections that make up a summary."""


def render(report: Report, figures: str = "figures", tables: str = "tables") -> str:
    """The whole report; `figures` and `tables` are the folders it links to."""
    parts = _opening(report)
    for section in report.sections:
        parts += _section(section)
        parts += [f"![{chart.title}]({figures}/{chart.name}.svg)" for chart in section.charts]
        pages = [f"- [{page.name}]({page.target}): {page.told}" for page in section.links]
        parts += ["\n".join(pages)] if pages else []
        names = dict.fromkeys(table.name for table in section.tables)
        links = [f"[{name}.csv]({tables}/{name}.csv)" for name in names]
        parts += [say("Numbers: {links}", links=", ".join(links))] if links else []
    return "\n\n".join(parts) + "\n"


def summary(report: Report) -> str:
    """The question, the verdict, the change and the targets, or what differs, in a screenful."""
    parts = _opening(report)
    for section in report.sections:
        if section.name in SHORT and section.tables:
            parts += [f"## {section.title}", *map(_table, section.tables)]
    return "\n\n".join(parts) + "\n"


def _opening(report: Report) -> list[str]:
    game = say("{game}, rules {version}", game=report.game, version=report.version)
    return [
        f"# {report.question}",
        f"{game}.",
        f"**{say(report.status.capitalize())}.** {report.verdict}",
    ]


def _section(section: Section) -> list[str]:
    tables = [_table(table) for table in section.tables if table.rows]
    return [f"## {section.title}", *filter(None, [section.text]), *tables]


def _table(table: Table) -> str:
    rows = [table.head, ("---",) * len(table.head), *table.rows]
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")
