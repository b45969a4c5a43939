#include "engine/certify/predictions/kept_sessions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "engine/certify/operations/participants.h"

namespace elapid::certify {

bool KeptTxn::writes(KeyId key) const {
  return std::ranges::any_of(
      events, [key](const KeptEvent& event) { return event.is_write && event.key == key; });
}

bool KeptSessions::in_session(std::uint32_t first, std::uint32_t second) const {
  for (std::uint32_t at = txns[second].before; at != kNoTxn; at = txns[at].before) {
    if (at == first) {
      return true;
    }
  }
  return false;
}

namespace {

/// The writes of each value, and whether a write is its transaction's last of the key.
class WritesOfValues {
 public:
  explicit WritesOfValues(const History& history) {
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      if (history.status(TxnId{t}) != TxnStatus::kAborted) {
        add(history, TxnId{t});
      }
    }
  }

  /// The transactions that wrote the value, each with whether that was its last write of the key.
  [[nodiscard]] std::map<TxnId, bool> of(KeyId key, ValueId value) const {
    const auto found = writes_.find({key, value.bits()});
    return found == writes_.end() ? std::map<TxnId, bool>() : found->second;
  }

 private:
  void add(const History& history, TxnId txn) {
    std::map<KeyId, ValueId> last;
    for (const Op op : history.ops(txn)) {
      if (op.is_write()) {
        writes_[{op.key(), op.value().bits()}][txn] = false;
        last.insert_or_assign(op.key(), op.value());
      }
    }
    for (const auto& [key, value] : last) {
      writes_[{key, value.bits()}][txn] = true;
    }
  }

  std::map<std::pair<KeyId, std::uint32_t>, std::map<TxnId, bool>> writes_;
};

class KeptSessionsSearch {
 public:
  KeptSessionsSearch(const History& history, KeptSessions& sessions)
      : history_(history), sessions_(sessions), writes_(history) {}

  Flaw find() {
    sessions_.has_lists = history_.has_lists();
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      const auto is_access = [](Op op) { return op.is_write() || op.is_read(); };
      if (!std::ranges::all_of(history_.ops(TxnId{t}), is_access)) {
        return "predictions are of reads and writes of registers, and of lists";
      }
      if (history_.committed(TxnId{t})) {
        kept_.push_back(TxnId{t});
      }
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (Flaw flaw = find_reads(kept_[i])) {
        return flaw;
      }
    }
    if (Flaw flaw = number_txns()) {
      return flaw;
    }
    sessions_.writers.resize(history_.key_count());
    for (std::uint32_t t = 0; t < sessions_.txns.size(); ++t) {
      add_events(t);
    }
    return {};
  }

