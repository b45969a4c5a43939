#include "engine/saturate/visible_paths.h"

#include <algorithm>
#include <limits>

namespace elapid {

namespace {

constexpr std::size_t kAllReads = std::numeric_limits<std::size_t>::max();

OrderEdge session_edge(std::uint32_t from, std::uint32_t to) {
  return {.from = {from}, .to = {to}, .relation = Relation::kProcess};
}

/// Calls `visit(source)` for each transaction that was read from, once a read.
template <class Visit>
std::optional<EdgePath> first_of_sources(const Observations& seen, std::uint32_t reader,
                                         Visit visit) {
  for (const Seen& read : seen.reads(reader)) {
    if (!read.is_of_txn()) {
      continue;
    }
    if (std::optional<EdgePath> path = visit(read.writer)) {
      path->push_back(*read_from_edge(seen, read.writer, reader, kAllReads));
      return path;
    }
  }
  return std::nullopt;
}

std::optional<EdgePath> by_session(const Observations& seen, std::uint32_t writer,
                                   std::uint32_t reader) {
  return seen.is_in_session(writer, reader) ? std::optional(EdgePath{session_edge(writer, reader)})
                                            : std::nullopt;
}

std::optional<EdgePath> by_monotonic_writes(const Observations& seen, std::uint32_t writer,
                                            std::uint32_t reader) {
  return first_of_sources(seen, reader,
                          [&](std::uint32_t source) { return by_session(seen, writer, source); });
}

std::optional<EdgePath> by_writes_follow_reads(const Observations& seen, std::uint32_t writer,
                                               std::uint32_t reader) {
  return first_of_sources(seen, reader, [&](std::uint32_t source) -> std::optional<EdgePath> {
    if (const auto edge = read_from_edge(seen, writer, source, kAllReads)) {
      return EdgePath{*edge};
    }
    return path_by_session_read(seen, writer, source);
  });
}

std::optional<EdgePath> by_pram(const Observations& seen, std::uint32_t writer,
                                std::uint32_t reader) {
  if (auto path = by_session(seen, writer, reader)) {
    return path;
  }
  if (auto path = path_by_session_read(seen, writer, reader)) {
    return path;
  }
  return by_monotonic_writes(seen, writer, reader);
}

}  // namespace

std::vector<std::uint32_t> next_in_session(const Observations& seen, std::uint32_t txn) {
  const History& history = seen.history();
  std::vector<std::uint32_t> next;
  if (!history.committed({txn})) {
    return next;  // others may come before it
  }
  const std::span<const TxnId> session = history.session_txns(history.session({txn}));
  auto at = std::ranges::upper_bound(session, TxnId{txn});
  for (bool is_last = false; at != session.end() && !is_last; ++at) {
    if (seen.is_present(at->value)) {
      next.push_back(at->value);
      is_last = history.committed(*at);
    }
  }
  return next;
}

std::optional<OrderEdge> read_from_edge(const Observations& seen, std::uint32_t writer,
                                        std::uint32_t reader, std::size_t limit) {
  const std::span<const Seen> reads = seen.reads(reader);
  for (std::size_t i = 0; i < std::min(limit, reads.size()); ++i) {
    if (reads[i].writer == writer) {
      return OrderEdge{
          .from = {writer}, .to = {reader}, .relation = Relation::kWr, .key = reads[i].key};
    }
  }
  return std::nullopt;
}

std::optional<EdgePath> path_by_session_read(const Observations& seen, std::uint32_t writer,
                                             std::uint32_t after) {
  const History& history = seen.history();
  for (const TxnId txn : history.session_txns(history.session({after}))) {
    if (txn.value >= after) {
      break;
    }
    if (!history.committed(txn)) {
      continue;
    }
    if (const auto edge = read_from_edge(seen, writer, txn.value, kAllReads)) {
      return EdgePath{*edge, session_edge(txn.value, after)};
    }
  }
  return std::nullopt;
}

std::optional<EdgePath> visible_path(const Observations& seen, OrderLevel level,
                                     std::uint32_t writer, std::uint32_t reader, std::size_t read) {
  switch (level.visibility) {
    case Visibility::kReadCommitted:
    case Visibility::kReadAtomic: {
      const bool is_atomic = level.visibility == Visibility::kReadAtomic;
      if (const auto edge = read_from_edge(seen, writer, reader, is_atomic ? kAllReads : read)) {
        return EdgePath{*edge};
      }
      return is_atomic && level.sessions ? by_session(seen, writer, reader) : std::nullopt;
    }
    case Visibility::kPram:
      return by_pram(seen, writer, reader);
    case Visibility::kWritesFollowReads:
      return by_writes_follow_reads(seen, writer, reader);
    case Visibility::kMonotonicWrites:
      return by_monotonic_writes(seen, writer, reader);
    case Visibility::kMonotonicReads:
      return path_by_session_read(seen, writer, reader);
    case Visibility::kReadYourWrites:
      return by_session(seen, writer, reader);
    default:
      return std::nullopt;
  }
}

}  // namespace elapid
