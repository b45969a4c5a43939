// What single operations did and saw: the vocabulary in which evidence is re-checked.
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

/// The operation at this index, or nothing where there is none.
[[nodiscard]] std::optional<Op> op_at(std::span<const Op> ops, std::int64_t mop);

/// The operations of one of a transaction's events, as far as they count.
[[nodiscard]] std::span<const Op> event_ops(const History& history, EventRef event);

/// Whether `op` is a read of `txn` with a result: it completed, and nil is no answer unless it
/// committed.
[[nodiscard]] bool answered(const History& history, TxnId txn, Op op);

/// The list that a read shows; nil is the empty one.
[[nodiscard]] inline std::span<const ValueId> list_of(const History& history, Op read) {
  return read.kind() == OpKind::kReadList ? history.elements(read) : std::span<const ValueId>();
}

/// A register's value or a list's last element; none() for nil in a list's place and for [].
[[nodiscard]] ValueId last_seen(const History& history, Op read, bool list_append);

/// Whether a register that no transaction has written may have this value.
[[nodiscard]] inline bool is_initial(const History& history, ValueId value) {
  return value.is_nil() || value == history.info().initial;
}

/// Whether a read shows `element`: the register's value, or anywhere in the list.
[[nodiscard]] bool shows(const History& history, Op read, ValueId element);

/// What `txn` read of `key` before it wrote it, if that is its first operation on it; else none().
[[nodiscard]] ValueId external_read(const History& history, TxnId txn, KeyId key);

/// The last value that these operations write to `key`, or none().
[[nodiscard]] ValueId last_write(std::span<const Op> ops, KeyId key);

/// Whether these operations write `value` to `key`.
[[nodiscard]] bool writes(std::span<const Op> ops, KeyId key, ValueId value);

/// Calls `visit(places)` for each key with the places of its operations, ascending; false, and no
/// further key, if it says so. Keys come in no certain order. O(operations log operations).
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

/// Whether the operation is none of this data model's.
[[nodiscard]] bool is_foreign(Op op, Workload workload);

[[nodiscard]] bool has_foreign_operations(const History& history);

inline constexpr const char* kOtherWorkload = "the history has operations of another workload";

// Words for reasons.

/// A transaction by the index of its completion, as `T12`.
[[nodiscard]] std::string txn_text(const History& history, TxnId txn);

/// The version's value, or `the initial state` for none().
[[nodiscard]] std::string version_text(const History& history, ValueId version);

}  // namespace elapid::certify
