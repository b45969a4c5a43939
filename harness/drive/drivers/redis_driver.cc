// Redis, by hiredis.
//
// Redis carries out the commands between MULTI and EXEC in one go, and tells their answers at the
// end. So a transaction is in two parts: reads up to the first write are asked at once, and from
// there on everything is queued. The levels differ in what holds the parts together:
//
//   read-committed   nothing
//   serializable     WATCH on each key before it is read: EXEC does nothing if one of them has
//   changed
//
// A client that gives up after a read behind its own write comes too late: that was carried out.
#include <hiredis/hiredis.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

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

/// Where a server listens: a socket's path, or a place on the network.
struct RedisAddress {
  std::string path = {};
  HostAndPort server = {};
};

Result<RedisAddress> parse_redis_address(std::string_view text) {
  if (!text.starts_with("//")) {
    return RedisAddress{.path = std::string(text)};
  }
  Result<HostAndPort> server = parse_host_and_port(text.substr(2));
  if (!server) {
    return server.error();
  }
  return RedisAddress{.server = std::move(server).value()};
}

/// The words of a command, as the library takes them; they must outlive its use.
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

class RedisConnection : public Connection {
 public:
  RedisConnection(RedisContext context, bool watches)
      : context_(std::move(context)), watches_(watches) {}

  TxnOutcome run(DriverTxn& txn) override {
    std::size_t step = 0;
    for (; step < txn.size() && is_read(txn.step(step)); ++step) {
      if (watches_ && !ask({"WATCH", key_of(txn.step(step))})) {
        return lost(TxnFate::kAborted);
      }
      const RedisReply reply = ask(command_of(txn.step(step)));
      if (!reply) {
        return lost(TxnFate::kAborted);
      }
      if (reply->type == REDIS_REPLY_ERROR) {
        return refused(*reply);
      }
      if (!tell(txn, step, *reply)) {
        return ask({"UNWATCH"}) ? given_up() : lost(TxnFate::kAborted);
      }
    }
    // Reads alone are held together by EXEC too.
    return execute(txn, step);
  }

 private:
  using Words = std::vector<std::string>;

  static bool is_read(const RequestStep& step) {
    return step.kind == OpKind::kRead || step.kind == OpKind::kReadList;
  }

  static std::string key_of(const RequestStep& step) {
    return std::string(kRedisPrefix) + std::to_string(step.key);
  }

  static Words command_of(const RequestStep& step) {
    switch (step.kind) {
      case OpKind::kRead:
        return {"GET", key_of(step)};
      case OpKind::kReadList:
        return {"LRANGE", key_of(step), "0", "-1"};
      case OpKind::kAppend:
        return {"RPUSH", key_of(step), std::to_string(step.value)};
      default:
        return {"SET", key_of(step), std::to_string(step.value)};
    }
  }

  bool append(const Words& words) {
    arguments_.assign(words);
    return redisAppendCommandArgv(context_.get(), arguments_.count(), arguments_.pointers.data(),
                                  arguments_.lengths.data()) == REDIS_OK;
  }

  /// Nothing if the connection is lost.
  RedisReply next_reply() {
    void* reply = nullptr;
    return redisGetReply(context_.get(), &reply) == REDIS_OK
               ? RedisReply(static_cast<redisReply*>(reply))
               : nullptr;
  }

  RedisReply ask(const Words& words) { return append(words) ? next_reply() : nullptr; }

  /// False if the client gives up.
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

  /// Queues the steps from here on, and has them carried out.
  TxnOutcome execute(DriverTxn& txn, std::size_t first) {
    bool is_sent = append({"MULTI"});
    for (std::size_t step = first; step < txn.size(); ++step) {
      is_sent = is_sent && append(command_of(txn.step(step)));
    }
    for (std::size_t queued = first; queued <= txn.size() && is_sent; ++queued) {
      const RedisReply reply = next_reply();
      is_sent = reply != nullptr;
      if (is_sent && reply->type == REDIS_REPLY_ERROR) {
        return drop(txn.size() - queued, *reply);
      }
    }
    // Until here nothing was to be carried out.
    if (!is_sent) {
      return lost(TxnFate::kAborted);
    }
    const RedisReply reply = ask({"EXEC"});
    if (!reply) {
      return lost(TxnFate::kIndeterminate);
    }
    if (reply->type == REDIS_REPLY_NIL) {
      return {.fate = TxnFate::kAborted, .error = TxnError::kConflict, .message = "EXEC: nil"};
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != txn.size() - first) {
      return refused(*reply);
    }
    for (std::size_t step = first; step < txn.size(); ++step) {
      if (is_read(txn.step(step))) {
        static_cast<void>(tell(txn, step, *reply->element[step - first]));
      }
    }
    return {};
  }

