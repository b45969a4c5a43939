#include "harness/scenario/play.h"

#include <catch2/catch.hpp>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/drive/drivers.h"
#include "harness/process/scratch_folder.h"
#include "harness/scenario/expectation.h"
#include "harness/scenario/performance_history.h"
#include "harness/scenario/scenario_reader.h"
#include "harness/servers/private_server.h"

namespace elapid {
namespace {

/// A scenario on a database, opened for it.
class PlayProbe {
 public:
  PlayProbe(const std::string& uri, const std::string& level, const std::string& text)
      : scenario_(std::make_unique<Scenario>(parse_scenario("f", text).value())),
        uri_(parse_database_uri(uri).value()),
        level_(level) {
    Result<ScratchFolder> folder = ScratchFolder::create();
    REQUIRE(folder.ok());
    folder_ = std::make_unique<ScratchFolder>(std::move(folder).value());
    const Result<const Driver*> driver = find_driver(uri_.scheme);
    REQUIRE(driver.ok());
    driver_ = driver.value();
    Result<Stage> stage = Stage::open(*driver_,
                                      {.uri = uri_,
                                       .level = level,
                                       .has_lists = scenario_->script.has_lists(),
                                       .sessions = scenario_->sessions.size() + 1,
                                       .scratch = folder_->path(),
                                       .patience = std::chrono::milliseconds(20000)},
                                      *scenario_);
    INFO((stage ? "" : stage.error().to_string()));
    REQUIRE(stage.ok());
    stage_.emplace(std::move(stage).value());
  }

  Performance play(std::size_t order = 0) {
    Result<Performance> performance = stage_->play(scenario_->orders[order], {});
    INFO((performance ? "" : performance.error().to_string()));
    REQUIRE(performance.ok());
    return std::move(performance).value();
  }

  [[nodiscard]] std::string history(const Performance& performance) const {
    return history_text(*scenario_, performance);
  }

  /// What is not as expected, a line each.
  std::string surprises() {
    std::vector<Played> orders;
    for (std::size_t i = 0; i < scenario_->orders.size(); ++i) {
      Performance performance = play(i);
      Result<Judgement> judgement =
          judge(*scenario_, history(performance), levels_expected(*scenario_));
      INFO((judgement ? "" : judgement.error().to_string()));
      REQUIRE(judgement.ok());
      orders.push_back({std::move(performance), std::move(judgement).value()});
    }
    std::string text;
    const ScenarioVenue venue = {driver_->info(), uri_, level_};
    for (const Expectation& expectation : scenario_->expectations) {
      if (applies(expectation, venue)) {
        const std::string found = what_else(expectation, *scenario_, orders);
        text += found.empty() ? "" : expectation.text + ": " + found + "\n";
      }
    }
    return text;
  }

 private:
  std::unique_ptr<Scenario> scenario_;
  DatabaseUri uri_;
  std::string level_;
  const Driver* driver_ = nullptr;
  std::unique_ptr<ScratchFolder> folder_;
  std::optional<Stage> stage_;
};

constexpr const char* kTwoWriters =
    "A: [:append :x 1]\n"
    "B: [:append :x 2]\n"
    "B: commit\n"
    "A: commit\n";

/// A database whose rollbacks do not return, or throw.
class HangingDriver final : public Driver {
 public:
  /// What every rollback does.
  std::function<void()> roll_back;

  [[nodiscard]] const DriverInfo& info() const override { return info_; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& /*request*/) const override {
    return usage_error("for scenarios only");
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& /*request*/, std::function<void()> /*news*/) const override {
    return std::unique_ptr<StepDatabase>(std::make_unique<HangingDatabase>(roll_back));
  }

 private:
  class HangingSession final : public StepSession {
   public:
    explicit HangingSession(std::function<void()> roll_back) : roll_back_(std::move(roll_back)) {}

    StepReply carry_out(const StepRequest& request) override {
      if (request.kind == StepRequest::Kind::kRollback) {
        roll_back_();
      }
      return {};
    }

   private:
    std::function<void()> roll_back_;
  };

  class HangingDatabase final : public StepDatabase {
   public:
    explicit HangingDatabase(std::function<void()> roll_back) : roll_back_(std::move(roll_back)) {}

    [[nodiscard]] const SqlSpelling* spelling() const override { return nullptr; }

