#include "engine/online/online_events.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace elapid {
namespace {

using Kind = OnlineEvent::Kind;

Atom numbered(std::int64_t number) {
  return AtomTable().integer(number);
}

PassingRead read_of(std::int64_t reader, bool is_right) {
  return {.reader = numbered(reader),
          .key = numbered(10),
          .shown = numbered(20),
          .expected = numbered(30),
          .expected_writer = is_right ? numbered(40) : Atom::none(),
          .mop = 5,
          .is_right = is_right};
}

OnlineEvent numbered_event(std::uint64_t number) {
  return {.kind = Kind::kFinal, .number = number, .name = {.axiom = TimestampAxiom::kSession}};
}

/// Reader or number of each event, in their order.
std::string told(const OnlineEvents& events) {
  std::string told;
  events.each([&](const OnlineEvent& event) {
    told +=
        event.number > 0 ? "#" + std::to_string(event.number) : AtomTable().json(event.name.txn);
    told += " ";
  });
  return told;
}

TEST_CASE("events of both sorts come in the order in which they were added") {
  OnlineEvents events;
  CHECK(events.empty());
  CHECK(told(events).empty());
  events.add(numbered_event(1));
  events.add(numbered_event(2));
  events.add(read_of(7, false));
  events.add(read_of(8, false));
  events.add(numbered_event(3));
  events.add(read_of(7, true));
  events.add(numbered_event(4));
  CHECK_FALSE(events.empty());
  CHECK(told(events) == "#1 #2 7 8 #3 7 #4 ");
  events.clear();
  CHECK(events.empty());
  events.add(read_of(9, false));
  CHECK(told(events) == "9 ");
}

TEST_CASE("a passing read is told as an event of its axiom") {
  OnlineEvents events;
  events.add(read_of(7, false));
  events.add(read_of(8, true));
  std::vector<OnlineEvent> all;
  events.each([&](const OnlineEvent& event) { all.push_back(event); });
  REQUIRE(all.size() == 2);
  CHECK(all[0].kind == Kind::kProvisional);
  CHECK(all[0].name.axiom == TimestampAxiom::kExt);
  CHECK(all[0].name.key == numbered(10));
  CHECK(all[0].name.mop == 5);
  CHECK(all[0].facts.read == numbered(20));
  CHECK(all[0].facts.expected == numbered(30));
  CHECK(all[0].facts.expected_writer.is_none());
  CHECK(all[1].kind == Kind::kRetracted);
  CHECK(all[1].name.txn == numbered(8));
  CHECK(all[1].facts.expected_writer == numbered(40));
}

}  // namespace
}  // namespace elapid
