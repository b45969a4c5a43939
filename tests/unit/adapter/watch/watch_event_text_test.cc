#include "adapter/watch/event_text.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/memory_page_store.h"

namespace elapid {
namespace {

using Kind = OnlineEvent::Kind;

class Texts {
 public:
  Atom text(const char* name) { return atoms_.text(name); }

  Atom number(std::int64_t number) { return atoms_.integer(number); }

  std::string of(const OnlineEvent& event, const OnlineEventStyle& style = {}) const {
    std::string out;
    append_event(out, event, atoms_, style);
    return out;
  }

 private:
  AtomTable atoms_;
};

TEST_CASE("event text: a read from outside") {
  Texts texts;
  OnlineEvent event = {
      .kind = Kind::kProvisional,
      .name = {.axiom = TimestampAxiom::kExt,
               .txn = texts.text("t-1"),
               .key = texts.text("x"),
               .mop = 2},
      .facts = {.read = texts.number(5), .expected = Atom::nil(), .expected_writer = Atom::none()}};
  CHECK(
      texts.of(event) ==
      R"({"event":"provisional","axiom":"ext","txn":"t-1","key":"x","mop":2,"read":5,"expected":null})"
      "\n");
  event.kind = Kind::kRetracted;
  CHECK(texts.of(event).starts_with(R"({"event":"retracted","axiom":"ext",)"));
  event.kind = Kind::kFinal;
  event.number = 17;
  event.facts.expected = texts.text("\"");
  event.facts.expected_writer = texts.number(-3);
  event.facts.other = texts.number(4);
  event.facts.origin = ReadOrigin::kAfter;
  CHECK(texts.of(event) ==
        R"({"event":"final","n":17,"axiom":"ext","anomaly":"GSIa","txn":"t-1","key":"x","mop":2,)"
        R"("read":5,"expected":"\"","expected-writer":-3,"origin":"after","other":4})"
        "\n");
  event.kind = Kind::kLate;
  event.stands = false;
  CHECK(texts.of(event).starts_with(
      R"({"event":"late","n":17,"stands":false,"axiom":"ext","anomaly":"GSIa",)"));
}

TEST_CASE("event text: each origin has an anomaly") {
  Texts texts;
  for (const auto& [origin, names] :
       {std::pair(ReadOrigin::kBefore, R"("GSIb" "before")"),
        std::pair(ReadOrigin::kUncommitted, R"("GSIa" "uncommitted")"),
        std::pair(ReadOrigin::kIntermediate, R"("G1b" "intermediate")"),
        std::pair(ReadOrigin::kAborted, R"("G1a" "aborted")"),
        std::pair(ReadOrigin::kOwnFuture, R"("future-read" "own-future")"),
        std::pair(ReadOrigin::kNowhere, R"("garbage-read" "nowhere")")}) {
    const std::string line = texts.of({.kind = Kind::kFinal,
                                       .name = {.axiom = TimestampAxiom::kExt},
                                       .facts = {.origin = origin}});
    const std::string both = names;
    const std::size_t space = both.find(' ');
    CHECK(line.find(R"("anomaly":)" + both.substr(0, space) + ",") != std::string::npos);
    CHECK(line.find(R"("origin":)" + both.substr(space + 1)) != std::string::npos);
  }
}

TEST_CASE("event text: what a violation depends on, and the level, have a part in its name") {
  const Texts texts;
  const auto anomaly = [&](TimestampAxiom axiom, ReadOrigin origin, bool depends, bool at_commit) {
    const std::string line = texts.of({.kind = Kind::kFinal,
                                       .name = {.axiom = axiom},
                                       .facts = {.origin = origin, .depends = depends}},
                                      {.at_commit = at_commit});
    const std::size_t begin = line.find(R"("anomaly":")") + 11;
    return line.substr(begin, line.find('"', begin) - begin);
  };
  using enum TimestampAxiom;
  using enum ReadOrigin;
  CHECK(anomaly(kExt, kBefore, false, false) == "GSIb");
  CHECK(anomaly(kExt, kBefore, true, false) == "G-single-item");
  CHECK(anomaly(kExt, kBefore, false, true) == "PL-3-cycle-exists");
  CHECK(anomaly(kExt, kUncommitted, false, true) == "PL-3-cycle-exists");
  CHECK(anomaly(kNoConflict, kBefore, false, false) == "GSIa");
  CHECK(anomaly(kNoConflict, kBefore, true, false) == "lost-update");
  CHECK(anomaly(kSession, kBefore, false, true) == "strong-session-serializable-cycle-exists");
}

