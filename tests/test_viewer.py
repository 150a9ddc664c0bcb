"""Pages to watch games on: they show every position whole, need nothing else, and move."""

import json
import re
from dataclasses import replace
from functools import cache
from html import escape, unescape

import pytest

from lab import viewer
from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.notebook.watch import trace as notebook_trace
from lab.play import trace
from lab.viewer.logs import match
from tests import recorded, verbs
from tests.rulesets import short_rules

HIDDEN = {"junqi", "next_nation"}
"""Games in which a seat does not see all that stands there."""
pytestmark = pytest.mark.usefixtures("quiet")


@cache
def shot(name, view=None):
    """Game 3 of seed 7 on a short game, by the game's own pair."""
    return viewer.game(short_rules(name), *load_game(name).pair, 7, 3, view)


def read(page):
    """The data in a page."""
    return json.loads(re.search(r'<script type="application/json".*?>(.*)</script>', page)[1])


def pictures(data, view):
    """The pictures of a view, put together as the page's script does."""
    marks = []
    for changes in data["pictures"][view]:
        for start, gone, *come in changes:
            marks[start : start + gone] = come
        yield "".join(data["marks"][mark] for mark in marks)


# --- films --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_page_holds_every_picture_and_every_action(name):
    film = shot(name)
    page = viewer.page(film)
    data = read(page)
    for view in range(len(film.views)):
        assert list(pictures(data, view)) == [step.pictures[view] for step in film.steps]
    known, rules = load_game(name), short_rules(name)
    here, actions, _ = trace(known, rules, *known.pair, 7, 3)
    told = [known.view.action_text(here.record, action) for action in actions]
    assert [action for _, _, action, _ in data["steps"]] == ["", *told]
    for action in actions:
        here.play(action)
    curves = [values[-1] for pair in data["numbers"][0] for values in pair]
    assert curves == here.look()[2]
    assert film.steps[-1].pictures[0] == known.view.svg(here.record, here.state, actions[-1])
    assert len(data["marks"]) == len(set(data["marks"]))  # what pictures share is there once


@pytest.mark.parametrize("name", GAMES)
def test_a_page_needs_nothing_from_outside(name):
    page = viewer.page(shot(name))
    assert not re.findall(
        r"<link|<img|@import|\bsrc=|\bhref=|url\((?!#)|https?://(?!www\.w3)", page
    )


@pytest.mark.parametrize("name", GAMES)
def test_seats_have_views_of_their_own_where_something_is_hidden(name):
    seats = ("first sees", "second sees")
    assert shot(name).views == ("everything", *(seats if name in HIDDEN else ()))
    assert shot(name, "both").views == seats
    assert shot(name, "second").views == seats[1:]


def test_an_order_is_not_drawn_to_who_does_not_know_of_it():
    film = shot("next_nation")
    quiet = [
        (before.pictures[2 - after.seat], after.pictures[2 - after.seat])
        for before, after in zip(film.steps[1:], film.steps[2:], strict=False)
        if before.seat == after.seat and after.action != "end"
    ]
    assert len(quiet) > 10
    assert all(before == after for before, after in quiet)


def test_a_match_of_200_days_is_small():
    film = viewer.game(load_rules("next_nation"), "economy", "economy", 7, 4)
    assert film.steps[-1].clock == 200
    assert len(viewer.page(film).encode()) < 1_000_000


def test_words_of_others_are_only_words():
    film = shot("ants")
    page = viewer.page(replace(film, players=("<b>&</script>", "x")))
    assert page.count("</script>") == 2
    assert "&lt;b&gt;&amp;" in page


# --- logs and battles ---------------------------------------------------------------------------


def test_a_recorded_match_is_the_same_page():
    path = recorded.HERE / "bots" / "s1_botJ_botK.log"
    film = match(path, load_rules("next_nation"))
    last = [line for line in path.read_text().splitlines() if line.startswith("DAMAGE")][-1]
    assert any(last in step.note for step in film.steps)
    assert film.end.startswith(path.read_text().splitlines()[-1].removeprefix("RESULT "))


