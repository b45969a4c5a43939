#include "parsers/cobra/debug_log.h"

#include <charconv>
#include <string_view>

#include "parsers/bytes/window.h"
#include "parsers/read_progress.h"

namespace elapid::cobra {

namespace {

std::optional<Fate> fate_of(std::string_view event) {
  if (event == "start") {
    return Fate::kStarted;
  }
  if (event == "try to commit") {
    return Fate::kTried;
  }
  if (event == "successfully commit") {
    return Fate::kCommitted;
  }
  return event == "abort" ? std::optional(Fate::kAborted) : std::nullopt;
}

}  // namespace

void DebugLog::read_line(std::string_view line, std::uint64_t offset) {
  constexpr std::string_view kBegin = "[DEBUG] Txn[";
  constexpr std::string_view kBehindId = "] ";
  if (!line.starts_with(kBegin)) {
    return;
  }
  line.remove_prefix(kBegin.size());
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), id, 16);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (error != std::errc{} || !line.starts_with(kBehindId)) {
    return;
  }
  const std::optional<Fate> fate = fate_of(line.substr(kBehindId.size()));
  if (!fate) {
    return;
  }
  // Most lines are about the transaction that started last.
  if (!txns_.empty() && txns_.back().id == id) {
    txns_.back().fate = *fate;
    return;
  }
  const std::uint32_t place =
      places_.find_or_add(static_cast<std::int64_t>(id), static_cast<std::uint32_t>(txns_.size()));
  if (place == txns_.size()) {
    txns_.push_back({.id = id, .offset = offset});
  }
  txns_[place].fate = *fate;
}

Status DebugLog::read(ByteSource& source, const ReadOptions& options) {
  Window window(source);
  ReadProgress progress(source, options);
  std::uint64_t offset = 0;
  while (const auto line = window.line()) {
    if (window.line_is_whole()) {
      read_line(*line, offset);
    }
    offset = window.offset();
    ELAPID_RETURN_IF_ERROR(progress.report(offset));
  }
  bytes_ = offset;
  return window.error() ? Status(*window.error()) : Status();
}

std::optional<std::size_t> DebugLog::find(std::uint64_t id) const {
  const std::uint32_t place = places_.find(static_cast<std::int64_t>(id));
  return place == IntMap::kAbsent ? std::nullopt : std::optional<std::size_t>(place);
}

}  // namespace elapid::cobra
