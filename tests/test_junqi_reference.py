"""The plain reference of junqi: its board against data from elsewhere, positions, random games."""

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.reference.junqi import Reference
from tests.reference.junqi_board import NODES, Board, turned
from tests.reference.junqi_pieces import KINDS, battle, counts, kinds_text, read_kinds
from tests.reference.junqi_positions import RULES, changed, opening, position, random_game, ready

OUTSIDE = json.loads(
    (Path(__file__).parent / "golden/junqi/board.json").read_text(encoding="utf-8")
)
"""The board as written down independently of the lab."""
HOME = "wF@B1 w2@A1 bF@D12 b2@A12"
"""The flags, and a piece for each side that can always move."""
FLAGS = "wF@B1 bF@D12"


def targets(game, node):
    """Where the piece on a node may move, as words in the order of the game."""
    moves = [action.split("-") for action in game.legal() if "-" in action]
    return [to for start, to in moves if start == node]


def words(text):
    return sorted(text.split(), key=NODES.index)


def told(game, key):
    """What the position's text says of a key, "" if nothing."""
    return dict(word.split("=") for word in game.text().split() if "=" in word).get(key, "")


def held(game, node):
    """What the piece on a node may be for the other side."""
    words = [word.partition("@")[2] for word in game.text().split()]
    return dict(word.partition(":")[::2] for word in words)[node]


def standing(game):
    """The pieces without what is held of them."""
    return {word.partition(":")[0] for word in game.text().split() if "@" in word}


def ended(game):
    return game.ending, game.winner


# --- 1 the board --------------------------------------------------------------------------------


def test_the_board_is_that_of_the_outside_data():
    board = Board(RULES["board"])
    assert sorted(NODES) == sorted(OUTSIDE["nodes"])
    assert board.rail_edges == {frozenset(edge) for edge in OUTSIDE["rail_edges"]}
    assert board.road_edges == {frozenset(edge) for edge in OUTSIDE["road_edges"]}
    assert sorted(board.lines) == sorted(OUTSIDE["rail_lines"])
    assert board.camps == set(OUTSIDE["camps"])
    assert board.headquarters == set(OUTSIDE["headquarters"])
    degree = {node: len(board.rail[node] | board.road[node]) for node in NODES}
    assert degree == OUTSIDE["degree"]


def test_the_numbers_of_the_board():
    board = Board(RULES["board"])
    diagonal = [edge for edge in board.road_edges if len({node[0] for node in edge}) == 2]
    diagonal = [edge for edge in diagonal if len({node[1:] for node in edge}) == 2]
    assert len(NODES) == len(set(NODES)) == OUTSIDE["checks"]["nodes"] == 63
    assert len(board.rail_edges) == OUTSIDE["checks"]["rail_edges"] == 36
    assert len(board.road_edges) == OUTSIDE["checks"]["road_edges"] == 100
    assert len(diagonal) == OUTSIDE["checks"]["diagonal_road_edges"] == 32
    assert sum(bool(board.rail[node]) for node in NODES) == OUTSIDE["checks"]["rail_nodes"] == 34
    assert sum(len(board.rail[node] | board.road[node]) for node in NODES) == 272


@pytest.mark.parametrize("switch", ["", "/board/center_rail", "/board/camp_rail"])
def test_the_board_is_the_same_when_it_is_turned(switch):
    board = Board(changed({switch: True} if switch else {})["board"])
    assert [turned(turned(node)) for node in NODES] == NODES
    assert [turned(node) for node in ("A1", "B3", "AF", "CF", "EF")] == words("EF CF AF D10 E12")[
        ::-1
    ]
    for nodes in (board.camps, board.headquarters):
        assert {turned(node) for node in nodes} == nodes
    for edges in (board.rail_edges, board.road_edges):
        assert {frozenset(map(turned, edge)) for edge in edges} == edges


def test_rails_through_the_middle_and_through_camps():
    center = Board(changed({"/board/center_rail": True})["board"])
    assert (len(center.rail_edges), len(center.road_edges)) == (38, 98)
    camps = Board(changed({"/board/camp_rail": True})["board"])
    assert (len(camps.rail_edges), len(camps.road_edges)) == (36 + 16, 100 - 16)
    for board in (center, camps):
        for line in board.lines:
            assert all(other in board.rail[one] for one, other in pairwise(line))


