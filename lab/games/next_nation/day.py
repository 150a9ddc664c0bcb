"""6. How the day runs, once both sides have given their orders."""

from lab.games.next_nation.state import (
    BESIEGED,
    COMBAT,
    EVENT,
    HUNGER,
    MOVED,
    NONE,
    TRAINED,
    TURRET,
    UPGRADED,
)
from lab.jit import bit, count, kernel, lowest, without_lowest


@kernel
def run_day(rules, state, outcome):
    """6. From the upgrades to the upkeep."""
    state.told = 0
    for side in range(2):
        raise_buildings(rules, state, side)
    march(rules, state)
    for side in range(2):
        muster(rules, state, side)
    combat(rules, state, outcome)
    for side in range(2):
        work(rules, state, side, outcome)
        eat(rules, state, side, outcome)


@kernel
def tell(state, kind, side, who, value):
    """Write an event down, when somebody listens."""
    if state.telling:
        state.event[state.told] = ((kind * 2 + side) * EVENT + who) * EVENT + value
        state.told += 1


@kernel
def raise_buildings(rules, state, side):
    """6.1 Build, raise or repair what was ordered."""
    world = rules.maps[state.slot]
    while state.raised[side]:
        site = lowest(state.raised[side])
        state.raised[side] = without_lowest(state.raised[side])
        region = world.place[site]
        if site < 2:
            level = min(state.level[side, site] + 1, len(rules.hq.hp))
            state.hp[side, site] = rules.hq.hp[level - 1]
        else:
            level = min(state.level[side, site] + 1, len(rules.base.hp))
            state.hp[side, site] = rules.base.hp[level - 1]
        state.level[side, site] = level
        state.built[side, region >> 6] |= bit(region & 63)
        state.owned[side] |= bit(site)
        tell(state, UPGRADED, side, 0, region)


@kernel
def march(rules, state):
    """6.2 Everybody with an order steps once, unless an enemy stood beside them."""
    if state.marching[0] + state.marching[1] == 0:
        return
    world = rules.maps[state.slot]
    for side in range(2):
        for word in range(4):
            state.stood[side, word] = state.held[side, word]
    for side in range(2):
        for i in range(state.living[side]):
            if state.target[side, i] != NONE:
                walk(world, state, side, i)


@kernel
def walk(world, state, side, i):
    """6.2 One warrior's step."""
    here, target = state.place[side, i], state.target[side, i]
    if here != target:
        if state.stood[1 - side, here >> 6] & bit(here & 63):
            return
        there = world.hop[here * world.n + target]
        leave(state, side, here)
        enter(state, side, there)
        state.place[side, i] = there
        tell(state, MOVED, side, state.number[side, i], there)
        if there != target:
            return
    state.target[side, i] = NONE
    state.marching[side] -= 1


@kernel
def enter(state, side, region):
    """One warrior more in a region."""
    state.force[side, region] += 1
    state.held[side, region >> 6] |= bit(region & 63)


@kernel
def leave(state, side, region):
    """One warrior less in a region."""
    state.force[side, region] -= 1
    if state.force[side, region] == 0:
        state.held[side, region >> 6] &= ~bit(region & 63)


@kernel
def muster(rules, state, side):
    """6.3 New warriors appear in the HQ's region."""
    for _ in range(state.training[side]):
        add_warrior(rules, state, side)
        tell(state, TRAINED, side, state.born[side], 0)
    state.training[side] = 0


@kernel
def add_warrior(rules, state, side):
    """2, 6.3 A warrior in the HQ, with the next number and the hp of the HQ's level."""
    i = state.living[side]
    region = rules.maps[state.slot].place[side]
    state.born[side] += 1
    state.living[side] = i + 1
    state.number[side, i] = state.born[side]
    state.place[side, i] = region
    state.health[side, i] = rules.hq.warrior_hp[state.level[side, side] - 1]
    state.target[side, i] = NONE
    enter(state, side, region)


@kernel
def combat(rules, state, outcome):
    """6.4, 6.5 Every region where a side meets the other's warriors or building."""
    fought = False
    for word in range(4):
        left, right = state.held[0, word], state.held[1, word]
        met = (left & (right | state.built[1, word])) | (right & state.built[0, word])
        while met:
            fight(rules, state, word * 64 + lowest(met), outcome)
            met = without_lowest(met)
            fought = True
    if fought:
        bury(state, 0, outcome)
        bury(state, 1, outcome)


