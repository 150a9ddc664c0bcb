"""Turns, actions and marches of ants in worked examples, on the reference.

The kernels are compared with the reference elsewhere; this is where the reference itself is held
to what the game's rulebook says.
"""

from typing import Any

import pytest

from tests.reference.ants_positions import AWAY, BESIDE_AWAY, HOME, ants, play, put
from tests.reference.ants_side import Cell, distance


def test_the_board_has_37_cells_and_17_in_each_half() -> None:
    game = ants()
    assert len(game.cells) == 37
    assert distance(HOME, AWAY) == 6
    assert [cell for cell in game.cells if distance(cell, AWAY) == 1] == BESIDE_AWAY
    sides = [distance(cell, HOME) - distance(cell, AWAY) for cell in game.cells]
    assert sum(side < 0 for side in sides) == sum(side > 0 for side in sides) == 17
    level = {cell for cell, side in zip(game.cells, sides, strict=True) if side == 0}
    assert level == {(0, 0), (1, 1), (-1, -1)}


def test_the_start_is_as_the_readme_writes_it() -> None:
    assert ants().text() == (
        "turn=p1 round=1 ap=3 resources=4/4 siege=0/0 fresh=0+0 gathered=0 "
        "p1=-3,3:1q1w p2=3,-3:1q1w scent1=- scent2=-"
    )


def test_the_first_player_acts_with_4_and_the_second_with_5() -> None:
    game = ants()
    assert (game.seat, game.mover.resources) == (0, 4)
    game.play("end")
    assert (game.seat, game.mover.resources) == (1, 5)


def test_the_first_actions_are_the_ones_in_the_rules() -> None:
    near = [f"placePheromone {q},{r}" for q, r in ants().cells if distance((q, r), HOME) <= 3]
    expected = ["produce worker", "produce soldier", "gather", *near, "end"]
    assert sorted(ants().legal()) == sorted(expected)


@pytest.mark.parametrize("action", ["placePheromone 3,-3", "reinforce 0,0", "produce queen", ""])
def test_an_illegal_action_is_refused_and_changes_nothing(action: str) -> None:
    game = ants()
    before = game.text()
    with pytest.raises(ValueError, match="not legal"):
        game.play(action)
    assert (game.text(), game.plies) == (before, 0)


def test_a_worker_reaches_the_point_in_two_turns_and_is_paid_in_the_third() -> None:
    game = ants()
    play(game, "placePheromone -2,1", "end", "end")
    assert (game.sides[0].ants["worker"], game.mover.resources) == ([(-2, 2)], 5)
    play(game, "end")
    assert game.sides[0].ants["worker"] == [(-2, 1)]
    play(game, "end")
    assert game.mover.resources == 7


def test_only_two_workers_a_point_are_paid() -> None:
    game = ants()
    put(game, 1, workers=[(2, -1)] * 3 + [(1, 1)], soldiers=[(-1, -1)])
    game.play("end")
    assert game.mover.resources == 4 + 1 + 2 + 1


@pytest.mark.parametrize(("living", "worker", "soldier"), [(0, 1, 2), (1, 1, 2), (2, 2, 3)])
def test_an_ant_costs_more_for_every_two_of_its_kind(
    living: int, worker: int, soldier: int
) -> None:
    game = ants()
    put(game, 0, workers=[(0, 0)] * living, soldiers=[(0, 0)] * living)
    assert (game.price("worker"), game.price("soldier")) == (worker, soldier)


def test_costs_rise_within_the_turn() -> None:
    game = ants()
    play(game, "produce worker")
    assert game.mover.resources == 3
    play(game, "produce worker")
    assert game.mover.resources == 1
    assert "produce worker" not in game.legal()  # the next one costs 2


def test_three_actions_end_the_turn_and_an_early_end_loses_the_rest() -> None:
    game = ants()
    play(game, "gather", "gather", "gather")
    assert (game.seat, game.ap, game.plies) == (1, 3, 3)
    play(game, "gather", "end")
    assert (game.seat, game.ap, game.plies) == (0, 3, 5)
    assert [side.resources for side in game.sides] == [8, 6]


def test_a_turn_goes_on_while_its_ap_pay_for_one_kind_of_action() -> None:
    game = ants({"/turn/cost/gather": 2, "/turn/cost/produce": 2, "/turn/cost/destroy": 2})
    play(game, "gather")
    assert (game.seat, game.ap) == (0, 1)
    assert "gather" not in game.legal()
    play(game, "placePheromone 0,3")
    assert game.seat == 1


