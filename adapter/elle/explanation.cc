#include "adapter/elle/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/elle/anomaly_entry.h"
#include "adapter/elle/ladder_text.h"
#include "adapter/elle/verdict_view.h"
#include "adapter/elle/violation_pattern.h"

namespace elapid {
namespace {

using Gloss = std::pair<std::string_view, std::string_view>;

// Names without -process and -realtime.
constexpr std::array<Gloss, 18> kGlosses = {{
    {"G0", "a cycle of writes"},
    {"G1a", "a read of an aborted write"},
    {"G1b", "a read of an intermediate state"},
    {"G1c", "circular information flow"},
    {"G-single-item", "read skew"},
    {"G-single", "read skew"},
    {"G-nonadjacent-item", "reads that miss writes, never twice in a row: no snapshots explain it"},
    {"G-nonadjacent", "reads that miss writes, never twice in a row: no snapshots explain it"},
    {"G2-item", "reads that miss one another's writes (write skew)"},
    {"G2", "reads that miss one another's writes (write skew)"},
    {"GSIa", "interference: a dependency on what was not committed at the start"},
    {"GSIb", "missed effects: a snapshot without what was committed before it"},
    {"internal", "a transaction at odds with itself"},
    {"garbage-read", "a read of a value nobody wrote"},
    {"incompatible-order", "reads that no order of writes explains"},
    {"dirty-update", "a write on top of an aborted one"},
    {"cyclic-versions", "versions without an order"},
    {"empty-transaction-graph", "nothing to check"},
}};

std::size_t step_count(const Anomaly& anomaly) {
  const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
  return cycle == nullptr ? 0 : cycle->steps.size();
}

/// One paragraph for all anomalies of a type.
std::string paragraph_of_type(const History& history, std::span<const Anomaly> of_type,
                              const ParagraphOptions& options) {
  const std::string_view type = name(of_type.front().type);
  const std::string words = gloss(of_type.front().type);
  const auto shortest = std::min_element(
      of_type.begin(), of_type.end(),
      [](const Anomaly& a, const Anomaly& b) { return step_count(a) < step_count(b); });
  std::string text = emphasised(std::string(type), options) + (words.empty() ? "" : ": " + words);
  std::string pattern = violation_pattern(*shortest);
  std::replace(pattern.begin() + (pattern.starts_with("non-") ? 4 : 0), pattern.end(), '-', ' ');
  text += pattern.empty() ? "" : " (" + pattern + ")";
  text += "\n" + to_text(history, anomaly_paragraph(history, *shortest, options), options) + "\n";
  if (of_type.size() > 1) {
    text += fmt::format("and {} more of {}\n", of_type.size() - 1, type);
  }
  return text + "\n";
}

/// Whether errors of clocks explain it.
bool is_doubtful(const Anomaly& anomaly) {
  const auto* evidence = std::get_if<TimestampEvidence>(&anomaly.evidence);
  return evidence != nullptr && evidence->within_clock_skew;
}

/// One for each type; those that clocks explain come last and apart.
std::string paragraphs(const History& history, std::span<const Anomaly> anomalies,
                       const ParagraphOptions& options) {
  std::string text;
  std::string doubtful;
  while (!anomalies.empty()) {
    const std::span<const Anomaly> of_type = first_of_type(anomalies);
    anomalies = anomalies.subspan(of_type.size());
    const auto deciding =
        static_cast<std::size_t>(std::ranges::find_if(of_type, is_doubtful) - of_type.begin());
    if (deciding > 0) {
      text += paragraph_of_type(history, of_type.first(deciding), options);
    }
    if (deciding < of_type.size()) {
      doubtful += paragraph_of_type(history, of_type.subspan(deciding), options);
    }
  }
  return doubtful.empty() ? text
                          : text +
                                "What errors of the clocks explain (--clock-skew), and so decides "
                                "nothing:\n\n" +
                                doubtful;
}

std::string enumeration(ModelSet models) {
  return fmt::format("{}", fmt::join(sorted_names(models), ", "));
}

std::string ruled_out(const Verdict& verdict) {
  if (verdict.not_models.none()) {
    return "";
  }
  std::string text = verdict.timestamps ? "Not, by these timestamps: " : "Not: ";
  text += enumeration(verdict.not_models);
  if (verdict.also_not_models.any()) {
    text += "; therefore also not: " + enumeration(verdict.also_not_models);
  }
  return text + "\n";
}

/// How often each axiom is violated, as `Violations: 3 ext (2 before, 1 nowhere), 1 session`.
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

/// What the solver says, which knows no timestamps.
std::string cross_check(const Verdict& verdict) {
  if (!verdict.cross_check) {
    return "";
  }
  switch (*verdict.cross_check) {
    case Validity::kValid:
      return "Cross-check: some other order satisfies the levels demanded, so it is the timestamps "
             "of the database that are wrong, not what its transactions read and wrote\n";
    case Validity::kInvalid:
      return "Cross-check: no order whatsoever satisfies the levels demanded\n";
    case Validity::kUnknown:
      break;
  }
  return "Cross-check: whether some other order satisfies the levels demanded is unknown\n";
}

}  // namespace

std::string gloss(AnomalyType type) {
  const std::string_view whole = name(type);
  constexpr std::array<Gloss, 2> kSuffixes = {
      {{"-process", ", with session order"}, {"-realtime", ", with real time"}}};
  std::string_view base = whole;
  std::string_view addition;
  for (const auto& [suffix, words] : kSuffixes) {
    if (whole.ends_with(suffix)) {
      base.remove_suffix(suffix.size());
      addition = words;
    }
  }
  const auto* entry = std::find_if(kGlosses.begin(), kGlosses.end(),
                                   [&](const Gloss& one) { return one.first == base; });
  return entry == kGlosses.end() ? "" : fmt::format("{}{}", entry->second, addition);
}

std::string anomalies_text(const History& history, std::span<const Anomaly> anomalies,
                           const EventFieldsFn& fields) {
  const ParagraphOptions options{.full = true, .fields = fields};
  std::string text;
  for (std::size_t i = 0; i < anomalies.size(); ++i) {
    text += i > 0 ? "\n\n\n" : "";
    text += fmt::format("{} #{}\n", name(anomalies[i].type), i);
    text += to_text(history, anomaly_paragraph(history, anomalies[i], options), options);
  }
  return text;
}

std::string explanation(const History& history, const Verdict& verdict,
                        const ParagraphOptions& options) {
  std::string text = ladder_text(verdict.ladder);
  text += text.empty() || verdict.anomalies.empty() ? "" : "\n";
  text += paragraphs(history, verdict.anomalies, options);
  for (const LevelAnswer& level : verdict.levels) {
    if (level.violations > 1) {
      text += fmt::format("{}: {} violations that are independent of one another\n",
                          friendly_name(level.model), level.violations);
    }
  }
  if (verdict.elle_error) {
    text += "Elle stops here with an error: " + *verdict.elle_error + "\n";
  }
  if (verdict.unknown_because) {
    text += "Unknown: " + *verdict.unknown_because + "\n";
  }
  for (const std::string& warning : verdict.warnings) {
    text += "Warning: " + warning + "\n";
  }
  text += violations(verdict) + cross_check(verdict);
  return verdict.ladder.empty() ? text + ruled_out(verdict) : text;
}

}  // namespace elapid
