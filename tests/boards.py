"""Boards of junqi drawn at random: the same when turned, with a place for each piece."""

from lab.document import limit
from lab.games.junqi.rules import FLAGS, HALF, NODES, Count, along, turned

LINES = 4
"""Lines of rail at most, each with its partner: as many as a document has room for."""


def fit(rules, pointer, rng):
    """Let the rest of the rules follow what has just moved, if anything can.

    The first half of a list of nodes decides on its other half, and the number of places on that
    of the pieces. Rails are drawn as straight lines, all of them at once.
    """
    board = rules["board"]
    if pointer in ("/board", "/board/rails"):
        board["rails"] = [{"nodes": line} for line in draw_lines(rng)]
    for name in ("camps", "headquarters"):
        if pointer == "/board" or pointer.startswith(f"/board/{name}"):
            half = board[name][: len(board[name]) // 2]
            board[name] = half + [turned(node) for node in half]
    if pointer.startswith(("/board", "/count")):
        fill_places(rules, pointer.removeprefix("/count/"), rng)


def draw_lines(rng):
    """Straight lines of rail, each with the one that half a round turns it into."""
    lines = []
    for _ in range(rng.randint(0, LINES)):
        line = [rng.choice(NODES)]
        ahead = [node for node in NODES if along(line[0], node)]
        step = along(line[0], rng.choice(ahead))
        for _ in range(rng.randint(1, 11)):
            line += [node for node in NODES if along(line[-1], node) == step]
        lines += [line, [turned(node) for node in line]]
    return lines


def fill_places(rules, fixed, rng):
    """As many pieces as places, by more or fewer of any kinds but a fixed one."""
    count, camps = rules["count"], rules["board"]["camps"]
    missing = HALF - len(camps) // 2 - FLAGS - sum(count.values())
    while missing:
        step = 1 if missing > 0 else -1
        kind = rng.choice([kind for kind in count if kind != fixed])
        if 0 <= count[kind] + step <= limit(Count.model_fields[kind], "le"):
            count[kind] += step
            missing -= step
