// The lines of MonkeyDB's traces, syntax only:
//
//   WRITE KEY[k] Txn(1, 0)                      transaction 0 of session 1 writes key k
//   READ KEY[k] Txn(2, 0) From(1, 0)            transaction 0 of session 2 reads that write
//   INSERT[5] to Set[s] Txn(1, 1)               writes of key Set(s:5)
//   DELETE[5] from Set[s] Txn(2, 2)
//   CONTAINS[5] in Set[s] From(1, 1) Txn(2, 1)  a read of key Set(s:5)
//
// Any text may precede an event, and lines without an event mean nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// A transaction's place: the n-th, from 0 on, of a session.
struct TxnName {
  std::int64_t session = 0;
  std::int64_t index = 0;
  friend auto operator<=>(const TxnName&, const TxnName&) = default;
};

struct IsopredictEvent {
  std::uint64_t offset = 0;  ///< its first byte in the input
  std::string key = {};
  TxnName txn = {};
  std::optional<TxnName> from = {};  ///< of a read
};

/// The event of a line that begins at byte `offset`; nothing if there is none. Error: kMalformed
/// for a text that begins like an event and is none.
Result<std::optional<IsopredictEvent>> parse_isopredict_line(std::string_view line,
                                                             std::uint64_t offset);

}  // namespace elapid
