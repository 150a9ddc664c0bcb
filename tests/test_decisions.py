"""Runs as files: written, read, played again, and refused where they cannot be."""

import json

import pytest

from lab import catalog, decisions
from lab.catalog import GAMES
from tests import toygame
from tests.toy import refusal

PAIR = ("random", "greedy")


@pytest.fixture
def rules(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*GAMES, "pebbles"))
    monkeypatch.setattr(decisions, "load_rules", lambda game, version: toygame.rules(heap=7))
    return toygame.rules(heap=7)


@pytest.fixture
def keep(rules, tmp_path):
    """Writes a run's file, a traced one or one by hand, with some of its content replaced."""

    def write(**changes):
        content = decisions.record(rules, *PAIR, 5, 2) | changes
        path = tmp_path / "run.json"
        decisions.write(path, content)
        return path

    return write


def by_hand(*rounds):
    return {"policies": None, "decisions": [list(texts) for texts in rounds]}


WHOLE = by_hand(["take 1", "take 2"], ["take 3", "take 1"])


def test_a_kept_run_is_played_again(keep):
    path = keep()
    content = json.loads(path.read_text())
    run = decisions.read(path)
    assert (run.seed, run.index, run.policies) == (5, 2, PAIR)
    end = decisions.replay(run)
    assert end.over
    assert f"{int(end.outcome['history']):016x}" == content["outcome"]["history"]
    assert sum(len(texts) for texts in run.decisions) == content["outcome"]["plies"]


def test_a_person_needs_game_seed_and_decisions_alone(keep, tmp_path):
    path = tmp_path / "mine.json"
    keep()
    texts = WHOLE["decisions"]
    path.write_text(json.dumps({"game": "pebbles", "seed": 1, "decisions": texts}))
    end = decisions.replay(decisions.read(path))
    assert end.outcome["taken"].tolist() == [4, 3]


def test_decisions_are_told_before_they_are_played(keep):
    run = decisions.read(keep(**WHOLE))
    here = run.start()
    told = [
        (clock, action, int(here.state["left"])) for clock, action in decisions.follow(run, here)
    ]
    assert told == [(0, 1, 7), (0, 2, 6), (1, 3, 4), (1, 1, 1)]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"game": "peebles"}, "/game: game: found 'peebles', expected one of"),
        ({"fingerprint": "0" * 16}, '/fingerprint: found "0000000000000000", expected'),
        ({"seed": -1}, "/seed: found -1, expected"),
        ({"polices": None}, "/polices: found an unknown key, expected one of game"),
        ({"policies": ["random"]}, "/policies: found a list of 1, expected"),
        ({"policies": ["random", "gredy"]}, "/policies: policy 'gredy': found 'gredy'"),
        ({"decisions": []}, "/decisions: found a list of 0, expected"),
    ],
)
def test_a_file_that_is_none_is_refused(keep, change, line):
    said = refusal(decisions.read, keep(**change))
    assert line in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("rounds", "line"),
    [
        ([["take 4"]], "/decisions/0/0: action: found 'take 4', expected one of take 1, take 2"),
        (
            [["take 3", "take 3"], ["take 2"]],
            "/decisions/1/0: found 'take 2', expected a legal action: take 1 (did you mean",
        ),
        ([["take 3", "take 3"]], "/decisions: found an end in round 1, before the game's"),
        ([["take 3"], ["take 3"]], "/decisions/0: found 1 decisions, after which round 0 goes on"),
        ([["take 3"] * 2 + ["take 1"]], "/decisions/0/2: found 'take 1' in round 0, expected it"),
        (
            [["take 3", "take 3"], ["take 1", "take 1"]],
            "/decisions/1/1: found 'take 1', expected nothing more: the game is over",
        ),
    ],
)
def test_the_first_decision_that_cannot_be_played_is_named(keep, rounds, line):
    said = refusal(decisions.replay, decisions.read(keep(**by_hand(*rounds))))
    assert line in said
    assert "\n" not in said


def test_policies_named_play_what_the_file_says(keep):
    run = decisions.read(keep(**WHOLE | {"policies": ["greedy", "greedy"]}))
    said = refusal(decisions.replay, run)
    assert "/decisions/0/0: found 'take 1', expected what the policies named play" in said


def test_a_cut_file_is_refused(keep):
    path = keep()
    path.write_text(path.read_text()[:100])
    assert "broken JSON" in refusal(decisions.read, path)


def test_rules_without_a_file_are_given(keep, rules):
    path = keep(rules="unknown")
    assert decisions.read(path, rules).rules is rules
    other = toygame.rules(heap=9)
    assert "/fingerprint: found" in refusal(decisions.read, path, other)
