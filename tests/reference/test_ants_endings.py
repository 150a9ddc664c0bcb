"""Combat, endings and rows of ants in worked examples, on the reference.

The kernels are compared with the reference elsewhere; this is where the reference itself is held
to what the game's rulebook says.
"""

import pytest

from tests.reference.ants import Reference, random_game
from tests.reference.ants_positions import AWAY, BESIDE_AWAY, HOME, ants, play, put
from tests.reference.ants_side import Cell


def fight(game: Reference, cell: Cell) -> list[tuple[int, int]]:
    """Pass the turn; the (workers, soldiers) of both sides that are left on a cell."""
    game.play("end")
    return [
        (side.ants["worker"].count(cell), side.ants["soldier"].count(cell)) for side in game.sides
    ]


@pytest.mark.parametrize(
    ("mine", "theirs", "left"),
    [
        ((0, 1), (1, 0), [(0, 1), (0, 0)]),  # soldier against worker: the soldier lives
        ((2, 1), (1, 0), [(1, 1), (0, 0)]),  # workers are lost first
        ((1, 2), (0, 1), [(0, 2), (0, 0)]),  # 1 of the 2 kills the worker, 1 is not enough
        ((1, 2), (1, 1), [(0, 1), (0, 0)]),  # worker and soldier for 3
        ((2, 0), (0, 1), [(0, 0), (0, 0)]),  # a tie without a pheromone kills all
    ],
)
def test_the_larger_sum_wins_and_loses_workers_before_soldiers(
    mine: tuple[int, int], theirs: tuple[int, int], left: list[tuple[int, int]]
) -> None:
    game = ants()
    for seat, (workers, soldiers) in enumerate((mine, theirs)):
        put(game, seat, workers=[(0, 0)] * workers, soldiers=[(0, 0)] * soldiers)
    assert fight(game, (0, 0)) == left


@pytest.mark.parametrize("owner", [0, 1])
def test_the_owner_of_the_pheromone_wins_a_tie_for_half_the_sum(owner: int) -> None:
    game = ants()
    for seat in (0, 1):
        put(game, seat, {(0, 0): 2} if seat == owner else {}, soldiers=[(0, 0)] * 2)
    left = fight(game, (0, 0))
    assert (left[owner], left[1 - owner]) == ((0, 1), (0, 0))
    assert game.sides[owner].scents == {(0, 0): 2}


def test_a_tie_of_single_soldiers_costs_the_owner_nothing() -> None:
    game = ants()
    put(game, 0, {(0, 0): 1}, soldiers=[(0, 0)])
    put(game, 1, soldiers=[(0, 0)])
    assert fight(game, (0, 0)) == [(0, 1), (0, 0)]  # the loss of 1 is less than a soldier


def test_two_soldiers_kill_a_queen_and_one_of_them_dies() -> None:
    game = ants()
    put(game, 0, soldiers=[AWAY] * 2)
    put(game, 1)
    assert fight(game, AWAY) == [(0, 1), (0, 0)]
    assert (game.ending, game.score(0), game.score(1), game.legal()) == ("queen", 1, 0, [])
    assert "turn=over winner=p1 ending=queen " in game.text()


def test_a_queen_at_home_beats_one_soldier() -> None:
    game = ants()
    put(game, 0, soldiers=[AWAY])
    put(game, 1, workers=[AWAY])
    assert fight(game, AWAY) == [(0, 0), (0, 0)]  # the loss of 2: the worker, not the queen
    assert (game.over, game.sides[1].ants["queen"]) == (False, [AWAY])


def test_a_dead_queen_comes_before_a_siege() -> None:
    game = ants()
    put(game, 0, soldiers=[AWAY, AWAY, *BESIDE_AWAY])
    put(game, 1)
    game.sides[0].siege = 1
    game.play("end")
    assert game.ending == "queen"


def test_both_queens_at_once_is_a_draw() -> None:
    game = ants()
    put(game, 0, soldiers=[AWAY] * 2)
    put(game, 1, soldiers=[HOME] * 2)
    game.play("end")
    assert (game.ending, game.score(0), game.score(1)) == ("double queen", 0.5, 0.5)
    assert (game.row()["winner"], game.row()["decided"]) == ("draw", 0)
    assert "winner=draw ending=double-queen" in game.text()


def test_a_siege_of_two_cells_wins_at_the_end_of_the_second_own_turn() -> None:
    game = ants()
    put(game, 0, workers=[(2, -3)], soldiers=[(3, -2)])
    play(game, "end", "end")
    assert (game.over, [side.siege for side in game.sides]) == (False, [1, 0])
    game.play("end")
    assert (game.ending, game.score(0), game.row()["length"]) == ("siege", 1, 2)


