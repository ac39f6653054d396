BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('hw0001');
CREATE TABLE daily (
	series_id INTEGER NOT NULL, 
	day INTEGER NOT NULL, 
	known_at BIGINT NOT NULL, 
	value_text TEXT NOT NULL, 
	flags TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	CONSTRAINT pk_daily PRIMARY KEY (series_id, day, known_at), 
	CONSTRAINT fk_daily_series_id_series FOREIGN KEY(series_id) REFERENCES series (id)
)
 WITHOUT ROWID

;
INSERT INTO "daily" VALUES(5,20265,1755061200000,'6.52','P;row=1248f5c19a:27','published');
INSERT INTO "daily" VALUES(5,20266,1755061200000,'6.01','P;row=1248f5c19a:28','published');
INSERT INTO "daily" VALUES(5,20267,1755061200000,'5.78','P;row=1248f5c19a:29','published');
INSERT INTO "daily" VALUES(5,20268,1755061200000,'6.13','P;row=1248f5c19a:30','published');
INSERT INTO "daily" VALUES(5,20269,1755061200000,'5.82','P;row=1248f5c19a:31','published');
INSERT INTO "daily" VALUES(5,20270,1755061200000,'5.61','P;row=1248f5c19a:32','published');
INSERT INTO "daily" VALUES(5,20271,1755061200000,'5.49','P;row=1248f5c19a:33','published');
INSERT INTO "daily" VALUES(5,20272,1755061200000,'5.37','P;row=1248f5c19a:34','published');
INSERT INTO "daily" VALUES(5,20273,1755061200000,'5.33','P;row=1248f5c19a:35','published');
INSERT INTO "daily" VALUES(5,20274,1755061200000,'5.25','P;row=1248f5c19a:36','published');
INSERT INTO "daily" VALUES(5,20275,1755061200000,'5.16','P;row=1248f5c19a:37','published');
INSERT INTO "daily" VALUES(5,20276,1755061200000,'5.10','P;row=1248f5c19a:38','published');
INSERT INTO "daily" VALUES(5,20277,1755061200000,'5.03','P;row=1248f5c19a:39','published');
INSERT INTO "daily" VALUES(5,20278,1755061200000,'4.98','P;row=1248f5c19a:40','published');
INSERT INTO "daily" VALUES(5,20279,1755061200000,'4.94','P;row=1248f5c19a:41','published');
INSERT INTO "daily" VALUES(5,20280,1755061200000,'5.03','P;row=1248f5c19a:42','published');
INSERT INTO "daily" VALUES(5,20281,1755061200000,'5.03','P;row=1248f5c19a:43','published');
INSERT INTO "daily" VALUES(5,20282,1755061200000,'4.95','P;row=1248f5c19a:44','published');
INSERT INTO "daily" VALUES(5,20283,1755061200000,'4.84','P;row=1248f5c19a:45','published');
INSERT INTO "daily" VALUES(5,20307,1755061200000,'4.73','P;row=d99ccb7412:27','published');
INSERT INTO "daily" VALUES(5,20308,1755061200000,'4.70','P;row=d99ccb7412:28','published');
INSERT INTO "daily" VALUES(5,20309,1755061200000,'4.62','P;row=d99ccb7412:29','published');
INSERT INTO "daily" VALUES(5,20310,1755061200000,'11.6','P;row=d99ccb7412:30','published');
INSERT INTO "daily" VALUES(5,20311,1755061200000,'8.14','P;row=d99ccb7412:31','published');
CREATE TABLE event (
	id INTEGER NOT NULL, 
	event_key TEXT NOT NULL, 
	case_id TEXT NOT NULL, 
	event TEXT NOT NULL, 
	happened_at BIGINT NOT NULL, 
	recorded_at BIGINT NOT NULL, 
	known_at BIGINT NOT NULL, 
	body TEXT NOT NULL, 
	prev_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_event PRIMARY KEY (id), 
	CONSTRAINT uq_event_event_key UNIQUE (event_key)
);
INSERT INTO "event" VALUES(1,'65b9697809e9cb5ac11d47208c62eca45830a3aed6f78b7d6bd5055629a2f26c','howard.remedy/R-1/2025-02-03','operator_receipt',1738595700000,1738597200000,1751346000000,'{"by": "owner:R-1", "document": "receipt-1", "method": "certified mail", "note": ""}','','fdee0004519b4e7c24568d21fd479835beabee0ce0c5a73f4221f2f6480c13d5');
INSERT INTO "event" VALUES(2,'b144cecc470914c291f2b411beed387b47393db4216668b7078a5158611c1d65','howard.baseflow/LMC-1/2025-07-13','case_opened',1755061200000,1755061200000,1755061200000,'{"by": "headwater", "document": "", "method": "", "note": "howard.baseflow|LMC-1|discharge|base flow 1|2025-07-08"}','fdee0004519b4e7c24568d21fd479835beabee0ce0c5a73f4221f2f6480c13d5','6743d5b606596c34b126d82c1161aa2dde130f1ded9bfa1590216fa372280ce9');
CREATE TABLE finding (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	known_at BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	rule TEXT NOT NULL, 
	station TEXT NOT NULL, 
	verdict TEXT NOT NULL, 
	body TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	prev_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_finding PRIMARY KEY (id), 
	CONSTRAINT uq_finding_key_digest_known_at UNIQUE ("key", digest, known_at)
);
INSERT INTO "finding" VALUES(1,'howard.quantity.private|PVT-1|depth_to_water||2025-08-11',1755061200000,'opened','howard.quantity.private','PVT-1','attained','{"aspect": "", "attained_in_baseline": null, "clause": "2.09(3)(b), 2.15(1)(b)", "confidence": "", "end": null, "evidence": [{"bearing": "supports", "line": "hand reading", "rows": ["e11b024066:3"], "says": "2025-08-11 hand reading: dry, water below 18.3 ft"}], "facts": {"distance_to_well_ft": 350, "property": "R-1", "within": "inside"}, "information": false, "lapses": false, "limit": "deepest baseline 15.82 ft of 1 readings, and 0.5 ft (default, not adopted) more", "material": ["attained"], "measured": "2025-08-11 hand reading: dry, water below 18.3 ft", "ongoing": true, "opened_on": "2025-08-11", "opens": null, "parameter": "depth_to_water", "provisional": false, "reason": "the water table dropped below its baseline and the well could not supply water", "rule": "howard.quantity.private", "start": "2025-08-11", "station": "PVT-1", "status": "observed", "unit": "ft", "verdict": "attained", "verification": ""}','e4ae570e67caeeac722206cba325b0776b1c20f254b117dc89fab75f148b6d93','','814e488698e6326b0cef50f16c6c3eb91ae547f4b878fcccd1373859a6e48651');
INSERT INTO "finding" VALUES(2,'howard.baseflow|LMC-1|discharge|base flow 1|2025-07-08',1755061200000,'opened','howard.baseflow','LMC-1','attained','{"aspect": "base flow 1", "attained_in_baseline": null, "clause": "2.09(3)(c)", "confidence": "WITHIN_UNCERTAINTY", "end": "2025-07-14", "evidence": [{"bearing": "supports", "line": "daily mean discharge", "rows": ["1248f5c19a:39", "1248f5c19a:40", "1248f5c19a:41", "1248f5c19a:42", "1248f5c19a:43", "1248f5c19a:44", "1248f5c19a:45"], "says": "< 5.07 cfs: 2025-07-08 5.03 cfs [P], 2025-07-09 4.98 cfs [P], 2025-07-10 4.94 cfs [P], 2025-07-11 5.03 cfs [P], 2025-07-12 5.03 cfs [P], 2025-07-13 4.95 cfs [P], 2025-07-14 4.84 cfs [P]"}, {"bearing": "silent", "line": "natural rate", "rows": [], "says": "no baseline record at this gauge: the natural rate is unknown"}, {"bearing": "silent", "line": "reference gauge", "rows": [], "says": "FMC-1: no flow known on these days"}, {"bearing": "silent", "line": "modelled depletion", "rows": [], "says": "no metered pumping is known: nothing to model"}], "facts": {"base_flow_method": "Flow equalled or exceeded on 90 percent of days (Q90, Weibull position m/(n+1)) of the daily mean flow of Lost Mitten Creek, extended from its own record 2024-01-01 to 2024-12-20 to 2005-01-01 by MOVE.1 on log10 daily means (Hirsch 1982) with Far Mitten Creek, station 05999202; rounded to 0.01 cfs", "base_flow_version": "1", "earliest_start": "2025-07-08", "indeterminate_from": null, "known_below_days": 7, "latest_end": null, "possible_days": 7, "threshold_step": false, "trigger_date": "2025-07-13"}, "information": false, "lapses": false, "limit": "5.07 cfs", "material": ["2025-07-13", "1", "TRIGGERED"], "measured": "4.84 cfs lowest of 7 known days below", "ongoing": false, "opened_on": "2025-07-13", "opens": "howard.baseflow", "parameter": "discharge", "provisional": true, "reason": "an outage from 2025-07-15 on hides its end; 7 of its days below are provisional, subject to revision", "rule": "howard.baseflow", "start": "2025-07-08", "station": "LMC-1", "status": "TRIGGERED_CENSORED", "unit": "cfs", "verdict": "attained", "verification": "signed by Example Hydrogeologist, PG"}','4d71bab6b479f2f997f708715328c3ec050c81fb95fea6b176ff98a3f4f88a3e','814e488698e6326b0cef50f16c6c3eb91ae547f4b878fcccd1373859a6e48651','af8487b4b34bdb350c8e411b4ddb0a6f06a56ee8aa8c2e6e0b09c38a92afec39');
INSERT INTO "finding" VALUES(3,'howard.baseflow|LMC-1|discharge|base flow 1|2025-08-07',1755061200000,'opened','howard.baseflow','LMC-1','indeterminate','{"aspect": "base flow 1", "attained_in_baseline": null, "clause": "2.09(3)(c)", "confidence": "", "end": "2025-08-09", "evidence": [{"bearing": "supports", "line": "daily mean discharge", "rows": ["d99ccb7412:27", "d99ccb7412:28", "d99ccb7412:29"], "says": "< 5.07 cfs: 2025-08-07 4.73 cfs [P], 2025-08-08 4.70 cfs [P], 2025-08-09 4.62 cfs [P]"}, {"bearing": "silent", "line": "natural rate", "rows": [], "says": "no baseline record at this gauge: the natural rate is unknown"}, {"bearing": "silent", "line": "reference gauge", "rows": [], "says": "FMC-1: no flow known on these days"}, {"bearing": "silent", "line": "modelled depletion", "rows": [], "says": "no metered pumping is known: nothing to model"}], "facts": {"base_flow_method": "Flow equalled or exceeded on 90 percent of days (Q90, Weibull position m/(n+1)) of the daily mean flow of Lost Mitten Creek, extended from its own record 2024-01-01 to 2024-12-20 to 2005-01-01 by MOVE.1 on log10 daily means (Hirsch 1982) with Far Mitten Creek, station 05999202; rounded to 0.01 cfs", "base_flow_version": "1", "earliest_start": null, "indeterminate_from": "2025-08-09", "known_below_days": 3, "latest_end": "2025-08-09", "possible_days": 3, "threshold_step": false, "trigger_date": null}, "information": false, "lapses": false, "limit": "5.07 cfs", "material": ["None", "1", "INDETERMINATE"], "measured": "4.62 cfs lowest of 3 known days below", "ongoing": false, "opened_on": "2025-08-09", "opens": null, "parameter": "discharge", "provisional": true, "reason": "an outage up to 2025-08-06 hides its beginning; 3 of its days below are provisional, subject to revision", "rule": "howard.baseflow", "start": "2025-08-07", "station": "LMC-1", "status": "INDETERMINATE", "unit": "cfs", "verdict": "indeterminate", "verification": "signed by Example Hydrogeologist, PG"}','8b5b881674ee70d741eec0cfcb80f216a995d9c0e9f6c810e97a83fb66b7d915','af8487b4b34bdb350c8e411b4ddb0a6f06a56ee8aa8c2e6e0b09c38a92afec39','2739f337bace2e83e7399385a93e6854d919ed7d5e9730b67226be0b680932a9');
INSERT INTO "finding" VALUES(4,'howard.baseflow.effect|LMC-1|discharge|base flow 1|2025-07-01',1755061200000,'opened','howard.baseflow.effect','LMC-1','not_applicable','{"aspect": "base flow 1", "attained_in_baseline": null, "clause": "2.09(3)(c)", "confidence": "", "end": "2025-07-14", "evidence": [{"bearing": "context", "line": "daily mean discharge", "rows": ["1248f5c19a:39", "1248f5c19a:40", "1248f5c19a:41", "1248f5c19a:42", "1248f5c19a:43", "1248f5c19a:44", "1248f5c19a:45"], "says": "2025-07-08 5.03 cfs [P], 2025-07-09 4.98 cfs [P], 2025-07-10 4.94 cfs [P], 2025-07-11 5.03 cfs [P], 2025-07-12 5.03 cfs [P], 2025-07-13 4.95 cfs [P], 2025-07-14 4.84 cfs [P]"}], "facts": {}, "information": true, "lapses": false, "limit": "5.07 cfs", "material": [], "measured": "7 days at or below in 2025-07", "ongoing": false, "opened_on": "2025-07-08", "opens": null, "parameter": "discharge", "provisional": true, "reason": "Information only: a low day alone is not a reduction caused by mining.", "rule": "howard.baseflow.effect", "start": "2025-07-01", "station": "LMC-1", "status": "INFORMATION", "unit": "cfs", "verdict": "not_applicable", "verification": "signed by Example Hydrogeologist, PG"}','d27bb01b0a2e17b600c2a5c56a85d6e08f490c1cdb2043d988fdfcf3a0e6269a','2739f337bace2e83e7399385a93e6854d919ed7d5e9730b67226be0b680932a9','43fa925f88609e3f8883539893c6265c350a5bf1242bc30cbaca5d5263ed733d');
INSERT INTO "finding" VALUES(5,'howard.baseflow.effect|LMC-1|discharge|base flow 1|2025-08-01',1755061200000,'opened','howard.baseflow.effect','LMC-1','not_applicable','{"aspect": "base flow 1", "attained_in_baseline": null, "clause": "2.09(3)(c)", "confidence": "", "end": "2025-08-09", "evidence": [{"bearing": "context", "line": "daily mean discharge", "rows": ["d99ccb7412:27", "d99ccb7412:28", "d99ccb7412:29"], "says": "2025-08-07 4.73 cfs [P], 2025-08-08 4.70 cfs [P], 2025-08-09 4.62 cfs [P]"}], "facts": {}, "information": true, "lapses": false, "limit": "5.07 cfs", "material": [], "measured": "3 days at or below in 2025-08", "ongoing": false, "opened_on": "2025-08-07", "opens": null, "parameter": "discharge", "provisional": true, "reason": "Information only: a low day alone is not a reduction caused by mining.", "rule": "howard.baseflow.effect", "start": "2025-08-01", "station": "LMC-1", "status": "INFORMATION", "unit": "cfs", "verdict": "not_applicable", "verification": "signed by Example Hydrogeologist, PG"}','0bb8427e69fcd3f0422f47dda03dc66d4e832ead61d46f4174d00184222d5895','43fa925f88609e3f8883539893c6265c350a5bf1242bc30cbaca5d5263ed733d','486df6a56b547d970bf6d71ed4a75bc352fb85ce8a83fdea84bd689d93981448');
CREATE TABLE mark (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_mark PRIMARY KEY (name)
);
INSERT INTO "mark" VALUES('judged_digest','215e1dee532f1f6d8a900e8db563c041bd989f5a982e338438417b62e619f796');
INSERT INTO "mark" VALUES('reported_source','5');
CREATE TABLE night (
	id INTEGER NOT NULL, 
	site TEXT NOT NULL, 
	on_day TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	finished_at BIGINT, 
	digest TEXT NOT NULL, 
	summary TEXT NOT NULL, 
	CONSTRAINT pk_night PRIMARY KEY (id)
);
INSERT INTO "night" VALUES(1,'pine-hollow','2025-06-30',1751266800000,1751266800000,'215e1dee532f1f6d8a900e8db563c041bd989f5a982e338438417b62e619f796','{"cannot_tell": [], "changes": [], "clocks": [{"case": "howard.remedy/R-1/2025-02-03", "clause": "2.15(2)", "done_at": null, "done_by": null, "nature": "receipts", "plain_due": null, "plain_due_at": null, "runs_from": "operator_receipt", "says": "", "standing": "one_missing", "started_at": "2025-02-03T15:15:00Z", "statutory_due": null, "statutory_due_at": null, "step": "howard.remedy.notice", "title": "Owner: notice to the town and the operator at the same time", "who": "owner"}, {"case": "howard.remedy/R-1/2025-02-03", "clause": "2.15(4)", "done_at": null, "done_by": null, "nature": "deadline", "plain_due": "2025-02-23", "plain_due_at": "2025-02-24T06:00:00Z", "runs_from": "operator_receipt", "says": "Interim supply goes on; failure to comply with the ordinance is named in 2.13(1)(b). No cessation follows: only 2.09(3)(c) stops a mine.", "standing": "overdue", "started_at": "2025-02-03T15:15:00Z", "statutory_due": "2025-02-24", "statutory_due_at": "2025-02-25T06:00:00Z", "step": "howard.remedy.report", "title": "Operator: report of non-attribution, or plan for a permanent supply", "who": "operator"}], "events": ["howard.remedy/R-1/2025-02-03 operator_receipt"], "files": [{"accepted": 2, "duplicate": 0, "error": "", "file": "lab.csv", "first_reject": "", "format": "wdnr-grn", "rejected": 0, "revised": 0, "seen": false, "waits": false}], "first_load": true, "left_out": [], "mails": ["[Headwater] Overdue: Operator: report of non-attribution, or plan for a permanent supply, 2.15(4) (Pine Hollow Sand Mine)"], "not_evaluable": [], "on": "2025-06-30", "open_cases": ["howard.remedy/R-1/2025-02-03"], "site": "pine-hollow", "stale": ["LMC-1: no daily value yet", "FMC-1: no daily value yet"], "standing": 0}');
INSERT INTO "night" VALUES(2,'pine-hollow','2025-08-12',1754982000000,1754982000000,'215e1dee532f1f6d8a900e8db563c041bd989f5a982e338438417b62e619f796','{"cannot_tell": [], "changes": [{"aspect": "", "attained_in_baseline": null, "change": "opened", "clause": "2.09(3)(b), 2.15(1)(b)", "end": null, "information": false, "limit": "deepest baseline 15.82 ft of 1 readings, and 0.5 ft (default, not adopted) more", "measured": "2025-08-11 hand reading: dry, water below 18.3 ft", "opened_on": "2025-08-11", "parameter": "depth_to_water", "provisional": false, "rule": "howard.quantity.private", "start": "2025-08-11", "station": "PVT-1", "status": "observed", "verdict": "attained"}, {"aspect": "base flow 1", "attained_in_baseline": null, "change": "opened", "clause": "2.09(3)(c)", "end": "2025-07-14", "information": false, "limit": "5.07 cfs", "measured": "4.84 cfs lowest of 7 known days below", "opened_on": "2025-07-13", "parameter": "discharge", "provisional": true, "rule": "howard.baseflow", "start": "2025-07-08", "station": "LMC-1", "status": "TRIGGERED_CENSORED", "verdict": "attained"}, {"aspect": "base flow 1", "attained_in_baseline": null, "change": "opened", "clause": "2.09(3)(c)", "end": "2025-08-09", "information": false, "limit": "5.07 cfs", "measured": "4.62 cfs lowest of 3 known days below", "opened_on": "2025-08-09", "parameter": "discharge", "provisional": true, "rule": "howard.baseflow", "start": "2025-08-07", "station": "LMC-1", "status": "INDETERMINATE", "verdict": "indeterminate"}, {"aspect": "base flow 1", "attained_in_baseline": null, "change": "opened", "clause": "2.09(3)(c)", "end": "2025-07-14", "information": true, "limit": "5.07 cfs", "measured": "7 days at or below in 2025-07", "opened_on": "2025-07-08", "parameter": "discharge", "provisional": true, "rule": "howard.baseflow.effect", "start": "2025-07-01", "station": "LMC-1", "status": "INFORMATION", "verdict": "not_applicable"}, {"aspect": "base flow 1", "attained_in_baseline": null, "change": "opened", "clause": "2.09(3)(c)", "end": "2025-08-09", "information": true, "limit": "5.07 cfs", "measured": "3 days at or below in 2025-08", "opened_on": "2025-08-07", "parameter": "discharge", "provisional": true, "rule": "howard.baseflow.effect", "start": "2025-08-01", "station": "LMC-1", "status": "INFORMATION", "verdict": "not_applicable"}], "clocks": [{"case": "howard.remedy/R-1/2025-02-03", "clause": "2.15(2)", "done_at": null, "done_by": null, "nature": "receipts", "plain_due": null, "plain_due_at": null, "runs_from": "operator_receipt", "says": "", "standing": "one_missing", "started_at": "2025-02-03T15:15:00Z", "statutory_due": null, "statutory_due_at": null, "step": "howard.remedy.notice", "title": "Owner: notice to the town and the operator at the same time", "who": "owner"}, {"case": "howard.remedy/R-1/2025-02-03", "clause": "2.15(4)", "done_at": null, "done_by": null, "nature": "deadline", "plain_due": "2025-02-23", "plain_due_at": "2025-02-24T06:00:00Z", "runs_from": "operator_receipt", "says": "Interim supply goes on; failure to comply with the ordinance is named in 2.13(1)(b). No cessation follows: only 2.09(3)(c) stops a mine.", "standing": "overdue", "started_at": "2025-02-03T15:15:00Z", "statutory_due": "2025-02-24", "statutory_due_at": "2025-02-25T06:00:00Z", "step": "howard.remedy.report", "title": "Operator: report of non-attribution, or plan for a permanent supply", "who": "operator"}, {"case": "howard.baseflow/LMC-1/2025-07-13", "clause": "2.09(3)(c)", "done_at": null, "done_by": null, "nature": "duty", "plain_due": null, "plain_due_at": null, "runs_from": "case_opened", "says": "The 20 days run from the notice.", "standing": "open", "started_at": "2025-08-13T05:00:00Z", "statutory_due": null, "statutory_due_at": null, "step": "howard.baseflow.notify", "title": "The town''s duty to notify the operator", "who": "town"}], "events": ["howard.baseflow/LMC-1/2025-07-13 case_opened"], "files": [{"accepted": 2, "duplicate": 0, "error": "", "file": "levels.csv", "first_reject": "row 4: time: not a time written HH:MM (found \"9 o''clock\")", "format": "hand-levels", "rejected": 1, "revised": 0, "seen": false, "waits": false}, {"accepted": 0, "duplicate": 0, "error": "page.rdb: an HTML page, not data", "file": "page.rdb", "first_reject": "", "format": "", "rejected": 1, "revised": 0, "seen": false, "waits": false}, {"accepted": 19, "duplicate": 0, "error": "", "file": "usgs-05999101-dv-2025-07-15.rdb", "first_reject": "", "format": "nwis-rdb-dv", "rejected": 0, "revised": 0, "seen": false, "waits": false}, {"accepted": 5, "duplicate": 0, "error": "", "file": "usgs-05999101-dv-2025-08-12.rdb", "first_reject": "", "format": "nwis-rdb-dv", "rejected": 0, "revised": 0, "seen": false, "waits": false}], "first_load": false, "left_out": ["page.rdb: an HTML page, not data", "levels.csv: 1 row rejected, the first: row 4: time: not a time written HH:MM (found \"9 o''clock\")"], "mails": ["[Headwater] New: PVT-1 depth to water, 2.09(3)(b), 2.15(1)(b) (Pine Hollow Sand Mine)", "[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)", "[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)"], "not_evaluable": [], "on": "2025-08-12", "open_cases": ["howard.remedy/R-1/2025-02-03", "howard.baseflow/LMC-1/2025-07-13"], "site": "pine-hollow", "stale": ["FMC-1: no daily value yet"], "standing": 3}');
CREATE TABLE observation (
	series_id INTEGER NOT NULL, 
	time_ms BIGINT NOT NULL, 
	known_at BIGINT NOT NULL, 
	value DOUBLE, 
	value_text TEXT NOT NULL, 
	flags TEXT NOT NULL, 
	source_id INTEGER NOT NULL, 
	source_row INTEGER NOT NULL, 
	CONSTRAINT pk_observation PRIMARY KEY (series_id, time_ms, known_at), 
	CONSTRAINT fk_observation_series_id_series FOREIGN KEY(series_id) REFERENCES series (id), 
	CONSTRAINT fk_observation_source_id_source FOREIGN KEY(source_id) REFERENCES source (id)
)
 WITHOUT ROWID

