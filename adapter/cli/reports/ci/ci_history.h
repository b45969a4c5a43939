// The part of a verdict for CI systems: the findings, with lines and files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/levels/validity.h"

namespace elapid {

/// A place for a link.
struct CiPlace {
  std::string file = {};
  std::uint64_t line = 0;  ///< 0: the file has no lines
};

/// A transaction that takes part, or a conclusion at the place of a transaction in it.
struct CiStep {
  CiPlace place = {};
  std::string text = {};
};

/// The finding of one root cause, in an invalid history.
struct CiFinding {
  std::string rule = {};   ///< the anomaly, as `G-single-item`
  std::string gloss = {};  ///< its meaning; may be empty
  std::string text = {};   ///< the explanation in several lines
  std::vector<CiStep> steps = {};
  std::size_t count = 1;  ///< anomalies of this rule in the history
};

struct CiHistory {
  std::string path = {};                  ///< with the independent key, if there is one
  std::optional<Validity> validity = {};  ///< absent: it could not be read or checked
  std::string levels = {};                ///< the levels in question
  std::string violated = {};              ///< those that are violated; may be empty
  std::string message = {};               ///< why unknown, or the error
  CiPlace place = {};                     ///< the input
  std::vector<CiFinding> findings = {};
  std::string vacuity = {};  ///< why the history proves too little, if that is an error
};

}  // namespace elapid
