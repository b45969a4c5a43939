// Single operations as a recorder writes them, for checkers that are written in the plainest way.
//
//   {.type = "ok", .f = "read", .process = 3, .brackets = "{}", .elements = {"0", "10"}}
//   {:type :ok, :f :read, :process 3, :index 7, :time 7000000, :value {0 10}}
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// An event. Its :index is its place in the history.
struct PlainCall {
  std::string type;
  std::string f;
  int process = 0;
  std::int64_t time = 0;                   ///< ns
  std::string brackets = {};               ///< `[]`, `#{}` or `{}`; empty: the value is one element
  std::vector<std::string> elements = {};  ///< of a map keys and values in turn
  bool is_nil = false;
  bool is_final = false;
};

/// `[1 2]`, `{0 10, 1 15}`, `7` or `nil`.
[[nodiscard]] std::string value_text(const PlainCall& call);

/// The history in EDN, a line each.
[[nodiscard]] std::string history_text(const std::vector<PlainCall>& calls);

/// The place of the event that this one completes; that of the event itself if there is none.
[[nodiscard]] std::size_t invocation_of(const std::vector<PlainCall>& calls, std::size_t place);

/// The place of the event that completes this one; that of the event itself if there is none.
[[nodiscard]] std::size_t completion_of(const std::vector<PlainCall>& calls, std::size_t place);

/// The entries of a verdict that Jepsen's checkers have too, a line each: `errors {wrong-total
/// {count 1}}`. An operation is `op` and its index.
[[nodiscard]] std::string entries_text(const History& history, const Verdict& verdict);

}  // namespace elapid