# --- 4 moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "node", "expected"),
    [
        (f"{HOME} w5@A6", "A6", "A2 A3 A4 A5 AF A7 A8 A9 A10 A11 B6 C6 D6 E6 B5"),
        ("wF@B1 w2@A1 bF@D12 b2@A12 w1@C6 w3@A6 w3@E6", "C6", "B6 D6 C5 CF B5 D5"),
        (f"{HOME} w5@CF", "CF", "C6 C7"),
        (f"{HOME} w9@D1", "D1", ""),
        (f"{FLAGS} b2@A12 w5@A1", "A1", "A2"),
        (f"{HOME} w5@AF", "AF", "A2 A3 A4 A5 A6 A7 A8 A9 A10 A11"),
    ],
)
def test_all_targets(pieces, node, expected):
    assert targets(position(pieces), node) == words(expected)


def test_an_engineer_runs_round_corners():
    rails = {node for edge in OUTSIDE["rail_edges"] for node in edge}
    found = targets(position(f"{HOME} w1@A6"), "A6")
    assert (len(found), set(found)) == (34, rails - {"A6"} | {"B5"})


@pytest.mark.parametrize(
    ("pieces", "node", "yes", "no"),
    [
        (f"{HOME} w1@A2 w3@B2 b3@AF", "A2", "AF A7", ""),
        (f"{HOME} w1@A2 w3@B2 b3@AF b3@EF", "A2", "AF EF", "A7"),
        (f"{HOME} w5@C6", "C6", "CF", "C7"),
        (f"{HOME} w5@B2", "B2", "E2 B3", "B6"),
        (f"{HOME} w9@B6 b1@B5", "B6", "A6", "B5"),
        (f"{HOME} w5@B4", "B4", "B3 B5 C4", "A5 C5"),
        (f"{HOME} w5@C12 b9@B12", "C12", "B12", ""),
        (f"{HOME} w5@A6 w2@A4 b2@AF", "A6", "A5 AF", "A4 A3 A7"),
    ],
)
def test_some_targets(pieces, node, yes, no):
    found = set(targets(position(pieces), node))
    assert found >= set(yes.split())
    assert not found & set(no.split())


def test_switches_of_the_board():
    assert "C7" in targets(position(f"{HOME} w5@C6", board_center_rail=True), "C6")
    assert "B6" in targets(position(f"{HOME} w5@B2", board_camp_rail=True), "B2")
    free = position(f"{HOME} w9@D1", board_headquarters_hold=False)
    assert targets(free, "D1") == words("C1 E1 D2")


def test_a_camp_shelters_but_may_be_left_to_attack():
    black = position(f"{HOME} w9@B6 w3@A6 w3@C6 b1@B5", "turn=b quiet=0")
    assert set(targets(black, "B5")) >= {"A6", "B6", "C6"}


def test_who_goes_to_a_headquarters_stays_there():
    game = position(f"{HOME} w5@B11")
    game.play("B11-B12")
    game.play("A12-A11")
    assert targets(game, "B12") == []
    assert targets(game, "A1") == ["A2"]


def test_orders_of_both_sides_are_one():
    here = position("w5@A6 w1@C2 wF@B1 b2@A12 bF@D12")
    there = position("b5@E7 b1@C11 bF@D12 w2@E1 wF@B1", "turn=b quiet=0")
    mirrored = ["-".join(map(turned, action.split("-"))) for action in there.legal()]
    assert here.legal() == mirrored


# --- 5 battles ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "defender", "left", "ending"),
    [
        ("X", "F", {"wX@D12"}, "flag"),
        ("2", "F", {"w2@D12"}, "flag"),
        ("1", "F", {"w1@D12"}, "flag"),
        ("X", "9", set(), ""),
        ("9", "X", set(), ""),
        ("X", "X", set(), ""),
        ("X", "M", set(), ""),
        ("9", "M", set(), ""),
        ("1", "M", {"w1@D12"}, ""),
        ("9", "8", {"w9@D12"}, ""),
        ("4", "5", {"b5@D12"}, ""),
        ("7", "7", set(), ""),
    ],
)
def test_battles(attacker, defender, left, ending):
    """White attacks from D11; what is left of the two."""
    node = "C11" if defender == "M" else "D12"
    flag = "" if defender == "F" else "bF@B12"
    game = position(f"wF@B1 w2@A1 b2@A12 {flag} w{attacker}@D11 b{defender}@{node}")
    others = standing(game) - {f"w{attacker}@D11", f"b{defender}@{node}"}
    game.play(f"D11-{node}")
    assert standing(game) - others == {word.replace("D12", node) for word in left}
    assert ended(game) == (ending, "first" if ending else "")
    assert game.battles == 1


