// Reading texts with one reader, for the tests of those that read traces from a single file.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "parsers/bytes/sources.h"
#include "parsers/options.h"
#include "tests/unit/parsers/summary.h"

namespace elapid {

using TraceReader = Result<History> (*)(Sources&, const std::string&, const ReadOptions&);

inline Result<History> read_text(TraceReader reader, const std::string& text,
                                 const std::string& dialect = "", const ReadOptions& options = {}) {
  Sources sources(memory_source("input", text));
  return reader(sources, dialect, options);
}

/// The history in short, or the error.
inline std::string outcome(TraceReader reader, const std::string& text,
                           const std::string& dialect = "", const ReadOptions& options = {}) {
  const Result<History> parsed = read_text(reader, text, dialect, options);
  return parsed ? summary(parsed.value()) : parsed.error().to_string();
}

/// A file of tests/data/formats.
inline std::string sample(const std::string& path) {
  std::ifstream file(std::filesystem::path(ELAPID_TEST_DATA) / "formats" / path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<std::string> remarks(const History& parsed) {
  std::vector<std::string> messages;
  for (const Remark& remark : parsed.info().remarks) {
    messages.push_back(remark.message);
  }
  return messages;
}

inline bool has_remark(const History& parsed, Remark::Kind kind) {
  const auto& all = parsed.info().remarks;
  return std::any_of(all.begin(), all.end(),
                     [kind](const Remark& remark) { return remark.kind == kind; });
}

/// Its transactions in short, sorted.
inline std::vector<std::string> sorted_transactions(const History& parsed) {
  std::vector<std::string> txns;
  std::string rest = summary(parsed);
  for (std::size_t end = 0; !rest.empty(); rest.erase(0, end)) {
    end = std::min(rest.find("; "), rest.size());
    txns.push_back(rest.substr(0, end));
    end = std::min(end + 2, rest.size());
  }
  std::sort(txns.begin(), txns.end());
  return txns;
}

/// Cuts the text short everywhere: an error with its line, unless a line or, with a remark, a word
/// ends there. With salvage a history of transactions that the whole text has as well.
inline void check_cuts(TraceReader reader, const std::string& text,
                       const std::string& dialect = "") {
  const Result<History> whole = read_text(reader, text, dialect);
  REQUIRE(whole);
  const std::vector<std::string> all = sorted_transactions(whole.value());
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    INFO("cut to " << length << " bytes: " << cut);
    const Result<History> strict = read_text(reader, cut, dialect);
    if (strict) {
      const bool is_whole_line = length == 0 || cut.back() == '\n' || text[length] == '\n';
      CHECK((is_whole_line || has_remark(strict.value(), Remark::Kind::kOther)));
      continue;
    }
    CHECK(strict.error().line.has_value());
    const Result<History> salvaged = read_text(reader, cut, dialect, {.salvage = true});
    REQUIRE(salvaged);
    CHECK(has_remark(salvaged.value(), Remark::Kind::kSalvaged));
    const std::vector<std::string> kept = sorted_transactions(salvaged.value());
    CHECK(std::includes(all.begin(), all.end(), kept.begin(), kept.end()));
  }
}

}  // namespace elapid
