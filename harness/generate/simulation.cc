#include "harness/generate/simulation.h"

#include <algorithm>
#include <utility>

namespace elapid {

struct Simulation::Client {
  enum class State : std::uint8_t { kIdle, kBegins, kRuns, kCommits, kIsLate };

  std::int64_t process = 0;
  std::uint32_t pace = 100;
  std::int64_t clock = 0;  // the error of its clock
  State state = State::kIdle;
  StoreSession session = {};
  StoreTxn txn = {};
  Request request = {};
  Fate fate = Fate::kCommit;
  std::size_t at = 0;       // the next step
  std::size_t dies_at = 0;  // of Fate::kDies
  std::uint64_t retries = 0;
  std::uint64_t begun = 0;  // transactions
  std::int64_t invoked = 0;
  std::optional<std::size_t> level = std::nullopt;  // of Store::draw_level()
  bool has_committed = false;
  std::vector<PlainMop> mops = {};
  std::vector<std::int64_t> elements = {};

  void tell_invocation(PlainEvent& event) {
    mops.clear();
    for (const RequestStep& step : request.steps) {
      if (step.kind == OpKind::kRow) {
        if (!row_op(step).is_left_out) {
          mops.push_back({.kind = step.kind, .is_nil = true, .value = step.value});
        }
        continue;
      }
      const bool is_read = step.kind == OpKind::kRead || step.kind == OpKind::kReadList;
      mops.push_back({.kind = is_read ? OpKind::kRead : step.kind,
                      .is_nil = is_read,
                      .key = step.key,
                      .value = step.value});
    }
    event.shape = request.invoked;
    event.tree = &request.asked;
    event.mops = mops;
    event.elements = {};
  }

  [[nodiscard]] const PlainRowOp& row_op(const RequestStep& step) const {
    return request.row_ops[static_cast<std::size_t>(step.value)];
  }

  /// Whether its writes depend on its reads. If the client dies, the results of the reads are lost.
  [[nodiscard]] bool writes_what_reads_decide() const {
    return request.depends_on_reads && request.completed == PlainValue::kMops;
  }

  void tell_result(PlainEvent& event) const {
    event.shape = request.completed;
    event.tree = &request.answered;
    event.mops = mops;
    event.elements = elements;
  }
};

Simulation::Simulation(const StoreKind& kind, const StoreOptions& store,
                       std::unique_ptr<RequestSource> requests, const SimulationOptions& options)
    : options_(options),
      requests_(std::move(requests)),
      random_(options.seed),
      store_(kind, store, random_.bits()) {
  for (std::size_t i = 0; i < options.sessions; ++i) {
    const auto pace = 100 + static_cast<std::uint32_t>(random_.below(options.pace_percent - 99));
    fastest_ = std::max(fastest_, pace);
    active_.push_back(std::make_unique<Client>());
    Client& client = *active_.back();
    client.process = static_cast<std::int64_t>(i);
    client.pace = pace;
    client.clock = clock_error();
  }
  for (const StoreKind* level : kind.mixes) {
    level_fields_.push_back({"isolation", PlainTree::keyword(level->name)});
  }
  const std::vector<RequestStep> initial = requests_->initial_writes();
  for (const RequestStep& write : initial) {
    store_.set_initial(write);
  }
  if (options.loads && !initial.empty()) {
    phase_ = Phase::kLoad;
    loader_ = std::make_unique<Client>();
    loader_->process = static_cast<std::int64_t>(options.sessions);
    loader_->request.steps = initial;
    loader_->level = store_.draw_level();
  }
}

Simulation::~Simulation() = default;

/// The fate in a store that shows uncommitted writes: an indeterminate transaction takes effect
/// completely. Otherwise readers of a part of it would prove that its writes were mixed with those
/// of others.
Simulation::Fate Simulation::possible(Fate fate) const {
  if (!store_.kind().shows_uncommitted()) {
    return fate;
  }
  return fate == Fate::kForgotten ? Fate::kUnheard : fate == Fate::kDies ? Fate::kDiesDone : fate;
}

/// A clock's error is at most half the skew, so two clocks differ by at most the skew.
std::int64_t Simulation::clock_error() {
  const std::int64_t half = options_.clock_skew / 2;
  return half == 0
             ? 0
             : static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(2 * half + 1))) -
                   half;
}

