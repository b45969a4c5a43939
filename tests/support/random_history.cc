#include "tests/support/random_history.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "harness/generate/random.h"

namespace elapid {

namespace {

using Values = std::vector<std::int64_t>;
/// By key: the elements of a list; of a register its value, or nothing.
using TinyStore = std::map<char, Values>;

/// How the simulated database isolates transactions.
enum class Isolation : std::uint8_t {
  kSerial,    ///< each runs alone, at some moment between its events
  kSnapshot,  ///< each reads from when it was invoked; the first to commit a key wins
  kPrefix,    ///< the same, but all win
  kNone,      ///< the operations of all open transactions mix, and nothing is undone
};

/// What becomes of a transaction.
enum class Fate : std::uint8_t {
  kCommitted,
  kAborted,
  kUnknownCommitted,
  kUnknownAborted,
  kUnknownLate,  ///< commits after its completion
};

/// Chances in percent.
struct Shape {
  Isolation isolation = Isolation::kSerial;
  std::size_t reads = 0;
  std::size_t aborted = 0;
  std::size_t unknown = 0;
  std::size_t unfinished = 0;  // of the unknown ones
  std::size_t terse = 0;       // completions without operations, of those not committed
  std::size_t repeated_value = 0;
  std::size_t damaged_read = 0;
  std::size_t stale = 0;       // snapshots from longer ago
  std::size_t few_values = 0;  // how many besides 0; none: as many as there are writes
  std::size_t same_key = 0;    // operations on the key of the one before
  std::size_t reshaped = 0;    // events that tell of other operations than those that ran
};

Shape random_shape(Random& random, Workload model, Variety variety) {
  const bool is_corner = variety == Variety::kCorners;
  const bool has_few_values = variety != Variety::kDistinct && model == Workload::kRwRegister &&
                              (!is_corner || random.percent(50));
  const std::size_t repeats = variety == Variety::kRepeating ? 40 : is_corner ? 25 : 12;
  const std::size_t mixed = has_few_values ? 10 : 25;
  return {.isolation =
              random.percent(mixed) ? Isolation::kNone : static_cast<Isolation>(random.below(3)),
          .reads = has_few_values ? 25 + random.below(3) * 15 : 50,
          .aborted = random.below(3) * 10,
          .unknown = random.below(3) * 15,
          .unfinished = 30,
          .terse = random.below(2) * 30,
          .repeated_value = random.percent(repeats) ? 20 + random.below(3) * 30 : 0,
          .damaged_read = random.below(4) * (has_few_values ? 30 : 8),
          .stale = random.below(3) * 30,
          .few_values = has_few_values ? 1 + random.below(3) : 0,
          .same_key = is_corner ? 30 + random.below(2) * 30 : 0,
          .reshaped = is_corner ? random.below(3) * 15 : 0};
}

/// What is left of the past: the store, and how often a key had been written.
struct Moment {
  TinyStore store;
  std::map<char, int> commits;
};

/// A transaction on its way.
struct Running {
  std::int64_t process = 0;
  Fate fate = Fate::kCommitted;
  std::vector<TinyMop> mops;  // those that ran, with the values read
  std::size_t ran = 0;
  Moment snapshot;
};

std::size_t transaction_count(Random& random, Variety variety) {
  switch (variety) {
    case Variety::kLarge:
      return 10 + random.below(31);
    case Variety::kRepeating:
      return 2 + random.below(6);
    case Variety::kCorners:
      return 2 + random.below(4);
    default:
      return 3 + random.below(5);
  }
}

class TinySimulation {
 public:
  TinySimulation(Workload model, std::uint64_t seed, Variety variety)
      : random_(seed),
        shape_(random_shape(random_, model, variety)),
        history_{.model = model, .events = {}},
        keys_(variety == Variety::kLarge     ? 2 + random_.below(5)
              : variety == Variety::kCorners ? 1 + random_.below(2)
                                             : 1 + random_.below(3)),
        processes_(1 + random_.below(4)),
        remaining_(transaction_count(random_, variety)) {}

  TinyHistory run() {
    while (remaining_ > 0 || !open_.empty()) {
      if (!late_.empty() && random_.percent(20)) {
        commit(late_.back());
        late_.pop_back();
      } else if (remaining_ > 0 && open_.size() < processes_ &&
                 (open_.empty() || random_.percent(40))) {
        --remaining_;
        invoke();
      } else if (!open_.empty()) {
        step(random_.below(open_.size()));
      }
    }
    for (TinyEvent& event : history_.events) {
      damage(event);
    }
    return std::move(history_);
  }

 private:
  [[nodiscard]] bool has_lists() const { return history_.model == Workload::kListAppend; }

