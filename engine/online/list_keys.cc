#include "engine/online/list_keys.h"

#include <algorithm>

namespace elapid {

namespace {

bool ends_in(std::span<const Atom> list, std::span<const Atom> end) {
  return list.size() >= end.size() && std::ranges::equal(list.last(end.size()), end);
}

ViolationFacts wrong_list(std::span<const Atom> read, std::vector<Atom> expected, bool is_suffix) {
  return {.is_list = true,
          .is_suffix = is_suffix,
          .list_read = {read.begin(), read.end()},
          .list_expected = std::move(expected)};
}

}  // namespace

OnlineList& ListKeys::find(Atom name, Paging& paging) {
  const auto fresh = static_cast<std::uint32_t>(lists_.size());
  const std::uint32_t place = places_.find_or_add(static_cast<std::int64_t>(name.bits()), fresh);
  if (place == fresh) {
    lists_.emplace_back(name, OnlineList(name, is_stored_, paging));
  }
  return lists_[place].second;
}

void ListKeys::carry_out(const PlacedTxn& txn, const KeyContext& context) {
  reads_.clear();
  owns_.clear();
  for (std::uint32_t mop = 0; mop < txn.txn.ops.size(); ++mop) {
    const OnlineOp& op = txn.txn.ops[mop];
    if (op.kind == OpKind::kAppend) {
      Own& own = owns_[op.key];
      own.since.push_back(op.value);
      own.appended.push_back(op.value);
    } else if (txn.placement == Placement::kPlaced) {
      read(owns_[op.key], txn, mop, context);
    }
  }
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    const auto& [key, mop] = reads_[i];
    find(key, context.paging)
        .set_next({txn.reads, txn.txn.id, mop}, reads_[(i + 1) % reads_.size()].first);
  }
  for (const auto& [key, own] : owns_) {
    if (!own.appended.empty()) {
      const OnlineVersion version = {.at = txn.writes, .start = txn.starts, .writer = txn.txn.id};
      find(key, context.paging).add_version(version, own.appended, context);
    }
  }
}

void ListKeys::read(Own& own, const PlacedTxn& txn, std::uint32_t mop, const KeyContext& context) {
  const OnlineOp& op = txn.txn.ops[mop];
  const std::span<const Atom> shown = txn.txn.list(op);
  if (own.has_read) {
    std::vector<Atom> expected(own.last_read.begin(), own.last_read.end());
    expected.insert(expected.end(), own.since.begin(), own.since.end());
    if (!std::ranges::equal(shown, expected)) {
      context.observer.on_internal(op.key, mop, wrong_list(shown, std::move(expected), false));
    }
  } else if (!ends_in(shown, own.since)) {
    context.observer.on_internal(op.key, mop, wrong_list(shown, own.since, true));
  } else {
    find(op.key, context.paging)
        .add_read({txn.reads, txn.txn.id, mop}, shown.first(shown.size() - own.since.size()),
                  context);
    reads_.emplace_back(op.key, mop);
  }
  own.last_read = shown;
  own.has_read = true;
  own.since.clear();
}

ReadState ListKeys::state(Atom key, const ReadName& read, const KeyContext& context) {
  return find(key, context.paging).state(read);
}

ViolationFacts ListKeys::facts(Atom key, const ReadName& read, bool wants_origin,
                               const KeyContext& context) {
  const OnlineList& list = find(key, context.paging);
  ViolationFacts facts = wrong_list(list.shown(read), list.expected(read), false);
  const OnlineOrigin origin = wants_origin ? list.origin(read, context) : OnlineOrigin();
  facts.other = origin.writer;
  facts.origin = origin.origin;
  facts.depends = wants_origin && reads_from(key, read, list, context);
  facts.within_clock_skew =
      wants_origin && context.clock_skew.bound > 0 && list.may_be_skew(read, context);
  facts.expected_writer = list.expected_writer(read);
  facts.read_at = read.at;
  return facts;
}

/// Whether a read of the transaction ends in what the writer of the expected list left in the key
/// of that read.
bool ListKeys::reads_from(Atom key, const ReadName& read, const OnlineList& list,
                          const KeyContext& context) {
  const Atom writer = list.expected_writer(read);
  const Moment written = list.expected_at(read);
  if (writer.is_none()) {
    return false;
  }
  Atom next = key;
  do {
    const OnlineList& other = find(next, context.paging);
    const auto seen = other.seen_by(read.reader, read.at);
    if (seen && !seen->empty() && seen->back() == other.left_by(writer, written)) {
      return true;
    }
    next = other.next(read.reader, read.at);
  } while (next != key && !next.is_none());
  return false;
}

bool ListKeys::replaced_one_version(Atom key, const OnlineVersion& a, const OnlineVersion& b,
                                    const KeyContext& context) {
  const OnlineList& list = find(key, context.paging);
  const auto first = list.seen_by(a.writer, read_moment(a));
  const auto second = list.seen_by(b.writer, read_moment(b));
  return first && second && std::ranges::equal(*first, *second);
}

void ListKeys::rejudge(Atom key, Atom /*value*/, const KeyContext& context) {
  find(key, context.paging).rejudge_all(context);
}

void ListKeys::evict_before(Timestamp time, bool cuts, Paging& paging) {
  for (auto& [name, list] : lists_) {
    if (cuts) {
      list.pages().cut_at(time, paging);
    }
    list.pages().evict_before(time, paging);
  }
}

void ListKeys::forget_reads(Timestamp time) {
  for (auto& [name, list] : lists_) {
    list.forget_reads(time);
  }
}

void ListKeys::flush(Paging& paging) {
  for (auto& [name, list] : lists_) {
    list.pages().flush(paging);
  }
}

std::size_t ListKeys::memory() const {
  std::size_t bytes = 0;
  for (const auto& [name, list] : lists_) {
    bytes += sizeof(std::pair<Atom, OnlineList>) + list.memory();
  }
  return bytes;
}

std::string ListKeys::encode() const {
  ByteWriter out;
  for (const auto& [name, list] : lists_) {
    out.add_name(name);
    out.add(std::string_view(list.encode()));
  }
  return std::move(out).take();
}

void ListKeys::restore(std::string_view bytes, Paging& paging) {
  is_stored_ = true;
  ByteReader in(bytes);
  while (!in.is_at_end()) {
    const Atom name = in.name();
    find(name, paging).restore(in.text());
  }
}

}  // namespace elapid
