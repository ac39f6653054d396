"""A site's files filled from lists of wells, site files, outlines and parcels: every fact with its source."""
