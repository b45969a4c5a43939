// Reading histories of TimeKiller, Chronos and Aion: JSON with the timestamps of a white-box
// database (TimeKiller's SIKVFastReader and SIListFastReader; formats/07-timekiller.md).
#ifndef ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_READER_H_
#define ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_READER_H_

#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/options.h"

namespace elapid {

/// Transactions, all committed, in one array or as JSON lines; sessions in the order of the file,
/// or of `seq` where they have that. Registers or lists, told by the first write or append.
/// Timestamps are p alone where every l is 0; else p << logical_bits | l, with 18 bits where all
/// fit, as TiDB has them, else as few as hold every l. Errors: see TxnStream and SessionSequence; a
/// tid that comes twice, operations of the other kind, values of a wrong kind, timestamps beyond 63
/// bits. A start behind its commit is a remark. No dialects. Linear, but for the sorting of `seq`;
/// a history with that, or with some l that is not 0, is read up to three times.
Result<History> read_timekiller(Sources& sources, const std::string& dialect,
                                const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_TIMEKILLER_TIMEKILLER_READER_H_
