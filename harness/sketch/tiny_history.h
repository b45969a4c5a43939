// A micro-language for tiny histories: a transaction is a word or two; a history is one line.
//
//   ax1 ry12; -ax2; 3> ay3; 0+ rx1; 3? ay3
//
// Events are separated by `;`. Each is a process, a mark (`>` invoked, `+` committed, `-` aborted,
// `?` indeterminate) and operations. A missing process is the next unused one; a missing mark is
// `+`. A completion of a process with no open transaction also adds its invocation.
//
// Operations on the key :x: `ax1` appends 1; `wx1` writes 1; `rx_` reads nil (in an invocation: an
// unknown value). In lists `rx12` reads [1 2], `rx` the empty list, `rx10,2` [10 2] and `rx10,`
// [10]; in registers `rx12` reads 12.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history_builder.h"

namespace elapid {

/// A micro-operation on the key named by a letter.
struct TinyMop {
  OpKind kind = OpKind::kRead;
  char key = 'x';
  std::vector<std::int64_t> values = {};  ///< the elements read, or the single value; none for nil

  [[nodiscard]] bool is_read() const { return kind == OpKind::kRead || kind == OpKind::kReadList; }

  friend bool operator==(const TinyMop&, const TinyMop&) = default;
};

struct TinyEvent {
  EventType type = EventType::kInvoke;
  std::int64_t process = 0;
  std::vector<TinyMop> mops = {};

  friend bool operator==(const TinyEvent&, const TinyEvent&) = default;
};

struct TinyHistory {
  Workload model = Workload::kListAppend;
  std::vector<TinyEvent> events = {};

  friend bool operator==(const TinyHistory&, const TinyHistory&) = default;
};

/// The operations as invoked: without the values read.
[[nodiscard]] std::vector<TinyMop> as_invoked(std::vector<TinyMop> mops);

/// Reads the micro-language. Throws std::invalid_argument, since only tests call it.
[[nodiscard]] TinyHistory parse_tiny(Workload model, std::string_view text);
/// Writes the micro-language: parse_tiny() of the text is the history again.
[[nodiscard]] std::string to_text(const TinyHistory& history);

/// The history as an EDN file, a map for each line; and as a JSON file, one array.
[[nodiscard]] std::string to_edn(const TinyHistory& history);
[[nodiscard]] std::string to_json(const TinyHistory& history);

/// The n-th event has :index n. Throws std::invalid_argument if the builder refuses it.
[[nodiscard]] History build(const TinyHistory& history);

/// The same for a database with registers that hold 0 at first, as --initial 0 says.
[[nodiscard]] History build_with_initial(const TinyHistory& history);

/// A history in which names of the initial state are also values: element 1 of lists is nil, and
/// registers hold 2 at first.
[[nodiscard]] History build_with_odd_elements(const TinyHistory& history);

[[nodiscard]] inline History list_history(std::string_view text) {
  return build(parse_tiny(Workload::kListAppend, text));
}

[[nodiscard]] inline History register_history(std::string_view text) {
  return build(parse_tiny(Workload::kRwRegister, text));
}

}  // namespace elapid