  TinyMop random_mop(std::optional<char> key_before) {
    const bool is_same = key_before && shape_.same_key > 0 && random_.percent(shape_.same_key);
    const char key =
        is_same ? *key_before : static_cast<char>((keys_ > 3 ? 'a' : 'x') + random_.below(keys_));
    if (random_.percent(shape_.reads)) {
      return {OpKind::kRead, key, {}};
    }
    std::int64_t& last = last_value_[key];
    if (shape_.few_values > 0) {
      last = static_cast<std::int64_t>(shape_.few_values);
      return {OpKind::kWrite, key, {any_of_few_values()}};
    }
    const bool is_new = last == 0 || !random_.percent(shape_.repeated_value);
    const std::int64_t value =
        is_new ? ++last
               : 1 + static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(last)));
    return {has_lists() ? OpKind::kAppend : OpKind::kWrite, key, {value}};
  }

  std::int64_t any_of_few_values() {
    return static_cast<std::int64_t>(random_.below(shape_.few_values + 1));
  }

  Fate random_fate() {
    if (random_.percent(shape_.aborted)) {
      return Fate::kAborted;
    }
    if (!random_.percent(shape_.unknown)) {
      return Fate::kCommitted;
    }
    return static_cast<Fate>(2 + random_.below(3));
  }

  std::int64_t take_process() {
    if (idle_.empty()) {
      return next_process_++;
    }
    const std::size_t at = random_.below(idle_.size());
    std::swap(idle_[at], idle_.back());
    const std::int64_t process = idle_.back();
    idle_.pop_back();
    return process;
  }

  void invoke() {
    Running txn{.process = take_process(),
                .fate = random_fate(),
                .mops = {},
                .ran = 0,
                .snapshot = is_stale() ? random_.pick(past_) : now_};
    for (std::size_t mops = 1 + random_.below(3); mops > 0; --mops) {
      txn.mops.push_back(
          random_mop(txn.mops.empty() ? std::nullopt : std::optional(txn.mops.back().key)));
    }
    history_.events.push_back({EventType::kInvoke, txn.process, txn.mops});
    reshape(history_.events.back().mops);
    open_.push_back(std::move(txn));
  }

