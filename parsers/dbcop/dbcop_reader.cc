#include "parsers/dbcop/dbcop_format.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "parsers/bytes/window.h"
#include "parsers/dbcop/bincode_reader.h"
#include "parsers/dbcop/hist_reader.h"
#include "parsers/dbcop/json_reader.h"

namespace elapid {

namespace {

/// The dialect of an input that begins so. Bincode has zeros in its first numbers, and JSON begins
/// with an object or with an array of arrays.
std::string dialect_of(std::string_view head) {
  constexpr std::size_t kFirstNumbers = 40;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (head.substr(0, kFirstNumbers).find('\0') != std::string_view::npos) {
    return "bincode";
  }
  if (head.starts_with(kByteOrderMark)) {
    head.remove_prefix(kByteOrderMark.size());
  }
  const auto next = [&head](std::size_t from) {
    const std::size_t at = head.find_first_not_of(" \t\r\n", from);
    return at == std::string_view::npos ? head.size() : at;
  };
  const std::size_t first = next(0);
  const std::size_t second = next(first + 1);
  const bool is_object = first < head.size() && head[first] == '{';
  const bool is_array = first < head.size() && head[first] == '[' && second < head.size() &&
                        (head[second] == '[' || head[second] == ']');
  return is_object || is_array ? "json" : "hist";
}

Result<std::string> find_dialect(Sources& sources) {
  constexpr std::size_t kHead = 4096;
  Result<ByteSource*> source = sources.open(0);
  ELAPID_RETURN_IF_ERROR(source);
  Window window(*source.value(), kHead);
  const std::string_view head = window.ahead(kHead);
  if (window.error()) {
    return sources.located(0, *window.error());
  }
  return dialect_of(head);
}

}  // namespace

Result<History> read_dbcop(Sources& sources, const std::string& dialect,
                           const ReadOptions& options) {
  if (sources.is_directory()) {
    if (Result<std::uint16_t> file = sources.add(sources.path() + "/history.bincode"); !file) {
      return std::move(file.error());
    }
  }
  Result<std::string> found = dialect.empty() ? find_dialect(sources) : Result(dialect);
  ELAPID_RETURN_IF_ERROR(found);
  if (found.value() == "bincode") {
    return read_dbcop_bincode(sources, options);
  }
  return found.value() == "json" ? read_dbcop_json(sources, options)
                                 : read_dbcop_hist(sources, options);
}

}  // namespace elapid
