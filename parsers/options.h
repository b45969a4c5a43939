// What is asked of every reader, and what it answers with.
#ifndef ELAPID_PARSERS_OPTIONS_H_
#define ELAPID_PARSERS_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/workload.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Families of formats; a dialect tells the members of a family apart.
enum class Format : std::uint8_t {
  kEdn,             ///< Jepsen's history.edn
  kJson,            ///< elle-cli's JSON: one array
  kJsonl,           ///< the same, one object a line; and Elapid's own recorder format
  kJepsen,          ///< test.jepsen, and test.fressian of older stores
  kCobra,           ///< directory of binary logs
  kRwText,          ///< `r(k,v,s,t)` text, read by the rule that fits most of its users
  kPolysi,          ///< the same where 0 is the initial value
  kPlume,           ///< the same with aborted writes as transaction -1
  kIsovista,        ///< the same with an explicit initial transaction
  kAwdit,           ///< AWDIT's test files
  kDbcop,           ///< bincode, JSON or .hist text
  kViper,           ///< directory of JSON lines or EDN
  kTimekiller,      ///< JSON with start and commit timestamps
  kVeristrongElle,  ///< VeriStrong's list-append text
  kCoo,             ///< schedules of 3TS
  kIsopredict,      ///< MonkeyDB's traces
  kKnossos,         ///< EDN of single-object operations
  kPorcupine,       ///< etcd logs and key-value EDN
};

/// The name the command line knows, without a dialect: `edn`.
[[nodiscard]] std::string_view name(Format format);
/// All names, in the order of the enumeration.
[[nodiscard]] std::vector<std::string_view> format_names();
/// The dialects that can be asked for as `format:dialect`, the default first; none for most.
[[nodiscard]] std::span<const std::string_view> dialects(Format format);

/// A format with, where there are several, one of its dialects.
struct FormatName {
  Format format = Format::kEdn;
  std::string dialect = {};  ///< empty: the reader decides from the content
  friend bool operator==(const FormatName&, const FormatName&) = default;
};

/// As `cobra` or `cobra:universal`.
[[nodiscard]] std::string text(const FormatName& name);
/// The inverse; nothing for an unknown name or dialect.
[[nodiscard]] std::optional<FormatName> find_format(std::string_view name);

struct ReadOptions {
  std::optional<FormatName> format = {};  ///< absent: detected from the content
  std::optional<Workload> workload = {};  ///< absent: inferred from the first writing operation
  /// Operations without :process are dropped and overlapping ones paired, as Elle does.
  bool elle_compat = false;
  bool for_lint = false;     ///< accept overlapping operations of one process, with a remark
  bool independent = false;  ///< values are tuples `[key value]`: see read_histories
  /// Bytes of the longest line that is read: see ByteSource::longest_line().
  std::uint64_t longest_line = ByteSource::kLongestLine;
  bool salvage = false;  ///< take the whole transactions before a break, with a remark
  /// The initial value of keys as EDN, where the format's own is not meant.
  std::optional<std::string> initial = {};
  /// Called now and then with bytes consumed and bytes in all (0 if unknown). Returning false stops
  /// reading.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
};

/// One of several histories in an input.
struct IndependentHistory {
  std::string key;  ///< printed EDN
  History history;
};

/// What an event says beyond what the History keeps, as printed EDN, read again from its source.
struct EventDetails {
  std::string f = {};  ///< `:txn`; `nil` if absent
  std::vector<std::pair<std::string, std::string>> extras =
      {};  ///< further keys, in the order of the source
};

}  // namespace elapid

#endif  // ELAPID_PARSERS_OPTIONS_H_
