"""Reports in other languages: nothing of ours is left without a word, and nothing is left over."""

import ast
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any, get_origin

import pytest

from lab.catalog import GAMES, load_game
from lab.document import extra, is_model, item_of
from lab.errors import BadInput
from lab.experiment import load_experiment
from lab.game import Game
from lab.metrics import METRICS, metrics_of
from lab.report import build, words
from lab.report.build import facts, report
from lab.report.language import languages, load_tongue, read_words, say, speaking
from lab.sweep import Run
from tests.runs import SPEC, run_folder
from tests.tongues import korean

ROOM = "lab.report"
RULES = Path(__file__).parents[1] / "rules"
LATIN = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three English words in a row."""
CASUAL = re.compile(r"[요죠]\.")


@pytest.fixture(params=GAMES)
def game(request):
    return load_game(request.param)


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory):
    return run_folder(tmp_path_factory.mktemp("runs") / "confirmed")


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    return run_folder(tmp_path_factory.mktemp("runs") / "refused", confirmed=False)


def places(kind: Any, at: str = "") -> Iterator[str]:
    """Every pointer of a document, `[]` for the rows of a list."""
    for name, info in kind.model_fields.items():
        here = f"{at}/{name}"
        yield here
        while get_origin(info.annotation) is list:
            info, here = item_of(info), f"{here}[]"
            yield here
        if is_model(info.annotation):
            yield from places(info.annotation, here)


def declared(kind: Any) -> Iterator[tuple[str, str]]:
    """The sentence and the unit of every place."""
    for info in kind.model_fields.values():
        yield info.description or "", str(extra(info, "unit") or "")
        while get_origin(info.annotation) is list:
            info = item_of(info)
        if is_model(info.annotation):
            yield from declared(info.annotation)


def sentences(game: Game) -> set[str]:
    """All that a game says in English: of its numbers, its metrics and what it assumes."""
    told = {sentence for sentence, _ in declared(game.document)}
    told |= {metric.sentence for metric in metrics_of(game).values()}
    for path in (RULES / game.name).glob("*.json"):
        told |= {row["why"] for row in json.loads(path.read_text()).get("assumed", [])}
    return told - {""}


def both(room: str) -> dict[str, dict[str, str]]:
    return read_words(room, "ko")


# --- one game -----------------------------------------------------------------------------------


def test_every_game_speaks_korean(game):
    assert languages(game.name) == ["en", "ko"]


def test_every_number_has_a_name(game):
    known = both(f"lab.games.{game.name}")["numbers"]
    wanted = set(places(game.document))
    assert wanted <= set(known)
    assert {re.sub(r"/\d+", "[]", pointer) for pointer in known} <= wanted
    for pointer, name in known.items():
        assert name.count("{}") == pointer.count("[]"), pointer


def test_every_metric_ending_and_curve_has_a_name(game):
    own, shared = both(f"lab.games.{game.name}"), both(ROOM)
    metrics = set(metrics_of(game))
    assert metrics <= set(own["metrics"] | shared["metrics"])
    assert set(own["metrics"]) <= metrics
    assert set(own["endings"]) == set(game.endings)
    assert set(own["curves"]) == {re.sub("^(first|second)_", "", name) for name in game.curves}


def test_every_sentence_and_unit_of_a_game_is_said(game):
    own, shared = both(f"lab.games.{game.name}"), both(ROOM)
    assert sentences(game) <= set(own["sentences"] | shared["sentences"])
    assert set(own["sentences"]) <= sentences(game) | {game.title}
    units = {unit for _, unit in declared(game.document)}
    units |= {metric.unit for metric in metrics_of(game).values()} | {game.clock, game.clocks}
    assert units - {""} <= set(own["units"] | shared["units"])
    assert set(own["units"]) <= units


def test_names_tell_numbers_and_metrics_apart(game):
    tongue = load_tongue(game.name, "ko").words
    names = [name for pointer, name in tongue["numbers"].items() if "[]" not in pointer]
    assert len(set(tongue["metrics"].values())) == len(tongue["metrics"])
    assert len(set(names)) >= len(names) - 2, "two numbers of one name"


def test_sentences_are_in_one_register(game):
    for room in (ROOM, f"lab.games.{game.name}"):
        for told in both(room)["sentences"].values():
            assert not CASUAL.search(told), told


def test_a_number_is_called_alike_in_its_label_and_by_its_pointer(game):
    with speaking(load_tongue(game.name, "ko")):
        for pointer in places(game.document):
            named = words.label(pointer.replace("[]", "/1"))
            assert re.search("[가-힣]|HP", named), pointer
            assert "{" not in named


# --- what all games share -----------------------------------------------------------------------


def literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def said() -> Iterator[tuple[str, str]]:
    """The table and the English of everything that the report's code and page say literally."""
    tables = {"say": "sentences", "heads": "sentences", "count": "nouns"}
    for path in Path(str(files(ROOM))).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for argument in node.args:
                    for english in literals(argument):
                        if node.func.id in tables and path.name != "rulebook.py":
                            yield tables[node.func.id], english
    for english in re.findall(
        r'say\("(.*?)"', Path(str(files(ROOM))).joinpath("page.html.j2").read_text()
    ):
        yield "sentences", english


def test_everything_that_reports_say_has_korean():
    known = both(ROOM)
    missing = {(table, english) for table, english in said() if english not in known[table]}
    assert not missing
    assert len(set(said())) > 130


def test_a_translation_fills_in_nothing_that_english_has_not():
    for english, told in both(ROOM)["sentences"].items():
        own, other = (
            {name for _, name, _, _ in Formatter().parse(text) if name} for text in (told, english)
        )
        assert own <= other, english


