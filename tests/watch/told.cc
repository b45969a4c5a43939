#include "tests/watch/told.h"

#include <fstream>
#include <sstream>

namespace elapid {

std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string last_line(std::string_view text) {
  const std::vector<std::string> lines = lines_of(text);
  return lines.empty() ? "" : lines.back();
}

std::string field_of(std::string_view line, std::string_view name) {
  const std::string label = '"' + std::string(name) + "\":";
  const std::size_t place = line.find(label);
  if (place == std::string_view::npos) {
    return "";
  }
  const std::string_view rest = line.substr(place + label.size());
  const std::size_t end = rest.starts_with('[') ? rest.find(']') + 1 : rest.find_first_of(",}");
  return std::string(rest.substr(0, end));
}

std::string Told::hear(std::string_view text) {
  for (const std::string& line : lines_of(text)) {
    const std::string event = field_of(line, "event");
    if (event != R"("final")" && event != R"("late")") {
      continue;
    }
    ++counts_[event];
    if (field_of(line, "n") != std::to_string(++last_number_)) {
      return "expected number " + std::to_string(last_number_) + ": " + line;
    }
    const std::string axiom = field_of(line, "axiom");
    const std::string other = axiom == R"("noconflict")" ? field_of(line, "other") : "";
    const std::string name = axiom + " " + field_of(line, "txn") + " " + field_of(line, "key") +
                             " " + field_of(line, "mop") + " " + other;
    if (event == R"("final")" && violations_.contains(name)) {
      return "final twice: " + line;
    }
    if (field_of(line, "stands") == "false") {
      if (violations_.erase(name) == 0) {
        return "taken back what was not there: " + line;
      }
      continue;
    }
    ++counts_[axiom];
    violations_[name] = line.substr(line.find(R"("axiom":)"));
  }
  return "";
}

}  // namespace elapid
