// Predictions by definition: every kept prefix of the sessions, every writer of the free reads,
// every commit order. Straight from the words of docs/predict.md; no code of the engine.
//
//   PlainObservation observed = {{{.session = 0, .events = {{.key = 0}, {true, 0}}},
//                                 {.session = 1, .events = {{.key = 0}, {true, 0}}}}};
//   is_predictable(observed, PlainLevel::kCc, PlainLevel::kSer, true)   // a lost update
#pragma once

#include <vector>

namespace elapid::reference {

struct PlainAccess {
  bool is_write = false;
  int key = 0;
  int writer = -1;             ///< of a read: the transaction it read from; -1: the initial one
  std::vector<int> list = {};  ///< of a read list: the writers of its elements, in order

  friend bool operator==(const PlainAccess&, const PlainAccess&) = default;
};

struct PlainTxn {
  int session = 0;
  std::vector<PlainAccess> events = {};
};

/// Transactions of one session come in session order. No key is written twice by one transaction.
/// No read of a register follows an own write of its key. That of a list does not show it.
struct PlainObservation {
  bool has_lists = false;  ///< else registers
  std::vector<PlainTxn> txns = {};
};

enum class PlainLevel { kRc, kRa, kCc, kPc, kSi, kSer };

/// Whether some prediction satisfies the level and not the target. `changed`: one with a changed
/// read, though the observation itself is no less an answer.
[[nodiscard]] bool is_predictable(const PlainObservation& observed, PlainLevel level,
                                  PlainLevel target, bool relaxed, bool changed = false);

/// The same of the observation itself.
[[nodiscard]] bool satisfies(const PlainObservation& observed, PlainLevel level);

}  // namespace elapid::reference
