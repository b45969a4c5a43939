#include "engine/levels/ladder.h"

#include <algorithm>
#include <functional>

namespace elapid {

namespace {

bool is_in(const ModelSet& models, Model model) {
  return models.test(static_cast<std::size_t>(model));
}

std::string reason(Model model, std::span<const std::pair<Model, std::string>> undecided) {
  const auto asked = std::ranges::find(undecided, model, &std::pair<Model, std::string>::first);
  if (asked != undecided.end()) {
    return asked->second;
  }
  const std::optional<OrderLevel> level = order_level(model);
  for (const auto& [other, why] : undecided) {
    if (level && order_level(other) == level) {
      return why;
    }
  }
  if (level) {
    return "the engine asked for does not check it, or not under the assumptions made";
  }
  return is_decided_by_others(model)
             ? "no level that it implies is violated, and none that implies it is known to hold"
             : "nothing that can be inferred violates it, but the inference is not complete here";
}

/// Those that nothing else among them is beyond, in one direction; one of each that ask the same.
template <class Beyond>
ModelSet extremes(ModelSet models, Beyond beyond) {
  ModelSet result;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const Model model = static_cast<Model>(m);
    if (!models.test(m)) {
      continue;
    }
    const ModelSet same = entailed(model) & entailing(model) & models;
    const bool is_extreme = (beyond(model) & models & ~same).none();
    const auto speaks_first = [&](std::size_t other) {
      const bool own = proscribed_directly(model).any();
      const bool others = proscribed_directly(static_cast<Model>(other)).any();
      return own != others ? others : other < m;
    };
    bool is_first = true;
    for (std::size_t other = 0; other < kModelCount; ++other) {
      is_first = is_first && !(same.test(other) && speaks_first(other));
    }
    result.set(m, is_extreme && is_first);
  }
  return result;
}

}  // namespace

std::vector<Standing> ladder_of(ModelSet models, const KnownModels& known,
                                std::span<const std::pair<Model, std::string>> undecided) {
  std::vector<Standing> ladder;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const Model model = static_cast<Model>(m);
    if (!models.test(m)) {
      continue;
    }
    if (is_in(known.refuted(), model)) {
      ladder.push_back({model, Validity::kInvalid});
    } else if (is_in(known.proven(), model)) {
      ladder.push_back({model, Validity::kValid});
    } else {
      ladder.push_back({model, Validity::kUnknown, reason(model, undecided)});
    }
  }
  std::ranges::stable_sort(ladder, {}, [](const Standing& standing) {
    return std::pair(entailed(standing.model).count(), friendly_name(standing.model));
  });
  return ladder;
}

ModelSet strongest_of(ModelSet models) {
  return extremes(models, [](Model model) { return entailing(model); });
}

ModelSet weakest_of(ModelSet models) {
  return extremes(models, [](Model model) { return entailed(model); });
}

ModelSet models_that_are(Validity validity, std::span<const Standing> ladder) {
  ModelSet models;
  for (const Standing& standing : ladder) {
    models.set(static_cast<std::size_t>(standing.model), standing.validity == validity);
  }
  return models;
}

}  // namespace elapid
