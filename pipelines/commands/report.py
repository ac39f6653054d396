"""``headwater report``: documents. Each is imported only when it is asked for."""

from __future__ import annotations

import click

from pipelines.lazy_group import LazyGroup

REPORTS = {
    "annual": ("report_annual", "annual", "The appendix to the operator's annual report, for the Plan Commission."),
    "decision": ("report_decision", "decision", "The page before a decision of the town: asked, until when, money."),
    "notice": ("report_notice", "notice", "The papers of a case: notice, acknowledgement, demand, result letter."),
    "release": ("report_notice", "release", "Record that a person let a paper go; nothing is sent."),
    "papers": ("report_papers", "papers", "Papers on record: drafts, those that wait, those released."),
    "site": ("report_site", "site", "The public page of the site: one static folder that works offline."),
}


@click.group(cls=LazyGroup, table=REPORTS)
def report() -> None:
    """Documents: the site page, the annual appendix, the papers of a case, the page before a decision."""
