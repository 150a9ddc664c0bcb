"""The field: fitted to rows of a known mix, kept in a file, taken by an experiment."""

import json
import os
import tomllib
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from lab import selfplay
from lab.catalog import load_rules
from lab.experiment import load_experiment
from lab.experiment.fields import read_field
from lab.field.fit import fit
from lab.field.rows import Rows, read_rows
from lab.replay import measure
from lab.report import markdown
from lab.report.build import facts
from lab.sweep import run_sweep
from lab.verdicts import verify
from tests.experiments import write
from tests.recorded import ALL, needs_all
from tests.toy import refusal
from tests.verbs import out
from tests.verbs import refusal as refused

FEW = 8
PROOF = bool(os.environ.get("LAB_PROOF"))
ANTS = {"economy": 0.5, "rush": 0.1, "siege": 0.3, "disruption": 0.1}
PLAYERS = {
    "economy": 0.1,
    "rush": 0.25,
    "timing": 0.2,
    "macro": 0.3,
    "turtle": 0.05,
    "swarm": 0.1,
}
pytestmark = pytest.mark.usefixtures("quiet")


def rows_of(game, weights, games, seed=11):
    """Games in which each seat is filled by the weights."""
    rules = load_rules(game)
    pairs = list(product(weights, weights))
    shares = [weights[first] * weights[second] for first, second in pairs]
    counts = np.random.default_rng(seed).multinomial(games, shares)
    frames, start = [], 0
    for (first, second), count in zip(pairs, counts, strict=True):
        if count:
            own = range(start, start + count)
            frames.append(selfplay.simulate(rules, first, second, own, seed))
        start += count
    return Rows(Path("rows.parquet"), pl.concat(frames), rules)


@pytest.fixture(scope="module")
def rows():
    return rows_of("ants", ANTS, 2000)


@pytest.fixture(autouse=True)
def few_repeats(monkeypatch):
    """Where it is not about intervals."""
    monkeypatch.setattr("lab.field.fit.REPEATS", FEW)


@pytest.fixture(scope="module")
def found(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lab.field.fit.REPEATS", FEW)
        return fit(rows, list(ANTS), games=100)


@pytest.fixture
def table(rows, tmp_path):
    rows.frame.write_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


# --- the fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "weights"), [("ants", ANTS), *([("next_nation", PLAYERS)] if PROOF else [])]
)
def test_a_known_mix_is_recovered(game, weights, monkeypatch):
    """Acceptance: every weight within 0.05 and its interval's width."""
    monkeypatch.setattr("lab.field.fit.REPEATS", 100)
    real = rows_of(game, weights, 2000)
    played = fit(real, list(weights), games=1000 if PROOF else 300)
    assert dict(played.weights) == pytest.approx(weights, abs=0.05)
    assert sum(played.weights.values()) == pytest.approx(1, abs=1e-9)
    assert not any(one.beyond for one in played.misfits)
    assert played.off < 0.1
    for name, (low, high) in played.intervals.items():
        assert low <= played.weights[name] <= high
        assert 0.005 < high - low < 0.15
        assert abs(played.weights[name] - weights[name]) < high - low  # four deviations


def test_a_fit_is_the_same_every_time(rows, found):
    again = fit(rows, list(ANTS), games=100, jobs=2)
    assert again.weights == found.weights
    assert again.intervals == found.intervals
    assert [one[1:] for one in again.misfits] == [one[1:] for one in found.misfits]


def test_misfits_are_told_in_standard_errors(rows, found):
    assert [abs(one.errors) for one in found.misfits] == sorted(
        (abs(one.errors) for one in found.misfits), reverse=True
    )
    score = next(one for one in found.misfits if one.metric.name == "first_win")
    wins = (rows.frame["winner"] == "first").to_numpy()
    assert score.real == pytest.approx(wins.mean())
    error = wins.std() / np.sqrt(wins.size)
    assert 0.5 * error < abs(score.mix - score.real) / abs(score.errors) < 2 * error
    assert "decided_round" in found.left_out  # of draws it says nothing


def test_what_no_mix_reaches_is_named(rows):
    longer = rows.frame.with_columns(pl.col("length") + 30)
    odd = fit(replace(rows, frame=longer), list(ANTS), games=50)
    assert odd.misfits[0].metric.name == "length"
    assert odd.misfits[0].beyond
    assert odd.misfits[0].least <= -3
    assert odd.off > 0.2


def test_what_varies_neither_in_the_rows_nor_in_their_mix_is_no_obstacle():
    """A metric that only a player without weight has: nothing divides by its spread of 0."""
    rows = rows_of("ants", {"random:ban=place": 1.0}, 60)
    metrics = ("first_score", "length", "first_placed")
    found = fit(rows, ["random:ban=place", "economy"], metrics, games=60)
    assert found.weights["random:ban=place"] > 0.9
    missed = {one.metric.name: one for one in found.misfits}
    assert (missed["first_placed"].real, missed["first_placed"].mix) == (0, 0)
    assert missed["first_placed"].errors == 0


