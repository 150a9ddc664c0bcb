"""What the judge takes for an order, against the kernels; what it tells, against what they show."""

import random

import pytest

from lab.catalog import load_game, load_rules
from lab.games.next_nation import protocol, view
from lab.games.next_nation.known import Known, read_ready
from lab.games.next_nation.log import Clock
from lab.games.next_nation.state import END, KIND, MOVE, RUNNING, TRAIN, UPGRADE, WHO
from lab.play import Players, Position, trace

GAME = load_game("next_nation")
PAIRS = (("random", "macro"), ("rush", "random"))


def told(position, lines, side):
    return protocol.orders(lines, side, position.record, position.state)


@pytest.mark.parametrize("pair", PAIRS)
def test_orders_are_legal_when_the_kernels_say_so(pair):
    rules, rng = load_rules("next_nation"), random.Random(1)
    position, actions, _ = trace(GAME, rules, *pair, 3, 0)
    mornings = 0
    for before, action in zip([END, *actions], actions, strict=False):
        if before == END and rng.random() < 0.2:
            mornings += 1
            assert legal_by_protocol(position) == set(position.legal()) - {END}
        position.play(action)
    assert mornings > 5


def legal_by_protocol(position):
    """Every order that could be written, and that is taken when it is given alone."""
    side, regions = int(position.state["side"]), range(int(position.record["maps"][0]["n"]))
    actions = [UPGRADE * KIND + region for region in regions]
    actions += [TRAIN * KIND + count for count in range(5)]
    for who in range(1, int(position.state["born"][side]) + 2):
        actions += [MOVE * KIND + who * WHO + region for region in regions]
    found = set()
    for action in actions:
        own, faults = told(position, [protocol.order_text(action, side)], side)
        assert own == ([] if faults else [action])
        found |= set(own)
    return found


@pytest.mark.parametrize("pair", PAIRS)
def test_a_days_orders_are_taken_whatever_the_order_of_their_lines(pair):
    rules, rng = load_rules("next_nation"), random.Random(2)
    position, actions, _ = trace(GAME, rules, *pair, 4, 0)
    day = []
    for action in actions:
        if action != END:
            day.append(action)
            continue
        side = int(position.state["side"])
        lines = [protocol.order_text(one, side) for one in day]
        kinds = [one // KIND for one in day]
        if kinds.count(UPGRADE) < 2:  # more of them shuffled are the same orders in another order
            rng.shuffle(lines)
        own, faults = told(position, lines, side)
        assert not faults
        assert sorted(own) == sorted(day)
        assert [one // KIND for one in own] == kinds
        for one in [*day, END]:
            position.play(one)
        day = []


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (["TRAIN 9", "MOVE A1 3 4"], ["has 3 words behind MOVE, not 2", "trains more than 1"]),
        (["MOVE A1 3", "MOVE A01 4"], ['repeats "MOVE A1 3"']),
        (["TRAIN 0", "TRAIN 1"], ['repeats "TRAIN 0"']),
        (["UPGRADE 0"], ["costs 600 gold of 500"]),
        (["UPGRADE 52"], ["is for region 52, where nothing can be built"]),
        (["MOVE A1 99", "MOVE A4 3"], ["names no region", "moves a warrior that does not live"]),
        (["MOVE A١ 3", " train  1", "TRAIN\t1_0", ""], ["is none", "is none", "trains more"]),
    ],
)
def test_faults_are_named_those_that_cannot_be_read_first(lines, faults):
    position = Position(GAME, load_rules("next_nation"), 0, 0)
    _, found = told(position, lines, 0)
    assert len(found) == len(faults)
    assert all(one.why.startswith(why) for one, why in zip(found, faults, strict=True)), found


# --- what a side is told ------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2026-qualifier", "2026-final"])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_program_knows_what_the_kernels_let_its_side_see(version, pair):
    rules = load_rules("next_nation", version)
    truth, _, _ = trace(GAME, rules, *pair, 5, 0)
    truth.state["telling"] = 1
    policies = GAME.policy_rows(*pair)
    seeing, knowing = (Players(GAME, truth.record, policies, 5, 0) for _ in range(2))
    world = truth.record["maps"][0]
    known = []
    for side in (0, 1):
        lines = iter([*protocol.ready(world, side).splitlines(), "START TURN 1"])
        assert read_ready(lines)[0] == side
        assert next(lines) == "START TURN 1"
        known.append(Known(rules.document, side, world))
    while truth.state["ending"] == RUNNING:
        day = int(truth.state["day"])
        for side in (0, 1):
            follow(truth, known[side], seeing, knowing)
            truth.play(END)
        clocks = Clock(1, 5), Clock(2, 4)
        for side in (0, 1):
            block = protocol.result(truth.record, truth.state, side, day, clocks).splitlines()
            assert block[1] == ("TIME 1 5 2 4", "TIME 2 4 1 5")[side]
            known[side].hear(block)
    assert truth.state["day"] > 5


def follow(truth, known, seeing, knowing):
    """A side's day: asked twice, once with the truth and once with what its program knows."""
    state = view.parse(truth.record, known.text())
    belief = Position.__new__(Position)
    belief.__dict__ |= truth.__dict__ | {"state": state, "outcome": truth.outcome.copy()}
    actions = []
    while True:
        action = seeing.action(truth.state)
        assert knowing.action(state) == action
        assert shown(seeing.room["sight"]) == shown(knowing.room["sight"])
        if action == END:
            break
        truth.play(action)
        belief.play(action)
        actions.append(action)
    known.ordered(actions, int(state["gold"][known.side]))


def shown(sight):
    """All that a view tells, without what lies behind the living in its rows."""
    rows = ("number", "place", "health", "target")
    living = [
        [sight[key][side, : sight["living"][side]].tolist() for key in rows] for side in (0, 1)
    ]
    whole = (
        "day",
        "side",
        "phase",
        "gold",
        "raised",
        "training",
        "marching",
        "level",
        "hp",
        "force",
    )
    return [living, *(sight[key].tolist() for key in (*whole, "held", "built", "born"))]
