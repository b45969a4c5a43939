#include "engine/solve/execution.h"

#include <algorithm>

namespace elapid {

namespace {

constexpr std::uint32_t kNoRead = 0xffffffffU;

}  // namespace

Execution::Execution(const OrderProblem& problem, const EventMap& events)
    : problem_(problem),
      events_(events),
      keys_(problem.history().key_count()),
      left_(problem.writes().size() + problem.history().key_count()),
      lists_(problem) {
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    if (const WriteRef writer = problem.writer_of(r); writer != kOpenWriter) {
      ++left_[row(writer, problem.reads()[r].key)];
    }
  }
  find_updates();
}

/// Finds the reads of keys that the same event also writes.
void Execution::find_updates() {
  std::vector<std::array<std::uint32_t, kFewReaders>> of_key(keys_.size(), {kNoRead, kNoRead});
  own_reads_.assign(problem_.writes().size(), {kNoRead, kNoRead});
  for (std::uint32_t t = 0; t < problem_.txn_count(); ++t) {
    if (problem_.writes_by(t).empty()) {
      continue;
    }
    const auto each_read = [&](auto visit) {
      for (std::uint32_t r = problem_.first_read(t); r < problem_.first_read(t + 1); ++r) {
        if (events_.read_event(problem_.reads()[r]) == events_.commit(t)) {
          visit(r, of_key[problem_.reads()[r].key.index()]);
        }
      }
    };
    each_read([](std::uint32_t r, auto& reads) { reads[reads[0] == kNoRead ? 0 : 1] = r; });
    for (const WriteRef w : problem_.writes_by(t)) {
      own_reads_[w] = of_key[problem_.write(w).key.index()];
    }
    each_read([](std::uint32_t, auto& reads) { reads = {kNoRead, kNoRead}; });
  }
}

std::optional<Execution::Obstacle> Execution::find_obstacle(std::uint32_t vertex) {
  const std::uint32_t txn = events_.txn(vertex);
  const bool starts = vertex == events_.start(txn);
  const bool commits = vertex == events_.commit(txn);
  for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
    const ExternalRead& read = problem_.reads()[r];
    if (events_.read_event(read) == vertex && !is_served(r)) {
      return Obstacle{Wait::kVersion, read.key};
    }
  }
  const bool claims = vertex == events_.barrier(txn);
  if (const auto key = lists_.find_obstacle(txn, starts, claims, commits)) {
    return Obstacle{Wait::kVersion, *key};
  }
  for (const WriteRef w : problem_.writes_by(txn)) {
    ++steps_;
    const KeyId key = problem_.write(w).key;
    if (claims && claimed_by(key) != kNoTxn) {
      return Obstacle{Wait::kClaim, key};
    }
    if (commits && readers_left(key) > 0) {
      const std::uint32_t own = own_readers(w, current(key));
      if (readers_left(key) > own) {
        return Obstacle{Wait::kReaders, key, own > 0 || events_.excludes_overlap(txn)};
      }
    }
  }
  return std::nullopt;
}

/// The number of the transaction's own reads that see the version `current` at the event of its
/// commit.
std::uint32_t Execution::own_readers(WriteRef write, WriteRef current) const {
  std::uint32_t count = 0;
  for (const std::uint32_t r : own_reads_[write]) {
    count += r != kNoRead && problem_.writer_of(r) == current ? 1U : 0U;
  }
  return count;
}

bool Execution::is_served(std::uint32_t read) {
  ++steps_;
  return problem_.may_have_seen(read, current(problem_.reads()[read].key));
}

void Execution::claim(std::uint32_t txn, bool is_claimed) {
  for (const WriteRef w : problem_.writes_by(txn)) {
    keys_[problem_.write(w).key.index()].claimed_by = is_claimed ? txn : kNoTxn;
  }
}

void Execution::install(std::uint32_t txn) {
  lists_.commit(txn);
  for (const WriteRef w : problem_.writes_by(txn)) {
    Key& key = keys_[problem_.write(w).key.index()];
    replaced_.push_back(key.current);
    key = {.current = w};
  }
}

void Execution::uninstall(std::uint32_t txn) {
  const std::span<const WriteRef> writes = problem_.writes_by(txn);
  for (std::size_t i = writes.size(); i-- > 0;) {
    keys_[problem_.write(writes[i]).key.index()] = {
        .current = replaced_.back(), .claimed_by = events_.excludes_overlap(txn) ? txn : kNoTxn};
    replaced_.pop_back();
  }
  lists_.take_back_commit(txn);
}

}  // namespace elapid
