// The subkeys of a key: which there are, when each was added, and what a read shows of them.
//
//   key 7, 3 subkeys: "7_0" "7_1" "7_2", added in this order, and read newest first
//   [7 ["7_2" nil "7_0"]]   "7_1" is missing behind "7_2"
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/history.h"

namespace elapid::sequential {

/// The name of a subkey as canonical EDN: the key as Clojure's `str` prints it, and its number.
[[nodiscard]] std::string subkey_name(const History& history, ValueId key, std::size_t number);

/// What became of the additions of single subkeys, `:add [7 "7_0"]`. A history whose writes add all
/// subkeys of a key, `:write 7`, has none.
class Additions {
 public:
  /// O(n) for n operations.
  explicit Additions(const History& history);

  /// Whether single subkeys of this key are added.
  [[nodiscard]] bool has_key(ValueId key) const { return keys_.contains(key); }

  /// The transaction that added it, and was told so; none() if there is none.
  [[nodiscard]] TxnId told_of(ValueId subkey) const;

  /// The first transaction that added it and did not fail; none() if there is none.
  [[nodiscard]] TxnId invoked_of(ValueId subkey) const;

 private:
  const History& history_;
  std::unordered_map<ValueId, TxnId> told_;     // the first that was told
  std::unordered_map<ValueId, TxnId> invoked_;  // the first that did not fail
  std::unordered_set<ValueId> keys_;
};

/// A subkey that a read shows, and an older one behind it that it does not, although the session
/// that added `newer` had been told before that `older` is added. Without sessions, or where no
/// single subkeys of the key are added, the order of the names counts; `older` is then none() where
/// the history does not name it.
struct Hole {
  ValueId newer;
  ValueId older;
};

/// The first hole of a read. The order of the names alone counts if `additions` is null, as for
/// Jepsen. O(n) for n subkeys.
[[nodiscard]] std::optional<Hole> hole_of(const History& history, TxnId read,
                                          const Additions* additions);

}  // namespace elapid::sequential
