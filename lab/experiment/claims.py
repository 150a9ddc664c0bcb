"""Claims: sentences about a game that either hold or do not, resolved to the games that tell."""

from dataclasses import dataclass

from lab.errors import bad
from lab.experiment.file import SKILL, Budget, ClaimEntry, ExperimentFile
from lab.game import Game, Metric
from lab.jsonfile import shown
from lab.metrics import SHARE, metric_of
from lab.rules import Rules, diff
from lab.tomlfile import blaming

SEARCH = "search"
"""In a player's text: one that looks ahead, whose games take longer."""


@dataclass(frozen=True)
class Side:
    """Who plays whom, under which rules."""

    first: str
    second: str
    rules: Rules

    @property
    def policies(self) -> str:
        return f"{self.first} v {self.second}"


@dataclass(frozen=True)
class Claim:
    """That one side has more (or less) of a metric than another, in games of the same chance.

    `value` stands in the place of another side where the claim is about a figure.
    """

    say: str
    skill: str  # at which the sentence is tried, "" where it names its players
    shown: str  # who shows it: policies, and numbers that differ from the file's
    metric: Metric
    more: bool
    side: Side
    against: Side
    games: int
    other: Metric  # what counts on the other side
    value: float | None = None

    @property
    def difference(self) -> str:
        """What tells `against` from `side`: policies, numbers of the rules, a metric, a value."""
        if self.value is not None:
            share = self.metric.unit == SHARE
            return f"{100 * self.value:g}%" if share else f"{self.value:g} {self.metric.unit}"
        told = [] if self.side.policies == self.against.policies else [self.against.policies]
        told += _changes(self.side.rules, self.against.rules)
        told += [] if self.other is self.metric else [self.other.name.replace("_", " ")]
        return ", ".join(told)


def read_claims(file: ExperimentFile, game: Game, rules: Rules, path: str) -> tuple[Claim, ...]:
    """The claims of a file, each at every skill it is to be tried at; BadInput names the fault."""
    claims = []
    for index, entry in enumerate(file.claims):
        where = f"{path} /claims/{index}"
        for skill in _skills(entry, file.skills, where):
            with blaming(where):
                claims.append(_claim(entry.at(skill), skill, game, rules, file.budget))
            if not claims[-1].difference:
                raise bad(f"{where}/against", "nothing that differs", "what does: a player, rules")
    if file.claims and file.skills and not any(claim.skill for claim in claims):
        raise bad(f"{path} /skills", "skills", f"{SKILL} as a player of some claim")
    return tuple(claims)


def _skills(entry: ClaimEntry, skills: list[str], where: str) -> list[str]:
    if SKILL not in entry.players:
        return [""]
    if not skills:
        raise bad(where, f"the player {SKILL}", "skills in the file, each of which plays there")
    return skills


def _claim(entry: ClaimEntry, skill: str, game: Game, rules: Rules, budget: Budget) -> Claim:
    own = rules.override(entry.rules) if entry.rules else rules
    other = entry.against
    sides = (
        Side(entry.first, entry.second, own),
        Side(
            other.first or entry.first,
            other.second or entry.second,
            own.override(other.rules) if other.rules else own,
        ),
    )
    for side in sides:
        game.policy_rows(side.first, side.second, side.rules)
    metric = metric_of(game, entry.metric, said=shown)
    rival = metric
    if other.metric:
        rival = metric_of(game, other.metric, "against/metric", said=shown)
    if rival.unit != metric.unit:
        raise bad("against/metric", f"{rival.name} in {rival.unit}", f"one in {metric.unit}")
    games = budget.confirm_games
    if SEARCH in entry.players and budget.search_games:
        games = budget.search_games
    return Claim(
        entry.say,
        skill,
        ", ".join([sides[0].policies, *_changes(rules, own)]),
        metric,
        entry.wanted == "more",
        *sides,
        entry.games or games,
        rival,
        entry.against.value,
    )


def _changes(old: Rules, new: Rules) -> list[str]:
    """What differs in the rules, as a person writes it."""
    return [f"{pointer} = {shown(value)}" for pointer, _, value in diff(old, new)]
