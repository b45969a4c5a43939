// Allocations of small random sets of transactions: the engine's answers are those of the
// definition (tests/reference/allocations.h), for every allocation of three levels.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/advise/interleaving.h"
#include "engine/advise/lowest.h"
#include "engine/advise/programs.h"
#include "engine/check/check.h"
#include "engine/ir/history_builder.h"
#include "harness/generate/random.h"
#include "tests/reference/allocations.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using advise::Application;
using advise::Level;
using reference::PlainAllocated;
using reference::PlainOperation;
using reference::PlainTransaction;

/// An operation on one item, or on two where items are attributes.
PlainOperation random_operation(Random& random, std::size_t items, std::uint32_t written,
                                bool has_attributes) {
  PlainOperation operation;
  for (std::size_t i = has_attributes ? 1 + random.below(2) : 1; i > 0; --i) {
    const std::uint32_t item = 1U << random.below(items);
    const std::size_t kind = random.below(5);
    if ((written & item) == 0) {
      operation.reads |= kind < 2 || kind == 4 ? item : 0;
      operation.writes |= kind >= 2 ? item : 0;
    }
  }
  return operation;
}

std::vector<PlainTransaction> random_transactions(Random& random) {
  const std::size_t die = random.below(1000);
  const std::size_t count = die == 0 ? 4 : die < 250 ? 2 : 3;
  const std::size_t items = 1 + random.below(4);
  const bool has_attributes = random.percent(25);
  std::vector<PlainTransaction> transactions(count);
  for (PlainTransaction& transaction : transactions) {
    std::uint32_t written = 0;
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      const PlainOperation operation = random_operation(random, items, written, has_attributes);
      if ((operation.reads | operation.writes) != 0) {
        transaction.push_back(operation);
        written |= operation.writes;
      }
    }
    if (transaction.empty()) {
      transaction.push_back({.reads = 1});
    }
  }
  return transactions;
}

std::vector<advise::ItemId> items_of(std::uint32_t bits) {
  std::vector<advise::ItemId> items;
  for (advise::ItemId item = 0; item < 32; ++item) {
    if ((bits >> item & 1U) != 0) {
      items.push_back(item);
    }
  }
  return items;
}

Application application_of(const std::vector<PlainTransaction>& transactions) {
  Application application = {.items = {":a", ":b", ":c", ":d"}};
  for (const PlainTransaction& plain : transactions) {
    const auto number = static_cast<std::uint32_t>(application.programs.size());
    application.programs.push_back("T" + std::to_string(number));
    application.transactions.push_back({.program = number, .name = application.programs.back()});
    for (const PlainOperation& operation : plain) {
      application.transactions.back().operations.push_back(
          {.reads = items_of(operation.reads), .writes = items_of(operation.writes)});
    }
  }
  return application;
}

std::string text_of(const std::vector<PlainTransaction>& transactions) {
  std::string text;
  for (const PlainTransaction& transaction : transactions) {
    for (const PlainOperation& operation : transaction) {
      text += " r" + std::to_string(operation.reads) + "w" + std::to_string(operation.writes);
    }
    text += ";";
  }
  return text;
}

std::vector<Level> allocation(std::size_t number, std::size_t count) {
  std::vector<Level> levels;
  for (; count > 0; --count, number /= 3) {
    levels.push_back(static_cast<Level>(number % 3));
  }
  return levels;
}

bool is_below(const std::vector<Level>& one, const std::vector<Level>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] > other[i]) {
      return false;
    }
  }
  return true;
}

bool is_offered(const std::vector<Level>& levels, const advise::OfferedLevels& offered) {
  return std::ranges::all_of(
      levels, [&](Level level) { return std::ranges::find(offered, level) != offered.end(); });
}

