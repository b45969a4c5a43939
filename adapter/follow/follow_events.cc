#include "adapter/follow/follow_events.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "adapter/elle/verdict_view.h"
#include "engine/ir/json_string.h"
#include "engine/levels/validity.h"

namespace elapid {

namespace {

template <class Names>
std::string array(const Names& names) {
  std::string out = "[";
  for (const std::string_view name : names) {
    out += (out.size() > 1 ? "," : "") + json_quoted(name);
  }
  return out + "]";
}

std::string begin(std::string_view event, PrefixSize size) {
  return fmt::format(R"({{"event":"{}","lines":{},"bytes":{})", event, size.lines, size.bytes);
}

Validity validity_of(const PrefixReport& report, Model level) {
  return report.valid.test(level)      ? Validity::kValid
         : report.violated.test(level) ? Validity::kInvalid
                                       : Validity::kUnknown;
}

/// What was checked, and how each level stands.
std::string facts(const PrefixReport& report) {
  std::string levels;
  for (const std::string_view level : sorted_names(report.demanded)) {
    levels += (levels.empty() ? "" : ",") + json_quoted(level) + ":" +
              std::string(truth_json(validity_of(report, *find_model(level))));
  }
  std::string out = fmt::format(R"(,"transactions":{},"operations":{},"levels":{{{}}})",
                                report.transactions, report.operations, levels);
  if (report.histories > 1) {
    out += fmt::format(R"(,"keys":{},"keys-invalid":{},"keys-settled":{})", report.histories,
                       report.invalid, report.settled);
  }
  if (report.unknown_because) {
    out += R"(,"unknown-because":)" + json_quoted(*report.unknown_because);
  }
  return out + R"(,"anomalies":)" + array(report.anomalies);
}

std::string ruled_out(const PrefixReport& report) {
  return R"(,"not":)" + array(sorted_names(report.not_models)) + R"(,"also-not":)" +
         array(sorted_names(report.also_not_models));
}

}  // namespace

std::string prefix_event(const PrefixReport& report) {
  return begin("prefix", report.size) + facts(report) + "}\n";
}

std::string summary_event(const PrefixReport& report, Validity validity, bool is_whole) {
  return begin("summary", report.size) + R"(,"valid?":)" + std::string(truth_json(validity)) +
         R"(,"whole":)" + (is_whole ? "true" : "false") + facts(report) + ruled_out(report) + "}\n";
}

std::string violation_event(std::string_view event, ModelSet levels, const PrefixReport& report,
                            const std::string& explanation) {
  return begin(event, report.size) + R"(,"levels":)" + array(sorted_names(levels)) +
         R"(,"anomalies":)" + array(report.anomalies) + ruled_out(report) + R"(,"explanation":)" +
         json_quoted(explanation) + "}\n";
}

std::string retracted_event(PrefixSize size, ModelSet levels) {
  return begin("retracted", size) + R"(,"levels":)" + array(sorted_names(levels)) + "}\n";
}

std::string error_event(const Error& error) {
  std::string out = R"({"event":"error")";
  if (error.line) {
    out += fmt::format(R"(,"line":{})", *error.line);
  }
  return out + R"(,"message":)" + json_quoted(error.to_string()) + "}\n";
}

}  // namespace elapid
