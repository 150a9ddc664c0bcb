"""Formulas mean what the same text means in plain Python, and never leave their bounds."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.formula import kinds_of, metric
from lab.formula.grammar import DEEPEST, LONGEST
from lab.frames import columns_of
from lab.metrics import measure, metric_of
from lab.selfplay import simulate
from lab.stats.estimate import RATE
from tests.toy import refusal

ANTS = load_game("ants")
RULES = load_rules("ants")
NUMBERS = ("length", "first_workers", "second_workers", "lead_changes")


@pytest.fixture(scope="module")
def games():
    return simulate(RULES, "economy", "rush", games=300, seed=3)


def of(text):
    return metric(text, kinds_of(ANTS), columns_of(ANTS))


# --- the same in plain Python -------------------------------------------------------------------


def pair(texts, join, value):
    """A formula of two others: its text, and its value in a row."""
    return st.builds(
        lambda a, b: (f"({a[0]} {join} {b[0]})", lambda row: both(value, a[1](row), b[1](row))),
        texts,
        texts,
    )


def both(value, a, b):
    return None if a is None or b is None else value(a, b)


def divided(a, b):
    return a / b if b else None


def chosen(told, yes, no):
    def value(row):
        which = told[1](row)
        return None if which is None else (yes if which else no)[1](row)

    return f"if({told[0]}, {yes[0]}, {no[0]})", value


columns = st.sampled_from(NUMBERS).map(lambda name: (name, lambda row: row[name]))
literals = st.integers(0, 9).map(lambda n: (str(n), lambda row: n))
words = st.sampled_from(("first", "second", "draw")).map(
    lambda who: (f"winner == '{who}'", lambda row: row["winner"] == who)
)
flags = st.just(("capped", lambda row: row["capped"]))


def truths_of(numbers):
    return st.one_of(
        flags,
        words,
        pair(numbers, "<", lambda a, b: a < b),
        pair(numbers, ">=", lambda a, b: a >= b),
        pair(numbers, "!=", lambda a, b: a != b),
    )


def numbers_of(numbers):
    return st.one_of(
        pair(numbers, "+", lambda a, b: a + b),
        pair(numbers, "-", lambda a, b: a - b),
        pair(numbers, "*", lambda a, b: a * b),
        pair(numbers, "/", divided).filter(lambda made: not made[0].endswith(" / 0)")),
        st.builds(
            lambda a, b: (f"min({a[0]}, {b[0]})", lambda row: both(min, a[1](row), b[1](row))),
            numbers,
            numbers,
        ),
        numbers.map(lambda a: (f"-{a[0]}", lambda row: both(lambda x, _: -x, a[1](row), 0))),
        numbers.map(
            lambda a: (f"abs({a[0]})", lambda row: both(lambda x, _: abs(x), a[1](row), 0))
        ),
        st.builds(chosen, truths_of(numbers), numbers, numbers),
    )


formulas = st.recursive(columns | literals, numbers_of, max_leaves=8)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(made=formulas | truths_of(formulas))
def test_it_is_what_plain_python_makes_of_it(games, made):
    text, value = made
    if len(text) > LONGEST or not any(name in text for name in (*NUMBERS, "winner", "capped")):
        return
    expected = [value(row) for row in games.iter_rows(named=True)]
    found = of(text).value(games)
    assert found.dtype == np.float64
    known = [math.nan if x is None else float(x) for x in expected]
    np.testing.assert_allclose(found, known, rtol=1e-12, atol=1e-12)
    low, high = of(text).bounds(RULES)
    told = found[~np.isnan(found)]
    slack = 1e-9 * max(1, np.abs(told).max(initial=0))
    assert ((low - slack <= told) & (told <= high + slack)).all()


def test_what_says_nothing_is_null_wherever_it_stands():
    odd = pl.DataFrame({"winner": ["first"], "ending": [None], "length": [5], "plies": [0]})
    odd = odd.cast({"ending": pl.Enum(ANTS.endings)})
    for text in (
        "ending == 'queen'",
        "not ending == 'queen'",
        "if(ending == 'queen', 1, 0)",
        "min(length / plies, 3)",
        "max(length / plies, 3) > 1",
    ):
        assert np.isnan(of(text).value(odd)).all(), text
    assert of("length / plies > 1 or length == 5").value(odd)[0] == 1  # true, whatever it says


# --- bounds and units ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "unit", "bounds"),
    [
        ("length", "rounds", (0, 101)),
        ("-length", "rounds", (-101, 0)),
        ("2 * length + 1", "rounds", (1, 203)),
        ("length / 2", "rounds", (0, 50.5)),
        ("first_workers - second_workers", "ants", (-121, 121)),
        ("abs(first_workers - second_workers)", "ants", (0, 121)),
        ("length + first_workers", "a game", (0, 222)),
        ("length * length", "a game", (0, 101**2)),
        ("length / first_workers", "a game", (0, 101)),
        ("length / (first_workers - second_workers)", "a game", (-101, 101)),
        ("length / (first_workers / 2)", "a game", (0, math.inf)),
        ("plies", "actions", (0, math.inf)),
        ("min(plies, 300)", "actions", (0, 300)),
        ("max(length, 20)", "rounds", (20, 101)),
        ("if(capped, length, -length)", "rounds", (-101, 101)),
        ("if(capped, length)", "rounds", (0, 101)),
        ("if(not capped, winner == 'first')", "share", RATE),
        ("capped", "share", RATE),
        ("capped + 1", "a game", (1, 2)),
        ("length < 20 and not capped", "share", RATE),
        ("if(winner == 'first', 1, if(winner == 'draw', 0.5, 0))", "share", RATE),
        ("first_workers / (second_workers + first_workers)", "share", RATE),
        ("first_workers / (first_workers + 1)", "share", RATE),
        ("first_workers / (first_workers + -1)", "a game", (-121, 121)),
        ("(length + plies) / (plies + first_workers + length)", "share", RATE),
        ("min(length / 10, 1)", "share", RATE),
    ],
)
def test_bounds_and_units(text, unit, bounds):
    found = of(text)
    assert (found.unit, found.bounds(RULES)) == (unit, bounds)


@pytest.mark.parametrize("name", GAMES)
def test_columns_keep_to_their_bounds(name):
    """Whatever a formula's bounds rest on."""
    game, rules = load_game(name), load_rules(name)
    for first, second in (game.pair, ("random", game.pair[1])):
        games = simulate(rules, first, second, games=100, seed=2)
        assert list(columns_of(game)) == games.columns
        for column in columns_of(game).values():
            assert column.sentence.endswith(".")
            low, high = column.bounds(rules)
            if games[column.name].dtype.is_numeric() or column.name == "capped":
                assert low <= games[column.name].min() <= games[column.name].max() <= high


