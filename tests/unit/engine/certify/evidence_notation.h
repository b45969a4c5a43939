// A micro-language for evidence of the levels that an order of events defines. Transactions are
// numbers, keys letters.
//
// A witness is an order, a word an event: `0s 0c` start and commit, `0` both at once. Reads: `2x0`
// says that 2 read x from 0, `2x_` that it read the initial state.
//
// A refutation has a step a line (or between semicolons): choices, then perhaps `|` and a cycle.
// Choices: `0<1`, `2x0` as above, `+3` took effect, `!` before the contrary. Edges: `0ww1x`,
// `0wr1x`, `0rw1x2` (the version overwritten is 2's, or `_`), `0so1`, `0rt1`.
#pragma once

#include <array>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

inline TxnId txn_of(char c) {
  return c == '_' ? TxnId::none() : TxnId{static_cast<std::uint32_t>(c - '0')};
}

/// Session traces have numbers for keys.
inline KeyId key_of(const History& history, char c) {
  const ValueId name = history.values().find(std::string(":") + c);
  const KeyId key = history.find_key(name.is_none() ? ValueId::integer(c) : name);
  if (key.is_none()) {
    throw std::invalid_argument(std::string("no key ") + c);
  }
  return key;
}

inline ReadFrom parse_read(const History& history, std::string_view word) {
  return {txn_of(word.at(0)), key_of(history, word.at(1)), txn_of(word.at(2))};
}

inline Witness parse_witness(const History& history, const std::string& order,
                             const std::string& reads = "") {
  Witness witness;
  std::istringstream events(order);
  for (std::string word; events >> word;) {
    witness.order.push_back({txn_of(word[0]), word.substr(1) != "s"});
  }
  std::istringstream claims(reads);
  for (std::string word; claims >> word;) {
    witness.reads.push_back(parse_read(history, word));
  }
  return witness;
}

inline Choice parse_choice(const History& history, std::string_view word) {
  Choice choice;
  if (word.at(0) == '!') {
    choice = parse_choice(history, word.substr(1));
    choice.holds = false;
  } else if (word.at(0) == '+') {
    choice = {.kind = Choice::Kind::kTookEffect, .first = txn_of(word.at(1))};
  } else if (word.at(1) == '<') {
    choice = {.first = txn_of(word.at(0)), .second = txn_of(word.at(2))};
  } else {
    const ReadFrom read = parse_read(history, word);
    choice = {
        .kind = Choice::Kind::kReads, .first = read.reader, .second = read.writer, .key = read.key};
  }
  return choice;
}

inline OrderEdge parse_edge(const History& history, std::string_view word) {
  constexpr std::array<std::string_view, 5> kRelations = {"ww", "wr", "rw", "so", "rt"};
  std::size_t relation = 0;
  while (kRelations.at(relation) != word.substr(1, 2)) {
    ++relation;
  }
  return {.from = txn_of(word.at(0)),
          .to = txn_of(word.at(3)),
          .relation = static_cast<Relation>(relation),
          .key = word.size() > 4 ? key_of(history, word[4]) : KeyId(),
          .overwritten = word.size() > 5 ? txn_of(word[5]) : TxnId::none()};
}

inline Refutation parse_refutation(const History& history, const std::string& text) {
  Refutation refutation;
  std::istringstream steps(text);
  for (std::string line; std::getline(steps, line, ';');) {
    ProofStep step;
    std::istringstream words(line);
    bool in_cycle = false;
    for (std::string word; words >> word;) {
      if (word == "|") {
        in_cycle = true;
      } else if (in_cycle) {
        step.cycle.push_back(parse_edge(history, word));
      } else {
        step.clause.push_back(parse_choice(history, word));
      }
    }
    refutation.steps.push_back(step);
  }
  return refutation;
}

inline constexpr OrderLevel kSerializable{Visibility::kSerial, false, false};
inline constexpr OrderLevel kSessionSerializable{Visibility::kSerial, true, false};
inline constexpr OrderLevel kStrictSerializable{Visibility::kSerial, true, true};
inline constexpr OrderLevel kSnapshotIsolation{Visibility::kSnapshot, false, false};
inline constexpr OrderLevel kSessionSnapshotIsolation{Visibility::kSnapshot, true, false};
inline constexpr OrderLevel kStrongSnapshotIsolation{Visibility::kSnapshot, true, true};
inline constexpr OrderLevel kPrefixConsistency{Visibility::kPrefix, false, false};

}  // namespace elapid
