"""Who adopted a threshold: a body of the town, and no household is named by what is printed of it."""

from __future__ import annotations

from collections.abc import Collection

from models.errors import BadSite
from models.household import Households
from models.policy import Policy, Threshold, default_policy
from models.privacy import private_part


def check_adoptions(policy: Policy, offices: Collection[str], households: Households, *, file: str) -> None:
    """Refuse a threshold adopted by no body of the town, and a household in what is printed of one.

    What is shipped with the program was written before any household was known.

    Parameters
    ----------
    offices : the town's, as the ordinance names them.

    Raises
    ------
    BadSite : names the key and what is allowed, never what was found: it may be a name.
    """
    known = {one.casefold() for one in offices}
    for name in Policy.model_fields:
        one: Threshold = getattr(policy, name)
        if one.adopted_by and one.adopted_by.strip().casefold() not in known:
            raise BadSite("no body of the town", file=file, key=f"{name}.adopted_by", allowed=offices)
        shipped: Threshold = getattr(default_policy(), name)
        for key in ("reason", "resolution"):
            if getattr(one, key) == getattr(shipped, key):
                continue
            if part := private_part(getattr(one, key), households):
                raise BadSite(f"holds a household's {part}: it is printed", file=file, key=f"{name}.{key}")
