"""A designer's own text: what it may say, and what is said of what it may not."""

import pytest

from lab.catalog import GAMES, load_rules
from lab.publish.template import fill, placeholders
from tests.toy import refusal
from tests.verbs import out
from tests.verbs import refusal as line_of

RULES = load_rules("ants")


@pytest.fixture
def write(tmp_path):
    def written(text):
        path = tmp_path / "mine.md"
        path.write_text(f"First line.\n{text}\n")
        return path

    return written


def test_numbers_stand_where_their_names_stood(write):
    text = (
        "{{ turn.ap|count('point') }}, {{ start.resources[1]|josa('을/를') }}\n"
        "{% for price in [units.worker.cost, units.soldier.cost] %}\n- {{ price }}\n{% endfor %}\n"
        "{{ rules.version }} {{ rules.fingerprint }} & <b>"
    )
    assert fill(write(text), RULES) == (
        f"First line.\n3 points, 4를\n- 1\n- 2\n0.3 {RULES.fingerprint} & <b>\n"
    )


@pytest.mark.parametrize("name", GAMES)
def test_every_placeholder_can_be_used_and_has_its_value(write, name):
    rules = load_rules(name)
    found = list(placeholders(rules))
    text = fill(write("\n".join(f"{{{{ {one.name}|tojson }}}}" for one in found)), rules)
    assert text.splitlines()[1:] == [
        one.value.replace("'", "\\u0027") if one.name == "rules.why" else one.value for one in found
    ]
    assert len(found) == len(rules.pointers()) + 6
    assert all(one.sentence for one in found)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{{ turn.app }}", 'unknown name "app", expected one of round_cap, ap, cost (did you mean'),
        (
            "{{ trun.ap }}",
            'unknown name "trun", expected a name of --placeholders (did you mean \'t',
        ),
        ("{{ start.resources[7] }}", "found no. 7 of a list, expected 0 to 1"),
        ("{{ turn.ap.cost }}", 'found "cost" of 3, expected a number by itself'),
        ("{{ turn.items() }}", 'found an unknown name "items"'),
        ("{% if turn.ap", "found broken Jinja (unexpected end of template"),
        ("{{ turn.ap|jsa('을/를') }}", "found broken Jinja (No filter named 'jsa')"),
        ("{{ turn.ap.__class__ }}", "found what the sandbox bars (access to attribute '__class__'"),
        ("{{ ''.__class__.__mro__ }}", "found what the sandbox bars"),
        ("{{ turn['__class__'] }}", "found what the sandbox bars"),
        ("{{ count.__globals__ }}", 'found an unknown name "count"'),
        ("{{ start.resources.append(1) }}", "found what the sandbox bars"),
        ("{% include 'other.md' %}", "found what cannot be worked out (no loader"),
        ("{{ turn.ap / 0 }}", "found what cannot be worked out (division by zero)"),
        ("{{ range(10 ** 9)|sum }}", "found what cannot be worked out (Range too big."),
        ("{{ lipsum() }}", 'found an unknown name "lipsum"'),
    ],
)
def test_whatever_is_wrong_is_told_by_its_line(write, text, line):
    path = write(text)
    told = refusal(fill, path, RULES)
    assert told.startswith(f"{path}:2: found ")
    assert line in told


def test_a_macro_without_an_end_is_told(write):
    path = write("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}")
    assert f"{path}: found what calls itself without an end" in refusal(fill, path, RULES)


def test_the_verb_fills_a_text_and_lists_the_names(write, tmp_path):
    path = write("{{ turn.ap }}")
    assert out("rulebook", "ants", "--template", path) == "First line.\n3\n"
    assert out("rulebook", "ants", "--template", path, "--out", tmp_path / "rules.md") == ""
    assert (tmp_path / "rules.md").read_text() == "First line.\n3\n"
    table = out("rulebook", "ants", "--placeholders").splitlines()
    assert any(row.split()[:3] == ["start.resources[1]", "4", "resources"] for row in table)


def test_nothing_is_written_where_a_name_is_unknown(write, tmp_path):
    words = ("rulebook", "ants", "--template", write("{{ turn.app }}"))
    assert "(did you mean 'ap'?)" in line_of(*words, "--out", tmp_path / "rules.md")
    assert not (tmp_path / "rules.md").exists()
    assert "found --template too, expected one" in line_of(*words, "--check")
