// The order of a list's versions as Elle takes it from the reads: the longest list read; of several
// the one that comes last where a Clojure hash set iterates over them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::elle {

/// The last of the lists that were added for each key.
class LongestLists {
 public:
  explicit LongestLists(const History& history);

  /// Ignores what is no list.
  void add(Op read);

  /// Nothing if no list with an element was added.
  [[nodiscard]] std::optional<ListId> of(KeyId key) const;

 private:
  struct Longest {
    ListId list;  // prefix(0): none
    std::size_t length = 0;
    std::optional<std::uint32_t> hash = std::nullopt;  // known once it was needed
  };

  const History& history_;
  std::vector<Longest> longest_;  // by key
};

/// Whose reads and appends tell of the order.
enum class Witnesses : std::uint8_t {
  kPossible,  ///< completions of :ok and :info: the order that dependencies rest on
  kAll,       ///< every event, invocations and :fail included: the order that dirty updates rest on
};

/// The elements of each key in version order, each once. A key of which no element was read has an
/// order if a single append of it is witnessed. Linear in operations and in these lists.
class ListOrders {
 public:
  ListOrders(const History& history, Witnesses witnesses);

  [[nodiscard]] const std::vector<ValueId>& of(KeyId key) const { return orders_[key.index()]; }

  /// Whether a single append is witnessed for the key: Elle then knows it before all reads.
  [[nodiscard]] bool has_single_append(KeyId key) const { return appends_[key.index()] == 1; }

 private:
  std::vector<std::uint32_t> appends_;        // by key
  std::vector<std::vector<ValueId>> orders_;  // by key
};

}  // namespace elapid::elle
