// Sessions in SQL that go one step at a time, for any database.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/drive/driver.h"
#include "harness/drive/sql/sql_session.h"

namespace elapid {

class SqlStepDatabase : public StepDatabase {
 public:
  /// Also opens a session that looks at the locks of the others. Error: kUnreadable.
  static Result<std::unique_ptr<StepDatabase>> open(std::unique_ptr<SqlBinding> binding);

  [[nodiscard]] const SqlSpelling* spelling() const override { return &binding_->spelling(); }

  Status prepare(std::span<const std::string> sql) override;
  Result<std::unique_ptr<StepSession>> connect(std::size_t session,
                                               std::span<const std::string> settings) override;
  Result<bool> all_wait(std::span<const std::size_t> sessions) override;

  /// A waiting session now counts as waiting from the beginning.
  void step_returned() override { waiting_since_.clear(); }

  [[nodiscard]] std::vector<DatabaseFact> facts() override;

 private:
  using Clock = std::chrono::steady_clock;

  explicit SqlStepDatabase(std::unique_ptr<SqlBinding> binding) : binding_(std::move(binding)) {}

  std::unique_ptr<SqlBinding> binding_;
  std::unique_ptr<SqlSession> observer_ = {};
  std::vector<std::string> numbers_ = {};  // of sessions, in the server's numbering
  Clock::time_point looked_at_ = {};       // when the view of locks was last read
  std::map<std::string, Clock::time_point> waiting_since_ = {};  // by number
};

}  // namespace elapid
