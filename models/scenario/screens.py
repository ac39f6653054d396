"""Where a site's production well is open, as a scenario tells it: below land, with the water table's depth there."""

from __future__ import annotations

from models.levels import land_navd88_ft, measuring_point_on
from models.site import Site, Well
from models.stratigraphy import water_table_ft


def screen_of(site: Site, well: Well) -> dict[str, str]:
    """``screen_top``, ``screen_bottom`` and ``water_depth``; nothing where one of them is not known.

    The water table lies ``aquifer.saturated_thickness_ft`` above the base of the lowest layer, and land is that of the
    well's measuring point on the day mining began; without layers nothing asks for it.
    """
    top, bottom = well.screen_top_ft, well.screen_bottom_ft
    point = measuring_point_on(well, site.permit.mining_began)
    if not site.layer or site.aquifer is None or top is None or bottom is None or point is None:
        return {}
    land = land_navd88_ft(well, point)
    if land is None or land < (table := water_table_ft(site.layer, site.aquifer.saturated_thickness_ft)):
        return {}
    return {"screen_top": f"{top:f} ft", "screen_bottom": f"{bottom:f} ft", "water_depth": f"{land - table:f} ft"}
