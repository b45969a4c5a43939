#include "harness/generate/event_output.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "harness/generate/generate.h"
#include "harness/generate/to_history.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

constexpr Faults kFaults = {.aborts = 50'000, .indeterminate = 100'000, .crashes = 30'000};

std::unique_ptr<Simulation> simulation(Recipe recipe) {
  recipe.clients.seed = 11;
  Result<std::unique_ptr<Simulation>> made = make_simulation(recipe);
  REQUIRE(made.ok());
  return std::move(made).value();
}

const Target& target_named(std::string_view name) {
  const Target* target = find_target(*find_format(name));
  REQUIRE(target != nullptr);
  return *target;
}

/// The text without the fields :error, which a History does not keep.
std::string without_errors(std::string text) {
  for (const std::string error : {"aborted", "conflict", "timeout"}) {
    for (const std::string& field : {", :error :" + error, R"(, "error": ")" + error + '"'}) {
      for (std::size_t at = text.find(field); at != std::string::npos; at = text.find(field, at)) {
        text.erase(at, field.size());
      }
    }
  }
  return text;
}

/// What stands around the first difference; empty if there is none.
std::string difference(const std::string& left, const std::string& right) {
  if (left == right) {
    return {};
  }
  const auto at = static_cast<std::size_t>(
      std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first - left.begin());
  const std::size_t begin = at - std::min<std::size_t>(at, 100);
  return left.substr(begin, 200) + "\n\n" + right.substr(begin, 200);
}

/// What the format makes of a history, written as its events come and as a whole.
void check_both_ways(std::string_view format, Recipe recipe, bool timestamps) {
  const TemporaryFolder folder;
  const Target& target = target_named(format);
  const Faults& faults = recipe.clients.faults;
  const EventOutline outline = {.workload = find_generated_workload(recipe.workload)->workload,
                                .indeterminate = faults.indeterminate > 0,
                                .timestamps = timestamps};
  CHECK(is_streamed(target, outline));
  const std::string streamed = (folder.path() / "streamed").string();
  const Result<WrittenEvents> written =
      write_events(*simulation(recipe), {.target = &target, .path = streamed, .outline = outline});
  REQUIRE(written.ok());
  CHECK(written.value().events > 500);

  const Result<History> history =
      to_history(*simulation(recipe), timestamps || target.needs_timestamps);
  REQUIRE(history.ok());
  const std::string whole = (folder.path() / "whole").string();
  REQUIRE(write_history(history.value(), outline.workload, whole,
                        {.target = &target, .policy = LossPolicy::kAny})
              .ok());
  const std::string text = without_errors(content_of(streamed));
  CHECK(text.size() > 10'000);
  CHECK(difference(text, content_of(whole)) == "");
}

/// The events as EDN, after they have been read from it once: columns and rows in its order then.
std::string canonical_edn(const History& history) {
  const TemporaryFolder folder;
  const auto written = [&](const History& from, const std::string& name) {
    const std::string path = (folder.path() / name).string();
    REQUIRE(write_history(from, Workload::kRows, path,
                          {.target = &target_named("edn"), .policy = LossPolicy::kAny})
                .ok());
    return path;
  };
  const Result<LoadedHistory> read = read_history(written(history, "once.edn"), {});
  REQUIRE(read.ok());
  return without_errors(content_of(written(read.value().history(), "twice.edn")));
}

/// The same of rows, whose invocations show what is known of them later where the whole history is
/// written: so what was written is compared after it is read.
void check_rows_both_ways(std::string_view format, const Recipe& recipe) {
  const TemporaryFolder folder;
  const Target& target = target_named(format);
  const std::string streamed = (folder.path() / "streamed").string();
  REQUIRE(
      write_events(*simulation(recipe),
                   {.target = &target, .path = streamed, .outline = {.workload = Workload::kRows}})
          .ok());
  const Result<History> made = to_history(*simulation(recipe));
  const Result<LoadedHistory> read = read_history(streamed, {});
  REQUIRE(made.ok());
  REQUIRE(read.ok());
  const std::string text = canonical_edn(read.value().history());
  CHECK(text.size() > 10'000);
  CHECK(difference(text, canonical_edn(made.value())) == "");
}

TEST_CASE("event output: events written as they come are those of the whole history") {
  for (const std::string_view workload : {"list-append", "rw-register", "mini"}) {
    const Recipe recipe = {.workload = workload,
                           .store = "snapshot-isolation",
                           .clients = {.transactions = 300, .faults = kFaults}};
    for (const std::string_view format : {"edn", "json", "jsonl"}) {
      INFO(workload << ' ' << format);
      check_both_ways(format, recipe, false);
    }
    INFO(workload << " with timestamps");
    check_both_ways("jsonl", recipe, true);
    Recipe all_known = recipe;
    all_known.clients.faults = {.aborts = kFaults.aborts};
    check_both_ways("timekiller", all_known, false);
  }
}

TEST_CASE("event output: rows are written as they come, too") {
  const Recipe recipe = {.workload = "predicates",
                         .store = "snapshot-isolation",
                         .clients = {.transactions = 100, .faults = kFaults}};
  for (const std::string_view format : {"edn", "json", "jsonl"}) {
    INFO(format);
    check_rows_both_ways(format, recipe);
  }
}

TEST_CASE("event output: what a format cannot hold is said before anything runs") {
  const EventOutline bank = {.workload = Workload::kOther};
  CHECK(check_format(target_named("edn"), bank).ok());
  CHECK(check_format(target_named("json"), bank).ok());
  CHECK(check_format(target_named("dbcop"), bank).error().message ==
        "dbcop:bincode holds transactions of reads and writes only");
  CHECK(check_format(target_named("awdit"), {.workload = Workload::kListAppend}).error().message ==
        "awdit holds no lists");
  CHECK(check_format(target_named("polysi:elle"), {.workload = Workload::kRwRegister})
            .error()
            .message == "polysi:elle holds no registers");
  CHECK(check_format(target_named("vbox"), {.workload = Workload::kRows}).ok());
  CHECK(check_format(target_named("awdit"), {.workload = Workload::kRows}).error().message ==
        "awdit holds no rows and predicates");
  const EventOutline cas = {.workload = Workload::kCasRegister, .one_key = true};
  CHECK(check_format(target_named("knossos"), cas).ok());
  CHECK(
      check_format(target_named("knossos"), {.workload = Workload::kCasRegister}).error().message ==
      "knossos holds one register, and there are several");
  CHECK(
      check_format(target_named("knossos"), {.workload = Workload::kRwRegister}).error().message ==
      "knossos holds single operations on one register");
}

TEST_CASE("event output: formats that need all transactions first get them") {
  const TemporaryFolder folder;
  const Recipe recipe = {.workload = "rw-register", .clients = {.transactions = 100}};
  const std::string path = (folder.path() / "history.bincode").string();
  const Target& target = target_named("dbcop:bincode");
  CHECK_FALSE(is_streamed(target, {}));
  const Result<WrittenEvents> written =
      write_events(*simulation(recipe), {.target = &target, .path = path});
  REQUIRE(written.ok());
  CHECK(written.value().events == 200);
  CHECK(content_of(path).size() > 1'000);
}

TEST_CASE("event output: a disk that is full ends it") {
  const Recipe recipe = {.clients = {.transactions = 1'000'000'000}};
  const Result<WrittenEvents> written =
      write_events(*simulation(recipe), {.target = &target_named("edn"),
                                         .path = "/dev/full",
                                         .outline = {.workload = Workload::kListAppend}});
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