TEST_CASE("event text: where the past is forgotten, nowhere is not known") {
  Texts texts;
  const std::string line = texts.of({.kind = Kind::kFinal,
                                     .name = {.axiom = TimestampAxiom::kExt},
                                     .facts = {.origin = ReadOrigin::kNowhere}},
                                    {.is_sorted = true});
  CHECK(line.find("anomaly") == std::string::npos);
  CHECK(line.find(R"("origin":"unknown")") != std::string::npos);
}

TEST_CASE("event text: lists, conflicts, sessions and starts") {
  Texts texts;
  const Atom txn = texts.number(2);
  CHECK(texts.of({.kind = Kind::kFinal,
                  .number = 1,
                  .name = {.axiom = TimestampAxiom::kInt, .txn = txn, .key = texts.number(1)},
                  .facts = {.is_list = true,
                            .list_read = {texts.number(1), texts.text("a")},
                            .list_expected = {}}}) ==
        R"({"event":"final","n":1,"axiom":"int","anomaly":"internal","txn":2,"key":1,"mop":0,)"
        R"("read":[1,"a"],"expected":[]})"
        "\n");
  CHECK(texts.of({.kind = Kind::kFinal,
                  .name = {.axiom = TimestampAxiom::kInt, .txn = txn},
                  .facts = {.is_list = true, .is_suffix = true}}) ==
        R"({"event":"final","axiom":"int","anomaly":"internal","txn":2,"mop":0,"read":[],)"
        R"("expected-end":[]})"
        "\n");
  CHECK(texts.of({.kind = Kind::kFinal,
                  .number = 3,
                  .name = {.axiom = TimestampAxiom::kNoConflict,
                           .txn = txn,
                           .key = texts.number(7),
                           .earlier = texts.number(1)},
                  .facts = {.other = texts.number(1)}}) ==
        R"({"event":"final","n":3,"axiom":"noconflict","anomaly":"GSIa","txn":2,"key":7,"other":1})"
        "\n");
  CHECK(texts.of({.kind = Kind::kFinal,
                  .number = 4,
                  .name = {.axiom = TimestampAxiom::kSession, .txn = txn},
                  .facts = {.session = texts.text("s"), .other = texts.number(1)}}) ==
        R"({"event":"final","n":4,"axiom":"session",)"
        R"("anomaly":"strong-session-snapshot-isolation-cycle-exists","txn":2,"session":"s",)"
        R"("other":1})"
        "\n");
  CHECK(texts.of({.kind = Kind::kFinal,
                  .number = 5,
                  .name = {.axiom = TimestampAxiom::kStartFirst, .txn = txn}}) ==
        R"({"event":"final","n":5,"axiom":"start-after-commit","anomaly":"PL-SI-cycle-exists",)"
        R"("txn":2})"
        "\n");
}

