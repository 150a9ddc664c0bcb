"""One number of the rules at several values, or two: `lab vary`, and what it hands to Python."""

import json
import math
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

import lab
from lab import scan, selfplay
from lab.catalog import GAMES, load_rules
from lab.document import Range, bounds
from lab.errors import BadInput
from lab.experiment import load_experiment
from lab.experiment.banks import seed_of
from lab.metrics import measure
from lab.scan import page
from lab.scan.question import ask
from lab.scan.values import read_dimension
from lab.stats.estimate import Estimate, bonferroni
from lab.stats.paired import estimate_difference
from lab.sweep.play import play_setting
from tests import experiments
from tests.rulesets import short_rules
from tests.toy import refusal
from tests.verbs import out, run
from tests.verbs import refusal as refused

pytestmark = pytest.mark.usefixtures("quiet")
BONUS = "/start/resources/1"
MIRROR = "/board/mirror_second"
PAIR = ("economy", "rush")


def asked(pointers, **options):
    return ask(load_rules("ants"), pointers, **options)


@pytest.fixture(scope="module")
def scanned():
    """The second player's bonus, of two players who play themselves."""
    question = asked({BONUS: "2..6:2"}, skills=PAIR, metrics=["first_score", "length"], games=200)
    return scan.play(question)


@pytest.fixture(scope="module")
def grid():
    """Two numbers, beside the rules' own."""
    return scan.play(asked({BONUS: "5..7", MIRROR: "on,off"}, skills=["rush"], games=60, seed=3))


# --- which values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "pointer", "values", "found"),
    [
        ("ants", BONUS, "3..5", (3, 4, 5)),
        ("ants", BONUS, "0..6:3", (0, 3, 6)),
        ("ants", BONUS, "4..4", (4,)),
        ("ants", BONUS, "9, 1,5", (1, 5, 9)),
        ("ants", BONUS, range(3, 5), (3, 4)),
        ("ants", BONUS, np.arange(3, 5), (3, 4)),
        ("ants", MIRROR, "on,off", (True, False)),
        ("ants", MIRROR, "false,true", (False, True)),
        ("ants", MIRROR, [True], (True,)),
        ("ants", "/march/movement", "hold,anchor", ("hold", "anchor")),
    ],
)
def test_values_are_read_as_the_rules_hold_them(game, pointer, values, found):
    read = read_dimension(pointer, values, load_rules(game)).values
    assert read == found
    assert [type(value) for value in read] == [type(value) for value in found]


def test_the_rules_own_setting_is_played_too_in_its_place():
    for values, settings, place in [
        ("2..6:2", [2, 4, 6], 1),
        ("3,5", [3, 4, 5], 1),
        ("6..7", [4, 6, 7], 0),
    ]:
        question = asked({BONUS: values})
        assert [setting[BONUS] for setting in question.settings] == settings
        assert question.baseline == place
    choices = asked({"/march/movement": "hold,free"}).settings
    assert [*choices] == [{"/march/movement": name} for name in ("anchor", "hold", "free")]


def test_of_two_numbers_every_pair_is_played(grid):
    settings = [tuple(setting.values()) for setting in grid.question.settings]
    assert settings == [(4, False), *((a, b) for a in (5, 6, 7) for b in (True, False))]
    assert len(asked({BONUS: "3..4", MIRROR: "on,off"}).settings) == 4


# --- what is found ------------------------------------------------------------------------------


def test_a_row_is_what_simulate_and_measure_find(scanned):
    confidence = scanned.question.confidence
    for place, skill in enumerate(PAIR):  # each has games of its own
        games = range(200 * place, 200 * place + 200)
        for row in (row for row in scanned.rows if row.target.matchup == f"{skill} v {skill}"):
            rules = load_rules("ants").override(row.setting)
            frame = lab.simulate(rules, skill, skill, games=games)
            table = measure(frame, rules=rules, confidence=confidence)
            found = table.filter(pl.col("metric") == row.target.name).row(0, named=True)
            for name in ("value", "low", "high", "n", "distinct"):
                assert getattr(row.value, name) == found[name]