def test_turns_that_pay_for_nothing_pass_by_themselves() -> None:
    game = ants({"/turn/ap": 0, "/turn/round_cap": 3})
    assert (game.ending, game.plies, game.row()["length"]) == ("cap", 0, 3)
    assert [side.resources for side in game.sides] == [6, 7]


def test_gathers_may_be_limited_for_each_worker_at_home() -> None:
    game = ants({"/income/gather_per_worker": 1})
    play(game, "gather")
    assert "gather" not in game.legal()
    play(game, "produce worker")
    assert "gather" in game.legal()
    put(game, 0)
    assert "gather" not in game.legal()


def test_a_pheromone_needs_a_cell_without_one_but_ants_do_not_matter() -> None:
    game = ants()
    put(game, 0, {(0, 0): 1}, workers=[(0, -1)])
    put(game, 1, {(1, 0): 1}, soldiers=[(1, -1)])
    legal = game.legal()
    assert not {"placePheromone 0,0", "placePheromone 1,0"} & set(legal)
    assert {"placePheromone 0,-1", "placePheromone 1,-1", "placePheromone 1,1"} <= set(legal)


def test_a_switch_keeps_pheromones_off_cells_with_ants() -> None:
    game = ants({"/pheromone/place_needs_no_ants": True})
    put(game, 0, workers=[(1, -2)])
    put(game, 1, soldiers=[(1, -1)])
    closed = {f"placePheromone {cell}" for cell in ("1,-2", "1,-1", "3,-3")}
    assert not closed & set(game.legal())
    assert "placePheromone 2,-3" in game.legal()


def test_eight_pheromones_are_the_most() -> None:
    game = ants()
    cells = [cell for cell in game.cells if distance(cell, HOME) <= 2]
    put(game, 0, dict.fromkeys(cells[:7], 3), workers=[HOME])
    game.play(f"placePheromone {cells[7][0]},{cells[7][1]}")
    assert not [action for action in game.legal() if action.startswith("place")]


def test_reinforcing_stops_at_three_and_at_the_reach_of_a_worker() -> None:
    game = ants()
    put(game, 0, {(0, 0): 1, (0, 1): 1}, workers=[(-3, 0)], soldiers=[(0, 1)])
    play(game, "reinforce 0,0", "reinforce 0,0")
    assert game.mover.scents == {(0, 0): 3, (0, 1): 1}
    assert not [action for action in game.legal() if action.startswith("reinforce")]


def test_reinforcing_never_passes_the_maximum() -> None:
    game = ants({"/pheromone/reinforce_by": 5})
    put(game, 0, {(0, 0): 1}, workers=[(0, 0)])
    game.play("reinforce 0,0")
    assert game.mover.scents == {(0, 0): 3}


def test_pheromones_may_cost_resources() -> None:
    game = ants({"/pheromone/place_cost": 3, "/pheromone/reinforce_cost": 1})
    play(game, "placePheromone 0,3")
    assert (game.mover.resources, game.legal()[-1]) == (1, "end")
    assert not [action for action in game.legal() if action.startswith("place")]
    play(game, "reinforce 0,3")
    assert (game.mover.resources, "reinforce 0,3" in game.legal()) == (0, False)


def test_a_soldier_destroys_the_whole_pheromone_it_stands_on() -> None:
    game = ants()
    put(game, 0, workers=[(1, 0)], soldiers=[(0, 0)])
    put(game, 1, {(0, 0): 3, (1, 0): 1})
    legal = [action for action in game.legal() if action.startswith("destroy")]
    assert legal == ["destroyPheromone 0,0"]
    play(game, *legal)
    assert (game.enemy.scents, game.ap) == ({(1, 0): 1}, 2)


def test_ants_made_this_turn_act_but_do_not_march() -> None:
    game = ants()
    put(game, 0)
    play(game, "produce worker", "placePheromone 0,3", "end")
    assert game.sides[0].ants["worker"] == [HOME]
    play(game, "end", "end")
    assert game.sides[0].ants["worker"] == [(-2, 3)]


def test_without_pheromones_ants_stay_and_are_counted() -> None:
    game = ants()
    put(game, 0, workers=[(0, 0), (1, 1)], soldiers=[(0, 1)])
    play(game, "produce worker", "end")
    assert game.sides[0].ants["worker"] == [(0, 0), (1, 1), HOME]
    assert game.sides[0].tally["stranded"] == 3


