import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.style import Style

import lab
from lab import catalog, rules, selfplay
from lab.cli import show
from lab.play import Position
from lab.report import rulebook as rulebooks
from tests import experiments
from tests.test_public import HEAVY
from tests.verbs import out, refusal, run

GAMES = ", ".join(catalog.GAMES)
SHIPPED = Path(__file__).parents[1] / "rules/ants/0.3.json"
POSITION = (
    "turn=p1 round=1 ap=3 resources=4/4 siege=0/0 fresh=0+0 gathered=0 "
    "p1=-3,3:1q1w p2=3,-3:1q1w scent1=- scent2=-"
)
pytestmark = pytest.mark.usefixtures("quiet")


# --- help, usage, how a verb ends ---------------------------------------------------------------


def test_version_is_told():
    assert out("--version") == f"{lab.__version__}\n"


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from lab.cli import app; app(['--help'], standalone_mode=False); "
        f"print({HEAVY | {'pydantic', 'rich'}} & set(sys.modules) or 'light')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "simulate" in done.stdout
    assert done.stdout.endswith("light\n")


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (["simulat", "ants"], "Did you mean 'simulate'?"),
        (["rules", "shw"], "Did you mean 'show'?"),
        (["simulate", "ants", "--gams", "3"], "--games"),
    ],
)
def test_a_misspelt_verb_or_option_gets_usage_and_the_nearest(words, nearest):
    done = run(*words)
    assert done.exit_code == 2
    assert done.stderr.startswith("Usage: ")
    assert nearest in done.stderr


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KeyboardInterrupt(), "lab: stopped, nothing was kept\n"),
        (selfplay.Interrupted(20, range(10, 50)), "lab: kept 20 games; go on with --games 30:50"),
    ],
)
def test_ctrl_c_says_what_was_kept(monkeypatch, error, line):
    def stopped(*arguments):
        raise error

    monkeypatch.setattr(selfplay, "simulate", stopped)
    done = run("simulate", "ants")
    assert done.exit_code == 130
    assert done.stderr.startswith(line)