def test_a_match_lost_by_an_illegal_order_says_so():
    film = match(
        recorded.HERE / "edge" / "wa_left_illegal_after_upgrade.log", load_rules("next_nation")
    )
    assert film.steps[-1].note.startswith("not played, an order is illegal: LEFT's ")


def test_a_log_of_other_rules_is_refused(tmp_path):
    path = recorded.HERE / "bots" / "s1_botJ_botK.log"
    with pytest.raises(BadInput, match=r"found day \d+, but .* a log that fits 2026-final"):
        match(path, load_rules("next_nation", "2026-final"))


def test_a_battle_has_a_hint_for_every_move(tmp_path):
    page = tmp_path / "battle.html"
    armies = ("battle", "wargambit", "--white", "q 2p", "--black", "r 3p")
    told = verbs.out(*armies, "--html", page, "--hints", "--depth", 2)
    moves = json.loads(verbs.out(*armies, "--json"))["moves"]
    assert f"{len(moves) + 1} positions" in told
    steps = read(page.read_text())["steps"]
    assert [action for _, _, action, _ in steps] == ["", *moves]
    hints = [note for *_, note in steps[:-1]]
    assert all(re.match(r"Good chess for (White|Black): [a-h][1-8]", hint) for hint in hints)
    assert "--hints beside it" in verbs.refusal(*armies, "--html", page, "--depth", 2)
    assert "--html FILE" in verbs.refusal(*armies, "--hints")
    assert "--json beside --html" in verbs.refusal(*armies, "--html", page, "--json")


# --- the verb -----------------------------------------------------------------------------------

