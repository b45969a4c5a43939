#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "parsers/bytes/window.h"
#include "parsers/bytes/word.h"
#include "parsers/dbcop/dbcop_format.h"
#include "parsers/dbcop/readers.h"

namespace elapid {

namespace {

/// The dialect of an input by its first bytes. Bincode has zeros in its first numbers. JSON begins
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
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  Window window(*source, kHead);
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
  ELAPID_ASSIGN_OR_RETURN(std::string found,
                          dialect.empty() ? find_dialect(sources) : Result(dialect));
  if (found == "bincode") {
    return read_dbcop_bincode(sources, options);
  }
  return found == "json" ? read_dbcop_json(sources, options) : read_dbcop_hist(sources, options);
}

namespace {

constexpr std::array<std::string_view, 3> kDbcopDialects = {"bincode", "json", "hist"};
constexpr std::string_view kBincode = kDbcopDialects[0];
constexpr std::string_view kJson = kDbcopDialects[1];
constexpr std::string_view kHist = kDbcopDialects[2];
constexpr std::string_view kBincodeFile = "history.bincode";

/// Whether the input begins with five small numbers, the length of a text and the text. The first
/// number is arbitrary, so the file may begin like one of another format.
bool may_be_bincode(std::string_view head) {
  constexpr std::size_t kParams = 40;
  constexpr std::size_t kText = kParams + 8;
  if (head.size() < kText) {
    return false;
  }
  for (std::size_t at = 0; at < kParams; at += 8) {
    if (word_at(head.data() + at) > 0xffffffffU) {
      return false;
    }
  }
  const std::uint64_t length = word_at(head.data() + kParams);
  const std::string_view info =
      head.substr(kText, std::min<std::uint64_t>(length, head.size() - kText));
  const auto is_control = [](char c) { return c >= '\0' && c < ' ' && c != '\n'; };
  return length <= 4096 && std::ranges::none_of(info, is_control);
}

std::vector<Sign> looks_like_dbcop(const FileLook& file) {
  static const Pattern hist(R"(^//|^\s*\[\s*\w+(:=|==))", "/[");
  const FirstForm& form = file.form;
  std::vector<Sign> signs;
  if (may_be_bincode(file.bytes)) {
    signs.push_back({Strength::kStrong,
                     "it begins as dbcop's bincode: five small numbers and a text", kBincode});
  }
  if (hist.is_in(file.first_line)) {
    signs.push_back(
        {Strength::kStrong, "it begins with a comment or a transaction such as [x:=1]", kHist});
  }
  if (form.is_object() && !form.is_enclosed && form.has_key("params") && form.has_key("data")) {
    signs.push_back({Strength::kLikely, "it is an object with params and data", kJson});
  }
  if (form.opening == '[' && form.is_enclosed && form.has_key("events")) {
    signs.push_back(
        {Strength::kLikely, "it begins with sessions of transactions with events", kJson});
  }
  return signs;
}

std::vector<Sign> holds_bincode(const DirectoryLook& directory) {
  if (!directory.has(kBincodeFile)) {
    return {};
  }
  return {{Strength::kStrong, "it is a directory with a history.bincode", kBincode, kBincodeFile}};
}

constexpr Target dbcop_target(std::string_view dialect, std::string_view extension,
                              InitialForm initial, Status (*write)(const Plan&, OutputFile&)) {
  return {.format = &kDbcopFormat,
          .dialect = dialect,
          .extension = extension,
          .extension_tells = dialect != kJson,
          .write_file = write,
          .aborted = true,
          .empty_transactions = dialect != kHist,
          .has_key_names = dialect == kHist,
          .repeats = dialect == kBincode,
          .by_session = true,
          .guesses_initial_txn = dialect == kBincode,
          .zero_is_initial = true,
          .writes_initial = initial == InitialForm::kZero,
          .initial = initial,
          .keys = kNaturals,
          .values = kNaturals};
}

constexpr std::array kDbcopTargets = {
    dbcop_target(kBincode, ".bincode", InitialForm::kZero, write_dbcop_bincode),
    dbcop_target(kJson, ".json", InitialForm::kNil, write_dbcop_json),
    dbcop_target(kHist, ".hist", InitialForm::kNil, write_dbcop_hist)};

}  // namespace

constinit const Format kDbcopFormat = {.name = "dbcop",
                                       .tools = "dbcop (old, new), PolySI, VeriStrong",
                                       .dialects = kDbcopDialects,
                                       .binary_dialects = std::span(kDbcopDialects).first(1),
                                       .looks_at_file = looks_like_dbcop,
                                       .looks_at_directory = holds_bincode,
                                       .in_directory = kBincodeFile,
                                       .read = read_dbcop,
                                       .has_header = true,
                                       .targets = kDbcopTargets};

}  // namespace elapid
