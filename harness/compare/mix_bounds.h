// What answers at one level for all say of levels by transaction, which no other checker decides.
//
// Example: transactions ask for serializability and for read committed. A checker that finds read
// committed violated has found the mix violated, since both levels imply it. One that finds
// serializability to hold has found the mix to hold. Other answers leave it open.
#pragma once

#include <cstddef>
#include <span>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "harness/compare/agreement.h"
#include "harness/compare/answer.h"

namespace elapid {

class MixBounds {
 public:
  /// Error: of asked_levels().
  static Result<MixBounds> create(const History& history);

  /// Whether it is violated only if the mix is: each level of the mix implies it. Nothing is where
  /// some transactions ask for read uncommitted and others do not: reads of the former may refute
  /// any level, as the order of a list's versions, but count for nothing in the mix.
  [[nodiscard]] bool is_below(Model level) const;

  /// Whether it implies each level of the mix: if it holds, so does the mix.
  [[nodiscard]] bool is_above(Model level) const;

  /// What the checker's statements about the history come to.
  [[nodiscard]] CheckerAnswer answer_of(std::span<const Statement> statements,
                                        std::size_t checker) const;

 private:
  MixBounds(ModelSet asked, Workload workload) : asked_(asked), workload_(workload) {}

  ModelSet asked_;
  Workload workload_;
};

}  // namespace elapid