;
INSERT INTO "observation" VALUES(1,1745902800000,1751346000000,NULL,'ND',':ND;lod=0.3;loq=1.0;sample=EX250429-01',1,2);
INSERT INTO "observation" VALUES(2,1745902800000,1751346000000,0.58,'0.58',';lod=0.02;loq=0.06;sample=EX250429-01',1,3);
INSERT INTO "observation" VALUES(3,1719331500000,1755061200000,17.02,'17.02','',2,2);
INSERT INTO "observation" VALUES(3,1754928300000,1755061200000,NULL,'',':Dry',2,3);
INSERT INTO "observation" VALUES(4,1750914000000,1755061200000,6.52,'6.52','P',4,27);
INSERT INTO "observation" VALUES(4,1751000400000,1755061200000,6.01,'6.01','P',4,28);
INSERT INTO "observation" VALUES(4,1751086800000,1755061200000,5.78,'5.78','P',4,29);
INSERT INTO "observation" VALUES(4,1751173200000,1755061200000,6.13,'6.13','P',4,30);
INSERT INTO "observation" VALUES(4,1751259600000,1755061200000,5.82,'5.82','P',4,31);
INSERT INTO "observation" VALUES(4,1751346000000,1755061200000,5.61,'5.61','P',4,32);
INSERT INTO "observation" VALUES(4,1751432400000,1755061200000,5.49,'5.49','P',4,33);
INSERT INTO "observation" VALUES(4,1751518800000,1755061200000,5.37,'5.37','P',4,34);
INSERT INTO "observation" VALUES(4,1751605200000,1755061200000,5.33,'5.33','P',4,35);
INSERT INTO "observation" VALUES(4,1751691600000,1755061200000,5.25,'5.25','P',4,36);
INSERT INTO "observation" VALUES(4,1751778000000,1755061200000,5.16,'5.16','P',4,37);
INSERT INTO "observation" VALUES(4,1751864400000,1755061200000,5.1,'5.10','P',4,38);
INSERT INTO "observation" VALUES(4,1751950800000,1755061200000,5.03,'5.03','P',4,39);
INSERT INTO "observation" VALUES(4,1752037200000,1755061200000,4.98,'4.98','P',4,40);
INSERT INTO "observation" VALUES(4,1752123600000,1755061200000,4.94,'4.94','P',4,41);
INSERT INTO "observation" VALUES(4,1752210000000,1755061200000,5.03,'5.03','P',4,42);
INSERT INTO "observation" VALUES(4,1752296400000,1755061200000,5.03,'5.03','P',4,43);
INSERT INTO "observation" VALUES(4,1752382800000,1755061200000,4.95,'4.95','P',4,44);
INSERT INTO "observation" VALUES(4,1752469200000,1755061200000,4.84,'4.84','P',4,45);
INSERT INTO "observation" VALUES(4,1754542800000,1755061200000,4.73,'4.73','P',5,27);
INSERT INTO "observation" VALUES(4,1754629200000,1755061200000,4.7,'4.70','P',5,28);
INSERT INTO "observation" VALUES(4,1754715600000,1755061200000,4.62,'4.62','P',5,29);
INSERT INTO "observation" VALUES(4,1754802000000,1755061200000,11.6,'11.6','P',5,30);
INSERT INTO "observation" VALUES(4,1754888400000,1755061200000,8.14,'8.14','P',5,31);
CREATE TABLE outbox (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	message_id TEXT NOT NULL, 
	recipient TEXT NOT NULL, 
	subject TEXT NOT NULL, 
	body_text TEXT NOT NULL, 
	composed_at BIGINT NOT NULL, 
	sent_at BIGINT, 
	attempts INTEGER NOT NULL, 
	error TEXT, 
	prev_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_outbox PRIMARY KEY (id), 
	CONSTRAINT uq_outbox_key UNIQUE ("key"), 
	CONSTRAINT uq_outbox_message_id UNIQUE (message_id)
);
INSERT INTO "outbox" VALUES(1,'overdue/howard.remedy/R-1/2025-02-03/howard.remedy.report/1738595700000/clerk@town-of-howard.example','<34314c2192c5a5ec9f859b0082cd3ee04ef6d077@headwater.invalid>','clerk@town-of-howard.example','[Headwater] Overdue: Operator: report of non-attribution, or plan for a permanent supply, 2.15(4) (Pine Hollow Sand Mine)','The time of the step below is out and no act that ends it is recorded.

  Case        howard.remedy/R-1/2025-02-03
  Clause      2.15(4)
  Act         Operator: report of non-attribution, or plan for a permanent supply
  Who         operator
  Runs from   operator receipt, 2025-02-03 09:15 CST
  Plain due   end of 2025-02-23
  Statutory   end of 2025-02-24 (Wis. Stat. s. 990.001(4), memory: recalled, counsel to confirm that it reaches an ordinance)

What the clause says
  2.15(4): "Within 20 days of receipt of notice under sub (2), the mine operator shall provide to the property owner and to the Town a report that demonstrates that the impact to the property owner was not attributable to the mining operation or to present a plan for a permanent alternative water supply to be paid by the operator."

What follows
  Interim supply goes on; failure to comply with the ordinance is named in 2.13(1)(b). No cessation follows: only 2.09(3)(c) stops a mine.

Judged on acts recorded by 2025-07-01 00:00 CDT, program 0.1.0.

This is an automatic message to the Town. It is not the Town''s notice under any
clause and starts no deadline; only a recorded act does.
',1751346000000,1751346000000,1,NULL,'','d321c0d2c5478717a750f938391d3b1ea6286734b4204346e5980bd3663e54ad');
INSERT INTO "outbox" VALUES(2,'overdue/howard.remedy/R-1/2025-02-03/howard.remedy.report/1738595700000/board@town-of-howard.example','<92db4aee9a005fb9b7008105b3871fb1c8f80d63@headwater.invalid>','board@town-of-howard.example','[Headwater] Overdue: Operator: report of non-attribution, or plan for a permanent supply, 2.15(4) (Pine Hollow Sand Mine)','The time of the step below is out and no act that ends it is recorded.

  Case        howard.remedy/R-1/2025-02-03
  Clause      2.15(4)
  Act         Operator: report of non-attribution, or plan for a permanent supply
  Who         operator
  Runs from   operator receipt, 2025-02-03 09:15 CST
  Plain due   end of 2025-02-23
  Statutory   end of 2025-02-24 (Wis. Stat. s. 990.001(4), memory: recalled, counsel to confirm that it reaches an ordinance)

What the clause says
  2.15(4): "Within 20 days of receipt of notice under sub (2), the mine operator shall provide to the property owner and to the Town a report that demonstrates that the impact to the property owner was not attributable to the mining operation or to present a plan for a permanent alternative water supply to be paid by the operator."

What follows
  Interim supply goes on; failure to comply with the ordinance is named in 2.13(1)(b). No cessation follows: only 2.09(3)(c) stops a mine.

Judged on acts recorded by 2025-07-01 00:00 CDT, program 0.1.0.

This is an automatic message to the Town. It is not the Town''s notice under any
clause and starts no deadline; only a recorded act does.
',1751346000000,1751346000000,1,NULL,'d321c0d2c5478717a750f938391d3b1ea6286734b4204346e5980bd3663e54ad','73937713d48d0d629bee89616bf2ed4e4306fa867c4ff3551b8126d7e6ff925f');
INSERT INTO "outbox" VALUES(3,'alert/opened/1755061200000/56474a91196c1002c206f849dfe554d6/clerk@town-of-howard.example','<b650044338569eeab99b29c0564b242457e8cd23@headwater.invalid>','clerk@town-of-howard.example','[Headwater] New: PVT-1 depth to water, 2.09(3)(b), 2.15(1)(b) (Pine Hollow Sand Mine)','A condition under the ordinance was found tonight.

Quantity of water in a private well
  Clause      2.09(3)(b), 2.15(1)(b)
  Station     PVT-1, depth_to_water

  Period      2025-08-11 to now
  Came to be  2025-08-11
  Measured    2025-08-11 hand reading: dry, water below 18.3 ft

  Limit       deepest baseline 15.82 ft of 1 readings, and 0.5 ft (default, not adopted) more

  Verdict     attained; observed
  Why         the water table dropped below its baseline and the well could not supply water
  Evidence
    - hand reading: 2025-08-11 hand reading: dry, water below 18.3 ft
  Rows        e11b024066:3 (file hash:row, as stored)

What the clause says

  2.09(3)(b), 2.15(1)(b): "Mining operations shall not cause a significant reduction in the quantity of groundwater available for reasonable use by current users within 1/2 mile of the mine site. A significant reduction is a drop in the water table that results in a substantial adverse impact on a private well, including but not limited to, the inability of a well to provide water on a continuous basis. In the event that a significant reduction in groundwater occurs within 1/2 mile of the site, any affected property owner may utilize the remedies under Section 2.15."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)

What follows

  The owner may use the remedies of 2.15.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'73937713d48d0d629bee89616bf2ed4e4306fa867c4ff3551b8126d7e6ff925f','bcece9e45678d2418c40c803174b6fe26b322c9476c1d24220551706e6dc6eca');
INSERT INTO "outbox" VALUES(4,'alert/opened/1755061200000/56474a91196c1002c206f849dfe554d6/board@town-of-howard.example','<f761adb6e992745e24fd0940605c3c28881edaf9@headwater.invalid>','board@town-of-howard.example','[Headwater] New: PVT-1 depth to water, 2.09(3)(b), 2.15(1)(b) (Pine Hollow Sand Mine)','A condition under the ordinance was found tonight.

Quantity of water in a private well
  Clause      2.09(3)(b), 2.15(1)(b)
  Station     PVT-1, depth_to_water

  Period      2025-08-11 to now
  Came to be  2025-08-11
  Measured    2025-08-11 hand reading: dry, water below 18.3 ft

  Limit       deepest baseline 15.82 ft of 1 readings, and 0.5 ft (default, not adopted) more

  Verdict     attained; observed
  Why         the water table dropped below its baseline and the well could not supply water
  Evidence
    - hand reading: 2025-08-11 hand reading: dry, water below 18.3 ft
  Rows        e11b024066:3 (file hash:row, as stored)

What the clause says

  2.09(3)(b), 2.15(1)(b): "Mining operations shall not cause a significant reduction in the quantity of groundwater available for reasonable use by current users within 1/2 mile of the mine site. A significant reduction is a drop in the water table that results in a substantial adverse impact on a private well, including but not limited to, the inability of a well to provide water on a continuous basis. In the event that a significant reduction in groundwater occurs within 1/2 mile of the site, any affected property owner may utilize the remedies under Section 2.15."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)

What follows

  The owner may use the remedies of 2.15.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'bcece9e45678d2418c40c803174b6fe26b322c9476c1d24220551706e6dc6eca','5d8daeef24540f90cecfba1acbe613b3831f66f76666a00a50b969ede6fe0618');