def test_differences_are_of_games_in_pairs_and_steps_for_one_unit(scanned):
    rules = load_rules("ants")
    sides = {
        value: lab.simulate(rules.override({BONUS: value}), "economy", "economy", games=200)
        for value in (2, 4, 6)
    }
    lengths = {value: frame["length"].to_numpy() for value, frame in sides.items()}
    past = {value: frame["history"].to_numpy() for value, frame in sides.items()}
    rows = {
        row.setting[BONUS]: row
        for row in scanned.rows
        if (row.target.name, row.target.matchup) == ("length", "economy v economy")
    }
    limits, confidence = (0, 1000), scanned.question.confidence
    found = estimate_difference(
        lengths[4], lengths[6], (past[4], past[6]), None, limits, confidence
    )
    apart, step = rows[6].apart, rows[6].step
    assert (apart.value, apart.low, apart.high) == (found.value, found.low, found.high)
    for name in ("value", "low", "high"):
        assert getattr(step, name) == pytest.approx(getattr(found, name) / 2)
    assert rows[2].apart.value == pytest.approx(lengths[2].mean() - lengths[4].mean())
    assert rows[2].step is None
    assert rows[4].own
    assert rows[4].apart is None
    assert rows[6].ratio > 1


def test_a_unit_is_worth_the_slope_of_least_squares(scanned):
    for one in scanned.worths:
        rows = [row for row in scanned.rows if row.target is one.target]
        values = [row.value.value for row in rows]
        slope, _ = np.polyfit([row.setting[BONUS] for row in rows], values, 1)
        assert one.found.value == pytest.approx(slope)
        assert one.found.low < slope < one.found.high
        assert one.found.n == 200
    assert len(scanned.worths) == 4


def test_of_two_numbers_each_is_weighed_at_all_values_of_the_other(grid):
    (one,) = grid.worths  # a switch has no unit
    values = {tuple(row.setting.values()): row.value.value for row in grid.rows}
    means = [(values[bonus, True] + values[bonus, False]) / 2 for bonus in (5, 6, 7)]
    assert one.pointer == BONUS
    assert one.found.value == pytest.approx(np.polyfit((5, 6, 7), means, 1)[0])


def test_all_intervals_hold_at_once(scanned, grid):
    each = 3 + 2 + 2 + 1  # values, differences, steps, a slope
    assert scanned.question.intervals == 4 * each
    assert scanned.question.confidence == bonferroni(0.95, 32)
    assert grid.question.intervals == 7 + 6 + 1
    for row in scanned.rows:
        assert row.value.confidence == scanned.question.confidence


def test_neither_workers_nor_chunks_change_a_number(scanned, monkeypatch):
    monkeypatch.setattr(selfplay, "PIECES_PER_JOB", 7)
    assert scan.play(scanned.question, jobs=2).frame().equals(scanned.frame())


def test_what_no_game_moved_may_yet_move():
    """Nobody besieges here, whatever a siege takes; that is not to say that nobody ever would."""
    question = asked({"/siege/turns": "2,8"}, metrics=["siege", "length"], games=50)
    for row in scan.play(question).rows:
        if row.apart is not None:
            assert row.apart.value == pytest.approx(0)
            assert row.apart.low < 0 < row.apart.high or row.value.low == row.value.high


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_varied(name):
    rules = short_rules(name)
    for pointer, value in rules.pointers().items():
        reach = bounds(type(rules.document), pointer)
        if not isinstance(reach, Range) or value + 1 > reach.high:
            continue
        try:
            question = ask(rules, {pointer: [value, value + 1]}, games=12)
        except BadInput:  # values that depend on one another
            continue
        frame = scan.play(question).frame()
        assert frame.height == 2 * len(question.experiment.targets)
        assert frame["n"].max() == 12
        return
    raise AssertionError("no number can be moved")


# --- an experiment ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    path = experiments.write(tmp_path_factory.mktemp("held"))
    return path, scan.play(ask(None, {BONUS: [2, 4]}, experiment=path, games=60))


def test_targets_are_measured_as_a_sweep_does(held):
    path, found = held
    experiment = load_experiment(path)
    bank, confidence = seed_of(experiment.seed, "vary"), found.question.confidence
    games = dict.fromkeys(experiment.games, 60)
    for setting in ({BONUS: 2}, {BONUS: 4}):
        rules = experiment.rules.override(setting)
        played = play_setting(experiment, rules, bank, games, confidence=confidence)
        rows = [row for row in found.rows if row.setting == setting]
        assert tuple(row.value for row in rows) == played.targets


