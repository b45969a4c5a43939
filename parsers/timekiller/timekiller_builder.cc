#include "parsers/timekiller/timekiller_builder.h"

#include <bit>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"
#include "parsers/jepsen/initial_value.h"

namespace elapid {

namespace {

constexpr const char* kReservedId = "initial";

const char* name_of(TimekillerValue kind) {
  switch (kind) {
    case TimekillerValue::kNone:
      return "none";
    case TimekillerValue::kScalar:
      return "a single value";
    default:
      return "an array";
  }
}

Error unexpected(const TimekillerOp& op, const std::string& expected, const std::string& found) {
  return malformed_at(op.offset, "expected " + expected + ", found " + found);
}

/// The absolute value.
std::uint64_t magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

}  // namespace

Status TimekillerBuilder::set_initial(const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(initial_, initial_value(options, ValueId::nil(), builder_.values()));
  return {};
}

Status TimekillerBuilder::add(const TimekillerTxn& txn, std::int64_t session) {
  ELAPID_RETURN_IF_ERROR(check_id(txn));
  std::int64_t start = 0;
  std::int64_t commit = 0;
  for (const auto& [clock, into] :
       {std::pair(&txn.start, &start), std::pair(&txn.commit, &commit)}) {
    ELAPID_RETURN_IF_ERROR(timestamp(txn, *clock, *into));
  }
  const SourcePosition position{.offset = txn.offset};
  if (start > commit) {
    builder_.remark(Remark::Kind::kOther, position,
                    "transaction " + txn.text_of(txn.id) + " commits before it starts");
  }
  mops_.clear();
  elements_.clear();
  for (const TimekillerOp& op : txn.ops) {
    ELAPID_RETURN_IF_ERROR(add_op(txn, op));
  }
  ++count_;
  return builder_.add_transaction({.session = session,
                                   .start_timestamp = start,
                                   .commit_timestamp = commit,
                                   .position = position,
                                   .mops = mops_,
                                   .elements = elements_});
}

Status TimekillerBuilder::check_id(const TimekillerTxn& txn) {
  if (!txn.id.is_number() && txn.texts[txn.id.text] == kReservedId) {
    return malformed_at(txn.offset, "expected another tid than \"initial\", which is reserved");
  }
  const std::size_t known = ids_.size();
  const bool is_new = txn.id.is_number() ? ids_.number(txn.id.number) == known
                                         : named_ids_.insert(txn.texts[txn.id.text]).second;
  if (is_new) {
    return {};
  }
  return malformed_at(txn.offset,
                      "expected a new tid, found " + txn.text_of(txn.id) + " a second time");
}

Status TimekillerBuilder::timestamp(const TimekillerTxn& txn, const TimekillerClock& clock,
                                    std::int64_t& into) {
  const unsigned physical_bits = 63 - logical_bits_;
  if (static_cast<unsigned>(std::bit_width(magnitude(clock.physical))) > physical_bits) {
    return malformed_at(txn.offset, "expected a p between -2^" + std::to_string(physical_bits) +
                                        " and 2^" + std::to_string(physical_bits) +
                                        ", since l takes " + std::to_string(logical_bits_) +
                                        " of 63 bits, found " + std::to_string(clock.physical));
  }
  into = (clock.physical << logical_bits_) | clock.logical;
  return {};
}

Status TimekillerBuilder::add_op(const TimekillerTxn& txn, const TimekillerOp& op) {
  const bool is_list = workload_ == Workload::kListAppend;
  if (op.kind == (is_list ? OpKind::kWrite : OpKind::kAppend)) {
    return unexpected(op,
                      is_list ? "reads and appends in a history of lists"
                              : "reads and writes in a history of registers",
                      describe_timekiller_kind(op.kind));
  }
  MopInput& mop = mops_.emplace_back();
  mop.kind = op.kind;
  mop.key = op.key.is_number() ? keys_.key(op.key.number)
                               : builder_.key(text_value(txn.texts[op.key.text]));
  return is_list ? add_list_op(txn, op, mop) : add_register_op(txn, op, mop);
}

Status TimekillerBuilder::add_list_op(const TimekillerTxn& txn, const TimekillerOp& op,
                                      MopInput& mop) {
  if (op.kind == OpKind::kAppend) {
    mop.value = value(txn, op.value);
    return {};
  }
  if (op.value_kind == TimekillerValue::kScalar) {
    return unexpected(op, "an array or null as the v of a list read", name_of(op.value_kind));
  }
  mop.kind = OpKind::kReadList;
  mop.list_begin = static_cast<std::uint32_t>(elements_.size());
  mop.list_length = op.list_length;
  for (std::uint32_t i = 0; i < op.list_length; ++i) {
    elements_.push_back(value(txn, txn.elements[op.list_begin + i]));
  }
  return {};
}

Status TimekillerBuilder::add_register_op(const TimekillerTxn& txn, const TimekillerOp& op,
                                          MopInput& mop) {
  if (op.value_kind == TimekillerValue::kList) {
    return unexpected(op, "a single value or null as v in a history of registers",
                      name_of(op.value_kind));
  }
  mop.value = op.value_kind == TimekillerValue::kNone ? initial_ : value(txn, op.value);
  return {};
}

inline ValueId TimekillerBuilder::value(const TimekillerTxn& txn, const TimekillerScalar& scalar) {
  return scalar.is_number() ? builder_.values().integer(scalar.number)
                            : text_value(txn.texts[scalar.text]);
}

ValueId TimekillerBuilder::text_value(const std::string& text) {
  std::string quoted;
  append_edn_string(text, quoted);
  return builder_.values().intern(quoted);
}

void TimekillerBuilder::describe(HistoryInfo& info) const {
  info.initial = initial_;
  info.logical_bits = logical_bits_;
}

}  // namespace elapid
