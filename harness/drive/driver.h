// The databases that `elapid run` can drive, and the interface that each of them implements.
//
// A *driver* knows one kind of database. Its open() gives a *database*. The database makes a
// *connection* for each session. A connection carries out one transaction after another:
//
//   Driver    rocksdb             one for the whole process; says what it can do (DriverInfo)
//   Database  rocksdb:/tmp/db     one a run: made, filled, and removed with the object
//   Connection                    one a session; used by one thread at a time
//   DriverTxn                     the operations of a transaction, and the results of its reads
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
// The rules for a driver, so that a verdict is on the database and not on its client:
//
// - It carries out operations one by one, in their order, and answers none from memory.
// - It retries nothing: it reports each attempt of a transaction. (The caller may ask again.)
// - It says `kAborted` only if the database guarantees that nothing has happened. After an error
//   without this guarantee, as a connection that breaks during the commit, it says
//   `kIndeterminate`.
// - It waits for a lock no longer than DatabaseRequest::patience, as far as the database lets a
//   client choose; for an answer no longer than answer_patience(); and for a connection no longer
//   than connect_patience, whatever the server does. A wait that is given up is an abort or
//   indeterminate, not a hang. (The look-up of a host's name has the system's own limit.)
//
// Most drivers are plug-ins (plugin.h), which are loaded when their name is asked for (drivers.h).
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

/// The result of a step that reads: a register's value, or a list's elements.
struct StepResult {
  Seen seen = {};
  std::uint32_t list_begin = 0;  ///< range of DriverTxn::elements()
  std::uint32_t list_length = 0;
};

/// The operations of a transaction for a connection, and the results of its reads. The steps are
/// kRead and kWrite (registers of whole numbers, at first nil), kReadList and kAppend (lists of
/// whole numbers, at first empty), or kRow (a table of rows, at first empty). A run has one of the
/// three.
class DriverTxn {
 public:
  /// Called after each read of a request that depends on its reads. It may change the steps that
  /// follow. Returns why the client gives up, a keyword; empty if the client goes on.
  using AfterRead = std::function<std::string_view(Request&, std::size_t step, Seen seen)>;

  /// `request` must outlive this.
  explicit DriverTxn(Request& request, AfterRead after_read = {})
      : request_(request), after_read_(std::move(after_read)) {
    restart();
  }

  [[nodiscard]] std::size_t size() const { return request_.steps.size(); }

  /// The i-th step. If a write depends on reads, its value is known only after these reads.
  [[nodiscard]] const RequestStep& step(std::size_t i) const { return request_.steps[i]; }

  [[nodiscard]] std::span<const RequestStep> steps() const { return request_.steps; }

  /// The operation of a step of kind kRow. Parts of it may be left out because of earlier reads.
  [[nodiscard]] const PlainRowOp& row_op(const RequestStep& step) const {
    return request_.row_ops[static_cast<std::size_t>(step.value)];
  }

  /// The place of its level in DatabaseRequest::mix; 0 if the mix is empty.
  [[nodiscard]] std::size_t level() const { return request_.level; }

  /// Whether no step writes, so that the database may be told so.
  [[nodiscard]] bool only_reads() const { return request_.only_reads; }

  /// Notes the value that the i-th step, a read of a register, saw. False if the client gives up:
  /// then roll back, and answer with given_up().
  [[nodiscard]] bool saw(std::size_t i, Seen seen) {
    results_[i].seen = seen;
    if (request_.depends_on_reads && after_read_) {
      why_given_up_ = after_read_(request_, i, seen);
      results_.resize(request_.steps.size());  // the callback may add or drop steps
    }
    return why_given_up_.empty();
  }

  /// Notes the elements of a list that the i-th step read, in their order.
  void saw_list(std::size_t i, std::span<const std::int64_t> elements) {
    results_[i].list_begin = static_cast<std::uint32_t>(elements_.size());
    results_[i].list_length = static_cast<std::uint32_t>(elements.size());
    elements_.insert(elements_.end(), elements.begin(), elements.end());
  }

  /// Notes the rows that the i-th step, of kind kRow, read: four numbers each, the key, `g`, `v`
  /// and `u`. (A step that writes by a predicate calls saw_list() instead, with the number of rows
  /// that it found.)
  void saw_rows(std::size_t i, std::span<const std::int64_t> numbers) {
    saw_list(i, numbers);
    if (request_.depends_on_reads && after_read_) {
      request_.found.assign(numbers.begin(), numbers.end());
      after_read_(request_, i, static_cast<std::int64_t>(numbers.size() / 4));
    }
  }

  // For the caller.

  /// Forgets all reads, before another attempt or another request in the same place.
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
  kAborted,        ///< nothing of it has happened, or will happen
  kIndeterminate,  ///< it is unknown whether it took effect
};

