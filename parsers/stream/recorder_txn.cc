#include "parsers/stream/recorder_txn.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/trace_form.h"

namespace elapid {

namespace {

std::string id_of(const OpMap& op) {
  const auto text = [](std::optional<std::int64_t> timestamp) {
    return timestamp ? std::to_string(*timestamp) : std::string();
  };
  return (op.process_name.empty() ? std::to_string(op.process) : op.process_name) + '@' +
         text(op.invoked) + '/' + text(op.start_timestamp) + '/' + text(op.commit_timestamp);
}

std::uint32_t add_text(std::string text, TimekillerTxn& txn) {
  txn.texts.push_back(std::move(text));
  return static_cast<std::uint32_t>(txn.texts.size() - 1);
}

}  // namespace

void RecorderTxnReader::set_workload(Workload workload) {
  workload_ = workload;
  set_reader(workload);
}

void RecorderTxnReader::set_reader(Workload workload) {
  reader_.emplace(values_, workload);
  reader_->take_named_sessions();
}

Result<bool> RecorderTxnReader::read(json::Value object, StreamTxn& txn) {
  constexpr std::size_t kMostValues = std::size_t{1} << 16;
  if (values_.size() > kMostValues) {
    values_ = ValuePool();
  }
  ELAPID_RETURN_IF_ERROR(reader_->read(object, op_));
  if (is_nemesis(op_)) {
    return false;
  }
  ELAPID_RETURN_IF_ERROR(check());
  const Result<TxnInput> whole = TraceForm::transaction(op_);
  ELAPID_RETURN_IF_ERROR(whole);
  txn.txn.clear();
  txn.txn.offset = op_.offset;
  if (op_.index) {
    txn.txn.id.number = *op_.index;
  } else {
    txn.txn.id.text = add_text(id_of(op_), txn.txn);
  }
  if (op_.process_name.empty()) {
    txn.txn.session.number = op_.process;
  } else {
    txn.txn.session.text = add_text(op_.process_name, txn.txn);
  }
  txn.txn.start.physical = op_.start_timestamp.value_or(0);
  txn.txn.commit.physical = op_.commit_timestamp.value_or(0);
  txn.status = whole.value().status;
  txn.has_start = op_.start_timestamp.has_value();
  txn.has_commit = op_.commit_timestamp.has_value();
  txn.invoked = op_.invoked;
  txn.completed = op_.completed;
  take_ops(txn.txn);
  return true;
}

/// Refuses what is not a whole transaction; TraceForm finds the rest.
Status RecorderTxnReader::check() const {
  if (!op_.type) {
    return malformed_at(op_.offset, R"(expected a transaction with "type", found one without)");
  }
  if (!op_.invoked && !op_.completed) {
    const std::string hint = " (a history of events can be followed: see " + std::string(follow_);
    return malformed_at(op_.offset,
                        R"(expected a whole transaction, with "invoked" and "completed", found )"
                        "an event" +
                            (follow_.empty() ? "" : hint + ")"));
  }
  if (op_.not_mops) {
    return *op_.not_mops;
  }
  if (op_.not_list && workload_ == Workload::kListAppend && op_.type == EventType::kOk) {
    return *op_.not_list;
  }
  const auto other = std::ranges::find(op_.mops, OpKind::kOther, &MopInput::kind);
  return other == op_.mops.end()
             ? Status()
             : malformed_at(op_.offset,
                            R"(expected the operations "append", "w" and "r", found `)" +
                                values_.text(other->value).substr(1) + '`');
}

void RecorderTxnReader::take_ops(TimekillerTxn& txn) const {
  for (const MopInput& mop : op_.mops) {
    TimekillerOp& op = txn.ops.emplace_back();
    op.offset = op_.offset;
    op.key = scalar(key_name(mop), txn);
    if (mop.kind == OpKind::kReadList) {
      op.value_kind = TimekillerValue::kList;
      op.list_begin = static_cast<std::uint32_t>(txn.elements.size());
      op.list_length = mop.list_length;
      for (std::size_t e = 0; e < mop.list_length; ++e) {
        txn.elements.push_back(scalar(op_.elements[mop.list_begin + e], txn));
      }
      continue;
    }
    op.kind = mop.kind;
    if (!mop.value.is_nil()) {
      op.value_kind = TimekillerValue::kScalar;
      op.value = scalar(mop.value, txn);
    }
  }
}

TimekillerScalar RecorderTxnReader::scalar(ValueId value, TimekillerTxn& txn) const {
  if (const auto number = values_.as_integer(value)) {
    return {.number = *number};
  }
  return {.text = add_text(values_.text(value), txn)};
}

}  // namespace elapid
