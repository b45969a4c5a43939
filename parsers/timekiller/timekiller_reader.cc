#include "parsers/timekiller/timekiller_reader.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "parsers/read_progress.h"
#include "parsers/timekiller/timekiller_builder.h"
#include "parsers/timekiller/txn_stream.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

constexpr FormatRules kRules = {
    .initial = "null; see --initial",
    .reads = "by the value read; the timestamps say which snapshot a transaction read from",
    .aborted = "not recorded: every transaction is committed",
    .indeterminate = "not recorded"};

/// What must be known before the transactions are read in earnest.
struct Survey {
  std::optional<Workload> workload = {};  // none so far
  std::string reason = "nothing is written, and no list is read";
  std::int64_t physical = 0;  // the largest
  std::int64_t logical = 0;

  void look_at(const TimekillerTxn& txn) {
    physical = std::max({physical, txn.start.physical, txn.commit.physical});
    logical = std::max({logical, txn.start.logical, txn.commit.logical});
    for (const TimekillerOp& op : txn.ops) {
      if (workload) {
        return;
      }
      look_at(op);
    }
  }

  void look_at(const TimekillerOp& op) {
    if (op.kind == OpKind::kAppend) {
      workload = Workload::kListAppend;
      reason = "something is appended";
    } else if (op.kind == OpKind::kWrite) {
      workload = Workload::kRwRegister;
      reason = "something is written";
    } else if (op.value_kind == TimekillerValue::kList) {
      workload = Workload::kListAppend;
      reason = "a list is read";
    }
  }

  /// 18 bits are those of TiDB's timestamps.
  [[nodiscard]] unsigned logical_bits() const {
    constexpr unsigned kUsual = 18;
    const auto needed = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(logical)));
    const bool fits_usual = needed <= kUsual && (physical >> (63 - kUsual)) == 0;
    return needed == 0 || !fits_usual ? needed : kUsual;
  }
};

/// Reads on until the workload is known, or to the end. The only error is that of an interruption:
/// others are left to the reading proper.
Result<Survey> survey(ByteSource& source, const ReadOptions& options, bool is_whole) {
  Survey survey;
  TxnStream stream(source);
  ReadProgress progress(source, options);
  while ((is_whole || !survey.workload) && stream.next()) {
    survey.look_at(stream.txn());
    if (Status status = progress.report(stream.offset()); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (Status status = source.rewind(); !status.ok()) {
    return std::move(status.error());
  }
  return survey;
}

/// Everything once.
class Pass {
 public:
  Pass(Sources& sources, ByteSource& source, const ReadOptions& options, Workload workload,
       unsigned logical_bits)
      : sources_(sources),
        source_(source),
        options_(options),
        workload_(workload),
        logical_bits_(logical_bits),
        builder_(workload, logical_bits) {}

  /// Whether it need not be done again: false if there is a logical time and no bits for it.
  Result<bool> read() {
    TxnStream stream(source_);
    ReadProgress progress(source_, options_);
    if (stream.has_byte_order_mark()) {
      builder_.builder().remark(Remark::Kind::kByteOrderMark, {},
                                "the input begins with a byte order mark");
    }
    Status status = builder_.set_initial(options_);
    while (status.ok() && stream.next()) {
      const TimekillerTxn& txn = stream.txn();
      if (logical_bits_ == 0 && (txn.start.logical | txn.commit.logical) != 0) {
        return false;
      }
      status = builder_.add(txn);
      if (Status wanted = progress.report(stream.offset()); !wanted.ok()) {
        return std::move(wanted.error());
      }
    }
    bytes_ = stream.offset();
    status = status.ok() ? stream.status() : status;
    if (!status.ok()) {
      status =
          end_at_break(builder_.builder(), options_, std::move(status.error()), builder_.count());
    }
    return status.ok() ? Result<bool>(true) : Result<bool>(std::move(status.error()));
  }

  Result<ParsedHistory> finish(std::optional<std::string> assumption) {
    HistoryInfo info;
    info.format = name(Format::kTimekiller);
    info.files = sources_.names();
    info.rules = kRules;
    info.source_bytes = bytes_;
    if (assumption) {
      info.assumptions.push_back(std::move(*assumption));
    }
    builder_.describe(info);
    Result<History> history = std::move(builder_.builder()).build(std::move(info));
    return history ? Result<ParsedHistory>(ParsedHistory{std::move(history).value(), workload_})
                   : Result<ParsedHistory>(std::move(history.error()));
  }

 private:
  Sources& sources_;
  ByteSource& source_;
  const ReadOptions& options_;
  Workload workload_;
  unsigned logical_bits_;
  TimekillerBuilder builder_;
  std::uint64_t bytes_ = 0;
};

Result<ParsedHistory> read(Sources& sources, ByteSource& source, const ReadOptions& options) {
  Workload workload = options.workload.value_or(Workload::kRwRegister);
  std::optional<std::string> assumption;
  if (!options.workload) {
    const Result<Survey> found = survey(source, options, false);
    if (!found) {
      return found.error();
    }
    workload = found.value().workload.value_or(workload);
    assumption =
        "The workload is " + std::string(name(workload)) + ": " + found.value().reason + ".";
  }
  for (unsigned logical_bits = 0;;) {
    Pass pass(sources, source, options, workload, logical_bits);
    const Result<bool> is_done = pass.read();
    if (!is_done) {
      return is_done.error();
    }
    if (is_done.value()) {
      return pass.finish(std::move(assumption));
    }
    if (Status status = source.rewind(); !status.ok()) {
      return std::move(status.error());
    }
    const Result<Survey> found = survey(source, options, true);
    if (!found) {
      return found.error();
    }
    logical_bits = found.value().logical_bits();
  }
}

}  // namespace

Result<ParsedHistory> read_timekiller(Sources& sources, const std::string& /*dialect*/,
                                      const ReadOptions& options) {
  Result<ByteSource*> source = sources.open(0);
  if (!source) {
    return std::move(source.error());
  }
  if (Status status = source.value()->rewind(); !status.ok()) {
    return std::move(status.error());
  }
  Result<ParsedHistory> parsed = read(sources, *source.value(), options);
  return parsed ? std::move(parsed) : sources.located(0, std::move(parsed.error()));
}

}  // namespace elapid
