#include "engine/saturate/observations.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/ir/share_work.h"
#include "engine/solve/bad_reads.h"
#include "engine/solve/list_chains.h"

namespace elapid {

namespace {

constexpr const char* kReadTheImpossible =
    "other transactions read from an indeterminate transaction, but no write explains one of its "
    "own reads";

}  // namespace

// Types that threads share need a name with external linkage.
namespace observing {

/// A write or read of a value, with the transaction or the read's place.
struct ValueAt {
  ValueId value = ValueId::none();
  std::uint32_t at = 0;
};

/// Rows of entries by key, filled one after the other.
class ByKey {
 public:
  explicit ByKey(std::vector<std::uint32_t> counts) : next_(std::move(counts)) {
    std::exclusive_scan(next_.begin(), next_.end(), next_.begin(), 0U);
    entries_.resize(next_.back());
  }

  void add(KeyId key, ValueAt entry) { entries_[next_[key.index()]++] = entry; }

  /// Call it after all add().
  [[nodiscard]] std::span<ValueAt> of(std::size_t key) {
    const std::uint32_t begin = key == 0 ? 0 : next_[key - 1];
    return std::span(entries_).subspan(begin, next_[key] - begin);
  }

 private:
  std::vector<std::uint32_t> next_;
  UnsetVector<ValueAt> entries_;
};

/// The transactions of a range, read in order, and findings that are not entries of Observations.
/// Their entries start at upper bounds of the counts before them.
struct TxnRange {
  IndexRange txns = {};
  std::uint32_t first_read = 0;
  std::uint32_t reads = 0;  // first an upper bound, then the count
  std::uint32_t first_written = 0;
  std::uint32_t written = 0;  // as `reads`
  bool has_odd_reads = false;
  std::vector<Anomaly> anomalies = {};
  std::vector<ReadAt> tolerated = {};  // reads whose source stays open
  std::vector<ShownList> lists_shown = {};
};

/// The writers of each value of one key. Open addressing; at most two thirds full.
class WritersOfKey {
 public:
  void read(std::span<const ValueAt> writes) {
    slots_.assign(std::bit_ceil(writes.size() + writes.size() / 2 + 1), ValueAt());
    for (const ValueAt& write : writes) {
      ValueAt& slot = slots_[slot_of(write.value)];
      slot.at = slot.value.is_none() ? write.at : Seen::kSeveral;
      slot.value = write.value;
    }
  }

  /// The only writer of the value, kSeveral, or kNoTxn if there is none.
  [[nodiscard]] std::uint32_t find(ValueId value) const {
    const ValueAt& slot = slots_[slot_of(value)];
    return slot.value.is_none() ? Seen::kNoTxn : slot.at;
  }

 private:
  [[nodiscard]] std::size_t slot_of(ValueId value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (value.bits() * std::size_t{0x9e3779b97f4a7c15U} >> 32) & mask;
    while (!slots_[at].value.is_none() && slots_[at].value != value) {
      at = (at + 1) & mask;
    }
    return at;
  }

  std::vector<ValueAt> slots_;
};

}  // namespace observing

using observing::ByKey;
using observing::TxnRange;
using observing::ValueAt;
using observing::WritersOfKey;

class ObservationsBuilder {
 public:
  ObservationsBuilder(ReadRules rules, Observations& out)
      : history_(out.history_), rules_(rules), is_list_(out.history_.has_lists()), out_(out) {}

  void build() {
    read_operations();
    match();
    if (is_list_) {
      order_lists();
    }
    drop_impossible();
    decide_presence();
    explain_unserved();
  }

 private:
  void read_operations() {
    const std::size_t count = history_.txn_count();
    out_.presence_.assign(count, Observations::kAbsent);
    out_.read_begin_.assign(count + 1, 0);
    out_.written_begin_.assign(count + 1, 0);
    std::vector<TxnRange> ranges;
    for (const IndexRange txns : ranges_of_work(count)) {
      ranges.push_back({.txns = txns});
    }
    share_work(ranges.size(), [&](std::size_t i) { count_operations(ranges[i]); });
    make_room(ranges);
    share_work(ranges.size(), [&](std::size_t i) { read_range(ranges[i]); });
    close_gaps(ranges);
    for (TxnRange& range : ranges) {
      std::ranges::move(range.anomalies, std::back_inserter(out_.anomalies_));
      std::ranges::copy(range.tolerated, std::back_inserter(tolerated_));
      std::ranges::copy(range.lists_shown, std::back_inserter(lists_shown_));
      if (range.has_odd_reads) {
        out_.unclear_ = "the result of a list read is not a list";
      }
    }
  }

