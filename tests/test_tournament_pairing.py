from collections import Counter

import pytest

from lab.errors import BadInput
from lab.tournament.pairing import Plan

SEEDS = [3, 5, 8]


def played(plan, strength=lambda first, second: 0.5):
    """All games of a plan, round after round, when the first scores what `strength` says."""
    past = []
    for number in range(plan.rounds):
        found = plan.round(number, past)
        past += [(game, strength(game.first, game.second)) for game in found]
    return [game for game, _ in past]


def sides(games):
    """How often each (first, second, seed) is played."""
    return Counter((first, second, seed) for _, first, second, seed in games)


@pytest.mark.parametrize("bots", [2, 3, 7, 8])
@pytest.mark.parametrize("pairing", ["all", "swiss", "random"])
def test_every_game_is_played_from_both_sides(pairing, bots):
    plan = Plan(pairing, bots, SEEDS, None if pairing == "all" else 6)
    games = played(plan)
    assert [game.game for game in games] == list(range(len(plan)))
    count = sides(games)
    assert all(count[second, first, seed] == n for (first, second, seed), n in count.items())
    assert all(first != second and seed in SEEDS for first, second, seed in count)
    assert games == played(plan)


def test_all_meet_all_once_on_every_map():
    plan = Plan("all", 4, SEEDS)
    count = sides(plan.round(0, []))
    assert len(plan) == len(count) == 4 * 3 * 3
    assert set(count.values()) == {1}


def test_forty_million_games_are_counted_without_listing_them():
    plan = Plan("all", 900, range(50))
    assert len(plan) == 40_455_000
    assert plan.round(0, [])[-1] == (40_454_999, 899, 898, 49)
    assert [game.game for game in plan.round(0, [])[:: 10**7]] == [i * 10**7 for i in range(5)]


@pytest.mark.parametrize(("bots", "each"), [(2, 4), (5, 2), (5, 6), (6, 10), (31, 4)])
def test_random_games_are_the_same_number_for_each_but_one_bot(bots, each):
    games = played(Plan("random", bots, SEEDS, each))
    count = Counter(bot for game in games for bot in (game.first, game.second))
    odd = bots * each // 2 % 2
    assert sorted(count[bot] for bot in range(bots)) == [each - 2] * odd + [each] * (bots - odd)


def test_other_seeds_draw_other_pairs():
    one, other = (played(Plan("random", 30, seeds, 4)) for seeds in ([1, 2], [1, 3]))
    assert [game[1:3] for game in one] != [game[1:3] for game in other]


def test_who_meets_again_meets_on_another_map():
    for pairing in ("swiss", "random"):
        games = played(Plan(pairing, 2, SEEDS, 6))
        assert {game.seed for game in games} == set(SEEDS)


def test_swiss_pairs_bots_of_equal_score():
    """Where the lower number always wins, who has won meets who has won."""
    plan = Plan("swiss", 8, SEEDS, 6)
    games = played(plan, lambda first, second: float(first < second))
    wins = Counter()
    for number in range(3):
        of_round = games[8 * number : 8 * number + 8]
        assert all(wins[game.first] == wins[game.second] for game in of_round)
        wins.update(min(game.first, game.second) for game in of_round)
    assert (wins[0], wins[7], wins.total()) == (6, 0, 24)


@pytest.mark.parametrize("seed", range(10))
def test_swiss_repeats_no_pair_while_others_are_left(seed):
    games = played(Plan("swiss", 6, [seed], 6), lambda first, second: float(first < second))
    pairs = Counter(frozenset(game[1:3]) for game in games)
    assert set(pairs.values()) == {2}


def test_of_an_odd_number_another_one_sits_out_each_round():
    plan = Plan("swiss", 5, SEEDS, 10)
    games = played(plan, lambda first, second: float(first < second))
    idle = [
        set(range(5)) - {game.first for game in games[4 * number : 4 * number + 4]}
        for number in range(5)
    ]
    assert sorted(bot for one in idle for bot in one) == [0, 1, 2, 3, 4]
    assert idle[1] <= {max(game.first, game.second) for game in games[:4]}  # one that has lost


def test_given_pairs_are_all_there_is():
    plan = Plan("all", 3, pairs=[(2, 0, 9), (1, 2, 7)])
    assert (len(plan), plan.rounds) == (2, 1)
    assert plan.round(0, []) == [(0, 2, 0, 9), (1, 1, 2, 7)]


@pytest.mark.parametrize(
    ("pairing", "each", "line"),
    [
        ("all", 4, "games-per-bot: found 4, expected none"),
        ("swiss", None, "games-per-bot: found nothing, expected an even number"),
        ("random", 5, "games-per-bot: found 5, expected an even number"),
        ("random", 0, "games-per-bot: found 0"),
        ("random", -2, "games-per-bot: found -2"),
    ],
)
def test_a_number_of_games_that_does_not_fit_is_refused(pairing, each, line):
    with pytest.raises(BadInput, match=line):
        Plan(pairing, 4, SEEDS, each)