    Status prepare(std::span<const std::string> /*sql*/) override { return {}; }

    Result<std::unique_ptr<StepSession>> connect(
        std::size_t /*session*/, std::span<const std::string> /*settings*/) override {
      return std::unique_ptr<StepSession>(std::make_unique<HangingSession>(roll_back_));
    }

    Result<bool> all_wait(std::span<const std::size_t> /*sessions*/) override { return false; }

    [[nodiscard]] std::vector<DatabaseFact> facts() override { return {}; }

   private:
    std::function<void()> roll_back_;
  };

  DriverInfo info_ = {
      .name = "hanging", .address = "hanging:", .about = "a test", .levels = {}, .parameters = {}};
};

TEST_CASE("A rollback that does not return ends the play with an error") {
  // The thread that is left alone may still wake up while the process exits: what it waits for is
  // never destroyed.
  static auto& ends = *new std::promise<void>;
  static const auto& ended = *new std::shared_future<void>(ends.get_future());
  HangingDriver driver;
  driver.roll_back = [] { ended.wait(); };
  const Scenario scenario =
      parse_scenario("f", "A: [:append :x 1]\nB: [:append :y 1]\nB: commit\n").value();
  {
    Result<Stage> stage = Stage::open(driver, {}, scenario);
    REQUIRE(stage.ok());
    const std::chrono::milliseconds moment(100);
    const Result<Performance> played =
        stage.value().play(scenario.orders[0], {.patience = moment, .grace = moment});
    REQUIRE_FALSE(played.ok());
    CHECK(played.error().kind == ErrorKind::kUnreadable);
    CHECK(played.error().message ==
          "the database does not answer: the rollback of a transaction that no step ends of f does "
          "not return");
  }
  ends.set_value();
}

TEST_CASE("What a driver throws in a step is the step's error") {
  HangingDriver driver;
  driver.roll_back = [] { throw std::bad_alloc(); };
  const Scenario scenario = parse_scenario("f", "A: [:append :x 1]\nA: rollback\n").value();
  Result<Stage> stage = Stage::open(driver, {}, scenario);
  REQUIRE(stage.ok());
  const Result<Performance> played = stage.value().play(scenario.orders[0], {});
  REQUIRE(played.ok());
  CHECK(played.value().steps[1].error() == TxnError::kOther);
  CHECK(played.value().steps[1].answers.back().message == "memory ran out");
}

TEST_CASE("SQLite says who waits, and until when") {
  PlayProbe probe("sqlite:", "serializable", kTwoWriters);
  const Performance performance = probe.play();
  CHECK_FALSE(performance.steps[0].waited);
  CHECK(performance.steps[1].waited);
  CHECK(performance.steps[1].kind == StepFate::Kind::kDone);
  CHECK(performance.steps[3].returned < performance.steps[1].returned);
  CHECK(performance.steps[1].returned < performance.steps[2].began);
  CHECK(probe.history(performance) ==
        "{:index 0, :type :invoke, :process 0, :f :txn, :value [[:append :x 1]]}\n"
        "{:index 1, :type :invoke, :process 1, :f :txn, :value [[:append :x 2]]}\n"
        "{:index 2, :type :ok, :process 0, :f :txn, :value [[:append :x 1]]}\n"
        "{:index 3, :type :ok, :process 1, :f :txn, :value [[:append :x 2]]}\n"
        "{:index 4, :type :invoke, :process 3, :f :txn, :value [[:r :x nil]]}\n"
        "{:index 5, :type :ok, :process 3, :f :txn, :value [[:r :x [1 2]]]}\n");
  CHECK(probe.history(probe.play()) == probe.history(performance));
}

TEST_CASE("A session of SQLite that waits for no running session gives up") {
  PlayProbe probe("sqlite:", "serializable",
                  "A: [:append :x 1]\nB: [:append :x 2]\nB: commit\n"
                  "expect step 2 fails busy, step 2 waits");
  const Performance performance = probe.play();
  CHECK(performance.steps[1].kind == StepFate::Kind::kFailed);
  CHECK(performance.steps[1].error() == TxnError::kBusy);
  CHECK(performance.steps[2].kind == StepFate::Kind::kNotReached);
  CHECK(probe.history(performance)
            .find(":type :fail, :process 0, :f :txn, :value [[:append :x "
                  "1]], :error :aborted}") != std::string::npos);
  CHECK(probe.surprises().empty());
}

TEST_CASE("All orders of an example on SQLite") {
  PlayProbe probe("sqlite:?journal=wal", "serializable",
                  "start [:insert 1 {:on 1}] [:insert 2 {:on 1}]\n"
                  "A: [:rp [:= :on 1]]\nB: [:rp [:= :on 1]]\nA: [:update 1 {:on 0}]\n"
                  "B: [:update 2 {:on 0}]\nA: commit\nB: commit\norders all\n"
                  "expect none\nexpect sqlite?journal=wal: step 4 fails\n"
                  "expect sqlite?journal=delete: all commit\n");
  CHECK(probe.surprises().empty());
}

TEST_CASE("Connections of SQLite that share a cache read what is not committed") {
  PlayProbe probe("sqlite:", "read-uncommitted",
                  "A: [:append :x 1]\nB: [:r :x]\nA: rollback\nB: commit\n"
                  "expect G1a, not read-committed, read-uncommitted\nexpect none");
  // G1a proscribes read committed; and the last expectation is not met.
  CHECK(probe.surprises().find("none: G1a was found\n") != std::string::npos);
}

TEST_CASE("What rows were found stands in the history") {
  PlayProbe probe("sqlite:", "serializable",
                  "start [:insert 1 {:a 5}] [:insert 2 {:a 6}]\n"
                  "A: [:r 1]\nA: [:r 3]\nA: [:up [:in :a 5 6] {:b 7}]\nA: [:dp [:= :a 9]]\n"
                  "A: [:update 4 {:a 1}]\nA: [:delete 1]\nA: [:rp [:present :b]]\nA: commit\n");
  const Performance performance = probe.play();
  CHECK(probe.history(performance)
            .find("{:index 3, :type :ok, :process 0, :f :txn, :value [[:r 1 {:a 5 :b nil}] [:r 3 "
                  "nil] [:up [:in :a 5 6] {:b 7} #{1 2}] [:dp [:= :a 9] #{}] [:r 4 nil] [:delete "
                  "1] [:rp [:present :b] {2 {:a 6 :b 7}}]]}") != std::string::npos);
  CHECK(probe.history(performance).find(":f :init, :value {1 {:a 5} 2 {:a 6}}") !=
        std::string::npos);
}

TEST_CASE("Steps of several operations, and orders by their names") {
  PlayProbe probe("sqlite:", "serializable",
                  "start [:insert 1 {:a 5}]\n"
                  "A both: [:rp :true] [:insert 2 {:a 6}]\n"
                  "A wrong: [:insert 1 {:a 7}] [:insert 3 {:a 7}]\nA c: commit\nB r: [:rp "
                  ":true]\nB c2: commit\n"
                  "order both wrong c\norder r both c2 c\n"
                  "expect orders 1 fail, order 1 step wrong fails, order 2 step both succeeds, 1 "
                  "orders fail\n");
  CHECK(probe.surprises().empty());
  const Performance failing = probe.play(0);
  CHECK(failing.steps[1].answers.size() == 1);
  CHECK(failing.steps[3].kind == StepFate::Kind::kNotReached);
  CHECK(probe.history(failing).find(":process 1,") == std::string::npos);
  const std::string history = probe.history(probe.play(1));
  CHECK(history.find("[:rp :true {1 {:a 5}}] [:insert 2 {:a 6}]]") != std::string::npos);
}

TEST_CASE("What makes tables, and what one session begins with") {
  PlayProbe probe("sqlite:", "serializable",
                  "prepare sqlite: create unique index elapid_once on elapid_rows_0 (c_a)\n"
                  "set sqlite B: pragma query_only = on\n"
                  "A: [:insert 1 {:a 1}]\nA: commit\nB: [:insert 2 {:a 2}]\nB: commit\n"
                  "A: [:insert 3 {:a 1}]\nA: commit\n"
                  "expect step 1 succeeds, step 3 fails, step 5 fails conflict\n");
  CHECK(probe.surprises() == "");
}

TEST_CASE("RocksDB says who waits, and ends deadlocks") {
  if (!find_driver("rocksdb")) {
    return;  // the driver was not installed
  }
  PlayProbe probe("rocksdb:", "read-committed", kTwoWriters);
  const Performance performance = probe.play();
  CHECK(performance.steps[1].waited);
  CHECK(performance.steps[1].kind == StepFate::Kind::kDone);
  CHECK(performance.steps[3].returned < performance.steps[1].returned);
  CHECK(probe.history(performance).find("[[:r :x [1 2]]]") != std::string::npos);
  CHECK(probe.history(probe.play()) == probe.history(performance));
  PlayProbe deadlock("rocksdb:", "serializable",
                     "start [:w :x 7]\nA: [:r :x]\nB: [:w :y 2]\nA: [:w :y 3]\nB: [:r :x]\n"
                     "A: commit\nB: commit\n"
                     "expect step 3 waits, step 4 fails deadlock, step 5 succeeds, none");
  CHECK(deadlock.surprises() == "");
  CHECK(deadlock.history(deadlock.play()).find("[[:r :x 7] [:w :y 3]]") != std::string::npos);
  PlayProbe optimistic("rocksdb:?transactions=optimistic", "serializable",
                       "A: [:r :x]\nB: [:w :x 2]\nA: [:w :y 3]\nB: commit\nA: commit\n"
                       "expect step 2 succeeds, step 5 fails conflict, none");
  CHECK(optimistic.surprises() == "");
}

TEST_CASE("In Redis no session waits, and what is behind a write is not told in time") {
  if (!find_driver("redis") || redis_server().program().empty()) {
    return;  // neither driver nor server was installed
  }
  Result<PrivateServer> server = PrivateServer::start(redis_server(), {});
  REQUIRE(server.ok());
  PlayProbe skew(server.value().uri(), "serializable",
                 "start [:append :x 7]\nA: [:r :x]\nB: [:r :y]\nA: [:append :y 1]\n"
                 "B: [:append :x 2]\nA: commit\nB: commit\n"
                 "expect step 6 fails conflict, step 5 succeeds, none");
  CHECK(skew.surprises() == "");
  CHECK(skew.history(skew.play()).find("[[:r :x [7]] [:append :y 1]]") != std::string::npos);
  PlayProbe lost(server.value().uri(), "read-committed",
                 "start [:w :x 7]\nA: [:r :x]\nB: [:r :x]\nA: [:w :x 8]\nB: [:w :x 9]\n"
                 "A: commit\nB: commit\nC: [:w :x 10]\nC: rollback\nC: [:w :x 11]\nC: [:r :x]\n"
                 "expect lost-update, step 10 fails error, step 8 succeeds");
  CHECK(lost.surprises() == "");
}

TEST_CASE("PostgreSQL says who waits, and ends deadlocks") {
  if (!find_driver("postgres") || postgres_server().program().empty()) {
    return;  // neither driver nor server was installed
  }
  Result<PrivateServer> server = PrivateServer::start(postgres_server(), {});
  REQUIRE(server.ok());
  {
    PlayProbe probe(server.value().uri(), "read-committed", kTwoWriters);
    const Performance performance = probe.play();
    CHECK(performance.steps[1].waited);
    CHECK(performance.steps[1].kind == StepFate::Kind::kDone);
    CHECK(performance.steps[3].returned < performance.steps[1].returned);
  }
  PlayProbe deadlock(server.value().uri(), "read-committed",
                     "A: [:append :x 1]\nB: [:append :y 2]\nA: [:append :y 3]\n"
                     "B: [:append :x 4]\nA: commit\nB: commit\n"
                     "expect step 3 waits, step 4 fails deadlock, step 5 succeeds, none");
  CHECK(deadlock.surprises() == "");
  PlayProbe skew(server.value().uri(), "snapshot-isolation",
                 "A: [:r :x]\nB: [:r :y]\nA: [:append :y 1]\nB: [:append :x 2]\n"
                 "A: commit\nB: commit\n"
                 "expect G2-item, snapshot-isolation, not serializable, all commit\n");
  CHECK(skew.surprises() == "");
}

TEST_CASE("A database without SQL or steps refuses") {
  const Result<Scenario> rows = parse_scenario("f", "A: [:insert 1 {}]");
  const Result<const Driver*> exec = find_driver("exec");
  REQUIRE(exec.ok());
  CHECK(Stage::open(*exec.value(), {}, rows.value()).error().kind == ErrorKind::kUsage);
}

}  // namespace
}  // namespace elapid
