"""A confirmed change becomes a new version: its rules file, its variants, rulebooks, change list.

A landed version never changes, so nothing is written over; and either all files land or none.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

from lab import rules as documents
from lab.errors import bad, write_text
from lab.game import Game
from lab.jsonfile import parse, pretty, read_object, shown
from lab.report.rulebook import languages, rulebook
from lab.rules import Rules, diff, field_info, load
from lab.sweep import Run, reading

RULE = "| --- " * 5 + "|"


def promote(run: Path | str, version: str, why: str) -> list[Path]:
    """Land what a run recommends as a version; the paths written, the rules file first.

    BadInput unless the run is confirmed and changes something, and the version is new.
    """
    if not re.fullmatch(documents.VERSION, version) or version.endswith(".json"):
        raise bad("version", shown(version), f"a word that matches {documents.VERSION}, no file")
    if not why.strip() or not why.isprintable():
        raise bad("why", shown(why) if why.strip() else "nothing", "a sentence that says why")
    with reading(run):
        found = Run(Path(run))
        game = found.experiment.game
        if found.confirmed["status"] != "confirmed":
            raise bad(str(run), "a run that was not confirmed", "one whose recommendation holds")
        folder = documents.folder() / game.name
        texts = _texts(found, game, folder, version, why)
    files = {folder / name: text for name, text in texts.items()}
    _refuse_landed(files)
    _check(folder, texts, game)
    _land(files)
    return list(files)


def _texts(found: Run, game: Game, folder: Path, version: str, why: str) -> dict[str, str]:
    """Every file of the new version by its name, the rules first."""
    parent = _parent(found, game)
    new = _successor(found, parent, version, why)
    if not diff(parent, new):
        raise bad(
            str(found.folder), f"the rules of {parent.version} themselves", "a change of them"
        )
    texts = {f"{version}.json": new.json()} | dict(_variants(folder, parent, version))
    for language in languages(game):
        texts[f"{version}.rulebook.{language}.md"] = rulebook(game, new, language)
    texts[f"{version}.changes.md"] = _change_list(found, parent, new)
    return texts


def _refuse_landed(files: dict[Path, str]) -> None:
    """Nothing is written over; but what a killed promotion left is gone on with."""
    there = [path for path in files if path.exists()]
    other = [path for path in there if not _holds(path, files[path])]
    if other or len(there) == len(files):
        raise bad(str([*other, *there][0]), "a file", "a version that has not landed")


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _parent(found: Run, game: Game) -> Rules:
    """The landed version that the run set out from, with the same numbers as then."""
    asked = found.experiment.rules
    parent = documents.load_version(game.name, asked.version, game.document)
    then = read_object(found.folder / "rules.json")["rules"]
    if parse(parent.override(asked.changes).json(), parent.source)["rules"] != then:
        raise bad(parent.source, "other numbers than in the run", "the baseline of the run")
    return parent


def _successor(found: Run, parent: Rules, version: str, why: str) -> Rules:
    """The parent with all that the run changes; what was decided is no longer assumed."""
    new = {pointer: value for pointer, (_, value) in found.chosen["changes"].items()}
    rules = parent.override({**found.experiment.rules.changes, **new})
    decided = [pointer for pointer, _, _ in diff(parent, rules)]
    return replace(
        rules,
        version=version,
        parent=parent.version,
        variant_of=None,
        why=why.strip(),
        assumed=tuple(row for row in parent.assumed if row.at not in decided),
        changes={},
    )


def _variants(folder: Path, parent: Rules, version: str) -> Iterator[tuple[str, str]]:
    """The parent's variants with their own differences, as variants of the new version."""
    for path in sorted(folder.glob("*.json")):
        file = read_object(path)
        if file.get("variant_of") == parent.version:
            name = version + path.stem.removeprefix(parent.version)
            links: dict[str, Any] = {"version": name, "variant_of": version, "parent": path.stem}
            yield f"{name}.json", pretty(file | links) + "\n"


def _check(folder: Path, texts: dict[str, str], game: Game) -> None:
    """Read the new files as they will lie, beside the old ones, before any of them lands."""
    with TemporaryDirectory() as name:
        place = Path(name)
        for path in folder.glob("*.json"):
            copy(path, place)
        for file, text in texts.items():
            (place / file).write_text(text, encoding="utf-8")
        for file in texts:
            if file.endswith(".json"):
                load(place / file, game.document, game.name)


def _change_list(found: Run, parent: Rules, new: Rules) -> str:
    """What changed, and the figures on fresh seeds that speak for it, as Markdown."""
    origin = (
        f"{found.experiment.question} The search tried {found.confirmed['tried']} settings; the "
        "figures below are from fresh games that took no part in it."
    )
    lines = [f"# {new.game} {new.version}", "", new.why, "", origin, ""]
    lines += [f"| rule | {parent.version} | {new.version} | unit | meaning |", RULE]
    for pointer, old, value in diff(parent, new):
        sentence, unit = field_info(type(new.document), pointer)
        lines.append(f"| `{pointer}` | {shown(old)} | {shown(value)} | {unit} | {sentence} |")
    lines += ["", "| target | band | before | after | games |", RULE]
    for before, after in zip(
        found.confirmed["baseline"]["targets"], found.chosen["targets"], strict=True
    ):
        low, high = after["band"]
        figures = [_figure(target["holdout"]) for target in (before, after)]
        games = f"{after['holdout']['n']:,}"
        lines.append(
            f"| {after['name']} ({after['matchup']}) | {low:g} to {high:g} "
            f"| {figures[0]} | {figures[1]} | {games} |"
        )
    return "\n".join(lines) + "\n"


def _figure(found: dict[str, Any]) -> str:
    return f"{found['value']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"


def _land(files: dict[Path, str]) -> None:
    landed: list[Path] = []
    try:
        for path, text in files.items():
            write_text(path, text)
            landed.append(path)
    except BaseException:
        for path in landed:
            path.unlink()
        raise
