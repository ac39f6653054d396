"""TOML text into frozen nouns; one error text for every file: file, key, what was found, what is allowed."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from models.errors import HeadwaterError


class Noun(BaseModel):
    """A declared thing: frozen, and a key nobody defined is an error, not a silence."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=False)


N = TypeVar("N", bound=Noun)


def parse_toml(text: str, *, file: str, error: type[HeadwaterError]) -> dict[str, Any]:
    """TOML text as plain data; numbers with a point become Decimal.

    Raises
    ------
    error : not TOML; names the file and the row.
    """
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as caught:
        raise error(f"not valid TOML: {caught}", file=file) from None


def read_noun(noun: type[N], text: str, *, file: str, error: type[HeadwaterError]) -> N:
    """Read one noun from TOML text.

    Raises
    ------
    error : the first fault, naming file, key, what was found and what is allowed.
    """
    return validate(noun, parse_toml(text, file=file, error=error), file=file, error=error)


def validate(noun: type[N], data: dict[str, Any], *, file: str, error: type[HeadwaterError]) -> N:
    """Validate plain data as a noun; same errors as ``read_noun``."""
    try:
        return noun.model_validate(data)
    except ValidationError as caught:
        raise _first_fault(caught, noun, data, file, error) from None


def _first_fault(
    caught: ValidationError, noun: type[Noun], data: dict[str, Any], file: str, error: type[HeadwaterError]
) -> HeadwaterError:
    fault = min(caught.errors(), key=lambda one: (one["type"] not in {"extra_forbidden"}, len(one["loc"])))
    more = len(caught.errors()) - 1
    reason = _reason(fault) + (f" (and {more} more fault{'s' if more > 1 else ''})" if more else "")
    return error(reason, file=file, key=_key(fault["loc"], data), found=_found(fault), allowed=_allowed(fault, noun))


def _reason(fault: ErrorDetails) -> str:
    if fault["type"] == "extra_forbidden":
        return "unknown key"
    if fault["type"] == "missing":
        return "required key is missing"
    if fault["type"] == "union_tag_invalid":
        return "unknown kind"
    return fault["msg"].removeprefix("Value error, ")


def _found(fault: ErrorDetails) -> object:
    if fault["type"] in {"missing", "extra_forbidden"}:
        return fault["loc"][-1] if fault["type"] == "extra_forbidden" else None
    if fault["type"] == "union_tag_invalid":
        return (fault.get("ctx") or {}).get("tag")
    found = fault["input"]
    if isinstance(found, Decimal):
        return str(found)
    if isinstance(found, str | int | float | bool):
        return found
    return type(found).__name__ if fault["loc"] and fault["type"] != "value_error" else None


def _key(loc: Sequence[int | str], data: Any) -> str:
    """The path as the file writes it: list items by id where they have one, union tags left out."""
    parts: list[str] = []
    here = data
    for step in loc:
        if isinstance(step, int) and isinstance(here, list) and step < len(here):
            here = here[step]
            parts[-1] += f"[{here['id']}]" if isinstance(here, dict) and "id" in here else f"[{step + 1}]"
        elif isinstance(here, dict) and step not in here and step != loc[-1]:
            continue
        else:
            here = here.get(step) if isinstance(here, dict) else None
            parts.append(str(step))
    return ".".join(parts)


def _allowed(fault: ErrorDetails, noun: type[Noun]) -> list[str] | None:
    context = fault.get("ctx") or {}
    expected = context.get("expected") or context.get("expected_tags")
    if expected:
        return [str(expected).replace("'", "").replace(" or ", ", ")]
    if fault["type"] == "extra_forbidden":
        fields = _fields_at(noun, fault["loc"][:-1])
        close = difflib.get_close_matches(str(fault["loc"][-1]), fields, n=3)
        return close or sorted(fields)
    return None


def _fields_at(noun: type[Noun], loc: Sequence[int | str]) -> list[str]:
    """The keys a table accepts: walk the annotations along the path."""
    here: list[Any] = [noun]
    for step in loc:
        if isinstance(step, int):
            continue
        found = [m.model_fields[step].annotation for m in here if step in m.model_fields]
        tagged = [m for m in here if step in _tags(m)]
        here = [model for a in found for model in _models_in(a)] or tagged or here
    return sorted({name for model in here for name in model.model_fields})


def _tags(model: type[BaseModel]) -> tuple[object, ...]:
    kind = model.model_fields.get("kind")
    return tuple(getattr(kind.annotation, "__args__", ())) if kind else ()


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in _models_in(part)]
