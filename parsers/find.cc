#include "parsers/find.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsers/bytes/read_full.h"
#include "parsers/detect.h"
#include "parsers/first_look.h"

namespace elapid {

namespace {

namespace fs = std::filesystem;

/// Whether a file accompanies histories without being one: files of Jepsen, and those that Elapid
/// writes beside histories.
bool is_companion(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"results.edn", "test.edn", "jepsen.log",
                                                      "results.json", "matrix.json"};
  constexpr std::array<std::string_view, 5> kEnds = {".map.json", ".injected.json", ".html",
                                                     ".cert", ".scenario"};
  return name.starts_with('.') || std::ranges::find(kNames, name) != kNames.end() ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether a file is documentation, which may contain examples of histories.
bool is_prose(std::string_view name) {
  return name.starts_with("README") || name.ends_with(".md") || name.ends_with(".rst");
}

/// Whether a link is one of those that Jepsen makes to its newest run.
bool is_link_of_jepsen(std::string_view name) {
  return name == "latest" || name == "current";
}

/// Whether the beginning, by which a format is detected, is neither unreadable nor damaged.
bool can_be_read(ByteSource& source) {
  return source.rewind().ok() &&
         read_full(FileLook::kBytes, [&](std::span<char> into) { return source.read(into); }).ok();
}

class Search {
 public:
  explicit Search(const WantedFile& is_wanted) : is_wanted_(is_wanted) {}

  FoundHistories look_into(const fs::path& directory) {
    pending_.push_back(directory);
    while (!pending_.empty()) {
      const fs::path next = std::move(pending_.back());
      pending_.pop_back();
      look_at_directory(next);
    }
    std::ranges::sort(found_.paths);
    std::ranges::sort(found_.passed_over);
    return std::move(found_);
  }

 private:
  void look_at_directory(const fs::path& directory) {
    const Result<Detection> detection = detect_directory(directory.string());
    std::error_code error;
    fs::directory_iterator entry(directory, error);
    if (detection || detection.error().kind == ErrorKind::kMalformed || error) {
      found_.paths.push_back(directory.string());
      return;
    }
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      look_at_entry(*entry);
    }
    if (error) {
      found_.paths.push_back(directory.string());
    }
  }

  void look_at_entry(const fs::directory_entry& entry) {
    std::error_code error;
    const std::string name = entry.path().filename().string();
    const bool is_link = entry.is_symlink(error);
    const fs::file_status status = entry.status(error);
    const bool is_lost = status.type() == fs::file_type::none || !fs::exists(status);
    if (fs::is_directory(status) && !is_link && !name.starts_with('.')) {
      pending_.push_back(entry.path());
    } else if (is_companion(name)) {
      return;
    } else if (fs::is_regular_file(status)) {
      look_at_file(entry.path().string(), is_prose(name));
    } else if (is_lost && !(is_link && is_link_of_jepsen(name))) {
      found_.paths.push_back(entry.path().string());
    }
  }

  void look_at_file(const std::string& file, bool is_prose) {
    if (is_wanted_ && !is_wanted_(file)) {
      return;
    }
    const auto source = open_source(file);
    // What cannot be read may be a history: its reader tells what is wrong.
    const bool may_be = !source || detect_file(*source.value()) || !can_be_read(*source.value());
    const bool is_history = !is_prose && may_be;
    (is_history ? found_.paths : found_.passed_over).push_back(file);
  }

  const WantedFile& is_wanted_;
  std::vector<fs::path> pending_;
  FoundHistories found_;
};

}  // namespace

FoundHistories find_histories(const std::string& path, const WantedFile& is_wanted) {
  std::error_code error;
  return path == "-" || !fs::is_directory(path, error) ? FoundHistories{.paths = {path}}
                                                       : Search(is_wanted).look_into(path);
}

}  // namespace elapid
