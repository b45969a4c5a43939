// Databases that `elapid run` can drive, and what each of them is asked to do.
//
// A *driver* knows one kind of database. Asked to open() one, it gives a *database*, which makes a
// *connection* for each session, and a connection carries out one transaction after another:
//
//   Driver    rocksdb             there is one, for ever; says what it can do (DriverInfo)
//   Database  rocksdb:/tmp/db     one a run: made, filled, and gone with the object
//   Connection                    one a session; used by one thread at a time
//   DriverTxn                     the operations of a transaction, and where its reads are told
//   TxnOutcome                    what became of it
//
// ```cpp
// #include "harness/drive/driver.h"
//
// #include <map>
//
// // A database in memory that carries out one transaction at a time: all of them are serializable.
// class ToyConnection : public Connection {
//  public:
//   explicit ToyConnection(std::map<std::int64_t, std::int64_t>& rows) : rows_(rows) {}
//
//   TxnOutcome run(DriverTxn& txn) override {
//     for (std::size_t i = 0; i < txn.size(); ++i) {
//       const RequestStep& step = txn.step(i);  // not earlier: what was read may decide it
//       if (step.kind == OpKind::kWrite) {
//         rows_[step.key] = step.value;
//         continue;
//       }
//       const auto row = rows_.find(step.key);
//       if (!txn.saw(i, row == rows_.end() ? Seen() : Seen(row->second))) {
//         return given_up();  // the client does not want to go on: a database would roll back
//       }
//     }
//     return {};  // committed
//   }
//
//  private:
//   std::map<std::int64_t, std::int64_t>& rows_;
// };
//
// std::map<std::int64_t, std::int64_t> rows;
// ToyConnection connection(rows);
// Request request;
// request.steps = {{OpKind::kWrite, 0, 7, 1}, {OpKind::kRead, 0, 7, 0}};
// DriverTxn txn(request);
// CHECK(connection.run(txn).fate == TxnFate::kCommitted);
// CHECK(txn.result(1).seen == 1);
// ```
//
// What a driver must keep, so that a verdict is one on the database and not on its client:
//
// - Operations are carried out one by one, in their order, and nothing is answered from memory.
// - Nothing is tried again: each attempt of a transaction is told of. (The caller may ask again.)
// - `kAborted` is said only where the database guarantees that nothing has happened. An error of
//   which that is not known, as a connection that breaks during the commit, is `kIndeterminate`.
// - No lock is waited for longer than DatabaseRequest::patience, as far as the database lets a
//   client choose, no answer longer than answer_patience(), and no connection longer than
//   connect_patience, whatever the server does: a wait that is given up is an abort or
//   indeterminate, not a hang. (The look-up of a host's name is the system's, which has its own.)
//
// Most drivers are plug-ins (plugin.h), loaded when their name is asked for (drivers.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/database_uri.h"
#include "harness/drive/step_driver.h"
#include "harness/generate/request.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

// --- One transaction ---------------------------------------------------------------------------

/// What a read of a transaction has seen: a register's value, or a list's elements.
struct StepResult {
  Seen seen = {};
  std::uint32_t list_begin = 0;  ///< range of DriverTxn::elements()
  std::uint32_t list_length = 0;
};

/// The operations that a connection is to carry out, and what it tells of their reads. Kinds of
/// steps are kRead and kWrite (registers: whole numbers, nothing at first), kReadList and
/// kAppend (lists of whole numbers, empty at first), and kRow (a table of rows, empty at first). A
/// run has one of the three.
class DriverTxn {
 public:
  /// Asked after each read of a request that depends on its reads: may change the steps that
  /// follow, and says why the client gives up, a keyword; empty if it goes on.
  using AfterRead = std::function<std::string_view(Request&, std::size_t step, Seen seen)>;

  /// `request` must outlive this.
  explicit DriverTxn(Request& request, AfterRead after_read = {})
      : request_(request), after_read_(std::move(after_read)) {
    restart();
  }

  [[nodiscard]] std::size_t size() const { return request_.steps.size(); }

  /// What to do in the i-th step. Of a write that depends on reads the value is known after these.
  [[nodiscard]] const RequestStep& step(std::size_t i) const { return request_.steps[i]; }

  [[nodiscard]] std::span<const RequestStep> steps() const { return request_.steps; }

