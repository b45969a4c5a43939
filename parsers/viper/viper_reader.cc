#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/integer_text.h"
#include "parsers/bytes/window.h"
#include "parsers/jepsen/initial_value.h"
#include "parsers/read_progress.h"
#include "parsers/traces/session_logs.h"
#include "parsers/viper/viper_edn.h"
#include "parsers/viper/viper_format.h"
#include "parsers/viper/viper_history.h"
#include "parsers/viper/viper_json.h"
#include "parsers/viper/viper_rows.h"

namespace elapid {

namespace {

constexpr FormatRules kViperRules = {
    .initial = "nil, or what a transaction marked as initial wrote",
    .reads = "by the value read; a value that no transaction wrote is the initial state",
    .aborted = "not recorded: every transaction is committed",
    .indeterminate = "not recorded"};

bool is_viper_log(const std::string& name) {
  return name.starts_with("J") || name.starts_with("history.edn");
}

/// The first number in a file's name: `24` of `J24.log`.
std::optional<std::int64_t> number_of_viper_log(const std::string& name) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = std::min(name.find_first_of(kDigits), name.size());
  const std::size_t end = std::min(name.find_first_not_of(kDigits, begin), name.size());
  return integer_of(std::string_view(name).substr(begin, end - begin));
}

/// Reads as registers or lists, or as rows.
class ViperReader {
 public:
  /// Requires the files of the logs as sources, and borrows all but the last argument.
  ViperReader(Sources& sources, const std::vector<SessionLog>& logs, const ReadOptions& options,
              bool is_of_rows)
      : sources_(sources), logs_(logs), options_(options), json_(history_) {
    txn_.is_of_rows = is_of_rows;
  }

  /// Whether the first file that is not empty is JSON.
  Result<bool> is_json() {
    for (std::uint16_t file = 0; file < sources_.size(); ++file) {
      ELAPID_ASSIGN_OR_RETURN(ByteSource * source, opened(file));
      Window window(*source);
      const std::string_view head = window.ahead(Window::kDefaultBytes);
      const std::size_t brace = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
      if (brace != std::string_view::npos) {
        const std::size_t key = head.find_first_not_of(" \t\r\n", brace + 1);
        return head[brace] != '{' || key == std::string_view::npos || head[key] == '"';
      }
    }
    return true;
  }

  /// Reads all files. As registers, stops at the first operation that needs rows, unless the user
  /// asks for registers.
  Status read(bool is_json) {
    for (std::size_t file = 0; file < sources_.size() && !should_be_rows_; ++file) {
      ELAPID_RETURN_IF_ERROR(read(static_cast<std::uint16_t>(file), is_json));
    }
    return {};
  }

  /// Whether the logs must be read again, as rows.
  [[nodiscard]] bool should_be_rows() const { return should_be_rows_; }

  Result<History> finish(std::string assumption) && {
    HistoryInfo info;
    info.format = kViperFormat.name;
    info.files = sources_.names();
    info.rules = kViperRules;
    info.source_bytes = bytes_;
    info.assumptions.push_back(std::move(assumption));
    if (!txn_.is_of_rows) {
      return std::move(history_).finish(options_, std::move(info));
    }
    ELAPID_ASSIGN_OR_RETURN(const ValueId nothing,
                            initial_value(options_, ValueId::nil(), history_.builder().values()));
    info.workload = Workload::kRows;
    ELAPID_RETURN_IF_ERROR(std::move(rows_).finish(sources_, nothing, info));
    return std::move(history_.builder()).build(std::move(info));
  }

 private:
  Status read(std::uint16_t file, bool is_json) {
    ELAPID_ASSIGN_OR_RETURN(ByteSource * source, opened(file));
    session_ = logs_[file].session;
    Status status = is_json ? read_json(file, *source) : read_edn(file, *source);
    if (status.ok()) {
      return {};
    }
    Error error = sources_.located(file, std::move(status.error()));
    if (!options_.salvage || error.kind != ErrorKind::kMalformed) {
      return error;
    }
    history_.builder().remark(
        Remark::Kind::kSalvaged, {.file = file, .offset = error.byte_offset.value_or(0)},
        error.message + "; the transactions before it in this file were kept");
    return {};
  }

  /// A file, rewound.
  Result<ByteSource*> opened(std::uint16_t file) {
    Result<ByteSource*> source = sources_.open(file);
    if (source) {
      ELAPID_RETURN_IF_ERROR(source.value()->rewind());
    }
    return source;
  }

  Status read_json(std::uint16_t file, ByteSource& source) {
    Window window(source);
    ReadProgress progress(source, options_);
    std::uint64_t offset = 0;
    while (const auto line = should_be_rows_ ? std::nullopt : window.line()) {
      if (line->find_first_not_of(" \t") != std::string_view::npos) {
        Status status = json_.read(*line, offset, txn_);
        if (status.ok()) {
          txn_.position = {.file = file, .offset = offset};
          status = add(session_);
        }
        ELAPID_RETURN_IF_ERROR(status);
      }
      offset = window.offset();
      ELAPID_RETURN_IF_ERROR(progress.report(offset));
    }
    if (offset > 0 && !window.line_is_whole()) {
      history_.builder().remark(Remark::Kind::kOther, {.file = file, .offset = offset},
                                "the last line has no newline, and Viper refuses such a file");
    }
    bytes_ += offset;
    return window.error() ? Status(*window.error()) : Status();
  }

