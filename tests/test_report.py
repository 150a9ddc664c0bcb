"""Reports: what they say, that all of it is in the folder, and that a browser shows it well."""

import json
import math
import re
import shutil
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from PIL import Image

from lab import selfplay
from lab.errors import BadInput
from lab.report import pictures, words
from lab.report.build import note, report
from lab.report.charts import Dots, Heat, Histogram, Measured, Strip
from lab.report.figures import draw
from lab.report.markdown import summary
from lab.report.search import facts, judgement, verdict
from lab.report.watching import Match, lead, worth
from lab.sweep import Run, run_sweep
from tests.runs import CHOSEN, SPEC, run_folder

TINY = """\
question = "Does a dearer soldier make random play longer?"
game = "ants"
rules = "0.3-quick"
seed = 3
sampler = "random"
space = {"/units/soldier/cost" = {low = 1, high = 3}}
matchups = [{mirror = "random"}]
targets = [{metric = "length", matchup = "random mirror", band = [0.0, 20.0]}]
budget = {trials = 3, games = 20, top = 1, confirm_games = 40, matrix_games = 20}
"""


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory):
    return run_folder(tmp_path_factory.mktemp("runs") / "confirmed")


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    return run_folder(tmp_path_factory.mktemp("runs") / "refused", confirmed=False)


@pytest.fixture(scope="module")
def page(confirmed):
    return report(confirmed)


# --- what is said -------------------------------------------------------------------------------


def test_the_verdict_names_the_change_and_the_games_it_held_on(confirmed):
    assert verdict(Run(confirmed)) == (
        "Change start resources no. 2 from 4 to 6 and units soldier cost from 2 to 3. "
        "All 6 targets held on 40,000 fresh games that had no part in the choice."
    )


def test_a_refusal_names_the_target_that_fails(refused):
    assert "No setting that was tried meets every target." in verdict(Run(refused))
    assert "fails 1 of 6: draw (wanted at most 15%, found 18.0% to 18.8%)" in verdict(Run(refused))


def test_sections_come_in_reading_order(confirmed):
    names = [section.name for section in facts(Run(confirmed)).sections]
    assert names[:5] == ["change", "targets", "tried", "fewest", "space"]
    assert names[5:11] == ["matchups", "draws", "lengths", "endings", "curves", "skills"]
    assert names[11:] == ["manifest", "assumed", "reading"]


def sections_of(folder):
    return {section.name: section for section in facts(Run(folder)).sections}


def test_the_change_is_shown_with_the_sentence_of_the_rules(confirmed):
    rows = sections_of(confirmed)["change"].tables[0].rows
    assert rows[1] == (
        "units soldier cost\nBase cost of one more.",
        "2",
        "3",
        "resources",
        "/units/soldier/cost",
    )


def test_targets_carry_band_interval_n_and_distinct_games(confirmed):
    table = sections_of(confirmed)["targets"].tables[0]
    wanted, before, search, fresh = (text.replace("\xa0", " ") for text in table.rows[0][1:5])
    assert wanted == "48% to 52%"
    assert before == "57.2%\n56.7% to 57.7%,\nn = 40,000,\n39,988 distinct"
    assert search == "50.5%\n48.3% to 52.7%,\nn = 2,000,\n1,988 distinct"
    assert fresh == "50.7%\n50.2% to 51.2%,\nn = 40,000,\n39,988 distinct"
    assert table.data["holdout_value"][0] == 0.507


def test_a_refused_run_recommends_nothing(refused):
    sections = sections_of(refused)
    assert sections["change"].title == "The nearest setting"
    assert sections["targets"].title == "Targets: 5 of 6 met"
    assert "recommended" not in sections["tried"].text


@pytest.mark.parametrize(("holds", "text"), [(True, "None: the rules stay"), (False, "None came ")])
def test_a_run_that_changes_nothing_says_so(holds, text, tmp_path):
    folder = run_folder(tmp_path / "same", confirmed=holds)
    found = json.loads((folder / "confirm.json").read_text())
    for candidate in found["candidates"]:
        candidate["changes"] = {}
    (folder / "confirm.json").write_text(json.dumps(found))
    assert sections_of(folder)["change"].text.startswith(text)
    assert "## The " not in summary(facts(Run(folder)))


