#include "adapter/http/streams/stream_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include "adapter/watch/appended_file.h"
#include "engine/ir/json_string.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/output.h"
#include "parsers/json/value_stream.h"

namespace elapid::http {
namespace {

constexpr std::array<std::string_view, 4> kStageWords = {"open", "ending", "ended", "failed"};
constexpr std::size_t kCopyPiece = std::size_t{1} << 20;

std::string record_text(const StreamRecord& record) {
  std::string text = "{\"name\":" + json_quoted(record.name) +
                     ",\"created\":" + json_quoted(record.created) +
                     ",\"level\":" + json_quoted(record.level) + ",\"options\":[";
  for (const std::string& option : record.options) {
    text += (text.ends_with('[') ? "" : ",") + json_quoted(option);
  }
  return text + "],\"stage\":" + json_quoted(word_of(record.stage)) +
         ",\"reason\":" + json_quoted(record.reason) + "}\n";
}

Status write_record(const std::string& path, const StreamRecord& record) {
  ELAPID_ASSIGN_OR_RETURN(auto file, OutputFile::create(path));
  file << record_text(record);
  return file.commit();
}

/// Nothing if the value is no record.
std::optional<StreamRecord> parse_record(json::Value value) {
  if (!value.is_object()) {
    return std::nullopt;
  }
  StreamRecord record;
  for (const auto& [key, into] :
       {std::pair("name", &record.name), std::pair("created", &record.created),
        std::pair("level", &record.level), std::pair("reason", &record.reason)}) {
    const auto found = json::find(value, key);
    if (!found || !found->is_string()) {
      return std::nullopt;
    }
    *into = found->text();
  }
  const auto options = json::find(value, "options");
  const auto stage = json::find(value, "stage");
  if (!options || !options->is_array() || !stage) {
    return std::nullopt;
  }
  for (json::Value option = options->begin(); option != options->end(); option = option.next()) {
    record.options.emplace_back(option.text());
  }
  const auto* const word = std::ranges::find(kStageWords, stage->text());
  if (word == kStageWords.end()) {
    return std::nullopt;
  }
  record.stage = static_cast<StreamStage>(word - kStageWords.begin());
  return record;
}

Result<StreamRecord> read_record(const std::string& path) {
  ELAPID_ASSIGN_OR_RETURN(auto source, open_source(path));
  json::ValueStream values(*source);
  const bool is_there = values.next();
  std::optional<StreamRecord> record =
      is_there ? parse_record(values.value()) : std::optional<StreamRecord>();
  if (!record) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "expected the record of a stream, found something else",
                 .file = path};
  }
  return std::move(*record);
}

}  // namespace

std::string_view word_of(StreamStage stage) {
  return kStageWords.at(static_cast<std::size_t>(stage));
}

Result<StreamFolder> StreamFolder::create(const std::string& path, StreamRecord record) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be made: " + error.message(),
                 .file = path};
  }
  auto lines = AppendedFile::open(path + "/transactions.jsonl");
  ELAPID_RETURN_IF_ERROR(lines);
  // The record is written last: a folder without it is no stream.
  ELAPID_RETURN_IF_ERROR(write_record(path + "/stream.json", record));
  return StreamFolder(path, std::move(record), 0);
}

Result<StreamFolder> StreamFolder::open(const std::string& path) {
  ELAPID_ASSIGN_OR_RETURN(StreamRecord record, read_record(path + "/stream.json"));
  ELAPID_ASSIGN_OR_RETURN(auto lines, AppendedFile::open(path + "/transactions.jsonl"));
  ELAPID_RETURN_IF_ERROR(drop_unfinished_line(lines));
  return StreamFolder(path, std::move(record), lines.size());
}

Status StreamFolder::save(StreamRecord record) {
  Status written = write_record(path_ + "/stream.json", record);
  if (written.ok()) {
    record_ = std::move(record);
  }
  return written;
}

Status StreamFolder::append(const StreamLines& lines) {
  ELAPID_ASSIGN_OR_RETURN(auto file, AppendedFile::open(lines_path(), false));
  std::string piece(
      static_cast<std::size_t>(std::min<std::uint64_t>(lines.text.size(), kCopyPiece)), '\0');
  Status status;
  for (std::uint64_t done = 0; status.ok() && done < lines.text.size();) {
    const Result<std::size_t> count = lines.text.read_at(done, std::span(piece));
    if (!count) {
      status = count.error();
      break;
    }
    status = file.append(std::string_view(piece).substr(0, count.value()));
    done += count.value();
  }
  status = status.ok() ? file.sync() : status;
  if (status.ok()) {
    size_ = file.size();
  } else {
    (void)file.truncate(size_);
  }
  return status;
}

std::string StreamFolder::last_error() const {
  std::ifstream file(errors_path());
  std::string last;
  for (std::string line; std::getline(file, line);) {
    last = line.empty() ? last : line;
  }
  // Hides from clients where the server keeps the stream.
  for (const std::string& hidden : {std::string("elapid: "), path_ + "/"}) {
    if (const std::size_t at = last.find(hidden); at != std::string::npos) {
      last.erase(at, hidden.size());
    }
  }
  return last;
}

}  // namespace elapid::http