bool Simulation::next(PlainEvent& event) {
  event = {};
  if (phase_ == Phase::kLoad || phase_ == Phase::kLoading) {
    load(event);
    return true;
  }
  while (!active_.empty() || begin_final_reads()) {
    const std::size_t place = pick();
    pass_time();
    if (step(place, event)) {
      return true;
    }
  }
  return false;
}

void Simulation::pass_time() {
  time_ += kSmallestPause + static_cast<std::int64_t>(random_.below(8 * kSmallestPause));
}

/// Tells the initial values, which the store has from the beginning, as writes of its first
/// transaction.
void Simulation::load(PlainEvent& event) {
  pass_time();
  event.time = time_;
  event.process = loader_->process;
  loader_->tell_invocation(event);
  event.fields = level_field(loader_->level);
  if (phase_ == Phase::kLoad) {
    loader_->invoked = time_;
    ++counts_.transactions;
    counts_.operations += loader_->request.steps.size();
    phase_ = Phase::kLoading;
  } else {
    event.type = EventType::kOk;
    event.invoked = loader_->invoked;
    event.timestamps = {0, 0};
    ++counts_.committed;
    phase_ = Phase::kRunning;
  }
}

/// Begins the final reads when all clients have finished; false if there are none.
bool Simulation::begin_final_reads() {
  if (phase_ == Phase::kFinalReads || !options_.final_reads) {
    return false;
  }
  phase_ = Phase::kFinalReads;
  store_.settle();
  active_ = std::move(rested_);
  rested_.clear();
  return !active_.empty();
}

std::size_t Simulation::pick() {
  if (options_.is_serial) {
    const auto busy = std::ranges::find_if(
        active_, [](const auto& client) { return client->state != Client::State::kIdle; });
    if (busy != active_.end()) {
      return static_cast<std::size_t>(busy - active_.begin());
    }
  }
  while (true) {
    const std::size_t place = random_.below(active_.size());
    if (fastest_ == 100 || random_.below(fastest_) < active_[place]->pace) {
      return place;
    }
  }
}

bool Simulation::step(std::size_t place, PlainEvent& event) {
  Client& client = *active_[place];
  switch (client.state) {
    case Client::State::kIdle:
      return invoke(place, event);
    case Client::State::kBegins:
      client.has_committed = false;
      client.mops.clear();
      client.elements.clear();
      client.at = 0;
      store_.begin(client.txn, client.session, client.request.only_reads, time_,
                   client.level ? store_.kind().mixes[*client.level] : nullptr);
      client.state = Client::State::kRuns;
      return false;
    case Client::State::kRuns:
      return run_step(place, event);
    case Client::State::kCommits:
      return commit(place, event);
    case Client::State::kIsLate:
      store_.commit(client.txn, time_);
      requests_->done(client.request);
      remove(place, spare_);
      return false;
  }
  return false;
}

/// Whether the client has begun its part of the transactions. Serial clients have equal parts.
/// Otherwise faster clients begin more.
bool Simulation::has_done_its_share(const Client& client) const {
  return options_.is_serial && client.begun > (options_.transactions - 1) / options_.sessions;
}

bool Simulation::invoke(std::size_t place, PlainEvent& event) {
  Client& client = *active_[place];
  client.request.clear();
  const bool is_final = phase_ == Phase::kFinalReads;
  const bool has_request = is_final ? requests_->final_read(final_read_++, client.request)
                                    : has_more_to_do(options_) && !has_done_its_share(client);
  if (!has_request) {
    remove(place, rested_);
    return false;
  }
  if (!is_final) {
    requests_->next(random_, client.request);
  }
  client.fate = is_final ? Fate::kCommit : possible(draw_fate());
  if (client.fate == Fate::kDiesDone && client.writes_what_reads_decide()) {
    // The store shows uncommitted writes, so the completion tells what was written.
    client.fate = store_.kind().shows_uncommitted() ? Fate::kUnheard : Fate::kDies;
  }
  client.dies_at = client.fate == Fate::kDies ? random_.below(client.request.steps.size() + 1) : 0;
  client.retries = options_.retries;
  client.level = store_.draw_level();
  client.invoked = time_;
  client.state = Client::State::kBegins;
  ++client.begun;
  ++counts_.transactions;
  counts_.operations +=
      client.request.completed == PlainValue::kMops ? client.request.steps.size() : 1;
  set_head(client, EventType::kInvoke, event);
  client.tell_invocation(event);
  return true;
}

