#include "engine/online/online_events.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace elapid {
namespace {

using EventKind = OnlineEvent::Kind;

Atom event_atom(std::int64_t number) {
  return AtomTable().integer(number);
}

PassingRead passing_read(std::int64_t reader, bool is_right) {
  return {.reader = event_atom(reader),
          .key = event_atom(10),
          .shown = event_atom(20),
          .expected = event_atom(30),
          .expected_writer = is_right ? event_atom(40) : Atom::none(),
          .mop = 5,
          .is_right = is_right};
}

OnlineEvent with_number(std::uint64_t number) {
  return {.kind = EventKind::kFinal, .number = number, .name = {.axiom = TimestampAxiom::kSession}};
}

/// Reader or number of each event, in their order.
std::string told_by(const OnlineEvents& events) {
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
  CHECK(told_by(events).empty());
  events.add(with_number(1));
  events.add(with_number(2));
  events.add(passing_read(7, false));
  events.add(passing_read(8, false));
  events.add(with_number(3));
  events.add(passing_read(7, true));
  events.add(with_number(4));
  CHECK_FALSE(events.empty());
  CHECK(told_by(events) == "#1 #2 7 8 #3 7 #4 ");
  events.clear();
  CHECK(events.empty());
  events.add(passing_read(9, false));
  CHECK(told_by(events) == "9 ");
}

TEST_CASE("a passing read is told as an event of its axiom") {
  OnlineEvents events;
  events.add(passing_read(7, false));
  events.add(passing_read(8, true));
  std::vector<OnlineEvent> all;
  events.each([&](const OnlineEvent& event) { all.push_back(event); });
  REQUIRE(all.size() == 2);
  CHECK(all[0].kind == EventKind::kProvisional);
  CHECK(all[0].name.axiom == TimestampAxiom::kExt);
  CHECK(all[0].name.key == event_atom(10));
  CHECK(all[0].name.mop == 5);
  CHECK(all[0].facts.read == event_atom(20));
  CHECK(all[0].facts.expected == event_atom(30));
  CHECK(all[0].facts.expected_writer.is_none());
  CHECK(all[1].kind == EventKind::kRetracted);
  CHECK(all[1].name.txn == event_atom(8));
  CHECK(all[1].facts.expected_writer == event_atom(40));
}

}  // namespace
}  // namespace elapid