RUN = ("--first", "economy", "--second", "rush", "--seed", 7)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a game of ants as a page, the game as a file, and a table that has it."""
    folder = tmp_path_factory.mktemp("kept")
    files = "--html", folder / "game.html", "--out", folder / "run.json"
    verbs.run("trace", "ants", *RUN, "--game", 3, *files)
    verbs.run("simulate", "ants", *RUN, "--games", "2:5", "--out", folder / "games.parquet")
    return folder


def test_a_game_a_file_and_a_table_give_one_film(kept):
    pages = [(kept / "game.html").read_text()]
    for run in (["run.json"], ["run.json", 3], ["games.parquet", 3]):
        verbs.out("trace", kept / run[0], *run[1:], "--html", kept / "again.html")
        pages.append((kept / "again.html").read_text())
    assert pages[3] == pages[0]
    assert all(read(page) == read(pages[0]) for page in pages)
    assert "lab trace ants --rules 0.3 --first economy --second rush --seed 7 --game 3" in pages[0]
    assert verbs.out("trace", kept / "run.json") == verbs.out("trace", "ants", *RUN, "--game", 3)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("run.json", 4), "run.json: found game 4, expected 3, the one it keeps"),
        (("games.parquet", 5), "games.parquet: found game 5, expected one from 2 to 4"),
        (("games.parquet",), "trace: found no index, expected lab trace "),
        (("none.parquet", 3), "none.parquet: found no such file or directory"),
        (("none.json",), "none.json: found no such file or directory"),
        (("game.html.parquet", 3), "found no table of a run, expected one that"),
        (("games.csv", 3), "found no table of a run, expected one that"),
        (("games.parquet", 3, "--seed", 7), "found --seed beside "),
        (("games.parquet", 3, "--game", 4), "found game 3 and --game 4, expected one of them"),
    ],
)
def test_what_is_no_game_of_a_run_is_refused(kept, words, line):
    for table in ("game.html.parquet", "games.csv"):
        (kept / table).write_text("game,history\n3,0\n")
    name, *rest = words
    refused = verbs.refusal("trace", kept / name, *rest, "--html", kept / "new.html")
    assert line in refused
    assert not (kept / "new.html").exists()


def test_what_a_run_of_a_game_needs_is_named():
    assert "no --seed, expected --seed S" in verbs.refusal("trace", "ants", "--game", 3)
    assert "no --game, expected --game I" in verbs.refusal("trace", "ants", "--seed", 3)
    assert "did you mean 'ants'?" in verbs.refusal("trace", "antz", "--seed", 3, "--game", 3)


@pytest.mark.parametrize("words", [("trace", "ants", *RUN, "--game", 3), ("replay", "show", "LOG")])
def test_a_page_that_cannot_be_written_is_refused(tmp_path, words):
    log = recorded.HERE / "bots" / "s1_botJ_botK.log"
    words = [log if word == "LOG" else word for word in words]
    line = verbs.refusal(*words, "--html", tmp_path / "no" / "page.html")
    assert "expected a file that can be written" in line
    assert list(tmp_path.iterdir()) == []


# --- in a browser -------------------------------------------------------------------------------

DRIVE = """<script>
const told = [], [board, slider] = ["board", "slider"].map((id) => document.getElementById(id));
const tell = () => {
  told.push([Number(document.body.dataset.step), Number(slider.value), board.innerHTML]);
};
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
tell();
for (const key of "Right Right Left PageDown End Right Home".split(" ")) {
  press(key.replace(/^(Left|Right)/, "Arrow$1"));
  tell();
}
slider.value = 5;
slider.dispatchEvent(new Event("input"));
tell();
document.querySelectorAll("#actions button")[2].click();
tell();
document.getElementById("speed").value = "25";
press(" ");
setTimeout(() => {
  if (document.getElementById("play").textContent === "Stop") press(" ");
  tell();
  document.body.innerHTML = `<pre id="told"></pre>`;
  document.getElementById("told").textContent = JSON.stringify(told);
}, 1000);
</script></body>"""
FRAME = """<iframe width="{width}" height="900" style="border: 0" srcdoc="{page}" onload="
const page = this.contentDocument.documentElement;
document.body.dataset.widths = page.clientWidth + ' ' + page.scrollWidth;
"></iframe>"""


@pytest.mark.browser
@pytest.mark.parametrize("name", GAMES)
def test_keys_slider_list_and_play_move_the_position(browser, tmp_path, name):
    film = shot(name)
    page, last = tmp_path / "page.html", len(film.steps) - 1
    page.write_text(viewer.page(film).replace("</body>", DRIVE), encoding="utf-8")
    dom = browser(page, 1280, "--virtual-time-budget=4000", "--dump-dom")
    told = json.loads(unescape(re.search(r'<pre id="told">(.*?)</pre>', dom, re.DOTALL)[1]))
    steps = [step for step, _, _ in told]
    assert steps[:4] == [0, 1, 2, 1]
    assert 1 < steps[4] < last
    assert steps[5:10] == [last, last, 0, 5, 2]
    assert min(last, 10) <= steps[10] <= last
    assert all(step == value for step, value, _ in told)
    shown = {step: board for step, _, board in told}
    assert all(board == shown[step] for step, _, board in told)
    assert shown[0] != shown[last]
    assert all(board.startswith("<svg") for board in shown.values())


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", GAMES)
def test_the_page_fits_the_screen(browser, tmp_path, name, width):
    frame = tmp_path / "frame.html"
    frame.write_text(FRAME.format(width=width, page=escape(viewer.page(shot(name)))), "utf-8")
    assert f'data-widths="{width} {width}"' in browser(frame, 1600, "--dump-dom")


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (2**64, 0), ("a", 0), (0, -1), (0, 10**12)])
def test_a_game_that_no_run_has_is_refused(seed, index):
    for look in (viewer.game, notebook_trace):
        with pytest.raises(BadInput, match="expected a whole number from 0 to"):
            look(load_rules("ants"), "economy", "rush", seed, index)