/// Why a transaction did not commit, in the same words for all databases.
enum class TxnError : std::uint8_t {
  kNone,
  kConflict,     ///< another session's write or read came in between (40001, 1020, Busy)
  kDeadlock,     ///< codes 40P01, 1213
  kLockTimeout,  ///< a lock was not given in time (55P03, 1205)
  kBusy,         ///< the database takes no more work for now (SQLITE_BUSY)
  kConnection,   ///< refused or lost
  kTimeout,      ///< no answer in time
  kGivenUp,      ///< by the client: DriverTxn::why_given_up()
  kOther,        ///< the message says more
};

inline constexpr std::size_t kTxnErrors = 9;  ///< the number of errors

/// The error as the value of `:error`: `lock-timeout`.
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
  std::string message = {};  ///< in the database's own words; may be empty
  bool is_unusable = false;  ///< the connection is of no more use: open another one
  /// The place of a committed transaction in the database's own order, if it tells its place: a
  /// snapshot and a commit, as sequence numbers or commit timestamps. Only certain places.
  std::optional<PlainTimestamps> order = {};
};

/// The outcome of a transaction that the client gave up, after the roll-back.
[[nodiscard]] inline TxnOutcome given_up() {
  return {.fate = TxnFate::kAborted, .error = TxnError::kGivenUp};
}

// --- Connections, databases, drivers -----------------------------------------------------------

/// A session with the database. One thread makes and uses it.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Carries out a transaction, from its begin to its end.
  virtual TxnOutcome run(DriverTxn& txn) = 0;
};

/// The request to open a database.
struct DatabaseRequest {
  DatabaseUri uri = {};
  std::string level = {};  ///< name of one of DriverInfo::levels; empty: its first one
  /// If each transaction asks for its own level: the levels; the first of them is `level`.
  std::vector<std::string> mix = {};
  bool has_lists = false;         ///< steps are on lists, not on registers
  bool has_rows = false;          ///< steps are on rows
  bool depends_on_reads = false;  ///< some requests depend on their reads
  /// The values of registers before all transactions; other registers hold nothing.
  std::vector<RequestStep> initial = {};
  std::size_t sessions = 1;  ///< connections at the same time
  /// An empty folder of this run, for databases without an address. It is removed after the
  /// database is closed.
  std::string scratch = {};
  std::chrono::milliseconds patience{1000};            ///< the longest wait for a lock
  std::chrono::milliseconds connect_patience{10'000};  ///< the longest wait for a connection

  /// The longest wait for an answer. Longer than for a lock, so that the database gives up first.
  [[nodiscard]] std::chrono::milliseconds answer_patience() const {
    return 2 * patience + std::chrono::seconds(1);
  }
};

/// A fact to record about a database: `{"version", "7.8.3"}`.
struct DatabaseFact {
  std::string name = {};
  std::string value = {};
};

/// A database that holds only the data of the run. The destructor closes it, after all
/// connections.
class Database {
 public:
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  virtual ~Database() = default;

  /// Makes a connection for a session, from 0. Thread-safe. Error: kUnreadable: not reachable.
  virtual Result<std::unique_ptr<Connection>> connect(std::size_t session) = 0;

  /// The version and the settings that matter, for the record.
  [[nodiscard]] virtual std::vector<DatabaseFact> facts() = 0;
};

/// An isolation level that clients can ask a database for.
struct DriverLevel {
  std::string_view name;   ///< as `snapshot-isolation`: a level that Elapid knows and checks
  std::string_view about;  ///< how clients ask for it: `a snapshot is set`
};

/// A parameter of a URI: `?journal=wal`.
struct DriverParameter {
  std::string_view name;
  std::string_view values;  ///< `delete, wal`: the first is the default; empty: any text
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
  bool has_level_by_txn = false;  ///< each transaction can ask for its own level
  /// Whether it carries out operations one by one, so that reads can decide later writes.
  bool is_interactive = true;
  std::string_view order =
      {};  ///< the name of its own order, as `sequence numbers`; empty: it has none
};

class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  [[nodiscard]] virtual const DriverInfo& info() const = 0;

  /// Opens a database, and makes what the run needs: empty tables, except for the initial values.
  /// The request fits info(): its level, its parameters and their values are known. Errors: kUsage
  /// for a senseless address; kUnreadable for a database that is not reachable or refuses the
  /// login.
  [[nodiscard]] virtual Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const = 0;

  /// Opens a database for sessions that go a step at a time. Any thread calls `news` when a session
  /// begins to wait, if this process knows that. Errors: those of open(); kUsage if the driver can
  /// only carry out whole transactions.
  [[nodiscard]] virtual Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& /*request*/, std::function<void()> /*news*/) const {
    return usage_error("the driver " + std::string(info().name) +
                       " carries out whole transactions, not the steps of a scenario");
  }
};

}  // namespace elapid
