#include "parsers/partitions/split_check.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/memory_account.h"
#include "engine/levels/entailment.h"
#include "engine/sweep/sweep.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/sources.h"
#include "parsers/partitions/collect_part.h"
#include "parsers/partitions/part_history.h"
#include "parsers/partitions/pass.h"

namespace elapid {

namespace {

using Outcome = std::variant<SplitVerdict, NotSplit>;

constexpr std::string_view kNeedsWhole =
    "the dependencies alone do not decide the levels demanded, and the rest of the check needs the "
    "whole history in memory";

constexpr std::string_view kEvidenceTooLarge =
    "there are anomalies or contradictions of real time, but all transactions that they may "
    "involve "
    "do not fit into memory, and a few of them violate nothing that was demanded";

constexpr std::string_view kTakesMore =
    "neither the history nor the smallest part of it that holds evidence fits into memory";

/// The contradictions that a sweep found.
struct Swept {
  std::vector<TimeSpan> spans = {};
  TimeSpan shortest = {};
};

class SplitCheck {
 public:
  SplitCheck(std::unique_ptr<ByteSource> source, const SplitOptions& options, Peers& peers)
      : source_(std::move(source)),
        options_(options),
        peers_(peers),
        partitions_(partitions_in(options)),
        scattered_(*source_, options_.scatter, peers, partitions_),
        count_(std::uint64_t{options.partitions} * peers.count()) {}

  Result<Outcome> run() {
    Status status;
    std::string not_split;
    try {
      status = split();
      not_split = scattered_.why_not();
    } catch (const std::bad_alloc&) {
      if (!peers_.is_alone()) {
        throw;
      }
      not_split = "one of " + std::to_string(partitions_.size()) +
                  " partitions, or what is open at one time, takes more memory";
    }
    if (!status) {
      return status.error();
    }
    if (!not_split.empty()) {
      partitions_.clear();
      status = source_->rewind();
      return status ? Outcome(NotSplit{std::move(not_split), std::move(source_)})
                    : Result<Outcome>(status.error());
    }
    return judge();
  }

 private:
  static std::vector<Partition> partitions_in(const SplitOptions& options) {
    std::vector<Partition> partitions;
    for (unsigned p = 0; p < options.partitions; ++p) {
      partitions.emplace_back(options.scatter.scratch);
    }
    return partitions;
  }

  Status split() {
    Status status = scattered_.run();
    if (!status || !scattered_.why_not().empty()) {
      return status;
    }
    status = infer();
    if (!status) {
      return status;
    }
    share_findings();
    status = is_atomic(options_.demand) ? join_pairs() : status;
    find_effective_completions();
    status = status ? sweep(Nodes::kTransactions, swept_) : status;
    const bool has_snapshots =
        options_.demand == Demand::kSnapshots && scattered_.events() < kMostEventsOfNodes;
    if (status && has_snapshots && !swept_.spans.empty()) {
      status = sweep_snapshots();
    }
    return status ? involve(swept_.spans) : status;
  }

  // Pass 2: inference from the keys of each partition. A partition is inferred again if other
  // partitions believe an indeterminate transaction that it did not.

  Status infer() {
    bool is_first = true;
    for (bool goes_on = true; goes_on; is_first = false) {
      const Pass pass(
          options_.scatter.progress,
          is_first ? "inferring dependencies" : "inferring what other partitions have shown");
      for (std::size_t p = 0; p < partitions_.size(); ++p) {
        const auto keep_going = [&] { return pass.at(p, partitions_.size()); };
        if (!keep_going()) {
          return Pass::stopped();
        }
        if (is_first || partitions_[p].is_outdated(believed_)) {
          if (Status status = partitions_[p].infer(believed_, options_.demand, keep_going);
              !status) {
            return status;
          }
        }
      }
      goes_on = share_belief();
    }
    return {};
  }

