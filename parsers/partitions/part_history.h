// A part of a history that lies in partitions: all operations on some keys, as a history of its
// own.
//
// It is certified, described and printed as any other. A projection to some keys keeps what levels
// promise, so what it violates the whole violates. And since versions are a matter of one key at a
// time, the inference finds of these keys what it finds of them in the whole.
#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/segment.h"

namespace elapid {

/// What a transaction is beside its operations, by its number in the whole.
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

/// Names of keys.
using KeyNames = std::set<std::string>;

/// What partitions and records say of the keys of the part.
struct PartData {
  std::vector<Segment> segments = {};                         ///< of these keys alone
  std::unordered_map<std::uint32_t, TxnRecord> records = {};  ///< of all in the segments
};

/// The part with its transactions' numbers in the whole.
struct PartHistory {
  History history;
  std::vector<std::uint32_t> numbers;  ///< by TxnId
};

/// Adds the keys of the partition that these transactions use.
Status add_keys_of(const Partition& partition, const TxnNumbers& txns, KeyNames& keys);

/// Writes what the partition says of these keys, as segments.
Status add_segments_of(const Partition& partition, const KeyNames& keys, Bytes& segments);

/// Makes the history of all operations on some keys, with transaction `sample` even if it has none.
/// Keys, transactions and events come in the order of the whole, whose remarks and `info` are
/// given.
Result<PartHistory> part_history(const PartData& data, std::uint32_t sample,
                                 const std::vector<Remark>& remarks, HistoryBuilder& builder,
                                 HistoryInfo info);

}  // namespace elapid
