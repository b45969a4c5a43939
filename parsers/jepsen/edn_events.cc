#include "parsers/jepsen/edn_events.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/ir/history_builder.h"
#include "parsers/jepsen/op_stream.h"

namespace elapid {

namespace {

bool is_client(const OpMap& op) {
  const bool has_mops = op.has_value && !op.not_mops;
  return op.process_kind == ProcessKind::kClient ||
         (op.process_kind == ProcessKind::kAbsent && has_mops);
}

bool has_mop(const OpMap& op, OpKind kind) {
  return std::any_of(op.mops.begin(), op.mops.end(),
                     [kind](const MopInput& mop) { return mop.kind == kind; });
}

struct Inference {
  Workload workload;
  std::string reason;
};

/// Reads on until something is written. Errors are left to the reading proper.
Inference infer_workload(ByteSource& source) {
  ValuePool values;
  OpStream stream(source, values, Workload::kListAppend);
  bool has_list = false;
  bool has_read = false;
  bool has_other = false;
  while (stream.next()) {
    const OpMap& op = stream.op();
    if (!is_client(op)) {
      continue;
    }
    if (has_mop(op, OpKind::kAppend)) {
      return {Workload::kListAppend, "something is appended"};
    }
    if (has_mop(op, OpKind::kWrite)) {
      return {Workload::kRwRegister, "something is written with :w"};
    }
    has_list |= has_mop(op, OpKind::kReadList);
    has_read |= has_mop(op, OpKind::kRead);
    has_other |= has_mop(op, OpKind::kOther);
  }
  if (has_list) {
    return {Workload::kListAppend, "nothing is written, and a list is read"};
  }
  if (has_other && !has_read) {
    return {Workload::kOther, "nothing is read, written or appended"};
  }
  return {Workload::kRwRegister, "nothing is written, and no list is read"};
}

class EdnHistoryReader {
 public:
  EdnHistoryReader(ByteSource& source, const ReadOptions& options, Workload workload)
      : source_(source),
        options_(options),
        builder_({.drop_processless = options.elle_compat,
                  .tolerate_overlaps = options.for_lint || options.elle_compat}),
        stream_(source, builder_.values(), workload) {}

  Result<History> read(HistoryInfo info) {
    if (stream_.has_byte_order_mark()) {
      builder_.remark(Remark::Kind::kByteOrderMark, {}, "the input begins with a byte order mark");
    }
    while (stream_.next()) {
      if (Status status = add(stream_.op()); !status.ok()) {
        return std::move(status.error());
      }
      if (Status status = report_progress(); !status.ok()) {
        return std::move(status.error());
      }
    }
    if (Status status = stream_.status(); !status.ok()) {
      return std::move(status.error());
    }
    if (stream_.count() == 0) {
      return malformed_at(0, "expected operation maps, found no operations");
    }
    info.source_bytes = stream_.offset();
    return std::move(builder_).build(std::move(info));
  }

 private:
  Status add(OpMap& op) {
    if (!op.type) {
      return malformed_at(op.offset, op.has_validity
                                         ? "this is a results file, not a history"
                                         : "expected an operation, found one without :type");
    }
    const SourcePosition position{.offset = op.offset};
    if (op.has_odd_time) {
      builder_.remark(Remark::Kind::kOther, position, "a :time that is no integer is ignored");
    }
    return is_client(op) ? add_client(op, *op.type, position) : skip(op, position);
  }

  Status add_client(OpMap& op, EventType type, SourcePosition position) {
    if (op.not_mops) {
      return *op.not_mops;
    }
    if (op.not_list && type == EventType::kOk) {
      return *op.not_list;
    }
    for (std::size_t i = 0; i < op.mops.size(); ++i) {
      op.mops[i].key = builder_.key(op.keys[i]);
    }
    EventInput event{.type = type, .index = op.index, .time = op.time, .position = position};
    if (op.process_kind == ProcessKind::kClient) {
      event.process = op.process;
    }
    event.mops = op.mops;
    event.elements = op.elements;
    return builder_.add_event(event);
  }

  Status skip(const OpMap& op, SourcePosition position) {
    if (op.process_kind == ProcessKind::kOdd) {
      builder_.remark(Remark::Kind::kOddProcess, position,
                      "a :process that is neither an integer nor a name is taken as not a client");
    } else if (op.process_kind == ProcessKind::kAbsent) {
      builder_.remark(Remark::Kind::kOther, position,
                      "an operation without :process and without micro-operations is ignored");
    }
    return builder_.skip_event({.index = op.index, .time = op.time, .position = position});
  }

  /// Tells the caller how far the reading has come, once a mebibyte.
  Status report_progress() {
    constexpr std::uint64_t kInterval = std::uint64_t{1} << 20;
    if (!options_.progress || stream_.offset() < next_report_) {
      return {};
    }
    next_report_ = stream_.offset() + kInterval;
    if (options_.progress(source_.consumed(), source_.total())) {
      return {};
    }
    Error error = malformed_at(stream_.offset(), "the reading was stopped");
    error.kind = ErrorKind::kUnreadable;
    return error;
  }

  ByteSource& source_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  OpStream stream_;
  std::uint64_t next_report_ = 0;
};

}  // namespace

Result<EdnHistory> read_edn_history(ByteSource& source, const ReadOptions& options) {
  HistoryInfo info;
  info.format = "edn";
  info.files = {source.name()};
  if (Status status = source.rewind(); !status.ok()) {
    return std::move(status.error());
  }
  Workload workload = Workload::kOther;
  if (options.workload) {
    workload = *options.workload;
  } else {
    const Inference inference = infer_workload(source);
    workload = inference.workload;
    info.assumptions.push_back("The workload is " + std::string(name(workload)) + ": " +
                               inference.reason + ".");
    if (Status status = source.rewind(); !status.ok()) {
      return std::move(status.error());
    }
  }
  Result<History> history = EdnHistoryReader(source, options, workload).read(std::move(info));
  if (!history) {
    return source.located(std::move(history.error()));
  }
  return EdnHistory{std::move(history).value(), workload};
}

}  // namespace elapid