def test_a_score_from_the_second_seat_rises_where_the_first_ones_falls(held):
    _, found = held
    for row in (row for row in found.rows if row.target.metric == "score" and not row.own):
        (own,) = (other for other in found.rows if other.own and other.target is row.target)
        assert row.apart.value == pytest.approx(row.value.value - own.value.value)


def test_the_games_of_an_experiment_are_a_trials_unless_told(held):
    path, _ = held
    question = ask(None, {BONUS: "4"}, experiment=path)
    assert sorted(question.games.values()) == [20, 20, 40]
    assert ask(None, {BONUS: "4"}, experiment=path, seed=9).bank == 9


def test_a_target_holds_where_its_whole_interval_does(tmp_path):
    path = experiments.write(tmp_path, ("band = [0, 0.9]", "band = [0, 1]"))
    frame = lab.vary(None, {BONUS: [4, 8]}, experiment=path, games=100)
    verdicts = frame.group_by("target", maintain_order=True).agg("verdict").rows()
    assert verdicts[1] == ("score of economy", ["holds", "holds"])
    broken = experiments.write(tmp_path, ("band = [0, 0.9]", "band = [0, 0.1]"))
    frame = lab.vary(None, {BONUS: [4, 8]}, experiment=broken, games=100)
    assert frame.filter(pl.col("target") == "score of economy")["verdict"].to_list() == [
        "broken",
        "broken",
    ]


# --- Python -------------------------------------------------------------------------------------


def test_the_frame_says_what_was_found(scanned):
    rules = load_rules("ants")
    frame = lab.vary(
        rules, {BONUS: [2, 4, 6]}, skills=PAIR, metrics=["first_score", "length"], games=200
    )
    assert frame.equals(scanned.frame())
    assert frame.columns == [BONUS, *scan.SCHEMA]
    assert frame[BONUS].to_list() == [2, 4, 6] * 4
    assert frame["own"].to_list() == [False, True, False] * 4
    assert "…" not in frame.head(6)._repr_html_()


def test_python_is_refused_in_one_line():
    rules = load_rules("ants")
    assert refusal(lab.vary, None, {BONUS: [3]}).startswith("vary: found neither rules nor")
    assert refusal(lab.vary, rules, {}).startswith("vary: found 0 pointers, expected one, or two")
    assert (
        refusal(lab.vary, rules, {BONUS: 3})
        == "vary: found 3, expected values in a list, or as in 3..7"
    )
    assert (
        refusal(lab.vary, rules, {BONUS: []}) == f"{BONUS}: found no values, expected one or more"
    )


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "ends", "said"),
    [
        ("share", (0.012, 0.003, 0.021), "+1.2 (+0.3 to +2.1)"),
        ("share", (0.0012, 0.0008, 0.0016), "+0.12 (+0.08 to +0.16)"),
        ("rounds", (-3.25, -4.25, -2.25), "-3.2 (-4.2 to -2.2)"),
        ("rounds", (-1e-16, -1e-16, -1e-16), "+0.0 (+0.0 to +0.0)"),
        ("rounds", (math.nan, -5, 5), "–"),
    ],
)
def test_a_gap_shows_a_digit_of_its_half_width(unit, ends, said):
    found = Estimate(*ends, 1, 9, 9, 9, "t", 0.95)
    assert page.gap(found, unit) == said
    assert page.gap(None, unit) == "–"


# --- the verb -----------------------------------------------------------------------------------

FEW = ("--games", 40)


def test_a_table_marks_the_rules_own_and_says_what_it_is_not():
    told = out("vary", "ants", f"{BONUS}=3..5", "--skill", "rush", *FEW)
    lines = told.splitlines()
    assert lines[0] == "first_score, rush v rush"
    assert lines[1].split("  ")[0] == BONUS
    assert [line.split("  ")[0] for line in lines[2:5]] == ["3", "4 *", "5"]
    assert lines[5].startswith("One more of start resources no. 2 (resources), 3 to 5: ")
    assert "so that all of them (8) hold at once with 95 % (Bonferroni)" in told
    assert "none is recommended by them" in told
    assert f"lab verify ants --targets EXPERIMENT.toml --set {BONUS}=V" in told
    other = out("vary", "ants", f"{BONUS}=4", "--set", "/march/movement=hold", *FEW)
    assert f" --set /march/movement=hold --set {BONUS}=V" in other


