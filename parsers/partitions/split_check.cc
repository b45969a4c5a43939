#include "parsers/partitions/split_check.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/memory_account.h"
#include "engine/ir/seeded_hash.h"
#include "engine/levels/entailment.h"
#include "engine/sweep/sweep.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/sources.h"
#include "parsers/partitions/part_history.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/pieces.h"

namespace elapid {

namespace {

using Outcome = std::variant<SplitVerdict, NotSplit>;

constexpr std::string_view kNeedsWhole =
    "the dependencies alone do not decide the levels demanded, and what would decide them cannot "
    "be split: it needs the whole history in memory";

constexpr std::string_view kEvidenceTooLarge =
    "there are anomalies or contradictions of real time, but all transactions that they may "
    "involve "
    "do not fit into memory, and a few of them violate nothing that was demanded";

/// What the pieces say of the whole beside operations.
class WholeInfo {
 public:
  void add(const Piece& piece) {
    const History& history = piece.history();
    const HistoryInfo& info = history.info();
    if (size_.events == 0) {
      first_ = info;
      initial_ = history.text(info.initial);
      f_ = info.f.is_none() ? "" : history.text(info.f);
    }
    is_f_known_ = is_f_known_ && !info.f.is_none() && history.text(info.f) == f_;
    extra_fields_ += info.extra_fields;
    for (const Remark& remark : info.remarks) {
      const auto offset = piece.offset(remark.position.offset);
      if (offset && remark_counts_[remark.kind]++ < HistoryInfo::kMaxRemarks) {
        remarks_.push_back(remark);
        remarks_.back().position.offset = *offset;
        if (remark.other) {
          remarks_.back().other->offset =
              piece.offset(remark.other->offset).value_or(remark.other->offset);
        }
      }
    }
    add_nemesis(piece);
    size_.events = 1;
  }

  /// Of a transaction that is of this piece.
  void count(const History& history, TxnId txn) {
    ++size_.by_status.at(static_cast<std::size_t>(history.status(txn)));
    size_.operations += history.ops(txn).size();
    sessions_.insert(history.session_name(history.session(txn)));
  }

  /// Gives a builder what is known; the info to build with.
  HistoryInfo begin(HistoryBuilder& builder, std::uint64_t keys, const PieceReader& reader) const {
    HistoryInfo info = first_;
    info.initial = builder.values().intern(initial_);
    info.f = is_f_known_ ? builder.values().intern(f_) : ValueId::none();
    info.extra_fields = extra_fields_;
    info.source_bytes = reader.bytes();
    info.remarks.clear();
    info.nemesis = {};
    info.part_of = size_;
    info.part_of->keys = keys;
    info.part_of->sessions = sessions_.size();
    info.part_of->events = reader.events();
    for (const NemesisEvent& event : nemesis_.events) {
      builder.note_nemesis(event);
    }
    return info;
  }

  [[nodiscard]] const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  void add_nemesis(const Piece& piece) {
    const auto& log = piece.history().info().nemesis;
    for (const NemesisEvent& event : log ? log->events : std::vector<NemesisEvent>()) {
      NemesisEvent placed = event;
      placed.offset = piece.offset(event.offset).value_or(event.offset);
      nemesis_.add(std::move(placed));
    }
  }

  HistoryInfo first_;
  HistorySize size_;
  std::string initial_;
  std::string f_;
  bool is_f_known_ = true;
  std::uint64_t extra_fields_ = 0;
  std::vector<Remark> remarks_;
  std::map<Remark::Kind, std::size_t> remark_counts_;
  NemesisLog nemesis_;
  std::unordered_set<std::int64_t> sessions_;
};

/// Tells of a pass: `inferring dependencies: 40 %, 12 s left`.
class Pass {
 public:
  Pass(const SplitOptions& options, std::string name) : options_(options), name_(std::move(name)) {}

  /// Whether to go on.
  [[nodiscard]] bool at(std::uint64_t done, std::uint64_t total) const {
    if (!options_.progress) {
      return true;
    }
    std::string stage = name_;
    if (total > 0) {
      const double share = static_cast<double>(done) / static_cast<double>(total);
      stage += ": " + std::to_string(static_cast<int>(share * 100)) + " %";
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
      if (done > 0) {
        const double left = passed.count() / share - passed.count();
        stage += ", " + std::to_string(static_cast<std::int64_t>(left) + 1) + " s left";
      }
    }
    return options_.progress(stage);
  }

