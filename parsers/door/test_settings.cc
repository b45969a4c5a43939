#include "parsers/door/test_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"
#include "parsers/jepsen_binary/file_bytes.h"
#include "parsers/jepsen_binary/test_entries.h"

namespace elapid {

namespace {

/// The map of a Jepsen test, which lies in the store beside the history: in test.jepsen, or in a
/// test.edn with one map. The map of a test.fressian is not read: it may stand behind the history.
/// Keys with their colon, and values in canonical EDN.
using TestMap = std::vector<std::pair<std::string, std::string>>;

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

/// The entries with these keys of the test that the history in this file is of: the file itself if
/// it is a test.jepsen, else a test.jepsen or test.edn beside it if it is named `history.` and
/// something. Empty where there is no such file or it cannot be read: then it tells nothing.
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

bool take(std::string_view text, std::optional<std::int64_t>& number) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (number || parsed.ec != std::errc() || parsed.ptr != end) {
    return false;
  }
  number = value;
  return true;
}

/// Elements of a vector, list or set, without their first `skipped` characters.
bool take(std::string_view text, std::size_t skipped, std::vector<std::string>& names) {
  const auto elements = text.starts_with('{') ? std::nullopt : elements_of(text);
  if (!names.empty() || !elements) {
    return false;
  }
  for (const std::string_view element : *elements) {
    names.emplace_back(element.substr(skipped));
  }
  return !names.empty();
}

bool take(const std::string& key, const std::string& value, WorkloadSettings& settings) {
  if (key == ":ww-deps") {
    return !settings.ww_deps && (settings.ww_deps = value == "true");
  }
  return key == ":accounts"       ? take(value, 0, settings.accounts)
         : key == ":sub-via"      ? take(value, 1, settings.sub_via)
         : key == ":total-amount" ? take(value, settings.total_amount)
                                  : take(value, settings.key_count);
}

}  // namespace

WorkloadSettings with_settings_of_test(const LoadedHistory& loaded, WorkloadSettings given) {
  constexpr std::array<std::string_view, 5> kKeys = {":accounts", ":total-amount", ":sub-via",
                                                     ":ww-deps", ":key-count"};
  const HistoryInfo& info = loaded.history().info();
  if (info.files.empty() || info.workload->has_levels()) {
    return given;
  }
  for (const auto& [key, value] : read_test_map(info.files.front(), kKeys)) {
    if (take(key, value, given)) {
      given.from_test.push_back(key.substr(1));
    }
  }
  return given;
}

}  // namespace elapid
