// The options of all readers, and their results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/workload.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

struct Format;  // parsers/format.h

/// A format with, where there are several, one of its dialects.
struct FormatName {
  const Format* format = nullptr;  ///< a row of formats()
  std::string dialect = {};        ///< empty: the reader decides from the content
  friend bool operator==(const FormatName&, const FormatName&) = default;
};

/// As `cobra` or `cobra:universal`; the inverse is find_format() in parsers/formats.h.
[[nodiscard]] std::string text(const FormatName& name);

/// What the caller calls the options of reading, for messages: a program its flags, a service its
/// fields. The texts must outlive what is read. FormatRules use the names that stand here.
struct ReadWords {
  std::string_view format = "the option format";
  std::string_view independent = "the option independent";
  std::string_view longest_line = "the option longest_line";
  std::string_view salvage = "the option salvage";
};

struct ReadOptions {
  std::optional<FormatName> format = {};  ///< absent: detected from the content
  std::optional<Workload> workload = {};  ///< absent: inferred from the first writing operation
  std::string workload_because = {};      ///< ToldWorkload::sentence; empty: the option says so
  /// Operations without :process are dropped and overlapping ones paired, as Elle does.
  bool elle_compat = false;
  bool for_lint = false;            ///< accept overlapping operations of one process, with a remark
  bool independent = false;         ///< values are tuples `[key value]`: see read_histories
  std::string tuples_because = {};  ///< TupleSign::because; empty: the option says so
  std::uint64_t longest_line = LineLimit().bytes;  ///< bytes: see LineLimit
  bool salvage = false;  ///< take the whole transactions before a break, with a remark
  /// The initial value of keys as EDN, where the format's own is not meant.
  std::optional<std::string> initial = {};
  /// Of a history of rows: there may have been rows that it does not tell of; see rows::Rows.
  bool has_unrecorded_rows = false;
  /// Called now and then with bytes consumed and bytes in all (0 if unknown), by one thread at a
  /// time, which need not be the one that asked. Returning false stops reading.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  /// How many threads read one input, at least 1. What is read does not depend on it.
  std::size_t threads = 1;
  ReadWords words = {};
};

/// One of several histories in an input.
struct IndependentHistory {
  std::string key;  ///< printed EDN
  History history;
};

/// What an event says beyond what the History keeps, as printed EDN, read again from its source.
struct EventDetails {
  std::string f = {};      ///< `:txn`; `nil` if absent
  std::string value = {};  ///< :value as canonical EDN, where it is asked for; empty if it is
                           ///< absent or cannot be told
  std::string index = {};  ///< the number that a line of JSON calls it by; empty if there is none
  std::vector<std::pair<std::string, std::string>> extras =
      {};  ///< further keys, in the order of the source
};

}  // namespace elapid
