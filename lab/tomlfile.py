"""TOML that a person wrote, read against the form that it has to have."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from lab.document import explain
from lab.errors import BadInput, bad, read_text

Form = TypeVar("Form", bound=BaseModel)


def read_form(path: Path | str, model: type[Form]) -> tuple[Form, str]:
    """What a file says, and its text; BadInput names the file, the place and the nearest name."""
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise bad(str(path), f"broken TOML ({error})", "valid TOML") from None
    except (ValueError, RecursionError):  # Python's own limits on digits and on depth
        raise bad(str(path), "a number too long or nesting too deep", "a plain file") from None
    return checked(model, data, str(path)), text


def checked(model: type[Form], data: object, where: str) -> Form:
    """Data in its form, else BadInput that begins with `where`."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise explain(error, model, where) from None


@contextmanager
def blaming(where: str) -> Iterator[None]:
    """Puts the place in a file before a fault that a lower room found."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