def test_a_metric_that_another_mix_reaches_is_no_limit_of_the_players(rows):
    only = fit(rows, ["economy", "rush"], ["length", "queen"], games=50)
    assert {one.metric.name for one in only.misfits} == {"length", "queen"}
    assert all(abs(one.least) <= abs(one.errors) + 1e-6 for one in only.misfits)


# --- rows ---------------------------------------------------------------------------------------


def test_rows_are_read_from_both_kinds_of_table(rows, table, tmp_path):
    rows.frame.write_csv(tmp_path / "rows.csv")
    for path in (table, tmp_path / "rows.csv"):
        read = read_rows(path)
        assert read.frame.equals(rows.frame)
        assert (read.rules.version, read.digest) == ("0.3", rows.digest)


def test_rows_that_say_their_rules_are_held_to_them(tmp_path):
    rules = load_rules("ants").override({"/turn/round_cap": 4})
    path = tmp_path / "games.parquet"
    selfplay.simulate(rules, "economy", "rush", 20, out=path)
    assert read_rows(path).rules.fingerprint == rules.fingerprint
    assert f"games by 0.3 ({rules.fingerprint}), expected games by 0.3 (" in refusal(
        read_rows, path, "0.3"
    )


def _spoilt(rows, change):
    return change(rows.frame)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda f: f.drop("first_workers"), "no column first_workers, expected it, as every table"),
        (lambda f: f.rename({"winner": "winer"}), "column winner, expected it, as every table of"),
        (lambda f: f.select("game", "winner"), "found no column "),
        (lambda f: f.head(3), "found 3 games, expected 10 or more"),
        (lambda f: f.head(1), "found 1 game, expected 10 or more"),
        (lambda f: f.with_columns(length=pl.lit("long")), "found no table of games, expected one"),
        (lambda f: f.with_columns(length=None), "found an empty cell, expected a value in each"),
    ],
)
def test_a_table_that_is_none_is_refused(rows, tmp_path, change, line):
    path, target = tmp_path / "odd.parquet", tmp_path / "field.toml"
    _spoilt(rows, change).write_parquet(path)
    said = refused("field", "fit", path, "--out", target)
    assert line in said
    assert not target.exists()


def test_what_cannot_be_fitted_is_refused_before_a_game(table, tmp_path, monkeypatch):
    monkeypatch.setattr("lab.field.fit.simulate", None)
    target = tmp_path / "field.toml"
    ask = ("field", "fit", table, "--out", target)
    assert "(did you mean 'economy'?)" in refused(*ask, "--policy", "econmy", "--policy", "rush")
    assert "policies: found rush, expected two or more" in refused(*ask, "--policy", "rush")
    assert "(did you mean 'length'?)" in refused(*ask, "--metric", "lenght")
    assert "suffix '.txt', expected a file" in refused(*ask[:4], tmp_path / "a.txt")
    (tmp_path / "noise.parquet").write_text("noise")
    noise = ("field", "fit", tmp_path / "noise.parquet", "--out", target)
    assert "found no table of games, expected one as" in refused(*noise)
    assert "nothing.csv: found no such file" in refused(
        "field", "fit", tmp_path / "nothing.csv", "--out", target
    )
    final = Path(__file__).parents[1] / "rules" / "next_nation" / "2026-final.json"
    assert "expected" in refused(*ask, "--rules", final)
    assert not target.exists()


def test_the_verb_writes_what_it_prints(table, tmp_path):
    target = tmp_path / "field.toml"
    ask = ["field", "fit", table, "--out", target, "--games", 40]
    ask += [word for name in ANTS for word in ("--policy", name)]
    said = out(*ask)
    assert "standard errors" in said
    assert said.splitlines()[-1] == f"{target}: the field of 2,000 games"
    kept = tomllib.loads(target.read_text())
    told = json.loads(out(*ask, "--json"))
    assert kept["weights"] == told["weights"]
    assert list(kept["misfits"]) == [one["metric"] for one in told["misfits"]]
    assert kept["fit"]["rows_games"] == 2000
    assert kept["fit"]["fingerprint"] == told["fingerprint"]
    assert read_field(target).weights == pytest.approx(
        {name: weight for name, weight in kept["weights"].items() if weight}
    )


@needs_all
def test_the_recorded_bots_are_weighed():
    """Acceptance: on the organisers' logs there are weights with misfits."""
    frame, left_out = measure(sorted((ALL / "bots").glob("*.log")), load_rules("next_nation"))
    assert not left_out
    found = fit(Rows(Path("bots.parquet"), frame, load_rules("next_nation")), games=60)
    assert found.clusters == frame["map_seed"].n_unique()
    assert sum(found.weights.values()) == pytest.approx(1)
    assert len(found.misfits) > 20


