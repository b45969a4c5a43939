// Histories that went wrong once, by all properties: tests/regressions/NNN-slug.list or .register,
// a comment and one line in the micro-language.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/property/properties.h"

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
  return parse_tiny(file.extension() == ".list" ? DataModel::kListAppend : DataModel::kRwRegister,
                    line);
}

TEST_CASE("regressions: histories that went wrong once") {
  const std::vector<fs::path> files = regression_files();
  CHECK_FALSE(files.empty());
  for (const fs::path& file : files) {
    INFO(file.filename());
    const TinyHistory history = read_regression(file);
    Tally tally;
    CHECK(contradicts_definitions(history, tally).empty());
    CHECK(contradicts_lattice(history).empty());
    CHECK(depends_on_notation(history).empty());
  }
}

}  // namespace
}  // namespace elapid