INSERT INTO "outbox" VALUES(5,'alert/opened/1755061200000/726ba894300571cb19e70290ec3690f0/clerk@town-of-howard.example','<7e1b39e078236aa020a437365f867ac4bb40b126@headwater.invalid>','clerk@town-of-howard.example','[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)','A condition under the ordinance was found tonight.

Stream flow below base flow for more than 5 days
  Clause      2.09(3)(c)
  Station     LMC-1, discharge (base flow 1)

  Period      2025-07-08 to 2025-07-14
  Came to be  2025-07-13
  Measured    4.84 cfs lowest of 7 known days below [provisional]

  Limit       5.07 cfs (signed by Example Hydrogeologist, PG)

  Verdict     attained; TRIGGERED CENSORED
  Why         an outage from 2025-07-15 on hides its end; 7 of its days below are provisional, subject to revision
  Confidence  WITHIN_UNCERTAINTY
  Evidence
    - daily mean discharge: < 5.07 cfs: 2025-07-08 5.03 cfs [P], 2025-07-09 4.98 cfs [P], 2025-07-10 4.94 cfs [P], 2025-07-11 5.03 cfs [P], 2025-07-12 5.03 cfs [P], 2025-07-13 4.95 cfs [P], 2025-07-14 4.84 cfs [P]
    - natural rate: no baseline record at this gauge: the natural rate is unknown
    - reference gauge: FMC-1: no flow known on these days
    - modelled depletion: no metered pumping is known: nothing to model
  Rows        1248f5c19a:39, 1248f5c19a:40, 1248f5c19a:41, 1248f5c19a:42, 1248f5c19a:43, 1248f5c19a:44, 1248f5c19a:45 (file hash:row, as stored)

What the clause says

  2.09(3)(c): "If the stream flow of surface waters falls below base flows for more than 5 days, then the Town shall notify the operator and the operator shall have 20 days from such notice to submit a report that demonstrates that the reduction in stream flow was not attributable to the mining operation or to present a plan to return flows to base flow levels."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)
  Reading (for counsel to confirm): More than 5 days is read as six consecutive civil days each below.