  void count_operations(TxnRange& range) const {
    for (TxnId txn{range.txns.begin}; txn.value < range.txns.end; ++txn.value) {
      if (history_.status(txn) != TxnStatus::kAborted) {
        const std::span<const Op> ops = history_.ops(txn);
        const auto count = [&](auto is_wanted) {
          return static_cast<std::uint32_t>(std::ranges::count_if(ops, is_wanted));
        };
        range.reads += count([](Op op) { return op.is_read(); });
        range.written += count([](Op op) { return op.is_write(); });
      }
    }
  }

  void make_room(std::vector<TxnRange>& ranges) {
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      ranges[i].first_read = ranges[i - 1].first_read + ranges[i - 1].reads;
      ranges[i].first_written = ranges[i - 1].first_written + ranges[i - 1].written;
    }
    out_.reads_.resize(ranges.back().first_read + ranges.back().reads);
    out_.written_.resize(ranges.back().first_written + ranges.back().written);
    written_values_.resize(out_.written_.size());
  }

  void read_range(TxnRange& range) {
    TxnReader reader(history_);
    range.reads = 0;
    range.written = 0;
    for (std::uint32_t t = range.txns.begin; t < range.txns.end; ++t) {
      if (history_.status({t}) != TxnStatus::kAborted) {
        read_txn({t}, reader, range);
      }
      out_.read_begin_[t + 1] = range.first_read + range.reads;
      out_.written_begin_[t + 1] = range.first_written + range.written;
    }
    range.has_odd_reads = reader.has_odd_reads();
  }

  void read_txn(TxnId txn, TxnReader& reader, TxnRange& range) {
    reader.read(txn, rules_);
    const bool is_committed = history_.committed(txn);
    if (reader.contradiction() && !is_committed) {
      return;  // it did not take effect
    }
    out_.presence_[txn.index()] = is_committed ? Observations::kCertain : Observations::kOptional;
    if (reader.contradiction()) {
      range.anomalies.push_back({AnomalyType::kInternal, *reader.contradiction()});
    }
    for (const std::uint32_t mop : reader.tolerated()) {
      range.tolerated.push_back({txn, mop});
    }
    for (const OthersRead& read : reader.reads()) {
      // Until its writer is found, the value takes the writer's place.
      out_.reads_[range.first_read + range.reads++] = {read.key, read.wanted().bits()};
      if (is_list_) {
        range.lists_shown.push_back({txn, read.key, read.mop, read.length});
      }
    }
    for (const TxnReader::Touched& touched : reader.touched()) {
      if (!touched.write.is_none()) {
        out_.written_[range.first_written + range.written] = touched.key;
        written_values_[range.first_written + range.written++] = touched.write;
      }
    }
  }

  /// Closes the gaps after ranges with fewer entries than their upper bounds.
  void close_gaps(const std::vector<TxnRange>& ranges) {
    std::uint32_t reads = 0;
    std::uint32_t written = 0;
    for (const TxnRange& range : ranges) {
      const auto move_down = [](auto& entries, std::uint32_t from, std::uint32_t size,
                                std::uint32_t to) {
        if (from != to) {
          std::copy_n(entries.begin() + from, size, entries.begin() + to);
        }
      };
      move_down(out_.reads_, range.first_read, range.reads, reads);
      move_down(out_.written_, range.first_written, range.written, written);
      move_down(written_values_, range.first_written, range.written, written);
      for (std::uint32_t t = range.txns.begin; t < range.txns.end; ++t) {
        out_.read_begin_[t + 1] -= range.first_read - reads;
        out_.written_begin_[t + 1] -= range.first_written - written;
      }
      reads += range.reads;
      written += range.written;
    }
    out_.reads_.resize(reads);
    out_.written_.resize(written);
    written_values_.resize(written);
  }

  /// For registers, nil and the format's initial value are two names of one state; none() stands
  /// for a read by both names. For lists only the empty one is initial. If a recorded initial
  /// transaction, which comes before all others, wrote the key, no read sees the initial state.
  [[nodiscard]] bool may_be_initial(ValueId value, std::size_t key) const {
    const bool is_name = value.is_none() || (!is_list_ && history_.is_initial(value));
    return is_name && (written_initially_.empty() || !written_initially_[key]);
  }

  void find_written_initially() {
    const TxnId initial = history_.info().initial_txn;
    if (initial.is_none() || !history_.committed(initial)) {
      return;
    }
    written_initially_.resize(history_.key_count());
    for (const KeyId key : out_.written(initial.value)) {
      written_initially_[key.index()] = true;
    }
  }