std::uint32_t bits_of(const std::vector<advise::ItemId>& items,
                      std::map<advise::ItemId, std::uint32_t>& bits) {
  std::uint32_t set = 0;
  for (const advise::ItemId item : items) {
    set |= 1U << bits.try_emplace(item, static_cast<std::uint32_t>(bits.size())).first->second;
  }
  return set;
}

/// These transactions of the application, in the reference's words.
std::vector<PlainTransaction> plain(const Application& application,
                                    const std::vector<std::uint32_t>& transactions) {
  std::map<advise::ItemId, std::uint32_t> bits;
  std::vector<PlainTransaction> result;
  for (const std::uint32_t t : transactions) {
    result.emplace_back();
    for (const advise::Operation& operation : application.transactions[t].operations) {
      result.back().push_back(
          {.reads = bits_of(operation.reads, bits), .writes = bits_of(operation.writes, bits)});
    }
  }
  return result;
}

std::vector<PlainAllocated> plain(const std::vector<Level>& levels) {
  std::vector<PlainAllocated> result;
  for (const Level level : levels) {
    result.push_back(static_cast<PlainAllocated>(level));
  }
  return result;
}

reference::PlainSchedule schedule_of(const advise::Interleaving& interleaving) {
  reference::PlainSchedule schedule;
  schedule.gaps.resize(interleaving.transactions.size());
  schedule.commits.resize(interleaving.transactions.size());
  std::size_t commits = 0;
  for (const advise::InterleavingStep& step : interleaving.steps) {
    if (step.operation) {
      schedule.gaps[step.participant].push_back(commits);
    } else {
      schedule.commits[step.participant] = commits++;
    }
  }
  return schedule;
}

/// What it reads and appends, and the reader at the end, as a history.
History history_of(const Application& application, const advise::Interleaving& interleaving) {
  HistoryBuilder builder;
  std::vector<ValueId> elements;
  std::vector<MopInput> mops;
  const auto add_read = [&](const advise::FoundItem& found) {
    mops.push_back({.kind = OpKind::kReadList,
                    .key = builder.key(ValueId::integer(found.first)),
                    .list_begin = static_cast<std::uint32_t>(elements.size()),
                    .list_length = static_cast<std::uint32_t>(found.second.size())});
    for (const std::size_t writer : found.second) {
      elements.push_back(ValueId::integer(static_cast<std::int64_t>(writer) + 1));
    }
  };
  const auto add_txn = [&](std::int64_t session) {
    REQUIRE(builder.add_transaction({.session = session, .mops = mops, .elements = elements}).ok());
    mops.clear();
    elements.clear();
  };
  for (std::size_t p = 0; p < interleaving.transactions.size(); ++p) {
    for (const advise::InterleavingStep& step : interleaving.steps) {
      if (step.participant != p || !step.operation) {
        continue;
      }
      std::ranges::for_each(step.found, add_read);
      for (const advise::ItemId item : application.transactions[interleaving.transactions[p]]
                                           .operations[*step.operation]
                                           .writes) {
        mops.push_back({.kind = OpKind::kAppend,
                        .key = builder.key(ValueId::integer(item)),
                        .value = ValueId::integer(static_cast<std::int64_t>(p) + 1)});
      }
    }
    add_txn(static_cast<std::int64_t>(p));
  }
  std::ranges::for_each(interleaving.finally, add_read);
  add_txn(static_cast<std::int64_t>(interleaving.transactions.size()));
  return std::move(builder).build({.format = "edn", .workload = Workload::kListAppend}).value();
}

/// The definition allows it, with all but one program at the advised levels, and the checker
/// refutes it.
void require_counterexample(const Application& application, const advise::Advice& advice,
                            std::size_t program) {
  const advise::Counterexample& reason = *advice.programs[program].reason;
  for (std::size_t p = 0; p < advice.programs.size(); ++p) {
    REQUIRE((reason.levels[p] == advice.programs[p].level || p == program));
  }
  const advise::Interleaving interleaving = carry_out(application, reason);
  const reference::PlainJudgement judged =
      judge(plain(application, interleaving.transactions), schedule_of(interleaving),
            plain(interleaving.levels));
  REQUIRE(judged.is_allowed);
  REQUIRE_FALSE(judged.is_serializable);
  REQUIRE(interleaving.edges.size() == interleaving.transactions.size());
  const Verdict verdict =
      check(history_of(application, interleaving), {.models = {Model::kPl3}}).value();
  REQUIRE(verdict.validity == Validity::kInvalid);
}

