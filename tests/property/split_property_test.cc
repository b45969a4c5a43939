// A check in partitions says what a check in memory says: verdict, anomalies, evidence and counts,
// byte for byte, whatever the partitions, the pieces and the ranks. Larger counts:
// ELAPID_PROPERTY_CASES.
#include <array>
#include <catch2/catch.hpp>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/elle/explanation.h"
#include "adapter/elle/result_map.h"
#include "engine/workloads/table.h"
#include "harness/generate/simulation.h"
#include "harness/generate/to_history.h"
#include "harness/generate/workloads/transactions.h"
#include "harness/inject/injector.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"
#include "parsers/partitions/keyed_lines.h"
#include "parsers/partitions/pieces.h"
#include "parsers/partitions/split_check.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/property/for_all.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thread_peers.h"

namespace elapid {
namespace {

constexpr std::uint64_t kFirstSeed = 77'000'000'000;

constexpr std::array kSplitLevels = {Model::kPlSs,
                                     Model::kPl3,
                                     Model::kPlSi,
                                     Model::kStrongSnapshotIsolation,
                                     Model::kPl2,
                                     Model::kPl1,
                                     Model::kReadAtomic,
                                     Model::kRa,
                                     Model::kRc,
                                     Model::kMonotonicAtomicView,
                                     Model::kReadYourWrites};

/// Each history is asked about some of them.
constexpr std::size_t kLevelsOfCase = 5;

struct Shape {
  unsigned partitions = 1;
  std::uint64_t piece_bytes = 1;
  unsigned ranks = 1;
};

constexpr std::array kShapes = {Shape{3, 150},    Shape{1, 1'000'000},    Shape{7, 1},
                                Shape{2, 400},    Shape{1, 1'000'000, 2}, Shape{2, 900, 3},
                                Shape{1, 400, 8}, Shape{3, 500, 2}};

CheckOptions options_at(Model level) {
  return {.models = {level}};
}

/// The whole output, with the parts that are read again from the input.
std::string told(LoadedHistory& loaded, const Verdict& verdict) {
  return result_map(loaded.history(), verdict, Syntax::kEdn, event_fields(loaded)) + "\n" +
         explanation(loaded.history(), verdict, {});
}

bool is_inferred(const Verdict& verdict) {
  return verdict.engine == "elle" && verdict.levels.empty();
}

/// Whether unknown is right in partitions: which of several longest lists is right at read
/// uncommitted may depend on all keys.
bool may_need_whole(Model level, const History& history) {
  return level == Model::kPl1 &&
         !row_of(Workload::kListAppend).infer(history, {}, [] { return true; }).tied.empty();
}

/// Throws as if the memory did not suffice, the first times.
class ScarceMemory {
 public:
  explicit ScarceMemory(unsigned failures) : failures_(failures) {}

  Result<Verdict> check(const LoadedHistory& part, Model level) {
    if (failures_ > 0) {
      --failures_;
      throw std::bad_alloc();
    }
    return check_history(part.history(), options_at(level));
  }