  /// Joins reads with writes, key by key: so the table of writers stays in the cache. The keys are
  /// divided among threads.
  void match() {
    find_written_initially();
    std::optional<ByKey> writes;
    std::optional<ByKey> reads;
    share_work(2, [&](std::size_t part) {
      part == 0 ? writes.emplace(writes_by_key()) : reads.emplace(reads_by_key());
    });
    const std::size_t parts = parts_of_work(out_.reads_.size());
    std::vector<std::vector<std::size_t>> repeating(parts);
    share_work(parts,
               [&](std::size_t part) { repeating[part] = match(part, parts, *writes, *reads); });
    std::vector<std::size_t> keys;
    for (const std::vector<std::size_t>& of_part : repeating) {
      keys.insert(keys.end(), of_part.begin(), of_part.end());
    }
    std::ranges::sort(keys);
    for (const std::size_t key : keys) {
      list_candidates(writes->of(key), reads->of(key));
    }
    written_values_ = {};
    const std::vector<IndexRange> ranges = ranges_of_work(out_.txn_count());
    share_work(ranges.size(), [&](std::size_t i) {
      for (std::uint32_t t = ranges[i].begin; t < ranges[i].end; ++t) {
        sort_written(t);
        strike_own_writes(t);
      }
    });
    settle_ambiguous();
  }

  /// Matches the keys of one part of `parts`. Returns the keys with a read that may have seen
  /// several writers.
  std::vector<std::size_t> match(std::size_t part, std::size_t parts, ByKey& writes, ByKey& reads) {
    std::vector<std::size_t> repeating;
    WritersOfKey writers;
    for (std::size_t key = part; key < history_.key_count(); key += parts) {
      bool is_repeating = false;
      writers.read(writes.of(key));
      for (const ValueAt& read : reads.of(key)) {
        Seen& seen = out_.reads_[read.at];
        seen.writer = writers.find(read.value);
        if (may_be_initial(read.value, key)) {
          seen.writer = seen.writer == Seen::kNoTxn ? Seen::kInitial : Seen::kSeveral;
        }
        is_repeating |= seen.writer == Seen::kSeveral;
      }
      if (is_repeating) {
        repeating.push_back(key);
      }
    }
    return repeating;
  }

  [[nodiscard]] ByKey writes_by_key() const {
    std::vector<std::uint32_t> counts(history_.key_count() + 1, 0);
    each_write([&](std::uint32_t, std::uint32_t place) { ++counts[out_.written_[place].index()]; });
    ByKey writes(std::move(counts));
    each_write([&](std::uint32_t txn, std::uint32_t place) {
      writes.add(out_.written_[place], {written_values_[place], txn});
    });
    return writes;
  }

