"""Gold and shop of Wargambit (README 2, 3, 12) against numbers worked out by hand."""

import os

import numpy as np
import pytest
from scipy.stats import binomtest

from lab.games.wargambit import shop
from lab.games.wargambit.rules import PIECES
from lab.jit import blank, kernel
from lab.rng import mix
from tests.gambit import SAFE, give, listed, play, run, to_the_end, told

DRAWS = 1_000_000 if os.environ.get("LAB_PROOF") else 100_000
WEIGHTS = {"p": 90, "l": 45, "a": 45, "c": 30, "n": 30, "b": 30, "r": 18, "q": 10}
TIERS = {"p": 1, "l": 1, "a": 1, "c": 2, "n": 1, "b": 2, "r": 2, "q": 3}


def shown(position, *letters):
    """The same with other pieces in the shop."""
    for slot, letter in enumerate(letters):
        position.state["shop"][0][slot] = list(WEIGHTS).index(letter)
    return position


# --- 2. gold ------------------------------------------------------------------------------------


def test_income_and_interest():
    """4 5 6 7 8 8 ... a round, and 0 1 3 3 ... for the 4 9 15 ... in hand before it."""
    position = run(changes=SAFE)
    gold = [int(told(now, "gold", 0)) for now in to_the_end(position)]
    assert gold == [4, 4 + 5, 9 + 6 + 1, 16 + 7 + 3, 37, 48, 59, 70, 81, 92]
    assert position.outcome["interest"].tolist() == [1 + 3 * 7, 0]
    assert position.outcome["bonus"].tolist() == [0, 0]
    assert position.outcome["gold"].tolist() == [92, 0]


@pytest.mark.parametrize(
    ("pieces", "bonus"),
    [
        ("2a", 1),
        ("a", 0),
        ("2b", 1),
        ("b+r", 0),
        ("q+r+b+n+p", 2),
        ("q+r+b+n", 0),
        ("q+r+2b+n+2a+p", 4),
    ],
)
def test_synergies_of_income(pieces, bonus):
    position = play(give(run(changes=SAFE), pieces, gold=0), "ready")
    assert told(position, "gold") == f"{5 + bonus}/0"
    assert position.outcome["bonus"].tolist() == [bonus, 0]


# --- 3.1 and 12. what the shop shows ------------------------------------------------------------


def expected_shop(chance, round, rerolls, level):
    """Section 12 in whole numbers of Python."""
    bag = [letter for letter, n in WEIGHTS.items() if TIERS[letter] <= level for _ in range(n)]
    letters = []
    for slot in range(3):
        z = chance + 0x9E3779B97F4A7C15 * (round << 32 | rerolls << 16 | level << 8 | slot + 1)
        z &= 2**64 - 1
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ z >> shift) * factor & 2**64 - 1
        letters.append(bag[((z ^ z >> 31) >> 32) * len(bag) >> 32])
    return ",".join(letters)


def test_shop_is_what_chance_round_rerolls_and_level_make_it():
    position = give(run(seed=9), "-", gold=90)
    chance = int(told(position, "chance"), 16)
    play(position, "level", "level")
    for round, level in ((1, 1), (2, 3)):
        for rerolls in range(4):
            assert told(position, "shop", 0) == expected_shop(chance, round, rerolls, level)
            play(position, "reroll")
        play(position, "ready")


@kernel
def count_shows(rules, state, shops, counts):
    """Draw so many shops, each of a chance of its own, and count the pieces in their slots."""
    for game in range(shops):
        state.chance = mix(np.uint64(game))
        shop.show(rules, state, 0)
        for slot in range(rules.shop.slots):
            counts[state.shop[0, slot]] += 1