def test_a_flag_that_goes_with_a_bomb_is_not_taken():
    game = position(f"{HOME} wX@D11", battle_bomb_on_flag="both_go")
    game.play("D11-D12")
    assert (game.over, standing(game)) == (False, {"wF@B1", "w2@A1", "b2@A12"})


def test_a_mine_may_stay():
    game = position(f"{HOME} w9@C11 bM@B11", battle_mine="stays")
    game.play("C11-B11")
    assert "bM@B11" in standing(game)
    assert "w9" not in game.text()


def test_only_the_attacker_moves():
    game = position(f"{HOME} w5@C12 b9@B12")
    game.play("C12-B12")
    assert "b9@B12" in standing(game)
    assert "w5" not in game.text()


# --- 6 the end ----------------------------------------------------------------------------------


def test_the_side_that_is_to_move_loses_even_if_nobody_can():
    game = position("w5@A6 wM@A2 wF@B1 b5@A8 bF@D12")
    game.play("A6-A8")
    assert ended(game) == ("stuck", "first")
    assert list(game.moves()) == []


def test_boxed_in_is_stuck():
    game = position("w5@A1 wM@A2 wF@B1 b3@A11 bF@D12", "turn=b quiet=0")
    game.play("A11-A10")
    assert ended(game) == ("stuck", "second")


def test_the_quiet_count_ends_last():
    game = position(HOME, "turn=w quiet=98")
    game.play("A1-A2")
    assert not game.over
    game.play("A12-A11")
    assert (ended(game), game.row()["capped"]) == (("quiet", "draw"), True)
    game = position(f"{HOME} w5@A6 b4@A7", "turn=w quiet=99")
    game.play("A6-A7")
    assert (game.over, game.quiet) == (False, 0)
    game = position("w5@A1 wM@A2 wF@B1 b3@A11 bF@D12", "turn=b quiet=99")
    game.play("A11-A10")
    assert ended(game) == ("stuck", "second")


# --- 3 the set-up -------------------------------------------------------------------------------

WHOLE = opening(RULES, Random(1))


def exchanged(one, other, text=WHOLE):
    """A set-up's text with the pieces of two nodes exchanged."""
    kinds = {word.partition("@")[2]: word.partition("@")[0] for word in text.split()}
    return text.replace(f"{kinds[one]}@{one}", f"{kinds[other]}@{one}").replace(
        f"{kinds[other]}@{other}", f"{kinds[one]}@{other}"
    )


def test_set_ups_to_refuse():
    node = {}
    for word in WHOLE.split()[:25]:
        what, _, where = word.partition("@")
        node.setdefault(what, where)
    rank = next(what for what in ("w3", "w2", "w1") if node[what][0] in "ACE")
    spare = ({"B1", "D1"} - {node["wF"]}).pop()
    front = next(w.partition("@")[2] for w in WHOLE.split() if w.endswith("6") and w[0] == "w")
    refused = {
        "no mine may stand": exchanged(node["wM"], spare),
        "no flag may stand": exchanged(node["wF"], node[rank]),
        "no bomb may stand": exchanged(node["wX"], front),
        "B3 is no place": WHOLE.replace(f"{rank}@{node[rank]}", f"{rank}@B3"),
        "AF is no place": WHOLE.replace(f"{rank}@{node[rank]}", f"{rank}@AF"),
        "more than 1 of marshal": WHOLE.replace("w8@", "w9@"),
        "not 1 of marshal": WHOLE.replace(f"w9@{node['w9']} ", ""),
    }
    Reference(RULES, WHOLE)
    for reason, text in refused.items():
        with pytest.raises(ValueError, match=reason):
            Reference(RULES, text)


@pytest.mark.parametrize("where", ["B1", "A3", "CF", "A11"])
def test_a_mine_stands_only_where_it_was_set_up(where):
    with pytest.raises(ValueError, match="no mine may stand"):
        position(f"wM@{where} w2@C1 b2@A12 bF@D12")


