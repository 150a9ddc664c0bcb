"""Banks of games: which seed a purpose plays on."""

from hashlib import blake2b


def seed_of(seed: int, *purpose: object) -> int:
    """The seed of a bank of games: other purposes never share a game."""
    text = "\0".join(map(str, (seed, *purpose)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little") >> 1
