// What drivers of all SQL databases must do, whatever the way in which they use it.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "harness/servers/private_server.h"
#include "tests/unit/harness/drive/driver_probe.h"
#include "tests/unit/harness/drive/silent_proxy.h"

namespace elapid {

/// A server for all tests of a program; says that they are skipped where it is not installed.
class TestServer {
 public:
  explicit TestServer(const ServerKind& kind) {
    if (kind.program().empty()) {
      std::cerr << "SKIPPED: " << kind.package << " is not installed\n";
      return;
    }
    Result<PrivateServer> started = PrivateServer::start(kind, {});
    if (!started) {
      throw std::runtime_error(started.error().message);
    }
    server_.emplace(std::move(started).value());
  }

  [[nodiscard]] bool is_there() const { return server_.has_value(); }

  [[nodiscard]] std::string uri(const std::string& parameters = "") const {
    return server_->uri() + (parameters.empty() ? "" : "&" + parameters);
  }

  PrivateServer& server() { return *server_; }

 private:
  std::optional<PrivateServer> server_ = {};
};

inline void check_registers(const std::string& uri) {
  INFO(uri);
  DriverProbe probe(uri, "", false, {probe_write(2, 20)});
  CHECK(probe.run(0, {probe_read(1), probe_write(1, -5), probe_read(1)}).seen ==
        std::vector<Seen>{{}, {}, -5});
  CHECK(probe.run(1, {probe_write(2, 21), probe_write(1, 4)}).outcome.fate == TxnFate::kCommitted);
  CHECK(probe.run(2, {probe_read(1), probe_read(2), probe_read(3)}).seen ==
        std::vector<Seen>{4, 21, {}});
}

inline void check_lists(const std::string& uri) {
  using List = std::vector<std::int64_t>;
  INFO(uri);
  DriverProbe probe(uri, "", true);
  CHECK(probe.run(0, {probe_append(1, 7), probe_list(1), probe_append(1, 8), probe_append(4, -3)})
            .lists[1] == List{7});
  CHECK(probe.run(1, {probe_append(1, 9)}).outcome.fate == TxnFate::kCommitted);
  CHECK(probe.run(2, {probe_list(1), probe_list(2), probe_list(4)}).lists ==
        std::vector<List>{{7, 8, 9}, {}, {-3}});
}

/// All ways of using SQL, each alone and some together. `uri`: the address with these parameters.
inline void check_ways(std::string (*uri)(const std::string& parameters), bool can_lock) {
  for (const char* const way : {"", "upsert=update-insert", "access=secondary&upsert=update-insert",
                                "tables=3", "savepoints=on"}) {
    check_registers(uri(way));
  }
  if (can_lock) {
    check_registers(uri("reads=for-update"));
  }
  for (const char* const way :
       {"lists=text", "lists=rows", "lists=json", "append=read-write", "lists=rows&tables=2",
        "append=read-write&lists=json&upsert=update-insert", "lists=json&upsert=update-insert",
        "upsert=update-insert&access=secondary&tables=5&savepoints=on"}) {
    check_lists(uri(way));
  }
}

/// Whether two clients can both read a register and then write it.
inline bool loses_updates(const TestServer& server, const std::string& level) {
  DriverProbe probe(server.uri(), level, false, {probe_write(1, 0)});
  ProbeResult other;
  const ProbeResult one = probe.run(0, {probe_read(1), probe_write(1, 1)}, [&] {
    other = probe.run(1, {probe_read(1), probe_write(1, 2)});
  });
  for (const TxnOutcome& outcome : {one.outcome, other.outcome}) {
    INFO(outcome.message);
    CHECK(outcome.fate != TxnFate::kIndeterminate);
    CHECK_FALSE(outcome.is_unusable);
    if (outcome.fate == TxnFate::kAborted) {
      CHECK((outcome.error == TxnError::kConflict || outcome.error == TxnError::kDeadlock ||
             outcome.error == TxnError::kLockTimeout));
      CHECK(!outcome.message.empty());
    }
  }
  const bool both =
      one.outcome.fate == TxnFate::kCommitted && other.outcome.fate == TxnFate::kCommitted;
  const std::int64_t last = one.outcome.fate == TxnFate::kCommitted ? 1 : 2;
  CHECK(probe.run(0, {probe_read(1)}).seen == std::vector<Seen>{last});
  CHECK(probe.run(1, {probe_read(1)}).seen == std::vector<Seen>{last});
  return both;
}

/// Whether each of two clients can miss the other one's write.
inline bool skews_writes(const TestServer& server, const std::string& level) {
  DriverProbe probe(server.uri(), level, false, {probe_write(1, 0), probe_write(2, 0)});
  ProbeResult other;
  const ProbeResult one = probe.run(0, {probe_read(1), probe_write(2, 1)}, [&] {
    other = probe.run(1, {probe_read(2), probe_write(1, 2)});
  });
  return one.outcome.fate == TxnFate::kCommitted && other.outcome.fate == TxnFate::kCommitted;
}

/// A client whose server dies behind its read has not committed unless it has asked for that.
inline void check_death(TestServer& server,
                        const std::vector<RequestStep>& steps = {probe_write(1, 1), probe_read(1),
                                                                 probe_write(2, 1)}) {
  DriverProbe probe(server.uri(), "");
  const ProbeResult result = probe.run(0, steps, [&] { server.server().kill(); });
  CHECK(result.outcome.fate == TxnFate::kAborted);
  CHECK(result.outcome.error == TxnError::kConnection);
  CHECK(result.outcome.is_unusable);
  REQUIRE(server.server().restart().ok());
  DriverProbe again(server.uri(), "");
  CHECK(again.run(0, {probe_read(1)}).seen == std::vector<Seen>{Seen()});
}

/// One that gives no answer is not waited for for ever.
inline void check_silence(TestServer& server) {
  DriverProbe probe(server.uri(), "");
  const ProbeResult result =
      probe.run(0, {probe_read(1), probe_write(1, 1)}, [&] { server.server().pause(); });
  server.server().resume();
  CHECK(result.outcome.fate == TxnFate::kAborted);
  CHECK(result.outcome.is_unusable);
}

/// One that falls silent in the middle of an answer is not waited for either, and no more is one
/// that lets clients in and says nothing to them.
inline void check_half_an_answer(const TestServer& server, const std::string& socket) {
  SilentProxy proxy(socket);
  const std::string uri = proxy.uri(server.uri());
  DriverProbe probe(uri, "");
  const ProbeResult result =
      probe.run(0, {probe_read(1), probe_write(1, 1)}, [&] { proxy.fall_silent(); });
  CHECK(result.outcome.fate == TxnFate::kAborted);
  CHECK(result.outcome.error == TxnError::kTimeout);
  CHECK(result.outcome.is_unusable);
  const Addressee database = find_addressee(uri).value();
  const Result<std::unique_ptr<Database>> opened =
      open_database(*database.driver, {.uri = database.uri,
                                       .patience = std::chrono::milliseconds(20),
                                       .connect_patience = std::chrono::milliseconds(50)});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind == ErrorKind::kUnreadable);
}