def test_a_set_up_is_changed_by_swaps():
    game = Reference(RULES, WHOLE)
    for _ in range(2):  # White, then Black
        actions = game.legal()
        assert (actions[0], actions[-1]) == ("ready", "timed")
        swap = actions[1]
        _, one, other = swap.split()
        before = held(game, one), held(game, other)
        kinds = [piece.kind for piece in (game.stand[one], game.stand[other])]
        game.play(swap)
        assert [game.stand[node].kind for node in (other, one)] == kinds
        assert (held(game, one), held(game, other)) == before  # the enemy sees only places
        assert "timed" not in game.legal()
        game.play("ready")
    assert (told(game, "phase"), told(game, "turn")) == ("", "w")


def test_every_swap_leaves_a_legal_set_up():
    actions = Reference(RULES, WHOLE).legal()[1:-1]
    for action in actions:
        _, one, other = action.split()
        Reference(RULES, exchanged(one, other))
        assert NODES.index(one) < NODES.index(other)
    assert len(set(actions)) == len(actions)


# --- 7 clock and offers -------------------------------------------------------------------------


def clocked(rest="turn=w quiet=0 timed=wb", **changes):
    return position(HOME, rest, **changes)


def play(game, text):
    for action in text.split():
        game.play(action)
    return game


def test_the_third_late_turn_loses():
    game = play(clocked(), "late A12-A11 late A11-A12")
    assert (told(game, "late"), game.quiet, game.ply) == ("2/0", 4, 4)
    play(game, "late")
    assert (ended(game), game.row()["length"]) == (("late", "second"), 4)
    assert (game.row()["first_late"], game.row()["second_late"]) == (3, 0)


def test_a_turn_that_passed_counts_as_quiet_and_may_end_the_game():
    assert ended(play(clocked("turn=w quiet=99 timed=w"), "late")) == ("quiet", "draw")
    game = position("w2@A1 wF@B1 bF@D12", "turn=w quiet=0 timed=w")
    assert ended(play(game, "late")) == ("stuck", "first")


def test_who_is_away_loses():
    assert ended(play(clocked(), "A1-A2 leave")) == ("away", "first")


def test_offers_are_accepted_or_refused():
    game = play(clocked("turn=w quiet=0 timed=w"), "offer")
    assert (told(game, "offer"), told(game, "offered"), told(game, "turn")) == ("w", "0/-", "w")
    assert game.legal() == ["A1-A2", "late", "leave"]
    play(game, "A1-A2")
    assert game.legal()[-2:] == ["accept", "refuse"]
    assert "offer" not in game.legal()
    assert ended(play(game, "accept")) == ("agreed", "draw")
    for answer, turn in (("refuse", "b"), ("A12-A11", "w")):
        game = play(clocked("turn=w quiet=0 timed=w"), f"offer A1-A2 {answer}")
        assert (told(game, "offer"), told(game, "turn")) == ("", turn)
        assert game.row()["first_offers"] == 1


def test_a_turn_that_passed_refuses_and_hands_on():
    game = play(clocked(), "offer late")
    assert told(game, "offer") == "w"
    assert told(play(game, "late"), "offer") == ""


def test_who_offered_waits_for_ten_plies():
    game = play(clocked("turn=w quiet=0 timed=w"), "offer A1-A2 A12-A11")
    for _ in range(2):
        play(game, "A2-A1 A11-A12 A1-A2 A12-A11")
        assert ("offer" in game.legal()) == (game.ply == 10)


# --- 8 what a side knows ------------------------------------------------------------------------


def test_at_first_places_tell():
    game = Reference(RULES, WHOLE)
    for seat_row, kinds in ((6, "1-9"), (3, "1-9X"), (2, "1-9XM"), (1, "1-9XM")):
        for row in (seat_row, 13 - seat_row):
            assert held(game, f"A{row}") == kinds
    assert {held(game, node) for node in RULES["board"]["headquarters"]} == {"1-9XF"}


def test_moves_and_battles_tell():
    game = play(position(f"{HOME} w1@A6 w5@E6 b6@E8 bM@A11"), "E6-E8")
    assert (held(game, "E8"), told(game, "gone")) == ("6-9", "w:1-5")
    play(game, "E8-E9 A6-B6")
    assert held(game, "B6") == "1-9X"
    play(game, "E9-E8 B6-A3")
    assert held(game, "A3") == "1"
    play(game, "E8-E9 A3-A11")
    assert (held(game, "A11"), told(game, "gone")) == ("1", "w:1-5;b:M")