  /// After a command that was not queued: reads what else was answered, and drops the queue.
  TxnOutcome drop(std::size_t answers, const redisReply& error) {
    TxnOutcome outcome = refused(error);
    for (; answers > 0; --answers) {
      outcome.is_unusable = outcome.is_unusable || !next_reply();
    }
    outcome.is_unusable = outcome.is_unusable || !ask({"DISCARD"});
    return outcome;
  }

  static TxnOutcome refused(const redisReply& reply) {
    const std::string words(reply.str == nullptr ? "" : reply.str, reply.len);
    const bool is_busy =
        words.starts_with("LOADING") || words.starts_with("BUSY") || words.starts_with("OOM");
    return {.fate = TxnFate::kAborted,
            .error = is_busy ? TxnError::kBusy : TxnError::kOther,
            .message = words};
  }

  [[nodiscard]] TxnOutcome lost(TxnFate fate) const {
    const bool is_late = context_->err == REDIS_ERR_IO && errno == EAGAIN;
    return {.fate = fate,
            .error = is_late ? TxnError::kTimeout : TxnError::kConnection,
            .message = context_->errstr,
            .is_unusable = true};
  }

  RedisContext context_;
  bool watches_;
  RedisArguments arguments_ = {};
  std::vector<std::int64_t> elements_ = {};
};

class RedisDatabase : public Database {
 public:
  RedisDatabase(RedisAddress address, const DatabaseRequest& request)
      : address_(std::move(address)),
        watches_(request.level != "read-committed"),
        patience_(request.patience) {}

  /// Removes what an earlier run has left, and nothing else.
  Status fill(const std::vector<RequestStep>& initial) {
    Result<RedisContext> context = reach();
    if (!context) {
      return context.error();
    }
    std::string cursor = "0";
    do {
      const RedisReply found = command(*context.value(), {"SCAN", cursor, "MATCH", "elapid:*"});
      if (!found || found->type != REDIS_REPLY_ARRAY || found->elements != 2) {
        return unreadable("SCAN is not answered");
      }
      cursor = found->element[0]->str;
      for (std::size_t i = 0; i < found->element[1]->elements; ++i) {
        command(*context.value(), {"DEL", found->element[1]->element[i]->str});
      }
    } while (cursor != "0");
    for (const RequestStep& write : initial) {
      if (!command(*context.value(), {"SET", std::string(kRedisPrefix) + std::to_string(write.key),
                                      std::to_string(write.value)})) {
        return unreadable("the first values cannot be written");
      }
    }
    return {};
  }

  Result<std::unique_ptr<Connection>> connect(std::size_t /*session*/) override {
    Result<RedisContext> context = reach();
    if (!context) {
      return context.error();
    }
    return std::unique_ptr<Connection>(
        std::make_unique<RedisConnection>(std::move(context).value(), watches_));
  }

  std::vector<DatabaseFact> facts() override {
    std::vector<DatabaseFact> facts = {{"database", "Redis"}};
    Result<RedisContext> context = reach();
    const RedisReply info = context ? command(*context.value(), {"INFO", "server"}) : nullptr;
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
  static RedisReply command(redisContext& context, const std::vector<std::string>& words) {
    RedisArguments arguments;
    arguments.assign(words);
    return RedisReply(static_cast<redisReply*>(redisCommandArgv(
        &context, arguments.count(), arguments.pointers.data(), arguments.lengths.data())));
  }

  static Error unreadable(const std::string& why) {
    return {.kind = ErrorKind::kUnreadable, .message = "Redis: " + why};
  }

  Result<RedisContext> reach() {
    const auto ms = patience_ + std::chrono::seconds(1);
    const timeval timeout = {.tv_sec = ms.count() / 1000, .tv_usec = ms.count() % 1000 * 1000};
    RedisContext context(address_.path.empty()
                             ? redisConnectWithTimeout(
                                   address_.server.host.c_str(),
                                   static_cast<int>(address_.server.port.value_or(6379)), timeout)
                             : redisConnectUnixWithTimeout(address_.path.c_str(), timeout));
    if (!context || context->err != 0) {
      return unreadable(context ? context->errstr : "memory ran out");
    }
    redisSetTimeout(context.get(), timeout);
    return context;
  }

  RedisAddress address_;
  bool watches_;
  std::chrono::milliseconds patience_;
};

class RedisDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kRedisInfo; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    Result<RedisAddress> address = parse_redis_address(request.uri.address);
    if (!address) {
      return address.error();
    }
    ::signal(SIGPIPE, SIG_IGN);  // hiredis writes to lost connections without asking for none
    auto database = std::make_unique<RedisDatabase>(std::move(address).value(), request);
    if (Status filled = database->fill(request.initial); !filled.ok()) {
      return filled.error();
    }
    return std::unique_ptr<Database>(std::move(database));
  }
};

}  // namespace

}  // namespace elapid

ELAPID_DRIVER_PLUGIN(elapid::RedisDriver)