# --- as measures --------------------------------------------------------------------------------


def test_a_truth_is_a_rate_and_a_number_a_mean(games):
    extra = {
        "fast": "length < 20",
        "gap": "first_workers - second_workers",
        "won": pl.col("winner") == "first",
        "long": pl.col("length") * 2,
    }
    found = measure(games, [], extra=extra, rules=RULES).to_dicts()
    assert [row["metric"] for row in found] == list(extra)
    assert [row["method"] for row in found] == ["Wilson", "t", "Wilson", "t"]
    assert [row["unit"] for row in found] == ["share", "ants", "share", "a game"]
    means = ((games["length"] < 20).mean(), None, (games["winner"] == "first").mean())
    assert (found[0]["value"], found[2]["value"]) == pytest.approx((means[0], means[2]))
    first = measure(games, ["first_win"], rules=RULES).row(0, named=True)
    assert {**found[2], "metric": "first_win"} == first


def test_an_if_alone_is_about_some_of_the_games(games):
    capped = games.filter("capped")
    assert 0 < capped.height < games.height
    extra = {"won": "if(capped, winner == 'first')", "land": "if(capped, first_territory)"}
    found = measure(games, [], extra=extra, rules=RULES)
    assert set(found["n"]) == {capped.height}
    assert found["value"][0] == pytest.approx((capped["winner"] == "first").mean())
    own = measure(games, ["first_territory"], rules=RULES).row(0)[2:]
    assert found.row(1)[2:] == own


def test_extra_columns_may_be_named(games):
    more = games.with_columns(half=pl.col("length") / 2, side=pl.lit("x"))
    found = measure(more, [], extra={"h": "half + length", "x": "side == 'x'"})
    assert found["value"].to_list() == pytest.approx([1.5 * games["length"].mean(), 1])


