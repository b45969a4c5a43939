#include "harness/scenario/play.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "harness/scenario/player.h"
#include "harness/scenario/step_sql.h"

namespace elapid {
namespace {

using Kind = StepRequest::Kind;
using Clock = std::chrono::steady_clock;

/// The interval at which the database is asked again which sessions wait.
constexpr std::chrono::milliseconds kPause{2};

StepRequest request_of(const Scenario& scenario, const StepSql* sql, Op op) {
  StepRequest request = {.kind = Kind::kOperation};
  if (op.kind() != OpKind::kRow) {
    const auto value = scenario.script.values().as_integer(op.value());
    request.operation = {op.kind(), op.key().value, op.key().value, value.value_or(0)};
  }
  request.sql = sql != nullptr ? sql->operation(op) : "";
  return request;
}

/// The statements of the settings for this database.
std::vector<std::string> sql_for(std::span<const ScenarioSetting> settings,
                                 std::string_view database,
                                 std::optional<std::size_t> session = {}) {
  std::vector<std::string> texts;
  for (const ScenarioSetting& setting : settings) {
    if ((setting.database.empty() || setting.database == database) &&
        (!setting.session || setting.session == session)) {
      texts.push_back(setting.sql);
    }
  }
  return texts;
}

}  // namespace

TxnError StepFate::error() const {
  return kind == Kind::kFailed ? answers.back().error : TxnError::kNone;
}

struct Stage::State {
  const Scenario& scenario;
  News news = {};
  std::unique_ptr<StepDatabase> database = {};
  std::optional<StepSql> sql = {};
  std::unique_ptr<StepSession> observer = {};  // writes the initial state, reads the final one
  std::vector<std::unique_ptr<Player>> players = {};

  // One performance.
  PlayOptions options = {};
  Performance performance = {};
  std::vector<std::optional<std::size_t>> busy_with = {};  // by session: its step that has not
                                                           // returned
  std::optional<std::size_t> newest = {};                  // the session whose step began last
  std::vector<bool> is_open = {};                          // by session: in a transaction
  std::vector<bool> is_aborted = {};  // by session: its remaining steps are skipped

  explicit State(const Scenario& played) : scenario(played) {}

  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    players.clear();
    observer.reset();
  }

  Status open(const Driver& driver, const DatabaseRequest& request);
  Status fill();
  Status play(const StepOrder& order);
  void begin_performance();
  void begin_step(std::size_t step);
  Result<bool> take_answers(Clock::time_point until);
  bool take_answers_of(std::size_t session);
  Status settle(bool someone_must_return);
  Status end_transactions();
  [[nodiscard]] Error no_answer(const std::string& what) const;
  Status read_everything();
  bool end_all();

  /// The longest wait for an end that the database must bring about.
  [[nodiscard]] Clock::duration longest_wait() const {
    return 2 * options.patience + options.grace;
  }

  [[nodiscard]] std::vector<std::size_t> busy_sessions() const {
    std::vector<std::size_t> busy;
    for (std::size_t session = 0; session < busy_with.size(); ++session) {
      if (busy_with[session]) {
        busy.push_back(session);
      }
    }
    return busy;
  }
};

Status Stage::State::open(const Driver& driver, const DatabaseRequest& request) {
  Result<std::unique_ptr<StepDatabase>> opened =
      driver.open_steps(request, [this] { news.tell(); });
  ELAPID_RETURN_IF_ERROR(opened);
  database = std::move(opened).value();
  if (database->spelling() != nullptr) {
    sql.emplace(scenario, *database->spelling());
  } else if (scenario.has_rows()) {
    return usage_error("the scenario " + scenario.name + " is about rows, which " +
                       std::string(driver.info().name) + " has not");
  }
  if (sql) {
    std::vector<std::string> texts = sql->creation();
    std::ranges::move(sql_for(scenario.preparations, driver.info().name),
                      std::back_inserter(texts));
    ELAPID_RETURN_IF_ERROR(database->prepare(texts));
  }
  for (std::size_t session = 0; session <= scenario.sessions.size(); ++session) {
    ELAPID_ASSIGN_OR_RETURN(
        std::unique_ptr<StepSession> connected,
        database->connect(session, sql_for(scenario.settings, driver.info().name, session)));
    if (session == scenario.sessions.size()) {
      observer = std::move(connected);
    } else {
      players.push_back(std::make_unique<Player>(std::move(connected), news));
    }
  }
  return {};
}

