import json
import pickle
from functools import partial
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import rules
from lab.rules import diff, load, parse_setting
from tests.toy import NUMBERS, Level, Toy, numbers, refusal, write_toy


@pytest.fixture
def write(tmp_path):
    return partial(write_toy, tmp_path)


@pytest.fixture
def toy(write):
    return load(write(), Toy, "toy")


# --- newer keys and the fingerprint ---


def test_an_old_file_takes_the_defaults_of_newer_keys_and_a_new_one_has_to_name_them(write):
    assert load(write(), Toy, "toy").value("/levels/0/bonus") == 0
    path = write(schema=2)
    assert refusal(load, path, Toy, "toy") == (
        f"{path} /rules/levels/0/bonus: found nothing, expected a whole number from 0 to 9"
    )
    levels = [{"cost": 5, "bonus": 0}]
    assert load(write(schema=2, rules=numbers(levels=levels)), Toy, "toy").schema == 2
    path = write(schema=3, rules=numbers(levels=levels))
    assert (
        refusal(load, path, Toy, "toy") == f"{path} /rules/extra: found nothing, expected an object"
    )


def test_a_key_with_a_default_but_no_age_is_required(write):
    path = write(schema=3, rules=numbers(levels=[], extra={}))
    assert refusal(load, path, Toy, "toy") == (
        f"{path} /rules/extra/on: found nothing, expected true or false"
    )


def test_the_fingerprint_is_of_the_rules_alone(toy, write):
    text = json.dumps(NUMBERS, sort_keys=True, separators=(",", ":"))
    assert toy.fingerprint == blake2b(text.encode(), digest_size=8).hexdigest()
    order = dict(reversed(NUMBERS.items()))
    other = write("0.2", why="Another.", assumed=[{"at": "/fair", "why": "?"}], rules=order)
    assert load(other, Toy, "toy").fingerprint == toy.fingerprint
    assert pickle.loads(pickle.dumps(toy)) == toy


def test_a_newer_key_counts_once_it_does_something(toy, write):
    neutral = numbers(levels=[{"cost": 5, "bonus": 0}, {"cost": 9}], extra={"on": False})
    assert load(write(rules=neutral), Toy, "toy").fingerprint == toy.fingerprint
    assert toy.override({"/levels/1/bonus": 0}).fingerprint == toy.fingerprint
    changed = {toy.override(c).fingerprint for c in ({"/levels/1/bonus": 1}, {"/extra/on": True})}
    assert len(changed | {toy.fingerprint}) == 3


def test_every_leaf_counts_in_the_fingerprint(toy):
    others = {"/judge": "draw", "/fair": False, "/extra/on": True, "/economy/rate": 0.25}
    prints = {toy.fingerprint}
    for pointer, value in toy.pointers().items():
        other = others[pointer] if pointer in others else value + 1
        prints.add(toy.override({pointer: other}).fingerprint)
    assert len(prints) == 1 + len(toy.pointers())


def test_the_text_of_rules_is_read_back_as_the_same_rules(toy, write):
    changed = toy.override({"/economy/gather": 3, "/levels/0/bonus": 2})
    path = write()
    path.write_text(changed.json())
    again = load(path, Toy, "toy")
    assert (again.document, again.fingerprint) == (changed.document, changed.fingerprint)
    assert again.json() == changed.json()
    assert json.loads(toy.json())["rules"] == NUMBERS


# --- overriding and asking ---


def test_an_override_leaves_the_original_alone(toy):
    before = toy.fingerprint
    other = toy.override({"/start/1": 5, "/judge": "draw"})
    assert (other.value("/start"), other.document.judge) == ([3, 5], "draw")
    assert (other.changes, other.source) == ({"/start/1": 5, "/judge": "draw"}, "override")
    assert (toy.value("/start"), toy.changes, toy.fingerprint) == ([3, 4], {}, before)


def test_sections_and_lists_are_replaced_whole(toy):
    economy = {"gather": 0, "rate": 1, "limit": 9}
    other = toy.override({"/economy": economy, "/levels": [{"cost": 1}]})
    assert other.value("/economy") == economy
    assert other.document.levels == [Level(cost=1)]


def test_changes_replay_in_their_order(toy):
    steps = [{"/levels/0/cost": 1}, {"/levels": [{"cost": 2}]}, {"/levels/0/cost": 3}]
    last = toy
    for changes in steps:
        last = last.override(changes)
    assert last.value("/levels/0/cost") == 3
    assert toy.override(last.changes).document == last.document


