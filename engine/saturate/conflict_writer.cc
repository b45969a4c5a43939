#include "engine/saturate/conflict_writer.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/levels/models.h"
#include "engine/saturate/observations.h"
#include "engine/solve/cycle_steps.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

namespace {

// Why a transaction is visible to a read: the reads and sessions that lead from one to the other.

using EdgePath = std::vector<OrderEdge>;

constexpr std::size_t kAllReads = std::numeric_limits<std::size_t>::max();

OrderEdge session_edge(std::uint32_t from, std::uint32_t to) {
  return {.from = {from}, .to = {to}, .relation = Relation::kProcess};
}

/// The read-from edge from `writer` to `reader`, if it read from it among its first `limit` reads.
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

/// The path from `writer` to `after` through a read in the session of `after`, before `after`.
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

/// Calls `visit(source)` for each read from another transaction, until it returns a path. Adds the
/// edge of this read to the path.
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

/// The direct successors in session order: the next committed transaction, and indeterminate ones
/// before it.
std::vector<std::uint32_t> next_in_session(const Observations& seen, std::uint32_t txn) {
  const History& history = seen.history();
  std::vector<std::uint32_t> next;
  if (!history.committed({txn})) {
    return next;  // later transactions may precede it
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

/// The edges (kWr and kProcess) from `writer` to `reader` that make the writer visible to the
/// reader's read number `read` at this level; nothing if it is not visible. Not for causal
/// consistency, where any path suffices. Linear in the sessions of both.
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

/// One read: its writer and its reader.
struct ReadEdge {
  std::uint32_t writer = 0;
  std::uint32_t reader = 0;
};

Adjacency readers_by_writer(const Observations& seen) {
  std::vector<ReadEdge> edges;
  for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
    if (!seen.is_present(t)) {
      continue;
    }
    for (const Seen& read : seen.reads(t)) {
      edges.push_back({read.is_of_txn() ? read.writer : seen.txn_count(), t});
    }
  }
  return {seen.txn_count() + 1, edges,
          [](const ReadEdge& edge) { return std::pair(edge.writer, edge.reader); }};
}

}  // namespace

ConflictWriter::ConflictWriter(const Observations& seen, OrderLevel level)
    : seen_(seen), level_(level), readers_(readers_by_writer(seen)) {}

Conflict ConflictWriter::of_cycle(std::span<const std::uint32_t> cycle) {
  conflict_ = {};
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    add_edge(cycle[i], cycle[(i + 1) % cycle.size()]);
  }
  join_orders(conflict_.cycle);
  return std::move(conflict_);
}

Conflict ConflictWriter::of_stale_read(std::uint32_t writer) {
  conflict_ = {};
  conflict_.cycle = why(writer, Seen::kInitial);
  use_all(conflict_.cycle, conflict_.unless);
  join_orders(conflict_.cycle);
  return std::move(conflict_);
}

void ConflictWriter::add_edge(std::uint32_t from, std::uint32_t to) {
  if (!add_known_edge(from, to)) {
    add_forced_edge(from, to);
  }
}

/// Adds an edge that needs no axiom: read-from, known list order, or session order.
bool ConflictWriter::add_known_edge(std::uint32_t from, std::uint32_t to) {
  const History& history = seen_.history();
  std::vector<OrderEdge>& cycle = conflict_.cycle;
  if (const auto edge = read_from_edge(seen_, from, to, seen_.reads(to).size())) {
    cycle.push_back(*edge);
    use(*edge, conflict_.unless);
    return true;
  }
  for (const OrderProblem::KnownOrder& order : seen_.known_orders()) {
    if (order.before == from && order.after == to) {
      cycle.push_back({.from = {from}, .to = {to}, .relation = Relation::kWw, .key = order.key});
      return true;
    }
  }
  const SessionBound bound = session_bound(level_);
  const bool is_bound =
      bound == SessionBound::kAll || (bound == SessionBound::kWriters &&
                                      !seen_.written(from).empty() && !seen_.written(to).empty());
  if ((is_bound && seen_.is_in_session(from, to)) || TxnId{from} == history.info().initial_txn) {
    cycle.push_back({.from = {from}, .to = {to}, .relation = Relation::kProcess});
    return true;
  }
  if (level_.real_time && history.committed({from}) && history.has_invocation({to}) &&
      history.completion_id({from}) < history.invocation_id({to})) {
    cycle.push_back({.from = {from}, .to = {to}, .relation = Relation::kRealtime});
    return true;
  }
  if (level_.visibility == Visibility::kWritesFollowReads && !seen_.written(to).empty()) {
    if (const auto path = path_by_session_read(seen_, from, to)) {
      cycle.insert(cycle.end(), path->begin(), path->end());
      use_all(*path, conflict_.unless);
      return true;
    }
  }
  return false;
}

void ConflictWriter::add_forced_edge(std::uint32_t from, std::uint32_t to) {
  ProofStep step;
  step.cycle = why(from, to);
  if (step.cycle.empty()) {
    return;
  }
  step.clause.push_back({.kind = Choice::Kind::kBefore, .first = {from}, .second = {to}});
  use_all(step.cycle, step.clause);
  for (std::size_t i = 1; i < step.clause.size(); ++i) {
    if (std::ranges::find(conflict_.unless, step.clause[i]) == conflict_.unless.end()) {
      conflict_.unless.push_back(step.clause[i]);
    }
  }
  conflict_.cycle.push_back(
      {.from = {from}, .to = {to}, .relation = Relation::kWw, .key = step.cycle.front().key});
  join_orders(step.cycle);
  conflict_.because.push_back(std::move(step));
}

