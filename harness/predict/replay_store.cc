#include "harness/predict/replay_store.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "engine/check/check.h"
#include "engine/ir/history_builder.h"
#include "parsers/json/json_of_edn.h"

namespace elapid {

namespace {

using predict::kInitial;
using predict::Observation;
using predict::ObservedEvent;
using predict::Prediction;

/// A read or write of this run. A writer is an index of the run; nothing is the initial state.
struct ReplayEvent {
  std::string key = {};
  bool is_write = false;
  std::optional<std::size_t> writer = {};
};

struct TxnRun {
  std::uint32_t number = 0;  ///< in the observation
  std::vector<ReplayEvent> events = {};
  std::map<std::string, std::string> written = {};  ///< key and value
};

class ReplayStore {
 public:
  ReplayStore(const History& observed, const Observation& observation, Model level)
      : observed_(observed), observation_(observation), level_(level) {}

  void begin(std::uint32_t number) { runs_.push_back({.number = number}); }

  void drop_last() { runs_.pop_back(); }

  [[nodiscard]] TxnRun& current() { return runs_.back(); }

  [[nodiscard]] const std::vector<TxnRun>& runs() const { return runs_; }

  /// The index of a transaction of the observation that has run and written the key.
  [[nodiscard]] std::optional<std::size_t> place_of(std::uint32_t number,
                                                    const std::string& key) const {
    const auto run = std::ranges::find(runs_, number, &TxnRun::number);
    return run != runs_.end() && run->written.contains(key)
               ? std::optional(static_cast<std::size_t>(run - runs_.begin()))
               : std::nullopt;
  }

  /// What a key holds before the first write, as JSON.
  [[nodiscard]] std::string initial_value(const std::string& key) const {
    ValueId value = observed_.info().initial;
    for (std::uint32_t k = 0; k < observed_.key_count(); ++k) {
      if (key_name(observed_, KeyId{k}) == key) {
        value = predict::initial_value(observed_, KeyId{k});
      }
    }
    std::string json;
    append_json_of_edn(value.is_none() ? "nil" : observed_.text(value), json);
    return json;
  }

  /// The history of the run so far. The value of a write is the index of its transaction, from 1.
  [[nodiscard]] Result<History> history() const {
    HistoryBuilder builder;
    std::vector<MopInput> mops;
    for (std::size_t place = 0; place < runs_.size(); ++place) {
      mops.clear();
      for (const ReplayEvent& event : runs_[place].events) {
        const std::optional<std::size_t> writer =
            event.is_write ? std::optional(place) : event.writer;
        mops.push_back({.kind = event.is_write ? OpKind::kWrite : OpKind::kRead,
                        .key = builder.key(builder.values().intern('"' + event.key + '"')),
                        .value = writer ? builder.values().natural(*writer + 1) : ValueId::nil()});
      }
      const Status added = builder.add_transaction(
          {.session = observed_.session_name(observation_.txns[runs_[place].number].session),
           .mops = mops});
      ELAPID_RETURN_IF_ERROR(added);
    }
    return std::move(builder).build({.workload = Workload::kRwRegister, .has_real_time = false});
  }

  /// Whether the run so far satisfies the model.
  [[nodiscard]] Result<bool> satisfies(Model model) const {
    ELAPID_ASSIGN_OR_RETURN(const History history, this->history());
    CheckOptions options;
    options.models.set(model);
    ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(history, options));
    if (verdict.validity == Validity::kUnknown) {
      return Error{.kind = ErrorKind::kInternal,
                   .message = "whether the level allows a replayed read is unknown"};
    }
    return verdict.validity == Validity::kValid;
  }

  /// Reads from this writer if the level allows that.
  Result<bool> read_from(const std::string& key, std::optional<std::size_t> writer) {
    current().events.push_back({.key = key, .writer = writer});
    Result<bool> is_allowed = satisfies(level_);
    if (!is_allowed || !is_allowed.value()) {
      current().events.pop_back();
    }
    return is_allowed;
  }

 private:
  const History& observed_;
  const Observation& observation_;
  Model level_;
  std::vector<TxnRun> runs_;
};

/// A transaction, as its client sees it.
class StoreTxn : public ReplayTxn {
 public:
  explicit StoreTxn(ReplayStore& store) : store_(store) {}

  Result<std::string> get(const std::string& key) final {
    TxnRun& run = store_.current();
    if (const auto own = run.written.find(key); own != run.written.end()) {
      return own->second;
    }
    ELAPID_RETURN_IF_ERROR(this->read(key));
    const std::optional<std::size_t> writer = store_.current().events.back().writer;
    return writer ? store_.runs()[*writer].written.at(key) : store_.initial_value(key);
  }

  void put(const std::string& key, std::string value) final {
    TxnRun& run = store_.current();
    if (!run.written.contains(key)) {
      run.events.push_back({.key = key, .is_write = true});
    }
    run.written[key] = std::move(value);
  }

