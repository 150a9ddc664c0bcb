"""README 2 and 6: what a round pays, and the ghost that lives on the same."""

from lab.games.wargambit.army import worth
from lab.games.wargambit.rules import PIECES
from lab.games.wargambit.state import GHOSTLY_LITERAL, PAWN, RIVAL
from lab.jit import kernel

LITERAL = 1  # /ghost/saving
REBUILD = 0  # /ghost/buying
NO_CAP = 99


@kernel
def interest(rules, gold):
    """2.1 Gold for the gold in hand."""
    return min(gold // rules.income.interest_per, rules.income.interest_most)


@kernel
def income(rules, round):
    """2.2 Gold for the round."""
    return min(rules.income.first + rules.income.step * (round - 1), rules.income.most)


@kernel
def summon(rules, state):
    """6. The ghost of `state.round`, from the rounds before it."""
    state.reserve, state.budget = 0, 0
    state.phantom[:] = 0
    for round in range(1, state.round + 1):
        haunt(rules, state, round)


@kernel
def haunt(rules, state, round):
    """6. The ghost one round on: what it holds back, and what it buys with the rest."""
    state.budget += interest(rules, state.reserve) + income(rules, round)
    literally = rules.ghost.saving == LITERAL or state.opponent == GHOSTLY_LITERAL
    state.reserve = 0
    if round <= rules.ghost.reserve_rounds:
        most = rules.ghost.reserve_most
        if not literally:
            most = min(most, rules.ghost.reserve_step * (round - 1))
        state.reserve = min(most, state.budget)
    gold = state.budget - state.reserve
    if rules.ghost.buying == REBUILD:
        state.phantom[:] = 0
    else:
        gold -= worth(rules, state.phantom)
    spend(rules, state.phantom, gold, tier_cap(rules, round))
    if state.opponent != RIVAL:  # the ghost is whom the player meets
        state.army[1, :] = state.phantom


@kernel
def tier_cap(rules, round):
    """6.3 The highest tier that the ghost buys."""
    every = rules.ghost.tier_every
    return 1 + (round - 1) // every if every else NO_CAP


@kernel
def spend(rules, army, gold, tiers):
    """6.2 The dearest pieces that can be paid and for which there is room."""
    room = rules.army.pieces
    for kind in range(len(PIECES)):
        room -= army[kind]
    for i in range(len(PIECES)):
        kind = rules.dearest[i]
        if rules.tier[kind] > tiers:
            continue
        n = min(gold // rules.value[kind], room)
        if kind == PAWN:
            n = min(n, rules.army.pawns - army[PAWN])
        if n > 0:
            army[kind] += n
            gold -= n * rules.value[kind]
            room -= n
