// Every history of the shared corpus is read, and holds what its format's document says it does.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "parsers/read.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  return fs::path(ELAPID_SHARED) / "corpus";
}

bool is_missing() {
  if (fs::exists(corpus())) {
    return false;
  }
  WARN("skipped: there is no " << corpus());
  std::cerr << "SKIPPED: there is no " << corpus() << '\n';
  return true;
}

std::vector<std::vector<std::string>> table(const fs::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    std::istringstream fields(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string field; std::getline(fields, field, '\t');) {
      row.push_back(field);
    }
  }
  return rows;
}

TEST_CASE("corpus: every history of the manifest and the cases is read") {
  if (is_missing()) {
    return;
  }
  std::set<std::string> paths;
  for (const char* list : {"manifest.tsv", "cases.tsv"}) {
    for (const auto& row : table(corpus() / list)) {
      if (row.front() != "path") {
        paths.insert(row.front());
      }
    }
  }
  REQUIRE(paths.size() > 400);
  std::size_t operations = 0;
  for (const std::string& path : paths) {
    const auto loaded = read_history((corpus() / path).string(), {});
    INFO(path << ": " << (loaded ? "" : loaded.error().to_string()));
    REQUIRE(loaded);
    operations += loaded.value().history().op_count();
  }
  CHECK(operations > 1'000'000);
}

/// What a history holds, in the order of the table's columns.
std::vector<std::string> counts(const History& history) {
  std::size_t committed = 0;
  std::size_t aborted = 0;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    committed += std::size_t{history.status(txn) == TxnStatus::kCommitted};
    aborted += std::size_t{history.status(txn) == TxnStatus::kAborted};
  }
  std::size_t reads = 0;
  std::size_t writes = 0;
  std::size_t initial = 0;
  for (const Op op : history.all_ops()) {
    reads += std::size_t{op.is_read()};
    writes += std::size_t{op.is_write()};
    initial += std::size_t{op.kind() == OpKind::kRead &&
                           (op.value().is_nil() || op.value() == history.info().initial)};
  }
  std::vector<std::string> all;
  for (const std::size_t count :
       {history.session_count(), committed, aborted, reads, writes, initial}) {
    all.push_back(std::to_string(count));
  }
  return all;
}

TEST_CASE("corpus: histories hold what the documents say") {
  if (is_missing()) {
    return;
  }
  const auto rows = table(fs::path(ELAPID_TEST_DATA) / "formats/counts.tsv");
  REQUIRE(rows.size() > 15);
  for (const std::vector<std::string>& row : rows) {
    REQUIRE(row.size() == 7);
    const auto loaded = read_history((corpus() / row.front()).string(), {});
    INFO(row.front() << ": " << (loaded ? "" : loaded.error().to_string()));
    REQUIRE(loaded);
    const std::vector<std::string> found = counts(loaded.value().history());
    for (std::size_t column = 1; column < row.size(); ++column) {
      INFO("column " << column);
      CHECK((row[column] == "-" || row[column] == found[column - 1]));
    }
  }
}

}  // namespace
}  // namespace elapid