@pytest.mark.parametrize(
    ("pointer", "value", "line"),
    [
        (
            "/econmy/gather",
            1,
            (
                " /econmy/gather: found an unknown pointer, expected a pointer into the rules "
                "(did you mean '/economy/gather'?)"
            ),
        ),
        (
            "/start/2",
            1,
            (
                " /start/2: found an unknown pointer, expected a pointer into the rules "
                "(did you mean '/start/1'?)"
            ),
        ),
        ("", {}, ": found an unknown pointer, expected a pointer into the rules"),
        ("/start/0", "3", ' /start/0: found "3", expected a whole number from 0 to 30'),
        ("/start/0", 10**30, " /start/0: found an integer beyond 64 bits, expected a whole number"),
        ("/economy/rate", float("nan"), " /economy/rate: found NaN, expected a number from 0 to 1"),
        ("/economy/limit", 0, " /economy/limit: found 0, expected a whole number from 1 to 9"),
        ("/economy/gather", 9, " /economy: gather 9 is above limit 4"),
        ("/levels/0", {"cots": 1}, " /levels/0/cots: found an unknown key, expected one of cost"),
        ("/levels/0", {}, " /levels/0/cost: found nothing, expected a whole number from 0 to 99"),
        ("/economy", {"gather": 1}, " /economy/rate: found nothing, expected a number from 0 to 1"),
    ],
)
def test_an_override_that_does_not_fit_names_its_pointer(toy, pointer, value, line):
    assert refusal(toy.override, {pointer: value}).startswith(f"toy 0.1 override{line}")


def test_changes_that_only_fit_together_are_judged_together(toy):
    assert toy.override({"/economy/gather": 9, "/economy/limit": 9}).document.economy.gather == 9


LEAVES = {"/economy/gather": st.integers(0, 9), "/economy/rate": st.floats(0, 1)}
LEAVES |= {"/start/0": st.integers(0, 30), "/judge": st.sampled_from(["siege", "draw"])}
LEVELS = st.lists(st.builds(dict, cost=st.integers(0, 99), bonus=st.integers(0, 9)), max_size=3)


@given(st.fixed_dictionaries({}, optional=LEAVES | {"/levels": LEVELS, "/fair": st.booleans()}))
def test_a_difference_is_an_override(changes):
    head = {"game": "toy", "version": "0.1", "parent": None, "why": "", "assumed": ()}
    tail = {"variant_of": None, "source": "", "schema": 1, "changes": {}}
    toy = rules.Rules(document=Toy.model_validate(NUMBERS), **head, **tail)
    other = toy.override({"/economy/limit": 9, **changes})
    found = {pointer: new for pointer, _, new in diff(toy, other)}
    assert toy.override(found).document == other.document


def test_asking_for_a_value(toy):
    assert toy.value("/economy/gather") == 1
    assert toy.value("/economy") == NUMBERS["economy"]
    assert refusal(toy.value, "/economy/gathr") == (
        "toy 0.1 /economy/gathr: found an unknown pointer, expected a pointer into the rules "
        "(did you mean '/economy/gather'?)"
    )


def test_the_flat_listing(write):
    listing = rules.rows(load(write(rules=numbers(levels=[])), Toy, "toy"))
    assert [tuple(row) for row in listing] == [
        ("/economy/gather", 1, "gold", "0..9", "A gather."),
        ("/economy/rate", 0.5, "", "0.0..1.0", "A share."),
        ("/economy/limit", 4, "", "1..9", "The most."),
        ("/start/0", 3, "wood", "0..30", "Each side's."),
        ("/start/1", 4, "wood", "0..30", "Each side's."),
        ("/levels", [], "", "a list of 0 to 3", "From the lowest."),
        ("/judge", "siege", "", "siege, draw", "What decides."),
        ("/fair", True, "", "false, true", "A switch."),
        ("/extra/on", False, "", "false, true", "Whether at all."),
    ]


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("/a/b=5", ("/a/b", 5)),
        ("/a=-0.5", ("/a", -0.5)),
        ("/a=draw", ("/a", "draw")),
        ('/a="draw"', ("/a", "draw")),
        ("/a=true", ("/a", True)),
        ('/a=[1, {"b": 2}]', ("/a", [1, {"b": 2}])),
    ],
)
def test_settings(text, setting):
    assert parse_setting(text) == setting
    assert type(parse_setting(text)[1]) is type(setting[1])


@pytest.mark.parametrize("text", ["", "/a", "/a=", "a=5", "/a=[1", "/a=NaN", "/a=5x", "/a=b=c"])
def test_settings_that_are_none(text):
    assert refusal(parse_setting, text).startswith(f'setting "{text}"')
