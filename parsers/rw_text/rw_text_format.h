// Text of one operation a line, `r(key,value,session,transaction)`, which several checkers read,
// each by its own rules:
//
//   w(541,7,38,0)     a write of 7 to key 541, by transaction 0 in session 38
//   r(541,7,12,1)     a read of 7 by transaction 1 in session 12
//
// The rules differ in the initial values and in the meaning of -1; each set is a format.
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

// The readers share these rules: transactions and keys are named by integers, globally. A
// transaction belongs to the session of its first line, and a session's transactions have the order
// of their first lines. Lines of a transaction need not be contiguous; if they are, one pass and
// least memory suffice. Errors: kMalformed for a line that is no operation, has a number out of
// range, or breaks the dialect's rules.

/// Uses the rules that fit most users of this text. If there is a transaction -1: Plume's rules.
/// Otherwise IsoVista's, where 0 is the initial value if no transaction wrote the initial state.
Result<History> read_rw_text(Sources& sources, const std::string& dialect,
                             const ReadOptions& options);

/// PolySI: 0 is the initial value and cannot be written; no transaction aborts. Dialect
/// `elle`, also recognised by a first character `{`: the part of Jepsen's EDN that PolySI
/// reads.
Result<History> read_polysi(Sources& sources, const std::string& dialect,
                            const ReadOptions& options);

/// Plume: 0 is the initial value. Each write of transaction -1 was aborted; reads of that
/// transaction have no meaning.
Result<History> read_plume(Sources& sources, const std::string& dialect,
                           const ReadOptions& options);

/// IsoVista: as Plume, with one exception. A first transaction that is alone in its session and
/// only writes every key once, each with 0 or each with 1, is the initial state; then 0 is a value
/// as any other.
Result<History> read_isovista(Sources& sources, const std::string& dialect,
                              const ReadOptions& options);

/// An operation a line, transactions numbered from 0; writes of aborted ones as transaction -1.
Status write_rw_text(const Plan& plan, OutputFile& out);

/// Write histories event by event; PolySI's form leaves out aborted transactions.
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_polysi_event_writer(const EventStream& stream);
[[nodiscard]] std::unique_ptr<PlainEventWriter> make_plume_event_writer(const EventStream& stream);

/// Writes the EDN that PolySI, Plume and IsoVista read: a line a committed transaction, `:type`
/// first, only their keys, and blanks only where they accept them.
Status write_polysi_elle(const Plan& plan, OutputFile& out);

}  // namespace elapid
