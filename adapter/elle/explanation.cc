#include "adapter/elle/explanation.h"

#include <fmt/format.h>

#include <vector>

#include "adapter/elle/ladder_text.h"
#include "adapter/elle/verdict_view.h"
#include "engine/evidence/describe.h"
#include "engine/evidence/shown_orders.h"
#include "engine/ir/visible.h"
#include "engine/verdict/timestamp_names.h"

namespace elapid {
namespace {

/// A paragraph for each finding; findings marked as doubtful come last, set apart.
std::string paragraphs(const History& history, const Verdict& verdict, const TextOptions& options) {
  std::string text;
  bool is_apart = false;
  for (const Finding& finding : findings(history, verdict)) {
    if (finding.is_doubtful && !is_apart) {
      text += fmt::format("Possible errors of the clocks ({}), which decide nothing:\n\n",
                          options.clock_skew);
      is_apart = true;
    }
    text += to_text(history, finding, options);
  }
  return text;
}

std::string listed(ModelSet models) {
  return fmt::format("{}", fmt::join(sorted_names(models), ", "));
}

std::string ruled_out(const Verdict& verdict) {
  if (verdict.not_models.none()) {
    return "";
  }
  std::string text = verdict.timestamps ? "Not, by these timestamps: " : "Not: ";
  text += listed(verdict.not_models);
  if (verdict.also_not_models.any()) {
    text += "; therefore also not: " + listed(verdict.also_not_models);
  }
  return text + "\n";
}

/// The number of violations of each axiom, as `Violations: 3 ext (2 before, 1 nowhere), 1 session`.
std::string violations(const Verdict& verdict) {
  if (!verdict.timestamps || verdict.anomalies.empty()) {
    return "";
  }
  const TimestampCounts& counts = *verdict.timestamps;
  std::vector<std::string> origins;
  for (std::size_t o = 0; o < kReadOriginCount; ++o) {
    if (counts.by_origin.at(o) > 0) {
      origins.push_back(
          fmt::format("{} {}", counts.by_origin.at(o), name(static_cast<ReadOrigin>(o))));
    }
  }
  std::vector<std::string> axioms;
  for (std::size_t a = 0; a < kTimestampAxiomCount; ++a) {
    if (counts.by_axiom.at(a) == 0) {
      continue;
    }
    const auto axiom = static_cast<TimestampAxiom>(a);
    axioms.push_back(fmt::format("{} {}", counts.by_axiom.at(a), name(axiom)));
    if (axiom == TimestampAxiom::kExt) {
      axioms.back() += fmt::format(" ({})", fmt::join(origins, ", "));
    }
  }
  const std::string within =
      counts.within_clock_skew == 0
          ? ""
          : fmt::format("; {} of them may be errors of the clocks", counts.within_clock_skew);
  return fmt::format("Violations: {}{}\n", fmt::join(axioms, ", "), within);
}

/// The solver's verdict, which does not use timestamps.
std::string cross_check(const Verdict& verdict) {
  if (!verdict.cross_check) {
    return "";
  }
  switch (*verdict.cross_check) {
    case Validity::kValid:
      return "Cross-check: another order satisfies the levels demanded, so the timestamps of the "
             "database are wrong, not its reads and writes\n";
    case Validity::kInvalid:
      return "Cross-check: no order satisfies the levels demanded\n";
    case Validity::kUnknown:
      break;
  }
  return "Cross-check: whether some other order satisfies the levels demanded is unknown\n";
}

}  // namespace

std::string anomalies_text(const History& history, std::span<const Anomaly> anomalies,
                           const Assumptions& assumptions, const TextOptions& options) {
  ShownOrders orders(history, assumptions);
  std::string text;
  for (std::size_t i = 0; i < anomalies.size(); ++i) {
    text += i > 0 ? "\n\n\n" : "";
    text += fmt::format("{} #{}\n", name(anomalies[i].type), i);
    text += to_text(history, describe(history, anomalies[i], orders), options);
  }
  return text;
}

std::string explanation(const History& history, const Verdict& verdict,
                        const TextOptions& options) {
  std::string text = ladder_text(verdict.ladder);
  text += text.empty() || verdict.anomalies.empty() ? "" : "\n";
  text += paragraphs(history, verdict, options);
  for (const LevelAnswer& level : counted_levels(verdict)) {
    if (level.violations > 1) {
      text += fmt::format("{}: {} violations that are independent of one another\n",
                          friendly_name(level.model), level.violations);
    }
  }
  if (verdict.elle_error) {
    text += "Elle stops here with an error: " + visible_line(*verdict.elle_error) + "\n";
  }
  if (verdict.unknown_because) {
    text += "Unknown: " + visible_line(*verdict.unknown_because) + "\n";
  }
  for (const std::string& warning : verdict.warnings) {
    text += "Warning: " + visible_line(warning) + "\n";
  }
  text += violations(verdict) + cross_check(verdict);
  return verdict.ladder.empty() ? text + ruled_out(verdict) : text;
}

}  // namespace elapid
