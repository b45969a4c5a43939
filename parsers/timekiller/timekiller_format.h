// Histories of TimeKiller, Chronos and Aion: JSON with the timestamps of a white-box database.
//
//   {"tid": 1, "sid": 3, "sts": {"p": 100, "l": 0}, "cts": {"p": 400, "l": 2},
//    "ops": [{"t": "w", "k": 1, "v": 5}, {"t": "r", "k": 2, "v": null}]}
//
// For the meaning of the fields see docs/formats.md.
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

/// Reads transactions, all committed, in one array or as JSON lines. Sessions have the order of the
/// file, or of `seq` if present. The first write or append tells registers from lists. Timestamps
/// are p alone if every l is 0; else p << logical_bits | l, with 18 bits if all fit, as in TiDB,
/// else with the fewest. Errors: see TxnStream and SessionSequence; a repeated tid, operations of
/// the other kind, values of a wrong kind, timestamps beyond 63 bits. A start after its commit is a
/// remark. No dialects. Linear, except for the sorting of `seq`; a history with `seq` or an l other
/// than 0 is read up to three times.
Result<History> read_timekiller(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

/// Writes one array, a transaction a line, with the timestamps of plan_timestamps().
Status write_timekiller(const Plan& plan, OutputFile& out);

/// Writes the format event by event, from events with timestamps.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_timekiller_event_writer(
    const EventStream& stream);

}  // namespace elapid
