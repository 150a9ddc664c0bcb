"""Runs of Wargambit as files: what is kept of armies, and what a person forgot to place."""

import pytest

from lab import decisions
from lab.catalog import load_game, load_rules
from lab.play import Position
from tests.toy import refusal

RULES = load_rules("wargambit")
GAME = load_game("wargambit")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.json"
    decisions.write(path, decisions.record(RULES, "saver:placer=castler", "ghost", 7, 3))
    return path


def test_a_recorded_run_leads_the_same_armies_again(kept):
    content = decisions.record(RULES, "greedy", f"recorded:{kept}", 1, 0)
    told = content["decisions"][0]
    armies = decisions.record(RULES, "saver:placer=castler", "ghost", 7, 3)["armies"]
    assert told[1] == f"recorded {len(armies)}"
    placed = " ".join(text for text in told[2:] if text.startswith("place"))
    wanted = [
        f"place {man[0]} {man[1:]}" for army in armies for man in army.split(",") if man != "-"
    ]
    assert sorted(placed.replace(" place", ",place").split(",")) == sorted(wanted)


def test_armies_are_kept_in_letters_that_any_rules_read(tmp_path):
    """Even where the rules give a lance the scout's letter."""
    other = RULES.override({"/arsenal/lance/letter": "a", "/arsenal/scout/letter": "z"})
    told = [decisions.record(rules, "greedy", "ghost", 7, 3) for rules in (RULES, other)]
    assert told[0]["armies"] == told[1]["armies"]
    assert {"l", "a"} <= {man[0] for army in told[0]["armies"] for man in army.split(",")}
    decisions.write(tmp_path / "run.json", told[1])
    for rules in (RULES, other):
        content = decisions.record(rules, "greedy", f"recorded:{tmp_path / 'run.json'}", 1, 0)
        assert content["decisions"][0][1] == f"recorded {len(told[1]['armies'])}"


def test_what_was_placed_by_itself_is_kept_too():
    content = decisions.record(RULES, "greedy", "ghost", 7, 3)
    assert not any(text.startswith("place") for texts in content["decisions"] for text in texts)
    assert len(content["armies"]) == content["outcome"]["length"]
    last = content["armies"][-1].split(",")
    assert len(last) == content["outcome"]["first_bought"]


def two_pieces():
    """A seed whose first shop sells two pieces, and their letters."""
    for seed in range(99):
        here = Position(GAME, RULES, seed)
        texts = ["ready", "ghost", "buy 1", "buy 2"]
        for text in texts:
            action = GAME.view.parse_action(here.record, text)
            if action not in here.legal():
                break
            here.play(action)
        else:
            letters = GAME.view.letters_of(here.record)
            return seed, [
                letters[kind] for kind, n in enumerate(here.state["army"][0]) for _ in range(n)
            ]
    raise AssertionError("no shop sells two pieces")


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("place {} d2", "/3: found 'ready', expected a square first for the 1 pieces left over"),
        ("place {} e1", "e1 is the king's"),
        ("place p d1", "no pawn stands on the back row"),
    ],
)
def test_a_placement_by_hand_that_is_not_allowed_is_refused(tmp_path, place, line):
    seed, letters = two_pieces()
    texts = ["buy 1", "buy 2", place.format(letters[0]), "ready"]
    content = {"game": "wargambit", "seed": seed, "decisions": [["ready", "ghost"], texts]}
    decisions.write(tmp_path / "mine.json", content)
    said = refusal(decisions.replay, decisions.read(tmp_path / "mine.json"))
    assert line in said
    assert "\n" not in said
