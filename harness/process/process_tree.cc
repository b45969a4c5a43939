#include "harness/process/process_tree.h"

#include <signal.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_map>

namespace elapid {
namespace {

std::optional<pid_t> number(const std::string& text) {
  pid_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

/// The parent of a process, by /proc/PID/stat: `12 (name) S 1 ...`. The name may hold anything.
std::optional<pid_t> parent_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::array<char, 1024> buffer{};  // its first fields, of which the name has 64 bytes at most
  file.read(buffer.data(), buffer.size());
  const std::string stat(buffer.data(), static_cast<std::size_t>(file.gcount()));
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || stat.size() < name_end + 5) {
    return std::nullopt;  // it has ended
  }
  const std::size_t begin = name_end + 4;
  return number(stat.substr(begin, stat.find(' ', begin) - begin));
}

}  // namespace

std::vector<pid_t> process_tree(pid_t root) {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::optional<pid_t> pid = number(entry->path().filename());
    const std::optional<pid_t> parent = pid ? parent_of(entry->path()) : std::nullopt;
    if (parent) {
      children[*parent].push_back(*pid);
    }
  }
  std::vector<pid_t> tree = {root};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto found = children.find(tree[i]);
    if (found != children.end()) {
      tree.insert(tree.end(), found->second.begin(), found->second.end());
    }
  }
  return tree;
}

void signal_tree(const std::vector<pid_t>& tree, int signal) {
  for (const pid_t pid : tree) {
    ::kill(pid, signal);
  }
}

}  // namespace elapid
