"""The course of a game of junqi as the verbs of the generic loop: this folder's README.md."""

import numpy as np

from lab.games.junqi.belief import count_options, note_move, rule_out
from lab.games.junqi.moves import arm, first, movers, reach, stuck, targets
from lab.games.junqi.setup import list_setup
from lab.games.junqi.state import (
    ACCEPT,
    AGREED,
    AWAY,
    BOMB,
    BOTH_GO,
    DRAW,
    ENGINEER,
    FALLS,
    FLAG,
    FLAG_TAKEN,
    KIND,
    LATE,
    LEAVE,
    MINE,
    MOVES,
    NOBODY,
    OFFER,
    PLAY,
    QUIET,
    REFUSE,
    RUNNING,
    SETUP,
    STAYS,
    STUCK,
    SWAP,
    TAKEN,
    TIMED,
    TOO_LATE,
    UNKNOWN,
)
from lab.jit import bit, copy_state, count, kernel

NONE = np.uint64(0)


# --- 4. moves -----------------------------------------------------------------------------------


def legal_actions(rules, state, legal):
    """10. What the side to decide may do, in its order."""
    if state.phase == SETUP:
        return list_setup(rules, state, legal)
    side, n = state.side, 0
    left = movers(rules, state, side)
    while left:
        node = first(side, left)
        left &= ~bit(node)
        open_to = targets(rules, state, side, node)
        while open_to:
            target = first(side, open_to)
            open_to &= ~bit(target)
            legal[n] = PLAY * KIND + node * 64 + target
            n += 1
    if state.timed[side]:
        legal[n] = LATE * KIND
        legal[n + 1] = LEAVE * KIND
        n += 2
        if may_offer(rules, state):
            legal[n] = OFFER * KIND
            n += 1
    if state.offer == 1 - side:
        legal[n] = ACCEPT * KIND
        legal[n + 1] = REFUSE * KIND
        n += 2
    return n


@kernel
def move(rules, state, node, target, outcome):
    """4. A piece goes; onto an enemy it fights."""
    side = state.side
    here, there = bit(node), bit(target)
    man = state.man[node]
    turned = False
    if state.engineers[side] & here != NONE and rules.rails & here != NONE:
        turned = reach(rules, node, state.own[0] | state.own[1], NONE) & there == NONE
    state.moved[side] |= bit(man)
    note_move(rules, state, side, man, turned)
    count_ply(state)
    fate = np.int64(STAYS)
    if state.own[1 - side] & there == NONE:
        carry(rules, state, side, node, target)
    else:
        fate = np.int64(fight(rules, state, node, target, outcome))
    note_found(state, outcome)
    if fate == FLAG_TAKEN:
        finish(state, outcome, TAKEN, side)
    else:
        pass_turn(rules, state, outcome)


@kernel
def carry(rules, state, side, node, target):
    """A piece stands on another node; in a headquarters it is held (4.3)."""
    here, there = bit(node), bit(target)
    state.own[side] = state.own[side] & ~here | there
    state.movable[side] &= ~here
    if not (rules.board.headquarters_hold and rules.homes & there != NONE):
        state.movable[side] |= there
    if state.engineers[side] & here != NONE:
        state.engineers[side] = state.engineers[side] & ~here | there
    state.kind[side, target] = state.kind[side, node]
    state.kind[side, node] = UNKNOWN
    state.man[target] = state.man[node]


@kernel
def remove(state, side, node):
    """A piece is gone."""
    here = ~bit(node)
    state.alive[side] &= ~bit(state.man[node])
    state.own[side] &= here
    state.movable[side] &= here
    state.engineers[side] &= here
    state.kind[side, node] = UNKNOWN


# --- 5. battles ---------------------------------------------------------------------------------


@kernel
def fight(rules, state, node, target, outcome):
    """5. An attack: who is gone, and what both sides learn of it (8.3)."""
    side, enemy = state.side, 1 - state.side
    attacker, defender = state.kind[side, node], state.kind[enemy, target]
    man, other = state.man[node], state.man[target]
    fate = rules.fate[attacker, defender]
    state.quiet = 0
    tally(rules, outcome, side, attacker, defender, fate)
    if fate != FALLS:
        remove(state, enemy, target)
    if fate in (STAYS, FLAG_TAKEN):
        carry(rules, state, side, node, target)
    else:
        remove(state, side, node)
    rule_out(rules, state, side, man, rules.attackers[defender, fate])
    rule_out(rules, state, enemy, other, rules.defenders[attacker, fate])
    count_options(state, 0)
    count_options(state, 1)
    return fate


