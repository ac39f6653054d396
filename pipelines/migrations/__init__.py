"""The history of the schema, one revision a file; run by ``pipelines.database.open_store``."""
