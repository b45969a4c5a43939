#include "engine/check/realtime_order.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/infer/write_index.h"
#include "engine/ir/share_work.h"

namespace elapid {

namespace {

/// What a key holds: the value of a register, or the length of a list.
using KeyContent = std::uint32_t;

constexpr std::uint32_t kNowhere = 0xffffffffU;

/// The most operations looked at, for each operation. Runs of 10 to 50 sessions need 1 to 14.
constexpr std::uint64_t kStepsEach = 32;

/// The steps between two calls of `keep_going`.
constexpr std::uint64_t kStepsUnasked = 65536;

/// The most places that are taken back. Clients that overlap are near one another.
constexpr std::size_t kFarthest = 4096;

/// A value of a key, its writer, and the events by which it must have been there.
struct PlacedVersion {
  ValueId value = ValueId::none();
  TxnId writer;
  EventId first_completion;    // of its writer and its readers
  std::uint32_t last_use = 0;  // the last invocation of its writer and its readers
};

/// The versions of all keys in open-addressed tables side by side. O(1) a look-up. WorkThreads
/// share the making.
class PlacedVersions {
 public:
  explicit PlacedVersions(const History& history) : history_(history) {
    make_room();
    const IndexRange all = {0, static_cast<std::uint32_t>(history.txn_count())};
    // Each part has keys of its own.
    const std::size_t parts = parts_of_work(history.txn_count());
    std::vector<char> are_distinct(parts, 1);
    share_work(parts, [&](std::size_t part) {
      each_op(all, &Op::is_write, [&](TxnId txn, Op op) {
        if (op.key().index() % parts == part && !add(txn, op)) {
          are_distinct[part] = 0;
        }
      });
      if (are_distinct[part] != 0 && !history.has_lists()) {
        each_op(all, &Op::is_read, [&](TxnId txn, Op op) {
          PlacedVersion* const version =
              op.key().index() % parts == part ? find(op.key(), op.value()) : nullptr;
          if (version != nullptr) {
            use(txn, *version);
          }
        });
      }
    });
    is_distinct_ = std::ranges::all_of(are_distinct, std::identity());
  }

  /// Whether every value has one writer, and none is the initial one.
  [[nodiscard]] bool is_distinct() const { return is_distinct_; }

  [[nodiscard]] PlacedVersion* find(KeyId key, ValueId value) {
    PlacedVersion* const slot =
        begin_[key.index()] == begin_[key.index() + 1] ? nullptr : &slot_of(key, value);
    return slot == nullptr || slot->value.is_none() ? nullptr : slot;
  }

 private:
  void make_room() {
    const std::vector<IndexRange> ranges = ranges_of_work(history_.txn_count());
    std::vector<std::vector<std::uint32_t>> writes(ranges.size());
    share_work(ranges.size(), [&](std::size_t i) {
      writes[i].assign(history_.key_count(), 0);
      each_op(ranges[i], &Op::is_write, [&](TxnId, Op op) { ++writes[i][op.key().index()]; });
    });
    begin_.assign(1, 0);
    begin_.reserve(history_.key_count() + 1);
    for (std::size_t key = 0; key < history_.key_count(); ++key) {
      std::size_t n = 0;
      for (const std::vector<std::uint32_t>& of_range : writes) {
        n += of_range[key];
      }
      begin_.push_back(begin_.back() + slots_for(n));
    }
    slots_.resize(begin_.back());
  }

  template <class Visit>
  void each_op(IndexRange txns, bool (Op::*is_wanted)() const, Visit visit) const {
    for (TxnId txn{txns.begin}; txn.value < txns.end; ++txn.value) {
      if (history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      for (const Op op : history_.ops(txn)) {
        if ((op.*is_wanted)()) {
          visit(txn, op);
        }
      }
    }
  }

  /// False if the value has another writer, or is the initial one.
  bool add(TxnId txn, Op op) {
    PlacedVersion& version = slot_of(op.key(), op.value());
    const bool is_new = version.value.is_none() && !history_.is_initial(op.value());
    version.value = op.value();
    version.writer = txn;
    use(txn, version);
    return is_new;
  }

  void use(TxnId txn, PlacedVersion& version) const {
    if (history_.committed(txn)) {
      version.first_completion = std::min(version.first_completion, history_.completion_id(txn));
    }
    if (history_.has_invocation(txn)) {
      version.last_use = std::max(version.last_use, history_.invocation_id(txn).value);
    }
  }

  [[nodiscard]] PlacedVersion& slot_of(KeyId key, ValueId value) {
    const std::size_t begin = begin_[key.index()];
    const std::size_t end = begin_[key.index() + 1];
    std::size_t at = begin + place_of_value(value, end - begin);
    while (!slots_[at].value.is_none() && slots_[at].value != value) {
      at = at + 1 == end ? begin : at + 1;
    }
    return slots_[at];
  }

  const History& history_;
  std::vector<std::size_t> begin_;  // one more than keys; some slot of each table is free
  std::vector<PlacedVersion> slots_;
  bool is_distinct_ = true;
};

class RealtimeOrder {
 public:
  RealtimeOrder(const History& history, const std::function<bool()>& keep_going)
      : history_(history), keep_going_(keep_going), versions_(history) {}