  /// Runs something of an open transaction, or completes it.
  void step(std::size_t at) {
    Running& txn = open_[at];
    if (txn.fate == Fate::kUnknownLate) {
      late_.push_back(txn);
    } else if (txn.ran < txn.mops.size()) {
      commit(txn);
      return;
    }
    complete(txn);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void commit(Running& txn) {
    switch (shape_.isolation) {
      case Isolation::kNone:
        run_mop(txn.mops[txn.ran++], now_.store);
        return;
      case Isolation::kSerial:
        txn.snapshot = only_reads(txn) && is_stale() ? random_.pick(past_) : now_;
        break;
      case Isolation::kSnapshot:
        if (is_overtaken(txn) && txn.fate == Fate::kCommitted) {
          txn.fate = Fate::kAborted;
        }
        break;
      case Isolation::kPrefix:
        break;
    }
    const bool has_effect =
        txn.fate != Fate::kAborted && txn.fate != Fate::kUnknownAborted && !is_overtaken(txn);
    for (TinyMop& mop : txn.mops) {
      run_mop(mop, txn.snapshot.store);
      if (!mop.is_read() && has_effect) {
        ++now_.commits[mop.key];
        run_mop(mop, now_.store);
      }
    }
    past_.push_back(now_);
    txn.ran = txn.mops.size();
  }

  [[nodiscard]] bool is_stale() { return !past_.empty() && random_.percent(shape_.stale); }

  [[nodiscard]] static bool only_reads(const Running& txn) {
    return std::all_of(txn.mops.begin(), txn.mops.end(),
                       [](const TinyMop& mop) { return mop.is_read(); });
  }

  /// Whether another transaction has written a key that this one writes.
  [[nodiscard]] bool is_overtaken(const Running& txn) {
    return shape_.isolation == Isolation::kSnapshot &&
           std::any_of(txn.mops.begin(), txn.mops.end(), [&](const TinyMop& mop) {
             const auto then = txn.snapshot.commits.find(mop.key);
             return !mop.is_read() &&
                    now_.commits[mop.key] > (then == txn.snapshot.commits.end() ? 0 : then->second);
           });
  }

  void run_mop(TinyMop& mop, TinyStore& store) {
    Values& value = store[mop.key];
    if (mop.kind == OpKind::kAppend) {
      value.push_back(mop.values.front());
    } else if (mop.kind == OpKind::kWrite) {
      value = mop.values;
    } else {
      const bool as_list = has_lists() && (!value.empty() || random_.percent(70));
      mop = {as_list ? OpKind::kReadList : OpKind::kRead, mop.key, value};
    }
  }

  void complete(const Running& txn) {
    const bool is_known = txn.fate == Fate::kCommitted || txn.fate == Fate::kAborted;
    if (!is_known && random_.percent(shape_.unfinished)) {
      return;  // the process is never heard of again
    }
    if (is_known || random_.percent(50)) {
      idle_.push_back(txn.process);
    }
    const EventType type = txn.fate == Fate::kCommitted ? EventType::kOk
                           : txn.fate == Fate::kAborted ? EventType::kFail
                                                        : EventType::kInfo;
    const bool tells_reads = type == EventType::kOk || random_.percent(25);
    TinyEvent event{type, txn.process, tells_reads ? txn.mops : as_invoked(txn.mops)};
    if (type != EventType::kOk && random_.percent(shape_.terse)) {
      event.mops.clear();
    }
    reshape(event.mops);
    history_.events.push_back(std::move(event));
  }

  /// Makes an event tell of something else than what ran.
  void reshape(std::vector<TinyMop>& mops) {
    if (shape_.reshaped == 0 || mops.empty() || !random_.percent(shape_.reshaped)) {
      return;
    }
    TinyMop& mop = mops[random_.below(mops.size())];
    switch (random_.below(5)) {
      case 0:
        mops.clear();
        break;
      case 1:
        mops.erase(mops.begin() + (&mop - mops.data()));
        break;
      case 2:
        mops.push_back(as_invoked({mop}).front());
        break;
      case 3:
        mop.key = static_cast<char>('x' + random_.below(keys_));
        break;
      default:
        if (!mop.is_read()) {
          mop.values.front() = 1 + static_cast<std::int64_t>(random_.below(4));
        }
    }
  }

  void damage(TinyEvent& event) {
    for (auto mop = event.mops.begin(); mop != event.mops.end(); ++mop) {
      const bool is_obvious = std::any_of(
          event.mops.begin(), mop, [&](const TinyMop& earlier) { return earlier.key == mop->key; });
      const std::size_t chance = is_obvious ? shape_.damaged_read / 8 : shape_.damaged_read;
      if (mop->is_read() && event.type != EventType::kInvoke && random_.percent(chance)) {
        *mop = has_lists() ? damaged_list(*mop) : damaged_value(*mop);
      }
    }
  }

  /// Values that some transaction means to write.
  [[nodiscard]] std::vector<std::int64_t> written_to(char key) const {
    std::vector<std::int64_t> values;
    for (const TinyEvent& event : history_.events) {
      for (const TinyMop& mop : event.mops) {
        if (mop.kind == OpKind::kWrite && mop.key == key) {
          values.push_back(mop.values.front());
        }
      }
    }
    return values;
  }

  TinyMop damaged_list(TinyMop mop) {
    const auto any_value = static_cast<std::size_t>(last_value_[mop.key]) + 1;
    mop.kind = OpKind::kReadList;
    switch (random_.below(4)) {
      case 0:
        random_.shuffle(mop.values);
        break;
      case 1:
        mop.values.resize(random_.below(mop.values.size() + 1));
        break;
      case 2:
        mop.values.push_back(1 + static_cast<std::int64_t>(random_.below(any_value)));
        break;
      default:
        mop.values.clear();
        for (std::int64_t value = 1; value <= last_value_[mop.key]; ++value) {
          mop.values.push_back(value);
        }
        random_.shuffle(mop.values);
        mop.values.resize(random_.below(mop.values.size() + 1));
    }
    return mop;
  }

  TinyMop damaged_value(TinyMop mop) {
    const std::vector<std::int64_t> written = written_to(mop.key);
    if (shape_.few_values > 0 && !written.empty() && !random_.percent(2)) {
      mop.values.assign(1, random_.pick(written));
      return mop;
    }
    const auto value = random_.below(static_cast<std::size_t>(last_value_[mop.key]) + 2);
    mop.values.assign(value == 0 ? 0 : 1, static_cast<std::int64_t>(value));
    return mop;
  }

  Random random_;
  Shape shape_;
  TinyHistory history_;
  std::size_t keys_;
  std::size_t processes_;  // at most so many transactions at a time
  std::size_t remaining_;  // transactions not invoked yet
  std::vector<std::int64_t> idle_;
  std::int64_t next_process_ = 0;
  std::vector<Running> open_;
  std::vector<Running> late_;  // completed, but not yet run
  Moment now_;
  std::vector<Moment> past_;
  std::map<char, std::int64_t> last_value_;
};

}  // namespace

TinyHistory random_history(Workload model, std::uint64_t seed, Variety variety) {
  return TinySimulation(model, seed, variety).run();
}

}  // namespace elapid
