"""What an analyst does in a notebook: read, explain, measure, draw, watch."""

import json
import re
import warnings

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from matplotlib import rc_context

import lab
from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.frames import columns_of, game_of
from lab.origins import Origin
from lab.selfplay import as_frame
from lab.stats.estimate import estimate_mean
from lab.tournament.table import write_table
from tests.toy import refusal
from tests.verbs import out

ANTS = load_rules("ants")
QUICK = load_rules("ants", "0.3-quick")


@pytest.fixture(scope="module")
def games():
    return lab.simulate(ANTS, "economy", "rush", games=200, seed=7)


@pytest.fixture
def table(tmp_path):
    """A function that writes a table of games and gives its path."""

    def write(name="a.parquet", rules=ANTS, first="economy", second="rush", games=60, seed=7):
        path = tmp_path / name
        lab.simulate(rules, first, second, games, seed, out=path)
        return path

    return write


ASKED = """
question = "Does a resource more keep the second player from a quick win?"
game = "ants"
rules = "0.3"
seed = 1

[space]
"/start/resources/1" = { low = 4, high = 5 }

[[matchups]]
first = "rush"
second = "economy"

[[targets]]
name = "quick wins"
metric = "QUICK"
matchup = "rush v economy"
band = [0, 0.9]
"""


@pytest.mark.usefixtures("quiet")
def test_an_analysts_day(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # rules/ is found from anywhere

    # Somebody has played, and left two files.
    words = ("ants", "--first", "rush", "--second", "economy", "--games", 200, "--seed", 7)
    out("simulate", *words, "--out", "four.parquet")
    out("simulate", *words, "--set", "/start/resources/1=5", "--out", "five.parquet")
    with pytest.warns(UserWarning, match="2 files of 2 rules"):
        games = lab.read("four.parquet", "five.parquet")

    # What is in them? What is it that is asked?
    assert "Workers of the first player alive at the end." in str(lab.columns(games))
    quick = "winner == 'first' and length < 20"
    found = lab.measure(games, ["first_score"], "rules", extra={"quick wins": quick}, rules=ANTS)
    assert found["n"].to_list() == [200] * 4
    assert len(lab.figure("measures", found).charts) == 2
    four, five = (games.filter(rules=name) for name in games["rules"].unique(maintain_order=True))
    lab.figure("lengths", five, four, names=("four", "five"))

    # One of them, move by move.
    quickest = four.filter(pl.col("winner") == "first").sort("length", "game")[0]
    assert lab.show(quickest).actions.height == quickest["plies"][0]

    # The same question to an experiment, and at the command line.
    (tmp_path / "quick.toml").write_text(ASKED.replace("QUICK", quick))
    verdict = lab.verify(None, "quick.toml").row(0, named=True)
    assert (verdict["name"], verdict["metric"]) == ("quick wins", quick)
    assert verdict["unit"] == "share"
    said = json.loads(out("simulate", *words, "--metric", quick, "--json"))
    value = found.filter(metric="quick wins", rules="0.3")["value"][0]
    assert said["metrics"][quick]["value"] == value


# --- columns ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_column_says_what_it_means(name):
    game = load_game(name)
    frame = lab.simulate(load_rules(name), *game.pair, games=2, seed=1)
    assert game_of(frame.columns) is game
    found = lab.columns(frame)
    assert found.columns == ["name", "type", "unit", "meaning"]
    assert found["name"].to_list() == frame.columns
    for row in found.to_dicts():
        assert row["meaning"].endswith("."), row
        assert row["type"] in ("Int8", "Int16", "Int32", "Int64", "UInt64", "Enum", "Boolean")
        assert row["unit"] == columns_of(game)[row["name"]].unit


def test_the_list_of_columns_shows_whole(games):
    found = lab.columns(games)
    for shown in (str(found), found._repr_html_()):
        assert "…" not in shown
        for row in found.to_dicts():
            assert row["name"] in shown
    assert "The round from which on the winner was always ahead; 0 for a draw." in str(found)


def test_columns_of_ones_own_and_parts_of_a_frame(games):
    more = games.with_columns(mine=pl.lit(1), first=pl.lit("a bot"))
    by_name = {row["name"]: row["meaning"] for row in lab.columns(more).to_dicts()}
    assert (by_name["mine"], by_name["first"]) == ("", "Who played the first seat.")
    part = games.select("winner", "first_workers")
    assert lab.columns(part)["meaning"].to_list() == ["", ""]
    told = lab.columns(part, "ants")["meaning"].to_list()
    assert told[1] == "Workers of the first player alive at the end."
    assert lab.columns(games.lazy()).equals(lab.columns(games))
    with pytest.raises(BadInput, match="columns: found a frame with mine, expected one of games"):
        lab.columns(pl.DataFrame({"mine": [1]}))


# --- read ---------------------------------------------------------------------------------------


def test_a_table_of_todays_rules_is_read_without_a_word(table, games):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = lab.read(table())
    assert found.equals(games[:60])
    assert found["ending"].dtype == games["ending"].dtype


def test_tables_of_one_kind_are_read_together_and_told_apart(table, tmp_path):
    one, other = table(), table("b.parquet", first="rush", seed=8)
    found = lab.read(one, other)
    assert found.equals(lab.read(tmp_path))
    assert found.columns[-4:] == ["rules", "first", "second", "seed"]
    assert found["first"].to_list() == ["economy"] * 60 + ["rush"] * 60
    assert found["seed"].unique().sort().to_list() == [7, 8]
    by = lab.measure(found, ["first_score"], by=["first", "seed"], rules=ANTS)
    assert by["n"].to_list() == [60, 60]


def test_tables_of_several_rules_are_warned_of(table):
    changed = ANTS.override({"/turn/round_cap": 30})
    paths = table(), table("b.parquet", QUICK), table("c.parquet", changed)
    mark = changed.fingerprint
    with pytest.warns(UserWarning, match=rf"^3 files of 3 rules \(0.3, 0.3-quick, 0.3 {mark}\)"):
        found = lab.read(*paths)
    assert found["rules"].unique(maintain_order=True).to_list() == [
        "0.3",
        "0.3-quick",
        f"0.3 {mark}",
    ]


def edited(path, **changes):
    """Another stamp in a table that simulate wrote."""
    found = pq.read_table(path)
    about = json.loads(pq.read_metadata(path).metadata[b"lab"]) | changes
    pq.write_table(found.replace_schema_metadata({"lab": json.dumps(about)}), path)
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"fingerprint": "0" * 16},
            "played by ants 0.3 0{16}, which is [0-9a-f]{16} in rules/ now",
        ),
        ({"rules": "0.2"}, "played by ants 0.2 .*, which rules/ does not have \\(rules of ants: "),
        ({"game_version": "1"}, "played by the kernels of ants 1, now [0-9]+: the same seed may"),
        ({"game": "chess"}, "says nothing of its rules"),
    ],
)
def test_what_no_longer_fits_is_said(table, changes, said):
    path = edited(table(), **changes)
    with pytest.warns(UserWarning, match=f"^{re.escape(str(path))}: {said}"):
        lab.read(path)


