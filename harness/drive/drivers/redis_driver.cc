// Redis, by hiredis.
//
// Redis carries out the commands between MULTI and EXEC at once, and gives their answers at the
// end. So a transaction has two parts: reads before the first write are asked at once; everything
// after it is queued. The levels differ in what connects the parts:
//
//   read-committed   nothing
//   serializable     WATCH on each key before it is read: EXEC does nothing if one of them has
//   changed
//
// A client's decision to give up, after a read behind its own write, comes too late: EXEC has
// carried out the write.
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <span>
#include <system_error>
#include <utility>

#include "harness/drive/drivers/answer_deadline.h"
#include "harness/drive/drivers/host_and_port.h"
#include "harness/drive/plugin.h"

namespace elapid {

namespace {

constexpr std::array kRedisLevels = {
    DriverLevel{"serializable", "WATCH before each read, then MULTI and EXEC"},
    DriverLevel{"read-committed", "reads as they come, then MULTI and EXEC"},
};

constexpr DriverInfo kRedisInfo = {
    .name = "redis",
    .address = "redis:[PATH] or redis://HOST:PORT",
    .about = "Redis; without an address a private server",
    .levels = kRedisLevels,
    .parameters = {},
};

constexpr std::string_view kRedisPrefix = "elapid:";

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};

struct FreeContext {
  void operator()(redisContext* context) const { redisFree(context); }
};

using RedisReply = std::unique_ptr<redisReply, FreeReply>;
using RedisContext = std::unique_ptr<redisContext, FreeContext>;

Seen number_of(const redisReply& reply) {
  std::int64_t number = 0;
  const char* const end = reply.str + reply.len;
  const bool is_number =
      reply.type == REDIS_REPLY_STRING &&
      std::from_chars(reply.str, end, number) == std::from_chars_result{end, std::errc()};
  return is_number ? Seen(number) : Seen();
}

/// The part of a read's answer that is no number; null if all parts are numbers.
const redisReply* no_number_in(const redisReply& reply) {
  if (reply.type != REDIS_REPLY_ARRAY) {
    return reply.type == REDIS_REPLY_NIL || number_of(reply) ? nullptr : &reply;
  }
  const std::span elements(reply.element, reply.elements);
  const auto found = std::ranges::find_if(
      elements, [](const redisReply* element) { return !number_of(*element); });
  return found == elements.end() ? nullptr : *found;
}

/// The first error in an array; null if there is none.
const redisReply* redis_error_in(const redisReply& array) {
  const std::span elements(array.element, array.elements);
  const auto found = std::ranges::find(elements, REDIS_REPLY_ERROR, &redisReply::type);
  return found == elements.end() ? nullptr : *found;
}

std::string redis_words(const redisReply& reply) {
  return {reply.str == nullptr ? "" : reply.str, reply.len};
}

std::string no_number_message(const redisReply& reply) {
  constexpr std::size_t kLongest = 40;
  const std::string words = redis_words(reply);
  return "expected a number, found '" + words.substr(0, kLongest) +
         (words.size() > kLongest ? "...'" : "'");
}

constexpr const char* kSenselessExec = "the answer to EXEC makes no sense";

/// Sends what it can, as redisBufferWrite() does, without SIGPIPE on a lost connection. The library
/// does not use MSG_NOSIGNAL, and a driver must not change how the program treats the signal.
int write_without_sigpipe(redisContext* context, int* is_sent) {
  sigset_t sigpipe;
  sigset_t before;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &sigpipe, &before);
  const int code = redisBufferWrite(context, is_sent);
  constexpr timespec kNow = {};
  while (code != REDIS_OK && ::sigtimedwait(&sigpipe, nullptr, &kNow) < 0 && errno == EINTR) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return code;
}

/// The address of a server: a socket's path, or host and port.
struct RedisAddress {
  std::string path = {};
  HostAndPort server = {};
};

