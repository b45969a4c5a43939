#include "parsers/partitions/scatter.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "parsers/partitions/line_range.h"

namespace elapid {

Scatter::Scatter(ByteSource& source, const ScatterOptions& options, Peers& peers,
                 std::vector<Partition>& partitions)
    : source_(source),
      options_(options),
      peers_(peers),
      partitions_(partitions),
      reader_(std::in_place, source, options.read, options.piece_bytes),
      records_(options.scratch),
      seed_(tell_all<HashSeed>(peers, {hash_seed()}).front().front()),
      pieces_(std::uint64_t{peers.rank()} << 20) {}

Status Scatter::run() {
  Status status = peers_.is_alone() ? Status() : begin_range();
  return status && not_split_.empty() ? scatter() : status;
}

/// Whether all ranks go on. If one cannot, all learn the reason.
bool Scatter::agree() {
  const std::vector<char> reason(not_split_.begin(), not_split_.end());
  for (const std::vector<char>& told : tell_all(peers_, reason)) {
    if (not_split_.empty()) {
      not_split_.assign(told.begin(), told.end());
    }
  }
  return not_split_.empty();
}

/// Detects the format at the beginning of the input, and then begins this rank's range.
Status Scatter::begin_range() {
  if (!has_ranges(source_)) {
    not_split_ = "only a file that is not compressed has ranges for several processes";
  }
  bytes_ = source_.total();
  const auto sizes = tell_all_in_a_row<std::uint64_t>(peers_, {bytes_});
  if (std::ranges::count(sizes, bytes_) != std::ssize(sizes)) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is not of the same size for all processes"};
  }
  if (!agree()) {
    return {};
  }
  constexpr std::uint64_t kBeginning = std::uint64_t{1} << 20;
  PieceReader beginning(source_, options_.read, std::min(kBeginning, options_.piece_bytes));
  if (const std::optional<Piece> piece = take(beginning.next()); piece) {
    info_.begin_with(piece->history());
  }
  const Result<LineRange> range = range_of(source_, peers_.rank(), peers_.count());
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
    not_split_ = kTooManyEvents;
    return {};
  }
  first_number_ = static_cast<std::uint32_t>(before);
  next_number_ = first_number_;
  range_ = range_source(source_, range.value());
  reader_.emplace(*range_, beginning, range.value(), before, options_.piece_bytes);
  return {};
}

/// The piece; nothing at the end, or if it cannot be read.
std::optional<Piece> Scatter::take(Result<std::optional<Piece>> piece) {
  if (!piece) {
    const bool is_of_reader = piece.error().byte_offset.has_value();
    not_split_ = is_of_reader ? "a piece of it cannot be read alone" : piece.error().message;
    return std::nullopt;
  }
  return std::move(piece).value();
}

Status Scatter::scatter() {
  const Pass pass(options_.progress, "reading into partitions");
  const ByteSource& source = range_ ? *range_ : source_;
  for (bool goes_on = true; goes_on;) {
    const std::optional<Piece> piece = take(reader_->next());
    Status status = piece ? scatter_piece(*piece) : Status();
    status = status ? deliver(piece.has_value(), goes_on) : status;
    if (!status || !not_split_.empty()) {
      return status;
    }
    if (!pass.at(source.consumed(), source.total())) {
      return Pass::stopped();
    }
  }
  Status status = peers_.is_alone() ? Status() : scatter_loose();
  events_ = peers_.is_alone() ? reader_->events() : lines_;
  bytes_ = peers_.is_alone() ? reader_->bytes() : bytes_;
  for (Partition& partition : partitions_) {
    status = status ? partition.close() : status;
  }
  if (peers_.is_first() && info_.transactions() == 0) {
    not_split_ = "it has no transactions";
  }
  agree();
  return status ? records_.flush() : status;
}

