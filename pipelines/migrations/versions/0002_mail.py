"""Mail that is tried again: when next, when given up; its HTML part, and the findings it tells of.

Every column may be empty, so rows of the first release keep their seals and count as due at once.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Text

revision = "hw0002"
down_revision = "hw0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("body_html", "about"):
        op.add_column("outbox", Column(name, Text))
    for name in ("next_attempt_at", "dead_at", "dead_told_at"):
        op.add_column("outbox", Column(name, BigInteger))
