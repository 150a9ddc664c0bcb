"""Drafts: numbers in work as a rules file, and the candidates of a sweep that may become one."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from lab import rules as documents
from lab.errors import bad, write_text
from lab.game import Game
from lab.jsonfile import parse, read_object, shown
from lab.rules import Rules, diff, load_version
from lab.sweep import Run, reading

DRAFT = "draft"
"""Why a draft is, until somebody says so."""
RECOMMENDED = "recommended"


class Candidate(NamedTuple):
    """A setting that a sweep has confirmed on fresh games: its figures, and what it changes."""

    run: Run
    parent: Rules  # the landed version that the run set out from
    figures: dict[str, Any]
    changes: dict[str, Any]  # of the parent, the experiment's own overrides included

    @property
    def game(self) -> Game:
        return self.run.experiment.game


def pick(text: str) -> Candidate:
    """The candidate that `RUN:CANDIDATE` names, by its number; of `RUN` alone the recommended one.

    BadInput unless every target of it holds on fresh games, and the run's baseline is as it was.
    """
    folder, name = _named(text)
    with reading(folder):
        run = Run(folder)
        found = _recommended(run) if name == RECOMMENDED else _numbered(run, name)
        new = {pointer: value for pointer, (_, value) in found["changes"].items()}
        changes = {**run.experiment.rules.changes, **new}
        return Candidate(run, _parent(run), found, changes)


def _named(text: str) -> tuple[Path, str]:
    folder, colon, name = text.rpartition(":")
    if not colon or Path(text).is_dir():
        return Path(text), RECOMMENDED
    return Path(folder), re.sub(r"^no\.\s*", "", name.strip())


def _recommended(run: Run) -> dict[str, Any]:
    if run.confirmed["status"] != "confirmed":
        told = "a run that fresh games have not confirmed"
        raise bad(str(run.folder), told, "one whose recommendation holds")
    return run.chosen


def _numbered(run: Run, name: str) -> dict[str, Any]:
    """One of those that were played again; the baseline changes nothing."""
    known = {str(found["number"]): found for found in run.confirmed["candidates"]}
    if name not in known:
        listed = ", ".join([RECOMMENDED, *known])
        told = f"candidate {shown(name)}, which was not played again on fresh games"
        raise bad(str(run.folder), told, f"one of {listed}", name, [RECOMMENDED, *known])
    found: dict[str, Any] = known[name]
    if not found["holds"]:
        missed = ", ".join(aim["name"] for aim in found["targets"] if not aim["holds"])
        told = f"candidate {name}, which was not confirmed ({missed})"
        raise bad(str(run.folder), told, "one whose targets all hold on fresh games")
    return found


def _parent(run: Run) -> Rules:
    """The landed version that the run set out from, with the same numbers as then."""
    game, asked = run.experiment.game, run.experiment.rules
    parent = load_version(game.name, asked.version, game.document)
    then = read_object(run.folder / "rules.json")["rules"]
    if parse(parent.override(asked.changes).json(), parent.source)["rules"] != then:
        raise bad(parent.source, "other numbers than in the run", "the baseline of the run")
    return parent


def successor(parent: Rules, changes: Mapping[str, Any], version: str, why: str) -> Rules:
    """The parent with other numbers, whole, under a name of its own."""
    return named(parent, parent.override(changes), version, why)


def named(parent: Rules, rules: Rules, version: str, why: str, unverified: bool = False) -> Rules:
    """The rules as a version that follows the parent; what was decided is no longer assumed.

    An assumption that somebody has put in other words since stays.
    """
    decided = {pointer for pointer, _, _ in diff(parent, rules)}
    old = {row for row in parent.assumed if row.at in decided}
    return replace(
        rules,
        version=version,
        parent=parent.version,
        variant_of=None,
        why=why,
        assumed=tuple(row for row in rules.assumed if row not in old),
        changes={},
        unverified=unverified,
    )


def write_draft(path: Path, parent: Rules, changes: Mapping[str, Any]) -> Rules:
    """A rules file of the parent's numbers with changes, and those rules.

    BadInput where a file of that name could not be read as rules, or would count as landed.
    """
    version = path.stem
    if path.suffix != ".json" or not re.fullmatch(documents.VERSION, version):
        raise bad(str(path), "a name that no rules file has", "NAME.json")
    if documents.folder().resolve() in path.resolve().parents:
        raise bad(str(path), "the folder of landed versions", "a draft anywhere else")
    rules = successor(parent, changes, version, DRAFT)
    write_text(path, rules.json())
    return rules
