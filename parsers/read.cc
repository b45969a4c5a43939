#include "parsers/read.h"

#include <filesystem>
#include <system_error>

#include "parsers/detect.h"
#include "parsers/elle_json/json_events.h"
#include "parsers/jepsen/edn_events.h"

namespace elapid {

namespace {

Result<OpHistory> read_as(Format format, ByteSource& source, const ReadOptions& options) {
  return format == Format::kEdn ? read_edn_history(source, options)
                                : read_json_history(source, options, format);
}

/// The file that holds the history of a Jepsen run's directory.
Result<std::string> history_file(const std::string& directory) {
  constexpr const char* kName = "history.edn";
  const std::filesystem::path file = std::filesystem::path(directory) / kName;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is a directory without a history.edn",
                 .file = directory};
  }
  return file.string();
}

}  // namespace

LineColumn LoadedHistory::line_column(SourcePosition position) {
  return sources_.at(position.file)->line_column(position.offset);
}

Result<EventDetails> LoadedHistory::details(SourcePosition position) {
  ByteSource& source = *sources_.at(position.file);
  return format_ == Format::kEdn ? read_edn_event_details(source, position.offset)
                                 : read_json_event_details(source, position.offset);
}

Result<LoadedHistory> read_history(const std::string& path, const ReadOptions& options) {
  std::string file = path;
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    Result<std::string> found = history_file(path);
    if (!found) {
      return std::move(found.error());
    }
    file = std::move(found).value();
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(file);
  if (!source) {
    return std::move(source.error());
  }
  return read_history(std::move(source).value(), options);
}

Result<LoadedHistory> read_history(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  Detection detection{options.format.value_or(Format::kEdn), "it was asked for"};
  if (!options.format) {
    Result<Detection> detected = detect_format(*source);
    if (!detected) {
      return std::move(detected.error());
    }
    detection = std::move(detected).value();
  }
  Result<OpHistory> read = read_as(detection.format, *source, options);
  if (!read) {
    return std::move(read.error());
  }
  std::vector<std::unique_ptr<ByteSource>> sources;
  sources.push_back(std::move(source));
  return LoadedHistory(std::move(read.value().history), std::move(sources), detection.format,
                       std::move(detection.reason), read.value().workload);
}

}  // namespace elapid