  /// Shares which indeterminate transactions happened. Returns whether some partition must be
  /// inferred again.
  bool share_belief() {
    std::vector<std::uint32_t> shown;
    for (const Partition& partition : partitions_) {
      for (const auto& [number, is_believed] : partition.findings().indeterminate) {
        if (is_believed && !believed_.contains(number)) {
          shown.push_back(number);
        }
      }
    }
    shown = tell_all_in_a_row(peers_, shown);
    believed_.insert(shown.begin(), shown.end());
    const bool is_outdated = std::ranges::any_of(
        partitions_, [&](const Partition& partition) { return partition.is_outdated(believed_); });
    return !tell_all_in_a_row(peers_, std::vector<char>(is_outdated ? 1 : 0)).empty();
  }

  /// Shares the facts of all partitions that the verdict needs, in their order.
  void share_findings() {
    Packer packer;
    for (const Partition& partition : partitions_) {
      const PartitionFindings& findings = partition.findings();
      packer.put(findings.keys);
      packer.put(findings.is_serial);
      packer.put(findings.is_clean);
      packer.put(findings.has_ties);
      packer.put<std::uint64_t>(findings.shown.size());
      packer.put_all(std::span<const std::uint32_t>(findings.shown));
    }
    for (const Bytes& bytes : tell_all(peers_, packer.bytes())) {
      for (Unpacker packed(bytes); !packed.is_at_end();) {
        keys_ += packed.get<std::uint64_t>();
        is_serial_ = packed.get<bool>() && is_serial_;
        is_clean_ = packed.get<bool>() && is_clean_;
        has_ties_ = packed.get<bool>() || has_ties_;
        shown_.emplace_back(packed.get<std::uint64_t>());
        for (std::uint32_t& number : shown_.back()) {
          number = packed.get<std::uint32_t>();
        }
      }
    }
  }

  [[nodiscard]] std::vector<ScratchFile> slabs() const {
    std::vector<ScratchFile> slabs;
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      slabs.emplace_back(options_.scatter.scratch);
    }
    return slabs;
  }

  /// An entry for a slab, on its way to the slab's rank.
  template <class Entry>
  struct Placed {
    std::uint64_t slab = 0;  // at its rank
    Entry entry;
  };

  template <class Entry>
  Status fill_slabs(std::vector<Packer>& to_each, std::vector<ScratchFile>& slabs) {
    Status status;
    for (const Bytes& told : peers_.exchange(bytes_of(to_each))) {
      for (Unpacker packed(told); status && !packed.is_at_end();) {
        const auto placed = packed.get<Placed<Entry>>();
        status = slabs[placed.slab].append(std::span<const Entry>(&placed.entry, 1));
      }
    }
    return status;
  }

  /// All entries of a slab.
  template <class Entry>
  static Result<std::vector<Entry>> entries_of(ScratchFile& slab) {
    const Status status = slab.flush();
    return status ? slab.read<Entry>(0, slab.file().size() / sizeof(Entry))
                  : Result<std::vector<Entry>>(status.error());
  }

  // If the demand asks for it: transactions that saw a part of another transaction. What a
  // transaction has read and what it has missed lie in different partitions; its number joins them.

