"""A run of Wargambit and its duel as the verbs of the generic loop: this folder's README.md."""

from lab.games.wargambit.army import (
    INCOME,
    effect,
    has_room,
    muster,
    piece_on,
    put_on,
    settle,
    stand,
    standing,
    worth,
)
from lab.games.wargambit.battle import clear, fight
from lab.games.wargambit.ghost import haunt, income, interest
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.shop import buy, level_up, list_trades, reroll, show
from lab.games.wargambit.sight import NONE
from lab.games.wargambit.state import (
    AUTO,
    BUY,
    CAP,
    CLEAR,
    DRAW,
    DUEL,
    DUELLIST,
    EMPTY,
    FIRST,
    GHOST,
    GHOSTLY,
    GHOSTLY_LITERAL,
    KIND,
    LITERAL,
    MATE,
    MEET,
    NOBODY,
    OUT,
    OVER,
    PAWN,
    PLACE,
    QUIET,
    READY,
    RECORD,
    RECORDED,
    REPETITION,
    REROLL,
    RIVAL,
    RUNNING,
    SECOND,
    SHOP,
    STALEMATE,
    STAND,
)
from lab.jit import copy_state, kernel
from lab.rng import STEP, draw, mix

KINGS_PLACE, BACK_PLACES, PLACES = 4, 8, 16


def setup(rules, state, index, chance):
    """1. Nothing is decided yet: first the seats say who they are."""
    state.chance, state.deal = chance, mix(chance + STEP)
    state.phase, state.round, state.seat = MEET, 0, 0
    state.opponent, state.rounds, state.recorded = NOBODY, 0, 0
    state.record[:] = NONE
    state.hp[:] = 0
    state.gold[:] = 0
    state.level[:] = 0
    state.shown[:] = 0
    state.rerolls[:] = 0
    state.shop[:] = EMPTY
    state.army[:] = 0
    state.places[:] = NONE
    state.reserve, state.budget = 0, 0
    state.phantom[:] = 0
    state.ending, state.winner = RUNNING, DRAW
    clear(state.battle)


def seat(rules, state):
    """13. Whose decision it is."""
    return state.seat


def is_over(rules, state):
    """1.2 and 11. Whether it has ended."""
    return state.phase == OVER


def score(rules, state, seat):
    """1 for the winner, 0 for the loser, one half each for a draw."""
    if state.winner == DRAW:
        return 0.5
    return 1.0 if state.winner == seat else 0.0


def clock(rules, state):
    """The round, 0 before the first."""
    return state.round


def gauge(rules, state, sums):
    """The curves of a round, read at its start."""
    for side in range(2):
        sums[side] += state.hp[side]
        sums[2 + side] += state.gold[side]
        sums[4 + side] += state.level[side]
        sums[6 + side] += worth(rules, state.army[side])


def observe(rules, state, seat, view):
    """12. Everything is in the open but what the shop will show."""
    copy_state(view, state)
    view.chance = NONE
    return view


def imagine(rules, view, seat, world, mind):
    """12. What is seen, with other shops to come."""
    copy_state(world, view)
    world.chance = draw(mind)


# --- actions ------------------------------------------------------------------------------------


def kind_of(rules, action):
    """13. The kind of an action."""
    return action // KIND


def legal_actions(rules, state, legal):
    """13. All that the seat may do, in the order of that section."""
    legal[0] = READY * KIND
    if state.phase == MEET:
        return meetings(rules, state, legal)
    side = state.seat
    n = 1
    if state.phase == SHOP and state.places[side] != NONE:
        legal[n] = AUTO * KIND
        n += 1
    for kind in range(len(PIECES)):
        if may_place(rules, state, side, kind):
            n = list_places(state.places[side], kind, legal, n)
    return n if state.phase == STAND else list_trades(rules, state, side, legal, n)


@kernel
def meetings(rules, state, legal):
    """13. Who a seat can be."""
    if state.seat == 0:
        legal[1] = DUEL * KIND
        return 2
    legal[1], legal[2] = GHOST * KIND, LITERAL * KIND
    for n in range(rules.run.rounds):
        legal[3 + n] = RECORDED * KIND + n + 1
    return 3 + rules.run.rounds


@kernel
def may_place(rules, state, side, kind):
    """4.2 and 11. Whether the seat has a piece of that kind to put on a square."""
    if state.phase == STAND:
        return has_room(rules, state.army[side], kind)
    return standing(state.places[side], kind) < state.army[side, kind]


@kernel
def list_places(word, kind, legal, n):
    """4.2 The squares on which a piece of that kind may be put."""
    for place in range(BACK_PLACES if kind == PAWN else 0, PLACES):
        if place != KINGS_PLACE and piece_on(word, place) == EMPTY:
            legal[n] = PLACE * KIND + kind * PLACES + place
            n += 1
    return n


