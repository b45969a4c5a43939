#include "parsers/traces/trace_reader.h"

#include "parsers/format.h"
#include "parsers/jepsen/initial_value.h"

namespace elapid {

void skip_byte_order_mark(Window& window, HistoryBuilder& builder) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (window.ahead(kByteOrderMark.size()).starts_with(kByteOrderMark)) {
    window.skip(kByteOrderMark.size());
    builder.remark(Remark::Kind::kByteOrderMark, {}, "the input begins with a byte order mark");
  }
}

void note_open_line(const Window& window, HistoryBuilder& builder) {
  if (window.offset() > 0 && !window.line_is_whole()) {
    note_open_line(window.offset(), builder);
  }
}

void note_open_line(std::uint64_t end, HistoryBuilder& builder) {
  builder.remark(Remark::Kind::kOther, {.file = 0, .offset = end},
                 "the last line has no newline: its last word may have been cut short");
}

Status end_at_break(HistoryBuilder& builder, const ReadOptions& options, Error error,
                    std::size_t kept) {
  if (!options.salvage || error.kind != ErrorKind::kMalformed) {
    return error;
  }
  builder.remark(Remark::Kind::kSalvaged, {.file = 0, .offset = error.byte_offset.value_or(0)},
                 error.message + "; kept what is whole before that, " + std::to_string(kept) +
                     (kept == 1 ? " transaction" : " transactions"));
  return {};
}

Result<History> finish_trace(HistoryBuilder&& builder, Sources& sources, const ReadOptions& options,
                             TraceFacts facts) {
  ELAPID_ASSIGN_OR_RETURN(const ValueId initial,
                          initial_value(options, facts.initial, builder.values()));
  HistoryInfo info;
  info.format = facts.format->name;
  info.workload = facts.workload;
  info.files = sources.names();
  info.rules = facts.rules;
  info.initial = initial;
  info.source_bytes = facts.source_bytes;
  info.assumptions = std::move(facts.assumptions);
  info.tombstones = facts.tombstones;
  info.predicates = facts.predicates;
  info.rows = std::move(facts.rows);
  info.initial_txn = facts.initial_txn;
  Result<History> history = std::move(builder).build(std::move(info));
  if (!history) {
    return sources.located(0, std::move(history.error()));
  }
  return history;
}

}  // namespace elapid