Simulation::Fate Simulation::draw_fate() {
  const Faults& faults = options_.faults;
  const std::uint64_t any = std::uint64_t{faults.aborts} + faults.indeterminate + faults.crashes;
  if (any == 0) {
    return Fate::kCommit;
  }
  const std::uint64_t draw = random_.below(1'000'000);
  if (draw < faults.aborts) {
    return Fate::kAbort;
  }
  if (draw < faults.aborts + faults.indeterminate) {
    static constexpr std::array kFates = {Fate::kForgotten, Fate::kUnheard, Fate::kLate};
    return kFates[random_.below(kFates.size())];
  }
  return draw >= any ? Fate::kCommit : random_.below(2) == 0 ? Fate::kDies : Fate::kDiesDone;
}

std::span<const PlainField> Simulation::level_field(std::optional<std::size_t> level) const {
  return level ? std::span(level_fields_).subspan(*level, 1) : std::span<const PlainField>();
}

void Simulation::set_head(const Client& client, EventType type, PlainEvent& event) const {
  event.type = type;
  event.time = time_;
  event.invoked = client.invoked;
  event.process = client.process;
  event.function = client.request.function;
  event.tuple_key = client.request.tuple_key;
  event.numbers = client.request.numbers;
  event.row_ops = client.request.row_ops;
  event.fields = level_field(client.level);
  if (type != EventType::kInvoke && client.has_committed) {
    event.timestamps = {client.txn.timestamps.start + client.clock,
                        client.txn.timestamps.commit + client.clock};
  }
}

bool Simulation::run_step(std::size_t place, PlainEvent& event) {
  Client& client = *active_[place];
  if (client.fate == Fate::kDies && client.at == client.dies_at) {
    store_.abort(client.txn);
    return die(place, event);
  }
  if (client.at == client.request.steps.size()) {
    client.state = Client::State::kCommits;
    return commit(place, event);
  }
  const RequestStep step = client.request.steps[client.at];
  if (step.kind == OpKind::kRow) {
    return run_row_step(place, step, event);
  }
  PlainMop mop = {.kind = step.kind, .key = step.key, .value = step.value};
  StepAnswer answer = StepAnswer::kDone;
  if (step.kind == OpKind::kRead || step.kind == OpKind::kReadList) {
    Seen seen;
    mop.list_begin = static_cast<std::uint32_t>(client.elements.size());
    answer = store_.read(client.txn, step, seen, client.elements);
    mop.list_length = static_cast<std::uint32_t>(client.elements.size()) - mop.list_begin;
    mop.is_nil = !seen;
    mop.value = seen.value_or(0);
    if (answer == StepAnswer::kDone && client.request.depends_on_reads) {
      const std::string_view why_not = requests_->after_read(client.request, client.at, seen);
      if (!why_not.empty()) {
        store_.abort(client.txn);
        return finish(place, EventType::kFail, why_not, event);
      }
    }
  } else {
    answer = store_.write(client.txn, step);
  }
  switch (answer) {
    case StepAnswer::kDone:
      client.mops.push_back(mop);
      ++client.at;
      return false;
    case StepAnswer::kWait:
      return false;
    case StepAnswer::kConflict:
    case StepAnswer::kLost:
      break;
  }
  return after_abort(place, answer, event);
}

bool Simulation::run_row_step(std::size_t place, const RequestStep& step, PlainEvent& event) {
  Client& client = *active_[place];
  const PlainRowOp op = client.row_op(step);
  if (op.is_left_out) {
    ++client.at;
    return false;
  }
  const bool writes_by_predicate =
      op.kind == PlainRowKind::kUpdate || op.kind == PlainRowKind::kDelete;
  PlainMop mop = {.kind = step.kind, .value = step.value, .tells_rows = writes_by_predicate};
  mop.list_begin = static_cast<std::uint32_t>(client.elements.size());
  const StepAnswer answer = store_.work_on_rows(client.txn, op, client.elements);
  if (answer != StepAnswer::kDone) {
    return after_abort(place, answer, event);
  }
  mop.list_length = static_cast<std::uint32_t>(client.elements.size()) - mop.list_begin;
  client.mops.push_back(mop);
  if (op.kind == PlainRowKind::kRead && client.request.depends_on_reads) {
    client.request.found.assign(client.elements.begin() + mop.list_begin, client.elements.end());
    requests_->after_read(client.request, client.at, mop.list_length / 4);
  }
  ++client.at;
  return false;
}