  Status read_edn(std::uint16_t file, ByteSource& source) {
    ViperEdnReader reader(source, history_);
    ReadProgress progress(source, options_);
    while (!should_be_rows_ && reader.next(txn_)) {
      txn_.position.file = file;
      ELAPID_RETURN_IF_ERROR(add(txn_.session.value_or(session_)));
      ELAPID_RETURN_IF_ERROR(progress.report(reader.offset()));
    }
    bytes_ += reader.offset();
    return reader.status();
  }

  Status add(std::int64_t session) {
    if (txn_.is_of_rows) {
      return rows_.add(txn_, session);
    }
    should_be_rows_ = !options_.workload && txn_.has_row_operations();
    return history_.add(txn_, session);
  }

  Sources& sources_;
  const std::vector<SessionLog>& logs_;
  const ReadOptions& options_;
  ViperHistory history_;
  ViperRows rows_{history_.builder()};
  bool should_be_rows_ = false;
  ViperJsonReader json_;
  ViperTxn txn_;
  std::int64_t session_ = 0;
  std::uint64_t bytes_ = 0;
};

std::string sentence(bool is_json, bool was_asked_for) {
  return std::string("The logs are ") + (is_json ? "JSON" : "EDN") +
         (was_asked_for ? ", as asked for." : ": the first of them begins so.");
}

}  // namespace

Result<History> read_viper(Sources& sources, const std::string& dialect,
                           const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(const std::vector<SessionLog> logs,
                          find_session_logs(sources, {"logs of Viper, J... or history.edn...",
                                                      is_viper_log, number_of_viper_log}));
  for (const SessionLog& log : logs) {
    if (sources.is_directory()) {
      ELAPID_RETURN_IF_ERROR(sources.add(log.path));
    }
  }
  const bool asks_for_rows = options.workload == Workload::kRows;
  auto reader = std::make_unique<ViperReader>(sources, logs, options, asks_for_rows);
  ELAPID_ASSIGN_OR_RETURN(const bool is_json,
                          dialect.empty() ? reader->is_json() : Result<bool>(dialect == "json"));
  Status status = reader->read(is_json);
  if (status.ok() && reader->should_be_rows()) {
    reader = std::make_unique<ViperReader>(sources, logs, options, true);
    status = reader->read(is_json);
  }
  ELAPID_RETURN_IF_ERROR(status);
  return std::move(*reader).finish(sentence(is_json, !dialect.empty()));
}

namespace {

constexpr std::array<std::string_view, 2> kViperDialects = {"json", "edn"};
constexpr std::string_view kJsonLogs = kViperDialects[0];
constexpr std::string_view kEdnLogs = kViperDialects[1];

std::vector<Sign> looks_like_viper(const FileLook& file) {
  const FirstForm& form = file.form;
  if (!form.is_object() || form.is_enclosed || !form.has_key("value") || form.has_key("type") ||
      form.has_key("process")) {
    return {};
  }
  return {{Strength::kLikely, "its objects have a value and no type", kJsonLogs}};
}

/// Empty logs are sessions without transactions.
std::vector<Sign> holds_viper_logs(const DirectoryLook& directory) {
  if (!directory.files("Jep", "").empty()) {
    return {{Strength::kStrong, "it is a directory with Jep files", kEdnLogs}};
  }
  const auto is_object = [&](const std::string& name) { return directory.head_of(name, 1) == "{"; };
  if (std::ranges::any_of(directory.files("J", ""), is_object)) {
    return {{Strength::kStrong, "it is a directory with J files that begin with `{`", kJsonLogs}};
  }
  return {};
}

constexpr std::array kViperTargets = {Target{.format = &kViperFormat,
                                             .dialect = kJsonLogs,
                                             .extension = ".viper",
                                             .extension_tells = true,
                                             .write_directory = write_viper_json,
                                             .rows = true,
                                             .rows_are_values = true,
                                             .contents_apart = true,
                                             .plan_rows = plan_viper_rows,
                                             .empty_transactions = true,
                                             .by_session = true,
                                             .excuses_unwritten = true,
                                             .zero_is_initial = true,
                                             .initial = InitialForm::kZero,
                                             .keys = kIntegers,
                                             .values = kIntegers},
                                      Target{.format = &kViperFormat,
                                             .dialect = kEdnLogs,
                                             .extension = ".viper",
                                             .write_directory = write_viper_edn,
                                             .lists = true,
                                             .empty_transactions = true,
                                             .by_session = true,
                                             .excuses_unwritten = true,
                                             .keys = kIntegers,
                                             .values = kIntegers}};

}  // namespace

constinit const Format kViperFormat = {.name = "viper",
                                       .tools = "Viper, IsoVista",
                                       .dialects = kViperDialects,
                                       .looks_at_file = looks_like_viper,
                                       .looks_at_directory = holds_viper_logs,
                                       .in_directory = "logs of Viper",
                                       .read = read_viper,
                                       .is_directory = true,
                                       .targets = kViperTargets};

}  // namespace elapid