  std::optional<Witness> run() {
    if (!versions_.is_distinct() || !index_invocations() || !goes_on()) {
      return std::nullopt;
    }
    keys_.assign(history_.key_count(), {history_.has_lists() ? 0 : ValueId::nil().bits()});
    state_.assign(history_.txn_count(), State::kOpen);
    first_op_.assign(history_.txn_count(), kNowhere);
    places_.assign(history_.txn_count(), kNowhere);
    witness_.order.reserve(history_.txn_count());
    for (next_ = TxnId{0}; next_.index() < history_.txn_count();) {
      const TxnId txn = next_;
      ++next_.value;
      if (!history_.committed(txn) || state_[txn.index()] == State::kPlaced) {
        continue;
      }
      for (; opened_ < history_.completion_id(txn).value; ++opened_) {
        if (!invoked_[opened_].is_none()) {
          open(invoked_[opened_]);
        }
      }
      if (!place(txn)) {
        return std::nullopt;
      }
    }
    return keeps_sessions() ? std::optional(std::move(witness_)) : std::nullopt;
  }

 private:
  enum class State : std::uint8_t { kOpen, kWaits, kPlaced };

  /// An operation of a transaction that has been invoked and has no place yet.
  struct OpenOp {
    TxnId txn;
    Op op;
    EventId first_completion = EventId::none();  // of the version written
    std::uint32_t next = kNowhere;               // of the key
    std::uint32_t previous = kNowhere;           // of the key
    std::uint32_t next_of_txn = kNowhere;
  };

  struct Key {
    KeyContent content = 0;
    std::uint32_t first_open = kNowhere;     // in open_
    std::uint32_t last_replaced = kNowhere;  // in replaced_
    std::uint32_t round = 0;                 // in which it was met last
    std::uint32_t write_round = 0;
  };

  /// A transaction that must get its place first. The demand would not exist if the transaction
  /// that demands it had come before the rival.
  struct Demand {
    TxnId txn = TxnId::none();
    TxnId rival = TxnId::none();
    KeyId key = KeyId::none();  // whose content was replaced
    KeyContent content = 0;
    std::uint32_t choice = kNowhere;
  };

  /// One transaction waits for the next one.
  struct Wait {
    TxnId txn;
    TxnId rival = TxnId::none();      // see Demand
    std::uint32_t choice = kNowhere;  // why it waits, in choices_
  };

  struct Order {
    TxnId first;
    TxnId second;
  };

  /// A choice among several orders. Each keeps some transactions from waiting for one another in a
  /// cycle.
  struct OrderChoice {
    Order chosen;
    std::vector<Order> untried = {};
    std::set<std::uint32_t> because_of = {};  // earlier choices
  };

  /// What a write replaced.
  struct Replaced {
    KeyId key;
    KeyContent content = 0;
    std::uint32_t previous = kNowhere;  // of the key, in replaced_
  };

  /// Whether completed transactions are numbered as they completed, and were invoked.
  bool index_invocations() {
    EventId last{0};
    std::uint32_t size = 0;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (!history_.committed(txn)) {
        continue;
      }
      const EventId completion = history_.completion_id(txn);
      if (completion < last || !history_.has_invocation(txn)) {
        return false;
      }
      last = completion;
      size = std::max(size, completion.value + 1);
    }
    invoked_.assign(size, TxnId::none());
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const EventId invocation = history_.invocation_id(txn);
      if (history_.status(txn) != TxnStatus::kAborted && invocation.value < size) {
        invoked_[invocation.index()] = txn;
      }
    }
    return true;
  }

  /// Notes the operations that see others or affect them. For lists, reads show the order.
  void open(TxnId txn) {
    ++round_;
    for (const Op op : history_.ops(txn)) {
      const bool is_first = meet(keys_[op.key().index()]);
      if (op.is_read() && is_first && history_.committed(txn)) {
        note({txn, op});
      } else if (op.is_write() && !history_.has_lists()) {
        const EventId completion = versions_.find(op.key(), op.value())->first_completion;
        if (!completion.is_none()) {
          note({txn, op, completion});
        }
      }
    }
  }

