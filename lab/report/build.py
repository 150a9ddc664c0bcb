"""Writes a run's report: pages, figures and tables."""

from dataclasses import replace
from pathlib import Path

from lab.errors import make_folder, write_atomic, write_text
from lab.report import claims, comparison, html, markdown, search, sensitivity, watching
from lab.report.figures import draw
from lab.report.language import ENGLISH, load_tongue, speaking
from lab.report.sections import Report, Section
from lab.sweep import Run, reading


def report(
    run: Path,
    out: Path | None = None,
    language: str = ENGLISH,
    progress: watching.Progress = lambda done, total: None,
) -> Path:
    """Write the report on a run folder, into it or into `out`, and return the page's path.

    report.html, report.md (of a sensitivity study sensitivity.html and .md), figures/*.svg and
    tables/*.csv; in another language than English each has its name behind it, as report.ko.html.
    games/*.html, in English, are a few games to watch, which are played for it and which `progress`
    counts. The same run gives the same bytes. A summary of a sweep in English goes
    beside the experiment's file in ./experiments.
    Raises BadInput for a folder that no sweep wrote, and for a language without words.
    """
    swept = Run(run)
    with reading(run):
        experiment = swept.experiment
        own = experiment.words.get(language)
        tongue = load_tongue(experiment.game.name, language, own)
        with speaking(tongue):
            found = facts(swept)
    with speaking(tongue):
        if found.status != sensitivity.STATUS:
            found = _with(found, watching.section(swept, out or run, progress))
        page = _write(found, out or run)
    if found.status != sensitivity.STATUS and language == ENGLISH:
        note(found, experiment.text)
    return page


def _write(found: Report, out: Path) -> Path:
    """All the files of a report, said in the language of its facts."""
    mark = "" if found.language == ENGLISH else f".{found.language}"
    page = ("sensitivity" if found.status == sensitivity.STATUS else "report") + mark
    figures, tables = out / f"figures{mark}", out / f"tables{mark}"
    make_folder(figures)
    make_folder(tables)
    drawings = {}
    for section in found.sections:
        strips = [strip for table in section.tables for strip in table.strips]
        for chart in [*section.charts, *strips]:
            drawings[chart.name] = draw(chart)
            write_text(figures / f"{chart.name}.svg", drawings[chart.name])
        for table in section.tables:
            write_atomic(tables / f"{table.name}.csv", table.data.write_csv)
    write_text(out / f"{page}.md", markdown.render(found, figures.name, tables.name))
    write_text(out / f"{page}.html", html.render(found, drawings, tables.name))
    return out / f"{page}.html"


def _with(found: Report, section: Section | None) -> Report:
    """The report with a section before the small print."""
    if section is None:
        return found
    place = [one.name for one in found.sections].index("manifest")
    sections = (*found.sections[:place], section, *found.sections[place:])
    return replace(found, sections=sections)


def facts(run: Run) -> Report:
    """Everything that the report on a search, a comparison, claims or sensitivity says."""
    if (run.folder / sensitivity.FACTS).is_file():
        return sensitivity.facts(run)
    if run.experiment.claims:
        return claims.facts(run)
    return comparison.facts(run) if run.experiment.compared else search.facts(run)


def note(found: Report, text: str) -> None:
    """Put the summary beside the experiment's file, experiments/<topic>.md.

    Only where the file is the one that was run, and a refusal never replaces a confirmed result.
    """
    for spec in Path("experiments").glob("*.toml"):
        note = spec.with_suffix(".md")
        same = spec.is_file() and spec.read_bytes() == text.encode()
        if same and (found.status != "refused" or not note.exists()):
            write_text(note, markdown.summary(found))