  template <class Visit>
  void each_write(Visit visit) const {
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      for (std::uint32_t i = out_.written_begin_[t]; i < out_.written_begin_[t + 1]; ++i) {
        visit(t, i);
      }
    }
  }

  [[nodiscard]] ByKey reads_by_key() const {
    std::vector<std::uint32_t> counts(history_.key_count() + 1, 0);
    for (const Seen& seen : out_.reads_) {
      ++counts[seen.key.index()];
    }
    ByKey reads(std::move(counts));
    for (std::uint32_t i = 0; i < out_.reads_.size(); ++i) {
      reads.add(out_.reads_[i].key, {ValueId::from_bits(out_.reads_[i].writer), i});
    }
    return reads;
  }

  /// Lists the writers of each value once, however many reads saw it.
  void list_candidates(std::span<ValueAt> writes, std::span<const ValueAt> reads) {
    std::ranges::sort(writes, {}, [](const ValueAt& w) { return std::tuple(w.value, w.at); });
    std::vector<std::uint32_t> number(writes.size(), Seen::kNoTxn);  // by first write of the value
    for (const ValueAt& read : reads) {
      if (out_.reads_[read.at].writer != Seen::kSeveral) {
        continue;
      }
      const auto of_value = std::ranges::equal_range(writes, read.value, {}, &ValueAt::value);
      std::uint32_t& value = number[static_cast<std::size_t>(of_value.begin() - writes.begin())];
      if (value == Seen::kNoTxn) {
        value = out_.value_count();
        list_writers(of_value, may_be_initial(read.value, out_.reads_[read.at].key.index()));
      }
      out_.ambiguous_.push_back({.place = read.at, .value = value});
    }
  }

  void list_writers(std::span<const ValueAt> writes, bool is_initial) {
    for (const ValueAt& write : writes) {
      out_.writers_.push_back(write.at);
    }
    if (is_initial) {
      out_.writers_.push_back(Seen::kInitial);
    }
    out_.writers_begin_.push_back(static_cast<std::uint32_t>(out_.writers_.size()));
  }

  void sort_written(std::uint32_t txn) {
    std::sort(out_.written_.begin() + out_.written_begin_[txn],
              out_.written_.begin() + out_.written_begin_[txn + 1]);
  }

  /// Removes the reader itself as a writer: no transaction reads its own write before it writes.
  void strike_own_writes(std::uint32_t txn) {
    for (std::uint32_t i = out_.read_begin_[txn]; i < out_.read_begin_[txn + 1]; ++i) {
      if (out_.reads_[i].writer == txn) {
        out_.reads_[i].writer = Seen::kNoTxn;
      }
    }
  }

  void settle_ambiguous() {
    std::ranges::sort(out_.ambiguous_, {}, &Observations::Ambiguous::place);
    for (Observations::Ambiguous& open : out_.ambiguous_) {
      const auto next =
          std::upper_bound(out_.read_begin_.begin(), out_.read_begin_.end(), open.place);
      open.txn = static_cast<std::uint32_t>(next - out_.read_begin_.begin() - 1);
    }
    settle();
  }

  /// If one candidate is left, it is the writer. If none is left, the read has no writer.
  void settle() {
    std::erase_if(out_.ambiguous_, [this](const Observations::Ambiguous& open) {
      const std::span<const std::uint32_t> writers = out_.writers_of(open.value);
      const bool has_own = std::ranges::binary_search(writers, open.txn);
      if (writers.size() >= (has_own ? 3U : 2U)) {
        return false;
      }
      const auto other =
          std::ranges::find_if(writers, [&](std::uint32_t writer) { return writer != open.txn; });
      out_.reads_[open.place].writer = other == writers.end() ? Seen::kNoTxn : *other;
      return true;
    });
  }

  /// Orders the versions of each list as reads show them.
  void order_lists() {
    const ListChains chains = find_list_chains(history_, lists_shown_);
    lists_shown_ = {};
    if (out_.unclear_.empty() && !chains.ambiguous.empty()) {
      out_.unclear_ = "elements of lists were appended more than once";
    }
    out_.contradiction_ = chains.contradiction;
    for (const ListChains::Link& link : chains.links) {
      if (!link.is_first) {
        out_.known_orders_.push_back({link.previous, link.txn, link.key});
      }
    }
    out_.known_orders_.insert(out_.known_orders_.end(), chains.unobserved.begin(),
                              chains.unobserved.end());
    for (const std::uint32_t txn : chains.observed) {
      if (out_.presence_[txn] == Observations::kAbsent) {  // its own reads are impossible
        out_.contradiction_ = "a list shows elements of a transaction that contradicts itself";
      }
      out_.presence_[txn] = Observations::kCertain;
    }
    unserved_ = chains.unexplained;
  }

  /// An indeterminate transaction with a read that no transaction can have served did not take
  /// effect. Neither did transactions that must have read from it.
  void drop_impossible() {
    if (drop_tolerated()) {
      strike_absent();
    }
    while (drop_unserved()) {
      strike_absent();
    }
  }

  /// Drops optional transactions with a read that has no writer. Returns whether there were any.
  bool drop_unserved() {
    bool has_dropped = false;
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      if (out_.is_optional(t) && std::ranges::any_of(out_.reads(t), [](const Seen& seen) {
            return seen.writer == Seen::kNoTxn;
          })) {
        out_.presence_[t] = Observations::kAbsent;
        has_dropped = true;
      }
    }
    return has_dropped;
  }

  /// As drop_unserved(), for reads whose source stays open: some transaction must still have
  /// written what they show.
  bool drop_tolerated() {
    bool has_dropped = false;
    for (const BadRead& read : impossible_reads(history_, is_list_, tolerated_)) {
      if (history_.committed(read.reader)) {
        unserved_.push_back(read);
      } else if (out_.is_present(read.reader.value)) {
        out_.contradiction_ = kReadTheImpossible;
      } else {
        out_.presence_[read.reader.index()] = Observations::kAbsent;  // perhaps already absent
        has_dropped = true;
      }
    }
    return has_dropped;
  }

  void strike_absent() {
    const auto is_absent = [&](std::uint32_t writer) {
      return writer < Seen::kSeveral && out_.presence_[writer] == Observations::kAbsent;
    };
    for (Seen& seen : out_.reads_) {
      if (is_absent(seen.writer)) {
        seen.writer = Seen::kNoTxn;
      }
    }
    std::uint32_t kept = 0;
    std::uint32_t begin = 0;
    for (std::uint32_t value = 0; value < out_.value_count(); ++value) {
      const std::uint32_t end = out_.writers_begin_[value + 1];
      for (std::uint32_t i = begin; i < end; ++i) {
        if (!is_absent(out_.writers_[i])) {
          out_.writers_[kept++] = out_.writers_[i];
        }
      }
      begin = end;
      out_.writers_begin_[value + 1] = kept;
    }
    out_.writers_.resize(kept);
    settle();
  }

  /// If only one transaction can have written what a present transaction read, it took effect.
  void decide_presence() {
    std::vector<std::uint32_t> pending;
    const auto follow = [&](std::uint32_t txn) {
      for (const Seen& seen : out_.reads(txn)) {
        if (seen.is_of_txn() && out_.is_optional(seen.writer)) {
          out_.presence_[seen.writer] = Observations::kCertain;
          pending.push_back(seen.writer);
        }
      }
    };
    if (std::ranges::find(out_.presence_, Observations::kOptional) == out_.presence_.end()) {
      return;
    }
    for (std::uint32_t t = 0; t < out_.txn_count(); ++t) {
      if (out_.is_present(t)) {
        follow(t);
      }
    }
    while (!pending.empty()) {
      const std::uint32_t txn = pending.back();
      pending.pop_back();
      follow(txn);
    }
  }

  /// Reports reads without a writer. Only reads by committed transactions are evidence on their
  /// own.
  void explain_unserved() {
    const bool is_each_served =
        all_are(std::span(std::as_const(out_.reads_)),
                [](const Seen& seen) { return seen.writer != Seen::kNoTxn; });
    for (std::uint32_t t = 0; t < out_.txn_count() && !is_each_served; ++t) {
      const bool is_unserved =
          out_.is_present(t) && std::ranges::any_of(out_.reads(t), [](const Seen& seen) {
            return seen.writer == Seen::kNoTxn;
          });
      if (is_unserved) {
        name_unserved({t});
      }
    }
    if (std::erase_if(unserved_, [this](const BadRead& read) {
          return !history_.committed(read.reader);
        }) > 0) {
      out_.contradiction_ = kReadTheImpossible;
    }
    if (!explain_bad_reads(history_, is_list_, unserved_, out_.anomalies_)) {
      out_.contradiction_ = "a read shows the write of a transaction that cannot have taken effect";
    }
  }

  /// Reads the transaction again, to find its reads whose values no transaction left behind.
  void name_unserved(TxnId txn) {
    if (!txn_reader_) {
      txn_reader_.emplace(history_);
    }
    txn_reader_->read(txn, rules_);
    const std::span<const Seen> seen = out_.reads(txn.value);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].writer == Seen::kNoTxn) {
        const OthersRead& read = txn_reader_->reads()[i];
        unserved_.push_back({txn, read.mop, read.key, read.value});
      }
    }
  }

  const History& history_;
  ReadRules rules_;
  bool is_list_;
  Observations& out_;
  std::optional<TxnReader> txn_reader_;  // for transactions that are read again
  UnsetVector<ValueId> written_values_;  // by place
  std::vector<bool> written_initially_;  // by key; empty if there is no initial transaction
  std::vector<ReadAt> tolerated_;        // reads whose source stays open
  std::vector<ShownList> lists_shown_;
  std::vector<BadRead> unserved_;
};