What follows

  The town''s duty to notify the operator opens; the ordinance states no time for it.
  howard.baseflow/LMC-1/2025-07-13: The town''s duty to notify the operator (2.09(3)(c)): open; it is the town''s.
  Provisional data: the notice letter needs a reviewer''s recorded acceptance of the days it rests on.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'5d8daeef24540f90cecfba1acbe613b3831f66f76666a00a50b969ede6fe0618','b671b1ce47b7ae4b3c75bfcbc1b13d677dc185e2f9a5bafa7f85c2a507284240');
INSERT INTO "outbox" VALUES(6,'alert/opened/1755061200000/726ba894300571cb19e70290ec3690f0/board@town-of-howard.example','<dc6ecef9ac86348b8c06e837f7ecc1b13ecd388d@headwater.invalid>','board@town-of-howard.example','[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)','A condition under the ordinance was found tonight.

Stream flow below base flow for more than 5 days
  Clause      2.09(3)(c)
  Station     LMC-1, discharge (base flow 1)

  Period      2025-07-08 to 2025-07-14
  Came to be  2025-07-13
  Measured    4.84 cfs lowest of 7 known days below [provisional]

  Limit       5.07 cfs (signed by Example Hydrogeologist, PG)

  Verdict     attained; TRIGGERED CENSORED
  Why         an outage from 2025-07-15 on hides its end; 7 of its days below are provisional, subject to revision
  Confidence  WITHIN_UNCERTAINTY
  Evidence
    - daily mean discharge: < 5.07 cfs: 2025-07-08 5.03 cfs [P], 2025-07-09 4.98 cfs [P], 2025-07-10 4.94 cfs [P], 2025-07-11 5.03 cfs [P], 2025-07-12 5.03 cfs [P], 2025-07-13 4.95 cfs [P], 2025-07-14 4.84 cfs [P]
    - natural rate: no baseline record at this gauge: the natural rate is unknown
    - reference gauge: FMC-1: no flow known on these days
    - modelled depletion: no metered pumping is known: nothing to model
  Rows        1248f5c19a:39, 1248f5c19a:40, 1248f5c19a:41, 1248f5c19a:42, 1248f5c19a:43, 1248f5c19a:44, 1248f5c19a:45 (file hash:row, as stored)

What the clause says

  2.09(3)(c): "If the stream flow of surface waters falls below base flows for more than 5 days, then the Town shall notify the operator and the operator shall have 20 days from such notice to submit a report that demonstrates that the reduction in stream flow was not attributable to the mining operation or to present a plan to return flows to base flow levels."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)
  Reading (for counsel to confirm): More than 5 days is read as six consecutive civil days each below.

