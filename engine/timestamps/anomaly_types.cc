#include "engine/timestamps/anomaly_types.h"

#include <algorithm>
#include <optional>
#include <span>

namespace elapid {

namespace {

/// The first operation on the key, if it is a read.
std::optional<Op> first_read(std::span<const Op> ops, KeyId key) {
  const auto first = std::ranges::find(ops, key, &Op::key);
  return first != ops.end() && first->is_read() ? std::optional(*first) : std::nullopt;
}

/// The last value that these operations leave of the key.
std::optional<ValueId> last_write(std::span<const Op> ops, KeyId key) {
  const auto last = std::find_if(ops.rbegin(), ops.rend(),
                                 [&](Op op) { return op.is_write() && op.key() == key; });
  return last != ops.rend() ? std::optional(last->value()) : std::nullopt;
}

/// What a read ends in: the value, or the last element.
std::optional<ValueId> last_seen(const History& history, Op read) {
  if (read.kind() == OpKind::kRead) {
    return read.value();
  }
  const std::span<const ValueId> list = history.elements(read);
  return list.empty() ? std::nullopt : std::optional(list.back());
}

/// Whether some read shows what `writer` left of its key.
bool reads_from(const History& history, TxnId reader, TxnId writer) {
  if (writer.is_none()) {
    return false;
  }
  const std::span<const Op> ops = history.ops(reader);
  return std::ranges::any_of(ops, [&](Op op) {
    if (first_read(ops, op.key()) != op) {
      return false;
    }
    const auto written = last_write(history.ops(writer), op.key());
    return written && last_seen(history, op) == written;
  });
}

/// Whether both had read the same version of the key before they wrote it.
bool replaced_one_version(const History& history, const TimestampEvidence& violation) {
  const auto mine = first_read(history.ops(violation.txn), violation.key);
  const auto others = first_read(history.ops(violation.other), violation.key);
  return mine && mine == others;
}

AnomalyType cycle_exists(const TimestampEvidence& violation) {
  using enum AnomalyType;
  switch (violation.axiom) {
    case TimestampAxiom::kSession:
      return violation.at_commit ? kStrongSessionSerializableCycleExists
                                 : kStrongSessionSnapshotIsolationCycleExists;
    case TimestampAxiom::kRealTime:
      return violation.at_commit ? kPlSsCycleExists : kStrongSnapshotIsolationCycleExists;
    default:
      return violation.at_commit ? kPl3CycleExists : kPlSiCycleExists;
  }
}

AnomalyType type_of_read(const History& history, const TimestampEvidence& violation) {
  using enum AnomalyType;
  switch (violation.origin) {
    case ReadOrigin::kIntermediate:
      return kG1b;
    case ReadOrigin::kAborted:
      return kG1a;
    case ReadOrigin::kOwnFuture:
      return kFutureRead;
    case ReadOrigin::kNowhere:
      return kGarbageRead;
    case ReadOrigin::kBefore:
      if (reads_from(history, violation.txn, violation.expected_writer)) {
        return kGSingleItem;
      }
      return violation.at_commit ? cycle_exists(violation) : kGSIb;
    case ReadOrigin::kUncommitted:
    case ReadOrigin::kAfter:
      break;
  }
  return violation.at_commit ? cycle_exists(violation) : kGSIa;
}

}  // namespace

AnomalyType anomaly_type(const History& history, const TimestampEvidence& violation) {
  switch (violation.axiom) {
    case TimestampAxiom::kInt:
      return AnomalyType::kInternal;
    case TimestampAxiom::kExt:
      return type_of_read(history, violation);
    case TimestampAxiom::kNoConflict:
      return replaced_one_version(history, violation) ? AnomalyType::kLostUpdate
                                                      : AnomalyType::kGSIa;
    default:
      return cycle_exists(violation);
  }
}

bool rests_on_reads_alone(AnomalyType type) {
  using enum AnomalyType;
  return type == kInternal || type == kG1a || type == kG1b || type == kFutureRead ||
         type == kGarbageRead;
}

}  // namespace elapid