Result<RedisAddress> parse_redis_address(std::string_view text) {
  if (!text.starts_with("//")) {
    return RedisAddress{.path = std::string(text)};
  }
  ELAPID_ASSIGN_OR_RETURN(HostAndPort server, parse_host_and_port(text.substr(2)));
  return RedisAddress{.server = std::move(server)};
}

/// The words of a command in the library's form. The words must outlive their use.
struct RedisArguments {
  void assign(const std::vector<std::string>& words) {
    pointers.clear();
    lengths.clear();
    for (const std::string& word : words) {
      pointers.push_back(word.data());
      lengths.push_back(word.size());
    }
  }

  [[nodiscard]] int count() const { return static_cast<int>(pointers.size()); }

  std::vector<const char*> pointers = {};
  std::vector<std::size_t> lengths = {};
};

using RedisWords = std::vector<std::string>;

bool is_redis_read(OpKind kind) {
  return kind == OpKind::kRead || kind == OpKind::kReadList;
}

std::string redis_key(const RequestStep& step) {
  return std::string(kRedisPrefix) + std::to_string(step.key);
}

RedisWords redis_command(const RequestStep& step) {
  switch (step.kind) {
    case OpKind::kRead:
      return {"GET", redis_key(step)};
    case OpKind::kReadList:
      return {"LRANGE", redis_key(step), "0", "-1"};
    case OpKind::kAppend:
      return {"RPUSH", redis_key(step), std::to_string(step.value)};
    default:
      return {"SET", redis_key(step), std::to_string(step.value)};
  }
}

/// The kind of an error that the server answers.
TxnError redis_error(std::string_view words) {
  const bool is_busy =
      words.starts_with("LOADING") || words.starts_with("BUSY") || words.starts_with("OOM");
  return is_busy ? TxnError::kBusy : TxnError::kOther;
}

/// Commands to a server, and their answers.
class RedisClient {
 public:
  RedisClient(RedisContext context, std::chrono::milliseconds patience)
      : context_(std::move(context)), patience_(patience) {}

  /// False if the connection is lost.
  bool append(const RedisWords& words) {
    arguments_.assign(words);
    return redisAppendCommandArgv(context_.get(), arguments_.count(), arguments_.pointers.data(),
                                  arguments_.lengths.data()) == REDIS_OK;
  }

  /// The next reply; null if the connection is lost or silent for too long.
  RedisReply next_reply() {
    const AnswerDeadline deadline(patience_);
    if (!send(deadline)) {
      return nullptr;
    }
    while (true) {
      void* reply = nullptr;
      if (redisGetReplyFromReader(context_.get(), &reply) != REDIS_OK) {
        return nullptr;
      }
      if (reply != nullptr) {
        return RedisReply(static_cast<redisReply*>(reply));
      }
      is_late_ = deadline.wait(context_->fd, POLLIN) == 0;
      if (is_late_ || redisBufferRead(context_.get()) != REDIS_OK) {
        return nullptr;
      }
    }
  }

  RedisReply ask(const RedisWords& words) { return append(words) ? next_reply() : nullptr; }

  /// Whether the server has carried out the command.
  bool has_done(const RedisWords& words) {
    const RedisReply reply = ask(words);
    return reply && reply->type != REDIS_REPLY_ERROR;
  }

  /// The reason why the connection is lost.
  [[nodiscard]] TxnError error() const {
    return is_late_ ? TxnError::kTimeout : TxnError::kConnection;
  }

  [[nodiscard]] const char* message() const { return is_late_ ? "no answer" : context_->errstr; }

 private:
  /// Sends what was appended. False if the connection is lost or silent for too long.
  bool send(const AnswerDeadline& deadline) {
    while (true) {
      int is_sent = 0;
      if (write_without_sigpipe(context_.get(), &is_sent) != REDIS_OK) {
        return false;
      }
      if (is_sent != 0) {
        return true;
      }
      is_late_ = deadline.wait(context_->fd, POLLOUT) == 0;
      if (is_late_) {
        return false;
      }
    }
  }