 protected:
  /// Chooses a writer for a read without an own write before it.
  virtual Status read(const std::string& key) = 0;

  /// The writers of the key in this run, newest first, then the initial state.
  [[nodiscard]] std::vector<std::optional<std::size_t>> writers_of(const std::string& key) const {
    std::vector<std::optional<std::size_t>> writers;
    for (std::size_t place = store_.runs().size() - 1; place-- > 0;) {
      if (store_.runs()[place].written.contains(key)) {
        writers.emplace_back(place);
      }
    }
    writers.emplace_back();
    return writers;
  }

  Status read_first_allowed(const std::string& key,
                            const std::vector<std::optional<std::size_t>>& writers) {
    for (const std::optional<std::size_t> writer : writers) {
      ELAPID_ASSIGN_OR_RETURN(const bool is_read, store_.read_from(key, writer));
      if (is_read) {
        return {};
      }
    }
    return usage_error("the level allows no value of " + key);
  }

  ReplayStore& store_;
};

/// Reads from the predicted writers where possible.
class PredictedTxnView final : public StoreTxn {
 public:
  PredictedTxnView(const History& observed, const Observation& observation,
                   const Prediction& prediction, ReplayStore& store,
                   std::vector<std::string>& divergences)
      : StoreTxn(store),
        observed_(observed),
        observation_(observation),
        prediction_(prediction),
        divergences_(divergences) {}

 private:
  Status read(const std::string& key) override {
    ELAPID_ASSIGN_OR_RETURN(const bool is_read, read_as_predicted(key));
    return is_read ? Status() : read_first_allowed(key, writers_of(key));
  }

  void diverge(const std::string& how) { divergences_.push_back(how); }

  /// The next read of the observed transaction that no own write answers, as its place among the
  /// operations; nothing after the last one.
  std::optional<std::uint32_t> next_read(std::span<const Op> ops) {
    while (next_ < ops.size()) {
      const Op op = ops[next_++];
      if (op.is_write()) {
        own_.insert(op.key());
      } else if (!own_.contains(op.key())) {
        return next_ - 1;
      }
    }
    return std::nullopt;
  }

  /// Whether the read was given its predicted writer's value.
  Result<bool> read_as_predicted(const std::string& key) {
    const std::uint32_t number = store_.current().number;
    const std::vector<ObservedEvent>& events = observation_.txns[number].events;
    const std::span<const Op> ops = observed_.ops(observation_.txns[number].txn);
    const std::optional<std::uint32_t> op = next_read(ops);
    const auto event = op ? std::ranges::find(events, *op, &ObservedEvent::op) : events.end();
    const auto place = static_cast<std::size_t>(event - events.begin());
    if (event != events.end() && place >= prediction_.txns[number].events) {
      return false;  // behind a strict boundary: nothing is predicted
    }
    if (!op || key_name(observed_, ops[*op].key()) != key) {
      diverge("the client reads " + key + " where another read was observed, or none");
      return false;
    }
    if (event == events.end()) {
      return false;  // its result was not observed
    }
    const std::uint32_t predicted = prediction_.txns[number].writers[place];
    const std::optional<std::size_t> writer =
        predicted == kInitial ? std::nullopt : store_.place_of(predicted, key);
    if (predicted != kInitial && !writer) {
      diverge("the predicted writer did not write " + key);
      return false;
    }
    Result<bool> is_allowed = store_.read_from(key, writer);
    if (is_allowed && !is_allowed.value()) {
      diverge("the level forbids the predicted value of " + key);
    }
    return is_allowed;
  }

  const History& observed_;
  const Observation& observation_;
  const Prediction& prediction_;
  std::vector<std::string>& divergences_;
  std::uint32_t next_ = 0;  // of the observed operations
  std::set<KeyId> own_;     // keys that those before wrote
};

/// Reads from any writer that the level allows.
class RandomTxnView final : public StoreTxn {
 public:
  RandomTxnView(ReplayStore& store, std::mt19937_64& random) : StoreTxn(store), random_(random) {}

 private:
  Status read(const std::string& key) override {
    std::vector<std::optional<std::size_t>> writers = writers_of(key);
    for (std::size_t i = writers.size(); i > 1; --i) {
      std::swap(writers[i - 1], writers[random_() % i]);
    }
    return read_first_allowed(key, writers);
  }

  std::mt19937_64& random_;
};

/// The kept transactions, writers before their readers.
std::vector<std::uint32_t> run_order(const Observation& observation, const Prediction& prediction) {
  std::vector<std::uint32_t> order;
  std::vector<bool> has_run(prediction.txns.size(), false);
  has_run[kInitial] = true;
  for (bool is_any = true; is_any;) {
    is_any = false;
    for (std::uint32_t t = 1; t < prediction.txns.size(); ++t) {
      if (prediction.keeps(t) && !has_run[t] && has_run[observation.txns[t].before] &&
          std::ranges::all_of(prediction.txns[t].writers,
                              [&](std::uint32_t w) { return has_run[w]; })) {
        has_run[t] = true;
        order.push_back(t);
        is_any = true;
      }
    }
  }
  return order;
}

}  // namespace

