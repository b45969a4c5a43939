// The facts of pieces about the whole beside operations: counts, sessions, remarks, faults.
//
// Each rank collects the facts of its pieces; the first rank joins them all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/nemesis.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/pieces.h"

namespace elapid {

class WholeInfo {
 public:
  /// Takes the facts that only the first piece has.
  void begin_with(const History& first);
  void add(const Piece& piece);

  /// Counts a transaction of this piece.
  void count(const Piece& piece, TxnId txn);

  /// The number of a committed transaction, else of any: the part must have one, as the whole does.
  [[nodiscard]] std::uint32_t sample() const { return sample_; }

  void note_sample(std::uint32_t txn, bool is_committed);

  [[nodiscard]] std::uint64_t transactions() const { return size_.transactions(); }

  /// Whether each process that is busy at the beginning of this range completes its operation there
  /// before it does anything else. `ends` and `beginnings` are the loose completions and
  /// invocations of the range; `busy` has the busy sessions of earlier ranges, and afterwards those
  /// after this range.
  [[nodiscard]] bool continues(const std::vector<LooseLine>& ends,
                               const std::vector<LooseLine>& beginnings,
                               std::unordered_set<std::int64_t>& busy) const;

  void pack(Packer& packer) const;
  static WholeInfo unpacked(Unpacker& packed);
  /// Adds the facts of a later range.
  void add(const WholeInfo& later);

  /// Gives a builder all facts; returns the info to build with.
  HistoryInfo begin(HistoryBuilder& builder, std::uint64_t keys, std::uint64_t events,
                    std::uint64_t bytes) const;

  [[nodiscard]] const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  void add_remark(Remark remark);
  void add_nemesis(const Piece& piece);

  std::optional<HistoryInfo> first_;
  HistorySize size_;
  std::string initial_;
  std::string f_;
  bool is_f_known_ = true;
  std::vector<Remark> remarks_;
  std::map<Remark::Kind, std::size_t> remark_counts_;
  NemesisLog nemesis_;
  std::unordered_map<std::int64_t, std::uint32_t> sessions_;  // the first invocation of each
  std::uint32_t sample_ = 0;
  bool has_sample_ = false;
  bool is_sample_committed_ = false;
};

}  // namespace elapid
