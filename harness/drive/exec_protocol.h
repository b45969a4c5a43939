// The lines exchanged with a client that is a program: docs/driver-protocol.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"

namespace elapid {

/// `{"do": "open", "session": 0, ...}`: the first line of each process.
[[nodiscard]] std::string open_line(std::size_t session, const DatabaseRequest& request);

/// `{"do": "setup", "initial": [[0, 10]]}`: to the first process, before others start.
[[nodiscard]] std::string setup_line(std::span<const RequestStep> initial);

/// `{"do": "txn", "value": [["append", 1, 5], ["r", 1, null]]}`
[[nodiscard]] std::string txn_line(const DriverTxn& txn);

/// Reads the answer to open and setup. `facts`: the answer's facts about the database. Errors:
/// kUnreadable if the program refuses; kMalformed for another line.
[[nodiscard]] Status read_ready(std::string_view line, std::vector<DatabaseFact>& facts);

/// Reads the answer to a transaction, with its reads into `txn`. Error: kMalformed if the line is
/// not an answer, or not to this transaction.
[[nodiscard]] Result<TxnOutcome> read_outcome(std::string_view line, DriverTxn& txn);

}  // namespace elapid
