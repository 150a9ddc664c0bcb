from itertools import pairwise, product
from pathlib import Path

import pytest

from lab.catalog import GAMES
from lab.experiment import Pairing, load_experiment
from lab.experiment.fields import read_field
from lab.experiment.file import Budget
from lab.experiment.space import Dimension, Link, Space
from tests.experiments import write
from tests.toy import refusal


def test_a_file_is_resolved(tmp_path):
    found = load_experiment(write(tmp_path))
    assert (found.name, found.game.name, found.rules.version, found.seed) == (
        "short",
        "ants",
        "0.3",
        5,
    )
    assert found.rules.value("/turn/round_cap") == 4
    assert found.games == {
        Pairing("random", "random"): 40,
        Pairing("random", "economy"): 20,
        Pairing("economy", "random"): 20,
    }
    assert found.policies == ("random", "economy")
    assert found.space.dimensions[0] == Dimension("/start/resources/1", (0, 2, 4, 6, 8), 2)
    assert found.space.dimensions[3] == Dimension("/board/mirror_second", (False, True), None)


EVERY = sorted((Path(__file__).parents[1] / "experiments").glob("*.toml"))
FIELDS = [path for path in EVERY if path.stem.endswith("-field")]
SHIPPED = [path for path in EVERY if path not in FIELDS]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_experiment_of_the_project_is_read(path):
    assert load_experiment(path).name == path.stem


@pytest.mark.parametrize("path", FIELDS, ids=[path.stem for path in FIELDS])
def test_every_field_of_the_project_is_read(path):
    assert sum(read_field(path).weights.values()) == pytest.approx(1)


def test_the_file_that_the_guide_shows_is_read(tmp_path):
    guide = Path(__file__).parents[1] / "experiments" / "README.md"
    shown = guide.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    (tmp_path / "players.toml").write_text('game = "ants"\n[weights]\neconomy = 0.5\nrush = 0.5\n')
    path = tmp_path / "topic.toml"
    path.write_text(shown, encoding="utf-8")
    found = load_experiment(path)
    assert found.budget == Budget()
    assert found.games[Pairing("rush", "siege")] == 1000
    assert [(target.name, target.band) for target in found.targets] == [
        ("first_score", (0.48, 0.52)),
        ("first_score at search:playouts=50", (0.48, 0.52)),
        ("share of games for the queen", (0.25, 0.75)),
        ("share of games for the queen at search:playouts=50", (0.25, 0.75)),
        ("score of economy", (0.4, 0.6)),
        ("score of rush", (0.4, 0.6)),
        ("score of siege:temperature=12", (0.4, 0.6)),
    ]


def test_a_band_is_given_or_made_of_value_and_tolerance(tmp_path):
    first, score = load_experiment(write(tmp_path)).targets
    assert first.band == (0.2, 0.8)
    assert (score.band, score.weight) == ((0, 0.9), 2)


def test_a_score_is_taken_from_both_seats_against_the_others(tmp_path):
    target = load_experiment(write(tmp_path)).targets[1]
    assert target.name == "score of economy"
    assert [(part.pairing.label, part.seat) for part in target.parts] == [
        ("random v economy", 1),
        ("economy v random", 0),
    ]


def test_a_score_target_may_have_a_name(tmp_path):
    path = write(tmp_path, ('policy = "economy"', 'policy = "economy"\nname = "eco"'))
    assert load_experiment(path).targets[1].name == "eco"


def test_each_makes_a_target_for_every_policy(tmp_path):
    targets = load_experiment(write(tmp_path, ('policy = "economy"', 'policy = "each"'))).targets
    assert [t.name for t in targets[1:]] == ["score of random", "score of economy"]


def test_all_mirrors_are_those_of_the_named_policies(tmp_path):
    path = write(tmp_path, ('mirror = "random"', 'name = "random mirror"\nmirror = "all"'))
    found = load_experiment(path)
    named = [name for name in found.game.policies if name != "random"]
    assert [part.pairing for part in found.targets[0].parts] == [Pairing(n, n) for n in named]


