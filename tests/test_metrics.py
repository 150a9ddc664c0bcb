import math

import numpy as np
import polars as pl
import pytest

from lab import catalog
from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.game import WINNERS, Metric
from lab.metrics import FIRST_SCORE, METRICS, measure, measure_one, metrics_of
from lab.selfplay import matrix, simulate
from lab.stats.estimate import RATE, UNBOUNDED, estimate_mean
from tests import toygame

BY_NAME = {metric.name: metric for metric in METRICS}
UNTIL_CAP = Metric(
    "plies_capped",
    "Actions of the games that reach the cap.",
    "actions",
    lambda games: np.where(games["capped"], games["plies"], math.nan),
    lambda rules: (0.0, 900.0),
)
LONG = Metric(
    "long",
    "Actions of the games that take more than six.",
    "actions",
    lambda games: np.where(games["plies"] > 6, games["plies"], math.nan),
    lambda rules: UNBOUNDED,
)


def outcomes(winners, histories=None, **columns):
    """A table of games as `simulate` gives it, as far as any game's metrics look."""
    n = len(winners)
    columns = {"capped": [False] * n, "length": [20] * n, "plies": [99] * n} | columns
    past = range(n) if histories is None else histories
    return pl.DataFrame(
        {
            "history": pl.Series(past, dtype=pl.UInt64),
            "winner": pl.Series(winners, dtype=pl.Enum(WINNERS)),
            **columns,
        }
    )


def values(table):
    return dict(table.select("metric", "value").iter_rows())


def random_outcomes(n, repeats=1):
    draw = np.random.default_rng(5)
    return outcomes(
        [WINNERS[i] for i in draw.integers(0, 3, n)],
        np.arange(n) // repeats,
        capped=draw.random(n) < 0.3,
        length=draw.integers(5, 40, n),
        plies=draw.integers(50, 300, n),
    )


@pytest.mark.parametrize("n", [1, 3, 7, 10, 97, 1000])
def test_every_game_is_somebodys_or_a_draw(n):
    found = values(measure(random_outcomes(n)))
    shares = [found[name] for name in ("first_win", "second_win", "draw")]
    assert sum(round(share * n) for share in shares) == n
    assert shares == [round(share * n) / n for share in shares]
    assert sum(shares) == pytest.approx(1, abs=1e-15)
    assert found["first_score"] == pytest.approx(found["first_win"] + found["draw"] / 2)


def test_capped_games_are_counted():
    found = measure(outcomes(["first", "draw", "draw", "second"], capped=[True, True, False, True]))
    expected = {"first_score": 0.5, "first_win": 0.25, "second_win": 0.25, "draw": 0.5}
    assert values(found) == expected | {"cap_rate": 0.75, "length": 20, "plies": 99}
    assert set(found["n"]) == {4}


def test_rows_are_the_estimates():
    games = random_outcomes(200)
    length = measure(games, [BY_NAME["length"]], confidence=0.8).row(0, named=True)
    oracle = estimate_mean(games["length"], games["history"], confidence=0.8)
    assert length == {
        "metric": "length",
        "unit": "rounds",
        "value": oracle.value,
        "low": oracle.low,
        "high": oracle.high,
        "n": 200,
        "distinct": 200,
        "clusters": 200,
        "method": "t",
    }
    assert measure_one(games, BY_NAME["length"], 0.8) == oracle


def test_repeated_games_count_once():
    games = random_outcomes(200, repeats=4)
    found = measure_one(games, BY_NAME["first_win"])
    assert found == estimate_mean(games["winner"] == "first", games["history"])
    assert (found.n, found.distinct, found.clusters) == (200, 50, 50)
    assert found.method == "Wilson over groups of equal histories"


def test_a_game_that_says_nothing_is_left_out():
    games = random_outcomes(200)
    found = measure_one(games, UNTIL_CAP)
    assert found.n == found.distinct == games["capped"].sum()
    assert found.value == games.filter("capped")["plies"].mean()


def test_groups_are_what_they_hold():
    games = random_outcomes(300)
    found = measure(games, by="winner")
    assert found["winner"].unique(maintain_order=True).to_list() == list(WINNERS)
    for winner in WINNERS:
        part = found.filter(pl.col("winner") == winner).drop("winner")
        assert part.equals(measure(games.filter(pl.col("winner") == winner)))
    two = measure(games, by=["capped", "winner"])
    assert two.columns[:3] == ["capped", "winner", "metric"]
    assert two.height == 6 * len(METRICS)


