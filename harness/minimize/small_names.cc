// Small names for the minimized history.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/minimize/deletion.h"
#include "harness/minimize/draft_events.h"
#include "harness/minimize/rewriting.h"

namespace elapid {

namespace {

/// x, y, z, a, ..., w, k26, k27, ...
std::string letter_name(std::size_t number) {
  constexpr std::string_view kLetters = "xyzabcdefghijklmnopqrstuvw";
  return number < kLetters.size() ? std::string(1, kLetters[number]) : "k" + std::to_string(number);
}

std::string small_key(std::string_view kind_of, std::size_t number) {
  if (kind_of.starts_with(':')) {
    return ':' + letter_name(number);
  }
  return kind_of.starts_with('"') ? '"' + letter_name(number) + '"' : std::to_string(number);
}

/// Numbers for values, in the order in which they are first asked for.
class SmallValues {
 public:
  explicit SmallValues(const Draft& draft) {
    keep(ValueId::nil());
    keep(ValueId::none());
    keep(draft.info.initial);
    for (const auto& txn : draft.txns) {
      if (txn->origin == draft.info.initial_txn) {
        for (const DraftMop& mop : txn->mops) {
          keep(mop.value);
        }
      }
    }
  }

  void note(ValueId value) {
    const auto [at, is_new] = names_.try_emplace(value, value);
    if (is_new) {
      while (taken_.contains(ValueId::integer(next_))) {
        ++next_;
      }
      at->second = ValueId::integer(next_++);
    }
  }

  void rename(ValueId& value) const { value = names_.at(value); }

 private:
  void keep(ValueId value) {
    names_.emplace(value, value);
    taken_.insert(value);
  }

  std::unordered_map<ValueId, ValueId> names_;
  std::unordered_set<ValueId> taken_;
  std::int64_t next_ = 1;
};

template <class Visit>
void for_each_mop(const Draft& draft, Visit visit) {
  for (const auto& txn : draft.txns) {
    for (const std::vector<DraftMop>& mops :
         {txn->mops, txn->invoked.value_or(std::vector<DraftMop>())}) {
      std::ranges::for_each(mops, visit);
    }
  }
}

template <class Change>
void change_each_mop(Draft& draft, Change change) {
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    DraftTxn& txn = draft.edit(t);
    std::ranges::for_each(txn.mops, change);
    if (txn.invoked) {
      std::ranges::for_each(*txn.invoked, change);
    }
  }
}

/// The longest list that was read of each key, in the order of keys.
std::map<KeyId, std::vector<ValueId>> longest_lists(const Draft& draft) {
  std::map<KeyId, std::vector<ValueId>> longest;
  for_each_mop(draft, [&](const DraftMop& mop) {
    std::vector<ValueId>& list = longest[mop.key];
    if (mop.elements.size() > list.size()) {
      list = mop.elements;
    }
  });
  return longest;
}

std::int64_t first_place(const DraftTxn& txn, std::size_t number, bool is_trace) {
  if (is_trace) {
    return static_cast<std::int64_t>(number);
  }
  return txn.invocation ? txn.invocation->place : txn.completion->place;
}

void compress_timestamps(Draft& draft) {
  std::map<std::int64_t, std::int64_t> ranks;
  const auto each_timestamp = [&](auto visit) {
    for (std::size_t t = 0; t < draft.txns.size(); ++t) {
      DraftTxn& txn = draft.edit(t);
      for (std::optional<std::int64_t>* time : {&txn.start_timestamp, &txn.commit_timestamp}) {
        if (*time) {
          visit(**time);
        }
      }
    }
  };
  each_timestamp([&](std::int64_t time) { ranks[time] = 0; });
  std::int64_t next = 1;
  for (auto& [time, rank] : ranks) {
    rank = next++;
  }
  each_timestamp([&](std::int64_t& time) { time = ranks.at(time); });
}

}  // namespace

Draft with_small_keys(Draft draft) {
  Draft result = compact(std::move(draft));
  if (std::ranges::find(result.key_names, "nil") != result.key_names.end()) {
    return result;  // the workload has no keys
  }
  const std::string kind_of = result.key_names.empty() ? "" : result.key_names.front();
  for (std::size_t key = 0; key < result.key_names.size(); ++key) {
    result.key_names[key] = small_key(kind_of, key);
  }
  return result;
}

Draft with_small_values(Draft draft) {
  SmallValues names(draft);
  for (const auto& [key, list] : longest_lists(draft)) {
    std::ranges::for_each(list, [&](ValueId element) { names.note(element); });
  }
  for_each_mop(draft, [&](const DraftMop& mop) {
    if (mop.kind != OpKind::kOther) {
      names.note(mop.value);
    }
    std::ranges::for_each(mop.elements, [&](ValueId element) { names.note(element); });
  });
  change_each_mop(draft, [&](DraftMop& mop) {
    if (mop.kind != OpKind::kOther) {
      names.rename(mop.value);
    }
    std::ranges::for_each(mop.elements, [&](ValueId& element) { names.rename(element); });
  });
  return draft;
}

Draft with_small_sessions(Draft draft) {
  std::map<std::int64_t, std::int64_t> first;  // session -> index of its first event
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    const DraftTxn& txn = *draft.txns[t];
    const std::int64_t place = first_place(txn, t, draft.info.is_session_trace);
    const auto [at, is_new] = first.try_emplace(txn.session, place);
    at->second = std::min(at->second, place);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (const auto& [session, place] : first) {
    order.emplace_back(place, session);
  }
  std::ranges::sort(order);
  std::map<std::int64_t, std::int64_t> names;
  for (std::size_t s = 0; s < order.size(); ++s) {
    names[order[s].second] = static_cast<std::int64_t>(s);
  }
  for (std::size_t t = 0; t < draft.txns.size(); ++t) {
    DraftTxn& txn = draft.edit(t);
    txn.session = names.at(txn.session);
  }
  return draft;
}

Draft with_small_numbers(Draft draft) {
  number_events(draft, events_of(draft));
  if (draft.info.logical_bits == 0) {
    compress_timestamps(draft);
  }
  return draft;
}

}  // namespace elapid
