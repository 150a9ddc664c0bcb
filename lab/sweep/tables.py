"""The tables of a run: what its report reads."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

import polars as pl

from lab import selfplay
from lab.experiment import COLUMNS, Experiment
from lab.experiment.banks import seed_of
from lab.experiment.space import word
from lab.rules import Rules
from lab.sweep.blocks import Block, cut, joined
from lab.sweep.play import Played, Source, numbers
from lab.sweep.search import Trial


def settings(
    experiment: Experiment, played: dict[str, Played], source: Source
) -> dict[str, pl.DataFrame]:
    """What both settings came to, side by side."""
    game = experiment.game
    sums = {name: selfplay.curve_table(game, p.curves) for name, p in played.items()}
    return {
        "matrix": _matrices(experiment, played, source),
        "lengths": _named({name: p.lengths for name, p in played.items()}),
        "endings": _named({name: p.endings for name, p in played.items()}),
        "curves": _named(sums),
    }


def trials(experiment: Experiment, found: Sequence[Trial]) -> pl.DataFrame:
    """A row a setting tried; `error` is what a game of it raised."""
    rows = [_trial(experiment, trial) for trial in found]
    table = pl.DataFrame(rows, infer_schema_length=None)
    return table.with_columns(pl.col("error").cast(pl.String))


def _trial(experiment: Experiment, trial: Trial) -> dict[str, Any]:
    told = (trial.number, trial.loss, trial.expected, trial.steps, trial.games)
    number, *rest = zip(COLUMNS, told, strict=True)
    setting = {pointer: word(value) for pointer, value in trial.setting.items()}
    found = [(t.name, e) for t, e in zip(experiment.targets, trial.targets, strict=True)]
    values = {name: estimate["value"] for name, estimate in found}
    errors = {f"{name} error": estimate["error"] for name, estimate in found}
    raised = {"error": trial.error}
    return dict([number]) | setting | dict(rest) | values | errors | raised


def measures(found: Sequence[Trial]) -> pl.DataFrame:
    """Every metric of every pairing, of each setting tried."""
    rows = [{"trial": trial.number} | row for trial in found for row in trial.measures]
    return pl.DataFrame(rows, infer_schema_length=None)


def sides(played: dict[str, Played]) -> pl.DataFrame:
    """Every metric of every pairing, of each side."""
    return _named({name: _measured(side) for name, side in played.items()})


def _measured(played: Played) -> pl.DataFrame:
    """Every metric of every pairing."""
    return pl.DataFrame(
        [
            {"matchup": pairing.label, "metric": name} | numbers(found)
            for (pairing, name), found in played.measures.items()
        ],
        infer_schema_length=None,
    )


def _matrices(experiment: Experiment, played: dict[str, Played], source: Source) -> pl.DataFrame:
    """Who beats whom, on the same seeds; played once where nothing changed."""
    made = {p.rules.fingerprint: p.rules for p in played.values()}
    tables = {key: _matrix(experiment, rules, source) for key, rules in made.items()}
    return _named({name: tables[p.rules.fingerprint] for name, p in played.items()})


def _matrix(experiment: Experiment, rules: Rules, source: Source) -> pl.DataFrame:
    seed, games = seed_of(experiment.seed, "matrix"), experiment.budget.matrix_games

    def frames(pairs: Sequence[tuple[str, str]]) -> Iterator[pl.DataFrame]:
        parts = [cut(Block(rules, *pair, seed, range(games))) for pair in pairs]
        found = source(list(chain.from_iterable(parts)))
        return (joined(list(islice(found, len(own))))[0] for own in parts)

    return selfplay.matrix(rules, experiment.policies, games, seed, source=frames)


def _named(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    named = [
        table.select(pl.lit(name).alias("setting"), pl.all()) for name, table in tables.items()
    ]
    return pl.concat(named)
