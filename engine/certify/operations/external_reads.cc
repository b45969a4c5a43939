#include "engine/certify/operations/external_reads.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/operations/writers.h"

namespace elapid::certify {

namespace {

/// A register shows the last own write, a list ends in all of them.
std::optional<KeyRead> without_own(const History& history, Op op, std::span<const ValueId> own) {
  if (!history.has_lists()) {
    return own.empty() || own.back() == op.value()
               ? std::optional(KeyRead{op, own.empty() ? op.value() : ValueId::none()})
               : std::nullopt;
  }
  const std::span<const ValueId> list = list_of(history, op);
  if (list.size() < own.size() || !std::equal(own.rbegin(), own.rend(), list.rbegin())) {
    return std::nullopt;
  }
  const std::size_t length = list.size() - own.size();
  return KeyRead{.op = op,
                 .seen = length == 0 ? ValueId::none() : list[length - 1],
                 .own = static_cast<std::uint32_t>(own.size()),
                 .is_unwritten = length == 0};
}

/// Whether another transaction that did not abort left the value behind, or, of an element behind
/// which others follow, appended it.
bool was_left_behind(const Writers& writers, const History& history, TxnId reader, KeyId key,
                     ValueId value, bool is_followed) {
  return std::ranges::any_of(writers.of(key, value), [&](const Write& write) {
    const bool is_other = write.txn != reader && is_participant(history, write.txn);
    const std::span<const Op> ops = effective_ops(history, is_other ? write.txn : reader);
    const bool has_appended =
        is_followed && std::ranges::find(ops, Op(OpKind::kAppend, key, value)) != ops.end();
    return is_other && (last_write(ops, key) == value || has_appended);
  });
}

/// `own`: what the reader had written to the key before.
bool may_have_been_shown(const Writers& writers, const History& history, TxnId reader, Op read,
                         const std::vector<ValueId>& own) {
  const auto may_show = [&](ValueId value, bool is_followed) {
    return std::ranges::find(own, value) != own.end() ||
           was_left_behind(writers, history, reader, read.key(), value, is_followed);
  };
  if (read.kind() != OpKind::kReadList) {
    return history.is_initial(read.value()) || may_show(read.value(), false);
  }
  const std::span<const ValueId> elements = history.elements(read);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!may_show(elements[i], i + 1 < elements.size())) {
      return false;
    }
  }
  return true;
}

bool agree(const History& history, const KeyRead& a, const KeyRead& b) {
  if (a.op.kind() != OpKind::kReadList && b.op.kind() != OpKind::kReadList) {
    return a.seen == b.seen || (history.is_initial(a.seen) && history.is_initial(b.seen));
  }
  const std::span<const ValueId> first = list_of(history, a.op);
  const std::span<const ValueId> second = list_of(history, b.op);
  return std::ranges::equal(first.first(first.size() - a.own), second.first(second.size() - b.own));
}

/// Adds the reads of one key, whose operations stand in these places. False if a read contradicts
/// the transaction's own operations. `own` is space for what was written so far.
bool add_reads(const History& history, TxnId txn, OrderLevel level,
               std::span<const std::uint32_t> places, std::vector<ValueId>& own,
               GrowingVector<KeyRead>& found) {
  const std::span<const Op> ops = effective_ops(history, txn);
  const std::size_t first = found.size();
  const bool must_agree =
      reads_one_state(level) ||
      (level.visibility == Visibility::kCursor &&
       std::ranges::any_of(places, [&](std::uint32_t i) { return ops[i].is_write(); }));
  own.clear();
  for (const std::uint32_t i : places) {
    if (ops[i].is_write()) {
      own.push_back(ops[i].value());
    }
    if (!is_answered(history, txn, ops[i])) {
      continue;
    }
    auto read = without_own(history, ops[i], own);
    if (!read && reads_own_writes(level)) {
      return false;
    }
    if (!read || (read->seen.is_none() && !read->is_unwritten)) {
      continue;
    }
    if (!must_agree || found.size() == first) {
      read->mop = i;
      found.push_back(*read);
    } else if (!agree(history, found[first], *read)) {
      return false;
    } else if (!history.has_lists() && found[first].seen != read->seen) {
      found[first].is_unwritten = true;
    }
  }
  return true;
}