 private:
  const SplitOptions& options_;
  std::string name_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

class SplitCheck {
 public:
  SplitCheck(std::unique_ptr<ByteSource> source, const SplitOptions& options)
      : source_(std::move(source)),
        options_(options),
        reader_(*source_, options.read, options.piece_bytes),
        records_(options.scratch) {
    for (unsigned p = 0; p < options.partitions; ++p) {
      partitions_.emplace_back(options.scratch);
    }
  }

  Result<Outcome> run() {
    Status status;
    try {
      status = split();
    } catch (const std::bad_alloc&) {
      not_split_ = "one of " + std::to_string(partitions_.size()) +
                   " partitions, or what is open at one time, takes more memory";
    }
    if (!status) {
      return status.error();
    }
    if (!not_split_.empty()) {
      partitions_.clear();
      status = source_->rewind();
      return status ? Outcome(NotSplit{not_split_, std::move(source_)})
                    : Result<Outcome>(status.error());
    }
    if (std::optional<Result<Outcome>> judged = judge_all()) {
      return *std::move(judged);
    }
    static_cast<void>(MemoryLimit::allows());  // gives back what the larger part took
    status = involve_few();
    return status ? judge() : Result<Outcome>(status.error());
  }

 private:
  static Error stopped() { return usage_error("interrupted"); }

  Status split() {
    Status status = scatter();
    if (!status || !not_split_.empty()) {
      return status;
    }
    status = infer();
    status = status ? sweep() : status;
    return status ? involve(spans_) : status;
  }

  // Pass 1: pieces to partitions.

  Status scatter() {
    const Pass pass(options_, "reading into partitions");
    while (not_split_.empty()) {
      Result<std::optional<Piece>> piece = reader_.next();
      if (!piece) {
        const bool is_of_reader = piece.error().byte_offset.has_value();
        not_split_ = is_of_reader ? "a piece of it cannot be read alone" : piece.error().message;
        return {};
      }
      if (!piece.value()) {
        break;
      }
      if (Status status = scatter_piece(*piece.value()); !status) {
        return status;
      }
      if (!pass.at(source_->consumed(), source_->total())) {
        return stopped();
      }
    }
    if (txns_ == 0) {
      not_split_ = "it has no transactions";
    }
    return records_.flush();
  }

  Status scatter_piece(const Piece& piece) {
    const History& history = piece.history();
    if (history.workload() != Workload::kListAppend) {
      not_split_ = "its workload is not list-append";
      return {};
    }
    if (!history.levels().is_empty()) {
      not_split_ = "its transactions ask for levels of their own";
      return {};
    }
    info_.add(piece);
    std::vector<Segment> segments(partitions_.size());
    std::vector<SegmentWriter> writers;
    for (Segment& segment : segments) {
      writers.emplace_back(history, segment);
    }
    const std::vector<Place> places = place_keys(history, writers);
    ++pieces_;
    for (TxnId txn{0}; txn.index() < history.txn_count() && not_split_.empty(); ++txn.value) {
      if (piece.is_carried(txn)) {
        continue;
      }
      if (Status status = add_record(piece, txn); !status) {
        return status;
      }
      add_ops(piece, txn, places, segments, writers);
      ++txns_;
    }
    for (std::size_t p = 0; p < segments.size(); ++p) {
      if (Status status = partitions_[p].add(segments[p]); !status) {
        return status;
      }
    }
    return {};
  }

  struct Place {
    std::size_t partition = 0;
    std::uint32_t key = 0;
  };

  [[nodiscard]] std::vector<Place> place_keys(const History& history,
                                              std::vector<SegmentWriter>& writers) const {
    std::vector<Place> places;
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      const std::size_t partition = seeded_hash(history.key_text(key)) % partitions_.size();
      places.push_back({partition, writers[partition].add_key(key, pieces_ << 32 | key.value)});
    }
    return places;
  }

  [[nodiscard]] static std::uint32_t status_word(const History& history, TxnId txn) {
    return static_cast<std::uint32_t>(history.status(txn)) +
           (history.differing_invocation(txn) ? SegmentTxn::kAttempted : 0);
  }

