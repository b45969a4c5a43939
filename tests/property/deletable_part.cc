#include "tests/property/deletable_part.h"

#include <cstddef>

#include "harness/minimize/deletion.h"

namespace elapid {

std::string deletable_part(const History& history, const Keeps& keeps) {
  const Draft draft = draft_of(history);
  const Deleter deleter(draft);
  for (const Unit unit : kUnits) {
    for (std::size_t item = 0; item < deleter.count(unit); ++item) {
      for (const Orphans orphans : kOrphans) {
        const auto rest = build(deleter.without(unit, item, item + 1, orphans));
        const Result<bool> kept = rest ? keeps(rest.value().history) : Result<bool>(false);
        if (!kept || kept.value()) {
          return "unit " + std::to_string(static_cast<int>(unit)) + ", number " +
                 std::to_string(item);
        }
      }
    }
  }
  return {};
}

}  // namespace elapid