def step(rules, state, action, outcome):
    """13. Play one action."""
    kind, value = action // KIND, action % KIND
    side = state.seat
    if kind == READY:
        ready(rules, state, outcome)
    elif state.phase == MEET:
        meet(rules, state, kind, value, outcome)
    elif kind == PLACE:
        place(state, side, value // PLACES, value % PLACES)
    elif kind == AUTO:
        state.places[side] = NONE
    elif kind == BUY:
        buy(rules, state, side, value, outcome)
    elif kind == REROLL:
        reroll(rules, state, side, outcome)
    else:
        level_up(rules, state, side, outcome)


@kernel
def place(state, side, kind, square):
    """4.2 Put a piece on a square; where armies cost nothing it joins them so."""
    state.places[side] = put_on(state.places[side], square, kind)
    if state.phase == STAND:
        state.army[side, kind] += 1


# --- the way of a game --------------------------------------------------------------------------


@kernel
def meet(rules, state, kind, value, outcome):
    """6.5 and 11. A seat says who it is."""
    if kind == DUEL:
        state.opponent, state.phase = DUELLIST, STAND
    elif kind == RECORDED:
        state.opponent, state.phase, state.rounds = RECORD, STAND, value
    else:
        state.opponent = GHOSTLY if kind == GHOST else GHOSTLY_LITERAL
        open_run(rules, state, outcome)


@kernel
def ready(rules, state, outcome):
    """13. The seat has done all it wants to."""
    if state.phase == SHOP:
        close_shop(rules, state, outcome)
    elif state.phase == MEET and state.seat == 0:
        state.seat = 1
    elif state.phase == MEET:
        state.opponent = RIVAL
        open_run(rules, state, outcome)
    elif state.opponent == RECORD:
        note_army(rules, state, outcome)
    elif state.seat == 0:
        state.seat = 1
    else:
        duel(rules, state, outcome)


@kernel
def note_army(rules, state, outcome):
    """6.5 One more army of a record is complete."""
    state.record[state.recorded] = state.places[1]
    state.recorded += 1
    state.places[1] = NONE
    state.army[1, :] = 0
    if state.recorded == state.rounds:
        open_run(rules, state, outcome)


@kernel
def open_run(rules, state, outcome):
    """1.1 The start of a run, and its first round."""
    for side in range(2 if state.opponent == RIVAL else 1):
        state.hp[side] = rules.run.hp
        state.level[side] = 1
    state.phase = SHOP
    open_round(rules, state, outcome)


@kernel
def open_round(rules, state, outcome):
    """2 and 6. Gold and a shop for who plays a run; the opponent's army of the round."""
    state.round += 1
    for side in range(2 if state.opponent == RIVAL else 1):
        state.rerolls[side] = 0
        state.shown[side] = 0
        state.shop[side, :] = EMPTY
        if state.hp[side] > 0:
            earn(rules, state, side, outcome)
            state.shown[side] = state.level[side]
            show(rules, state, side)
    if state.opponent == RECORD:
        recall(state)
    else:
        haunt(rules, state, state.round)
    state.seat = 1 if state.opponent == RIVAL and state.hp[1] > 0 else 0


@kernel
def earn(rules, state, side, outcome):
    """2. Interest, income and what synergies add."""
    paid = interest(rules, state.gold[side])
    bonus = effect(rules, state.army[side], INCOME)
    outcome.interest[side] += paid
    outcome.bonus[side] += bonus
    state.gold[side] += paid + income(rules, state.round) + bonus


@kernel
def recall(state):
    """6.5 The recorded army of the round, or the last one."""
    word = state.record[min(state.round, state.rounds) - 1]
    state.places[1] = word
    state.army[1, :] = 0
    for square in range(PLACES):
        kind = piece_on(word, square)
        if kind != EMPTY:
            state.army[1, kind] += 1


@kernel
def close_shop(rules, state, outcome):
    """3.5 The battle of the seat; behind the player's comes the next round."""
    side, battle = state.seat, state.battle
    own = settle(rules, state, side)
    if side == 1:
        their = stand(rules, state.phantom, NONE)
        muster(rules, battle, state.round, state.army[1], own, state.phantom, their)
        fight(rules, battle)
        hurt(rules, state, 1)
        state.seat = 0
        return
    their = state.places[1] if state.opponent == RECORD else settle(rules, state, 1)
    clash(rules, state, own, their, outcome)
    outcome.damage += hurt(rules, state, 0)
    if state.hp[0] == 0:
        finish(state, OUT, SECOND, outcome)
    elif state.round == rules.run.rounds:
        finish(state, CLEAR, FIRST, outcome)
    else:
        open_round(rules, state, outcome)


@kernel
def clash(rules, state, own, their, outcome):
    """7 to 9. The first seat's battle, and what the row says of it."""
    battle = state.battle
    values = muster(rules, battle, state.round, state.army[0], own, state.army[1], their)
    fight(rules, battle)
    for side in range(2):
        outcome.army[side] = values[side]
        outcome.left[side] = battle.left[side]
    outcome.won += battle.winner == FIRST
    outcome.lost += battle.winner == SECOND
    outcome.drawn += battle.winner == DRAW
    outcome.mates += battle.ending == MATE
    outcome.stalemates += battle.ending == STALEMATE
    outcome.repetitions += battle.ending == REPETITION
    outcome.quiets += battle.ending == QUIET
    outcome.caps += battle.ending == CAP
    outcome.moves += battle.board.plies


@kernel
def hurt(rules, state, side):
    """10. What the battle just fought costs the seat, which had White in it."""
    if state.battle.winner != SECOND:
        return 0
    left = state.battle.left
    cost = min(rules.damage.base + max(left[1] - left[0], 0), rules.damage.most)
    cost = min(cost, state.hp[side])
    state.hp[side] -= cost
    return cost


@kernel
def duel(rules, state, outcome):
    """11. The one battle of a duel."""
    state.round = 1
    clash(rules, state, state.places[0], state.places[1], outcome)
    outcome.capped = state.battle.ending == CAP
    finish(state, state.battle.ending, state.battle.winner, outcome)


@kernel
def finish(state, ending, winner, outcome):
    """14. The end, and what the row says of it."""
    state.phase, state.ending, state.winner = OVER, ending, winner
    outcome.ending, outcome.winner, outcome.length = ending, winner, state.round
    for side in range(2):
        outcome.hp[side] = state.hp[side]
        outcome.gold[side] = state.gold[side]
        outcome.level[side] = state.level[side]
