import json
import os
from shutil import copy

import pytest

from lab.catalog import load_game, load_rules
from lab.experiment.banks import seed_of
from lab.publish import promote as promotion
from lab.publish.books import stale
from lab.publish.draft import write_draft
from lab.publish.promote import Refusal, promote
from lab.rules import diff, versions
from tests.madeup import SEAT as SEATS
from tests.madeup import WINS, asked
from tests.runs import CHANGES, CHOSEN, run_folder
from tests.test_rulebook import body, chosen, shows
from tests.toy import refusal
from tests.verbs import run as cli

WHY = "Both seats are equally good."


@pytest.fixture
def landed(few):
    return few


@pytest.fixture
def run(tmp_path):
    return run_folder(tmp_path / "run")


def names(place):
    return {path.name for path in place.iterdir()}


def test_a_confirmed_change_lands_as_a_version(landed, run):
    paths = promote(run, "0.4", WHY)
    assert paths[0] == landed / "0.4.json"
    old, new = load_rules("ants", "0.3"), load_rules("ants", "0.4")
    assert diff(old, new) == [(pointer, *both) for pointer, both in CHANGES.items()]
    assert (new.parent, new.why, new.variant_of) == ("0.3", WHY, None)
    assert new.json() == paths[0].read_text()


def test_variants_are_carried_over_with_their_own_differences(landed, run):
    promote(run, "0.4", WHY)
    old, new = load_rules("ants", "0.3-quick"), load_rules("ants", "0.4-quick")
    assert (new.variant_of, new.parent, new.why) == ("0.4", "0.3-quick", old.why)
    assert new.value("/turn/round_cap") == old.value("/turn/round_cap")
    assert diff(load_rules("ants", "0.4"), new) == diff(load_rules("ants", "0.3"), old)
    whole = json.loads((landed / "0.4-quick.json").read_text())
    assert whole["rules"] == json.loads((landed / "0.3-quick.json").read_text())["rules"]


def test_rulebooks_and_a_change_list_land_beside_it(landed, run):
    before = names(landed)
    promote(run, "0.4", WHY)
    assert names(landed) - before == {
        "0.4.json",
        "0.4-quick.json",
        "0.4.changes.md",
        "rulebook",
    }
    assert names(landed / "rulebook") == {
        f"{version}.{language}.md" for version in ("0.4", "0.4-quick") for language in ("en", "ko")
    }
    assert versions("ants") == ["0.3", "0.3-quick", "0.4", "0.4-quick"]
    changes = (landed / "0.4.changes.md").read_text()
    assert "| `/start/resources/1` | 4 | 6 | resources |" in changes
    assert "| first_score (mirrors) | 0.48 to 0.52 | 0.572 [" in changes
    assert WHY in changes


def test_what_was_decided_is_no_longer_assumed(landed, run):
    found = json.loads((run / "confirm.json").read_text())
    for candidate in found["candidates"]:
        candidate["changes"]["/board/mirror_second"] = [False, True]
    (run / "confirm.json").write_text(json.dumps(found))
    promote(run, "0.4", WHY)
    before = [row.at for row in load_rules("ants", "0.3").assumed]
    after = [row.at for row in load_rules("ants", "0.4").assumed]
    assert [at for at in before if at not in after] == ["/board/mirror_second"]


@pytest.mark.parametrize(
    ("version", "why", "line"),
    [
        ("../0.4", WHY, 'version: found "../0.4", expected a word that matches'),
        ("0.3", WHY, "0.3.json: found a file, expected a version that has not landed"),
        ("0.4", " ", "why: found nothing, expected a sentence that says why"),
    ],
)
def test_a_bad_name_or_no_reason_is_refused(landed, run, version, why, line):
    before = names(landed)
    assert line in refusal(promote, run, version, why)
    assert names(landed) == before