  /// What a step of kind kRow does. Some are left out, as reads have decided.
  [[nodiscard]] const PlainRowOp& row_op(const RequestStep& step) const {
    return request_.row_ops[static_cast<std::size_t>(step.value)];
  }

  /// The level that it asks for: place in DatabaseRequest::mix, 0 where that is empty.
  [[nodiscard]] std::size_t level() const { return request_.level; }

  /// No step writes: the database may be told.
  [[nodiscard]] bool only_reads() const { return request_.only_reads; }

  /// Tells what the i-th step, a read of a register, has seen. False if the client gives up: to be
  /// rolled back and answered with given_up().
  [[nodiscard]] bool saw(std::size_t i, Seen seen) {
    results_[i].seen = seen;
    if (request_.depends_on_reads && after_read_) {
      why_given_up_ = after_read_(request_, i, seen);
      results_.resize(request_.steps.size());  // steps may have come or gone
    }
    return why_given_up_.empty();
  }

  /// Tells the elements of a list, in their order.
  void saw_list(std::size_t i, std::span<const std::int64_t> elements) {
    results_[i].list_begin = static_cast<std::uint32_t>(elements_.size());
    results_[i].list_length = static_cast<std::uint32_t>(elements.size());
    elements_.insert(elements_.end(), elements.begin(), elements.end());
  }

  /// Tells the rows that the i-th step, of kind kRow, has read, four numbers each: the key, `g`,
  /// `v` and `u`. (Of one that writes by a predicate saw_list() tells the number of rows it has
  /// found.)
  void saw_rows(std::size_t i, std::span<const std::int64_t> numbers) {
    saw_list(i, numbers);
    if (request_.depends_on_reads && after_read_) {
      request_.found.assign(numbers.begin(), numbers.end());
      after_read_(request_, i, static_cast<std::int64_t>(numbers.size() / 4));
    }
  }

  // For the caller.

  /// Forgets what was read: for another attempt, or another request in the same place.
  void restart() {
    results_.assign(request_.steps.size(), {});
    elements_.clear();
    why_given_up_ = {};
  }

  [[nodiscard]] const StepResult& result(std::size_t i) const { return results_[i]; }

  [[nodiscard]] std::span<const std::int64_t> elements() const { return elements_; }

  [[nodiscard]] std::string_view why_given_up() const { return why_given_up_; }

 private:
  Request& request_;
  AfterRead after_read_;
  std::vector<StepResult> results_ = {};
  std::vector<std::int64_t> elements_ = {};
  std::string_view why_given_up_ = {};
};

enum class TxnFate : std::uint8_t {
  kCommitted,
  kAborted,        ///< nothing of it has happened, nor will
  kIndeterminate,  ///< it is unknown whether it took effect
};

/// Why a transaction did not commit, in the same words for all databases.
enum class TxnError : std::uint8_t {
  kNone,
  kConflict,     ///< another session's write or read came in between (40001, 1020, Busy)
  kDeadlock,     ///< 40P01, 1213
  kLockTimeout,  ///< a lock was not given in time (55P03, 1205)
  kBusy,         ///< the database takes no more for now (SQLITE_BUSY)
  kConnection,   ///< refused, or lost on the way
  kTimeout,      ///< no answer in time
  kGivenUp,      ///< by the client: DriverTxn::why_given_up()
  kOther,        ///< the message tells
};

inline constexpr std::size_t kTxnErrors = 9;  ///< how many there are

/// As `:error` has it: `lock-timeout`.
[[nodiscard]] constexpr std::string_view name(TxnError error) {
  switch (error) {
    case TxnError::kNone:
      return "";
    case TxnError::kConflict:
      return "conflict";
    case TxnError::kDeadlock:
      return "deadlock";
    case TxnError::kLockTimeout:
      return "lock-timeout";
    case TxnError::kBusy:
      return "busy";
    case TxnError::kConnection:
      return "connection-lost";
    case TxnError::kTimeout:
      return "timeout";
    case TxnError::kGivenUp:
      return "aborted";
    case TxnError::kOther:
      return "error";
  }
  return "";
}

struct TxnOutcome {
  TxnFate fate = TxnFate::kCommitted;
  TxnError error = TxnError::kNone;
  std::string message = {};  ///< the database's own words, if it has said anything
  bool is_unusable = false;  ///< the connection can carry out nothing more: open another one
  /// Where the database itself puts a transaction that committed, if it says: a snapshot and a
  /// commit, in its own count (sequence numbers, commit timestamps). Only what is certain.
  std::optional<PlainTimestamps> order = {};
};

