// The common parts of all readers of traces in one file: begin, loop over lines, end.
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
/// and has `Status read()` and `Result<History> finish(Sources&) &&`. Adds the file to errors.
template <class TraceReader, class... Further>
Result<History> read_trace(Sources& sources, const ReadOptions& options,
                           const Further&... further) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  Status status = source->rewind();
  if (status.ok()) {
    TraceReader reader(*source, options, further...);
    status = reader.read();
    if (status.ok()) {
      return std::move(reader).finish(sources);
    }
  }
  return sources.located(0, std::move(status.error()));
}

/// Skips U+FEFF at the very start, with a remark.
void skip_byte_order_mark(Window& window, HistoryBuilder& builder);

/// Calls `take(line, offset)` for each line, until a Status that it returns is an error.
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

/// As above, after skip_byte_order_mark().
template <class Take>
Status each_line(Window& window, ReadProgress& progress, HistoryBuilder& builder, Take take) {
  skip_byte_order_mark(window, builder);
  return each_line(window, progress, std::move(take));
}

/// For formats in which a cut last word is no error: a remark if the last line has no newline.
void note_open_line(const Window& window, HistoryBuilder& builder);
/// As above, for a line that ends with the input.
void note_open_line(std::uint64_t end, HistoryBuilder& builder);

/// Treats an error in file 0. Under ReadOptions::salvage, malformed input becomes a remark that
/// `kept` transactions precede it, and the reader continues as at the end. Otherwise returns the
/// error.
Status end_at_break(HistoryBuilder& builder, const ReadOptions& options, Error error,
                    std::size_t kept);

/// The facts about a history that a reader knows beside its transactions.
struct TraceFacts {
  const Format* format = nullptr;
  Workload workload = Workload::kRwRegister;
  FormatRules rules = {};
  ValueId initial = ValueId::nil();  ///< the format's; ReadOptions::initial overrides it
  std::uint64_t source_bytes = 0;
  std::vector<std::string> assumptions = {};
  std::uint64_t tombstones = 0;  ///< see HistoryInfo
  std::uint64_t predicates = 0;
  std::shared_ptr<const rows::Rows> rows = {};
  TxnId initial_txn = TxnId::none();
};

/// Builds the history. Errors: the builder's, with the file; kUsage for ReadOptions::initial.
Result<History> finish_trace(HistoryBuilder&& builder, Sources& sources, const ReadOptions& options,
                             TraceFacts facts);

}  // namespace elapid
