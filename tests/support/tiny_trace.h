// Tiny histories (harness/sketch/tiny_history.h) as session traces.
#pragma once

#include <initializer_list>
#include <string>

#include "harness/sketch/tiny_history.h"

namespace elapid {

/// What a session trace says beyond a history's operations.
struct TinyTraceForm {
  bool has_times = false;        ///< the places of the events
  bool has_initial_txn = false;  ///< a recorded first transaction writes 0 to all keys
};

/// The history of registers as a session trace: whole transactions, in which 0 stands for the
/// initial state. Throws std::invalid_argument if the builder refuses it.
[[nodiscard]] History build_trace(const TinyHistory& history, TinyTraceForm form);

/// What `wrong_with` says of one of the session traces with the contents of a history of registers:
/// with an initial value or a recorded initial transaction, with times or without.
template <class Property>
std::string wrong_as_trace(const TinyHistory& tiny, Property wrong_with,
                           std::initializer_list<bool> times = {false, true}) {
  for (const bool has_times : times) {
    for (const bool has_initial_txn : {false, true}) {
      const std::string wrong = wrong_with(
          build_trace(tiny, {.has_times = has_times, .has_initial_txn = has_initial_txn}));
      if (!wrong.empty()) {
        return std::string(has_times ? "with times" : "without times") +
               (has_initial_txn ? ", with an initial transaction: " : ": ") + wrong;
      }
    }
  }
  return {};
}

}  // namespace elapid
