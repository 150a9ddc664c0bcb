"""Numbers that hold become a version: its rules file, its variants, rulebooks, change list.

A landed version never changes, so nothing is written over; and either all files land or none.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, Literal

from lab import rules as documents
from lab.catalog import load_file, load_game
from lab.errors import BadInput, bad, make_folder, write_text
from lab.experiment import Experiment, load_experiment
from lab.experiment.banks import seed_of
from lab.game import Game
from lab.jsonfile import pretty, read_object, shown
from lab.publish.books import holds, page, place
from lab.publish.changes import change_list
from lab.publish.draft import Candidate, named, pick
from lab.report.rulebook import languages
from lab.report.words import band, listing, span
from lab.rules import Rules, diff, load, load_version
from lab.stats.sequential import BUDGET
from lab.verdicts import Verification, Watched

Play = Callable[[Verification], None]


class Refusal(Exception):
    """Nothing is wrong with what was asked, but nothing lands; the text says why.

    Targets fail, or nobody knows whether they hold, or the version before meets them too.
    """

    def __init__(self, verdict: Literal["FAIL", "UNDECIDED", "NO CHANGE"], text: str) -> None:
        super().__init__(text)
        self.verdict = verdict


@dataclass(frozen=True)
class Proposal:
    """What is to land: the new version and its parent, and what speaks for it."""

    game: Game
    parent: Rules
    rules: Rules
    candidate: Candidate | None  # of a sweep, if it is one


def promote(
    source: Path | str,
    version: str,
    why: str,
    targets: Experiment | Path | str | None = None,
    unverified: bool = False,
    games: int = BUDGET,
    jobs: int = 1,
    play: Play = Verification.play,
) -> list[Path]:
    """Land a draft, or what a run has confirmed, as a version; the paths, the rules file first.

    The `targets` of an experiment are judged on games that nobody has seen, at most `games` a
    pairing. A run that is promoted without is taken at the word of its own confirmation, a draft
    only where it is `unverified`. Raises Refusal unless the targets hold now and did not before,
    KeyboardInterrupt on Ctrl-C, and BadInput for whatever is wrong, a version that has landed
    before among it; in none of these is anything written.
    """
    _check_words(version, why)
    found = _proposal(str(source), version, why.strip(), unverified)
    if targets is not None and unverified:
        raise bad("--unverified", "--targets too", "one of the two")
    if targets is None and not unverified:
        _check_confirmed(found, str(source))
    folder = documents.folder() / found.game.name
    rules = folder / f"{version}.json"
    if rules.exists() and not holds(rules, found.rules.json()):
        raise _landed(rules)
    files = {folder / name: text for name, text in _texts(found, folder).items()}
    changes = folder / f"{version}.changes.md"
    _refuse_landed(files, changes)
    evidence = None if targets is None else _verified(found, targets, games, jobs, play)
    text = change_list(found.parent, found.rules, found.candidate, evidence)
    if changes.exists() and not holds(changes, text):
        raise _landed(changes)
    _land(files | {changes: text})
    return [*files, changes]


# --- what is to land ----------------------------------------------------------------------------


def _check_words(version: str, why: str) -> None:
    if not re.fullmatch(documents.VERSION, version) or version.endswith(".json"):
        raise bad("version", shown(version), f"a word that matches {documents.VERSION}, no file")
    if not why.strip() or not why.isprintable():
        raise bad("why", shown(why) if why.strip() else "nothing", "a sentence that says why")


def _proposal(source: str, version: str, why: str, unverified: bool) -> Proposal:
    """The version to be."""
    candidate = None if source.endswith(".json") else pick(source)
    if candidate:
        parent, rules = candidate.parent, candidate.parent.override(candidate.changes)
    else:
        rules = load_file(source)
        parent = _parent(rules)
    if not diff(parent, rules):
        if candidate:
            raise _needless(parent)
        raise bad(source, f"the rules of {parent.version} themselves", "a change of them")
    new = named(parent, rules, version, why, unverified)
    return Proposal(load_game(rules.game), parent, new, candidate)


def _parent(draft: Rules) -> Rules:
    version = draft.parent or draft.variant_of
    if version is None:
        raise bad(draft.source, "no parent", "a draft of a landed version")
    return load_version(draft.game, version, type(draft.document))


# --- whether it holds ---------------------------------------------------------------------------


def _check_confirmed(found: Proposal, source: str) -> None:
    """A run's own confirmation speaks for it, unless it speaks for the rules as they were too."""
    if found.candidate is None:
        raise bad(source, "a draft alone", "--targets, or --unverified")
    if found.candidate.run.confirmed["baseline"]["holds"]:
        raise _needless(found.parent)


