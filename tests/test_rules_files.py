import json
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab import rules
from lab.errors import BadInput
from lab.rules import diff, load
from tests.toy import NUMBERS, Level, Toy, numbers, refusal, write_toy


@pytest.fixture
def write(tmp_path):
    return partial(write_toy, tmp_path)


def test_a_file_is_read_whole(write):
    path = write(assumed=[{"at": "/start", "why": "A guess."}])
    toy = load(path, Toy, "toy")
    assert (toy.game, toy.version, toy.schema, toy.why) == ("toy", "0.1", 1, "Because.")
    assert (toy.parent, toy.variant_of, toy.source, toy.changes) == (None, None, str(path), {})
    assert [(row.at, row.why) for row in toy.assumed] == [("/start", "A guess.")]
    assert toy.document.economy.gather == 1
    assert toy.document.levels[1] == Level(cost=9, bonus=0)


ECONOMY = NUMBERS["economy"]
WHOLE = "expected a whole number from 0 to 9"


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rules": {}}, "/rules/economy: found nothing, expected an object"),
        ({"rules": []}, "/rules: found a list of 0, expected an object"),
        ({"why": ""}, '/why: found "", expected some text'),
        ({"schema": 4}, "/schema: found 4, expected at most 3"),
        ({"schema": True}, "/schema: found true, expected a whole number from 1 to 2147483648"),
        ({"game": "ants"}, '/game: found "ants", expected "toy"'),
        (
            {"varient_of": "0"},
            (
                "/varient_of: found an unknown key, expected one of schema, game, version, parent, "
                "variant_of, unverified, why, assumed, rules (did you mean 'variant_of'?)"
            ),
        ),
        (
            {"parent": "../0.1"},
            '/parent: found "../0.1", expected text that matches ' + rules.VERSION,
        ),
        ({"parent": "0.0"}, '/parent: found "0.0", expected a version in the same folder'),
        (
            {"assumed": [{"at": "/strat", "why": "?"}]},
            (
                '/assumed/0/at: found "/strat", expected a pointer into the rules or "README n.n" '
                "(did you mean '/start'?)"
            ),
        ),
        (
            {"rules": numbers(econmy={})},
            (
                "/rules/econmy: found an unknown key, expected one of economy, start, levels, "
                "judge, fair, extra (did you mean 'economy'?)"
            ),
        ),
        ({"rules": numbers(economy=5)}, "/rules/economy: found 5, expected an object"),
        (
            {"rules": numbers(economy=ECONOMY | {"gather": 4.0})},
            f"/rules/economy/gather: found 4.0, {WHOLE}",
        ),
        (
            {"rules": numbers(economy=ECONOMY | {"gather": True})},
            f"/rules/economy/gather: found true, {WHOLE}",
        ),
        (
            {"rules": numbers(economy=ECONOMY | {"gather": None})},
            f"/rules/economy/gather: found null, {WHOLE}",
        ),
        (
            {"rules": numbers(economy=ECONOMY | {"gather": 10})},
            f"/rules/economy/gather: found 10, {WHOLE}",
        ),
        (
            {"rules": numbers(economy=ECONOMY | {"rate": "0.5"})},
            '/rules/economy/rate: found "0.5", expected a number from 0 to 1',
        ),
        (
            {"rules": numbers(economy=ECONOMY | {"gather": 5})},
            "/rules/economy: gather 5 is above limit 4",
        ),
        (
            {"rules": numbers(start=[3, 31])},
            "/rules/start/1: found 31, expected a whole number from 0 to 30",
        ),
        ({"rules": numbers(start=[3])}, "/rules/start: found a list of 1, expected a list of 2"),
        (
            {"rules": numbers(levels=[{"cost": 1}] * 4)},
            "/rules/levels: found a list of 4, expected a list of 0 to 3",
        ),
        (
            {"rules": numbers(judge="seige")},
            (
                '/rules/judge: found "seige", expected one of "siege", "draw" '
                "(did you mean 'siege'?)"
            ),
        ),
        ({"rules": numbers(fair=1)}, "/rules/fair: found 1, expected true or false"),
    ],
)
def test_a_fault_is_named_in_one_line(write, changes, line):
    path = write(**changes)
    assert refusal(load, path, Toy, "toy") == f"{path} {line}"


def test_a_file_is_named_after_its_version(write):
    path = write("0.2")
    path = path.rename(path.with_name("0.1.json"))
    line = f'{path} /version: found "0.2", expected "0.1" as in the file\'s name'
    assert refusal(load, path, Toy, "toy") == line


def test_a_key_of_the_file_may_not_be_missing(write):
    path = write()
    data = json.loads(path.read_text())
    for key in ("schema", "game", "version", "why", "rules"):
        path.write_text(json.dumps({name: data[name] for name in data if name != key}))
        assert refusal(load, path, Toy, "toy").startswith(f"{path} /{key}: found nothing, expected")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", ": found an empty file, expected a document"),
        (b"\xef\xbb\xbf{}", ": found a byte order mark, expected UTF-8 without one"),
        (b'{\n"\xff": 1}', ":2: found byte 0xff, expected UTF-8 text"),
        (b'{"schema": 1,}', ":1:14: found broken JSON"),
        (b'{"schema": 1, "schema": 2}', " /schema: found this key twice, expected it once"),
        (b"3", ": found 3, expected an object"),
    ],
)
def test_a_file_that_is_no_document(tmp_path, content, line):
    path = tmp_path / "0.1.json"
    path.write_bytes(content)
    assert refusal(load, path, Toy, "toy").startswith(f"{path}{line}")


