"""Alembic's entry: works on the connection it is handed, inside the transaction that is already open.

Nothing here begins or commits, so a kill at any instant leaves either the old schema or the new one.
"""

from __future__ import annotations

from alembic import context

from pipelines.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