def test_tables_of_tournaments_and_replays_are_read(tmp_path):
    rules = load_rules("next_nation")
    frame = lab.simulate(rules, "rush", "economy", games=3, seed=1)
    frame = frame.with_columns(first=pl.lit("a"), second=pl.lit("b"))
    about = {"game": "next_nation 9", "rules": f"2026-final {'0' * 16}", "bots": []}
    write_table(tmp_path / "t.parquet", frame, about)
    with (
        pytest.warns(UserWarning, match="played by next_nation 2026-final 0{16}, in rules/ .*: by"),
        pytest.warns(UserWarning, match="played by the kernels of next_nation 9, now"),
    ):
        found = lab.read(tmp_path / "t.parquet")
    assert found.shape == frame.shape
    frame.write_parquet(tmp_path / "r.parquet")
    with pytest.warns(UserWarning, match="says nothing of its rules"):
        lab.read(tmp_path / "r.parquet")


def test_what_is_no_table_is_refused(table, tmp_path):
    junqi = table("junqi.parquet", load_rules("junqi"), "random", "random", 5)
    assert refusal(lab.read, table(), junqi).startswith(
        f"{junqi}: found games of junqi, expected games of ants, as in {tmp_path / 'a.parquet'}"
    )
    broken = tmp_path / "broken.parquet"
    broken.write_text("no table")
    assert "found no readable table" in refusal(lab.read, broken)
    assert "found no such table" in refusal(lab.read, tmp_path / "none.parquet")
    assert "found no .parquet file" in refusal(lab.read, make(tmp_path / "empty"))
    run = make(tmp_path / "run")
    (run / "manifest.json").write_text("{}")
    assert "found no table, expected the folder of a finished run" in refusal(lab.read, run)
    assert refusal(lab.read) == "read: found no path, expected one or more tables"


def make(folder):
    folder.mkdir()
    return folder


# --- show and trace -----------------------------------------------------------------------------


