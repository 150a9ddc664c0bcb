"""What a side of NEXT NATION is told (README 8): never what is hidden, and the rest always."""

import re
from functools import cache
from random import Random

import numpy as np
import pytest

from lab.catalog import load_game, load_rules
from lab.games.next_nation.state import NONE
from lab.jit import blank, kernel
from lab.play import Players, Position, trace
from lab.verbs import imagine, observe
from tests.rulesets import SMALL

GAME = load_game("next_nation")
PLAYERS = [*GAME.policies, "search:playouts=2"]
SEATS = {0: "left", 1: "right"}

every_seat = pytest.mark.parametrize("seat", SEATS, ids=SEATS.get)


@cache
def rules(**changes):
    """The qualifier's on small maps and half as long, with numbers of `/information` changed."""
    changes = {f"/information/{key}": value for key, value in changes.items()}
    return load_rules("next_nation").override(SMALL | changes | {"/days": 100})


def positions(rules, seat, seats=("swarm", "macro"), games=2, every=5):
    """Positions of games of two policies in which a seat is to order."""
    for index in range(games):
        position, actions, _ = trace(GAME, rules, *seats, 5, index)
        turn = 0
        for action in actions:
            if position.state["side"] == seat:
                turn += 1
                if turn % every == 0:
                    yield position
            position.play(action)


def players(position, policy="random"):
    """Minds that have seen nothing yet."""
    return Players(GAME, position.record, GAME.policy_rows(policy, policy), seed=5)


def view_of(position):
    """What the mover is told of a position."""
    mover = players(position)
    mover.action(position.state)
    return mover.room["sight"]


def words(position, state):
    return dict(word.split("=") for word in GAME.view.text(position.record, state).split(" "))


def orders(rules, position, rng, most=8):
    """Play orders of the mover, at random, and end."""
    for _ in range(most):
        kinds = {}
        for action in position.legal():
            kinds.setdefault(action >> 20, []).append(action)
        kinds.pop(0)
        if kinds:
            position.play(rng.choice(kinds[rng.choice(sorted(kinds))]))
    position.play(0)


# --- everything in sight ------------------------------------------------------------------------


@every_seat
def test_a_view_is_the_position_without_the_secrets_of_the_other_side(seat):
    own, other, seen = SEATS[seat], SEATS[1 - seat], 0
    for position in positions(rules(), seat):
        truth, told = words(position, position.state), words(position, view_of(position))
        for key in ("gold", "training"):
            assert told[key].split("/")[seat] == truth[key].split("/")[seat]
            assert told[key].split("/")[1 - seat] == "0"
        assert told[own] == truth[own]
        assert told[other] == re.sub(r">\d+", "", truth[other])
        seen += ">" in truth[other]
        assert told["buildings"] == truth["buildings"]
        for key in ("map", "day", "turn", "phase"):
            assert told[key] == truth[key]
        # whom the other side trained but has lost again is not told either
        numbers = re.findall(r"(\d+):\d+:", truth[other])
        assert told["born"].split("/")[1 - seat] == max(numbers, key=int, default="0")
    assert seen > 3


def test_right_is_not_told_where_left_builds():
    hidden = 0  # on whole maps, where builders are not always on their guard
    for position in positions(load_rules("next_nation"), 1, ("economy",) * 2, games=1, every=1):
        raised, told = position.state["raised"], view_of(position)["raised"]
        assert told.tolist() == [0, raised[1]]
        hidden += raised[0] > 0
    assert hidden > 0


@pytest.mark.parametrize("vision", ["full", "fog"])
@pytest.mark.parametrize("policy", PLAYERS)
def test_what_is_hidden_changes_no_order(policy, vision):
    for seat in SEATS:
        games = 1 if policy.startswith("search") else 2
        for position in positions(rules(vision=vision), seat, games=games, every=9 * games):
            plain = players(position, policy).action(position.state)
            scramble(position, 1 - seat)
            assert players(position, policy).action(position.state) == plain


