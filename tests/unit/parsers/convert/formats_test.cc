// Every row of the table of formats is complete: named and documented, recognised, read, fuzzed.
#include "parsers/formats.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "harness/sketch/tiny_history.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

const fs::path kTree = fs::path(ELAPID_TEST_DATA).parent_path().parent_path();

/// The first two cells of the table of formats in docs/formats.md, by line; links are their texts.
std::vector<std::pair<std::string, std::string>> documented() {
  std::ifstream in(kTree / "docs/formats.md");
  std::vector<std::pair<std::string, std::string>> rows;
  for (std::string line; std::getline(in, line) && !line.starts_with("The beginning of");) {
    if (line.starts_with("| `")) {
      const std::size_t second = line.find(" | ");
      std::string tools = line.substr(second + 3, line.find(" | ", second + 3) - second - 3);
      if (const std::size_t link = tools.find("]("); link != std::string::npos) {
        tools.erase(link, tools.find(')', link) - link + 1);
        tools.erase(std::ranges::find(tools, '['));
      }
      rows.emplace_back(line.substr(0, second), tools);
    }
  }
  return rows;
}

/// Whether docs/formats.md has a row for what is asked for so, with the tools that it is of. A
/// row's further dialects stand as `:json`.
bool is_documented(const Format& format, std::string_view dialect) {
  const std::string name(format.name);
  const std::string full = dialect.empty() ? name : name + ':' + std::string(dialect);
  const std::string short_name = ", `:" + std::string(dialect) + '`';
  const auto rows = documented();
  return std::ranges::any_of(rows, [&](const auto& row) {
    const auto& [names, tools] = row;
    const bool is_named = names.find('`' + full + '`') != std::string::npos ||
                          (!dialect.empty() && names.find('`' + name + ':') != std::string::npos &&
                           names.find(short_name) != std::string::npos);
    return is_named && tools.find(format.tools) != std::string::npos;
  });
}

TEST_CASE("every format has a name, a reader, a way to be written and a row in the docs") {
  std::set<std::string_view> names;
  for (const Format* format : formats()) {
    INFO(format->name);
    CHECK(names.insert(format->name).second);
    CHECK_FALSE(format->tools.empty());
    CHECK(format->read != nullptr);
    CHECK_FALSE(format->targets.empty());
    CHECK((format->looks_at_directory == nullptr) == format->in_directory.empty());
    for (const Target& target : format->targets) {
      CHECK(target.format == format);
    }
    for (const std::string_view dialect : format->dialects) {
      INFO(dialect);
      CHECK(is_documented(*format, dialect));
    }
    CHECK((!format->dialects.empty() || is_documented(*format, "")));
  }
}

TEST_CASE("every format has inputs for its fuzzer, and each folder of them is one of a format") {
  const std::set<std::string> others = {"certificate", "detected", "history_builder", "scenario",
                                        "stream"};
  std::set<const Format*> fuzzed;
  for (const auto& folder : fs::directory_iterator(kTree / "tests/fuzz/corpus")) {
    std::string name = folder.path().filename().string();
    std::ranges::replace(name, '_', ':');
    const auto format = find_format(name);
    INFO(name);
    CHECK((format.has_value() || others.contains(folder.path().filename().string())));
    fuzzed.insert(format ? format->format : nullptr);
  }
  for (const Format* format : formats()) {
    INFO(format->name);
    CHECK(fuzzed.contains(format));
  }
}

/// The format in which a history is read that was written so and is not asked for; or the error.
std::string detected_again(const Target& target) {
  const TemporaryFolder folder;
  const History history = target.registers || !target.lists
                              ? register_history("0+ wx1; 1+ rx1; 0+ wx2; 1+ rx2")
                              : list_history("0+ ax1 ry; 1+ rx1 ax2; 0+ rx12");
  const auto report = write_history(history, history.workload(), folder / "out",
                                    {.target = &target, .policy = LossPolicy::kAny});
  if (!report) {
    return report.error().message;
  }
  const auto loaded = read_history(folder / "out", {});
  return loaded ? text(FormatName{loaded.value().format().format, {}}) : loaded.error().message;
}

TEST_CASE("every format that looks like something is recognised in what is written in it") {
  for (const Target& target : targets()) {
    const Format& format = *target.format;
    if (format.looks_at_file != nullptr) {
      INFO(text(target));
      CHECK(detected_again(target) == format.name);
    }
  }
}

}  // namespace
}  // namespace elapid