/// The first rank reads the operations that are open between ranges. The other ranks send it these
/// lines and their facts about the whole input.
Status Scatter::scatter_loose() {
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

std::vector<LooseLine> Scatter::unpacked_lines(Unpacker& packed) {
  std::vector<LooseLine> lines(packed.get<std::uint64_t>());
  for (LooseLine& line : lines) {
    line.number = packed.get<std::uint32_t>();
    line.session = packed.get<std::int64_t>();
    line.offset = packed.get<std::uint64_t>();
    line.text = packed.text();
  }
  return lines;
}

Status Scatter::scatter_loose_of(const std::vector<Bytes>& told) {
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
  if (lines_ + all.size() >= std::numeric_limits<std::uint32_t>::max()) {
    not_split_ = kTooManyEvents;  // loose transactions are numbered behind all events
    return {};
  }
  std::ranges::sort(all, {}, &LooseLine::number);
  local_txns_ = next_number_ - first_number_;
  next_number_ = static_cast<std::uint32_t>(lines_);
  pieces_ = std::uint64_t{peers_.count()} << 20;
  const std::optional<Piece> piece = take(reader_->loose_piece(std::move(all), before.is_indexed));
  return piece ? scatter_piece(*piece) : Status();
}

Status Scatter::scatter_piece(const Piece& piece) {
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
  std::vector<Segment> segments((partitions_.size() * peers_.count()));
  std::vector<SegmentWriter> writers;
  writers.reserve(segments.size());
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

unsigned Scatter::rank_of_partition(std::size_t partition) const {
  return static_cast<unsigned>(partition / partitions_.size());
}

/// Sends the segments of a piece to the ranks of their partitions. Tells whether some rank has
/// another piece. If one cannot go on, all learn the reason.
Status Scatter::deliver(bool has_piece, bool& goes_on) {
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

std::vector<Bytes> Scatter::packed_segments(bool has_piece) {
  std::vector<Packer> to_each(peers_.count());
  for (Packer& packer : to_each) {
    packer.put(has_piece);
    packer.put_text(not_split_);
  }
  for (std::size_t p = 0; p < segments_.size(); ++p) {
    const Segment segment = std::exchange(segments_[p], {});
    if (!segment.keys.empty()) {
      Packer& to = to_each[rank_of_partition(p)];
      to.put<std::uint64_t>(p % partitions_.size());
      to.put<std::uint64_t>(segment.bytes());
      segment.append_to(to.bytes());
    }
  }
  return bytes_of(to_each);
}

std::vector<Scatter::Place> Scatter::place_keys(const History& history,
                                                std::vector<SegmentWriter>& writers) const {
  std::vector<Place> places;
  for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
    const std::size_t partition =
        seeded_hash(history.key_text(key), seed_) % (partitions_.size() * peers_.count());
    places.push_back({partition, writers[partition].add_key(key, pieces_ << 32 | key.value)});
  }
  return places;
}

std::uint32_t Scatter::status_word(const History& history, TxnId txn) {
  return static_cast<std::uint32_t>(history.status(txn)) +
         (history.differing_invocation(txn) ? SegmentTxn::kAttempted : 0);
}

Status Scatter::add_record(const Piece& piece, TxnId txn) {
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

void Scatter::add_ops(const Piece& piece, TxnId txn, const std::vector<Place>& places,
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

void Scatter::begin_txn(const Piece& piece, TxnId txn, Segment& segment) const {
  const History& history = piece.history();
  segment.txns.push_back(
      {.number = next_number_,
       .invoked = piece.event(txn, EventKind::kInvocation).number,
       .completed = history.has_completion(txn) ? piece.event(txn, EventKind::kCompletion).number
                                                : EventId::none().value,
       .status = status_word(history, txn),
       .op_begin = static_cast<std::uint32_t>(segment.ops.size()),
       .session = static_cast<std::uint32_t>(history.session_name(history.session(txn)))});
}

std::uint32_t Scatter::number_at(std::uint64_t place) const {
  return static_cast<std::uint32_t>(place < local_txns_ ? first_number_ + place
                                                        : lines_ + (place - local_txns_));
}

std::uint64_t Scatter::place_of(std::uint32_t number) const {
  return lines_ > 0 && number >= lines_ ? local_txns_ + (number - lines_) : number - first_number_;
}

unsigned Scatter::rank_of_txn(std::uint32_t number) const {
  std::uint64_t end = 0;
  for (unsigned rank = 0; rank < lines_of_ranks_.size(); ++rank) {
    end += lines_of_ranks_[rank];
    if (number < end) {
      return rank;
    }
  }
  return 0;
}

}  // namespace elapid
