"""Counter-based random streams. A draw belongs to a game and a purpose, never to a thread.

A stream is one uint64 that steps by the golden ratio and is read through splitmix64's finaliser
(Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators", section 4).
"""

import numpy as np

from lab.jit import kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
CHANCE = np.uint64(1)
"""Purpose of a game's own chance; policies' minds use their key (`lab.game.policy_rows`)."""

_U = (np.arange(1024) + 0.5) / 1024
GUMBEL = np.rint(-256 * np.log(-np.log(_U))).astype(np.int32)
"""1,024 equally likely values of 256 x a standard Gumbel variable. The largest of utility +
temperature x Gumbel is a choice by softmax (Gumbel 1954); a table, because exp and log differ by
machine."""


@kernel
def mix(z):
    """A bijection of uint64 in which every input bit moves every output bit."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def stream(seed, index, purpose):
    """The start of a stream: for one seed and purpose, different indices never meet."""
    key = mix(np.uint64(seed) + STEP)
    key = mix((key ^ np.uint64(purpose)) + STEP)
    return mix((key ^ np.uint64(index)) + STEP)


@kernel
def draw(mind):
    """The next uint64 of a record's stream `rng`."""
    mind.rng += STEP
    return mix(mind.rng)


@kernel
def below(mind, n):
    """A whole number from 0 to n - 1, n up to 2**31 (bias under n / 2**32)."""
    return np.int64(((draw(mind) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def draw_weights(policy, mind):
    """Draw a mind's weights round its policy's, each by up to `spread` percent."""
    for i in range(mind.weights.size):
        weight = np.int64(policy.weights[i])
        if policy.spread > 0 and weight != 0:
            percent = 100 - policy.spread + below(mind, 2 * policy.spread + 1)
            weight = weight * percent // 100
        mind.weights[i] = weight