def test_two_numbers_are_a_map():
    words = ("vary", "ants", f"{BONUS}=5..6", f"{MIRROR}=on,off", *FEW)
    lines = out(*words).splitlines()
    assert lines[1].split() == [BONUS, "by", MIRROR, "on", "off", "*"]
    assert [line.split()[0] for line in lines[2:6:2]] == ["5", "6"]
    assert any(line.startswith("The rules' own, (4, off): ") for line in lines)
    table = out(*words, "--metric", "length")
    assert "40.0–40.0" in table


def test_where_targets_hold_is_told(tmp_path):
    path = experiments.write(tmp_path, ("band = [0, 0.9]", "band = [0, 1]"))
    told = out("vary", "ants", f"{BONUS}=4,8", "--experiment", path, "--games", 200)
    assert "random mirror, wanted 20% to 80%: " in told
    assert "score of economy, field, wanted at most 100%: holds at 4 and 8." in told
    assert "All 2 targets hold at " in told
    assert f"lab sweep {path}" in told


def test_the_json_has_every_row_and_how_it_was_played():
    words = ("vary", "ants", f"{BONUS}=3,5", "--skill", "economy", "--skill", "rush", "--json")
    found = json.loads(out(*words, "--games", "10:30", "--seed", 4))
    assert (found["game"], found["kind"], found["seed"]) == ("ants", "scan", 4)
    assert found["own"] == {BONUS: 4}
    assert found["games"] == {"economy v economy": "10:30", "rush v rush": "30:50"}
    assert len(found["settings"]) == 6
    assert [row[BONUS] for row in found["settings"]] == [3, 4, 5] * 2
    assert [row["n"] for row in found["settings"]] == [20] * 6
    assert [row["band"] for row in found["targets"]] == [[None, None]] * 2
    assert {row["pointer"] for row in found["worth"]} == {BONUS}
    assert not found["stopped"]


@pytest.mark.parametrize("numbers", [(f"{BONUS}=3..5",), (f"{BONUS}=4..5", f"{MIRROR}=on,off")])
def test_a_folder_gets_a_page_a_figure_and_the_table(tmp_path, numbers):
    said = out("vary", "ants", *numbers, "--skill", "rush", *FEW, "--out", tmp_path / "scan")
    folder = tmp_path / "scan"
    assert said.splitlines()[-1] == str(folder / "vary.md")
    names = {"vary.md", "vary.csv", "vary.parquet", "vary-1.svg"}
    assert {path.name for path in folder.iterdir()} == names
    frame = pl.read_parquet(folder / "vary.parquet")
    assert frame.columns[: len(numbers)] == [text.partition("=")[0] for text in numbers]
    assert pl.read_csv(folder / "vary.csv").height == frame.height
    page = (folder / "vary.md").read_text()
    assert "](./vary-1.svg)" in page
    assert "none is recommended by them" in page
    drawn = (folder / "vary-1.svg").read_text()
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    before = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".parquet"
    }
    out("vary", "ants", *numbers, "--skill", "rush", *FEW, "--out", folder)
    assert before == {name: (folder / name).read_bytes() for name in before}


def test_ctrl_c_keeps_the_settings_that_are_finished(monkeypatch, tmp_path):
    sound, played = scan.play_games, []

    def stopped(*arguments):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(1)
        return sound(*arguments)

    monkeypatch.setattr(scan, "play_games", stopped)
    words = ("vary", "ants", f"{BONUS}=3..6", *FEW, "--out", tmp_path / "scan")
    done = run(*words)
    assert done.exit_code == 130
    assert done.stderr == f"lab: kept 2 of 4 settings; go on with {BONUS}=5,6\n"
    assert [line.split("  ")[0] for line in done.stdout.splitlines()[2:4]] == ["3", "4 *"]
    assert pl.read_parquet(tmp_path / "scan" / "vary.parquet")[BONUS].to_list() == [3, 4]
    assert "Stopped after 2 settings." in (tmp_path / "scan" / "vary.md").read_text()