  RedisContext context_;
  std::chrono::milliseconds patience_;
  RedisArguments arguments_ = {};
  bool is_late_ = false;
};

class RedisConnection : public Connection {
 public:
  RedisConnection(RedisClient client, bool watches)
      : client_(std::move(client)), watches_(watches) {}

  TxnOutcome run(DriverTxn& txn) override {
    std::size_t step = 0;
    for (; step < txn.size() && is_redis_read(txn.step(step).kind); ++step) {
      const RedisReply watched =
          watches_ ? client_.ask({"WATCH", redis_key(txn.step(step))}) : nullptr;
      if (watched && watched->type == REDIS_REPLY_ERROR) {
        return end_early(refused(*watched));
      }
      const bool is_well = watched || !watches_;
      const RedisReply reply = is_well ? client_.ask(redis_command(txn.step(step))) : nullptr;
      if (!reply) {
        return lost(TxnFate::kAborted);
      }
      if (reply->type == REDIS_REPLY_ERROR) {
        return end_early(refused(*reply));
      }
      if (const redisReply* const other = no_number_in(*reply)) {
        return end_early(no_number(*other, TxnFate::kAborted));
      }
      if (!tell(txn, step, *reply)) {
        return end_early(given_up());
      }
    }
    // EXEC gives reads without writes one snapshot too.
    return execute(txn, step);
  }

 private:
  /// Ends a transaction without queued commands.
  TxnOutcome end_early(TxnOutcome outcome) {
    return client_.ask({"UNWATCH"}) ? std::move(outcome) : lost(TxnFate::kAborted);
  }

  /// Reports a reply to the client. False if the client gives up.
  bool tell(DriverTxn& txn, std::size_t step, const redisReply& reply) {
    if (txn.step(step).kind == OpKind::kRead) {
      return txn.saw(step, number_of(reply));
    }
    elements_.clear();
    for (std::size_t i = 0; i < reply.elements; ++i) {
      if (const Seen element = number_of(*reply.element[i])) {
        elements_.push_back(*element);
      }
    }
    txn.saw_list(step, elements_);
    return true;
  }

  /// Queues the remaining steps, and carries them out.
  TxnOutcome execute(DriverTxn& txn, std::size_t first) {
    bool is_sent = client_.append({"MULTI"});
    for (std::size_t step = first; step < txn.size(); ++step) {
      is_sent = is_sent && client_.append(redis_command(txn.step(step)));
    }
    for (std::size_t queued = first; queued <= txn.size() && is_sent; ++queued) {
      const RedisReply reply = client_.next_reply();
      is_sent = reply != nullptr;
      if (is_sent && reply->type == REDIS_REPLY_ERROR) {
        return drop(txn.size() - queued, *reply);
      }
    }
    // Until here nothing was carried out.
    if (!is_sent) {
      return lost(TxnFate::kAborted);
    }
    const RedisReply reply = client_.ask({"EXEC"});
    if (!reply) {
      return lost(TxnFate::kIndeterminate);
    }
    if (reply->type == REDIS_REPLY_NIL) {
      return {.fate = TxnFate::kAborted, .error = TxnError::kConflict, .message = "EXEC: nil"};
    }
    if (reply->type == REDIS_REPLY_ERROR) {
      return refused(*reply);
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != txn.size() - first) {
      return {.fate = TxnFate::kIndeterminate,
              .error = TxnError::kOther,
              .message = kSenselessExec,
              .is_unusable = true};
    }
    if (const redisReply* const error = redis_error_in(*reply)) {
      TxnOutcome outcome = refused(*error);
      outcome.fate = TxnFate::kIndeterminate;  // the other commands were carried out
      return outcome;
    }
    // No answer changes which steps there are: what decides them is read before the first write.
    for (std::size_t step = first; step < std::min(txn.size(), first + reply->elements); ++step) {
      if (!is_redis_read(txn.step(step).kind)) {
        continue;
      }
      const redisReply& answer = *reply->element[step - first];
      if (const redisReply* const other = no_number_in(answer)) {
        return no_number(*other, TxnFate::kIndeterminate);  // the other commands were carried out
      }
      static_cast<void>(tell(txn, step, answer));
    }
    return {};
  }

