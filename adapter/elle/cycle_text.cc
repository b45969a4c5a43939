#include "adapter/elle/cycle_text.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <variant>

#include "adapter/elle/step_text.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

std::string cycle_text(const History& history, std::span<const Step> steps,
                       const EventFieldsFn& fields) {
  std::unordered_map<TxnId, std::string> names;
  std::string actors;
  const auto name = [&](TxnId txn) {
    const auto [known, is_new] = names.try_emplace(txn, fmt::format("T{}", names.size() + 1));
    if (is_new) {
      DocumentWriter event(Syntax::kEdn);
      write_event(event, history, representative_ref(history, txn), fields);
      actors += fmt::format("  {} = {}\n", known->second, visible_line(std::move(event).take()));
    }
    return known->second;
  };
  std::string claims;
  for (const Step& step : steps) {
    const bool is_last = &step == &steps.back();
    const std::string a = name(step.from);
    const std::string b = name(step.to);
    claims += fmt::format("\n  - {}{} < {}, because {}{}", is_last ? "However, " : "", a, b,
                          visible_line(step_reason(history, step, a, b)),
                          is_last ? ": a contradiction!" : ".");
  }
  return fmt::format("Let:\n{}\nThen:{}", actors, claims);
}

}  // namespace

std::string elle_cycles_text(const History& history, std::span<const Anomaly> anomalies,
                             const EventFieldsFn& fields) {
  std::string text;
  for (std::size_t i = 0; i < anomalies.size(); ++i) {
    text += i > 0 ? "\n\n\n" : "";
    text += fmt::format("{} #{}\n", name(anomalies[i].type), i);
    text += cycle_text(history, std::get<CycleEvidence>(anomalies[i].evidence).steps, fields);
  }
  return text;
}

}  // namespace elapid