  Status add_record(const Piece& piece, TxnId txn) {
    const History& history = piece.history();
    const PlacedEvent invoked = piece.event(txn, EventKind::kInvocation);
    TxnRecord record = {.session = history.session_name(history.session(txn)),
                        .invocation_index = invoked.index,
                        .invocation_time = invoked.time.value_or(TxnRecord::kNoTime),
                        .invocation_offset = invoked.offset,
                        .invoked = invoked.number,
                        .completed = EventId::none().value,
                        .status = status_word(history, txn)};
    if (history.has_completion(txn)) {
      const PlacedEvent completed = piece.event(txn, EventKind::kCompletion);
      record.completion_index = completed.index;
      record.completion_time = completed.time.value_or(TxnRecord::kNoTime);
      record.completion_offset = completed.offset;
      record.completed = completed.number;
    }
    info_.count(history, txn);
    note_sample(history, txn);
    return records_.append(std::span<const TxnRecord>(&record, 1));
  }

  /// A committed transaction, else any: the part has one, as the whole.
  void note_sample(const History& history, TxnId txn) {
    if (txns_ == 0 || (history.committed(txn) && !is_sample_committed_)) {
      sample_ = txns_;
      is_sample_committed_ = history.committed(txn);
    }
  }

  void add_ops(const Piece& piece, TxnId txn, const std::vector<Place>& places,
               std::vector<Segment>& segments, std::vector<SegmentWriter>& writers) {
    const History& history = piece.history();
    const auto add = [&](std::span<const Op> ops, bool is_attempt) {
      for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
        const Op op = ops[mop];
        const bool is_known = op.kind() == OpKind::kAppend || op.kind() == OpKind::kReadList ||
                              (op.kind() == OpKind::kRead && op.value().is_nil());
        if (!is_known) {
          not_split_ = "some operation is neither an append nor a read of a list";
          return;
        }
        const Place place = places[op.key().index()];
        Segment& segment = segments[place.partition];
        if (segment.txns.empty() || segment.txns.back().number != txns_) {
          begin_txn(piece, txn, segment);
        }
        writers[place.partition].add_op(op, place.key, mop, is_attempt);
      }
    };
    add(history.ops(txn), false);
    if (const auto attempt = history.differing_invocation(txn)) {
      add(*attempt, true);
    }
  }

  void begin_txn(const Piece& piece, TxnId txn, Segment& segment) const {
    const History& history = piece.history();
    segment.txns.push_back({.number = txns_,
                            .invoked = piece.event(txn, EventKind::kInvocation).number,
                            .completed = history.has_completion(txn)
                                             ? piece.event(txn, EventKind::kCompletion).number
                                             : EventId::none().value,
                            .status = status_word(history, txn),
                            .op_begin = static_cast<std::uint32_t>(segment.ops.size())});
  }

  // Pass 2: what follows from the keys of each partition. Partitions that did not know of an
  // indeterminate transaction that others believe are inferred once more.

  Status infer() {
    bool is_first = true;
    for (bool has_changed = true; has_changed; is_first = false) {
      has_changed = false;
      const Pass pass(options_, is_first ? "inferring dependencies"
                                         : "inferring what other partitions have shown");
      for (std::size_t p = 0; p < partitions_.size(); ++p) {
        if (!pass.at(p, partitions_.size())) {
          return stopped();
        }
        if (!is_first && !partitions_[p].is_outdated(believed_)) {
          continue;
        }
        const auto keep_going = [&] { return pass.at(p, partitions_.size()); };
        if (Status status = partitions_[p].infer(believed_, keep_going); !status) {
          return status;
        }
        has_changed = true;
      }
      for (const Partition& partition : partitions_) {
        for (const auto& [number, is_believed] : partition.findings().indeterminate) {
          if (is_believed) {
            believed_.insert(number);
          }
        }
      }
    }
    return {};
  }

  // Pass 3: the sweep. Edges lie in slabs of time.

