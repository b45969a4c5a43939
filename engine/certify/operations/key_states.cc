#include "engine/certify/operations/key_states.h"

#include <algorithm>
#include <numeric>

#include "engine/certify/operations/participants.h"

namespace elapid::certify {

KeyStates::KeyStates(const History& history)
    : history_(history),
      begin_(history.key_count() + 1),
      length_(history.key_count()),
      agreed_(history.key_count()) {
  if (history.has_lists()) {
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      for (const Op op : effective_ops(history, TxnId{t})) {
        if (op.is_write()) {
          ++begin_[op.key().index() + 1];
        }
      }
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  } else {
    std::iota(begin_.begin(), begin_.end(), 0U);
  }
  elements_.resize(begin_.back());
}

KeyStates::Undo KeyStates::put(Op write) {
  const std::size_t key = write.key().index();
  const std::uint32_t place = write.kind() == OpKind::kAppend ? length_[key] : 0;
  ValueId& element = elements_[begin_[key] + place];
  const Undo undo = {write.key(), length_[key], place, element};
  element = write.value();
  length_[key] = place + 1;
  agreed_[key].length = std::min(agreed_[key].length, place);
  return undo;
}

void KeyStates::take_back(const Undo& undo) {
  const std::size_t key = undo.key.index();
  elements_[begin_[key] + undo.place] = undo.element;
  length_[key] = undo.length;
  agreed_[key].length = std::min(agreed_[key].length, undo.place);
}

bool KeyStates::agrees(Op read) {
  const std::span<const ValueId> held = state(read.key());
  if (read.kind() == OpKind::kReadList) {
    return is_state(read.key(), history_.elements(read));
  }
  if (held.empty()) {
    return history_.is_initial(read.value());
  }
  const bool is_list = history_.has_lists() && read.value().is_nil();
  return !is_list && held.size() == 1 && held.front() == read.value();
}

bool KeyStates::is_state(KeyId key, std::span<const ValueId> list) {
  const std::span<const ValueId> held = state(key);
  if (list.size() != held.size()) {
    return false;
  }
  Agreement& agreed = agreed_[key.index()];
  if (agreed.list != list.data()) {
    agreed = {list.data(), 0};
  }
  while (agreed.length < list.size() && held[agreed.length] == list[agreed.length]) {
    ++agreed.length;
  }
  return agreed.length >= list.size();
}

}  // namespace elapid::certify
