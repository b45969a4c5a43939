#include "adapter/http/streams/event_log.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "tests/support/temporary_folder.h"

namespace elapid::http {
namespace {

std::string final_event(int n) {
  return R"({"event":"final","n":)" + std::to_string(n) + ",\"axiom\":\"ext\"}\n";
}

std::string text_of(const EventLog& log, EventPlace& place) {
  const Result<std::string> text = log.text_behind(place);
  REQUIRE(text.ok());
  return text.value();
}

TEST_CASE("event log: a listener hears what is new, and of whole lines alone") {
  const TemporaryFolder folder;
  const std::string path = folder.write("events.jsonl", final_event(1) + R"({"event":"provis)");
  const EventLog log(path);
  EventPlace place;
  CHECK(text_of(log, place) == "id: 38.1.0\nevent: final\ndata: " + final_event(1) + "\n");
  CHECK(place == EventPlace{38, 1, 0});
  CHECK(text_of(log, place).empty());
  REQUIRE(log.drop_unfinished().ok());
  folder.write("events.jsonl", final_event(1) + final_event(2));
  CHECK(text_of(log, place) == "id: 76.2.0\nevent: final\ndata: " + final_event(2) + "\n");
}

TEST_CASE("event log: what a watch tells again is not heard again") {
  const TemporaryFolder folder;
  const std::string error = R"({"event":"error","line":7,"message":"x"})"
                            "\n";
  const std::string passing = R"({"event":"summary","valid?":true,"whole":false})"
                              "\n";
  const std::string last = R"({"event":"summary","valid?":true,"whole":true})"
                           "\n";
  const EventLog log(folder.write("events.jsonl", final_event(1) + error + final_event(2) +
                                                      passing + final_event(2) + error +
                                                      final_event(3) + last));
  EventPlace place;
  const std::string text = text_of(log, place);
  std::size_t events = 0;
  for (std::size_t at = text.find("id: "); at != std::string::npos;
       at = text.find("id: ", at + 1)) {
    ++events;
  }
  CHECK(events == 5);
  CHECK(text.find("\"whole\":false") == std::string::npos);
  // Another listener goes on in the middle.
  EventPlace middle = {.offset = final_event(1).size() + error.size(), .numbered = 1, .line = 7};
  const std::string rest = text_of(log, middle);
  CHECK(rest.find("event: final\ndata: " + final_event(2)) != std::string::npos);
  CHECK(rest.find(final_event(1)) == std::string::npos);
  CHECK(rest.find("error") == std::string::npos);
}

TEST_CASE("event log: places are told and understood") {
  CHECK(to_string(EventPlace{12, 3, 4}) == "12.3.4");
  CHECK(parse_event_place("12.3.4") == EventPlace{12, 3, 4});
  for (const char* bad : {"", "1", "1.2", "1.2.", "1.2.3.4", "a.b.c", "-1.2.3", "1.2.3 ",
                          "99999999999999999999.1.1"}) {
    INFO(bad);
    CHECK_FALSE(parse_event_place(bad));
  }
}

TEST_CASE("event log: a place anywhere in the file, or behind it, does no harm") {
  const TemporaryFolder folder;
  const EventLog log(folder.write("events.jsonl", final_event(1) + final_event(2)));
  for (std::uint64_t offset = 0; offset < 100; ++offset) {
    EventPlace place = {.offset = offset};
    const std::string text = text_of(log, place);
    CHECK((text.empty() || text.starts_with("id: ")));
  }
  const Result<EventPlace> before_end = log.place_before_end(50);
  REQUIRE(before_end.ok());
  CHECK(before_end.value().offset == 38);
}

TEST_CASE("event log: the last account is found behind any number of other events") {
  const TemporaryFolder folder;
  const std::string account = R"({"event":"progress","transactions":5})";
  for (const int others : {0, 1, 1000, 20000}) {
    std::string text = R"({"event":"progress","transactions":4})"
                       "\n" +
                       account + "\n";
    for (int i = 1; i <= others; ++i) {
      text += final_event(i);
    }
    const EventLog log(folder.write("events.jsonl", text + "{\"event\":\"progress\",\"unfini"));
    const Result<std::string> found = log.last_account();
    REQUIRE(found.ok());
    CHECK(found.value() == account);
  }
  CHECK(EventLog(folder.write("none.jsonl", final_event(1))).last_account().value().empty());
}

TEST_CASE("event log: an event that is longer than a piece is heard whole") {
  const TemporaryFolder folder;
  const std::string line =
      R"({"event":"final","n":1,"read":")" + std::string(std::size_t{1} << 20, 'x') + "\"}\n";
  const EventLog log(folder.write("events.jsonl", line + final_event(2)));
  EventPlace place;
  std::string text = text_of(log, place);
  text += text_of(log, place);
  CHECK(text.find(line) != std::string::npos);
  CHECK(place.numbered == 2);
}

}  // namespace
}  // namespace elapid::http
