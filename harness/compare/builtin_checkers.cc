#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "builtin_texts.h"
#include "harness/compare/checker.h"
#include "harness/compare/checker_reader.h"

namespace elapid {
namespace {

std::vector<Checker> read_builtin() {
  std::vector<Checker> all;
  for (const auto& [name, text] : kBuiltinTexts) {
    Result<std::vector<Checker>> read =
        read_checkers(memory_source(std::string(name), std::string(text)), "");
    // A test verifies that each of them can be read.
    if (read) {
      std::ranges::move(read.value(), std::back_inserter(all));
    }
  }
  std::ranges::stable_sort(all, [](const Checker& a, const Checker& b) {
    return std::pair(!a.engine, a.engine ? std::string_view() : std::string_view(a.name)) <
           std::pair(!b.engine, b.engine ? std::string_view() : std::string_view(b.name));
  });
  return all;
}

}  // namespace

const std::vector<Checker>& builtin_checkers() {
  static const std::vector<Checker> all = read_builtin();
  return all;
}

}  // namespace elapid