def test_a_run_that_was_not_confirmed_is_refused(landed, tmp_path):
    before = names(landed)
    run = run_folder(tmp_path / "refused", confirmed=False)
    assert "found a run that fresh games have not confirmed" in refusal(promote, run, "0.4", WHY)
    (run / "confirm.json").unlink()
    assert "found an unfinished sweep" in refusal(promote, run, "0.4", WHY)
    (run / "sensitivity.json").touch()
    assert "found a sensitivity study, expected a" in refusal(promote, run, "0.4", WHY)
    assert names(landed) == before


def test_a_run_that_recommends_the_rules_as_they_are_lands_nothing(landed, run):
    before = names(landed)
    found = json.loads((run / "confirm.json").read_text()) | {"chosen": 0}
    (run / "confirm.json").write_text(json.dumps(found))
    with pytest.raises(Refusal, match=r"^no change needed: 0\.3 meets the targets as it is$"):
        promote(run, "0.4", WHY)
    assert names(landed) == before


def test_a_baseline_that_is_no_longer_the_runs_is_refused(landed, run):
    path = landed / "0.3.json"
    path.write_text(path.read_text().replace('"round_cap": 40', '"round_cap": 41'))
    assert "0.3.json: found other numbers than in the run" in refusal(promote, run, "0.4", WHY)


def test_all_files_land_or_none(landed, run, monkeypatch):
    before = names(landed)
    write = promotion.write_text

    def break_at_the_last(path, text):
        if path.suffixes[-2:] == [".changes", ".md"]:
            raise OSError("disk full")
        write(path, text)

    monkeypatch.setattr(promotion, "write_text", break_at_the_last)
    with pytest.raises(OSError, match="disk full"):
        promote(run, "0.4", WHY)
    assert names(landed) == before


@pytest.mark.parametrize("version", ["0.4.json", "../x", "", "0.4/x", "0.4\n", "a" * 65])
def test_a_word_that_could_not_be_asked_for_is_no_version(landed, run, version):
    before = names(landed)
    assert "version: found" in refusal(promote, run, version, WHY)
    assert names(landed) == before


def test_a_promotion_that_was_killed_is_gone_on_with(landed, run):
    paths = promote(run, "0.4", WHY)
    whole = {path: path.read_bytes() for path in paths}
    for path in paths[1::2]:
        path.unlink()
    assert promote(run, "0.4", WHY) == paths
    assert {path: path.read_bytes() for path in paths} == whole
    paths[0].unlink()
    paths[-1].write_text("other")
    assert "expected a version that has not landed" in refusal(promote, run, "0.4", WHY)


def test_a_verdict_that_somebody_cut_is_no_reason(landed, run):
    path = run / "confirm.json"
    verdict = json.loads(path.read_text())
    del verdict["candidates"]
    path.write_text(json.dumps(verdict))
    assert "found a damaged run" in refusal(promote, run, "0.4", WHY)


# --- drafts, and targets ------------------------------------------------------------------------

SEAT = """
question = "Is ants fair for both seats?"
game = "ants"
rules = "0.3"
seed = 11

[space]
"/start/resources/0" = { low = 1, high = 3 }

[[matchups]]
mirror = "rush"

[[targets]]
name = "seats"
metric = "first_score"
matchup = "rush mirror"
band = [0.47, 0.52]
"""


@pytest.fixture
def seat(tmp_path):
    path = tmp_path / "seat.toml"
    path.write_text(SEAT)
    return path


@pytest.fixture
def draft(landed, tmp_path):
    """A draft that does what `seat` asks for; another pointer makes one that does not."""

    def drafted(changes=None, name="draft"):
        path = tmp_path / f"{name}.json"
        write_draft(path, load_rules("ants", "0.3"), changes or {"/start/resources/0": 1})
        return path

    return drafted


def tried(*words):
    return cli("rules", "promote", *words, "--version", "0.4", "--why", WHY)