  Status sweep() {
    find_effective_completions();
    std::vector<ScratchFile> slabs;
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      slabs.emplace_back(options_.scratch);
    }
    const Pass sorting(options_, "sorting dependencies by time");
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      Status status = partitions_[p].each_edge([&](IntervalEdge edge) {
        complete(edge.from);
        complete(edge.to);
        const std::uint64_t slab = edge.begin() * slabs.size() / reader_.events();
        return edge.is_implied() ? Status()
                                 : slabs[slab].append(std::span<const IntervalEdge>(&edge, 1));
      });
      if (!status || !sorting.at(p, partitions_.size())) {
        return status ? stopped() : status;
      }
    }
    Sweep sweep;
    const Pass pass(options_, "sweeping over time");
    for (std::size_t i = 0; i < slabs.size(); ++i) {
      Status status = slabs[i].flush();
      auto edges = slabs[i].read<IntervalEdge>(0, slabs[i].file().size() / sizeof(IntervalEdge));
      if (!status || !edges) {
        return status ? edges.error() : status;
      }
      std::ranges::sort(edges.value(), {}, &IntervalEdge::begin);
      for (const IntervalEdge& edge : edges.value()) {
        sweep.add(edge);
      }
      if (!pass.at(i, slabs.size())) {
        return stopped();
      }
    }
    spans_ = sweep.finish();
    shortest_ = spans_.empty() ? TimeSpan() : sweep.shortest();
    return {};
  }

  /// An indeterminate transaction has as good as completed when something that must follow it has:
  /// real time orders that before all that is invoked later.
  void find_effective_completions() {
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> before;  // among indeterminate
    std::vector<std::pair<std::uint32_t, std::uint32_t>> known;            // when, who
    for (const Partition& partition : partitions_) {
      for (const auto& [number, next] : partition.findings().after_indeterminate) {
        if (next.completed != TxnInterval::kNever) {
          known.emplace_back(next.completed, number);
        } else {
          before[next.txn].push_back(number);
        }
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

  // Which transactions the evidence may need.

  Status involve(const std::vector<TimeSpan>& spans) {
    involved_ = {sample_};
    for (const Partition& partition : partitions_) {
      involved_.insert(partition.findings().shown.begin(), partition.findings().shown.end());
    }
    return involve_those_in(spans);
  }

  /// Where the part does not fit into memory: the transactions of one partition's anomalies, and of
  /// one contradiction of real time, those that are fewest.
  Status involve_few() {
    is_reduced_ = true;
    const std::vector<std::uint32_t>* fewest = nullptr;
    for (const Partition& partition : partitions_) {
      const std::vector<std::uint32_t>& shown = partition.findings().shown;
      if (!shown.empty() && (fewest == nullptr || shown.size() < fewest->size())) {
        fewest = &shown;
      }
    }
    involved_ = {sample_};
    if (fewest != nullptr) {
      involved_.insert(fewest->begin(), fewest->end());
    }
    return spans_.empty() ? Status() : involve_those_in({shortest_});
  }

  Status involve_those_in(const std::vector<TimeSpan>& spans) {
    constexpr std::size_t kBlock = 1U << 12;
    for (std::uint32_t first = 0; first < txns_ && !spans.empty();) {
      const auto block = records_.read<TxnRecord>(first, kBlock);
      if (!block) {
        return block.error();
      }
      for (const TxnRecord& record : block.value()) {
        TxnInterval txn = {first++, record.invoked, record.completed};
        const auto status = static_cast<TxnStatus>(record.status % SegmentTxn::kAttempted);
        if (status == TxnStatus::kIndeterminate) {
          txn.completed = TxnInterval::kNever;
          complete(txn);
        }
        const bool happened = status == TxnStatus::kCommitted ||
                              (status == TxnStatus::kIndeterminate && believed_.contains(txn.txn));
        if (happened && is_in(spans, txn)) {
          involved_.insert(txn.txn);
        }
      }
    }
    return {};
  }

  [[nodiscard]] static bool is_in(const std::vector<TimeSpan>& spans, const TxnInterval& txn) {
    const auto span = std::ranges::lower_bound(spans, txn.invoked, {}, &TimeSpan::last);
    return span != spans.end() && span->first <= txn.completed;
  }

  // The verdict.

  /// The answer that rests on all that is involved; nothing if memory does not suffice for it.
  std::optional<Result<Outcome>> judge_all() {
    try {
      Result<Outcome> judged = judge();
      const auto* split = judged ? std::get_if<SplitVerdict>(&judged.value()) : nullptr;
      const bool may_lack_memory = split != nullptr && MemoryLimit::is_set() &&
                                   split->verdict.validity == Validity::kUnknown;
      return may_lack_memory && is_suspicious() ? std::nullopt : std::optional(std::move(judged));
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] bool is_suspicious() const {
    return !spans_.empty() || std::ranges::any_of(partitions_, [](const Partition& partition) {
      return !partition.findings().shown.empty();
    });
  }

  Result<Outcome> judge() {
    while (true) {
      if (!Pass(options_, "collecting evidence").at(0, 0)) {
        return stopped();
      }
      Result<PartHistory> made = make_part();
      if (!made) {
        return made.error();
      }
      const std::vector<std::uint32_t> numbers = std::move(made.value().numbers);
      if (involve_all(doubted(made.value().history, numbers))) {
        continue;
      }
      LoadedHistory part(std::move(made.value().history), sources(), reader_.detection());
      Result<Verdict> verdict = options_.check(part);
      if (!verdict) {
        return std::move(verdict.error());
      }
      if (is_reduced_) {
        keep_whole(part.history(), numbers, verdict.value());
      }
      std::vector<std::uint32_t> shown;
      for (const TxnId txn : shown_txns(part.history(), verdict.value().anomalies)) {
        shown.push_back(numbers[txn.index()]);
      }
      if (is_reduced_ || !involve_all(shown)) {
        weigh(verdict.value());
        return Outcome(SplitVerdict{std::move(part), std::move(verdict).value()});
      }
    }
  }

  /// Others on the keys of the few may violate something, too: of these not all operations are in
  /// the part, and what does not need them is shown alone.
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

  [[nodiscard]] std::shared_ptr<Sources> sources() {
    if (!sources_) {
      sources_ = std::make_shared<Sources>(std::move(source_));
    }
    return sources_;
  }

  /// Whether some of these are new.
  bool involve_all(const std::vector<std::uint32_t>& txns) {
    const std::size_t before = involved_.size();
    involved_.insert(txns.begin(), txns.end());
    return involved_.size() > before;
  }

  Result<PartHistory> make_part() {
    KeyNames keys(partitions_.size());
    std::uint64_t key_count = 0;
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      keys[p].insert(partitions_[p].findings().open_keys.begin(),
                     partitions_[p].findings().open_keys.end());
      key_count += partitions_[p].findings().keys;
    }
    if (Status status = add_keys_of(partitions_, involved_, keys); !status) {
      return status.error();
    }
    HistoryBuilder builder;
    HistoryInfo info = info_.begin(builder, key_count, reader_);
    return part_history(partitions_, records_, keys, sample_, info_.remarks(), builder,
                        std::move(info));
  }

  /// The indeterminate ones that happened, but nothing in the part shows it. Of reads without an
  /// answer nothing follows.
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

  /// What violates the part violates the whole. That the part is valid says the same of the whole
  /// where the inference alone says so, or where the sweep has found no contradiction.
  void weigh(Verdict& verdict) const {
    const bool is_serial = std::ranges::all_of(
        partitions_, [](const Partition& partition) { return partition.findings().is_serial; });
    const bool follows = (verdict.checked & ~entailed(Model::kPlSs)).none();
    const bool is_inferred = verdict.engine == "elle" && verdict.levels.empty() && !is_reduced_;
    const bool is_proven = is_inferred || (is_serial && spans_.empty() && follows);
    if (verdict.validity == Validity::kValid && !is_proven) {
      verdict.validity = Validity::kUnknown;
      verdict.unknown_because = is_reduced_ ? kEvidenceTooLarge : kNeedsWhole;
      verdict.complete = false;
      verdict.levels.clear();
    }
    if (verdict.validity == Validity::kInvalid && is_reduced_) {
      verdict.warnings.emplace_back(
          "the evidence is a part of what was found: all of it does not fit into memory");
    }
  }

  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<Sources> sources_;
  const SplitOptions& options_;
  PieceReader reader_;
  ScratchFile records_;  // TxnRecord
  std::vector<Partition> partitions_;
  WholeInfo info_;
  std::string not_split_;
  std::uint32_t txns_ = 0;
  std::uint64_t pieces_ = 0;
  std::uint32_t sample_ = 0;
  bool is_sample_committed_ = false;
  TxnNumbers believed_;
  std::unordered_map<std::uint32_t, std::uint32_t> effective_;
  std::vector<TimeSpan> spans_;
  TimeSpan shortest_;
  TxnNumbers involved_;
  bool is_reduced_ = false;  // these are few of all
};

}  // namespace

Result<Outcome> check_in_partitions(std::unique_ptr<ByteSource> source,
                                    const SplitOptions& options) {
  return SplitCheck(std::move(source), options).run();
}

}  // namespace elapid
