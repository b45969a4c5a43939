// The subkeys of a key: their names, the times of their additions, and their order in a read.
//
//   key 7, 3 subkeys: "7_0" "7_1" "7_2", added in this order, and read newest first
//   [7 ["7_2" nil "7_0"]]   "7_1" is missing behind "7_2"
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::sequential {

/// The name of a subkey as canonical EDN: the key as Clojure's `str` prints it, and its number.
[[nodiscard]] std::string subkey_name(const History& history, ValueId key, std::size_t number);

/// The additions of single subkeys, `:add [7 "7_0"]`. Empty for a history whose writes add all
/// subkeys of a key, `:write 7`.
class Additions {
 public:
  /// O(n) for n operations.
  explicit Additions(const History& history);

  /// Whether single subkeys of this key are added.
  [[nodiscard]] bool has_key(ValueId key) const { return keys_.contains(key); }

  /// The additions of the subkey that did not fail, by session; in each the committed ones first,
  /// in the order of completions.
  [[nodiscard]] std::span<const TxnId> of(ValueId subkey) const;

  /// The first acknowledged addition of the subkey in the session; none() if there is none.
  /// O(log n) for n additions of the subkey. Operations without a process are sessions of their
  /// own.
  [[nodiscard]] TxnId told(SessionId session, ValueId subkey) const;

  /// An acknowledged addition of `older` that ended, in the same session, before `addition` began;
  /// none() if there is none.
  [[nodiscard]] TxnId told_before(TxnId addition, ValueId older) const;

  /// Whether there is one for each addition of `newer`. O(n log n) for n additions when first
  /// asked, then O(1). Not for several threads at once.
  [[nodiscard]] bool is_always_told_before(ValueId newer, ValueId older) const;

 private:
  const History& history_;
  std::unordered_map<ValueId, std::vector<TxnId>> added_;
  std::unordered_set<ValueId> keys_;
  mutable std::map<std::pair<ValueId, ValueId>, bool>
      told_before_;  // by the newer and the older one
};

/// A subkey in a read, and an older subkey that the read lacks, although each session that may have
/// added `newer` had been told before that `older` is added. If no single subkeys of the key are
/// added, the names give the order; `older` is then none() if the history does not contain its
/// name.
struct Hole {
  ValueId newer;
  ValueId older;
};

/// The first hole of a read. If `additions` is null, only the names give the order, as in Jepsen.
/// O(n) for n subkeys, if each is added once.
[[nodiscard]] std::optional<Hole> hole_of(const History& history, TxnId read,
                                          const Additions* additions);

}  // namespace elapid::sequential