def test_a_broken_siege_counts_from_the_start_again() -> None:
    game = ants()
    put(game, 0, soldiers=[(2, -3), (3, -2)])
    play(game, "end", "end")
    put(game, 0, soldiers=[(2, -3)] * 2)  # two ants, one cell
    play(game, "end")
    assert game.sides[0].siege == 0
    put(game, 0, soldiers=BESIDE_AWAY)
    play(game, "end", "end")
    assert (game.over, game.sides[0].siege) == (False, 1)


def test_the_cap_comes_after_the_second_players_turn() -> None:
    game = ants({"/turn/round_cap": 2})
    play(game, "end", "end", "end")
    assert not game.over
    game.play("end")
    assert (game.ending, game.row()["capped"], game.row()["length"]) == ("cap", True, 2)
    assert game.score(0) == 0.5


@pytest.mark.parametrize(
    ("judgement", "winner"),
    [
        ("siege", "second"),
        ("draw", "draw"),
        ("strength", "first"),
        ("economy", "first"),
        ("mixed", "draw"),
    ],
)
def test_the_cap_judgement(judgement: str, winner: str) -> None:
    game = ants({"/turn/round_cap": 1, "/cap/judgement": judgement})
    game.play("end")
    put(game, 0, {(0, 0): 1, (-2, 0): 1}, workers=[(2, -1)], soldiers=[(2, -1)])
    put(game, 1, {(-1, 0): 1, (-1, 1): 1, (-2, 2): 1, (0, -1): 1}, soldiers=[(-1, 0)])
    game.play("end")
    row = game.row()
    assert (row["winner"], row["first_territory"], row["second_territory"]) == (winner, 5, 6)


def test_ants_and_pheromones_of_the_enemy_half_count_once_a_cell() -> None:
    game = ants({"/turn/round_cap": 1})
    game.play("end")
    put(game, 0, {(1, 0): 3, (2, 0): 1}, workers=[(2, -2)], soldiers=[(1, 0), (0, 2), (2, -3)])
    game.play("end")
    assert game.row()["first_territory"] == 2 * 4


def test_pheromones_fade_between_rounds_by_the_decay() -> None:
    game = ants({"/pheromone/decay": 1})
    put(game, 0, {(0, 0): 3, (0, 1): 1})
    put(game, 1, {(1, 0): 2})
    game.play("end")
    assert game.sides[0].scents == {(0, 0): 3, (0, 1): 1}
    game.play("end")
    assert [side.scents for side in game.sides] == [{(0, 0): 2}, {(1, 0): 1}]


@pytest.mark.parametrize(
    ("leads", "winner", "changes", "decided"),
    [
        ([], 0, 0, 1),
        ([0, 1, 1], 0, 0, 2),
        ([1, 0, -1, 0, 1], 0, 2, 5),
        ([1, 0, 1], 1, 0, 4),
        ([1, -1, -1], 1, 1, 2),
        ([1, -1], None, 1, 0),
    ],
)
def test_lead_changes_and_the_deciding_round(
    leads: list[int], winner: int | None, changes: int, decided: int
) -> None:
    game = ants()
    game.leads, game.round, game.winner, game.ending = leads, len(leads) + 1, winner, "siege"
    row = game.row()
    assert (row["lead_changes"], row["decided"]) == (changes, decided)


def test_the_lead_is_power_and_resources() -> None:
    game = ants()
    play(game, "end", "end")  # power 4 and resources 4, against 4 and 5
    play(game, "produce soldier", "gather", "end", "end")  # 6 and 4, against 4 and 6
    play(game, "gather", "end", "end")  # 6 and 6, against 4 and 7
    assert game.leads == [-1, 0, 1]


def test_a_row_tells_what_a_game_was() -> None:
    game = ants({"/turn/round_cap": 1})
    play(game, "gather", "produce worker", "placePheromone -2,2")
    play(game, "produce soldier", "produce worker", "end")
    expected = {
        "winner": "draw",
        "ending": "cap",
        "capped": True,
        "length": 1,
        "plies": 6,
        "lead_changes": 0,
        "decided": 0,
    }
    names = "workers_made soldiers_made gathers placed reinforced destroyed stranded"
    ends = "territory resources workers soldiers"
    for seat, values in {
        "first": (1, 0, 1, 1, 0, 0, 0, 0, 4, 2, 0),
        "second": (1, 1, 0, 0, 0, 0, 1, 0, 2, 2, 1),
    }.items():
        for name, value in zip(f"{names} {ends}".split(), values, strict=True):
            expected[f"{seat}_{name}"] = value
    assert game.row() == expected
    assert game.text() == (
        "turn=over winner=draw ending=cap round=1 ap=1 resources=4/2 siege=0/0 fresh=1+1 "
        "gathered=0 p1=-3,3:1q1w;-2,2:1w p2=3,-3:1q2w1s scent1=-2,2:1 scent2=-"
    )


def test_a_random_game_is_its_seed() -> None:
    rules = ants({"/turn/round_cap": 5}).rules
    texts = [random_game(rules, seed).text() for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
