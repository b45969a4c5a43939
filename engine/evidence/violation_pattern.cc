#include "engine/evidence/violation_pattern.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <variant>

namespace elapid {
namespace {

using Steps = std::span<const Step>;

bool is_causal(const Step& step) {
  return step.relation == Relation::kWr || step.relation == Relation::kProcess;
}

/// A reader passed over a write, as the first step says; by the others the write was visible to it.
bool passes_over_visible(Steps steps) {
  return steps.size() > 1 && steps.front().relation == Relation::kRw &&
         std::ranges::all_of(steps.subspan(1), is_causal);
}

std::string_view of_visible(Steps steps) {
  const Step& passed_over = steps.front();
  const Step& seen = steps.back();
  if (steps.size() > 2 || seen.relation != Relation::kWr) {
    return "causal-order-against-arbitration";
  }
  if (seen.key == passed_over.key) {
    return "non-repeatable-read";
  }
  return seen.to_mop < passed_over.from_mop ? "non-monotonic-read" : "fractured-read";
}

}  // namespace

std::string violation_pattern(const Anomaly& anomaly) {
  const auto* evidence = std::get_if<CycleEvidence>(&anomaly.evidence);
  if (evidence == nullptr || !evidence->is_inferred) {
    return "";
  }
  if (std::ranges::all_of(evidence->steps, is_causal)) {
    return "cyclic-causal-order";
  }
  const bool is_about_visible =
      std::ranges::all_of(evidence->because, [](const ProvedChoice& proved) {
        return proved.steps.empty() || passes_over_visible(proved.steps);
      });
  if (evidence->because.empty()) {
    return passes_over_visible(evidence->steps) ? std::string(of_visible(evidence->steps)) : "";
  }
  const auto inferred = std::ranges::find_if(
      evidence->because, [](const ProvedChoice& proved) { return !proved.steps.empty(); });
  if (!is_about_visible || inferred == evidence->because.end()) {
    return "";
  }
  const bool is_arbitrated = evidence->because.size() > 1;
  return std::string(of_visible(inferred->steps)) + (is_arbitrated ? "-through-arbitration" : "");
}

}  // namespace elapid