def _needless(parent: Rules) -> Refusal:
    return Refusal("NO CHANGE", f"no change needed: {parent.version} meets the targets as it is")


def _verified(
    found: Proposal, targets: Experiment | Path | str, games: int, jobs: int, play: Play
) -> tuple[Verification, Verification]:
    """The parent, which does not pass, and the new version, which does, on the same fresh games.

    Their bank depends on the new numbers: who tries one draft after the other until one passes
    meets other games each time, and who tries the same draft again meets the same.
    """
    experiment = targets if isinstance(targets, Experiment) else load_experiment(targets)
    bank = seed_of(experiment.seed, "promote", found.rules.fingerprint)
    before, after = (
        Verification(rules, experiment, games, bank, jobs) for rules in (found.parent, found.rules)
    )
    for run in (before, after):
        play(run)
        if run.stopped:
            told = "stopped; nothing was written, the same command begins again"
            raise KeyboardInterrupt(told)
        if before.verdict == "PASS":
            raise _needless(found.parent)
    if after.verdict != "PASS":
        missed = [_missed(one) for one in after.targets if one.verdict == after.verdict]
        told = f"found {after.verdict} on {listing(missed)}, expected PASS; nothing is written"
        raise Refusal(after.verdict, f"{experiment.name}: {told}")
    return before, after


def _missed(watched: Watched) -> str:
    low, high = watched.study.sequence.interval
    unit = watched.metric.unit
    wanted = band(*watched.target.band, unit)
    return f"{watched.target.name} (wanted {wanted}, found {span(low, high, unit)})"


# --- its files ----------------------------------------------------------------------------------


def _texts(found: Proposal, folder: Path) -> dict[str, str]:
    """Every file of the new version but its change list by name, the rules first."""
    version = found.rules.version
    texts = {f"{version}.json": found.rules.json()}
    texts |= dict(_variants(folder, found.parent, version))
    family = _read(folder, texts, found.game)
    for rules in family.values():
        for language in languages(found.game):
            texts[place(rules.version, language)] = page(found.game, rules, language, family)
    return texts


def _variants(folder: Path, parent: Rules, version: str) -> Iterator[tuple[str, str]]:
    """The parent's variants with their own differences, as variants of the new version."""
    for path in sorted(folder.glob("*.json")):
        file = read_object(path)
        if file.get("variant_of") == parent.version:
            name = version + path.stem.removeprefix(parent.version)
            links: dict[str, Any] = {"version": name, "variant_of": version, "parent": path.stem}
            yield f"{name}.json", pretty(file | links) + "\n"


def _read(folder: Path, texts: dict[str, str], game: Game) -> dict[str, Rules]:
    """The new versions, as their files will lie beside the old ones, before any of them lands.

    BadInput for one that could not be read.
    """
    with TemporaryDirectory() as name:
        room = Path(name)
        for path in folder.glob("*.json"):
            copy(path, room)
        for file, text in texts.items():
            (room / file).write_text(text, encoding="utf-8")
        found = [load(room / file, game.document, game.name) for file in texts]
    return {rules.version: rules for rules in found}


def _refuse_landed(files: dict[Path, str], changes: Path) -> None:
    """Nothing is written over; but what a killed promotion left is gone on with."""
    there = [path for path in files if path.exists()]
    other = [path for path in there if not holds(path, files[path])]
    if other or (len(there) == len(files) and changes.exists()):
        raise _landed([*other, *there][0])


def _landed(path: Path) -> BadInput:
    return bad(str(path), "a file", "a version that has not landed")


def _land(files: dict[Path, str]) -> None:
    made = {path.parent for path in files if not path.parent.exists()}
    landed: list[Path] = []
    try:
        for path, text in files.items():
            make_folder(path.parent)
            write_text(path, text)
            landed.append(path)
    except BaseException:
        for path in landed:
            path.unlink()
        for folder in filter(Path.exists, made):
            folder.rmdir()
        raise
