#include "parsers/stream/stream_line.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"
#include "parsers/jepsen/trace_form.h"
#include "parsers/json/piece.h"
#include "parsers/timekiller/txn_document.h"

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
  ELAPID_ASSIGN_OR_RETURN(const TxnInput whole, TraceForm::transaction(op_));
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
  txn.status = whole.status;
  txn.has_start = op_.start_timestamp.has_value();
  txn.has_commit = op_.commit_timestamp.has_value();
  txn.invoked = op_.invoked;
  txn.completed = op_.completed;
  take_ops(txn.txn);
  return true;
}

/// Refuses operations that are not whole transactions, as far as TraceForm does not.
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
  if (!op_.is_mops()) {
    return op_.why_no_mops();
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

namespace {

/// The place of the first character from `at` on that is not blank; the line's size if there is
/// none.
std::size_t skip_blanks(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(kBlanks, at), line.size());
}

bool has_any(json::Value object, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys,
                             [&](std::string_view key) { return find(object, key).has_value(); });
}

void set_timekiller_defaults(StreamTxn& txn) {
  txn.status = TxnStatus::kCommitted;
  txn.has_start = txn.has_commit = true;
  txn.invoked.reset();
  txn.completed.reset();
}

/// Converts a scalar of the file to EDN.
void quote(const TimekillerScalar& scalar, TimekillerTxn& txn) {
  if (!scalar.is_number()) {
    std::string quoted;
    append_edn_string(txn.texts[scalar.text], quoted);
    txn.texts[scalar.text] = std::move(quoted);
  }
}

void quote_names(TimekillerTxn& txn) {
  for (const TimekillerOp& op : txn.ops) {
    quote(op.key, txn);
    quote(op.value, txn);
  }
  for (const TimekillerScalar& element : txn.elements) {
    quote(element, txn);
  }
}

}  // namespace

Error rows_in_stream(std::uint64_t offset, std::string_view follow) {
  const std::string hint = " (a history of them can be followed: see " + std::string(follow) + ")";
  return malformed_at(offset, "operations on rows are not judged by timestamps, as a stream is" +
                                  (follow.empty() ? "" : hint));
}

bool is_header_of_rows(std::string_view line) {
  json::Document document;
  if (!json::parse_piece(line, 0, document) || !document.root().is_object() ||
      !is_recorder_header(document.root())) {
    return false;
  }
  const Result<RecorderHeader> header = read_recorder_header(document.root());
  return header && header.value().workload == Workload::kRows;
}

Result<StreamLine> StreamLineReader::read(std::string_view line, StreamTxn& txn) {
  if (scanner_.read(line, 0, txn.txn) && skip_blanks(line, scanner_.size()) == line.size()) {
    set_timekiller_defaults(txn);
    return StreamLine::kTransaction;
  }
  return read_slowly(line, txn);
}

Result<StreamLine> StreamLineReader::read_slowly(std::string_view line, StreamTxn& txn) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const std::size_t mark = line.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::size_t begin = skip_blanks(line, mark);
  if (begin == line.size()) {
    return StreamLine::kBlank;
  }
  ELAPID_ASSIGN_OR_RETURN(const std::size_t parsed,
                          json::parse_piece(line.substr(begin), begin, document_));
  const std::size_t end = skip_blanks(line, begin + parsed);
  if (end < line.size()) {
    return malformed_at(end, "expected the end of the line behind an object, found more");
  }
  return read_object(txn);
}

Result<StreamLine> StreamLineReader::read_object(StreamTxn& txn) {
  const json::Value object = document_.root();
  if (!object.is_object()) {
    return malformed_at(object.offset(),
                        "expected a transaction object, found " + describe(object));
  }
  if (const auto key = document_.duplicate_key()) {
    return malformed_at(key->offset(),
                        "expected each key of an object once, found " + describe(*key) + " twice");
  }
  const bool is_header = !has_any(object, {"ops"}) && is_recorder_header(object);
  const bool is_recorder = !has_any(object, {"ops"}) && has_any(object, {"type"});
  if (!is_header && !is_recorder && !has_any(object, {"ops", "tid", "sid", "sts", "cts"})) {
    return malformed_at(object.offset(),
                        "expected a transaction with tid, sid, sts, cts and ops, or one with type, "
                        "process, value and invoked, found neither");
  }
  if (is_recorder) {
    ELAPID_ASSIGN_OR_RETURN(const bool is_transaction, recorder_.read(object, txn));
    return is_transaction ? StreamLine::kTransaction : StreamLine::kNemesis;
  }
  ELAPID_RETURN_IF_ERROR(is_header ? read_header() : read_timekiller(txn));
  return is_header ? StreamLine::kHeader : StreamLine::kTransaction;
}

Status StreamLineReader::read_timekiller(StreamTxn& txn) const {
  ELAPID_RETURN_IF_ERROR(read_timekiller_txn(document_.root(), txn.txn));
  quote_names(txn.txn);
  set_timekiller_defaults(txn);
  return {};
}

Status StreamLineReader::read_header() {
  ELAPID_ASSIGN_OR_RETURN(RecorderHeader header, read_recorder_header(document_.root()));
  if (header.workload == Workload::kRows) {
    return rows_in_stream(document_.root().offset(), follow_);
  }
  header_ = std::move(header);
  if (header_.workload) {
    recorder_.set_workload(*header_.workload);
  }
  return {};
}

}  // namespace elapid
