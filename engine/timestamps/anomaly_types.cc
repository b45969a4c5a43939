#include "engine/timestamps/anomaly_types.h"

#include <algorithm>
#include <optional>
#include <span>

#include "engine/timestamps/external_part.h"
#include "engine/verdict/timestamp_names.h"

namespace elapid {

namespace {

/// What a transaction saw of a key: a value, or the elements that others appended.
struct Seen {
  ValueId value = ValueId::none();
  std::span<const ValueId> list = {};

  /// The value, or the last element of the list; none() for an empty list.
  [[nodiscard]] ValueId left() const { return list.empty() ? value : list.back(); }

  friend bool operator==(const Seen& a, const Seen& b) {
    return a.value == b.value && std::ranges::equal(a.list, b.list);
  }
};

/// Whether the list read at `mop` ends in the transaction's own appends.
bool ends_in_own(const History& history, TxnId txn, std::uint32_t mop) {
  const std::span<const ValueId> list = history.elements(history.ops(txn)[mop]);
  std::vector<ValueId> own;
  for (const Op op : history.ops(txn).first(mop)) {
    if (op.kind() == OpKind::kAppend && op.key() == history.ops(txn)[mop].key()) {
      own.push_back(op.value());
    }
  }
  return list.size() >= own.size() && std::ranges::equal(list.last(own.size()), own);
}

/// What the first read of a key showed, without the transaction's own writes; absent if that is
/// unknown.
std::optional<Seen> seen(const History& history, TxnId txn, KeyId key) {
  const std::span<const Op> ops = history.ops(txn);
  const auto is_of_key = [key](Op op) { return op.key() == key; };
  const auto first = std::ranges::find_if(ops, is_of_key);
  const auto read = std::ranges::find_if(ops, [&](Op op) { return is_of_key(op) && op.is_read(); });
  if (!history.committed(txn) || read == ops.end()) {
    return std::nullopt;
  }
  if (read->kind() == OpKind::kReadList) {
    const auto mop = static_cast<std::uint32_t>(read - ops.begin());
    return ends_in_own(history, txn, mop)
               ? std::optional(Seen{.list = external_part(history, txn, mop)})
               : std::nullopt;
  }
  return first == read ? std::optional(Seen{.value = read->value()}) : std::nullopt;
}

/// The last value of the key that a transaction writes.
std::optional<ValueId> left(const History& history, TxnId txn, KeyId key) {
  const std::span<const Op> ops = history.ops(txn);
  const auto last = std::find_if(ops.rbegin(), ops.rend(),
                                 [&](Op op) { return op.is_write() && op.key() == key; });
  return last == ops.rend() ? std::nullopt : std::optional(last->value());
}

/// Whether some read shows the value that `writer` left.
bool reads_from(const History& history, TxnId reader, TxnId writer) {
  if (writer.is_none()) {
    return false;
  }
  return std::ranges::any_of(history.ops(reader), [&](Op op) {
    const auto shown = seen(history, reader, op.key());
    return shown && shown->left() == left(history, writer, op.key());
  });
}

bool depends(const History& history, const TimestampEvidence& violation) {
  if (violation.axiom == TimestampAxiom::kExt) {
    return violation.origin == ReadOrigin::kBefore &&
           reads_from(history, violation.txn, violation.expected_writer);
  }
  if (violation.axiom != TimestampAxiom::kNoConflict) {
    return false;
  }
  // A read whose start is unknown has no place in time.
  if (!history.start_timestamp(violation.txn) || !history.start_timestamp(violation.other)) {
    return false;
  }
  const auto mine = seen(history, violation.txn, violation.key);
  return mine && mine == seen(history, violation.other, violation.key);
}

}  // namespace

AnomalyType anomaly_type(const History& history, const TimestampEvidence& violation) {
  return anomaly_type({.axiom = violation.axiom,
                       .at_commit = violation.at_commit,
                       .origin = violation.origin,
                       .depends = depends(history, violation)});
}

bool rests_on_reads_alone(AnomalyType type) {
  using enum AnomalyType;
  return type == kInternal || type == kG1a || type == kG1b || type == kFutureRead ||
         type == kGarbageRead;
}

}  // namespace elapid
