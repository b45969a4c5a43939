// Predicates over a row's key and columns, as in the WHERE of a query.
//
//   10 <= age <= 20 and not (city = "Ulm")
//
// ```cpp
// using namespace rows;
// const ColumnId age{0};
// const Predicate teens = Predicate::range(age, 13, 19);
// const ValuePool values;
// Record row;
// row.set(age, ValueId::integer(15));
// CHECK(teens.matches(values, ValueId::integer(7), row));
// row.set(age, ValueId::nil());
// CHECK_FALSE(teens.matches(values, ValueId::integer(7), row));
// CHECK_FALSE(Predicate::negation(teens).matches(values, ValueId::integer(7), row));
// ```
//
// As in SQL there are three truth values. A comparison with null, or with a column that the row
// lacks, is neither true nor false. A row matches only if the whole is true. So neither `age = 5`
// nor its negation matches a row whose age is null. Ranges and remainders are of integers. Other
// values compare like null there (a RowsBuilder refuses histories for which that would matter).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/ir/value_pool.h"

namespace elapid::rows {

/// A column; numbered by first appearance.
using ColumnId = Id<struct ColumnTag>;

/// A column and its value; nil() is null.
struct Field {
  ColumnId column;
  ValueId value = ValueId::nil();
  friend bool operator==(const Field&, const Field&) = default;
};

/// The columns of a row, and their values. A missing column differs from a column that holds null,
/// though both compare alike.
class Record {
 public:
  /// The value of the column; none() if it is missing. O(columns).
  [[nodiscard]] ValueId get(ColumnId column) const {
    for (const Field& field : fields()) {
      if (field.column == column) {
        return field.value;
      }
    }
    return ValueId::none();
  }

  void set(ColumnId column, ValueId value);

  void set(std::span<const Field> fields) {
    for (const Field& field : fields) {
      set(field.column, field.value);
    }
  }

  /// The columns and their values, by column, ascending.
  [[nodiscard]] std::span<const Field> fields() const {
    return many_.empty() ? std::span(few_).first(few_count_) : std::span(many_);
  }

  friend bool operator==(const Record& a, const Record& b) {
    return std::ranges::equal(a.fields(), b.fields());
  }

 private:
  static constexpr std::size_t kFew = 4;

  // The values of few columns are here, so that a look at a row reads memory in one place.
  std::array<Field, kFew> few_ = {};
  std::uint32_t few_count_ = 0;
  std::vector<Field> many_;  // else, all of it
};

enum class Truth : std::uint8_t { kFalse, kUnknown, kTrue };

/// An expression. Values and columns are those of one history.
struct Predicate {
  enum class Kind : std::uint8_t {
    kTrue,      ///< every row
    kEqual,     ///< `column` = `value`
    kRange,     ///< low <= `column` <= high
    kMod,       ///< the remainder of `column` by `high`, from 0 on, is `low`
    kKeyRange,  ///< low <= key <= high
    kPresent,   ///< the row has `column`, and it is not null
    kNot,       ///< negation of the only part
    kAnd,       ///< all parts; without parts: true
    kOr,        ///< any part; without parts: false
  };

  /// More levels of nesting than this are refused.
  static constexpr std::size_t kMaxDepth = 32;

  Kind kind = Kind::kTrue;
  ColumnId column = {};
  ValueId value = ValueId::nil();
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::vector<Predicate> parts = {};

  static Predicate equal(ColumnId column, ValueId value) {
    return {.kind = Kind::kEqual, .column = column, .value = value};
  }

  static Predicate range(ColumnId column, std::int64_t low, std::int64_t high) {
    return {.kind = Kind::kRange, .column = column, .low = low, .high = high};
  }

  static Predicate mod(ColumnId column, std::int64_t by, std::int64_t remainder) {
    return {.kind = Kind::kMod, .column = column, .low = remainder, .high = by};
  }

  static Predicate key_range(std::int64_t low, std::int64_t high) {
    return {.kind = Kind::kKeyRange, .low = low, .high = high};
  }

  static Predicate present(ColumnId column) { return {.kind = Kind::kPresent, .column = column}; }

  static Predicate negation(Predicate of) { return {.kind = Kind::kNot, .parts = {std::move(of)}}; }

  static Predicate all_of(std::vector<Predicate> parts) {
    return {.kind = Kind::kAnd, .parts = std::move(parts)};
  }

  static Predicate any_of(std::vector<Predicate> parts) {
    return {.kind = Kind::kOr, .parts = std::move(parts)};
  }

  /// Whether the expression itself is about `column`, apart from its parts.
  [[nodiscard]] bool has_column() const {
    return kind == Kind::kEqual || kind == Kind::kRange || kind == Kind::kMod ||
           kind == Kind::kPresent;
  }

  /// The truth of the expression for the row with this key. O(size of the expression).
  [[nodiscard]] Truth evaluate(const ValuePool& values, ValueId key, const Record& row) const;

  [[nodiscard]] bool matches(const ValuePool& values, ValueId key, const Record& row) const {
    if (kind == Kind::kRange) {  // nearly all are
      if (const ValueId held = row.get(column); held.is_integer()) {
        return low <= held.as_integer() && held.as_integer() <= high;
      }
    }
    return evaluate(values, key, row) == Truth::kTrue;
  }

  friend bool operator==(const Predicate&, const Predicate&) = default;
};

}  // namespace elapid::rows