/// What to answer when the client does not want to go on, after the roll-back.
[[nodiscard]] inline TxnOutcome given_up() {
  return {.fate = TxnFate::kAborted, .error = TxnError::kGivenUp};
}

// --- Connections, databases, drivers -----------------------------------------------------------

/// A session with the database. Made in one thread and used in one.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Carries out a transaction, from its begin to its end.
  virtual TxnOutcome run(DriverTxn& txn) = 0;
};

/// How a database is to be opened.
struct DatabaseRequest {
  DatabaseUri uri = {};
  std::string level = {};  ///< name of one of DriverInfo::levels; empty: its first one
  /// Where transactions ask for a level each: the levels, the first of them being `level`.
  std::vector<std::string> mix = {};
  bool has_lists = false;         ///< steps are of lists, not of registers
  bool has_rows = false;          ///< they are of rows
  bool depends_on_reads = false;  ///< some requests do
  /// What registers hold before anything begins; others hold nothing.
  std::vector<RequestStep> initial = {};
  std::size_t sessions = 1;  ///< connections at a time
  /// An empty folder of this run, removed after the database is closed: for databases without an
  /// address.
  std::string scratch = {};
  std::chrono::milliseconds patience{1000};            ///< for a lock
  std::chrono::milliseconds connect_patience{10'000};  ///< for a server that is to let a client in

  /// For an answer: longer than for a lock, so that the database gives up first, and tells.
  [[nodiscard]] std::chrono::milliseconds answer_patience() const {
    return 2 * patience + std::chrono::seconds(1);
  }
};

/// Something to record about a database: `{"version", "7.8.3"}`.
struct DatabaseFact {
  std::string name = {};
  std::string value = {};
};

/// A database that holds what the run needs and nothing else of it. Closed by the destructor, after
/// all connections.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  /// A connection for a session, from 0; safe from any thread. Error kUnreadable: not reachable.
  virtual Result<std::unique_ptr<Connection>> connect(std::size_t session) = 0;

  /// Version and settings that matter, for the record.
  [[nodiscard]] virtual std::vector<DatabaseFact> facts() = 0;
};

/// A level of isolation that clients can ask a database for.
struct DriverLevel {
  std::string_view name;   ///< as `snapshot-isolation`: a level that Elapid knows, and checks
  std::string_view about;  ///< how clients ask for it: `a snapshot is set`
};

/// A parameter of a URI: `?journal=wal`.
struct DriverParameter {
  std::string_view name;
  std::string_view values;  ///< `delete, wal`, the first being the default; empty: any text
  std::string_view about;
};

/// What a driver can do.
struct DriverInfo {
  std::string_view name;     ///< the scheme of its URIs
  std::string_view address;  ///< `rocksdb:[PATH]`
  std::string_view about;    ///< a few words
  std::span<const DriverLevel> levels;
  std::span<const DriverParameter> parameters;
  bool has_lists = true;
  bool has_registers = true;
  bool has_rows = false;
  bool has_level_by_txn = false;  ///< each transaction can ask for its own
  /// Operations are carried out one by one, so that what is read can decide what is written.
  bool is_interactive = true;
  std::string_view order =
      {};  ///< what its own order is, as `sequence numbers`; empty: it has none
};

class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  [[nodiscard]] virtual const DriverInfo& info() const = 0;

  /// Opens a database, and makes what the run needs: empty tables, but for the initial values.
  /// The request fits info(): its level is there, and so are its parameters and their values.
  /// Errors: kUsage for an address that makes no sense, kUnreadable for a database that is not
  /// reachable or refuses the login.
  [[nodiscard]] virtual Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const = 0;

  /// Opens a database for sessions that go a step at a time. `news` is called, by any thread, when
  /// a session begins to wait, if this process knows. Errors: as of open(); kUsage where the driver
  /// carries out whole transactions alone.
  [[nodiscard]] virtual Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& /*request*/, std::function<void()> /*news*/) const {
    return usage_error("the driver " + std::string(info().name) +
                       " carries out whole transactions, not the steps of a scenario");
  }
};

}  // namespace elapid
