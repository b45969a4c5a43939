// A report as JSON, for programs: the levels, the findings, and their participants.
//
//   {"headline": "Not snapshot isolation",
//    "levels": [{"level": "snapshot-isolation", "state": "violated"}],
//    "findings": [
//     {"name": "G-single-item", "gloss": "read skew", "count": 1, "keys": ["x"],
//      "transactions": [{"label": "T1", "file": "run.edn", "line": 2, "session": "process 0",
//                        "status": "committed", "text": "{:type :ok, ...}"}],
//      "rules-out": ["snapshot-isolation"], "followers": []}]}
//
// Sentences and pictures are other forms of the same findings (finding_forms.h, views/views.h).
#pragma once

#include <string>

#include "adapter/report/report_model.h"

namespace elapid {

/// Levels without a question and without a finding against them are left out. The state of a level
/// is `holds`, `not-refuted`, `violated` or `unknown` (LevelState). A transaction has a `line` if
/// its source has lines, and a `place` if the report knows another one. `doubtful` is present if
/// errors of clocks explain a finding; `transactions-left-out` and `findings-left-out` are present
/// if there are more than the report shows.
[[nodiscard]] std::string report_json(const ReportModel& report);

}  // namespace elapid
