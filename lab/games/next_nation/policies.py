"""Who plays NEXT NATION: uniform random orders, and one planner whose weights make the archetypes.

A planner keeps nothing in mind from day to day: what is to be done follows from the position.
`crew` and `need` below are a site's own warriors, those on their way to it included, and how many
are wanted there; `loose` are the regions whose warriors have no post. All three live in the scratch
that `act` is given.
"""

import numpy as np

from lab.games.next_nation.day import bases, turret
from lab.games.next_nation.orders import is_free, may_upgrade, price, train_limit
from lab.games.next_nation.rules import MOST_SITES
from lab.games.next_nation.state import (
    END,
    ENDING,
    KIND,
    MOVE,
    NONE,
    TRAIN,
    UPGRADE,
    UPGRADING,
    WHO,
)
from lab.jit import bit, kernel, lowest, without_lowest
from lab.rng import below, draw_weights

RANDOM, PLANNED = 1, 2

COUNTS = ("bases", "hq_after", "late", "army", "fist", "margin", "from_day", "reserve")
STYLE = ("builders", "reach", "base_level", "hq", "work", "guard", "alarm", "raid")
WEIGHTS = COUNTS + STYLE
"""What a planner weighs, README 12. Only the counts are drawn anew for every game: the style is
made of small numbers, which would round to other ones."""
BASES, HQ_AFTER, LATE, ARMY, FIST, MARGIN, FROM_DAY, RESERVE = range(8)
BUILDERS, REACH, BASE_LEVEL, HQ, WORK, GUARD, ALARM, RAID = range(8, 16)
NEED = MOST_SITES
"""Where a site's `need` begins in the scratch; its `crew` begins at 0."""
LOOSE = 2 * MOST_SITES
"""Where `loose` begins in the scratch: four words of bits."""
FAR = np.int64(1 << 30)


def wake(rules, policy, mind):
    """Draw this game's counts."""
    draw_weights(policy, mind)
    for i in range(len(COUNTS), len(WEIGHTS)):
        mind.weights[i] = policy.weights[i]


def act(rules, view, policy, mind, legal):
    """The next order, by the policy's kind."""
    if policy.kind == RANDOM:
        return uniform(rules, view, policy, mind, legal)
    return planned(rules, view, policy, mind, legal)


@kernel
def allowed(policy, kind):
    """Whether the policy is not forbidden this kind of order."""
    return (policy.banned >> np.uint64(kind)) & np.uint64(1) == np.uint64(0)


# --- random play --------------------------------------------------------------------------------


