#include "engine/timestamps/list_judge.h"

#include <algorithm>

#include "engine/ir/matched_list.h"

namespace elapid {

namespace {

bool ends_in(std::span<const ValueId> list, std::span<const ValueId> end) {
  return list.size() >= end.size() && std::ranges::equal(list.last(end.size()), end);
}

}  // namespace

ListJudge::Own& ListJudge::own_of(State& state, TxnId txn) {
  if (state.toucher != txn) {
    state.toucher = txn;
    state.own = own_count_++;
    if (own_count_ > owns_.size()) {
      owns_.emplace_back();
    }
    owns_[state.own].has_read = false;
    owns_[state.own].appended.clear();
  }
  return owns_[state.own];
}

/// The elements read; none for nil, the empty list.
std::span<const ValueId> ListJudge::elements(Op read) const {
  return read.kind() == OpKind::kReadList ? context_.history.elements(read)
                                          : std::span<const ValueId>();
}

/// Whether the first `length` elements of the read are the key's committed list.
bool ListJudge::is_list(const State& state, Op read, std::size_t length) const {
  if (length != state.list.size()) {
    return false;
  }
  const bool is_of_trunk = read.kind() == OpKind::kReadList && read.list().is_prefix();
  return is_of_trunk ? state.agreeing >= length
                     : std::ranges::equal(elements(read).first(length), state.list);
}

/// Whether the read shows the transaction's last read, followed by its appends since then.
bool ListJudge::continues(Op read, const Own& own) const {
  const std::span<const ValueId> now = elements(read);
  const std::span<const ValueId> before = elements(own.last_read);
  if (now.size() != before.size() + own.appended.size() || !ends_in(now, own.appended)) {
    return false;
  }
  // Lists of the same trunk or branch begin at one place in memory.
  return now.data() == before.data() || std::ranges::equal(now.first(before.size()), before);
}

void ListJudge::judge(const Own& own, TxnId txn, std::uint32_t mop, Op op) {
  if (own.has_read) {
    if (!continues(op, own)) {
      const std::span<const ValueId> before = elements(own.last_read);
      ExpectedRead expected = {.kind = ExpectedRead::Kind::kList,
                               .elements = {before.begin(), before.end()}};
      expected.elements.insert(expected.elements.end(), own.appended.begin(), own.appended.end());
      found_.reads.push_back(
          context_.wrong_read(TimestampAxiom::kInt, txn, mop, op, std::move(expected)));
    }
  } else if (!ends_in(elements(op), own.appended)) {
    found_.reads.push_back(
        context_.wrong_read(TimestampAxiom::kInt, txn, mop, op,
                            {.kind = ExpectedRead::Kind::kSuffix, .elements = own.appended}));
  } else {
    judge_external(keys_[op.key().index()], own, txn, mop, op);
  }
}

void ListJudge::judge_external(const State& state, const Own& own, TxnId txn, std::uint32_t mop,
                               Op op) {
  const std::span<const ValueId> shown = elements(op);
  const std::span<const ValueId> base = shown.first(shown.size() - own.appended.size());
  if (tied_.contains(txn, op.key())) {
    found_.tied.add(txn);
  } else if (is_list(state, op, base.size())) {
    return;
  } else if (explained_by_maybe(state, base, op.key())) {
    found_.maybe.add(txn);
  } else {
    ExpectedRead expected = {.kind = ExpectedRead::Kind::kList, .elements = state.list};
    expected.elements.insert(expected.elements.end(), own.appended.begin(), own.appended.end());
    found_.reads.push_back(
        context_.wrong_read(TimestampAxiom::kExt, txn, mop, op, std::move(expected), state.writer));
  }
}

/// Whether the read equals the committed list apart from elements that have no place in time.
bool ListJudge::explained_by_maybe(const State& state, std::span<const ValueId> base,
                                   KeyId key) const {
  return !context_.maybe_writes.empty() && is_explained(base, state.list, [&](ValueId element) {
    return context_.maybe_writes.contains(key, element);
  });
}

void ListJudge::install(TxnId txn, Op op, std::int64_t time, std::int64_t started) {
  State& state = keys_[op.key().index()];
  if (state.writer != txn) {
    if (!state.writer.is_none()) {
      if (state.time > started) {
        found_.conflicting.emplace_back(txn, op.key());
      }
      // This stays, since all later lists contain both.
      if (state.time == time && context_.are_tied(state.writer, txn)) {
        tied_.add_version(op.key());
      }
    }
    state.writer = txn;
    state.time = time;
  }
  const std::span<const ValueId> trunk = context_.history.trunk(op.key());
  const bool agrees = state.agreeing == state.list.size() && state.agreeing < trunk.size() &&
                      trunk[state.agreeing] == op.value();
  state.agreeing += agrees ? 1 : 0;
  state.list.push_back(op.value());
}

}  // namespace elapid
