// Orders of writers that reads of lists prove.
//
// A list that was read shows the transactions that had written the key by then, and their order.
// Only lists of transactions that certainly took effect count: committed transactions, and those
// whose elements one of these read. If a list of a key shows an element that was appended twice,
// the key proves nothing here (list_places.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/certify/operations/effects.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"

namespace elapid::certify {

// The lists that transactions read, if the level says that they show the state.

/// By reader, without the reader's own elements; none for readers that contradict themselves.
/// Refers to the history. 24 bytes a list and 4 a transaction.
class ShownLists {
 public:
  struct Shown {
    KeyId key;
    std::span<const ValueId> list;
  };

  /// For levels at which a transaction reads one state: one list a key.
  ShownLists(const History& history, const Effects& effects);

  /// For saturable levels. At some of them all reads count.
  ShownLists(const History& history, const TxnLevels& levels);

  [[nodiscard]] std::span<const Shown> of(TxnId reader) const {
    return std::span(lists_).subspan(begin_[reader.index()],
                                     begin_[reader.index() + 1] - begin_[reader.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<Shown> lists_;
};

/// Empty for registers. About 16 bytes an append and 24 a key.
class ListOrders {
 public:
  ListOrders(const History& history, const Effects& effects, const ShownLists& shown);

  /// Whether lists show that the transaction took effect.
  [[nodiscard]] bool took_effect(TxnId txn) const { return is_certain_[txn.index()]; }

  /// Whether an element was appended to some key twice.
  [[nodiscard]] bool has_repetitions() const { return has_repetitions_; }

  /// The longest list of the key, without the reader's own elements, that a transaction read which
  /// certainly took effect.
  [[nodiscard]] std::span<const ValueId> longest(KeyId key) const { return longest_[key.index()]; }

  /// Whether a list that was read has an element of the transaction.
  [[nodiscard]] bool is_seen(TxnId txn) const { return is_seen_[txn.index()]; }

  /// Whether no execution has such lists: neither of two is a prefix of the other, or one shows an
  /// element that no transaction appended, or elements of one transaction in another order.
  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

  /// Whether lists show that `first` commits before `second` if both take effect. Linear in the
  /// writes of the two.
  [[nodiscard]] bool before(TxnId first, TxnId second) const;

  /// The writer of the version that `txn` overwrote: of the element before its first one in the
  /// key's longest list, none() for the initial state. Nothing if it is unknown.
  [[nodiscard]] std::optional<TxnId> overwritten_by(TxnId txn, KeyId key) const;

 private:
  static constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

  struct Append {
    KeyId key;
    ValueId element = ValueId::none();
    TxnId txn;
    std::uint32_t place = kUnseen;  // in the key's longest list
  };

  /// The place of a transaction's elements in the longest list of a key.
  struct Extent {
    KeyId key;
    std::uint32_t first = kUnseen;
    std::uint32_t last = 0;
  };

  [[nodiscard]] const Append* find(KeyId key, ValueId element) const;
  void index_appends();
  void find_unfit_keys();
  void mark_seen();
  void find_longest();
  void check_prefixes();
  [[nodiscard]] bool has_enough(KeyId key) const;
  void place_elements();
  void check_own_orders();
  [[nodiscard]] std::vector<Extent> extents(TxnId txn) const;

  /// The elements of a list after those that an earlier list at the same address had.
  [[nodiscard]] std::span<const ValueId> fresh_elements(std::span<const ValueId> list);

  const History& history_;
  const Effects& effects_;
  const ShownLists& shown_;
  bool is_contradictory_ = false;
  bool has_repetitions_ = false;
  std::vector<bool> is_certain_;
  std::vector<bool> is_seen_;
  std::vector<Append> appends_;  // sorted by key, element
  std::vector<bool> is_fit_;     // by key
  std::vector<std::span<const ValueId>> longest_;
  std::unordered_map<const ValueId*, std::size_t> passed_;
};

}  // namespace elapid::certify