/// In the middle of the answer to a commit, so that its fate is unknown.
inline void check_half_a_commit(const TestServer& server, const std::string& socket) {
  SilentProxy proxy(socket);
  DriverProbe probe(proxy.uri(server.uri()), "");
  const ProbeResult result =
      probe.run(0, {probe_write(1, 1), probe_read(1)}, [&] { proxy.fall_silent(); });
  CHECK(result.outcome.fate == TxnFate::kIndeterminate);
  CHECK(result.outcome.error == TxnError::kTimeout);
  CHECK(result.outcome.is_unusable);
}

/// The error for a user who may connect, and do nothing else. `creation`: statements that make
/// one; `become`: makes an address that of this user.
inline Error error_without_rights(const TestServer& server,
                                  const std::vector<std::string>& creation,
                                  const std::function<void(DatabaseUri&)>& become) {
  Result<Addressee> database = find_addressee(server.uri());
  REQUIRE(database.ok());
  const Driver& driver = *database.value().driver;
  DatabaseRequest request = {.uri = database.value().uri,
                             .level = std::string(driver.info().levels.front().name)};
  Result<std::unique_ptr<StepDatabase>> steps = driver.open_steps(request, {});
  REQUIRE(steps.ok());
  REQUIRE(steps.value()->prepare(creation).ok());
  become(request.uri);
  const Result<std::unique_ptr<Database>> opened = driver.open(request);
  REQUIRE_FALSE(opened.ok());
  return opened.error();
}

}  // namespace elapid
