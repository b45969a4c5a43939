#include "engine/search/search.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/certify/orders/witness.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/order_levels.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

constexpr OrderLevel kSessionSerializable = {Visibility::kSerial, true, false};

SearchResult certified_search(const History& history, OrderLevel level) {
  SearchResult result = search_orders(history, {.level = level});
  INFO(to_text(level) << ' ' << result.unknown_because);
  if (result.validity == Validity::kValid) {
    REQUIRE(result.witness);
    CHECK(check_witness(history, level, *result.witness).value_or("").empty());
  }
  return result;
}

std::string levels(const History& history) {
  return names_of_levels([&](OrderLevel level) {
    return certified_search(history, level).validity == Validity::kValid;
  });
}

std::string register_levels(std::string_view text) {
  return levels(register_history(text));
}

std::string list_levels(std::string_view text) {
  return levels(list_history(text));
}

/// Of a session trace, which knows no real time and in which nil stands for 0.
std::string trace_levels(std::string_view text, TinyTraceForm form = {}) {
  return levels(build_trace(parse_tiny(Workload::kRwRegister, text), form));
}

SearchResult search_registers(std::string_view text, OrderLevel level = kSessionSerializable) {
  return certified_search(register_history(text), level);
}

constexpr std::string_view kAll =
    "strong-ser session-ser ser strong-si session-si si strong-pc session-pc pc";

TEST_CASE("search: each level allows what it is known for") {
  CHECK(register_levels("rx_; wx1; rx1 wx2 rx2; rx2") == kAll);
  CHECK(list_levels("ax1; rx1 ax2 rx12; rx12 ay1; ry1 rx12") == kAll);
  CHECK(register_levels("0 wx1; 0 wx2; 1 rx2; 1 rx1") == "ser si pc");
  CHECK(register_levels("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") ==
        "strong-si session-si si strong-pc session-pc pc");  // write skew
  CHECK(list_levels("0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1") ==
        "strong-si session-si si strong-pc session-pc pc");
  CHECK(register_levels("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2") ==
        "strong-pc session-pc pc");  // lost update
  CHECK(register_levels("0> wx1; 1> wy1; 2 rx1 ry_; 3 rx_ ry1; 0+ wx1; 1+ wy1").empty());
  CHECK(register_levels("wx1; 1+; 2 rx_") == "session-ser ser session-si si session-pc pc");
}

TEST_CASE("search: values that repeat were read from whom it may have been") {
  CHECK(register_levels("wx1; wx2; wx1; rx1") == kAll);
  CHECK(register_levels("wx1; wx2; rx1; wx1; rx1") ==
        "session-ser ser session-si si session-pc pc");
  CHECK(register_levels("0 wx1 wy1; 1 wx1 wy2; 2 rx1 ry1; 2 rx1 ry2; 2 rx1 ry1") == "ser si pc");
  CHECK(list_levels("ax1; ax1; rx11") == kAll);
  CHECK(list_levels("ax1; rx11").empty());
  CHECK(list_levels("0 ax1 ax2; 1 ax1; 1 ax2; 2 rx212") == "ser si pc");
}

TEST_CASE("search: indeterminate transactions take effect when that helps, however late") {
  CHECK(register_levels("?wx1; rx1") == kAll);
  CHECK(register_levels("0? wx1; 1 rx_; 1 rx1; 1 wx2; 1 rx2") == kAll);
  CHECK(register_levels("-wx1; rx1").empty());
  CHECK(list_levels("ax1; ?ax1 ry1; ay1; rx11") == kAll);
  CHECK(list_levels("ax1; ?ax1 ry1; rx11").empty());
}

TEST_CASE("search: the initial state") {
  CHECK(trace_levels("0 wx1; 0 rx_") == "ser si pc");
  CHECK(trace_levels("0 wx1; 1 wx0; 2 rx1; 2 rx0") ==
        "session-ser ser session-si si session-pc pc");
  CHECK(trace_levels("0 wx1 wy1; 1 ry1 rx_").empty());
  CHECK(trace_levels("0 rx_ ry_ wx1; 1 rx_ ry_ wy1", {.has_initial_txn = true}) ==
        "session-si si session-pc pc");
  CHECK(trace_levels("0 wx1 wy1; 1 rx1 ry_", {.has_initial_txn = true}).empty());
}

