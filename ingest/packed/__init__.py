"""Workbooks, zip files and folders as tables of text; nothing is unpacked to disk, and nothing in them is run."""
