import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import polars as pl
import pytest

from lab.catalog import load_rules
from lab.errors import BadInput
from lab.jit import blank
from lab.judge.match import Terms
from lab.judge.program import Command
from lab.selfplay import as_frame
from lab.tournament import Bot, Interrupted, Plan, Tournament, check, run, run_tournament
from lab.tournament.table import OWN
from tests import fake_judge

RULES = load_rules("next_nation")
OTHER = RULES.override({"/days": 20})


class Entrant(Bot):
    """A bot that the fake judge knows by its name: `wrong` and what has a `p` is a program."""

    def player(self):
        return self.policy or Command((self.name,))


def entrants(*names):
    return [
        Entrant(name, "here", {"name": name}, "" if "p" in name or "wrong" in name else name)
        for name in names
    ]


BOTS = entrants("rock-3", "paper-2", "spock-2", "wrong-1")


def contest(bots=BOTS, rules=RULES, terms=Terms(), **plan):  # noqa: B008
    return Tournament(
        rules, bots, Plan(**{"pairing": "all", "bots": len(bots), "seeds": range(4)} | plan), terms
    )


@pytest.fixture(autouse=True)
def _judge(monkeypatch):
    monkeypatch.setattr(run.match, "play", fake_judge.play)
    monkeypatch.setattr(run, "by_kernel", fake_judge.by_kernel)
    monkeypatch.setattr(run, "generate", lambda numbers, seed: [None])


# --- the table ----------------------------------------------------------------------------------


def test_a_table_has_the_columns_of_simulate_and_the_bots(tmp_path):
    frame = run_tournament(contest(), tmp_path / "g.parquet")
    simulated = as_frame(fake_judge.GAME, blank(fake_judge.GAME.outcome, 0))
    assert frame.schema == simulated.schema | OWN
    assert frame["game"].to_list() == list(range(48))
    assert frame.equals(pl.read_parquet(tmp_path / "g.parquet"))
    assert [path.name for path in tmp_path.iterdir()] == ["g.parquet"]


def test_a_row_says_who_won_and_why(tmp_path):
    frame = run_tournament(contest(), tmp_path / "g.parquet")
    won = frame.filter(first="rock-3", second="paper-2", map_seed=2).row(0, named=True)
    assert (won["winner"], won["ending"], won["cause_first"]) == ("first", "day limit", None)
    lost = frame.filter(first="rock-3", second="wrong-1", map_seed=2).row(0, named=True)
    assert (lost["winner"], lost["ending"], lost["cause_first"]) == ("first", None, None)
    assert lost["cause_second"] == 'day 4: "TRAIN 1" costs 120 gold of 1'
    dropping = contest(terms=Terms(drop=True))
    frame = run_tournament(dropping, tmp_path / "dropped.parquet")
    spared = frame.filter(first="wrong-1")
    assert set(spared["refused_first"]) == {3}
    assert set(spared["refused_second"]) == {0}
    assert spared["cause_first"].null_count() == spared.height


@pytest.mark.parametrize("pairing", ["all", "swiss", "random"])
def test_the_table_is_the_same_for_any_number_of_jobs(tmp_path, pairing):
    plan = {"pairing": pairing, "each": None if pairing == "all" else 6}
    one = run_tournament(contest(**plan), tmp_path / "1.parquet")
    three = run_tournament(contest(**plan), tmp_path / "3.parquet", jobs=3)
    assert one.equals(three)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "3.parquet").read_bytes()


def test_logs_are_named_after_their_games(tmp_path):
    bots = entrants("a/b:c-1", "d-0")
    run_tournament(contest(bots, seeds=[7]), tmp_path / "g.parquet", logs=tmp_path / "logs")
    names = sorted(path.name for path in (tmp_path / "logs").iterdir())
    assert names == ["000000-a_b_c-1-d-0-7.log", "000001-d-0-a_b_c-1-7.log"]


# --- going on -----------------------------------------------------------------------------------


def stopping(count, error):
    """A judge that plays so many games, then raises."""
    games = []

    def play(*arguments):
        if len(games) == count:
            raise error
        games.append(arguments)
        return fake_judge.play(*arguments)

    return play