  void note(OpenOp op) {
    std::uint32_t at = static_cast<std::uint32_t>(open_.size());
    if (free_.empty()) {
      open_.emplace_back();
    } else {
      at = free_.back();
      free_.pop_back();
    }
    op.next = std::exchange(keys_[op.op.key().index()].first_open, at);
    op.next_of_txn = std::exchange(first_op_[op.txn.index()], at);
    if (op.next != kNowhere) {
      open_[op.next].previous = at;
    }
    open_[at] = op;
  }

  void close(TxnId txn) {
    std::uint32_t& first = first_op_[txn.index()];
    while (first != kNowhere) {
      const OpenOp& op = open_[first];
      (op.previous == kNowhere ? keys_[op.op.key().index()].first_open : open_[op.previous].next) =
          op.next;
      if (op.next != kNowhere) {
        open_[op.next].previous = op.previous;
      }
      free_.push_back(first);
      first = op.next_of_txn;
    }
  }

  [[nodiscard]] bool meet(Key& key) const {
    const bool is_first = key.round != round_;
    key.round = round_;
    return is_first;
  }

  /// Whether it is known what the read saw.
  [[nodiscard]] bool is_known(TxnId txn, Op read) const {
    return history_.committed(txn) || read.kind() == OpKind::kReadList || !read.value().is_nil();
  }

  /// The content of the key when it was read. kNowhere, which no key ever holds, if the list is no
  /// prefix of the trunk.
  [[nodiscard]] KeyContent shown(Op read) const {
    if (read.kind() == OpKind::kReadList) {
      return read.list().is_prefix() ? read.list().length() : kNowhere;
    }
    const bool is_initial = history_.is_initial(read.value());
    return history_.has_lists() ? (is_initial ? 0 : kNowhere)
           : is_initial         ? ValueId::nil().bits()
                                : read.value().bits();
  }

  /// Gives the transaction its place, after the transactions that it demands. Or takes others back
  /// to change their order. False if there is nothing else to try.
  bool place(TxnId root) {
    const EventId limit = history_.completion_id(root);
    path_.assign(1, {root});
    state_[root.index()] = State::kWaits;
    while (!path_.empty()) {
      const TxnId txn = path_.back().txn;
      const std::optional<Demand> demand = next_demand(txn);
      if (!goes_on()) {
        return false;
      }
      if (!demand) {
        if (!carry_out(txn)) {
          return false;
        }
        path_.pop_back();
        continue;
      }
      path_.back().rival = demand->rival;
      path_.back().choice = demand->choice;
      if (demand->txn.is_none() || state_[demand->txn.index()] != State::kOpen ||
          !(history_.invocation_id(demand->txn) < limit)) {
        return untangle(*demand);
      }
      path_.push_back({demand->txn});
      state_[demand->txn.index()] = State::kWaits;
    }
    return true;
  }

  [[nodiscard]] bool is_too_dear() const { return steps_ > kStepsEach * history_.op_count(); }

  /// Whether steps are left, and the caller agrees.
  bool goes_on() {
    if (steps_ >= asked_at_) {
      asked_at_ = steps_ + kStepsUnasked;
      is_stopped_ = is_stopped_ || (keep_going_ && !keep_going_());
    }
    return !is_stopped_ && !is_too_dear();
  }

  /// Nothing if the transaction may get its place, or no steps are left.
  std::optional<Demand> next_demand(TxnId txn) {
    ++round_;
    if (const auto learned = earlier_.empty() ? earlier_.end() : earlier_.find(txn.value);
        learned != earlier_.end()) {
      for (const std::uint32_t choice : learned->second) {
        ++steps_;
        const TxnId earlier = choices_[choice].chosen.first;
        if (state_[earlier.index()] != State::kPlaced) {
          return Demand{.txn = earlier, .choice = choice};
        }
      }
    }
    for (const Op op : history_.ops(txn)) {
      ++steps_;
      Key& key = keys_[op.key().index()];
      const bool is_first = meet(key);
      std::optional<Demand> demand;
      if (op.is_write()) {
        demand = demand_of_write(txn, op, key);
      } else if (is_first && is_known(txn, op) && shown(op) != key.content) {
        demand = demand_of_read(op, key);
      }
      if (demand || is_too_dear()) {
        return demand;
      }
    }
    return std::nullopt;
  }

