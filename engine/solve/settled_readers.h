// The settled readers of each version.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/solve/problem.h"

namespace elapid {

class SettledReaders {
 public:
  /// Collects the readers that are known now. Linear.
  explicit SettledReaders(const OrderProblem& problem)
      : write_count_(static_cast<std::uint32_t>(problem.writes().size())) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> settled;  // row, read
    settled.reserve(problem.reads().size());
    for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
      if (const WriteRef writer = problem.writer_of(r); writer != kOpenWriter) {
        settled.emplace_back(row(writer, problem.reads()[r].key), r);
      }
    }
    const auto key_count = static_cast<std::uint32_t>(problem.history().key_count());
    readers_ =
        Adjacency(write_count_ + key_count, settled, [](const auto& entry) { return entry; });
  }

  /// The reads that saw the write, or the initial state of the key.
  [[nodiscard]] std::span<const std::uint32_t> of(WriteRef writer, KeyId key) const {
    return readers_.of(row(writer, key));
  }

 private:
  /// Initial states are numbered after the writes.
  [[nodiscard]] std::uint32_t row(WriteRef writer, KeyId key) const {
    return writer == kInitialState ? write_count_ + key.value : writer;
  }

  std::uint32_t write_count_;
  Adjacency readers_;
};

}  // namespace elapid
