"""Rules under which data are to be delivered: who sends what, and when, stands in ``site.toml``."""

from __future__ import annotations

from typing import Literal

from models.clause import Clause


class DeliveryRule(Clause):
    """Deliveries of data that somebody promised or owes; one that did not come in time is late.

    ``decided``: a decision has to ask for the delivery (its own ``required_by``, or a ``[[permit.required]]`` on the
    rule); otherwise the clause itself asks for it. ``own_clause``: the rule only says that conditions bind, so each
    delivery names its condition. ``mined_days``: it asks about days of mining, and what covers none is not owed. A rule
    that is ``information`` stands under no clause: silence is shown, and is no violation.
    """

    kind: Literal["delivery"]
    decided: bool = True
    own_clause: bool = False
    mined_days: bool = False
