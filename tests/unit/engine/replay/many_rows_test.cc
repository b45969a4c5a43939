// Tables of more rows than random small histories have. Search and certification accept the results
// of serial transactions, and refuse changed ones.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/patience.h"
#include "engine/certify/rows/rows_witness.h"
#include "engine/ir/history_builder.h"
#include "engine/replay/replay.h"
#include "engine/rows/rows_builder.h"
#include "tests/support/sample_size.h"

namespace elapid::rows {
namespace {

constexpr std::int64_t kValues = 400;  // that columns hold

/// A row of the database.
struct Stored {
  Record record;
  ValueId version;
};

/// Runs transactions one after the other, in one session, and records them. One result is recorded
/// wrongly if `is_wrong`.
class Database {
 public:
  Database(std::uint64_t seed, bool is_wrong) : chance_(seed), is_wrong_(is_wrong) {
    columns_ = {rows_.column(history_.values().intern(":a")),
                rows_.column(history_.values().intern(":b"))};
  }

  History run(int transactions) {
    for (int txn = 0; txn < transactions; ++txn) {
      mops_.clear();
      for (int op = 0; op < (txn == 0 ? 900 : 4); ++op) {
        txn == 0 || below(3) == 0 ? write() : by_predicate();
      }
      is_late_ = txn > transactions / 2;
      CHECK(history_.add_transaction({.session = 0, .mops = mops_}).ok());
    }
    REQUIRE(!is_wrong_);
    auto built = std::move(history_).build(
        {.format = "test", .workload = Workload::kRows, .rows = std::move(rows_).build(true)});
    REQUIRE(built.ok());
    return std::move(built).value();
  }

 private:
  using Contents = std::map<std::int64_t, Stored>;  // by key

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(bound));
  }

  std::vector<Field> some_fields() {
    std::vector<Field> fields;
    for (const ColumnId column : columns_) {
      const std::int64_t value = below(kValues);
      if (below(4) > 0) {
        fields.push_back({column, value % 20 == 0 ? ValueId::nil() : ValueId::integer(value)});
      }
    }
    return fields;
  }

  void add(const RowOpInput& input) {
    Result<MopInput> mop = rows_.add(input);
    REQUIRE(mop.ok());
    mops_.push_back(mop.value());
  }

  KeyId row(std::int64_t key) { return rows_.row(ValueId::integer(key)); }

  void write() {
    const std::int64_t key = below(1200);
    const bool exists = contents_.contains(key);
    const ValueId version = ValueId::integer(++versions_);
    if (exists && below(4) == 0) {
      contents_.erase(key);
      add({.kind = RowOpKind::kDelete, .row = row(key)});
      return;
    }
    const std::vector<Field> fields = some_fields();
    contents_[key].record.set(fields);
    contents_[key].version = version;
    add({.kind = exists ? RowOpKind::kUpdate : RowOpKind::kInsert,
         .row = row(key),
         .version = version,
         .written = fields});
  }

  Predicate comparison() {
    const std::int64_t low = below(kValues);
    const ColumnId column = columns_[static_cast<std::size_t>(below(2))];
    switch (below(4)) {
      case 0:
        return Predicate::equal(column, ValueId::integer(low));
      case 1:
        return Predicate::key_range(low, low + below(60) - 1);
      default:
        return Predicate::range(column, low, low + below(30) - 1);
    }
  }

  Predicate predicate() {
    switch (below(10)) {
      case 0:
        return Predicate::all_of({comparison(), comparison()});
      case 1:
        return Predicate::any_of({comparison(), comparison()});
      case 2:
        return Predicate::negation(comparison());
      case 3:
        return Predicate::all_of({Predicate::mod(columns_[0], 7, 3), comparison()});
      default:
        return comparison();
    }
  }

  Known some_known(RowOpKind kind) {
    constexpr std::array kOfReads = {Known::kVersions, Known::kValues, Known::kKeys,
                                     Known::kCount,    Known::kAny,    Known::kBag};
    constexpr std::array kOfWrites = {Known::kVersions, Known::kKeys, Known::kCount,
                                      Known::kNothing};
    return kind == RowOpKind::kPredicateRead ? kOfReads[static_cast<std::size_t>(below(6))]
                                             : kOfWrites[static_cast<std::size_t>(below(4))];
  }