def test_a_file_that_is_not_there(tmp_path):
    path = tmp_path / "0.1.json"
    assert refusal(load, path, Toy, "toy").startswith(f"{path}: found no such file")
    assert refusal(load, tmp_path, Toy, "toy").startswith(f"{tmp_path}: found is a directory")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*NUMBERS, *ECONOMY, "cost", "x"]), inner)
    ),
    max_leaves=15,
)


@given(st.dictionaries(st.sampled_from(list(NUMBERS)), JSON), st.sampled_from(list(NUMBERS)))
def test_random_rules_are_read_or_refused(tmp_path_factory, changes, dropped):
    path = tmp_path_factory.mktemp("toy") / "0.1.json"
    kept = {key: value for key, value in NUMBERS.items() if key != dropped}
    head = {"schema": 1, "game": "toy", "version": "0.1", "why": "Because."}
    path.write_text(json.dumps(head | {"rules": kept | changes}))
    with suppress(BadInput):
        load(path, Toy, "toy")


# --- versions, variants, descent ---


def test_a_variant_is_its_base_and_its_differences(write):
    base = write(assumed=[{"at": "/start", "why": "One."}])
    differences = {"economy": {"gather": 2}, "levels": [{"cost": 1}]}
    assumed = [{"at": "README 4.1", "why": "Two."}]
    path = write("0.1-quick", variant_of="0.1", rules=differences, assumed=assumed)
    quick = load(path, Toy, "toy")
    assert diff(load(base, Toy, "toy"), quick) == [
        ("/economy/gather", 1, 2),
        ("/levels", [{"cost": 5, "bonus": 0}, {"cost": 9, "bonus": 0}], [{"cost": 1, "bonus": 0}]),
    ]
    assert [row.why for row in quick.assumed] == ["One.", "Two."]
    assert (quick.version, quick.variant_of) == ("0.1-quick", "0.1")


def test_a_fault_of_a_variant_or_its_base_names_the_right_file(write):
    base = write()
    variant = write("0.1-quick", variant_of="0.1", rules={"economy": {"gather": 5}})
    assert (
        refusal(load, variant, Toy, "toy") == f"{variant} /rules/economy: gather 5 is above limit 4"
    )
    write(rules=numbers(fair=0))
    assert refusal(load, variant, Toy, "toy").startswith(f"{base} /rules/fair: found 0")


@pytest.mark.parametrize("link", ["parent", "variant_of"])
def test_circles_of_versions_are_refused(write, link):
    alone = write(**{link: "0.1"})
    assert "found a circle of versions (0.1 -> 0.1)" in refusal(load, alone, Toy, "toy")
    write("0.2", **{link: "0.3"})
    write("0.3", **{link: "0.2"})
    assert "found a circle of versions" in refusal(load, write("0.4", parent="0.2"), Toy, "toy")


def test_a_long_line_of_descent_is_read(write):
    write("0.0")
    for age in range(1, 40):
        write(f"0.{age}", parent=f"0.{age - 1}", variant_of=f"0.{age - 1}", rules={})
    assert load(write("1", parent="0.39"), Toy, "toy").parent == "0.39"


def test_versions_are_listed_by_number_and_found_by_name(write, tmp_path):
    folder = tmp_path / "toy"
    folder.mkdir()
    for version in ("0.10", "0.9-quick", "0.9", "1.0"):
        write(version).rename(folder / f"{version}.json")
    assert rules.versions("toy", tmp_path) == ["0.9", "0.9-quick", "0.10", "1.0"]
    assert rules.load_version("toy", "0.9", Toy, tmp_path).version == "0.9"
    assert refusal(rules.load_version, "toy", "0.9-quik", Toy, tmp_path) == (
        'rules of toy: found "0.9-quik", expected one of 0.9, 0.9-quick, 0.10, 1.0 '
        "(did you mean '0.9-quick'?)"
    )
    assert refusal(rules.versions, "toi", tmp_path).endswith("(did you mean 'toy'?)")


def test_the_folder_of_rules_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAB_RULES", raising=False)
    assert rules.folder() == Path(rules.__file__).parents[1] / "rules"
    (tmp_path / "rules").mkdir()
    assert rules.folder() == Path("rules")
    deep = tmp_path / "notebooks" / "mine"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert rules.folder() == Path(rules.__file__).parents[1] / "rules"  # none above holds any
    (tmp_path / "rules" / "toy").mkdir()
    write_toy(tmp_path / "rules" / "toy")
    assert rules.folder() == tmp_path / "rules"
    monkeypatch.setattr(rules, "__file__", str(deep / "lab" / "rules.py"))
    shutil.rmtree(tmp_path / "rules")
    assert (
        refusal(rules.folder) == "rules: found no folder rules, expected the folder of rules files"
    )
    packed = deep / "lab" / rules.PACKED / "toy"
    packed.mkdir(parents=True)
    write_toy(packed)
    assert rules.folder() == packed.parent
    monkeypatch.setenv("LAB_RULES", str(tmp_path))
    assert rules.folder() == tmp_path
    monkeypatch.setenv("LAB_RULES", "nowhere")
    assert refusal(rules.folder) == (
        "LAB_RULES: found no folder nowhere, expected the folder of rules files"
    )
