"""A drafted base flow with its signature: the text filled in, and the digest that tells the signed record from another.

The draft is one ``[[stream.base_flow]]`` as ``lowflow --propose`` writes it, four lines of it commented out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from models.base_flow import SIGNATURE, BaseFlow
from models.errors import BadQuestion, BadSite
from models.toml_file import parse_toml, validate


@dataclass(frozen=True)
class SignedDraft:
    """The text to write, and the record it states."""

    text: str
    record: BaseFlow


def digest(record: BaseFlow) -> str:
    """SHA-256 of a base flow as it was signed: every field that is stated, decimals with their digits."""
    plain = record.model_dump(mode="json", exclude_defaults=True)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def sign(text: str, *, by: str, licence: str, number: str, on: date, file: str) -> SignedDraft:
    """Fill in the signature of a draft. One that carries this very signature already is left as it is, day and all.

    Parameters
    ----------
    on : civil day of the signature.
    file : its name, for complaints.

    Raises
    ------
    BadSite : not one drafted base flow, or one that cannot be: signed before its record ended, a field left open.
    BadQuestion : it carries another signature.
    """
    given = {"signed_by": by, "licence_kind": licence, "licence_number": number}
    stated = {key: value for key in SIGNATURE if (value := _one_record(text, file).get(key)) is not None}
    if stated and {key: stated.get(key) for key in given} != given:
        raise BadQuestion("carries another signature already; sign a fresh draft", file=file)
    filled = text if "signed_on" in stated else _filled(text, given, on)
    return SignedDraft(filled, validate(BaseFlow, _one_record(filled, file), file=file, error=BadSite))


def _filled(text: str, given: dict[str, str], on: date) -> str:
    values = {key: json.dumps(value, ensure_ascii=False) for key, value in given.items()} | {"signed_on": str(on)}
    for key, value in values.items():
        line = f"{key} = {value}"
        literal = line.replace("\\", r"\\")
        text, found = re.subn(rf"^#?[ \t]*{key}[ \t]*=[^\r\n]*", literal, text, count=1, flags=re.M)
        text = text if found else f"{text.rstrip()}\n{line}\n"
    return text


def _one_record(text: str, file: str) -> dict[str, Any]:
    data = parse_toml(text, file=file, error=BadSite)
    stream = data.get("stream", [])
    streams = [stream] if isinstance(stream, dict) else stream if isinstance(stream, list) else []
    records = [one for each in streams if isinstance(each, dict) for one in _tables(each.get("base_flow"))]
    if len(records) != 1 or set(data) != {"stream"}:
        why = "a draft holds one [[stream.base_flow]] and nothing else"
        raise BadSite(why, file=file, found=f"{len(records)} of them; tables {', '.join(sorted(data)) or 'none'}")
    return records[0]


def _tables(found: Any) -> Iterable[dict[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
