"""What the rulebook shows besides the numbers themselves: odds, gold by round, worked examples."""

from typing import Any, NamedTuple

from lab.games.wargambit.moves import RUNS, WORD
from lab.games.wargambit.rules import PIECES, WEIGHT_SCALE, Wargambit

DIFFERENCES = (0, 1, 3)
"""By how much the opponent has more left, in the examples of damage."""
MOST_TIER = 5


class Way(NamedTuple):
    """README 7.1: how a piece of the arsenal goes.

    `leaps` are Betza's letters, the king's told as W and F; `run` is R, B or Q, or nothing;
    `ahead` says that it runs only forwards, `hops` that it takes over exactly one piece.
    """

    leaps: list[str]
    run: str
    ahead: bool
    hops: bool


class Haunting(NamedTuple):
    """The ghost in one round: the gold it holds back and has on the board, and what it buys."""

    reserve: int
    gold: int
    army: dict[str, int]  # by piece, the dearest first, without those it has none of


def facts(rules: Wargambit) -> dict[str, Any]:
    """Everything the templates list, count or work out; the names are the templates'."""
    shop, levels = rules.shop, range(1, rules.shop.top_level + 1)
    letters = dict(zip(PIECES, rules.letters(), strict=False))
    shares = [odds(rules, level) for level in levels]
    return {
        "levels": list(levels),
        "pieces": [
            {
                "name": name,
                "letter": letters[name],
                "price": getattr(shop.price, name),
                "tier": getattr(shop.tier, name),
                "weight": shop.weights()[name],
                "odds": [share[name] for share in shares],
            }
            for name in PIECES
        ],
        "unsold": [name for name in PIECES if not shares[-1][name]],
        "weight_scale": WEIGHT_SCALE,
        "dearest": dearest(rules),
        "ways": {name: way(kind.moves) for name, kind in rules.arsenal},
        "rounds": list(range(1, rules.run.rounds + 1)),
        "incomes": [income(rules, n) for n in range(1, rules.run.rounds + 1)],
        "ghost": haunt(rules, rules.ghost.saving),
        "literal": haunt(rules, "literal"),
        "damage": damages(rules),
    }


def odds(rules: Wargambit, level: int) -> dict[str, float]:
    """3.1 The chance of each piece for a slot at a level, in percent."""
    tiers = rules.shop.tier.model_dump()
    weights = {n: w if tiers[n] <= level else 0 for n, w in rules.shop.weights().items()}
    return {name: 100 * weight / sum(weights.values()) for name, weight in weights.items()}


def dearest(rules: Wargambit) -> list[str]:
    """The pieces, the dearest first; of equal prices the later one counts as the dearer."""
    prices = rules.shop.price.model_dump()
    return sorted(PIECES, key=lambda name: (prices[name], PIECES.index(name)), reverse=True)


def way(word: str) -> Way:
    """7.1 What a word of Betza's notation says."""
    parts = WORD.findall(word)
    leaps = [
        leap for _, atom in parts if atom not in RUNS for leap in ("WF" if atom == "K" else atom)
    ]
    run = next((atom for _, atom in parts if atom in RUNS), "")
    modes = "".join(mode for mode, _ in parts)
    return Way(leaps, run, "f" in modes, "p" in modes)


def income(rules: Wargambit, round: int) -> int:
    """2.2 Gold for the round."""
    return min(rules.income.first + rules.income.step * (round - 1), rules.income.most)


def interest(rules: Wargambit, gold: int) -> int:
    """2.1 Gold for the gold in hand."""
    return min(gold // rules.income.interest_per, rules.income.interest_most)


def haunt(rules: Wargambit, saving: str) -> list[Haunting]:
    """6.1 to 6.3 The ghost of every round, with this saving."""
    ghost, budget, reserve = rules.ghost, 0, 0
    army = dict.fromkeys(dearest(rules), 0)
    told = []
    for n in range(1, rules.run.rounds + 1):
        budget += interest(rules, reserve) + income(rules, n)
        step = ghost.reserve_most if saving == "literal" else ghost.reserve_step * (n - 1)
        held = min(step, ghost.reserve_most, budget)
        reserve = held if n <= ghost.reserve_rounds else 0
        if ghost.buying == "rebuild":
            army = dict.fromkeys(army, 0)
        tiers = 1 + (n - 1) // ghost.tier_every if ghost.tier_every else MOST_TIER
        army = _spent(rules, army, budget - reserve, tiers)
        bought = {name: number for name, number in army.items() if number}
        told.append(Haunting(reserve, budget - reserve, bought))
    return told


def _spent(rules: Wargambit, army: dict[str, int], gold: int, tiers: int) -> dict[str, int]:
    """6.2 The army with the dearest pieces added that `gold`, less what it cost, can pay."""
    prices, after = rules.shop.price.model_dump(), dict(army)
    gold -= sum(prices[name] * number for name, number in army.items())
    for name in army:  # the dearest first
        room = rules.army.pieces - sum(after.values())
        if name == "pawn":
            room = min(room, rules.army.pawns - after[name])
        if getattr(rules.shop.tier, name) <= tiers:
            number = max(0, min(room, gold // prices[name]))
            after[name] += number
            gold -= number * prices[name]
    return after


def damages(rules: Wargambit) -> list[tuple[int, int]]:
    """10. By how much more the opponent has left, and the HP that its victory costs."""
    base, most = rules.damage.base, rules.damage.most
    wanted = sorted({*DIFFERENCES, most - base, most - base + 5})
    return [(more, min(base + more, most)) for more in wanted]