What follows

  The town''s duty to notify the operator opens; the ordinance states no time for it.
  howard.baseflow/LMC-1/2025-07-13: The town''s duty to notify the operator (2.09(3)(c)): open; it is the town''s.
  Provisional data: the notice letter needs a reviewer''s recorded acceptance of the days it rests on.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'b671b1ce47b7ae4b3c75bfcbc1b13d677dc185e2f9a5bafa7f85c2a507284240','e4f01909f0d98420b69d9d9e8fe53e7ae2b95f8b91fbef86b09b381a5663ac84');
INSERT INTO "outbox" VALUES(7,'alert/opened/1755061200000/d25b8d6c495228c3168662e663edbd46/clerk@town-of-howard.example','<eda922c89b949166387fc304346d25869f676b79@headwater.invalid>','clerk@town-of-howard.example','[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)','A condition under the ordinance may exist: the data cannot tell. What would settle it stands below.

Stream flow below base flow for more than 5 days
  Clause      2.09(3)(c)
  Station     LMC-1, discharge (base flow 1)

  Period      2025-08-07 to 2025-08-09
  Came to be  2025-08-09
  Measured    4.62 cfs lowest of 3 known days below [provisional]

  Limit       5.07 cfs (signed by Example Hydrogeologist, PG)

  Verdict     indeterminate; INDETERMINATE
  Why         an outage up to 2025-08-06 hides its beginning; 3 of its days below are provisional, subject to revision
  Evidence
    - daily mean discharge: < 5.07 cfs: 2025-08-07 4.73 cfs [P], 2025-08-08 4.70 cfs [P], 2025-08-09 4.62 cfs [P]
    - natural rate: no baseline record at this gauge: the natural rate is unknown
    - reference gauge: FMC-1: no flow known on these days
    - modelled depletion: no metered pumping is known: nothing to model
  Rows        d99ccb7412:27, d99ccb7412:28, d99ccb7412:29 (file hash:row, as stored)

What the clause says

  2.09(3)(c): "If the stream flow of surface waters falls below base flows for more than 5 days, then the Town shall notify the operator and the operator shall have 20 days from such notice to submit a report that demonstrates that the reduction in stream flow was not attributable to the mining operation or to present a plan to return flows to base flow levels."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)
  Reading (for counsel to confirm): More than 5 days is read as six consecutive civil days each below.

