// A verdict in one sentence.
#pragma once

#include <string>

#include "adapter/report/report_model.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Sets headline and clauses of a report that has its levels and findings.
void add_sentence(const Verdict& verdict, ReportModel& report);

/// `Not snapshot isolation: G-single (read skew) on keys 1121 and 1122; 3 transactions; strongest
/// level still possible: read committed; complete check.`
[[nodiscard]] std::string verdict_sentence(const ReportModel& report);

/// The question, for headings: `strict serializable`, `all levels`; empty for workloads without
/// levels.
[[nodiscard]] std::string asked_words(const ReportModel& report);

}  // namespace elapid
