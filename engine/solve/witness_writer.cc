#include "engine/solve/witness_writer.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace elapid {

Witness write_witness(const OrderProblem& problem, const EventMap& events,
                      std::span<const std::uint32_t> order) {
  Witness witness;
  witness.order.reserve(order.size());
  std::vector<WriteRef> current(problem.history().key_count(), kInitialState);
  for (const std::uint32_t v : order) {
    const std::uint32_t txn = events.txn(v);
    witness.order.push_back({{txn}, events.is_commit(v)});
    if (v == events.start(txn)) {
      for (std::uint32_t r = problem.first_read(txn); r < problem.first_read(txn + 1); ++r) {
        const ExternalRead& read = problem.reads()[r];
        if (read.is_ambiguous) {
          witness.reads.push_back({{txn}, read.key, problem.writer_id(current[read.key.index()])});
        }
      }
    }
    if (v == events.commit(txn)) {
      for (const WriteRef w : problem.writes_by(txn)) {
        current[problem.write(w).key.index()] = w;
      }
    }
  }
  std::sort(witness.reads.begin(), witness.reads.end(), [](const ReadFrom& a, const ReadFrom& b) {
    return std::tie(a.reader, a.key) < std::tie(b.reader, b.key);
  });
  return witness;
}

bool respects_links(const OrderProblem& problem, const EventMap& events,
                    std::span<const std::uint32_t> order) {
  if (problem.key_links().empty()) {
    return true;
  }
  std::vector<std::uint32_t> start(problem.txn_count(), 0);  // places in the order, from 1
  std::vector<std::uint32_t> installed(problem.history().key_count(), 0);
  std::vector<std::uint32_t> seen(problem.reads().size(), 0);  // when the version was installed
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const std::uint32_t txn = events.txn(order[i]);
    if (order[i] == events.start(txn)) {
      start[txn] = i + 1;
      for (std::uint32_t r = problem.first_read(txn); r < problem.first_read(txn + 1); ++r) {
        seen[r] = installed[problem.reads()[r].key.index()];
      }
    }
    if (order[i] == events.commit(txn)) {
      for (const WriteRef w : problem.writes_by(txn)) {
        installed[problem.write(w).key.index()] = i + 1;
      }
    }
  }
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    for (const KeyLink& link : problem.links_from(r)) {
      if (link.second_read && start[link.second] != 0 && seen[r] > start[link.second]) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace elapid