@pytest.mark.parametrize(
    ("value", "low", "high", "holds", "word"),
    [
        (0.50, 0.49, 0.51, True, "Holds"),
        (0.51, 0.50, 0.53, False, "Not certain"),
        (0.55, 0.54, 0.56, False, "Misses\nby 3.0 points"),
        (0.45, 0.44, 0.46, False, "Misses\nby 3.0 points"),
    ],
)
def test_a_target_is_judged_in_words(value, low, high, holds, word):
    after = Measured(value, low, high, 100, 100, 100)
    strip = Strip("", "", "share", (0.48, 0.52), after, after, after, holds)
    assert judgement(strip).startswith(word)


def test_what_no_game_says_anything_about_is_unknown(tmp_path):
    folder = run_folder(tmp_path / "unknown", confirmed=False)
    found = json.loads((folder / "confirm.json").read_text())
    for candidate in (found["baseline"], *found["candidates"]):
        ends, counts = ("value", "low", "high"), ("n", "distinct", "clusters")
        nothing = dict.fromkeys(ends) | dict.fromkeys(counts, 0)
        aim = candidate["targets"][0]
        aim |= {"search": nothing, "holdout": nothing, "shrinkage": None, "holds": False}
    (folder / "confirm.json").write_text(json.dumps(found))
    table = sections_of(folder)["targets"].tables[0]
    assert table.rows[0][-1].startswith("Unknown")
    assert "found – to –" in verdict(Run(folder))
    assert "first score" in draw(table.strips[0])


def test_a_bar_that_would_flatten_the_rest_is_cut_and_named():
    capped, even = {10: 0.03, 11: 0.04, 40: 0.93}, {10: 0.5, 11: 0.5}
    assert draw(Histogram("", "", "rounds", capped, capped)).count("93.0%") == 2
    assert "50.0%" not in draw(Histogram("", "", "rounds", even, even))


def test_the_winners_curse_is_told(confirmed):
    text = sections_of(confirmed)["tried"].text
    assert "The search tried 76 settings" in text
    assert "moved by 0.2 points" in text


def test_the_fewest_changes_are_told_with_what_fresh_games_said(confirmed):
    (table,) = sections_of(confirmed)["fewest"].tables
    assert [row[:3] for row in table.rows] == [
        ("no. 0", "0", "0"),
        ("no. 12", "1", "2"),
        (f"no. {CHOSEN}", "2", "3"),
    ]
    assert table.rows[1][3:] == ("start resources no. 2: 4 → 6", "0.40", "not played again")
    assert table.rows[2][4:] == ("0.02", "0.00, holds")


def test_a_run_from_before_the_fewest_were_kept_is_still_read(tmp_path):
    folder = run_folder(tmp_path / "run")
    verdict = json.loads((folder / "confirm.json").read_text())
    del verdict["front"]
    (folder / "confirm.json").write_text(json.dumps(verdict))
    assert "fewest" not in sections_of(folder)


def test_space_holds_every_trial(confirmed):
    chart = pictures.space(Run(confirmed))
    assert [axis.values for axis in chart.axes][::4] == [tuple("345678"), ("off", "on")]
    assert len(chart.paths) == len(chart.losses) == 80
    assert chart.chosen == CHOSEN
    assert chart.paths[0] == (1, 0, 1, 1, 0)


def test_a_baseline_beside_the_grid_is_on_the_axis(tmp_path):
    folder = run_folder(tmp_path / "beside")
    spec = (
        (folder / "experiment.toml")
        .read_text()
        .replace("{low = 3, high = 8}", "{low = 5, high = 8}")
    )
    (folder / "experiment.toml").write_text(spec)
    trials = pl.read_parquet(folder / "trials.parquet").filter(
        (pl.col("/start/resources/1") >= 5) | (pl.col("number") == 0)
    )
    trials.write_parquet(folder / "trials.parquet")
    axis = pictures.space(Run(folder)).axes[0]
    assert axis.values == ("4", "5", "6", "7", "8")


def test_rounds_that_few_games_reach_are_not_drawn(confirmed):
    (clock, _) = pictures.curves(Run(confirmed))[0].panels[0].series["first seat"]
    assert (clock[0], clock[-1]) == (1, 31)


def test_survival_falls_from_all_games(confirmed):
    for panel in pictures.curves(Run(confirmed))[-1].panels:
        ((clock, shares),) = panel.series.values()
        assert (clock[0], shares[0]) == (1, 100)
        assert list(shares) == sorted(shares, reverse=True)
        assert shares[-1] < 100


