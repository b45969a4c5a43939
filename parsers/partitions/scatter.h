// The first pass over a history that is bigger than memory: from pieces of the input to partitions.
//
// Operations go to the partition of their key, transactions to a file of records. Each of several
// ranks reads a range of the input; the first rank then reads operations that span two.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "engine/ir/seeded_hash.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/detect.h"
#include "parsers/options.h"
#include "parsers/partitions/part_history.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/pass.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/pieces.h"
#include "parsers/partitions/segment.h"
#include "parsers/partitions/whole_info.h"

namespace elapid {

struct ScatterOptions {
  ReadOptions read = {};
  std::uint64_t piece_bytes = 0;  ///< bytes of input to read at a time
  std::string scratch = {};       ///< a folder; empty: $TMPDIR or /tmp
  PassProgress progress = {};
};

/// Transactions are numbered from the number of the first event in the range of their rank.
/// Transactions in several ranges belong to the first rank and are numbered from the event count.
class Scatter {
 public:
  /// `partitions` are those of this rank; all ranks have as many. All arguments must outlive it.
  Scatter(ByteSource& source, const ScatterOptions& options, Peers& peers,
          std::vector<Partition>& partitions);

  /// Errors: kUnreadable for files, kUsage if it was stopped.
  Status run();

  /// Why the history could not be partitioned; empty if it was. The same at all ranks.
  [[nodiscard]] const std::string& why_not() const { return not_split_; }

  /// At the first rank: the info of the whole history.
  [[nodiscard]] const WholeInfo& info() const { return info_; }

  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  [[nodiscard]] const Detection& detection() const { return reader_->detection(); }

  /// The TxnRecord of this rank's transactions.
  [[nodiscard]] const ScratchFile& records() const { return records_; }

  /// The number of the transaction whose record has this place, and the inverse.
  [[nodiscard]] std::uint32_t number_at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t place_of(std::uint32_t number) const;

  /// The rank that has the record.
  [[nodiscard]] unsigned rank_of_txn(std::uint32_t number) const;

 private:
  struct Place {
    std::size_t partition = 0;
    std::uint32_t key = 0;
  };

  bool agree();
  Status scatter();
  Status begin_range();
  std::optional<Piece> take(Result<std::optional<Piece>> piece);
  Status scatter_loose();
  static std::vector<LooseLine> unpacked_lines(Unpacker& packed);
  Status scatter_loose_of(const std::vector<Bytes>& told);
  Status scatter_piece(const Piece& piece);
  [[nodiscard]] unsigned rank_of_partition(std::size_t partition) const;
  Status deliver(bool has_piece, bool& goes_on);
  std::vector<Bytes> packed_segments(bool has_piece);
  [[nodiscard]] std::vector<Place> place_keys(const History& history,
                                              std::vector<SegmentWriter>& writers) const;
  [[nodiscard]] static std::uint32_t status_word(const History& history, TxnId txn);
  Status add_record(const Piece& piece, TxnId txn);
  void add_ops(const Piece& piece, TxnId txn, const std::vector<Place>& places,
               std::vector<Segment>& segments, std::vector<SegmentWriter>& writers);
  void begin_txn(const Piece& piece, TxnId txn, Segment& segment) const;

  ByteSource& source_;
  const ScatterOptions& options_;
  Peers& peers_;
  std::vector<Partition>& partitions_;
  std::unique_ptr<ByteSource> range_;  // of the source; null if one process reads all
  std::optional<PieceReader> reader_;
  ScratchFile records_;
  std::vector<Segment> segments_;  // of the last piece, by partition of the whole
  WholeInfo info_;
  std::string not_split_;
  std::vector<std::uint64_t> lines_of_ranks_;
  std::uint64_t lines_ = 0;  // of this range; 0 if one process reads all
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint32_t first_number_ = 0;
  std::uint32_t next_number_ = 0;
  std::uint64_t local_txns_ = std::numeric_limits<std::uint64_t>::max();
  HashSeed seed_;  // of the first rank: all ranks know a key's partition
  std::uint64_t pieces_;
};

}  // namespace elapid
