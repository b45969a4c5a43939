#include "parsers/read.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "parsers/detect.h"
#include "parsers/elle_json/json_events.h"
#include "parsers/jepsen/edn_events.h"
#include "parsers/jepsen_binary/event_details.h"
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

/// An input with its format.
struct Opened {
  std::shared_ptr<Sources> sources;
  Detection detection;
};

Result<Opened> open_input(Sources input, const ReadOptions& options) {
  auto sources = std::make_shared<Sources>(std::move(input));
  Result<Detection> detected = detection_of(*sources, options);
  if (!detected) {
    return std::move(detected.error());
  }
  Detection detection = std::move(detected).value();
  if (!detection.file.empty()) {
    Result<std::unique_ptr<ByteSource>> file = open_source(detection.file);
    if (!file) {
      return std::move(file.error());
    }
    sources = std::make_shared<Sources>(std::move(file).value());
  }
  return Opened{std::move(sources), std::move(detection)};
}

Result<LoadedHistory> read_sources(Sources input, const ReadOptions& options) {
  Result<Opened> opened = open_input(std::move(input), options);
  if (!opened) {
    return std::move(opened.error());
  }
  auto& [sources, detection] = opened.value();
  const FormatName& format = detection.format;
  Result<ParsedHistory> parsed = reader_of(format.format)(*sources, format.dialect, options);
  if (!parsed) {
    return std::move(parsed.error());
  }
  return LoadedHistory(std::move(parsed).value(), std::move(sources), std::move(detection));
}

Result<std::vector<LoadedHistory>> read_all_sources(Sources input, const ReadOptions& options) {
  std::vector<LoadedHistory> all;
  if (!options.independent) {
    Result<LoadedHistory> loaded = read_sources(std::move(input), options);
    if (!loaded) {
      return std::move(loaded.error());
    }
    all.push_back(std::move(loaded).value());
    return all;
  }
  Result<Opened> opened = open_input(std::move(input), options);
  if (!opened) {
    return std::move(opened.error());
  }
  const auto& [sources, detection] = opened.value();
  const IndependentReader read = independent_reader_of(detection.format.format);
  if (read == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--independent is for Jepsen's histories, and this is one in format " +
                            text(detection.format),
                 .file = sources->path()};
  }
  auto parts = read(*sources, detection.format.dialect, options);
  if (!parts) {
    return std::move(parts.error());
  }
  for (IndependentHistory& part : parts.value()) {
    all.emplace_back(std::move(part), sources, detection);
  }
  return all;
}

/// Calls `read` with what is at the path.
template <class Loaded>
Result<Loaded> read_path(const std::string& path, const ReadOptions& options,
                         Result<Loaded> (*read)(Sources, const ReadOptions&)) {
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    return read(Sources(path), options);
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(path);
  return source ? read(Sources(std::move(source).value()), options)
                : Result<Loaded>(std::move(source.error()));
}

}  // namespace

LineColumn LoadedHistory::line_column(SourcePosition position) {
  Result<ByteSource*> source = sources_->open(position.file);
  return source ? source.value()->line_column(position.offset) : LineColumn{};
}

Result<EventDetails> LoadedHistory::details(SourcePosition position) {
  Result<ByteSource*> source = sources_->open(position.file);
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
    case Format::kJepsen:
      return read_jepsen_binary_event_details(*source.value(), position.offset);
    default:
      return EventDetails{.f = ":txn"};
  }
}

Result<LoadedHistory> read_history(const std::string& path, const ReadOptions& options) {
  return read_path(path, options, read_sources);
}

Result<LoadedHistory> read_history(std::unique_ptr<ByteSource> source, const ReadOptions& options) {
  return read_sources(Sources(std::move(source)), options);
}

Result<std::vector<LoadedHistory>> read_histories(const std::string& path,
                                                  const ReadOptions& options) {
  return read_path(path, options, read_all_sources);
}

Result<std::vector<LoadedHistory>> read_histories(std::unique_ptr<ByteSource> source,
                                                  const ReadOptions& options) {
  return read_all_sources(Sources(std::move(source)), options);
}

}  // namespace elapid
