// How the reading of a trace in one file begins, goes on and ends, whatever its syntax.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/bytes/window.h"
#include "parsers/options.h"
#include "parsers/read_progress.h"

namespace elapid {

/// Reads file 0 by a TraceReader, which is made from (ByteSource&, const ReadOptions&, further...)
/// and has `Status read()` and `Result<History> finish(Sources&) &&`. Completes errors.
template <class TraceReader, class... Further>
Result<History> read_trace(Sources& sources, const ReadOptions& options,
                           const Further&... further) {
  Result<ByteSource*> source = sources.open(0);
  ELAPID_RETURN_IF_ERROR(source);
  Status status = source.value()->rewind();
  if (status.ok()) {
    TraceReader reader(*source.value(), options, further...);
    status = reader.read();
    if (status.ok()) {
      return std::move(reader).finish(sources);
    }
  }
  return sources.located(0, std::move(status.error()));
}

/// Passes over U+FEFF at the very start, with a remark.
void skip_byte_order_mark(Window& window, HistoryBuilder& builder);

/// Calls `take(line, offset)`, which returns a Status, for each line until one is not ok.
template <class Take>
Status each_line(Window& window, ReadProgress& progress, Take take) {
  std::uint64_t offset = window.offset();
  while (const std::optional<std::string_view> line = window.line()) {
    ELAPID_RETURN_IF_ERROR(take(*line, offset));
    offset = window.offset();
    ELAPID_RETURN_IF_ERROR(progress.report(offset));
  }
  return window.error() ? Status(*window.error()) : Status();
}

/// The same behind a byte order mark.
template <class Take>
Status each_line(Window& window, ReadProgress& progress, HistoryBuilder& builder, Take take) {
  skip_byte_order_mark(window, builder);
  return each_line(window, progress, std::move(take));
}

/// For text whose last word may be cut without an error: a remark if the last line that
/// was read has no newline.
void note_open_line(const Window& window, HistoryBuilder& builder);
/// The same of a line that ends with the input.
void note_open_line(std::uint64_t end, HistoryBuilder& builder);

/// What a break in file 0 comes to: under ReadOptions::salvage, and if it is the input that is
/// malformed, a remark that `kept` transactions come before it, so that the reader goes on as at
/// the end; else the error itself.
Status end_at_break(HistoryBuilder& builder, const ReadOptions& options, Error error,
                    std::size_t kept);

/// What a reader knows of its history beside the transactions.
struct TraceFacts {
  const Format* format = nullptr;
  Workload workload = Workload::kRwRegister;
  FormatRules rules = {};
  ValueId initial = ValueId::nil();  ///< the format's own; ReadOptions::initial comes first
  std::uint64_t source_bytes = 0;
  std::vector<std::string> assumptions = {};
  std::uint64_t tombstones = 0;  ///< see HistoryInfo
  std::uint64_t predicates = 0;
  std::shared_ptr<const rows::Rows> rows = {};
  TxnId initial_txn = TxnId::none();
};

/// Builds the history. Error: the builder's, completed; kUsage for ReadOptions::initial.
Result<History> finish_trace(HistoryBuilder&& builder, Sources& sources, const ReadOptions& options,
                             TraceFacts facts);

}  // namespace elapid
