// A session that runs transactions in SQL, for any database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/drive/driver.h"
#include "harness/drive/sql/sql_session.h"
#include "harness/drive/sql/sql_settings.h"
#include "harness/drive/sql/sql_texts.h"

namespace elapid {

class SqlConnection : public Connection {
 public:
  /// `texts` must outlive this, and are prepared in `session`, which is set up for the first of
  /// `levels`. `levels` is indexed by DriverTxn::level().
  SqlConnection(std::unique_ptr<SqlSession> session, const SqlTexts& texts,
                const SqlSettings& settings, std::vector<SqlBegin> levels)
      : session_(std::move(session)),
        texts_(texts),
        settings_(settings),
        levels_(std::move(levels)) {}

  TxnOutcome run(DriverTxn& txn) override;

 private:
  SqlStatus begin(const DriverTxn& txn);
  SqlStatus carry_out(DriverTxn& txn, std::size_t i, bool& goes_on);
  SqlStatus guarded(DriverTxn& txn, std::size_t i, bool& goes_on);
  SqlStatus read(DriverTxn& txn, std::size_t i, bool& goes_on);
  SqlStatus write(const RequestStep& step);
  SqlStatus append(const RequestStep& step);
  SqlStatus append_by_writing(const RequestStep& step);
  /// Either one statement that inserts or updates; or an update and, if it finds no row, an
  /// insert.
  SqlStatus put(std::int64_t key, SqlStatement merge, SqlStatement update, SqlArgument value);
  SqlStatus execute(SqlStatement statement, std::int64_t key,
                    std::initializer_list<SqlArgument> arguments);

  SqlStatus carry_out_on_rows(DriverTxn& txn, std::size_t i);

  [[nodiscard]] bool has_json() const { return settings_.lists == SqlLists::kJson; }

  /// Stores the elements of the list that was read in elements_.
  void take_elements();
  TxnOutcome commit();
  TxnOutcome roll_back(const SqlFailure& failure);

  std::unique_ptr<SqlSession> session_;
  const SqlTexts& texts_;
  SqlSettings settings_;
  std::vector<SqlBegin> levels_;
  static constexpr std::size_t kNoLevel = static_cast<std::size_t>(-1);

  std::size_t at_ = 0;  // the level for which the session is set up
  std::vector<std::int64_t> elements_ = {};
  std::string text_ = {};
};

}  // namespace elapid
