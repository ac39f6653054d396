"""What the facts of a table call for somebody to know: what was not read, is hidden, or looks like another thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

SAID = {
    "columns_not_read": "columns not read",
    "sheets_not_read": "sheets not read",
    "not_read": "members that are no tables are not read",
    "samples_without_results": "samples without results",
    "sheets_set_apart": "sheets set apart by their name, not judged",
    "hidden_sheets": "hidden sheets are not read",
    "hidden_columns": "hidden columns are read like the others",
    "repeats_without_number": "several results of one moment, none with a sample number: all kept, ask which is which",
    "like_duplicates": "id looks like a duplicate but the type says routine",
    "like_quality_control": "id looks like quality control but the type says otherwise",
    "places_like_quality_control": "place named like quality control and no type stated: judged as a well",
}
"""Facts of a reading (``ingest.reading.Parts.facts``) that list names, by how they are told."""
MOST = 12
"""Names of one list that are told; the others are counted."""


def table_notes(facts: Mapping[str, str]) -> Iterator[str]:
    """One line for each list that is not empty."""
    for fact, words in SAID.items():
        if names := [name for name in facts.get(fact, "").split(", ") if name]:
            more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
            yield f"{words}: {', '.join(names[:MOST])}{more}"
