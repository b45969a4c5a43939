// Transactions that a test interleaves as it likes: one goes on while another one waits behind its
// read.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/drive/drivers.h"
#include "harness/process/scratch_folder.h"

namespace elapid {

inline RequestStep probe_read(std::int64_t key) {
  return {OpKind::kRead, 0, key, 0};
}

inline RequestStep probe_write(std::int64_t key, std::int64_t value) {
  return {OpKind::kWrite, 0, key, value};
}

inline RequestStep probe_list(std::int64_t key) {
  return {OpKind::kReadList, 0, key, 0};
}

inline RequestStep probe_append(std::int64_t key, std::int64_t value) {
  return {OpKind::kAppend, 0, key, value};
}

struct ProbeResult {
  TxnOutcome outcome = {};
  std::vector<Seen> seen = {};                        ///< by step
  std::vector<std::vector<std::int64_t>> lists = {};  ///< by step
};

/// A database that a test opens, with a few connections.
class DriverProbe {
 public:
  /// `level` may be empty.
  DriverProbe(const std::string& uri, const std::string& level, bool has_lists = false,
              std::vector<RequestStep> initial = {}) {
    Result<ScratchFolder> folder = ScratchFolder::create();
    REQUIRE(folder.ok());
    folder_ = std::make_unique<ScratchFolder>(std::move(folder).value());
    const Result<DatabaseUri> parsed = parse_database_uri(uri);
    REQUIRE(parsed.ok());
    const Result<const Driver*> driver = find_driver(parsed.value().scheme);
    REQUIRE(driver.ok());
    Result<std::unique_ptr<Database>> opened =
        open_database(*driver.value(), {.uri = parsed.value(),
                                        .level = level,
                                        .has_lists = has_lists,
                                        .initial = std::move(initial),
                                        .sessions = kConnections,
                                        .scratch = folder_->path(),
                                        .patience = std::chrono::milliseconds(20)});
    INFO((opened ? "" : opened.error().to_string()));
    REQUIRE(opened.ok());
    database_ = std::move(opened).value();
    for (std::size_t i = 0; i < kConnections; ++i) {
      Result<std::unique_ptr<Connection>> connection = database_->connect(i);
      REQUIRE(connection.ok());
      connections_.push_back(std::move(connection).value());
    }
  }

  Database& database() { return *database_; }

  /// Carries out a transaction on a connection; `meanwhile`, if there is one, behind its first read
  /// of a register.
  ProbeResult run(std::size_t connection, std::vector<RequestStep> steps,
                  const std::function<void()>& meanwhile = {}) {
    Request request;
    request.steps = std::move(steps);
    request.only_reads = std::ranges::all_of(request.steps, [](const RequestStep& step) {
      return step.kind == OpKind::kRead || step.kind == OpKind::kReadList;
    });
    request.depends_on_reads = true;
    bool is_first = true;
    DriverTxn txn(request, [&](Request&, std::size_t, Seen) {
      if (std::exchange(is_first, false) && meanwhile) {
        meanwhile();
      }
      return std::string_view();
    });
    ProbeResult result = {.outcome = connections_[connection]->run(txn)};
    for (std::size_t i = 0; i < txn.size(); ++i) {
      result.seen.push_back(txn.result(i).seen);
      const auto list = txn.elements().subspan(txn.result(i).list_begin, txn.result(i).list_length);
      result.lists.emplace_back(list.begin(), list.end());
    }
    return result;
  }

 private:
  static constexpr std::size_t kConnections = 3;

  std::unique_ptr<ScratchFolder> folder_;
  std::unique_ptr<Database> database_;
  std::vector<std::unique_ptr<Connection>> connections_ = {};
};

/// A client that gives up behind a read has left nothing.
inline void check_giving_up(const std::string& uri, const std::string& level) {
  DriverProbe probe(uri, level);
  const Result<std::unique_ptr<Connection>> connection = probe.database().connect(9);
  REQUIRE(connection.ok());
  Request request;
  request.steps = {probe_write(1, 1), probe_read(2), probe_write(2, 2)};
  request.depends_on_reads = true;
  DriverTxn txn(request, [](Request&, std::size_t, Seen) { return std::string_view("no-funds"); });
  const TxnOutcome outcome = connection.value()->run(txn);
  CHECK(outcome.fate == TxnFate::kAborted);
  CHECK(outcome.error == TxnError::kGivenUp);
  CHECK(txn.why_given_up() == "no-funds");
  CHECK(probe.run(0, {probe_read(1), probe_read(2)}).seen == std::vector<Seen>{{}, {}});
}

}  // namespace elapid
