// The part of a verdict that CI systems are told: the findings, with lines and files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/levels/validity.h"

namespace elapid {

/// A place that can be linked to.
struct CiPlace {
  std::string file = {};
  std::uint64_t line = 0;  ///< 0: the file has no lines
};

/// A transaction that takes part, or a conclusion, at the place of a transaction in it.
struct CiStep {
  CiPlace place = {};
  std::string text = {};
};

/// What one root cause comes to.
struct CiFinding {
  std::string rule = {};   ///< the anomaly, as `G-single-item`
  std::string gloss = {};  ///< what that is; may be empty
  std::string text = {};   ///< the explanation in several lines
  std::vector<CiStep> steps = {};
  std::size_t count = 1;  ///< how many there are of the rule in the history
};

struct CiHistory {
  std::string path = {};                  ///< with the independent key, if there is one
  std::optional<Validity> validity = {};  ///< absent: it could not be read, or not be checked
  std::string levels = {};                ///< that were asked about
  std::string message = {};               ///< why unknown, or the error
  CiPlace place = {};                     ///< of an error
  std::vector<CiFinding> findings = {};
  std::string vacuity = {};  ///< why the history proves too little, where that is an error
};

}  // namespace elapid