def test_a_flag_is_found_by_elimination():
    game = ready(RULES, Random(5))
    for node, piece in game.stand.items():  # everything but the last headquarters is known
        if piece.seat == 1 and node not in ("B12", "D12"):
            piece.held = {piece.kind}
    game.play(game.legal()[0])
    known = {game.stand[node].kind: held(game, node) for node in ("B12", "D12")}
    assert "F" in known["flag"]
    assert len(set(known.values())) == 1  # 24 known kinds leave two for two
    spare = next(node for node in ("B12", "D12") if game.stand[node].kind != "flag")
    game.stand[spare].held.discard("flag")
    game.play(game.legal()[0])
    assert held(game, ({"B12", "D12"} - {spare}).pop()) == "F"
    assert (game.found, game.ply) == ([2, None], 2)


@pytest.mark.parametrize(
    ("kinds", "text"),
    [(KINDS, "*"), (KINDS[:10], "1-9X"), (KINDS[3:9], "4-9"), (KINDS[:2], "12"), (["flag"], "F")],
)
def test_kinds_are_told_and_read(kinds, text):
    assert kinds_text(set(kinds)) == text
    assert read_kinds(text) == set(kinds)
    assert kinds_text({KINDS[i] for i in (0, 1, 3, 4, 5, 7, 8, 9, 10)}) == "124-689XM"


# --- whole games --------------------------------------------------------------------------------

SWITCHES = [
    {},
    {"/board/center_rail": True, "/board/camp_rail": True},
    {"/board/headquarters_hold": False, "/setup/front_bombs": True},
    {"/battle/bomb_on_flag": "both_go", "/battle/mine": "stays"},
    {"/setup/mine_rows": 6, "/draw/quiet_limit": 7, "/draw/offer_gap": 1},
    {"/board/headquarters": ["B1", "B12"]} | {"/clock/late_limit": 1},
]


@pytest.mark.parametrize("changes", SWITCHES)
def test_random_games_keep_what_always_holds(changes):
    rules = changed(changes)
    for seed in range(4):
        rng = Random(f"{changes} {seed}")
        game = Reference(rules, opening(rules, rng))
        while not game.over:
            check(game)
            choices = game.legal()
            weights = [
                {"timed": 50, "ready": 30, "leave": 0.01, "late": 0.05}.get(choice, 1)
                for choice in choices
            ]
            game.play(*rng.choices(choices, weights))
        check(game)
        check_row(game)


def check(game):
    """What is true in every position; now and then, that its text tells it."""
    most = counts(game.rules)
    total = sum(most.values())
    for seat in (0, 1):
        pieces = [piece for piece in (*game.stand.values(), *game.gone) if piece.seat == seat]
        assert len(pieces) == total
        assert {kind: [p.kind for p in pieces].count(kind) for kind in KINDS} == most
        assert all(piece.kind in piece.held for piece in pieces)
    assert game.quiet <= min(game.ply, game.rules["draw"]["quiet_limit"])
    if game.actions % 10:
        return
    again = Reference(game.rules, game.text())
    assert again.text() == game.text()
    assert [a for a in again.legal() if a != "timed"] == [a for a in game.legal() if a != "timed"]


def check_row(game):
    """What is true of a game that is over."""
    row = game.row()
    assert game.legal() == []
    assert game.score(0) + game.score(1) == 1
    assert row["length"] <= game.rules["draw"]["quiet_limit"] * 50
    assert row["capped"] == (row["ending"] == "quiet")
    assert (row["winner"] == "draw") == (row["ending"] in ("quiet", "agreed"))
    lost = [25 - row[f"{seat}_pieces"] for seat in ("first", "second")]
    assert lost == [row["second_killed"], row["first_killed"]]
    assert row["battles"] <= sum(lost) <= 2 * row["battles"]
    with pytest.raises(ValueError, match="not legal"):
        game.play("A1-A2")


def test_plain_random_games_end_by_moves():
    endings = {random_game(RULES, seed).ending for seed in range(12)}
    assert "stuck" in endings
    assert endings <= {"stuck", "flag", "quiet"}


def test_who_attacks_does_not_matter_to_who_can_move():
    exchange = {"attacker": "defender", "defender": "attacker", "none": "none"}
    for one in KINDS[:10]:
        for other in KINDS[:10]:
            assert battle(RULES, one, other) == exchange[battle(RULES, other, one)]
