// The choices in proofs about rows, as variables of the kernel's clauses.
//
//   "T2 commits before T1 starts" and "T1 starts before T2 commits" are literals of one variable
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>

#include "engine/certify/kernel/clauses.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

class RowsChoices {
 public:
  /// The literal of a choice. The caller checks that the choice makes sense.
  [[nodiscard]] std::optional<Literal> literal(const RowsChoice& choice);

  void prove(std::span<const Literal> clause) { clauses_.prove(clause, none_); }

  [[nodiscard]] bool assume_false(std::span<const Literal> clause) {
    return clauses_.assume_false(clause, none_);
  }

  void take_back() { clauses_.take_back(none_); }

 private:
  /// Choices are equal if all their members are. Members that the hash leaves out only cost time.
  struct ChoiceHash {
    std::size_t operator()(const RowsChoice& choice) const;
  };

  NoRules none_;
  Clauses clauses_;
  std::unordered_map<RowsChoice, Literal, ChoiceHash> variables_;  // by choices with `holds`
};

}  // namespace elapid::certify
