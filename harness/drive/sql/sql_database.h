// A database that speaks SQL, with its tables for a run.
#pragma once

#include <memory>
#include <vector>

#include "harness/drive/driver.h"
#include "harness/drive/sql/sql_session.h"
#include "harness/drive/sql/sql_settings.h"
#include "harness/drive/sql/sql_texts.h"

namespace elapid {

class SqlDatabase : public Database {
 public:
  /// Makes the run's tables, with the initial values of registers. Error: kUnreadable.
  static Result<std::unique_ptr<Database>> open(std::unique_ptr<SqlBinding> binding,
                                                const DatabaseRequest& request);

  Result<std::unique_ptr<Connection>> connect(std::size_t session) override;
  [[nodiscard]] std::vector<DatabaseFact> facts() override;

 private:
  SqlDatabase(std::unique_ptr<SqlBinding> binding, const SqlSettings& settings,
              const DatabaseRequest& request)
      : binding_(std::move(binding)),
        settings_(settings),
        texts_(binding_->spelling(), settings, request.has_lists, request.has_rows) {
    for (const std::string& level : request.mix) {
      levels_.push_back(binding_->begin(level));
    }
    if (levels_.empty()) {
      levels_.push_back(binding_->begin(request.level));
    }
  }

  Status fill(const std::vector<RequestStep>& initial);
  Result<std::unique_ptr<SqlSession>> prepared_session();

  std::unique_ptr<SqlBinding> binding_;
  SqlSettings settings_;
  SqlTexts texts_;
  std::vector<SqlBegin> levels_ = {};  // by DriverTxn::level()
};

}  // namespace elapid
