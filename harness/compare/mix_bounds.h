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
#include "engine/levels/mix_bounds.h"
#include "harness/compare/agreement.h"
#include "harness/compare/answer.h"

namespace elapid {

class MixBounds {
 public:
  /// Errors: those of asked_levels().
  static Result<MixBounds> create(const History& history);

  /// Whether the mix is violated if `level` is: below_mix().
  [[nodiscard]] bool is_below(Model level) const { return below_.test(level); }

  /// Whether the mix holds if `level` does: above_mix().
  [[nodiscard]] bool is_above(Model level) const { return above_.test(level); }

  /// The answer about the mix that follows from the checker's statements about the history.
  [[nodiscard]] CheckerAnswer answer_of(std::span<const Statement> statements,
                                        std::size_t checker) const;

 private:
  MixBounds(ModelSet asked, Workload workload)
      : below_(below_mix(asked, workload)), above_(above_mix(asked, workload)) {}

  ModelSet below_;
  ModelSet above_;
};

}  // namespace elapid
