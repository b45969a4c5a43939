#include "harness/drive/drive.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <mutex>
#include <new>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/generate.h"
#include "harness/process/scratch_folder.h"
#include "parsers/jepsen/edn_event.h"
#include "parsers/read.h"

using namespace elapid;

namespace {

/// While true, each read of the wall clock is an hour ahead or an hour behind.
std::atomic<bool> wall_clock_jumps = false;

}  // namespace

/// Takes the place of the C library's.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  static std::atomic<unsigned> looks = 0;
  const auto outcome = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME && wall_clock_jumps) {
    time->tv_sec += looks++ % 2 == 0 ? 3600 : -3600;
  }
  return outcome;
}

namespace {

/// What a test wants to become of the n-th transaction, from 0, of all connections.
using Script = std::function<TxnOutcome(std::uint64_t n)>;

/// A database in memory, of lists or of registers, one transaction at a time, that follows a
/// script.
class ScriptedDatabase : public Database {
 public:
  explicit ScriptedDatabase(Script script) : script_(std::move(script)) {}

  Result<std::unique_ptr<Connection>> connect(std::size_t /*session*/) override {
    if (throws_after && connects++ >= *throws_after) {
      throw std::bad_alloc();
    }
    if (refuses_after && connects++ >= *refuses_after) {
      return Error{.kind = ErrorKind::kUnreadable, .message = "no server is there"};
    }
    return std::unique_ptr<Connection>(std::make_unique<ScriptedConnection>(*this));
  }

  std::vector<DatabaseFact> facts() override { return {}; }

  bool has_registers = false;
  std::optional<std::uint64_t> refuses_after = {};
  std::optional<std::uint64_t> throws_after = {};
  std::atomic<std::uint64_t> connects = 0;

 private:
  class ScriptedConnection : public Connection {
   public:
    explicit ScriptedConnection(ScriptedDatabase& database) : database_(database) {}

    TxnOutcome run(DriverTxn& txn) override {
      const std::unique_lock lock(database_.mutex_);
      const TxnOutcome outcome = database_.script_(database_.attempts_++);
      if (outcome.fate == TxnFate::kAborted) {
        return outcome;
      }
      for (std::size_t i = 0; i < txn.size(); ++i) {
        const RequestStep& step = txn.step(i);
        if (database_.has_registers) {
          auto& seen = database_.registers_[step.key];
          if (step.kind == OpKind::kWrite) {
            seen = step.value;
          } else if (!txn.saw(i, seen)) {
            return given_up();
          }
          continue;
        }
        std::vector<std::int64_t>& list = database_.lists_[step.key];
        if (step.kind == OpKind::kAppend) {
          list.push_back(step.value);
        } else {
          txn.saw_list(i, list);
        }
      }
      return outcome;
    }

   private:
    ScriptedDatabase& database_;
  };