  /// A command was refused while queueing: reads the remaining answers, and drops the queue.
  TxnOutcome drop(std::size_t answers, const redisReply& error) {
    TxnOutcome outcome = refused(error);
    for (; answers > 0; --answers) {
      outcome.is_unusable = outcome.is_unusable || !client_.next_reply();
    }
    outcome.is_unusable = outcome.is_unusable || !client_.ask({"DISCARD"});
    return outcome;
  }

  static TxnOutcome no_number(const redisReply& reply, TxnFate fate) {
    return {.fate = fate, .error = TxnError::kOther, .message = no_number_message(reply)};
  }

  static TxnOutcome refused(const redisReply& reply) {
    const std::string words = redis_words(reply);
    return {.fate = TxnFate::kAborted, .error = redis_error(words), .message = words};
  }

  [[nodiscard]] TxnOutcome lost(TxnFate fate) const {
    return {
        .fate = fate, .error = client_.error(), .message = client_.message(), .is_unusable = true};
  }

  RedisClient client_;
  bool watches_;
  std::vector<std::int64_t> elements_ = {};
};

/// A session that runs step by step. Writes and the steps behind them are queued and carried out by
/// EXEC. Results of reads behind a write are known only then.
class RedisStepSession : public StepSession {
 public:
  RedisStepSession(RedisClient client, bool watches)
      : client_(std::move(client)), watches_(watches) {}

  StepReply carry_out(const StepRequest& request) override {
    switch (request.kind) {
      case StepRequest::Kind::kBegin:
        return {};
      case StepRequest::Kind::kOperation:
        return is_redis_read(request.operation.kind) ? read(request.operation)
                                                     : queue(request.operation);
      case StepRequest::Kind::kCommit:
        return commit();
      default:
        return roll_back();
    }
  }

 private:
  StepReply read(const RequestStep& step) {
    if (is_queued_) {
      return {.error = TxnError::kOther,
              .message = "reads behind a write of their transaction are answered by EXEC alone"};
    }
    const RedisReply watched = watches_ ? client_.ask({"WATCH", redis_key(step)}) : nullptr;
    if (watches_ && (!watched || watched->type == REDIS_REPLY_ERROR)) {
      return refused(watched.get());
    }
    const RedisReply found = client_.ask(redis_command(step));
    if (!found || found->type == REDIS_REPLY_ERROR) {
      return refused(found.get());
    }
    if (const redisReply* const other = no_number_in(*found)) {
      return {.error = TxnError::kOther, .message = no_number_message(*other)};
    }
    StepReply reply;
    StepRow row(1);
    if (found->type == REDIS_REPLY_ARRAY) {
      std::string& list = row.front().emplace();
      for (std::size_t i = 0; i < found->elements; ++i) {
        const redisReply& element = *found->element[i];
        list += (i == 0 ? "" : ",") + std::string(element.str, element.len);
      }
    } else if (const Seen number = number_of(*found)) {
      row.front() = std::to_string(*number);
    }
    reply.rows.push_back(std::move(row));
    return reply;
  }

  StepReply queue(const RequestStep& step) {
    const RedisReply begun = is_queued_ ? nullptr : client_.ask({"MULTI"});
    if (!is_queued_ && (!begun || begun->type == REDIS_REPLY_ERROR)) {
      return refused(begun.get());
    }
    is_queued_ = true;
    const RedisReply queued = client_.ask(redis_command(step));
    return queued && queued->type != REDIS_REPLY_ERROR ? StepReply() : refused(queued.get());
  }