def test_a_row_shows_its_game(games):
    for row in (games[17], games.row(17, named=True), games.filter(pl.col("game") == 17)):
        shown = lab.show(row)
        assert shown.origin.first == "economy"
        assert (shown.index, shown.origin.seed) == (17, 7)
    again = lab.trace(ANTS, "economy", "rush", seed=7, game=17)
    assert repr(shown) == repr(again)
    assert repr(again).startswith("ants 0.3, economy against rush, seed 7, game 17: ")
    assert again.actions.height == games["plies"][17]
    assert again.actions.columns == ["ply", "round", "seat", "action", "position"]
    assert again.actions["seat"].unique().sort().to_list() == ["first", "second"]


def test_a_cell_shows_a_page_of_its_own(games):
    shown = lab.show(games[3])
    assert shown.page.count("<!doctype html>") == 1
    assert f"seed {shown.origin.seed} · game {shown.index}" in shown.page
    cell = shown._repr_html_()
    assert cell.startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert cell.count('"') == 6  # nothing of the page ends the attribute that it stands in
    assert "http" not in shown.page.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("name", GAMES)
def test_any_game_is_shown(name):
    frame = lab.simulate(load_rules(name), *load_game(name).pair, games=3, seed=11)
    shown = lab.show(frame[2])
    assert shown.index == 2
    assert f"game {shown.index}" in shown.page


def test_rows_that_were_read_are_shown_by_their_own_run(table):
    changed = ANTS.override({"/turn/round_cap": 30})
    paths = table(games=range(100, 130)), table("b.parquet", changed, games=range(100, 130))
    with pytest.warns(UserWarning, match="files of 2 rules"):
        found = lab.read(*paths)
    for place, rules in ((5, ANTS), (35, changed)):
        shown = lab.show(found[place])
        assert shown.origin.rules.fingerprint == rules.fingerprint
        assert shown.index == 105


def test_rows_of_no_run_are_refused(games):
    odd = games.with_columns(history=pl.lit(5, pl.UInt64))[3]
    assert refusal(lab.show, odd).startswith("row: found game 3 of no run that was played or read")
    assert lab.show(games[3], ANTS, "economy", "rush", 7).index == 3
    line = refusal(lambda: lab.show(games[3], QUICK, "rush", "economy", 7))
    assert "row: found game 3 with another course by ants 0.3-quick, expected the rules" in line
    assert "found a frame of 200 rows, expected one row" in refusal(lab.show, games)
    assert "found tuple, expected a frame of one row" in refusal(lab.show, games.row(3))
    assert "found no column history" in refusal(lab.show, games.drop("history")[3])
    assert "found a part of its run" in refusal(lab.show, games[3], ANTS)
    assert "(did you mean 'rush'?)" in refusal(lab.trace, ANTS, "economy", "rsh")
    assert Origin(ANTS, "economy", "rush", 7, range(1)).history(3) == games["history"][3]


def test_what_a_function_plays_nobody_can_play_again():
    def first_of_all(observation, legal):
        return legal[0]

    frame = lab.simulate(QUICK, first_of_all, "random", games=2, seed=99)
    assert "of no run that was played or read here" in refusal(lab.show, frame[0])
    line = "found a function as a player, expected players by name"
    assert line in refusal(lab.trace, QUICK, first_of_all, "random")
    asked = {"games": 2, "quantiles": (0.5,)}
    assert line in refusal(lambda: lab.curves(QUICK, first_of_all, "random", **asked))
    assert lab.curves(QUICK, first_of_all, "random", games=2)["n"][0] == 2


# --- figures ------------------------------------------------------------------------------------


def svgs(figure):
    """What Jupyter shows: a picture where there is one, else a page of them."""
    assert (figure._repr_svg_() is None) != (figure._repr_html_() is None)
    shown = figure._repr_svg_() or figure._repr_html_()
    assert shown.count("<svg") == len(figure.charts)
    return shown


def test_a_notebooks_own_style_stays_out_of_figures(games):
    plain = svgs(lab.figure("lengths", games))
    with rc_context({"axes.grid": True, "font.size": 20}):
        assert svgs(lab.figure("lengths", games)) == plain