 private:
  unsigned failures_;
};

/// Says what is wrong with the verdict if only a part of the evidence fits into memory.
std::string differs_in_part(const std::string& edn, Model level, unsigned failures, Tally& tally) {
  Result<LoadedHistory> whole = read_history(memory_source("h.edn", edn), ReadOptions());
  if (!whole) {
    return "";
  }
  const Result<Verdict> expected = check_history(whole.value().history(), options_at(level));
  REQUIRE(expected);
  ScarceMemory memory(failures);
  const auto outcome = check_in_partitions(
      memory_source("h.edn", edn),
      {.scatter = {.piece_bytes = 150},
       .partitions = 3,
       .demand = demand_of({level}),
       .check = [&](const LoadedHistory& part) { return memory.check(part, level); }});
  if (!outcome || std::holds_alternative<NotSplit>(outcome.value())) {
    return "";
  }
  const Validity found = std::get<SplitVerdict>(outcome.value()).verdict.validity;
  tally.valid += found == Validity::kValid ? 1 : 0;
  tally.invalid += found == Validity::kInvalid ? 1 : 0;
  return found == expected.value().validity || found == Validity::kUnknown
             ? ""
             : "another verdict than that in memory";
}

/// The difference to the answer in memory. Unknown is right if the whole history is needed.
std::string differs(const std::string& edn, Model level, Shape shape, Tally& tally) {
  Result<LoadedHistory> whole = read_history(memory_source("h.edn", edn), ReadOptions());
  if (!whole) {
    return "";
  }
  const Result<Verdict> expected = check_history(whole.value().history(), options_at(level));
  REQUIRE(expected);
  auto outcome = on_ranks(shape.ranks, [&](Peers& peers) {
    return check_in_partitions(memory_source("h.edn", edn),
                               {.scatter = {.piece_bytes = shape.piece_bytes},
                                .partitions = shape.partitions,
                                .demand = demand_of({level}),
                                .peers = &peers,
                                .check = [&](const LoadedHistory& part) {
                                  return check_history(part.history(), options_at(level));
                                }});
  });
  if (!outcome) {
    return outcome.error().to_string();
  }
  if (std::holds_alternative<NotSplit>(outcome.value())) {
    ++tally.complete;
    return "";
  }
  auto& [part, verdict] = std::get<SplitVerdict>(outcome.value());
  tally.valid += verdict.validity == Validity::kValid ? 1 : 0;
  tally.invalid += verdict.validity == Validity::kInvalid ? 1 : 0;
  if (!is_inferred(expected.value()) ||
      (verdict.validity == Validity::kUnknown && may_need_whole(level, whole.value().history()))) {
    const bool agrees =
        verdict.validity == expected.value().validity || verdict.validity == Validity::kUnknown;
    return agrees ? "" : "another verdict than the search in memory gives";
  }
  const std::string in_memory = told(whole.value(), expected.value());
  const std::string in_parts = told(part, verdict);
  return in_memory == in_parts ? "" : "in memory:\n" + in_memory + "\nin partitions:\n" + in_parts;
}

void run(Variety variety, std::uint64_t seed, std::size_t rarest) {
  const Tally tally = for_both_answers(
      {.variety = variety, .cases = case_count(200)}, seed,
      [](const TinyHistory& history, Tally& of_case) {
        const std::string edn = to_edn(history);
        for (std::size_t i = 0; i < kLevelsOfCase; ++i) {
          const Model level = kSplitLevels.at((edn.size() + 2 * i) % kSplitLevels.size());
          const Shape shape = kShapes.at((edn.size() + i) % kShapes.size());
          if (std::string wrong = differs(edn, level, shape, of_case); !wrong.empty()) {
            return std::string(friendly_name(level)) + ": " + wrong;
          }
        }
        return std::string();
      },
      rarest);
  INFO(tally.valid << " valid, " << tally.invalid << " invalid, not split " << tally.complete);
  CHECK(tally.complete < tally.valid + tally.invalid);
}

TEST_CASE("split: small random histories", "[property]") {
  run(Variety::kDistinct, kFirstSeed, 10);
}

TEST_CASE("split: elements that repeat", "[property]") {
  run(Variety::kRepeating, kFirstSeed + 1'000'000, 50);
}

TEST_CASE("split: larger random histories", "[property]") {
  run(Variety::kLarge, kFirstSeed + 2'000'000, 100);
}

TEST_CASE("split: corners", "[property]") {
  run(Variety::kCorners, kFirstSeed + 3'000'000, 50);
}

TEST_CASE("split: only a part of the evidence fits into memory", "[property]") {
  Tally tally;
  for_all_histories(
      {.variety = Variety::kDistinct, .cases = case_count(200)}, kFirstSeed + 4'000'000,
      [&tally](const TinyHistory& history) {
        const std::string edn = to_edn(history);
        for (std::size_t i = 0; i < kLevelsOfCase; ++i) {
          const Model level = kSplitLevels.at((edn.size() + 2 * i) % kSplitLevels.size());
          const auto failures = static_cast<unsigned>(1 + edn.size() % 2);
          if (std::string wrong = differs_in_part(edn, level, failures, tally); !wrong.empty()) {
            return std::string(friendly_name(level)) + ": " + wrong;
          }
        }
        return std::string();
      });
  CHECK(tally.invalid > 0);
}

/// The first transaction is in every part.
constexpr std::string_view kFirst =
    "{:type :invoke, :process 9, :f :txn, :value [[:append :q 1]]}\n"
    "{:type :ok, :process 9, :f :txn, :value [[:append :q 1]]}\n";

TEST_CASE("split: an anomaly that does not fit into memory is not forgotten for a smaller one") {
  // G1b at :g by a reader of two keys, and an internal anomaly of one transaction at :z.
  const std::string edn =
      std::string(kFirst) +
      "{:type :invoke, :process 0, :f :txn, :value [[:append :g 1] [:append :g 2]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:append :g 1] [:append :g 2]]}\n"
      "{:type :invoke, :process 0, :f :txn, :value [[:r :g nil]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:r :g [1]]]}\n"
      "{:type :invoke, :process 0, :f :txn, :value [[:append :z 1] [:r :z nil]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:append :z 1] [:r :z []]]}\n"
      "{:type :invoke, :process 0, :f :txn, :value [[:r :z nil]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:r :z [1]]]}\n";
  for (const unsigned partitions : {3U, 9U, 30U}) {  // the keys may lie together
    ScarceMemory memory(1);
    const auto outcome = check_in_partitions(
        memory_source("h.edn", edn),
        {.scatter = {.piece_bytes = 150},
         .partitions = partitions,
         .demand = Demand::kCommitted,
         .check = [&](const LoadedHistory& part) { return memory.check(part, Model::kPl2); }});
    REQUIRE(outcome);
    CHECK(std::get<SplitVerdict>(outcome.value()).verdict.validity != Validity::kValid);
  }
}

TEST_CASE("split: which of two longest lists is right may depend on other keys") {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTransactions = {
      {{"[:append :x 2] [:append :y 10] [:append :z 20]", ""},
       {"[:append :x 1] [:append :y 11]", ""},
       {"[:append :x 3] [:append :z 21]", ""},
       {"[:r :x nil]", "[:r :x [1 2 3]]"},
       {"[:r :x nil]", "[:r :x [3 2 1]]"},
       {"[:r :y nil] [:r :z nil]", "[:r :y [10 11]] [:r :z [20 21]]"}}};
  std::string invoked(kFirst);
  std::string completed;
  for (std::size_t i = 0; i < kTransactions.size(); ++i) {
    const auto& [asked, answered] = kTransactions.at(i);
    const std::string process = ", :process " + std::to_string(i);
    invoked += "{:type :invoke" + process + ", :f :txn, :value [" + std::string(asked) + "]}\n";
    completed += "{:type :ok" + process + ", :f :txn, :value [" +
                 std::string(answered.empty() ? asked : answered) + "]}\n";
  }
  Tally tally;
  CHECK(differs_in_part(invoked + completed, Model::kPl1, 0, tally) == "");
}

/// A simulated database with all kinds of faults, and the anomaly three times in it, as EDN.
std::string with_injections(std::string_view name, std::uint64_t seed) {
  Injectable wanted = parse_injections(name, Workload::kListAppend).value().front();
  wanted.count = 3;
  constexpr std::uint64_t kTransactions = 60;
  Simulation simulation(*find_store("strict-serializable"), {},
                        list_append_requests({.keys = 4, .max_writes = 12}),
                        {.seed = seed,
                         .sessions = 4,
                         .transactions = kTransactions,
                         .faults = {.aborts = 50'000, .indeterminate = 80'000, .crashes = 20'000}});
  Injector injector(simulation, {wanted}, {.seed = seed, .events = 2 * kTransactions});
  const Result<History> history = to_history(injector);
  REQUIRE(history.ok());
  const TemporaryFile file({}, "split.edn");
  const Result<ConversionReport> written =
      write_history(history.value(), Workload::kListAppend, file.path(),
                    {.target = find_target(*find_format("edn")), .policy = LossPolicy::kAny});
  REQUIRE(written.ok());
  return content_of(file.path());
}

TEST_CASE("split: every injected anomaly", "[property]") {
  const std::size_t rounds = round_count(1, 20);
  std::uint64_t seed = first_seed_of_cases();
  Tally tally;
  for (const std::string_view injected : injectable_names(Workload::kListAppend)) {
    for (std::size_t round = 0; round < rounds; ++round) {
      const std::string edn = with_injections(injected, ++seed);
      for (std::size_t i = 0; i < kLevelsOfCase; ++i) {
        const Model level = kSplitLevels.at((seed + 2 * i) % kSplitLevels.size());
        INFO(injected << ", seed " << seed << ", " << friendly_name(level));
        const Shape shape = {static_cast<unsigned>(1 + (seed + i) % 5), 200 + 700 * (i % 3),
                             static_cast<unsigned>(1 + seed % 3)};
        CHECK(differs(edn, level, shape, tally) == "");
      }
    }
  }
  CHECK(tally.invalid > 0);
  CHECK(tally.valid > 0);
}

/// Registers of jepsen.independent that clients read and write: now and then a read shows an old
/// value, an answer is missing, and a nemesis acts.
std::string keyed_registers(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  const std::uint64_t keys = 1 + below(6);
  std::vector<std::vector<std::uint64_t>> written(keys, {0});
  std::vector<std::string> answers(4);  // of those open, by client
  std::vector<std::uint64_t> processes = {0, 1, 2, 3};
  std::string edn;
  for (std::uint64_t step = 0; step < 20 + below(60); ++step) {
    const std::uint64_t client = below(processes.size());
    const std::string process = ":process " + std::to_string(processes[client]);
    if (below(15) == 0) {
      edn += "{:type :info, :process :nemesis, :f :kill, :value \"n1\"}\n";
    } else if (!answers[client].empty()) {
      const bool is_lost = below(8) == 0;
      if (is_lost && seed % 3 == 0) {  // it does not repeat its key
        answers[client].resize(answers[client].find(", :value"));
      }
      edn += is_lost ? "{:type :info, " + process + ", " + answers[client] + "}\n"
                     : "{:type :ok, " + process + ", " + answers[client] + "}\n";
      processes[client] += is_lost ? 4 : 0;
      answers[client].clear();
    } else {
      const std::uint64_t key = below(keys);
      std::vector<std::uint64_t>& values = written[key];
      const std::string of_key = "[" + std::to_string(key) + " ";
      if (edn.empty() || below(2) == 0) {
        edn += "{:type :invoke, " + process + ", :f :read, :value " + of_key + "nil]}\n";
        const std::uint64_t shown = below(10) == 0 ? below(values.size()) : values.size() - 1;
        answers[client] = ":f :read, :value " + of_key +
                          (shown == 0 ? "nil" : std::to_string(values[shown])) + "]";
      } else {
        values.push_back(values.size());
        answers[client] = ":f :write, :value " + of_key + std::to_string(values.back()) + "]";
        edn += "{:type :invoke, " + process + ", " + answers[client] + "}\n";
      }
    }
    edn += below(20) == 0 ? "\n" : "";
  }
  return edn;
}

/// All that is said of all keys.
std::string told_of_keys(const std::string& path, const Scratch& scratch, Tally& tally,
                         const ReadOptions& read = {}) {
  auto checked = check_input(path, {.read = read, .limits = {.scratch = scratch}});
  if (!checked) {
    return checked.error().to_string();
  }
  std::string all;
  for (CheckedHistory& key : checked.value()) {
    all += label_of(path, key.loaded) + "\n" + told(key.loaded, key.verdict);
    for (const std::string& assumption : key.loaded.history().info().assumptions) {
      all += assumption + "\n";
    }
    tally.valid += key.verdict.validity == Validity::kValid ? 1 : 0;
    tally.invalid += key.verdict.validity == Validity::kInvalid ? 1 : 0;
  }
  return all;
}

TEST_CASE("split: histories of keys", "[property]") {
  Tally tally;
  std::uint64_t split = 0;
  const std::uint64_t cases = case_count(200);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string edn = keyed_registers(seed);
    const TemporaryFile file(edn);
    INFO("seed " << seed);
    const std::string whole = told_of_keys(file.path(), {}, tally);
    const Scratch scratch = {.partitions = static_cast<unsigned>(1 + seed % 4),
                             .piece = 100 + 400 * (seed % 5)};
    CHECK(told_of_keys(file.path(), scratch, tally) == whole);
    const auto source = memory_source("h.edn", edn);
    const auto why_not = visit_keys(*source, {.piece_bytes = scratch.piece}, scratch.partitions,
                                    [](const KeyedHistory&) { return Status(); });
    split += why_not && why_not.value().empty() ? 1U : 0U;
  }
  CHECK(2 * split > cases);
  CHECK(10 * tally.invalid > cases);
  CHECK(tally.valid > tally.invalid);
}

/// Operations of one process a key. Some overlap, and their workload shows late.
class LateCalls {
 public:
  explicit LateCalls(std::uint64_t seed) : random_(seed) {}

  /// The argument of `f` on the key, and its result.
  void call(std::uint64_t key, const std::string& f, const std::string& said,
            const std::string& type, const std::string& answered) {
    const std::string begin = ", :process " + std::to_string(key) + ", :f :" + f + ", :value [" +
                              std::to_string(key) + ' ';
    flush(key);
    edn_ += "{:type :invoke" + begin + said + "]}\n";
    open_[key] = "{:type :" + type + begin + answered + "]}\n";
    if (below(3) > 0) {
      flush(key);
    }
  }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  std::string edn() && {
    for (std::uint64_t key = 0; key < open_.size(); ++key) {
      flush(key);
    }
    return std::move(edn_);
  }

 private:
  void flush(std::uint64_t key) { edn_ += std::exchange(open_[key], ""); }

  std::mt19937_64 random_;
  std::array<std::string, 5> open_;
  std::string edn_;
};

constexpr std::array<std::string_view, 9> kLate = {
    "queue", "drained queue", "set", "set-full", "counter", "register", "rows", "collected", "cas"};

/// A history of some of the kinds above. What is not known before the end comes in the second half.
std::string late_history(std::string_view kind, std::uint64_t seed, bool asks_first) {
  LateCalls calls(seed);
  const std::uint64_t keys = 1 + calls.below(5);
  const bool is_queue = kind.ends_with("queue");
  const std::string changes = is_queue                                                   ? "enqueue"
                              : kind == "set" || kind == "set-full" || kind == "counter" ? "add"
                                                                                         : "write";
  const std::string asks = is_queue ? "dequeue" : "read";
  if (asks_first) {
    calls.call(0, asks, "nil", is_queue ? "fail" : "info", "nil");
  }
  std::vector<std::vector<std::uint64_t>> changed(keys);
  const std::uint64_t steps = 10 + calls.below(30);
  for (std::uint64_t step = 0; step < steps; ++step) {
    const std::uint64_t key = calls.below(keys);
    std::vector<std::uint64_t>& values = changed[key];
    const bool is_late = 2 * step > steps || (is_queue && calls.below(2) == 0);
    if (!is_late || values.empty() || calls.below(2) == 0) {
      values.push_back(1 + step);
      const std::string value = std::to_string(values.back());
      if (kind == "cas" && is_late) {
        calls.call(key, "cas", "[0 " + value + "]", "ok", "[0 " + value + "]");
      } else {
        calls.call(key, changes, value, calls.below(10) == 0 ? "info" : "ok", value);
      }
      continue;
    }
    const bool is_wrong = calls.below(20) == 0;
    std::string shown;
    for (const std::uint64_t value : values) {
      shown += (shown.empty() ? "" : " ") + std::to_string(value + (is_wrong ? 100 : 0));
    }
    const std::string first = std::to_string(values.front());
    if (is_queue) {
      values.erase(values.begin());
      calls.call(key, asks, "nil", "ok", is_wrong ? "99" : first);
    } else if (kind == "set-full" || (kind == "set" && step + 1 == steps)) {
      calls.call(key, asks, "nil", "ok", "#{" + shown + "}");
    } else if (kind == "counter") {
      std::uint64_t sum = 0;
      for (const std::uint64_t value : values) {
        sum += value;
      }
      calls.call(key, asks, "nil", "ok", std::to_string(sum + (is_wrong ? 1000 : 0)));
    } else if (kind == "rows") {
      calls.call(key, asks, "nil", "ok", "[" + first + " " + first + " " + first + "]");
    } else if (kind == "collected") {
      calls.call(key, asks, "nil", "ok", "[" + shown + "]");
    } else if (kind != "set") {
      calls.call(key, asks, "nil", "ok", is_wrong ? first : std::to_string(values.back()));
    }
  }
  if (kind == "drained queue") {
    calls.call(keys - 1, asks, "nil", "fail", "nil");
  }
  return std::move(calls).edn();
}

/// The same history as lines of JSON, which has no sets.
std::string as_json_lines(std::string edn) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords = {
      {{":type :", R"("type":")"},
       {", :process ", R"(","process":)"},
       {", :f :", R"(,"f":")"},
       {", :value ", R"(","value":)"},
       {"nil", "null"},
       {"#{", "["},
       {"}]}", "]]}"},
       {" ", ","}}};
  for (const auto& [from, to] : kWords) {
    for (std::size_t at = edn.find(from); at != std::string::npos;
         at = edn.find(from, at + to.size())) {
      edn.replace(at, from.size(), to);
    }
  }
  return edn;
}

TEST_CASE("split: what operations on keys mean shows at the end", "[property]") {
  constexpr std::string_view kSayWhich = "say which by the workload";
  Tally tally;
  std::uint64_t split = 0;
  std::uint64_t unknown = 0;
  const std::uint64_t cases = case_count(400);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const std::string_view kind = kLate.at(seed % kLate.size());
    ReadOptions read;
    read.independent = seed % 2 == 0;
    const bool asks_first = !read.independent || seed % 4 == 0;
    const std::string edn = late_history(kind, seed, asks_first);
    const std::string text = seed / kLate.size() % 3 == 0 ? as_json_lines(edn) : edn;
    const TemporaryFile file(text);
    INFO(kind << ", seed " << seed << "\n" << text);
    const Scratch scratch = {.partitions = static_cast<unsigned>(1 + seed % 5),
                             .piece = 70 + 300 * (seed % 7)};
    const std::string whole = told_of_keys(file.path(), {}, tally, read);
    const std::string parts = told_of_keys(file.path(), scratch, tally, read);
    const bool is_unknown = whole.find(kSayWhich) != std::string::npos;  // of some key
    CHECK((is_unknown ? parts.find(kSayWhich) != std::string::npos : parts == whole));
    unknown += is_unknown ? 1U : 0U;

    const auto source = memory_source("h.edn", text);
    const auto why_not =
        visit_keys(*source, {.read = read, .piece_bytes = scratch.piece}, scratch.partitions,
                   [](const KeyedHistory&) { return Status(); });
    CHECK(why_not);
    split += why_not && why_not.value().empty() ? 1U : 0U;
  }
  INFO(split << " of " << cases << " split");
  CHECK(5 * split > 4 * cases);
  CHECK(10 * unknown < cases);
  CHECK(10 * tally.invalid > cases);
  CHECK(tally.valid > 10);
}

TEST_CASE("split: more events than there are numbers") {
  constexpr std::uint64_t kNearlyAll = 0xffff'fff0;
  const std::string edn =
      "{:type :invoke, :process 0, :f :txn, :value [[:append 1 1]]}\n"
      "{:type :ok, :process 0, :f :txn, :value [[:append 1 1]]}\n";
  const auto source = memory_source("h.edn", edn);
  PieceReader beginning(*source, ReadOptions(), 1000);
  REQUIRE(beginning.next().ok());
  std::string many;
  for (int i = 0; i < 10; ++i) {
    many += edn;
  }
  const auto rest = memory_source("h.edn", many);
  PieceReader reader(*rest, beginning, {.begin = 0, .end = many.size(), .lines = 20}, kNearlyAll,
                     10'000);
  const auto piece = reader.next();
  REQUIRE_FALSE(piece.ok());
  CHECK(piece.error().message == kTooManyEvents);
}

}  // namespace
}  // namespace elapid
