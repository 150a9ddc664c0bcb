import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.stats.multiple import holm, split

P_VALUES = st.lists(st.floats(0, 1), max_size=8)


def test_holm_worked_out_by_hand():
    # 4 x .005, 3 x .01, 2 x .03, and .04, which is not less than the one before it.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]).tolist() == [1, 1]
    assert holm([0.03]).tolist() == [0.03]
    assert holm([]).tolist() == []


def closed(p):
    """By the closure of Bonferroni's tests: the largest of any set that has the hypothesis."""
    k = range(len(p))
    sets = [s for size in k for s in itertools.combinations(k, size + 1)]
    return [max(min(1, len(s) * min(p[j] for j in s)) for s in sets if i in s) for i in k]


@given(P_VALUES)
def test_holm_is_the_closed_test(p):
    assert holm(p) == pytest.approx(closed(p))


@given(P_VALUES, st.randoms())
def test_holm_keeps_order_and_is_stricter_than_none_and_laxer_than_bonferroni(p, random):
    adjusted = holm(p)
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(np.array(p) * len(p), 1)).all()
    order = random.sample(range(len(p)), len(p))
    assert holm([p[i] for i in order]).tolist() == adjusted[order].tolist()


def test_holm_refuses():
    for p in ([1.1], [-0.1, 0.5], [math.nan]):
        with pytest.raises(ValueError, match="p-values"):
            holm(p)


def test_split():
    assert split(0.05, 1) == 0.05
    assert split(0.05, 4) == 0.0125
    with pytest.raises(ValueError, match="0 tests"):
        split(0.05, 0)
