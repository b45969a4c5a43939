// Histories of rows that say the same in other words get the same answers; and rows that are used
// as registers get those of the engine of registers, which shares no code with that of rows.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/replay/replay.h"
#include "engine/rows/rows.h"
#include "parsers/convert/rows_as_registers.h"
#include "tests/oracle/random_rows.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using rows::Known;
using rows::Predicate;
using rows::RowOpKind;
using Operation = RowsSketch::Operation;

constexpr std::array kModelsOfRows = {
    Model::kPl3,  Model::kStrongSessionSerializable,      Model::kPlSs,
    Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation};

using RenamedAnswers = std::array<Validity, kModelsOfRows.size()>;

RenamedAnswers answers_of_replay(const History& history) {
  RenamedAnswers answers = {};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const OrderLevel level = order_level(kModelsOfRows.at(i)).value();
    answers.at(i) = replay_rows(history, {.level = level}).validity;
  }
  return answers;
}

/// Compares random histories with what `change(sketch, random)` makes of them. How many answers
/// were valid and invalid.
template <class Change>
void check_same_answers(std::uint64_t first, std::uint64_t cases, RowsVariety variety,
                        Change change) {
  std::map<Validity, std::size_t> counts;
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    RowsSketch sketch = random_rows(seed, variety);
    const Result<History> before = build(sketch);
    std::mt19937_64 random(seed);
    change(sketch, random);
    const Result<History> after = build(sketch);
    REQUIRE(before.ok() == after.ok());
    if (!before) {
      continue;
    }
    const RenamedAnswers expected = answers_of_replay(before.value());
    const RenamedAnswers found = answers_of_replay(after.value());
    if (expected != found) {
      ++failures;
      FAIL_CHECK("seed " << seed << '\n'
                         << rows_text(before.value()) << "becomes\n"
                         << rows_text(after.value()));
    }
    for (const Validity validity : found) {
      ++counts[validity];
    }
  }
  CHECK(counts[Validity::kValid] > cases / 2);
  CHECK(counts[Validity::kInvalid] > cases / 20);
}

bool is_range(const Predicate& is) {
  return (is.kind == Predicate::Kind::kRange || is.kind == Predicate::Kind::kKeyRange) &&
         is.low < is.high;
}

std::pair<Predicate, Predicate> halves(const Predicate& range) {
  Predicate lower = range;
  Predicate upper = range;
  lower.high = (range.low + range.high) / 2;
  upper.low = lower.high + 1;
  return {lower, upper};
}

void split_ranges(Predicate& is) {
  if (is_range(is)) {
    auto [lower, upper] = halves(is);
    is = Predicate::any_of({std::move(lower), std::move(upper)});
    return;
  }
  for (Predicate& part : is.parts) {
    split_ranges(part);
  }
}

TEST_CASE("rows: a range in two halves is the range") {
  check_same_answers(6'000'000 * first_seed_of_cases(), case_count(1000), RowsVariety::kAll,
                     [](RowsSketch& sketch, std::mt19937_64& /*random*/) {
                       for (RowsSketch::Transaction& txn : sketch.transactions) {
                         for (Operation& op : txn.operations) {
                           split_ranges(op.predicate);
                         }
                       }
                     });
}

/// Whether the row is in the lower half, if the result shows it.
std::optional<bool> is_in_lower_half(const Predicate& range, const RowsSketch::Shown& row) {
  const std::int64_t middle = (range.low + range.high) / 2;
  if (range.kind == Predicate::Kind::kKeyRange) {
    return row.row <= middle;
  }
  const auto column =
      std::ranges::find(row.columns, range.column.value, &RowsSketch::Column::first);
  return column == row.columns.end() ? std::nullopt
                                     : std::optional(column->second.value_or(middle) <= middle);
}

/// A read of a range becomes one of each half, if the rows of each half are known.
std::vector<Operation> read_by_halves(const Operation& op) {
  const bool has_rows =
      op.known == Known::kValues || (op.known <= Known::kKeys && op.known != Known::kNothing &&
                                     op.predicate.kind == Predicate::Kind::kKeyRange);
  if (op.kind != RowOpKind::kPredicateRead || !is_range(op.predicate) || !has_rows ||
      op.first > 0) {
    return {op};
  }
  Operation lower = op;
  Operation upper = op;
  std::tie(lower.predicate, upper.predicate) = halves(op.predicate);
  lower.shown.clear();
  upper.shown.clear();
  for (const RowsSketch::Shown& row : op.shown) {
    const auto is_lower = is_in_lower_half(op.predicate, row);
    if (!is_lower) {
      return {op};
    }
    (*is_lower ? lower : upper).shown.push_back(row);
  }
  return {lower, upper};
}

