// A directory of a test's own, removed with it.
#pragma once

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace elapid::elle_test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "elapid-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }

  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The content of a file in it; empty if there is none.
  [[nodiscard]] std::string read(const std::string& file) const {
    std::ostringstream content;
    content << std::ifstream(path_ / file, std::ios::binary).rdbuf();
    return content.str();
  }

  /// Number of regular files, at any depth.
  [[nodiscard]] std::size_t file_count() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      count += entry.is_regular_file() ? 1U : 0U;
    }
    return count;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace elapid::elle_test
