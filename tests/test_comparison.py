"""Two rule sets on the same seeds: `lab compare`, its guards, and what it hands to Python."""

import json
import math

import polars as pl
import pytest

import lab
from lab import comparison, selfplay
from lab.catalog import GAMES, load_game, load_rules
from lab.comparison import guards
from lab.metrics import SHARE, measure, metrics_of
from lab.rules import folder
from tests import experiments
from tests.rulesets import short_rules
from tests.toy import refusal
from tests.verbs import out, run
from tests.verbs import refusal as refused

pytestmark = pytest.mark.usefixtures("quiet")
PAIR = ("economy", "rush")
EDIT = {"/start/resources/1": 5}


@pytest.fixture(scope="module")
def edited():
    """One number of ants changed, in 300 games."""
    rules = load_rules("ants")
    return comparison.play(rules, rules.override(EDIT), *PAIR, games=300, seed=3)


@pytest.fixture(scope="module")
def harmed():
    """An edit after which games that share chance are further apart than others."""
    rules = load_rules("ants")
    shuffled = rules.override({"/pheromone/max_strength": 2, "/start/resources/0": 6})
    return comparison.play(rules, shuffled, *PAIR, games=300, seed=3)


# --- what is found ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_same_rules_twice_differ_by_exactly_nothing(name):
    rules = short_rules(name)
    found = lab.compare(rules, rules, games=20)
    assert found.height > 6
    for column in ("difference", "low", "high"):
        assert (found[column] == 0).all()
    assert found["a"].equals(found["b"])
    assert found["variance_ratio"].is_null().all()


def test_both_sides_are_what_simulate_and_measure_find(edited):
    for rules, name in ((edited.a, "a"), (edited.b, "b")):
        alone = measure(lab.simulate(rules, *PAIR, games=300, seed=3), rules=rules)
        values = dict(alone.select("metric", "value").iter_rows())
        for row in edited.rows:
            if row.paired:
                assert getattr(row, name).value == values[row.metric.name]


def test_every_difference_is_of_the_two_values_beside_it(edited, harmed):
    for row in (*edited.rows, *harmed.rows):
        assert row.value == pytest.approx(row.b.value - row.a.value, abs=1e-12)
        assert row.low <= row.value <= row.high


def test_pairs_of_a_small_edit_are_worth_more_than_games_on_their_own(edited):
    rows = {row.metric.name: row for row in edited.rows}
    assert rows["length"].ratio > 1.2
    width = rows["length"].high - rows["length"].low
    alone = [side.high - side.low for side in (rows["length"].a, rows["length"].b)]
    assert width < math.hypot(*alone)


def test_below_one_the_first_side_plays_on_seeds_of_its_own(harmed):
    rows = [row for row in harmed.rows if row.ratio < 1]
    assert rows
    assert not any(row.paired for row in rows)
    assert all(row.paired for row in harmed.rows if not row.ratio < 1)
    own = lab.simulate(harmed.a, *PAIR, games=300, seed=harmed.own_seed)
    assert not own["history"].is_in(harmed.played[0]["history"]).any()
    values = dict(measure(own, rules=harmed.a).select("metric", "value").iter_rows())
    for row in rows:
        assert row.a.value == values[row.metric.name]


def test_neither_workers_nor_chunks_change_a_number(harmed, monkeypatch):
    monkeypatch.setattr(selfplay, "PIECES_PER_JOB", 7)
    again = comparison.play(harmed.a, harmed.b, *PAIR, games=300, seed=3, jobs=2)
    assert again.frame().equals(harmed.frame())


def test_a_rate_that_no_pair_moved_may_yet_move():
    """Nobody besieges here, whatever a siege takes; that is not to say that nobody ever would."""
    rules = load_rules("ants")
    found = lab.compare(rules, rules.override({"/siege/turns": 8}), games=50)
    siege = found.filter(pl.col("metric") == "siege").row(0, named=True)
    assert (siege["difference"], siege["variance_ratio"]) == (0, None)
    assert siege["low"] < 0 < siege["high"] < 0.1


def test_what_a_side_says_nothing_of_is_left_out():
    rules = load_rules("ants")
    uncapped = rules.override({"/turn/round_cap": 1, "/cap/judgement": "draw"})
    found = comparison.play(rules, uncapped, *PAIR, games=30)
    assert "decided_round" in found.left_out  # nobody wins within a round
    assert "decided_round" not in found.frame()["metric"]
    assert {*found.left_out, *found.frame()["metric"]} == set(metrics_of(load_game("ants")))


def test_the_frame_says_what_was_found(edited):
    frame = lab.compare(edited.a, edited.b, *PAIR, games=300, seed=3)
    assert frame.equals(edited.frame())
    row = frame.filter(pl.col("metric") == "length").row(0, named=True)
    assert (row["unit"], row["n"], row["paired"]) == ("rounds", 300, True)