def test_every_target_is_checked_at_every_skill(tmp_path):
    found = load_experiment(write(tmp_path, ("seed = 5", 'seed = 5\nskills = ["economy"]')))
    assert [t.name for t in found.targets] == [
        "first_score",
        "first_score at economy",
        "score of economy",
    ]
    assert found.targets[1].parts[0].pairing == Pairing("economy", "economy")
    assert found.games[Pairing("economy", "economy")] == 40


def test_more_of_the_same_is_the_same_experiment(tmp_path):
    def fingerprint(*change):
        return load_experiment(write(tmp_path, *change)).fingerprint

    same = fingerprint()
    assert (
        fingerprint(("trials = 14", "trials = 9"), ("confirm_games = 100", "confirm_games = 9"))
        == same
    )
    for change in [("games = 40", "games = 41"), ("seed = 5", "seed = 6"), ("0.9", "0.8")]:
        assert fingerprint(change) != same, change
    assert fingerprint(('cap" = 4', 'cap" = 5')) != same


BAD = [
    (("seed = 5", "seed = 5\nsaed = 6"), "/saed: found an unknown key, expected one of question"),
    (("seed = 5", "seed = -1"), "/seed: found -1, expected a whole number from 0"),
    (("seed = 5", "seed ="), "short.toml: found broken TOML (Invalid value (at line 5, column 7))"),
    (
        ("seed = 5", "seed = 5\nsampler = 'tpa'"),
        '/sampler: found "tpa", expected one of "tpe", "gp"',
    ),
    (
        ('game = "ants"', 'game = "ant"'),
        f"/game: game: found 'ant', expected one of {', '.join(GAMES)} (did",
    ),
    (('"0.3"', '"0.33"'), '/rules: rules of ants: found "0.33"'),
    (('cap" = 4', 'cap" = 400'), "/overrides: ants 0.3 override /turn/round_cap: found 400, exp"),
    (('cap" = 4', 'kap" = 4'), "(did you mean '/turn/round_cap'?)"),
    (("resources/1", "resource/1"), "/space /start/resource/1: found an unknown pointer, expected"),
    (("resources/1", "resource/1"), "(did you mean '/start/resources/1'?)"),
    (
        ("high = 8", "high = 80"),
        "/space /start/resources/1: found 80, expected only what the rules",
    ),
    (("low = 0", "low = 9"), "found low 9 above high 8, expected a range"),
    (("low = 0", "low = 0.5"), "found a fraction, expected whole numbers"),
    (("low = 0, ", ""), "found high, expected low and high, or choices"),
    (("low = 0", "lo = 0"), "/lo: found an unknown key, expected one of low, high, step, choices"),
    (("step = 2", "step = 3"), "found a step of 3 that ends at 6, expected one that meets high, 8"),
    (("step = 2", "step = 0"), "/step: found 0, expected"),
    (("[false, true]", "[false, 1]"), "found 1, expected only what the rules allow, false, true"),
    (("[false, true]", "[true, true]"), 'found "true" 2 times, expected names that differ'),
    (
        ("choices = [false, true]", "low = 0, high = 1"),
        "found low and high, expected choices of fa",
    ),
    (('mirror = "random"', 'mirror = "rundom"'), "/matchups/0: policy 'rundom': found 'rundom'"),
    (('mirror = "random"', 'mirror = "rundom"'), "(did you mean 'random'?)"),
    (
        ('mirror = "random"', 'first = "random"'),
        "/matchups/0: found first, expected first and second",
    ),
    (('name = "field"', 'name = "random mirror"'), '/matchups: found "random mirror" 2 times'),
    (('pool = ["random", "economy"]', 'pool = ["random"]'), "pool: found one policy, expected two"),
    (('"first_score"', '"first_scor"'), '/targets/0/metric: found "first_scor"'),
    (('"first_score"', '"first_scor"'), "(did you mean 'first_score'?)"),
    (
        ('"first_score"', '"length < 20 and"'),
        "/targets/0/metric: formula 'length < 20 and', character 16: found its end",
    ),
    (('"first_score"', '"lenght + 1"'), "(did you mean 'length'?)"),
    (
        ('"first_score"', '"first_workers - second_workers + 500"'),
        "found a band of (0.2, 0.8), expected one that meets 4",
    ),
    (('= "random mirror"', '= "random mirrors"'), "(did you mean 'random mirror'?)"),
    (("[0, 0.9]", "[0.9, 0.9]"), "found the empty band [0.9, 0.9], expected its low end below"),
    (("[0, 0.9]", "[1.1, 1.2]"), "found a band of (1.1, 1.2), expected one that meets 0 to 1"),
    (("band = [0, 0.9]", "value = 0.5"), "found value, expected band, or value and tolerance"),
    (('policy = "economy"\n', ""), 'expected metric "score" together with a policy'),
    (('policy = "economy"', 'policy = "econ"'), '/targets/1/policy: found "econ"'),
    (
        ("increasing", "rising"),
        '/links/0/kind: found "rising", expected one of "sum", "increasing"',
    ),
    (('at = ["/units/worker', 'at = ["/units/walker'), "(did you mean '/units/worker/cost'?)"),
    (('at = ["/units/worker/cost"', 'at = ["/turn/ap"'), "found /turn/ap outside of the space"),
    (("low = 1, high = 3", "low = 4, high = 4"), "/links: found no value left for /units/worker"),
    (
        ('"increasing"', '"equal"'),
        "found /units/soldier/cost in the space, expected only the first",
    ),
    (("trials = 14", "trials = 0"), "/budget/trials: found 0, expected a whole number from 1"),
]