bool go_on() {
  return true;
}

}  // namespace

TEST_CASE("property: robust allocations, and the lowest, are those of the definition") {
  const std::array<advise::OfferedLevels, 4> offers = {
      {{Level::kReadCommitted, Level::kSnapshot, Level::kSerializable},
       {Level::kReadCommitted, Level::kSnapshot},
       {Level::kReadCommitted, Level::kSerializable},
       {Level::kSnapshot, Level::kSerializable}}};
  for (std::uint64_t round = 0; round < case_count(20000); ++round) {
    Random random(first_seed_of_cases() + round);
    const std::vector<PlainTransaction> transactions = random_transactions(random);
    INFO("seed " << first_seed_of_cases() + round << ":" << text_of(transactions));
    const Application application = application_of(transactions);
    const std::vector<bool> is_robust = reference::is_robust(transactions);
    for (std::size_t number = 0; number < is_robust.size(); ++number) {
      const bool is_found =
          find_split(application, allocation(number, transactions.size())).has_value();
      if (is_found == is_robust[number]) {
        INFO("allocation " << number);
        REQUIRE(is_found != is_robust[number]);
      }
    }
    for (const advise::OfferedLevels& offered : offers) {
      const advise::Advice advice = *advise::advise(application, offered, go_on);
      const std::vector<Level> levels = advice.levels();
      for (std::size_t p = 0; p < levels.size(); ++p) {
        const bool has_reason = advice.programs[p].reason.has_value();
        REQUIRE((!advice.is_robust || has_reason == (levels[p] != offered.front())));
        if (has_reason && round % 8 == 0) {
          require_counterexample(application, advice, p);
        }
      }
      REQUIRE(advice.is_robust == is_robust[reference::allocation_number(plain(levels))]);
      for (std::size_t number = 0; number < is_robust.size(); ++number) {
        const std::vector<Level> other = allocation(number, transactions.size());
        if (is_robust[number] && is_offered(other, offered)) {
          REQUIRE(advice.is_robust);
          REQUIRE(is_below(levels, other));  // so it is the only lowest one
        }
      }
    }
  }
}

namespace {

/// One to three programs over two relations, with one or two parameters.
advise::ProgramSet random_programs(Random& random) {
  advise::ProgramSet set = {.relations = {{.name = "x", .arity = 1}, {.name = "y", .arity = 1}}};
  if (random.percent(30)) {
    set.relations[0].attributes = {"a"};
  }
  for (std::size_t count = 1 + random.below(3); count > 0; --count) {
    advise::Program& program = set.programs.emplace_back();
    program.name = "P" + std::to_string(count);
    program.parameters =
        random.percent(40) ? std::vector<std::string>{"c", "d"} : std::vector<std::string>{"c"};
    std::set<std::pair<std::size_t, std::size_t>> written;
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      advise::ProgramOperation operation = {.relation = random.below(2),
                                            .arguments = {random.below(program.parameters.size())}};
      if (written.contains({operation.relation, operation.arguments.front()})) {
        continue;
      }
      std::vector<std::size_t> attributes = {0};
      if (!set.relations[operation.relation].attributes.empty()) {
        attributes = random.percent(40)   ? std::vector<std::size_t>{0, 1}
                     : random.percent(50) ? std::vector<std::size_t>{0}
                                          : std::vector<std::size_t>{1};
      }
      const std::size_t kind = random.below(3);
      operation.reads = kind != 1 ? attributes : std::vector<std::size_t>();
      operation.writes = kind != 0 ? attributes : std::vector<std::size_t>();
      if (kind != 0) {
        written.emplace(operation.relation, operation.arguments.front());
      }
      program.operations.push_back(std::move(operation));
    }
  }
  return set;
}