def test_groups_by_columns_formulas_and_expressions(games):
    wanted = measure(games.filter(pl.col("length") < 20), ["first_win"], rules=RULES)
    for by in ("length < 20", {"fast": "length < 20"}, (pl.col("length") < 20).alias("fast")):
        found = measure(games, ["first_win"], by=by, rules=RULES)
        assert found.filter(pl.nth(0)).drop(found.columns[0]).equals(wanted)
    two = measure(games, ["length"], by=["winner", pl.col("length") // 20])
    assert two.columns[:3] == ["winner", "length", "metric"]
    assert two["n"].sum() == games.height
    odd = games.with_columns(x=pl.when(pl.col("capped")).then(1.5).otherwise(math.nan))
    assert measure(odd, ["length"], by="x")["x"].to_list() == [None, 1.5]


def test_a_name_is_a_metric_before_it_is_a_column():
    assert metric_of(ANTS, "first_territory").sentence.endswith("others do not count.")
    assert metric_of(ANTS, "first_gathers").name == "first_gathers"
    for text in ("not capped", "first_workers  -second_workers"):
        assert metric_of(ANTS, text).name == text


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("lenght > 3", "character 1: found 'lenght', expected one of winner, ending, capped"),
        ("3 + lenght", "character 5: found 'lenght'"),
        ("lenght > 3", "(did you mean 'length'?)"),
        ("winner == 'frist'", "character 11: found 'frist', a word, expected one of first, second"),
        ("winner == 'frist'", "(did you mean 'first'?)"),
        ("winner", "character 1: found winner, a word, expected a number, or a comparison"),
        ("winner + 1", "character 1: found winner, a word, expected a number"),
        ("winner < 'first'", "character 8: found '<', expected == or != between words"),
        ("winner == ending", "found a word beside none, expected a column of words and one in"),
        ("'a' == 'a' and capped", "expected a column of words and one in quotes"),
        ("length and capped", "character 1: found length, a number, expected true or false"),
        ("not length", "character 5: found length, a number, expected true or false"),
        ("1 < length < 20", "character 12: found '<', expected one comparison; two are joined"),
        ("length = 3", "character 8: found '=', expected == to compare"),
        ("length # 3", "character 8: found '#', expected a sign of the grammar"),
        ("length ** 2", "character 9: found '*', expected a number, a column or a bracket"),
        ("length +", "character 9: found its end, expected a number, a column or a bracket"),
        ("(length", "character 8: found its end, expected ')'"),
        ("length)", "character 7: found ')', expected an operator or the end"),
        ("length 3", "character 8: found '3', expected an operator or the end"),
        ("max(length)", "character 1: found max of 1, expected it of 2 to 20"),
        ("if(capped)", "character 1: found if of 1, expected it of 2 to 3"),
        ("if(length, 1, 2)", "character 4: found length, a number, expected true or false"),
        ("and", "character 1: found 'and', expected a number, a column or a bracket"),
        ("length / 0", "character 10: found a division by 0, expected another number"),
        ("2 * 3", "found no column in it"),
        ("length * 1e999", "character 10: found '1e999', expected a finite number"),
        ("length.real", "found '.', expected a sign of the grammar"),
        ("__import__('os')", "character 1: found '__import__', expected one of"),
        ("(" * 99 + "length" + ")" * 99, f"expected at most {DEEPEST} brackets within one another"),
        ("length" + " " * LONGEST, f"formula: found {LONGEST + 6} characters, expected at most"),
        ("history > 1", "character 1: found 'history'"),
        ("'length", 'character 1: found "\'", expected a sign of the grammar'),
        ("", "character 1: found its end"),
    ],
)
def test_what_is_outside_of_the_grammar_is_refused_with_its_place(text, line):
    assert line in refusal(of, text)


def test_the_longest_and_the_deepest_are_read(games):
    deep = "(" * (DEEPEST - 1) + "length" + ")" * (DEEPEST - 1)
    assert (of(deep).value(games) == games["length"].to_numpy()).all()
    long = "length" + "+1" * ((LONGEST - 6) // 2)
    assert of(long).bounds(RULES) == (247, 348)
    assert (of(long).value(games) == games["length"].to_numpy() + 247).all()


@pytest.mark.parametrize(
    ("extra", "line"),
    [
        ({"x": "lenght + 1"}, "extra 'x': formula 'lenght + 1', character 1: found 'lenght'"),
        ({"x": pl.col("lenght")}, "extra 'x': found 'lenght', expected one of game, history"),
        ({"x": pl.col("winner")}, "extra 'x': found Enum"),
        ({"x": pl.col("length").mean()}, 'found 1 value of col("length").mean(), expected a'),
    ],
)
def test_measures_that_cannot_be_are_refused(games, extra, line):
    assert line in refusal(lambda: measure(games, [], extra=extra))


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ({"n": "length"}, "by: found 'n', which the table has already, expected another name"),
        (["length", "length"], "by: found 'length', which the table has already"),
        ("length >", "by: formula 'length >', character 9: found its end"),
        (pl.col("lenght"), "by 'lenght': found 'lenght', expected one of game"),
    ],
)
def test_groups_that_cannot_be_are_refused(games, by, line):
    assert line in refusal(lambda: measure(games, by=by))


def test_games_of_other_rules_are_refused(games):
    short = RULES.override({"/turn/round_cap": 8})
    line = refusal(lambda: measure(games, rules=short))
    assert "outcomes: found lead_changes from 0 to" in line
    assert "0 to 8 as ants 0.3 has it: games of other rules" in line
    line = refusal(lambda: measure(games, rules=load_rules("junqi")))
    assert line.startswith("outcomes: found no column battles, expected a frame of games of")
    with pytest.raises(BadInput, match="metrics: found 'queen', expected rules= beside it"):
        measure(games.select("history", "winner"), ["queen"])