@pytest.mark.parametrize(("change", "line"), BAD)
def test_a_fault_is_said_in_one_line(tmp_path, change, line):
    path = write(tmp_path, change)
    said = refusal(load_experiment, path)
    assert line in said
    assert str(path) in said
    assert "\n" not in said


def grid(name, *values):
    return Dimension(name, values, values[1] - values[0])


def settings(space, chosen=None):
    """All settings that drawing dimension by dimension can meet."""
    chosen = chosen or {}
    left = [d for d in space.dimensions if d.pointer not in chosen]
    if not left:
        return [tuple(chosen.values())]
    values = space.open(left[0], chosen)
    assert values, "a dead end"
    steps = {b - a for a, b in pairwise(values)}
    assert steps <= {left[0].step}, "a hole in the range"
    return [s for v in values for s in settings(space, chosen | {left[0].pointer: v})]


A, B, C = grid("a", 1, 2, 3, 4), grid("b", 0, 2, 4, 6), grid("c", 2, 3, 4, 5, 6)


@pytest.mark.parametrize("order", [(A, B, C), (C, A, B), (B, C, A)])
def test_increasing_pointers_meet_every_rising_setting_and_no_other(order):
    space = Space(order, (Link("increasing", ("a", "b", "c")),))
    names = [d.pointer for d in order]
    rising = [
        values
        for values in product(*(d.values for d in order))
        if (v := dict(zip(names, values, strict=True)))["a"] < v["b"] < v["c"]
    ]
    assert sorted(settings(space)) == sorted(rising)


def test_a_sum_is_kept_by_every_setting():
    parts = grid("a", 0, 2, 4), grid("b", 1, 3, 5), grid("c", 2, 4, 6, 8)
    space = Space(parts, (Link("sum", ("a", "b", "c"), 11),))
    wanted = [v for v in product(*(d.values for d in parts)) if sum(v) == 11]
    assert sorted(settings(space)) == sorted(wanted)


def test_equal_pointers_follow_the_first_and_count_in_the_size():
    space = Space((B,), (Link("equal", ("b", "x")),))
    assert space.whole({"b": 4}) == {"b": 4, "x": 4}
    assert space.steps({"b": 0, "x": 4}, {"b": 4, "x": 4}) == 2
    assert space.steps({"b": 0, "x": 0}, {"b": 4, "x": 4}) == 4


def test_another_choice_is_one_step():
    space = Space((Dimension("s", ("x", "y", "z"), None),), ())
    assert space.steps({"s": "x"}, {"s": "z"}) == 1
