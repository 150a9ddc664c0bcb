import pytest

from lab import rules
from lab.document import Range, bounds, field_info
from lab.rules import Document
from tests.toy import Toy, refusal


@pytest.mark.parametrize(
    ("pointer", "held"),
    [
        ("/economy/gather", Range(0, 9)),
        ("/economy/rate", Range(0.0, 1.0)),
        ("/start/1", Range(0, 30)),
        ("/levels/2/cost", Range(0, 99)),
        ("/judge", ("siege", "draw")),
        ("/fair", (False, True)),
    ],
)
def test_bounds(pointer, held):
    found = bounds(Toy, pointer)
    assert found == held
    assert list(map(type, found)) == list(map(type, held))


def test_bounds_of_what_holds_no_single_value():
    expected = "expected the pointer of a number, a choice or a switch"
    for pointer in ("", "/economy", "/levels"):
        assert refusal(bounds, Toy, pointer).endswith(expected)
    for pointer in ("/economy/gathr", "/levels/3/cost", "/judge/0", "/levels/x/cost"):
        assert refusal(bounds, Toy, pointer).startswith("pointer: found /")
    assert refusal(bounds, Toy, "/economy/gathr").endswith("(did you mean '/economy/gather'?)")


class Unlimited(Document):
    number: int


def test_a_number_without_a_range_is_a_fault_of_the_document():
    with pytest.raises(TypeError, match="declares ge and le"):
        bounds(Unlimited, "/number")


def test_sentences_and_units():
    assert field_info(Toy, "/economy/gather") == ("A gather.", "gold")
    assert field_info(Toy, "/start/1") == ("Each side's.", "wood")
    assert field_info(Toy, "/levels/0/bonus") == ("On top.", "")
    assert field_info(Toy, "/levels") == ("From the lowest.", "")


def test_the_schema_holds_units_and_ranges():
    gather = rules.schema(Toy)["$defs"]["Economy"]["properties"]["gather"]
    assert (gather["unit"], gather["minimum"], gather["maximum"]) == ("gold", 0, 9)