def test_a_seat_that_never_has_any_has_no_line(confirmed, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(confirmed, folder)
    column = Run(confirmed).experiment.game.curves[1]
    quantity = column.removeprefix("second_")
    table = pl.read_parquet(folder / "curves.parquet").with_columns(pl.lit(0.0).alias(column))
    table.write_parquet(folder / "curves.parquet")
    (chart,) = (c for c in pictures.curves(Run(folder)) if c.name == f"curve-{quantity}")
    assert list(chart.panels[0].series) == ["first seat"]


def test_policies_that_cannot_meet_leave_their_cell_empty(confirmed, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(confirmed, folder)
    pairs = pl.read_parquet(folder / "matrix.parquet")
    last = pairs["first"][-1]
    pairs.filter(pl.col("first") != last).write_parquet(folder / "matrix.parquet")
    before, _ = pictures.heats(Run(folder))
    assert before.columns == (*before.rows, last)
    half = pairs.filter(setting="baseline").row(1, named=True)
    assert before.values[0][1] == half["value"]
    assert before.margins[0][1] == pytest.approx((half["high"] - half["low"]) / 2)
    gone = pairs.filter((pl.col("first") != before.rows[0]) | (pl.col("second") != last))
    gone.write_parquet(folder / "matrix.parquet")
    assert math.isnan(pictures.heats(Run(folder))[0].values[0][-1])


@pytest.mark.parametrize(
    ("policies", "wanted"),
    [
        (["economy", "rush"], ["economy", "rush"]),
        (["spend:piece=rook,gold=9", "spend:piece=queen,gold=9"], ["rook", "queen"]),
        (["rush:spread=5,hold=1", "rush:spread=9,hold=1"], ["5", "9"]),
        (["rush", "rush:hold=1"], ["rush", "rush:hold=1"]),
        (["rush:hold=1,few=2", "economy:few=2"], ["rush, hold=1", "economy"]),
        (["rush"], ["rush"]),
    ],
)
def test_only_what_differs_names_a_policy(policies, wanted):
    assert list(words.short(policies).values()) == wanted


def test_skills_are_a_chart_without_the_target_itself(confirmed):
    (chart,) = pictures.skills(Run(confirmed))
    assert chart.names == ("search:playouts=20", "search:playouts=80", "search:playouts=320")
    assert chart.band == (0.48, 0.52)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (words.amount(0.5123, "share"), "51.2%"),
        (words.amount(float("nan"), "share"), "–"),
        (words.amount(18.42, "rounds"), "18.4 rounds"),
        (words.span(18.14, 18.7, "rounds"), "18.1 to 18.7 rounds"),
        (words.band(0, 0.15, "share"), "at most 15%"),
        (words.band(0.3, 1, "share"), "at least 30%"),
        (words.band(0.56, 0.58, "share"), "56% to 58%"),
        (words.band(12, 30, "rounds"), "12 to 30 rounds"),
        (words.setting(True), "on"),
        (words.setting({}), "none"),
        (words.setting(2.0), "2"),
        (words.listing(["a", "b", "c"]), "a, b and c"),
        (words.listing(["a"]), "a"),
    ],
)
def test_words(text, wanted):
    assert text == wanted


# --- what is written ----------------------------------------------------------------------------


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_same_run_gives_the_same_bytes(confirmed, page, tmp_path, monkeypatch):
    monkeypatch.setattr(selfplay, "play", None)  # nothing is played but games to watch
    report(confirmed, tmp_path)
    written = contents(tmp_path)
    assert len(written) > 30
    assert written.items() <= contents(confirmed).items()


def test_the_page_needs_nothing_from_outside(page):
    html = page.read_text()
    assert not re.findall(
        r"""(?:src|href)=["'](?!#|tables/|games/)[^"']*""", re.sub("xlink:href", "", html)
    )
    assert "@import" not in html
    assert not re.findall(r"url\((?!#)", html)


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_every_link_leads_to_a_file(page, name):
    links = re.findall(r"(?:tables|figures|games)/[\w-]+\.\w+", page.with_name(name).read_text())
    assert len(links) > 8
    assert all((page.parent / link).is_file() for link in links)


def test_ids_are_unique(page):
    ids = re.findall(r'<(?:section|g|svg)[^>]* id="([^"]+)"', page.read_text())
    assert len(ids) == len(set(ids)) > 10


def test_every_figure_is_svg_with_a_title(page):
    figures = list((page.parent / "figures").glob("*.svg"))
    assert len(figures) == page.read_text().count("<svg") > 10
    for figure in figures:
        title = ElementTree.parse(figure).getroot().find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.text


def test_markdown_and_page_say_the_same(confirmed, page):
    html, markdown = page.read_text(), page.with_name("report.md").read_text()
    for section in facts(Run(confirmed)).sections:
        assert f"<h2>{section.title}</h2>" in html
        assert f"## {section.title}\n" in markdown


