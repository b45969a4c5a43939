// An event of a history whose keys and values are whole numbers, as a harness makes it. No name is
// interned, so it can be written at once (plain_event_writer.h), without a History.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "parsers/convert/plain_tree.h"

namespace elapid {

/// A micro-operation.
struct PlainMop {
  OpKind kind = OpKind::kRead;
  bool is_nil = false;  ///< a read that found no value, or has no answer yet
  std::int64_t key = 0;
  std::int64_t value = 0;        ///< not for kReadList
  std::uint32_t list_begin = 0;  ///< for kReadList: range of PlainEvent::elements
  std::uint32_t list_length = 0;
  bool tells_rows = false;  ///< of kRow, a write by a predicate: the list has its rows
};

enum class PlainRowKind : std::uint8_t { kInsert, kRead, kUpdate, kDelete };

/// The condition of an operation on rows, in SQL.
enum class PlainRowsBy : std::uint8_t {
  kKeys,           ///< `k between low and high`
  kGroup,          ///< `g = group`
  kValues,         ///< `v between low and high`
  kValuesOfGroup,  ///< both of these
  kRow,            ///< none: the operation on the row `low`, by its key; not asked of databases
};

/// A micro-operation of kind OpKind::kRow. The rows have a key and the columns `g`, `v` and `u` (in
/// EDN `:g`, `:v` and `:u`), all whole numbers.
struct PlainRowOp {
  PlainRowKind kind = PlainRowKind::kRead;
  PlainRowsBy by = PlainRowsBy::kKeys;  ///< not of kInsert
  bool is_left_out = false;             ///< the client skipped it
  std::int64_t key = 0;                 ///< of kInsert
  std::int64_t group = 0;               ///< the group to insert, or to find
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t value = 0;   ///< `v` of kInsert and kUpdate
  std::int64_t unique = 0;  ///< `u` of both: unique among all operations
};

/// The form of an event's :value.
enum class PlainValue : std::uint8_t {
  kNil,
  kMops,      ///< `[[:append 1 2] [:r 3 [4]]]`
  kNumber,    ///< `5`: numbers[0]
  kPair,      ///< `[1 2]`: numbers[0] and [1]
  kElements,  ///< `[1 2 3]`: all elements
  kBalances,  ///< `{0 10, 1 15}`: key and value of each micro-operation
  kTransfer,  ///< `{:from 0, :to 1, :amount 5}`: the three numbers
  kKeyword,   ///< `:killed`: the keyword
  kAsked,     ///< `[1 nil]`: numbers[0], without an answer yet
  kDenied,    ///< `[1 false]`
  kAffirmed,  ///< `[1 true]`
  kTree,      ///< any other value: the tree
};

/// The database's timestamps of a transaction, in its own unit.
struct PlainTimestamps {
  std::int64_t start = 0;
  std::int64_t commit = 0;
};

/// Spans and texts stay valid until the request for the next event.
struct PlainEvent {
  EventType type = EventType::kInvoke;
  std::int64_t index = 0;
  std::int64_t time = 0;     ///< ns
  std::int64_t invoked = 0;  ///< of a completion: the time of its invocation
  std::int64_t process = 0;
  std::string_view function = "txn";  ///< :f
  PlainValue shape = PlainValue::kMops;
  std::optional<std::int64_t> tuple_key =
      {};  ///< the value is `[key value]`: see jepsen.independent
  std::array<std::int64_t, 3> numbers = {};
  std::span<const PlainMop> mops = {};
  /// The row operations; `value` of a micro-operation of kind OpKind::kRow is its place here. Its
  /// elements are its result: key and columns of each row read, or the number of rows written, or
  /// their keys. If `is_nil`, the result is unknown.
  std::span<const PlainRowOp> row_ops = {};
  std::span<const std::int64_t> elements = {};
  const PlainTree* tree = nullptr;
  std::span<const PlainField> fields = {};  ///< further keys
  std::string_view keyword = {};            ///< without its colon
  std::string_view error = {};              ///< :error, a keyword; empty: none
  /// The database's message; with it :error is `[:deadlock "..."]`.
  std::string_view message = {};
  /// The client died. A history of events has no such event; a format of whole transactions writes
  /// the transaction. The type is kInfo, and there is no index.
  bool is_silent = false;
  /// An event of the nemesis (`:process :nemesis`), not of a client. Formats without a nemesis
  /// leave it out.
  bool is_nemesis = false;
  std::optional<PlainTimestamps> timestamps = {};  ///< of committed transactions
};

}  // namespace elapid