  /// EXEC gives reads without writes one snapshot too.
  StepReply commit() {
    const RedisReply begun = is_queued_ ? nullptr : client_.ask({"MULTI"});
    if (!is_queued_ && (!begun || begun->type == REDIS_REPLY_ERROR)) {
      return refused(begun.get());
    }
    is_queued_ = false;
    const RedisReply done = client_.ask({"EXEC"});
    if (!done) {
      StepReply reply = refused(nullptr);
      reply.is_lost = true;
      return reply;
    }
    if (done->type == REDIS_REPLY_NIL) {
      return {.error = TxnError::kConflict, .message = "EXEC: nil"};
    }
    if (done->type == REDIS_REPLY_ERROR) {
      return refused(done.get());
    }
    if (done->type != REDIS_REPLY_ARRAY) {
      return {.error = TxnError::kOther, .message = kSenselessExec, .is_lost = true};
    }
    StepReply reply;
    if (const redisReply* const error = redis_error_in(*done)) {
      reply = refused(error);
      reply.is_lost = true;  // the other commands were carried out
    }
    return reply;
  }

  /// May follow an EXEC that was refused because a key had changed.
  StepReply roll_back() {
    const bool was_queued = std::exchange(is_queued_, false);
    const RedisReply done = client_.ask({was_queued ? "DISCARD" : "UNWATCH"});
    return done ? StepReply() : refused(nullptr);
  }

  /// The reply to a refused command. Null: the connection is lost.
  [[nodiscard]] StepReply refused(const redisReply* reply) const {
    if (reply == nullptr) {
      return {.error = client_.error(), .message = client_.message()};
    }
    const std::string words = redis_words(*reply);
    return {.error = redis_error(words), .message = words};
  }

  RedisClient client_;
  bool watches_;
  bool is_queued_ = false;  // behind MULTI
};

class RedisDatabase : public Database {
 public:
  RedisDatabase(RedisAddress address, const DatabaseRequest& request)
      : address_(std::move(address)),
        watches_(request.level != "read-committed"),
        answer_patience_(request.answer_patience()),
        connect_patience_(request.connect_patience) {}

  /// Removes only the keys that an earlier run has left.
  Status fill(const std::vector<RequestStep>& initial) {
    ELAPID_ASSIGN_OR_RETURN(RedisClient client, reach());
    std::string cursor = "0";
    do {
      const RedisReply found = client.ask({"SCAN", cursor, "MATCH", "elapid:*"});
      if (!found || found->type != REDIS_REPLY_ARRAY || found->elements != 2 ||
          found->element[0]->type != REDIS_REPLY_STRING ||
          found->element[1]->type != REDIS_REPLY_ARRAY) {
        return unreadable("SCAN is not answered");
      }
      cursor = found->element[0]->str;
      for (std::size_t i = 0; i < found->element[1]->elements; ++i) {
        const redisReply& key = *found->element[1]->element[i];
        if (key.type != REDIS_REPLY_STRING || !client.has_done({"DEL", key.str})) {
          return unreadable("an old key cannot be removed");
        }
      }
    } while (cursor != "0");
    for (const RequestStep& write : initial) {
      if (!client.has_done({"SET", redis_key(write), std::to_string(write.value)})) {
        return unreadable("the first values cannot be written");
      }
    }
    return {};
  }

  Result<std::unique_ptr<Connection>> connect(std::size_t /*session*/) override {
    return connect<Connection, RedisConnection>();
  }

  Result<std::unique_ptr<StepSession>> connect_steps() {
    return connect<StepSession, RedisStepSession>();
  }

