"""Files that say where things are: lists of wells, site files, shapefiles, GeoJSON. They hold no observation."""
