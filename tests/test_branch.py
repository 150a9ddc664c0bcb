"""One decision changed: in a run from a file, and in many games with paired differences."""

import json

import numpy as np
import pytest

from lab import catalog, decisions
from lab.branch import Change, branch, branch_games
from lab.catalog import GAMES
from lab.metrics import metrics_of
from lab.play import CHANGED, SO_ANYHOW, branch_rows, play_rows
from tests import toygame, verbs
from tests.toy import refusal

PAIR = ("random", "greedy")
SEED = 5


@pytest.fixture
def rules(monkeypatch):
    monkeypatch.setattr(catalog, "GAMES", (*GAMES, "pebbles", "dealt"))
    monkeypatch.setattr(decisions, "load_rules", lambda game, version: toygame.rules(heap=20))
    return toygame.rules(heap=20)


@pytest.fixture
def keep(rules, tmp_path):
    """A run's file: a traced one, or one by hand with these decisions."""

    def write(*rounds, index=2):
        content = decisions.record(rules, *PAIR, SEED, index)
        if rounds:
            content |= {"policies": None, "decisions": [list(texts) for texts in rounds]}
        decisions.write(tmp_path / "run.json", content)
        return decisions.read(tmp_path / "run.json")

    return write


# --- one run ------------------------------------------------------------------------------------


def test_what_was_decided_by_hand_goes_on_where_it_is_legal(keep):
    run = keep(["take 3", "take 3"], ["take 3", "take 3"], ["take 3", "take 3"], ["take 2"])
    found = branch(run, Change("take 1", clock=1))
    assert (found.clock, found.was, found.becomes) == (1, "take 3", "take 1")
    assert found.played.row["first_taken"] == 11
    assert found.branch.row["first_taken"] == 9
    assert found.branch.here.state["left"] == 2
    assert not found.branch.here.over
    assert found.branch.left_out == 0
    left = {clock: curves[0] for clock, curves in found.branch.curves.items()}
    assert left == {0: 20, 1: 14, 2: 10, 3: 4}


def test_decisions_that_are_no_longer_legal_are_left_out(keep):
    run = keep(
        ["take 1", "take 3"], ["take 3", "take 3"], ["take 3", "take 3"], ["take 2", "take 2"]
    )
    found = branch(run, Change("take 3", clock=0))
    assert found.branch.here.over
    assert found.branch.left_out == 1


