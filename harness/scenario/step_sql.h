// A scenario in SQL, in the dialect of a database.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/rows/rows.h"
#include "harness/drive/sql/sql_spelling.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// Registers and lists are rows of one table, which exist from the beginning. Rows have a table of
/// their own, with all columns of the scenario.
class StepSql {
 public:
  /// Borrows both.
  StepSql(const Scenario& scenario, const SqlSpelling& spelling)
      : scenario_(scenario), spelling_(spelling) {}

  /// Drops and makes all tables.
  [[nodiscard]] std::vector<std::string> creation() const;

  /// Empties all tables, and writes the initial contents.
  [[nodiscard]] std::vector<std::string> filling() const;

  /// The SQL of an operation of the script. A read of rows returns their keys and all columns; a
  /// read of a register or a list returns its value.
  [[nodiscard]] std::string operation(Op op) const;

  /// Reads of everything: of each row of a table, or of each key's value.
  [[nodiscard]] std::vector<std::string> final_reads() const;

 private:
  [[nodiscard]] std::string row_operation(const rows::RowOp& op, std::size_t table) const;
  [[nodiscard]] std::string insert(const rows::RowOp& op, std::size_t table) const;
  [[nodiscard]] std::string assignments(std::span<const rows::Field> fields) const;
  [[nodiscard]] std::string where(const rows::RowOp& op, std::size_t table) const;
  [[nodiscard]] std::string condition(const rows::Predicate& predicate) const;
  [[nodiscard]] std::string select(std::size_t table, const std::string& where) const;
  [[nodiscard]] std::string column(rows::ColumnId column) const;
  [[nodiscard]] std::string literal(ValueId value) const;
  [[nodiscard]] std::string column_of_name(ValueId name, std::size_t number) const;

  const Scenario& scenario_;
  const SqlSpelling& spelling_;
};

}  // namespace elapid
