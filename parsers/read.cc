#include "parsers/read.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "engine/ir/memory_account.h"
#include "parsers/jepsen/workload_inference.h"

namespace elapid {

namespace {

using Detections = std::vector<Detection>;

/// The possible formats of the input; at least one.
Result<Detections> detections_of(Sources& sources, const ReadOptions& options) {
  if (sources.is_directory()) {
    Result<Detection> detection = detect_directory(sources.path(), options.format, options.words);
    return detection ? Result<Detections>(Detections{std::move(detection).value()})
                     : Result<Detections>(std::move(detection.error()));
  }
  if (options.format) {
    return Detections{{*options.format, "it was asked for", {}}};
  }
  Result<ByteSource*> source = sources.open(0);
  return source ? detect_file(*source.value(), options.words)
                : Result<Detections>(std::move(source.error()));
}

/// An input with its possible formats.
struct OpenedPath {
  Sources sources;
  Detections detections;
};

Result<OpenedPath> open_input(Sources sources, const ReadOptions& options) {
  sources.set_line_limit({options.longest_line, options.words.longest_line});
  ELAPID_ASSIGN_OR_RETURN(Detections detected, detections_of(sources, options));
  if (const std::string& path = detected.front().file; !path.empty()) {
    ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> file, open_source(path));
    sources = Sources(std::move(file));
    sources.set_line_limit({options.longest_line, options.words.longest_line});
  }
  return OpenedPath{std::move(sources), std::move(detected)};
}

/// The result of a format's reader.
template <class Parsed>
struct Believed {
  Parsed parsed;
  Detection detection;
};

/// Adds a hint to the error of an input that ends too early: its whole part can be salvaged.
/// Readers report this by the first words, values within a file by the second, and compressed data
/// by the third.
Error with_hint(Error error, const ReadOptions& options) {
  constexpr std::array<std::string_view, 3> kWords = {
      "found the end of the input", "found the end of the data", "data is cut short"};
  const bool is_cut = std::ranges::any_of(kWords, [&](std::string_view words) {
    return error.message.find(words) != std::string::npos;
  });
  if (is_cut && !options.salvage) {
    error.message += " (to read what is whole before it, see ";
    error.message += options.words.salvage;
    error.message += ')';
  }
  return error;
}

/// Takes the first format whose reader reaches the end. If there is none, returns the error of the
/// reader that came farthest, and salvages with that one.
template <class Parsed, class Read>
Result<Believed<Parsed>> read_as_any(Sources& sources, Detections detections,
                                     const ReadOptions& options, Read read) {
  ReadOptions strict = options;
  strict.salvage = options.salvage && detections.size() == 1;
  std::optional<Error> farthest;
  std::size_t best = 0;
  for (std::size_t i = 0; i < detections.size(); ++i) {
    Result<Parsed> parsed = read(sources, detections[i], strict);
    if (parsed) {
      return Believed<Parsed>{std::move(parsed).value(), std::move(detections[i])};
    }
    Error& error = parsed.error();
    if (error.kind != ErrorKind::kMalformed) {
      return std::move(error);
    }
    if (!farthest || error.byte_offset.value_or(0) > farthest->byte_offset.value_or(0)) {
      farthest = std::move(error);
      best = i;
    }
  }
  if (options.salvage && !strict.salvage) {
    Result<Parsed> parsed = read(sources, detections[best], options);
    return parsed ? Result<Believed<Parsed>>(
                        Believed<Parsed>{std::move(parsed).value(), std::move(detections[best])})
                  : Result<Believed<Parsed>>(std::move(parsed.error()));
  }
  return with_hint(*std::move(farthest), options);
}

Result<LoadedHistory> read_opened(OpenedPath opened, const ReadOptions& options) {
  auto& [sources, detections] = opened;
  auto believed = read_as_any<History>(
      sources, std::move(detections), options,
      [](Sources& from, const Detection& detection, const ReadOptions& how) {
        return detection.format.format->read(from, detection.format.dialect, how);
      });
  ELAPID_RETURN_IF_ERROR(believed);
  auto& [parsed, detection] = believed.value();
  return LoadedHistory(std::move(parsed),
                       std::make_shared<LoadedInput>(std::move(sources), std::move(detection)));
}

Result<LoadedHistory> read_sources(Sources input, const ReadOptions& options) {
  Result<OpenedPath> opened = open_input(std::move(input), options);
  return opened ? read_opened(std::move(opened).value(), options)
                : Result<LoadedHistory>(std::move(opened.error()));
}

using Parts = std::vector<IndependentHistory>;

Result<Parts> read_parts(Sources& sources, const Detection& detection, const ReadOptions& options) {
  const IndependentReader read = detection.format.format->read_independent;
  if (read == nullptr) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = std::string(options.words.independent) +
                            " is for Jepsen's histories, and this is one in format " +
                            text(detection.format),
                 .file = sources.path()};
  }
  return read(sources, detection.format.dialect, options);
}

std::vector<LoadedHistory> loaded_parts(Believed<Parts> believed, Sources sources) {
  const auto input =
      std::make_shared<LoadedInput>(std::move(sources), std::move(believed.detection));
  std::vector<LoadedHistory> all;
  for (IndependentHistory& part : believed.parsed) {
    all.emplace_back(std::move(part), input);
  }
  return all;
}

bool is_single(Workload workload) {
  return workload.has_objects() || !workload.has_transactions();
}

