"""USGS Water Data API: one record is one feature, as GeoJSON or CSV."""
