// Jepsen's histories in EDN: an event a map, `history.edn` of a store.
//
//   {:type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r :y nil]]}
//   {:type :ok, :process 0, :f :txn, :value [[:append :x 1] [:r :y [2 3]]]}
//
// Knossos's histories are the same with single operations on one register (:read, :write, :cas).
// One reader reads both.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kEdnFormat;
extern const Format kKnossosFormat;

/// The capabilities that all formats of Jepsen's events share.
inline constexpr Target kEventTarget = {.lists = true,
                                        .rows = true,
                                        .aborted = true,
                                        .indeterminate = true,
                                        .invocations = true,
                                        .keeps_extras = true,
                                        .empty_transactions = true,
                                        .repeats = true,
                                        .writes_initial = true,
                                        .first_session = std::numeric_limits<std::int64_t>::min()};

/// Reads a whole history from the first byte of `source` on, as read_op_history does. Events whose
/// :process is not an integer are counted and otherwise ignored, whatever their values.
Result<History> read_edn_history(ByteSource& source, const ReadOptions& options);

/// Reads the histories of independent keys; errors as above.
Result<std::vector<IndependentHistory>> read_independent_edn(ByteSource& source,
                                                             const ReadOptions& options);

/// Reads the event at `offset`, as SourcePosition has it, once more. A value that cannot be
/// printed, for example because it is too deep, becomes `...`.
Result<EventDetails> read_edn_event_details(ByteSource& source, std::uint64_t offset,
                                            bool with_value = false);

/// Writes one operation map a line, with keys in Jepsen's order.
Status write_edn(const Plan& plan, OutputFile& out);

/// Writes a line an event, with :read, :write or :cas as :f. Error kUsage: the history has
/// transactions of several operations, or several keys.
Status write_knossos(const Plan& plan, OutputFile& out);

}  // namespace elapid
