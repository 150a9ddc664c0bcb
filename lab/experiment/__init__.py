"""Experiments: one question to a game's rules, as TOML. The only reader of experiments/.

What a file may say: experiments/README.md.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple

from lab.catalog import load_game, load_rules
from lab.errors import bad
from lab.experiment.claims import Claim, read_claims
from lab.experiment.fields import Field, read_field
from lab.experiment.file import (
    SCORE,
    Budget,
    ExperimentFile,
    MatchupEntry,
    TargetEntry,
    unique,
)
from lab.experiment.ranges import read_space
from lab.experiment.space import Space
from lab.game import Game, Metric
from lab.jsonfile import shown
from lab.metrics import FIRST_SCORE, metric_of
from lab.rules import Rules
from lab.tomlfile import blaming, read_form

EACH = "each"
COLUMNS = ("number", "loss", "expected_loss", "change_steps", "games")
"""Of a run's table of trials, beside pointers, targets and their errors."""
PLAIN = ("random", "search")  # in no "all": the first has no plan, the second no plan of its own
ANYWHERE = (-math.inf, math.inf)  # the band of what is only measured


# --- what a sweep works with --------------------------------------------------------------------


class Pairing(NamedTuple):
    """A policy in each seat."""

    first: str
    second: str

    @property
    def label(self) -> str:
        return f"{self.first} v {self.second}"


class Part(NamedTuple):
    """A pairing's share in a target; `seat` is whose score it is where the metric is "score"."""

    pairing: Pairing
    weight: float
    seat: int = 0


@dataclass(frozen=True)
class Target:
    """A metric over weighted pairings, and the band its value should lie in, ends included."""

    name: str
    metric: str
    matchup: str
    band: tuple[float, float]
    weight: float
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Experiment:
    """A question, checked and resolved: everything that a sweep has to know.

    In a comparison there is nothing to search: the space is empty, no target has a band. Where
    there are claims there is nothing else.
    """

    name: str
    question: str
    game: Game
    rules: Rules
    compared: Rules | None  # what they are held against
    seed: int
    sampler: str
    space: Space
    games: Mapping[Pairing, int]  # in a trial
    targets: tuple[Target, ...]
    budget: Budget
    policies: tuple[str, ...]  # of the matchups, in order of appearance
    text: str  # of the file
    fingerprint: str  # 16 hex digits over all that a trial depends on
    claims: tuple[Claim, ...] = ()
    skills: tuple[str, ...] = ()  # whose mirrors the targets are held to as well, in order
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # of a report, by language
    fields: Mapping[str, Field] = field(default_factory=dict)  # by the file beside it


def load_experiment(path: Path | str) -> Experiment:
    """The experiment in a TOML file; BadInput names the file, the place and the nearest name."""
    path = Path(path)
    file, text = read_form(path, ExperimentFile)
    with blaming(f"{path} /game"):
        game = load_game(file.game)
    with blaming(f"{path} /rules"):
        rules = load_rules(file.game, file.rules)
    with blaming(f"{path} /compare"):
        compared = load_rules(file.game, file.compare) if file.compare else None
    with blaming(f"{path} /overrides"):
        rules = rules.override(file.overrides) if file.overrides else rules
        compared = compared and compared.override(file.overrides)
    if compared and compared.fingerprint == rules.fingerprint:
        raise bad(f"{path} /compare", f"the same numbers as {rules.version}", "other rules")
    space = read_space(file, rules, str(path))
    fields = _fields(file, path)
    groups, games = _groups(file, fields, [rules, compared or rules], str(path))
    targets = _targets(file, groups, game, rules, str(path))
    targets += tuple(_measured(file, groups, game, str(path)))
    policies = dict.fromkeys(policy for pairing in games for policy in pairing)
    for skill in () if file.claims else file.skills:
        games.setdefault(Pairing(skill, skill), file.budget.games)
    return Experiment(
        path.stem,
        file.question,
        game,
        rules,
        compared,
        file.seed,
        file.sampler,
        space,
        games,
        targets,
        file.budget,
        tuple(policies),
        text,
        _fingerprint(file, fields, rules, compared),
        read_claims(file, game, rules, str(path)),
        tuple(file.skills),
        file.words,
        fields,
    )


def _fingerprint(
    file: ExperimentFile, fields: Mapping[str, Field], rules: Rules, compared: Rules | None
) -> str:
    """Names the trials: more of them, or another confirmation, is the same experiment."""
    told = file.model_copy(update={"question": "", "budget": file.budget.games})
    weights = [found.weights for found in fields.values()] or ""
    text = f"{rules.fingerprint} {compared and compared.fingerprint} {told!r}{weights}"
    return blake2b(text.encode(), digest_size=8).hexdigest()


# --- matchups and targets -----------------------------------------------------------------------


def _fields(file: ExperimentFile, path: Path) -> dict[str, Field]:
    """The fields that matchups name, which lie beside the experiment, by file name."""
    found = {}
    for index, matchup in enumerate(file.matchups):
        if matchup.field:
            with blaming(f"{path} /matchups/{index}/field"):
                found[matchup.field] = read_field(path.parent / matchup.field)
                if found[matchup.field].game != file.game:
                    raise bad(matchup.field, f"a field of {found[matchup.field].game}", file.game)
    return found


