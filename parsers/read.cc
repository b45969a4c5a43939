#include "parsers/read.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "parsers/detect.h"
#include "parsers/elle_json/json_events.h"
#include "parsers/jepsen/edn_events.h"
#include "parsers/readers.h"

namespace elapid {

namespace {

Result<Detection> detection_of(Sources& sources, const ReadOptions& options) {
  if (sources.is_directory()) {
    return detect_directory(sources.path(), options.format);
  }
  if (options.format) {
    return Detection{*options.format, "it was asked for", {}};
  }
  Result<ByteSource*> source = sources.open(0);
  return source ? detect_file(*source.value()) : Result<Detection>(std::move(source.error()));
}

Result<LoadedHistory> read_sources(Sources sources, const ReadOptions& options) {
  Result<Detection> detected = detection_of(sources, options);
  if (!detected) {
    return std::move(detected.error());
  }
  Detection detection = std::move(detected).value();
  if (!detection.file.empty()) {
    Result<std::unique_ptr<ByteSource>> file = open_source(detection.file);
    if (!file) {
      return std::move(file.error());
    }
    sources = Sources(std::move(file).value());
  }
  const FormatName& format = detection.format;
  Result<ParsedHistory> parsed = reader_of(format.format)(sources, format.dialect, options);
  if (!parsed) {
    return std::move(parsed.error());
  }
  return LoadedHistory(std::move(parsed).value(), std::move(sources), std::move(detection));
}

}  // namespace

LineColumn LoadedHistory::line_column(SourcePosition position) {
  Result<ByteSource*> source = sources_.open(position.file);
  return source ? source.value()->line_column(position.offset) : LineColumn{};
}

Result<EventDetails> LoadedHistory::details(SourcePosition position) {
  Result<ByteSource*> source = sources_.open(position.file);
  if (!source) {
    return std::move(source.error());
  }
  switch (detection_.format.format) {
    case Format::kEdn:
    case Format::kKnossos:
      return read_edn_event_details(*source.value(), position.offset);
    case Format::kJson:
    case Format::kJsonl:
      return read_json_event_details(*source.value(), position.offset);
    default:
      return EventDetails{.f = ":txn"};
  }
}

Result<LoadedHistory> read_history(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    return read_sources(Sources(path), options);
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  return source ? read_history(std::move(source).value(), options)
                : Result<LoadedHistory>(std::move(source.error()));
}

Result<LoadedHistory> read_history(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  return read_sources(Sources(std::move(source)), options);
}

}  // namespace elapid
