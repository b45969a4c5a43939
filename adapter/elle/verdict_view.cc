#include "adapter/elle/verdict_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

#include "engine/ir/mapped.h"

namespace elapid {

std::span<const Anomaly> first_of_type(std::span<const Anomaly> anomalies) {
  const auto end = std::find_if(anomalies.begin(), anomalies.end(), [&](const Anomaly& anomaly) {
    return anomaly.type != anomalies.front().type;
  });
  return anomalies.first(static_cast<std::size_t>(end - anomalies.begin()));
}

std::vector<LevelAnswer> counted_levels(const Verdict& verdict) {
  std::vector<LevelAnswer> counted;
  const ModelSet about = entailed(verdict.checked);
  for (const LevelAnswer& level : verdict.levels) {
    if (level.violations > 0 && about.test(level.model)) {
      counted.push_back({.model = level.model, .violations = level.violations});
    }
  }
  return counted;
}

std::vector<std::string_view> sorted_names(ModelSet models) {
  auto names = mapped<std::string_view>(models, [&](Model model) { return friendly_name(model); });
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> assumed(const History& history, const Verdict& verdict) {
  const HistoryInfo& info = history.info();
  std::vector<std::string> lines = info.assumptions;
  const auto add = [&](bool made, std::string_view words) {
    if (made) {
      lines.emplace_back(words);
    }
  };
  const Assumptions& assumptions = verdict.assumptions;
  add(assumptions.wfr_keys, "a transaction's write of a key follows the version it read");
  add(assumptions.sequential_keys, "each key is sequentially consistent");
  add(assumptions.linearizable_keys, "each key is linearizable");
  add(!assumptions.transaction_order.empty(), "the order of transactions is as given");
  return lines;
}

bool is_mix(const Verdict& verdict) {
  return verdict.mix && verdict.mix->counts.size() > 1;
}

std::string demanded_text(const Verdict& verdict) {
  const std::string names = fmt::format("{}", fmt::join(sorted_names(verdict.checked), ", "));
  return names.empty() ? "no level" : is_mix(verdict) ? "by-transaction (" + names + ")" : names;
}

ModelSet violated_models(const Verdict& verdict) {
  return all_impossible(verdict.not_models | verdict.also_not_models |
                        models_that_are(Validity::kInvalid, verdict.ladder));
}

ModelSet refused_levels(const Verdict& verdict) {
  return is_mix(verdict) ? ModelSet() : weakest_of(violated_models(verdict) & verdict.checked);
}

void write_truth(DocumentWriter& out, Validity validity) {
  if (validity == Validity::kUnknown) {
    out.keyword("unknown");
  } else {
    out.boolean(validity == Validity::kValid);
  }
}

void write_models(DocumentWriter& out, std::string_view key, ModelSet models) {
  out.key(key).each(Container::kSet, sorted_names(models),
                    [&](std::string_view name) { out.keyword(name); });
}

}  // namespace elapid
