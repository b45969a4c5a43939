// Histories of simulated objects: without faults each is right, and each fault is found by its
// name, whatever befalls the operations around it.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/check/check.h"
#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"
#include "harness/generate/generate.h"
#include "parsers/jepsen/edn_event.h"
#include "parsers/read.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// Of all sizes, with all kinds of mishaps or with none.
Recipe any_object_recipe(std::string_view workload, std::uint64_t seed) {
  Random random(seed);
  Recipe recipe = {.workload = workload};
  recipe.requests.reads = static_cast<std::uint32_t>(100'000 * (1 + random.below(8)));
  recipe.clients = {.seed = seed,
                    .sessions = 1 + random.below(8),
                    .transactions = random.below(random.percent(20) ? 400 : 60)};
  if (random.percent(70)) {
    recipe.clients.faults = {.aborts = static_cast<std::uint32_t>(random.below(200'000)),
                             .indeterminate = static_cast<std::uint32_t>(random.below(200'000)),
                             .crashes = static_cast<std::uint32_t>(random.below(100'000))};
  }
  return recipe;
}

struct Made {
  std::string text;
  std::vector<ToldFault> told;
};

Made made_of(const Recipe& recipe, const std::vector<WantedFault>& wanted) {
  const auto simulation = make_object_simulation(recipe, wanted);
  REQUIRE(simulation.ok());
  const std::unique_ptr<PlainEventWriter> writer = make_edn_event_writer({});
  Made made;
  PlainEvent event;
  std::int64_t index = 0;
  while (simulation.value()->next(event)) {
    event.index = index;
    index += event.is_silent ? 0 : 1;
    made.text += writer->write(event);
  }
  made.told = simulation.value()->told();
  CHECK(simulation.value()->counts().transactions == recipe.clients.transactions);
  return made;
}

LoadedHistory history_in(const std::string& text, std::string_view workload) {
  ReadOptions options;
  options.workload = find_workload(workload);
  REQUIRE(options.workload);
  Result<LoadedHistory> loaded = read_history(memory_source("made.edn", text), options);
  INFO((loaded.ok() ? "" : loaded.error().message));
  REQUIRE(loaded.ok());
  return std::move(loaded).value();
}

Verdict verdict_on(const std::string& text, std::string_view workload, const CheckOptions& how) {
  const LoadedHistory loaded = history_in(text, workload);
  Result<Verdict> verdict = check(loaded.history(), how);
  REQUIRE(verdict.ok());
  return std::move(verdict).value();
}

/// The question for an order of all operations.
CheckOptions asking_for_order(std::string_view workload) {
  CheckOptions how;
  if (row_of(*find_workload(workload)).models.any()) {
    how.models = {Model::kLinearizable};
  }
  return how;
}

/// What is asked of a history with this fault.
CheckOptions asking_for(const ObjectFault& fault, std::string_view workload) {
  CheckOptions how =
      fault.found_as.empty() && !fault.is_allowed ? asking_for_order(workload) : CheckOptions();
  how.settings.linearizable_elements = fault.only_with == "linearizable-elements";
  how.settings.ww_deps = fault.only_with == "ww-deps";
  return how;
}

bool names_finding(const Verdict& verdict, std::string_view name) {
  return std::ranges::find(verdict.findings, name, &Description::name) != verdict.findings.end();
}

/// Whether the result has an entry `name`, or counts `name-count` of them.
bool counts_some(const Verdict& verdict, const std::string& name) {
  return std::ranges::any_of(verdict.entries, [&](const ResultEntry& entry) {
    const auto* const count = std::get_if<std::int64_t>(&entry.value);
    return entry.key == name || (entry.key == name + "-count" && count != nullptr && *count > 0);
  });
}

/// Of a history in which nothing happened that its checker looks for, nothing is known.
bool is_right(const Verdict& verdict) {
  return verdict.validity == Validity::kValid ||
         (verdict.validity == Validity::kUnknown &&
          verdict.unknown_because.value_or("").starts_with("no "));
}

TEST_CASE("object property: without faults each history is right") {
  const std::size_t rounds = round_count(32, 2'000);
  std::uint64_t seed = first_seed_of_cases();
  std::size_t judged = 0;
  std::size_t undecided = 0;
  for (const ObjectType& type : object_types()) {
    for (std::size_t round = 0; round < rounds; ++round) {
      INFO(type.name << ", seed " << ++seed);
      const Recipe recipe = any_object_recipe(type.name, seed);
      const Made made = made_of(recipe, {});
      CHECK(made.told.empty());
      if (made.text.empty()) {
        continue;  // that is no history
      }
      for (const CheckOptions& how : {asking_for_order(type.name), CheckOptions()}) {
        const Verdict verdict = verdict_on(made.text, type.name, how);
        INFO(verdict.unknown_because.value_or(""));
        CHECK(verdict.validity != Validity::kInvalid);
        ++judged;
        undecided += is_right(verdict) ? 0U : 1U;
      }
    }
  }
  // Some stacks are beyond the budget of the search for an order.
  INFO(undecided << " of " << judged << " are undecided");
  CHECK(undecided * 1'000 <= judged);
}

/// The lines without some invocations of operations that completed. Such an operation may have
/// begun at any time before. Until `only_after` operations have completed none is kept.
std::string without_invocations(const std::string& text, Random& random, std::size_t only_after) {
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> open;  // by process: the line of its invocation
  std::size_t completed = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 1;
    const std::size_t process = lines.back().find(":process ");
    const std::string name =
        lines.back().substr(process, lines.back().find(',', process) - process);
    if (lines.back().find(":type :invoke") != std::string::npos) {
      open[name] = lines.size() - 1;
    } else if (const auto invocation = open.find(name); invocation != open.end()) {
      if (completed++ < only_after || random.percent(20)) {
        lines[invocation->second].clear();
      }
      open.erase(invocation);
    }
  }
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

TEST_CASE("object property: right histories stay right without some of their invocations") {
  const std::size_t rounds = round_count(12, 500);
  std::uint64_t seed = first_seed_of_cases();
  for (const ObjectType& type : object_types()) {
    for (std::size_t round = 0; round < rounds; ++round) {
      INFO(type.name << ", seed " << ++seed);
      Recipe recipe = any_object_recipe(type.name, seed);
      recipe.clients.transactions = 1 + seed % 40;
      Random random(seed);
      const std::string text =
          without_invocations(made_of(recipe, {}).text, random, random.below(6));
      for (const CheckOptions& how : {asking_for_order(type.name), CheckOptions()}) {
        CHECK(verdict_on(text, type.name, how).validity != Validity::kInvalid);
      }
    }
  }
}

TEST_CASE("object property: each fault is found") {
  const std::size_t rounds = round_count(40, 500);
  std::uint64_t seed = first_seed_of_cases();
  for (const ObjectType& type : object_types()) {
    for (const ObjectFault& fault : type.faults) {
      for (std::size_t round = 0; round < rounds; ++round) {
        INFO(type.name << ", " << fault.name << ", seed " << ++seed);
        const Recipe recipe = any_object_recipe(type.name, seed);
        const WantedFault wanted = {.fault = &fault, .count = 1 + seed % 2};
        const Made made = made_of(recipe, {wanted});
        CHECK(made.told.size() == wanted.count);
        const Verdict verdict = verdict_on(made.text, type.name, asking_for(fault, type.name));
        if (fault.is_allowed) {
          CHECK(is_right(verdict));
          CHECK(counts_some(verdict, std::string(fault.name)));
          continue;
        }
        CHECK(verdict.validity == Validity::kInvalid);
        CHECK((fault.found_as.empty() || names_finding(verdict, fault.found_as)));
      }
    }
  }
}

bool has_claims(std::string_view workload) {
  return has_object_claims(*find_workload(workload), Model::kLinearizable);
}

/// What is wrong with a claim; empty if nothing is. `work`: steps of a search that verifies it.
std::string flaw_of(const History& history, const LevelAnswer& claim,
                    std::uint64_t work = 3'000'000) {
  const Result<Verdict> proved = prove_objects(history, {.work = work}, claim);
  return proved ? proved.value().unknown_because.value_or("") : proved.error().message;
}

TEST_CASE("object property: orders are proved again, and refused without an operation") {
  const std::size_t rounds = round_count(20, 200);
  std::uint64_t seed = first_seed_of_cases();
  for (const ObjectType& type : object_types()) {
    for (std::size_t round = 0; round < rounds && has_claims(type.name); ++round) {
      INFO(type.name << ", seed " << ++seed);
      const Made made = made_of(any_object_recipe(type.name, seed), {});
      if (made.text.empty()) {
        continue;
      }
      const LoadedHistory loaded = history_in(made.text, type.name);
      const Result<Verdict> verdict = check(loaded.history(), asking_for_order(type.name));
      REQUIRE(verdict.ok());
      for (LevelAnswer claim : verdict.value().levels) {
        CHECK(flaw_of(loaded.history(), claim).empty());
        std::erase_if(claim.witness->order,
                      [&](OrderEvent event) { return loaded.history().committed(event.txn); });
        CHECK(
            (claim.witness->order.size() == verdict.value().levels.front().witness->order.size() ||
             !flaw_of(loaded.history(), claim).empty()));
        LevelAnswer core = {.model = claim.model, .validity = Validity::kInvalid};
        core.failure.emplace();
        for (const OrderEvent& event : verdict.value().levels.front().witness->order) {
          core.failure->txns.push_back(event.txn);
          CHECK_FALSE(flaw_of(loaded.history(), core, 3'000).empty());
          if (core.failure->txns.size() == 4) {
            break;
          }
        }
      }
    }
  }
}

TEST_CASE("object property: cores are proved again, and no order is") {
  const std::size_t rounds = round_count(5, 200);
  std::size_t proved = 0;
  std::size_t spent = 0;
  std::uint64_t seed = first_seed_of_cases();
  for (const ObjectType& type : object_types()) {
    for (const ObjectFault& fault : type.faults) {
      for (std::size_t round = 0; round < rounds && has_claims(type.name); ++round) {
        INFO(type.name << ", " << fault.name << ", seed " << ++seed);
        const Made made = made_of(any_object_recipe(type.name, seed), {{.fault = &fault}});
        const LoadedHistory loaded = history_in(made.text, type.name);
        const Result<Verdict> verdict = check(loaded.history(), asking_for_order(type.name));
        REQUIRE(verdict.ok());
        for (const LevelAnswer& claim : verdict.value().levels) {
          if (claim.validity != Validity::kInvalid) {
            continue;  // what other checkers find
          }
          const std::string flaw = flaw_of(loaded.history(), claim, 20'000);
          proved += flaw.empty() ? 1U : 0U;
          spent += flaw.starts_with("the budget of the search") ? 1U : 0U;
          CHECK((flaw.empty() || flaw.starts_with("the budget of the search")));
          LevelAnswer order = {.model = claim.model, .validity = Validity::kValid};
          order.witness.emplace();
          for (TxnId txn{0}; txn.index() < loaded.history().txn_count(); ++txn.value) {
            if (loaded.history().committed(txn)) {
              order.witness->order.push_back({.txn = txn});
            }
          }
          CHECK_FALSE(flaw_of(loaded.history(), order).empty());
        }
      }
    }
  }
  // What is claimed of all operations may take a longer search.
  INFO(proved << " are proved, " << spent << " need more work");
  CHECK(proved > 2 * spent);
}

/// Some reads of single digits show another one.
std::string with_other_reads(std::string text, Random& random) {
  const std::string read = "[:read ";
  for (std::size_t at = text.find(read); at != std::string::npos; at = text.find(read, at + 1)) {
    const std::size_t value = at + read.size() + 2;
    const bool is_digit = text[value] >= '0' && text[value] <= '4' && text[value + 1] == ']';
    if (is_digit && random.percent(15)) {
      text[value] = static_cast<char>('0' + random.below(5));
    }
  }
  return text;
}

/// What is wrong with the evidence of a verdict about transactions on registers.
std::string flaw_of_transactions(const History& history, const Verdict& verdict) {
  const LevelAnswer& level = verdict.levels.front();
  if (verdict.validity == Validity::kValid) {
    return flaw_of(history, level);
  }
  const Result<RegisterTransactions> made = register_transactions(history, Model::kLinearizable);
  REQUIRE(made.ok());
  return check_level_answer(made.value().necessary, {.model = Model::kPlSs,
                                                     .validity = Validity::kInvalid,
                                                     .refutation = level.refutation})
      .value_or(verdict.findings.empty() ? "nothing is told" : "");
}

TEST_CASE("object property: the engines of transactions decide several registers alike") {
  const std::size_t rounds = round_count(60, 4'000);
  std::array<std::size_t, 3> found = {};
  for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Recipe recipe = any_object_recipe("multi-register", seed);
    recipe.requests.keys = 1 + random.below(3);
    recipe.clients.transactions = 1 + random.below(25);
    std::string text = with_other_reads(made_of(recipe, {}).text, random);
    if (random.percent(30)) {
      text = without_invocations(text, random, 0);
    }
    const LoadedHistory loaded = history_in(text, "multi-register");
    CheckOptions how = asking_for_order("multi-register");
    how.needs_order = true;
    how.budget.linearize_work = 1;
    const Result<Verdict> verdict = check(loaded.history(), how);
    INFO((verdict.ok() ? "" : verdict.error().message));
    REQUIRE(verdict.ok());
    const Validity validity = verdict.value().validity;
    ++found.at(static_cast<std::size_t>(validity));
    how.needs_order = false;
    how.budget.linearize_work = 10'000'000;
    const Result<Verdict> searched = check(loaded.history(), how);
    REQUIRE(searched.ok());
    CHECK((validity == Validity::kUnknown || validity == searched.value().validity));
    if (validity != Validity::kUnknown) {
      CHECK(flaw_of_transactions(loaded.history(), verdict.value()).empty());
    }
  }
  INFO(found[0] << ", " << found[1] << ", " << found[2] << " of each validity");
  CHECK(found.at(static_cast<std::size_t>(Validity::kValid)) > 0);
  CHECK(found.at(static_cast<std::size_t>(Validity::kInvalid)) > 0);
  CHECK(found.at(static_cast<std::size_t>(Validity::kUnknown)) * 10 < rounds);
}

TEST_CASE("object property: the same seed makes the same history, another one another") {
  for (const ObjectType& type : object_types()) {
    INFO(type.name);
    Recipe recipe = any_object_recipe(type.name, 7);
    recipe.clients.transactions = 50;
    const std::string once = made_of(recipe, {}).text;
    CHECK(made_of(recipe, {}).text == once);
    recipe.clients.seed = 8;
    CHECK(made_of(recipe, {}).text != once);
  }
}

TEST_CASE("object property: a fault is told by visitors alone, at the events that are named") {
  const ObjectType& type = *find_object_type("grow-only-set");
  const Recipe recipe = any_object_recipe(type.name, 3);
  const Made made = made_of(recipe, {{.fault = &type.faults[2], .count = 3}});
  REQUIRE(made.told.size() == 3);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < made.text.size();) {
    const std::size_t end = made.text.find('\n', begin);
    lines.push_back(made.text.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const ToldFault& told : made.told) {
    CHECK(told.processes == 3);
    for (std::int64_t index = told.first_index; index <= told.last_index; ++index) {
      CHECK(lines.at(static_cast<std::size_t>(index)).find(":process 1000000") !=
            std::string::npos);
    }
  }
}

TEST_CASE("object property: faults that there are not") {
  const ObjectType& mutex = *find_object_type("mutex");
  CHECK(parse_object_faults("not-held,two-holders:3", mutex).value().at(1).count == 3);
  CHECK(parse_object_faults("lost", mutex).error().message ==
        "there is no fault lost; these can be injected into mutex: two-holders, not-held");
  CHECK(parse_object_faults("not-held:0", mutex).error().message ==
        "expected how often to inject not-held, found '0'");
  CHECK_FALSE(parse_object_faults("", mutex).ok());
}

}  // namespace
}  // namespace elapid
