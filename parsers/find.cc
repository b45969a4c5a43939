#include "parsers/find.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsers/detect.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;

/// Whether a file accompanies histories without being one: those of Jepsen, and what Elapid writes
/// beside them.
bool is_companion(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"results.edn", "test.edn", "jepsen.log",
                                                      "results.json", "matrix.json"};
  constexpr std::array<std::string_view, 5> kEnds = {".map.json", ".injected.json", ".html",
                                                     ".cert", ".scenario"};
  return name.starts_with('.') || std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether a file is for people to read, whatever examples of histories stand in it.
bool is_prose(std::string_view name) {
  return name.starts_with("README") || name.ends_with(".md") || name.ends_with(".rst");
}

/// The entries of a directory in the order of their names.
Result<std::vector<fs::directory_entry>> entries_of(const fs::path& directory) {
  std::vector<fs::directory_entry> entries;
  std::error_code error;
  fs::directory_iterator it(directory, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    entries.push_back(*it);
  }
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be read: " + error.message(),
                 .file = directory.string()};
  }
  std::ranges::sort(entries);
  return entries;
}

class Search {
 public:
  Status look_into(const fs::path& directory) {
    pending_.push_back(directory);
    while (!pending_.empty()) {
      const fs::path next = std::move(pending_.back());
      pending_.pop_back();
      if (Status status = look_at_directory(next); !status.ok()) {
        return status;
      }
    }
    std::ranges::sort(found_.paths);
    std::ranges::sort(found_.passed_over);
    return {};
  }

  FoundHistories take() { return std::move(found_); }

 private:
  Status look_at_directory(const fs::path& directory) {
    Result<Detection> detection = detect_directory(directory.string());
    if (detection) {
      found_.paths.push_back(directory.string());
      return {};
    }
    if (detection.error().kind == ErrorKind::kMalformed) {
      return std::move(detection.error());
    }
    Result<std::vector<fs::directory_entry>> entries = entries_of(directory);
    if (!entries) {
      return std::move(entries.error());
    }
    for (const fs::directory_entry& entry : entries.value()) {
      look_at_entry(entry);
    }
    return {};
  }

  void look_at_entry(const fs::directory_entry& entry) {
    std::error_code error;
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && !entry.is_symlink(error) && !name.starts_with('.')) {
      pending_.push_back(entry.path());
    } else if (entry.is_regular_file(error) && !is_companion(name)) {
      look_at_file(entry.path().string(), is_prose(name));
    }
  }

  void look_at_file(const std::string& file, bool is_prose) {
    const auto source = open_source(file);
    const bool is_history = !is_prose && source && detect_file(*source.value());
    (is_history ? found_.paths : found_.passed_over).push_back(file);
  }

  std::vector<fs::path> pending_;
  FoundHistories found_;
};

}  // namespace

Result<FoundHistories> find_histories(const std::string& path) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) {
    return FoundHistories{.paths = {path}};
  }
  Search search;
  if (Status status = search.look_into(path); !status.ok()) {
    return std::move(status.error());
  }
  return search.take();
}

}  // namespace elapid
