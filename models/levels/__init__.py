"""Water levels of wells: from what a logger stores to the depth of the water table, corrected, tested and by day."""

from models.levels.hanging import land_navd88_ft, logger_on, measuring_point_on
from models.levels.pressure import air_head_ft, depth_below_mp_ft

__all__ = ["air_head_ft", "depth_below_mp_ft", "land_navd88_ft", "logger_on", "measuring_point_on"]
