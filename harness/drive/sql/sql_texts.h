// The texts of all statements of a run, for a dialect and settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/drive/sql/sql_settings.h"
#include "harness/drive/sql/sql_spelling.h"

namespace elapid {

/// The statements on one table, with their arguments.
enum class SqlStatement : std::uint8_t {
  kRead,    ///< key: the value, or the elements in their order
  kMerge,   ///< key, key, value: insert it, or take the old one's place
  kUpdate,  ///< value, key
  kInsert,  ///< key, key, value; if a row an element: key, key, element, key; its place is the next
  kMergeAppend,   ///< key, key, value of one element
  kUpdateAppend,  ///< value of one element, key
};
inline constexpr std::size_t kSqlStatements = 6;

/// The statements on the table `elapid_rows`. Arguments of a predicate come last.
enum class SqlRowStatement : std::uint8_t {
  kInsert,  ///< k, g, v, u
  kRead,    ///< k, g, v and u of all rows that match, by k
  kUpdate,  ///< v, u
  kDelete,
};
inline constexpr std::size_t kSqlPredicates = 4;  ///< PlainRowsBy

class SqlTexts {
 public:
  SqlTexts(const SqlSpelling& spelling, const SqlSettings& settings, bool has_lists,
           bool is_of_rows = false)
      : spelling_(spelling), settings_(settings), has_lists_(has_lists), is_of_rows_(is_of_rows) {}

  /// Drops and creates all tables; one command each.
  [[nodiscard]] std::vector<std::string> creation() const;

  /// All statements to prepare; statement_number() gives the place of each.
  [[nodiscard]] std::vector<std::string> statements() const;

  /// The place of a statement on the table of rows.
  [[nodiscard]] static std::size_t row_statement_number(SqlRowStatement statement, PlainRowsBy by) {
    return static_cast<std::size_t>(statement) * kSqlPredicates + static_cast<std::size_t>(by);
  }

  /// The place of a statement on the table of the key.
  [[nodiscard]] std::size_t statement_number(SqlStatement statement, std::int64_t key) const {
    const auto tables = static_cast<std::uint64_t>(settings_.tables);
    return static_cast<std::size_t>(static_cast<std::uint64_t>(key) % tables) * kSqlStatements +
           static_cast<std::size_t>(statement);
  }

 private:
  [[nodiscard]] bool has_rows() const { return has_lists_ && settings_.lists == SqlLists::kRows; }

  [[nodiscard]] std::string table(std::size_t number) const;
  [[nodiscard]] std::string appended(const std::string& old, const std::string& added) const;
  [[nodiscard]] std::string merge(const std::string& table, const std::string& value) const;
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::vector<std::string> row_statements() const;
  [[nodiscard]] std::vector<std::string> statements_of(const std::string& table) const;
  [[nodiscard]] std::vector<std::string> row_creation() const;
  [[nodiscard]] std::string spelled(std::string text) const;

  const SqlSpelling& spelling_;
  SqlSettings settings_;
  bool has_lists_;
  bool is_of_rows_;
};

}  // namespace elapid