def test_figures_by_name(games, tmp_path):
    short = games.filter(pl.col("length") < 30)
    for name in ("lengths", "endings"):
        assert len(lab.figure(name, games).charts) == 1
        svgs(lab.figure(name, games))
        both = svgs(lab.figure(name, games, short, names=("short ones", "all")))
        assert "short ones" in both
    found = lab.measure(games, rules=ANTS)
    units = found["unit"].n_unique()
    assert len(lab.figure("measures", found).charts) == units
    by = lab.measure(games, ["length", "first_win"], by="ending", rules=ANTS)
    figure = lab.figure("measures", by)
    assert repr(figure) == "figure: Length, First win"
    assert figure.charts[0].names == tuple(by["ending"].unique(maintain_order=True))
    assert ">queen<" in svgs(figure).replace("\n", "")
    gap = lab.measure(games, [], extra={"gap": "second_workers - first_workers"}, rules=ANTS)
    svgs(lab.figure("measures", gap))
    figure.save(tmp_path / "pictures")
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == [
        "measures-1.svg",
        "measures-2.svg",
    ]


def test_figures_of_curves_and_matchups():
    table = lab.curves(ANTS, "economy", "rush", games=40, seed=1)
    figure = lab.figure("curves", table)
    names = ["curve-resources", "curve-workers", "curve-soldiers", "curve-pheromones"]
    assert [chart.name for chart in figure.charts] == names
    assert figure.charts[0].x_axis == "rounds"
    assert len(lab.figure("curves", table, table).charts[0].panels) == 2
    svgs(figure)
    pairs = lab.matrix(ANTS, ["economy", "rush"], games=10)
    assert len(lab.figure("matchups", pairs).charts) == 1
    assert svgs(lab.figure("matchups", pairs, pairs)).count("</svg>") == 2


def test_figures_that_cannot_be_are_refused(games):
    line = refusal(lab.figure, "length", games)
    assert "figure: found 'length', expected one of lengths, endings" in line
    assert "(did you mean 'lengths'?)" in line
    line = refusal(lab.figure, "curves", games)
    assert line == "figure 'curves': found no column clock, expected a frame that curves gave"
    line = refusal(lab.figure, "lengths", games.clear())
    assert line == "figure 'lengths': found no row, expected a frame of games"


# --- curves -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ants", "next_nation"])
def test_quantiles_of_curves_are_those_of_the_games(name):
    rules, game = load_rules(name), load_game(name)
    pair = ("economy", "rush")
    plain = lab.curves(rules, *pair, games=range(3, 12), seed=2)
    found = lab.curves(rules, *pair, games=range(3, 12), seed=2, jobs=2, quantiles=(0.25, 0.5))
    assert found.select(plain.columns).equals(plain)
    each = [lab.curves(rules, *pair, range(i, i + 1), seed=2) for i in range(3, 12)]
    every = pl.concat(each)
    for row in found.to_dicts():
        reached = every.filter(clock=row["clock"])
        assert reached.height == row["n"]
        for curve in game.curves:
            wanted = np.quantile(reached[curve], (0.25, 0.5))
            assert (row[f"{curve}_q25"], row[f"{curve}_q50"]) == pytest.approx(tuple(wanted))
    line = refusal(lambda: lab.curves(rules, *pair, quantiles=(5,)))
    assert line == "quantiles: found 5, expected numbers from 0 to 1"


# --- ten million games --------------------------------------------------------------------------


def test_many_groups_are_one_pass_over_the_games(monkeypatch):
    """As often as there are pieces, whatever the number of groups."""
    games = lab.simulate(ANTS, "random", "random", games=400, seed=1)
    seen = []
    metric = lab.load_game("ants").metrics[0]
    counted = type(metric)(
        "counted", "", "share", lambda f: seen.append(f.height) or metric.value(f), metric.bounds
    )
    found = lab.measure(games, [counted], by="first_workers", rules=ANTS)
    assert sum(seen) == games.height
    assert len(seen) == found.height
    oracle = games.filter(pl.col("first_workers") == found["first_workers"][0])
    assert found["value"][0] == estimate_mean(metric.value(oracle)).value


def test_ones_of_a_kind_are_frames_as_simulate_makes_them(games):
    assert as_frame(load_game("ants"), np.zeros(0, load_game("ants").outcome)).schema == (
        games.schema
    )


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"extra": {"x": 5}}, "extra 'x': found 5, expected a formula or an expression"),
        ({"extra": {"x": None}}, "extra 'x': found None, expected a formula or an expression"),
        ({"extra": ["length"]}, "extra: found ['length'], expected formulas or expressions by"),
        ({"by": [3]}, "by: found 3, expected a column, a formula or an expression"),
    ],
)
def test_what_is_no_formula_is_refused(options, line):
    games = lab.simulate(ANTS, "random", "random", games=3)
    assert refusal(lambda: lab.measure(games, rules=ANTS, **options)).startswith(line)
