// Clauses about rows that were proved, and what follows from them by unit propagation.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

class RowsPropagation {
 public:
  void add(const std::vector<RowsChoice>& clause);

  /// Whether assuming the contrary of the clause leads to a contradiction by unit propagation.
  bool is_derived(const std::vector<RowsChoice>& clause);

 private:
  using Literal = std::pair<std::size_t, bool>;  // a variable and its value

  /// Choices are equal by all of their members; what is left out here only costs time.
  struct ChoiceHash {
    std::size_t operator()(const RowsChoice& choice) const;
  };

  Literal literal_of(const RowsChoice& choice);

  std::unordered_map<RowsChoice, std::size_t, ChoiceHash> variables_;  // by choices that hold
  std::vector<std::vector<Literal>> clauses_;
  std::vector<std::size_t> units_;                // clauses of at most one literal
  std::vector<std::vector<std::size_t>> occurs_;  // clauses by literal
};

}  // namespace elapid::certify
