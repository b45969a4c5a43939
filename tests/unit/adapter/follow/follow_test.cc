#include "adapter/follow/follow.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/source/verdict_text.h"
#include "parsers/door/door.h"
#include "tests/support/model_set.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/adapter/follow/event_line.h"

namespace elapid {
namespace {

/// A transaction that is alone while it runs.
std::string txn(int process, const std::string& invoked, const std::string& completed) {
  return op("invoke", process, invoked) + op("ok", process, completed);
}

/// The value of a field, as JSON text without inner brackets.
std::string field(const std::string& event, const std::string& name) {
  const std::size_t key = event.find('"' + name + "\":");
  if (key == std::string::npos) {
    return "";
  }
  const std::size_t begin = key + name.size() + 3;
  const char first = event[begin];
  const std::size_t end = first == '{'   ? event.find('}', begin) + 1
                          : first == '[' ? event.find(']', begin) + 1
                          : first == '"' ? event.find('"', begin + 1) + 1
                                         : event.find_first_of(",}", begin);
  return event.substr(begin, end - begin);
}

/// Follows a file that grows by a piece after each check.
class Run {
 public:
  explicit Run(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {
    options.path = (folder_.path() / "history.edn").string();
    options.interval = std::chrono::milliseconds(0);
    options.should_stop = [this] { return is_stopped_ || std::chrono::steady_clock::now() > end_; };
    options.check.models = models_of({Model::kPl3});
    grow();
  }

  FollowOutcome follow() {
    return follow_history(options, [this](std::string_view event) {
      CHECK(event.ends_with("}\n"));
      CHECK(event.find('\n') + 1 == event.size());
      events.emplace_back(event);
      const std::string name = field(events.back(), "event");
      const bool was_read = std::to_string(lines_) == field(events.back(), "lines");
      if (name == R"("prefix")" && was_read) {
        grow();
      }
      is_stopped_ |= name == R"("error")";
    });
  }

  /// `EVENT LINES LEVELS ANOMALIES`, of a summary with what is valid.
  std::vector<std::string> told() const {
    std::vector<std::string> told;
    for (const std::string& event : events) {
      std::string line = field(event, "event");
      for (const char* const name : {"lines", "line", "valid?", "levels", "anomalies"}) {
        const std::string value = field(event, name);
        line += (value.empty() ? "" : " ") + value;
      }
      line.erase(std::remove(line.begin(), line.end(), '"'), line.end());
      told.push_back(line);
    }
    return told;
  }

  FollowOptions options;
  std::vector<std::string> events;

 private:
  void grow() {
    if (next_ == pieces_.size()) {
      is_stopped_ = true;
      return;
    }
    const std::string& piece = pieces_[next_++];
    lines_ += std::count(piece.begin(), piece.end(), '\n');
    std::ofstream(options.path, std::ios::app | std::ios::binary) << piece;
  }

  TemporaryFolder folder_;
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
  std::ptrdiff_t lines_ = 0;
  bool is_stopped_ = false;
  std::chrono::steady_clock::time_point end_ =  // of a test that fails
      std::chrono::steady_clock::now() + std::chrono::seconds(20);
};

// Two transactions that each read the append of the other.
const std::string kCircleBegins = op("invoke", 0, "[[:append :x 1] [:r :y nil]]") +
                                  op("invoke", 1, "[[:append :y 1] [:r :x nil]]");
const std::string kCircleCloses =
    op("ok", 0, "[[:append :x 1] [:r :y [1]]]") + op("ok", 1, "[[:append :y 1] [:r :x [1]]]");
const std::string kFine = txn(2, "[[:append :z 1]]", "[[:append :z 1]]");
const std::string kFineToo = txn(2, "[[:r :z nil]]", "[[:r :z [1]]]");

TEST_CASE("a violation is told as soon as it is there") {
  Run run({kFine, kCircleBegins, kCircleCloses, kFineToo});
  const FollowOutcome outcome = run.follow();
  CHECK(run.told() == std::vector<std::string>{
                          "prefix 2 {serializable:true} []", "prefix 4 {serializable:true} []",
                          "prefix 6 {serializable:false} [G1c]", "violation 6 [serializable] [G1c]",
                          "prefix 8 {serializable:false} [G1c]",
                          "summary 8 false {serializable:false} [G1c]"});
  CHECK(outcome.validity == Validity::kInvalid);
  CHECK_FALSE(outcome.error);
  const std::string& violation = run.events.at(3);
  CHECK(field(violation, "not") == R"(["read-committed"])");
  CHECK(violation.find("G1c: circular information flow") != std::string::npos);
  CHECK(violation.find("history.edn:5 {") != std::string::npos);
  CHECK(violation.find("a contradiction!") != std::string::npos);
  CHECK(field(run.events.at(0), "transactions") == "1");
  CHECK(field(run.events.at(5), "operations") == "6");
  CHECK(field(run.events.at(5), "whole") == "false");
}

TEST_CASE(
    "rows are followed: with real time violations are certain, else a delete may explain them") {
  const std::string found =
      txn(1, "[[:r 1 nil] [:insert 2 {:v 6}]]", "[[:r 1 {:v 5}] [:insert 2 {:v 6}]]");
  const std::string missed =
      txn(2, "[[:r 2 nil] [:rp [:in :v 1 5] nil]]", "[[:r 2 {:v 6}] [:rp [:in :v 1 5] {}]]");
  Run run({txn(0, "[[:insert 1 {:v 5}]]", "[[:insert 1 {:v 5}]]"), found, missed,
           txn(0, "[[:delete 1]]", "[[:delete 1]]")});
  run.options.check.models = models_of({Model::kPl3, Model::kPlSs});
  const FollowOutcome outcome = run.follow();
  CHECK(
      run.told() ==
      std::vector<std::string>{
          "prefix 2 {serializable:true,strong-serializable:true} []",
          "prefix 4 {serializable:true,strong-serializable:true} []",
          "prefix 6 {serializable:unknown,strong-serializable:false} [G-single,G-single-realtime]",
          "violation 6 [strong-serializable] [G-single,G-single-realtime]",
          "provisional 6 [serializable] [G-single,G-single-realtime]",
          "prefix 8 {serializable:true,strong-serializable:false} [G-single-realtime]",
          "retracted 8 [serializable]",
          "summary 8 false {serializable:true,strong-serializable:false} [G-single-realtime]"});
  // What is not certain is not ruled out.
  CHECK(run.events.at(3).find("session-serializable") == std::string::npos);
  CHECK(outcome.validity == Validity::kInvalid);
}

TEST_CASE("a half-written line is waited for") {
  const std::string half = kCircleCloses.substr(0, kCircleCloses.size() - 10);
  Run run({kFine, kCircleBegins + half, kCircleCloses.substr(half.size())});
  CHECK(run.follow().validity == Validity::kInvalid);
  CHECK(run.told() == std::vector<std::string>{
                          "prefix 2 {serializable:true} []", "prefix 5 {serializable:true} []",
                          "prefix 6 {serializable:false} [G1c]", "violation 6 [serializable] [G1c]",
                          "summary 6 false {serializable:false} [G1c]"});
}

TEST_CASE("a file that does not grow is checked whole, its unfinished last line too") {
  Run run({kFine + kCircleBegins + kCircleCloses.substr(0, kCircleCloses.size() - 1)});
  run.options.to_end = true;
  run.options.interval = std::chrono::hours(1);
  CHECK(run.follow().validity == Validity::kInvalid);
  CHECK(run.told() == std::vector<std::string>{"prefix 6 {serializable:false} [G1c]",
                                               "violation 6 [serializable] [G1c]",
                                               "summary 6 false {serializable:false} [G1c]"});
  CHECK(field(run.events.back(), "whole") == "true");
}

TEST_CASE("a read of an unwritten value is provisional without real time, until it is written") {
  const std::string read = txn(3, "[[:r :z nil]]", "[[:r :z [1 2]]]");
  const std::string late = txn(4, "[[:append :z 2]]", "[[:append :z 2]]");
  {
    Run run({kFine + read, late});
    CHECK(run.follow().validity == Validity::kValid);
    CHECK(run.told() == std::vector<std::string>{"prefix 4 {serializable:unknown} [garbage-read]",
                                                 "provisional 4 [serializable] [garbage-read]",
                                                 "prefix 6 {serializable:true} []",
                                                 "retracted 6 [serializable]",
                                                 "summary 6 true {serializable:true} []"});
  }
  {
    Run run({kFine + read});
    CHECK(run.follow().validity == Validity::kUnknown);
    CHECK(run.told().back() == "summary 4 unknown {serializable:unknown} [garbage-read]");
  }
  {
    Run run({kFine + read});
    run.options.to_end = true;
    CHECK(run.follow().validity == Validity::kInvalid);
    CHECK(run.told() ==
          std::vector<std::string>{"prefix 4 {serializable:false} [garbage-read]",
                                   "violation 4 [serializable] [garbage-read]",
                                   "summary 4 false {serializable:false} [garbage-read]"});
  }
  {
    Run run({kFine + read, late});
    run.options.check.models = models_of({Model::kPlSs});
    CHECK(run.follow().validity == Validity::kInvalid);
    CHECK(run.told().at(1) == "violation 4 [strong-serializable] [garbage-read]");
    CHECK(run.told().back().starts_with("summary 6 false"));
  }
}

TEST_CASE("a violation is retracted where a value is written again, which was trusted not to be") {
  // T2 reads what T1 wrote and not what T0 wrote before, unless the other 1 is another writer's.
  const std::string first = txn(0, "[[:w :x 1]]", "[[:w :x 1]]") +
                            txn(0, "[[:w :x 2]]", "[[:w :x 2]]") +
                            txn(0, "[[:r :x nil]]", "[[:r :x 1]]");
  const std::string again = txn(1, "[[:w :x 1]]", "[[:w :x 1]]");
  Run run({first, again});
  run.options.check.models = models_of({Model::kStrongSessionSerializable});
  CHECK(run.follow().validity == Validity::kValid);
  const std::vector<std::string> told = run.told();
  REQUIRE(told.size() == 5);
  CHECK(told[0].starts_with("prefix 6 {strong-session-serializable:false} ["));
  CHECK(told[1].starts_with("violation 6 [strong-session-serializable] ["));
  CHECK(told[2] == "prefix 8 {strong-session-serializable:true} []");
  CHECK(told[3] == "retracted 8 [strong-session-serializable]");
  CHECK(told[4] == "summary 8 true {strong-session-serializable:true} []");
}

TEST_CASE("each level demanded is told of when it is violated") {
  const std::string stale = txn(3, "[[:r :z nil]]", "[[:r :z []]]");
  Run run({kFine, stale, kCircleBegins + kCircleCloses});
  run.options.check.models = models_of({Model::kPl3, Model::kPlSs});
  CHECK(run.follow().validity == Validity::kInvalid);
  const std::vector<std::string> told = run.told();
  CHECK(told.at(0) == "prefix 2 {serializable:true,strong-serializable:true} []");
  CHECK(told.at(1).starts_with("prefix 4 {serializable:true,strong-serializable:false} ["));
  CHECK(told.at(2).starts_with("violation 4 [strong-serializable] ["));
  CHECK(told.at(3).starts_with("prefix 8 {serializable:false,strong-serializable:false} ["));
  CHECK(told.at(4).starts_with("violation 8 [serializable] ["));
  CHECK(told.size() == 6);
}

TEST_CASE("a malformed line is told of, and what is before it counts") {
  {
    Run run({kFine, kCircleBegins + "{:type oops\n" + kCircleCloses, kFineToo});
    const FollowOutcome outcome = run.follow();
    CHECK(outcome.validity == Validity::kUnknown);
    CHECK_FALSE(outcome.error);
    CHECK(run.told() == std::vector<std::string>{"prefix 2 {serializable:true} []", "error 5",
                                                 "prefix 4 {serializable:true} []",
                                                 "summary 4 unknown {serializable:true} []"});
    CHECK(field(run.events.at(1), "message").find("history.edn:5:") != std::string::npos);
  }
  {
    Run run({kFine, kCircleBegins + "{:type oops}\n" + kCircleCloses, kFineToo});
    run.options.stop_on_error = true;
    const FollowOutcome outcome = run.follow();
    CHECK(outcome.validity == Validity::kUnknown);
    REQUIRE(outcome.error);
    CHECK(outcome.error->kind == ErrorKind::kMalformed);
    CHECK(outcome.error->line == 5);
  }
  {
    Run run({kFine + kCircleBegins + kCircleCloses, ")\n"});
    CHECK(run.follow().validity == Validity::kInvalid);
    CHECK(run.told().at(2) == "error 7");
    CHECK(run.told().back() == "summary 6 false {serializable:false} [G1c]");
  }
  {
    Run run({kFine + "x y\n"});
    run.options.to_end = true;
    CHECK(run.follow().validity == Validity::kUnknown);
    CHECK(run.told() == std::vector<std::string>{"error 3", "prefix 2 {serializable:true} []",
                                                 "summary 2 unknown {serializable:true} []"});
    CHECK(field(run.events.back(), "whole") == "false");
  }
}

TEST_CASE("histories in JSON lines are followed behind their header") {
  Run run({R"({"format": "elapid/1", "workload": "list-append"})"
           "\n",
           R"({"type": "invoke", "process": 0, "value": [["append", 5, 1]]})"
           "\n",
           R"({"type": "ok", "process": 0, "value": [["append", 5, 1]]})"
           "\n"});
  run.options.to_end = true;
  CHECK(run.follow().error.has_value() == false);
  CHECK(run.told().at(0) == "error 1");
}

TEST_CASE("what cannot be followed is an error") {
  const auto error = [](const std::string& text) {
    Run run({text});
    run.options.to_end = true;
    const FollowOutcome outcome = run.follow();
    CHECK(run.told().back().starts_with("summary "));
    CHECK(outcome.validity == Validity::kUnknown);
    return outcome.error ? outcome.error->kind : ErrorKind::kInternal;
  };
  CHECK(error("r(1,1,1,1)\nr(1,1,1,1)\n") == ErrorKind::kUsage);
  CHECK(error(op("invoke", 0, "[[:incr :x 1]]") + op("ok", 0, "[[:incr :x 1]]")) ==
        ErrorKind::kUsage);
  Run run({kFine});
  run.options.path += "-none";
  CHECK(run.follow().error.value().kind == ErrorKind::kUnreadable);
  run.options.path = "/dev/null";
  CHECK(run.follow().error.value().kind == ErrorKind::kUsage);
}

TEST_CASE("a stop gives up the check that runs, and checks what is there") {
  Run run({kFine + kCircleBegins + kCircleCloses});
  int checks = 0;
  bool is_stopped = false;
  run.options.should_stop = [&] { return is_stopped; };
  run.options.checker = [&](const LoadedHistory& loaded, const CheckOptions& options) {
    if (checks++ == 0) {
      CHECK(options.progress("stage"));
      is_stopped = true;
      CHECK_FALSE(options.progress("stage"));
      CHECK_FALSE(options.has_budget());
      return Result<Verdict>(Error{.kind = ErrorKind::kUnreadable});
    }
    CHECK(options.progress("stage"));
    CHECK(options.has_budget());
    return check_loaded(loaded, options);
  };
  std::string events;
  const FollowOutcome outcome =
      follow_history(run.options, [&](std::string_view event) { events += event; });
  CHECK(checks == 2);
  CHECK(outcome.validity == Validity::kInvalid);
  CHECK(events.starts_with(R"({"event":"prefix","lines":6)"));
}

TEST_CASE("no more than half of the time is spent checking") {
  Run run({kFine});
  const std::string path = run.options.path;
  int checks = 0;
  const auto begin = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration checking{};
  run.options.should_stop = [&] { return checks == 4; };
  run.options.checker = [&](const LoadedHistory& loaded, const CheckOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    ++checks;
    std::ofstream(path, std::ios::app) << kFineToo;
    while (std::chrono::steady_clock::now() < start + std::chrono::milliseconds(30)) {
    }
    auto verdict = check_loaded(loaded, options);
    checking += std::chrono::steady_clock::now() - start;
    return verdict;
  };
  follow_history(run.options, [](std::string_view) {});
  CHECK(checks >= 4);
  // The last ones are due without a pause.
  CHECK(std::chrono::steady_clock::now() - begin >= checking + std::chrono::milliseconds(60));
}

}  // namespace
}  // namespace elapid