  Script script_;
  std::mutex mutex_ = {};
  std::uint64_t attempts_ = 0;
  std::map<std::int64_t, std::vector<std::int64_t>> lists_ = {};
  std::map<std::int64_t, Seen> registers_ = {};
};

struct DrivenRun {
  DriveCounts counts = {};
  std::string error = {};
  std::vector<std::string> lines = {};
  std::string path = {};
  std::unique_ptr<ScratchFolder> folder = {};
};

DrivenRun driven(ScriptedDatabase& database, const DriveOptions& options,
                 const FeedLimits& limits = {.transactions = 500}, const Recipe& recipe = {}) {
  DrivenRun run;
  Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  run.folder = std::make_unique<ScratchFolder>(std::move(folder).value());
  run.path = run.folder->path() + "/history.edn";
  Result<std::unique_ptr<RequestSource>> source = make_requests(recipe);
  REQUIRE(source.ok());
  RequestFeed feed(std::move(source).value(), 1, limits);
  {
    std::vector<RecordedFile> files;
    files.push_back({GrowingFile::create(run.path).value(), make_edn_event_writer({})});
    Recorder recorder(std::move(files), options.sessions + (options.nemesis != nullptr ? 1 : 0));
    const Result<DriveCounts> counts = drive(database, feed, recorder, options);
    run.error = counts ? "" : counts.error().message;
    run.counts = counts ? counts.value() : DriveCounts();
    CHECK(recorder.finish().ok());
  }
  std::ifstream in(run.path);
  for (std::string line; std::getline(in, line);) {
    run.lines.push_back(line);
  }
  return run;
}

TxnOutcome always_commits(std::uint64_t /*n*/) {
  return {};
}

std::size_t lines_with(const DrivenRun& run, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      run.lines, [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

/// Of each line, in nanoseconds since the run began.
std::vector<std::int64_t> times_of(const DrivenRun& run) {
  std::vector<std::int64_t> times;
  for (const std::string& line : run.lines) {
    times.push_back(std::stoll(line.substr(line.find(":time ") + 6)));
  }
  return times;
}

}  // namespace

TEST_CASE("A run records each transaction twice, in one order, and every reader reads it") {
  ScriptedDatabase database(always_commits);
  const DrivenRun run = driven(database, {.sessions = 4});
  CHECK(run.error.empty());
  CHECK(run.counts.transactions == 510);  // and ten reads in the end
  CHECK(run.counts.committed == 510);
  REQUIRE(run.lines.size() == 1'020);
  for (std::size_t n = 0; n < run.lines.size(); ++n) {
    CHECK(run.lines[n].starts_with("{:index " + std::to_string(n) + ", :time "));
  }
  CHECK(std::ranges::is_sorted(times_of(run)));
  const Result<LoadedHistory> history = read_history(run.path, ReadOptions());
  REQUIRE(history.ok());
  CHECK(history.value().history().txn_count() == 510);
}

TEST_CASE("An indeterminate transaction ends its process") {
  ScriptedDatabase database([](std::uint64_t n) {
    return n % 10 == 9 ? TxnOutcome{.fate = TxnFate::kIndeterminate,
                                    .error = TxnError::kConnection,
                                    .message = "the \"line\" was cut",
                                    .is_unusable = true}
                       : TxnOutcome();
  });
  const DrivenRun run = driven(database, {.sessions = 3, .final_reads = false});
  CHECK(run.counts.indeterminate == 50);
  CHECK(run.counts.errors[static_cast<std::size_t>(TxnError::kConnection)] == 50);
  CHECK(lines_with(run, R"(:error [:connection-lost "the \"line\" was cut"]})") == 50);
  // A session that goes on has a new connection.
  CHECK(run.counts.reconnects <= 50);
  CHECK(run.counts.reconnects >= 47);
  const Result<LoadedHistory> history = read_history(run.path, ReadOptions());
  REQUIRE(history.ok());
  CHECK(history.value().history().session_count() >= 50);
}

TEST_CASE("Polls of kafka at the end that are indeterminate are repeated, and lose no message") {
  for (const bool ends_all : {false, true}) {
    ScriptedDatabase database([&](std::uint64_t n) {  // 60 operations, two assignments, and polls
      return n == 62 || (n > 62 && ends_all)
                 ? TxnOutcome{.fate = TxnFate::kIndeterminate, .error = TxnError::kTimeout}
                 : TxnOutcome();
    });
    database.has_registers = true;
    const DrivenRun run = driven(database, {.sessions = 1}, {.transactions = 60},
                                 {.workload = "kafka", .requests = {.keys = 2}});
    CHECK(run.counts.has_read_all == !ends_all);
    CHECK(lines_with(run, ":type :info, :process 0, :f :poll, :value [[:poll]]") == 1);
    CHECK((lines_with(run, ":type :ok, :process 1, :f :poll") > 0) == !ends_all);
    ReadOptions options;
    options.workload = find_workload("kafka");
    const Result<LoadedHistory> history = read_history(run.path, options);
    REQUIRE(history.ok());
    const Verdict verdict = check(history.value().history(), {}).value();
    CHECK(verdict.findings.size() == (ends_all ? 1 : 0));
    // The command run says unknown, since not all was polled.
    CHECK(std::ranges::all_of(verdict.findings,
                              [](const Description& each) { return each.name == "unseen"; }));
  }
}

TEST_CASE("What the database has aborted is tried again only if that is wanted") {
  const auto aborts_first = [](std::uint64_t n) {
    return n % 2 == 0 ? TxnOutcome{.fate = TxnFate::kAborted, .error = TxnError::kDeadlock}
                      : TxnOutcome();
  };
  ScriptedDatabase database(aborts_first);
  const DrivenRun once = driven(database, {.sessions = 1, .final_reads = false});
  CHECK(once.counts.aborted == 250);
  CHECK(once.counts.retried == 0);
  CHECK(lines_with(once, ":type :fail") == 250);
  CHECK(lines_with(once, ", :error :deadlock}") == 250);
  ScriptedDatabase patient(aborts_first);
  const DrivenRun again = driven(patient, {.sessions = 1, .retries = 1, .final_reads = false});
  CHECK(again.counts.aborted == 0);
  CHECK(again.counts.retried == 500);
  CHECK(lines_with(again, ":type :ok") == 500);
}

TEST_CASE("A final read that aborts is made again") {
  ScriptedDatabase database([](std::uint64_t n) {
    return n >= 500 && n % 3 != 0 ? TxnOutcome{.fate = TxnFate::kAborted, .error = TxnError::kBusy}
                                  : TxnOutcome();
  });
  const DrivenRun run = driven(database, {.sessions = 2});
  CHECK(run.counts.transactions - run.counts.aborted == 510);
}

TEST_CASE("A database that takes no connection ends the run, and the record stays") {
  ScriptedDatabase closed(always_commits);
  closed.refuses_after = 0;
  CHECK(driven(closed, {.sessions = 2}).error == "no server is there");
  ScriptedDatabase fragile([](std::uint64_t n) {
    return n == 20 ? TxnOutcome{.fate = TxnFate::kAborted,
                                .error = TxnError::kConnection,
                                .is_unusable = true}
                   : TxnOutcome();
  });
  fragile.refuses_after = 1;
  const DrivenRun run = driven(fragile, {.sessions = 1, .reconnect = std::chrono::milliseconds(1)});
  CHECK(run.error == "no server is there");
  CHECK(run.lines.size() == 42);
}

TEST_CASE("What is thrown in a session's thread ends the run, and the record stays") {
  ScriptedDatabase database([](std::uint64_t n) {
    return n == 20 ? TxnOutcome{.fate = TxnFate::kAborted,
                                .error = TxnError::kConnection,
                                .is_unusable = true}
                   : TxnOutcome();
  });
  database.throws_after = 3;
  const DrivenRun run = driven(database, {.sessions = 3}, {.transactions = 1'000'000});
  CHECK(run.error == "memory ran out");
  CHECK(run.lines.size() >= 42);
}

/// Throws at the n-th event.
class ThrowingWriter final : public PlainEventWriter {
 public:
  explicit ThrowingWriter(int event) : left_(event) {}

  [[nodiscard]] std::string_view write(const PlainEvent& /*event*/) override {
    if (left_-- == 0) {
      throw std::bad_alloc();
    }
    return "event\n";
  }

 private:
  int left_;
};

TEST_CASE("What is thrown while a record is written ends the run") {
  Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  std::vector<RecordedFile> files;
  files.push_back({GrowingFile::create(folder.value().path() + "/history.edn").value(),
                   std::make_unique<ThrowingWriter>(40)});
  Recorder recorder(std::move(files), 2);
  ScriptedDatabase database(always_commits);
  RequestFeed feed(make_requests({}).value(), 1, {.transactions = 100'000'000});
  CHECK(drive(database, feed, recorder, {.sessions = 2}).ok());
  CHECK(recorder.has_failed());
  const Status finished = recorder.finish();
  REQUIRE_FALSE(finished.ok());
  CHECK(finished.error().message == "memory ran out");
}

TEST_CASE("What a fault throws ends the run") {
  std::vector<FaultKind> faults = {
      {.name = "kill", .done = "killed", .hurt = []() -> Status { throw std::bad_alloc(); }}};
  FaultInjector nemesis(std::move(faults), {.interval = std::chrono::milliseconds(1)});
  ScriptedDatabase database(always_commits);
  const DrivenRun run =
      driven(database, {.sessions = 1, .nemesis = &nemesis}, {.transactions = 100'000'000});
  CHECK(run.error == "memory ran out");
  CHECK(nemesis.has_failed());
}

TEST_CASE("A driver that throws makes a transaction indeterminate") {
  ScriptedDatabase database([](std::uint64_t n) -> TxnOutcome {
    if (n == 7) {
      throw std::runtime_error("out of luck");
    }
    return {};
  });
  const DrivenRun run = driven(database, {.sessions = 2});
  CHECK(lines_with(run, R"(:error [:error "the driver failed: out of luck"])") == 1);
  CHECK(run.counts.indeterminate == 1);
}

TEST_CASE("A run ends when it is told to") {
  ScriptedDatabase database(always_commits);
  std::atomic<int> asked = 0;
  const DrivenRun run = driven(
      database, {.sessions = 2, .rate = 100'000, .should_stop = [&] { return ++asked > 1; }}, {});
  CHECK(run.error.empty());
  CHECK(run.counts.transactions > 0);
  CHECK(run.lines.size() == 2 * run.counts.transactions);
}

TEST_CASE("A run ends when its time is up") {
  ScriptedDatabase database(always_commits);
  const DrivenRun run = driven(database,
                               {.sessions = 2,
                                .time = std::chrono::milliseconds(5),
                                .think = std::chrono::microseconds(100)},
                               {});
  CHECK(run.error.empty());
  CHECK(run.lines.size() == 2 * run.counts.transactions);
}

TEST_CASE("A wall clock that jumps while a run goes on changes neither its times nor its end") {
  constexpr auto kHour = std::chrono::hours(1);
  ScriptedDatabase database(always_commits);
  wall_clock_jumps = true;
  const auto first_look = std::chrono::system_clock::now();
  const auto second_look = std::chrono::system_clock::now();
  const DrivenRun run =
      driven(database, {.sessions = 2, .time = std::chrono::milliseconds(5), .rate = 10'000}, {});
  wall_clock_jumps = false;
  REQUIRE(std::chrono::abs(second_look - first_look) > kHour);
  CHECK(run.error.empty());
  const std::vector<std::int64_t> times = times_of(run);
  REQUIRE_FALSE(times.empty());
  CHECK(std::ranges::is_sorted(times));
  CHECK(times.front() >= 0);
  CHECK(times.back() < std::chrono::nanoseconds(kHour).count());
  CHECK(run.counts.seconds < kHour);
}

TEST_CASE(
    "Faults come in rounds, are healed before the final reads, and are told as Jepsen tells") {
  ScriptedDatabase database(always_commits);
  std::atomic<int> hurt = 0;
  std::atomic<int> healed = 0;
  const auto count = [](std::atomic<int>& what) {
    return [&what] {
      ++what;
      return Status();
    };
  };
  FaultInjector nemesis({{"kill", "killed", count(hurt), "start", "started", count(healed)},
                         {.name = "restart", .done = "restarted", .hurt = count(hurt)}},
                        {.interval = std::chrono::milliseconds(2), .seed = 3});
  const DrivenRun run = driven(
      database, {.sessions = 2, .should_stop = [&] { return hurt >= 7; }, .nemesis = &nemesis}, {});
  CHECK(run.error.empty());
  const std::uint64_t kills = nemesis.counts()[0];
  const std::uint64_t restarts = nemesis.counts()[1];
  CHECK(kills + restarts == static_cast<std::uint64_t>(hurt));
  CHECK(std::max(kills, restarts) - std::min(kills, restarts) <= 1);
  CHECK(static_cast<std::uint64_t>(healed) == kills);
  CHECK(lines_with(run, ":type :info, :process :nemesis, :f :kill, :value nil}") == kills);
  CHECK(lines_with(run, ":type :info, :process :nemesis, :f :kill, :value :killed}") == kills);
  CHECK(lines_with(run, ":process :nemesis, :f :start, :value :started}") == kills);
  CHECK(lines_with(run, ":process :nemesis, :f :restart, :value :restarted}") == restarts);
  CHECK(run.lines.back().find(":nemesis") == std::string::npos);
  const Result<LoadedHistory> history = read_history(run.path, ReadOptions());
  REQUIRE(history.ok());
  CHECK(history.value().history().txn_count() == run.counts.transactions);
}

TEST_CASE("A fault that cannot be healed ends the run, and its record is whole") {
  ScriptedDatabase database(always_commits);
  const auto done = [] { return Status(); };
  const auto failed = [] {
    return Status(Error{.kind = ErrorKind::kInternal, .message = "it does not come up"});
  };
  FaultInjector nemesis({{"kill", "killed", done, "start", "started", failed}},
                        {.interval = std::chrono::milliseconds(2)});
  const DrivenRun run = driven(database, {.sessions = 2, .nemesis = &nemesis}, {});
  CHECK(run.error == "it does not come up");
  CHECK(lines_with(run, ":f :start, :value nil, :error [:failed \"it does not come up\"]}") == 1);
  CHECK(read_history(run.path, ReadOptions()).ok());
}
