"""Who plays in a tournament: a TOML file of real programs and built-in policies.

    [[bot]]
    policy = "economy:temperature=3"  # one of `lab policies`, by which it is called

    [[bot]]
    name = "mine"
    command = "./bot --fast"          # split as a shell does, run in the folder
    folder = "bots/mine"              # optional, from the file's own; else that one
    env = { THREADS = "1" }           # optional, besides PATH
    build = "make"                    # optional, run by a shell in the folder before the first game

    [[bot]]
    glob = "bots/*"                   # a bot for each file or folder, called by its name
    command = "python3 {path}/main.py"  # optional, else what was found is run itself

A bot that is found runs in its own folder; {path} also stands in its build and environment.
"""

import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from lab.document import Document
from lab.errors import bad, refused
from lab.game import Game
from lab.jsonfile import shown
from lab.judge.program import Command, command
from lab.tomlfile import blaming, read_form

PATH = "{path}"
"""In a command, a build or an environment: what the glob has found, whole and quoted."""
Player = Command | str
"""As the judge takes it: a program, or a policy's text."""


class BotEntry(Document):
    """A policy, a program, or the programs that a glob finds."""

    name: str = Field(default="", max_length=64)
    policy: str = ""
    command: str = ""
    folder: str = ""
    env: dict[str, str] = Field(default={})
    build: str = ""
    glob: str = ""

    @model_validator(mode="after")
    def _one_kind(self) -> "BotEntry":
        given = self.model_fields_set
        if len(given & {"policy", "command", "glob"} - ({"command"} if self.glob else set())) != 1:
            raise ValueError("expected a policy, a command or a glob, and one of them alone")
        for kind, others in (
            ("policy", {"folder", "env", "build"}),
            ("glob", {"name", "folder"}),
        ):
            wrong = sorted(given & others) if kind in given else []
            if wrong:
                raise ValueError(f"found {wrong[0]} beside {kind}, expected no {wrong[0]}")
        if self.command and not self.glob and not self.name:
            raise ValueError("found a command without a name, expected both")
        return self


class BotsFile(Document):
    """The whole file."""

    bot: list[BotEntry] = Field(min_length=1)


@dataclass(frozen=True)
class Bot:
    """One entrant: a policy where that is not empty, else a program that runs in `folder`.

    `where` is its place in the file, for errors; `told` is what the file says of it, as JSON.
    """

    name: str
    where: str
    told: Mapping[str, Any]
    policy: str = ""
    command: str = ""
    folder: Path = Path()
    env: Mapping[str, str] = field(default_factory=dict)
    build: str = ""

    def player(self) -> Player:
        """What the judge starts; BadInput when there is no such program."""
        if self.policy:
            return self.policy
        return command(f"{self.where}/command", self.command, self.folder, self.env)


def load_bots(path: Path | str, game: Game) -> list[Bot]:
    """The bots of a file, two or more, in its order; BadInput names the place of a fault."""
    path = Path(path)
    file, _ = read_form(path, BotsFile)
    entries = [(f"{path} /bot/{index}", entry) for index, entry in enumerate(file.bot)]
    bots = list(chain(*(_bots(entry, where, path.parent, game) for where, entry in entries)))
    seen: set[str] = set()
    for bot in bots:
        if not bot.name.isprintable() or bot.name in seen:
            found = "this name twice" if bot.name in seen else "a sign that is not printable"
            raise bad(bot.where, f"{found}, {shown(bot.name)}", "a name of its own")
        seen.add(bot.name)
    if len(bots) < 2:
        raise bad(str(path), f"{len(bots)} bot", "two or more")
    return bots


def _bots(entry: BotEntry, where: str, base: Path, game: Game) -> Iterator[Bot]:
    said = entry.model_dump(exclude_defaults=True)
    if entry.policy:
        with blaming(f"{where}/policy"):
            game.policy_rows(entry.policy, entry.policy)
        name = entry.name or entry.policy
        yield Bot(name, where, said | {"name": name}, entry.policy)
    elif entry.glob:
        for path in _matches(entry.glob, where, base):
            folder = path if path.is_dir() else path.parent
            told = said | {"name": path.name, "glob": os.path.relpath(path, base)}
            yield _program(entry, where, told, folder, str(path.absolute()))
    else:
        yield _program(entry, where, said, base / entry.folder, PATH)


def _program(entry: BotEntry, where: str, told: dict[str, Any], folder: Path, path: str) -> Bot:
    if not folder.is_dir():
        raise bad(f"{where}/folder", shown(str(folder)), "a folder")
    quoted = path if path == PATH else shlex.quote(path)
    text = (entry.command or PATH).replace(PATH, quoted)
    env = {key: value.replace(PATH, path) for key, value in entry.env.items()}
    return Bot(told["name"], where, told, "", text, folder, env, entry.build.replace(PATH, quoted))


def _matches(glob: str, where: str, base: Path) -> list[Path]:
    """What a glob finds, by name; hidden files are nobody's bots."""
    try:
        found = sorted(path for path in base.glob(glob) if not path.name.startswith("."))
    except (NotImplementedError, ValueError, OSError) as error:
        raise bad(f"{where}/glob", f"{shown(glob)} ({error})", "a glob from here") from None
    if not found:
        raise bad(f"{where}/glob", f"nothing for {shown(glob)}", f"bots in {base}")
    return found


def build(bots: Sequence[Bot]) -> None:
    """Run every build command by a shell in its bot's folder; BadInput where one fails."""
    for bot in bots:
        if not bot.build:
            continue
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", bot.build],
                cwd=bot.folder,
                env=os.environ | bot.env,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except (OSError, ValueError) as error:
            raise refused(f"{bot.where}/build", error, "a build that can run") from None
        if done.returncode:
            last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
            found = f"status {done.returncode} of the build of {bot.name}"
            raise bad(f"{bot.where}/build", ": ".join([found, *last]), "a build that succeeds")