@pytest.mark.parametrize(
    ("scents", "target"),
    [
        ({(1, 0): 1, (3, 0): 2}, (3, 0)),  # strength before distance
        ({(3, 0): 2, (0, 1): 2, (0, 0): 1}, (0, 1)),  # then the nearest
        ({(1, 0): 1, (0, -1): 1, (0, 1): 1}, (0, -1)),  # then the lowest q, then r
        ({(0, 0): 1, (0, -1): 1}, (0, 0)),  # its own cell is the nearest
    ],
)
def test_an_ant_follows_strength_then_distance_then_order(
    scents: dict[Cell, int], target: Cell
) -> None:
    game = ants()
    put(game, 0, scents)
    assert game.mover.target((0, 0)) == target


@pytest.mark.parametrize(
    ("movement", "step"),
    [("free", (0, 1)), ("hold", (0, 0)), ("nearest", (0, 0)), ("gradient", (0, -1))],
)
def test_the_movements_of_studies(movement: str, step: Cell) -> None:
    game = ants({"/march/movement": movement})
    put(game, 0, {(0, 0): 1, (0, -1): 3, (0, 3): 4}, soldiers=[(0, 0)])
    game.play("end")
    assert game.sides[0].ants["soldier"] == [step]


@pytest.mark.parametrize(
    ("movement", "scents", "target"),
    [
        ("nearest", {(0, -1): 1, (0, 1): 2, (3, 0): 3}, (0, 1)),  # equally near: the strongest
        ("nearest", {(0, 1): 2, (0, -1): 2}, (0, -1)),
        ("gradient", {(-2, 0): 3, (0, 1): 2, (3, 0): 3}, (0, 1)),  # 1, 1 and 0: the nearest
        ("gradient", {(0, 1): 2, (0, -1): 2}, (0, -1)),
    ],
)
def test_ties_of_the_targets_of_studies(
    movement: str, scents: dict[Cell, int], target: Cell
) -> None:
    game = ants({"/march/movement": movement})
    put(game, 0, scents)
    assert game.mover.target((0, 0)) == target


def test_the_step_is_the_first_direction_that_comes_nearer() -> None:
    game = ants()
    put(game, 0, {(1, 1): 1}, soldiers=[(0, 0), (2, -1)])
    game.play("end")  # E before SE from (0,0); W would not help (2,-1), SW before SE
    assert game.sides[0].ants["soldier"] == [(1, 0), (1, 0)]


@pytest.mark.parametrize(("movement", "worker"), [("anchor", (1, 1)), ("free", (0, 1))])
def test_a_worker_on_a_point_is_anchored_and_a_soldier_is_not(movement: str, worker: Cell) -> None:
    game = ants({"/march/movement": movement})
    put(game, 0, {(0, 1): 3}, workers=[(1, 1)], soldiers=[(1, 1)])
    game.play("end")
    assert game.sides[0].ants["worker"] == [worker]
    assert game.sides[0].ants["soldier"] == [(0, 1)]


def test_two_marches_in_a_turn_leave_the_new_ants_at_home() -> None:
    game = ants({"/march/cells": 2})
    put(game, 0, {HOME: 3}, soldiers=[(-2, 2), (0, 3)])
    play(game, "produce soldier", "end")
    assert game.sides[0].ants["soldier"] == [HOME, (-2, 3), HOME]


def test_only_the_mover_marches() -> None:
    game = ants()
    put(game, 1, {(0, 0): 3}, workers=[(2, -2)])
    game.play("end")
    assert game.sides[1].ants["worker"] == [(2, -2)]


@pytest.mark.parametrize(
    ("switches", "targets"),
    [
        ({}, [(-1, 0), (-1, 0)]),
        ({"/board/tie_break": "highest"}, [(1, 0), (1, 0)]),
        ({"/board/mirror_second": True}, [(-1, 0), (1, 0)]),
        ({"/board/mirror_second": True, "/board/tie_break": "highest"}, [(1, 0), (-1, 0)]),
    ],
)
def test_the_order_of_cells_can_be_turned(switches: dict[str, Any], targets: list[Cell]) -> None:
    game = ants(switches)
    for seat in (0, 1):
        put(game, seat, {(-1, 0): 1, (1, 0): 1})
    assert [side.target((0, 0)) for side in game.sides] == targets


@pytest.mark.parametrize(("mirrored", "skewed"), [(False, 278), (True, 0)])
def test_how_many_first_steps_are_not_the_rotated_ones(mirrored: bool, skewed: int) -> None:
    game = ants({"/board/mirror_second": mirrored})
    first, second = game.sides
    found = 0
    for target in game.cells:
        first.scents, second.scents = {target: 1}, {(-target[0], -target[1]): 1}
        for q, r in game.cells:
            step, turned = first.step("soldier", (q, r)), second.step("soldier", (-q, -r))
            found += turned != (-step[0], -step[1])
    assert found == skewed
