"""How fast this machine is today: one fixed loop, compiled and plain. Never change it.

A figure from another day or machine only compares after division by the yardstick's.
"""

from lab.jit import kernel

COMPILED_BELOW = 300_000
PLAIN_BELOW = 3_000


def collatz(below):
    """Steps that every number from 2 to below - 1 takes down to 1 (halve, or triple and add 1).

    Whole numbers, and branches that no processor foresees: what games are made of.
    """
    steps = 0
    for start in range(2, below):
        n = start
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            steps += 1
    return steps


compiled_collatz = kernel(collatz)


def compiled():
    """One compiled yardstick."""
    return compiled_collatz(COMPILED_BELOW)


def plain():
    """One plain yardstick."""
    return collatz(PLAIN_BELOW)
