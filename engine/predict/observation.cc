#include "engine/predict/observation.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace elapid::predict {

bool ObservedTxn::writes(KeyId key, std::size_t count) const {
  return std::any_of(
      events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count),
      [key](const ObservedEvent& event) { return event.is_write && event.key == key; });
}

std::vector<ValueId> written(const History& history, TxnId txn, KeyId key) {
  std::vector<ValueId> values;
  for (const Op op : history.ops(txn)) {
    if (op.is_write() && op.key() == key) {
      values.push_back(op.value());
    }
  }
  return values;
}

ValueId initial_value(const History& history, KeyId key) {
  const HistoryInfo& info = history.info();
  if (info.initial_txn.is_none()) {
    return info.initial;
  }
  const std::vector<ValueId> values = written(history, info.initial_txn, key);
  return values.empty() ? ValueId::nil() : values.back();
}

std::string place(const History& history, TxnId txn) {
  return "transaction " + std::to_string(history.representative(txn).index) + " of session " +
         history.session_text(history.session(txn));
}

namespace {

class Observer {
 public:
  explicit Observer(const History& history) : history_(history) {}

  Result<Observation> observe() {
    result_.has_lists = history_.has_lists();
    ELAPID_RETURN_IF_ERROR(note_writes());
    if (!history_.workload().has_levels()) {
      return usage_error(
          "predictions cover only transactions on registers and on lists; the workload is " +
          std::string(history_.workload().name()));
    }
    take_in();
    ELAPID_RETURN_IF_ERROR(number_txns());
    for (std::uint32_t number = 1; number < result_.txns.size(); ++number) {
      ELAPID_RETURN_IF_ERROR(add_events(number));
    }
    return std::move(result_);
  }

 private:
  struct Write {
    TxnId txn = {};
    bool is_last = true;  // of its key in its transaction
    bool is_unique = true;
  };

  [[nodiscard]] std::string place(TxnId txn) const { return predict::place(history_, txn); }

