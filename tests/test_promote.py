import json
from shutil import copy

import pytest

from lab.catalog import load_rules
from lab.publish import promote as promotion
from lab.publish.promote import promote
from lab.rules import diff, folder, versions
from tests.runs import CHANGES, run_folder
from tests.toy import refusal

WHY = "Both seats are equally good."


@pytest.fixture
def landed(tmp_path, monkeypatch):
    """A folder of the first rules and their variant, into which versions may land."""
    place = tmp_path / "rules" / "ants"
    place.mkdir(parents=True)
    for version in ("0.3", "0.3-quick"):
        copy(folder() / "ants" / f"{version}.json", place)
    monkeypatch.setenv("LAB_RULES", str(tmp_path / "rules"))
    return place


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
    assert "found a run that was not confirmed" in refusal(promote, run, "0.4", WHY)
    (run / "confirm.json").unlink()
    assert "found an unfinished sweep" in refusal(promote, run, "0.4", WHY)
    (run / "sensitivity.json").touch()
    assert "found a sensitivity study, expected a" in refusal(promote, run, "0.4", WHY)
    assert names(landed) == before


def test_a_run_that_recommends_the_rules_as_they_are_lands_nothing(landed, run):
    before = names(landed)
    found = json.loads((run / "confirm.json").read_text()) | {"chosen": 0}
    (run / "confirm.json").write_text(json.dumps(found))
    assert promote(run, "0.4", WHY) == []
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