TEST_CASE("search: a failure names the component that has no order") {
  const SearchResult result = search_registers("0 wx1; 0 wx2; 1 rx2; 1 rx1; 1 wy1; 2 ry1");
  REQUIRE(result.validity == Validity::kInvalid);
  REQUIRE(result.failure);
  CHECK(result.failure->txns == std::vector<TxnId>{{0}, {1}, {2}, {3}});
  CHECK(result.failure->sessions == 2);
  CHECK(result.failure->states > 0);
}

TEST_CASE("search: a read that no transaction can serve needs no search") {
  const SearchResult result = search_registers("0 wx1; 1 rx7; 2 wy1");
  REQUIRE(result.failure);
  CHECK(result.failure->txns == std::vector<TxnId>{{1}});
  CHECK(result.failure->states == 0);
}

TEST_CASE("search: whom a read saw is said where it may have been several") {
  const SearchResult result = search_registers("0 wx1; 1 wx1; 2 rx1; 2 wy1; 3 ry1");
  REQUIRE(result.witness);
  REQUIRE(result.witness->reads.size() == 1);
  CHECK(result.witness->reads.front().reader == TxnId{2});
}

/// Sessions that each write all of some keys and read them as one other session left them behind:
/// no two sessions' reads fit together, which shows late.
std::string tangle(int sessions, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) {
    for (int s = 0; s < sessions; ++s) {
      const char key = static_cast<char>('a' + s);
      const char other = static_cast<char>('a' + (s + 1) % sessions);
      text += std::to_string(s) + " w" + key + std::to_string(i + 1) + "; ";
      text += std::to_string(s) + " r" + other + std::to_string(length - i) + "; ";
    }
  }
  return text;
}

TEST_CASE("search: a budget that is spent gives unknown and says how far it came") {
  const History history = register_history(tangle(4, 4));
  const SearchResult whole = certified_search(history, kSessionSerializable);
  REQUIRE(whole.validity == Validity::kInvalid);
  REQUIRE(whole.states > 10);
  SearchOptions few_states = {.level = kSessionSerializable, .states = whole.states / 2};
  const SearchResult cut = search_orders(history, few_states);
  CHECK(cut.validity == Validity::kUnknown);
  CHECK(cut.is_out_of_budget);
  CHECK(cut.is_full);
  CHECK(cut.unknown_because.ends_with(": " + std::to_string(cut.states)));
  CHECK(cut.states <= few_states.states);
  CHECK(search_orders(history, {.level = kSessionSerializable, .work = 20}).is_out_of_budget);
  CHECK(search_orders(history, {.level = kSessionSerializable, .keep_going = [] { return false; }})
            .is_out_of_budget);
}

TEST_CASE("search: too many transactions without session order are not begun") {
  std::string text = "0 wx1; 0 wx2; 1 rx2; 1 rx1; ";
  for (std::size_t i = 0; i < kMaxSearchWidth; ++i) {
    text += "2 rx2; ";
  }
  text += "2 rx1; 2 rx2";
  const SearchResult result = search_registers(text, {Visibility::kSerial, false, false});
  CHECK(result.validity == Validity::kUnknown);
  CHECK_FALSE(result.is_out_of_budget);
  CHECK(result.unknown_because.find("too many") != std::string::npos);
}

TEST_CASE("search: real time that is not known proves nothing") {
  const History fine = build_trace(parse_tiny(Workload::kRwRegister, "0 wx1; 1 rx1"), {});
  const OrderLevel strong = {Visibility::kSerial, true, true};
  CHECK(search_orders(fine, {.level = strong}).validity == Validity::kUnknown);
  const History wrong = build_trace(parse_tiny(Workload::kRwRegister, "0 wx1; 0 rx2"), {});
  CHECK(search_orders(wrong, {.level = strong}).validity == Validity::kInvalid);
}

}  // namespace
}  // namespace elapid
