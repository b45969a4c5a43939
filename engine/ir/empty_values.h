// The results of a remove that mean that nothing was there.
//
//   {:type :ok, :f :dequeue, :value :empty}
#pragma once

#include <algorithm>
#include <array>

#include "engine/ir/history.h"

namespace elapid {

/// Nil, `:empty`, and in JSON "empty", which is `:empty` there: each unless the history adds that
/// value.
class EmptyValues {
 public:
  explicit EmptyValues(const History& history)
      : values_{ValueId::nil(), history.values().find(":empty"),
                history.info().format.starts_with("json") ? history.values().find(kInJson)
                                                          : ValueId::none()} {
    for (const Op op : history.all_ops()) {
      if (op.kind() == OpKind::kAppend) {
        std::ranges::replace(values_, op.value(), ValueId::none());
      }
    }
  }

  [[nodiscard]] bool contains(ValueId value) const {
    return !value.is_none() && std::ranges::find(values_, value) != values_.end();
  }

  static constexpr const char* kInJson = R"("empty")";

 private:
  std::array<ValueId, 3> values_;  // none(): it is added, or the history does not have it
};

}  // namespace elapid
