"""The rulebooks that lie beside the rules."""

import re

import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.publish import books
from lab.report.rulebook import languages, rulebook
from lab.rules import folder, versions
from tests.test_rulebook import assert_tidy
from tests.verbs import refusal, run

every_book = pytest.mark.parametrize(
    ("name", "version", "language"),
    [
        (name, version, language)
        for name in GAMES
        for version in versions(name)
        for language in languages(load_game(name))
    ],
)


def landed(name, version, language):
    path = folder() / name / "rulebook" / f"{version}.{language}.md"
    return path.read_text(encoding="utf-8")


def anchors(text):
    headings = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each).lower().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("name", GAMES)
def test_none_is_stale_and_none_is_nobodys(name):
    assert list(books.stale(load_game(name))) == []
    assert books.strays(load_game(name)) == []


@every_book
def test_each_says_first_what_it_was_made_from(name, version, language):
    rules = load_rules(name, version)
    title, origin, *_ = landed(name, version, language).split("\n\n")
    assert title.startswith("# ")
    for part in (f"`{name}/{version}.json`", f"**{version}**", f"`{rules.fingerprint}`"):
        assert part in origin
    assert re.search(rf"{name},? (version|버전) {load_game(name).version}\.", origin)
    assert "nverified" not in origin


@every_book
def test_every_link_leads_to_a_chapter(name, version, language):
    text = landed(name, version, language)
    links = re.findall(r"\]\(([\w.-]*)#(.+?)\)", text)
    assert len(links) >= 12
    for page, anchor in links:
        other = landed(name, page.removesuffix(f".{language}.md"), language) if page else text
        assert anchor in anchors(other), (page, anchor)


@every_book
def test_a_variant_shows_the_chapters_that_differ_whole(name, version, language):
    rules, text = load_rules(name, version), landed(name, version, language)
    assert_tidy(text)
    whole = rulebook(load_game(name), rules, language)
    if rules.variant_of is None:
        assert text == whole
        return
    own, base = (
        set(re.split(r"(?=^## )", page, flags=re.MULTILINE)[1:])
        for page in (whole, landed(name, rules.variant_of, language))
    )
    shown = re.split(r"(?=^## )", re.sub(r"\]\([\w.-]+#", "](#", text), flags=re.MULTILINE)[1:]
    assert {chapter.strip() for chapter in shown} == {chapter.strip() for chapter in own - base}
    assert len(text) < 0.6 * len(whole)


@pytest.mark.parametrize("name", GAMES)
def test_both_languages_have_the_same_chapters_terms_and_open_places(name):
    def shape(language):
        text = rulebook(load_game(name), load_rules(name), language)
        *_, glossary, appendix = re.split(r"^## ", text, flags=re.MULTILINE)
        links = sorted(re.findall(r"^- \*\*.+:\*\* .+\(\[(\d+)\]\(#.+\)\)", glossary, re.MULTILINE))
        return text.count("\n## "), links, re.findall(r"^\| (`.+?`) \|", appendix, re.MULTILINE)

    en, ko = shape("en"), shape("ko")
    assert en == ko
    assert len(en[1]) >= 12
    assert [f"`{row.at}`" for row in load_rules(name).assumed] == en[2]


def test_what_is_assumed_stands_with_its_value():
    text = rulebook(load_game("ants"), load_rules("ants").override({"/march/cells": 2}), "en")
    assert "| `/march/cells` | `2` | 1 is the rulebook's; more is so many" in text
    text = rulebook(load_game("wargambit"), load_rules("wargambit"), "ko")
    assert "| `/shop/tier` | `pawn 1, lance 1, scout 1, cannon 2, knight 1," in text


# --- the verb -----------------------------------------------------------------------------------


def test_a_stale_page_is_named_and_written(few):
    assert run("rulebook", "ants", "--check").exit_code == 1
    done = run("rulebook", "ants", "--land")
    assert done.exit_code == 0
    pages = [
        few / "rulebook" / f"{v}.{lang}.md" for v in ("0.3", "0.3-quick") for lang in ("en", "ko")
    ]
    assert done.stdout.split() == list(map(str, pages))
    done = run("rulebook", "ants", "--check")
    assert (done.exit_code, done.stdout) == (0, "")
    path = few / "0.3.json"
    path.write_text(path.read_text().replace('"round_cap": 40', '"round_cap": 41'))
    pages[3].write_text("other")
    done = run("rulebook", "ants", "--check")
    assert done.exit_code == 1
    assert [line.split(": stale")[0] for line in done.stdout.splitlines()] == list(map(str, pages))


def test_a_page_of_no_version_is_named_and_left(few):
    run("rulebook", "ants", "--land")
    stray = few / "rulebook" / "0.9.en.md"
    stray.write_text("# Ants\n")
    for word in ("--check", "--land"):
        done = run("rulebook", "ants", word)
        assert (done.exit_code, done.stdout) == (1, f"{stray}: no landed version is called so\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--check --land", "--land: found --check too, expected one of the two"),
        ("ants --check --rules 0.3", "--check: found --rules, expected every landed version"),
        ("ants --placeholders --out x.md", "--placeholders: found --out too, expected one of the"),
        ("", "game: found nothing, expected one of ants,"),
        ("ant --check", "(did you mean 'ants'?)"),
    ],
)
def test_what_does_not_go_together_is_refused(words, line):
    assert line in refusal("rulebook", *words.split())