What follows

  Nothing follows under 2.09(3)(c) from what is indeterminate.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'e4f01909f0d98420b69d9d9e8fe53e7ae2b95f8b91fbef86b09b381a5663ac84','0ba643e2dc30e3aae2a658ab565aee648db1a4e88d34b30847b9760878b10056');
INSERT INTO "outbox" VALUES(8,'alert/opened/1755061200000/d25b8d6c495228c3168662e663edbd46/board@town-of-howard.example','<68af043573a4ad7107da89c218ad9438569eb228@headwater.invalid>','board@town-of-howard.example','[Headwater] New: LMC-1 discharge, 2.09(3)(c) (Pine Hollow Sand Mine)','A condition under the ordinance may exist: the data cannot tell. What would settle it stands below.

Stream flow below base flow for more than 5 days
  Clause      2.09(3)(c)
  Station     LMC-1, discharge (base flow 1)

  Period      2025-08-07 to 2025-08-09
  Came to be  2025-08-09
  Measured    4.62 cfs lowest of 3 known days below [provisional]

  Limit       5.07 cfs (signed by Example Hydrogeologist, PG)

  Verdict     indeterminate; INDETERMINATE
  Why         an outage up to 2025-08-06 hides its beginning; 3 of its days below are provisional, subject to revision
  Evidence
    - daily mean discharge: < 5.07 cfs: 2025-08-07 4.73 cfs [P], 2025-08-08 4.70 cfs [P], 2025-08-09 4.62 cfs [P]
    - natural rate: no baseline record at this gauge: the natural rate is unknown
    - reference gauge: FMC-1: no flow known on these days
    - modelled depletion: no metered pumping is known: nothing to model
  Rows        d99ccb7412:27, d99ccb7412:28, d99ccb7412:29 (file hash:row, as stored)

What the clause says

  2.09(3)(c): "If the stream flow of surface waters falls below base flows for more than 5 days, then the Town shall notify the operator and the operator shall have 20 days from such notice to submit a report that demonstrates that the reduction in stream flow was not attributable to the mining operation or to present a plan to return flows to base flow levels."
  (Date of effect unknown: The copy''s adoption and publication dates are blank (the publication line reads 2008); only the amendment of 2.08(4)(d)-(e) of 3 March 2009 is dated.)
  Reading (for counsel to confirm): More than 5 days is read as six consecutive civil days each below.

What follows

  Nothing follows under 2.09(3)(c) from what is indeterminate.

Judged on data known at 2025-08-13 00:00 CDT, program 0.1.0.
Policy thresholds that the town has not adopted and that are defaults: day_minimum_coverage, day_longest_hole, day_hole_edges_agree, indeterminate_known_days, longest_linking_gap, discharge_uncertainty, stage_uncertainty, baseline_minimum_years, stale_after, barometer_longest_gap, level_drop, at_risk_share, office_open_on_saturday.

This is an automatic message to the Town. It states a condition, not a cause and
not a violation. It is not the Town''s notice under any clause and starts no
deadline; only a recorded act does.
',1755061200000,1755061200000,1,NULL,'0ba643e2dc30e3aae2a658ab565aee648db1a4e88d34b30847b9760878b10056','08f2ce4db07bdf3c0d8153c380865cc6e596f6807823a60911b84c40fb88edce');
CREATE TABLE reject (
	id INTEGER NOT NULL, 
	source_id INTEGER NOT NULL, 
	"row" INTEGER NOT NULL, 
	column_name TEXT NOT NULL, 
	raw TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	CONSTRAINT pk_reject PRIMARY KEY (id), 
	CONSTRAINT fk_reject_source_id_source FOREIGN KEY(source_id) REFERENCES source (id)
);
INSERT INTO "reject" VALUES(1,2,4,'time','9 o''clock','not a time written HH:MM');
INSERT INTO "reject" VALUES(2,3,0,'','','an HTML page, not data');
CREATE TABLE series (
	id INTEGER NOT NULL, 
	"key" TEXT NOT NULL, 
	station TEXT NOT NULL, 
	parameter TEXT NOT NULL, 
	statistic TEXT NOT NULL, 
	series TEXT NOT NULL, 
	unit TEXT NOT NULL, 
	clock TEXT NOT NULL, 
	CONSTRAINT pk_series PRIMARY KEY (id), 
	CONSTRAINT uq_series_key UNIQUE ("key")
);
INSERT INTO "series" VALUES(1,'MW-1|arsenic|instant|01002|ug/L|day','MW-1','arsenic','instant','01002','ug/L','day');
INSERT INTO "series" VALUES(2,'MW-1|nitrate_nitrite_as_n|instant|00631|mg/L|day','MW-1','nitrate_nitrite_as_n','instant','00631','mg/L','day');
INSERT INTO "series" VALUES(3,'PVT-1|depth_below_mp|instant||ft|utc','PVT-1','depth_below_mp','instant','','ft','utc');
INSERT INTO "series" VALUES(4,'LMC-1|discharge|mean|301001|cfs|day','LMC-1','discharge','mean','301001','cfs','day');
INSERT INTO "series" VALUES(5,'LMC-1|discharge|mean|derived|cfs|day','LMC-1','discharge','mean','derived','cfs','day');
CREATE TABLE source (
	id INTEGER NOT NULL, 
	sha256 TEXT NOT NULL, 
	file TEXT NOT NULL, 
	format TEXT NOT NULL, 
	arrived_at BIGINT NOT NULL, 
	rows INTEGER NOT NULL, 
	accepted INTEGER NOT NULL, 
	duplicate INTEGER NOT NULL, 
	revised INTEGER NOT NULL, 
	rejected INTEGER NOT NULL, 
	size BIGINT NOT NULL, 
	CONSTRAINT pk_source PRIMARY KEY (id), 
	CONSTRAINT uq_source_sha256 UNIQUE (sha256)
);
INSERT INTO "source" VALUES(1,'acfd8108ede20a966eae6f319d51a86ee945a9bd06cd5fa495132e9861bf8674','lab.csv','wdnr-grn',1751346000000,2,2,0,0,0,600);
INSERT INTO "source" VALUES(2,'e11b02406656d1559c09282216029d49ebf5e0e5fadd60eec0faa47cd0984b78','levels.csv','hand-levels',1755061200000,3,2,0,0,1,229);
INSERT INTO "source" VALUES(3,'d90d3e3066c940d2ad13c1c2971e551deb40ded0caeb2230fc0f33a898b46509','page.rdb','',1755061200000,0,0,0,0,1,45);
INSERT INTO "source" VALUES(4,'1248f5c19af7eca93bee36bc15a68d01996cc64e10fbce636627184a66eb35eb','usgs-05999101-dv-2025-07-15.rdb','nwis-rdb-dv',1755061200000,19,19,0,0,0,1940);
INSERT INTO "source" VALUES(5,'d99ccb74128d094c42a3074dcdc20a44365f751106c949de0de945a5d1965e31','usgs-05999101-dv-2025-08-12.rdb','nwis-rdb-dv',1755061200000,5,5,0,0,0,1492);
CREATE INDEX ix_reject_source_id ON reject (source_id);
CREATE INDEX ix_night_site_on_day ON night (site, on_day);
CREATE INDEX ix_event_case_id ON event (case_id);
COMMIT;