def test_a_closed_pipe_is_silent():
    command = [sys.executable, "-c", "from lab.cli import main; main()", "rules", "schema", "ants"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


# --- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--games -5", "games: found -5"),
        ("--games 0", "games: found 0"),
        ("--games 5:3", "games: found 5:3"),
        ("--games many", "games: found 'many', expected N or A:B"),
        ("--jobs 0", "jobs: found 0, expected a whole number from 1"),
        ("--chunk 0", "chunk: found 0, expected a whole number from 1"),
        ("--seed -1", "seed: found -1, expected a whole number from 0"),
        (f"--seed {2**64}", f"seed: found {2**64}, expected a whole number from 0"),
        ("--out no-such-folder/games.csv", "no-such-folder/games.csv: found no such file"),
        ("--out games.xls", "games.xls: found suffix '.xls', expected a file that ends in .parq"),
        ("--first rsh", "(did you mean 'rush'?)"),
        ("--second rush:ban=gathr", "(did you mean 'gather'?)"),
        ("--first=", "policy '': found '', expected one of"),
        ("--second=", "policy '': found '', expected one of"),
        ("--rules 0.33", "(did you mean '0.3'?)"),
        ("--rules none.json", "none.json: found no such file"),
        ("--set /turn/round_ca=3", "(did you mean '/turn/round_cap'?)"),
        ("--set /turn/round_cap=many", '/turn/round_cap: found "many", expected a whole number'),
        ("--set /turn/round_cap", "expected /pointer=value"),
        ("--metric lengt", "--metric: found 'lengt', expected one of first_score"),
        ("--metric 1+lengt", "--metric: formula '1+lengt', character 3: found 'lengt'"),
        ("--until plies/length+-1", "until: found plies/length, which has no bounds"),
    ],
)
def test_bad_options_are_refused_before_anything_is_played(words, line, tmp_path, monkeypatch):
    monkeypatch.setattr(selfplay, "play_chunk", None)
    monkeypatch.setenv("LAB_RULES", str(rules.folder().resolve()))
    monkeypatch.chdir(tmp_path)
    assert line in refusal("simulate", "ants", *words.split())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("simulate ant", f"game: found 'ant', expected one of {GAMES} (did you mean 'ants'?)"),
        ("matrix ants --policies economy,rsh", "(did you mean 'rush'?)"),
        ("matrix ants --policies=", "policy '': found '', expected one of"),
        ("moves ants --position turn=p3", "position"),
        ("perft ants --depth -1", "depth: found -1"),
        ("trace ants --seed 1 --game -1", "game: found -1"),
        ("rulebook ants --lang fr", "expected one of en, ko"),
        ("rulebook ants --out no-such-folder/rules.md", "no-such-folder/rules.md: found no such"),
        ("rules diff ants 0.3 0.33", "(did you mean '0.3'?)"),
        ("rules promote none --version 0.4 --why x", "none"),
        (
            "moves ants --set /turn/ap=3 --set /turn/ap=4",
            "--set: found /turn/ap twice, expected each pointer once",
        ),
        ("report none", "none"),
        ("sweep none.toml", "none.toml: found no such file"),
    ],
)
def test_bad_input_of_other_verbs_is_one_line(words, line):
    assert line in refusal(*words.split())


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"radius"', '"radios"', "/rules/board/radios: found an unknown key"),
        ('"round_cap": 40', '"round_cap": "40"', '/rules/turn/round_cap: found "40", expected a w'),
        ('"round_cap": 40', '"round_cap": 400', "/rules/turn/round_cap: found 400"),
        ('"round_cap": 40', '"round_cap": NaN', "/rules/turn/round_cap: found NaN"),
        ('"round_cap": 40', '"round_cap": -Infinity', "/rules/turn/round_cap: found -Infinity"),
        ('"round_cap": 40', '"round_cap": 40, "round_cap": 41', "/rules/turn/round_cap: found th"),
        ('"round_cap": 40,', '"round_cap": 40;', "0.3.json:31:29: found broken JSON"),
        ('"march": {"movement": "anchor", "cells": 1},', "", "/rules/march: found nothing"),
        ("[-3, 3]", "[-4, 4]", "/rules/board"),
        ('"version": "0.3"', '"version": "0.4"', '/version: found "0.4", expected "0.3"'),
        ('"parent": null', '"parent": "0.3"', "found a circle of versions (0.3 -> 0.3)"),
        (
            '"game": "ants"',
            '"game": "antz"',
            f'/game: found "antz", expected one of {GAMES} (did you',
        ),
    ],
)
def test_a_broken_rules_file_is_refused_by_place(old, new, line, tmp_path):
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "0.3.json"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert line in refusal("rules", "validate", path)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "found an empty file"),
        (b"[]", "found a list of 0, expected an object"),
        (b"\xef\xbb\xbf{}", "found a byte order mark"),
        (b'{"schema": "\xff"}', "0.3.json:1: found byte 0xff, expected UTF-8 text"),
    ],
)
def test_a_file_that_holds_no_rules_is_refused(data, line, tmp_path):
    path = tmp_path / "0.3.json"
    path.write_bytes(data)
    assert line in refusal("rules", "validate", path)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"/units/worker/cost" = {', '"/units/wrker/cost" = {', "did you mean '/units/worker/c"),
        ('mirror = "random"', 'mirror = "randm"', "(did you mean 'random'?)"),
        ('metric = "first_score"', 'metric = "first_scor"', "(did you mean 'first_score'?)"),
        ("band = [0, 0.9]", "band = [0.9, 0]", "band"),
        ("high = 8", "high = 800", "/start/resources/1"),
    ],
)
def test_a_bad_experiment_is_refused_and_no_run_begun(old, new, line, tmp_path):
    path = experiments.write(tmp_path, (old, new))
    assert line in refusal("sweep", path, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


# --- what the verbs say -------------------------------------------------------------------------


@pytest.mark.parametrize("name", lab.GAMES)
def test_a_game_is_listed_with_its_rules_policies_and_metrics(name):
    game = catalog.load_game(name)
    listed = next(line for line in out("games").splitlines() if game.title in line)
    assert f"{game.default_rules}  " in listed
    assert ", ".join(rules.versions(name)) in listed
    players = out("policies", name)
    assert all(policy in players for policy in game.policy_names())
    assert all(f"\n{key} " in players for key in ("temperature", "spread", *game.options()))
    measured = out("metrics", name)
    assert all(metric.name in measured for metric in game.metrics)
    assert lab.load_rules(name).fingerprint in out("rules", "list", name)


def test_rules_are_shown_with_what_was_set():
    lines = out("rules", "show", "ants", "--set", "/turn/round_cap=30").splitlines()
    row = next(line for line in lines if line.startswith("/turn/round_cap"))
    assert row.split()[1:4] == ["30", "rounds", "1..100"]
    why = next(line for line in lines if line.startswith("README 3.2 "))
    assert "A turn ends by itself" in why


def test_a_narrow_table_keeps_its_names_whole(monkeypatch, capsys):
    monkeypatch.setattr(show, "PIPE_WIDTH", 24)
    show.print_table(("pointer", "what it is"), [("/turn/cost/produce", "AP for an ant.")])
    assert "/turn/cost/produce " in capsys.readouterr().out


def test_rules_are_compared_checked_and_described():
    assert out("rules", "diff", "ants", "0.3", "0.3-quick").splitlines()[1:] == [
        "/turn/round_cap   40         20"
    ]
    assert out("rules", "diff", "ants", "0.3", "0.3") == "no difference\n"
    assert lab.load_rules("ants").fingerprint in out("rules", "validate", SHIPPED)
    document = catalog.load_game("ants").document
    assert json.loads(out("rules", "schema", "ants")) == rules.schema(document)


def test_the_rulebook_is_printed_or_written(tmp_path):
    text = rulebooks.rulebook(catalog.load_game("ants"), lab.load_rules("ants", "0.3-quick"), "ko")
    words = ("rulebook", "ants", "--rules", "0.3-quick", "--lang", "ko")
    assert out(*words) == text
    assert out(*words, "--out", tmp_path / "ants.md") == ""
    assert (tmp_path / "ants.md").read_text(encoding="utf-8") == text


def test_simulate_prints_json_that_holds_what_measure_finds():
    words = ("--set", "/turn/round_cap=5", "--first", "economy", "--games", 50, "--seed", 3)
    said = json.loads(out("simulate", "ants", *words, "--json"))
    setting = lab.load_rules("ants").override({"/turn/round_cap": 5})
    table = lab.measure(lab.simulate(setting, "economy", "random", 50, seed=3), rules=setting)
    keys = ("value", "low", "high", "n", "distinct", "clusters")
    assert said == {
        "game": "ants",
        "rules": setting.version,
        "fingerprint": setting.fingerprint,
        "first": "economy",
        "second": "random",
        "games": 50,
        "seed": 3,
        "metrics": {
            row["metric"]: {
                key: None if row[key] != row[key] or abs(row[key]) == float("inf") else row[key]
                for key in keys
            }
            for row in table.to_dicts()
        },
    }


def test_simulate_measures_what_it_is_asked_for():
    gap = "first_workers - second_workers"
    words = ("--set", "/turn/round_cap=5", "--games", 50, "--metric", "length", "--metric", gap)
    said = json.loads(out("simulate", "ants", *words, "--json"))
    assert list(said["metrics"]) == ["length", gap]
    games = lab.simulate(
        lab.load_rules("ants").override({"/turn/round_cap": 5}), *2 * ["random"], 50
    )
    mean = (games["first_workers"].cast(int) - games["second_workers"]).mean()
    assert said["metrics"][gap]["value"] == pytest.approx(mean)
    assert "ants" in next(
        line for line in out("simulate", "ants", *words).splitlines() if gap in line
    )


def test_simulate_prints_a_table_and_writes_every_game(tmp_path):
    path = tmp_path / "games.parquet"
    words = ("--games", "10:40", "--set", "/turn/round_cap=3", "--out", path)
    lines = out("simulate", "ants", *words).splitlines()
    assert lines[0].split() == [
        "metric",
        "mean",
        "95",
        "%",
        "interval",
        "n",
        "distinct",
        "clusters",
    ]
    length = next(line for line in lines if line.startswith("length"))
    assert length.split()[1:3] == ["3.0", "rounds"]
    setting = lab.load_rules("ants").override({"/turn/round_cap": 3})
    assert lines[-1] == (
        f"ants {setting.version} {setting.fingerprint}, random against random, seed 0, "
        "30 games, 30 distinct histories"
    )
    assert lab.measure(path)["n"][0] == 30


def test_matrix_shows_every_pair():
    short = ("--set", "/turn/round_cap=3", "--games", 10)
    policies = ("random", "rush:spread=0,temperature=0")
    words = ("matrix", "ants", *short, "--policies", ",".join(policies))
    pairs = json.loads(out(*words, "--json"))["pairs"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [
        (one, two) for one in policies for two in policies
    ]
    lines = out(*words).splitlines()
    shown = [word for line in lines[1:4:2] for word in line.split() if word.endswith("%")]
    assert shown == [f"{100 * pair['value']:.1f}%" for pair in pairs]


@pytest.mark.parametrize(
    ("name", "short", "tables"),
    [
        ("ants", "/turn/round_cap=1", 1),
        ("next_nation", "/days=1", 1),
        ("wargambit", "/run/rounds=1", 2),
    ],
)
def test_a_whole_matrix_fits_a_terminal_of_80_columns(name, short, tables, monkeypatch):
    """In more than one table if need be, and no number is broken."""
    monkeypatch.setattr(show, "PIPE_WIDTH", 80)
    lines = out("matrix", name, "--set", short, "--games", 2).splitlines()
    rivals = catalog.load_game(name).rivals()
    cells = [re.findall(r"\d+\.\d%", line) for line in lines]
    assert max(map(len, lines[:-2])) <= 80  # what is said below them a terminal may wrap
    assert sum(line.startswith("first ") for line in lines) == tables
    for rival in rivals:
        rows = [row for row, line in zip(cells, lines, strict=True) if line.split()[0] == rival]
        assert len(rows) == tables
        assert sum(map(len, rows)) == len(rivals)


def test_who_cannot_meet_leaves_a_dash():
    words = ("--policies", "random,ghost", "--set", "/run/rounds=1", "--games", 2)
    first, random, _, ghost, *_ = out("matrix", "wargambit", *words).splitlines()
    assert first.split() == ["first", "random", "ghost"]
    assert len(re.findall(r"\d%", random)) == 2
    assert ghost.split() == ["ghost", "–", "–"]


@pytest.mark.parametrize(("value", "hue"), [(1.0, "67a9cf"), (0.5, "f7f7f7"), (0.0, "ef8a62")])
def test_a_pair_is_blue_where_the_first_seat_is_ahead_as_in_reports(value, hue):
    cell = show.heat_cell({"value": value, "low": value, "high": value})
    assert Style.parse(cell.style).bgcolor.triplet.hex == f"#{hue}"


def test_trace_ends_with_the_row_that_simulate_gives(tmp_path):
    words = ("--first", "economy", "--second", "rush", "--set", "/turn/round_cap=2")
    lines = out("trace", "ants", "--seed", 7, "--game", 12, *words, "--svg", tmp_path).splitlines()
    setting = lab.load_rules("ants").override({"/turn/round_cap": 2})
    row = lab.simulate(setting, "economy", "rush", range(12, 13), seed=7).row(0, named=True)
    said = dict(word.split("=") for word in lines[-1].split())
    assert said == {key: str(value).lower() for key, value in row.items()}
    assert "turn=over" in lines[-2]
    assert len(list(tmp_path.glob("*.svg"))) == row["plies"] + 1


def test_moves_and_perft_read_a_position():
    game, setting = catalog.load_game("ants"), lab.load_rules("ants")
    here = Position(game, setting)
    here.read(POSITION)
    moves = out("moves", "ants", "--position", POSITION).splitlines()
    assert moves == sorted(game.view.action_text(here.record, action) for action in here.legal())
    counted = out("perft", "ants", "--position", POSITION, "--depth", 2).splitlines()
    assert counted == [f"depth 1: {len(moves)}", str(here.perft(2))]
    assert out("perft", "ants", "--depth", 0) == "1\n"


def test_a_sweep_is_run_reported_and_promoted_only_when_confirmed(tmp_path):
    wanted = ("tolerance = 0.3", "tolerance = 0.0001")
    path, folder = experiments.write(tmp_path, wanted), tmp_path / "run"
    told = out("sweep", path, "--trials", 2, "--out", folder).splitlines()
    verdict, place = told[0], told[-1]
    assert verdict.startswith("No setting that was tried meets every target.")
    assert place.startswith(str(folder))
    assert Path(out("report", folder).strip()) == folder / "report.html"
    line = refusal("rules", "promote", folder, "--version", "0.4", "--why", "Fairer.")
    assert "confirm" in line
    found = json.loads(out("sweep", path, "--trials", 2, "--out", folder, "--json"))
    assert found["verdict"] == verdict
    assert (found["status"], found["tried"], found["run"]) == ("refused", 2, str(folder))
    assert {target["holds"] for target in found["targets"]} >= {False}


def test_compile_readies_every_game():
    lines = out("compile").splitlines()
    assert [line.split(":")[0] for line in lines] == list(lab.GAMES)