/// The anti-dependency from a reader that saw `writer` to `visible`, and the path that makes
/// `visible` visible to this reader.
std::vector<OrderEdge> ConflictWriter::why(std::uint32_t visible, std::uint32_t writer) {
  if (level_.visibility == Visibility::kCausal) {
    return why_causal(visible, writer);
  }
  constexpr std::size_t kReadersCompared = 64;
  const bool is_initial = writer == Seen::kInitial;
  std::vector<OrderEdge> shortest;
  std::size_t compared = 0;
  for (const std::uint32_t reader : readers_.of(is_initial ? seen_.txn_count() : writer)) {
    const std::span<const Seen> reads = seen_.reads(reader);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (reads[i].writer != writer || !seen_.writes(visible, reads[i].key)) {
        continue;
      }
      const auto path = visible_path(seen_, level_, visible, reader, i);
      if (path && (shortest.empty() || shortest.size() > path->size() + 1)) {
        passed_over_ = i;
        shortest = {overwriting(reader, i, visible)};
        shortest.insert(shortest.end(), path->begin(), path->end());
      }
    }
    compared += shortest.empty() ? 0U : 1U;
    if (shortest.size() == 2 || compared == kReadersCompared) {
      break;
    }
  }
  return shortest;
}

OrderEdge ConflictWriter::overwriting(std::uint32_t reader, std::size_t read,
                                      std::uint32_t by) const {
  const Seen& seen = seen_.reads(reader)[read];
  return {.from = {reader},
          .to = {by},
          .relation = Relation::kRw,
          .key = seen.key,
          .overwritten = seen.is_of_txn() ? TxnId{seen.writer} : TxnId::none()};
}

/// Searches breadth first from `visible`, until it reaches a reader that saw `writer`.
std::vector<OrderEdge> ConflictWriter::why_causal(std::uint32_t visible, std::uint32_t writer) {
  std::unordered_map<std::uint32_t, OrderEdge> reached_by;
  std::deque<std::uint32_t> pending = {visible};
  const auto reach = [&](std::uint32_t txn, const OrderEdge& edge) {
    if (txn != visible && reached_by.emplace(txn, edge).second) {
      pending.push_back(txn);
    }
  };
  while (!pending.empty()) {
    const std::uint32_t txn = pending.front();
    pending.pop_front();
    if (const auto read = txn == visible ? std::nullopt : read_past(txn, visible, writer)) {
      std::vector<OrderEdge> edges;
      for (std::uint32_t at = txn; at != visible; at = edges.back().from.value) {
        edges.push_back(reached_by.at(at));
      }
      passed_over_ = *read;
      edges.push_back(overwriting(txn, *read, visible));
      std::ranges::reverse(edges);
      return edges;
    }
    for (const std::uint32_t reader : readers_.of(txn)) {
      reach(reader, *read_from_edge(seen_, txn, reader, seen_.reads(reader).size()));
    }
    if (!level_.sessions) {
      continue;
    }
    for (const std::uint32_t next : next_in_session(seen_, txn)) {
      reach(next, {.from = {txn}, .to = {next}, .relation = Relation::kProcess});
    }
  }
  return {};
}

/// The read of the reader that saw `writer` although `visible` wrote the key.
std::optional<std::size_t> ConflictWriter::read_past(std::uint32_t reader, std::uint32_t visible,
                                                     std::uint32_t writer) const {
  const std::span<const Seen> reads = seen_.reads(reader);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].writer == writer && seen_.writes(visible, reads[i].key)) {
      return i;
    }
  }
  return std::nullopt;
}

void ConflictWriter::use_all(std::span<const OrderEdge> edges, std::vector<Choice>& unless) const {
  for (const OrderEdge& edge : edges) {
    use(edge, unless);
  }
}

/// The reader's read that the edge stands for: the first one from the writer.
std::size_t ConflictWriter::read_of(const OrderEdge& edge, TxnId reader, TxnId writer) const {
  if (edge.relation == Relation::kRw) {
    return passed_over_;
  }
  const std::span<const Seen> reads = seen_.reads(reader.value);
  const auto first = std::ranges::find_if(
      reads, [&](const Seen& read) { return read.key == edge.key && read.writer == writer.value; });
  return static_cast<std::size_t>(first - reads.begin());
}

/// Adds the choices on which the edge depends.
void ConflictWriter::use(const OrderEdge& edge, std::vector<Choice>& unless) const {
  if (edge.relation != Relation::kWr && edge.relation != Relation::kRw) {
    return;
  }
  const bool is_wr = edge.relation == Relation::kWr;
  const TxnId reader = is_wr ? edge.to : edge.from;
  const TxnId writer = is_wr ? edge.from : edge.overwritten;
  const std::size_t read = read_of(edge, reader, writer);
  const auto place = static_cast<std::uint32_t>(seen_.first_read(reader.value) + read);
  const bool is_chosen = seen_.find_ambiguous(place) != nullptr;
  Choice choice;
  if (is_chosen) {
    choice = {.kind = Choice::Kind::kReads,
              .holds = false,
              .first = reader,
              .second = writer,
              .key = edge.key,
              .length = seen_.number_of_read(reader.value, read)};
  } else if (!seen_.history().committed(reader)) {
    choice = {.kind = Choice::Kind::kTookEffect, .holds = false, .first = reader};
  } else {
    return;
  }
  if (std::ranges::find(unless, choice) == unless.end()) {
    unless.push_back(choice);
  }
}

}  // namespace elapid
