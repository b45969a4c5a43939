#include "harness/drive/exec_driver.h"

#include <array>
#include <utility>

#include "harness/drive/exec_protocol.h"
#include "harness/process/line_program.h"

namespace elapid {

namespace {

/// A client has its own patience with the database, so the program waits longer for the client.
constexpr int kPatienceWithClients = 5;

constexpr std::array kExecLevels = {
    DriverLevel{"serializable", "the client is told the name, and does what it means by it"},
    DriverLevel{"strict-serializable", "likewise, as all others"},
    DriverLevel{"repeatable-read", ""},
    DriverLevel{"snapshot-isolation", ""},
    DriverLevel{"read-committed", ""},
    DriverLevel{"read-uncommitted", ""},
};

constexpr DriverInfo kExecInfo = {
    .name = "exec",
    .address = "exec:COMMAND",
    .about = "A program of your own that carries out transactions (docs/driver-protocol.md)",
    .levels = kExecLevels,
    .parameters = {},
    .is_interactive = false,
};

class ExecConnection : public Connection {
 public:
  ExecConnection(LineProgram program, std::chrono::milliseconds patience)
      : program_(std::move(program)), patience_(patience) {}

  /// Sends a line that requires the answer yes. Error: another answer.
  Status prepare(const std::string& line, std::vector<DatabaseFact>& facts) {
    static_cast<void>(
        program_.write_line(line, patience_));  // if it cannot be, there will be no answer
    const LineAnswer answer = program_.read_line(patience_);
    return answer.line ? read_ready(*answer.line, facts)
                       : Status(Error{.kind = ErrorKind::kUnreadable, .message = answer.why_not});
  }

  TxnOutcome run(DriverTxn& txn) override {
    static_cast<void>(program_.write_line(txn_line(txn), patience_));
    const LineAnswer answer = program_.read_line(patience_);
    if (!answer.line) {
      return unknown(answer.is_late ? TxnError::kTimeout : TxnError::kConnection,
                     "the client " + answer.why_not);
    }
    Result<TxnOutcome> outcome = read_outcome(*answer.line, txn);
    return outcome ? std::move(outcome).value()
                   : unknown(TxnError::kOther,
                             "the client's answer is malformed: " + outcome.error().message);
  }

 private:
  /// The state of the program is unknown, and so is its next answer.
  static TxnOutcome unknown(TxnError error, std::string message) {
    return {.fate = TxnFate::kIndeterminate,
            .error = error,
            .message = std::move(message),
            .is_unusable = true};
  }

  LineProgram program_;
  std::chrono::milliseconds patience_;
};

class ExecDatabase : public Database {
 public:
  explicit ExecDatabase(const DatabaseRequest& request) : request_(request) {}

  /// Starts a first client, which prepares the database and ends.
  Status setup() {
    ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ExecConnection> first, start(0, facts_));
    std::vector<DatabaseFact> ignored;
    Status status = first->prepare(setup_line(request_.initial), ignored);
    return status.ok() ? Status() : Status(named(status.error()));
  }

  Result<std::unique_ptr<Connection>> connect(std::size_t session) override {
    std::vector<DatabaseFact> ignored;
    ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ExecConnection> started, start(session, ignored));
    return std::unique_ptr<Connection>(std::move(started));
  }

  std::vector<DatabaseFact> facts() override { return facts_; }

 private:
  Result<std::unique_ptr<ExecConnection>> start(std::size_t session,
                                                std::vector<DatabaseFact>& facts) const {
    ELAPID_ASSIGN_OR_RETURN(LineProgram program, LineProgram::start(request_.uri.address));
    auto connection = std::make_unique<ExecConnection>(std::move(program),
                                                       kPatienceWithClients * request_.patience);
    if (Status status = connection->prepare(open_line(session, request_), facts); !status.ok()) {
      return named(status.error());
    }
    return connection;
  }

  /// The error with the command's name.
  [[nodiscard]] Error named(const Error& error) const {
    const bool is_nonsense = error.kind == ErrorKind::kMalformed;
    return {.kind = ErrorKind::kUnreadable,
            .message =
                (is_nonsense ? "the client's answer is malformed: " : "the client is not ready: ") +
                error.message,
            .file = request_.uri.address};
  }

  DatabaseRequest request_;
  std::vector<DatabaseFact> facts_ = {};
};

class ExecDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kExecInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    auto database = std::make_unique<ExecDatabase>(request);
    ELAPID_RETURN_IF_ERROR(database->setup());
    return std::unique_ptr<Database>(std::move(database));
  }
};

}  // namespace

const Driver& exec_driver() {
  static const ExecDriver driver;
  return driver;
}

}  // namespace elapid