def test_metrics_of_any_game_have_a_name():
    assert {metric.name for metric in METRICS} <= set(both(ROOM)["metrics"])


# --- reports ------------------------------------------------------------------------------------


QUESTION = SPEC.partition('question = "')[2].partition('"')[0]


@pytest.fixture(scope="module")
def pages(confirmed, tmp_path_factory):
    """A folder with the report in both languages, the English one written last."""
    out = tmp_path_factory.mktemp("pages")
    korean(confirmed, {QUESTION}, out)
    report(confirmed, out)
    return out


def test_a_report_in_korean_falls_back_to_english_nowhere(pages, refused):
    for text in ((pages / "report.ko.md").read_text(), korean(refused, {QUESTION})):
        assert not LATIN.findall(text.replace(QUESTION, ""))
        assert "후공의 시작 자원 4 → 6" in text


def test_pages_in_two_languages_lie_side_by_side(pages):
    html = (pages / "report.ko.html").read_text()
    assert '<html lang="ko">' in html
    assert '<html lang="en">' in (pages / "report.html").read_text()
    links = re.findall(r'href="(tables[^"]+)"', html)
    links += re.findall(r"\((figures[^)]+)\)", (pages / "report.ko.md").read_text())
    assert len(links) > 15
    assert all(link.split("/")[0].endswith(".ko") for link in links)
    assert all((pages / link).is_file() for link in links)
    figure = (pages / "figures.ko" / "lengths.svg").read_text()
    assert "<title>길이에 따른 판의 비율</title>" in figure


def test_english_is_english_whatever_was_spoken_before(pages):
    for path in [pages / "report.md", *(pages / "figures").iterdir()]:
        assert not re.search("[가-힣]", path.read_text().replace("개미 군단", "")), path
    assert not re.search("Nanum|Noto|malgun", (pages / "figures" / "lengths.svg").read_text())


def test_an_unknown_language_is_refused_with_the_nearest(confirmed, tmp_path):
    line = r"report on ants: found language 'kr', expected one of en, ko \(did you mean 'ko'\?\)"
    with pytest.raises(BadInput, match=line):
        report(confirmed, tmp_path / "out", "kr")
    assert not (tmp_path / "out").exists()


def test_an_experiment_brings_words_of_its_own(tmp_path):
    folder = run_folder(tmp_path / "run")
    table = f'\n[words.ko]\n"{QUESTION}" = "어떻게 하면 공평한가?"\nmirrors = "거울"\n'
    (folder / "experiment.toml").write_text(SPEC + table)
    text = korean(folder)
    assert text.startswith("# 어떻게 하면 공평한가?\n")
    assert "대진: 거울." in text
    assert facts(Run(folder)).question == QUESTION


def test_the_summary_beside_an_experiment_stays_english(confirmed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(build, "draw", lambda chart: "<svg></svg>")
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "seats.toml").write_text(SPEC)
    report(confirmed, tmp_path, "ko")
    assert not (tmp_path / "experiments" / "seats.md").exists()
    report(confirmed, tmp_path)
    assert (tmp_path / "experiments" / "seats.md").exists()


def test_words_of_an_experiment_change_nothing_of_its_trials(tmp_path):
    (tmp_path / "bare.toml").write_text(SPEC)
    (tmp_path / "said.toml").write_text(SPEC + '\n[words.ko]\nmirrors = "거울"\n')
    bare, told = (load_experiment(tmp_path / f"{name}.toml") for name in ("bare", "said"))
    assert bare.fingerprint == told.fingerprint


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        (lambda: words.label("/start/resources/1"), "후공의 시작 자원"),
        (lambda: words.label("/board/points/0/1"), "1번 자원 지점의 좌표 2"),
        (lambda: words.label("/overrides/~1turn~1round_cap"), "고쳐 쓴 값: 라운드 상한"),
        (lambda: words.label("/no/such/2"), "no such no. 3"),
        (lambda: words.named("first_score at rush:hold=1"), "선공 점수 (rush:hold=1)"),
        (lambda: words.named("score of rush"), "rush의 점수"),
        (lambda: words.named("my own_target"), "my own target"),
        (lambda: words.pairing("rush mirror"), "rush 동형전"),
        (lambda: words.pairing("rush v siege"), "rush 대 siege"),
        (lambda: words.amount(18.42, "rounds"), "18.4라운드"),
        (lambda: words.amount(0.5123, "share"), "51.2%"),
        (lambda: words.span(18.14, 18.7, "rounds"), "18.1에서 18.7라운드"),
        (lambda: words.band(0, 0.15, "share"), "15% 이하"),
        (lambda: words.band(0.3, 1, "share"), "30% 이상"),
        (lambda: words.apart(0.012, "share"), "+1.2%p"),
        (lambda: words.count(12_000, "game"), "12,000판"),
        (lambda: words.listing(["a", "b", "c"]), "a, b, c"),
        (lambda: words.setting(True), "켬"),
        (lambda: say("{target} depends on {numbers}", target="길이", numbers="x"),
         "길이를 움직이는 것은 x입니다"),
    ],
)  # fmt: skip
def test_korean_words(told, wanted):
    with speaking(load_tongue("ants", "ko")):
        assert told() == wanted


def test_english_words_are_what_they_were():
    assert words.named("first_score at rush:hold=1") == "first score at rush:hold=1"
    assert words.pairing("rush v siege") == "rush v siege"
    assert words.apart_span(0.004, 0.02, "share") == "+0.4 to +2.0 points"
    assert words.apart_span(float("nan"), float("nan"), "rounds") == "– to –"
    assert words.label("/start/resources/1") == "start resources no. 2"