@kernel
def tally(rules, outcome, side, attacker, defender, fate):
    """11. What a battle adds to the row."""
    outcome.battles += 1
    if fate != FALLS:
        outcome.killed[side] += 1
    if fate in (FALLS, BOTH_GO):
        outcome.killed[1 - side] += 1
    if attacker == ENGINEER and defender == MINE:
        outcome.cleared[side] += 1
    if fate == BOTH_GO and attacker == BOMB:
        outcome.bombed[side] += rules.ranks[defender]
    if fate == BOTH_GO and defender == BOMB:
        outcome.bombed[1 - side] += rules.ranks[attacker]


# --- 6. 7. the end, clock and offers ------------------------------------------------------------


@kernel
def count_ply(state):
    """6.3 A ply is played; an offer that the mover did not answer is refused (7.3)."""
    state.ply += 1
    state.quiet += 1
    if state.offer == 1 - state.side:
        state.offer = NOBODY


@kernel
def pass_turn(rules, state, outcome):
    """6. The turn passes."""
    side, enemy = state.side, 1 - state.side
    state.side = enemy
    if stuck(rules, state, enemy):
        finish(state, outcome, STUCK, side)
    elif state.quiet >= rules.draw.quiet_limit:
        finish(state, outcome, QUIET, DRAW)


@kernel
def late(rules, state, outcome):
    """7.1 The clock ran out."""
    side = state.side
    state.late[side] += 1
    outcome.late[side] += 1
    if state.late[side] >= rules.clock.late_limit:
        finish(state, outcome, TOO_LATE, 1 - side)
        return
    count_ply(state)
    note_found(state, outcome)
    pass_turn(rules, state, outcome)


@kernel
def may_offer(rules, state):
    """7.3 Whether the side to move may offer a draw."""
    since = state.ply - state.offered[state.side]
    return state.offer == NOBODY and since >= rules.draw.offer_gap


@kernel
def note_found(state, outcome):
    """11. Since when a side is certain of the enemy's flag."""
    for side in range(2):
        if outcome.found[side] == 0 and count(state.can[1 - side, FLAG]) == 1:
            outcome.found[side] = state.ply


@kernel
def finish(state, outcome, ending, winner):
    """6. End the game, and write what only the end knows (11)."""
    state.ending, state.winner = ending, winner
    outcome.ending, outcome.winner = ending, winner
    outcome.capped = ending == QUIET
    outcome.length = state.ply
    for side in range(2):
        outcome.pieces[side] = count(state.own[side])
        outcome.options[side] = state.options[1 - side]


@kernel
def ready(rules, state, outcome):
    """3.3 A side has set up; after the second the game begins."""
    arm(rules, state, state.side)
    if state.side == 0:
        state.side = 1
        return
    state.side, state.phase = 0, MOVES
    if stuck(rules, state, 0):
        finish(state, outcome, STUCK, 1)


def step(rules, state, action, outcome):
    """3. 4. 7. Play one action."""
    kind, node, target = action // KIND, (action >> 6) & 63, action & 63
    side = state.side
    if kind == PLAY and state.phase == MOVES:
        move(rules, state, node, target, outcome)
    elif kind == PLAY:
        ready(rules, state, outcome)
    elif kind == SWAP:
        one, two = state.kind[side, node], state.kind[side, target]
        state.kind[side, node], state.kind[side, target] = two, one
    elif kind == TIMED:
        state.timed[side] = 1
    elif kind == LATE:
        late(rules, state, outcome)
    elif kind == LEAVE:
        finish(state, outcome, AWAY, 1 - side)
    elif kind == OFFER:
        state.offer, state.offered[side] = side, state.ply
        outcome.offers[side] += 1
    elif kind == ACCEPT:
        finish(state, outcome, AGREED, DRAW)
    elif kind == REFUSE:
        state.offer = NOBODY


# --- the other verbs ----------------------------------------------------------------------------


def seat(rules, state):
    """Whose decision it is."""
    return state.side


def is_over(rules, state):
    """6. Whether the game has ended."""
    return state.ending != RUNNING


def score(rules, state, seat):
    """6. 1 for the winner, 0 for the loser, one half each for a draw."""
    if state.winner == DRAW:
        return 0.5
    return 1.0 if state.winner == seat else 0.0


def kind_of(rules, action):
    """10. The kind of an action."""
    return action // KIND


def clock(rules, state):
    """6.3 The ply that is being decided, from 1; 0 in the set-up."""
    return np.int64(0) if state.phase == SETUP else state.ply + 1


def gauge(rules, state, sums):
    """11. Pieces of both sides, and what each still has to find out."""
    for side in range(2):
        sums[side] += count(state.own[side])
        sums[2 + side] += state.options[1 - side]


def observe(rules, state, seat, view):
    """8. The own pieces, and what is seen and told of the enemy's."""
    enemy = 1 - seat
    copy_state(view, state)
    view.kind[enemy] = UNKNOWN
    view.movable[enemy] = view.engineers[enemy] = NONE
    view.can[seat] = NONE
    view.options[seat] = 0
    return view