  Status join_pairs() {
    std::vector<ScratchFile> slabs = this->slabs();
    const Pass pass(options_.scatter.progress, "joining reads");
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      std::vector<Packer> to_each(peers_.count());
      Status status = partitions_[p].each_pair([&](const SeenPair& pair) {
        const std::uint64_t slab = pair.reader % count_;
        if (peers_.is_alone()) {
          return slabs[slab].append(std::span(&pair, 1));
        }
        to_each[slab / slabs.size()].put(Placed<SeenPair>{slab % slabs.size(), pair});
        return Status();
      });
      status = status ? fill_slabs<SeenPair>(to_each, slabs) : status;
      if (!status || !pass.at(p, partitions_.size())) {
        return status ? Pass::stopped() : status;
      }
    }
    std::vector<SeenPair> suspects;
    for (ScratchFile& slab : slabs) {
      Result<std::vector<SeenPair>> pairs = entries_of<SeenPair>(slab);
      if (!pairs) {
        return pairs.error();
      }
      std::ranges::sort(pairs.value());
      for (std::size_t i = 1; i < pairs.value().size(); ++i) {
        const SeenPair& read = pairs.value()[i - 1];
        const SeenPair& missed = pairs.value()[i];
        if (read.reader == missed.reader && read.writer == missed.writer &&
            read.is_missed < missed.is_missed) {
          suspects.push_back(missed);
        }
      }
    }
    for (const Partition& partition : partitions_) {
      const std::vector<SeenPair>& missed = partition.findings().missed_of_session;
      suspects.insert(suspects.end(), missed.begin(), missed.end());
    }
    suspects = tell_all_in_a_row(peers_, suspects);
    std::ranges::sort(suspects);
    for (std::size_t i = 0; i < suspects.size(); ++i) {  // a single one may have to suffice
      if (i < 2) {
        shown_.emplace_back();
      }
      shown_.back().insert(shown_.back().end(), {suspects[i].reader, suspects[i].writer});
    }
    return {};
  }

  // Pass 3: the sweep. Edges lie in slabs of time, as many as there are partitions.

  /// The nodes of the sweep: transactions, or their starts and commits, with or without guesses.
  enum class Nodes : char { kTransactions, kSnapshots, kGuessedSnapshots };

  /// Starts and commits are numbered by twice the transaction's number, which is below twice this.
  static constexpr std::uint64_t kMostEventsOfNodes = std::uint64_t{1} << 30;

  /// Finds out whether strong snapshot isolation holds with the guessed orders, which no read
  /// contradicts; if not, where it is violated.
  Status sweep_snapshots() {
    Status status = sweep(Nodes::kGuessedSnapshots, snapshots_.emplace());
    is_proven_ = snapshots_->spans.empty() && is_serial_ && is_clean_;
    if (status && is_proven_) {
      swept_ = {};
    }
    return status && !is_proven_ ? sweep(Nodes::kSnapshots, *snapshots_) : status;
  }

