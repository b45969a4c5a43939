// Compares the answers of several checkers: their contradictions, how often each pair agrees, and
// the costs of each checker.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/workload.h"
#include "engine/levels/models.h"
#include "harness/compare/answer.h"

namespace elapid {

/// An answer to a question about one history.
struct Statement {
  std::size_t checker = 0;
  Model question = Model::kPl3;
  CheckerAnswer answer = {};
};

/// A checker with a verdict about a level, and the level that the verdict was given at.
struct Side {
  std::size_t checker = 0;
  Model said_of = Model::kPl3;
};

/// Two or more checkers with verdicts about one history that cannot all be right.
struct Disagreement {
  Model question = Model::kPl3;    ///< the level
  std::vector<Side> valid = {};    ///< checkers that call it valid, or a level that implies it
  std::vector<Side> invalid = {};  ///< checkers that call it violated
};

/// The contradictions among the statements about one history of the workload: one for each level
/// that one statement calls violated and another one valid, by itself or by a stronger level.
[[nodiscard]] std::vector<Disagreement> disagreements(std::span<const Statement> statements,
                                                      Workload workload);

/// How often two checkers were compared, and how often they agreed.
struct PairCount {
  std::size_t compared = 0;
  std::size_t agreed = 0;
};

/// The results of a checker over all histories and questions.
struct CheckerCount {
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t unknown = 0;
  std::size_t failed = 0;
  std::size_t not_asked = 0;
  std::vector<std::chrono::microseconds> cpu_times = {};  ///< of each run
  std::vector<std::uint64_t> peak_bytes = {};             ///< of each run with a known peak
  std::vector<std::string> failures = {};                 ///< the first few different reasons

  [[nodiscard]] std::size_t runs() const { return cpu_times.size(); }
};

/// Sums up the statements about all histories.
class Agreement {
 public:
  explicit Agreement(std::size_t checkers);

  /// Adds the statements about one history of the workload.
  void add(std::span<const Statement> statements, Workload workload);

  [[nodiscard]] const PairCount& pair(std::size_t a, std::size_t b) const;

  [[nodiscard]] const CheckerCount& checker(std::size_t checker) const {
    return checkers_[checker];
  }

  [[nodiscard]] std::size_t histories() const { return histories_; }

  /// Whether this checker was never compared with another one.
  [[nodiscard]] bool is_alone(std::size_t checker) const;

 private:
  void count(const Statement& statement);
  void compare(std::span<const Statement> statements, Workload workload, std::size_t a,
               std::size_t b);

  std::vector<CheckerCount> checkers_;
  std::vector<PairCount> pairs_;  // of a and b, at a * checkers + b and at b * checkers + a
  std::size_t histories_ = 0;
};

}  // namespace elapid