 private:
  /// Finds the writers of the external reads of a transaction that is kept.
  Flaw find_reads(TxnId txn) {
    if (history_.has_lists()) {
      return find_lists(txn);
    }
    std::map<KeyId, ValueId> own;
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const Op op = ops[i];
      if (op.is_write()) {
        own.insert_or_assign(op.key(), op.value());
      } else if (is_answered(history_, txn, op)) {
        const std::optional<ValueId> value =
            history_.is_initial(op.value()) ? std::nullopt : std::optional(op.value());
        const auto written = own.find(op.key());
        if (written != own.end() && value != written->second) {
          return "a transaction does not read its own write";
        }
        if (written == own.end()) {
          if (Flaw flaw = find_writer(txn, i, value)) {
            return flaw;
          }
        }
      }
    }
    return {};
  }

  /// `value`: nothing if the read shows the initial state.
  Flaw find_writer(TxnId reader, std::uint32_t op, std::optional<ValueId> value) {
    const Op read = history_.ops(reader)[op];
    const std::map<TxnId, bool> writers = writes_.of(read.key(), value ? *value : read.value());
    if (!value && writers.empty()) {
      return {};
    }
    if (writers.size() != 1 || !writers.begin()->second || writers.begin()->first == reader) {
      return "the writer of a read is not certain, or a read shows no other transaction's last "
             "write";
    }
    const TxnId writer = writers.begin()->first;
    if (writer == history_.info().initial_txn) {
      return {};
    }
    if (!value) {
      return "a transaction wrote the initial value, so the writer of a read of it is not certain";
    }
    note_writer(reader, op, writer);
    return {};
  }

  void note_writer(TxnId reader, std::uint32_t op, TxnId writer) {
    if (read_from_.insert(writer).second && !history_.committed(writer)) {
      kept_.push_back(writer);
    }
    writers_of_[{reader, op}].push_back(writer);
  }

  /// Takes lists apart from their end: the reader's own elements, then those of one writer after
  /// the other.
  Flaw find_lists(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].is_write() || !is_answered(history_, txn, ops[i])) {
        continue;
      }
      std::span<const ValueId> list;  // nil is empty
      if (ops[i].kind() == OpKind::kReadList) {
        list = history_.elements(ops[i]);
      } else if (!ops[i].value().is_nil()) {
        return "the result of a list read is not a list";
      }
      if (!take_end(list, appends(ops.first(i), ops[i].key()))) {
        return "a transaction does not read its own write";
      }
      std::vector<TxnId> writers;
      while (!list.empty()) {
        const std::map<TxnId, bool> last = writes_.of(ops[i].key(), list.back());
        const bool is_fit =
            last.size() == 1 && last.begin()->first != txn &&
            std::ranges::find(writers, last.begin()->first) == writers.end() &&
            take_end(list, appends(history_.ops(last.begin()->first), ops[i].key()));
        if (!is_fit) {
          return "a list does not show all appends of other transactions, each once";
        }
        writers.push_back(last.begin()->first);
      }
      for (std::size_t n = writers.size(); n > 0; --n) {
        note_writer(txn, i, writers[n - 1]);
      }
    }
    return {};
  }

  static std::vector<ValueId> appends(std::span<const Op> ops, KeyId key) {
    std::vector<ValueId> elements;
    for (const Op op : ops) {
      if (op.is_write() && op.key() == key) {
        elements.push_back(op.value());
      }
    }
    return elements;
  }

  /// Shortens the list by this end; false if it has another one.
  static bool take_end(std::span<const ValueId>& list, const std::vector<ValueId>& end) {
    const bool has_end =
        list.size() >= end.size() && std::ranges::equal(list.last(end.size()), end);
    list = list.first(list.size() - (has_end ? end.size() : 0));
    return has_end;
  }

  /// Numbers the transactions that are kept. One of unknown fate is the last of its session, since
  /// it may take effect after what its session did next.
  Flaw number_txns() {
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::uint32_t before = kNoTxn;
      for (const TxnId txn : history_.session_txns(SessionId{s})) {
        const bool takes_part = history_.committed(txn) || read_from_.contains(txn);
        if (takes_part && txn != history_.info().initial_txn) {
          if (before != kNoTxn && !history_.committed(sessions_.txns[before].txn)) {
            return "a transaction follows one of its session whose outcome is unknown";
          }
          const auto number = static_cast<std::uint32_t>(sessions_.txns.size());
          sessions_.txns.push_back({.txn = txn, .before = before});
          numbers_.emplace(txn, number);
          before = number;
        }
      }
    }
    return {};
  }

  void add_events(std::uint32_t number) {
    KeptTxn& txn = sessions_.txns[number];
    const std::span<const Op> ops = history_.ops(txn.txn);
    std::set<KeyId> written;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const KeyId key = ops[i].key();
      const auto is_later_write = [key](Op op) { return op.is_write() && op.key() == key; };
      if (ops[i].is_write()) {
        written.insert(key);
        if (std::ranges::none_of(ops.subspan(i + 1), is_later_write)) {
          txn.events.push_back({.key = key, .is_write = true});
          sessions_.writers[key.index()].push_back(number);
        }
      } else if (is_answered(history_, txn.txn, ops[i]) &&
                 (history_.has_lists() || !written.contains(key))) {
        KeptEvent& read = txn.events.emplace_back(KeptEvent{.key = key});
        for (const TxnId writer : writers_of_[{txn.txn, i}]) {
          read.writer = numbers_.at(writer);
          read.list.push_back(read.writer);
        }
      }
    }
  }

  const History& history_;
  KeptSessions& sessions_;
  WritesOfValues writes_;
  std::vector<TxnId> kept_;  // committed, or of unknown fate and read from by one that is kept
  std::set<TxnId> read_from_;
  // By reader and its operation; of a register one.
  std::map<std::pair<TxnId, std::uint32_t>, std::vector<TxnId>> writers_of_;
  std::map<TxnId, std::uint32_t> numbers_;
};

}  // namespace

Flaw find_kept_sessions(const History& history, KeptSessions& sessions) {
  return KeptSessionsSearch(history, sessions).find();
}

}  // namespace elapid::certify