std::size_t number_in_session(const History& history, TxnId txn) {
  const auto txns = history.session_txns(history.session(txn));
  return static_cast<std::size_t>(std::ranges::find(txns, txn) - txns.begin()) + 1;
}

std::string key_name(const History& history, KeyId key) {
  std::string name = history.key_text(key);
  if (name.starts_with(':')) {
    return name.substr(1);
  }
  return name.size() > 1 && name.front() == '"' ? name.substr(1, name.size() - 2) : name;
}

namespace {

/// The keys that the transactions of an observation read or write, each once, ascending.
std::vector<KeyId> observed_keys(const Observation& observation) {
  std::vector<KeyId> keys;
  for (const predict::ObservedTxn& txn : observation.txns) {
    for (const ObservedEvent& event : txn.events) {
      keys.push_back(event.key);
    }
  }
  std::ranges::sort(keys);
  const auto repeated = std::ranges::unique(keys);
  keys.erase(repeated.begin(), repeated.end());
  return keys;
}

/// Refuses lists, and an observation two keys of which have one name: a client cannot tell them
/// apart.
Status refuse_unfit(const History& history, const Observation& observation) {
  if (observation.has_lists) {
    return usage_error("the store of a client that runs again has no lists");
  }
  std::map<std::string, KeyId> keys;
  for (const KeyId key : observed_keys(observation)) {
    const auto [other, is_new] = keys.try_emplace(key_name(history, key), key);
    if (!is_new) {
      return usage_error("the keys " + history.key_text(other->second) + " and " +
                         history.key_text(key) + " have one name for a client: " + other->first);
    }
  }
  return {};
}

/// Runs one transaction. Returns nothing if it committed, else the reason why not.
Result<std::optional<std::string>> run_one(const History& observed, const Observation& observation,
                                           std::uint32_t number, Model level, ReplayStore& store,
                                           StoreTxn& view, ReplayClient& client) {
  const TxnId txn = observation.txns[number].txn;
  ELAPID_ASSIGN_OR_RETURN(const bool commits,
                          client.run(observed.session_text(observed.session(txn)),
                                     number_in_session(observed, txn), view));
  ELAPID_ASSIGN_OR_RETURN(const bool is_allowed, store.satisfies(level));
  if (commits && is_allowed) {
    return std::optional<std::string>();
  }
  store.drop_last();
  return std::optional<std::string>(commits ? "the level forbids a commit"
                                            : "the client aborts a transaction");
}

}  // namespace

Result<Replayed> replay_prediction(const History& observed, const Observation& observation,
                                   const Prediction& prediction, Model level, Model target,
                                   ReplayClient& client) {
  ELAPID_RETURN_IF_ERROR(refuse_unfit(observed, observation));
  Replayed replayed;
  ReplayStore store(observed, observation, level);
  for (const std::uint32_t number : run_order(observation, prediction)) {
    store.begin(number);
    PredictedTxnView view(observed, observation, prediction, store, replayed.divergences);
    ELAPID_ASSIGN_OR_RETURN(const auto why_not,
                            run_one(observed, observation, number, level, store, view, client));
    if (why_not) {
      replayed.divergences.push_back(*why_not);
    }
  }
  ELAPID_ASSIGN_OR_RETURN(const bool holds, store.satisfies(target));
  replayed.is_validated = !holds;
  return replayed;
}

Result<RandomRun> run_at_random(const History& observed, const Observation& observation,
                                Model level, Model target, std::uint64_t seed,
                                ReplayClient& client) {
  ELAPID_RETURN_IF_ERROR(refuse_unfit(observed, observation));
  std::mt19937_64 random(seed);
  std::vector<std::size_t> turns;  // a session each
  for (std::size_t s = 0; s < observation.sessions.size(); ++s) {
    turns.insert(turns.end(), observation.sessions[s].size(), s);
  }
  for (std::size_t i = turns.size(); i > 1; --i) {
    std::swap(turns[i - 1], turns[random() % i]);
  }
  ReplayStore store(observed, observation, level);
  std::vector<std::size_t> next(observation.sessions.size(), 0);
  for (const std::size_t session : turns) {
    const std::uint32_t number = observation.sessions[session][next[session]++];
    store.begin(number);
    RandomTxnView view(store, random);
    ELAPID_RETURN_IF_ERROR(run_one(observed, observation, number, level, store, view, client));
  }
  ELAPID_ASSIGN_OR_RETURN(const bool holds, store.satisfies(target));
  ELAPID_ASSIGN_OR_RETURN(History history, store.history());
  return RandomRun{.history = std::move(history), .satisfies_target = holds};
}

}  // namespace elapid