@kernel
def fight(rules, state, region, outcome):
    """6.4, 6.5 One region: turrets, warriors, and what is left of their strikes on a building."""
    site = rules.maps[state.slot].site[region]
    shots = turret(rules, state, 0, site), turret(rules, state, 1, site)  # before a building falls
    for side in range(2):
        enemy = 1 - side
        strike(state, enemy, region, shots[side], TURRET)
        left = strike(state, enemy, region, state.force[side, region], COMBAT)
        if left > 0 and site != NONE and state.level[enemy, site] > 0:
            besiege(state, enemy, site, region, left, outcome)


@kernel
def turret(rules, state, side, site):
    """4.1 How often a side's building on a site strikes; without one, never."""
    if site == NONE or state.level[side, site] == 0:
        return 0
    level = state.level[side, site]
    return rules.hq.turret[level - 1] if site < 2 else rules.base.turret[level - 1]


@kernel
def strike(state, enemy, region, strikes, cause):
    """6.4 Strikes on a side's warriors in a region, the weakest first; returns those left over.

    Who was hit is the weakest from then on, so that one after the other falls.
    """
    while strikes > 0:
        weakest = -1
        for i in range(state.living[enemy]):
            if (
                state.place[enemy, i] == region
                and state.health[enemy, i] > 0
                and (weakest < 0 or state.health[enemy, i] < state.health[enemy, weakest])
            ):
                weakest = i
        if weakest < 0:
            break
        hits = min(strikes, state.health[enemy, weakest])
        state.health[enemy, weakest] -= hits
        strikes -= hits
        tell(state, cause, enemy, state.number[enemy, weakest], hits)
    return strikes


@kernel
def besiege(state, owner, site, region, strikes, outcome):
    """6.5 Strikes on a building."""
    hits = min(strikes, state.hp[owner, site])
    state.hp[owner, site] -= hits
    tell(state, BESIEGED, owner, region, hits)
    if state.hp[owner, site] == 0:
        state.level[owner, site] = 0
        state.built[owner, region >> 6] &= ~bit(region & 63)
        state.owned[owner] &= ~bit(site)
        if site >= 2:
            outcome.razed[owner] += 1


@kernel
def bury(state, side, outcome):
    """6.4, 6.7 Warriors without hp leave; the others close ranks."""
    kept = 0
    for i in range(state.living[side]):
        if state.health[side, i] > 0:
            state.number[side, kept] = state.number[side, i]
            state.place[side, kept] = state.place[side, i]
            state.health[side, kept] = state.health[side, i]
            state.target[side, kept] = state.target[side, i]
            kept += 1
        else:
            leave(state, side, state.place[side, i])
            state.marching[side] -= state.target[side, i] != NONE
    outcome.lost[side] += state.living[side] - kept
    state.living[side] = kept


@kernel
def bases(state, side):
    """How many bases stand."""
    return count(state.owned[side] & ~bit(side))


@kernel
def work(rules, state, side, outcome):
    """6.6 Warriors in own buildings earn, as many as find work."""
    world = rules.maps[state.slot]
    workers = 0
    owned = state.owned[side]
    while owned:
        site = lowest(owned)
        owned = without_lowest(owned)
        level = state.level[side, site]
        places = rules.hq.work[level - 1] if site < 2 else rules.base.work[level - 1]
        workers += min(state.force[side, world.place[site]], places)
    state.gold[side] += workers * rules.warrior.work
    outcome.earned[side] += workers * rules.warrior.work


@kernel
def eat(rules, state, side, outcome):
    """6.7 Low numbers eat first; who finds nothing left loses hp."""
    fed, upkeep = state.living[side], rules.warrior.upkeep
    if state.gold[side] < fed * upkeep:
        fed = state.gold[side] // upkeep
    state.gold[side] -= fed * upkeep
    outcome.spent_upkeep[side] += fed * upkeep
    if fed == state.living[side]:
        return
    outcome.starved[side] += state.living[side] - fed
    for i in range(fed, state.living[side]):
        lost = min(rules.warrior.hunger, state.health[side, i])
        state.health[side, i] -= lost
        if lost > 0:
            tell(state, HUNGER, side, state.number[side, i], lost)
    bury(state, side, outcome)
