"""The annual appendix: one calendar year of a site, in chapters of tables and figures, for a page and a workbook."""