def test_ctrl_c_before_a_setting_is_finished_keeps_nothing(monkeypatch):
    def stopped(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(scan, "play_games", stopped)
    done = run("vary", "ants", f"{BONUS}=3..6", *FEW)
    assert (done.exit_code, done.stdout) == (130, "")
    assert done.stderr == "lab: stopped, nothing was kept\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["/start/resource/1=3..7"], "/start/resource/1=3..7: found an unknown pointer, "),
        (["/start=3..7"], "/start=3..7: found an unknown pointer, expected a number or choice"),
        ([f"{BONUS}=7..3"], "found low 7 above high 3, expected a range"),
        ([f"{BONUS}=3..99"], "found 99, expected only what the rules allow, 0 to 30"),
        ([f"{BONUS}=-1,3"], "found -1, expected only what the rules allow, 0 to 30"),
        ([f"{BONUS}=3..8:2"], "found a step of 2 from 3 to 8, expected one that divides the range"),
        ([f"{BONUS}=3..8:0"], "/step: found 0.0, expected a number from 1e-09"),
        ([f"{BONUS}=0.5..2.5"], "found a fraction, expected whole numbers, as in the rules"),
        ([f"{BONUS}=3,x"], 'found "x", expected only what the rules allow'),
        ([f"{BONUS}=3,3"], "2 times, expected names that differ"),
        ([f"{BONUS}=3.."], "expected /pointer=a..b[:step] or /pointer=x,y,z"),
        ([f"{BONUS}="], "expected /pointer=a..b[:step] or /pointer=x,y,z"),
        ([f"{BONUS}=3,,4"], "expected /pointer=a..b[:step] or /pointer=x,y,z"),
        ([BONUS], "expected /pointer=a..b[:step] or /pointer=x,y,z"),
        (["/march/movement=1..3"], 'found low and high, expected choices of "anchor", '),
        (["/march/movement=holt"], 'found "holt", expected only what the rules allow, "anchor"'),
        (["/board/radius=2..4"], "nest (-3,3) lies outside a board of radius 2"),
        ([f"{BONUS}=3", f"{BONUS}=4"], f"found {BONUS} twice, expected each pointer once"),
        ([f"{BONUS}=3", f"{MIRROR}=on", "/siege/turns=2"], "vary: found 3 pointers, expected one"),
        ([f"{BONUS}=0..30", "/turn/round_cap=1..31"], "vary: found 961 settings, expected at most"),
        ([f"{BONUS}=3..4", "--metric", "drow"], "(did you mean 'draw'?)"),
        ([f"{BONUS}=3..4", "--skill", "rusk"], "(did you mean 'rush'?)"),
        ([f"{BONUS}=3..4", "--second", "rusk"], "(did you mean 'rush'?)"),
        ([f"{BONUS}=3..4", "--first", "rush", "--skill", "rush"], "found first beside skills"),
        ([f"{BONUS}=3..4", "--games", "0"], "games: found 0, expected N or A:B"),
        ([f"{BONUS}=3..4", "--games", "999999999999:1000000000001"], "games: found "),
        ([f"{BONUS}=3..4", "--seed", "-1"], "seed: found -1, expected a whole number from 0"),
        ([f"{BONUS}=3..4", "--experiment", "none.toml"], "none.toml: found no such file"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(tmp_path, words, line):
    assert line in refused("vary", "ants", *words, "--out", tmp_path / "scan")
    assert not (tmp_path / "scan").exists()


@pytest.mark.parametrize("option", ["--first", "--second", "--skill", "--metric"])
def test_an_experiment_says_who_plays(tmp_path, option):
    path = experiments.write(tmp_path)
    words = ("vary", "ants", f"{BONUS}=3..4", "--experiment", path, option, "draw")
    assert f"vary: found {option[2:]} beside an experiment" in refused(*words)
    other = refused("vary", "junqi", "/draw/quiet_limit=20", "--experiment", path)
    assert f"{path} /game: found 'ants', expected 'junqi'" in other
