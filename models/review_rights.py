"""Who may review: a licensed act is a person's, by name; it is undone by its signer, another licensee or the town.

A party that an act works against may contest a result; it neither accepts nor takes back what another signed.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.errors import BadQuestion
from models.review import LICENSED, Review, require_licence_number
from models.rules import Ordinance
from models.site import Site

OUTSIDE = ("operator", "owner", "occupant", "court", "agency", "headwater")
"""Parts to play that no licence goes with."""


@dataclass(frozen=True)
class Roles:
    """Whom a site knows by part and not by name, in lower case: the town's offices, and everybody else."""

    town: frozenset[str]
    others: frozenset[str]

    def is_town(self, by: str) -> bool:
        return by.strip().casefold() in self.town

    def is_role(self, by: str) -> bool:
        """Whether it names a part, a body or a company, and no person."""
        plain = by.strip().casefold()
        return plain in self.town | self.others or plain.partition(":")[0].strip() in OUTSIDE


def roles(site: Site, law: Ordinance) -> Roles:
    """Offices of the ordinance and parties of the site, by id and by name."""
    town = [*law.offices, *(text for one in site.party if one.role == "town" for text in (one.id, one.name))]
    others = [*OUTSIDE, *(text for one in site.party if one.role != "town" for text in (one.id, one.name))]
    return Roles(*(frozenset(text.strip().casefold() for text in each) for each in (town, others)))


def check_rights(act: Review, undone: Review | None, known: Roles) -> None:
    """Refuse a licensed act of a party, and a withdrawal by whom it is not given to.

    Parameters
    ----------
    undone : the act that is withdrawn; None where there is none.

    Raises
    ------
    BadQuestion : whose act it is.
    """
    if act.act in LICENSED:
        _is_a_person(act, known)
    elif act.licence:
        _is_a_person(act, known)
        require_licence_number(act.number)
    if act.act == "withdraw" and undone is not None and not _may_undo(act, undone, known):
        allowed = [undone.by, "an office of the town", "a licensee, with --licence and --number"]
        raise BadQuestion(f"another's {undone.act.replace('_', ' ')} is not its to take back", key="--by",
                          found=act.by, allowed=allowed)  # fmt: skip


def _is_a_person(act: Review, known: Roles) -> None:
    if known.is_role(act.by) or not any(one.isalpha() for one in act.by):
        allowed = ["the name of the licensee"]
        raise BadQuestion("a licensed act is a person's, by name", key="--by", found=act.by, allowed=allowed)


def _may_undo(act: Review, undone: Review, known: Roles) -> bool:
    same = act.by.strip().casefold() == undone.by.strip().casefold()
    return same or known.is_town(act.by) or bool(act.licence)