def test_rules_of_other_games_cannot_be_compared():
    said = refusal(lab.compare, load_rules("ants"), load_rules("junqi"))
    assert said == "junqi 1.0: found rules of junqi, expected rules of ants, as a is"


# --- guards -------------------------------------------------------------------------------------


def verdict(low, high, band, n=10):
    return guards.Judged("", SHARE, False, band, (low + high) / 2, low, high, n).verdict


@pytest.mark.parametrize(
    ("low", "high", "band", "said"),
    [
        (0.1, 0.2, (-math.inf, 0.2), "holds"),
        (0.1, 0.2, (-math.inf, 0.15), "undecided"),
        (0.1, 0.2, (-math.inf, 0.1), "undecided"),
        (0.1, 0.2, (-math.inf, 0.05), "broken"),
        (0.1, 0.2, (0.1, math.inf), "holds"),
        (0.1, 0.2, (0.3, math.inf), "broken"),
        (0.1, 0.2, (0.12, 0.18), "undecided"),
    ],
)
def test_a_guard_is_judged_by_the_whole_interval(low, high, band, said):
    assert verdict(low, high, band) == said
    assert verdict(low, high, band, n=0) == "undecided"


def test_guards_share_the_error(edited):
    texts = ["draw<=20%", "length:difference>=-9", "first_score >= .1"]
    read = guards.read_guards(texts, edited.a, edited.b)
    assert [guard.band for guard in read] == [(-math.inf, 0.2), (-9, math.inf), (0.1, math.inf)]
    together, alone = guards.judge(edited, read), guards.judge(edited, read[:1])
    assert guards.shared(read, None) == pytest.approx(1 - 0.05 / 3)
    assert together[0].low < alone[0].low < alone[0].high < together[0].high
    assert [one.verdict for one in together] == ["holds"] * 3
    rows = {row.metric.name: row for row in edited.rows}
    assert together[0].value == rows["draw"].b.value
    assert together[1].value == rows["length"].value


def test_a_guard_judges_the_games_that_the_table_shows(harmed):
    name = next(row.metric.name for row in harmed.rows if not row.paired)
    texts = [f"{name}>=0", f"{name}:difference<=0"]
    value, apart = guards.judge(harmed, guards.read_guards(texts, harmed.a, harmed.b))
    row = next(row for row in harmed.rows if row.metric.name == name)
    assert (value.value, apart.value) == (row.b.value, row.value)


def test_games_that_all_say_the_same_do_not_speak_for_others():
    """Of a mean too: 50 games of a single round do not show that none would take another."""
    rules = load_rules("ants").override({"/turn/round_cap": 2})
    found = comparison.play(rules, rules.override({"/turn/round_cap": 1}), games=50)
    texts = ["length<=1", "length<=9", "length:difference<=-1", "length:difference<=5"]
    judged = guards.judge(found, guards.read_guards(texts, found.a, found.b))
    assert [one.verdict for one in judged] == ["undecided", "undecided", "undecided", "undecided"]
    more = comparison.play(rules, found.b, games=2000)
    judged = guards.judge(more, guards.read_guards(texts, found.a, found.b))
    assert [one.verdict for one in judged] == ["undecided", "holds", "undecided", "holds"]
    same = comparison.play(rules, rules, games=50)
    (one,) = guards.judge(same, guards.read_guards(["length:difference<=0"], rules, rules))
    assert (one.verdict, one.low, one.high) == ("holds", 0, 0)


def test_targets_are_those_of_the_experiment_on_the_second_side(edited, tmp_path):
    path = experiments.write(tmp_path)
    asked = guards.read_targets(path, edited.b)
    found = guards.judge(edited, [], asked)
    assert [one.name for one in found] == [
        "first_score, random mirror",
        "score of economy, field",
    ]
    assert [one.band for one in found] == [(0.2, 0.8), (0, 0.9)]
    assert [one.n for one in found] == [300, 600]  # of a pool of two both pairings


# --- the verb -----------------------------------------------------------------------------------

FEW = ("--games", 200, "--first", "economy", "--second", "rush")


def test_the_json_has_every_metric_and_how_it_was_played(tmp_path):
    words = ("compare", "ants", "0.3", "0.3", "--set-b", "/start/resources/1=5", *FEW, "--seed", 4)
    found = json.loads(out(*words, "--guard", "draw<=50%", "--json"))
    assert found["a"]["rules"] == found["b"]["rules"] == "0.3"
    assert (found["a"]["changes"], found["b"]["changes"]) == ({}, EDIT)
    assert (found["games"], found["seed"], found["first"]) == (200, 4, "economy")
    assert set(found["metrics"]) | set(found["left_out"]) == set(metrics_of(load_game("ants")))
    for row in found["metrics"].values():
        assert set(row) == {"a", "b", "difference", "n", "variance_ratio", "paired"}
        assert set(row["difference"]) == {"value", "low", "high"}
    assert found["metrics"]["length"]["variance_ratio"] > 1
    (guard,) = found["guards"]
    assert (guard["name"], guard["band"], guard["verdict"]) == ("draw<=50%", [None, 0.5], "holds")


