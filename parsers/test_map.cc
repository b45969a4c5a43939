#include "parsers/test_map.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/test_entries.h"

namespace elapid {

namespace {

using edn::TokenKind;
using Keys = std::span<const std::string_view>;

/// Of the map that the source begins with; what stands behind an error is not told.
TestMap entries_of_edn(ByteSource& source, Keys keys) {
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
    const bool is_asked = std::ranges::find(keys, key) != keys.end();
    std::string value;
    if (is_asked ? !append_form(scanner, edn::TextStyle::kCanonical, value).ok()
                 : !scanner.skip()) {
      return entries;
    }
    if (is_asked) {
      entries.emplace_back(key, std::move(value));
    }
  }
  return entries;
}

TestMap entries_of_binary(ByteSource& source, Keys keys) {
  using namespace jepsen_binary;
  BlockFile file{FileBytes(source)};
  const Result<std::uint64_t> offset = file.version() ? file.index_offset() : Error{};
  const Result<BlockIndex> index = offset ? file.index_at(offset.value()) : Error{};
  const Result<TestEntries> found =
      index ? find_entries(file, index.value(), keys) : Result<TestEntries>(Error{});
  if (!found) {
    return {};
  }
  std::string text = "{";
  for (const auto& [key, value] : found.value()) {
    text += key + ' ' + value + ' ';
  }
  const std::unique_ptr<ByteSource> canonical = memory_source("test.jepsen", text + '}');
  return entries_of_edn(*canonical, keys);
}

TestMap entries_of_file(const std::filesystem::path& path, Keys keys) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return {};
  }
  Result<std::unique_ptr<ByteSource>> source = open_source(path.string());
  if (!source) {
    return {};
  }
  return path.extension() == ".edn" ? entries_of_edn(*source.value(), keys)
                                    : entries_of_binary(*source.value(), keys);
}

}  // namespace

TestMap read_test_map(const std::string& history, Keys keys) {
  const std::filesystem::path path(history);
  if (path.extension() == ".jepsen") {
    return entries_of_file(path, keys);
  }
  if (!path.filename().string().starts_with("history.")) {
    return {};
  }
  TestMap entries = entries_of_file(path.parent_path() / "test.jepsen", keys);
  return entries.empty() ? entries_of_file(path.parent_path() / "test.edn", keys) : entries;
}

}  // namespace elapid
