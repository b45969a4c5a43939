#include "adapter/elle/verdict_view.h"

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
