#include "tests/property/regressions.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace elapid {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> regression_files() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(ELAPID_REGRESSIONS)) {
    if (entry.path().extension() == ".list" || entry.path().extension() == ".register") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TinyHistory read_regression(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line) && line.starts_with('#')) {
  }
  return parse_tiny(file.extension() == ".list" ? Workload::kListAppend : Workload::kRwRegister,
                    line);
}

}  // namespace

void for_all_regressions(const Property& property) {
  const std::vector<fs::path> files = regression_files();
  CHECK_FALSE(files.empty());
  for (const fs::path& file : files) {
    INFO(file.filename());
    CHECK(property(read_regression(file)) == "");
  }
}

}  // namespace elapid
