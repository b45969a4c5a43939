// The end of reading: facts that only reads tell, and the assumptions.
#include <algorithm>
#include <utility>

#include "parsers/bytes/window.h"
#include "parsers/cobra/cobra_format.h"
#include "parsers/cobra/history_reader.h"
#include "parsers/cobra/log_scanner.h"
#include "parsers/traces/trace_reader.h"

namespace elapid::cobra {

namespace {

constexpr FormatRules kCobraRules = {
    .initial = "nil, which reads of the ids INIT and NULL saw",
    .reads = "a read names the write it saw and that write's transaction",
    .aborted = "known from .debug files alone, without their operations",
    .indeterminate = "with the option salvage, transactions that reads name and no log has",
};

}  // namespace

Status HistoryReader::add_unrecorded_writers() {
  if (!interpreter_.misses_writes()) {
    return {};
  }
  ELAPID_ASSIGN_OR_RETURN(std::vector<UnrecordedWrite> writes, find_unrecorded());
  std::ranges::stable_sort(writes, {}, &UnrecordedWrite::writer);
  std::int64_t session = std::ranges::max(logs_, {}, &SessionLog::session).session;
  for (auto begin = writes.begin(); begin != writes.end();) {
    const auto end = std::ranges::find_if_not(
        begin, writes.end(), [&](const auto& write) { return write.writer == begin->writer; });
    ELAPID_RETURN_IF_ERROR(add_unrecorded({begin, end}, ++session));
    begin = end;
  }
  return {};
}

/// Reads the logs once more, which is cheaper than remembering the reader of each write.
Result<std::vector<UnrecordedWrite>> HistoryReader::find_unrecorded() {
  std::vector<UnrecordedWrite> found;
  for (const std::uint16_t file : log_files_) {
    ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources_.open(file));
    if (Status status = source->rewind(); !status.ok()) {
      return located(file, std::move(status.error()));
    }
    Window window(*source);
    LogScanner scanner(window, *layout_);
    for (LogBlock block; interpreter_.misses_writes() && scanner.next(block);) {
      interpreter_.begin(block, *layout_);
      interpreter_.take_unrecorded(file, found);
    }
  }
  return found;
}

/// Adds writes of a transaction that no log has. If a log has the transaction, it did not make
/// them. If no log has it, it did not exist, unless a log may be lost.
Status HistoryReader::add_unrecorded(std::span<const UnrecordedWrite> writes,
                                     std::int64_t session) {
  const std::uint64_t writer = writes.front().writer;
  const bool is_aborted = aborted_.find(static_cast<std::int64_t>(writer)) != IntMap::kAbsent;
  const bool is_logged = interpreter_.has_seen(writer);
  const std::string what =
      plural(writes.size(), "write") + " that reads saw, as " + hex(writes.front().write);
  const std::string who = "transaction " + hex(writer);
  if (is_logged || !(is_aborted || options_.salvage)) {
    builder_.remark(
        Remark::Kind::kOther, writes.front().reader,
        who + (is_logged ? " has not recorded " : " is in no log, but should have made ") + what +
            ": no transaction wrote what they saw" +
            (is_logged ? "" : " (" + std::string(options_.words.salvage) + ": it was lost)"));
    return {};
  }
  builder_.remark(Remark::Kind::kOther, writes.front().reader,
                  who + " is in no log, but has made " + what + ": taken for " +
                      (is_aborted ? "the aborted one of that id" : "an indeterminate one"));
  ++unrecorded_;
  std::vector<MopInput> mops;
  for (const UnrecordedWrite& write : writes) {
    mops.push_back({.kind = OpKind::kWrite, .key = write.key, .value = write.value});
  }
  TxnInput input{.session = session,
                 .status = is_aborted ? TxnStatus::kAborted : TxnStatus::kIndeterminate,
                 .position = writes.front().reader,
                 .mops = mops};
  if (layout_->has_times) {
    input.invocation_time = first_time_;
    input.completion_time = last_time_;
  }
  return builder_.add_transaction(input);
}

void HistoryReader::assume_dialect() {
  assume(interpreter_.is_universal().value_or(false)
             ? "Values are hashes, which may repeat: all writes have the id 0xabddefee (dialect "
               "universal)."
             : "Values are the ids of writes; each write has its own (dialect plain).");
  const Layout layout = layout_.value_or(Layout{});
  if (layout.has_times) {
    assume("Starts and commits carry wall-clock times in ms, which are taken for real time.");
  }
  if (layout.has_key_texts) {
    assume("Keys are names, not hashes: only so can the first log be read.");
  }
}

void HistoryReader::assume_counts() {
  const auto unnumbered = std::count_if(logs_.begin(), logs_.end(),
                                        [](const SessionLog& log) { return !log.is_numbered; });
  if (unnumbered > 0) {
    assume(plural(static_cast<std::uint64_t>(unnumbered), "log") +
           " whose names tell no session of their own are numbered behind the others.");
  }
  const TxnInterpreter::Counts& counts = interpreter_.counts();
  if (counts.initial_writes > 0) {
    assume(plural(counts.initial_writes, "write") +
           " with the id of the initial state left out, which is initial without them.");
  }
  if (counts.deletes > 0) {
    assume(plural(counts.deletes, "delete") +
           " wrote the initial value: a read that finds no key saw a delete or the beginning.");
  }
  if (aborted_.size() > 0) {
    const bool is_left_out = layout_ && layout_->has_times;
    assume(plural(aborted_.size(), "aborted transaction") + " in .debug files " +
           (is_left_out ? "left out, since their times are unknown."
                        : "taken, without their operations."));
  }
  if (tried_ > 0) {
    assume(plural(tried_, "transaction") +
           " in .debug files left out that tried to commit, without an outcome.");
  }
  if (unrecorded_ > 0) {
    assume(plural(unrecorded_, "transaction") +
           " that reads name and no log has: each is a session of its own, indeterminate (aborted "
           "if a .debug file says so), with the writes that were read.");
  }
}

Result<History> HistoryReader::finish() && {
  assume_dialect();
  assume_counts();
  return finish_trace(std::move(builder_), sources_, options_,
                      {.format = &kCobraFormat,
                       .rules = kCobraRules,
                       .source_bytes = bytes_,
                       .assumptions = std::move(assumptions_),
                       .tombstones = interpreter_.counts().deletes});
}

}  // namespace elapid::cobra
