// Operations that are no transactions: `{:f :add, :value 1}`, `{:f :read, :value [1 2]}`.
//
// A reader knows how such an operation is written; the workload knows what it means, and turns it
// into operations of a history. In between it is a Call: a function, and a value as canonical EDN.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/value_pool.h"

namespace elapid {

/// The elements of a vector, list or set, or the keys and values of a map in turn, of a value in
/// canonical EDN (ValuePool::text). Nothing for a value that is no collection. The views point into
/// `text`. O(length).
[[nodiscard]] std::optional<std::vector<std::string_view>> elements_of(std::string_view text);

struct Call {
  EventType type = EventType::kInvoke;
  std::string_view f = {};                     ///< without a colon: `add`
  std::optional<std::string_view> value = {};  ///< canonical EDN; absent if nil
  /// The keys among WorkloadType::fields that are there, with colon, and their values as canonical
  /// EDN.
  std::span<const std::pair<std::string, std::string>> fields = {};
  /// What the invocation was decoded to, where a completion is at hand whose invocation was seen.
  std::span<const MopInput> invoked = {};

  /// The value of this key, which has a colon; empty if it is not there.
  [[nodiscard]] std::string_view field(std::string_view key) const {
    for (const auto& [name, text] : fields) {
      if (name == key) {
        return text;
      }
    }
    return {};
  }
};

/// What a call comes to: one transaction's operations. A key is given by its name, see
/// set_key_name(); one that is not given is nil.
struct DecodedCall {
  GrowingVector<MopInput>& mops;
  GrowingVector<ValueId>& elements;  ///< of list reads, see MopInput
  ValuePool& values;
};

/// Until a history knows the key, its name stands in its place.
inline void set_key_name(MopInput& mop, ValueId name) {
  mop.key = {name.bits()};
}

}  // namespace elapid
