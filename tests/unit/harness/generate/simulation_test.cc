#include "harness/generate/simulation.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "harness/generate/to_history.h"
#include "harness/generate/workloads/transactions.h"

namespace elapid {
namespace {

/// All that an event says, as text.
std::string text(const PlainEvent& event) {
  std::string out = std::to_string(static_cast<int>(event.type)) + ' ' +
                    std::to_string(event.time) + ' ' + std::to_string(event.process);
  for (const PlainMop& mop : event.mops) {
    out += " | " + std::to_string(static_cast<int>(mop.kind)) + ' ' + std::to_string(mop.key) +
           ' ' + (mop.is_nil ? "nil" : std::to_string(mop.value));
    for (std::uint32_t i = 0; i < mop.list_length; ++i) {
      out += ' ' + std::to_string(event.elements[mop.list_begin + i]);
    }
  }
  return out + '\n';
}

std::string run(std::string_view store, std::uint64_t seed, SimulationOptions options = {}) {
  options.seed = seed;
  Simulation simulation(*find_store(store), {}, list_append_requests({}), options);
  std::string out;
  PlainEvent event;
  while (simulation.next(event)) {
    out += text(event);
  }
  return out;
}

TEST_CASE("simulation: the same seed gives the same events, another one others") {
  CHECK(run("causal", 5) == run("causal", 5));
  CHECK(run("causal", 5) != run("causal", 6));
}

TEST_CASE("simulation: processes alternate, end with what is indeterminate, and are replaced") {
  Simulation simulation(
      *find_store("read-uncommitted"), {}, rw_register_requests({}),
      {.seed = 3,
       .sessions = 4,
       .transactions = 2'000,
       .faults = {.aborts = 100'000, .indeterminate = 100'000, .crashes = 50'000}});
  std::map<std::int64_t, EventType> last;
  std::map<EventType, std::size_t> events;
  std::int64_t time = 0;
  std::size_t crashes = 0;
  PlainEvent event;
  while (simulation.next(event)) {
    CHECK(event.time - time >= kSmallestPause);
    time = event.time;
    const auto before = last.find(event.process);
    if (event.type == EventType::kInvoke) {
      CHECK((before == last.end() || before->second == EventType::kOk ||
             before->second == EventType::kFail));
    } else {
      REQUIRE(before != last.end());
      CHECK(before->second == EventType::kInvoke);
    }
    last[event.process] = event.type;
    ++events[event.type];
    crashes += event.is_silent ? 1 : 0;
  }
  const SimulationCounts& counts = simulation.counts();
  CHECK(counts.transactions == 2'000);
  CHECK(counts.committed == events[EventType::kOk]);
  CHECK(counts.aborted_by_store + counts.aborted_by_client == events[EventType::kFail]);
  CHECK(counts.committed + counts.aborted_by_store + counts.aborted_by_client +
            counts.indeterminate ==
        2'000);
  CHECK(events[EventType::kInfo] == counts.indeterminate);
  CHECK(crashes == Approx(100).margin(40));
  CHECK(counts.aborted_by_client == Approx(200).margin(60));
}

TEST_CASE("simulation: every process does its share, faster ones more") {
  std::map<std::int64_t, std::size_t> done;
  Simulation simulation(*find_store("strict-serializable"), {}, list_append_requests({}),
                        {.seed = 1, .sessions = 8, .transactions = 4'000, .pace_percent = 400});
  PlainEvent event;
  while (simulation.next(event)) {
    done[event.process] += event.type == EventType::kInvoke ? 1 : 0;
  }
  CHECK(done.size() == 8);
  std::size_t least = 4'000;
  std::size_t most = 0;
  for (const auto& [process, count] : done) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
  CHECK(least > 100);
  CHECK(most > 2 * least);
}

TEST_CASE("simulation: it ends after so many operations") {
  Simulation simulation(*find_store("prefix"), {}, list_append_requests({}),
                        {.seed = 1, .transactions = 1'000'000, .operations = 500});
  PlainEvent event;
  while (simulation.next(event)) {
  }
  CHECK(simulation.counts().operations >= 500);
  CHECK(simulation.counts().operations < 504);
}

TEST_CASE("simulation: a first transaction loads, and final reads see everything") {
  Simulation simulation(*find_store("snapshot-isolation"), {},
                        rw_register_requests({.keys = 3, .max_writes = 0, .loads = true}),
                        {.seed = 1, .sessions = 2, .loads = true, .final_reads = true});
  PlainEvent event;
  REQUIRE(simulation.next(event));
  CHECK(event.process == 2);
  CHECK(event.mops.size() == 3);
  REQUIRE(simulation.next(event));
  CHECK(event.type == EventType::kOk);
  std::map<std::int64_t, std::int64_t> newest;
  std::set<std::int64_t> read_last;
  while (simulation.next(event)) {
    for (const PlainMop& mop : event.mops) {
      CHECK((event.type != EventType::kOk || !mop.is_nil));
      if (event.type == EventType::kOk && mop.kind == OpKind::kWrite) {
        newest[mop.key] = mop.value;
        read_last.clear();
      } else if (event.type == EventType::kOk && mop.value == newest[mop.key]) {
        read_last.insert(mop.key);
      }
    }
  }
  CHECK(read_last.size() == 3);
}

TEST_CASE("simulation: retries hide conflicts") {
  Simulation simulation(*find_store("snapshot-isolation"), {},
                        mini_requests({.keys = 3, .max_writes = 0}),
                        {.seed = 1, .retries = 1'000'000});
  PlainEvent event;
  while (simulation.next(event)) {
    CHECK(event.type != EventType::kFail);
  }
  CHECK(simulation.counts().retried > 100);
  CHECK(simulation.counts().committed == 1'000);
}

TEST_CASE("simulation: mini-transactions read what they write, and no more than two keys") {
  Simulation simulation(*find_store("strict-serializable"), {}, mini_requests({}), {.seed = 2});
  PlainEvent event;
  std::set<std::size_t> sizes;
  while (simulation.next(event)) {
    std::set<std::int64_t> reads;
    std::set<std::int64_t> writes;
    for (const PlainMop& mop : event.mops) {
      const bool is_new = (mop.kind == OpKind::kRead ? reads : writes).insert(mop.key).second;
      CHECK(is_new);
      CHECK((mop.kind == OpKind::kRead || reads.contains(mop.key)));
    }
    CHECK(reads.size() >= 1);
    CHECK(reads.size() <= 2);
    sizes.insert(event.mops.size());
  }
  CHECK(sizes == std::set<std::size_t>{1, 2, 3, 4});
}

TEST_CASE("simulation: blind writers read nothing") {
  Simulation simulation(*find_store("strict-serializable"), {},
                        blind_write_requests({.keys = 100, .min_length = 8, .max_length = 8}),
                        {.seed = 2});
  PlainEvent event;
  while (simulation.next(event)) {
    std::set<std::int64_t> keys;
    std::set<OpKind> kinds;
    for (const PlainMop& mop : event.mops) {
      keys.insert(mop.key);
      kinds.insert(mop.kind);
    }
    CHECK(keys.size() == 8);
    CHECK(kinds.size() == 1);
  }
  CHECK(simulation.counts().aborted_by_store == 0);
}

TEST_CASE("simulation: a history with timestamps has whole transactions") {
  Simulation simulation(*find_store("snapshot-isolation"), {}, rw_register_requests({}),
                        {.seed = 2, .transactions = 50});
  const Result<History> history = to_history(simulation, true);
  REQUIRE(history.ok());
  CHECK(history.value().txn_count() == 50);
  CHECK(history.value().info().is_session_trace);
  CHECK(history.value().commit_timestamp({0}).has_value());
}

}  // namespace
}  // namespace elapid
