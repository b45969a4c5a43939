// A part of a history in partitions: all operations on some keys, as a history of its
// own.
//
// The part is certified, described and printed as any other. If the part violates a level, the
// whole does, since levels hold for projections to keys. Version orders concern one key at a time,
// so the inference finds the same for these keys in the part and in the whole.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/segment.h"

namespace elapid {

/// The fields of a transaction without its operations, by its number in the whole.
struct TxnRecord {
  std::int64_t session = 0;  ///< History::session_name()
  std::int64_t invocation_index = 0;
  std::int64_t completion_index = 0;
  std::int64_t invocation_time = kNoTime;
  std::int64_t completion_time = kNoTime;
  std::uint64_t invocation_offset = 0;
  std::uint64_t completion_offset = 0;
  std::uint32_t invoked = 0;    ///< EventId
  std::uint32_t completed = 0;  ///< EventId, or none()
  std::uint32_t status = 0;     ///< as SegmentTxn::status
  std::uint32_t operations = 0;

  static constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min();
};

/// The data of partitions and records on the keys of the part.
struct PartData {
  std::vector<Segment> segments = {};                         ///< with these keys only
  std::unordered_map<std::uint32_t, TxnRecord> records = {};  ///< of all in the segments
};

/// The part with its transactions' numbers in the whole.
struct PartHistory {
  History history;
  std::vector<std::uint32_t> numbers;  ///< by TxnId
};

/// Makes the history of all operations on some keys, with transaction `sample` even if it has
/// none. Keys, transactions and events have the order of the whole, whose remarks and `info` are
/// given.
Result<PartHistory> part_history(const PartData& data, std::uint32_t sample,
                                 const std::vector<Remark>& remarks, HistoryBuilder& builder,
                                 HistoryInfo info);

}  // namespace elapid
