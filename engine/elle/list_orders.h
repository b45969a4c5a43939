// The order of a list's versions, by Elle's rules: the longest list read; of several, the last one
// in the iteration order of a Clojure hash set.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// The last of the longest lists that were added for each key.
class LongestLists {
 public:
  explicit LongestLists(const History& history);

  /// Adds a read; ignores values that are not lists.
  void add(Op read);

  /// Nothing if no list with an element was added.
  [[nodiscard]] std::optional<ListId> of(KeyId key) const;

 private:
  struct Longest {
    ListId list;  // prefix(0): no list
    std::size_t length = 0;
    std::optional<std::uint32_t> hash = std::nullopt;  // computed when needed
  };

  const History& history_;
  std::vector<Longest> longest_;  // by key
};

/// The reads and appends that determine the order.
enum class Witnesses : std::uint8_t {
  kPossible,  ///< completions of :ok and :info: the order for dependencies
  kAll,       ///< all events, also invocations and :fail: the order for dirty updates
};

/// The elements of each key in version order, each once. A key without a read element has an order
/// if exactly one append to it is witnessed. Linear in operations and in these lists.
class ListOrders {
 public:
  ListOrders(const History& history, Witnesses witnesses);

  [[nodiscard]] const std::vector<ValueId>& of(KeyId key) const { return orders_[key.index()]; }

  /// Whether exactly one append is witnessed for the key: Elle then orders it before all reads.
  [[nodiscard]] bool has_single_append(KeyId key) const { return appends_[key.index()] == 1; }

 private:
  std::vector<std::uint32_t> appends_;        // by key
  std::vector<std::vector<ValueId>> orders_;  // by key
};

}  // namespace elapid::elle
