"""Claims: sentences about a game that either hold or do not, resolved to the games that tell."""

from dataclasses import dataclass

from lab.errors import bad
from lab.experiment.file import ClaimEntry, ExperimentFile
from lab.game import Game, Metric
from lab.jsonfile import shown
from lab.metrics import metrics_of
from lab.rules import Rules, diff
from lab.tomlfile import blaming


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
    """That one side has more (or less) of a metric than another, in games of the same chance."""

    say: str
    metric: Metric
    more: bool
    side: Side
    against: Side
    games: int

    @property
    def difference(self) -> str:
        """What tells `against` from `side`: policies, and numbers of the rules."""
        told = [] if self.side.policies == self.against.policies else [self.against.policies]
        for pointer, _, value in diff(self.side.rules, self.against.rules):
            told.append(f"{pointer} = {shown(value)}")
        return ", ".join(told)


def read_claims(file: ExperimentFile, game: Game, rules: Rules, path: str) -> tuple[Claim, ...]:
    """The claims of a file, checked; BadInput names the one at fault."""
    claims = []
    for index, entry in enumerate(file.claims):
        where = f"{path} /claims/{index}"
        with blaming(where):
            claims.append(_claim(entry, game, rules, file.budget.confirm_games))
        if not claims[-1].difference:
            raise bad(f"{where}/against", "nothing that differs", "first, second or rules that do")
    return tuple(claims)


def _claim(entry: ClaimEntry, game: Game, rules: Rules, games: int) -> Claim:
    metrics = metrics_of(game)
    if entry.metric not in metrics:
        expected = f"one of {', '.join(metrics)}"
        raise bad("metric", shown(entry.metric), expected, entry.metric, metrics)
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
    more = entry.wanted == "more"
    return Claim(entry.say, metrics[entry.metric], more, *sides, entry.games or games)