TEST_CASE("event text: errors, progress and summary") {
  MemoryPageStore store;
  OnlineChecker checker({}, store);
  std::string out;
  append_error(out, 7, "found \"x\"\n");
  CHECK(out == R"({"event":"error","line":7,"message":"found \"x\"\u000a"})"
               "\n");
  out.clear();
  append_progress(out, {.checker = checker});
  CHECK(out ==
        R"({"event":"progress","transactions":0,"operations":0,"duplicates":0,"late":0,"errors":0,)"
        R"("watermark":null,"provisional":0,"flips":0,"violations":0,"valid?":"unknown"})"
        "\n");
  const AtomTable atoms;
  AtomTable table;
  checker.add({.id = table.integer(1),
               .session = table.integer(1),
               .start = Timestamp{3, 0},
               .commit = Timestamp{3, 2},
               .ops = {{.key = table.integer(1), .value = table.integer(9)}}});
  checker.advance({3, 1});
  out.clear();
  append_progress(out, {.checker = checker, .errors = 2, .rate = 1234.6, .memory = 1000});
  CHECK(out ==
        R"({"event":"progress","transactions":1,"operations":1,"duplicates":0,"late":0,"errors":2,)"
        R"("watermark":{"p":3,"l":1},"provisional":0,"flips":0,"violations":1,"valid?":"unknown",)"
        R"("rate":1235,"memory":1000})"
        "\n");
  checker.advance(Timestamp::last());
  out.clear();
  append_summary(out, {.checker = checker}, "serializable", true);
  CHECK(out ==
        R"({"event":"summary","valid?":false,"level":"serializable","whole":true,"transactions":1,)"
        R"("operations":1,"duplicates":0,"late":0,"errors":0,"watermark":"end","provisional":0,)"
        R"("flips":0,"violations":{"ext":1},"origins":{"nowhere":1}})"
        "\n");
}

TEST_CASE("event text: a line that was not understood may be where a value comes from") {
  MemoryPageStore store;
  OnlineChecker checker({}, store);
  CHECK(validity_of({.checker = checker}) == Validity::kUnknown);  // nothing committed
  AtomTable table;
  checker.add({.id = table.integer(0),
               .session = table.integer(1),
               .start = Timestamp{1, 0},
               .commit = Timestamp{2, 0}});
  CHECK(validity_of({.checker = checker}) == Validity::kValid);
  CHECK(validity_of({.checker = checker, .errors = 1}) == Validity::kUnknown);
  checker.add({.id = table.integer(1),
               .session = table.integer(1),
               .start = Timestamp{3, 0},
               .commit = Timestamp{4, 0},
               .ops = {{.key = table.integer(1), .value = table.integer(9)}}});
  CHECK(validity_of({.checker = checker}) == Validity::kUnknown);  // by now
  checker.advance({9, 0});
  CHECK(validity_of({.checker = checker}) == Validity::kInvalid);
  CHECK(validity_of({.checker = checker, .errors = 1}) == Validity::kUnknown);
}

TEST_CASE("event text: no line that was not understood may be why a list lacks elements") {
  const auto validity = [](std::vector<std::int64_t> shown) {
    MemoryPageStore store;
    OnlineChecker checker({.workload = Workload::kListAppend}, store);
    AtomTable table;
    const auto append = [&](std::int64_t element) {
      return OnlineOp{
          .kind = OpKind::kAppend, .key = table.integer(7), .value = table.integer(element)};
    };
    checker.add({.id = table.integer(0),
                 .start = Timestamp{1, 0},
                 .commit = Timestamp{2, 0},
                 .ops = {append(1), append(2)}});
    OnlineTxn reader = {
        .id = table.integer(1), .start = Timestamp{3, 0}, .commit = Timestamp{4, 0}};
    reader.ops = {{.kind = OpKind::kReadList,
                   .key = table.integer(7),
                   .list_length = static_cast<std::uint32_t>(shown.size())}};
    for (const std::int64_t element : shown) {
      reader.elements.push_back(table.integer(element));
    }
    checker.add(reader);
    checker.advance({9, 0});
    CHECK(validity_of({.checker = checker}) == Validity::kInvalid);
    return validity_of({.checker = checker, .errors = 1});
  };
  CHECK(validity({1}) == Validity::kInvalid);
  CHECK(validity({3, 1}) == Validity::kInvalid);
  CHECK(validity({2, 1}) == Validity::kInvalid);
  CHECK(validity({1, 3, 2}) == Validity::kUnknown);
}

}  // namespace
}  // namespace elapid