void Stage::State::begin_performance() {
  performance = {.steps = std::vector<StepFate>(scenario.steps.size())};
  busy_with.assign(players.size(), std::nullopt);
  newest.reset();
  is_open.assign(players.size(), false);
  is_aborted.assign(players.size(), false);
}

void Stage::State::begin_step(std::size_t number) {
  const ScenarioStep& step = scenario.steps[number];
  const bool ends = step.kind == Kind::kCommit || step.kind == Kind::kRollback;
  if (is_aborted[step.session]) {
    is_aborted[step.session] = !ends;
    return;
  }
  std::vector<StepRequest> requests;
  if (step.kind != Kind::kOperation || !is_open[step.session]) {
    requests.push_back({.kind = step.kind == Kind::kOperation ? Kind::kBegin : step.kind});
  }
  for (const Op op : scenario.ops_of(step)) {
    requests.push_back(request_of(scenario, sql ? &*sql : nullptr, op));
  }
  busy_with[step.session] = number;
  newest = step.session;
  performance.steps[number].began = performance.end++;
  players[step.session]->begin(std::move(requests));
}

/// Takes returned requests, the newest first: requests that it sets free may return earlier than it
/// does, and the history must not depend on that. An own wait of the newest request, or the time
/// `until`, ends this priority. Returns whether any returned.
Result<bool> Stage::State::take_answers(Clock::time_point until) {
  const std::vector<std::size_t> busy = busy_sessions();
  if (newest && busy_with[*newest]) {
    if (take_answers_of(*newest)) {
      return true;
    }
    if (!std::ranges::any_of(
            busy, [this](std::size_t session) { return players[session]->has_answers(); })) {
      return false;
    }
    const Result<bool> waits = database->all_wait(std::span(&*newest, 1));
    if (!waits || (!waits.value() && Clock::now() < until)) {
      return waits;
    }
  }
  bool any = false;
  for (const std::size_t session : busy) {
    any = take_answers_of(session) || any;
  }
  return any;
}

bool Stage::State::take_answers_of(std::size_t session) {
  std::optional<std::vector<StepReply>> answers =
      busy_with[session] ? players[session]->take_answers() : std::nullopt;
  if (!answers) {
    return false;
  }
  const ScenarioStep& step = scenario.steps[*busy_with[session]];
  StepFate& fate = performance.steps[*busy_with[session]];
  const bool failed = answers->back().error != TxnError::kNone;
  const bool ends = step.kind == Kind::kCommit || step.kind == Kind::kRollback;
  fate.kind = failed ? StepFate::Kind::kFailed : StepFate::Kind::kDone;
  fate.returned = performance.end++;
  fate.answers = *std::move(answers);
  if (step.kind == Kind::kOperation && !is_open[session] && fate.answers.size() > 1) {
    fate.answers.erase(fate.answers.begin());  // removes the answer of the begin
  }
  is_open[session] = !failed && !ends;
  is_aborted[session] = failed && !ends;
  busy_with[session].reset();
  database->step_returned();
  return true;
}

/// Waits until each request has returned or waits for another session. With `someone_must_return`,
/// also until a waiting request has returned.
Status Stage::State::settle(bool someone_must_return) {
  // The database ends requests that wait for a lock; it gets as much time again for that.
  const auto until =
      Clock::now() + (someone_must_return ? longest_wait() : Clock::duration(options.patience));
  for (;;) {
    const std::uint64_t seen = news.count();
    ELAPID_ASSIGN_OR_RETURN(const bool taken, take_answers(until));
    if (taken) {
      someone_must_return = false;
      continue;
    }
    const std::vector<std::size_t> busy = busy_sessions();
    if (busy.empty()) {
      return {};
    }
    if (options.is_cancelled && options.is_cancelled()) {
      return usage_error("interrupted");
    }
    if (!someone_must_return) {
      ELAPID_ASSIGN_OR_RETURN(const bool all_wait, database->all_wait(busy));
      if (all_wait || Clock::now() > until) {
        for (const std::size_t session : busy) {
          performance.steps[*busy_with[session]].waited = true;
        }
        return {};
      }
    } else if (Clock::now() > until) {
      return no_answer("step " + std::to_string(*busy_with[busy.front()] + 1));
    }
    news.wait_for_more_than(seen, kPause);
  }
}

