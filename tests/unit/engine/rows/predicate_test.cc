#include "engine/rows/predicate.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace elapid::rows {
namespace {

constexpr ColumnId kAge{0};
constexpr ColumnId kCity{1};

/// For an age of 15, of null, and a row without age.
std::string truths(const Predicate& is) {
  const ValuePool values;
  std::vector<Record> rows(3);
  rows[0].set(kAge, ValueId::integer(15));
  rows[1].set(kAge, ValueId::nil());
  std::string out;
  for (const Record& row : rows) {
    const Truth truth = is.evaluate(values, ValueId::integer(7), row);
    out += truth == Truth::kTrue ? 't' : truth == Truth::kFalse ? 'f' : '?';
  }
  return out;
}

TEST_CASE("predicates compare null as SQL does") {
  CHECK(truths({}) == "ttt");
  CHECK(truths(Predicate::equal(kAge, ValueId::integer(15))) == "t??");
  CHECK(truths(Predicate::equal(kAge, ValueId::integer(16))) == "f??");
  CHECK(truths(Predicate::equal(kAge, ValueId::nil())) == "???");
  CHECK(truths(Predicate::range(kAge, 15, 15)) == "t??");
  CHECK(truths(Predicate::range(kAge, 16, 20)) == "f??");
  CHECK(truths(Predicate::range(kAge, 20, 10)) == "f??");
  CHECK(truths(Predicate::mod(kAge, 4, 3)) == "t??");
  CHECK(truths(Predicate::present(kAge)) == "tff");
  CHECK(truths(Predicate::key_range(7, 7)) == "ttt");
  CHECK(truths(Predicate::key_range(8, 9)) == "fff");
}

TEST_CASE("predicates combine three truth values") {
  const Predicate unknown = Predicate::present(kCity);
  const Predicate is_15 = Predicate::equal(kAge, ValueId::integer(15));
  CHECK(truths(Predicate::negation(is_15)) == "f??");
  CHECK(truths(Predicate::negation(unknown)) == "ttt");
  CHECK(truths(Predicate::all_of({is_15, {}})) == "t??");
  CHECK(truths(Predicate::all_of({is_15, unknown})) == "fff");
  CHECK(truths(Predicate::any_of({is_15, unknown})) == "t??");
  CHECK(truths(Predicate::any_of({is_15, {}})) == "ttt");
  CHECK(truths(Predicate::all_of({})) == "ttt");
  CHECK(truths(Predicate::any_of({})) == "fff");
}

TEST_CASE("predicates round remainders down") {
  const ValuePool values;
  Record row;
  row.set(kAge, ValueId::integer(-1));
  CHECK(Predicate::mod(kAge, 3, 2).matches(values, ValueId::nil(), row));
  CHECK_FALSE(Predicate::mod(kAge, 3, 1).matches(values, ValueId::nil(), row));
}

TEST_CASE("records keep columns in order and tell missing from null") {
  Record row;
  row.set(kCity, ValueId::integer(2));
  row.set(kAge, ValueId::nil());
  row.set(kCity, ValueId::integer(3));
  CHECK(row.get(kAge).is_nil());
  CHECK(row.get(ColumnId{9}).is_none());
  CHECK(row.fields().size() == 2);
  CHECK(row.fields()[1] == Field{kCity, ValueId::integer(3)});
}

TEST_CASE("records of many columns are like those of few") {
  constexpr std::array<std::uint32_t, 8> kColumns = {5, 0, 7, 2, 6, 1, 4, 3};
  Record one;
  Record other;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    one.set(ColumnId{kColumns[i]}, ValueId::integer(kColumns[i]));
    other.set(ColumnId{kColumns[i]}, ValueId::nil());
    CHECK_FALSE(one == other);
    other.set(ColumnId{kColumns[i]}, ValueId::integer(kColumns[i]));
    CHECK(one == other);
    CHECK(one.fields().size() == i + 1);
    CHECK(std::ranges::is_sorted(one.fields(), {}, &Field::column));
    CHECK(std::ranges::all_of(one.fields(), [](const Field& field) {
      return field.value == ValueId::integer(field.column.value);
    }));
  }
  CHECK(one.get(ColumnId{6}) == ValueId::integer(6));
  CHECK(one.get(ColumnId{8}).is_none());
}

}  // namespace
}  // namespace elapid::rows
