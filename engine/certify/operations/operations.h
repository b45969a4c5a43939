// The effects and results of single operations: the vocabulary of re-checking evidence.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// The operation at this index; nothing if there is none.
[[nodiscard]] std::optional<Op> op_at(std::span<const Op> ops, std::int64_t mop);

/// The operations of one of a transaction's events that count.
[[nodiscard]] std::span<const Op> event_ops(const History& history, EventRef event);

/// The list that a read shows; nil is the empty one.
[[nodiscard]] inline std::span<const ValueId> list_of(const History& history, Op read) {
  return read.kind() == OpKind::kReadList ? history.elements(read) : std::span<const ValueId>();
}

/// A register's value or a list's last element; none() for [], and for nil in place of a list.
[[nodiscard]] ValueId last_seen(const History& history, Op read, bool list_append);

/// Whether a read shows `element`: the register's value, or anywhere in the list.
[[nodiscard]] bool shows(const History& history, Op read, ValueId element);

/// The value that `txn` read of `key` in its first operation on the key; none() if that is no read.
[[nodiscard]] ValueId external_read(const History& history, TxnId txn, KeyId key);

/// The last value that these operations write to `key`, or none().
[[nodiscard]] ValueId last_write(std::span<const Op> ops, KeyId key);

/// Whether these operations write `value` to `key`.
[[nodiscard]] bool writes(std::span<const Op> ops, KeyId key, ValueId value);

/// Calls `visit(places)` for each key, in any order, with the places of its operations, ascending.
/// If `visit` returns false, stops and returns false. O(operations log operations).
template <class Visit>
bool each_key(std::span<const Op> ops, Visit visit) {
  constexpr std::size_t kFew = 16;  // are compared with one another, which takes less than sorting
  if (ops.size() <= kFew) {
    std::array<std::uint32_t, kFew> places;
    std::uint32_t visited = 0;  // operations, a bit each
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      std::size_t count = 0;
      for (std::uint32_t j = i; j < ops.size() && (visited >> i & 1U) == 0; ++j) {
        if (ops[j].key() == ops[i].key()) {
          places[count++] = j;
        }
      }
      for (std::size_t j = 0; j < count; ++j) {
        visited |= 1U << places[j];
      }
      if (count > 0 && !visit(std::span<const std::uint32_t>(places.data(), count))) {
        return false;
      }
    }
    return true;
  }
  std::vector<std::uint32_t> places(ops.size());
  std::iota(places.begin(), places.end(), 0U);
  std::ranges::sort(places, {}, [&](std::uint32_t i) { return std::pair(ops[i].key(), i); });
  for (auto begin = places.begin(); begin != places.end();) {
    const auto end = std::find_if(
        begin, places.end(), [&](std::uint32_t i) { return ops[i].key() != ops[*begin].key(); });
    if (!visit(std::span<const std::uint32_t>(begin, end))) {
      return false;
    }
    begin = end;
  }
  return true;
}

/// Whether the operation belongs to another data model.
[[nodiscard]] bool is_foreign(Op op, Workload workload);

[[nodiscard]] bool has_foreign_operations(const History& history);

inline constexpr const char* kOtherWorkload = "the history has operations of another workload";

// Text for reasons.

/// A transaction by the index of its completion, as `T12`.
[[nodiscard]] std::string txn_text(const History& history, TxnId txn);

/// The version's value, or `the initial state` for none().
[[nodiscard]] std::string version_text(const History& history, ValueId version);

}  // namespace elapid::certify
