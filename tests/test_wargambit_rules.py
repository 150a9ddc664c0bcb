"""The rules document of Wargambit: all its lists of pieces are one, faults are said by name."""

import pytest

from lab import load_rules
from lab.games.wargambit.rules import PIECES, Price, Tier, Weight
from lab.rules import schema
from tests.gambit import GAME
from tests.toy import refusal

RULES = load_rules("wargambit")


@pytest.mark.parametrize("model", [Price, Tier, Weight])
def test_a_number_of_each_piece_is_one_of_each_piece(model):
    assert tuple(model.model_fields) == PIECES
    told = [field.description.replace(name, "{}") for name, field in model.model_fields.items()]
    assert len(set(told)) == 1
    assert all(
        field.metadata == model.model_fields["pawn"].metadata
        for field in model.model_fields.values()
    )


def test_the_schema_lists_the_pieces_once_by_name():
    found = schema(GAME.document)["$defs"]
    assert found["Need"]["properties"]["piece"]["enum"] == list(PIECES)
    for name in ("Price", "Tier", "Weight"):
        assert found[name]["required"] == list(PIECES)


@pytest.mark.parametrize(
    ("pointer", "value", "line"),
    [
        ("/shop/price/pawn", 0, "/shop/price/pawn: found 0, expected a whole number from 1 to 30"),
        ("/shop/price/pawm", 1, "(did you mean '/shop/price/pawn'?)"),
        ("/shop/tier/queen", 9, "/shop/tier/queen: found 9, expected a whole number from 1 to 5"),
        ("/shop/weight", {"pawn": 1}, "/shop/weight/lance: found nothing, expected a whole number"),
        (
            "/shop/tier",
            dict.fromkeys((*PIECES, "king"), 1),
            f"/shop/tier/king: found an unknown key, expected one of {', '.join(PIECES)}",
        ),
        (
            "/synergies/0/needs/0/piece",
            "king",
            'found "king", expected one of "pawn", "lance", "scout", "cannon", "knight", "bishop"',
        ),
    ],
)
def test_a_fault_names_the_piece(pointer, value, line):
    assert line in refusal(RULES.override, {pointer: value})
