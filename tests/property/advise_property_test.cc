// Allocations of small random sets of transactions: the engine's answers are those of the
// definition (tests/reference/allocations.h), for every allocation of three levels.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/advise/lowest.h"
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

std::size_t number_of(const std::vector<Level>& levels) {
  std::vector<PlainAllocated> plain;
  for (const Level level : levels) {
    plain.push_back(static_cast<PlainAllocated>(level));
  }
  return reference::allocation_number(plain);
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

}  // namespace

TEST_CASE("property: robust allocations, and the lowest, are those of the definition") {
  const std::array<advise::OfferedLevels, 4> offers = {
      {{Level::kReadCommitted, Level::kSnapshot, Level::kSerializable},
       {Level::kReadCommitted, Level::kSnapshot},
       {Level::kReadCommitted, Level::kSerializable},
       {Level::kSnapshot, Level::kSerializable}}};
  const auto go_on = [] { return true; };
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
      REQUIRE(advice.is_robust == is_robust[number_of(levels)]);
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

}  // namespace elapid