/// The set with each program's parameters renamed apart, so that each instance over more values
/// than the engine looks at is a program without parameters: relations are keys.
Application all_instances(const advise::ProgramSet& set, std::size_t values) {
  Application application = {.is_once = false};
  std::map<std::vector<std::size_t>, advise::ItemId> items;
  const auto item_of = [&](std::size_t relation, std::size_t value, std::size_t attribute) {
    const auto [known, is_new] =
        items.try_emplace(std::vector<std::size_t>{relation, value, attribute},
                          static_cast<advise::ItemId>(items.size()));
    if (is_new) {
      application.items.push_back(":i" + std::to_string(known->second));
    }
    return known->second;
  };
  for (std::uint32_t p = 0; p < set.programs.size(); ++p) {
    const advise::Program& program = set.programs[p];
    application.programs.push_back(program.name);
    for (std::size_t c = 0; c < values; ++c) {
      for (std::size_t d = 0; d < (program.parameters.size() == 2 ? values : 1); ++d) {
        if (program.parameters.size() == 2 && c == d) {
          continue;
        }
        advise::Transaction& transaction = application.transactions.emplace_back();
        transaction.program = p;
        for (const advise::ProgramOperation& operation : program.operations) {
          const std::size_t value = operation.arguments.front() == 0 ? c : d;
          advise::Operation& made = transaction.operations.emplace_back();
          for (const std::size_t attribute : operation.reads) {
            made.reads.push_back(item_of(operation.relation, value, attribute));
          }
          for (const std::size_t attribute : operation.writes) {
            made.writes.push_back(item_of(operation.relation, value, attribute));
          }
          std::ranges::sort(made.reads);
          std::ranges::sort(made.writes);
        }
      }
    }
  }
  return application;
}

}  // namespace

TEST_CASE("property: what is advised of programs holds for their instances, and no less does") {
  const advise::OfferedLevels offered = {Level::kReadCommitted, Level::kSnapshot,
                                         Level::kSerializable};
  for (std::uint64_t round = 0; round < case_count(4000); ++round) {
    Random random(first_seed_of_cases() + round);
    INFO("seed " << first_seed_of_cases() + round);
    const advise::ProgramSet set = random_programs(random);
    const Application application = *instances_of(set);
    const advise::Advice advice = *advise::advise(application, offered, go_on);
    REQUIRE(advice.is_robust);
    for (std::size_t p = 0; p < advice.programs.size(); ++p) {
      REQUIRE(advice.programs[p].reason.has_value() ==
              (advice.programs[p].level != Level::kReadCommitted));
      if (advice.programs[p].reason) {
        require_counterexample(application, advice, p);
      }
    }
    // Five values instead of the two or four that suffice: no more is found.
    const Application more = all_instances(set, 5);
    REQUIRE(lowest_levels(more, offered, go_on)->levels == advice.levels());
    // By definition, three instances at random.
    const Application drawn_from = all_instances(set, 2 + random.below(2));
    std::vector<std::uint32_t> drawn;
    std::vector<Level> levels;
    for (int i = 0; i < 3; ++i) {
      drawn.push_back(static_cast<std::uint32_t>(random.below(drawn_from.transactions.size())));
      levels.push_back(advice.programs[drawn_from.transactions[drawn.back()].program].level);
    }
    const std::vector<PlainTransaction> few = plain(drawn_from, drawn);
    const bool are_short = std::ranges::all_of(few, [](const auto& t) { return !t.empty(); });
    REQUIRE((!are_short || reference::is_robust(few)[reference::allocation_number(plain(levels))]));
  }
}

}  // namespace elapid
