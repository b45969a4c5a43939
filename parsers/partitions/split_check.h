// Checks a history of lists that is bigger than memory. It is read in pieces, scattered to
// partitions by key, inferred partition by partition, and swept over time (docs/scale.md).
//
// The answer rests on a part of the history (part_history.h): the operations on the keys of all
// transactions that an anomaly or a contradiction of real time involves. This part is checked as
// any other history, so verdict, anomalies and evidence are the same as in memory.
//
// Several processes share the work as ranks (peers.h): each reads a range of the input, has some of
// the partitions, and sweeps some of the time. The first one has the verdict.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/scatter.h"
#include "parsers/read.h"

namespace elapid {

struct SplitOptions {
  ScatterOptions scatter = {};
  unsigned partitions = 1;  ///< of each rank
  Demand demand = Demand::kSerial;
  Peers* peers = nullptr;  ///< null: a single process
  /// Judges a part of the history.
  std::function<Result<Verdict>(const LoadedHistory& part)> check = {};
};

/// Part of a history, with the verdict on the whole.
struct SplitVerdict {
  LoadedHistory part;
  Verdict verdict;
};

/// Why partitions do not suffice, so that the whole must be in memory. On ranks other than the
/// first: there is nothing left to do.
struct NotSplit {
  std::string because = {};
  std::unique_ptr<ByteSource> source = {};  ///< at its first byte again
};

/// Files have no names, so they vanish at any end of the process. Disk: about half of the input.
/// Memory: a piece, a partition, or the part. Error: kUnreadable of files, kUsage if it was
/// stopped.
Result<std::variant<SplitVerdict, NotSplit>> check_in_partitions(std::unique_ptr<ByteSource> source,
                                                                 const SplitOptions& options);

}  // namespace elapid