def test_policies_go_on_as_they_do_in_many_games(keep, rules):
    """The run's branch is the one that the kernel plays, mind for mind."""
    game = toygame.GAME
    record, policies = game.record(rules), game.policy_rows(*PAIR)
    change = Change("one", clock=1)
    rows, branches, fates = branch_rows(
        game, record, policies, change.twist(game, record), SEED, 0, 12
    )
    assert set(np.unique(fates[:, 1])) == {CHANGED, SO_ANYHOW}
    for index in range(12):
        run = keep(index=index)
        if fates[index, 1] == SO_ANYHOW:
            assert "'take 1' as it was played, expected another" in refusal(branch, run, change)
            continue
        found = branch(run, change)
        assert found.played.row["history"] == rows[index]["history"]
        assert found.branch.row["history"] == branches[index, 1]["history"]
        assert found.branch.here.over


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (Change("one"), "round: found none, expected the round of the decision"),
        (Change("ome", clock=1), "do: action: found 'ome', expected one of take 1"),
        (Change("one", "tow", clock=1), "instead-of: found 'tow', expected one of one, two, three"),
        (Change("one", clock=20), "round: found 20, expected one from 0 to 19"),
        (Change("one", clock=19), "run.json round: found 19, expected one from 0 to"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(keep, change, line):
    assert line in refusal(branch, keep(), change)


def test_what_is_not_legal_there_is_refused_with_the_nearest_that_is(keep):
    run = keep(["take 3", "take 3"], ["take 3", "take 3"], ["take 3", "take 3"], ["take 2"])
    said = refusal(branch, run, Change("take 3", clock=3))
    assert "round 3: found no decision of the first seat at which 'take 3' is legal" in said
    assert said.endswith("expected one that is: take 1, take 2 (did you mean 'take 2'?)")


def test_a_kind_that_was_not_decided_there_is_refused(keep):
    run = keep(["take 3", "take 3"], ["take 3", "take 3"], ["take 3", "take 3"], ["take 2"])
    said = refusal(branch, run, Change("one", instead="two", clock=1))
    assert "round 1: found no two of the first seat, expected one that could be changed" in said


# --- many games ---------------------------------------------------------------------------------


def twisted(rules, change, games):
    """Rows, branches and fates of games, straight from the kernel."""
    game = toygame.GAME
    record = game.record(rules)
    twist = change.twist(game, record)
    return branch_rows(game, record, game.policy_rows(*PAIR), twist, SEED, 0, games)


def test_the_games_themselves_are_those_of_simulate(rules):
    rows, branches, fates = twisted(rules, Change("one"), 50)
    game = toygame.GAME
    plain, _, _ = play_rows(game, game.record(rules), game.policy_rows(*PAIR), SEED, 0, 50)
    assert np.array_equal(rows["history"], plain["history"])
    assert (branches["history"][fates == CHANGED] != 0).all()
    assert not branches["history"][fates != CHANGED].any()


def test_only_the_kind_asked_for_is_changed(rules):
    """Where the first seat's first move is no `two`, nothing is asked."""
    game = toygame.GAME
    _, _, fates = twisted(rules, Change("one", instead="two", clock=0), 60)
    for index in range(60):
        _, _, log = play_rows(game, game.record(rules), game.policy_rows(*PAIR), SEED, index, 1, 1)
        assert (fates[index, 0] == CHANGED) == (log[0] == 2)
    assert not fates[:, 1:].any()


def test_each_round_is_measured_by_itself(rules):
    found = branch_games(rules, *PAIR, Change("one"), 300, SEED)
    assert [one.clock for one in found] == list(range(len(found)))
    rows, branches, fates = twisted(rules, Change("one"), 300)
    for one in found:
        changed = fates[:, one.clock] == CHANGED
        assert (one.games, one.arose) == (300, changed.sum())
        assert one.anyhow == (fates[:, one.clock] == SO_ANYHOW).sum()
        (score,) = one.paired
        won = [part[changed]["winner"] == 0 for part in (rows, branches[:, one.clock])]
        assert (score.played, score.changed) == pytest.approx([part.mean() for part in won])
        assert score.difference.value == pytest.approx(won[1].mean() - won[0].mean())
    assert found[0].paired[0].metric is metrics_of(toygame.GAME)["first_score"]


@pytest.mark.parametrize("game", ["pebbles", "dealt"])
def test_chunks_and_jobs_change_nothing(rules, game, monkeypatch):
    setting = toygame.rules(heap=20, under=5, game=game)

    def table(jobs):
        found = branch_games(setting, *PAIR, Change("two"), range(3, 90), SEED, jobs, ["plies"])
        return [(one.clock, one.arose, one.anyhow, one.paired[0].difference) for one in found]

    whole = table(1)
    assert whole[0][3].n > 0
    monkeypatch.setattr("lab.branch.CHUNK", 7)
    assert table(2) == whole


def test_an_unknown_metric_is_refused(rules):
    line = refusal(branch_games, rules, *PAIR, Change("one"), 10, 0, 1, ["plys"])
    assert "metric: found 'plys'" in line
    assert "'plies'" in line


# --- the verb -----------------------------------------------------------------------------------


PLAYERS = ("saver", "ghost")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A run of Wargambit that `lab trace` kept."""
    path = tmp_path_factory.mktemp("runs") / "run.json"
    seats = ("--first", PLAYERS[0], "--second", PLAYERS[1])
    verbs.run("trace", "wargambit", "--seed", 7, "--game", 3, *seats, "--out", path)
    return path


@pytest.mark.usefixtures("quiet")
def test_one_decision_of_a_kept_run_is_changed(kept):
    """Nothing is bought in the first round in which something was."""
    file = json.loads(kept.read_text())
    here = next(n for n, texts in enumerate(file["decisions"]) if texts[0].startswith("buy"))
    words = ("branch", "wargambit", kept, "--round", here, "--do", "ready")
    said = json.loads(verbs.out(*words, "--json"))
    for key in ("game", "rules", "fingerprint", "policies", "seed", "index"):
        assert said[key] == file[key]
    was = file["decisions"][here][0]
    assert [said[key] for key in ("seat", "round", "was", "becomes")] == [
        *("first", here, was, "ready")
    ]
    played, other = said["played"], said["branch"]
    assert played["outcome"] == file["outcome"]
    assert played["over"]
    assert other["over"]
    assert len(played["curves"]) == file["outcome"]["length"] + 1
    assert played["curves"][: here + 1] == other["curves"][: here + 1]
    gold = [tale["curves"][here + 1]["first_gold"] for tale in (played, other)]
    assert gold[0] < gold[1]
    changed = branch(decisions.read(kept), Change("ready", clock=here)).branch.row
    assert other["outcome"] == changed | {"history": f"{changed['history']:016x}"}
    lines = [line.split() for line in verbs.out(*words).splitlines()]
    assert lines[0] == ["round", f"{here}:", "ready", "instead", "of", *was.split()]
    for key, value in played["outcome"].items():
        both = [str(value).lower(), str(other["outcome"][key]).lower()]
        assert ([key, *both] in lines) == (both[0] != both[1]) or key == "history"
    assert any(line[0] == str(here + 1) and "→" in line for line in lines)


@pytest.mark.usefixtures("quiet")
def test_a_decision_is_weighed_in_many_games():
    words = ("--do", "ready", "--instead-of", "buy", "--games", "10:50", "--seed", 7)
    words = ("branch", "wargambit", *words, "--metric", "clear")
    said = json.loads(verbs.out(*words, "--json"))
    change, setting = Change("ready", instead="buy"), catalog.load_rules("wargambit")
    found = branch_games(setting, *PLAYERS, change, range(10, 50), 7, 1, ["clear"])
    rounds = said.pop("rounds")
    asked = {"do": "ready", "instead_of": "buy", "seat": "first"}
    run = {"first": PLAYERS[0], "second": PLAYERS[1], "games": "10:50", "seed": 7}
    which = {"game": "wargambit", "rules": setting.version, "fingerprint": setting.fingerprint}
    assert said == which | run | asked
    assert [(row["round"], row["games"], row["arose"], row["so_anyway"]) for row in rounds] == [
        (one.clock, 40, one.arose, 0) for one in found
    ]
    for row, one in zip(rounds, found, strict=True):
        told, (paired,) = row["metrics"]["clear"], one.paired
        assert (told["played"], told["changed"]) == (paired.played, paired.changed)
        assert told["difference"]["value"] == pytest.approx(told["changed"] - told["played"])
        assert told["difference"]["n"] == one.arose
    lines = verbs.out(*words).splitlines()
    assert lines[1].split()[:4] == [str(found[0].clock), str(found[0].arose), "0", "clear"]
    assert lines[1 + len(found)] == "ready instead of its first buy, by the first seat; 40 games of"


def test_a_kept_run_says_who_plays_many_games(kept):
    words = ("branch", "wargambit", kept, "--do", "ready", "--round", 3, "--games", 5, "--json")
    said = json.loads(verbs.run(*words).stdout)
    assert (said["first"], said["second"]) == PLAYERS
    assert [row["round"] for row in said["rounds"]] == [3]


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--do level", "round: found none, expected the round of the decision, or many games"),
        ("--do level --round 17", "round: found 17, expected one from 0 to 16"),
        ("--do level --round 11", "run.json round: found 11, expected one from 0 to 10, its last"),
        ("--do levl --round 4", "do: action: found 'levl', expected one of ready, duel, "),
        ("--do levl --round 4", "(did you mean 'level'?), or a kind: ready, duel, ghost"),
        ("--do literal --round 0", "no decision of the first seat at which 'literal' is legal"),
        ("--do literally --round 0", "(did you mean 'literal'?)"),
        ("--do auto --round 1", "is legal, expected one that is: ready, "),
        ("--do level --round 4 --instead-of rerol", "(did you mean 'reroll'?)"),
        ("--do level --round 4 --rules 1", "(did you mean '1.0'?)"),
        (
            "--do level --round 4 --seed 3",
            "--seed: found it beside a run of a file, expected --",
        ),
        ("--do level --round 4 --first greedy", "--first: found it beside a run of a file"),
    ],
)
def test_what_the_verb_cannot_do_is_one_line(kept, words, line):
    assert line in verbs.refusal("branch", "wargambit", kept, *words.split())


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("content", "line"),
    [
        (None, "run.json: found no such file or directory, expected a readable file"),
        (b"\x9f\x00", "run.json:1: found byte 0x9f, expected UTF-8 text"),
        (b'{"game": ', "run.json:1:10: found broken JSON"),
        (b"[]", "run.json: found a list of 0, expected an object"),
        (b'{"game": "wargambi"}', "/game: game: found 'wargambi', expected one of"),
        (b'{"game": "wargambit", "seed": 1}', "run.json /decisions: found nothing"),
        (b'{"game": "ants", "seed": 1, "decisions": [["end"]]}', "found ants, expected wargambit"),
    ],
)
def test_a_file_that_is_no_run_is_one_line(tmp_path, content, line):
    path = tmp_path / "run.json"
    if content is not None:
        path.write_bytes(content)
    assert line in verbs.refusal("branch", "wargambit", path, "--round", 4, "--do", "level")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("", "branch: found no run, expected RUN.json, or --games to ask it in many games"),
        ("--games 0", "games: found 0, expected N or A:B"),
        ("--games 5 --round 17", "round: found 17, expected one from 0 to 16"),
        ("--games 5 --metric clea", "(did you mean 'clear'?)"),
        ("--games 5 --first savr", "(did you mean 'saver'?)"),
    ],
)
def test_games_that_cannot_be_asked_are_one_line(words, line):
    assert line in verbs.refusal("branch", "wargambit", "--do", "level", *words.split())
