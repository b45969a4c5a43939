#include "engine/workloads/set_full/element_fates.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "engine/ir/nearly_sorted.h"
#include "engine/ir/value_numbers.h"
#include "engine/workloads/value_order.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;
constexpr std::int64_t kNanosecondsOfMillisecond = 1'000'000;

/// An element that an add or a read names.
struct Element {
  ValueId value;
  EventId first_added = EventId::none();  // no event comes after none()
  EventId added = EventId::none();        // the last begin of an add
  bool was_tried = false;                 // by an add that did not fail
  TxnId known = TxnId::none();
  TxnId last_present = TxnId::none();
  TxnId last_absent = TxnId::none();
  TxnId odd_read = TxnId::none();  // the first read that shows it before each add began
  TxnId duplicating_read = TxnId::none();
  std::uint32_t most_times = 1;  // in one read
  std::uint32_t times = 0;       // in the current read
  TxnId read_at_hand = TxnId::none();
  std::uint32_t next = kNone;  // in the list of link_elements()
};

class Fates {
 public:
  Fates(const History& history, bool is_jepsen) : history_(history), is_jepsen_(is_jepsen) {}

  ElementFates find() {
    find_adds();
    find_reads();
    link_elements();
    for (const TxnId read : reads_) {
      see(read);
      note_absent(read);
    }
    return results();
  }

 private:
  /// The element of a value. Most values are consecutive numbers, so the next element is tried
  /// first.
  Element& element(ValueId value) {
    if (last_ + 1 < elements_.size() && elements_[last_ + 1].value == value) {
      return elements_[++last_];
    }
    const auto fresh = static_cast<std::uint32_t>(elements_.size());
    last_ = places_.find_or_add(value, fresh);
    if (last_ == fresh) {
      elements_.push_back({.value = value});
    }
    return elements_[last_];
  }

  [[nodiscard]] bool is_add(TxnId txn) const {
    const std::span<const Op> ops = history_.ops(txn);
    return ops.size() == 1 && ops.front().kind() == OpKind::kAppend;
  }

  /// To Jepsen an add without an invocation adds no element.
  [[nodiscard]] bool adds(TxnId txn) const {
    return is_add(txn) && (history_.has_invocation(txn) || !is_jepsen_);
  }

  /// Whether the history has no invocation: when it began is not known. To Jepsen it is when it
  /// ended.
  [[nodiscard]] bool has_begun_before(TxnId txn) const {
    return !is_jepsen_ && !history_.has_invocation(txn);
  }

