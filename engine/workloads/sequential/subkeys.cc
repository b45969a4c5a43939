#include "engine/workloads/sequential/subkeys.h"

#include <algorithm>
#include <ranges>
#include <tuple>
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
    keys_.insert(ops.front().value());
    if (history.status(txn) != TxnStatus::kAborted) {
      added_[ops.back().value()].push_back(txn);
    }
  }
  for (auto& [subkey, txns] : added_) {
    std::ranges::sort(txns, {}, [&](TxnId txn) {  // transactions are in the order of completions
      return std::tuple(history.session(txn), !history.committed(txn), txn);
    });
  }
}

std::span<const TxnId> Additions::of(ValueId subkey) const {
  const auto added = added_.find(subkey);
  return added == added_.end() ? std::span<const TxnId>() : added->second;
}

TxnId Additions::told(SessionId session, ValueId subkey) const {
  const std::span<const TxnId> added = of(subkey);
  const auto first = std::ranges::lower_bound(added, session, {},
                                              [&](TxnId txn) { return history_.session(txn); });
  const bool is_told =
      first != added.end() && history_.session(*first) == session && history_.committed(*first);
  return is_told ? *first : TxnId::none();
}

TxnId Additions::told_before(TxnId addition, ValueId older) const {
  const TxnId first = told(history_.session(addition), older);
  const bool is_before = !first.is_none() && history_.has_invocation(addition) &&
                         history_.completion_id(first) < history_.invocation_id(addition);
  return is_before ? first : TxnId::none();
}

bool Additions::is_always_told_before(ValueId newer, ValueId older) const {
  const auto [known, is_new] = told_before_.try_emplace({newer, older});
  if (is_new) {
    known->second = std::ranges::none_of(
        of(newer), [&](TxnId addition) { return told_before(addition, older).is_none(); });
  }
  return known->second;
}

namespace {

/// The subkeys that a read showed so far.
class ShownSubkeys {
 public:
  ShownSubkeys(const History& history, const Additions& additions)
      : history_(history), additions_(additions) {}

  void add(ValueId subkey) {
    const std::span<const TxnId> added = additions_.of(subkey);
    if (added.size() > 1) {
      added_again_.push_back(subkey);
    } else if (!added.empty() && history_.has_invocation(added.front())) {
      const EventId event = history_.invocation_id(added.front());
      const auto [last, is_new] = last_.try_emplace(history_.session(added.front()), event, subkey);
      if (!is_new && last->second.first < event) {
        last->second = {event, subkey};
      }
    }
  }

  /// One that each session that may have added it added after it knew of `older`; none() if there
  /// is none.
  [[nodiscard]] ValueId added_after(ValueId older) const {
    if (const ValueId newer = added_once_after(older); !newer.is_none()) {
      return newer;
    }
    const auto known = std::ranges::find_if(added_again_, [&](ValueId newer) {
      return additions_.is_always_told_before(newer, older);
    });
    return known == added_again_.end() ? ValueId::none() : *known;
  }

 private:
  /// Of several, the one of the session that was told first. Visits the sessions that added
  /// `older`, or those of the subkeys shown, if they are fewer.
  [[nodiscard]] ValueId added_once_after(ValueId older) const {
    TxnId first = TxnId::none();
    ValueId newer = ValueId::none();
    const auto visit = [&](SessionId session) {
      const auto last = last_.find(session);
      const TxnId told = last == last_.end() ? TxnId::none() : additions_.told(session, older);
      if (!told.is_none() && history_.completion_id(told) < last->second.first &&
          (first.is_none() || told < first)) {
        first = told;
        newer = last->second.second;
      }
    };
    const std::span<const TxnId> added = additions_.of(older);
    if (added.size() <= last_.size()) {
      std::ranges::for_each(added, visit, [&](TxnId txn) { return history_.session(txn); });
    } else {
      std::ranges::for_each(last_ | std::views::keys, visit);
    }
    return newer;
  }

  const History& history_;
  const Additions& additions_;
  // Of those added once: by session, the one that was added last.
  std::map<SessionId, std::pair<EventId, ValueId>> last_;
  std::vector<ValueId> added_again_;
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
    const ValueId newer = older.is_none() ? ValueId::none() : before.added_after(older);
    if (!newer.is_none()) {
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
