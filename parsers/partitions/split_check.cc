#include "parsers/partitions/split_check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/memory_account.h"
#include "engine/ir/seeded_hash.h"
#include "engine/levels/entailment.h"
#include "engine/sweep/sweep.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/sources.h"
#include "parsers/partitions/line_range.h"
#include "parsers/partitions/part_history.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/pieces.h"
#include "parsers/partitions/whole_info.h"

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
  SplitCheck(std::unique_ptr<ByteSource> source, const SplitOptions& options, Peers& peers)
      : source_(std::move(source)),
        options_(options),
        peers_(peers),
        reader_(std::in_place, *source_, options.read, options.piece_bytes),
        records_(options.scratch),
        count_(options.partitions * peers.count()),
        seed_(tell_all<HashSeed>(peers, {hash_seed()}).front().front()),
        pieces_(std::uint64_t{peers.rank()} << 20) {
    for (unsigned p = 0; p < options.partitions; ++p) {
      partitions_.emplace_back(options.scratch);
    }
  }

  Result<Outcome> run() {
    Status status;
    try {
      status = split();
    } catch (const std::bad_alloc&) {
      if (!peers_.is_alone()) {
        throw;
      }
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
    return judge();
  }

 private:
  static Error stopped() { return usage_error("interrupted"); }

  Status split() {
    Status status = peers_.is_alone() ? Status() : begin_range();
    status = status && not_split_.empty() ? scatter() : status;
    if (!status || !not_split_.empty()) {
      return status;
    }
    status = infer();
    status = status ? sweep() : status;
    if (status) {
      share_findings();
      status = involve(spans_);
    }
    return status;
  }

  /// Whether all ranks go on. Where one cannot, all know why.
  bool agree() {
    const std::vector<char> reason(not_split_.begin(), not_split_.end());
    for (const std::vector<char>& told : tell_all(peers_, reason)) {
      if (not_split_.empty()) {
        not_split_.assign(told.begin(), told.end());
      }
    }
    return not_split_.empty();
  }

  // Pass 1: pieces to partitions.

  /// The format is told by the beginning of the input; then each rank goes to its range.
  Status begin_range() {
    if (!has_ranges(*source_)) {
      not_split_ = "only a file that is not compressed has ranges for several processes";
    }
    source_bytes_ = source_->total();
    const auto sizes = tell_all_in_a_row<std::uint64_t>(peers_, {source_bytes_});
    if (std::ranges::count(sizes, source_bytes_) != std::ssize(sizes)) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "is not of the same size for all processes"};
    }
    if (!agree()) {
      return {};
    }
    constexpr std::uint64_t kBeginning = std::uint64_t{1} << 20;
    PieceReader beginning(*source_, options_.read, std::min(kBeginning, options_.piece_bytes));
    if (const std::optional<Piece> piece = take(beginning.next()); piece) {
      info_.begin_with(piece->history());
    }
    const Result<LineRange> range = range_of(*source_, peers_.rank(), peers_.count());
    if (!range) {
      return range.error();
    }
    lines_of_ranks_ = tell_all_in_a_row<std::uint64_t>(peers_, {range.value().lines});
    if (!agree()) {
      return {};
    }
    std::uint64_t before = 0;
    for (unsigned rank = 0; rank < peers_.count(); ++rank) {
      before += rank < peers_.rank() ? lines_of_ranks_[rank] : 0;
      lines_ += lines_of_ranks_[rank];
    }
    if (lines_ >= std::numeric_limits<std::uint32_t>::max()) {
      not_split_ = "it has too many events";
      return {};
    }
    first_number_ = static_cast<std::uint32_t>(before);
    next_number_ = first_number_;
    range_ = range_source(*source_, range.value());
    reader_.emplace(*range_, beginning, range.value(), before, options_.piece_bytes);
    return {};
  }

  /// The piece; nothing at the end, and where it cannot be read.
  std::optional<Piece> take(Result<std::optional<Piece>> piece) {
    if (!piece) {
      const bool is_of_reader = piece.error().byte_offset.has_value();
      not_split_ = is_of_reader ? "a piece of it cannot be read alone" : piece.error().message;
      return std::nullopt;
    }
    return std::move(piece).value();
  }

  Status scatter() {
    const Pass pass(options_, "reading into partitions");
    const ByteSource& source = range_ ? *range_ : *source_;
    for (bool goes_on = true; goes_on;) {
      const std::optional<Piece> piece = take(reader_->next());
      Status status = piece ? scatter_piece(*piece) : Status();
      status = status ? deliver(piece.has_value(), goes_on) : status;
      if (!status || !not_split_.empty()) {
        return status;
      }
      if (!pass.at(source.consumed(), source.total())) {
        return stopped();
      }
    }
    Status status = peers_.is_alone() ? Status() : scatter_loose();
    events_ = peers_.is_alone() ? reader_->events() : lines_;
    for (Partition& partition : partitions_) {
      status = status ? partition.close() : status;
    }
    if (peers_.is_first() && info_.transactions() == 0) {
      not_split_ = "it has no transactions";
    }
    agree();
    return status ? records_.flush() : status;
  }

  /// What is open between ranges is read by the first rank, which learns of the others what they
  /// say of the whole.
  Status scatter_loose() {
    Packer packer;
    info_.pack(packer);
    packer.put(reader_->indices());
    for (const auto* lines : {&reader_->loose_ends(), &reader_->loose_beginnings()}) {
      packer.put<std::uint64_t>(lines->size());
      for (const LooseLine& line : *lines) {
        packer.put(line.number);
        packer.put(line.session);
        packer.put(line.offset);
        packer.put_text(line.text);
      }
    }
    const std::vector<Bytes> told = gather(peers_, std::move(packer.bytes()));
    bool ignored = false;
    Status status = peers_.is_first() ? scatter_loose_of(told) : Status();
    return status ? deliver(false, ignored) : status;
  }

  static std::vector<LooseLine> unpacked_lines(Unpacker& packed) {
    std::vector<LooseLine> lines(packed.get<std::uint64_t>());
    for (LooseLine& line : lines) {
      line.number = packed.get<std::uint32_t>();
      line.session = packed.get<std::int64_t>();
      line.offset = packed.get<std::uint64_t>();
      line.text = packed.text();
    }
    return lines;
  }

  Status scatter_loose_of(const std::vector<Bytes>& told) {
    std::vector<LooseLine> all;
    std::unordered_set<std::int64_t> busy;
    PieceReader::Indices before;
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
      Unpacker packed(told[rank]);
      const WholeInfo info = WholeInfo::unpacked(packed);
      const auto indices = packed.get<PieceReader::Indices>();
      const std::vector<LooseLine> ends = unpacked_lines(packed);
      const std::vector<LooseLine> beginnings = unpacked_lines(packed);
      if (!info.continues(ends, beginnings, busy)) {
        not_split_ =
            "an operation completes without an invocation, or is not the only one of its "
            "process at that time";
        return {};
      }
      if (!before.precedes(indices)) {
        not_split_ = "its events are indexed in part, or their indices do not ascend";
        return {};
      }
      before = indices.is_known ? indices : before;
      if (rank > 0) {
        info_.add(info);
      }
      all.insert(all.end(), ends.begin(), ends.end());
      all.insert(all.end(), beginnings.begin(), beginnings.end());
    }
    std::ranges::sort(all, {}, &LooseLine::number);
    local_txns_ = next_number_ - first_number_;
    next_number_ = static_cast<std::uint32_t>(lines_);
    pieces_ = std::uint64_t{peers_.count()} << 20;
    const std::optional<Piece> piece =
        take(reader_->loose_piece(std::move(all), before.is_indexed));
    return piece ? scatter_piece(*piece) : Status();
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
    std::vector<Segment> segments(count_);
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
      ++next_number_;
    }
    segments_ = std::move(segments);
    return {};
  }

  [[nodiscard]] unsigned rank_of_partition(std::size_t partition) const {
    return static_cast<unsigned>(partition / options_.partitions);
  }

  /// Gives the segments of a piece to the ranks of their partitions. Says whether some rank has a
  /// further piece; where one cannot go on, all know why.
  Status deliver(bool has_piece, bool& goes_on) {
    goes_on = false;
    for (const Bytes& bytes : peers_.exchange(packed_segments(has_piece))) {
      Unpacker packed(bytes);
      goes_on = packed.get<bool>() || goes_on;
      const std::string reason = packed.text();
      not_split_ = not_split_.empty() ? reason : not_split_;
      while (!packed.is_at_end()) {
        const auto partition = packed.get<std::uint64_t>();
        const auto size = packed.get<std::uint64_t>();
        if (Status status = partitions_[partition].add(packed.take(size)); !status) {
          return status;
        }
      }
    }
    return {};
  }

  std::vector<Bytes> packed_segments(bool has_piece) {
    std::vector<Packer> to_each(peers_.count());
    for (Packer& packer : to_each) {
      packer.put(has_piece);
      packer.put_text(not_split_);
    }
    for (std::size_t p = 0; p < segments_.size(); ++p) {
      const Segment segment = std::exchange(segments_[p], {});
      if (!segment.keys.empty()) {
        Packer& to = to_each[rank_of_partition(p)];
        to.put<std::uint64_t>(p % options_.partitions);
        to.put<std::uint64_t>(segment.bytes());
        segment.append_to(to.bytes());
      }
    }
    return taken_bytes(to_each);
  }

  static std::vector<Bytes> taken_bytes(std::vector<Packer>& packers) {
    std::vector<Bytes> bytes;
    for (Packer& packer : packers) {
      bytes.push_back(std::move(packer.bytes()));
    }
    return bytes;
  }

  struct Place {
    std::size_t partition = 0;
    std::uint32_t key = 0;
  };

  [[nodiscard]] std::vector<Place> place_keys(const History& history,
                                              std::vector<SegmentWriter>& writers) const {
    std::vector<Place> places;
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      const std::size_t partition = seeded_hash(history.key_text(key), seed_) % count_;
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
    info_.count(piece, txn);
    info_.note_sample(next_number_, history.committed(txn));
    return records_.append(std::span<const TxnRecord>(&record, 1));
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
        if (segment.txns.empty() || segment.txns.back().number != next_number_) {
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
    segment.txns.push_back({.number = next_number_,
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
    for (bool goes_on = true; goes_on; is_first = false) {
      const Pass pass(options_, is_first ? "inferring dependencies"
                                         : "inferring what other partitions have shown");
      for (std::size_t p = 0; p < partitions_.size(); ++p) {
        const auto keep_going = [&] { return pass.at(p, partitions_.size()); };
        if (!keep_going()) {
          return stopped();
        }
        if (is_first || partitions_[p].is_outdated(believed_)) {
          if (Status status = partitions_[p].infer(believed_, options_.with_rw, keep_going);
              !status) {
            return status;
          }
        }
      }
      goes_on = share_belief();
    }
    return {};
  }

  /// Tells all ranks which indeterminate transactions happened; whether some partition has to be
  /// inferred once more.
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

  /// What the verdict needs to know of all partitions, in their order.
  void share_findings() {
    Packer packer;
    for (const Partition& partition : partitions_) {
      const PartitionFindings& findings = partition.findings();
      packer.put(findings.keys);
      packer.put(findings.is_serial);
      packer.put<std::uint64_t>(findings.shown.size());
      packer.put_all(std::span<const std::uint32_t>(findings.shown));
    }
    for (const Bytes& bytes : tell_all(peers_, packer.bytes())) {
      for (Unpacker packed(bytes); !packed.is_at_end();) {
        keys_ += packed.get<std::uint64_t>();
        is_serial_ = packed.get<bool>() && is_serial_;
        shown_.emplace_back(packed.get<std::uint64_t>());
        for (std::uint32_t& number : shown_.back()) {
          number = packed.get<std::uint32_t>();
        }
      }
    }
  }

  // Pass 3: the sweep. Edges lie in slabs of time, as many as there are partitions.

  Status sweep() {
    find_effective_completions();
    std::vector<ScratchFile> slabs;
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
      slabs.emplace_back(options_.scratch);
    }
    const Pass sorting(options_, "sorting dependencies by time");
    for (std::size_t p = 0; p < partitions_.size(); ++p) {
      Status status = sort_edges(partitions_[p], slabs);
      if (!status || !sorting.at(p, partitions_.size())) {
        return status ? stopped() : status;
      }
    }
    Sweep sweep(static_cast<std::uint32_t>(first_of_slab(peers_.rank() * slabs.size())));
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
    share_spans(sweep);
    return {};
  }

  [[nodiscard]] std::uint64_t slab_of(std::uint64_t instant) const {
    return instant * count_ / events_;
  }

  /// The first instant of a slab.
  [[nodiscard]] std::uint64_t first_of_slab(std::uint64_t slab) const {
    return (slab * events_ + count_ - 1) / count_;
  }

  /// The edges of a partition go to where they begin, and to ranks that sweep later while their
  /// source is open.
  Status sort_edges(const Partition& partition, std::vector<ScratchFile>& slabs) {
    struct Placed {
      std::uint64_t slab = 0;  // at its rank
      IntervalEdge edge;
    };

    std::vector<Packer> to_each(peers_.count());
    Status status = partition.each_edge([&](IntervalEdge edge) {
      complete(edge.from);
      complete(edge.to);
      if (edge.is_implied()) {
        return Status();
      }
      const std::uint64_t slab = slab_of(edge.begin());
      if (peers_.is_alone()) {
        return slabs[slab].append(std::span<const IntervalEdge>(&edge, 1));
      }
      const unsigned first = rank_of_partition(slab);
      to_each[first].put(Placed{slab % slabs.size(), edge});
      for (unsigned rank = first + 1;
           rank < peers_.count() && first_of_slab(rank * slabs.size()) <= edge.from.completed;
           ++rank) {
        to_each[rank].put(Placed{0, edge});
      }
      return Status();
    });
    for (const Bytes& told : peers_.exchange(taken_bytes(to_each))) {
      for (Unpacker packed(told); status && !packed.is_at_end();) {
        const auto placed = packed.get<Placed>();
        status = slabs[placed.slab].append(std::span<const IntervalEdge>(&placed.edge, 1));
      }
    }
    return status;
  }

  /// The spans of all ranks, which ascend, as one sweep would find them.
  void share_spans(Sweep& sweep) {
    std::vector<TimeSpan> shortest;
    if (sweep.has_contradiction()) {
      shortest.push_back(sweep.shortest());
    }
    for (const TimeSpan& span : tell_all_in_a_row(peers_, sweep.finish())) {
      add_span(spans_, span);
    }
    shortest = tell_all_in_a_row(peers_, shortest);
    const auto length = [](const TimeSpan& span) { return span.last - span.first; };
    shortest_ = shortest.empty() ? TimeSpan() : *std::ranges::min_element(shortest, {}, length);
  }

  /// An indeterminate transaction has as good as completed when something that must follow it has:
  /// real time orders that before all that is invoked later.
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

  // Which transactions the evidence may need.

  Status involve(const std::vector<TimeSpan>& spans) {
    involved_ = {sample()};
    for (const std::vector<std::uint32_t>& shown : shown_) {
      involved_.insert(shown.begin(), shown.end());
    }
    return involve_those_in(spans);
  }

  /// Where the part does not fit into memory: the transactions of one partition's anomalies, and of
  /// one contradiction of real time, those that are fewest.
  Status involve_few() {
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
    return spans_.empty() ? Status() : involve_those_in({shortest_});
  }

  /// Of the first rank, which knows all.
  [[nodiscard]] std::uint32_t sample() {
    return tell_all(peers_, std::vector<std::uint32_t>{info_.sample()}).front().front();
  }

  Status involve_those_in(const std::vector<TimeSpan>& spans) {
    constexpr std::size_t kBlock = 1U << 12;
    std::vector<std::uint32_t> found;
    const std::uint64_t count = spans.empty() ? 0 : records_.file().size() / sizeof(TxnRecord);
    for (std::uint64_t place = 0; place < count;) {
      const auto block = records_.read<TxnRecord>(place, kBlock);
      if (!block) {
        return block.error();
      }
      for (const TxnRecord& record : block.value()) {
        TxnInterval txn = {number_at(place++), record.invoked, record.completed};
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

  // Transactions are numbered from the number of the first event in the range of their rank on;
  // those that are in several ranges from the number of events on. They are of the first rank.

  [[nodiscard]] std::uint32_t number_at(std::uint64_t place) const {
    return static_cast<std::uint32_t>(place < local_txns_ ? first_number_ + place
                                                          : lines_ + (place - local_txns_));
  }

  [[nodiscard]] std::uint64_t place_of(std::uint32_t number) const {
    return lines_ > 0 && number >= lines_ ? local_txns_ + (number - lines_)
                                          : number - first_number_;
  }

  [[nodiscard]] unsigned rank_of_txn(std::uint32_t number) const {
    std::uint64_t end = 0;
    for (unsigned rank = 0; rank < lines_of_ranks_.size(); ++rank) {
      end += lines_of_ranks_[rank];
      if (number < end) {
        return rank;
      }
    }
    return 0;
  }

  [[nodiscard]] static bool is_in(const std::vector<TimeSpan>& spans, const TxnInterval& txn) {
    const auto span = std::ranges::lower_bound(spans, txn.invoked, {}, &TimeSpan::last);
    return span != spans.end() && span->first <= txn.completed;
  }

  // The verdict. The first rank says what is to be done next.

  enum class Next : char { kIsDone, kNeedsMore, kNeedsLess };

  Result<Outcome> judge() {
    while (true) {
      if (!Pass(options_, "collecting evidence").at(0, 0)) {
        return stopped();
      }
      Next next = Next::kIsDone;
      std::vector<std::uint32_t> more;
      Result<Outcome> outcome = Outcome(NotSplit());
      bool is_collected = false;
      try {
        Result<std::optional<PartData>> data = collect();
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
        if (is_reduced_ || !(peers_.is_alone() || (is_collected && peers_.is_first()))) {
          throw;
        }
        next = Next::kNeedsLess;
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
      static_cast<void>(MemoryLimit::allows());  // gives back what the larger part took
      if (Status status = involve_few(); !status) {
        return status.error();
      }
    }
  }

  /// Whether the verdict may be unknown because the part is large.
  [[nodiscard]] bool lacks_memory(const Result<Outcome>& outcome) const {
    const auto* split = outcome ? std::get_if<SplitVerdict>(&outcome.value()) : nullptr;
    const bool is_suspicious =
        !spans_.empty() || std::ranges::any_of(shown_, std::not_fn(&Numbers::empty));
    return split != nullptr && !is_reduced_ && MemoryLimit::is_set() &&
           split->verdict.validity == Validity::kUnknown && is_suspicious;
  }

  /// What partitions and records say of the part, all of it at the first rank; nothing if that has
  /// no memory for it.
  Result<std::optional<PartData>> collect() {
    Bytes segments;
    for (const Partition& partition : partitions_) {
      const std::vector<std::string>& open = partition.findings().open_keys;
      KeyNames keys(open.begin(), open.end());
      Status status = add_keys_of(partition, involved_, keys);
      status = status ? add_segments_of(partition, keys, segments) : status;
      if (!status) {
        return status.error();
      }
    }
    if (!is_reduced_ && !fit_into_first(segments.size())) {
      return std::optional<PartData>();
    }
    PartData data;
    std::vector<std::vector<std::uint32_t>> asked(peers_.count());
    TxnNumbers known;
    const auto ask = [&](std::uint32_t number) {
      if (known.insert(number).second) {
        asked[rank_of_txn(number)].push_back(number);
      }
    };
    for (const Bytes& told : gather(peers_, std::move(segments))) {
      for (std::uint64_t offset = 0; offset < told.size();) {
        data.segments.push_back(Segment::read(told, offset));
        std::ranges::for_each(data.segments.back().txns, ask, &SegmentTxn::number);
      }
    }
    if (peers_.is_first()) {
      ask(info_.sample());
    }
    Status status = fetch_records(asked, data);
    return status ? Result(std::optional(std::move(data)))
                  : Result<std::optional<PartData>>(status.error());
  }

  bool fit_into_first(std::uint64_t bytes) {
    const auto sizes = tell_all_in_a_row<std::uint64_t>(peers_, {bytes});
    const auto sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    return tell_all<char>(peers_, {MemoryLimit::allows(sum) ? '1' : '0'}).front().front() == '1';
  }

  /// The ranks that have them give their records to the first one.
  Status fetch_records(const std::vector<std::vector<std::uint32_t>>& asked, PartData& data) {
    std::vector<Packer> questions(asked.size());
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
      questions[rank].put_all(std::span<const std::uint32_t>(asked[rank]));
    }
    Packer answers;
    const std::vector<Bytes> asked_of_this = peers_.exchange(taken_bytes(questions));
    for (Unpacker packed(asked_of_this.front()); !packed.is_at_end();) {
      const auto number = packed.get<std::uint32_t>();
      const auto record = records_.read<TxnRecord>(place_of(number), 1);
      if (!record) {
        return record.error();
      }
      answers.put(number);
      answers.put(record.value().at(0));
    }
    for (const Bytes& told : gather(peers_, std::move(answers.bytes()))) {
      for (Unpacker packed(told); !packed.is_at_end();) {
        const auto number = packed.get<std::uint32_t>();
        data.records.emplace(number, packed.get<TxnRecord>());
      }
    }
    return {};
  }

  /// Judges the part, unless that needs `more` transactions.
  Result<Outcome> judge(const PartData& data, std::vector<std::uint32_t>& more) {
    HistoryBuilder builder;
    HistoryInfo info = info_.begin(builder, keys_, events_, source_bytes());
    Result<PartHistory> made =
        part_history(data, info_.sample(), info_.remarks(), builder, std::move(info));
    if (!made) {
      return made.error();
    }
    const std::vector<std::uint32_t> numbers = std::move(made.value().numbers);
    more = not_involved(doubted(made.value().history, numbers));
    if (!more.empty()) {
      return Outcome(NotSplit());
    }
    LoadedHistory part(std::move(made.value().history), sources(), reader_->detection());
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

  [[nodiscard]] std::uint64_t source_bytes() const {
    return peers_.is_alone() ? reader_->bytes() : source_bytes_;
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

  void involve_all(const std::vector<std::uint32_t>& txns) {
    involved_.insert(txns.begin(), txns.end());
  }

  [[nodiscard]] std::vector<std::uint32_t> not_involved(std::vector<std::uint32_t> txns) const {
    std::erase_if(txns, [this](std::uint32_t number) { return involved_.contains(number); });
    return txns;
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
    const Model swept = options_.with_rw ? Model::kPlSs : Model::kPl2;
    const bool follows = (verdict.checked & ~entailed(swept)).none();
    const bool is_inferred = verdict.engine == "elle" && verdict.levels.empty() && !is_reduced_;
    const bool is_proven = is_inferred || (is_serial_ && spans_.empty() && follows);
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

  using Numbers = std::vector<std::uint32_t>;

  std::unique_ptr<ByteSource> source_;
  std::shared_ptr<Sources> sources_;
  std::uint64_t source_bytes_ = 0;
  const SplitOptions& options_;
  Peers& peers_;
  std::unique_ptr<ByteSource> range_;  // of the source; null where one process reads all
  std::optional<PieceReader> reader_;
  ScratchFile records_;                // TxnRecord
  std::vector<Partition> partitions_;  // of this rank
  std::uint64_t count_;                // of partitions of all ranks
  std::vector<Segment> segments_;      // of the last piece
  WholeInfo info_;
  std::string not_split_;
  std::vector<std::uint64_t> lines_of_ranks_;
  std::uint64_t lines_ = 0;  // of these; 0 where one process reads all
  std::uint64_t events_ = 0;
  std::uint32_t first_number_ = 0;
  std::uint32_t next_number_ = 0;
  std::uint64_t local_txns_ = std::numeric_limits<std::uint64_t>::max();
  HashSeed seed_;  // of the first rank: all know where a key lies
  std::uint64_t pieces_;
  TxnNumbers believed_;
  std::unordered_map<std::uint32_t, std::uint32_t> effective_;
  std::vector<TimeSpan> spans_;
  TimeSpan shortest_;
  std::uint64_t keys_ = 0;
  bool is_serial_ = true;
  std::vector<Numbers> shown_;  // by partition: PartitionFindings::shown
  TxnNumbers involved_;
  bool is_reduced_ = false;  // these are few of all
};

}  // namespace

Result<Outcome> check_in_partitions(std::unique_ptr<ByteSource> source,
                                    const SplitOptions& options) {
  Peers alone;
  return SplitCheck(std::move(source), options, options.peers ? *options.peers : alone).run();
}

}  // namespace elapid
