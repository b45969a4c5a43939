// The anchors of a finding's claims, by which proof and pictures refer to the same sentence.
//
// A claim that one actor comes before another is an edge, `a3.e1`, `a3.e2`, ...; another sentence
// is `a3.s1`, `a3.s2`, .... Both are numbered in the order of reading: the finding's claims, each
// followed by its steps, then those of its followers.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "engine/verdict/description.h"

namespace elapid {

/// Numbers the claims of one finding. Callers ask about each claim once, in the order above.
class ClaimAnchors {
 public:
  explicit ClaimAnchors(std::string finding) : finding_(std::move(finding)) {}

  [[nodiscard]] std::string next(const Claim& claim) {
    return claim.arrow ? finding_ + ".e" + std::to_string(++edges_)
                       : finding_ + ".s" + std::to_string(++sentences_);
  }

 private:
  std::string finding_;
  std::size_t edges_ = 0;
  std::size_t sentences_ = 0;
};

/// The anchor of the finding with this place among all, counted from 0: `a1`, ...
[[nodiscard]] inline std::string finding_anchor(std::size_t place) {
  return "a" + std::to_string(place + 1);
}

/// The anchor of an actor: `a1.t2`.
[[nodiscard]] inline std::string actor_anchor(const std::string& finding, std::size_t actor) {
  return finding + ".t" + std::to_string(actor + 1);
}

}  // namespace elapid
