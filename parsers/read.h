// From an input (file, directory, standard input) to a History: detection, the reader, and quotes
// of the source for evidence.
#ifndef ELAPID_PARSERS_READ_H_
#define ELAPID_PARSERS_READ_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// Formats that can be read. `kJsonl` is one JSON object a line.
enum class Format : std::uint8_t { kEdn, kJson, kJsonl };
[[nodiscard]] std::string_view name(Format format);
[[nodiscard]] std::optional<Format> find_format(std::string_view name);

/// What the micro-operations mean. kOther: none of the workloads read so far.
enum class Workload : std::uint8_t { kListAppend, kRwRegister, kOther };
[[nodiscard]] std::string_view name(Workload workload);
[[nodiscard]] std::optional<Workload> find_workload(std::string_view name);

struct ReadOptions {
  std::optional<Format> format = {};      ///< absent: detected from the content
  std::optional<Workload> workload = {};  ///< absent: inferred from the first writing operation
  /// Operations without :process are dropped and overlapping ones paired, as Elle does.
  bool elle_compat = false;
  bool for_lint = false;  ///< accept overlapping operations of one process, with a remark
  /// Called now and then with bytes consumed and bytes in all (0 if unknown). Returning false stops
  /// reading.
  std::function<bool(std::uint64_t, std::uint64_t)> progress = {};
};

/// What an event says beyond what the History keeps, as printed EDN, read again from its source.
struct EventDetails {
  std::string f;  ///< `:txn`; `nil` if absent
  std::vector<std::pair<std::string, std::string>>
      extras;  ///< further keys, in the order of the source
};

/// A history with its open source.
class LoadedHistory {
 public:
  LoadedHistory(History history, std::vector<std::unique_ptr<ByteSource>> sources, Format format,
                std::string reason, Workload workload)
      : history_(std::move(history)),
        sources_(std::move(sources)),
        format_(format),
        reason_(std::move(reason)),
        workload_(workload) {}

  [[nodiscard]] const History& history() const { return history_; }

  [[nodiscard]] Format format() const { return format_; }

  /// Why this format: one sentence.
  [[nodiscard]] const std::string& format_reason() const { return reason_; }

  /// As asked for, or as inferred.
  [[nodiscard]] Workload workload() const { return workload_; }

  /// File and line of a position, as `history.edn:12`.
  [[nodiscard]] LineColumn line_column(SourcePosition position);
  /// Reads the event at this position again. Error if the source has changed meanwhile.
  Result<EventDetails> details(SourcePosition position);

 private:
  History history_;
  std::vector<std::unique_ptr<ByteSource>> sources_;
  Format format_;
  std::string reason_;
  Workload workload_;
};

/// Reads a history. `path` is a file, `-`, or a Jepsen store directory (its history.edn is read).
/// Errors: kUnreadable (cannot be opened, directory without a history, stopped), kMalformed with
/// file and line:column (what format it has cannot be told, or it breaks the format's rules).
Result<LoadedHistory> read_history(const std::string& path, const ReadOptions& options);

/// The same from an open source, for tests.
Result<LoadedHistory> read_history(std::unique_ptr<ByteSource> source, const ReadOptions& options);

}  // namespace elapid

#endif  // ELAPID_PARSERS_READ_H_
