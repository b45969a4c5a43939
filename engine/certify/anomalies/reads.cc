#include <algorithm>
#include <span>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"

namespace elapid::certify {

namespace {

/// A read whose place in the history is certain, with the element it is blamed for.
struct BlamedRead {
  TxnId reader;
  std::size_t mop;
  Op op;
  ValueId element;
};

std::string element_text(const History& history, const BlamedRead& read) {
  return history.shown_text(read.element) + " of key " + history.shown_key(read.op.key());
}

/// The elements of a list that was read but for those that the reader had appended before; none if
/// it does not end in these.
std::span<const ValueId> elements_of_others(const History& history, const BlamedRead& read) {
  if (read.op.kind() != OpKind::kReadList) {
    return {};
  }
  std::span<const ValueId> list = history.elements(read.op);
  const std::span<const Op> before = history.ops(read.reader).first(read.mop);
  for (auto op = before.rbegin(); op != before.rend(); ++op) {
    if (op->kind() == OpKind::kAppend && op->key() == read.op.key()) {
      if (list.empty() || list.back() != op->value()) {
        return {};
      }
      list = list.first(list.size() - 1);
    }
  }
  return list;
}

ValueId last_of_others(const History& history, const BlamedRead& read) {
  const std::span<const ValueId> list = elements_of_others(history, read);
  return list.empty() ? ValueId::none() : list.back();
}

/// Whether a transaction other than `writer` may have appended the element of a list; the reader
/// may not if it stands before all that it had appended itself, or if it appended it after the read
/// alone.
bool another_appended(const Index& index, const BlamedRead& read, TxnId writer) {
  const std::span<const ValueId> others = elements_of_others(index.history(), read);
  const std::span<const Op> before = index.history().ops(read.reader).first(read.mop);
  const auto place = others.empty() ? std::nullopt : index.place_in_list(read.op, read.element);
  const bool is_foreign =
      (place && *place < others.size()) || !writes(before, read.op.key(), read.element);
  return std::ranges::any_of(
      index.writers().of(read.op.key(), read.element), [&](const Write& write) {
        return write.txn != writer && !(is_foreign && write.txn == read.reader) &&
               index.history().status(write.txn) != TxnStatus::kAborted;
      });
}

/// Whether a transaction other than `writer` and the reader may have left the value behind.
bool another_left(const Index& index, const BlamedRead& read, TxnId writer) {
  const KeyId key = read.op.key();
  return std::ranges::any_of(index.writers().of(key, read.element), [&](const Write& write) {
    const History& history = index.history();
    return write.txn != writer && write.txn != read.reader &&
           history.status(write.txn) != TxnStatus::kAborted &&
           last_write(history.ops(write.txn), key) == read.element;
  });
}

/// Checks that the writer named is the only one that can have been read: no other transaction
/// appended the element to the list, or left the value behind in the register.
Flaw check_only_writer(const Index& index, const BlamedRead& read, TxnId writer) {
  const bool is_doubtful = index.list_append() ? another_appended(index, read, writer)
                                               : another_left(index, read, writer);
  if (is_doubtful) {
    return "another transaction than " + txn_text(index.history(), writer) + " wrote " +
           element_text(index.history(), read) + " too";
  }
  if (index.may_be_initial(read.element)) {
    return element_text(index.history(), read) + " is the initial state too";
  }
  return {};
}

Flaw check_aborted_read(const Index& index, const BlamedRead& read, EventRef writer) {
  const History& history = index.history();
  if (history.status(writer.txn) != TxnStatus::kAborted) {
    return txn_text(history, writer.txn) + " did not abort";
  }
  if (!writes(event_ops(history, writer), read.op.key(), read.element)) {
    return txn_text(history, writer.txn) + " did not write " + element_text(history, read);
  }
  return check_only_writer(index, read, writer.txn);
}

Flaw check_intermediate_read(const Index& index, const BlamedRead& read, EventRef writer) {
  const History& history = index.history();
  if (writer.txn == read.reader) {
    return txn_text(history, writer.txn) + " read its own write";
  }
  if (last_seen(history, read.op, index.list_append()) != read.element &&
      last_of_others(history, read) != read.element) {
    return "the read does not end in " + history.shown_text(read.element);
  }
  const std::span<const Op> ops = event_ops(history, writer);
  if (!writes(ops, read.op.key(), read.element) || last_write(ops, read.op.key()) == read.element) {
    return txn_text(history, writer.txn) + " did not write " + element_text(history, read) +
           " and overwrite it";
  }
  return check_only_writer(index, read, writer.txn);
}

Flaw check_garbage_read(const Index& index, const BlamedRead& read) {
  const History& history = index.history();
  if (!index.list_append() && read.element == history.info().initial) {
    return "the read shows the initial state";
  }
  if (!index.writers().of(read.op.key(), read.element).empty()) {
    return "a transaction wrote " + element_text(history, read);
  }
  return {};
}

Flaw check_future_read(const Index& index, const BlamedRead& read) {
  const std::span<const Op> ops = index.history().ops(read.reader);
  const KeyId key = read.op.key();
  if (!writes(ops.subspan(read.mop), key, read.element) ||
      writes(ops.first(read.mop), key, read.element)) {
    return txn_text(index.history(), read.reader) + " did not write " +
           element_text(index.history(), read) + " after the read only";
  }
  return check_only_writer(index, read, read.reader);
}

}  // namespace

Flaw check(const Index& index, AnomalyType type, const ReadEvidence& evidence) {
  const History& history = index.history();
  if (!index.has_committed(evidence.reader)) {
    return "the reader did not commit";
  }
  const std::optional<Op> op = op_at(history.ops(evidence.reader), evidence.mop);
  const bool is_shown =
      op && (op->kind() == OpKind::kReadList
                 ? index.place_in_list(*op, evidence.element).has_value()
                 : op->kind() == OpKind::kRead && op->value() == evidence.element);
  if (!is_shown) {
    return txn_text(history, evidence.reader) + " does not read " +
           version_text(history, evidence.element) + " in the operation named";
  }
  const BlamedRead read{evidence.reader, evidence.mop, *op, evidence.element};
  if (type == AnomalyType::kGarbageRead) {
    return check_garbage_read(index, read);
  }
  if (type == AnomalyType::kFutureRead) {
    return check_future_read(index, read);
  }
  if (!evidence.writer || !index.has(evidence.writer->txn)) {
    return "the writer is not named";
  }
  if (type == AnomalyType::kG1a) {
    return check_aborted_read(index, read, *evidence.writer);
  }
  if (type == AnomalyType::kG1b) {
    return check_intermediate_read(index, read, *evidence.writer);
  }
  return "one read alone is no evidence of " + std::string(name(type));
}

}  // namespace elapid::certify