@kernel
def uniform(rules, view, policy, mind, legal):
    """Any legal order that is not banned, each equally likely; moves are counted, never listed."""
    side, world = view.side, rules.maps[view.slot]
    upgrades, regions, trainings = 0, 0, 0
    if view.phase == UPGRADING and allowed(policy, UPGRADE):
        for site in range(world.sites):
            if may_upgrade(rules, view, side, site):
                legal[upgrades] = site
                upgrades += 1
    if view.phase != ENDING and allowed(policy, TRAIN):
        trainings = train_limit(rules, view, side) + 1
    idle = view.living[side] - view.marching[side]
    if view.phase != ENDING and allowed(policy, MOVE) and idle > 0:
        regions = destinations(rules, view, legal, upgrades)
    k = below(mind, upgrades + idle * regions + trainings + 1)
    if k < upgrades:
        return UPGRADE * KIND + world.place[legal[k]]
    k -= upgrades
    if k < idle * regions:
        who = nth_idle(view, side, k // regions)
        return MOVE * KIND + WHO * who + legal[upgrades + k % regions]
    k -= idle * regions
    return TRAIN * KIND + k if k < trainings else END


@kernel
def destinations(rules, view, legal, start):
    """List behind `start` the regions to which a move can be paid; returns how many."""
    world = rules.maps[view.slot]
    n = 0
    pays = view.gold[view.side] >= rules.warrior.move
    for region in range(world.n):
        if pays or is_free(rules, view, view.side, region):
            legal[start + n] = region
            n += 1
    return n


@kernel
def nth_idle(view, side, n):
    """The number of the n-th own warrior without an order."""
    for i in range(view.living[side]):
        if view.target[side, i] == NONE:
            if n == 0:
                return np.int64(view.number[side, i])
            n -= 1
    return np.int64(0)


# --- the planner --------------------------------------------------------------------------------


@kernel
def planned(rules, view, policy, mind, legal):
    """The next thing to be done today: an upgrade, a move, the training, the end."""
    if view.phase == ENDING:
        return END
    threat = approaching(rules, view, mind)
    posted, wanted, settlers, missing = survey(rules, view, mind, threat, legal)
    pays = view.gold[view.side] >= rules.cheapest
    if pays and view.phase == UPGRADING and allowed(policy, UPGRADE):
        site = site_to_raise(rules, view, mind, threat, legal)
        if site != NONE:
            return UPGRADE * KIND + rules.maps[view.slot].place[site]
    if allowed(policy, MOVE):
        vacant = wanted - posted - missing
        order = next_move(rules, view, mind, threat, posted, vacant, missing, legal)
        if order != END:
            return order
    if allowed(policy, TRAIN):
        recruits = recruit(rules, view, mind, threat, wanted, settlers)
        if recruits > 0:
            return TRAIN * KIND + recruits
    return END


@kernel
def approaching(rules, view, mind):
    """By how many the enemy warriors within `alarm` days of the own HQ outnumber its defenders."""
    side, enemy = view.side, 1 - view.side
    world = rules.maps[view.slot]
    threat = -view.force[side, world.place[side]] - turret(rules, view, side, side)
    for i in range(view.living[enemy]):
        threat += world.steps[side, view.place[enemy, i]] <= mind.weights[ALARM]
    return max(threat, 0)


@kernel
def survey(rules, view, mind, threat, legal):
    """Fill `crew` and `need` by site, and `loose`.

    Returns the warriors that fill posts, those wanted for posts, the bases to be built next, and
    how many of these nobody was sent to.
    """
    side, enemy, world = view.side, 1 - view.side, rules.maps[view.slot]
    for word in range(4):
        taken = view.held[enemy, word] | view.built[enemy, word]
        legal[LOOSE + word] = np.int64(view.held[side, word] & ~taken)
    count_crews(world, view, legal)
    posted, wanted = 0, 0
    owned = view.owned[side]
    while owned:
        site = lowest(owned)
        owned = without_lowest(owned)
        need = post(rules, view, mind, site, threat)
        legal[NEED + site] = need
        posted += min(legal[site], need)
        wanted += need
        if legal[site] <= need:
            settle(legal, world.place[site])
    settlers = max(min(mind.weights[BUILDERS], mind.weights[BASES] - bases(view, side)), 0)
    missing = settlers
    for site in range(2, world.sites):
        if missing == 0:
            break
        if legal[site] > 0 and is_open(rules, view, site):
            legal[NEED + site] = 1
            posted += 1
            wanted += 1
            missing -= 1
            if legal[site] == 1:
                settle(legal, world.place[site])
    return posted, wanted + missing, settlers, missing


@kernel
def count_crews(world, view, legal):
    """Fill `crew` by site: who is there with no order, or on the way there. `need` is 0 yet."""
    side = view.side
    for site in range(world.sites):
        legal[site] = view.force[side, world.place[site]]
        legal[NEED + site] = 0
    if view.marching[side] == 0:
        return
    for i in range(view.living[side]):
        if view.target[side, i] != NONE:
            left, goal = world.site[view.place[side, i]], world.site[view.target[side, i]]
            if left != NONE:
                legal[left] -= 1
            if goal != NONE:
                legal[goal] += 1


@kernel
def settle(legal, region):
    """Take a region from `loose`."""
    legal[LOOSE + (region >> 6)] &= ~np.int64(bit(region & 63))


@kernel
def is_loose(legal, region):
    """Whether warriors in a region have no post."""
    return legal[LOOSE + (region >> 6)] & np.int64(bit(region & 63)) != 0


@kernel
def post(rules, view, mind, site, threat):
    """How many are wanted in an own building: workers, guards, and as many as threaten it."""
    level = view.level[view.side, site]
    places = rules.hq.work[level - 1] if site < 2 else rules.base.work[level - 1]
    wanted = places * mind.weights[WORK] // 100 + mind.weights[GUARD]
    region = rules.maps[view.slot].place[site]
    return wanted + (threat if site < 2 else view.force[1 - view.side, region])


@kernel
def is_open(rules, view, site):
    """Whether a base could be built there: no building, and no enemy in sight."""
    region = rules.maps[view.slot].place[site]
    built = (view.owned[0] | view.owned[1]) & bit(site)
    return built == 0 and view.force[1 - view.side, region] == 0


@kernel
def site_to_raise(rules, view, mind, threat, legal):
    """The site to build, raise or repair now, or NONE."""
    side, world = view.side, rules.maps[view.slot]
    late = view.day > rules.days - mind.weights[LATE]
    if is_worth(rules, view, mind, side, late or threat > 0) and wants_hq(
        rules, view, mind, late, threat
    ):
        return side
    if late or threat > 0:
        return NONE
    for site in range(2, world.sites):
        level = view.level[side, site]
        if level == 0 and legal[NEED + site] == 0:
            continue
        if level < mind.weights[BASE_LEVEL] or view.hp[side, site] * 2 < rules.base.hp[level - 1]:
            full = level == 0 or legal[site] >= legal[NEED + site]
            if full and is_worth(rules, view, mind, site, False):
                return site
    return NONE


@kernel
def wants_hq(rules, view, mind, late, threat):
    """Whether the HQ is to be raised, or repaired while it is in danger or the end is near."""
    side = view.side
    level, hp = view.level[side, side], view.hp[side, side]
    if hp * 2 < rules.hq.hp[level - 1] or (threat > hp):
        return True
    if level == len(rules.hq.hp):
        return late and hp < rules.hq.hp[level - 1]
    return late or (level < mind.weights[HQ] and bases(view, side) >= mind.weights[HQ_AFTER])


@kernel
def is_worth(rules, view, mind, site, urgent):
    """Whether a site may be upgraded now without touching the reserve."""
    left = view.gold[view.side] - price(rules, view, view.side, site)
    if left < 0 or not (urgent or left >= mind.weights[RESERVE]):
        return False
    return may_upgrade(rules, view, view.side, site)


@kernel
def next_move(rules, view, mind, threat, posted, vacant, missing, legal):
    """The order of the first idle warrior that should go elsewhere, or END."""
    side, world = view.side, rules.maps[view.slot]
    army = view.living[side] - posted
    if army == 0 or view.marching[side] == view.living[side]:
        return END
    prey = target_of(rules, view, mind, army)
    rest = np.int64(world.place[side if prey == NONE else prey])
    if vacant == 0 and missing == 0:  # nothing else to do than to rest
        settle(legal, rest)
    if legal[LOOSE] | legal[LOOSE + 1] | legal[LOOSE + 2] | legal[LOOSE + 3] == 0:
        return END
    for i in range(view.living[side]):
        here = np.int64(view.place[side, i])
        if view.target[side, i] != NONE or not is_loose(legal, here):
            continue
        goal = errand(rules, view, mind, here, threat, rest, vacant, missing, legal)
        pays = view.gold[side] >= rules.warrior.move
        if goal != here and (pays or is_free(rules, view, side, goal)):
            return MOVE * KIND + WHO * view.number[side, i] + goal
        settle(legal, here)  # the others there have nothing else to do either
    return END


@kernel
def errand(rules, view, mind, here, threat, rest, vacant, missing, legal):
    """Where a warrior without a post goes: to build, to fill a post, to attack, home."""
    side, world = view.side, rules.maps[view.slot]
    best, goal = FAR, rest
    if vacant > 0:
        owned = view.owned[side]
        while owned:
            site = lowest(owned)
            owned = without_lowest(owned)
            if legal[site] < legal[NEED + site]:
                days = np.int64(world.steps[site, here])
                if days < best:
                    best, goal = days, np.int64(world.place[site])
        if threat > 0 or best == 0:
            return goal
    if missing > 0:
        site = site_to_settle(rules, view, mind, here, legal)
        if site != NONE:
            return np.int64(world.place[site])
    return goal


@kernel
def site_to_settle(rules, view, mind, here, legal):
    """The nearest open stronghold to which nobody goes yet, or NONE."""
    side, world = view.side, rules.maps[view.slot]
    best, found = FAR, NONE
    home, away = world.place[side], world.place[1 - side]
    for site in range(2, world.sites):
        days = np.int64(world.steps[site, home])
        if (
            legal[site] == 0
            and is_open(rules, view, site)
            and days <= np.int64(world.steps[site, away]) + mind.weights[REACH]
        ):
            days += np.int64(world.steps[site, here])
            if days < best:
                best, found = days, site
    return found


@kernel
def target_of(rules, view, mind, army):
    """The site of the enemy building that the army is strong enough to attack, or NONE."""
    side, enemy, world = view.side, 1 - view.side, rules.maps[view.slot]
    if view.day < mind.weights[FROM_DAY] or army < mind.weights[FIST] or army <= 0:
        return NONE
    best, found = FAR, NONE
    standing = view.owned[enemy]
    if mind.weights[RAID] <= 0:
        standing &= bit(enemy)
    while standing:
        site = lowest(standing)
        standing = without_lowest(standing)
        if army >= strength(rules, view, enemy, site) + mind.weights[MARGIN]:
            days = np.int64(world.steps[site, world.place[side]])
            if site == enemy:
                days -= 5  # to take the HQ is to win
            if days < best:
                best, found = days, site
    return found


@kernel
def strength(rules, view, enemy, site):
    """What defends a building: warriors, the turret, and whom the HQ trains in two days."""
    guards = view.force[enemy, rules.maps[view.slot].place[site]] + turret(rules, view, enemy, site)
    if site == enemy:
        guards += 2 * rules.hq.train[view.level[enemy, site] - 1]
    return guards


@kernel
def recruit(rules, view, mind, threat, wanted, settlers):
    """How many to train today: for posts first; an army only of what is not being saved."""
    side = view.side
    if view.day > rules.days - mind.weights[LATE] and threat == 0:
        return 0
    if wanted + max(mind.weights[ARMY], 0) <= view.living[side]:
        return 0
    cost, gold = max(rules.warrior.cost, 1), view.gold[side]
    saved = mind.weights[RESERVE]
    if settlers > 0:
        saved += rules.base.cost[0]
    posts = max(min(wanted - view.living[side], gold // cost), 0)
    army = wanted + mind.weights[ARMY] - view.living[side] - posts
    if threat == 0:
        army = min(army, (gold - posts * cost - saved) // cost)
    return min(posts + max(army, 0), train_limit(rules, view, side))
