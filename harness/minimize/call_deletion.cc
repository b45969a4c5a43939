#include "harness/minimize/call_deletion.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/call.h"

namespace elapid {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t begin_of(const DraftTxn& txn) {
  return txn.invocation ? txn.invocation->place : txn.completion->place;
}

std::int64_t end_of(const DraftTxn& txn) {
  return txn.status == TxnStatus::kCommitted && txn.completion ? txn.completion->place : kNever;
}

/// Added numbers, by place in the history.
class Sums {
 public:
  void add(std::int64_t place, std::int64_t number) { places_.emplace_back(place, number); }

  void sort() {
    std::ranges::sort(places_);
    for (const auto& [place, number] : places_) {
      sums_.push_back(sums_.back() + number);
    }
  }

  [[nodiscard]] std::size_t count_before(std::int64_t place) const {
    const auto at = std::ranges::lower_bound(places_, std::pair(place, kLeast));
    return static_cast<std::size_t>(at - places_.begin());
  }

  [[nodiscard]] Wide sum_before(std::int64_t place) const { return sums_[count_before(place)]; }

 private:
  static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

  std::vector<std::pair<std::int64_t, std::int64_t>> places_ = {};
  std::vector<Wide> sums_ = {0};
};

/// The deleted adds, by what reads can show of them.
class GoneAdds {
 public:
  GoneAdds(const Draft& whole, const Draft& rest, bool keeps_reads_beside)
      : values_(*whole.values), keeps_reads_beside_(keeps_reads_beside) {
    std::unordered_set<TxnId> kept;
    for (const auto& txn : rest.txns) {
      kept.insert(txn->origin);
    }
    for (const auto& txn : whole.txns) {
      const bool adds = !txn->mops.empty() && txn->mops.front().kind == OpKind::kAppend;
      if (adds && txn->status != TxnStatus::kAborted && !kept.contains(txn->origin)) {
        const std::int64_t number = values_.as_integer(txn->mops.front().value).value_or(0);
        begun_.add(begin_of(*txn), number);
        done_.add(end_of(*txn), number);
      }
    }
    begun_.sort();
    done_.sort();
  }

  /// Subtracts the deleted adds from the read. False if it overlapped one of them, would become
  /// negative, or its number has no name in the history.
  [[nodiscard]] bool forget_in(DraftMop& read, const DraftTxn& txn) const {
    const std::int64_t begin = begin_of(txn);
    const std::int64_t end = end_of(txn);
    const bool runs_beside = done_.count_before(begin) != begun_.count_before(end);
    const std::int64_t before = values_.as_integer(read.value).value_or(0);
    const Wide shown = before - begun_.sum_before(end);
    const auto number = static_cast<std::int64_t>(shown);
    if ((runs_beside && !keeps_reads_beside_) || (number < 0 && before >= 0) || number != shown ||
        !ValueId::fits_inline(number)) {
      return false;
    }
    read.value = ValueId::integer(number);
    return true;
  }

 private:
  const ValuePool& values_;
  bool keeps_reads_beside_;
  Sums begun_ = {};
  Sums done_ = {};
};

/// The remaining elements of a set, in the brackets of the source. The source's text if it does not
/// name them all.
std::string shortened(const std::string& value, const History& history, const Op& read) {
  std::unordered_set<std::string> shown;
  for (const ValueId element : history.elements(read)) {
    shown.insert(history.text(element));
  }
  std::string text;
  std::unordered_set<std::string> found;
  for (const std::string_view element :
       elements_of(value).value_or(std::vector<std::string_view>())) {
    if (shown.contains(std::string(element))) {
      text += (text.empty() ? "" : " ") + std::string(element);
      found.emplace(element);
    }
  }
  const std::size_t opening = value.find_first_of("[{(");
  return found.size() == shown.size() && opening != std::string::npos
             ? value.substr(0, opening + 1) + text + value.back()
             : value;
}

/// The value that the read still shows; `value` is the source's text.
std::string shown_value(const std::string& value, const History& history, const Op& read) {
  return read.kind() == OpKind::kReadList ? shortened(value, history, read)
                                          : history.text(read.value());
}

/// The same for a tuple `[key value]`.
std::string shown_tuple(const std::string& tuple, const History& history, const Op& read) {
  const auto pair = elements_of(tuple);
  return pair && pair->size() == 2 ? "[" + std::string(pair->front()) + " " +
                                         shown_value(std::string(pair->back()), history, read) + "]"
                                   : tuple;
}

}  // namespace

bool is_counter(const HistoryInfo& info) {
  return info.workload && info.workload->name() == "counter";
}

bool shows_additions(const History& history) {
  if (history.workload().has_transactions()) {
    return false;
  }
  return history.workload().name() == "counter" ||
         std::ranges::all_of(history.all_ops(), [](const Op& op) {
           return op.kind() == OpKind::kAppend || op.kind() == OpKind::kReadList ||
                  (op.kind() == OpKind::kRead && op.value().is_nil());
         });
}

void forget_additions(const Draft& whole, Draft& rest, bool keeps_reads_beside) {
  const GoneAdds gone(whole, rest, keeps_reads_beside);
  std::vector<std::shared_ptr<const DraftTxn>> kept;
  for (std::size_t t = 0; t < rest.txns.size(); ++t) {
    const DraftTxn& txn = *rest.txns[t];
    const bool shows = txn.status == TxnStatus::kCommitted && !txn.mops.empty() &&
                       txn.mops.front().kind == OpKind::kRead && !txn.mops.front().value.is_nil();
    if (!shows) {
      kept.push_back(rest.txns[t]);
      continue;
    }
    DraftTxn& changed = rest.edit(t);
    if (gone.forget_in(changed.mops.front(), changed)) {
      kept.push_back(rest.txns[t]);
    }
  }
  rest.txns = std::move(kept);
}

EventDetailsFn details_of_small(const History& small, EventDetailsFn details, bool has_tuples) {
  if (!details || !shows_additions(small)) {
    return details;
  }
  const auto reads = std::make_shared<std::map<std::pair<std::uint16_t, std::uint64_t>, Op>>();
  for (TxnId txn{0}; txn.index() < small.txn_count(); ++txn.value) {
    const std::span<const Op> ops = small.ops(txn);
    if (small.committed(txn) && !ops.empty() && ops.front().is_read()) {
      const SourcePosition place = small.event(txn, EventKind::kCompletion).position;
      reads->emplace(std::pair(place.file, place.offset), ops.front());
    }
  }
  return [&small, reads, has_tuples, details = std::move(details)](SourcePosition place) {
    Result<EventDetails> known = details(place);
    const auto read = reads->find({place.file, place.offset});
    if (known && read != reads->end()) {
      std::string& value = known.value().value;
      value = (has_tuples ? shown_tuple : shown_value)(value, small, read->second);
    }
    return known;
  };
}

}  // namespace elapid
