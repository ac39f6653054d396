"""One filling of a site: what it was before, the blocks to be written, and what became of every row of the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.household import Household, Households
from models.observation import Reject
from models.privacy import private_part
from models.site import Site
from pipelines.site_from_files.blocks import Block
from pipelines.site_from_files.systems import Origin, Said

MOST = 2_000
"""Wells, and parcels, of one site; a list of more is a county's or a state's."""
OWNED = "left out: its words name a household"
LONGEST = 2000


@dataclass(frozen=True)
class Fact:
    """What became of one row: its table (``""``: not in force) and, in words, what it waits for or how it differs."""

    origin: Origin
    table: str
    id: str
    said: str = ""


@dataclass
class Filled:
    """The new texts, and what became of everything in the files. ``private``: rows that went to ``households.toml``;
    ``unread``: columns nobody knows, as `Places` tells them.
    """

    site: str
    households: str
    added: list[Fact] = field(default_factory=list)
    waiting: list[Fact] = field(default_factory=list)
    already: list[Fact] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    unread: dict[str, list[str]] = field(default_factory=dict)
    private: int = 0


@dataclass
class Filling:
    """``blocks`` and ``private_blocks`` to be added, and ``stale`` ones of ours that no longer hold."""

    site: Site
    homes: Households
    said: Said
    out: Filled
    blocks: list[Block] = field(default_factory=list)
    private_blocks: list[Block] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    private_stale: list[str] = field(default_factory=list)
    _lines: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._lines = frozenset(self.out.site.split("\n"))

    def add(self, block: Block, origin: Origin) -> bool:
        """One more block, in force or waiting; whether it is new.

        A row whose line stands in the site, though its id does not, was taken before and is now called otherwise.
        """
        if block.table and self.has(block):
            self.out.already.append(
                Fact(origin, block.table, block.id, "taken before; site.toml calls it otherwise now")
            )
            return False
        self.blocks.append(block)
        into = self.out.added if block.table else self.out.waiting
        into.append(Fact(origin, block.table, block.id, block.waits))
        return bool(block.table)

    def has(self, block: Block) -> bool:
        """Whether the line a block begins with stands in the site."""
        return block.lines[0] in self._lines

    def add_private(self, block: Block) -> None:
        """One more block of the private file."""
        self.private_blocks.append(block)

    def refuse(self, origin: Origin, reason: str) -> None:
        """One row that is not taken, or not whole."""
        self.out.rejects.append(Reject(origin.file, origin.row, "", "", reason))

    def gives_away(self, text: str, people: Mapping[str, str]) -> bool:
        """Whether words for ``site.toml`` name a household on file, or the people of their own row."""
        own = {"owner": ""} | {name: said[:LONGEST] for name, said in people.items()}
        row = Households(household=(Household(property="own", **own),))
        return any(private_part(text, homes) is not None for homes in (self.homes, row))
