#include "engine/workloads/sequential/subkeys.h"

#include <span>
#include <utility>

namespace elapid::sequential {

std::string subkey_name(const History& history, ValueId key, std::size_t number) {
  std::string text = key.is_nil() ? "" : history.text(key);
  const bool is_string = text.size() >= 2 && text.starts_with('"');
  text = is_string ? text.substr(0, text.size() - 1) : '"' + text;
  return text + '_' + std::to_string(number) + '"';
}

Additions::Additions(const History& history) : history_(history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (ops.size() != 2 || ops.back().kind() != OpKind::kAppend) {
      continue;
    }
    const ValueId subkey = ops.back().value();
    keys_.insert(ops.front().value());
    if (history.committed(txn)) {
      told_.try_emplace(subkey, txn);  // transactions are in the order of completions
    }
    if (history.status(txn) != TxnStatus::kAborted && history.has_invocation(txn)) {
      const auto [first, is_new] = invoked_.try_emplace(subkey, txn);
      if (!is_new && history.invocation_id(txn) < history.invocation_id(first->second)) {
        first->second = txn;
      }
    }
  }
}

TxnId Additions::told_of(ValueId subkey) const {
  const auto told = told_.find(subkey);
  return told == told_.end() ? TxnId::none() : told->second;
}

TxnId Additions::invoked_of(ValueId subkey) const {
  const auto invoked = invoked_.find(subkey);
  return invoked == invoked_.end() ? TxnId::none() : invoked->second;
}

namespace {

/// The subkeys that a read has shown so far, and for each session the last of these that it added.
class ShownSubkeys {
 public:
  ShownSubkeys(const History& history, const Additions& additions)
      : history_(history), additions_(additions) {}

  void add(ValueId subkey) {
    const TxnId txn = additions_.invoked_of(subkey);
    if (txn.is_none()) {
      return;
    }
    const EventId event = history_.invocation_id(txn);
    const auto [last, is_new] = last_.try_emplace(history_.session(txn).value, event, subkey);
    if (!is_new && last->second.first < event) {
      last->second = {event, subkey};
    }
  }

  /// A subkey that the session added after it was told of `older`; none() if there is none.
  [[nodiscard]] ValueId added_after(ValueId older) const {
    const TxnId told = older.is_none() ? TxnId::none() : additions_.told_of(older);
    if (told.is_none()) {
      return ValueId::none();
    }
    const auto last = last_.find(history_.session(told).value);
    const bool is_after = last != last_.end() && history_.completion_id(told) < last->second.first;
    return is_after ? last->second.second : ValueId::none();
  }

 private:
  const History& history_;
  const Additions& additions_;
  std::unordered_map<std::uint32_t, std::pair<EventId, ValueId>> last_;  // by session
};

std::optional<Hole> hole_by_additions(const History& history, ValueId key,
                                      std::span<const ValueId> shown, const Additions& additions) {
  ShownSubkeys before(history, additions);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!shown[i].is_nil()) {
      before.add(shown[i]);
      continue;
    }
    const ValueId older = history.values().find(subkey_name(history, key, shown.size() - 1 - i));
    if (const ValueId newer = before.added_after(older); !newer.is_none()) {
      return Hole{newer, older};
    }
  }
  return std::nullopt;
}

std::optional<Hole> hole_by_names(const History& history, ValueId key,
                                  std::span<const ValueId> shown) {
  ValueId newer = ValueId::none();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!shown[i].is_nil()) {
      newer = shown[i];
    } else if (!newer.is_none()) {
      return Hole{newer, history.values().find(subkey_name(history, key, shown.size() - 1 - i))};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Hole> hole_of(const History& history, TxnId read, const Additions* additions) {
  const std::span<const Op> ops = history.ops(read);
  if (ops.size() != 2 || ops.back().kind() != OpKind::kReadList) {
    return std::nullopt;
  }
  const ValueId key = ops.front().value();
  const std::span<const ValueId> shown = history.elements(ops.back());
  return additions != nullptr && additions->has_key(key)
             ? hole_by_additions(history, key, shown, *additions)
             : hole_by_names(history, key, shown);
}

}  // namespace elapid::sequential
