#include "harness/drive/sql/sql_connection.h"

#include <catch2/catch.hpp>

#include "harness/drive/sql/sql_database.h"

using namespace elapid;

namespace {

/// A session in which everything succeeds but the commit, which fails as a test wants it.
class RefusingSession : public SqlSession {
 public:
  RefusingSession(SqlFailure failure, bool& has_rolled_back)
      : failure_(std::move(failure)), has_rolled_back_(has_rolled_back) {}

  SqlStatus command(const std::string& text) override {
    has_rolled_back_ |= text == "rollback";
    return text == "commit" ? SqlStatus(failure_) : SqlStatus();
  }

  SqlStatus query(const std::string& text, std::vector<StepRow>& /*rows*/) override {
    return command(text);
  }

  SqlStatus prepare(const std::vector<std::string>& /*texts*/) override { return {}; }

  SqlStatus execute(std::size_t /*number*/, std::span<const SqlArgument> /*values*/) override {
    return {};
  }

  [[nodiscard]] std::size_t row_count() const override { return 0; }

  [[nodiscard]] std::optional<std::string_view> cell(std::size_t /*row*/,
                                                     std::size_t /*column*/) const override {
    return {};
  }

  [[nodiscard]] std::uint64_t affected() const override { return 1; }

 private:
  SqlFailure failure_;
  bool& has_rolled_back_;
};

struct RefusedCommit {
  TxnOutcome outcome = {};
  bool has_rolled_back = false;
};

RefusedCommit refused_commit(const SqlFailure& failure) {
  RefusedCommit result;
  static constexpr SqlSpelling kSpelling = {};
  const SqlTexts texts(kSpelling, {}, false);
  SqlConnection connection(std::make_unique<RefusingSession>(failure, result.has_rolled_back),
                           texts, {}, {{.any = "begin"}});
  Request request;
  request.steps = {{OpKind::kWrite, 0, 1, 1}};
  DriverTxn txn(request);
  result.outcome = connection.run(txn);
  return result;
}

}  // namespace

TEST_CASE("A commit that the database refuses is an abort, and its connection goes on") {
  for (const TxnError error :
       {TxnError::kConflict, TxnError::kDeadlock, TxnError::kLockTimeout, TxnError::kBusy}) {
    const RefusedCommit refused = refused_commit({.error = error, .message = "no"});
    CHECK(refused.outcome.fate == TxnFate::kAborted);
    CHECK(refused.outcome.error == error);
    CHECK(refused.has_rolled_back);
    CHECK_FALSE(refused.outcome.is_unusable);
  }
}

TEST_CASE("The fate of a commit that failed in any other way is unknown") {
  for (const TxnError error : {TxnError::kOther, TxnError::kConnection, TxnError::kTimeout}) {
    const RefusedCommit lost = refused_commit({.error = error, .message = "disk full"});
    CHECK(lost.outcome.fate == TxnFate::kIndeterminate);
    CHECK(lost.outcome.error == error);
    CHECK(lost.outcome.message == "disk full");
    CHECK(lost.outcome.is_unusable);
  }
  const RefusedCommit lost =
      refused_commit({.error = TxnError::kConflict, .message = "gone", .is_lost = true});
  CHECK(lost.outcome.fate == TxnFate::kIndeterminate);
}
