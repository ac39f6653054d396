"""JSON for machines: the layout of the standard library, byte for byte, and null for what is unknown."""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.terminal import to_json

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from('"\\\n\t/é…'))
data = st.recursive(
    scalars | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(data)
def test_it_is_what_the_standard_library_writes(value: Any) -> None:
    assert to_json(value) == json.dumps(value, indent=2, ensure_ascii=False)
    assert to_json(value, indent=None) == json.dumps(value, ensure_ascii=False)


def test_a_small_answer_in_full() -> None:
    found = {"n": 1, "at": date(2024, 5, 1), "rows": [{"v": math.nan, "ok": True}, {}], "none": [], "t": (1.5, "x\n")}
    assert to_json(found) == (
        '{\n  "n": 1,\n  "at": "2024-05-01",\n  "rows": [\n    {\n      "v": null,\n      "ok": true\n    },\n    {}\n'
        '  ],\n  "none": [],\n  "t": [\n    1.5,\n    "x\\n"\n  ]\n}'
    )
    assert to_json(found, indent=None) == (
        '{"n": 1, "at": "2024-05-01", "rows": [{"v": null, "ok": true}, {}], "none": [], "t": [1.5, "x\\n"]}'
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.inf, "null"),
        (-math.inf, "null"),
        (np.float64("nan"), "null"),
        (np.float64(0.1), "0.1"),
        (datetime(2024, 5, 1, 12, tzinfo=UTC), '"2024-05-01T12:00:00+00:00"'),
        (Decimal("0.50"), '"0.50"'),
        ({1: 2}, '{"1": 2}'),
        ([{1: 2}, {1.0: 2}, {"1": 2}], '[{"1": 2}, {"1.0": 2}, {"1": 2}]'),
        ([{"a": 1}, {"a": {"a": 1}}], '[{"a": 1}, {"a": {"a": 1}}]'),
        ("a\x7fb", '"a\\u007fb"'),
        ("a\u202eb", '"a\\u202eb"'),
        (np.str_("a"), '"a"'),
        (False, "false"),
        (1e22, "1e+22"),
    ],
)
def test_what_json_has_no_word_for(value: Any, text: str) -> None:
    assert to_json(value, indent=None) == text
