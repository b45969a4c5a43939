#include "parsers/coo/coo_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_coo(const FileLook& file) {
  static const Pattern pattern(R"(^\s*([RW]\d[a-z]|[CA]\d|S\d)(\s*([RW]\d[a-z]|[CA]\d|S\d))*\s*$)",
                               "RWCAS");
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {{Strength::kStrong, "its first line is a schedule such as R0a W1a C0 C1"}};
}

constexpr std::array<std::string_view, 3> kCooDialects = {"read-committed", "read-uncommitted",
                                                          "repeatable-read"};

constexpr std::array kCooTargets = {Target{.format = &kCooFormat,
                                           .dialect = kCooDialects.front(),
                                           .extension = ".txt",
                                           .write_file = write_coo,
                                           .aborted = true,
                                           .empty_transactions = true,
                                           .letter_keys = true,
                                           .drops_values = true,
                                           .drops_sessions = true}};

}  // namespace

constinit const Format kCooFormat = {.name = "coo",
                                     .tools = "3TS-Coo",
                                     .dialects = kCooDialects,
                                     .looks_at_file = looks_like_coo,
                                     .read = read_coo,
                                     .targets = kCooTargets};

}  // namespace elapid
