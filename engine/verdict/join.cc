#include "engine/verdict/join.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace elapid {

Verdict joined(Verdict first, Verdict second) {
  std::vector<LevelAnswer> levels = std::move(first.levels);
  std::ranges::move(second.levels, std::back_inserter(levels));
  std::vector<Standing> ladder = std::move(first.ladder);
  std::ranges::move(second.ladder, std::back_inserter(ladder));
  const ModelSet checked = first.checked | second.checked;
  const ModelSet not_models = first.not_models | second.not_models;
  const ModelSet also_not_models = first.also_not_models | second.also_not_models;
  const bool is_complete = first.complete && second.complete;
  const bool is_second = gravest(first.validity, second.validity) != first.validity;
  Verdict both = is_second ? std::move(second) : std::move(first);
  both.checked = checked;
  both.levels = std::move(levels);
  both.ladder = std::move(ladder);
  both.not_models = not_models;
  both.also_not_models = also_not_models;
  both.complete = is_complete || both.validity == Validity::kInvalid;
  return both;
}

}  // namespace elapid
