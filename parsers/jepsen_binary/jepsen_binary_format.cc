#include "parsers/jepsen_binary/jepsen_binary_format.h"

#include <array>
#include <string_view>

#include "parsers/jepsen/edn_format.h"

namespace elapid {

namespace {

constexpr std::array<std::string_view, 2> kJepsenDialects = {"binary", "fressian"};
constexpr std::string_view kBinaryDialect = kJepsenDialects[0];
constexpr std::string_view kFressianDialect = kJepsenDialects[1];

std::vector<Sign> looks_like_jepsen_binary(const FileLook& file) {
  constexpr char kFressianMap = '\xc0';
  if (file.bytes.starts_with("JEPSEN")) {
    return {{Strength::kCertain, "it begins with `JEPSEN`", kBinaryDialect}};
  }
  if (file.bytes.starts_with(kFressianMap)) {
    return {{Strength::kLikely, "it begins with Fressian's code of a map", kFressianDialect}};
  }
  return {};
}

/// A store may have a history in several forms. Older forms come last.
std::vector<Sign> holds_test(const DirectoryLook& directory) {
  std::vector<Sign> signs;
  const bool has_binary = directory.has("test.jepsen");
  if (has_binary) {
    signs.push_back({Strength::kStrong, "it is a Jepsen store's directory with a test.jepsen",
                     kBinaryDialect, "test.jepsen"});
  }
  if (directory.has("test.fressian")) {
    const bool is_last = has_binary || directory.has("history.edn");
    signs.push_back({is_last ? Strength::kPossible : Strength::kStrong,
                     "it is a Jepsen store's directory with a test.fressian", kFressianDialect,
                     "test.fressian"});
  }
  return signs;
}

constexpr Target jepsen_target() {
  Target target = kEventTarget;
  target.format = &kJepsenBinaryFormat;
  target.dialect = kBinaryDialect;
  target.extension = ".jepsen";
  target.extension_tells = true;
  target.write_file = write_jepsen_binary;
  return target;
}

constexpr std::array kJepsenTargets = {jepsen_target()};

}  // namespace

constinit const Format kJepsenBinaryFormat = {.name = "jepsen",
                                              .tools = "Jepsen",
                                              .dialects = kJepsenDialects,
                                              .binary_dialects = kJepsenDialects,
                                              .looks_at_file = looks_like_jepsen_binary,
                                              .looks_at_directory = holds_test,
                                              .in_directory = "test.jepsen, test.fressian",
                                              .read = read_jepsen_binary,
                                              .read_independent = read_independent_jepsen_binary,
                                              .finds_tuples = finds_tuples_in_jepsen_binary,
                                              .opens_details = open_jepsen_binary_details,
                                              .targets = kJepsenTargets};

}  // namespace elapid