def scramble(position, side):
    """Other gold, orders and past of a side, in the kernels' state."""
    state, n = position.state, int(position.record["maps"][0]["n"])
    living = int(state["living"][side])
    state["gold"][side] += 777
    state["raised"][side] ^= np.uint64(0b1110)
    state["training"][side] += 1
    state["born"][side] += 5
    state["target"][side, :living] = np.where(state["target"][side, :living] == NONE, n // 2, NONE)
    state["marching"][side] = (state["target"][side, :living] != NONE).sum()
    state["stood"][side] = np.uint64(2**64 - 1)


@pytest.mark.parametrize("vision", ["full", "fog"])
def test_right_does_not_see_what_left_orders_today(vision):
    rng, changed = Random(3), 0
    for position in positions(rules(vision=vision), 0, every=9):
        if position.state["phase"] != 0:
            continue
        found = []
        for many in (0, 8):
            other = Position(GAME, position.rules, 5)
            other.record, other.state = position.record, position.state.copy()
            orders(position.rules, other, rng, many)
            view = words(other, view_of(other))
            found.append((view, [players(other, p).action(other.state) for p in PLAYERS[:-1]]))
            changed += many and other.text() != position.text()
        assert found[0] == found[1]
    assert changed > 2


# --- fog ----------------------------------------------------------------------------------------


def in_sight(world, own, hops):
    """The regions within so many steps of these: breadth first."""
    start, beside = world["start"].tolist(), world["beside"].tolist()
    seen = ring = set(own)
    for _ in range(hops):
        ring = {v for u in ring for v in beside[start[u] : start[u + 1]]} - seen
        seen = seen | ring
    return seen


@every_seat
@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_in_the_fog_a_side_sees_what_is_near_its_own(seat, hops):
    fog, own, other = rules(vision="fog", hops=hops), SEATS[seat], SEATS[1 - seat]
    letter, hp = "LR"[1 - seat], fog.value("/hq/hp/0")
    hidden = shown = 0
    for position in positions(fog, seat, every=5):
        truth, told = words(position, position.state), words(position, view_of(position))
        world = position.record["maps"][position.state["slot"]]
        home = (int(world["n"]) - 1) * (1 - seat)
        buildings = [part for part in truth["buildings"].split(";") if part[0] != letter]
        regions = re.findall(r"\d+:(\d+):", truth[own]) + [b[1:].split(":")[0] for b in buildings]
        near = in_sight(world, map(int, regions), hops)

        warriors = re.sub(r">\d+", "", truth[other]).split(";")
        expected = [w for w in warriors if w != "-" and int(w.split(":")[1]) in near]
        assert told[other] == (";".join(expected) or "-")
        assert told[own] == truth[own]
        shown, hidden = shown + len(expected), hidden + len(warriors) - len(expected)

        theirs = [part for part in truth["buildings"].split(";") if part[0] == letter]
        expected = {part for part in theirs if int(part[1:].split(":")[0]) in near}
        if home not in near:
            expected.add(f"{letter}{home}:1:{hp}")
        assert set(told["buildings"].split(";")) == expected | set(buildings)
    assert shown > 0
    assert hidden > 0


# --- a view that lasts a day --------------------------------------------------------------------


@every_seat
@pytest.mark.parametrize("vision", ["full", "fog"])
def test_a_view_kept_through_the_day_is_a_new_one(vision, seat):
    for index in range(3):
        position, actions, _ = trace(GAME, rules(vision=vision), "macro", "swarm", 5, index)
        kept = players(position)
        for action in actions:
            if position.state["side"] == seat:
                kept.action(position.state)
                kept_view, new = kept.room["sight"], view_of(position)
                assert words(position, kept_view) == words(position, new)
                assert (kept_view["marching"] == new["marching"]).all()
                for side in SEATS:
                    assert (kept_view["force"][side] == new["force"][side]).all()
                    assert (kept_view["held"][side] == new["held"][side]).all()
                    assert (kept_view["built"][side] == new["built"][side]).all()
            position.play(action)


# --- what a search plays on ---------------------------------------------------------------------


@kernel
def imagined(rules, state, seat, view, world):
    imagine(rules, observe(rules, state, seat, view), seat, world, 0)


@every_seat
@pytest.mark.parametrize("vision", ["full", "fog"])
def test_a_search_imagines_what_it_sees_and_a_rival_as_rich_as_itself(vision, seat):
    for position in positions(rules(vision=vision), seat, games=1):
        view, world = (blank(GAME.state)[0] for _ in range(2))
        imagined(position.record, position.state, np.int64(seat), view, world)
        told, found = words(position, view), words(position, world)
        own = told["gold"].split("/")[seat]
        assert found == told | {"gold": f"{own}/{own}"}
        again = Position(GAME, position.rules, 5)
        again.read(GAME.view.text(position.record, world))  # no position that cannot be
        assert again.text() == GAME.view.text(position.record, world)
