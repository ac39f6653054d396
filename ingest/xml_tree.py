"""An XML document as a small tree by local names, read safely: no document type, no entities, bounded size and depth.

Services write one vocabulary under many namespace prefixes (``ns1:value``, ``ns2:value``): only local names are kept.
A document that breaks off is refused whole: what stands at its end (method, qualifier list, next page) is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from ingest.cells import BadCell
from ingest.reading import Source

DEEPEST = 64
MOST_ELEMENTS = 2_000_000
LONGEST_TEXT = 100_000
_NONE: dict[str, str] = {}


@dataclass(slots=True)
class Node:
    """One element: local name, attributes by local name, its own text, its children."""

    name: str
    attributes: dict[str, str]
    text: str
    children: list[Node] | tuple[()]

    def get(self, attribute: str) -> str:
        return self.attributes.get(attribute, "")

    def all(self, name: str) -> list[Node]:
        """Children of that name."""
        return [child for child in self.children if child.name == name]

    def find(self, *path: str) -> Node:
        """The first child at the end of a path; an empty node where there is none, so that paths need no guard."""
        node = self
        for name in path:
            node = next((child for child in node.children if child.name == name), NOTHING)
        return node

    def within(self, *names: str) -> Iterator[Node]:
        """Every node of these names below this one, in document order."""
        stack = list(reversed(self.children))
        while stack:
            node = stack.pop()
            if node.name in names:
                yield node
            stack.extend(reversed(node.children))

    def first(self, name: str) -> Node:
        """The first node of that name anywhere below; an empty node where there is none."""
        return next(self.within(name), NOTHING)


NOTHING = Node("", _NONE, "", ())
"""The node that is not there: empty text, no attributes, no children."""


class _Target:
    """Receives the parser's events (the interface of ``xml.etree.ElementTree.TreeBuilder``)."""

    def __init__(self) -> None:
        self._open: list[Node] = [Node("", _NONE, "", [])]
        self._text: list[str] = []
        self._length = self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) > DEEPEST or self._count > MOST_ELEMENTS:
            raise BadCell(f"nested deeper than {DEEPEST}, or more than {MOST_ELEMENTS} elements")
        self._flush()
        node = Node(_local(tag), {_local(key): value for key, value in attributes.items()} or _NONE, "", ())
        parent = self._open[-1]
        if isinstance(parent.children, tuple):
            parent.children = []
        parent.children.append(node)
        self._open.append(node)

    def data(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST_TEXT:
            raise BadCell(f"one text of more than {LONGEST_TEXT} characters")
        self._text.append(text)

    def end(self, _tag: str) -> None:
        self._flush()
        node = self._open.pop()
        node.text = node.text.strip()

    def close(self) -> Node:
        return next(iter(self._open[0].children))

    def _flush(self) -> None:
        if self._text:
            self._open[-1].text += "".join(self._text)
            self._text.clear()
        self._length = 0


def tree(source: Source) -> Node:
    """The root element.

    Raises
    ------
    BadFile : broken or cut off, carrying a document type or entities, or beyond the bounds of this module.
    """
    parser: Any = DefusedXMLParser(target=_Target(), forbid_dtd=True)
    line: Callable[[], int] = lambda: int(parser.parser.CurrentLineNumber)  # noqa: E731
    try:
        parser.feed(source.text)  # at once: in pieces, each would scan an unfinished tag again from its start
        root: Node = parser.close()
    except DefusedXmlException:
        raise source.bad("XML with a document type or entities is refused") from None
    except (ParseError, BadCell) as broken:
        raise source.bad(f"broken XML ({broken})", row=line()) from None
    return root


def _local(name: str) -> str:
    return name.rpartition("}")[2]
