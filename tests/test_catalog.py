import pytest

from lab.catalog import GAMES, load_game, load_rules
from lab.errors import BadInput
from lab.rules import versions


@pytest.mark.parametrize("name", GAMES)
def test_every_word_is_a_game_with_rules(name):
    game = load_game(name)
    assert game.name == name
    assert load_rules(name).version == game.default_rules
    for version in versions(name):
        assert load_rules(name, version).version == version


def test_an_unknown_game_is_named_with_the_nearest():
    with pytest.raises(BadInput, match=r"game: found 'ant', .* \(did you mean 'ants'\?\)"):
        load_game("ant")