/// Writes the initial state.
Status Stage::State::fill() {
  if (sql) {
    return database->prepare(sql->filling());
  }
  ELAPID_RETURN_IF_ERROR(database->prepare({}));
  std::vector<StepRequest> requests = {{.kind = Kind::kBegin}};
  for (const Op op : scenario.ops().first(scenario.starts)) {
    requests.push_back(request_of(scenario, nullptr, op));
  }
  requests.push_back({.kind = Kind::kCommit});
  for (const StepRequest& request : requests) {
    const StepReply answer = observer->carry_out(request);
    if (answer.error != TxnError::kNone) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "the initial state cannot be written: " + answer.message};
    }
  }
  return {};
}

Status Stage::State::play(const StepOrder& order) {
  begin_performance();
  performance.order = order;
  ELAPID_RETURN_IF_ERROR(fill());
  std::vector<std::size_t> left = order;
  while (!left.empty() || !busy_sessions().empty()) {
    const auto next = std::ranges::find_if(
        left, [&](std::size_t step) { return !busy_with[scenario.steps[step].session]; });
    const bool is_stuck = next == left.end();
    if (is_stuck) {
      database->nothing_follows();
    } else {
      const std::size_t step = *next;
      left.erase(next);
      begin_step(step);
    }
    ELAPID_RETURN_IF_ERROR(settle(is_stuck));
  }
  Status ended = end_transactions();
  return ended.ok() ? read_everything() : ended;
}

/// Rolls back the transactions that no step ends.
Status Stage::State::end_transactions() {
  for (std::size_t session = 0; session < players.size(); ++session) {
    if (!is_open[session]) {
      continue;
    }
    players[session]->begin({{.kind = Kind::kRollback}});
    const auto until = Clock::now() + longest_wait();
    while (!players[session]->take_answers()) {
      if (Clock::now() > until) {
        return no_answer("the rollback of a transaction that no step ends");
      }
      news.wait_for_more_than(news.count(), kPause);
    }
    is_open[session] = false;
  }
  return {};
}

Error Stage::State::no_answer(const std::string& what) const {
  return {.kind = ErrorKind::kUnreadable,
          .message = "the database does not answer: " + what + " of " + scenario.name +
                     " does not return"};
}

Status Stage::State::read_everything() {
  std::vector<StepRequest> requests = {{.kind = Kind::kBegin}};
  if (sql) {
    for (std::string& text : sql->final_reads()) {
      requests.push_back({.kind = Kind::kOperation, .sql = std::move(text)});
    }
  } else {
    const OpKind kind = scenario.script.has_lists() ? OpKind::kReadList : OpKind::kRead;
    for (std::uint32_t key = 0; key < scenario.script.key_count(); ++key) {
      requests.push_back({.kind = Kind::kOperation, .operation = {kind, key, key, 0}});
    }
  }
  requests.push_back({.kind = Kind::kCommit});
  for (const StepRequest& request : requests) {
    StepReply answer = observer->carry_out(request);
    if (answer.error != TxnError::kNone) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "the final state cannot be read: " + answer.message};
    }
    if (request.kind == Kind::kOperation) {
      performance.final_reads.push_back(std::move(answer));
    }
  }
  return {};
}

/// Ends all waits. False if a request does not return in time.
bool Stage::State::end_all() {
  const auto until = Clock::now() + longest_wait();
  const auto is_busy = [](const std::unique_ptr<Player>& player) { return player->is_busy(); };
  while (!busy_sessions().empty() || std::ranges::any_of(players, is_busy)) {
    if (Clock::now() > until) {
      return false;
    }
    const std::uint64_t seen = news.count();
    const Result<bool> taken = take_answers(Clock::now());
    if (!taken || !taken.value()) {
      database->nothing_follows();
      news.wait_for_more_than(seen, kPause);
    }
  }
  return true;
}

Stage::Stage(std::unique_ptr<State> state) : state_(std::move(state)) {}

Stage::Stage(Stage&&) noexcept = default;

Stage::~Stage() {
  if (state_ && !state_->end_all()) {
    static_cast<void>(state_.release());  // a thread still uses it
  }
}

Result<Stage> Stage::open(const Driver& driver, const DatabaseRequest& request,
                          const Scenario& scenario) {
  auto state = std::make_unique<State>(scenario);
  ELAPID_RETURN_IF_ERROR(state->open(driver, request));
  return Stage(std::move(state));
}

std::vector<DatabaseFact> Stage::facts() {
  return state_->database->facts();
}

Result<Performance> Stage::play(const StepOrder& order, const PlayOptions& options) {
  state_->options = options;
  ELAPID_RETURN_IF_ERROR(state_->play(order));
  return std::move(state_->performance);
}

}  // namespace elapid