  /// The writer of the value that the key should hold, or of the next element of the list.
  [[nodiscard]] Demand demand_of_read(Op read, const Key& key) {
    if (!history_.has_lists()) {
      Demand demand = demand_of_writer(read.key(), read.value());
      demand.content = shown(read);
      return demand;
    }
    const KeyContent length = shown(read);
    return length == kNowhere || length < key.content
               ? Demand()
               : demand_of_writer(read.key(), history_.trunk(read.key())[key.content]);
  }

  [[nodiscard]] Demand demand_of_writer(KeyId key, ValueId value) {
    const PlacedVersion* const version = versions_.find(key, value);
    return {.txn = version == nullptr ? TxnId::none() : version->writer, .key = key};
  }

  [[nodiscard]] std::optional<Demand> demand_of_write(TxnId txn, Op write, Key& key) {
    const bool is_first = key.write_round != round_;
    key.write_round = round_;
    std::uint32_t last_use = 0;
    if (history_.has_lists()) {
      const std::span<const ValueId> trunk = history_.trunk(write.key());
      if (is_first && key.content < trunk.size() && trunk[key.content] != write.value()) {
        return demand_of_writer(write.key(), trunk[key.content]);
      }
    } else {
      last_use = versions_.find(write.key(), write.value())->last_use;
    }
    for (std::uint32_t at = key.first_open; at != kNowhere; at = open_[at].next) {
      ++steps_;
      const OpenOp& other = open_[at];
      if (other.txn == txn) {
        continue;
      }
      if (other.op.is_write() && other.first_completion.value < last_use) {
        return Demand{other.txn};
      }
      if (other.op.is_read() && shown(other.op) == key.content) {
        return Demand{other.txn, writer_of(write.key(), key.content)};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] TxnId writer_of(KeyId key, KeyContent content) {
    const PlacedVersion* const version =
        history_.has_lists() ? nullptr : versions_.find(key, ValueId::from_bits(content));
    return version == nullptr ? TxnId::none() : version->writer;
  }

  /// The last of the waiting transactions demands one that cannot come first. One of the waiting
  /// ones is put before a rival, if the rival can still be taken back. All that came since then is
  /// taken back.
  bool untangle(const Demand& demand) {
    auto from = std::ranges::find(path_, demand.txn, &Wait::txn);
    if (from == path_.end()) {
      from = path_.begin();
    }
    OrderChoice choice;
    for (; from != path_.end(); ++from) {
      if (from->choice != kNowhere) {
        choice.because_of.insert(from->choice);
      }
      if (!from->rival.is_none() && is_near(from->rival)) {
        choice.untried.push_back({from->txn, from->rival});
      }
    }
    const bool is_replaced = demand.txn.is_none() || is_placed(demand.txn);
    if (is_replaced && !demand.key.is_none() && !history_.has_lists()) {
      const TxnId replacer = replacer_of(demand.key, demand.content);
      if (!replacer.is_none()) {
        choice.untried.push_back({path_.back().txn, replacer});
        if (!demand.txn.is_none() && is_near(demand.txn)) {
          choice.untried.push_back({replacer, demand.txn});
        }
      }
    }
    std::ranges::sort(choice.untried, {}, [this](Order order) {
      return std::pair(places_[order.second.index()], order.first);
    });
    for (const Wait& wait : path_) {
      reopen(wait.txn);
    }
    path_.clear();
    return choose(std::move(choice));
  }

  /// Takes one of the untried orders. If none is left, revises the latest choice that led here
  /// (Prosser 1993: conflict-directed backjumping).
  bool choose(OrderChoice choice) {
    for (;;) {
      while (!choice.untried.empty()) {
        const Order order = choice.untried.back();
        choice.untried.pop_back();
        std::vector<std::uint32_t>& known = earlier_[order.second.value];
        steps_ += known.size();
        const auto same = std::ranges::find_if(
            known, [&](std::uint32_t c) { return choices_[c].chosen.first == order.first; });
        if (same != known.end()) {
          choice.because_of.insert(*same);
          continue;
        }
        known.push_back(static_cast<std::uint32_t>(choices_.size()));
        choice.chosen = order;
        choices_.push_back(std::move(choice));
        const bool is_so =
            is_placed(order.first) && places_[order.first.index()] < places_[order.second.index()];
        if (is_placed(order.second) && !is_so) {
          take_back(places_[order.second.index()]);
        }
        return true;
      }
      if (choice.because_of.empty()) {
        return false;
      }
      const std::uint32_t latest = *choice.because_of.rbegin();
      choice.because_of.erase(latest);
      while (choices_.size() > latest + std::size_t{1}) {
        forget_choice();
      }
      OrderChoice revised = forget_choice();
      steps_ += revised.because_of.size();
      choice.untried = std::move(revised.untried);
      choice.because_of.merge(revised.because_of);
    }
  }

  OrderChoice forget_choice() {
    OrderChoice choice = std::move(choices_.back());
    choices_.pop_back();
    earlier_[choice.chosen.second.value].pop_back();
    return choice;
  }

  /// Whether the transaction has its place and may be taken back.
  [[nodiscard]] bool is_near(TxnId txn) const {
    return is_placed(txn) && places_[txn.index()] + kFarthest >= witness_.order.size();
  }

  [[nodiscard]] bool is_placed(TxnId txn) const { return state_[txn.index()] == State::kPlaced; }

  void reopen(TxnId txn) {
    state_[txn.index()] = State::kOpen;
    if (history_.committed(txn)) {
      next_ = std::min(next_, txn);
    }
  }

  /// The writer of the next content of the key, if it can still be taken back.
  [[nodiscard]] TxnId replacer_of(KeyId key, KeyContent content) {
    TxnId replacer = writer_of(key, keys_[key.index()].content);
    std::uint32_t at = keys_[key.index()].last_replaced;
    while (at != kNowhere && is_near(replacer) && replaced_[at].content != content) {
      ++steps_;
      replacer = writer_of(key, replaced_[at].content);
      at = replaced_[at].previous;
    }
    return at != kNowhere && is_near(replacer) ? replacer : TxnId::none();
  }

  /// Takes back all transactions from this place on.
  void take_back(std::uint32_t place) {
    while (witness_.order.size() > place) {
      const TxnId txn = witness_.order.back().txn;
      witness_.order.pop_back();
      for (const Op op : history_.ops(txn)) {
        ++steps_;
        if (op.is_write()) {
          Key& key = keys_[replaced_.back().key.index()];
          key.content = replaced_.back().content;
          key.last_replaced = replaced_.back().previous;
          replaced_.pop_back();
        }
      }
      reopen(txn);
      open(txn);
    }
  }

  /// Whether all its reads are served.
  bool carry_out(TxnId txn) {
    for (const Op op : history_.ops(txn)) {
      Key& key = keys_[op.key().index()];
      if (op.is_write()) {
        replaced_.push_back({op.key(), key.content, key.last_replaced});
        key.last_replaced = static_cast<std::uint32_t>(replaced_.size() - 1);
        if (history_.has_lists()) {
          const std::span<const ValueId> trunk = history_.trunk(op.key());
          if (key.content < trunk.size() && trunk[key.content] != op.value()) {
            return false;
          }
          ++key.content;
        } else {
          key.content = op.value().bits();
        }
      } else if (is_known(txn, op) && shown(op) != key.content) {
        return false;
      }
    }
    close(txn);
    state_[txn.index()] = State::kPlaced;
    places_[txn.index()] = static_cast<std::uint32_t>(witness_.order.size());
    witness_.order.push_back({txn, true});
    return true;
  }

  /// Real time implies this if sessions do one thing at a time.
  [[nodiscard]] bool keeps_sessions() const {
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      std::uint32_t last = 0;
      for (const TxnId txn : history_.session_txns(session)) {
        if (state_[txn.index()] == State::kPlaced && places_[txn.index()] < last) {
          return false;
        }
        last = history_.committed(txn) ? places_[txn.index()] : last;
      }
    }
    return true;
  }

  const History& history_;
  const std::function<bool()>& keep_going_;
  PlacedVersions versions_;
  std::vector<TxnId> invoked_;         // by event
  std::vector<State> state_;           // by transaction
  std::vector<std::uint32_t> places_;  // of those that have one, in the order
  std::vector<Key> keys_;
  std::vector<OpenOp> open_;             // lists of keys, and free ones
  std::vector<std::uint32_t> first_op_;  // by transaction, in open_
  std::vector<std::uint32_t> free_;
  std::vector<Replaced> replaced_;
  std::vector<Wait> path_;
  std::vector<OrderChoice> choices_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> earlier_;  // choices, by the second
  TxnId next_;                                                             // to get its place
  std::uint32_t opened_ = 0;                                               // so many events
  std::uint32_t round_ = 0;
  std::uint64_t steps_ = 0;     // operations looked at
  std::uint64_t asked_at_ = 0;  // the step at which it is asked again
  bool is_stopped_ = false;
  Witness witness_;
};

}  // namespace

std::optional<Witness> order_in_real_time(const History& history,
                                          const std::function<bool()>& keep_going) {
  return RealtimeOrder(history, keep_going).run();
}

}  // namespace elapid