def _groups(
    file: ExperimentFile, fields: Mapping[str, Field], played: list[Rules], path: str
) -> tuple[dict[str, list[Part]], dict[Pairing, int]]:
    """Every matchup's pairings by its title, and how many games each pairing plays in a trial.

    BadInput where it cannot be played by one of the rules.
    """
    game = load_game(file.game)
    groups: dict[str, list[Part]] = {}
    games: dict[Pairing, int] = {}
    unique((matchup.title for matchup in file.matchups), f"{path} /matchups")
    for index, matchup in enumerate(file.matchups):
        with blaming(f"{path} /matchups/{index}"):
            shares = _pairings(matchup, fields, game)
            for pairing, rules in product(shares, played):
                game.policy_rows(*pairing, rules)
        groups[matchup.title] = [
            Part(pairing, matchup.weight * share) for pairing, share in shares.items()
        ]
        for pairing in shares:
            games[pairing] = max(games.get(pairing, 0), matchup.games or file.budget.games)
    for index, skill in enumerate(file.skills):
        with blaming(f"{path} /skills/{index}"):
            for rules in played:
                game.policy_rows(skill, skill, rules)
    unique(file.skills, f"{path} /skills")
    return groups, games


def _pairings(
    matchup: MatchupEntry, fields: Mapping[str, Field], game: Game
) -> dict[Pairing, float]:
    """The pairings, and how much each counts; in a field as often as both seats come up."""
    if matchup.field:
        drawn = fields[matchup.field].weights.items()
        return {Pairing(a, b): one * other for (a, one), (b, other) in product(drawn, drawn)}
    return dict.fromkeys(_even(matchup, game), 1.0)


def _even(matchup: MatchupEntry, game: Game) -> list[Pairing]:
    if matchup.first:
        return [Pairing(matchup.first, matchup.second)]
    if matchup.pool:
        unique(matchup.pool, "pool")
        if len(matchup.pool) == 1:
            raise bad("pool", "one policy", "two or more")
        return [Pairing(*pair) for pair in permutations(matchup.pool, 2)]
    named = [matchup.mirror]
    if matchup.mirror == "all":
        named = [name for name in game.rivals() if name not in PLAIN]
    return [Pairing(name, name) for name in named]


def _targets(
    file: ExperimentFile, groups: dict[str, list[Part]], game: Game, rules: Rules, path: str
) -> tuple[Target, ...]:
    targets: list[Target] = []
    for index, target in enumerate(file.targets):
        where = f"{path} /targets/{index}"
        for title in target.matchup:
            if title not in groups:
                raise bad(f"{where}/matchup", shown(title), "a matchup's name", title, groups)
        low, high = metric_named(game, target.metric, f"{where}/metric").bounds(rules)
        if target.ends[0] > high or target.ends[1] < low:
            raise bad(where, f"a band of {target.ends}", f"one that meets {low:g} to {high:g}")
        parts = [part for title in target.matchup for part in groups[title]]
        if target.metric == SCORE:
            targets += _score_targets(target, parts, f"{where}/policy")
        else:
            targets.append(_target(target, target.name or target.metric, parts))
            for skill in file.skills:
                mirror = [Part(Pairing(skill, skill), 1)]
                named = f"{target.name or target.metric} at {skill}"
                targets.append(_target(target, named, mirror, f"{skill} mirror"))
    unique((target.name for target in targets), f"{path} /targets")
    errors = [f"{target.name} error" for target in targets]
    for name in (*COLUMNS, *file.space, *errors):
        if name in [target.name for target in targets]:
            raise bad(f"{path} /targets", shown(name), "a name no column of a run has yet")
    return tuple(targets)


def metric_named(game: Game, name: str, where: str = "metric") -> Metric:
    """What a target or a measure is about in one game: a formula, a metric, or the first's score.

    A policy's score is told by the first seat's: the second one's is what that leaves over.
    """
    return FIRST_SCORE if name == SCORE else metric_of(game, name, where, [SCORE], shown)


def _target(target: TargetEntry, name: str, parts: list[Part], matchup: str = "") -> Target:
    title = matchup or ", ".join(target.matchup)
    return Target(name, target.metric, title, target.ends, target.weight, tuple(parts))


def _score_targets(target: TargetEntry, parts: list[Part], where: str) -> Iterator[Target]:
    known = _policies(parts)
    for policy in known if target.policy == EACH else [target.policy]:
        if policy not in known:
            raise bad(where, shown(policy), f"one of {', '.join(known)} or {EACH}", policy, known)
        own = _own(parts, policy)
        if not own:
            raise bad(where, f"{shown(policy)} only in mirrors", "a policy that meets others")
        told = target.name if target.policy != EACH else ""
        yield _target(target, told or f"{target.name or SCORE} of {policy}", own)


def _policies(parts: list[Part]) -> list[str]:
    return list(dict.fromkeys(policy for part in parts for policy in part.pairing))


def _own(parts: list[Part], policy: str) -> list[Part]:
    """A policy's games against all the others, from its seats."""
    return [
        Part(part.pairing, part.weight, part.pairing.index(policy))
        for part in parts
        if policy in part.pairing and part.pairing.first != part.pairing.second
    ]


def _measured(
    file: ExperimentFile, groups: dict[str, list[Part]], game: Game, path: str
) -> Iterator[Target]:
    """What a comparison measures: each metric over each matchup, a score for each policy there."""
    unique(file.measures, f"{path} /measures")
    for index, metric in enumerate(file.measures):
        metric_named(game, metric, f"{path} /measures/{index}")
        for title, parts in groups.items():
            named = {metric: parts}
            if metric == SCORE:
                every = {policy: _own(parts, policy) for policy in _policies(parts)}
                named = {f"{SCORE} of {policy}": own for policy, own in every.items() if own}
            for name, own in named.items():
                yield Target(name, metric, title, ANYWHERE, 1.0, tuple(own))