@pytest.mark.usefixtures("quiet")
def test_a_draft_that_meets_the_targets_lands(landed, draft, seat):
    done = tried(draft(), "--targets", seat)
    assert (done.exit_code, done.stderr) == (0, "")
    new = load_rules("ants", "0.4")
    assert diff(load_rules("ants", "0.3"), new) == [("/start/resources/0", 3, 1)]
    assert (new.parent, new.why, new.unverified) == ("0.3", WHY, False)
    assert len(done.stdout.splitlines()) == 7
    changes = (landed / "0.4.changes.md").read_text()
    bank = seed_of(11, "promote", new.fingerprint)
    assert f"played the games of seed {bank}, which no search has seen" in changes
    row = next(line for line in changes.splitlines() if line.startswith("| seats (rush mirror) |"))
    before, after = row.split("|")[3:5]
    assert "FAIL" in before
    assert "PASS" in after
    again = tried(draft(), "--targets", seat)
    assert (again.exit_code, again.stdout) == (2, "")
    assert "expected a version that has not landed" in again.stderr


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    ("changes", "games", "band", "status", "line"),
    [
        ({"/siege/turns": 3}, 60_000, "0.47, 0.52", 1, "found FAIL on seats (wanted 47% to 52%, f"),
        ({"/start/resources/0": 1}, 64, "0.47, 0.52", 3, "found UNDECIDED on seats (wanted 47% t"),
        ({"/siege/turns": 3}, 60_000, "0.3, 0.7", 4, "no change needed: 0.3 meets the targets as"),
    ],
)
def test_a_draft_that_does_not_is_refused_by_its_targets(
    landed, draft, seat, changes, games, band, status, line
):
    seat.write_text(SEAT.replace("0.47, 0.52", band))
    before = names(landed)
    done = tried(draft(changes), "--targets", seat, "--games", games)
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.startswith("lab: ")
    assert done.stderr.count("\n") == 1
    assert line in done.stderr
    assert names(landed) == before


def test_only_the_targets_that_miss_are_named(made_up, landed, draft, tmp_path):
    other = WINS.replace("0.4, 0.44", "0.6, 0.7") + 'name = "wins"\n'
    experiment = asked(tmp_path, SEATS, other)
    with pytest.raises(
        Refusal, match=r"^short: found FAIL on wins \(wanted 60% to 70%, .*written$"
    ):
        promote(draft(), "0.4", WHY, experiment)


def test_each_draft_meets_games_of_its_own(made_up, landed, draft, tmp_path):
    experiment = asked(tmp_path, WINS.replace("0.4, 0.44", "0.6, 0.7"))
    banks = []

    def play(run):
        banks.append(run.bank)
        run.play()

    for rounds in (30, 31, 30):
        with pytest.raises(Refusal):
            promote(draft({"/turn/round_cap": rounds}), "0.4", WHY, experiment, play=play)
    assert banks[0] == banks[1] == banks[4] == banks[5] != banks[2] == banks[3]
    assert not set(banks) & {seed_of(5, purpose) for purpose in ("verify", "confirm", "search")}


def test_a_candidate_is_verified_again_where_targets_are_named(made_up, landed, run, tmp_path):
    experiment = asked(tmp_path, WINS.replace("0.4, 0.44", "0.6, 0.7"))
    before = names(landed)
    with pytest.raises(Refusal, match="FAIL on first_win"):
        promote(f"{run}:{CHOSEN}", "0.4", WHY, experiment)
    assert names(landed) == before
    assert promote(f"{run}:{CHOSEN}", "0.4", WHY)[0] == landed / "0.4.json"


def test_what_nothing_speaks_for_says_so(landed, draft):
    done = tried(draft({"/siege/turns": 3}), "--unverified")
    assert done.exit_code == 0
    assert json.loads((landed / "0.4.json").read_text())["unverified"] is True
    for version in ("0.4", "0.4-quick"):
        assert load_rules("ants", version).unverified
        assert "Unverified" in (landed / "rulebook" / f"{version}.en.md").read_text()
        assert "unverified" in (landed / "rulebook" / f"{version}.ko.md").read_text()
    assert "**Unverified:**" in (landed / "0.4.changes.md").read_text()
    assert "0.3, unverified" in cli("rules", "list", "ants").stdout
    assert f"unverified: {WHY}" in cli("rules", "show", "ants", "--rules", "0.4").stdout
    assert cli("rulebook", "ants", "--check").stdout.count("/0.3") == 4  # not yet landed here