# --- the file, and experiments that take it -----------------------------------------------------

FIELD = 'game = "ants"\n[weights]\neconomy = 0.5\nrush = 0.3\n"siege:temperature=12" = 0.2\n'
ASKED = """
question = "How does the field play?"
game = "ants"
rules = "0.3"
seed = 5

[overrides]
"/turn/round_cap" = 4

[space]
"/start/resources/1" = { low = 3, high = 5 }

[[matchups]]
name = "field"
field = "players.toml"

[[targets]]
metric = "first_score"
matchup = "field"
band = [0.3, 0.7]

[[targets]]
metric = "score"
policy = "rush"
matchup = "field"
band = [0, 0.8]

[budget]
trials = 3
games = 40
top = 1
confirm_games = 100
matrix_games = 10
"""


def asked(folder, *changes, field=FIELD):
    (folder / "players.toml").write_text(field)
    return write(folder, *changes, text=ASKED)


def test_a_field_counts_its_pairings_by_both_weights(tmp_path):
    score, own = load_experiment(asked(tmp_path)).targets
    shares = {part.pairing: part.weight for part in score.parts}
    assert len(shares) == 9
    assert shares["economy", "rush"] == shares["rush", "economy"] == pytest.approx(0.15)
    assert shares["economy", "economy"] == pytest.approx(0.25)
    assert sum(shares.values()) == pytest.approx(1)
    assert {part.pairing for part in own.parts} == {
        pair for pair in shares if (pair[0] == "rush") != (pair[1] == "rush")
    }


def test_a_measure_over_a_field_is_the_weighted_mean(tmp_path):
    run = run_sweep(asked(tmp_path), tmp_path / "run")
    (tmp_path / "players.toml").unlink()  # the run has its own
    assert run.manifest["fields"]["players.toml"]["siege:temperature=12"] == pytest.approx(0.2)
    assert "players.toml siege:temperature=12" in markdown.render(facts(run))
    measures = {
        part.pairing: run.experiment.targets[0].parts[place].weight
        for place, part in enumerate(run.experiment.targets[0].parts)
    }
    assert sum(measures.values()) == pytest.approx(1)
    rules = run.experiment.rules
    found = verify(rules, run.experiment, games=400)
    exact = sum(
        weight * score(selfplay.simulate(rules, *pair, 2000, 77))
        for pair, weight in measures.items()
    )
    assert found["low"][0] < exact < found["high"][0]
    held = run.confirmed["baseline"]["targets"][0]["holdout"]
    assert held["n"] == 900
    assert held["low"] < exact < held["high"]


def score(games):
    return ((games["winner"] == "first") + (games["winner"] == "draw") / 2).mean()


def test_another_field_is_another_experiment(tmp_path):
    one = load_experiment(asked(tmp_path)).fingerprint
    assert load_experiment(asked(tmp_path, field=f"# noted\n{FIELD}")).fingerprint == one
    changed = FIELD.replace("0.3", "0.2").replace("0.5", "0.6")
    assert load_experiment(asked(tmp_path, field=changed)).fingerprint != one


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("economy", "econmy"), "(did you mean 'economy'?)"),
        (("0.5", "0.4"), "/weights: found a sum of 0.9, expected weights that sum to 1"),
        (("0.5", "-0.5"), "/weights/economy: found -0.5, expected"),
        (("0.5", "nan"), "/weights/economy: found "),
        (("economy = 0.5", ""), "/weights: found a sum of 0.5, expected weights that sum"),
        (('"ants"', '"wargambit"'), "players.toml /weights: "),
        (('"ants"', '"antz"'), "/game: "),
        (("[weights]", "[wieghts]"), "(did you mean 'weights'?)"),
    ],
)
def test_a_field_that_is_none_is_refused_in_one_line(tmp_path, change, line):
    said = refusal(load_experiment, asked(tmp_path, field=FIELD.replace(*change)))
    assert said.startswith(f"{tmp_path / 'short.toml'} /matchups/0/field: ")
    assert line in said
    assert "\n" not in said


def test_a_field_of_another_game_or_place_is_refused(tmp_path):
    other = 'game = "next_nation"\n[weights]\nrush = 1.0\n'
    said = refusal(load_experiment, asked(tmp_path, field=other))
    assert "players.toml: found a field of next_nation, expected ants" in said
    said = refusal(load_experiment, asked(tmp_path, ('"players.toml"', '"../players.toml"')))
    assert "/matchups/0/field: found" in said
    said = refusal(load_experiment, asked(tmp_path, ('"players.toml"', '"nobody.toml"')))
    assert "nobody.toml: found no such file" in said
