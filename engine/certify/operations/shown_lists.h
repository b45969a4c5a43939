// The lists that transactions read, as far as a level says that they show what was there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/certify/operations/effects.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"

namespace elapid::certify {

/// Without elements of the readers' own, by reader; none of readers that contradict themselves.
/// Refers to the history. 24 bytes a list and 4 a transaction.
class ShownLists {
 public:
  struct Shown {
    KeyId key;
    std::span<const ValueId> list;
  };

  /// At levels at which a transaction reads one state: one list a key.
  ShownLists(const History& history, const Effects& effects);

  /// At a saturable level: of some all reads count.
  ShownLists(const History& history, const TxnLevels& levels);

  [[nodiscard]] std::span<const Shown> of(TxnId reader) const {
    return std::span(lists_).subspan(begin_[reader.index()],
                                     begin_[reader.index() + 1] - begin_[reader.index()]);
  }

 private:
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<Shown> lists_;
};

}  // namespace elapid::certify
