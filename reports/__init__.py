"""Tells: plain data in, mails, tables and documents out. No queries, no sending."""