def test_an_assumption_in_new_words_stays(landed, draft):
    path = draft({"/march/cells": 2, "/cap/judgement": "draw"})
    file = json.loads(path.read_text())
    file["assumed"].append({"at": "/march/cells", "why": "2 is a guess."})
    path.write_text(json.dumps(file))
    promote(path, "0.4", WHY, unverified=True)
    assumed = {row.at: row.why for row in load_rules("ants", "0.4").assumed}
    assert assumed["/march/cells"] == "2 is a guess."
    assert "/cap/judgement" not in assumed


def test_a_draft_alone_or_of_nothing_is_refused(landed, draft, seat, tmp_path):
    before = names(landed)
    line = "draft.json: found a draft alone, expected --targets, or --unverified"
    assert line in refusal(promote, draft(), "0.4", WHY)
    same = draft({"/turn/ap": 3}, "same")
    assert "found the rules of 0.3 themselves" in refusal(promote, same, "0.4", WHY, seat)
    line = "--unverified: found --targets too, expected one of the two"
    assert line in refusal(promote, draft(), "0.4", WHY, seat, True)
    file = json.loads(draft().read_text()) | {"version": "orphan", "parent": None}
    orphan = tmp_path / "orphan.json"
    orphan.write_text(json.dumps(file))
    assert "found no parent, expected a draft of" in refusal(promote, orphan, "0.4", WHY, seat)
    assert "version: found" in refusal(promote, draft(), "0.4.json", WHY, seat)
    assert "0.3.json: found a file, expected" in refusal(promote, draft(), "0.3", WHY, seat)
    assert "found no such file" in refusal(promote, "none.json", "0.4", WHY, seat)
    assert names(landed) == before


def test_targets_of_another_game_are_refused(landed, draft):
    other = landed.parent / "junqi"
    other.mkdir()
    copy("rules/junqi/1.0.json", other)
    line = refusal(promote, draft(), "0.4", WHY, "experiments/junqi-draw-rule.toml")
    assert "/game: found 'junqi', expected 'ants'" in line


def test_a_stop_lands_nothing(made_up, landed, draft, tmp_path):
    def stop(run):
        run.stopped = True

    before = names(landed)
    with pytest.raises(KeyboardInterrupt, match="nothing was written"):
        promote(draft(), "0.4", WHY, asked(tmp_path, SEATS), play=stop)
    assert names(landed) == before


def test_a_run_whose_baseline_holds_needs_no_candidate(landed, run):
    found = json.loads((run / "confirm.json").read_text())
    found["baseline"]["holds"] = True
    (run / "confirm.json").write_text(json.dumps(found))
    with pytest.raises(Refusal, match="no change needed"):
        promote(f"{run}:{CHOSEN}", "0.4", WHY)


STEP = 1 if os.environ.get("LAB_PROOF") else 6
"""Of so many numbers one is changed in CI."""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_rulebook_of_a_version_follows_its_numbers(landed, draft, language):
    promote(draft({"/start/resources/0": 1, "/pheromone/decay": 1}), "0.4", WHY, unverified=True)
    new = load_rules("ants", "0.4")
    page = landed / "rulebook" / f"0.4.{language}.md"
    assert body(new, language).partition("\n\n")[2] in page.read_text()
    hidden = [
        pointer
        for pointer in list(new.pointers())[::STEP]
        if not any(shows(rules, pointer, language) for rules in chosen(new))
    ]
    assert hidden == []
    path = landed / "0.4.json"
    path.write_text(path.read_text().replace('"round_cap": 40', '"round_cap": 39'))
    assert page in stale(load_game("ants"))