  void by_predicate() {
    constexpr std::array kKinds = {RowOpKind::kPredicateRead, RowOpKind::kPredicateRead,
                                   RowOpKind::kPredicateRead, RowOpKind::kPredicateUpdate,
                                   RowOpKind::kPredicateDelete};
    RowOpInput input = {.kind = kKinds[static_cast<std::size_t>(below(5))],
                        .predicate = predicate()};
    input.known = some_known(input.kind);
    input.first = below(5) == 0 ? static_cast<std::uint32_t>(1 + below(9)) : 0;
    std::vector<std::int64_t> found;
    for (const auto& [key, stored] : contents_) {
      const bool is_asked_for = input.first == 0 || found.size() < input.first;
      if (is_asked_for &&
          input.predicate.matches(history_.values(), ValueId::integer(key), stored.record)) {
        found.push_back(key);
      }
    }
    record(input, found);
    const std::vector<Field> fields = {{columns_[1], ValueId::integer(below(kValues))}};
    if (input.kind == RowOpKind::kPredicateUpdate) {
      input.written = fields;
      input.version = ValueId::integer(++versions_);
    }
    add(input);
    for (const std::int64_t key : found) {
      if (input.kind == RowOpKind::kPredicateDelete) {
        contents_.erase(key);
      } else if (input.kind == RowOpKind::kPredicateUpdate) {
        contents_[key].record.set(fields);
        contents_[key].version = input.version;
      }
    }
  }

  /// What was found, as far as is known.
  void record(RowOpInput& input, const std::vector<std::int64_t>& found) {
    shown_.clear();
    shown_fields_.clear();
    const bool is_of_number = input.known == Known::kCount || input.known == Known::kAny;
    input.count = input.known == Known::kCount ? static_cast<std::uint32_t>(found.size())
                  : input.known == Known::kAny ? static_cast<std::uint32_t>(!found.empty())
                                               : 0;
    if (is_of_number || input.known == Known::kNothing) {
      distort_number(input);
      return;
    }
    for (const std::int64_t key : found) {
      const ValueId held = contents_.at(key).record.get(columns_[0]);
      shown_fields_.push_back({columns_[0], held.is_none() ? ValueId::nil() : held});
    }
    const bool shows_fields = input.known == Known::kValues || input.known == Known::kBag;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool has_version = input.known == Known::kVersions;
      shown_.push_back({.row = input.known == Known::kBag ? KeyId::none() : row(found[i]),
                        .version = has_version ? contents_.at(found[i]).version : ValueId::none(),
                        .fields = {shown_fields_.data() + i, std::size_t{shows_fields ? 1U : 0U}}});
    }
    distort_rows(input);
    input.shown = shown_;
  }

  void distort_number(RowOpInput& input) {
    if (is_wrong_ && is_late_ && input.first == 0 && input.known != Known::kNothing) {
      input.count = input.known == Known::kAny ? 1 - input.count : input.count + 1;
      is_wrong_ = false;
    }
  }

  void distort_rows(const RowOpInput& input) {
    if (!is_wrong_ || !is_late_ || shown_.empty()) {
      return;
    }
    if (input.known == Known::kVersions && below(2) == 0) {
      shown_.back().version = ValueId::integer(++versions_);
    } else if (input.first == 0) {
      shown_.pop_back();
    } else {
      return;
    }
    is_wrong_ = false;
  }

  std::mt19937_64 chance_;
  HistoryBuilder history_;
  RowsBuilder rows_{history_};
  std::array<ColumnId, 2> columns_ = {};
  Contents contents_;
  std::vector<MopInput> mops_;
  std::vector<ShownRowInput> shown_;
  std::vector<Field> shown_fields_;
  std::int64_t versions_ = 0;
  bool is_late_ = false;
  bool is_wrong_;  // a result is still to be recorded wrongly
};

std::optional<std::string> flaw_in_order_of_session(const History& history,
                                                    const std::function<bool()>& keep_going = {}) {
  Witness witness;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    witness.order.push_back({txn, true});
  }
  return check_rows_witness(history, {Visibility::kSerial, true, false}, witness, keep_going);
}

TEST_CASE("rows: what transactions found in large tables one after the other is right") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    const History history = Database(seed, false).run(150);
    const ReplayResult result = replay_rows(history, {.level = {Visibility::kSerial, true, false}});
    CHECK(result.validity == Validity::kValid);
    CHECK(flaw_in_order_of_session(history).value_or("") == "");
    CHECK(flaw_in_order_of_session(history, [] { return false; }) == certify::kToldToStop);
  }
}

TEST_CASE("rows: one wrong result among many in large tables is found") {
  for (std::uint64_t seed = 1; seed <= round_count(40, 400); ++seed) {
    INFO("seed " << seed);
    const History history = Database(seed, true).run(60);
    const ReplayResult result = replay_rows(history, {.level = {Visibility::kSerial, true, false}});
    CHECK(result.validity == Validity::kInvalid);
    CHECK(flaw_in_order_of_session(history).has_value());
  }
}

}  // namespace
}  // namespace elapid::rows
