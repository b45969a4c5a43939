// A folder, or a file, for tests: it is removed when the test ends.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace elapid {

/// The bytes of a file.
inline std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<unsigned> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("elapid-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }

  /// Makes a file, and the folders it is in; returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

/// A file in a folder of its own.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes = {}, const std::string& name = "file")
      : path_(folder_.write(name, bytes)) {}

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace elapid
