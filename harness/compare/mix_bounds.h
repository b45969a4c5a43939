// Bounds on levels by transaction, which no other checker decides, by answers at single levels.
//
// Example: transactions ask for serializability and for read committed. If a checker finds read
// committed violated, the mix is violated, since both levels imply read committed. If it finds that
// serializability holds, the mix holds. Other answers decide nothing.
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
  /// Errors: those of asked_levels().
  static Result<MixBounds> create(const History& history);

  /// Whether each level of the mix implies `level`: then the mix is violated if `level` is. Always
  /// false if some transactions ask for read uncommitted and others do not: reads of the former may
  /// refute any level, as the order of a list's versions, but do not count in the mix.
  [[nodiscard]] bool is_below(Model level) const;

  /// Whether `level` implies each level of the mix: then the mix holds if `level` does.
  [[nodiscard]] bool is_above(Model level) const;

  /// The answer about the mix that follows from the checker's statements about the history.
  [[nodiscard]] CheckerAnswer answer_of(std::span<const Statement> statements,
                                        std::size_t checker) const;

 private:
  MixBounds(ModelSet asked, Workload workload) : asked_(asked), workload_(workload) {}

  ModelSet asked_;
  Workload workload_;
};

}  // namespace elapid