def test_the_table_says_what_the_pairing_was_worth(tmp_path):
    told = out("compare", "ants", "0.3", "0.3", "--set-b", "/turn/round_cap=41", *FEW)
    assert "variance ratio" in told.splitlines()[0]
    assert "b: ants 0.3 /turn/round_cap=41 " in told
    assert "Pairing was worth " in told
    same = out("compare", "ants", "0.3", folder() / "ants/0.3.json", *FEW)
    assert "No pair of games differs" in same


@pytest.mark.parametrize(
    ("asked", "status", "verdicts"),
    [
        (["first_score>=10%"], 0, ["holds"]),
        (["first_score>=90%"], 1, ["broken"]),
        (["siege<=0"], 4, ["undecided"]),
        (["siege<=0", "first_score>=90%"], 1, ["undecided", "broken"]),
        (["length:difference<=30", "siege<=0"], 4, ["holds", "undecided"]),
    ],
)
def test_the_exit_status_says_whether_guards_hold(asked, status, verdicts):
    options = [word for guard in asked for word in ("--guard", guard)]
    done = run("compare", "ants", "0.3", "0.3", *FEW, *options)
    assert (done.exit_code, done.stderr) == (status, "")
    lines = [line.split()[-1] for line in done.stdout.splitlines() if line.startswith(tuple(asked))]
    assert lines == verdicts
    assert ("hold all at once with 95 % (Bonferroni)" in done.stdout) == (len(asked) > 1)


def test_the_exit_status_says_whether_targets_hold(tmp_path):
    kept = experiments.write(tmp_path, ("band = [0, 0.9]", "band = [0, 1]"))
    words = ("compare", "ants", "0.3", "0.3", "--games", 100, "--targets")
    assert run(*words, kept).exit_code == 0
    broken = experiments.write(tmp_path, ("band = [0, 0.9]", "band = [0, 0.1]"))
    done = run(*words, broken)
    assert done.exit_code == 1
    assert "score of economy, field" in done.stdout


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--guard drw<=5%", "--guard: found 'drw', expected one of first_score"),
        ("--guard drw<=5%", "(did you mean 'draw'?)"),
        ("--guard draw=5%", "--guard: found 'draw=5%', expected METRIC<=X or METRIC>=X"),
        ("--guard draw<=many", "--guard: found 'draw<=many', expected METRIC<=X"),
        ("--guard draw<=5", "--guard: found 'draw<=5', expected a bound from 0 to 1, or a perc"),
        ("--guard length<=5%", "--guard: found 'length<=5%', expected rounds, not a share"),
        ("--guard length<=-3", "--guard: found 'length<=-3', expected a bound from 0 to "),
        ("--guard draw>=.6 --guard draw<=.5", "found draw>=.6 and draw<=.5, expected guards that"),
        ("--games 0", "games: found 0, expected N or A:B"),
        ("--first rsh", "(did you mean 'rush'?)"),
        ("--first=", "policy '': found '', expected one of"),
        ("--set-b /turn/round_ca=3", "(did you mean '/turn/round_cap'?)"),
        ("--targets none.toml", "none.toml: found no such file"),
    ],
)
def test_bad_input_is_refused_before_anything_is_played(words, line, monkeypatch):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    assert line in refused("compare", "ants", "0.3", "0.3-quick", *words.split())


def test_rules_that_are_not_there_or_of_another_game_are_refused():
    assert "(did you mean '0.3'?)" in refused("compare", "ants", "0.3", "0.33")
    other = folder() / "junqi/1.0.json"
    assert '/game: found "junqi", expected' in refused("compare", "ants", "0.3", other)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("band = [0, 0.9]", "band = [0.9, 0.1]"), "found the empty band [0.9, 0.1]"),
        (('mirror = "random"', 'mirror = "randm"'), "(did you mean 'random'?)"),
    ],
)
def test_a_bad_experiment_is_refused(change, line, tmp_path):
    path = experiments.write(tmp_path, change)
    assert line in refused("compare", "ants", "0.3", "0.3", "--targets", path)


def test_an_experiment_of_another_kind_is_refused():
    questions = folder().parent / "experiments"
    said = refused("compare", "wargambit", "1.0", "1.0", "--targets", questions / "ants-costs.toml")
    assert "ants-costs.toml /game: found 'ants', expected 'wargambit'" in said
    claims = questions / "wargambit-claims.toml"
    said = refused("compare", "wargambit", "1.0", "1.0", "--targets", claims)
    assert "found claims, expected an experiment with targets" in said