@pytest.mark.parametrize("pairing", ["all", "swiss"])
@pytest.mark.parametrize("tail", [b"", b'{"game":40,"fir', b'{"game":40,"first":"\xe2\x82'])
def test_a_broken_off_tournament_goes_on_without_loss(tmp_path, monkeypatch, pairing, tail):
    plan = {"pairing": pairing, "each": None if pairing == "all" else 8}
    whole = run_tournament(contest(**plan), tmp_path / "whole.parquet")
    out, journal = tmp_path / "g.parquet", tmp_path / "g.parquet.journal"
    monkeypatch.setattr(run.match, "play", stopping(7, RuntimeError))
    with pytest.raises(RuntimeError):
        run_tournament(contest(**plan), out)
    kept = journal.read_bytes()
    assert kept.count(b"\n") == 1 + 7
    journal.write_bytes(kept + tail)
    seen = []
    monkeypatch.setattr(run.match, "play", fake_judge.play)
    played = run_tournament(contest(**plan), out, progress=lambda *counts: seen.append(counts))
    assert played.equals(whole)
    assert seen[0] == (7, whole.height)
    assert not journal.exists()


SCRIPT = """
import sys, time
from tests import fake_judge, test_tournament_run as here

def slow(*arguments):
    time.sleep(0.05)
    return fake_judge.play(*arguments)

here.run.match.play, here.run.by_kernel = slow, fake_judge.by_kernel
here.run.generate = lambda numbers, seed: [None]
here.run_tournament(here.contest(), sys.argv[1], jobs=3)
"""


def test_a_killed_tournament_loses_no_finished_game(tmp_path):
    out, journal = tmp_path / "g.parquet", tmp_path / "g.parquet.journal"
    command = [sys.executable, "-c", SCRIPT, str(out)]
    with subprocess.Popen(command, cwd=Path(__file__).parents[1]) as process:
        until = monotonic() + 120
        while monotonic() < until and not (journal.exists() and lines(journal) > 9):
            sleep(0.01)
        process.kill()
    finished = lines(journal) - 1
    assert 9 <= finished < 48
    ahead = []
    played = run_tournament(contest(), out, confirm=ahead.append)
    assert ahead[0].done == finished
    assert played.equals(run_tournament(contest(), tmp_path / "whole.parquet"))


def lines(path):
    return path.read_bytes().count(b"\n")


def test_ctrl_c_ends_after_the_games_under_way(tmp_path, monkeypatch):
    def play(*arguments):
        if len(list((tmp_path / "logs").glob("*.log"))) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return fake_judge.play(*arguments)

    monkeypatch.setattr(run.match, "play", play)
    with pytest.raises(Interrupted, match="kept 6 games; the same command goes on"):
        run_tournament(contest(), tmp_path / "g.parquet", logs=tmp_path / "logs")
    assert lines(tmp_path / "g.parquet.journal") == 7


def test_a_second_ctrl_c_keeps_as_much(tmp_path, monkeypatch):
    monkeypatch.setattr(run.match, "play", stopping(7, KeyboardInterrupt))
    with pytest.raises(Interrupted, match="kept 7 games"):
        run_tournament(contest(), tmp_path / "g.parquet")


def test_a_finished_tournament_is_read_and_not_played(tmp_path, monkeypatch):
    out = tmp_path / "g.parquet"
    whole = run_tournament(contest(), out)
    monkeypatch.setattr(run.match, "play", stopping(0, RuntimeError))
    (tmp_path / "g.parquet.journal").write_text("of a run that was killed just before its end")
    assert run_tournament(contest(), out).equals(whole)
    assert not (tmp_path / "g.parquet.journal").exists()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rules": OTHER}, "rules"),
        ({"bots": BOTS[:3]}, "bots"),
        ({"seeds": range(5)}, "seeds"),
        ({"pairing": "swiss", "each": 2}, "pairing, games per bot"),
        ({"terms": Terms(drop=True)}, "illegal orders"),
        ({"terms": Terms(clock=False)}, "clock"),
        ({"pairs": [(0, 1, 2)], "seeds": ()}, "seeds, pairs"),
    ],
)
def test_another_tournament_is_refused_and_left_alone(tmp_path, monkeypatch, change, named):
    out, journal = tmp_path / "g.parquet", tmp_path / "g.parquet.journal"
    run_tournament(contest(), tmp_path / "whole.parquet")
    monkeypatch.setattr(run.match, "play", stopping(7, RuntimeError))
    with pytest.raises(RuntimeError):
        run_tournament(contest(), out)
    for path in (journal, tmp_path / "whole.parquet"):
        before = path.read_bytes()
        line = f"{path}: found a tournament with other {named}, expected the same command"
        with pytest.raises(BadInput) as refusal:
            run_tournament(contest(**change), path.with_suffix("") if path == journal else path)
        assert str(refusal.value).startswith(line)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a\n", "g.parquet.journal:1: found a broken line"),
        ("[]\n", "g.parquet.journal:1: found a broken line"),
        ("{}\n", "g.parquet.journal: found a tournament with other game, rules, bots"),
        ("HEAD\n{}\n", "g.parquet.journal:2: found something else, expected a finished game"),
        ("HEAD\n\n", "g.parquet.journal:2: found a broken line"),
    ],
)
def test_a_damaged_journal_is_refused(tmp_path, content, line):
    head = json.dumps(contest().about)
    (tmp_path / "g.parquet.journal").write_text(content.replace("HEAD", head))
    with pytest.raises(BadInput) as refusal:
        run_tournament(contest(), tmp_path / "g.parquet")
    assert str(refusal.value).startswith(str(tmp_path / line))


