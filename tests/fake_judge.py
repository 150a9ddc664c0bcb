"""A judge for the tests of tournaments: what comes out is written in the players' names.

A player `NAME-4` has strength 4; the stronger wins. The map decides equal ones by its seed: the
first wins, the second, or nobody. A program is named by the last of its words.
"""

from hashlib import blake2b

from lab.catalog import load_game
from lab.jit import blank
from lab.judge.match import Seat, Terms, Verdict

GAME = load_game("next_nation")


def name(player):
    return player if isinstance(player, str) else player.words[-1]


def by_kernel(rules, world, first, second, seed):
    return play(rules, world, (first, second), Terms(), seed).row


def play(rules, world, players, terms, seed):
    strengths = [int(name(player).partition("-")[2] or 0) for player in players]
    left, right = strengths
    winner = (0 if left > right else 1) if left != right else seed % 3
    seats = tuple(Seat(player, 5) for player in players)
    row = blank(GAME.outcome, 1)[0]
    row["winner"], row["ending"], row["length"], row["map_seed"] = winner, 1, 200, seed
    told = " ".join([*map(name, players), str(seed)]).encode()
    row["history"] = int.from_bytes(blake2b(told, digest_size=8).digest(), "little")
    for side, player in enumerate(players):
        if "wrong" in name(player) and terms.drop:
            seats[side].refused = 3
        elif "wrong" in name(player):
            row["winner"], row["ending"], row["length"] = 1 - side, -1, 4
            seats[side].cause = f'day 4: "TRAIN {side}" costs 120 gold of {side}'
    return Verdict(int(row["winner"]), "", int(row["length"]), seats, row, f"log of {told}\n")
