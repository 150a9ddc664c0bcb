"""The plain reference of junqi: set-ups, clock and offers, what is known, and random games."""

from random import Random

import pytest

from tests.reference.junqi import Reference
from tests.reference.junqi_board import NODES
from tests.reference.junqi_pieces import KINDS, battle, counts, kinds_text, read_kinds
from tests.reference.junqi_positions import (
    HOME,
    RULES,
    changed,
    ended,
    held,
    opening,
    play,
    position,
    random_game,
    ready,
    told,
)

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
    assert (game.found, game.ply) == ([2, 0], 2)


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


def test_between_pieces_that_move_it_does_not_matter_who_attacks():
    exchange = {"attacker": "defender", "defender": "attacker", "none": "none"}
    for one in KINDS[:10]:
        for other in KINDS[:10]:
            assert battle(RULES, one, other) == exchange[battle(RULES, other, one)]
