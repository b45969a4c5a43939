// Histories of TimeKiller, Chronos and Aion: JSON with the timestamps of a white-box database.
//
//   {"tid": 1, "sid": 3, "sts": {"p": 100, "l": 0}, "cts": {"p": 400, "l": 2},
//    "ops": [{"t": "w", "k": 1, "v": 5}, {"t": "r", "k": 2, "v": null}]}
//
// docs/formats.md says what the fields mean.
#pragma once

#include <memory>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/convert/plain_event_writer.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kTimekillerFormat;

/// Transactions, all committed, in one array or as JSON lines; sessions in the order of the file,
/// or of `seq` where they have that. Registers or lists, told by the first write or append.
/// Timestamps are p alone where every l is 0; else p << logical_bits | l, with 18 bits where all
/// fit, as TiDB has them, else as few as hold every l. Errors: see TxnStream and SessionSequence; a
/// tid that comes twice, operations of the other kind, values of a wrong kind, timestamps beyond 63
/// bits. A start behind its commit is a remark. No dialects. Linear, but for the sorting of `seq`;
/// a history with that, or with some l that is not 0, is read up to three times.
Result<History> read_timekiller(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

/// One array, a transaction a line, with the timestamps of plan_timestamps().
Status write_timekiller(const Plan& plan, OutputFile& out);

/// The same of events with timestamps, as they come.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_timekiller_event_writer(
    const EventStream& stream);

}  // namespace elapid
