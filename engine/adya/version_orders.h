// An order of the writers of each key: as decided, else as drafted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/adya/cycle_problem.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Of two transactions, `first` comes before `second` on each key that both write.
struct DecidedOrder {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// Orders of the present transactions. Refers to the problem. Near linear in writes, and in the
/// keys of what is decided.
class VersionOrders {
 public:
  VersionOrders(const CycleProblem& problem, std::span<const DecidedOrder> decided);

  /// Cycles of what is decided and certain on one key. If there is one, nothing else makes sense.
  [[nodiscard]] const std::vector<std::vector<OrderEdge>>& cycles() const { return cycles_; }

  /// The writers of a key in their order.
  [[nodiscard]] std::span<const std::uint32_t> of(KeyId key) const {
    return std::span(writers_).subspan(begin_[key.index()],
                                       begin_[key.index() + 1] - begin_[key.index()]);
  }

  /// Those after a writer of the key; after the initial state all, for Seen::kInitial.
  [[nodiscard]] std::span<const std::uint32_t> after(std::uint32_t writer, KeyId key) const {
    return writer == Seen::kInitial ? of(key) : of(key).subspan(position(writer, key) + 1);
  }

  /// The place of a present writer among those of the key.
  [[nodiscard]] std::uint32_t position(std::uint32_t writer, KeyId key) const {
    return positions_[problem_.write_of(writer, key)];
  }

 private:
  struct OnKey {
    KeyId key;
    DecidedOrder order;
  };

  void sort_key(KeyId key, std::span<const OnKey> decided);
  [[nodiscard]] std::vector<DecidedOrder> constraints(KeyId key, std::span<const OnKey> decided,
                                                      std::span<const std::uint32_t> writers) const;

  const CycleProblem& problem_;
  std::vector<std::uint32_t> begin_ = {0};  // by key
  std::vector<std::uint32_t> writers_;
  std::vector<std::uint32_t> positions_;  // by write
  std::vector<std::vector<OrderEdge>> cycles_;
};

}  // namespace elapid
