#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/generate/generate.h"
#include "parsers/jepsen/edn_event.h"

namespace elapid {
namespace {

constexpr std::uint64_t kTransactions = 2'000;

void for_each_event(Recipe recipe, const std::function<void(const PlainEvent&)>& look) {
  recipe.clients.seed = 3;
  recipe.clients.transactions = std::min(recipe.clients.transactions, kTransactions);
  const Result<std::unique_ptr<Simulation>> simulation = make_simulation(recipe);
  REQUIRE(simulation.ok());
  PlainEvent event;
  while (simulation.value()->next(event)) {
    look(event);
  }
}

/// The first completions of these functions, as EDN.
std::map<std::string, std::string> first_completions(const Recipe& recipe) {
  const std::unique_ptr<PlainEventWriter> writer = make_edn_event_writer({});
  std::map<std::string, std::string> lines;
  for_each_event(recipe, [&](const PlainEvent& event) {
    const bool is_told = event.type == EventType::kOk && event.shape != PlainValue::kNil;
    if (is_told && !lines.contains(std::string(event.function))) {
      const std::string line(writer->write(event));
      lines[std::string(event.function)] = line.substr(line.find(":f "));
    }
  });
  return lines;
}

TEST_CASE("workloads: functions and values are Jepsen's") {
  using Catch::Matchers::Matches;
  auto bank = first_completions({.workload = "bank"});
  CHECK_THAT(bank["read"], Matches(R"(:f :read, :value \{0 \d+, 1 \d+, .*7 \d+\}\}\n)"));
  CHECK_THAT(bank["transfer"],
             Matches(R"(:f :transfer, :value \{:from \d, :to \d, :amount [1-5]\}\}\n)"));
  auto set = first_completions({.workload = "set"});
  CHECK_THAT(set["add"], Matches(R"(:f :add, :value \d+\}\n)"));
  CHECK_THAT(set["read"], Matches(R"(:f :read, :value \[[\d ]*\]\}\n)"));
  auto counter = first_completions({.workload = "counter"});
  CHECK_THAT(counter["add"], Matches(R"(:f :add, :value 1\}\n)"));
  CHECK_THAT(counter["read"], Matches(R"(:f :read, :value \d+\}\n)"));
  auto fork = first_completions({.workload = "long-fork"});
  CHECK_THAT(fork["write"], Matches(R"(:f :write, :value \[\[:w \d+ 1\]\]\}\n)"));
  CHECK_THAT(fork["read"],
             Matches(R"(:f :read, :value \[\[:r \d+ (1|nil)\] \[:r \d+ (1|nil)\]\]\}\n)"));
  auto cas = first_completions({.workload = "cas-register"});
  CHECK_THAT(cas["read"], Matches(R"(:f :read, :value [0-4]\}\n)"));
  CHECK_THAT(cas["write"], Matches(R"(:f :write, :value [0-4]\}\n)"));
  CHECK_THAT(cas["cas"], Matches(R"(:f :cas, :value \[[0-4] [0-4]\]\}\n)"));
  auto queue = first_completions({.workload = "queue"});
  CHECK_THAT(queue["enqueue"], Matches(R"(:f :enqueue, :value \d+\}\n)"));
  CHECK_THAT(queue["dequeue"], Matches(R"(:f :dequeue, :value \d+\}\n)"));
}

TEST_CASE("workloads: several registers are tuples") {
  auto cas = first_completions({.workload = "cas-register", .requests = {.keys = 3}});
  CHECK_THAT(cas["cas"], Catch::Matchers::Matches(R"(:f :cas, :value \[\d+ \[\d \d\]\]\}\n)"));
}

/// The sums of all balances that were read.
std::set<std::int64_t> totals(std::string_view store) {
  std::set<std::int64_t> sums;
  for_each_event({.workload = "bank", .store = store}, [&](const PlainEvent& event) {
    if (event.shape == PlainValue::kBalances) {
      std::int64_t sum = 0;
      for (const PlainMop& mop : event.mops) {
        sum += mop.value;
        CHECK(mop.value >= 0);
      }
      sums.insert(sum);
    }
  });
  return sums;
}

TEST_CASE("workloads: money is lost where updates are") {
  CHECK(totals("strict-serializable") == std::set<std::int64_t>{80});
  CHECK(totals("snapshot-isolation") == std::set<std::int64_t>{80});
  CHECK(totals("prefix").size() > 1);
}

/// The sum of the balances of a group's accounts, less their first balances.
std::set<std::int64_t> surpluses(std::string_view store) {
  std::set<std::int64_t> sums;
  Recipe recipe = {.workload = "rows", .store = store};
  recipe.requests.forms[static_cast<std::size_t>(RowForm::kBank)] = 1;
  for_each_event(recipe, [&](const PlainEvent& event) {
    for (const PlainMop& mop : event.mops) {
      const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
      const bool is_total = event.type == EventType::kOk && op.kind == PlainRowKind::kRead &&
                            op.by == PlainRowsBy::kGroup;
      std::int64_t sum = 0;
      for (std::uint32_t at = 0; is_total && at < mop.list_length; at += 4) {
        const std::int64_t balance = event.elements[mop.list_begin + at + 2];
        CHECK(balance >= 0);
        sum += balance - 10;
      }
      sums.insert(sum);
    }
  });
  return sums;
}

TEST_CASE("workloads: money in rows is kept where a search sees one state") {
  CHECK(surpluses("strict-serializable") == std::set<std::int64_t>{0});
  CHECK(surpluses("snapshot-isolation") == std::set<std::int64_t>{0});
  CHECK(surpluses("read-committed").size() > 1);
}

/// The least and the most rows that a search of this kind found, if only `form` writes.
std::pair<std::size_t, std::size_t> extent(std::string_view store, RowForm form, PlainRowsBy by) {
  std::pair<std::size_t, std::size_t> found = {100, 0};
  Recipe recipe = {.workload = "predicates", .store = store};
  recipe.requests.forms[static_cast<std::size_t>(form)] = 1;
  for_each_event(recipe, [&](const PlainEvent& event) {
    for (const PlainMop& mop : event.mops) {
      const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
      const bool is_pair = by != PlainRowsBy::kKeys || op.high - op.low == 1;
      const bool is_range = by != PlainRowsBy::kValues || op.low >= 100;
      if (event.type == EventType::kOk && op.kind == PlainRowKind::kRead && op.by == by &&
          is_pair && is_range) {
        found.first = std::min<std::size_t>(found.first, mop.list_length / 4);
        found.second = std::max<std::size_t>(found.second, mop.list_length / 4);
      }
    }
  });
  return found;
}

TEST_CASE("workloads: what a form guards by a search holds at serializability alone") {
  using Extent = std::pair<std::size_t, std::size_t>;
  CHECK(extent("serializable", RowForm::kEmptyRange, PlainRowsBy::kValues) == Extent{0, 1});
  CHECK(extent("snapshot-isolation", RowForm::kEmptyRange, PlainRowsBy::kValues).second > 1);
  CHECK(extent("serializable", RowForm::kAbsentKey, PlainRowsBy::kKeys) == Extent{0, 1});
  CHECK(extent("snapshot-isolation", RowForm::kAbsentKey, PlainRowsBy::kKeys).second > 1);
  CHECK(extent("serializable", RowForm::kIdAllocation, PlainRowsBy::kGroup).second == 6);
}

TEST_CASE("workloads: stores without a level of rows have no rows") {
  const auto refused = make_simulation({.workload = "predicates", .store = "causal"});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message ==
        "the store causal has no rows: of its level it is not defined what predicates find");
}

/// Elements that were dequeued, in the end all.
std::vector<std::int64_t> dequeued(std::string_view store, std::size_t& enqueued) {
  std::vector<std::int64_t> elements;
  for_each_event({.workload = "queue", .store = store, .clients = {.final_reads = true}},
                 [&](const PlainEvent& event) {
                   if (event.type == EventType::kOk && event.function == "dequeue") {
                     elements.push_back(event.numbers[0]);
                   } else if (event.type == EventType::kOk) {
                     ++enqueued;
                   }
                 });
  std::ranges::sort(elements);
  return elements;
}

TEST_CASE("workloads: what is enqueued is dequeued once, unless the store is weak") {
  std::size_t enqueued = 0;
  std::vector<std::int64_t> elements = dequeued("strict-serializable", enqueued);
  CHECK(elements.size() == enqueued);
  CHECK(std::ranges::adjacent_find(elements) == elements.end());
  elements = dequeued("prefix", enqueued);
  CHECK(std::ranges::adjacent_find(elements) != elements.end());
}

TEST_CASE("workloads: a counter loses increments where updates are lost") {
  const auto last_read = [](std::string_view store) {
    std::int64_t adds = 0;
    std::int64_t last = 0;
    for_each_event({.workload = "counter", .store = store, .clients = {.final_reads = true}},
                   [&](const PlainEvent& event) {
                     if (event.type == EventType::kOk) {
                       (event.function == "add" ? adds : last) =
                           event.function == "add" ? adds + 1 : event.numbers[0];
                     }
                   });
    return last - adds;
  };
  CHECK(last_read("strict-serializable") == 0);
  CHECK(last_read("prefix") < 0);
}

TEST_CASE("workloads: a long fork shows where snapshots are not prefixes") {
  const auto forks = [](std::string_view store) {
    std::map<std::int64_t, std::set<std::int64_t>> seen;  // by pair: which key alone
    for_each_event({.workload = "long-fork", .store = store}, [&](const PlainEvent& event) {
      if (event.type == EventType::kOk && event.function == "read" &&
          event.mops[0].is_nil != event.mops[1].is_nil) {
        const PlainMop& written = event.mops[event.mops[0].is_nil ? 1 : 0];
        seen[std::min(event.mops[0].key, event.mops[1].key)].insert(written.key);
      }
    });
    return std::ranges::count_if(seen, [](const auto& pair) { return pair.second.size() == 2; });
  };
  CHECK(forks("snapshot-isolation") == 0);
  CHECK(forks("parallel-snapshot-isolation") > 0);
}

TEST_CASE("workloads: six of ten writes of HD-10k repeat a value of their key") {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> writes;
  std::size_t all = 0;
  Recipe recipe = find_preset("HD-10k")->recipe;
  recipe.clients.seed = 42;
  const Result<std::unique_ptr<Simulation>> simulation = make_simulation(recipe);
  REQUIRE(simulation.ok());
  PlainEvent event;
  while (simulation.value()->next(event)) {
    for (const PlainMop& mop : event.mops) {
      if (event.type == EventType::kOk && mop.kind == OpKind::kWrite) {
        ++writes[{mop.key, mop.value}];
        ++all;
      }
    }
  }
  std::size_t shared = 0;
  std::size_t most = 0;
  for (const auto& [pair, count] : writes) {
    shared += count > 1 ? count : 0;
    most = std::max(most, count);
  }
  CHECK(static_cast<double>(shared) / static_cast<double>(all) == Approx(0.61).margin(0.02));
  CHECK(most == Approx(121).margin(40));
}

/// What a client reads, and does by it, until a step at which the database breaks it off. Returns
/// why it gave up.
std::string attempt(RequestSource& source, Request& request, std::uint64_t seed, std::size_t end) {
  Random answers(seed);
  for (std::size_t step = 0; step < std::min(end, request.steps.size()); ++step) {
    const RequestStep& at = request.steps[step];
    const bool is_row = at.kind == OpKind::kRow;
    const bool writes =
        is_row ? request.row_ops[static_cast<std::size_t>(at.value)].kind != PlainRowKind::kRead
               : at.kind == OpKind::kWrite || at.kind == OpKind::kAppend;
    if (writes || !request.depends_on_reads) {
      continue;
    }
    const std::size_t shown = answers.below(4);
    request.found.assign(is_row ? 4 * shown : 0, 1);
    const Seen seen = is_row || shown > 0 ? Seen(static_cast<std::int64_t>(shown)) : std::nullopt;
    if (const std::string_view why = source.after_read(request, step, seen); !why.empty()) {
      return std::string(why);
    }
  }
  return {};
}

/// What a request asks the database to write, and is answered. Keys are left out: an attempt that
/// is broken off may have taken new ones.
std::string told(const Request& request) {
  PlainEvent event;
  event.type = EventType::kOk;
  event.function = request.function;
  event.shape = request.completed;
  event.tree = &request.answered;
  event.numbers = request.numbers;
  std::string text(make_edn_event_writer({})->write(event));
  for (const std::int64_t number : request.numbers) {
    text += ' ' + std::to_string(number);
  }
  for (const RequestStep& step : request.steps) {
    text += ' ' + std::to_string(static_cast<int>(step.kind)) + ':' + std::to_string(step.value);
  }
  for (const PlainRowOp& op : request.row_ops) {
    text += op.is_left_out ? " -" : ' ' + std::to_string(op.value);
  }
  return text;
}

TEST_CASE("workloads: an attempt leaves nothing for the next one") {
  for (const GeneratedWorkload& workload : generated_workloads()) {
    INFO(workload.name);
    const auto once = make_requests({.workload = workload.name});
    const auto twice = make_requests({.workload = workload.name});
    Random same(1);
    Random alike(1);
    for (std::uint64_t n = 1; once && n <= 300; ++n) {
      Request first;
      Request second;
      once.value()->next(same, first);
      twice.value()->next(alike, second);
      attempt(*twice.value(), second, n, n % 10);
      const std::string why = attempt(*once.value(), first, 1'000 + n, first.steps.size());
      CHECK(attempt(*twice.value(), second, 1'000 + n, second.steps.size()) == why);
      if (why.empty()) {
        CHECK(told(second) == told(first));
      }
      once.value()->done(first);
      twice.value()->done(second);
    }
  }
}

/// The kinds and keys of a request's steps.
std::vector<std::pair<OpKind, std::int64_t>> plan_of(const Request& request) {
  std::vector<std::pair<OpKind, std::int64_t>> plan;
  for (const RequestStep& step : request.steps) {
    plan.emplace_back(step.kind, step.key);
  }
  return plan;
}

TEST_CASE(
    "workloads: behind a first write no register that is read decides which steps there are") {
  // Redis carries out all of them in one go.
  for (const GeneratedWorkload& workload : generated_workloads()) {
    if (!workload.depends_on_reads || workload.has_lists) {
      continue;
    }
    INFO(workload.name);
    const auto source = make_requests({.workload = workload.name});
    std::map<std::int64_t, std::int64_t> stored;
    Random random(1);
    for (std::uint64_t n = 0; source && n < 2'000; ++n) {
      Request request;
      source.value()->next(random, request);
      std::optional<std::vector<std::pair<OpKind, std::int64_t>>> plan;
      for (std::size_t step = 0; step < request.steps.size(); ++step) {
        const RequestStep at = request.steps[step];
        if (at.kind == OpKind::kWrite) {
          plan = plan ? plan : plan_of(request);
          stored[at.key] = at.value;
        } else if (at.kind == OpKind::kRead && request.depends_on_reads) {
          const auto found = stored.find(at.key);
          source.value()->after_read(request, step,
                                     found == stored.end() ? Seen() : Seen(found->second));
        }
      }
      CHECK((!plan || *plan == plan_of(request)));
      source.value()->done(request);
    }
  }
}

TEST_CASE("workloads: every preset can be made") {
  for (const Preset& preset : presets()) {
    INFO(preset.name);
    CHECK(make_simulation(preset.recipe).ok());
    CHECK(find_preset(preset.name) == &preset);
  }
}

TEST_CASE("workloads: names that there are not") {
  CHECK(make_simulation({.store = "snapshot-isolatoin"}).error().message ==
        "there is no store snapshot-isolatoin; did you mean snapshot-isolation?");
  CHECK(make_simulation({.workload = "banc"}).error().message ==
        "there is no workload banc; did you mean bank?");
  CHECK_THAT(make_simulation({.workload = "nothing-like-it"}).error().message,
             Catch::Matchers::Contains("known are list-append, "));
}

TEST_CASE("workloads: numbers that contradict each other") {
  CHECK_FALSE(make_simulation({.requests = {.min_length = 3, .max_length = 2}}).ok());
  CHECK_FALSE(
      make_simulation({.clients = {.faults = {.aborts = 600'000, .indeterminate = 600'000}}}).ok());
  CHECK_FALSE(make_simulation({.clients = {.loads = true}}).ok());
}

}  // namespace
}  // namespace elapid