TEST_CASE("rows: a read of a range is two reads, one of each half") {
  check_same_answers(7'000'000 * first_seed_of_cases(), case_count(1000), RowsVariety::kPlain,
                     [](RowsSketch& sketch, std::mt19937_64& /*random*/) {
                       for (RowsSketch::Transaction& txn : sketch.transactions) {
                         std::vector<Operation> operations;
                         for (const Operation& op : txn.operations) {
                           const std::vector<Operation> reads = read_by_halves(op);
                           operations.insert(operations.end(), reads.begin(), reads.end());
                         }
                         txn.operations = std::move(operations);
                       }
                     });
}

std::int64_t renamed_row(std::int64_t row) {
  return 5 * row + 3;  // in the same order, as ranges of keys and limits are about that
}

void rename_in(Predicate& is, std::uint32_t columns) {
  is.column.value = columns - 1 - is.column.value;
  if (is.kind == Predicate::Kind::kKeyRange) {
    is.low = renamed_row(is.low);
    is.high = renamed_row(is.high);
  }
  for (Predicate& part : is.parts) {
    rename_in(part, columns);
  }
}

TEST_CASE("rows: names of rows, columns and versions mean nothing") {
  const auto rename = [](RowsSketch& sketch, std::mt19937_64& /*random*/) {
    const auto rename_columns = [&](std::vector<RowsSketch::Column>& columns) {
      for (auto& [column, value] : columns) {
        column = sketch.columns - 1 - column;
      }
    };
    const auto renamed_version = [](std::int64_t version) {
      return version == 0 ? 0 : 1000 - version;
    };
    for (RowsSketch::Transaction& txn : sketch.transactions) {
      for (Operation& op : txn.operations) {
        op.row = renamed_row(op.row);
        op.version = renamed_version(op.version);
        rename_columns(op.written);
        rename_in(op.predicate, sketch.columns);
        for (RowsSketch::Shown& row : op.shown) {
          row.row = renamed_row(row.row);
          row.version = renamed_version(row.version);
          rename_columns(row.columns);
        }
      }
    }
  };
  check_same_answers(8'000'000 * first_seed_of_cases(), case_count(1000), RowsVariety::kAll,
                     rename);
}

TEST_CASE("rows: the order of sessions, and of their transactions in the input, means nothing") {
  const auto reorder = [](RowsSketch& sketch, std::mt19937_64& random) {
    std::map<std::int64_t, std::vector<RowsSketch::Transaction>> sessions;
    std::vector<std::int64_t> turns;
    for (RowsSketch::Transaction& txn : sketch.transactions) {
      const std::int64_t session = 200 - txn.session;
      txn.session = session;
      turns.push_back(session);
      sessions[session].push_back(std::move(txn));
    }
    std::shuffle(turns.begin() + (sketch.has_initial ? 1 : 0), turns.end(), random);
    std::map<std::int64_t, std::size_t> next;
    sketch.transactions.clear();
    for (const std::int64_t session : turns) {
      sketch.transactions.push_back(std::move(sessions[session][next[session]++]));
    }
  };
  check_same_answers(9'000'000 * first_seed_of_cases(), case_count(1000), RowsVariety::kAll,
                     reorder);
}

TEST_CASE("rows: a history without predicates gets the answers that it gets as registers") {
  const std::uint64_t first = 10'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(1500);
  std::map<Validity, std::size_t> counts;
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const Result<History> history = build(random_rows(seed, RowsVariety::kRegisters));
    REQUIRE(history);
    const Result<History> registers = rows_as_registers(history.value());
    if (!says_something(history.value())) {
      continue;
    }
    if (!registers) {
      CHECK(registers.error().kind == ErrorKind::kUsage);
      continue;
    }
    const bool has_real_time = history.value().info().has_real_time;
    const RenamedAnswers found = answers_of_replay(history.value());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (order_level(kModelsOfRows.at(i))->real_time && !has_real_time) {
        continue;
      }
      const Result<Verdict> verdict =
          check(registers.value(), {.models = ModelSet{kModelsOfRows.at(i)}});
      REQUIRE(verdict);
      const Validity expected = verdict.value().validity;
      ++counts[expected];
      if (expected != Validity::kUnknown && expected != found.at(i)) {
        ++failures;
        FAIL_CHECK("seed " << seed << ' ' << friendly_name(kModelsOfRows.at(i)) << '\n'
                           << rows_text(history.value()));
        break;
      }
    }
  }
  CHECK(counts[Validity::kValid] > cases / 2);
  CHECK(counts[Validity::kInvalid] > cases / 20);
  CHECK(counts[Validity::kUnknown] == 0);
}

}  // namespace
}  // namespace elapid
