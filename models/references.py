"""References between the nouns of a site file: an id stands once, and what is referred to exists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def unique(what: str, names: Sequence[str]) -> None:
    """Refuse a name used twice.

    Raises
    ------
    ValueError : naming it.
    """
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} used twice: {', '.join(twice)}")


def known(what: str, used: Iterable[str], there: set[str]) -> None:
    """Refuse a reference to something that is not there.

    Raises
    ------
    ValueError : naming it, and what there is.
    """
    missing = sorted(set(used) - there)
    if missing:
        raise ValueError(f"no {what} called {', '.join(missing)}; there is {', '.join(sorted(there)) or 'none'}")
