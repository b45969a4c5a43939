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

/// A format with a dialect, if it has several.
struct FormatName {
  const Format* format = nullptr;  ///< a row of formats()
  std::string dialect = {};        ///< empty: the content tells the reader
  friend bool operator==(const FormatName&, const FormatName&) = default;
};

/// As `cobra` or `cobra:universal`; the inverse is find_format() in parsers/formats.h.
[[nodiscard]] std::string text(const FormatName& name);

/// The caller's names of the options of reading, for messages: a program's flags, a service's
/// fields. The texts must outlive the histories read. FormatRules use the default names here.
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
  /// Operations without :process are dropped and overlapping ones paired, as in Elle.
  bool elle_compat = false;
  bool for_lint = false;            ///< accept overlapping operations of one process, with a remark
  bool independent = false;         ///< values are tuples `[key value]`: see read_histories
  std::string tuples_because = {};  ///< TupleSign::because; empty: the option says so
  std::uint64_t longest_line = LineLimit().bytes;  ///< bytes: see LineLimit
  bool salvage = false;  ///< take the whole transactions before a break, with a remark
  /// The initial value of keys as EDN, if it is not the format's own.
  std::optional<std::string> initial = {};
  /// For a history of rows: rows may have existed that it does not mention; see rows::Rows.
  bool has_unrecorded_rows = false;
  /// Called now and then with bytes consumed and bytes in all (0 if unknown), by one thread at a
  /// time, which need not be the caller's. Returning false stops the reading.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
  /// The number of threads that read one input, at least 1. The result does not depend on it.
  std::size_t threads = 1;
  ReadWords words = {};
};

/// One of several histories in an input.
struct IndependentHistory {
  std::string key;  ///< printed EDN
  History history;
};

/// The facts of an event beyond the History, as printed EDN, read again from its source.
struct EventDetails {
  std::string f = {};      ///< `:txn`; `nil` if absent
  std::string value = {};  ///< :value as canonical EDN, if asked for; empty if
                           ///< absent or unknown
  std::string index = {};  ///< its number in a line of JSON; empty if there is none
  std::vector<std::pair<std::string, std::string>> extras =
      {};  ///< further keys, in the order of the source
};

}  // namespace elapid
