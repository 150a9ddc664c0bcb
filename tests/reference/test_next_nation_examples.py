"""Small positions of NEXT NATION where a sentence of its README decides: for both players of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.reference.next_nation_positions import PLAIN, Compiled, Plain

Start = Callable[..., Any]


@pytest.fixture(params=[Plain, Compiled])
def start(request: pytest.FixtureRequest) -> Start:
    """Sets up a position: words of its text, and rules as `changes` by their pointer."""

    def place(changes: dict[str, Any] | None = None, **words: str) -> Any:
        return request.param(PLAIN | words, changes or {})

    return place


def day(game: Any, left: list[str] | None = None, right: list[str] | None = None) -> dict[str, str]:
    """Play a day with these orders: the words of the position after it."""
    for action in [*(left or []), "end", *(right or []), "end"]:
        game.play(action)
    return words(game)


def words(game: Any) -> dict[str, str]:
    return dict(word.split("=") for word in game.text().split(" "))


def legal(game: Any, verb: str) -> list[str]:
    """The legal orders of a verb, without it, in the order of their numbers."""
    found = [action.removeprefix(f"{verb} ") for action in game.legal() if action.startswith(verb)]
    return sorted(found, key=lambda text: [int(word) for word in text.split() if word != verb])


# 2, 3, 5.4: the start, the order of orders


def test_the_game_starts_as_the_rules_say(start: Start) -> None:
    game = start(day="1", born="3/3", left="1:0:4;2:0:4;3:0:4", right="1:52:4;2:52:4;3:52:4")
    assert legal(game, "upgrade") == []  # 600 for the HQ, of 500
    assert len(legal(game, "move")) == 3 * 53
    assert (legal(game, "train"), legal(game, "end")) == (["0", "1"], ["end"])


def test_upgrades_then_moves_then_training(start: Start) -> None:
    game = start(gold="900/500", left="1:0:4;2:5:4", buildings="L0:1:10;R52:1:10")
    assert legal(game, "upgrade") == ["0", "5"]
    game.play("upgrade 0")
    assert legal(game, "upgrade") == ["5"]  # once a day for each region
    game.play("move 1 26")
    assert (legal(game, "upgrade"), words(game)["phase"]) == ([], "move")
    game.play("train 0")
    assert (game.legal(), words(game)["phase"]) == (["end"], "end")
    game.play("end")
    told = words(game)
    assert (told["turn"], told["phase"], told["raised"]) == ("right", "upgrade", "0")
    assert told["gold"] == "290/500"


def test_a_side_orders_without_seeing_what_the_other_ordered(start: Start) -> None:
    game = start(left="1:5:4", right="1:47:4")
    quiet, loud = start(left="1:5:4", right="1:47:4"), game
    quiet.play("end")
    for action in ("upgrade 5", "move 1 26", "train 1", "end"):
        loud.play(action)
    assert sorted(quiet.legal()) == sorted(loud.legal())


def test_moves_eat_the_money_for_training(start: Start) -> None:
    game = start(gold="125/0", left="1:5:4")
    assert legal(game, "train") == ["0", "1"]
    game.play("move 1 26")
    assert legal(game, "train") == ["0"]


# 5.1: upgrades


def test_upgrades_need_an_own_warrior_alone_on_a_site_that_is_not_the_enemys(start: Start) -> None:
    game = start(
        gold="9999/0",
        left="1:4:4;2:5:4;3:10:4;4:17:4;5:52:4",
        right="1:5:4",
        buildings="L0:1:10;L26:1:6;R10:1:6;R52:1:10",
    )
    assert legal(game, "upgrade") == ["4"]


@pytest.mark.parametrize(
    ("building", "price", "after"),
    [
        ("", 300, "L5:1:6"),
        ("L5:1:2;", 600, "L5:2:12"),
        ("L5:2:12;", 1000, "L5:3:18"),
        ("L5:3:4;", 500, "L5:3:18"),
        ("L5:3:18;", 500, "L5:3:18"),  # even when nothing is missing
    ],
)
def test_bases_are_built_raised_and_repaired(
    start: Start, building: str, price: int, after: str
) -> None:
    game = start(gold=f"{price}/0", left="1:5:4", buildings=f"L0:1:10;{building}R52:1:10")
    game.play("upgrade 5")
    assert (words(game)["gold"], words(game)["raised"]) == ("0/0", "5")
    assert day(game)["buildings"] == f"L0:1:10;{after};R52:1:10"
    assert game.rows() == ["UPGRADE A 5"]


@pytest.mark.parametrize(
    ("level", "price", "after"),
    [(1, 600, 2), (2, 1200, 3), (3, 2400, 4), (4, 3600, 5), (5, 1000, 5)],
)
def test_the_hq_is_raised_and_repaired(start: Start, level: int, price: int, after: int) -> None:
    game = start(gold=f"{price - 1}/0", left="1:0:4", buildings=f"L0:{level}:3;R52:1:10")
    assert legal(game, "upgrade") == []
    game = start(gold=f"{price}/0", left="1:0:4", buildings=f"L0:{level}:3;R52:1:10")
    told = day(game, ["upgrade 0"])
    assert told["buildings"] == f"L0:{after}:{5 + 5 * after};R52:1:10"
    assert told["left"] == "1:0:4"  # living warriors keep their hp


def test_both_sides_build_on_one_day(start: Start) -> None:
    game = start(left="1:5:4", right="1:4:4")
    told = day(game, ["upgrade 5"], ["upgrade 4"])
    assert told["buildings"] == "L0:1:10;R4:1:6;L5:1:6;R52:1:10"
    assert game.rows() == ["UPGRADE B 4", "UPGRADE A 5"]  # by region


# 5.2, 6.2: moves


def test_a_move_costs_nothing_to_an_own_building_and_to_one_ordered_today(start: Start) -> None:
    game = start(gold="309/0", left="1:5:4;2:17:4;3:17:4;4:17:4")
    game.play("upgrade 5")  # leaves 9
    assert legal(game, "move")[:4] == ["1 0", "1 5", "2 0", "2 5"]
    assert len(legal(game, "move")) == 8
    game.play("move 2 5")
    game.play("move 3 0")
    told = day(game)
    assert told["left"] == "1:5:4;2:5:4;3:5:4>0;4:17:4"
    assert told["gold"] == "16/0"  # 9 and 15 from one who works, less 2 for each
    assert game.rows() == ["UPGRADE A 5", "MOVE A2 5", "MOVE A3 5"]


def test_a_warrior_under_way_takes_no_order(start: Start) -> None:
    game = start(left="1:0:4;2:5:4>26")
    assert {move.split()[0] for move in legal(game, "move")} == {"1"}
    game.play("move 1 52")
    assert legal(game, "move") == []
    assert words(game)["left"] == "1:0:4>52;2:5:4>26"
    assert day(game)["left"] == "1:5:4>52;2:17:4>26"


def test_an_order_ends_in_its_target_region(start: Start) -> None:
    game = start(left="1:5:4>17;2:25:4>26")
    assert day(game)["left"] == "1:17:4;2:26:4"
    assert game.rows() == ["MOVE A1 17", "MOVE A2 26"]


@pytest.mark.parametrize(("region", "gold"), [(0, "98/500"), (5, "88/500")])
def test_a_move_to_the_own_region_ends_without_a_step(start: Start, region: int, gold: str) -> None:
    game = start({"/warrior/work": 0}, gold="100/500", left=f"1:{region}:4")
    told = day(game, [f"move 1 {region}"])
    assert (told["left"], told["gold"], game.rows()) == (f"1:{region}:4", gold, [])


def test_a_move_to_the_own_region_ends_beside_an_enemy_too(start: Start) -> None:
    game = start(left="1:17:4", right="1:17:4")
    assert day(game, ["move 1 17"])["left"] == "1:17:3"


def test_armies_pass_each_other_on_an_edge(start: Start) -> None:
    game = start(left="1:25:4>52", right="1:26:4>0")
    told = day(game)
    assert (told["left"], told["right"]) == ("1:26:4>52", "1:25:4>0")


def test_armies_that_meet_in_a_region_fight_and_are_blocked(start: Start) -> None:
    game = start(left="1:25:4>52;2:5:4", right="1:27:4>0")
    told = day(game)
    assert (told["left"], told["right"]) == ("1:26:3>52;2:5:4", "1:26:3>0")
    assert {move.split()[0] for move in legal(game, "move")} == {"2"}
    told = day(game)
    assert (told["left"], told["right"]) == ("1:26:2>52;2:5:4", "1:26:2>0")


def test_whose_enemy_arrives_leaves_all_the_same(start: Start) -> None:
    game = start(left="1:26:4>52", right="1:27:4>26;2:25:4>26")
    told = day(game)
    assert (told["left"], told["right"]) == ("1:27:4>52", "1:26:4;2:26:4")


def test_a_free_order_goes_on_when_the_building_in_its_target_falls(start: Start) -> None:
    game = start(left="1:25:4>5", right="1:5:4;2:5:4", buildings="L0:1:10;L5:1:1;R52:1:10")
    told = day(game)
    assert (told["buildings"], told["left"]) == ("L0:1:10;R52:1:10", "1:17:4>5")


def test_an_order_once_paid_is_not_paid_back(start: Start) -> None:
    game = start({"/warrior/work": 0}, gold="400/0", left="1:5:4;2:25:4")
    day(game, ["move 2 5"])
    assert words(game)["gold"] == "386/0"
    assert day(game, ["upgrade 5"])["gold"] == "82/0"


# 5.3, 6.3: training


def test_new_warriors_are_as_strong_as_the_hq_of_today(start: Start) -> None:
    game = start(gold="9999/9999", left="1:0:2", buildings="L0:2:15;R52:1:10")
    assert legal(game, "train") == ["0", "1"]
    game.play("upgrade 0")
    assert legal(game, "train") == ["0", "1", "2"]
    told = day(game, ["train 2"], ["train 1"])
    assert told["left"] == "1:0:2;10:0:6;11:0:6"
    assert (told["right"], told["born"], told["training"]) == ("10:52:4", "11/10", "0/0")
    assert game.rows() == ["UPGRADE A 0", "TRAIN A10 A11 B10"]


def test_new_warriors_work_and_eat_on_the_same_day(start: Start) -> None:
    assert day(start(gold="120/0"), ["train 1"])["gold"] == "13/0"


def test_new_warriors_fight_on_the_same_day_and_block_nobody(start: Start) -> None:
    game = start(left="1:0:4>5", right="1:5:4>0;2:5:4>0")
    told = day(game, ["train 1"])  # beside the turret's strike there is his
    assert (told["left"], told["right"]) == ("1:5:4;10:0:2", "1:0:2;2:0:4")


# 6.4, 6.5: combat and siege


def test_strikes_hit_the_fewest_hp_then_the_lowest_number(start: Start) -> None:
    game = start(left="1:17:4;2:17:4;3:17:4;4:17:4", right="1:17:3;2:17:2;3:17:2;4:17:5")
    told = day(game)
    assert (told["right"], told["left"]) == ("1:17:3;4:17:5", "2:17:4;3:17:4;4:17:4")
    assert game.rows() == ["DAMAGE COMBAT A1 4", "DAMAGE COMBAT B2 2", "DAMAGE COMBAT B3 2"]


def test_the_turret_strikes_first_and_the_shot_strike_all_the_same(start: Start) -> None:
    game = start(left="1:5:2", right="1:5:1;2:5:3", buildings="L0:1:10;L5:3:18;R52:1:10")
    told = day(game)
    assert (told["left"], told["right"]) == ("-", "2:5:1")
    assert game.rows() == [
        "DAMAGE TURRET B1 1",
        "DAMAGE TURRET B2 1",
        "DAMAGE COMBAT A1 2",
        "DAMAGE COMBAT B2 1",
    ]


def test_strikes_that_are_left_hit_the_building(start: Start) -> None:
    right = "1:5:8;2:5:8;3:5:8;4:5:8;5:5:8"
    game = start(left="1:5:2", right=right, buildings="L0:1:10;L5:1:6;R52:1:10")
    told = day(game)
    assert (told["left"], told["buildings"]) == ("-", "L0:1:10;L5:1:3;R52:1:10")
    assert told["right"] == "1:5:6;2:5:8;3:5:8;4:5:8;5:5:8"
    told = day(game)  # five strikes, but not more than there are hp
    assert (told["right"][:5], told["buildings"]) == ("1:5:5", "L0:1:10;R52:1:10")
    assert game.rows() == ["DAMAGE TURRET B1 1", "SIEGE A 5 3"]


def test_a_building_is_safe_while_a_warrior_of_its_side_has_hp(start: Start) -> None:
    game = start(left="1:5:3", right="1:5:4;2:5:4", buildings="L0:1:10;L5:1:6;R52:1:10")
    told = day(game)
    assert (told["left"], told["buildings"]) == ("1:5:1", "L0:1:10;L5:1:6;R52:1:10")
    game = start(left="1:5:2", right="1:5:4;2:5:4", buildings="L0:1:10;L5:1:6;R52:1:10")
    told = day(game)  # both strikes are spent on him
    assert (told["left"], told["buildings"]) == ("-", "L0:1:10;L5:1:6;R52:1:10")


def test_strikes_of_the_buildings_own_side_are_lost(start: Start) -> None:
    left = "1:5:4;2:5:4;3:5:4"
    game = start(left=left, right="1:5:1", buildings="L0:1:10;L5:3:18;R52:1:10")
    told = day(game)
    assert (told["right"], told["left"]) == ("-", "1:5:3;2:5:4;3:5:4")
    assert told["buildings"] == "L0:1:10;L5:3:18;R52:1:10"


def test_a_base_built_today_already_shoots(start: Start) -> None:
    game = start(left="1:5:4", right="1:17:4>0")
    told = day(game, ["upgrade 5"])
    assert (told["left"], told["right"], told["buildings"][8:14]) == ("1:5:3", "1:5:2>0", "L5:1:6")


def test_an_upgraded_base_meets_its_siege_with_the_new_hp(start: Start) -> None:
    game = start(
        gold="600/500", left="1:5:4>0", right="1:17:4>5", buildings="L0:1:10;L5:1:1;R52:1:10"
    )
    told = day(game, ["upgrade 5"])
    assert told["buildings"] == "L0:1:10;L5:2:11;R52:1:10"
    assert told["right"] == "1:5:3"


# 6.6, 6.7: work and upkeep


def test_only_so_many_find_work(start: Start) -> None:
    game = start(
        gold="0/0",
        left="1:0:4;2:0:4;3:5:4;4:5:4;5:5:4;6:17:4",
        buildings="L0:1:10;L5:2:12;R52:1:10",
    )
    assert day(game)["gold"] == "33/0"  # 1 and 2 work, 6 eat


def test_nobody_works_where_the_builder_left(start: Start) -> None:
    game = start(gold="300/0", left="1:5:4")
    told = day(game, ["upgrade 5", "move 1 0"])
    assert told["gold"] == "13/0"  # he works at home: one step


def test_low_numbers_eat_and_a_single_coin_stays(start: Start) -> None:
    game = start(gold="5/0", left="1:17:4;2:17:4;3:17:2;7:17:1")
    told = day(game)
    assert (told["left"], told["gold"]) == ("1:17:4;2:17:4;3:17:1", "1/0")
    assert game.rows() == ["DAMAGE HUNGER A3 1", "DAMAGE HUNGER A7 1"]


def test_gold_earned_today_feeds_today(start: Start) -> None:
    game = start(gold="0/0", left="1:17:1;2:0:1")
    assert (day(game)["left"], words(game)["gold"]) == ("1:17:1;2:0:1", "11/0")


# 7: the end


def test_both_hqs_on_one_day_are_a_draw(start: Start) -> None:
    game = start(left="1:52:4", right="1:0:4", buildings="L0:1:1;R52:2:1")
    told = day(game)
    assert (told["buildings"], told["ending"]) == ("-", "hq-destroyed")
    assert (told["turn"], told["phase"], told["day"]) == ("right", "end", "7")
    assert game.legal() == []
    assert game.rows() == [
        "DAMAGE TURRET A1 2",
        "DAMAGE TURRET B1 1",
        "SIEGE A 0 1",
        "SIEGE B 52 1",
    ]
    assert game.winner() == "draw"


@pytest.mark.parametrize(
    ("today", "buildings", "ending", "winner"),
    [
        ("7", "L0:5:30;R52:1:1", "hq-destroyed", "first"),
        ("200", "L0:1:1;R52:5:30", "day-limit", "second"),
        ("200", "L0:1:10;R52:5:9", "day-limit", "first"),  # hp, whatever the level
        ("200", "L0:1:7;L5:3:18;R52:2:7", "day-limit", "draw"),
        ("200", "L0:5:1;R52:5:1", "hq-destroyed", "first"),  # on the last day too
    ],
)
def test_who_wins(start: Start, today: str, buildings: str, ending: str, winner: str) -> None:
    left = "1:52:8;2:52:8;3:52:8;4:52:8" if ending == "hq-destroyed" else "-"
    game = start(day=today, left=left, buildings=buildings)
    assert (day(game)["ending"], game.winner()) == (ending, winner)


def test_the_day_on_which_an_hq_falls_still_pays_and_feeds(start: Start) -> None:
    game = start(gold="0/0", left="1:52:4;2:0:4", buildings="L0:1:10;R52:1:1")
    told = day(game)
    assert (told["gold"], told["buildings"], told["left"]) == ("11/0", "L0:1:10", "1:52:3;2:0:4")


def test_the_last_day_ends_the_game(start: Start) -> None:
    game = start(day="199")
    assert "ending" not in day(game)
    assert day(game)["ending"] == "day-limit"
    assert words(game)["day"] == "200"