bool Simulation::commit(std::size_t place, PlainEvent& event) {
  Client& client = *active_[place];
  if (client.fate == Fate::kLate) {
    return finish(place, EventType::kInfo, "timeout", event);
  }
  if (client.fate == Fate::kAbort || client.fate == Fate::kForgotten) {
    store_.abort(client.txn);
    return client.fate == Fate::kAbort ? finish(place, EventType::kFail, "aborted", event)
                                       : finish(place, EventType::kInfo, "timeout", event);
  }
  const StepAnswer answer = store_.commit(client.txn, time_);
  if (answer != StepAnswer::kDone) {
    return after_abort(place, answer, event);
  }
  client.has_committed = true;
  if (client.fate == Fate::kDiesDone) {
    return die(place, event);
  }
  return client.fate == Fate::kUnheard ? finish(place, EventType::kInfo, "timeout", event)
                                       : finish(place, EventType::kOk, {}, event);
}

/// Ends a transaction that the store has aborted, or repeats it.
bool Simulation::after_abort(std::size_t place, StepAnswer answer, PlainEvent& event) {
  Client& client = *active_[place];
  if (answer == StepAnswer::kLost) {
    return finish(place, EventType::kInfo, "connection-lost", event);
  }
  // Others may have seen the attempt's writes, and another attempt would repeat them.
  const bool may_retry = client.retries > 0 && !store_.kind().shows_uncommitted();
  if (may_retry) {
    --client.retries;
    ++counts_.retried;
    client.state = Client::State::kBegins;
    return false;
  }
  const bool is_unheard = client.fate == Fate::kUnheard || client.fate == Fate::kDiesDone;
  return is_unheard && !store_.kind().shows_uncommitted()
             ? finish(place, EventType::kInfo, "timeout", event)
             : finish(place, EventType::kFail, "conflict", event);
}

bool Simulation::finish(std::size_t place, EventType type, std::string_view error,
                        PlainEvent& event) {
  Client& client = *active_[place];
  set_head(client, type, event);
  event.error = error;
  if (type == EventType::kOk) {
    ++counts_.committed;
    client.tell_result(event);
  } else {
    client.tell_invocation(event);
    event.numbers = client.request.numbers;
  }
  if (type == EventType::kFail) {
    ++(error == "conflict" ? counts_.aborted_by_store : counts_.aborted_by_client);
  }
  if (type == EventType::kInfo) {
    ++counts_.indeterminate;
    begin_process(place);
  } else {
    requests_->done(client.request);
    client.state = Client::State::kIdle;
  }
  return true;
}

bool Simulation::die(std::size_t place, PlainEvent& event) {
  finish(place, EventType::kInfo, {}, event);
  event.is_silent = true;
  return true;
}

/// An indeterminate operation ends its process, and another process replaces it. A late transaction
/// continues without a client.
void Simulation::begin_process(std::size_t place) {
  Client& client = *active_[place];
  Client* next = &client;
  if (client.txn.is_open) {
    client.state = Client::State::kIsLate;
    if (spare_.empty()) {
      spare_.push_back(std::make_unique<Client>());
    }
    active_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    next = active_.back().get();
  } else {
    requests_->done(client.request);
  }
  next->process = client.process + static_cast<std::int64_t>(options_.sessions + 1);
  next->pace = client.pace;
  next->begun = client.begun;
  next->clock = client.clock;
  next->session = {};
  next->state = Client::State::kIdle;
}

void Simulation::remove(std::size_t place, std::vector<std::unique_ptr<Client>>& into) {
  into.push_back(std::move(active_[place]));
  active_[place] = std::move(active_.back());
  active_.pop_back();
}

}  // namespace elapid