Observations::Observations(const History& history, ReadRules rules) : history_(history) {
  ObservationsBuilder(rules, *this).build();
}

void Observations::drop_ambiguous() {
  std::uint32_t kept = 0;
  auto dropped = ambiguous_.begin();
  std::uint32_t place = 0;
  for (std::uint32_t t = 0; t < txn_count(); ++t) {
    for (; place < read_begin_[t + 1]; ++place) {
      const bool is_dropped = dropped != ambiguous_.end() && dropped->place == place;
      if (is_dropped) {
        ++dropped;
      } else {
        reads_[kept++] = reads_[place];
      }
    }
    read_begin_[t + 1] = kept;
  }
  reads_.resize(kept);
  ambiguous_.clear();
}

bool Observations::writes(std::uint32_t txn, KeyId key) const {
  return std::ranges::binary_search(written(txn), key);
}

std::vector<std::uint32_t> Observations::session_predecessors() const {
  std::vector<std::uint32_t> before(txn_count());
  std::vector<std::uint32_t> last(history_.session_count(), Seen::kNoTxn);
  for (std::uint32_t t = 0; t < txn_count(); ++t) {
    std::uint32_t& of_session = last[history_.session({t}).index()];
    before[t] = of_session;
    of_session = history_.committed({t}) ? t : of_session;
  }
  return before;
}

}  // namespace elapid
