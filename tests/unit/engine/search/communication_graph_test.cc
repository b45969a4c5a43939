#include "engine/search/communication_graph.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/sketch/tiny_history.h"

namespace elapid::search {
namespace {

constexpr OrderLevel kSessions = {Visibility::kSerial, true, false};

/// The components, sorted, as `0,1: x | 1,2: y`: sessions, or `4?` for an indeterminate transaction
/// of session 4, and keys.
std::string components(std::string_view text, OrderLevel level = kSessions) {
  const History history = register_history(text);
  const Demands demands(history);
  std::vector<std::string> found;
  for (const SearchComponent& component : divide(demands, level)) {
    std::vector<std::string> chains;
    for (Index c = 0; c < component.chain_count(); ++c) {
      const Task& first = component.tasks[component.chain_begin[c]];
      chains.push_back(std::to_string(history.session_name(history.session(first.txn))) +
                       (first.is_optional ? "?" : ""));
    }
    std::string keys;
    for (const Access& access : component.accesses) {
      const std::string key = history.key_text(access.key).substr(1);
      keys += keys.find(key) == std::string::npos ? key : "";
    }
    std::ranges::sort(chains);
    std::ranges::sort(keys);
    std::string out;
    for (const std::string& chain : chains) {
      out += (out.empty() ? "" : ",") + chain;
    }
    found.push_back(out + ": " + keys);
  }
  std::ranges::sort(found);
  std::string out;
  for (const std::string& component : found) {
    out += (out.empty() ? "" : " | ") + component;
  }
  return out;
}

TEST_CASE("communication graph: a session that two parts share does not join them") {
  CHECK(components("0 wx1; 1 rx1; 1 ry1; 2 wy1") == "0,1: x | 1,2: y");
  CHECK(components("0 wx1 wz1; 1 rx1; 1 ry1; 2 wy1 rz1") == "0,1,2: xyz");
  CHECK(components("0 wx1; 1 rx1; 2 wy1; 3 ry1") == "0,1: x | 2,3: y");
}

TEST_CASE("communication graph: all sessions of a key are in one component") {
  CHECK(components("0 wx1; 1 rx1; 2 rx1; 3 rx1; 3 ry1; 4 wy1") == "0,1,2,3: x | 3,4: y");
}

TEST_CASE("communication graph: what one session alone touches is apart") {
  CHECK(components("0 wx1; 1 rx1 wy1; 1 ry1") == "0,1: x | 1: y");
}

TEST_CASE("communication graph: an indeterminate transaction takes effect everywhere or nowhere") {
  CHECK(components("0? wx1 wy1; 1 rx1; 2 ry1") == "0?,1,2: xy");
  CHECK(components("0 wx1; 1 rx1; 1? wy1; 2 ry1; 2 rx_") == "0,1,1?,2: xy");
  CHECK(components("0? wx1; 1 rx2; 2 wx2") == "1,2: x");  // no read wants it
}

TEST_CASE("communication graph: without session order transactions are on their own") {
  CHECK(components("0 wx1; 1 rx1; 1 ry1; 2 wy1", {Visibility::kSerial, false, false}) ==
        "0,1: x | 1,2: y");
  CHECK(components("0 wx1; 0 wy1; 1 rx1; 1 ry1", {Visibility::kSerial, false, false}) ==
        "0,1: x | 0,1: y");
}

TEST_CASE("communication graph: real time ties all together") {
  CHECK(components("0 wx1; 1 rx1; 2 wy1; 3 ry1; 4 rz_", {Visibility::kSerial, true, true}) ==
        "0,1,2,3,4: xyz");
}

}  // namespace
}  // namespace elapid::search
