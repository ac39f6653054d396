"""USGS site descriptions and ratings: tables kept as they are written."""

import pytest

from ingest.rdb import rating as rdb_rating
from ingest.rdb import site as rdb_site
from ingest.reading import Source
from models.errors import BadFile

SITES = (
    "#\nagency_cd\tsite_no\tstation_nm\tdec_lat_va\talt_va\thuc_cd\n5s\t15s\t50s\t16s\t8s\t16s\n"
    "USGS\t00999002\tMADE-UP CREEK\t45.01\t 912.40\t07050005\n"
)
RATING = """\
# //FILE TYPE="NWIS RATING"
# //STATION AGENCY="USGS " NUMBER="00999002       " TIME_ZONE="CST" DST_FLAG=Y
# //RATING ID="4.1" TYPE="STGQ" NAME="stage-discharge" AGING=Working
# //RATING REMARKS=""
# //RATING EXPANSION="logarithmic"
# //RATING BREAKPOINT1=3.50 OFFSET1=1.20 OFFSET2=1.05
# //SHIFT_PREV STAGE1="2.00" SHIFT1="-0.03"
# //SHIFT_NEXT STAGE1="2.10" SHIFT1="-0.05"
# //RATING_DATETIME BEGIN=20231001000000 BZONE=-06:00 END=20240301000000 EZONE=-06:00 AGING=None
# //RATING_DATETIME BEGIN=20240301000000 BZONE=-06:00 END=-------------- EZONE=--- AGING=None
INDEP\tSHIFT\tDEP\tSTOR
16N\t16N\t16N\t1S
2.00\t-0.03\t4.10E+00\t*
2.01\t-0.03\t4.16\t
"""


def test_sites_keep_their_zeros_and_a_site_may_lack_its_altitude() -> None:
    more = SITES + "USGS\t450000091000001\tXX-0999\t\t\t\n" + SITES.replace("00999002", "00999003")
    known = rdb_site.parse(Source("site.rdb", more)).tables["sites"]
    assert known["row"].tolist() == [4, 5, 9]
    assert known["site_no"].tolist() == ["00999002", "450000091000001", "00999003"]
    assert known.iloc[0][["dec_lat_va", "alt_va", "huc_cd"]].tolist() == ["45.01", "912.40", "07050005"]
    assert known["alt_va"].tolist() == ["912.40", "", "912.40"]


@pytest.mark.parametrize(("found", "column"), [("912.4O", "alt_va"), ("00 999", "site_no"), ("45° 1'", "dec_lat_va")])
def test_a_garbled_site_is_refused_and_the_others_stay(found: str, column: str) -> None:
    good = "USGS\t00999002\tMADE-UP CREEK\t45.01\t912.40\t07050005\n"
    at = {"site_no": "00999002", "dec_lat_va": "45.01", "alt_va": "912.40"}[column]
    parts = rdb_site.parse(Source("site.rdb", SITES + good.replace(at, found)))
    assert len(parts.tables["sites"]) == 1
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(5, column, found)]


def test_a_site_file_without_sites_is_said() -> None:
    with pytest.raises(BadFile, match="no data in it"):
        rdb_site.parse(Source("site.rdb", "# US Geological Survey\n#\n"))
    empty = rdb_site.parse(Source("site.rdb", SITES[: SITES.index("USGS")])).tables["sites"]
    assert (len(empty), empty.columns.tolist()[:3]) == (0, ["row", "agency_cd", "site_no"])


def test_a_rating_keeps_its_points_and_what_stands_above_them() -> None:
    parts = rdb_rating.parse(Source("rating.rdb", RATING))
    assert parts.tables["rating"].to_numpy().tolist() == [
        [13, "2.00", "-0.03", "4.10E+00", "*"], [14, "2.01", "-0.03", "4.16", ""],
    ]  # fmt: skip
    expected = {
        "station_agency": "USGS", "station_number": "00999002", "station_time_zone": "CST", "station_dst_flag": "Y",
        "rating_id": "4.1", "rating_expansion": "logarithmic", "rating_breakpoint1": "3.50", "rating_offset1": "1.20",
        "rating_offset2": "1.05", "shift_prev_stage1": "2.00", "shift_prev_shift1": "-0.03",
        "shift_next_shift1": "-0.05", "rating_datetime_begin": "20231001000000 | 20240301000000",
        "rating_datetime_end": "20240301000000 | --------------", "rating_datetime_bzone": "-06:00 | -06:00",
    }  # fmt: skip
    assert {key: parts.facts[key] for key in expected} == expected
    assert "rating_remarks" not in parts.facts
    assert parts.timezone == "CST"
    header = parts.tables["rating_header"]
    assert header[header["key"] == "OFFSET2"].to_numpy().tolist() == [[6, "RATING", "OFFSET2", "1.05"]]


def test_a_point_that_is_no_number_is_refused() -> None:
    parts = rdb_rating.parse(Source("rating.rdb", RATING.replace("4.16", "4.l6")))
    assert parts.tables["rating"]["INDEP"].tolist() == ["2.00"]
    assert [(one.row, one.column, one.raw) for one in parts.rejects] == [(14, "DEP", "4.l6")]


def test_content_tells_a_rating_with_or_without_what_stands_above_it() -> None:
    bare = RATING[RATING.index("INDEP") :]
    assert (rdb_rating.sniff(RATING), rdb_rating.sniff(bare), rdb_rating.sniff(SITES)) == (True, True, False)
    assert rdb_rating.sniff("INDEP\tCORR\tCORRINDEP\n16N\t16N\t16N\n")
    assert len(rdb_rating.parse(Source("rating.rdb", bare)).tables["rating"]) == 2
    with pytest.raises(BadFile, match="no data in it"):
        rdb_rating.parse(Source("rating.rdb", RATING[: RATING.index("INDEP")]))
    assert (rdb_site.sniff(RATING), rdb_site.sniff(SITES)) == (False, True)