  std::vector<DatabaseFact> facts() override {
    std::vector<DatabaseFact> facts = {{"database", "Redis"}};
    Result<RedisClient> client = reach();
    const RedisReply info = client ? client.value().ask({"INFO", "server"}) : nullptr;
    if (info && info->type == REDIS_REPLY_STRING) {
      const std::string_view text(info->str, info->len);
      constexpr std::string_view kVersion = "redis_version:";
      const std::size_t at = text.find(kVersion);
      if (at != std::string_view::npos) {
        const std::string_view rest = text.substr(at + kVersion.size());
        facts.push_back({"version", std::string(rest.substr(0, rest.find('\r')))});
      }
    }
    return facts;
  }

 private:
  static Error unreadable(const std::string& why) {
    return {.kind = ErrorKind::kUnreadable, .message = "Redis: " + why};
  }

  template <typename Session, typename Own>
  Result<std::unique_ptr<Session>> connect() {
    ELAPID_ASSIGN_OR_RETURN(RedisClient client, reach());
    return std::unique_ptr<Session>(std::make_unique<Own>(std::move(client), watches_));
  }

  Result<RedisClient> reach() {
    const timeval timeout = {.tv_sec = connect_patience_.count() / 1000,
                             .tv_usec = connect_patience_.count() % 1000 * 1000};
    RedisContext context(address_.path.empty()
                             ? redisConnectWithTimeout(
                                   address_.server.host.c_str(),
                                   static_cast<int>(address_.server.port.value_or(6379)), timeout)
                             : redisConnectUnixWithTimeout(address_.path.c_str(), timeout));
    if (!context || context->err != 0) {
      return unreadable(context ? context->errstr : "memory ran out");
    }
    // Calls of the library do not wait: RedisClient waits.
    ::fcntl(context->fd, F_SETFL, ::fcntl(context->fd, F_GETFL) | O_NONBLOCK);
    context->flags &= ~REDIS_BLOCK;
    return RedisClient(std::move(context), answer_patience_);
  }

  RedisAddress address_;
  bool watches_;
  std::chrono::milliseconds answer_patience_;
  std::chrono::milliseconds connect_patience_;
};

/// Sessions in Redis never wait for one another.
class RedisStepDatabase : public StepDatabase {
 public:
  explicit RedisStepDatabase(std::unique_ptr<RedisDatabase> database)
      : database_(std::move(database)) {}

  [[nodiscard]] const SqlSpelling* spelling() const override { return nullptr; }

  Status prepare(std::span<const std::string> /*sql*/) override { return database_->fill({}); }

  Result<std::unique_ptr<StepSession>> connect(std::size_t /*session*/,
                                               std::span<const std::string> settings) override {
    if (!settings.empty()) {
      return usage_error("sessions of Redis begin with no statements");
    }
    return database_->connect_steps();
  }

  Result<bool> all_wait(std::span<const std::size_t> /*sessions*/) override { return false; }

  [[nodiscard]] std::vector<DatabaseFact> facts() override { return database_->facts(); }

 private:
  std::unique_ptr<RedisDatabase> database_;
};

class RedisDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kRedisInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    Result<std::unique_ptr<RedisDatabase>> database = open_own(request);
    return database ? Result<std::unique_ptr<Database>>(std::move(database).value())
                    : database.error();
  }

  [[nodiscard]] Result<std::unique_ptr<StepDatabase>> open_steps(
      const DatabaseRequest& request, std::function<void()> /*news*/) const override {
    ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<RedisDatabase> database, open_own(request));
    return std::unique_ptr<StepDatabase>(std::make_unique<RedisStepDatabase>(std::move(database)));
  }

 private:
  static Result<std::unique_ptr<RedisDatabase>> open_own(const DatabaseRequest& request) {
    ELAPID_ASSIGN_OR_RETURN(RedisAddress address, parse_redis_address(request.uri.address));
    auto database = std::make_unique<RedisDatabase>(std::move(address), request);
    ELAPID_RETURN_IF_ERROR(database->fill(request.initial));
    return database;
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::RedisDriver)
