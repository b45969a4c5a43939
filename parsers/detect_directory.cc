// The directories that are one history.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "parsers/detect.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;

bool has_file(const fs::path& directory, const char* name) {
  std::error_code error;
  return fs::is_regular_file(directory / name, error);
}

/// The first byte of a file; NUL if there is none.
char first_byte(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const int byte = in.get();
  return in ? static_cast<char>(byte) : '\0';
}

/// Files of the directory whose names begin and end so, in the order of their names.
std::vector<fs::path> files_named(const std::string& directory, std::string_view begin,
                                  std::string_view end) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(directory, error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(begin) && name.ends_with(end) && it->is_regular_file(error)) {
      files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether one of the files begins with this byte. Empty files are sessions without transactions.
bool any_begins_with(const std::vector<fs::path>& files, char byte) {
  return std::any_of(files.begin(), files.end(),
                     [byte](const fs::path& file) { return first_byte(file) == byte; });
}

std::vector<Detection> candidates(const std::string& directory) {
  std::vector<Detection> found;
  const auto add = [&found](Format format, std::string dialect, std::string reason,
                            std::string file = {}) {
    found.push_back({{format, std::move(dialect)}, std::move(reason), std::move(file)});
  };
  const auto path_of = [&](const char* name) { return (fs::path(directory) / name).string(); };
  const auto logs = files_named(directory, "", ".log");
  if (any_begins_with(logs, 'S')) {
    add(Format::kCobra, "", "it is a directory with .log files that begin with `S`");
  }
  if (any_begins_with(files_named(directory, "J", ""), '{') &&
      files_named(directory, "Jep", "").empty()) {
    add(Format::kViper, "json", "it is a directory with J files that begin with `{`");
  }
  if (!files_named(directory, "Jep", "").empty()) {
    add(Format::kViper, "edn", "it is a directory with Jep files");
  }
  if (has_file(directory, "history.bincode")) {
    add(Format::kDbcop, "bincode", "it is a directory with a history.bincode",
        path_of("history.bincode"));
  }
  if (has_file(directory, "test.jepsen")) {
    add(Format::kJepsen, "binary", "it is a Jepsen store's directory with a test.jepsen",
        path_of("test.jepsen"));
  } else if (has_file(directory, "history.edn")) {
    add(Format::kEdn, "", "it is a directory with a history.edn", path_of("history.edn"));
  } else if (has_file(directory, "test.fressian")) {
    add(Format::kJepsen, "fressian", "it is a Jepsen store's directory with a test.fressian",
        path_of("test.fressian"));
  }
  return found;
}

/// A directory in the format that was asked for.
Result<Detection> asked_for(const std::string& directory, const FormatName& asked,
                            const std::vector<Detection>& found) {
  const auto is_asked = [&asked](const Detection& candidate) {
    return candidate.format.format == asked.format &&
           (asked.dialect.empty() || asked.dialect == candidate.format.dialect);
  };
  Detection detection = {asked, "it was asked for", {}};
  if (const auto match = std::ranges::find_if(found, is_asked); match != found.end()) {
    detection.file = match->file;
  } else if (asked.format != Format::kCobra && asked.format != Format::kViper) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is a directory without a history in the format " + text(asked),
                 .file = directory};
  }
  return detection;
}

}  // namespace

Result<Detection> detect_directory(const std::string& directory,
                                   const std::optional<FormatName>& asked) {
  std::vector<Detection> found = candidates(directory);
  if (asked) {
    return asked_for(directory, *asked, found);
  }
  if (found.empty()) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message =
                     "is a directory without a history: no test.jepsen, history.edn, "
                     "history.bincode, and no logs of Cobra or Viper",
                 .file = directory};
  }
  if (found.size() > 1) {
    std::string names;
    for (const Detection& candidate : found) {
      names += (names.empty() ? "" : " or ") + text(candidate.format);
    }
    return Error{.message = "cannot tell the format of this directory: it may be " + names +
                            " (see --format)",
                 .file = directory};
  }
  return std::move(found.front());
}

}  // namespace elapid