  Status sweep(Nodes nodes, Swept& swept) {
    std::vector<ScratchFile> slabs = this->slabs();
    const Pass sorting(options_.scatter.progress, "sorting dependencies by time");
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      Status status = sort_edges(partitions_[p], nodes, slabs);
      if (!status || !sorting.at(p, partitions_.size())) {
        return status ? Pass::stopped() : status;
      }
    }
    Sweep sweep(static_cast<std::uint32_t>(first_of_slab(peers_.rank() * slabs.size())));
    const Pass pass(options_.scatter.progress, "sweeping over time");
    for (std::size_t i = 0; i < slabs.size(); ++i) {
      Result<std::vector<IntervalEdge>> edges = entries_of<IntervalEdge>(slabs[i]);
      if (!edges) {
        return edges.error();
      }
      std::ranges::sort(edges.value(), {}, [](const IntervalEdge& edge) {
        return std::tuple(edge.begin(), edge.from.txn, edge.to.txn);
      });
      const auto is_same = [](const IntervalEdge& a, const IntervalEdge& b) {
        return a.from == b.from && a.to == b.to;
      };
      const auto same = std::ranges::unique(edges.value(), is_same);
      edges.value().erase(same.begin(), same.end());
      for (const IntervalEdge& edge : edges.value()) {
        sweep.add(edge);
      }
      if (!pass.at(i, slabs.size())) {
        return Pass::stopped();
      }
    }
    share_spans(sweep, swept);
    return {};
  }

  [[nodiscard]] std::uint64_t slab_of(std::uint64_t instant) const {
    return instant * count_ / scattered_.events();
  }

  /// The first instant of a slab.
  [[nodiscard]] std::uint64_t first_of_slab(std::uint64_t slab) const {
    return (slab * scattered_.events() + count_ - 1) / count_;
  }

  /// Sends the edges of a partition to the slabs where they begin, and to ranks that sweep later
  /// while the source is open.
  Status sort_edges(const Partition& partition, Nodes nodes, std::vector<ScratchFile>& slabs) {
    std::vector<Packer> to_each(peers_.count());
    const auto place = [&](const IntervalEdge& edge) {
      const std::uint64_t slab = slab_of(edge.begin());
      if (peers_.is_alone()) {
        return slabs[slab].append(std::span(&edge, 1));
      }
      const unsigned first = static_cast<unsigned>(slab / slabs.size());
      to_each[first].put(Placed<IntervalEdge>{slab % slabs.size(), edge});
      for (unsigned rank = first + 1;
           rank < peers_.count() && first_of_slab(rank * slabs.size()) <= edge.from.completed;
           ++rank) {
        to_each[rank].put(Placed<IntervalEdge>{0, edge});
      }
      return Status();
    };
    Status status = partition.each_edge([&](IntervalEdge edge) {
      complete(edge.from);
      complete(edge.to);
      const bool is_guess = edge.kind == IntervalEdge::Kind::kGuess;
      if (edge.is_implied() || (is_guess && nodes != Nodes::kGuessedSnapshots)) {
        return Status();
      }
      return nodes == Nodes::kTransactions ? place(edge) : place_nodes(edge, place);
    });
    return status ? fill_slabs<IntervalEdge>(to_each, slabs) : status;
  }

  /// Places the edges between starts and commits. A transaction sees what was committed before its
  /// start, and what it misses is committed later. Its commit follows its start.
  template <class Place>
  static Status place_nodes(const IntervalEdge& edge, Place place) {
    const auto start = [](TxnInterval txn) {
      txn.txn *= 2;
      return txn;
    };
    const auto commit = [&start](TxnInterval txn) {
      txn = start(txn);
      ++txn.txn;
      return txn;
    };
    const bool is_missed = edge.kind == IntervalEdge::Kind::kAntiDependency;
    Status status = place({is_missed ? start(edge.from) : commit(edge.from),
                           is_missed ? commit(edge.to) : start(edge.to)});
    for (const TxnInterval& txn : {edge.from, edge.to}) {
      status = status ? place({start(txn), commit(txn)}) : status;
    }
    return status;
  }

  /// Joins the spans of all ranks, which ascend, as one sweep would find them.
  void share_spans(Sweep& sweep, Swept& swept) {
    swept = {};
    for (const TimeSpan& span : tell_all_in_a_row(peers_, sweep.finish())) {
      add_span(swept.spans, span);
    }
    std::vector<TimeSpan> shortest;
    if (sweep.has_contradiction()) {
      shortest.push_back(sweep.shortest());
    }
    shortest = tell_all_in_a_row(peers_, shortest);
    const auto length = [](const TimeSpan& span) { return span.last - span.first; };
    swept.shortest =
        shortest.empty() ? TimeSpan() : *std::ranges::min_element(shortest, {}, length);
  }

  /// Finds effective completions: once a transaction has completed that must follow an
  /// indeterminate one, real time orders the indeterminate one before all later invocations.
  void find_effective_completions() {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> before;  // among indeterminate
    std::vector<std::pair<std::uint32_t, std::uint32_t>> known;            // when, who
    std::vector<AfterIndeterminate> after;
    for (const Partition& partition : partitions_) {
      const auto& found = partition.findings().after_indeterminate;
      after.insert(after.end(), found.begin(), found.end());
    }
    for (const auto& [number, next] : tell_all_in_a_row(peers_, after)) {
      if (next.completed != TxnInterval::kNever) {
        known.emplace_back(next.completed, number);
      } else {
        before[next.txn].push_back(number);
      }
    }
    std::ranges::sort(known);
    for (const auto& [when, who] : known) {
      std::vector<std::uint32_t> pending = {who};
      while (!pending.empty()) {
        const std::uint32_t number = pending.back();
        pending.pop_back();
        if (effective_.try_emplace(number, when).second) {
          const auto earlier = before.find(number);
          if (earlier != before.end()) {
            pending.insert(pending.end(), earlier->second.begin(), earlier->second.end());
          }
        }
      }
    }
  }

  void complete(TxnInterval& txn) const {
    if (txn.completed == TxnInterval::kNever) {
      const auto known = effective_.find(txn.txn);
      txn.completed = known == effective_.end() ? TxnInterval::kNever : known->second;
    }
  }

  // The transactions that the evidence may need.

  Status involve(const std::vector<TimeSpan>& spans) {
    involved_ = {sample()};
    for (const std::vector<std::uint32_t>& shown : shown_) {
      involved_.insert(shown.begin(), shown.end());
    }
    return involve_those_in(spans);
  }

  /// Involves fewer transactions if the part does not fit into memory. First those that contradict
  /// snapshot isolation, if that is demanded and was not tried yet; else those of one partition's
  /// anomalies and of one contradiction of real time, the fewest of each.
  Status involve_few() {
    if (snapshots_ && !is_narrow_) {
      is_narrow_ = true;
      swept_ = *snapshots_;
      return involve(swept_.spans);
    }
    is_reduced_ = true;
    const std::vector<std::uint32_t>* fewest = nullptr;
    for (const std::vector<std::uint32_t>& shown : shown_) {
      if (!shown.empty() && (fewest == nullptr || shown.size() < fewest->size())) {
        fewest = &shown;
      }
    }
    involved_ = {sample()};
    if (fewest != nullptr) {
      involved_.insert(fewest->begin(), fewest->end());
    }
    return swept_.spans.empty() ? Status() : involve_those_in({swept_.shortest});
  }

  /// The sample transaction of the first rank, which knows the whole input.
  [[nodiscard]] std::uint32_t sample() {
    return tell_all(peers_, std::vector<std::uint32_t>{scattered_.info().sample()}).front().front();
  }

  Status involve_those_in(const std::vector<TimeSpan>& spans) {
    constexpr std::size_t kBlock = 1U << 12;
    std::vector<std::uint32_t> found;
    const std::uint64_t count =
        spans.empty() ? 0 : scattered_.records().file().size() / sizeof(TxnRecord);
    for (std::uint64_t place = 0; place < count;) {
      const auto block = scattered_.records().read<TxnRecord>(place, kBlock);
      if (!block) {
        return block.error();
      }
      for (const TxnRecord& record : block.value()) {
        TxnInterval txn = {scattered_.number_at(place++), record.invoked, record.completed};
        const auto status = static_cast<TxnStatus>(record.status % SegmentTxn::kAttempted);
        if (status == TxnStatus::kIndeterminate) {
          txn.completed = TxnInterval::kNever;
          complete(txn);
        }
        const bool happened = status == TxnStatus::kCommitted ||
                              (status == TxnStatus::kIndeterminate && believed_.contains(txn.txn));
        if (happened && is_in(spans, txn)) {
          found.push_back(txn.txn);
        }
      }
    }
    involve_all(tell_all_in_a_row(peers_, found));
    return {};
  }

  [[nodiscard]] static bool is_in(const std::vector<TimeSpan>& spans, const TxnInterval& txn) {
    const auto span = std::ranges::lower_bound(spans, txn.invoked, {}, &TimeSpan::last);
    return span != spans.end() && span->first <= txn.completed;
  }

  // The verdict. The first rank decides what comes next.

  enum class Next : char { kIsDone, kNeedsMore, kNeedsLess };

  Result<Outcome> judge() {
    while (true) {
      if (!Pass(options_.scatter.progress, "collecting evidence").at(0, 0)) {
        return Pass::stopped();
      }
      Next next = Next::kIsDone;
      std::vector<std::uint32_t> more;
      Result<Outcome> outcome = Outcome(NotSplit());
      bool is_collected = false;
      try {
        Result<std::optional<PartData>> data =
            collect_part(partitions_, scattered_, involved_, !is_reduced_, peers_);
        if (!data) {
          return data.error();
        }
        is_collected = true;
        if (!data.value()) {
          next = Next::kNeedsLess;
        } else if (peers_.is_first()) {
          outcome = judge(*data.value(), more);
          next = more.empty() ? next : Next::kNeedsMore;
        }
      } catch (const std::bad_alloc&) {
        if (!(peers_.is_alone() || (is_collected && peers_.is_first()))) {
          throw;
        }
        next = is_reduced_ ? Next::kIsDone : Next::kNeedsLess;
        outcome = Error{.kind = ErrorKind::kUnreadable, .message = std::string(kTakesMore)};
      }
      next = lacks_memory(outcome) ? Next::kNeedsLess : next;
      next = tell_all<Next>(peers_, {next}).front().front();
      if (next == Next::kIsDone) {
        return outcome;
      }
      if (next == Next::kNeedsMore) {
        involve_all(tell_all(peers_, more).front());
        continue;
      }
      static_cast<void>(MemoryLimit::allows());  // returns the memory of the larger part
      if (Status status = involve_few(); !status) {
        return status.error();
      }
    }
  }

  /// Whether the verdict is unknown, possibly since the part is too large for memory. Of a part
  /// that violates nothing, a smaller part violates nothing either.
  [[nodiscard]] bool lacks_memory(const Result<Outcome>& outcome) const {
    const auto* split = outcome ? std::get_if<SplitVerdict>(&outcome.value()) : nullptr;
    const bool is_suspicious =
        !swept_.spans.empty() || std::ranges::any_of(shown_, std::not_fn(&Numbers::empty));
    return split != nullptr && !is_reduced_ && MemoryLimit::is_set() &&
           split->verdict.validity == Validity::kUnknown &&
           split->verdict.unknown_because != kNeedsWhole && is_suspicious;
  }

  /// Checks the part, unless that needs `more` transactions.
  Result<Outcome> judge(const PartData& data, std::vector<std::uint32_t>& more) {
    HistoryBuilder builder;
    HistoryInfo info =
        scattered_.info().begin(builder, keys_, scattered_.events(), scattered_.bytes());
    Result<PartHistory> made = part_history(data, scattered_.info().sample(),
                                            scattered_.info().remarks(), builder, std::move(info));
    if (!made) {
      return made.error();
    }
    const std::vector<std::uint32_t> numbers = std::move(made.value().numbers);
    more = not_involved(doubted(made.value().history, numbers));
    if (!more.empty()) {
      return Outcome(NotSplit());
    }
    LoadedHistory part(std::move(made.value().history), input());
    Result<Verdict> verdict = options_.check(part);
    if (!verdict) {
      return std::move(verdict.error());
    }
    if (is_reduced_) {
      keep_whole(part.history(), numbers, verdict.value());
    } else {
      std::vector<std::uint32_t> shown;
      for (const TxnId txn : shown_txns(part.history(), verdict.value().anomalies)) {
        shown.push_back(numbers[txn.index()]);
      }
      more = not_involved(shown);
    }
    if (!more.empty()) {
      return Outcome(NotSplit());
    }
    weigh(verdict.value());
    return Outcome(SplitVerdict{std::move(part), std::move(verdict).value()});
  }

  /// Of a part with few transactions, other transactions on its keys may violate something too, but
  /// not all their operations are in the part. Shows only anomalies that need none of these, if
  /// there are any.
  void keep_whole(const History& part, const std::vector<std::uint32_t>& numbers,
                  Verdict& verdict) const {
    const auto is_whole = [&](const Anomaly& anomaly) {
      return std::ranges::all_of(shown_txns(part, {anomaly}), [&](TxnId txn) {
        return involved_.contains(numbers[txn.index()]);
      });
    };
    if (std::ranges::any_of(verdict.anomalies, is_whole)) {
      std::erase_if(verdict.anomalies, std::not_fn(is_whole));
    }
  }

  [[nodiscard]] std::shared_ptr<LoadedInput> input() {
    if (!input_) {
      input_ = std::make_shared<LoadedInput>(Sources(std::move(source_)), scattered_.detection());
    }
    return input_;
  }

  void involve_all(const std::vector<std::uint32_t>& txns) {
    involved_.insert(txns.begin(), txns.end());
  }

  [[nodiscard]] std::vector<std::uint32_t> not_involved(std::vector<std::uint32_t> txns) const {
    std::erase_if(txns, [this](std::uint32_t number) { return involved_.contains(number); });
    return txns;
  }

  /// Indeterminate transactions that happened, although nothing in the part shows it. Reads without
  /// a result have no consequences.
  [[nodiscard]] std::vector<std::uint32_t> doubted(
      const History& part, const std::vector<std::uint32_t>& numbers) const {
    const Inference inference = row_of(Workload::kListAppend).infer(part, {}, [] { return true; });
    std::vector<std::uint32_t> doubted;
    for (TxnId txn{0}; txn.index() < part.txn_count(); ++txn.value) {
      const bool says_something =
          std::ranges::any_of(part.ops(txn), [](Op op) { return op.kind() != OpKind::kRead; });
      if (says_something && believed_.contains(numbers[txn.index()]) &&
          !inference.believed[txn.index()]) {
        doubted.push_back(numbers[txn.index()]);
      }
    }
    return doubted;
  }

  /// A violation of the part is one of the whole. The whole is valid like its part if the inference
  /// decides that alone, key by key, or if the sweep found no contradiction, so that only what
  /// single transactions see could violate a level, and the part has all of these.
  void weigh(Verdict& verdict) const {
    const bool follows = (verdict.checked & ~entailed(model_of(options_.demand))).none();
    const bool is_inferred = verdict.engine == "elle" && verdict.levels.empty() && !is_reduced_ &&
                             !is_narrow_ && !has_ties_;
    const bool shows_all = !is_reduced_ || std::ranges::all_of(shown_, &Numbers::empty);
    const bool has_all = shows_all && (!is_atomic(options_.demand) || is_clean_);
    const bool is_swept =
        is_proven_ || (is_serial_ && swept_.spans.empty() && has_all && !is_narrow_);
    const bool is_proven = is_inferred || (is_swept && follows);
    if (verdict.validity == Validity::kValid && !is_proven) {
      verdict.validity = Validity::kUnknown;
      verdict.unknown_because = is_reduced_ ? kEvidenceTooLarge : kNeedsWhole;
      verdict.complete = false;
      verdict.levels.clear();
    }
    if (verdict.validity == Validity::kInvalid && is_reduced_) {
      verdict.warnings.emplace_back("only a part of the evidence fits into memory and is shown");
    }
  }

  using Numbers = std::vector<std::uint32_t>;

  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<LoadedInput> input_;
  const SplitOptions& options_;
  Peers& peers_;
  std::vector<Partition> partitions_;  // of this rank
  Scatter scattered_;
  std::uint64_t count_;  // of partitions of all ranks
  TxnNumbers believed_;
  std::unordered_map<std::uint32_t, std::uint32_t> effective_;
  Swept swept_;
  std::optional<Swept> snapshots_;  // contradictions to snapshot isolation
  std::uint64_t keys_ = 0;
  bool is_serial_ = true;
  bool is_clean_ = true;
  bool has_ties_ = false;
  bool is_proven_ = false;      // whatever the verdict on the part is
  bool is_narrow_ = false;      // the part is that of snapshots_
  std::vector<Numbers> shown_;  // by partition: PartitionFindings::shown
  TxnNumbers involved_;
  bool is_reduced_ = false;  // only few transactions are involved
};

}  // namespace

Result<Outcome> check_in_partitions(std::unique_ptr<ByteSource> source,
                                    const SplitOptions& options) {
  Peers alone;
  return SplitCheck(std::move(source), options, options.peers ? *options.peers : alone).run();
}

}  // namespace elapid
