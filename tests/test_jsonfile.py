import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.errors import BadInput
from lab.jsonfile import DEEPEST, LINE, join, leaves, parse, pretty, read_object, split, step

SCALARS = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text()
SCALARS |= st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1,\n "b": }', "f:2:7: found broken JSON (expecting value), expected valid JSON"),
        ("{} {}", "f:1:4: found broken JSON (extra data), expected valid JSON"),
        ('{"a": {"b": 1, "b": 2}}', "f /a/b: found this key twice, expected it once"),
        ("[0, NaN]", "f /1: found NaN, expected a finite number"),
        ("-Infinity", "f: found -Infinity, expected a finite number"),
        ('{"x/y": 1e999}', "f /x~1y: found 1e999, expected a finite number"),
        ("9223372036854775808", "f: found 9223372036854775808, expected a 64-bit integer"),
        (r'["\ud800"]', "f /0: found half a surrogate pair, expected Unicode text"),
        (r'{"\udfff": 1}', "f: found half a surrogate pair, expected Unicode text"),
    ],
)
def test_what_is_refused_and_where(text, line):
    with pytest.raises(BadInput) as error:
        parse(text, "f")
    assert str(error.value) == line


@pytest.mark.parametrize("depth", [DEEPEST + 1, 500, 200_000])
@pytest.mark.parametrize("ends", ["[]", ('{"a":', "}")])
def test_deep_nesting_is_refused(depth, ends):
    text = ends[0] * depth + "1" + ends[1] * depth
    with pytest.raises(BadInput, match="nesting deeper than 64 levels"):
        parse(text, "f")


def test_huge_integers_are_refused_in_one_short_line():
    with pytest.raises(BadInput) as error:
        parse("1" * 100_000, "f")
    assert len(str(error.value)) < 150


@given(VALUES)
def test_whatever_python_writes_is_read_back_the_same(value):
    assert parse(json.dumps(value), "f") == value
    assert parse(pretty(value), "f") == value


@given(st.text(alphabet='{}[]:,"\\ud8019.e-+NaIfty \n', max_size=40))
def test_garbage_raises_nothing_else(text):
    with suppress(BadInput):
        parse(text, "f")


@given(VALUES)
def test_every_leaf_is_found_by_its_pointer(value):
    for pointer, leaf in leaves(value, inner=True).items():
        found = value
        for token in split(pointer):
            found = step(found, token)
        assert found is leaf


@given(st.lists(st.text()))
def test_pointers_split_and_join(tokens):
    assert split(join(tuple(tokens))) == tuple(tokens)


def test_leaves_go_in_order_and_count_an_empty_list():
    data = {"b": [1, {"c": 2}], "a": []}
    assert list(leaves(data).items()) == [("/b/0", 1), ("/b/1/c", 2), ("/a", [])]
    assert list(leaves(data, inner=True)) == ["/b", "/b/0", "/b/1", "/b/1/c", "/a"]


@pytest.mark.parametrize("token", ["-1", "01", "2", "x", "", "9" * 5000, "²"])
def test_a_list_has_no_such_item(token):
    with pytest.raises(LookupError):
        step([5, 6], token)


def test_pretty_text_keeps_what_fits_on_one_line():
    row = list(range(20))
    text = pretty({"name": "x", "rows": [row, row], "more": {"a": row}})
    assert text.splitlines()[:4] == ["{", '  "name": "x",', '  "rows": [', f"    {row},"]
    assert f'  "more": {{"a": {row}}}' in text.splitlines()
    assert max(map(len, text.splitlines())) <= LINE


def test_a_file_has_to_hold_an_object(tmp_path):
    path = tmp_path / "list.json"
    path.write_text("[1]")
    with pytest.raises(BadInput, match=r"list\.json: found a list of 1, expected an object"):
        read_object(path)
