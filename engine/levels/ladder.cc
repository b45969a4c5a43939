#include "engine/levels/ladder.h"

#include <algorithm>

namespace elapid {

namespace {

std::string reason(Model model, std::span<const std::pair<Model, std::string>> undecided) {
  const auto asked = std::ranges::find(undecided, model, &std::pair<Model, std::string>::first);
  if (asked != undecided.end()) {
    return asked->second;
  }
  const std::optional<OrderLevel> level = order_level(model);
  for (const auto& [other, why] : undecided) {
    const bool asks_the_same = (entailed(model) & entailing(model)).test(other);
    if (asks_the_same || (level && order_level(other) == level)) {
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

/// The models beyond which, in one direction, there is no other; one of each set of equivalent
/// models.
template <class Beyond>
ModelSet extremes(ModelSet models, Beyond beyond) {
  return models.filter([&](Model model) {
    const ModelSet same = entailed(model) & entailing(model) & models;
    const auto speaks_first = [&](Model other) {
      const bool own = proscribed_directly(model).any();
      const bool others = proscribed_directly(other).any();
      return own != others ? others : other < model;
    };
    return (beyond(model) & models & ~same).none() && same.filter(speaks_first).none();
  });
}

}  // namespace

std::vector<Standing> ladder_of(ModelSet models, const KnownModels& known,
                                std::span<const std::pair<Model, std::string>> undecided) {
  std::vector<Standing> ladder;
  for (const Model model : models) {
    if (known.refuted().test(model)) {
      ladder.push_back({model, Validity::kInvalid});
    } else if (known.proven().test(model)) {
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
    models.set(standing.model, standing.validity == validity);
  }
  return models;
}

}  // namespace elapid