/// Whether there is one operation a key, as the low bits of keys tell; false where they do not.
bool are_of_different_keys(std::span<const Op> ops) {
  constexpr std::size_t kFew = 64;
  constexpr unsigned kWordBits = 6;
  std::array<std::uint64_t, 8> met = {};
  if (ops.size() > kFew) {
    return false;
  }
  for (const Op op : ops) {
    const std::size_t key = op.key().index();
    std::uint64_t& word = met[key >> kWordBits & (met.size() - 1)];
    const std::uint64_t bit = std::uint64_t{1} << (key & ((1U << kWordBits) - 1));
    if ((word & bit) != 0) {
      return false;
    }
    word |= bit;
  }
  return true;
}

/// Those of a transaction that are_of_different_keys(): there are no own writes before them, and no
/// other reads to agree with.
void add_only_reads(const History& history, TxnId txn, GrowingVector<KeyRead>& found) {
  const std::span<const Op> ops = effective_ops(history, txn);
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (!is_answered(history, txn, ops[i])) {
      continue;
    }
    const auto read = history.has_lists()
                          ? without_own(history, ops[i], {})
                          : std::optional(KeyRead{.op = ops[i], .seen = ops[i].value()});
    if (read && (!read->seen.is_none() || read->is_unwritten)) {
      found.push_back(*read);
      found.back().mop = i;
    }
  }
}

/// `places` holds the operations on one key. Finds the first read after own writes that shows
/// neither these nor what another transaction may have written.
std::optional<Op> find_unexplained(const History& history, TxnId txn,
                                   std::span<const std::uint32_t> places,
                                   std::optional<Writers>& writers) {
  const std::span<const Op> ops = effective_ops(history, txn);
  std::vector<ValueId> own;  // what was written so far
  for (const std::uint32_t i : places) {
    if (ops[i].is_write()) {
      own.push_back(ops[i].value());
    }
    if (!is_answered(history, txn, ops[i]) || own.empty() || without_own(history, ops[i], own)) {
      continue;
    }
    if (!writers) {
      writers.emplace(history);
    }
    if (!may_have_been_shown(*writers, history, txn, ops[i], own)) {
      return ops[i];
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<KeyRead>> external_reads(const History& history, TxnId txn,
                                                   OrderLevel level) {
  ExternalReads reads(history, level);
  const auto found = reads.of(txn);
  return found ? std::optional(std::vector<KeyRead>(found->begin(), found->end())) : std::nullopt;
}

std::optional<std::span<const KeyRead>> ExternalReads::of(TxnId txn) {
  found_.clear();
  const std::span<const Op> ops = effective_ops(history_, txn);
  if (are_of_different_keys(ops)) {
    add_only_reads(history_, txn, found_);
    return found_;
  }
  const bool is_possible = each_key(ops, [&](std::span<const std::uint32_t> places) {
    return add_reads(history_, txn, level_, places, own_, found_);
  });
  if (!is_possible) {
    return std::nullopt;
  }
  std::ranges::sort(found_, {}, &KeyRead::mop);
  return found_;
}

std::vector<UnexplainedRead> unexplained_reads(const History& history, const TxnLevels& levels) {
  std::vector<UnexplainedRead> unexplained;
  std::optional<Writers> writers;  // made when one is asked for
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (reads_own_writes(levels.of({t})) || levels.reads_anything({t}) ||
        !is_participant(history, {t})) {
      continue;
    }
    each_key(effective_ops(history, {t}), [&](std::span<const std::uint32_t> places) {
      const auto read = find_unexplained(history, {t}, places, writers);
      if (read) {
        unexplained.push_back({TxnId{t}, read->key()});
      }
      return !read;
    });
  }
  return unexplained;
}

bool may_be_initial(const History& history, const KeyRead& read) {
  const TxnId initial = history.info().initial_txn;
  const bool is_name = history.has_lists() ? read.is_unwritten : history.is_initial(read.seen);
  return is_name && (initial.is_none() || !history.committed(initial) ||
                     final_value(history, initial, read.op.key()).is_none());
}

ValueId final_value(const History& history, TxnId txn, KeyId key) {
  const std::span<const Op> ops = effective_ops(history, txn);
  for (std::size_t i = ops.size(); i-- > 0;) {
    if (ops[i].is_write() && ops[i].key() == key) {
      return ops[i].value();
    }
  }
  return ValueId::none();
}

}  // namespace elapid::certify
