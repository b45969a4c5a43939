// Text of one operation a line, `r(key,value,session,transaction)`, which several checkers read,
// each by rules of its own:
//
//   w(541,7,38,0)     a write of 7 to key 541, by transaction 0 in session 38
//   r(541,7,12,1)     which transaction 1 in session 12 read
//
// The rules differ in what is initial and in what transaction -1 means; each is a format.
#pragma once

#include <memory>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"
#include "parsers/convert/plain_event_writer.h"
#include "parsers/format.h"
#include "parsers/options.h"

namespace elapid {

extern const Format kRwTextFormat;
extern const Format kPolysiFormat;
extern const Format kPlumeFormat;
extern const Format kIsovistaFormat;

// The readers share this: transactions and keys are named by integers, globally. A transaction
// belongs to the session of its first line, and a session's transactions come in the order of
// their first lines; lines of a transaction need not be together, but text where they are takes
// one pass and least memory. Errors: kMalformed for a line that is no operation, has a number out
// of range, or is against the dialect's rules.

/// By the rule that fits most users of this text: a transaction -1 anywhere means Plume's rules;
/// otherwise IsoVista's, where 0 is the initial value if no transaction wrote the initial state.
Result<History> read_rw_text(Sources& sources, const std::string& dialect,
                             const ReadOptions& options);

/// PolySI: 0 is the initial value and cannot be written; nothing aborts. Dialect `elle`, also told
/// by a first character `{`: the part of Jepsen's EDN that PolySI
/// reads.
Result<History> read_polysi(Sources& sources, const std::string& dialect,
                            const ReadOptions& options);

/// Plume: 0 is the initial value; each write of transaction -1 was aborted, and its reads mean
/// nothing.
Result<History> read_plume(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// IsoVista: as Plume, but a first transaction that is alone in its session and does nothing but
/// write every key once is the initial state, and 0 is a value as any other then.
Result<History> read_isovista(Sources& sources, const std::string& dialect,
                              const ReadOptions& options);

/// An operation a line, transactions numbered from 0; writes of aborted ones as transaction -1.
Status write_rw_text(const Plan& plan, OutputFile& out);

/// The same of histories that are written as they come; PolySI's say nothing of aborted ones.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_polysi_event_writer(const EventStream& stream);
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_plume_event_writer(const EventStream& stream);

/// The EDN that PolySI, Plume and IsoVista read: a line a committed transaction, `:type` first, no
/// other keys than theirs, and blanks only where they bear them.
Status write_polysi_elle(const Plan& plan, OutputFile& out);

}  // namespace elapid