def test_pages_of_games_worth_watching_are_linked(page):
    markdown = page.with_name("report.md").read_text()
    linked = re.findall(
        r"^- \[(\w+)\]\(games/(\w+)\.html(?:#\d+)?\): \w+ against", markdown, re.MULTILINE
    )
    assert linked == [(name.capitalize(), name) for _, name in linked]
    assert [name for _, name in linked] == ["shortest", "median", "longest", "comeback"]
    assert sorted(path.stem for path in (page.parent / "games").iterdir()) == sorted(
        name for _, name in linked
    )


def matched(lead, length, plies, index):
    row = {"length": length, "plies": plies}
    return Match(None, "a", "b", 0, index, row, lead, 3)


def test_worth_watching_are_the_ends_the_middle_and_who_came_back():
    games = [matched(0.1, 9, 30, 0), matched(-0.2, 9, 31, 1), matched(-0.4, 5, 9, 2)]
    found = worth([*games, matched(0.0, 12, 40, 3)])
    assert {name: match.game for name, match in found.items()} == {
        "shortest": 2,
        "median": 1,
        "longest": 3,
        "comeback": 2,
    }
    assert "comeback" not in worth(games[:1])


def test_a_lead_is_over_all_quantities_of_the_second_half():
    # The clock counts from 1; columns: games, first's and second's gold, first's and second's men.
    sums = np.array([[0] * 5, [1, 0, 9, 0, 9], [1, 1, 9, 5, 5], [1, 1, 3, 0, 0], [1, 4, 4, 0, 2]])
    assert lead(sums, 0) == (-0.5, 4)
    assert lead(sums, 1) == (0.25, 3)
    assert lead(sums, 2) == (0.0, 0)


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(BadInput, match=r"confirm\.json|experiment\.toml"):
        report(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_sweep_that_was_stopped_is_refused(confirmed, tmp_path):
    folder = shutil.copytree(confirmed, tmp_path / "run")
    (folder / "confirm.json").unlink()
    with pytest.raises(BadInput, match=r"found an unfinished sweep, expected a finished one"):
        report(folder)


def test_the_result_goes_beside_the_experiment(confirmed, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    specs = tmp_path / "experiments"
    specs.mkdir()
    (specs / "seats.toml").write_text(SPEC)
    (specs / "other.toml").write_text(SPEC + "\n# another question\n")
    note(facts(Run(refused)), SPEC)
    assert "**Refused.**" in (specs / "seats.md").read_text()
    note(facts(Run(confirmed)), SPEC)
    note(facts(Run(refused)), SPEC)
    text = (specs / "seats.md").read_text()
    assert "**Confirmed.** Change start resources no. 2 from 4 to 6" in text
    assert len(text.splitlines()) < 40
    assert not (specs / "other.md").exists()


def test_a_real_sweep_is_reported(tmp_path):
    (tmp_path / "tiny.toml").write_text(TINY)
    run = run_sweep(tmp_path / "tiny.toml", tmp_path / "run")
    written = report(run.folder)
    assert verdict(run) in written.with_name("report.md").read_text()
    assert sum(pictures.lengths(run).after.values()) == pytest.approx(1)


# --- what is seen -------------------------------------------------------------------------------

FRAME = """<iframe width="{width}" height="900" style="border: 0" srcdoc="{page}" onload="
const page = this.contentDocument.documentElement;
document.body.dataset.widths = page.clientWidth + ' ' + page.scrollWidth;
"></iframe>"""
"""Measures a page at any width; the browser's own window is never narrower than 500."""


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_the_screen(browser, page, tmp_path, width):
    picture = tmp_path / "page.png"
    browser(page, width, f"--screenshot={picture}")
    with Image.open(picture) as image:
        assert image.size[0] == width
        assert len(np.unique(np.asarray(image.convert("L")))) > 50  # not blank

    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.format(width=width, page=escape(page.read_text())))
    assert f'data-widths="{width} {width}"' in browser(frame, 1600, "--dump-dom")


def test_names_of_players_leave_room_for_the_figure():
    names = tuple(f"search:playouts={n}000,inner=greedy,temperature=3" for n in range(1, 6))
    cells = ((0.5,) * len(names),) * len(names)
    assert "±50" in draw(Heat("matrix", "who beats whom", names, names, cells, cells))
    pairs, shares = (
        tuple(f"{name} v {name}" for name in names),
        (Measured(0.5, 0.4, 0.6, 9, 9, 9),) * 5,
    )
    assert "50.0%" in draw(Dots("draw", "draws", "share", pairs, shares, shares, axis="of games"))
