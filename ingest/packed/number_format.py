"""A number as its cell shows it, with all its digits: what the number format adds, scales or puts in its place.

A laboratory's workbook may hold ``0.5`` under the format ``"<"0.0``: its reader sees ``<0.5``, a non-detect. Sections,
conditions and placeholders as ECMA-376 part 1, 18.8.30 and 18.8.31 define them; digits that a format rounds away are
kept, for nobody means to round by it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

SIGNIFICANT = ".15g"

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]|(?P<whole>General|@)'
    r"|(?P<digits>[0#?.][0#?.,]*(?:\s*[0#?]*/[0-9#?]+)?(?:E[+-][0#?]+)?)|(?P<percent>%)|(?P<literal>[^;])",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*([-+]?[0-9.]+(?:E[-+]?[0-9]+)?)", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-]*)")
_SAYS_NOTHING = re.compile(r"[\s()$€£+\-]*")
"""Signs, brackets of negative numbers and currency: the number says the same without them."""


@dataclass(frozen=True)
class Section:
    """What one section of a format shows.

    ``before`` and ``after``: words around the number; ``within``: its placeholders and words where those stand among
    them (``####-##-#``); ``scale``: powers of ten; ``numbered``: there is a number in it at all.
    """

    condition: tuple[str, Decimal] | None
    before: str
    after: str
    within: str
    scale: int
    numbered: bool
    worded: bool

    @property
    def is_plain(self) -> bool:
        return not (self.before or self.after or self.within or self.scale) and self.numbered and not self.condition


def is_plain(code: str) -> bool:
    """Whether a format shows every number as no more than the number."""
    return all(one.is_plain for one in _sections(code))


def shown(value: float, code: str) -> str | None:
    """A number under a format; None where the format hides it. A zero that is not shown is still a zero."""
    number = Decimal(format(value, SIGNIFICANT))
    section = _section_for(number, _sections(code))
    if not section.numbered:
        words = section.before.strip()
        nothing = _SAYS_NOTHING.fullmatch(words) is not None
        return ("0" if number == 0 else None) if nothing else words
    if section.within and number == number.to_integral_value():
        return f"{section.before}{_placed(number, section.within)}{section.after}".strip()
    scaled = number.scaleb(section.scale) if section.scale else number
    text = format(value, SIGNIFICANT) if not section.scale else f"{scaled.normalize():f}"
    return f"{section.before}{text}{section.after}".strip()


def shown_text(text: str, code: str) -> str:
    """A text under a format: with the words that its section for text has around it."""
    section = next((one for one in _sections(code) if one.worded), None)
    return text if section is None or not text else f"{section.before}{text}{section.after}".strip()


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[Section, ...]:
    return tuple(map(_section, _split(code)))


def _split(code: str) -> list[str]:
    found: list[str] = []
    place = 0
    while place <= len(code):
        match = _SECTION.match(code, place)
        end = len(code) if match is None else match.end()
        found.append(code[place:end])
        place = end + 1
    return found


def _section(text: str) -> Section:
    condition: tuple[str, Decimal] | None = None
    parts: list[tuple[str, str]] = []
    scale = 0
    for token in _TOKEN.finditer(text):
        kind, cell = token.lastgroup or "", token[token.lastgroup or 0]
        if kind == "bracket":
            asked, money = _CONDITION.fullmatch(cell.strip()), _CURRENCY.match(cell)
            condition = (asked[1], Decimal(asked[2])) if asked else condition
            parts += [("literal", money[1])] if money else []
        elif kind == "percent":
            scale += 2
            parts.append(("literal", "%"))
        elif kind in {"digits", "whole"}:
            scale -= 3 * (len(cell) - len(cell.rstrip(",")))
            parts.append((kind, cell))
        elif kind:
            parts.append(("literal", cell))
    return _assembled(condition, parts, scale)


def _assembled(condition: tuple[str, Decimal] | None, parts: list[tuple[str, str]], scale: int) -> Section:
    places = [place for place, (kind, _) in enumerate(parts) if kind != "literal"]
    first, last = (places[0], places[-1]) if places else (len(parts), len(parts) - 1)
    before, after = (_words(some) for some in (parts[:first], parts[last + 1 :]))
    among = parts[first : last + 1]
    within = "".join(cell for _, cell in among)
    broken = any(kind == "literal" for kind, _ in among) and "." not in within and "/" not in within
    leading = len(among) == 1 and re.fullmatch(r"00+", within) is not None
    worded = any(cell == "@" for _, cell in among)
    if not places:
        before = "".join(cell for _, cell in parts)
    return Section(condition, before, after, within if broken or leading else "", scale, bool(places), worded)


def _words(parts: list[tuple[str, str]]) -> str:
    text = "".join(cell for _, cell in parts)
    return "" if _SAYS_NOTHING.fullmatch(text) else text


def _section_for(number: Decimal, sections: tuple[Section, ...]) -> Section:
    if any(one.condition for one in sections):
        return next((one for one in sections if one.condition is None or _holds(number, *one.condition)), sections[-1])
    if number < 0 and len(sections) > 1:
        return sections[1]
    return sections[2] if number == 0 and len(sections) > 2 else sections[0]


def _holds(number: Decimal, sign: str, limit: Decimal) -> bool:
    return {
        "<": number < limit, "<=": number <= limit, ">": number > limit, ">=": number >= limit, "=": number == limit,
        "<>": number != limit,
    }[sign]  # fmt: skip


def _placed(number: Decimal, within: str) -> str:
    """Digits from the right into placeholders; zeros of the format fill up, words stay where they are."""
    digits = list(f"{abs(number).to_integral_value():f}")
    found: list[str] = []
    for place in reversed(range(len(within))):
        if within[place] not in "0#?":
            found.append(within[place])
            continue
        found.append(digits.pop() if digits else "0" if within[place] == "0" else "")
        if not any(one in "0#?" for one in within[:place]):
            found += reversed(digits)
    return ("-" if number < 0 else "") + "".join(reversed(found))
