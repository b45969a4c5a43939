#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "adapter/http/checks/database.h"
#include "engine/ir/mapped.h"

namespace elapid::http {
namespace {

using Connection = std::unique_ptr<PGconn, void (*)(PGconn*)>;
using PgAnswer = std::unique_ptr<PGresult, void (*)(PGresult*)>;

/// A server that does not answer for so long counts as lost.
constexpr const char* kSessionSettings =
    "SET statement_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s'";

class PostgresDatabase final : public Database {
 public:
  explicit PostgresDatabase(std::string uri) : uri_(std::move(uri)) {}

  Status open() {
    const std::lock_guard lock(mutex_);
    return connect();
  }

  Result<Rows> run(std::string_view sql, const std::vector<Cell>& values,
                   Durability /*durability*/) override {
    const std::lock_guard lock(mutex_);
    if (!in_transaction_) {
      ELAPID_RETURN_IF_ERROR(connect());
    }
    auto pointers = mapped<const char*>(
        values, [&](const Cell& value) { return value ? value->c_str() : nullptr; });
    const PgAnswer answer(
        PQexecParams(connection_.get(), std::string(sql).c_str(), static_cast<int>(values.size()),
                     nullptr, pointers.data(), nullptr, nullptr, 0),
        PQclear);
    const ExecStatusType status = PQresultStatus(answer.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      return failure();
    }
    return rows_of(answer.get());
  }

  Status transact(const std::function<Status()>& work) override {
    const std::lock_guard lock(mutex_);
    ELAPID_RETURN_IF_ERROR(run("BEGIN", {}, Durability::kOutlivesPowerCut));
    in_transaction_ = true;
    Status done = work();
    const Result<Rows> ended =
        run(done.ok() ? "COMMIT" : "ROLLBACK", {}, Durability::kOutlivesPowerCut);
    in_transaction_ = false;
    return done.ok() && !ended ? Status(ended.error()) : done;
  }

  [[nodiscard]] const Dialect& dialect() const override {
    static constexpr Dialect kDialect = {
        .now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
        .sequence = "BIGSERIAL PRIMARY KEY",
        .bytes = "BYTEA",
        .skip_locked = "FOR UPDATE SKIP LOCKED"};
    return kDialect;
  }

  /// The bytes in PostgreSQL's hex format.
  [[nodiscard]] std::string to_cell(std::string_view bytes) const override {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string cell = "\\x";
    cell.reserve(2 + 2 * bytes.size());
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      cell += kDigits[byte >> 4U];
      cell += kDigits[byte & 15U];
    }
    return cell;
  }

  [[nodiscard]] std::string from_cell(std::string_view cell) const override {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    std::string bytes;
    for (std::size_t i = 2; i + 1 < cell.size(); i += 2) {
      bytes += static_cast<char>(digit(cell[i]) << 4 | digit(cell[i + 1]));
    }
    return bytes;
  }

 private:
  /// Connects, or connects again if the connection is lost.
  Status connect() {
    if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK && !has_hung_up()) {
      return {};
    }
    const char* const names[] = {"dbname",
                                 "connect_timeout",
                                 "keepalives_idle",
                                 "tcp_user_timeout",
                                 "application_name",
                                 "options",
                                 nullptr};
    const char* const values[] = {
        uri_.c_str(), "5", "10", "20000", "elapid serve", "-c client_min_messages=warning",
        nullptr};
    connection_.reset(PQconnectdbParams(names, values, 1));
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
      return failure();
    }
    const PgAnswer set(PQexec(connection_.get(), kSessionSettings), PQclear);
    return PQresultStatus(set.get()) == PGRES_COMMAND_OK ? Status() : Status(failure());
  }

  /// Whether the server has closed the connection since the last statement.
  bool has_hung_up() {
    pollfd news = {PQsocket(connection_.get()), POLLIN, 0};
    return ::poll(&news, 1, 0) > 0 &&
           (PQconsumeInput(connection_.get()) == 0 || PQstatus(connection_.get()) != CONNECTION_OK);
  }

  static Rows rows_of(PGresult* answer) {
    Rows rows(static_cast<std::size_t>(PQntuples(answer)),
              Row(static_cast<std::size_t>(PQnfields(answer))));
    for (int i = 0; i < PQntuples(answer); ++i) {
      for (int j = 0; j < PQnfields(answer); ++j) {
        if (PQgetisnull(answer, i, j) == 0) {
          rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = std::string(
              PQgetvalue(answer, i, j), static_cast<std::size_t>(PQgetlength(answer, i, j)));
        }
      }
    }
    return rows;
  }

  /// The first line of the error of the server or the client.
  [[nodiscard]] Error failure() const {
    std::string words = PQerrorMessage(connection_.get());
    words.resize(std::min(words.find('\n'), words.size()));
    return {.kind = ErrorKind::kUnreadable, .message = "PostgreSQL: " + words};
  }

  std::string uri_;
  std::recursive_mutex mutex_;  // transact() calls run()
  Connection connection_{nullptr, PQfinish};
  bool in_transaction_ = false;
};

}  // namespace

Result<std::unique_ptr<Database>> open_postgres(const std::string& uri) {
  auto database = std::make_unique<PostgresDatabase>(uri);
  ELAPID_RETURN_IF_ERROR(database->open());
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace elapid::http