/// What follows if the histories of the keys cannot be read. Single operations would be judged as
/// those of one object, which they are not: the error stands. Transactions are one history then.
Result<std::vector<LoadedHistory>> no_parts(Sources& sources, const Detection& detection,
                                            const ReadOptions& options, const TupleSign& sign,
                                            Error error) {
  if (sign.is_certain) {
    return error;
  }
  const Result<ToldWorkload> told = told_workload(sources, detection.format, options);
  if (!told) {
    return told.error();
  }
  if (!is_single(told.value().workload)) {
    return std::vector<LoadedHistory>();
  }
  error.message += " (the operations are split by key, because " + sign.because + ')';
  return error;
}

/// The histories of the keys, if something shows that values are tuples; empty if the input is one
/// history.
Result<std::vector<LoadedHistory>> read_found_tuples(OpenedPath& opened, ReadOptions options) {
  auto& [sources, detections] = opened;
  const Format& format = *detections.front().format.format;
  if (format.finds_tuples == nullptr || options.elle_compat) {
    return std::vector<LoadedHistory>();
  }
  const Result<TupleSign> sign =
      format.finds_tuples(sources, detections.front().format.dialect, options);
  if (!sign || sign.value().because.empty()) {
    return sign ? Result<std::vector<LoadedHistory>>(std::vector<LoadedHistory>())
                : Result<std::vector<LoadedHistory>>(sign.error());
  }
  options.independent = true;
  options.tuples_because = sign.value().because;
  auto believed = read_as_any<Parts>(sources, {detections.front()}, options, read_parts);
  if (!believed) {
    return no_parts(sources, detections.front(), options, sign.value(),
                    std::move(believed.error()));
  }
  const auto is_believed = [&](const IndependentHistory& part) {
    return sign.value().is_certain || is_single(part.history.workload());
  };
  return std::ranges::all_of(believed.value().parsed, is_believed)
             ? loaded_parts(std::move(believed).value(), std::move(sources))
             : std::vector<LoadedHistory>();
}

Result<std::vector<LoadedHistory>> read_all_sources(Sources input, const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(OpenedPath opened, open_input(std::move(input), options));
  auto& [sources, detections] = opened;
  if (options.independent) {
    auto believed = read_as_any<Parts>(sources, std::move(detections), options, read_parts);
    return believed ? Result<std::vector<LoadedHistory>>(
                          loaded_parts(std::move(believed).value(), std::move(sources)))
                    : Result<std::vector<LoadedHistory>>(std::move(believed.error()));
  }
  Result<std::vector<LoadedHistory>> all = read_found_tuples(opened, options);
  if (!all || !all.value().empty()) {
    return all;
  }
  ELAPID_ASSIGN_OR_RETURN(LoadedHistory loaded, read_opened(std::move(opened), options));
  all.value().push_back(std::move(loaded));
  return all;
}

Error takes_too_much(const std::string& path) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  return {.kind = ErrorKind::kUnreadable,
          .message = MemoryLimit::is_set()
                         ? "the history takes more memory to read than the limit of " +
                               std::to_string(MemoryLimit::of_thread() / kMebibyte) + "M allows"
                         : std::string("memory ran out while the history was read"),
          .file = path};
}

/// Calls `read` with the sources at the path.
template <class Loaded>
Result<Loaded> read_path(const std::string& path, const ReadOptions& options,
                         Result<Loaded> (*read)(Sources, const ReadOptions&)) {
  try {
    std::error_code error;
    if (path != "-" && std::filesystem::is_directory(path, error)) {
      return read(Sources(path), options);
    }
    Result<std::unique_ptr<ByteSource>> source = open_source(path);
    return source ? read(Sources(std::move(source).value()), options)
                  : Result<Loaded>(std::move(source.error()));
  } catch (const std::bad_alloc&) {
    return takes_too_much(path);
  }
}

}  // namespace

bool LoadedHistory::has_lines() const {
  const Format& format = *input_->detection.format.format;
  const std::string& dialect = input_->detection.format.dialect;
  return std::ranges::find(format.binary_dialects, dialect.empty() && !format.dialects.empty()
                                                       ? format.dialects.front()
                                                       : dialect) == format.binary_dialects.end();
}

LineColumn LoadedHistory::line_column(SourcePosition position) {
  Result<ByteSource*> source = input_->sources.open(position.file);
  return source ? source.value()->line_column(position.offset) : LineColumn{};
}

std::optional<std::string> LoadedHistory::line_at(SourcePosition position, std::size_t most) {
  Result<ByteSource*> source = input_->sources.open(position.file);
  if (!source || !has_lines()) {
    return std::nullopt;
  }
  const std::size_t before = std::min<std::uint64_t>(position.offset, most);
  std::string bytes(before + most, '\0');
  const Result<std::size_t> count = source.value()->reread(position.offset - before, bytes);
  if (!count || count.value() <= before) {
    return std::nullopt;
  }
  const bool is_cut = count.value() == bytes.size();
  bytes.resize(count.value());
  const std::size_t newline = before == 0 ? std::string::npos : bytes.rfind('\n', before - 1);
  const std::size_t end = bytes.find('\n', before);
  const bool begins = newline != std::string::npos || before == position.offset;
  if (!begins || (end == std::string::npos && is_cut)) {
    return std::nullopt;
  }
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return bytes.substr(begin, std::min(end, bytes.size()) - begin);
}

namespace {

/// Whether operations are printed and written with the source's own values.
bool has_calls(Workload workload) {
  return !workload.has_transactions() || workload == Workload::kOther;
}

}  // namespace

Result<EventDetails> LoadedHistory::details(SourcePosition position) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, input_->sources.open(position.file));
  const DetailsOpener opens = input_->detection.format.format->opens_details;
  if (opens == nullptr) {
    return EventDetails{.f = ":txn"};
  }
  auto& latest = input_->details;
  if (latest.source != source || latest.file != position.file) {
    latest = {position.file, source, opens(*source)};
  }
  return latest.read(position.offset, has_calls(history_.workload()));
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
