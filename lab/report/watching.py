"""The games of a run that are worth watching, each as a page: found among a few, played again.

They are games of their own, of the rules that the report is about, and no figure rests on them. Who
searches is left out, for a report is not to take minutes.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lab import viewer
from lab.errors import make_folder, write_text
from lab.experiment.banks import seed_of
from lab.game import SEARCH, WINNERS, Game
from lab.report.language import find, say, unit
from lab.report.sections import Link, Section
from lab.report.words import count, listing
from lab.rules import Rules
from lab.selfplay import play_chunk
from lab.sweep import Run
from lab.viewer.camera import quantities

GAMES = 120
"""Games that are looked at, of all pairings alike."""
FOLDER = "games"
Progress = Callable[[int, int], None]


class Match(NamedTuple):
    """A game that was looked at."""

    rules: Rules
    first: str
    second: str
    seed: int
    game: int  # its index
    row: Any  # a record of `Game.outcome`
    lead: float  # the winner's least lead in its second half, from -1 to 1; 0 in a draw
    clock: int  # the round at whose start it was so

    @property
    def size(self) -> tuple[int, int, int]:
        """Longer games are greater, and no two alike."""
        return int(self.row["length"]), int(self.row["plies"]), self.game


def section(run: Run, out: Path, progress: Progress) -> Section | None:
    """Write the pages into a folder of `out` and link to them; None where all players search.

    `progress` counts pages.
    """
    game, matches = run.experiment.game, list(_matches(run))
    if not matches:
        return None
    make_folder(out / FOLDER)
    links, chosen = [], worth(matches)
    for done, (name, match) in enumerate(chosen.items()):
        progress(done, len(chosen))
        film = viewer.game(*match[:5])
        write_text(out / FOLDER / f"{name}.html", viewer.page(film))
        at = next(n for n, step in enumerate(film.steps) if step.clock >= match.clock)
        place = f"#{at}" if name == "comeback" else ""
        links.append(
            Link(say(name.capitalize()), f"{FOLDER}/{name}.html{place}", _told(game, match))
        )
    progress(len(chosen), len(chosen))
    text = _text(game, matches, chosen)
    return Section("watch", say("Games worth watching"), text, links=tuple(links))


def worth(matches: Sequence[Match]) -> dict[str, Match]:
    """The shortest, the median and the longest of some games, and the biggest comeback if any."""
    ranked = sorted(matches, key=lambda match: match.size)
    found = {"shortest": ranked[0], "median": ranked[len(ranked) // 2], "longest": ranked[-1]}
    back = min(ranked, key=lambda match: match.lead)
    return found | ({"comeback": back} if back.lead < 0 else {})


def lead(sums: np.ndarray[Any, Any], winner: int) -> tuple[float, int]:
    """The winner's least lead in the second half of a game, and when; (0, 0) in a draw.

    `sums` are its curves as `lab.selfplay.play_chunk` gives them. A lead is the mean, over the
    quantities of the curves, of (own - other) / (own + other), and 0 where nobody has any.
    """
    if WINNERS[winner] == "draw":
        return 0.0, 0
    reached = np.flatnonzero(sums[:, 0])
    clocks = reached[reached.size // 2 :]
    own, other = (sums[clocks, 1 + seat :: 2].astype(float) for seat in (winner, 1 - winner))
    total = own + other
    leads = np.divide(own - other, total, out=np.zeros_like(total), where=total != 0).mean(axis=1)
    least = int(leads.argmin())
    return float(leads[least]), int(clocks[least])


def _matches(run: Run) -> Iterator[Match]:
    """A few games of every pairing that does not search, each of an index of its own."""
    game, seed = run.experiment.game, seed_of(run.experiment.seed, "watch")
    pairings = list(_pairings(run))[:GAMES]
    each = math.ceil(GAMES / max(1, len(pairings)))
    for place, (rules, first, second) in enumerate(pairings):
        for index in range(place * each, (place + 1) * each):
            rows, sums = play_chunk(game.name, rules, first, second, seed, index, 1)
            yield Match(
                rules, first, second, seed, index, rows[0], *lead(sums, int(rows["winner"][0]))
            )


def _pairings(run: Run) -> Iterator[tuple[Rules, str, str]]:
    """Who plays whom by which rules: by those that the report is about."""
    spec = run.experiment
    if spec.claims:
        sides = [claim.side for claim in spec.claims]
        told = {(one.rules.fingerprint, one.first, one.second): one for one in sides}
        pairings = [(one.rules, one.first, one.second) for one in told.values()]
    else:
        rules = spec.compared or _chosen(run)
        pairings = [(rules, *pairing) for pairing in spec.games]
    for rules, first, second in pairings:
        kinds = [spec.game.preset(text.partition(":")[0]).kind for text in (first, second)]
        if SEARCH not in kinds:
            yield rules, first, second


def _chosen(run: Run) -> Rules:
    new = {pointer: value for pointer, (_, value) in run.chosen["changes"].items()}
    return run.experiment.rules.override(new) if new else run.experiment.rules


def _told(game: Game, match: Match) -> str:
    """Who played, and how it ended."""
    winner, ending = WINNERS[match.row["winner"]], game.endings[match.row["ending"]]
    length = int(match.row["length"])
    won = {
        "first": say("the first player wins"),
        "second": say("the second player wins"),
        "draw": say("a draw"),
    }
    return say(
        "{first} against {second}: {won} ({ending}) after {length}",
        first=match.first,
        second=match.second,
        won=won[winner],
        ending=find("endings", ending) or ending,
        length=f"{length} {unit(game.clock if length == 1 else game.clocks)}",
    )


def _text(game: Game, matches: Sequence[Match], chosen: dict[str, Match]) -> str:
    """Where they come from, and what a comeback is."""
    pairs = len({(m.rules.fingerprint, m.first, m.second) for m in matches})
    text = say(
        "Found among {games} of {pairings}, seed {seed}, on which no figure rests; the pages need "
        "no network.",
        games=count(len(matches), "game"),
        pairings=count(pairs, "pairing"),
        seed=matches[0].seed,
    )
    if "comeback" not in chosen:
        return f"{text} " + say("In none of them was the winner behind in the second half.")
    back = chosen["comeback"]
    names = [find("curves", name.replace(" ", "_")) or name for name in quantities(game)]
    return f"{text} " + say(
        "The comeback is the game whose winner was furthest behind in its second half: by "
        "{lead:.2f} at the start of {clock} {number}, where its page begins. A lead is the mean "
        "over {names} of (own - other) / (own + other).",
        lead=-back.lead,
        clock=unit(game.clock),
        number=back.clock,
        names=listing(names),
    )