@pytest.mark.parametrize("repeats", [1, 4])
@pytest.mark.parametrize("by", [None, "capped"])
def test_a_file_read_in_pieces_measures_as_the_whole(tmp_path, monkeypatch, repeats, by):
    monkeypatch.setattr("lab.metrics.BATCH", 17)
    games = random_outcomes(300, repeats)
    path = tmp_path / "games.parquet"
    games.write_parquet(path, row_group_size=50)
    whole = measure(games, [*METRICS, UNTIL_CAP], by)
    for table in (games.lazy(), path, str(path)):
        assert measure(table, [*METRICS, UNTIL_CAP], by).equals(whole)


@pytest.fixture
def dealt(monkeypatch):
    """A toy with seven deals, its rules and 600 games of two players who never differ."""
    monkeypatch.setattr(catalog, "GAMES", (*GAMES, "dealt"))
    rules = toygame.rules(heap=9, under=5, game="dealt")
    return rules, simulate(rules, "greedy", "random", games=600, seed=7)


@pytest.mark.parametrize("told", [True, False])
def test_games_of_one_set_up_are_one_cluster(dealt, tmp_path, monkeypatch, told):
    rules, games = dealt
    found = measure(games, [FIRST_SCORE, LONG], rules=rules if told else None)
    values = (FIRST_SCORE.value(games), LONG.value(games))
    for row, x, bounds in zip(found.to_dicts(), values, (RATE, UNBOUNDED), strict=True):
        oracle = estimate_mean(x, None, games["all"], bounds)
        ends = (oracle.value, oracle.low, oracle.high)
        assert (row["value"], row["low"], row["high"]) == pytest.approx(ends)
        kept = games.filter(~np.isnan(x))
        counts = (kept.height, kept["history"].n_unique(), kept["all"].n_unique())
        assert (row["n"], row["distinct"], row["clusters"]) == counts
        assert row["clusters"] < row["distinct"] < 0.9 * row["n"]
        assert row["method"].endswith("over clusters")
    monkeypatch.setattr("lab.metrics.BATCH", 17)
    games.write_parquet(tmp_path / "games.parquet", row_group_size=50)
    streamed = measure(tmp_path / "games.parquet", [FIRST_SCORE, LONG])
    assert streamed.equals(found)


def test_inside_of_a_cluster_its_games_count_by_themselves(dealt):
    rules, games = dealt
    for row in measure(games, [FIRST_SCORE], by="all", rules=rules).to_dicts():
        part = games.filter(pl.col("all") == row["all"])
        assert row["high"] - row["low"] < 1
        assert row["clusters"] == part["history"].n_unique()


def test_everything_that_measures_knows_the_clusters(dealt):
    rules, games = dealt
    pair = matrix(rules, ["greedy"], games=70).row(0, named=True)
    assert (pair["n"], pair["clusters"]) == (70, games["all"].n_unique())
    with pytest.raises(BadInput, match="outcomes: found no column all, expected it, by which"):
        measure(games.drop("all"), rules=rules)


def test_no_games_no_knowledge():
    rate, mean = (measure_one(outcomes([]), BY_NAME[name]) for name in ("draw", "length"))
    assert math.isnan(rate.value)
    assert (rate.low, rate.high, rate.n) == (0, 1, 0)
    assert (mean.low, mean.high) == (-math.inf, math.inf)


def test_bad_input(tmp_path):
    with pytest.raises(BadInput, match=r"found 'winer', .* \(did you mean 'winner'\?\)"):
        measure(outcomes(["draw"]), by="winer")
    missing = tmp_path / "games.parquet"
    with pytest.raises(BadInput, match=r"games.parquet: found no such table, expected a .parquet"):
        measure(missing)
    table = tmp_path / "games.csv"
    table.write_text("game\n1\n")
    with pytest.raises(BadInput, match=r"games.csv: .* expected a .parquet file"):
        measure(table)


@pytest.mark.parametrize("name", GAMES)
def test_a_games_metrics_under_its_rules(name):
    game, rules = load_game(name), load_rules(name)
    games = simulate(rules, "random", "random", games=200, seed=1)
    metrics = metrics_of(game)
    assert len(metrics) == len(METRICS) + len(game.metrics)
    assert all(metric.sentence.endswith(".") and metric.unit for metric in metrics.values())
    for metric in metrics.values():
        assert len(metric.value(games)) == 200
    found = measure(games, rules=rules)
    assert found["metric"].to_list() == list(metrics)
    for row in found.filter(pl.col("n") > 0).iter_rows(named=True):
        low, high = metrics[row["metric"]].bounds(rules)
        assert low <= row["low"] <= row["value"] <= row["high"] <= high