  /// Notes the writer of each value.
  Status note_writes() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      const TxnId txn{t};
      std::map<KeyId, std::uint64_t> last;
      for (const Op op : history_.ops(txn)) {
        if (op.kind() == OpKind::kOther || op.kind() == OpKind::kRow) {
          return usage_error("predictions cover only reads and writes of registers and of lists; " +
                             place(txn) + " does something else");
        }
        if (op.is_write() && history_.status(txn) != TxnStatus::kAborted) {
          const auto [write, is_new] =
              writes_.try_emplace(packed(op.key(), op.value()), Write{txn});
          const bool is_same = write->second.txn == txn && op.kind() == OpKind::kWrite;
          write->second.is_unique = write->second.is_unique && (is_new || is_same);
          write->second.is_last = true;
          if (const auto earlier = last.find(op.key());
              earlier != last.end() && earlier->second != write->first) {
            writes_[earlier->second].is_last = false;
          }
          last[op.key()] = write->first;
        }
      }
    }
    return {};
  }

  /// Takes in the transactions of unknown fate that a committed one read from, and those that these
  /// read from, and so on.
  void take_in() {
    std::vector<TxnId> readers;
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed(TxnId{t})) {
        readers.push_back(TxnId{t});
      }
    }
    while (!readers.empty()) {
      const TxnId reader = readers.back();
      readers.pop_back();
      for (const Op op : history_.ops(reader)) {
        if (op.is_read() && is_answered(reader, op)) {
          for (const ValueId value : values_read(op)) {
            take_in_writer(reader, op.key(), value, readers);
          }
        }
      }
    }
  }

  void take_in_writer(TxnId reader, KeyId key, ValueId value, std::vector<TxnId>& readers) {
    const auto write = writes_.find(packed(key, value));
    if (write != writes_.end() && write->second.txn != reader &&
        history_.status(write->second.txn) == TxnStatus::kIndeterminate &&
        taken_in_.insert(write->second.txn.value).second) {
      readers.push_back(write->second.txn);
    }
  }

  /// Whether the result of a read is known. In a transaction that did not commit, nil is no result.
  [[nodiscard]] bool is_answered(TxnId txn, Op op) const {
    return op.kind() == OpKind::kReadList || history_.committed(txn) || !op.value().is_nil();
  }

  /// The elements of a list, or the value. As a list, nil is empty.
  [[nodiscard]] std::vector<ValueId> values_read(Op op) const {
    if (op.kind() == OpKind::kReadList) {
      const std::span<const ValueId> list = history_.elements(op);
      return {list.begin(), list.end()};
    }
    return history_.has_lists() && op.value().is_nil() ? std::vector<ValueId>()
                                                       : std::vector<ValueId>{op.value()};
  }

  Status number_txns() {
    result_.txns.emplace_back();
    result_.writers.resize(history_.key_count());
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::uint32_t before = kInitial;
      std::vector<std::uint32_t> members;
      for (const TxnId txn : history_.session_txns(SessionId{s})) {
        if (txn == history_.info().initial_txn) {
          continue;
        }
        const bool is_taken_in = taken_in_.contains(txn.value);
        if (!history_.committed(txn) && !is_taken_in) {
          result_.left_out.push_back(txn);
          continue;
        }
        if (before != kInitial && taken_in_.contains(result_.txns[before].txn.value)) {
          return usage_error(place(txn) + " follows " + place(result_.txns[before].txn) +
                             ", which others read from, but of unknown outcome: it may have taken "
                             "effect later");
        }
        if (is_taken_in) {
          result_.taken_in.push_back(txn);
        }
        const auto number = static_cast<std::uint32_t>(result_.txns.size());
        numbers_[txn.value] = number;
        result_.txns.push_back({.txn = txn, .session = SessionId{s}, .before = before});
        members.push_back(number);
        before = number;
      }
      if (!members.empty()) {
        result_.sessions.push_back(std::move(members));
      }
    }
    return {};
  }

  Status add_events(std::uint32_t number) {
    ObservedTxn& txn = result_.txns[number];
    const std::span<const Op> ops = history_.ops(txn.txn);
    std::map<KeyId, std::uint32_t> last_write;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].is_write()) {
        last_write[ops[i].key()] = i;
      }
    }
    std::map<KeyId, std::vector<ValueId>> own;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const Op op = ops[i];
      if (op.is_write()) {
        own[op.key()].push_back(op.value());
        if (last_write[op.key()] == i) {
          txn.events.push_back({.key = op.key(), .is_write = true, .op = i});
          result_.writers[op.key().index()].push_back(number);
        }
      } else if (is_answered(txn.txn, op)) {
        ELAPID_RETURN_IF_ERROR(add_read(txn, i, own[op.key()]));
      }
    }
    return {};
  }

  /// `own`: what the transaction has written to the key before.
  Status add_read(ObservedTxn& txn, std::uint32_t i, std::span<const ValueId> own) {
    const Op op = history_.ops(txn.txn)[i];
    const bool is_list = history_.has_lists();
    if (is_list && op.kind() == OpKind::kRead && !op.value().is_nil()) {
      return usage_error(place(txn.txn) + " reads " + history_.shown_key(op.key()) + " as " +
                         history_.shown_text(op.value()) + ", which is not a list");
    }
    const std::span<const ValueId> end = is_list || own.empty() ? own : own.last(1);
    std::vector<ValueId> values = values_read(op);
    if (values.size() < end.size() ||
        !std::equal(end.begin(), end.end(), values.end() - std::ssize(end))) {
      return usage_error(place(txn.txn) + " does not read its own write of " +
                         history_.shown_key(op.key()) +
                         ": no execution to predict from explains that");
    }
    ObservedEvent event = {.key = op.key(), .op = i};
    if (is_list) {
      values.resize(values.size() - end.size());
      ELAPID_RETURN_IF_ERROR(find_list(txn.txn, op.key(), values, event.list));
      event.writer = event.list.empty() ? kInitial : event.list.back();
    } else if (end.empty()) {
      ELAPID_ASSIGN_OR_RETURN(event.writer, writer_of(txn.txn, op.key(), values.front()));
    } else {
      return {};
    }
    txn.events.push_back(std::move(event));
    return {};
  }

  /// The writers of the elements, each once. Each must have all its elements of the key there, in a
  /// row.
  Status find_list(TxnId reader, KeyId key, std::span<const ValueId> elements,
                   std::vector<std::uint32_t>& list) const {
    for (std::size_t i = 0; i < elements.size();) {
      ELAPID_ASSIGN_OR_RETURN(const std::uint32_t writer, writer_of(reader, key, elements[i]));
      const std::vector<ValueId> row = written(history_, result_.txns[writer].txn, key);
      const auto rest = elements.subspan(i);
      if (std::ranges::find(list, writer) != list.end() || rest.size() < row.size() ||
          !std::equal(row.begin(), row.end(), rest.begin())) {
        return usage_error(place(reader) + " reads " + history_.shown_key(key) +
                           " as a list that does not show all elements of " +
                           place(result_.txns[writer].txn) +
                           " in a row: no execution to predict from explains that");
      }
      list.push_back(writer);
      i += row.size();
    }
    return {};
  }

  [[nodiscard]] Result<std::uint32_t> writer_of(TxnId reader, KeyId key, ValueId value) const {
    const bool is_list = history_.has_lists();
    const bool is_initial = !is_list && history_.is_initial(value);
    const auto write = writes_.find(packed(key, value));
    const std::string read = place(reader) + " reads " + history_.shown_key(key) + " as " +
                             (is_list ? "a list with " : "") + history_.shown_text(value);
    if (write == writes_.end()) {
      return is_initial ? Result<std::uint32_t>(kInitial)
                        : usage_error(read + ", which no transaction wrote that took effect");
    }
    if (is_initial || !write->second.is_unique) {
      return usage_error(read +
                         ", which has several writers, so the source of the read is not certain");
    }
    if (write->second.txn == history_.info().initial_txn) {
      return kInitial;
    }
    if ((!is_list && !write->second.is_last) || write->second.txn == reader) {
      return usage_error(read +
                         ", which is not the last write of its transaction: no execution to "
                         "predict from explains that");
    }
    return numbers_.at(write->second.txn.value);
  }

  const History& history_;
  std::unordered_map<std::uint64_t, Write, SeededHash> writes_;
  std::unordered_set<std::uint32_t> taken_in_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  // by transaction of the history
  Observation result_;
};

}  // namespace

Result<Observation> observe(const History& history) {
  return Observer(history).observe();
}

}  // namespace elapid::predict
