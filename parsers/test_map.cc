#include "parsers/test_map.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/test_entries.h"

namespace elapid {

namespace {

using edn::TokenKind;

constexpr std::array<std::string_view, 7> kKeys = {
    ":accounts",  ":total-amount", ":sub-via",           ":ww-deps",
    ":key-count", ":availability", ":consistency-models"};

/// The entries of the map that the source begins with, up to the first error.
TestMap entries_of_edn(ByteSource& source) {
  TestMap entries;
  edn::Scanner scanner(source);
  scanner.skip_byte_order_mark();
  if (scanner.next() != TokenKind::kOpenMap) {
    return entries;
  }
  const auto is_form = [](TokenKind kind) {
    return kind != TokenKind::kEnd && kind != TokenKind::kError && kind != TokenKind::kCloseBrace;
  };
  while (is_form(scanner.next())) {
    const bool is_keyword = scanner.token().kind == TokenKind::kKeyword;
    const std::string key(is_keyword ? scanner.token().text : "");
    if (!scanner.skip()) {
      return entries;
    }
    scanner.next();
    const bool is_asked = std::ranges::find(kKeys, key) != kKeys.end();
    std::string value;
    if (is_asked ? !append_form(scanner, edn::TextStyle::kCanonical, value).ok()
                 : !scanner.skip()) {
      return entries;
    }
    if (is_asked) {
      entries.emplace(key, std::move(value));
    }
  }
  return entries;
}

TestMap entries_of_binary(ByteSource& source) {
  using namespace jepsen_binary;
  BlockFile file{FileBytes(source)};
  const Result<std::uint64_t> offset = file.version() ? file.index_offset() : Error{};
  const Result<BlockIndex> index = offset ? file.index_at(offset.value()) : Error{};
  const Result<TestEntries> found =
      index ? find_entries(file, index.value(), kKeys) : Result<TestEntries>(Error{});
  if (!found) {
    return {};
  }
  std::string text = "{";
  for (const auto& [key, value] : found.value()) {
    text += key + ' ' + value + ' ';
  }
  const std::unique_ptr<ByteSource> canonical = memory_source("test.jepsen", text + '}');
  return entries_of_edn(*canonical);
}

TestMap entries_of_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return {};
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(path.string());
  if (!source) {
    return {};
  }
  return path.extension() == ".edn" ? entries_of_edn(*source.value())
                                    : entries_of_binary(*source.value());
}

}  // namespace

TestMap read_test_map(const std::string& history) {
  const std::filesystem::path path(history);
  if (path.extension() == ".jepsen") {
    return entries_of_file(path);
  }
  if (!path.filename().string().starts_with("history.")) {
    return {};
  }
  TestMap entries = entries_of_file(path.parent_path() / "test.jepsen");
  return entries.empty() ? entries_of_file(path.parent_path() / "test.edn") : entries;
}

}  // namespace elapid
