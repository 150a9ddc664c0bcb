"""Drafts: numbers in work, by hand or from what a sweep has confirmed."""

import json

import pytest

from lab.catalog import load_file, load_rules
from lab.publish.draft import pick
from lab.rules import diff
from tests.runs import CHANGES, CHOSEN, run_folder
from tests.verbs import out, refusal

PICKED = [(pointer, *both) for pointer, both in CHANGES.items()]


@pytest.fixture
def run(few, tmp_path):
    """A run with a second candidate, one of whose targets does not hold."""
    folder = run_folder(tmp_path / "run")
    found = json.loads((folder / "confirm.json").read_text())
    other = json.loads(json.dumps(found["candidates"][0])) | {"number": 31, "holds": False}
    other["targets"][0]["holds"] = False
    found["candidates"].append(other)
    (folder / "confirm.json").write_text(json.dumps(found))
    return folder


@pytest.fixture
def path(tmp_path):
    return tmp_path / "work" / "mine.json"


@pytest.fixture(autouse=True)
def work(tmp_path):
    (tmp_path / "work").mkdir()


def test_a_draft_is_a_version_with_other_numbers(few, path):
    words = ("--set", "/turn/round_cap=30", "--set", "/march/movement=free")
    said = out("rules", "draft", "ants", "--from", "0.3", *words, "--out", path)
    draft, parent = load_file(path), load_rules("ants", "0.3")
    assert said == f"{path}: ants 0.3 with 2 numbers changed, fingerprint {draft.fingerprint}\n"
    assert diff(parent, draft) == [
        ("/turn/round_cap", 40, 30),
        ("/march/movement", "anchor", "free"),
    ]
    assert (draft.version, draft.parent, draft.why) == ("mine", "0.3", "draft")
    assert {row.at for row in parent.assumed} - {row.at for row in draft.assumed} == {
        "/march/movement"
    }


def test_a_draft_is_read_wherever_rules_are(few, path):
    out("rules", "draft", "ants", "--set", "/turn/round_cap=30", "--out", path)
    assert "fingerprint" in out("rules", "validate", path)
    assert out("rules", "diff", "ants", "0.3", path).split()[-2:] == ["40", "30"]
    assert "/turn/round_cap" in out("rules", "show", "ants", "--rules", path)
    assert "Round 30 is over" in out("rulebook", "ants", "--rules", path)
    games = ("--rules", path, "--games", 20, "--seed", 1, "--json")
    assert json.loads(out("simulate", "ants", *games))["rules"] == "mine"


def test_a_variant_is_drafted_whole(few, path):
    out("rules", "draft", "ants", "--from", "0.3-quick", "--out", path)
    draft, parent = load_file(path), load_rules("ants", "0.3-quick")
    assert diff(parent, draft) == []
    assert (draft.parent, draft.variant_of, draft.assumed) == ("0.3-quick", None, parent.assumed)


@pytest.mark.parametrize("name", ["", ":recommended", f":{CHOSEN}", f":no. {CHOSEN}"])
def test_what_a_sweep_has_confirmed_is_picked_by_its_name(run, path, name):
    out("rules", "draft", "ants", "--from", "0.3", "--pick", f"{run}{name}", "--out", path)
    assert diff(load_rules("ants", "0.3"), load_file(path)) == PICKED


def test_a_number_may_be_set_on_top_of_a_pick(run, path):
    words = ("--pick", run, "--set", "/start/resources/1=5", "--set", "/turn/ap=4")
    assert "with 3 numbers changed" in out("rules", "draft", "ants", *words, "--out", path)
    assert set(diff(load_rules("ants", "0.3"), load_file(path))) == {
        ("/start/resources/1", 4, 5),
        ("/turn/ap", 3, 4),
        ("/units/soldier/cost", 2, 3),
    }


def test_the_overrides_of_an_experiment_come_along(run):
    text = (run / "experiment.toml").read_text()
    new = '[overrides]\n"/turn/ap" = 4\n\n[space]'
    (run / "experiment.toml").write_text(text.replace("[space]", new))
    rules = load_rules("ants", "0.3").override({"/turn/ap": 4})
    (run / "rules.json").write_text(rules.json())
    new = {pointer: value for pointer, (_, value) in CHANGES.items()}
    assert pick(str(run)).changes == {"/turn/ap": 4} | new


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "--pick RUN:31",
            "candidate 31, which was not confirmed (first_score), expected one whose",
        ),
        (
            "--pick RUN:56",
            '"56", which was not played again on fresh games, expected one of recomm',
        ),
        ("--pick RUN:recomended", "(did you mean 'recommended'?)"),
        ("--pick RUN:0", 'candidate "0", which was not played again'),
        ("--pick none", "none"),
        ("--pick RUN --from 0.3-quick", "--from: found 0.3-quick, expected 0.3, as in the run"),
        ("--from 0.33", "(did you mean '0.3'?)"),
        ("--set /turn/app=3", "(did you mean '/turn/ap'?)"),
        ("--set /turn/ap=300", "/turn/ap: found 300"),
        ("--set /turn/ap=3 --set /turn/ap=4", "found /turn/ap twice"),
        ("--out mine.txt", "found a name that no rules file has, expected NAME.json"),
        ("--out -x.json", "found a name that no rules file has"),
        ("--out RULES/mine.json", "found the folder of landed versions, expected a draft anywhere"),
    ],
)
def test_what_cannot_be_drafted_is_refused(run, few, path, monkeypatch, words, line):
    monkeypatch.chdir(path.parent)
    words = words.replace("RUN", str(run)).replace("RULES", str(few)).split()
    words += [] if "--out" in words else ["--out", path]
    before = sorted(few.rglob("*"))
    assert line in refusal("rules", "draft", "ants", *words)
    assert list(path.parent.iterdir()) == []
    assert sorted(few.rglob("*")) == before


def test_the_run_of_another_game_is_refused(run, path):
    line = "a run of ants, expected junqi"
    assert line in refusal("rules", "draft", "junqi", "--pick", run, "--out", path)


def test_what_was_refused_by_its_sweep_is_no_draft(few, tmp_path, path):
    run = run_folder(tmp_path / "refused", confirmed=False)
    for name in ("", f":{CHOSEN}"):
        words = ("--pick", f"{run}{name}", "--out", path)
        assert "not confirmed" in refusal("rules", "draft", "ants", *words)
    assert not path.exists()