@pytest.mark.parametrize(("level", "total"), [(1, 210), (2, 288), (3, 298)])
def test_odds(level, total):
    """Among them a pawn with 43 % at level 1, a queen with 3.4 % at level 3."""
    position, counts = run(), blank(np.int64, len(PIECES))
    position.state["shown"][0] = level
    count_shows(position.record, position.state, DRAWS // 3, counts)
    for n, (letter, weight) in zip(counts.tolist(), WEIGHTS.items(), strict=True):
        if TIERS[letter] > level:
            assert n == 0, letter
            continue
        interval = binomtest(n, DRAWS // 3 * 3).proportion_ci(0.999, "wilson")
        share = weight / total
        print(f"level {level}, {letter}: {n / DRAWS:.5f} of {DRAWS}, expected {share:.5f}")
        assert interval.low <= share <= interval.high, letter


def test_weights_may_follow_prices():
    changed = {"/shop/price/pawn": 2, "/shop/price/queen": 20, "/shop/weight_follows_price": True}
    weights = run(changes=changed).record["weight"].tolist()
    assert weights == [45, 45, 45, 30, 30, 30, 18, 5]  # 90 / 20 is 4.5


def shops_of(position, *trades):
    """The first seat's shops of three rounds, at their start and after trades and a reroll."""
    seen = []
    for _ in range(3):
        give(position, "-", gold=30)
        seen.append(told(position, "shop", 0))
        play(position, *trades, "reroll")
        seen.append(told(position, "shop", 0))
        play(position, "ready")
    return seen


def test_purchases_do_not_shift_the_shop():
    assert shops_of(run(), "buy 1", "buy 3") == shops_of(run())


def test_the_other_seat_does_not_shift_the_shop():
    seen = []
    for trades in ((), ("buy 2", "reroll", "buy 1", "level", "reroll")):
        position = run("ready", changes=SAFE)
        for _ in range(3):
            assert told(position, "seat") == "second"
            play(give(position, "-", 1, gold=40, level=1), *trades, "ready")
            seen.append(told(position, "shop", 0))
            play(position, "ready")
    assert seen[:3] == seen[3:]


def test_both_runs_meet_the_same_shops():
    for position in to_the_end(run("ready", changes=SAFE)):
        assert told(position, "shop", 0) == told(position, "shop", 1)


# --- 3.2 to 3.5 what it sells -------------------------------------------------------------------


def test_a_bought_slot_stays_empty():
    position = play(shown(give(run(), "-", gold=9), "n", "p", "n"), "buy 3")
    assert told(position, "shop", 0) == "n,p,-"
    assert told(position, "army", 0) == "n"
    assert told(position, "gold", 0) == "6"
    assert "buy 3" not in listed(position)


@pytest.mark.parametrize(
    ("army", "gold", "sold"),
    [
        ("-", 5, ["buy 1", "buy 2"]),
        ("-", 4, ["buy 1"]),
        ("-", 0, []),
        ("7p", 5, ["buy 1", "buy 2"]),
        ("8p", 5, ["buy 2"]),
        ("8p+6n", 5, ["buy 2"]),
        ("7p+7n", 5, ["buy 1", "buy 2"]),
        ("7p+8n", 5, []),
    ],
)
def test_gold_and_room_say_what_can_be_bought(army, gold, sold):
    position = shown(give(run(), army, gold=gold), "p", "r", "q")
    assert [word for word in listed(position) if word.startswith("buy")] == sold


def test_what_is_spent_on_pieces_is_told_apart():
    position = shown(give(run(), "-", gold=30), "l", "n", "r")
    play(position, "buy 1", "buy 2", "buy 3", "level", "reroll", "reroll")
    assert told(position, "gold", 0) == str(30 - 2 - 3 - 5 - 4 - 1 - 1)
    row = position.outcome
    assert [int(row[key][0]) for key in ("bought", "spent", "levels", "rerolls")] == [3, 10, 1, 2]


def test_a_reroll_and_a_level_need_gold():
    assert "reroll" in listed(give(run(), "-", gold=1))
    assert "reroll" not in listed(give(run(), "-", gold=0))
    assert "level" in listed(give(run(), "-", gold=4))
    assert "level" not in listed(give(run(), "-", gold=3))


def test_a_level_tells_from_the_next_round_on():
    position = play(give(run(), "-", gold=9), "level", "reroll", "level")
    assert (told(position, "level", 0), told(position, "shown", 0)) == ("3", "1")
    assert "level" not in listed(give(position, "-", gold=9))
    play(position, "ready")
    assert (told(position, "level", 0), told(position, "shown", 0)) == ("3", "3")
    assert told(position, "rerolls", 0) == "0"


def test_a_level_may_tell_from_the_next_draw_on():
    changed = {"/shop/level_from": "next_shop"}
    position = play(give(run(changes=changed), "-", gold=9), "level")
    assert told(position, "shown", 0) == "1"
    assert told(play(position, "reroll"), "shown", 0) == "2"