  void find_adds() {
    std::size_t count = 0;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      count += adds(txn) ? 1U : 0U;
    }
    elements_.reserve(count);
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (adds(txn)) {
        Element& added = element(history_.ops(txn).front().value());
        const EventId began = beginning_of(history_, txn);
        added.first_added = std::min(added.first_added, has_begun_before(txn) ? EventId{0} : began);
        added.added = added.added.is_none() ? began : std::max(added.added, began);
        added.was_tried |= history_.status(txn) != TxnStatus::kAborted;
      }
    }
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (is_add(txn) && history_.committed(txn)) {
        note_known(element(history_.ops(txn).front().value()), txn);
      }
    }
  }

  /// The completion of `txn` shows the element, unless a later add began.
  void note_known(Element& shown, TxnId txn) const {
    const EventId completion = history_.completion_id(txn);
    if (completion >= shown.added &&
        (shown.known.is_none() || completion < history_.completion_id(shown.known))) {
      shown.known = txn;
    }
  }

  /// Finds the reads. The one that began last comes first.
  void find_reads() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const std::span<const Op> ops = history_.ops(txn);
      if (history_.committed(txn) && ops.size() == 1 &&
          (ops.front().kind() == OpKind::kReadList ||
           (is_jepsen_ && ops.front().kind() == OpKind::kRead))) {
        reads_.push_back(txn);
      }
    }
    std::ranges::sort(reads_, std::greater(),
                      [&](TxnId read) { return beginning_of(history_, read); });
  }

  /// Links the elements that no read missed yet, by the time of their adds.
  void link_elements() {
    std::vector<std::uint32_t> by_time(elements_.size());
    std::iota(by_time.begin(), by_time.end(), 0U);
    sort_nearly_sorted(by_time, {}, [&](std::uint32_t e) { return elements_[e].added; });
    for (std::size_t i = 0; i < by_time.size(); ++i) {
      elements_[by_time[i]].next = i + 1 < by_time.size() ? by_time[i + 1] : kNone;
    }
    first_ = by_time.empty() ? kNone : by_time.front();
  }

  void see(TxnId read) {
    const Op op = history_.ops(read).front();
    if (op.kind() != OpKind::kReadList) {
      return;
    }
    for (const ValueId value : history_.elements(op)) {
      Element& shown = element(value);
      shown.times = shown.read_at_hand == read ? shown.times + 1 : 1;
      shown.read_at_hand = read;
      if (shown.times > 1) {
        note_duplicate(shown, read);
        continue;
      }
      if (history_.completion_id(read) < shown.first_added || was_refused(shown)) {
        note_odd(shown, read);
      }
      if (history_.completion_id(read) >= shown.added) {
        note_known(shown, read);
        shown.last_present = shown.last_present.is_none() ? read : shown.last_present;
      }
    }
  }

  /// Notes the read that shows the element most often; among equals, the first one.
  void note_duplicate(Element& shown, TxnId read) const {
    if (shown.times > shown.most_times ||
        (shown.times == shown.most_times && is_earlier(read, shown.duplicating_read))) {
      shown.most_times = shown.times;
      shown.duplicating_read = read;
    }
  }

  /// Whether all adds of the element failed. Jepsen does not look at that.
  [[nodiscard]] bool was_refused(const Element& shown) const {
    return !is_jepsen_ && !shown.added.is_none() && !shown.was_tried;
  }

  void note_odd(Element& shown, TxnId read) const {
    if (shown.odd_read.is_none() || is_earlier(read, shown.odd_read)) {
      shown.odd_read = read;
    }
  }

  [[nodiscard]] bool is_earlier(TxnId read, TxnId other) const {
    return history_.completion_id(read) < history_.completion_id(other);
  }

  /// Notes the read for each listed element that it misses and whose last add began before the read
  /// ended.
  void note_absent(TxnId read) {
    if (has_begun_before(read)) {  // perhaps before every add
      return;
    }
    const EventId end = history_.completion_id(read);
    std::uint32_t* link = &first_;
    while (*link != kNone && elements_[*link].added < end) {
      Element& candidate = elements_[*link];
      if (candidate.read_at_hand == read) {
        link = &candidate.next;
      } else {
        candidate.last_absent = read;
        *link = candidate.next;
      }
    }
  }

  [[nodiscard]] ElementFate fate_of(const Element& element) const {
    using Outcome = ElementFate::Outcome;
    ElementFate fate = {.element = element.value,
                        .added = element.added,
                        .known = element.known,
                        .last_present = element.last_present,
                        .last_absent = element.last_absent};
    const bool was_absent = !element.last_absent.is_none();
    const bool was_present = !element.last_present.is_none();
    const bool is_absent_last =
        was_absent && (!was_present || beginning_of(history_, element.last_present) <
                                           beginning_of(history_, element.last_absent));
    const bool is_missed =  // a read began after the element was known
        was_absent && !element.known.is_none() &&
        history_.completion_id(element.known) < beginning_of(history_, element.last_absent);
    if (was_present && !is_absent_last) {
      fate.outcome = Outcome::kStable;
      fate.is_stale = is_missed;
      fate.latency = was_absent ? latency_of(element.known, element.last_absent) : 0;
    } else if (is_absent_last && is_missed) {
      fate.outcome = Outcome::kLost;
      fate.latency = was_present ? latency_of(element.known, element.last_present) : 0;
    }
    return fate;
  }

  /// From the completion of `known` to just after the beginning of `read`.
  [[nodiscard]] std::optional<std::int64_t> latency_of(TxnId known, TxnId read) const {
    const auto from = time_of(known, EventKind::kCompletion);
    const auto to = time_of(
        read, history_.has_invocation(read) ? EventKind::kInvocation : EventKind::kCompletion);
    if (!from || !to) {
      return std::nullopt;
    }
    std::int64_t span = 0;
    if (*to < *from) {
      return span;
    }
    const bool is_too_long =
        __builtin_sub_overflow(*to, *from, &span) || __builtin_add_overflow(span, 1, &span);
    return (is_too_long ? std::numeric_limits<std::int64_t>::max() : span) /
           kNanosecondsOfMillisecond;
  }

  [[nodiscard]] std::optional<std::int64_t> time_of(TxnId txn, EventKind kind) const {
    const std::optional<std::int64_t> time = history_.event(txn, kind).time;
    return time || !is_jepsen_ ? time : std::optional<std::int64_t>(-1);
  }

  ElementFates results() const {
    ElementFates found;
    found.fates.reserve(elements_.size());
    for (const Element& element : elements_) {
      if (!element.added.is_none()) {
        found.fates.push_back(fate_of(element));
      }
      if (!element.odd_read.is_none()) {
        found.unexpected.push_back({.element = element.value,
                                    .read = element.odd_read,
                                    .added = element.first_added,
                                    .was_refused = was_refused(element)});
      }
      if (!element.duplicating_read.is_none()) {
        found.duplicated.push_back({.element = element.value,
                                    .read = element.duplicating_read,
                                    .added = element.first_added,
                                    .times = element.most_times});
      }
    }
    const ValueOrder order(history_);
    sort_nearly_sorted(found.fates, order, &ElementFate::element);
    sort_nearly_sorted(found.unexpected, order, &OddElement::element);
    sort_nearly_sorted(found.duplicated, order, &OddElement::element);
    return found;
  }

  const History& history_;
  bool is_jepsen_;
  ValueNumbers places_;
  std::vector<Element> elements_;  // added elements come first
  std::uint32_t last_ = 0;         // the element of the last lookup
  std::vector<TxnId> reads_;
  std::uint32_t first_ = kNone;  // the first element of the list
};

}  // namespace

ElementFates element_fates(const History& history, bool is_jepsen) {
  return Fates(history, is_jepsen).find();
}

EventId beginning_of(const History& history, TxnId txn) {
  return history.has_invocation(txn) ? history.invocation_id(txn) : history.completion_id(txn);
}

}  // namespace elapid
