"""How a formula is written, and its tree. A text is only ever read here, never run.

    formula    = both ("or" both)*
    both       = denial ("and" denial)*
    denial     = "not" denial | comparison
    comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
    sum        = product (("+" | "-") product)*
    product    = sign (("*" | "/") sign)*
    sign       = "-" sign | atom
    atom       = number | column | "a word in quotes" | "(" formula ")" | call
    call       = ("min" | "max") "(" formula ("," formula)+ ")" | "abs" "(" formula ")"
               | "if" "(" formula "," formula ["," formula] ")"

Every part is a number, a truth (true or false) or a word. A truth may stand for a number, 1 or 0.
An if without its last part says nothing of games for which its first is false.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lab.errors import BadInput, bad

NUMBER, TRUTH, WORD = "a number", "true or false", "a word"
LONGEST = 500
"""Characters of a formula."""
DEEPEST = 40
"""Brackets, signs and denials within one another."""

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
CALLS = {"min": (2, 20), "max": (2, 20), "abs": (1, 1), "if": (2, 3)}
"""How many arguments each takes, at least and at most."""
KEPT = ("and", "or", "not", *CALLS)
TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')|(?P<sign>[<>=!]=|[-+*/()<>,]))"
)

Kinds = Mapping[str, str | tuple[str, ...]]
"""Columns by name: NUMBER, TRUTH, WORD for any words, or those that it may hold."""


@dataclass(frozen=True)
class Node:
    """A part of a formula: an operator or call with its parts, a column, or a number or word."""

    op: str  # "column", "value", or as it is written; "neg" is the sign
    kind: str
    parts: tuple["Node", ...] = ()
    value: Any = None  # the name of a column, the number or word of a value
    words: tuple[str, ...] = field(default=(), compare=False)  # all that a column holds, if known
    at: int = field(default=0, compare=False)  # character at which it begins, from 1


class Token(NamedTuple):
    """A piece of the text."""

    kind: str  # number, name, text, sign, or "end"
    text: str
    at: int


def parse(text: str, kinds: Kinds) -> Node:
    """The tree of a formula that comes to a number or a truth; BadInput names the character."""
    return Parser(text, kinds).whole()


class Parser:
    """Reads one formula from left to right: a method a line of the grammar."""

    def __init__(self, text: str, kinds: Kinds) -> None:
        self.text, self.kinds = text, kinds
        self.tokens = self._tokens()
        self.place = self.depth = 0

    def whole(self) -> Node:
        """The formula, to its last character."""
        node = self._formula()
        if self._next.kind != "end":
            raise self._wrong(self._next, "an operator or the end")
        if node.kind == WORD:
            raise self._fault(node.at, self._said(node), "a number, or a comparison such as ==")
        if not any(token.text in self.kinds for token in self.tokens if token.kind == "name"):
            raise bad(
                f"formula {self.text!r}", "no column in it", f"one of {', '.join(self.kinds)}"
            )
        return node

    # --- the grammar ----------------------------------------------------------------------------

    def _formula(self) -> Node:
        return self._chain(("or",), self._both, self._truth, TRUTH)

    def _both(self) -> Node:
        return self._chain(("and",), self._denial, self._truth, TRUTH)

    def _denial(self) -> Node:
        if self._next.text != "not":
            return self._comparison()
        at = self._take().at
        return Node("not", TRUTH, (self._truth(self._deeper(self._denial)),), at=at)

    def _comparison(self) -> Node:
        left = self._sum()
        if self._next.text not in COMPARISONS:
            return left
        op = self._take()
        right = self._sum()
        if self._next.text in COMPARISONS:
            raise self._wrong(self._next, "one comparison; two are joined by and")
        return self._compared(op, left, right)

    def _sum(self) -> Node:
        return self._chain(("+", "-"), self._product, self._number, NUMBER)

    def _product(self) -> Node:
        return self._chain(("*", "/"), self._sign, self._number, NUMBER)

    def _sign(self) -> Node:
        if self._next.text != "-":
            return self._atom()
        at = self._take().at
        return Node("neg", NUMBER, (self._number(self._deeper(self._sign)),), at=at)

    def _atom(self) -> Node:
        token = self._take()
        if token.kind == "number":
            if not math.isfinite(float(token.text)):
                raise self._wrong(token, "a finite number")
            return Node("value", NUMBER, value=float(token.text), at=token.at)
        if token.kind == "text":
            return Node("value", WORD, value=token.text[1:-1], at=token.at)
        if token.text == "(":
            node = self._deeper(self._formula)
            self._expect(")")
            return node
        if token.text in CALLS:
            return self._call(token)
        if token.kind == "name" and token.text not in KEPT:
            return self._column(token)
        raise self._wrong(token, "a number, a column or a bracket")

    def _call(self, token: Token) -> Node:
        self._expect("(")
        parts = [self._deeper(self._formula)]
        while self._next.text == ",":
            self._take()
            parts.append(self._deeper(self._formula))
        self._expect(")")
        least, most = CALLS[token.text]
        if not least <= len(parts) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise self._fault(token.at, f"{token.text} of {len(parts)}", f"it of {wanted}")
        if token.text == "if":
            told = self._truth(parts[0])
            if all(part.kind == TRUTH for part in parts):
                return Node("if", TRUTH, (told, *parts[1:]), at=token.at)
            return Node("if", NUMBER, (told, *map(self._number, parts[1:])), at=token.at)
        return Node(token.text, NUMBER, tuple(map(self._number, parts)), at=token.at)

    def _column(self, token: Token) -> Node:
        if token.text not in self.kinds:
            known = ", ".join(self.kinds)
            raise self._fault(token.at, repr(token.text), f"one of {known}", token.text, self.kinds)
        kind = self.kinds[token.text]
        if isinstance(kind, tuple):
            return Node("column", WORD, value=token.text, words=kind, at=token.at)
        return Node("column", kind, value=token.text, at=token.at)

    def _compared(self, op: Token, left: Node, right: Node) -> Node:
        if WORD not in (left.kind, right.kind):
            if not left.kind == right.kind == TRUTH:
                left, right = self._number(left), self._number(right)
            return Node(op.text, TRUTH, (left, right), at=op.at)
        column, value = (left, right) if left.op == "column" else (right, left)
        if column.op != "column" or value.op != "value" or value.kind != WORD:
            raise self._fault(op.at, "a word beside none", "a column of words and one in quotes")
        if op.text not in ("==", "!="):
            raise self._fault(op.at, repr(op.text), "== or != between words")
        if column.words and value.value not in column.words:
            known, said = column.words, self._said(value)
            raise self._fault(value.at, said, f"one of {', '.join(known)}", value.value, known)
        return Node(op.text, TRUTH, (column, value), at=op.at)

    # --- its tools ------------------------------------------------------------------------------

    def _chain(
        self,
        ops: tuple[str, ...],
        part: Callable[[], Node],
        fits: Callable[[Node], Node],
        kind: str,
    ) -> Node:
        """Parts with operators of one rank between them, joined from the left."""
        node = part()
        while self._next.text in ops:
            op = self._take()
            other = part()
            if op.text == "/" and other.op == "value" and other.value == 0:
                raise self._fault(other.at, "a division by 0", "another number")
            node = Node(op.text, kind, (fits(node), fits(other)), at=node.at)
        return node

    def _deeper(self, part: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._wrong(self._next, f"at most {DEEPEST} brackets within one another")
        node = part()
        self.depth -= 1
        return node

    def _number(self, node: Node) -> Node:
        if node.kind == WORD:
            raise self._fault(node.at, self._said(node), "a number")
        return node

    def _truth(self, node: Node) -> Node:
        if node.kind != TRUTH:
            raise self._fault(node.at, self._said(node), "true or false, such as a comparison")
        return node

    def _said(self, node: Node) -> str:
        told = {"column": str(node.value), "value": repr(node.value)}.get(node.op)
        return f"{told}, {node.kind}" if told else node.kind

    @property
    def _next(self) -> Token:
        return self.tokens[self.place]

    def _take(self) -> Token:
        token = self._next
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def _expect(self, text: str) -> None:
        token = self._take()
        if token.text != text:
            raise self._wrong(token, repr(text))

    def _tokens(self) -> Sequence[Token]:
        if len(self.text) > LONGEST:
            raise bad("formula", f"{len(self.text):,} characters", f"at most {LONGEST:,}")
        tokens, place = [], 0
        while self.text[place:].strip():
            match = TOKEN.match(self.text, place)
            if match is None:
                start = place + len(self.text[place:]) - len(self.text[place:].lstrip())
                hint = "== to compare" if self.text[start] == "=" else "a sign of the grammar"
                raise self._fault(start + 1, repr(self.text[start]), hint)
            kind = str(match.lastgroup)
            tokens.append(Token(kind, match[kind], match.start(kind) + 1))
            place = match.end()
        return [*tokens, Token("end", "", len(self.text) + 1)]

    def _wrong(self, token: Token, expected: str) -> BadInput:
        return self._fault(token.at, repr(token.text) if token.text else "its end", expected)

    def _fault(
        self,
        at: int,
        found: str,
        expected: str,
        name: str | None = None,
        known: Sequence[str] | Kinds = (),
    ) -> BadInput:
        return bad(f"formula {self.text!r}, character {at}", found, expected, name, known)