@pytest.mark.parametrize(
    "change",
    [
        {"game": 48},
        {"game": -1},
        {"first": "nobody"},
        {"row": {"winner": 0, "ending": 0, "moons": 1}},
        {"row": {"winner": 0, "ending": 0, "length": "long"}},
        {"row": {"winner": 0, "ending": 0, "length": 10**9}},
    ],
)
def test_a_journal_that_somebody_edited_is_refused(tmp_path, monkeypatch, change):
    journal = tmp_path / "g.parquet.journal"
    monkeypatch.setattr(run.match, "play", stopping(2, RuntimeError))
    with pytest.raises(RuntimeError):
        run_tournament(contest(), tmp_path / "g.parquet")
    head, *games = journal.read_text().splitlines()
    games[-1] = json.dumps(json.loads(games[-1]) | change)
    journal.write_text("\n".join([head, *games, ""]))
    with pytest.raises(BadInput, match=r"found something else for game .* of this tournament"):
        run_tournament(contest(), tmp_path / "g.parquet")


def test_a_foreign_table_or_place_is_refused(tmp_path):
    pl.DataFrame({"game": [1]}).write_parquet(tmp_path / "simulated.parquet")
    (tmp_path / "text.parquet").write_text("text")
    (tmp_path / "folder.parquet").mkdir()
    for name in ("simulated.parquet", "text.parquet", "folder.parquet"):
        with pytest.raises(BadInput, match="found no table of a tournament"):
            run_tournament(contest(), tmp_path / name)
    with pytest.raises(BadInput, match=r"suffix '.csv'"):
        run_tournament(contest(), tmp_path / "g.csv")
    with pytest.raises(BadInput, match="no such file or directory"):
        run_tournament(contest(), tmp_path / "none/g.parquet")


def test_two_at_a_time_in_one_place_are_refused(tmp_path):
    def again(ahead):
        run_tournament(contest(), tmp_path / "g.parquet")

    with pytest.raises(BadInput, match="another tournament at work there"):
        run_tournament(contest(), tmp_path / "g.parquet", confirm=again)


# --- what lies ahead ----------------------------------------------------------------------------


def test_the_time_left_is_told_by_a_game_of_each_kind(tmp_path, monkeypatch):
    """Kinds are two policies, one program, two; here each takes as many seconds as programs."""
    monkeypatch.setattr(run, "monotonic", Clock())

    def refuse(ahead):
        seen.append(ahead)
        raise KeyboardInterrupt

    seen, bots = [], entrants("a-1", "b-1", "p-1", "p-2")
    for _ in range(2):
        with pytest.raises(Interrupted):
            run_tournament(contest(bots), tmp_path / "g.parquet", jobs=2, confirm=refuse)
    assert (seen[0].games, seen[0].done) == (48, 3)
    assert seen[0].seconds == pytest.approx(45 * (8 * 0 + 32 * 1 + 8 * 2) / 48 / 2)
    assert seen[1] == seen[0]


class Clock:
    """Shows as many seconds more at the end of a game as it has programs."""

    def __init__(self):
        self.now = 0.0
        play = fake_judge.play

        def slow(rules, world, players, *rest):
            self.now += sum(not isinstance(player, str) for player in players)
            return play(rules, world, players, *rest)

        run.match.play = slow

    def __call__(self):
        return self.now


def test_a_check_plays_each_bot_once(tmp_path):
    seen = []
    found = check(contest(), progress=lambda *counts: seen.append(counts))
    assert [entry.first for entry in found] == [bot.name for bot in BOTS]
    assert {entry.second for entry in found} == {next(iter(fake_judge.GAME.policies))}
    assert [entry.causes[0] is None for entry in found] == [True, True, True, False]
    assert seen[-1] == (4, 4)
