"""Words for a use of a well that is none of ours: told, unless they may be a household's own."""

from __future__ import annotations

import re

from pipelines.site_from_files.toml_text import words

OTHER_USES = frozenset({
    "abandoned", "agricultural", "and", "cattle", "closed", "commercial", "community", "cooling", "dairy",
    "dewatering", "drinking", "dug", "emergency", "farm", "fire", "fish", "frac", "geothermal", "heat", "high",
    "capacity", "inactive", "industrial", "injection", "irrigation", "livestock", "mine", "mining", "municipal",
    "non", "noncommunity", "of", "or", "other", "potable", "protection", "public", "pump", "quarry", "recovery",
    "recreation", "school", "standby", "stock", "supply", "system", "test", "transient", "unknown", "unused", "use",
    "village", "wash", "washing", "water", "well",
})  # fmt: skip
"""Words of uses that none of ours are, as the DNR and the USGS have them."""


def other_use(said: str) -> str:
    """The file's word for a use, where it is one and not somebody's own."""
    if not said:
        return ""
    known = all(one in OTHER_USES for one in re.findall(r"\w+", said.casefold()))
    return f'; it says "{words(said)}"' if known else "; its word for a use is not known"
